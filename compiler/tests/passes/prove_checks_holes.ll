; run: prove_checks
; What a reviewer found to be proved by mistake. The first two need more conditions, the others can't be proved.

declare void @panic(i64) noreturn

; A counter that wraps around at 255, so that the loop never ends: `end` must be less.
define ptx_kernel void @endless(ptr %a, i64 %length, i8 %end, ptr %out) {
  br label %body
body:
  %c = phi i8 [ 0, %0 ], [ %next, %more ]
  %p = phi i64 [ 0, %0 ], [ %p.next, %more ]
  %ok = icmp ult i64 %p, %length
  br i1 %ok, label %more, label %fail
more:
  %at = getelementptr float, ptr %a, i64 %p
  %x = load float, ptr %at
  store float %x, ptr %out
  %p.next = add nuw i64 %p, 1
  %next = add i8 %c, 1
  %done = icmp ugt i8 %next, %end
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %p)
  unreachable
exit:
  ret void
}

; The value that is not zero is wider than the first one: `v` must not be 1 << 32.
define ptx_kernel void @wider(ptr %a, i64 %length, i64 %v, i32 %n, ptr %out) {
  %none = icmp eq i64 %v, 0
  br i1 %none, label %exit, label %pre
pre:
  %first = trunc i64 %v to i32
  br label %body
body:
  %i = phi i32 [ %first, %pre ], [ %next, %more ]
  %few = icmp ult i32 %i, %n
  br i1 %few, label %inside, label %exit
inside:
  %next = add i32 %i, -1
  %at = zext i32 %next to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Divisors below zero.
define ptx_kernel void @divisor(ptr %a, i64 %length, i32 %n, i32 %rounds, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %out, i32 %k
  %x = load i32, ptr %from
  %inside = icmp ult i32 %x, 1000
  br i1 %inside, label %divide, label %again
divide:
  %q = sdiv i32 %x, -5
  %at = zext i32 %q to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p
  store float %v, ptr %out
  br label %again
again:
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; x + 5 wraps around before it is extended, so that the difference is not 5.
define ptx_kernel void @extended(ptr %a, i64 %length, i32 %x, i32 %rounds, ptr %out) {
  %x5 = add i32 %x, 5
  %w = zext i32 %x5 to i64
  %v = zext i32 %x to i64
  %d = sub i64 %w, %v
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i64, ptr %out, i32 %k
  %loaded = load i64, ptr %from
  %m = and i64 %loaded, 255
  %few = icmp slt i64 %d, %m
  br i1 %few, label %inside, label %again
inside:
  %at = add i64 %m, -6
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
  br label %again
again:
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; A mask of 128 bits.
define ptx_kernel void @wide(ptr %a, i64 %length, i32 %rounds, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %from = getelementptr i128, ptr %out, i32 %k
  %x = load i128, ptr %from
  %m = and i128 %x, 18446744073709551616
  %q = udiv i128 %m, 3
  %at = trunc i128 %q to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  store float %y, ptr %out
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

define ptx_kernel void @endless(ptr %a, i64 %length, i8 %end, ptr %out) {
start:
  %0 = zext i8 %end to i64
  %1 = icmp ule i64 %0, 126
  %2 = add i64 1, %0
  %3 = icmp ule i64 %2, %length
  %4 = and i1 %1, %3
  %5 = and i1 true, %4
  br i1 %5, label %start1, label %6

6:                                                ; preds = %start
  br label %body

body:                                             ; preds = %more, %6
  %c = phi i8 [ 0, %6 ], [ %next, %more ]
  %p = phi i64 [ 0, %6 ], [ %p.next, %more ]
  %ok = icmp ult i64 %p, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %at = getelementptr float, ptr %a, i64 %p
  %x = load float, ptr %at, align 4
  store float %x, ptr %out, align 4
  %p.next = add nuw i64 %p, 1
  %next = add i8 %c, 1
  %done = icmp ugt i8 %next, %end
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %body
  call void @panic(i64 %p)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start3, %start1
  %7 = phi i8 [ 0, %start1 ], [ %13, %start3 ]
  %8 = phi i64 [ 0, %start1 ], [ %12, %start3 ]
  %9 = icmp ult i64 %8, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %10 = getelementptr float, ptr %a, i64 %8
  %11 = load float, ptr %10, align 4
  store float %11, ptr %out, align 4
  %12 = add nuw i64 %8, 1
  %13 = add i8 %7, 1
  %14 = icmp ugt i8 %13, %end
  br i1 %14, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %8)
  unreachable

start5:                                           ; preds = %start3
  ret void
}

define ptx_kernel void @wider(ptr %a, i64 %length, i64 %v, i32 %n, ptr %out) {
start:
  %0 = icmp ult i64 %v, 1152921504606846976
  %1 = icmp ule i64 %v, 2147483647
  %2 = icmp ule i64 1, %v
  %3 = zext i32 %n to i64
  %4 = icmp ule i64 %3, 2147483649
  %5 = icmp ult i64 %length, 1152921504606846976
  %6 = add i64 1, %length
  %7 = icmp ule i64 %3, %6
  %8 = and i1 %0, %1
  %9 = and i1 %8, %2
  %10 = and i1 %9, %4
  %11 = and i1 %10, %5
  %12 = and i1 %11, %7
  %13 = and i1 true, %12
  br i1 %13, label %start1, label %14

14:                                               ; preds = %start
  %none = icmp eq i64 %v, 0
  br i1 %none, label %exit, label %pre

pre:                                              ; preds = %14
  %first = trunc i64 %v to i32
  br label %body

body:                                             ; preds = %more, %pre
  %i = phi i32 [ %first, %pre ], [ %next, %more ]
  %few = icmp ult i32 %i, %n
  br i1 %few, label %inside, label %exit

inside:                                           ; preds = %body
  %next = add i32 %i, -1
  %at = zext i32 %next to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %body, !llvm.loop !3

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %body, %14
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %15 = icmp eq i64 %v, 0
  br i1 %15, label %start7, label %start2

start2:                                           ; preds = %start1
  %16 = trunc i64 %v to i32
  br label %start3

start3:                                           ; preds = %start5, %start2
  %17 = phi i32 [ %16, %start2 ], [ %19, %start5 ]
  %18 = icmp ult i32 %17, %n
  br i1 %18, label %start4, label %start7

start4:                                           ; preds = %start3
  %19 = add i32 %17, -1
  %20 = zext i32 %19 to i64, !ptyx.exact !4
  %21 = icmp ult i64 %20, %length
  br i1 true, label %start5, label %start6

start5:                                           ; preds = %start4
  %22 = getelementptr float, ptr %a, i64 %20
  %23 = load float, ptr %22, align 4
  store float %23, ptr %out, align 4
  %24 = icmp eq i32 %19, 0
  br i1 %24, label %start7, label %start3

start6:                                           ; preds = %start4
  call void @panic(i64 %20)
  unreachable

start7:                                           ; preds = %start5, %start3, %start1
  ret void
}

define ptx_kernel void @divisor(ptr %a, i64 %length, i32 %n, i32 %rounds, ptr %out) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %out, i32 %k
  %x = load i32, ptr %from, align 4
  %inside = icmp ult i32 %x, 1000
  br i1 %inside, label %divide, label %again

divide:                                           ; preds = %body
  %q = sdiv i32 %x, -5
  %at = zext i32 %q to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %divide
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %divide
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @extended(ptr %a, i64 %length, i32 %x, i32 %rounds, ptr %out) {
  %x5 = add i32 %x, 5
  %w = zext i32 %x5 to i64
  %v = zext i32 %x to i64
  %d = sub i64 %w, %v
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i64, ptr %out, i32 %k
  %loaded = load i64, ptr %from, align 4
  %m = and i64 %loaded, 255
  %few = icmp slt i64 %d, %m
  br i1 %few, label %inside, label %again

inside:                                           ; preds = %body
  %at = add i64 %m, -6
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %rounds
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @wide(ptr %a, i64 %length, i32 %rounds, ptr %out) {
  br label %body

body:                                             ; preds = %more, %0
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %from = getelementptr i128, ptr %out, i32 %k
  %x = load i128, ptr %from, align 4
  %m = and i128 %x, 18446744073709551616
  %q = udiv i128 %m, 3
  %at = trunc i128 %q to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  store float %y, ptr %out, align 4
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

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = distinct !{!3, !1, !2}
!4 = !{}
