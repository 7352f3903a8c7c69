; run: redirect_half
; Functions of the crate `half` become the device library's, if both take the same; others stay.

define i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch16add_f16_fallback(i16 %a, i16 %b) {
  ret i16 %a
}

define i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch19f32_to_f16_fallback(float %x) {
  ret i16 0
}

define i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch5other(i16 %a) {
  ret i16 %a
}

define internal i16 @__ptyx_half_f16_add(i16 %a, i16 %b) {
  %sum = add i16 %a, %b
  ret i16 %sum
}

; Not of the parameters that the crate's has.
define internal i16 @__ptyx_half_f16_from_f32(double %x) {
  ret i16 1
}

define i16 @calls(i16 %a, float %x) {
  %1 = call i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch16add_f16_fallback(i16 %a, i16 %a)
  %2 = call i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch19f32_to_f16_fallback(float %x)
  %3 = call i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch5other(i16 %2)
  %4 = add i16 %1, %3
  ret i16 %4
}

; becomes:
define i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch16add_f16_fallback(i16 %a, i16 %b) {
  ret i16 %a
}

define i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch19f32_to_f16_fallback(float %x) {
  ret i16 0
}

define i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch5other(i16 %a) {
  ret i16 %a
}

define internal i16 @__ptyx_half_f16_add(i16 %a, i16 %b) {
  %sum = add i16 %a, %b
  ret i16 %sum
}

define internal i16 @__ptyx_half_f16_from_f32(double %x) {
  ret i16 1
}

define i16 @calls(i16 %a, float %x) {
  %1 = call i16 @__ptyx_half_f16_add(i16 %a, i16 %a)
  %2 = call i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch19f32_to_f16_fallback(float %x)
  %3 = call i16 @_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch5other(i16 %2)
  %4 = add i16 %1, %3
  ret i16 %4
}
