; run: prove_checks
; Checks of indices that the kernel's own guards bound, if the parameters and the launch's shape are as they must be: a copy
; without them runs then. Single checks outside loops don't pay; indices that are loaded, guards on other values, and sums that may
; have wrapped around prove nothing.

declare void @panic(i64) noreturn
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; for k in 0..n { a[k] }: n <= length.
define ptx_kernel void @loop(ptr %a, i64 %length, i32 %n, ptr %out) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %at = sext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The same of an index that is loaded.
define ptx_kernel void @loaded(ptr %a, i64 %length, i32 %n, ptr %out) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %from = getelementptr i32, ptr %out, i32 %k
  %i = load i32, ptr %from
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The guard is of another value than the index, with the sign's meaning of less.
define ptx_kernel void @negative(ptr %a, i64 %length, i32 %n, i32 %from, ptr %out) {
  br label %body
body:
  %k = phi i32 [ %from, %0 ], [ %next, %more ]
  %at = sext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p
  store float %x, ptr %out
  %next = add i32 %k, 3
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; if x < w { a[y * w + x], a[y * w + x + 1 - 1 + w] } of a row that the launch has.
define ptx_kernel void @rows(ptr %a, i64 %length, i32 %w, ptr %out) {
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %inside = icmp slt i32 %x, %w
  br i1 %inside, label %first, label %exit
first:
  %row = mul i32 %y, %w
  %i = add i32 %row, %x
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %second, label %fail
second:
  %below = add i32 %i, %w
  %at.below = sext i32 %below to i64
  %ok.below = icmp ugt i64 %length, %at.below
  br i1 %ok.below, label %third, label %fail.below
third:
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p
  %p.below = getelementptr float, ptr %a, i64 %at.below
  %v.below = load float, ptr %p.below
  %sum = fadd float %v, %v.below
  store float %sum, ptr %out
  br label %exit
fail:
  call void @panic(i64 %at)
  unreachable
fail.below:
  call void @panic(i64 %at.below)
  unreachable
exit:
  ret void
}

; One check outside a loop.
define ptx_kernel void @single(ptr %a, i64 %length, i32 %n, ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %first, label %exit
first:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %second, label %fail
second:
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p
  store float %v, ptr %out
  br label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

!0 = !{i32 0, i32 1024}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

define ptx_kernel void @loop(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, %length
  %2 = and i1 true, %1
  br i1 %2, label %start1, label %3

3:                                                ; preds = %start
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %more, %3
  %k = phi i32 [ 0, %3 ], [ %next, %more ]
  %at = sext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %3
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %4 = icmp sgt i32 %n, 0
  br i1 %4, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %5 = phi i32 [ 0, %start1 ], [ %10, %start3 ]
  %6 = sext i32 %5 to i64, !ptyx.exact !3
  %7 = icmp ult i64 %6, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %8 = getelementptr float, ptr %a, i64 %6
  %9 = load float, ptr %8, align 4
  store float %9, ptr %out, align 4
  %10 = add nsw i32 %5, 1
  %11 = icmp eq i32 %10, %n
  br i1 %11, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %6)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @loaded(ptr %a, i64 %length, i32 %n, ptr %out) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %more, %0
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %from = getelementptr i32, ptr %out, i32 %k
  %i = load i32, ptr %from, align 4
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add nsw i32 %k, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @negative(ptr %a, i64 %length, i32 %n, i32 %from, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = zext i32 %from to i64
  %2 = add i64 1, %1
  %3 = icmp ule i64 %2, %0
  %4 = icmp ule i64 %1, 2147483647
  %5 = icmp ule i64 %0, 2147483645
  %6 = icmp ule i64 %0, %length
  %7 = and i1 %3, %4
  %8 = and i1 %7, %5
  %9 = and i1 %8, %6
  %10 = and i1 true, %9
  br i1 %10, label %start1, label %11

11:                                               ; preds = %start
  br label %body

body:                                             ; preds = %more, %11
  %k = phi i32 [ %from, %11 ], [ %next, %more ]
  %at = sext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr float, ptr %a, i64 %at
  %x = load float, ptr %p, align 4
  store float %x, ptr %out, align 4
  %next = add i32 %k, 3
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit, !llvm.loop !4

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start3, %start1
  %12 = phi i32 [ %from, %start1 ], [ %17, %start3 ]
  %13 = sext i32 %12 to i64, !ptyx.exact !3
  %14 = icmp ult i64 %13, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %15 = getelementptr float, ptr %a, i64 %13
  %16 = load float, ptr %15, align 4
  store float %16, ptr %out, align 4
  %17 = add i32 %12, 3
  %18 = icmp slt i32 %17, %n
  br i1 %18, label %start2, label %start5

start4:                                           ; preds = %start2
  call void @panic(i64 %13)
  unreachable

start5:                                           ; preds = %start3
  ret void
}

define ptx_kernel void @rows(ptr %a, i64 %length, i32 %w, ptr %out) {
  %y = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !5
  %inside = icmp slt i32 %x, %w
  br i1 %inside, label %first, label %exit

first:                                            ; preds = %0
  %row = mul i32 %y, %w
  %i = add i32 %row, %x
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %second, label %fail

second:                                           ; preds = %first
  %below = add i32 %i, %w
  %at.below = sext i32 %below to i64
  %ok.below = icmp ugt i64 %length, %at.below
  br i1 %ok.below, label %third, label %fail.below

third:                                            ; preds = %second
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p, align 4
  %p.below = getelementptr float, ptr %a, i64 %at.below
  %v.below = load float, ptr %p.below, align 4
  %sum = fadd float %v, %v.below
  store float %sum, ptr %out, align 4
  br label %exit

fail:                                             ; preds = %first
  call void @panic(i64 %at)
  unreachable

fail.below:                                       ; preds = %second
  call void @panic(i64 %at.below)
  unreachable

exit:                                             ; preds = %third, %0
  ret void
}

define ptx_kernel void @single(ptr %a, i64 %length, i32 %n, ptr %out) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !5
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %first, label %exit

first:                                            ; preds = %0
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %second, label %fail

second:                                           ; preds = %first
  %p = getelementptr float, ptr %a, i64 %at
  %v = load float, ptr %p, align 4
  store float %v, ptr %out, align 4
  br label %exit

fail:                                             ; preds = %first
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %second, %0
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = !{}
!4 = distinct !{!4, !1, !2}
!5 = !{i32 0, i32 1024}
