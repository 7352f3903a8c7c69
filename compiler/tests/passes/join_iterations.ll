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

; A short loop inside is none once it is unrolled.
define void @short_inside(ptr %p, i32 %n) {
  br label %head
head:
  %i = phi i32 [ 0, %0 ], [ %next, %after ], [ %next, %rest ]
  %next = add i32 %i, 1
  br label %inner
inner:
  %k = phi i32 [ 0, %head ], [ %k.next, %inner ]
  %k.next = add i32 %k, 1
  %end = icmp eq i32 %k, 2
  br i1 %end, label %after, label %inner
after:
  %skip = icmp eq i32 %i, 7
  br i1 %skip, label %head, label %rest
rest:
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %head
exit:
  ret void
}

; The end of a loop over `-1..=1`, reached in two ways, is the end of an iteration of the loop around it.
define void @inclusive(ptr %p, i32 %n) {
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %next, %ends ]
  %next = add i32 %i, 1
  br label %inner
inner:
  %flag = phi i1 [ false, %outer ], [ %last, %body ]
  %k = phi i32 [ -1, %outer ], [ %k.next, %body ]
  br i1 %flag, label %ends, label %test
test:
  %at.end = icmp eq i32 %k, 1
  br label %ends
ends:
  %runs = phi i1 [ false, %inner ], [ true, %test ]
  %last = phi i1 [ true, %inner ], [ %at.end, %test ]
  br i1 %runs, label %body, label %outer
body:
  %k.next = add i32 %k, 1
  %x = icmp eq i32 %k, %n
  br i1 %x, label %exit, label %inner
exit:
  ret void
}

; The same with an end that is no constant.
define void @inclusive_variable(ptr %p, i32 %n) {
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %next, %ends ]
  %next = add i32 %i, 1
  br label %inner
inner:
  %flag = phi i1 [ false, %outer ], [ %last, %body ]
  %k = phi i32 [ -1, %outer ], [ %k.next, %body ]
  br i1 %flag, label %ends, label %test
test:
  %at.end = icmp eq i32 %k, %n
  br label %ends
ends:
  %runs = phi i1 [ false, %inner ], [ true, %test ]
  %last = phi i1 [ true, %inner ], [ %at.end, %test ]
  br i1 %runs, label %body, label %outer
body:
  %k.next = add i32 %k, 1
  %x = icmp eq i32 %k, %i
  br i1 %x, label %exit, label %inner
exit:
  ret void
}

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

define void @short_inside(ptr %p, i32 %n) {
  br label %head

head:                                             ; preds = %start, %0
  %1 = phi i32 [ 0, %0 ], [ %2, %start ]
  %next = add i32 %1, 1
  br label %inner

inner:                                            ; preds = %inner, %head
  %k = phi i32 [ 0, %head ], [ %k.next, %inner ]
  %k.next = add i32 %k, 1
  %end = icmp eq i32 %k, 2
  br i1 %end, label %after, label %inner

after:                                            ; preds = %inner
  %skip = icmp eq i32 %1, 7
  br i1 %skip, label %start, label %rest

rest:                                             ; preds = %after
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %start

exit:                                             ; preds = %rest
  ret void

start:                                            ; preds = %rest, %after
  %2 = phi i32 [ %next, %after ], [ %next, %rest ]
  br label %head
}

define void @inclusive(ptr %p, i32 %n) {
  br label %outer

outer:                                            ; preds = %start, %0
  %1 = phi i32 [ 0, %0 ], [ %2, %start ]
  %next = add i32 %1, 1
  br label %inner

inner:                                            ; preds = %body, %outer
  %flag = phi i1 [ false, %outer ], [ %last, %body ]
  %k = phi i32 [ -1, %outer ], [ %k.next, %body ]
  br i1 %flag, label %ends, label %test

test:                                             ; preds = %inner
  %at.end = icmp eq i32 %k, 1
  br label %ends

ends:                                             ; preds = %test, %inner
  %runs = phi i1 [ false, %inner ], [ true, %test ]
  %last = phi i1 [ true, %inner ], [ %at.end, %test ]
  br i1 %runs, label %body, label %start

body:                                             ; preds = %ends
  %k.next = add i32 %k, 1
  %x = icmp eq i32 %k, %n
  br i1 %x, label %exit, label %inner

exit:                                             ; preds = %body
  ret void

start:                                            ; preds = %ends
  %2 = phi i32 [ %next, %ends ]
  br label %outer
}

define void @inclusive_variable(ptr %p, i32 %n) {
  br label %outer

outer:                                            ; preds = %ends, %0
  %i = phi i32 [ 0, %0 ], [ %next, %ends ]
  %next = add i32 %i, 1
  br label %inner

inner:                                            ; preds = %body, %outer
  %flag = phi i1 [ false, %outer ], [ %last, %body ]
  %k = phi i32 [ -1, %outer ], [ %k.next, %body ]
  br i1 %flag, label %ends, label %test

test:                                             ; preds = %inner
  %at.end = icmp eq i32 %k, %n
  br label %ends

ends:                                             ; preds = %test, %inner
  %runs = phi i1 [ false, %inner ], [ true, %test ]
  %last = phi i1 [ true, %inner ], [ %at.end, %test ]
  br i1 %runs, label %body, label %outer

body:                                             ; preds = %ends
  %k.next = add i32 %k, 1
  %x = icmp eq i32 %k, %i
  br i1 %x, label %exit, label %inner

exit:                                             ; preds = %body
  ret void
}

!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.count", i32 2}
