; run: hold_back_unrolling, unroll_checked_loops
; A short loop with a check is unrolled four times. One that is left by a `break`, that calls something,
; or that counts by two, is only held back; one with a single end is left to LLVM.

declare void @panic(i64) noreturn
declare void @unknown()

define void @checked(ptr %p, i64 %n, i64 %len) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

; So is one with a relaxed store.
define void @relaxed(ptr %p, i64 %n, i64 %len) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store atomic i32 1, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

define void @breaks(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %value = load i32, ptr %at
  %zero = icmp eq i32 %value, 0
  br i1 %zero, label %exit, label %body
body:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

define void @calls(i64 %n, i64 %len) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  call void @unknown()
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

define void @counts_by_two(ptr %p, i64 %n, i64 %len) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 2
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

define void @one_end(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; `version_loops` has held these back. A few iterations of the first are all there are: it is left to LLVM.
define void @known(ptr %p, i64 %len) {
  br label %loop
loop:
  %left = phi i64 [ 4, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !0
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

; Many are not.
define void @many(ptr %p, i64 %len) {
  br label %loop
loop:
  %left = phi i64 [ 60, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !1
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

; Nor is how many there are if that is not known.
define void @unknown_count(ptr %p, i64 %len, i64 %n) {
  br label %loop
loop:
  %left = phi i64 [ %n, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !2
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

; What it calls must not be moved.
define void @known_call(ptr %p, i64 %len) {
  br label %loop
loop:
  %left = phi i64 [ 4, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail
body:
  call void @unknown()
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !3
exit:
  ret void
fail:
  call void @panic(i64 %i)
  unreachable
}

!0 = distinct !{!0, !4, !5}
!1 = distinct !{!1, !4, !5}
!2 = distinct !{!2, !4, !5}
!3 = distinct !{!3, !4, !5}
!4 = !{!"llvm.loop.unroll.runtime.disable"}
!5 = !{!"llvm.loop.unroll.disable"}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

declare void @unknown()

define void @checked(ptr %p, i64 %n, i64 %len) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !0

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

define void @relaxed(ptr %p, i64 %n, i64 %len) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store atomic i32 1, ptr %at syncscope("device") monotonic, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !2

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

define void @breaks(ptr %p, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  %value = load i32, ptr %at, align 4
  %zero = icmp eq i32 %value, 0
  br i1 %zero, label %exit, label %body

body:                                             ; preds = %loop
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !3

exit:                                             ; preds = %body, %loop
  ret void
}

define void @calls(i64 %n, i64 %len) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  call void @unknown()
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !5

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

define void @counts_by_two(ptr %p, i64 %n, i64 %len) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 2
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !6

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

define void @one_end(ptr %p, i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop, !llvm.loop !7

exit:                                             ; preds = %loop
  ret void
}

define void @known(ptr %p, i64 %len) {
  br label %loop

loop:                                             ; preds = %body, %0
  %left = phi i64 [ 4, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !8

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

define void @many(ptr %p, i64 %len) {
  br label %loop

loop:                                             ; preds = %body, %0
  %left = phi i64 [ 60, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !9

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

define void @unknown_count(ptr %p, i64 %len, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %left = phi i64 [ %n, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !11

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

define void @known_call(ptr %p, i64 %len) {
  br label %loop

loop:                                             ; preds = %body, %0
  %left = phi i64 [ 4, %0 ], [ %left.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %in = icmp ult i64 %i, %len
  br i1 %in, label %body, label %fail

body:                                             ; preds = %loop
  call void @unknown()
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at, align 4
  %next = add i64 %i, 32
  %left.next = add i64 %left, -1
  %done = icmp eq i64 %left.next, 0
  br i1 %done, label %exit, label %loop, !llvm.loop !12

exit:                                             ; preds = %body
  ret void

fail:                                             ; preds = %loop
  call void @panic(i64 %i)
  unreachable
}

attributes #0 = { noreturn }

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 4}
!2 = distinct !{!2, !1}
!3 = distinct !{!3, !4}
!4 = !{!"llvm.loop.unroll.runtime.disable"}
!5 = distinct !{!5, !4}
!6 = distinct !{!6, !4}
!7 = distinct !{!7}
!8 = distinct !{!8}
!9 = distinct !{!9, !4, !10}
!10 = !{!"llvm.loop.unroll.disable"}
!11 = distinct !{!11, !1}
!12 = distinct !{!12, !4, !10}
