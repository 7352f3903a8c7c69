; run: prove_checks
; Sums and products that saturate, and divisions of 64 bits, become simpler where the check that they are for is proved.

declare void @panic(i64) noreturn
declare void @may_end(i64)
declare void @llvm.assume(i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i64 @llvm.uadd.sat.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64)

; The place of a thread in a tile: min(start + 256, length) bounds it.
define ptx_kernel void @tile(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %wide = zext i32 %n to i64
  %large = icmp ugt i64 %wide, 72057594037927935
  %shifted = shl i64 %wide, 8
  %start = select i1 %large, i64 -1, i64 %shifted
  %end = call i64 @llvm.uadd.sat.i64(i64 %start, i64 256)
  %last = call i64 @llvm.umin.i64(i64 %end, i64 %length)
  %at = call i64 @llvm.uadd.sat.i64(i64 %start, i64 %w.t)
  %ok = icmp ult i64 %at, %last
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; A product of two numbers.
define ptx_kernel void @product(ptr %a, i64 %length, i64 %n, i64 %m, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %both = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %n, i64 %m)
  %large = extractvalue { i64, i1 } %both, 1
  %low = extractvalue { i64, i1 } %both, 0
  %start = select i1 %large, i64 -1, i64 %low
  %at = call i64 @llvm.uadd.sat.i64(i64 %start, i64 %w.t)
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; It does not saturate at this bound.
define ptx_kernel void @other_bound(ptr %a, i64 %length, i64 %n, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %large = icmp ugt i64 %n, 1000
  %shifted = shl i64 %n, 8
  %start = select i1 %large, i64 -1, i64 %shifted
  %at = call i64 @llvm.uadd.sat.i64(i64 %start, i64 %w.t)
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The place by a quotient and a remainder, in 32 bits where both numbers have no more.
define ptx_kernel void @division(ptr %a, i64 %length, i64 %w, i64 %n, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %i = add i64 %n, %w.t
  %divisor = call i64 @llvm.umax.i64(i64 %w, i64 1)
  %q = udiv i64 %i, %divisor
  %r = urem i64 %i, %divisor
  %ok = icmp ult i64 %q, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %q
  store i32 1, ptr %p
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %q)
  unreachable
exit:
  ret void
}

; What is assumed after a call that need not return says nothing of what is before it.
define ptx_kernel void @assumed_later(ptr %a, ptr %b, i64 %length, i64 %n, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i64 [ 0, %0 ], [ %next, %more ]
  %x = load i64, ptr %a
  %at = call i64 @llvm.uadd.sat.i64(i64 %x, i64 5)
  %q = udiv i64 %x, 7
  store i64 %at, ptr %b
  store i64 %q, ptr %b
  call void @may_end(i64 %at)
  %is = icmp ult i64 %x, 100
  call void @llvm.assume(i1 %is)
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail
more:
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 100
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

declare void @may_end(i64)

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.uadd.sat.i64(i64, i64) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umin.i64(i64, i64) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.umax.i64(i64, i64) #3

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i64, i1 } @llvm.umul.with.overflow.i64(i64, i64) #3

define ptx_kernel void @tile(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof"="p2 t0 p1;;2147483647 -1*0,1152920405095219201 -256*0 -1*1,256 -1*1,-256*0 -1*1 1*2" %proof) {
start1:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start2, label %1

1:                                                ; preds = %start1
  br label %body

body:                                             ; preds = %more, %1
  %k = phi i32 [ 0, %1 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %wide = zext i32 %n to i64
  %large = icmp ugt i64 %wide, 72057594037927935
  %shifted = shl i64 %wide, 8
  %start = select i1 %large, i64 -1, i64 %shifted
  %end = call i64 @llvm.uadd.sat.i64(i64 %start, i64 256)
  %last = call i64 @llvm.umin.i64(i64 %end, i64 %length)
  %at = call i64 @llvm.uadd.sat.i64(i64 %start, i64 %w.t)
  %ok = icmp ult i64 %at, %last
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start2:                                           ; preds = %start1
  br label %start3

start3:                                           ; preds = %start4, %start2
  %2 = phi i32 [ 0, %start2 ], [ %13, %start4 ]
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = zext i32 %3 to i64, !ptyx.exact !3
  %5 = zext i32 %n to i64, !ptyx.exact !3
  %6 = icmp ugt i64 %5, 72057594037927935
  %7 = shl i64 %5, 8
  %8 = add i64 %7, 256
  %9 = call i64 @llvm.umin.i64(i64 %8, i64 %length)
  %10 = add i64 %7, %4
  %11 = icmp ult i64 %10, %9
  br i1 true, label %start4, label %start5

start4:                                           ; preds = %start3
  %12 = getelementptr i32, ptr %a, i64 %10
  store i32 1, ptr %12, align 4
  %13 = add nuw nsw i32 %2, 1
  %14 = icmp eq i32 %13, 100
  br i1 %14, label %start6, label %start3

start5:                                           ; preds = %start3
  call void @panic(i64 %10)
  unreachable

start6:                                           ; preds = %start4
  ret void
}

define ptx_kernel void @product(ptr %a, i64 %length, i64 %n, i64 %m, i32 "ptyx-proof"="p2 p3 t0 p1;;1152920405095219200 -1*0*1,1152920405095219201 -1*0*1 -1*2,-1*0*1 1*3 -1*2,2147483648 -1*2" %proof) {
start1:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start2, label %1

1:                                                ; preds = %start1
  br label %body

body:                                             ; preds = %more, %1
  %k = phi i32 [ 0, %1 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %both = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %n, i64 %m)
  %large = extractvalue { i64, i1 } %both, 1
  %low = extractvalue { i64, i1 } %both, 0
  %start = select i1 %large, i64 -1, i64 %low
  %at = call i64 @llvm.uadd.sat.i64(i64 %start, i64 %w.t)
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !4

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start2:                                           ; preds = %start1
  br label %start3

start3:                                           ; preds = %start4, %start2
  %2 = phi i32 [ 0, %start2 ], [ %11, %start4 ]
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = zext i32 %3 to i64, !ptyx.exact !3
  %5 = call { i64, i1 } @llvm.umul.with.overflow.i64(i64 %n, i64 %m)
  %6 = extractvalue { i64, i1 } %5, 1
  %7 = extractvalue { i64, i1 } %5, 0
  %8 = add i64 %7, %4
  %9 = icmp ult i64 %8, %length
  br i1 true, label %start4, label %start5

start4:                                           ; preds = %start3
  %10 = getelementptr i32, ptr %a, i64 %8
  store i32 1, ptr %10, align 4
  %11 = add nuw nsw i32 %2, 1
  %12 = icmp eq i32 %11, 100
  br i1 %12, label %start6, label %start3

start5:                                           ; preds = %start3
  call void @panic(i64 %8)
  unreachable

start6:                                           ; preds = %start4
  ret void
}

define ptx_kernel void @other_bound(ptr %a, i64 %length, i64 %n, i32 "ptyx-proof"="t0;;2147483648 -1*0" %proof) {
start1:
  %0 = icmp ugt i32 %proof, 0
  %1 = icmp ugt i64 %n, 1000
  %2 = shl i64 %n, 8
  %3 = select i1 %1, i64 -1, i64 %2
  %4 = icmp ult i64 %3, 1152921504606846976
  %5 = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %6 = zext i32 %5 to i64
  %7 = add i64 %3, %6
  %8 = icmp ule i64 %7, 1152920405095219201
  %9 = add i64 %3, %6
  %10 = icmp ule i64 %9, %length
  %11 = and i1 %4, %8
  %12 = and i1 %11, %10
  %13 = and i1 %0, %12
  br i1 %13, label %start2, label %14

14:                                               ; preds = %start1
  br label %body

body:                                             ; preds = %more, %14
  %k = phi i32 [ 0, %14 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %large = icmp ugt i64 %n, 1000
  %shifted = shl i64 %n, 8
  %start = select i1 %large, i64 -1, i64 %shifted
  %at = call i64 @llvm.uadd.sat.i64(i64 %start, i64 %w.t)
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !5

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start2:                                           ; preds = %start1
  br label %start3

start3:                                           ; preds = %start4, %start2
  %15 = phi i32 [ 0, %start2 ], [ %24, %start4 ]
  %16 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %17 = zext i32 %16 to i64, !ptyx.exact !3
  %18 = icmp ugt i64 %n, 1000
  %19 = shl i64 %n, 8
  %20 = select i1 %18, i64 -1, i64 %19
  %21 = add i64 %20, %17
  %22 = icmp ult i64 %21, %length
  br i1 true, label %start4, label %start5

start4:                                           ; preds = %start3
  %23 = getelementptr i32, ptr %a, i64 %21
  store i32 1, ptr %23, align 4
  %24 = add nuw nsw i32 %15, 1
  %25 = icmp eq i32 %24, 100
  br i1 %25, label %start6, label %start3

start5:                                           ; preds = %start3
  call void @panic(i64 %21)
  unreachable

start6:                                           ; preds = %start4
  ret void
}

define ptx_kernel void @division(ptr %a, i64 %length, i64 %w, i64 %n, i32 "ptyx-proof"="p3 t0 p2 p1;-1 1*0 1*1/1*2;4294967296 -1*0 -1*1,-1 1*2,-1 1*3 -1*q0,4294967295 -1*2" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %more, %1
  %k = phi i32 [ 0, %1 ], [ %next, %more ]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %w.t = zext i32 %t to i64
  %i = add i64 %n, %w.t
  %divisor = call i64 @llvm.umax.i64(i64 %w, i64 1)
  %q = udiv i64 %i, %divisor
  %r = urem i64 %i, %divisor
  %ok = icmp ult i64 %q, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %q
  store i32 1, ptr %p, align 4
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !6

fail:                                             ; preds = %body
  call void @panic(i64 %q)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start3, %start1
  %2 = phi i32 [ 0, %start1 ], [ %19, %start3 ]
  %3 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %4 = zext i32 %3 to i64
  %5 = add i64 %n, %4
  %6 = call i64 @llvm.umax.i64(i64 %w, i64 1)
  %7 = trunc i64 %5 to i32
  %8 = zext i32 %7 to i64
  %9 = trunc i64 %6 to i32
  %10 = zext i32 %9 to i64
  %11 = udiv i64 %8, %10
  %12 = trunc i64 %5 to i32
  %13 = zext i32 %12 to i64
  %14 = trunc i64 %6 to i32
  %15 = zext i32 %14 to i64
  %16 = urem i64 %13, %15
  %17 = icmp ult i64 %11, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %18 = getelementptr i32, ptr %a, i64 %11
  store i32 1, ptr %18, align 4
  %19 = add nuw nsw i32 %2, 1
  %20 = icmp eq i32 %19, 100
  br i1 %20, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %11)
  unreachable

start5:                                           ; preds = %start3
  ret void
}

define ptx_kernel void @assumed_later(ptr %a, ptr %b, i64 %length, i64 %n, i32 "ptyx-proof"="p2;;-100 1*0" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %more, %1
  %k = phi i64 [ 0, %1 ], [ %next, %more ]
  %x = load i64, ptr %a, align 4
  %at = call i64 @llvm.uadd.sat.i64(i64 %x, i64 5)
  %q = udiv i64 %x, 7
  store i64 %at, ptr %b, align 4
  store i64 %q, ptr %b, align 4
  call void @may_end(i64 %at)
  %is = icmp ult i64 %x, 100
  call void @llvm.assume(i1 %is)
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %next = add nuw nsw i64 %k, 1
  %done = icmp eq i64 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !7

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start3, %start1
  %2 = phi i64 [ 0, %start1 ], [ %8, %start3 ]
  %3 = load i64, ptr %a, align 4
  %4 = call i64 @llvm.uadd.sat.i64(i64 %3, i64 5)
  %5 = udiv i64 %3, 7
  store i64 %4, ptr %b, align 4
  store i64 %5, ptr %b, align 4
  call void @may_end(i64 %4)
  %6 = icmp ult i64 %3, 100
  call void @llvm.assume(i1 %6)
  %7 = icmp ult i64 %2, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %8 = add nuw nsw i64 %2, 1
  %9 = icmp eq i64 %8, 100
  br i1 %9, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %4)
  unreachable

start5:                                           ; preds = %start3
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #2

attributes #0 = { noreturn }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = !{}
!4 = distinct !{!4, !1, !2}
!5 = distinct !{!5, !1, !2}
!6 = distinct !{!6, !1, !2}
!7 = distinct !{!7, !1, !2}
