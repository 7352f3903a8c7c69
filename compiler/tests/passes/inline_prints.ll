; run: inline_prints
; The function that records a line is put in place of its calls, and what only it used disappears. A function of another
; name is not inlined.

declare ptr @queue()

define weak ptr @__ptyx_print_claim(i32 %words) {
  %queue = call ptr @queue()
  ret ptr %queue
}

define internal void @ptyx.print.line.0(i64 %word) noinline {
  %record = call ptr @__ptyx_print_claim(i32 1)
  store volatile i64 %word, ptr %record
  ret void
}

define internal void @ptyx.prints(i64 %word) noinline {
  store volatile i64 %word, ptr null
  ret void
}

define void @kernel(i64 %x) {
  call void @ptyx.print.line.0(i64 %x) noinline
  call void @ptyx.prints(i64 %x) noinline
  ret void
}

define void @kernel_too() {
  call void @ptyx.print.line.0(i64 5)
  ret void
}

; becomes:
declare ptr @queue()

define internal ptr @__ptyx_print_claim(i32 %words) {
  %queue = call ptr @queue()
  ret ptr %queue
}

; Function Attrs: noinline
define internal void @ptyx.prints(i64 %word) #0 {
  store volatile i64 %word, ptr null, align 4
  ret void
}

define void @kernel(i64 %x) {
  %record.i = call ptr @__ptyx_print_claim(i32 1)
  store volatile i64 %x, ptr %record.i, align 4
  call void @ptyx.prints(i64 %x) #0
  ret void
}

define void @kernel_too() {
  %record.i = call ptr @__ptyx_print_claim(i32 1)
  store volatile i64 5, ptr %record.i, align 4
  ret void
}

attributes #0 = { noinline }
