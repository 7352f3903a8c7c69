; run: redirect_panics
; Core's panics become the device library's: a bounds check, a text, and a literal of `format_args!`,
; whose length is in its second word. A function of the same name in another crate is not core's.

@here = constant [4 x i8] c"a.rs"

declare void @_RNvNtCs1_4core9panicking18panic_bounds_check(i64, i64, ptr) noreturn
declare void @_RNvNtCs1_4core9panicking5panic(ptr, i64, ptr) noreturn
declare void @_RNvNtCs1_4core9panicking9panic_fmt(ptr, ptr, ptr) noreturn
declare void @_RNvNtCs1_4mine9panicking5panic(ptr, i64, ptr) noreturn

define void @__ptyx_panic_bounds(i64 %index, i64 %len, ptr %location) noreturn {
  unreachable
}
define void @__ptyx_panic_str(ptr %text, i64 %len, ptr %location) noreturn {
  unreachable
}
define void @__ptyx_panic_begin(ptr %location) {
  ret void
}
define void @__ptyx_panic_text(i64 %header, i64 %options, ptr %text, i64 %len) {
  ret void
}
define void @__ptyx_panic_value(i64 %header, i64 %options, i64 %low, i64 %high) {
  ret void
}
define void @__ptyx_panic_end() noreturn {
  unreachable
}

define void @bounds(i64 %i, i64 %n) {
  call void @_RNvNtCs1_4core9panicking18panic_bounds_check(i64 %i, i64 %n, ptr @here)
  unreachable
}

define void @text() {
  call void @_RNvNtCs1_4core9panicking5panic(ptr @here, i64 4, ptr @here)
  unreachable
}

define void @literal() {
  call void @_RNvNtCs1_4core9panicking9panic_fmt(ptr @here, ptr inttoptr (i64 9 to ptr), ptr @here)
  unreachable
}

define void @of_another_crate() {
  call void @_RNvNtCs1_4mine9panicking5panic(ptr @here, i64 4, ptr @here)
  unreachable
}

; becomes:
@here = constant [4 x i8] c"a.rs"

; Function Attrs: noreturn
declare void @_RNvNtCs1_4core9panicking18panic_bounds_check(i64, i64, ptr) #0

; Function Attrs: noreturn
declare void @_RNvNtCs1_4core9panicking5panic(ptr, i64, ptr) #0

; Function Attrs: noreturn
declare void @_RNvNtCs1_4core9panicking9panic_fmt(ptr, ptr, ptr) #0

; Function Attrs: noreturn
declare void @_RNvNtCs1_4mine9panicking5panic(ptr, i64, ptr) #0

; Function Attrs: noreturn
define weak void @__ptyx_panic_bounds(i64 %index, i64 %len, ptr %location) #0 {
  unreachable
}

; Function Attrs: noreturn
define weak void @__ptyx_panic_str(ptr %text, i64 %len, ptr %location) #0 {
  unreachable
}

define weak void @__ptyx_panic_begin(ptr %location) {
  ret void
}

define weak void @__ptyx_panic_text(i64 %header, i64 %options, ptr %text, i64 %len) {
  ret void
}

define weak void @__ptyx_panic_value(i64 %header, i64 %options, i64 %low, i64 %high) {
  ret void
}

; Function Attrs: noreturn
define weak void @__ptyx_panic_end() #0 {
  unreachable
}

define void @bounds(i64 %i, i64 %n) {
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @here) #1
  unreachable
}

define void @text() {
  call void @__ptyx_panic_str(ptr @here, i64 4, ptr @here) #1
  unreachable
}

define void @literal() {
  call void @__ptyx_panic_str(ptr @here, i64 4, ptr @here) #1
  unreachable
}

define void @of_another_crate() {
  call void @_RNvNtCs1_4mine9panicking5panic(ptr @here, i64 4, ptr @here)
  unreachable
}

declare void @ptyx.panic.message(ptr, ptr)

declare void @ptyx.panic.value(ptr, ptr, i64)

attributes #0 = { noreturn }
attributes #1 = { convergent }
