; run: mark_unrolled_loops
; The marker's loop is the innermost around it: fully, never, four times, at each of its jumps back. Outside of a loop,
; and in one that never repeats, it goes. Loops without a marker, such as the one around, stay.

declare void @__ptyx_unroll(i32)

define void @fully(i64 %n) {
  br label %outer
outer:
  %i = phi i64 [ 0, %0 ], [ %i.next, %outer.end ]
  br label %inner
inner:
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  call void @__ptyx_unroll(i32 0)
  %j.next = add i64 %j, 1
  %j.done = icmp eq i64 %j.next, 4
  br i1 %j.done, label %outer.end, label %inner
outer.end:
  %i.next = add i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %exit, label %outer
exit:
  ret void
}

define void @never(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  call void @__ptyx_unroll(i32 1)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @four_times(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  call void @__ptyx_unroll(i32 4)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @no_loop() {
  call void @__ptyx_unroll(i32 0)
  ret void
}

define void @two_jumps_back(i64 %n, i1 %which) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %one ], [ %next, %two ]
  call void @__ptyx_unroll(i32 2)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %more
more:
  br i1 %which, label %one, label %two
one:
  br label %loop
two:
  br label %loop
exit:
  ret void
}

define void @never_repeats(i1 %which) {
  br i1 %which, label %once, label %exit
once:
  call void @__ptyx_unroll(i32 0)
  br label %exit
exit:
  ret void
}

define void @unmarked(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; becomes:
declare void @__ptyx_unroll(i32)

define void @fully(i64 %n) {
  br label %outer

outer:                                            ; preds = %outer.end, %0
  %i = phi i64 [ 0, %0 ], [ %i.next, %outer.end ]
  br label %inner

inner:                                            ; preds = %inner, %outer
  %j = phi i64 [ 0, %outer ], [ %j.next, %inner ]
  %j.next = add i64 %j, 1
  %j.done = icmp eq i64 %j.next, 4
  br i1 %j.done, label %outer.end, label %inner, !llvm.loop !0

outer.end:                                        ; preds = %inner
  %i.next = add i64 %i, 1
  %i.done = icmp eq i64 %i.next, %n
  br i1 %i.done, label %exit, label %outer

exit:                                             ; preds = %outer.end
  ret void
}

define void @never(i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !2

exit:                                             ; preds = %loop
  ret void
}

define void @four_times(i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !4

exit:                                             ; preds = %loop
  ret void
}

define void @no_loop() {
  ret void
}

define void @two_jumps_back(i64 %n, i1 %which) {
  br label %loop

loop:                                             ; preds = %two, %one, %0
  %i = phi i64 [ 0, %0 ], [ %next, %one ], [ %next, %two ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %more

more:                                             ; preds = %loop
  br i1 %which, label %one, label %two

one:                                              ; preds = %more
  br label %loop, !llvm.loop !6

two:                                              ; preds = %more
  br label %loop, !llvm.loop !6

exit:                                             ; preds = %loop
  ret void
}

define void @never_repeats(i1 %which) {
  br i1 %which, label %once, label %exit

once:                                             ; preds = %0
  br label %exit

exit:                                             ; preds = %once, %0
  ret void
}

define void @unmarked(i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.full"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.count", i32 4}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll.count", i32 2}
