; run: number_panics
; A kernel without the device library's functions has no panics: all stays.

@text = private constant [5 x i8] c"wrong"

declare void @mine(ptr) noreturn

define internal void @unused() {
  ret void
}

define void @kernel() {
  call void @mine(ptr @text)
  unreachable
}

; becomes:
@text = private constant [5 x i8] c"wrong"

; Function Attrs: noreturn
declare void @mine(ptr) #0

define internal void @unused() {
  ret void
}

define void @kernel() {
  call void @mine(ptr @text)
  unreachable
}

declare void @ptyx.panic.message(ptr, ptr)

declare void @ptyx.panic.value(ptr, ptr, i64)

attributes #0 = { noreturn }
