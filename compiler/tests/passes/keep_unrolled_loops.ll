; run: keep_unrolled_loops
; The name of the condition says that LLVM has unrolled a loop; its remainder and other loops stay.

define void @unrolled(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 4
  %niter.ncmp.3 = icmp eq i64 %next, %n
  br i1 %niter.ncmp.3, label %exit, label %loop
exit:
  ret void
}

define void @other(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %epil.iter.cmp = icmp eq i64 %next, %n
  br i1 %epil.iter.cmp, label %exit, label %loop
exit:
  ret void
}

; becomes:
define void @unrolled(i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 4
  %niter.ncmp.3 = icmp eq i64 %next, %n
  br i1 %niter.ncmp.3, label %exit, label %loop, !llvm.loop !0

exit:                                             ; preds = %loop
  ret void
}

define void @other(i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %epil.iter.cmp = icmp eq i64 %next, %n
  br i1 %epil.iter.cmp, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
