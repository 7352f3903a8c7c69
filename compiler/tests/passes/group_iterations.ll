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
  br label %inner
inner:
  %i = phi i8 [ 0, %outer ], [ %next, %inner ]
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
