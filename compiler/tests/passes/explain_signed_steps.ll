; run: explain_loops
; Steps of a range of numbers with a sign: one comparison with a number that is found before the loop, of an index that steps.
; Loops that count otherwise stay.

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
  %2 = sext i32 %n to i64
  %3 = sub i64 %2, 32
  %4 = icmp slt i64 %3, -2147483648
  %5 = select i1 %4, i64 -2147483648, i64 %3
  %6 = trunc i64 %5 to i32
  %7 = zext i32 %6 to i64
  %8 = icmp ule i64 %7, %5
  call void @llvm.assume(i1 %8)
  br label %loop

loop:                                             ; preds = %body, %0
  %9 = phi i32 [ %a, %0 ], [ %12, %body ]
  %10 = phi i1 [ %1, %0 ], [ %13, %body ]
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %9, %from
  %11 = xor i1 %10, true
  br i1 %11, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %9, %n
  br i1 true, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %9, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %9)
  %12 = add nsw i32 %9, 32
  %13 = icmp slt i32 %9, %6
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @used_behind(i32 %a, i32 %n) {
  %1 = icmp slt i32 %a, %n
  %2 = sext i32 %n to i64
  %3 = sub i64 %2, 32
  %4 = icmp slt i64 %3, -2147483648
  %5 = select i1 %4, i64 -2147483648, i64 %3
  %6 = trunc i64 %5 to i32
  %7 = zext i32 %6 to i64
  %8 = icmp ule i64 %7, %5
  call void @llvm.assume(i1 %8)
  br label %loop

loop:                                             ; preds = %body, %0
  %9 = phi i32 [ %a, %0 ], [ %12, %body ]
  %10 = phi i1 [ %1, %0 ], [ %13, %body ]
  %take = phi i32 [ 0, %0 ], [ 31, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %9, %from
  %11 = xor i1 %10, true
  br i1 %11, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %9, %n
  br i1 true, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %9, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %9)
  %12 = add i32 %9, 32
  %13 = icmp slt i32 %9, %6
  br label %loop

exit:                                             ; preds = %test, %loop
  %last = phi i32 [ %9, %loop ], [ %9, %test ]
  call void @use(i32 %last)
  ret void
}

define void @variable(i32 %a, i32 %n, i32 %skipped) {
  %1 = icmp slt i32 %a, %n
  %2 = zext i32 %skipped to i64
  %3 = sext i32 %n to i64
  %4 = add i64 %2, 1
  %5 = sub i64 %3, %4
  %6 = icmp slt i64 %5, -2147483648
  %7 = select i1 %6, i64 -2147483648, i64 %5
  %8 = trunc i64 %7 to i32
  %9 = zext i32 %8 to i64
  %10 = icmp ule i64 %9, %7
  call void @llvm.assume(i1 %10)
  %11 = trunc i64 %4 to i32
  br label %loop

loop:                                             ; preds = %body, %0
  %12 = phi i32 [ %a, %0 ], [ %15, %body ]
  %13 = phi i1 [ %1, %0 ], [ %16, %body ]
  %take = phi i32 [ 0, %0 ], [ %skipped, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %12, %from
  %14 = xor i1 %13, true
  br i1 %14, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %12, %n
  br i1 true, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %12, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %12)
  %15 = add i32 %12, %11
  %16 = icmp slt i32 %12, %8
  br label %loop

exit:                                             ; preds = %test, %loop
  ret void
}

define void @of_a_register(i32 %a, i32 %n) {
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x(), !range !0
  %skipped = add i32 %extent, -1
  %1 = icmp slt i32 %a, %n
  %2 = zext i32 %skipped to i64
  %3 = sext i32 %n to i64
  %4 = add i64 %2, 1
  %5 = sub i64 %3, %4
  %6 = icmp slt i64 %5, -2147483648
  %7 = select i1 %6, i64 -2147483648, i64 %5
  %8 = trunc i64 %7 to i32
  %9 = zext i32 %8 to i64
  %10 = icmp ule i64 %9, %7
  call void @llvm.assume(i1 %10)
  %11 = trunc i64 %4 to i32
  br label %loop

loop:                                             ; preds = %body, %0
  %12 = phi i32 [ %a, %0 ], [ %15, %body ]
  %13 = phi i1 [ %1, %0 ], [ %16, %body ]
  %take = phi i32 [ 0, %0 ], [ %skipped, %body ]
  %from = phi i32 [ %a, %0 ], [ %behind, %body ]
  %i = add i32 %from, %take
  %over = icmp slt i32 %12, %from
  %14 = xor i1 %13, true
  br i1 %14, label %exit, label %test

test:                                             ; preds = %loop
  %below = icmp slt i32 %12, %n
  br i1 true, label %body, label %exit

body:                                             ; preds = %test
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %12, i32 1)
  %behind = extractvalue { i32, i1 } %sum, 0
  call void @use(i32 %12)
  %15 = add nsw i32 %12, %11
  %16 = icmp slt i32 %12, %8
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
