; run: explain_loops
; Steps of a range of numbers with a sign: rounds are counted before the loop, and down in it, and the index steps. Loops that count
; otherwise, and those whose step may be as large as half of the type, stay.

declare void @use(i32)
declare i32 @end()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

define void @constant(i32 %a, i32 %n) {
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @used_behind(i32 %a, i32 %n) {
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
exit:
  %last = phi i32 [ %i, %loop ], [ %i, %test ]
  call void @use(i32 %last)
  ret void
}

define void @variable(i32 %a, i32 %n, i32 %skipped) {
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ %skipped, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @of_a_register(i32 %a, i32 %n) {
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !range !0
  %skipped = add i32 %extent, -1
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ %skipped, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @an_end_that_changes(i32 %a, i32 %n) {
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %end = call i32 @end()
  %below = icmp slt i32 %i, %end
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @skips_at_first(i32 %a, i32 %n) {
  br label %loop
loop:
  %take = phi i32 [ 1, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @no_sign(i32 %a, i32 %n) {
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %below = icmp ult i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @two_more(i32 %a, i32 %n) {
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test
test:
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %behind = add i32 %i, 2
  call void @use(i32 %i)
  br label %loop
exit:
  ret void
}

define void @the_other_end(i32 %a, i32 %n) {
  br label %loop
loop:
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %elsewhere, label %test
test:
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit
body:
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop
elsewhere:
  call void @use(i32 7)
  br label %exit
exit:
  ret void
}

!0 = !{i32 1, i32 1025}

; becomes:
declare void @use(i32)

declare i32 @end()

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #0

define void @constant(i32 %a, i32 %n) {
  %1 = icmp slt i32 %a, %n
  %2 = sub i32 %n, 1
  %3 = sub i32 %2, %a
  %4 = udiv i32 %3, 32
  %5 = add i32 %4, 1
  %6 = select i1 %1, i32 %5, i32 0
  %7 = freeze i32 %6
  br label %loop

loop:                                             ; preds = %body, %0
  %8 = phi i32 [ %a, %0 ], [ %12, %body ]
  %9 = phi i32 [ %7, %0 ], [ %13, %body ]
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %8, %from
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %8, %n
  %11 = icmp slt i32 %8, %n
  call void @llvm.assume(i1 %11)
  br i1 true, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %8, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %8)
  %12 = add nsw i32 %8, 32
  %13 = add i32 %9, -1
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @used_behind(i32 %a, i32 %n) {
  %1 = icmp slt i32 %a, %n
  %2 = sub i32 %n, 1
  %3 = sub i32 %2, %a
  %4 = udiv i32 %3, 32
  %5 = add i32 %4, 1
  %6 = select i1 %1, i32 %5, i32 0
  %7 = freeze i32 %6
  br label %loop

loop:                                             ; preds = %body, %0
  %8 = phi i32 [ %a, %0 ], [ %12, %body ]
  %9 = phi i32 [ %7, %0 ], [ %13, %body ]
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %8, %from
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %8, %n
  %11 = icmp slt i32 %8, %n
  call void @llvm.assume(i1 %11)
  br i1 true, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %8, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %8)
  %12 = add i32 %8, 32
  %13 = add i32 %9, -1
  br label %loop

exit:                                             ; preds = %test, %loop
  %last = phi i32 [ %8, %loop ], [ %8, %test ]
  call void @use(i32 %last)
  ret void
}

define void @variable(i32 %a, i32 %n, i32 %skipped) {
  br label %loop

loop:                                             ; preds = %body, %0
  %take = phi i32 [ 0, %0 ], [ %skipped, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @of_a_register(i32 %a, i32 %n) {
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !range !0
  %skipped = add i32 %extent, -1
  %1 = add i32 %skipped, 1
  %2 = icmp slt i32 %a, %n
  %3 = sub i32 %n, 1
  %4 = sub i32 %3, %a
  %5 = udiv i32 %4, %1
  %6 = add i32 %5, 1
  %7 = select i1 %2, i32 %6, i32 0
  %8 = freeze i32 %7
  br label %loop

loop:                                             ; preds = %body, %0
  %9 = phi i32 [ %a, %0 ], [ %13, %body ]
  %10 = phi i32 [ %8, %0 ], [ %14, %body ]
  %take = phi i32 [ 0, %0 ], [ %skipped, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %9, %from
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %9, %n
  %12 = icmp slt i32 %9, %n
  call void @llvm.assume(i1 %12)
  br i1 true, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %9, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %9)
  %13 = add nsw i32 %9, %1
  %14 = add i32 %10, -1
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @an_end_that_changes(i32 %a, i32 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test

test:                                             ; preds = %loop
  %end = call i32 @end()
  %below = icmp slt i32 %i, %end
  br i1 %below, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @skips_at_first(i32 %a, i32 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %take = phi i32 [ 1, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @no_sign(i32 %a, i32 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp ult i32 %i, %n
  br i1 %below, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @two_more(i32 %a, i32 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit

body:                                             ; preds = %test
  %behind = add i32 %i, 2
  call void @use(i32 %i)
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @the_other_end(i32 %a, i32 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %i, %from
  br i1 %over, label %elsewhere, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %i, %n
  br i1 %below, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %i, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %i)
  br label %loop

elsewhere:                                        ; preds = %loop
  call void @use(i32 7)
  br label %exit

exit:                                             ; preds = %elsewhere, %test
  ret void
}

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #2

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }

!0 = !{i32 1, i32 1025}
