; run: prove_checks
; Counters that begin below zero, as the neighbours' offsets in a stencil.

declare void @panic(i64) noreturn

; if x > 0 && x < n - 1 { for d in -1..2 { a[x + d]; w[d + 1] } }: n <= length, 3 <= weights.
define ptx_kernel void @neighbours(ptr %a, i64 %length, ptr %w, i64 %weights, i32 %n, ptr %out) {
  %x = load i32, ptr %out
  %positive = icmp sgt i32 %x, 0
  %end = add i32 %n, -1
  %inside = icmp slt i32 %x, %end
  %both = and i1 %positive, %inside
  br i1 %both, label %body, label %exit
body:
  %d = phi i32 [ -1, %0 ], [ %next, %more ]
  %i = add nsw i32 %x, %d
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %weight, label %fail
weight:
  %k = add nsw i32 %d, 1
  %at.w = zext nneg i32 %k to i64
  %ok.w = icmp ult i64 %at.w, %weights
  br i1 %ok.w, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  %q = getelementptr float, ptr %w, i64 %at.w
  %z = load float, ptr %q
  %s = fmul float %y, %z
  store float %s, ptr %out
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The same in 64 bits of an extended counter, and a loop over -r..=2 that asks before it grows.
define ptx_kernel void @wide(ptr %a, i64 %length, i64 %x, ptr %out) {
  %positive = icmp ugt i64 %x, 2
  br i1 %positive, label %body, label %exit
body:
  %d = phi i32 [ -2, %0 ], [ %next, %more ]
  %wide = sext i32 %d to i64
  %at = add i64 %x, %wide
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  %next = add nsw i32 %d, 1
  %again = icmp slt i32 %d, 2
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; A counter that may wrap around.
define ptx_kernel void @wraps(ptr %a, i64 %length, i64 %x, ptr %out) {
  %positive = icmp ugt i64 %x, 2
  br i1 %positive, label %body, label %exit
body:
  %d = phi i32 [ -2, %0 ], [ %next, %more ]
  %wide = sext i32 %d to i64
  %at = add i64 %x, %wide
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  %next = add i32 %d, 1
  %again = icmp slt i32 %d, 2
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Its own index is not in bounds: it is below zero at first.
define ptx_kernel void @itself(ptr %a, i64 %length, ptr %out) {
  br label %body
body:
  %d = phi i32 [ -1, %0 ], [ %next, %more ]
  %at = zext i32 %d to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Where x is not more than zero, x + d is below it.
define ptx_kernel void @at_the_border(ptr %a, i64 %length, i32 %n, ptr %out) {
  %x = load i32, ptr %out
  %positive = icmp sgt i32 %x, -1
  %end = add i32 %n, -1
  %inside = icmp slt i32 %x, %end
  %both = and i1 %positive, %inside
  br i1 %both, label %body, label %exit
body:
  %d = phi i32 [ -1, %0 ], [ %next, %more ]
  %i = add nsw i32 %x, %d
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Steps of two may miss what the loop ends with.
define ptx_kernel void @missed(ptr %a, i64 %length, i64 %x, ptr %out) {
  %positive = icmp ugt i64 %x, 2
  br i1 %positive, label %body, label %exit
body:
  %d = phi i32 [ -2, %0 ], [ %next, %more ]
  %wide = sext i32 %d to i64
  %at = add i64 %x, %wide
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  %next = add nsw i32 %d, 2
  %done = icmp eq i32 %next, 3
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; What is left wraps around to a number above five where d is -1: that says nothing of d.
define ptx_kernel void @wraps_below(ptr %a, i64 %length, ptr %out) {
  br label %body
body:
  %d = phi i32 [ -1, %0 ], [ %next, %latch ]
  %i = add i32 %d, -2147483648
  %above = icmp sgt i32 %i, 5
  br i1 %above, label %inside, label %latch
inside:
  %at = zext i32 %d to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  br label %latch
latch:
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Where a branch says that d is not below zero, it is an index.
define ptx_kernel void @above_zero(ptr %a, i64 %length, ptr %out) {
  br label %body
body:
  %d = phi i32 [ -1, %0 ], [ %next, %latch ]
  %above = icmp sgt i32 %d, -1
  br i1 %above, label %inside, label %latch
inside:
  %at = zext i32 %d to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  br label %latch
latch:
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

define ptx_kernel void @neighbours(ptr %a, i64 %length, ptr %w, i64 %weights, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 2147483647
  %2 = icmp ule i64 %0, %length
  %3 = icmp ule i64 3, %weights
  %4 = and i1 %1, %2
  %5 = and i1 %4, %3
  %6 = and i1 true, %5
  br i1 %6, label %start1, label %7

7:                                                ; preds = %start
  %x = load i32, ptr %out, align 4
  %positive = icmp sgt i32 %x, 0
  %end = add i32 %n, -1
  %inside = icmp slt i32 %x, %end
  %both = and i1 %positive, %inside
  br i1 %both, label %body, label %exit

body:                                             ; preds = %more, %7
  %d = phi i32 [ -1, %7 ], [ %next, %more ]
  %i = add nsw i32 %x, %d
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %weight, label %fail

weight:                                           ; preds = %body
  %k = add nsw i32 %d, 1
  %at.w = zext nneg i32 %k to i64
  %ok.w = icmp ult i64 %at.w, %weights
  br i1 %ok.w, label %more, label %fail

more:                                             ; preds = %weight
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  %q = getelementptr float, ptr %w, i64 %at.w
  %z = load float, ptr %q, align 4
  %s = fmul float %y, %z
  store float %s, ptr %out, align 4
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %weight, %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %7
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %8 = load i32, ptr %out, align 4
  %9 = icmp sgt i32 %8, 0
  %10 = add i32 %n, -1
  %11 = icmp slt i32 %8, %10
  %12 = and i1 %9, %11
  br i1 %12, label %start2, label %start6

start2:                                           ; preds = %start4, %start1
  %13 = phi i32 [ -1, %start1 ], [ %25, %start4 ]
  %14 = add nsw i32 %8, %13
  %15 = sext i32 %14 to i64, !ptyx.exact !3
  %16 = icmp ult i64 %15, %length
  br i1 true, label %start3, label %start5

start3:                                           ; preds = %start2
  %17 = add nsw i32 %13, 1
  %18 = zext nneg i32 %17 to i64, !ptyx.exact !3
  %19 = icmp ult i64 %18, %weights
  br i1 true, label %start4, label %start5

start4:                                           ; preds = %start3
  %20 = getelementptr float, ptr %a, i64 %15
  %21 = load float, ptr %20, align 4
  %22 = getelementptr float, ptr %w, i64 %18
  %23 = load float, ptr %22, align 4
  %24 = fmul float %21, %23
  store float %24, ptr %out, align 4
  %25 = add nsw i32 %13, 1
  %26 = icmp eq i32 %25, 2
  br i1 %26, label %start6, label %start2

start5:                                           ; preds = %start3, %start2
  call void @panic(i64 %15)
  unreachable

start6:                                           ; preds = %start4, %start1
  ret void
}

define ptx_kernel void @wide(ptr %a, i64 %length, i64 %x, ptr %out) {
start:
  %0 = icmp ult i64 %x, 1152921504606846976
  %1 = add i64 3, %x
  %2 = icmp ule i64 %1, %length
  %3 = icmp ule i64 2, %x
  %4 = and i1 %0, %2
  %5 = and i1 %4, %3
  %6 = and i1 true, %5
  br i1 %6, label %start1, label %7

7:                                                ; preds = %start
  %positive = icmp ugt i64 %x, 2
  br i1 %positive, label %body, label %exit

body:                                             ; preds = %more, %7
  %d = phi i32 [ -2, %7 ], [ %next, %more ]
  %wide = sext i32 %d to i64
  %at = add i64 %x, %wide
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  %next = add nsw i32 %d, 1
  %again = icmp slt i32 %d, 2
  br i1 %again, label %body, label %exit, !llvm.loop !4

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %7
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %8 = icmp ugt i64 %x, 2
  br i1 %8, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %9 = phi i32 [ -2, %start1 ], [ %15, %start3 ]
  %10 = sext i32 %9 to i64
  %11 = add i64 %x, %10
  %12 = icmp ult i64 %11, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %13 = getelementptr float, ptr %a, i64 %11
  %14 = load float, ptr %13, align 4
  store float %14, ptr %out, align 4
  %15 = add nsw i32 %9, 1
  %16 = icmp slt i32 %9, 2
  br i1 %16, label %start2, label %start5

start4:                                           ; preds = %start2
  call void @panic(i64 %11)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @wraps(ptr %a, i64 %length, i64 %x, ptr %out) {
  %positive = icmp ugt i64 %x, 2
  br i1 %positive, label %body, label %exit

body:                                             ; preds = %more, %0
  %d = phi i32 [ -2, %0 ], [ %next, %more ]
  %wide = sext i32 %d to i64
  %at = add i64 %x, %wide
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  %next = add i32 %d, 1
  %again = icmp slt i32 %d, 2
  br i1 %again, label %body, label %exit

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @itself(ptr %a, i64 %length, ptr %out) {
  br label %body

body:                                             ; preds = %more, %0
  %d = phi i32 [ -1, %0 ], [ %next, %more ]
  %at = zext i32 %d to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  ret void
}

define ptx_kernel void @at_the_border(ptr %a, i64 %length, i32 %n, ptr %out) {
  %x = load i32, ptr %out, align 4
  %positive = icmp sgt i32 %x, -1
  %end = add i32 %n, -1
  %inside = icmp slt i32 %x, %end
  %both = and i1 %positive, %inside
  br i1 %both, label %body, label %exit

body:                                             ; preds = %more, %0
  %d = phi i32 [ -1, %0 ], [ %next, %more ]
  %i = add nsw i32 %x, %d
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @missed(ptr %a, i64 %length, i64 %x, ptr %out) {
  %positive = icmp ugt i64 %x, 2
  br i1 %positive, label %body, label %exit

body:                                             ; preds = %more, %0
  %d = phi i32 [ -2, %0 ], [ %next, %more ]
  %wide = sext i32 %d to i64
  %at = add i64 %x, %wide
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  %next = add nsw i32 %d, 2
  %done = icmp eq i32 %next, 3
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @wraps_below(ptr %a, i64 %length, ptr %out) {
  br label %body

body:                                             ; preds = %latch, %0
  %d = phi i32 [ -1, %0 ], [ %next, %latch ]
  %i = add i32 %d, -2147483648
  %above = icmp sgt i32 %i, 5
  br i1 %above, label %inside, label %latch

inside:                                           ; preds = %body
  %at = zext i32 %d to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @above_zero(ptr %a, i64 %length, ptr %out) {
start:
  %0 = icmp ule i64 2, %length
  %1 = and i1 true, %0
  br i1 %1, label %start1, label %2

2:                                                ; preds = %start
  br label %body

body:                                             ; preds = %latch, %2
  %d = phi i32 [ -1, %2 ], [ %next, %latch ]
  %above = icmp sgt i32 %d, -1
  br i1 %above, label %inside, label %latch

inside:                                           ; preds = %body
  %at = zext i32 %d to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add nsw i32 %d, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body, !llvm.loop !5

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %3 = phi i32 [ -1, %start1 ], [ %9, %start5 ]
  %4 = icmp sgt i32 %3, -1
  br i1 %4, label %start3, label %start5

start3:                                           ; preds = %start2
  %5 = zext i32 %3 to i64
  %6 = icmp ult i64 %5, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %7 = getelementptr float, ptr %a, i64 %5
  %8 = load float, ptr %7, align 4
  store float %8, ptr %out, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %9 = add nsw i32 %3, 1
  %10 = icmp eq i32 %9, 2
  br i1 %10, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %5)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

attributes #0 = { noreturn }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = !{}
!4 = distinct !{!4, !1, !2}
!5 = distinct !{!5, !1, !2}
