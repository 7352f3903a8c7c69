; run: version_loops
; The whole pass: a loop whose checks can be made before it has two copies, one without the check. A loop with a barrier
; gets no copy, and its check asks nothing any more; one whose index doubles has nothing to ask.

declare void @panic() noreturn
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @copied(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @barrier(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @doubles(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 1, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, %i
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic() #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #1

define void @copied(ptr %p, i64 %len, i64 %n) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = icmp ult i64 %1, -9223372036854775808
  %4 = icmp ult i64 0, %len
  %5 = icmp ult i64 %1, %len
  %6 = freeze i1 %2
  %7 = freeze i1 %3
  %8 = and i1 %6, %7
  %9 = freeze i1 %4
  %10 = and i1 %8, %9
  %11 = freeze i1 %5
  %12 = and i1 %10, %11
  br i1 %12, label %loop.us, label %loop

loop.us:                                          ; preds = %0, %loop.us
  %i.us = phi i64 [ %next.us, %loop.us ], [ 0, %0 ]
  %at.us = getelementptr i32, ptr %p, i64 %i.us
  store i32 1, ptr %at.us, align 4
  %next.us = add i64 %i.us, 1
  %done.us = icmp eq i64 %next.us, %n
  br i1 %done.us, label %exit, label %loop.us

loop:                                             ; preds = %0, %body
  %i = phi i64 [ %next, %body ], [ 0, %0 ]
  %13 = icmp ult i64 %i, %len
  br i1 %13, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !0

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body, %loop.us
  ret void
}

define void @barrier(ptr %p, i64 %len, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %1 = icmp ult i64 %i, %len
  br i1 %1, label %body, label %fail

body:                                             ; preds = %loop
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @doubles(ptr %p, i64 %len, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 1, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, %i
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { convergent nocallback nounwind }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
