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

define internal i16 @__ptyx_half_bf16_from_f32(float %x) {
  ret i16 1
}

; What rustc makes of `f32_to_bf16` where it inlines it.
define void @rounds(float %x, ptr %place) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  br i1 %is_below, label %below, label %middle

nan:
  %1 = lshr i32 %bits, 16
  %2 = or i32 %1, 64
  %3 = trunc i32 %2 to i16
  store i16 %3, ptr %place, align 2
  br label %end

below:
  br label %down

middle:
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:
  %4 = lshr i32 %bits, 16
  %5 = trunc i32 %4 to i16
  store i16 %5, ptr %place, align 2
  br label %end

even:
  br label %down

up:
  %6 = lshr i32 %bits, 16
  %7 = trunc i32 %6 to i16
  %8 = add i16 %7, 1
  %overflows = icmp ult i16 %8, %7
  br i1 %overflows, label %panic, label %store

end:
  ret void

store:
  store i16 %8, ptr %place, align 2
  br label %end

panic:
  unreachable
}

; Rounds ties away from zero.
define void @rounds_otherwise(float %x, ptr %place) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  br i1 %is_below, label %down, label %up

nan:
  %1 = lshr i32 %bits, 16
  %2 = or i32 %1, 64
  %3 = trunc i32 %2 to i16
  store i16 %3, ptr %place, align 2
  br label %end

down:
  %4 = lshr i32 %bits, 16
  %5 = trunc i32 %4 to i16
  store i16 %5, ptr %place, align 2
  br label %end

up:
  %6 = lshr i32 %bits, 16
  %7 = trunc i32 %6 to i16
  %8 = add i16 %7, 1
  store i16 %8, ptr %place, align 2
  br label %end

end:
  ret void
}

; Numbers come to the branch that may be NaN.
define void @joined(float %x, ptr %place, i1 %force) {
start:
  %bits = bitcast float %x to i32
  br i1 %force, label %finite, label %first_test

first_test:
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:
  %low = and i32 %bits, 32768
  %is_below = icmp eq i32 %low, 0
  br i1 %is_below, label %below, label %middle

nan:
  %1 = lshr i32 %bits, 16
  %2 = or i32 %1, 64
  %3 = trunc i32 %2 to i16
  store i16 %3, ptr %place, align 2
  br label %end

below:
  br label %down

middle:
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:
  %4 = lshr i32 %bits, 16
  %5 = trunc i32 %4 to i16
  store i16 %5, ptr %place, align 2
  br label %end

even:
  br label %down

up:
  %6 = lshr i32 %bits, 16
  %7 = trunc i32 %6 to i16
  %8 = add i16 %7, 1
  %overflows = icmp ult i16 %8, %7
  br i1 %overflows, label %panic, label %store

end:
  ret void

store:
  store i16 %8, ptr %place, align 2
  br label %end

panic:
  unreachable
}

; One result goes elsewhere.
define void @elsewhere(float %x, ptr %place) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  br i1 %is_below, label %below, label %middle

nan:
  %1 = lshr i32 %bits, 16
  %2 = or i32 %1, 64
  %3 = trunc i32 %2 to i16
  store i16 %3, ptr %place, align 2
  br label %end

below:
  br label %down

middle:
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:
  %4 = lshr i32 %bits, 16
  %5 = trunc i32 %4 to i16
  store i16 %5, ptr %place, align 2
  br label %end

even:
  br label %down

up:
  %6 = lshr i32 %bits, 16
  %7 = trunc i32 %6 to i16
  %8 = add i16 %7, 1
  %overflows = icmp ult i16 %8, %7
  br i1 %overflows, label %panic, label %store

end:
  ret void

store:
  %other = getelementptr i8, ptr %place, i64 2
  store i16 %8, ptr %other, align 2
  br label %end

panic:
  unreachable
}

; The check that fails is of another sum.
define void @another_check(float %x, ptr %place, i16 %y) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  br i1 %is_below, label %below, label %middle

nan:
  %1 = lshr i32 %bits, 16
  %2 = or i32 %1, 64
  %3 = trunc i32 %2 to i16
  store i16 %3, ptr %place, align 2
  br label %end

below:
  br label %down

middle:
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:
  %4 = lshr i32 %bits, 16
  %5 = trunc i32 %4 to i16
  store i16 %5, ptr %place, align 2
  br label %end

even:
  br label %down

up:
  %6 = lshr i32 %bits, 16
  %7 = trunc i32 %6 to i16
  %8 = add i16 %7, 1
  %sum = add i16 %y, 1
  %overflows = icmp ult i16 %sum, %y
  br i1 %overflows, label %panic, label %store

end:
  ret void

store:
  store i16 %8, ptr %place, align 2
  br label %end

panic:
  unreachable
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

define internal i16 @__ptyx_half_bf16_from_f32(float %x) {
  ret i16 1
}

define void @rounds(float %x, ptr %place) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:                                           ; preds = %start
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  %0 = call i16 @__ptyx_half_bf16_from_f32(float %x) #0
  br i1 true, label %below, label %middle

nan:                                              ; preds = %start
  %1 = lshr i32 %bits, 16
  %2 = or i32 %1, 64
  %3 = trunc i32 %2 to i16
  store i16 %3, ptr %place, align 2
  br label %end

below:                                            ; preds = %finite
  br label %down

middle:                                           ; preds = %finite
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:                                             ; preds = %even, %below
  %4 = lshr i32 %bits, 16
  %5 = trunc i32 %4 to i16
  store i16 %0, ptr %place, align 2
  br label %end

even:                                             ; preds = %middle
  br label %down

up:                                               ; preds = %middle
  %6 = lshr i32 %bits, 16
  %7 = trunc i32 %6 to i16
  %8 = add i16 %7, 1
  %overflows = icmp ult i16 %8, %7
  br i1 %overflows, label %panic, label %store

end:                                              ; preds = %store, %down, %nan
  ret void

store:                                            ; preds = %up
  store i16 %8, ptr %place, align 2
  br label %end

panic:                                            ; preds = %up
  unreachable
}

define void @rounds_otherwise(float %x, ptr %place) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:                                           ; preds = %start
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  br i1 %is_below, label %down, label %up

nan:                                              ; preds = %start
  %0 = lshr i32 %bits, 16
  %1 = or i32 %0, 64
  %2 = trunc i32 %1 to i16
  store i16 %2, ptr %place, align 2
  br label %end

down:                                             ; preds = %finite
  %3 = lshr i32 %bits, 16
  %4 = trunc i32 %3 to i16
  store i16 %4, ptr %place, align 2
  br label %end

up:                                               ; preds = %finite
  %5 = lshr i32 %bits, 16
  %6 = trunc i32 %5 to i16
  %7 = add i16 %6, 1
  store i16 %7, ptr %place, align 2
  br label %end

end:                                              ; preds = %up, %down, %nan
  ret void
}

define void @joined(float %x, ptr %place, i1 %force) {
start:
  %bits = bitcast float %x to i32
  br i1 %force, label %finite, label %first_test

first_test:                                       ; preds = %start
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:                                           ; preds = %first_test, %start
  %low = and i32 %bits, 32768
  %is_below = icmp eq i32 %low, 0
  br i1 %is_below, label %below, label %middle

nan:                                              ; preds = %first_test
  %0 = lshr i32 %bits, 16
  %1 = or i32 %0, 64
  %2 = trunc i32 %1 to i16
  store i16 %2, ptr %place, align 2
  br label %end

below:                                            ; preds = %finite
  br label %down

middle:                                           ; preds = %finite
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:                                             ; preds = %even, %below
  %3 = lshr i32 %bits, 16
  %4 = trunc i32 %3 to i16
  store i16 %4, ptr %place, align 2
  br label %end

even:                                             ; preds = %middle
  br label %down

up:                                               ; preds = %middle
  %5 = lshr i32 %bits, 16
  %6 = trunc i32 %5 to i16
  %7 = add i16 %6, 1
  %overflows = icmp ult i16 %7, %6
  br i1 %overflows, label %panic, label %store

end:                                              ; preds = %store, %down, %nan
  ret void

store:                                            ; preds = %up
  store i16 %7, ptr %place, align 2
  br label %end

panic:                                            ; preds = %up
  unreachable
}

define void @elsewhere(float %x, ptr %place) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:                                           ; preds = %start
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  br i1 %is_below, label %below, label %middle

nan:                                              ; preds = %start
  %0 = lshr i32 %bits, 16
  %1 = or i32 %0, 64
  %2 = trunc i32 %1 to i16
  store i16 %2, ptr %place, align 2
  br label %end

below:                                            ; preds = %finite
  br label %down

middle:                                           ; preds = %finite
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:                                             ; preds = %even, %below
  %3 = lshr i32 %bits, 16
  %4 = trunc i32 %3 to i16
  store i16 %4, ptr %place, align 2
  br label %end

even:                                             ; preds = %middle
  br label %down

up:                                               ; preds = %middle
  %5 = lshr i32 %bits, 16
  %6 = trunc i32 %5 to i16
  %7 = add i16 %6, 1
  %overflows = icmp ult i16 %7, %6
  br i1 %overflows, label %panic, label %store

end:                                              ; preds = %store, %down, %nan
  ret void

store:                                            ; preds = %up
  %other = getelementptr i8, ptr %place, i64 2
  store i16 %7, ptr %other, align 2
  br label %end

panic:                                            ; preds = %up
  unreachable
}

define void @another_check(float %x, ptr %place, i16 %y) {
start:
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  br i1 %is_nan, label %nan, label %finite

finite:                                           ; preds = %start
  %first = and i32 %bits, 32768
  %is_below = icmp eq i32 %first, 0
  br i1 %is_below, label %below, label %middle

nan:                                              ; preds = %start
  %0 = lshr i32 %bits, 16
  %1 = or i32 %0, 64
  %2 = trunc i32 %1 to i16
  store i16 %2, ptr %place, align 2
  br label %end

below:                                            ; preds = %finite
  br label %down

middle:                                           ; preds = %finite
  %rest = and i32 %bits, 98303
  %is_even = icmp eq i32 %rest, 0
  br i1 %is_even, label %even, label %up

down:                                             ; preds = %even, %below
  %3 = lshr i32 %bits, 16
  %4 = trunc i32 %3 to i16
  store i16 %4, ptr %place, align 2
  br label %end

even:                                             ; preds = %middle
  br label %down

up:                                               ; preds = %middle
  %5 = lshr i32 %bits, 16
  %6 = trunc i32 %5 to i16
  %7 = add i16 %6, 1
  %sum = add i16 %y, 1
  %overflows = icmp ult i16 %sum, %y
  br i1 %overflows, label %panic, label %store

end:                                              ; preds = %store, %down, %nan
  ret void

store:                                            ; preds = %up
  store i16 %7, ptr %place, align 2
  br label %end

panic:                                            ; preds = %up
  unreachable
}

attributes #0 = { convergent }
