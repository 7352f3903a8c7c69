; run: version_loops
; The whole pass: a loop whose checks can be made before it has two copies, one without the check. A loop with a barrier
; gets no copy, and its check asks nothing any more; one whose index doubles has nothing to ask. If one of several checks can't be made
; before the loop, the others are, unless each iteration comes to it: then all of them are joined later.

declare void @panic() noreturn
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @copied(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @barrier(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @doubles(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 1, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, %i
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; What is loaded is an index, which each iteration checks.
define void @one_stays(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail
more:
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; The only check that could be made before the loop is of what does not change, which costs little.
define void @only_fixed(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %m, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail
more:
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; A loop with a known number of iterations is unrolled with its checks.
define void @one_stays_of_known(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail
more:
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; Only some iterations check what is loaded: that check stays in both copies.
define void @one_of_some_stays(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail
more:
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; Some iterations check the index of all iterations once more.
define void @some_iterations(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %ok.x = icmp ult i64 %i, %m
  br i1 %ok.x, label %more, label %fail
more:
  store i64 1, ptr %at
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; Some iterations check another one, which may be out of bounds in others: that check stays.
define void @another_index(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %other = add i64 %i, 7
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch
some:
  %ok.x = icmp ult i64 %other, %m
  br i1 %ok.x, label %more, label %fail
more:
  store i64 1, ptr %at
  br label %latch
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic() #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

define void @copied(ptr %p, i64 %len, i64 %n) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = icmp ult i64 %1, -9223372036854775808
  %4 = icmp ult i64 0, %len
  %5 = icmp ult i64 %1, %len
  %6 = freeze i1 %2
  %7 = freeze i1 %3
  %8 = and i1 %6, %7
  %9 = freeze i1 %4
  %10 = and i1 %8, %9
  %11 = freeze i1 %5
  %12 = and i1 %10, %11
  br i1 %12, label %loop.us, label %loop

loop.us:                                          ; preds = %0, %loop.us
  %i.us = phi i64 [ %next.us, %loop.us ], [ 0, %0 ]
  %at.us = getelementptr i32, ptr %p, i64 %i.us
  store i32 1, ptr %at.us, align 4
  %next.us = add i64 %i.us, 1
  %done.us = icmp eq i64 %next.us, %n
  br i1 %done.us, label %exit, label %loop.us

loop:                                             ; preds = %0, %body
  %i = phi i64 [ %next, %body ], [ 0, %0 ]
  %13 = icmp ult i64 %i, %len
  br i1 %13, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !0

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body, %loop.us
  ret void
}

define void @barrier(ptr %p, i64 %len, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %1 = icmp ult i64 %i, %len
  br i1 %1, label %body, label %fail

body:                                             ; preds = %loop
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @doubles(ptr %p, i64 %len, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 1, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, %i
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @one_stays(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop

loop:                                             ; preds = %more, %0
  %i = phi i64 [ 0, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at, align 4
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail

more:                                             ; preds = %body
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %body, %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %more
  ret void
}

define void @only_fixed(ptr %p, i64 %len, i64 %n, i64 %m) {
  %1 = icmp ult i64 %m, %len
  br i1 %1, label %loop.us, label %loop

loop.us:                                          ; preds = %0, %latch.us
  %i.us = phi i64 [ %next.us, %latch.us ], [ 0, %0 ]
  %at.us = getelementptr i64, ptr %p, i64 %i.us
  %x.us = load i64, ptr %at.us, align 4
  %odd.us = trunc i64 %x.us to i1
  br i1 %odd.us, label %some.us, label %latch.us

some.us:                                          ; preds = %loop.us
  %ok.x.us = icmp ult i64 %x.us, %m
  br i1 %ok.x.us, label %more.us, label %fail

more.us:                                          ; preds = %some.us
  %at.x.us = getelementptr i64, ptr %p, i64 %x.us
  store i64 1, ptr %at.x.us, align 4
  br label %latch.us

latch.us:                                         ; preds = %more.us, %loop.us
  %next.us = add i64 %i.us, 1
  %done.us = icmp eq i64 %next.us, %n
  br i1 %done.us, label %exit, label %loop.us

loop:                                             ; preds = %0, %latch
  %i = phi i64 [ %next, %latch ], [ 0, %0 ]
  %ok = icmp ult i64 %m, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at, align 4
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch

some:                                             ; preds = %body
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail

more:                                             ; preds = %some
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !3

fail:                                             ; preds = %loop, %some, %some.us
  call void @panic()
  unreachable

exit:                                             ; preds = %latch, %latch.us
  ret void
}

define void @one_stays_of_known(ptr %p, i64 %len, i64 %n, i64 %m) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at, align 4
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch

some:                                             ; preds = %body
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail

more:                                             ; preds = %some
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %some, %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %latch
  ret void
}

define void @one_of_some_stays(ptr %p, i64 %len, i64 %n, i64 %m) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = icmp ult i64 %1, -9223372036854775808
  %4 = icmp ult i64 0, %len
  %5 = icmp ult i64 %1, %len
  %6 = freeze i1 %2
  %7 = freeze i1 %3
  %8 = and i1 %6, %7
  %9 = freeze i1 %4
  %10 = and i1 %8, %9
  %11 = freeze i1 %5
  %12 = and i1 %10, %11
  br i1 %12, label %loop.us, label %loop

loop.us:                                          ; preds = %0, %latch.us
  %i.us = phi i64 [ %next.us, %latch.us ], [ 0, %0 ]
  %at.us = getelementptr i64, ptr %p, i64 %i.us
  %x.us = load i64, ptr %at.us, align 4
  %odd.us = trunc i64 %x.us to i1
  br i1 %odd.us, label %some.us, label %latch.us

some.us:                                          ; preds = %loop.us
  %ok.x.us = icmp ult i64 %x.us, %m
  br i1 %ok.x.us, label %more.us, label %fail

more.us:                                          ; preds = %some.us
  %at.x.us = getelementptr i64, ptr %p, i64 %x.us
  store i64 1, ptr %at.x.us, align 4
  br label %latch.us

latch.us:                                         ; preds = %more.us, %loop.us
  %next.us = add i64 %i.us, 1
  %done.us = icmp eq i64 %next.us, %n
  br i1 %done.us, label %exit, label %loop.us

loop:                                             ; preds = %0, %latch
  %i = phi i64 [ %next, %latch ], [ 0, %0 ]
  %13 = icmp ult i64 %i, %len
  br i1 %13, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at, align 4
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch

some:                                             ; preds = %body
  %ok.x = icmp ult i64 %x, %m
  br i1 %ok.x, label %more, label %fail

more:                                             ; preds = %some
  %at.x = getelementptr i64, ptr %p, i64 %x
  store i64 1, ptr %at.x, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !5

fail:                                             ; preds = %some, %loop, %some.us
  call void @panic()
  unreachable

exit:                                             ; preds = %latch, %latch.us
  ret void
}

define void @some_iterations(ptr %p, i64 %len, i64 %n, i64 %m) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = icmp ult i64 %1, -9223372036854775808
  %4 = icmp ult i64 0, %len
  %5 = icmp ult i64 %1, %len
  %6 = icmp ult i64 %1, -9223372036854775808
  %7 = icmp ult i64 0, %m
  %8 = icmp ult i64 %1, %m
  %9 = freeze i1 %2
  %10 = freeze i1 %3
  %11 = and i1 %9, %10
  %12 = freeze i1 %4
  %13 = and i1 %11, %12
  %14 = freeze i1 %5
  %15 = and i1 %13, %14
  %16 = freeze i1 %6
  %17 = and i1 %15, %16
  %18 = freeze i1 %7
  %19 = and i1 %17, %18
  %20 = freeze i1 %8
  %21 = and i1 %19, %20
  %.fr = freeze i1 %21
  br i1 %.fr, label %loop.us, label %loop

loop.us:                                          ; preds = %0, %latch.us
  %i.us = phi i64 [ %next.us, %latch.us ], [ 0, %0 ]
  %at.us = getelementptr i64, ptr %p, i64 %i.us
  %x.us = load i64, ptr %at.us, align 4
  %odd.us = trunc i64 %x.us to i1
  br i1 %odd.us, label %more.us, label %latch.us

more.us:                                          ; preds = %loop.us
  store i64 1, ptr %at.us, align 4
  br label %latch.us

latch.us:                                         ; preds = %more.us, %loop.us
  %next.us = add i64 %i.us, 1
  %done.us = icmp eq i64 %next.us, %n
  br i1 %done.us, label %exit, label %loop.us

loop:                                             ; preds = %0, %latch
  %i = phi i64 [ %next, %latch ], [ 0, %0 ]
  %22 = icmp ult i64 %i, %len
  br i1 %22, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at, align 4
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch

some:                                             ; preds = %body
  %23 = icmp ult i64 %i, %m
  br i1 %23, label %more, label %fail

more:                                             ; preds = %some
  store i64 1, ptr %at, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !6

fail:                                             ; preds = %loop, %some
  call void @panic()
  unreachable

exit:                                             ; preds = %latch, %latch.us
  ret void
}

define void @another_index(ptr %p, i64 %len, i64 %n, i64 %m) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = icmp ult i64 %1, -9223372036854775808
  %4 = icmp ult i64 0, %len
  %5 = icmp ult i64 %1, %len
  %6 = freeze i1 %2
  %7 = freeze i1 %3
  %8 = and i1 %6, %7
  %9 = freeze i1 %4
  %10 = and i1 %8, %9
  %11 = freeze i1 %5
  %12 = and i1 %10, %11
  br i1 %12, label %loop.us, label %loop

loop.us:                                          ; preds = %0, %latch.us
  %i.us = phi i64 [ %next.us, %latch.us ], [ 0, %0 ]
  %at.us = getelementptr i64, ptr %p, i64 %i.us
  %x.us = load i64, ptr %at.us, align 4
  %other.us = add i64 %i.us, 7
  %odd.us = trunc i64 %x.us to i1
  br i1 %odd.us, label %some.us, label %latch.us

some.us:                                          ; preds = %loop.us
  %ok.x.us = icmp ult i64 %other.us, %m
  br i1 %ok.x.us, label %more.us, label %fail

more.us:                                          ; preds = %some.us
  store i64 1, ptr %at.us, align 4
  br label %latch.us

latch.us:                                         ; preds = %more.us, %loop.us
  %next.us = add i64 %i.us, 1
  %done.us = icmp eq i64 %next.us, %n
  br i1 %done.us, label %exit, label %loop.us

loop:                                             ; preds = %0, %latch
  %i = phi i64 [ %next, %latch ], [ 0, %0 ]
  %13 = icmp ult i64 %i, %len
  br i1 %13, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at, align 4
  %other = add i64 %i, 7
  %odd = trunc i64 %x to i1
  br i1 %odd, label %some, label %latch

some:                                             ; preds = %body
  %ok.x = icmp ult i64 %other, %m
  br i1 %ok.x, label %more, label %fail

more:                                             ; preds = %some
  store i64 1, ptr %at, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !7

fail:                                             ; preds = %some, %loop, %some.us
  call void @panic()
  unreachable

exit:                                             ; preds = %latch, %latch.us
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { convergent nocallback nounwind }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unswitch.partial.disable"}
!5 = distinct !{!5, !1, !2}
!6 = distinct !{!6, !1, !2}
!7 = distinct !{!7, !1, !2}
