; run: join_iterations
; A loop with `continue` gets one jump back. Loops that have one, and those with others inside, stay as they are.

declare void @work(i32)

define void @skips(ptr %p, i32 %n) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %body ], [ %next, %rest ]
  %sum = phi i32 [ 1, %0 ], [ %sum, %body ], [ %more, %rest ]
  %done = icmp eq i32 %i, %n
  br i1 %done, label %exit, label %body
body:
  %next = add i32 %i, 1
  %at = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %at
  %skip = icmp eq i32 %x, 0
  br i1 %skip, label %head, label %rest
rest:
  %more = add i32 %sum, %x
  br label %head, !llvm.loop !0
exit:
  call void @work(i32 %sum)
  ret void
}

; Both ways of one branch.
define void @both(ptr %p, i32 %n) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ 5, %head ], [ 5, %head ]
  %x = load volatile i32, ptr %p
  %c = icmp eq i32 %x, 0
  switch i32 %x, label %exit [ i32 0, label %head
                               i32 1, label %head ]
exit:
  call void @work(i32 %i)
  ret void
}

define void @single(ptr %p, i32 %n) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %head ]
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %head
exit:
  ret void
}

; The outer loop of two.
define void @outer(ptr %p, i32 %n) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %head ], [ %next, %inner ]
  %next = add i32 %i, 1
  %x = load volatile i32, ptr %p
  %skip = icmp eq i32 %x, 0
  br i1 %skip, label %head, label %inner
inner:
  %y = load volatile i32, ptr %p
  switch i32 %y, label %inner [ i32 0, label %head
                                i32 1, label %exit ]
exit:
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 2}

; becomes:
declare void @work(i32)

define void @skips(ptr %p, i32 %n) {
  br label %head

head:                                             ; preds = %start, %0
  %1 = phi i32 [ 0, %0 ], [ %3, %start ]
  %2 = phi i32 [ 1, %0 ], [ %4, %start ]
  %done = icmp eq i32 %1, %n
  br i1 %done, label %exit, label %body

body:                                             ; preds = %head
  %next = add i32 %1, 1
  %at = getelementptr i32, ptr %p, i32 %1
  %x = load i32, ptr %at, align 4
  %skip = icmp eq i32 %x, 0
  br i1 %skip, label %start, label %rest

rest:                                             ; preds = %body
  %more = add i32 %2, %x
  br label %start, !llvm.loop !0

exit:                                             ; preds = %head
  call void @work(i32 %2)
  ret void

start:                                            ; preds = %rest, %body
  %3 = phi i32 [ %next, %body ], [ %next, %rest ]
  %4 = phi i32 [ %2, %body ], [ %more, %rest ]
  br label %head, !llvm.loop !0
}

define void @both(ptr %p, i32 %n) {
  br label %head

head:                                             ; preds = %head, %head, %0
  %i = phi i32 [ 0, %0 ], [ 5, %head ], [ 5, %head ]
  %x = load volatile i32, ptr %p, align 4
  %c = icmp eq i32 %x, 0
  switch i32 %x, label %exit [
    i32 0, label %head
    i32 1, label %head
  ]

exit:                                             ; preds = %head
  call void @work(i32 %i)
  ret void
}

define void @single(ptr %p, i32 %n) {
  br label %head

head:                                             ; preds = %head, %0
  %i = phi i32 [ 0, %0 ], [ %next, %head ]
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %head

exit:                                             ; preds = %head
  ret void
}

define void @outer(ptr %p, i32 %n) {
  br label %head

head:                                             ; preds = %inner, %head, %0
  %i = phi i32 [ 0, %0 ], [ %next, %head ], [ %next, %inner ]
  %next = add i32 %i, 1
  %x = load volatile i32, ptr %p, align 4
  %skip = icmp eq i32 %x, 0
  br i1 %skip, label %head, label %inner

inner:                                            ; preds = %inner, %head
  %y = load volatile i32, ptr %p, align 4
  switch i32 %y, label %inner [
    i32 0, label %head
    i32 1, label %exit
  ]

exit:                                             ; preds = %inner
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 2}
