; run: prove_checks
; Counters that begin with a negative constant.

declare void @panic(i64) noreturn

; for k in -1..=1 { a[n + k] }, where n is positive: n + 2 <= length.
define ptx_kernel void @window(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; By steps of two, to where the counter itself is compared: it counts from zero, but nothing is proved of where it ends.
define ptx_kernel void @steps(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 2
  %more.k = icmp ne i32 %k, 3
  br i1 %more.k, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; a[n - 2] may be before the first element: n must be at least 2.
define ptx_kernel void @below(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -2, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Steps of two miss the end, and the counter wraps around.
define ptx_kernel void @missed(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 2
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; So does one that begins behind the end.
define ptx_kernel void @behind(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, -5
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; And one that goes the other way.
define ptx_kernel void @backwards(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, -1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The end is not known.
define ptx_kernel void @unknown(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; From the first number to the last, which is more than half of all: the counter has no sign then.
define ptx_kernel void @far(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -2147483648, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 2147483647
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; What else reads the counter, and its next value, reads the same numbers.
define ptx_kernel void @read(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit
body:
  %k = phi i32 [ -3, %0 ], [ %next, %more ]
  %before = phi i32 [ 7, %0 ], [ %k, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %least = add nsw i64 %at, 2
  %ok = icmp ult i64 %least, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %least
  %x = load float, ptr %p
  store volatile float %x, ptr %out
  store volatile i32 %k, ptr %out
  store volatile i32 %before, ptr %out
  %next = add i32 %k, 1
  store volatile i32 %next, ptr %out
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  %last = phi i32 [ 0, %0 ], [ %next, %more ]
  store volatile i32 %last, ptr %out
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

define ptx_kernel void @window(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 1, %0
  %2 = icmp ule i64 %0, 2147483646
  %3 = add i64 2, %0
  %4 = icmp ule i64 %3, %length
  %5 = and i1 %1, %2
  %6 = and i1 %5, %4
  %7 = and i1 true, %6
  br i1 %7, label %start1, label %8

8:                                                ; preds = %start
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %8
  %9 = phi i32 [ 0, %8 ], [ %11, %more ]
  %10 = add nsw i32 %9, -1
  %place = add nsw i32 %10, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %11 = add nuw nsw i32 %9, 1
  %12 = add nsw i32 %11, -1
  %done = icmp eq i32 %11, 3
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %8
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %13 = icmp sgt i32 %n, 0
  br i1 %13, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %14 = phi i32 [ 0, %start1 ], [ %21, %start3 ]
  %15 = add nsw i32 %14, -1
  %16 = add nsw i32 %15, %n
  %17 = sext i32 %16 to i64, !ptyx.exact !3
  %18 = icmp ult i64 %17, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %19 = getelementptr float, ptr %a, i64 %17
  %20 = load float, ptr %19, align 4
  store float %20, ptr %out, align 4
  %21 = add nuw nsw i32 %14, 1
  %22 = add nsw i32 %21, -1
  %23 = icmp eq i32 %21, 3
  br i1 %23, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %17)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @steps(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %0
  %1 = phi i32 [ 0, %0 ], [ %3, %more ]
  %2 = add nsw i32 %1, -1
  %place = add nsw i32 %2, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %3 = add nuw nsw i32 %1, 2
  %4 = add nsw i32 %3, -1
  %more.k = icmp ne i32 %1, 4
  br i1 %more.k, label %body, label %exit

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @below(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 2, %0
  %2 = icmp ule i64 %0, 2147483646
  %3 = add i64 2, %0
  %4 = icmp ule i64 %3, %length
  %5 = and i1 %1, %2
  %6 = and i1 %5, %4
  %7 = and i1 true, %6
  br i1 %7, label %start1, label %8

8:                                                ; preds = %start
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %8
  %9 = phi i32 [ 0, %8 ], [ %11, %more ]
  %10 = add nsw i32 %9, -2
  %place = add nsw i32 %10, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %11 = add nuw nsw i32 %9, 1
  %12 = add nsw i32 %11, -2
  %done = icmp eq i32 %11, 4
  br i1 %done, label %exit, label %body, !llvm.loop !4

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %8
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %13 = icmp sgt i32 %n, 0
  br i1 %13, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %14 = phi i32 [ 0, %start1 ], [ %21, %start3 ]
  %15 = add nsw i32 %14, -2
  %16 = add nsw i32 %15, %n
  %17 = sext i32 %16 to i64, !ptyx.exact !3
  %18 = icmp ult i64 %17, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %19 = getelementptr float, ptr %a, i64 %17
  %20 = load float, ptr %19, align 4
  store float %20, ptr %out, align 4
  %21 = add nuw nsw i32 %14, 1
  %22 = add nsw i32 %21, -2
  %23 = icmp eq i32 %21, 4
  br i1 %23, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %17)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @missed(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %0
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add i32 %k, 2
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @behind(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %0
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, -5
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @backwards(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %0
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add i32 %k, -1
  %done = icmp eq i32 %next, 2
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @unknown(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %0
  %k = phi i32 [ -1, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @far(ptr %a, i64 %length, i32 %n, ptr %out) {
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %0
  %k = phi i32 [ -2147483648, %0 ], [ %next, %more ]
  %place = add nsw i32 %k, %n
  %at = sext i32 %place to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add i32 %k, 1
  %done = icmp eq i32 %next, 2147483647
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @read(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 3, %0
  %2 = icmp ule i64 %0, 2147483648
  %3 = add i64 2, %0
  %4 = icmp ule i64 %3, %length
  %5 = and i1 %1, %2
  %6 = and i1 %5, %4
  %7 = and i1 true, %6
  br i1 %7, label %start1, label %8

8:                                                ; preds = %start
  %inside = icmp sgt i32 %n, 0
  br i1 %inside, label %body, label %exit

body:                                             ; preds = %more, %8
  %9 = phi i32 [ 0, %8 ], [ %11, %more ]
  %before = phi i32 [ 7, %8 ], [ %10, %more ]
  %10 = add nsw i32 %9, -3
  %place = add nsw i32 %10, %n
  %at = sext i32 %place to i64
  %least = add nsw i64 %at, 2
  %ok = icmp ult i64 %least, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %least
  %x = load float, ptr %p, align 4
  store volatile float %x, ptr %out, align 4
  store volatile i32 %10, ptr %out, align 4
  store volatile i32 %before, ptr %out, align 4
  %11 = add nuw nsw i32 %9, 1
  %12 = add nsw i32 %11, -3
  store volatile i32 %12, ptr %out, align 4
  %done = icmp eq i32 %11, 3
  br i1 %done, label %exit, label %body, !llvm.loop !5

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %8
  %last = phi i32 [ 0, %8 ], [ %12, %more ]
  store volatile i32 %last, ptr %out, align 4
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %13 = icmp sgt i32 %n, 0
  br i1 %13, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %14 = phi i32 [ 0, %start1 ], [ %23, %start3 ]
  %15 = phi i32 [ 7, %start1 ], [ %16, %start3 ]
  %16 = add nsw i32 %14, -3
  %17 = add nsw i32 %16, %n
  %18 = sext i32 %17 to i64, !ptyx.exact !3
  %19 = add nsw i64 %18, 2
  %20 = icmp ult i64 %19, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %21 = getelementptr float, ptr %a, i64 %19
  %22 = load float, ptr %21, align 4
  store volatile float %22, ptr %out, align 4
  store volatile i32 %16, ptr %out, align 4
  store volatile i32 %15, ptr %out, align 4
  %23 = add nuw nsw i32 %14, 1
  %24 = add nsw i32 %23, -3
  store volatile i32 %24, ptr %out, align 4
  %25 = icmp eq i32 %23, 3
  br i1 %25, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %18)
  unreachable

start5:                                           ; preds = %start3, %start1
  %26 = phi i32 [ 0, %start1 ], [ %24, %start3 ]
  store volatile i32 %26, ptr %out, align 4
  ret void
}

attributes #0 = { noreturn }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = !{}
!4 = distinct !{!4, !1, !2}
!5 = distinct !{!5, !1, !2}
