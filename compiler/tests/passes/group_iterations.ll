; run: hold_back_unrolling, group_iterations
; Loops that LLVM does not unroll by a run-time trip count run in groups of four iterations, and then the rest.

declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @helper() convergent
declare void @llvm.experimental.noalias.scope.decl(metadata)

; Steps by a variable. What is used behind the loop comes from the group or from the rest; a and b swap, and c takes what does not change.
define ptx_kernel i32 @steps(ptr %p, i64 %first, i64 %end, i64 %step) {
  br label %loop
loop:
  %i = phi i64 [ %first, %0 ], [ %next, %loop ]
  %a = phi i32 [ 1, %0 ], [ %b, %loop ]
  %b = phi i32 [ 2, %0 ], [ %a, %loop ]
  %c = phi i64 [ 3, %0 ], [ %step, %loop ]
  %at = getelementptr i64, ptr %p, i64 %i
  store i64 %c, ptr %at
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %a
}

; Threads exchange values, in a loop that is the same in all threads of a block. It goes on as long as the last number is not exceeded, asked
; the other way round.
define ptx_kernel i32 @exchanges(i32 %n) {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %first = mul i32 %block, 5
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %first, %0 ], [ %next, %loop ]
  %sum = phi i32 [ %lane, %0 ], [ %all, %loop ]
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %sum, i32 1, i32 31)
  %all = add i32 %sum, %other
  %next = add i32 2, %i
  %done = icmp sgt i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret i32 %all
}

; The end of the first loop is the beginning of the second one, which has fewer blocks.
define ptx_kernel void @one_after_the_other(ptr %p, i64 %n, i64 %step) {
  br label %large
large:
  %i = phi i64 [ 0, %0 ], [ %next.i, %latch ]
  %sum = phi i64 [ 0, %0 ], [ %more.sum, %latch ]
  %square = mul i64 %i, %i
  %more.sum = add i64 %sum, %square
  %is.some = icmp ult i64 %sum, 9
  br i1 %is.some, label %some, label %latch
some:
  %at.i = getelementptr i64, ptr %p, i64 %i
  store i64 %sum, ptr %at.i
  br label %latch
latch:
  %next.i = add i64 %i, %step
  %more.i = icmp slt i64 %next.i, %n
  br i1 %more.i, label %large, label %between
between:
  br label %small
small:
  %j = phi i64 [ 0, %between ], [ %next.j, %small ]
  %at.j = getelementptr i64, ptr %p, i64 %j
  store i64 %more.sum, ptr %at.j
  %next.j = add i64 %j, %step
  %more.j = icmp slt i64 %next.j, %n
  br i1 %more.j, label %small, label %exit
exit:
  ret void
}

; The rest says no more which accesses of an iteration don't meet: its scopes are those of the group.
define ptx_kernel void @scopes(ptr %p, i32 %n, i32 %step) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !2)
  %from = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %from, !alias.scope !2
  %next = add i32 %i, %step
  %to = getelementptr i32, ptr %p, i32 %next
  store i32 %x, ptr %to, !noalias !2
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Only the inner one of two loops, whose counter is of 8 bits, and on the right of the comparison.
define ptx_kernel void @nested(ptr %p, i8 %n, i8 %step, i32 %m, i32 %by) {
  br label %outer
outer:
  %k = phi i32 [ 0, %0 ], [ %next.k, %latch ]
  %is.first = icmp eq i32 %k, 0
  br i1 %is.first, label %mark, label %before
mark:
  store i8 1, ptr %p
  br label %before
before:
  br label %inner
inner:
  %i = phi i8 [ 0, %before ], [ %next, %inner ]
  %at = getelementptr i8, ptr %p, i8 %i
  store i8 %i, ptr %at
  %next = add i8 %step, %i
  %more = icmp uge i8 %n, %next
  br i1 %more, label %inner, label %latch
latch:
  %next.k = add i32 %k, %by
  %more.k = icmp slt i32 %next.k, %m
  br i1 %more.k, label %outer, label %exit
exit:
  ret void
}

; Threads of a block disagree about where the loop ends, ...
define ptx_kernel i32 @ends_differ(i32 %n) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %end = add i32 %n, %lane
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ %lane, %0 ], [ %all, %loop ]
  %all = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %sum, i32 1, i32 31)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %all
}

; ... where it begins, ...
define ptx_kernel i32 @beginnings_differ(i32 %n) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %lane, %0 ], [ %next, %loop ]
  %sum = phi i32 [ %lane, %0 ], [ %all, %loop ]
  %all = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %sum, i32 1, i32 31)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret i32 %all
}

; ... by what it steps, which is loaded, ...
define ptx_kernel void @steps_differ(ptr %p, i32 %n) {
  %step = load i32, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @helper()
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; ... and about the way to it.
define ptx_kernel void @ways_differ(i32 %n) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %lane, 7
  br i1 %low, label %some, label %before
some:
  br label %before
before:
  %first = phi i32 [ 0, %0 ], [ 1, %some ]
  br label %loop
loop:
  %i = phi i32 [ %first, %before ], [ %next, %loop ]
  call void @helper()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Inline assembly may depend on other threads, too.
define ptx_kernel void @assembly(i32 %n, i32 %step) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %end = add i32 %n, %lane
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void asm sideeffect "bar.warp.sync -1;", ""() convergent
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; It is no kernel, so that its arguments may differ.
define void @called(i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @helper()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; LLVM unrolls what steps by a constant.
define ptx_kernel void @by_one(ptr %p, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The bound changes.
define ptx_kernel void @moving_bound(ptr %p, i32 %n, i32 %step) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %end = load i32, ptr %at
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; So does the step.
define ptx_kernel void @growing_step(ptr %p, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 1, %0 ], [ %next, %loop ]
  %step = phi i32 [ 1, %0 ], [ %i, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; What is compared is not the counter's next value.
define ptx_kernel void @another_sum(ptr %p, i32 %n, i32 %step) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add i32 %i, 1
  %sum = add i32 %i, %step
  %more = icmp slt i32 %sum, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; It goes down, or ends at one number only.
define ptx_kernel void @other_ends(ptr %p, i32 %n, i32 %step) {
  br label %down
down:
  %i = phi i32 [ 0, %0 ], [ %next, %down ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add i32 %i, %step
  %more = icmp sgt i32 %next, %n
  br i1 %more, label %down, label %between
between:
  br label %until
until:
  %j = phi i32 [ 0, %between ], [ %next.j, %until ]
  %at.j = getelementptr i32, ptr %p, i32 %j
  store i32 %j, ptr %at.j
  %next.j = add i32 %j, %step
  %more.j = icmp ne i32 %next.j, %n
  br i1 %more.j, label %until, label %exit
exit:
  ret void
}

; A second exit.
define ptx_kernel void @two_exits(ptr %p, i32 %n, i32 %step) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %at
  %found = icmp eq i32 %x, 7
  br i1 %found, label %exit, label %latch
latch:
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; The source says how to unroll it.
define ptx_kernel void @marked(ptr %p, i32 %n, i32 %step) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !3
exit:
  ret void
}

; Counters for which the arithmetic is too wide or too narrow.
define ptx_kernel void @widths(ptr %p, i128 %n, i128 %step, i2 %few, i2 %by) {
  br label %wide
wide:
  %i = phi i128 [ 0, %0 ], [ %next, %wide ]
  store volatile i128 %i, ptr %p
  %next = add i128 %i, %step
  %more = icmp ult i128 %next, %n
  br i1 %more, label %wide, label %between
between:
  br label %narrow
narrow:
  %j = phi i2 [ 0, %between ], [ %next.j, %narrow ]
  store volatile i2 %j, ptr %p
  %next.j = add i2 %j, %by
  %more.j = icmp ult i2 %next.j, %few
  br i1 %more.j, label %narrow, label %exit
exit:
  ret void
}

!0 = distinct !{!0}
!1 = distinct !{!1, !0}
!2 = !{!1}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.count", i32 2}

; becomes:
; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #1

; Function Attrs: convergent
declare void @helper() #2

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite)
declare void @llvm.experimental.noalias.scope.decl(metadata) #3

define ptx_kernel i32 @steps(ptr %p, i64 %first, i64 %end, i64 %step) {
start:
  %0 = mul i64 %step, 3
  %1 = sub i64 %end, %0
  %2 = sub i64 %step, 1
  %3 = icmp ult i64 %2, 2305843009213693951
  %4 = icmp ult i64 %1, %end
  %5 = select i1 %3, i1 %4, i1 false
  %6 = icmp ult i64 %first, %1
  %7 = select i1 %5, i1 %6, i1 false
  %8 = freeze i1 %7
  br i1 %8, label %start1, label %9

9:                                                ; preds = %start3, %start
  %10 = phi i64 [ %first, %start ], [ %26, %start3 ]
  %11 = phi i32 [ 1, %start ], [ %23, %start3 ]
  %12 = phi i32 [ 2, %start ], [ %22, %start3 ]
  %13 = phi i64 [ 3, %start ], [ %step, %start3 ]
  br label %loop

loop:                                             ; preds = %loop, %9
  %i = phi i64 [ %10, %9 ], [ %next, %loop ]
  %a = phi i32 [ %11, %9 ], [ %b, %loop ]
  %b = phi i32 [ %12, %9 ], [ %a, %loop ]
  %c = phi i64 [ %13, %9 ], [ %step, %loop ]
  %at = getelementptr i64, ptr %p, i64 %i
  store i64 %c, ptr %at, align 4
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %exit, !llvm.loop !0

exit:                                             ; preds = %start3, %loop
  %a.lcssa = phi i32 [ %a, %loop ], [ %22, %start3 ]
  ret i32 %a.lcssa

start1:                                           ; preds = %start2, %start
  %14 = phi i64 [ %first, %start ], [ %26, %start2 ]
  %15 = phi i32 [ 1, %start ], [ %23, %start2 ]
  %16 = phi i32 [ 2, %start ], [ %22, %start2 ]
  %17 = phi i64 [ 3, %start ], [ %step, %start2 ]
  br label %start4

start2:                                           ; preds = %start4
  %18 = icmp ult i64 %26, %1
  br i1 %18, label %start1, label %start3, !llvm.loop !2

start3:                                           ; preds = %start2
  %19 = icmp ult i64 %26, %end
  br i1 %19, label %9, label %exit

start4:                                           ; preds = %start4, %start1
  %20 = phi i32 [ 0, %start1 ], [ %28, %start4 ]
  %21 = phi i64 [ %14, %start1 ], [ %26, %start4 ]
  %22 = phi i32 [ %15, %start1 ], [ %23, %start4 ]
  %23 = phi i32 [ %16, %start1 ], [ %22, %start4 ]
  %24 = phi i64 [ %17, %start1 ], [ %step, %start4 ]
  %25 = getelementptr i64, ptr %p, i64 %21
  store i64 %24, ptr %25, align 4
  %26 = add i64 %21, %step
  %27 = icmp ult i64 %26, %end
  %28 = add i32 %20, 1
  %29 = icmp ult i32 %28, 4
  br i1 %29, label %start4, label %start2, !llvm.loop !3
}

define ptx_kernel i32 @exchanges(i32 %n) {
start:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %1 = mul i32 %0, 5
  %2 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %3 = sub i32 %n, 6
  %4 = icmp slt i32 %3, %n
  %5 = select i1 true, i1 %4, i1 false
  %6 = icmp sle i32 %1, %3
  %7 = select i1 %5, i1 %6, i1 false
  %8 = freeze i1 %7
  br i1 %8, label %start1, label %9

9:                                                ; preds = %start3, %start
  %10 = phi i32 [ %1, %start ], [ %21, %start3 ]
  %11 = phi i32 [ %2, %start ], [ %20, %start3 ]
  br label %loop

loop:                                             ; preds = %loop, %9
  %i = phi i32 [ %10, %9 ], [ %next, %loop ]
  %sum = phi i32 [ %11, %9 ], [ %all, %loop ]
  %other = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %sum, i32 1, i32 31)
  %all = add i32 %sum, %other
  %next = add i32 2, %i
  %done = icmp sgt i32 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !5

exit:                                             ; preds = %start3, %loop
  %all.lcssa = phi i32 [ %all, %loop ], [ %20, %start3 ]
  ret i32 %all.lcssa

start1:                                           ; preds = %start2, %start
  %12 = phi i32 [ %1, %start ], [ %21, %start2 ]
  %13 = phi i32 [ %2, %start ], [ %20, %start2 ]
  br label %start4

start2:                                           ; preds = %start4
  %14 = icmp sle i32 %21, %3
  br i1 %14, label %start1, label %start3, !llvm.loop !6

start3:                                           ; preds = %start2
  %15 = icmp sle i32 %21, %n
  br i1 %15, label %9, label %exit

start4:                                           ; preds = %start4, %start1
  %16 = phi i32 [ 0, %start1 ], [ %23, %start4 ]
  %17 = phi i32 [ %12, %start1 ], [ %21, %start4 ]
  %18 = phi i32 [ %13, %start1 ], [ %20, %start4 ]
  %19 = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %18, i32 1, i32 31)
  %20 = add i32 %18, %19
  %21 = add i32 2, %17
  %22 = icmp sgt i32 %21, %n
  %23 = add i32 %16, 1
  %24 = icmp ult i32 %23, 4
  br i1 %24, label %start4, label %start2, !llvm.loop !7
}

define ptx_kernel void @one_after_the_other(ptr %p, i64 %n, i64 %step) {
start5:
  %0 = mul i64 %step, 3
  %1 = sub i64 %n, %0
  %2 = sub i64 %step, 1
  %3 = icmp ult i64 %2, 2305843009213693951
  %4 = icmp slt i64 %1, %n
  %5 = select i1 %3, i1 %4, i1 false
  %6 = icmp slt i64 0, %1
  %7 = select i1 %5, i1 %6, i1 false
  %8 = freeze i1 %7
  br i1 %8, label %start6, label %9

9:                                                ; preds = %start8, %start5
  %10 = phi i64 [ 0, %start5 ], [ %44, %start8 ]
  %11 = phi i64 [ 0, %start5 ], [ %41, %start8 ]
  br label %large

large:                                            ; preds = %latch, %9
  %i = phi i64 [ %10, %9 ], [ %next.i, %latch ]
  %sum = phi i64 [ %11, %9 ], [ %more.sum, %latch ]
  %square = mul i64 %i, %i
  %more.sum = add i64 %sum, %square
  %is.some = icmp ult i64 %sum, 9
  br i1 %is.some, label %some, label %latch

some:                                             ; preds = %large
  %at.i = getelementptr i64, ptr %p, i64 %i
  store i64 %sum, ptr %at.i, align 4
  br label %latch

latch:                                            ; preds = %some, %large
  %next.i = add i64 %i, %step
  %more.i = icmp slt i64 %next.i, %n
  br i1 %more.i, label %large, label %start, !llvm.loop !8

start:                                            ; preds = %start8, %latch
  %12 = phi i64 [ %more.sum, %latch ], [ %41, %start8 ]
  %13 = mul i64 %step, 3
  %14 = sub i64 %n, %13
  %15 = sub i64 %step, 1
  %16 = icmp ult i64 %15, 2305843009213693951
  %17 = icmp slt i64 %14, %n
  %18 = select i1 %16, i1 %17, i1 false
  %19 = icmp slt i64 0, %14
  %20 = select i1 %18, i1 %19, i1 false
  %21 = freeze i1 %20
  br i1 %21, label %start1, label %between

between:                                          ; preds = %start3, %start
  %22 = phi i64 [ 0, %start ], [ %29, %start3 ]
  br label %small

small:                                            ; preds = %small, %between
  %j = phi i64 [ %22, %between ], [ %next.j, %small ]
  %at.j = getelementptr i64, ptr %p, i64 %j
  store i64 %12, ptr %at.j, align 4
  %next.j = add i64 %j, %step
  %more.j = icmp slt i64 %next.j, %n
  br i1 %more.j, label %small, label %exit, !llvm.loop !9

exit:                                             ; preds = %start3, %small
  ret void

start1:                                           ; preds = %start2, %start
  %23 = phi i64 [ 0, %start ], [ %29, %start2 ]
  br label %start4

start2:                                           ; preds = %start4
  %24 = icmp slt i64 %29, %14
  br i1 %24, label %start1, label %start3, !llvm.loop !10

start3:                                           ; preds = %start2
  %25 = icmp slt i64 %29, %n
  br i1 %25, label %between, label %exit

start4:                                           ; preds = %start4, %start1
  %26 = phi i32 [ 0, %start1 ], [ %31, %start4 ]
  %27 = phi i64 [ %23, %start1 ], [ %29, %start4 ]
  %28 = getelementptr i64, ptr %p, i64 %27
  store i64 %12, ptr %28, align 4
  %29 = add i64 %27, %step
  %30 = icmp slt i64 %29, %n
  %31 = add i32 %26, 1
  %32 = icmp ult i32 %31, 4
  br i1 %32, label %start4, label %start2, !llvm.loop !11

start6:                                           ; preds = %start7, %start5
  %33 = phi i64 [ 0, %start5 ], [ %44, %start7 ]
  %34 = phi i64 [ 0, %start5 ], [ %41, %start7 ]
  br label %start9

start7:                                           ; preds = %start11
  %35 = icmp slt i64 %44, %1
  br i1 %35, label %start6, label %start8, !llvm.loop !12

start8:                                           ; preds = %start7
  %36 = icmp slt i64 %44, %n
  br i1 %36, label %9, label %start

start9:                                           ; preds = %start11, %start6
  %37 = phi i32 [ 0, %start6 ], [ %46, %start11 ]
  %38 = phi i64 [ %33, %start6 ], [ %44, %start11 ]
  %39 = phi i64 [ %34, %start6 ], [ %41, %start11 ]
  %40 = mul i64 %38, %38
  %41 = add i64 %39, %40
  %42 = icmp ult i64 %39, 9
  br i1 %42, label %start10, label %start11

start10:                                          ; preds = %start9
  %43 = getelementptr i64, ptr %p, i64 %38
  store i64 %39, ptr %43, align 4
  br label %start11

start11:                                          ; preds = %start10, %start9
  %44 = add i64 %38, %step
  %45 = icmp slt i64 %44, %n
  %46 = add i32 %37, 1
  %47 = icmp ult i32 %46, 4
  br i1 %47, label %start9, label %start7, !llvm.loop !13
}

define ptx_kernel void @scopes(ptr %p, i32 %n, i32 %step) {
start:
  %0 = mul i32 %step, 3
  %1 = sub i32 %n, %0
  %2 = sub i32 %step, 1
  %3 = icmp ult i32 %2, 536870911
  %4 = icmp slt i32 %1, %n
  %5 = select i1 %3, i1 %4, i1 false
  %6 = icmp slt i32 0, %1
  %7 = select i1 %5, i1 %6, i1 false
  %8 = freeze i1 %7
  br i1 %8, label %start1, label %9

9:                                                ; preds = %start3, %start
  %10 = phi i32 [ 0, %start ], [ %18, %start3 ]
  br label %loop

loop:                                             ; preds = %loop, %9
  %i = phi i32 [ %10, %9 ], [ %next, %loop ]
  call void @llvm.experimental.noalias.scope.decl(metadata !14)
  %from = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %from, align 4
  %next = add i32 %i, %step
  %to = getelementptr i32, ptr %p, i32 %next
  store i32 %x, ptr %to, align 4
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !17

exit:                                             ; preds = %start3, %loop
  ret void

start1:                                           ; preds = %start2, %start
  %11 = phi i32 [ 0, %start ], [ %18, %start2 ]
  br label %start4

start2:                                           ; preds = %start4
  %12 = icmp slt i32 %18, %1
  br i1 %12, label %start1, label %start3, !llvm.loop !18

start3:                                           ; preds = %start2
  %13 = icmp slt i32 %18, %n
  br i1 %13, label %9, label %exit

start4:                                           ; preds = %start4, %start1
  %14 = phi i32 [ 0, %start1 ], [ %21, %start4 ]
  %15 = phi i32 [ %11, %start1 ], [ %18, %start4 ]
  call void @llvm.experimental.noalias.scope.decl(metadata !14)
  %16 = getelementptr i32, ptr %p, i32 %15
  %17 = load i32, ptr %16, align 4, !alias.scope !14
  %18 = add i32 %15, %step
  %19 = getelementptr i32, ptr %p, i32 %18
  store i32 %17, ptr %19, align 4, !noalias !14
  %20 = icmp slt i32 %18, %n
  %21 = add i32 %14, 1
  %22 = icmp ult i32 %21, 4
  br i1 %22, label %start4, label %start2, !llvm.loop !19
}

define ptx_kernel void @nested(ptr %p, i8 %n, i8 %step, i32 %m, i32 %by) {
  br label %outer

outer:                                            ; preds = %latch, %0
  %k = phi i32 [ 0, %0 ], [ %next.k, %latch ]
  %is.first = icmp eq i32 %k, 0
  br i1 %is.first, label %mark, label %start

mark:                                             ; preds = %outer
  store i8 1, ptr %p, align 1
  br label %start

start:                                            ; preds = %mark, %outer
  %1 = mul i8 %step, 3
  %2 = sub i8 %n, %1
  %3 = sub i8 %step, 1
  %4 = icmp ult i8 %3, 31
  %5 = icmp ult i8 %2, %n
  %6 = select i1 %4, i1 %5, i1 false
  %7 = icmp ule i8 0, %2
  %8 = select i1 %6, i1 %7, i1 false
  %9 = freeze i1 %8
  br i1 %9, label %start1, label %before

before:                                           ; preds = %start3, %start
  %10 = phi i8 [ 0, %start ], [ %17, %start3 ]
  br label %inner

inner:                                            ; preds = %inner, %before
  %i = phi i8 [ %10, %before ], [ %next, %inner ]
  %at = getelementptr i8, ptr %p, i8 %i
  store i8 %i, ptr %at, align 1
  %next = add i8 %step, %i
  %more = icmp uge i8 %n, %next
  br i1 %more, label %inner, label %latch, !llvm.loop !20

latch:                                            ; preds = %start3, %inner
  %next.k = add i32 %k, %by
  %more.k = icmp slt i32 %next.k, %m
  br i1 %more.k, label %outer, label %exit, !llvm.loop !21

exit:                                             ; preds = %latch
  ret void

start1:                                           ; preds = %start2, %start
  %11 = phi i8 [ 0, %start ], [ %17, %start2 ]
  br label %start4

start2:                                           ; preds = %start4
  %12 = icmp ule i8 %17, %2
  br i1 %12, label %start1, label %start3, !llvm.loop !23

start3:                                           ; preds = %start2
  %13 = icmp ule i8 %17, %n
  br i1 %13, label %before, label %latch

start4:                                           ; preds = %start4, %start1
  %14 = phi i32 [ 0, %start1 ], [ %19, %start4 ]
  %15 = phi i8 [ %11, %start1 ], [ %17, %start4 ]
  %16 = getelementptr i8, ptr %p, i8 %15
  store i8 %15, ptr %16, align 1
  %17 = add i8 %step, %15
  %18 = icmp uge i8 %n, %17
  %19 = add i32 %14, 1
  %20 = icmp ult i32 %19, 4
  br i1 %20, label %start4, label %start2, !llvm.loop !24
}

define ptx_kernel i32 @ends_differ(i32 %n) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %end = add i32 %n, %lane
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i32 [ %lane, %0 ], [ %all, %loop ]
  %all = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %sum, i32 1, i32 31)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit, !llvm.loop !25

exit:                                             ; preds = %loop
  %all.lcssa = phi i32 [ %all, %loop ]
  ret i32 %all.lcssa
}

define ptx_kernel i32 @beginnings_differ(i32 %n) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ %lane, %0 ], [ %next, %loop ]
  %sum = phi i32 [ %lane, %0 ], [ %all, %loop ]
  %all = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %sum, i32 1, i32 31)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !26

exit:                                             ; preds = %loop
  %all.lcssa = phi i32 [ %all, %loop ]
  ret i32 %all.lcssa
}

define ptx_kernel void @steps_differ(ptr %p, i32 %n) {
  %step = load i32, ptr %p, align 4
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @helper()
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !27

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @ways_differ(i32 %n) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %lane, 7
  br i1 %low, label %some, label %before

some:                                             ; preds = %0
  br label %before

before:                                           ; preds = %some, %0
  %first = phi i32 [ 0, %0 ], [ 1, %some ]
  br label %loop

loop:                                             ; preds = %loop, %before
  %i = phi i32 [ %first, %before ], [ %next, %loop ]
  call void @helper()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !28

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @assembly(i32 %n, i32 %step) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %end = add i32 %n, %lane
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void asm sideeffect "bar.warp.sync -1;", ""() #2
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit, !llvm.loop !29

exit:                                             ; preds = %loop
  ret void
}

define void @called(i32 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @helper()
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !30

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @by_one(ptr %p, i32 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at, align 4
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !31

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @moving_bound(ptr %p, i32 %n, i32 %step) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  %end = load i32, ptr %at, align 4
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit, !llvm.loop !32

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @growing_step(ptr %p, i32 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 1, %0 ], [ %next, %loop ]
  %step = phi i32 [ 1, %0 ], [ %i, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at, align 4
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !33

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @another_sum(ptr %p, i32 %n, i32 %step) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at, align 4
  %next = add i32 %i, 1
  %sum = add i32 %i, %step
  %more = icmp slt i32 %sum, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !34

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @other_ends(ptr %p, i32 %n, i32 %step) {
  br label %down

down:                                             ; preds = %down, %0
  %i = phi i32 [ 0, %0 ], [ %next, %down ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at, align 4
  %next = add i32 %i, %step
  %more = icmp sgt i32 %next, %n
  br i1 %more, label %down, label %between, !llvm.loop !35

between:                                          ; preds = %down
  br label %until

until:                                            ; preds = %until, %between
  %j = phi i32 [ 0, %between ], [ %next.j, %until ]
  %at.j = getelementptr i32, ptr %p, i32 %j
  store i32 %j, ptr %at.j, align 4
  %next.j = add i32 %j, %step
  %more.j = icmp ne i32 %next.j, %n
  br i1 %more.j, label %until, label %exit, !llvm.loop !36

exit:                                             ; preds = %until
  ret void
}

define ptx_kernel void @two_exits(ptr %p, i32 %n, i32 %step) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %at, align 4
  %found = icmp eq i32 %x, 7
  br i1 %found, label %exit, label %latch

latch:                                            ; preds = %loop
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !37

exit:                                             ; preds = %latch, %loop
  ret void
}

define ptx_kernel void @marked(ptr %p, i32 %n, i32 %step) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 %i, ptr %at, align 4
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !38

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @widths(ptr %p, i128 %n, i128 %step, i2 %few, i2 %by) {
  br label %wide

wide:                                             ; preds = %wide, %0
  %i = phi i128 [ 0, %0 ], [ %next, %wide ]
  store volatile i128 %i, ptr %p, align 4
  %next = add i128 %i, %step
  %more = icmp ult i128 %next, %n
  br i1 %more, label %wide, label %between, !llvm.loop !40

between:                                          ; preds = %wide
  br label %narrow

narrow:                                           ; preds = %narrow, %between
  %j = phi i2 [ 0, %between ], [ %next.j, %narrow ]
  store volatile i2 %j, ptr %p, align 1
  %next.j = add i2 %j, %by
  %more.j = icmp ult i2 %next.j, %few
  br i1 %more.j, label %narrow, label %exit, !llvm.loop !41

exit:                                             ; preds = %narrow
  ret void
}

attributes #0 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { convergent }
attributes #3 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: readwrite) }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.full"}
!5 = distinct !{!5, !1}
!6 = distinct !{!6, !1}
!7 = distinct !{!7, !4}
!8 = distinct !{!8, !1}
!9 = distinct !{!9, !1}
!10 = distinct !{!10, !1}
!11 = distinct !{!11, !4}
!12 = distinct !{!12, !1}
!13 = distinct !{!13, !4}
!14 = !{!15}
!15 = distinct !{!15, !16}
!16 = distinct !{!16}
!17 = distinct !{!17, !1}
!18 = distinct !{!18, !1}
!19 = distinct !{!19, !4}
!20 = distinct !{!20, !1}
!21 = distinct !{!21, !22}
!22 = !{!"llvm.loop.unroll.runtime.disable"}
!23 = distinct !{!23, !1}
!24 = distinct !{!24, !4}
!25 = distinct !{!25, !22}
!26 = distinct !{!26, !22}
!27 = distinct !{!27, !22}
!28 = distinct !{!28, !22}
!29 = distinct !{!29, !22}
!30 = distinct !{!30, !22}
!31 = distinct !{!31, !22}
!32 = distinct !{!32, !22}
!33 = distinct !{!33, !22}
!34 = distinct !{!34, !22}
!35 = distinct !{!35, !22}
!36 = distinct !{!36, !22}
!37 = distinct !{!37, !22}
!38 = distinct !{!38, !39}
!39 = !{!"llvm.loop.unroll.count", i32 2}
!40 = distinct !{!40, !22}
!41 = distinct !{!41, !22}
