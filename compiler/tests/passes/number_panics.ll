; run: number_panics
; The panics of a function jump to one block, which writes their number and the words that are known only at run time;
; equal panics share a number, also in other functions. A short function that only panics is inlined, so that its caller
; says where. A panic at a place that is known only at run time stays a call, and so does a call that panics otherwise.

@file = private constant [4 x i8] c"a.rs"
@line7 = private constant <{ ptr, [16 x i8] }> <{ ptr @file, [16 x i8] c"\04\00\00\00\00\00\00\00\07\00\00\00\05\00\00\00" }>
@line8 = private constant <{ ptr, [16 x i8] }> <{ ptr @file, [16 x i8] c"\04\00\00\00\00\00\00\00\08\00\00\00\09\00\00\00" }>
@text = private constant [5 x i8] c"wrong"

declare void @mine(i64) noreturn

define weak void @__ptyx_panic_bounds(i64 %index, i64 %len, ptr %location) noreturn noinline {
  unreachable
}
define weak void @__ptyx_panic_str(ptr %text, i64 %len, ptr %location) noreturn noinline {
  unreachable
}
define weak void @__ptyx_panic_begin(ptr %location) noinline {
  ret void
}
define weak void @__ptyx_panic_text(i64 %header, i64 %options, ptr %text, i64 %len) noinline {
  ret void
}
define weak void @__ptyx_panic_value(i64 %header, i64 %options, i64 %low, i64 %high) noinline {
  ret void
}
define weak void @__ptyx_panic_end() noreturn noinline {
  unreachable
}
define weak ptr @__ptyx_panic_claim() noinline {
  ret ptr null
}
define weak void @__ptyx_panic_finish(ptr %parts, i32 %number) noreturn noinline {
  unreachable
}

define internal void @only_panics(ptr %location) noreturn noinline {
  call void @__ptyx_panic_str(ptr @text, i64 5, ptr %location)
  unreachable
}

define void @two(i64 %i, i64 %n, i32 %k) {
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %more, label %fail
more:
  %index = zext i32 %k to i64
  %ok.too = icmp ult i64 %index, 9
  br i1 %ok.too, label %exit, label %fail.k
exit:
  ret void
fail:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @line7)
  unreachable
fail.k:
  call void @__ptyx_panic_bounds(i64 %index, i64 9, ptr @line8)
  unreachable
}

define void @value(i64 %x) {
  call void @__ptyx_panic_begin(ptr @line8)
  call void @__ptyx_panic_text(i64 0, i64 0, ptr @text, i64 5)
  call void @__ptyx_panic_value(i64 2, i64 0, i64 %x, i64 0)
  call void @__ptyx_panic_end()
  unreachable
}

define void @in_a_function(i1 %which) {
  br i1 %which, label %fail, label %exit
fail:
  call void @only_panics(ptr @line7)
  unreachable
exit:
  ret void
}

define void @the_same(i64 %j, i64 %m) {
  call void @__ptyx_panic_bounds(i64 %j, i64 %m, ptr @line7)
  unreachable
}

define void @unknown_place(i64 %i, i64 %n, ptr %location) {
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr %location)
  unreachable
}

define void @another_end(i64 %i) {
  call void @mine(i64 %i)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @mine(i64) #0

; Function Attrs: noinline noreturn
define internal void @__ptyx_panic_bounds(i64 %index, i64 %len, ptr %location) #1 {
  unreachable
}

; Function Attrs: noinline
define internal ptr @__ptyx_panic_claim() #2 {
  ret ptr null
}

; Function Attrs: noinline noreturn
define internal void @__ptyx_panic_finish(ptr %parts, i32 %number) #1 {
  unreachable
}

define void @two(i64 %i, i64 %n, i32 %k) {
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %0
  %index = zext i32 %k to i64
  %ok.too = icmp ult i64 %index, 9
  br i1 %ok.too, label %exit, label %fail.k

exit:                                             ; preds = %more
  ret void

fail:                                             ; preds = %0
  %1 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %i)
  %2 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics

fail.k:                                           ; preds = %more
  %3 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %index)
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %fail.k, %fail
  %4 = phi i32 [ 0, %fail ], [ 1, %fail.k ]
  %5 = phi i64 [ %1, %fail ], [ %3, %fail.k ]
  %6 = phi i64 [ %2, %fail ], [ undef, %fail.k ]
  %7 = call ptr @__ptyx_panic_claim()
  store volatile i64 %5, ptr %7, align 8
  %8 = getelementptr i8, ptr %7, i64 8
  store volatile i64 %6, ptr %8, align 8
  call void @__ptyx_panic_finish(ptr %7, i32 %4)
  unreachable
}

define void @value(i64 %x) {
  %1 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %x)
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %0
  %2 = phi i32 [ 2, %0 ]
  %3 = phi i64 [ %1, %0 ]
  %4 = call ptr @__ptyx_panic_claim()
  store volatile i64 %3, ptr %4, align 8
  call void @__ptyx_panic_finish(ptr %4, i32 %2)
  unreachable
}

define void @in_a_function(i1 %which) {
  br i1 %which, label %fail, label %exit

fail:                                             ; preds = %0
  br label %ptyx.panics

only_panics.exit:                                 ; No predecessors!
  unreachable

exit:                                             ; preds = %0
  ret void

ptyx.panics:                                      ; preds = %fail
  %1 = phi i32 [ 3, %fail ]
  %2 = call ptr @__ptyx_panic_claim()
  call void @__ptyx_panic_finish(ptr %2, i32 %1)
  unreachable
}

define void @the_same(i64 %j, i64 %m) {
  %1 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %j)
  %2 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %m)
  br label %ptyx.panics

ptyx.panics:                                      ; preds = %0
  %3 = phi i32 [ 0, %0 ]
  %4 = phi i64 [ %1, %0 ]
  %5 = phi i64 [ %2, %0 ]
  %6 = call ptr @__ptyx_panic_claim()
  store volatile i64 %4, ptr %6, align 8
  %7 = getelementptr i8, ptr %6, i64 8
  store volatile i64 %5, ptr %7, align 8
  call void @__ptyx_panic_finish(ptr %6, i32 %3)
  unreachable
}

define void @unknown_place(i64 %i, i64 %n, ptr %location) {
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr %location)
  unreachable
}

define void @another_end(i64 %i) {
  call void @mine(i64 %i)
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { noinline noreturn }
attributes #2 = { noinline }
; says: "a.rs"
; says: Site { file: 0, line: 7, column: 5, message: Bounds { index: Recorded(0), len: Recorded(1) } }
; says: Site { file: 0, line: 8, column: 9, message: Bounds { index: Recorded(0), len: Constant(9) } }
; says: Site { file: 0, line: 8, column: 9, message: Parts([Constant(21474836480), Constant(0), Constant(444234429047), Constant(2), Constant(0), Recorded(0), Constant(0)]) }
; says: Site { file: 0, line: 7, column: 5, message: Parts([Constant(21474836480), Constant(0), Constant(444234429047)]) }
