; run: prove_checks
; Loops that count down, variables that go on by a step in each iteration, and values that are chosen.

declare void @panic(i64) noreturn
declare i32 @llvm.smin.i32(i32, i32)

; for k in (0..n).rev() { a[k] }: n <= length.
define ptx_kernel void @down(ptr %a, i64 %length, i64 %n, ptr %out) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body
body:
  %k = phi i64 [ %n, %0 ], [ %at, %more ]
  %at = add i64 %k, -1
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %done = icmp eq i64 %at, 0
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; while k >= 0 { a[k]; k -= 1 }: n < length.
define ptx_kernel void @signed(ptr %a, i64 %length, i32 %n, ptr %out) {
  %any = icmp sgt i32 %n, -1
  br i1 %any, label %body, label %exit
body:
  %k = phi i32 [ %n, %0 ], [ %next, %more ]
  %at = zext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, -1
  %again = icmp sgt i32 %next, -1
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Steps of two may miss what the loop ends with.
define ptx_kernel void @missed(ptr %a, i64 %length, i64 %n, ptr %out) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body
body:
  %k = phi i64 [ %n, %0 ], [ %at, %more ]
  %at = add i64 %k, -2
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %done = icmp eq i64 %at, 0
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; for k in 0..n { a[i]; i += step }: (n - 1) * step < length.
define ptx_kernel void @stepping(ptr %a, i64 %length, i32 %n, i32 %step, ptr %out) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %i = phi i32 [ 0, %0 ], [ %i.next, %more ]
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %i.next = add i32 %i, %step
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; A branch in the loop asks for the counter, which may have wrapped around there: it is not what the loop ends with.
define ptx_kernel void @guarded(ptr %a, i64 %length, i32 %n, i32 %step, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %i = phi i32 [ 0, %0 ], [ %i.next, %again ]
  %few = icmp ult i32 %k, %n
  br i1 %few, label %inside, label %again
inside:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  br label %again
again:
  %i.next = add i32 %i, %step
  %next = add i32 %k, 1
  %y = load volatile i32, ptr %out
  %done = icmp eq i32 %y, 0
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; a[x < 0 ? 0 : min(x, n - 1)] of a loaded x: 1 <= n <= length.
define ptx_kernel void @clamped(ptr %a, i64 %length, i32 %n, i32 %rounds, ptr %out) {
  %last = add i32 %n, -1
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %from = getelementptr i32, ptr %out, i32 %k
  %x = load i32, ptr %from
  %negative = icmp slt i32 %x, 0
  %least = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %i = select i1 %negative, i32 0, i32 %least
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p
  store float %v, ptr %out
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The same where another value is asked: y < 0.
define ptx_kernel void @other(ptr %a, i64 %length, i32 %n, i32 %rounds, i32 %y, ptr %out) {
  %last = add i32 %n, -1
  %negative = icmp slt i32 %y, 0
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %from = getelementptr i32, ptr %out, i32 %k
  %x = load i32, ptr %from
  %least = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %i = select i1 %negative, i32 0, i32 %least
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p
  store float %v, ptr %out
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
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

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #1

define ptx_kernel void @down(ptr %a, i64 %length, i64 %n, ptr %out) {
start:
  %0 = icmp ult i64 %n, 1152921504606846976
  %1 = icmp ule i64 %n, %length
  %2 = and i1 %0, %1
  %3 = and i1 true, %2
  br i1 %3, label %start1, label %4

4:                                                ; preds = %start
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %4
  %k = phi i64 [ %n, %4 ], [ %at, %more ]
  %at = add i64 %k, -1
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %done = icmp eq i64 %at, 0
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %4
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %5 = icmp eq i64 %n, 0
  br i1 %5, label %start5, label %start2

start2:                                           ; preds = %start3, %start1
  %6 = phi i64 [ %n, %start1 ], [ %7, %start3 ]
  %7 = add i64 %6, -1
  %8 = icmp ult i64 %7, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %9 = getelementptr float, ptr %a, i64 %7
  %10 = load float, ptr %9, align 4
  store float %10, ptr %out, align 4
  %11 = icmp eq i64 %7, 0
  br i1 %11, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %7)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @signed(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = add i64 1, %0
  %2 = icmp ule i64 %1, %length
  %3 = and i1 true, %2
  br i1 %3, label %start1, label %4

4:                                                ; preds = %start
  %any = icmp sgt i32 %n, -1
  br i1 %any, label %body, label %exit

body:                                             ; preds = %more, %4
  %k = phi i32 [ %n, %4 ], [ %next, %more ]
  %at = zext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add i32 %k, -1
  %again = icmp sgt i32 %next, -1
  br i1 %again, label %body, label %exit, !llvm.loop !3

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %4
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %5 = icmp sgt i32 %n, -1
  br i1 %5, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %6 = phi i32 [ %n, %start1 ], [ %11, %start3 ]
  %7 = zext i32 %6 to i64, !ptyx.exact !4
  %8 = icmp ult i64 %7, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %9 = getelementptr float, ptr %a, i64 %7
  %10 = load float, ptr %9, align 4
  store float %10, ptr %out, align 4
  %11 = add i32 %6, -1
  %12 = icmp sgt i32 %11, -1
  br i1 %12, label %start2, label %start5

start4:                                           ; preds = %start2
  call void @panic(i64 %7)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @missed(ptr %a, i64 %length, i64 %n, ptr %out) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %0
  %k = phi i64 [ %n, %0 ], [ %at, %more ]
  %at = add i64 %k, -2
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %done = icmp eq i64 %at, 0
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @stepping(ptr %a, i64 %length, i32 %n, i32 %step, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 2147483647
  %2 = zext i32 %step to i64
  %3 = add i64 2147483647, %2
  %4 = icmp ult i64 %2, 1073741824
  %5 = icmp ult i64 %0, 1073741824
  %6 = mul i64 %2, %0
  %7 = icmp ule i64 %6, %3
  %8 = icmp ult i64 %length, 1152921504606846976
  %9 = add i64 %length, %2
  %10 = mul i64 %2, %0
  %11 = add i64 1, %10
  %12 = icmp ule i64 %11, %9
  %13 = and i1 %1, %4
  %14 = and i1 %13, %5
  %15 = and i1 %14, %7
  %16 = and i1 %15, %8
  %17 = and i1 %16, %12
  %18 = and i1 true, %17
  br i1 %18, label %start1, label %19

19:                                               ; preds = %start
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %more, %19
  %k = phi i32 [ 0, %19 ], [ %next, %more ]
  %i = phi i32 [ 0, %19 ], [ %i.next, %more ]
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %i.next = add i32 %i, %step
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body, !llvm.loop !5

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %19
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %20 = icmp sgt i32 %n, 0
  br i1 %20, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %21 = phi i32 [ 0, %start1 ], [ %28, %start3 ]
  %22 = phi i32 [ 0, %start1 ], [ %27, %start3 ]
  %23 = sext i32 %22 to i64, !ptyx.exact !4
  %24 = icmp ult i64 %23, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %25 = getelementptr float, ptr %a, i64 %23
  %26 = load float, ptr %25, align 4
  store float %26, ptr %out, align 4
  %27 = add i32 %22, %step
  %28 = add nsw i32 %21, 1
  %29 = icmp eq i32 %28, %n
  br i1 %29, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %23)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @guarded(ptr %a, i64 %length, i32 %n, i32 %step, ptr %out) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %i = phi i32 [ 0, %0 ], [ %i.next, %again ]
  %few = icmp ult i32 %k, %n
  br i1 %few, label %inside, label %again

inside:                                           ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  br label %again

again:                                            ; preds = %more, %body
  %i.next = add i32 %i, %step
  %next = add i32 %k, 1
  %y = load volatile i32, ptr %out, align 4
  %done = icmp eq i32 %y, 0
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @clamped(ptr %a, i64 %length, i32 %n, i32 %rounds, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 1, %0
  %2 = icmp ule i64 %0, 2147483648
  %3 = icmp ule i64 %0, %length
  %4 = and i1 %1, %2
  %5 = and i1 %4, %3
  %6 = and i1 true, %5
  br i1 %6, label %start1, label %7

7:                                                ; preds = %start
  %last = add i32 %n, -1
  br label %body

body:                                             ; preds = %more, %7
  %k = phi i32 [ 0, %7 ], [ %next, %more ]
  %from = getelementptr i32, ptr %out, i32 %k
  %x = load i32, ptr %from, align 4
  %negative = icmp slt i32 %x, 0
  %least = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %i = select i1 %negative, i32 0, i32 %least
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %body, !llvm.loop !6

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %8 = add i32 %n, -1
  br label %start2

start2:                                           ; preds = %start3, %start1
  %9 = phi i32 [ 0, %start1 ], [ %19, %start3 ]
  %10 = getelementptr i32, ptr %out, i32 %9
  %11 = load i32, ptr %10, align 4
  %12 = icmp slt i32 %11, 0
  %13 = call i32 @llvm.smin.i32(i32 %11, i32 %8)
  %14 = select i1 %12, i32 0, i32 %13
  %15 = sext i32 %14 to i64, !ptyx.exact !4
  %16 = icmp ult i64 %15, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %17 = getelementptr float, ptr %a, i64 %15
  %18 = load float, ptr %17, align 4
  store float %18, ptr %out, align 4
  %19 = add nsw i32 %9, 1
  %20 = icmp eq i32 %19, %rounds
  br i1 %20, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %15)
  unreachable

start5:                                           ; preds = %start3
  ret void
}

define ptx_kernel void @other(ptr %a, i64 %length, i32 %n, i32 %rounds, i32 %y, ptr %out) {
  %last = add i32 %n, -1
  %negative = icmp slt i32 %y, 0
  br label %body

body:                                             ; preds = %more, %0
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %from = getelementptr i32, ptr %out, i32 %k
  %x = load i32, ptr %from, align 4
  %least = call i32 @llvm.smin.i32(i32 %x, i32 %last)
  %i = select i1 %negative, i32 0, i32 %least
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = distinct !{!3, !1, !2}
!4 = !{}
!5 = distinct !{!5, !1, !2}
!6 = distinct !{!6, !1, !2}
