; run: keep_small
; After LLVM has made copies of loops: the copy whose answer is yes stays as it is, and loses its checks later. The copy
; whose answer is no makes its checks, and is not to be unrolled. Where LLVM made no copy, the question goes, and an
; extension that was exact in the copy no longer is. A loop without a question is left alone.

declare void @panic() noreturn
declare void @barrier() convergent

define void @copies(i1 %all, i64 %len, i64 %n) {
  br i1 %all, label %fast, label %slow
fast:
  %i = phi i64 [ 0, %0 ], [ %next, %fast.body ]
  %holds = icmp ult i64 %i, %len
  %asks = or i1 true, %holds
  br i1 %asks, label %fast.body, label %fail, !ptyx.asks !0
fast.body:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %fast
slow:
  %j = phi i64 [ 0, %0 ], [ %j.next, %slow.body ]
  %j.holds = icmp ult i64 %j, %len
  %j.asks = or i1 false, %j.holds
  br i1 %j.asks, label %slow.body, label %fail, !ptyx.asks !0
slow.body:
  %j.next = add i64 %j, 1
  %j.done = icmp eq i64 %j.next, %n
  br i1 %j.done, label %exit, label %slow
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @no_copy(i1 %all, i64 %len, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %at = zext i32 %i to i64, !ptyx.exact !0
  %holds = icmp ult i64 %at, %len
  %asks = or i1 %all, %holds
  br i1 %asks, label %body, label %fail, !ptyx.asks !0
body:
  call void @barrier()
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @no_question(i1 %all, i64 %len, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %at = zext i32 %i to i64, !ptyx.exact !0
  %holds = icmp ult i64 %at, %len
  %asks = or i1 %all, %holds
  br i1 %asks, label %body, label %fail
body:
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

!0 = !{}

; becomes:
; Function Attrs: noreturn
declare void @panic() #0

; Function Attrs: convergent
declare void @barrier() #1

define void @copies(i1 %all, i64 %len, i64 %n) {
  br i1 %all, label %fast, label %slow

fast:                                             ; preds = %fast.body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %fast.body ]
  %holds = icmp ult i64 %i, %len
  %asks = or i1 true, %holds
  br i1 %asks, label %fast.body, label %fail

fast.body:                                        ; preds = %fast
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %fast

slow:                                             ; preds = %slow.body, %0
  %j = phi i64 [ 0, %0 ], [ %j.next, %slow.body ]
  %j.holds = icmp ult i64 %j, %len
  %j.asks = or i1 false, %j.holds
  br i1 %j.holds, label %slow.body, label %fail

slow.body:                                        ; preds = %slow
  %j.next = add i64 %j, 1
  %j.done = icmp eq i64 %j.next, %n
  br i1 %j.done, label %exit, label %slow, !llvm.loop !0

fail:                                             ; preds = %slow, %fast
  call void @panic()
  unreachable

exit:                                             ; preds = %slow.body, %fast.body
  ret void
}

define void @no_copy(i1 %all, i64 %len, i32 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %at = zext i32 %i to i64
  %holds = icmp ult i64 %at, %len
  %asks = or i1 %all, %holds
  br i1 %holds, label %body, label %fail

body:                                             ; preds = %loop
  call void @barrier()
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @no_question(i1 %all, i64 %len, i32 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  %at = zext i32 %i to i64, !ptyx.exact !3
  %holds = icmp ult i64 %at, %len
  %asks = or i1 %all, %holds
  br i1 %asks, label %body, label %fail

body:                                             ; preds = %loop
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { convergent }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = !{}
