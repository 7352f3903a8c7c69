; run: unroll_known_loops
; Loops whose counter doubles or halves between constants are unrolled fully, and so are loops with a constant trip count
; that index a local array. Not those that end at a run-time limit, run too often, say themselves how to unroll them, or
; index other memory.

define void @doubles(ptr %p) {
  br label %loop
loop:
  %half = phi i64 [ 1, %0 ], [ %next, %body ]
  %more = icmp ult i64 %half, 512
  br i1 %more, label %body, label %exit
body:
  store volatile i64 %half, ptr %p
  %next = shl i64 %half, 1
  br label %loop
exit:
  ret void
}

define void @halves(ptr %p) {
  br label %loop
loop:
  %d = phi i32 [ 256, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p
  %next = lshr i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @runtime(ptr %p, i32 %first) {
  br label %loop
loop:
  %d = phi i32 [ %first, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p
  %next = lshr i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @often(ptr %p) {
  br label %loop
loop:
  %d = phi i32 [ 1, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p
  %next = shl i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @asked(ptr %p) {
  br label %loop
loop:
  %d = phi i32 [ 256, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p
  %next = lshr i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !0
exit:
  ret void
}

define i32 @indexes_array(i64 %j) {
  %array = alloca [16 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr [16 x i32], ptr %array, i64 0, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %exit, label %loop
exit:
  %from = getelementptr [16 x i32], ptr %array, i64 0, i64 %j
  %x = load i32, ptr %from
  ret i32 %x
}

define i32 @indexes_array_often(i64 %j) {
  %array = alloca [128 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr [128 x i32], ptr %array, i64 0, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 128
  br i1 %done, label %exit, label %loop
exit:
  %from = getelementptr [128 x i32], ptr %array, i64 0, i64 %j
  %x = load i32, ptr %from
  ret i32 %x
}

define void @indexes_memory(ptr %array) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

; In a loop that is never reached, an address may be made from itself.
define void @never() {
  ret void
loop:
  %at = getelementptr i8, ptr %at, i64 %i
  %i = add i64 %i, 1
  store i8 0, ptr %at
  %more = icmp ult i64 %i, 9
  br i1 %more, label %loop, label %out
out:
  ret void
}

; becomes:
define void @doubles(ptr %p) {
  br label %loop

loop:                                             ; preds = %body, %0
  %half = phi i64 [ 1, %0 ], [ %next, %body ]
  %more = icmp ult i64 %half, 512
  br i1 %more, label %body, label %exit

body:                                             ; preds = %loop
  store volatile i64 %half, ptr %p, align 4
  %next = shl i64 %half, 1
  br label %loop, !llvm.loop !0

exit:                                             ; preds = %loop
  ret void
}

define void @halves(ptr %p) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %d = phi i32 [ 256, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p, align 4
  %next = lshr i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !2

exit:                                             ; preds = %loop
  ret void
}

define void @runtime(ptr %p, i32 %first) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %d = phi i32 [ %first, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p, align 4
  %next = lshr i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @often(ptr %p) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %d = phi i32 [ 1, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p, align 4
  %next = shl i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @asked(ptr %p) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %d = phi i32 [ 256, %0 ], [ %next, %loop ]
  store volatile i32 %d, ptr %p, align 4
  %next = lshr i32 %d, 1
  %done = icmp eq i32 %next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !3

exit:                                             ; preds = %loop
  ret void
}

define i32 @indexes_array(i64 %j) {
  %array = alloca [16 x i32], align 4
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr [16 x i32], ptr %array, i64 0, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %exit, label %loop, !llvm.loop !5

exit:                                             ; preds = %loop
  %from = getelementptr [16 x i32], ptr %array, i64 0, i64 %j
  %x = load i32, ptr %from, align 4
  ret i32 %x
}

define i32 @indexes_array_often(i64 %j) {
  %array = alloca [128 x i32], align 4
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr [128 x i32], ptr %array, i64 0, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 128
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  %from = getelementptr [128 x i32], ptr %array, i64 0, i64 %j
  %x = load i32, ptr %from, align 4
  ret i32 %x
}

define void @indexes_memory(ptr %array) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 16
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @never() {
  ret void

loop:                                             ; preds = %loop
  %at = getelementptr i8, ptr %at, i64 %i
  %i = add i64 %i, 1
  store i8 0, ptr %at, align 1
  %more = icmp ult i64 %i, 9
  br i1 %more, label %loop, label %out

out:                                              ; preds = %loop
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.disable"}
!5 = distinct !{!5, !1}
