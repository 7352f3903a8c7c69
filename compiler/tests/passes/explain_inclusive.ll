; run: explain_loops
; A loop over an inclusive range counts past its end: without a flag where the end is a constant, to a number that
; is found before the loop where the start is, else with a wider counter. The whole of a type, a counter that is used
; after the loop, and a flag that is something else stay.

declare void @use(i32)

define void @to_constant(i32 %start) {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ %start, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp sgt i32 %i, 32
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, 32
  br i1 %last, label %latch, label %step
step:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %next = extractvalue { i32, i1 } %sum, 0
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  %unused = phi i1 [ true, %loop ], [ false, %test ]
  ret void
}

define void @from_constant(i32 %end) {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i32 %i, %end
  br i1 %past, label %exit, label %body
body:
  %more = icmp ne i32 %i, %end
  br i1 %more, label %step, label %latch
step:
  %next = add i32 %i, 1
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @between(i32 %start, i32 %end) {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ %start, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp sgt i32 %i, %end
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, %end
  br i1 %last, label %latch, label %step
step:
  %next = add i32 %i, 1
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @from_first_in_64_bits(i64 %end) {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i64 [ 0, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i64 %i, %end
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i64 %i, %end
  br i1 %last, label %latch, label %step
step:
  %next = add i64 %i, 1
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i64 [ %i, %body ], [ %next, %step ]
  call void @use(i32 1)
  br label %loop
exit:
  ret void
}

define i32 @used_afterwards() {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, 32
  br i1 %last, label %latch, label %step
step:
  %next = add i32 %i, 1
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  ret i32 %i
}

define i1 @flag_is_used_afterwards() {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, 32
  br i1 %last, label %latch, label %step
step:
  %next = add i32 %i, 1
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  %was.done = phi i1 [ true, %loop ], [ false, %test ]
  ret i1 %was.done
}

define void @steps_by_two() {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, 32
  br i1 %last, label %latch, label %step
step:
  %next = add i32 %i, 2
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @ends_elsewhere() {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, 31
  br i1 %last, label %latch, label %step
step:
  %next = add i32 %i, 1
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

; What jump threading makes of an iteration with a check.
define void @threaded(i32 %n) {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, 32
  br i1 %last, label %ends, label %step
ends:
  call void @use(i32 32)
  br label %latch
step:
  %next = add i32 %i, 1
  %below = icmp ult i32 %i, %n
  br i1 %below, label %goes.on, label %fail
goes.on:
  call void @use(i32 %i)
  br label %latch
latch:
  %done.next = phi i1 [ true, %ends ], [ false, %goes.on ]
  %i.next = phi i32 [ 32, %ends ], [ %next, %goes.on ]
  br label %loop
fail:
  call void @use(i32 0)
  unreachable
exit:
  ret void
}

; The flag of an iteration that may have been the last.
define void @guessed(i1 %any) {
  br label %loop
loop:
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test
test:
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body
body:
  %last = icmp eq i32 %i, 32
  %either = or i1 %last, %any
  br i1 %either, label %latch, label %step
step:
  %next = add i32 %i, 1
  br label %latch
latch:
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

; becomes:
declare void @use(i32)

define void @to_constant(i32 %start) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ %start, %0 ], [ %1, %latch ]
  br i1 false, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp sgt i32 %i, 32
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, 32
  %1 = add i32 %i, 1
  br i1 %last, label %latch, label %step

step:                                             ; preds = %body
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %next = extractvalue { i32, i1 } %sum, 0
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  %unused = phi i1 [ true, %loop ], [ false, %test ]
  ret void
}

define void @from_constant(i32 %end) {
  %1 = icmp ugt i32 1, %end
  %2 = add i32 %end, 1
  %3 = select i1 %1, i32 1, i32 %2
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %5, %latch ]
  %4 = icmp eq i32 %i, %3
  br i1 %4, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i32 %i, %end
  br i1 false, label %exit, label %body

body:                                             ; preds = %test
  %more = icmp ne i32 %i, %end
  %5 = add i32 %i, 1
  br i1 %more, label %step, label %latch

step:                                             ; preds = %body
  %next = add i32 %i, 1
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @between(i32 %start, i32 %end) {
  %1 = icmp sgt i32 %start, %end
  %2 = sext i32 %start to i64
  %3 = sext i32 %end to i64
  %4 = add i64 %3, 1
  %5 = select i1 %1, i64 %2, i64 %4
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %6 = phi i64 [ %2, %0 ], [ %8, %latch ]
  %i = phi i32 [ %start, %0 ], [ %9, %latch ]
  %7 = icmp eq i64 %6, %5
  br i1 %7, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp sgt i32 %i, %end
  br i1 false, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, %end
  %8 = add i64 %6, 1
  %9 = add i32 %i, 1
  br i1 %last, label %latch, label %step

step:                                             ; preds = %body
  %next = add i32 %i, 1
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @from_first_in_64_bits(i64 %end) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i64 [ 0, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i64 %i, %end
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i64 %i, %end
  br i1 %last, label %latch, label %step

step:                                             ; preds = %body
  %next = add i64 %i, 1
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i64 [ %i, %body ], [ %next, %step ]
  call void @use(i32 1)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define i32 @used_afterwards() {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, 32
  br i1 %last, label %latch, label %step

step:                                             ; preds = %body
  %next = add i32 %i, 1
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret i32 %i
}

define i1 @flag_is_used_afterwards() {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, 32
  br i1 %last, label %latch, label %step

step:                                             ; preds = %body
  %next = add i32 %i, 1
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  %was.done = phi i1 [ true, %loop ], [ false, %test ]
  ret i1 %was.done
}

define void @steps_by_two() {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, 32
  br i1 %last, label %latch, label %step

step:                                             ; preds = %body
  %next = add i32 %i, 2
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @ends_elsewhere() {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, 31
  br i1 %last, label %latch, label %step

step:                                             ; preds = %body
  %next = add i32 %i, 1
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @threaded(i32 %n) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %1, %latch ]
  br i1 false, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, 32
  %1 = add i32 %i, 1
  br i1 %last, label %ends, label %step

ends:                                             ; preds = %body
  call void @use(i32 32)
  br label %latch

step:                                             ; preds = %body
  %next = add i32 %i, 1
  %below = icmp ult i32 %i, %n
  br i1 %below, label %goes.on, label %fail

goes.on:                                          ; preds = %step
  call void @use(i32 %i)
  br label %latch

latch:                                            ; preds = %goes.on, %ends
  %done.next = phi i1 [ true, %ends ], [ false, %goes.on ]
  %i.next = phi i32 [ 32, %ends ], [ %next, %goes.on ]
  br label %loop

fail:                                             ; preds = %step
  call void @use(i32 0)
  unreachable

exit:                                             ; preds = %test, %loop
  ret void
}

define void @guessed(i1 %any) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %done = phi i1 [ false, %0 ], [ %done.next, %latch ]
  %i = phi i32 [ 1, %0 ], [ %i.next, %latch ]
  br i1 %done, label %exit, label %test

test:                                             ; preds = %loop
  %past = icmp ugt i32 %i, 32
  br i1 %past, label %exit, label %body

body:                                             ; preds = %test
  %last = icmp eq i32 %i, 32
  %either = or i1 %last, %any
  br i1 %either, label %latch, label %step

step:                                             ; preds = %body
  %next = add i32 %i, 1
  br label %latch

latch:                                            ; preds = %step, %body
  %done.next = phi i1 [ true, %body ], [ false, %step ]
  %i.next = phi i32 [ %i, %body ], [ %next, %step ]
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #1

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
