; run: unroll_known_loops
; Loops whose counter doubles or halves between constants are unrolled fully. Not those that end at a run-time limit, run too
; often, or say themselves how to unroll them.

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

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}

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

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.disable"}
