; run: explain_loops
; A pointer beside a counter is compared through the counter; a length that is cut to 32 bits is not
; greater than the whole. A pointer that steps by another size, and a cut number that nobody compares,
; stay. (More of the first kind, and `step_by`, in the unit tests of `explain_loops`.)

define void @enumerate(ptr %x, i64 %n, ptr %y) {
  %end = getelementptr inbounds i32, ptr %x, i64 %n
  br label %loop
loop:
  %p = phi ptr [ %x, %0 ], [ %p.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %i.next, %body ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %body
body:
  %p.next = getelementptr inbounds i8, ptr %p, i64 4
  %i.next = add i64 %i, 1
  %q = getelementptr i8, ptr %y, i64 %i
  store i8 1, ptr %q
  br label %loop
exit:
  ret void
}

define void @every_other(ptr %x, i64 %n, ptr %y) {
  %end = getelementptr inbounds i32, ptr %x, i64 %n
  br label %loop
loop:
  %p = phi ptr [ %x, %0 ], [ %p.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %i.next, %body ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %body
body:
  %p.next = getelementptr inbounds i8, ptr %p, i64 8
  %i.next = add i64 %i, 1
  %q = getelementptr i8, ptr %y, i64 %i
  store i8 1, ptr %q
  br label %loop
exit:
  ret void
}

define i1 @cut_length(i64 %n, i32 %i) {
  %cut = trunc i64 %n to i32
  %below = icmp ult i32 %i, %cut
  ret i1 %below
}

define i32 @cut_number(i64 %n) {
  %cut = trunc i64 %n to i32
  ret i32 %cut
}

; becomes:
define void @enumerate(ptr %x, i64 %n, ptr %y) {
  %end = getelementptr inbounds i32, ptr %x, i64 %n
  br label %loop

loop:                                             ; preds = %body, %0
  %p = phi ptr [ %x, %0 ], [ %p.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %i.next, %body ]
  %1 = icmp uge i64 %i, %n
  br i1 %1, label %exit, label %body

body:                                             ; preds = %loop
  %p.next = getelementptr inbounds i8, ptr %p, i64 4
  %i.next = add i64 %i, 1
  %q = getelementptr i8, ptr %y, i64 %i
  store i8 1, ptr %q, align 1
  br label %loop

exit:                                             ; preds = %loop
  ret void
}

define void @every_other(ptr %x, i64 %n, ptr %y) {
  %end = getelementptr inbounds i32, ptr %x, i64 %n
  br label %loop

loop:                                             ; preds = %body, %0
  %p = phi ptr [ %x, %0 ], [ %p.next, %body ]
  %i = phi i64 [ 0, %0 ], [ %i.next, %body ]
  %done = icmp eq ptr %p, %end
  br i1 %done, label %exit, label %body

body:                                             ; preds = %loop
  %p.next = getelementptr inbounds i8, ptr %p, i64 8
  %i.next = add i64 %i, 1
  %q = getelementptr i8, ptr %y, i64 %i
  store i8 1, ptr %q, align 1
  br label %loop

exit:                                             ; preds = %loop
  ret void
}

define i1 @cut_length(i64 %n, i32 %i) {
  %cut = trunc i64 %n to i32
  %1 = zext i32 %cut to i64
  %2 = icmp ule i64 %1, %n
  call void @llvm.assume(i1 %2)
  %below = icmp ult i32 %i, %cut
  ret i1 %below
}

define i32 @cut_number(i64 %n) {
  %cut = trunc i64 %n to i32
  ret i32 %cut
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #0

attributes #0 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
