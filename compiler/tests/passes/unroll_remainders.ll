; run: unroll_remainders
; The iterations that LLVM has left of a loop which it has unrolled by four, and one that is none.

define void @remainder(ptr %p, i32 %n) {
start:
  %xtraiter = and i32 %n, 3
  %none = icmp eq i32 %xtraiter, 0
  br i1 %none, label %end, label %prol
prol:
  %i = phi i64 [ 0, %start ], [ %next, %prol ]
  %prol.iter = phi i32 [ 0, %start ], [ %prol.iter.next, %prol ]
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add nuw nsw i64 %i, 1
  %prol.iter.next = add i32 %prol.iter, 1
  %prol.iter.cmp = icmp ne i32 %prol.iter.next, %xtraiter
  br i1 %prol.iter.cmp, label %prol, label %end, !llvm.loop !0
end:
  ret void
}

define void @loop(ptr %p, i32 %n) {
start:
  %few = and i32 %n, 3
  %none = icmp eq i32 %few, 0
  br i1 %none, label %end, label %again
again:
  %i = phi i64 [ 0, %start ], [ %next, %again ]
  %count = phi i32 [ 0, %start ], [ %count.next, %again ]
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add nuw nsw i64 %i, 1
  %count.next = add i32 %count, 1
  %goes.on = icmp ne i32 %count.next, %few
  br i1 %goes.on, label %again, label %end, !llvm.loop !2
end:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !1}

; becomes:
define void @remainder(ptr %p, i32 %n) {
start:
  %xtraiter = and i32 %n, 3
  %none = icmp eq i32 %xtraiter, 0
  br i1 %none, label %end, label %prol

prol:                                             ; preds = %start
  store i32 1, ptr %p, align 4
  %prol.iter.cmp = icmp ne i32 1, %xtraiter
  br i1 %prol.iter.cmp, label %prol.1, label %end

prol.1:                                           ; preds = %prol
  %at.1 = getelementptr i32, ptr %p, i64 1
  store i32 1, ptr %at.1, align 4
  %prol.iter.cmp.1 = icmp ne i32 2, %xtraiter
  br i1 %prol.iter.cmp.1, label %prol.2, label %end

prol.2:                                           ; preds = %prol.1
  %at.2 = getelementptr i32, ptr %p, i64 2
  store i32 1, ptr %at.2, align 4
  br label %end

end:                                              ; preds = %prol, %prol.1, %prol.2, %start
  ret void
}

define void @loop(ptr %p, i32 %n) {
start:
  %few = and i32 %n, 3
  %none = icmp eq i32 %few, 0
  br i1 %none, label %end, label %again

again:                                            ; preds = %start, %again
  %i = phi i64 [ %next, %again ], [ 0, %start ]
  %count = phi i32 [ %count.next, %again ], [ 0, %start ]
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add nuw nsw i64 %i, 1
  %count.next = add i32 %count, 1
  %goes.on = icmp ne i32 %count.next, %few
  br i1 %goes.on, label %again, label %end, !llvm.loop !0

end:                                              ; preds = %again, %start
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
