; run: ask_before
; The checks of a loop ask first what is calculated before it: whether they succeed in the first and the last iteration,
; which is enough if an index changes by the same amount in each. Copies without checks are made later. A loop stays as it
; is if its only check is one that not every iteration comes to, or one of an index that changes otherwise, or if it is short.

declare void @panic() noreturn

define void @column(i64 %len, i64 %cols, i64 %j, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %row = mul i64 %i, %cols
  %at = add i64 %row, %j
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %body, label %fail
body:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @extended(i64 %len, i32 %cols, i32 %j, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 3, %0 ], [ %next, %latch ]
  %row = mul i32 %i, %cols
  %at32 = add i32 %row, %j
  %at = sext i32 %at32 to i64
  %fails = icmp uge i64 %at, %len
  br i1 %fails, label %fail, label %next.check
next.check:
  %small = icmp ult i32 %i, 64
  %next = add i32 %i, 4
  br i1 %small, label %latch, label %fail
latch:
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @downwards(i64 %len, i32 %n, i8 %byte) {
  br label %loop
loop:
  %i = phi i32 [ %n, %0 ], [ %next, %body ]
  %next = add i32 %i, -1
  %at = zext i32 %next to i64
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %second, label %fail
second:
  %b = zext i8 %byte to i64
  %ok.too = icmp ugt i64 %len, %b
  br i1 %ok.too, label %body, label %fail
body:
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %exit
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @not_in_every_iteration(i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i64 %i, %m
  br i1 %asks, label %check, label %latch
check:
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %latch, label %fail
latch:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @square(i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = mul i64 %i, %i
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %body, label %fail
body:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @doubles(i64 %len, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 1, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %next = add i64 %i, %i
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @changing_length(ptr %lens, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %len = load i64, ptr %lens
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @seven(i64 %len, i64 %j) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = add i64 %i, %j
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %body, label %fail
body:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 7
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @local_array(i64 %len, i64 %n) {
  %array = alloca [8 x i32]
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %wrapped = and i64 %i, 7
  %p = getelementptr i32, ptr %array, i64 %wrapped
  store i32 1, ptr %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

define void @ends_with_the_check(i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %ok = icmp ult i64 %next, %n
  br i1 %ok, label %loop, label %fail
fail:
  call void @panic()
  unreachable
}

; The loop ends where an iteration starts, or early, by what is loaded.
define i64 @search(ptr %a, i64 %len, i64 %n, i32 %wanted) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ends = icmp eq i64 %i, %n
  br i1 %ends, label %exit, label %test
test:
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %next = add i64 %i, 1
  %at = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %at
  %found = icmp eq i32 %x, %wanted
  br i1 %found, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret i64 %i
}

; Only the check ends it: it must stay.
define i64 @endless(ptr %a, i64 %len, i32 %wanted) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %next = add i64 %i, 1
  %at = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %at
  %found = icmp eq i32 %x, %wanted
  br i1 %found, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret i64 %i
}

; A check of several parts, of which a later one may be poison if an earlier one fails.
define void @parts(i64 %len, i64 %k, i64 %n) {
  %rest = sub nuw i64 %len, %k
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %inside = icmp ule i64 %k, %len
  %ok = icmp ult i64 %i, %rest
  %both = select i1 %inside, i1 %ok, i1 false
  br i1 %both, label %body, label %fail
body:
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; A check with two parts, of which the second is of what is loaded: it stays whole, in each iteration. So nothing is asked of the
; loop, and the index of its first part is not marked as exact.
define void @half_of_a_check(ptr %p, i32 %first, i64 %len, i64 %n, i64 %m) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %j = phi i32 [ %first, %0 ], [ %next.j, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail
body:
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at
  %wide = sext i32 %j to i64
  %ok.j = icmp ult i64 %wide, %m
  %ok.x = icmp ult i64 %x, %m
  %both = select i1 %ok.j, i1 %ok.x, i1 false
  br i1 %both, label %latch, label %fail
latch:
  %next = add i64 %i, 1
  %next.j = add i32 %j, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @panic()
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic() #0

define void @column(i64 %len, i64 %cols, i64 %j, i64 %n) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = add i64 %j, 2305843009213693952
  %4 = icmp ult i64 %3, 4611686018427387904
  %5 = add i64 %cols, 2147483648
  %6 = icmp ult i64 %5, 4294967296
  %7 = mul i64 %cols, %1
  %8 = add i64 %j, %7
  %9 = icmp ult i64 %j, -9223372036854775808
  %10 = icmp ult i64 %8, -9223372036854775808
  %11 = icmp ult i64 %j, %len
  %12 = icmp ult i64 %8, %len
  %13 = freeze i1 %2
  %14 = freeze i1 %4
  %15 = and i1 %13, %14
  %16 = freeze i1 %6
  %17 = and i1 %15, %16
  %18 = freeze i1 %9
  %19 = and i1 %17, %18
  %20 = freeze i1 %10
  %21 = and i1 %19, %20
  %22 = freeze i1 %11
  %23 = and i1 %21, %22
  %24 = freeze i1 %12
  %25 = and i1 %23, %24
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %row = mul i64 %i, %cols
  %at = add i64 %row, %j
  %ok = icmp ult i64 %at, %len
  %26 = icmp ult i64 %at, %len
  %27 = or i1 %25, %26
  br i1 %27, label %body, label %fail, !ptyx.asks !0

body:                                             ; preds = %loop
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @extended(i64 %len, i32 %cols, i32 %j, i32 %n) {
  %1 = icmp slt i32 %n, 2147483643
  %2 = sub i32 %n, 7
  %3 = add i32 %2, 3
  %4 = udiv i32 %3, 4
  %5 = icmp slt i32 7, %n
  %6 = select i1 %5, i32 %4, i32 0
  %7 = zext i32 %6 to i64
  %8 = icmp ult i64 %7, 2147483648
  %9 = mul i32 3, %cols
  %10 = mul i32 4, %cols
  %11 = add i32 %9, %j
  %12 = sext i32 %11 to i64
  %13 = sext i32 %10 to i64
  %14 = mul i64 %13, %7
  %15 = add i64 %12, %14
  %16 = add i64 %15, 2147483648
  %17 = icmp ult i64 %16, 4294967296
  %18 = add i64 %12, 2305843009213693952
  %19 = icmp ult i64 %18, 4611686018427387904
  %20 = add i64 %13, 2147483648
  %21 = icmp ult i64 %20, 4294967296
  %22 = icmp ult i64 %12, -9223372036854775808
  %23 = icmp ult i64 %15, -9223372036854775808
  %24 = icmp ult i64 %12, %len
  %25 = icmp ult i64 %15, %len
  %26 = mul i64 4, %7
  %27 = add i64 3, %26
  %28 = icmp ult i64 %27, 64
  %29 = freeze i1 %1
  %30 = freeze i1 %8
  %31 = and i1 %29, %30
  %32 = freeze i1 %17
  %33 = and i1 %31, %32
  %34 = freeze i1 %19
  %35 = and i1 %33, %34
  %36 = freeze i1 %21
  %37 = and i1 %35, %36
  %38 = freeze i1 %22
  %39 = and i1 %37, %38
  %40 = freeze i1 %23
  %41 = and i1 %39, %40
  %42 = freeze i1 %24
  %43 = and i1 %41, %42
  %44 = freeze i1 %25
  %45 = and i1 %43, %44
  %46 = freeze i1 true
  %47 = and i1 %45, %46
  %48 = freeze i1 %28
  %49 = and i1 %47, %48
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i32 [ 3, %0 ], [ %next, %latch ]
  %row = mul i32 %i, %cols
  %at32 = add i32 %row, %j
  %at = sext i32 %at32 to i64, !ptyx.exact !0
  %fails = icmp uge i64 %at, %len
  %50 = icmp ult i64 %at, %len
  %51 = or i1 %49, %50
  br i1 %51, label %next.check, label %fail, !ptyx.asks !0

next.check:                                       ; preds = %loop
  %small = icmp ult i32 %i, 64
  %next = add i32 %i, 4
  %52 = icmp ult i32 %i, 64
  %53 = or i1 %49, %52
  br i1 %53, label %latch, label %fail, !ptyx.asks !0

latch:                                            ; preds = %next.check
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit

fail:                                             ; preds = %next.check, %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %latch
  ret void
}

define void @downwards(i64 %len, i32 %n, i8 %byte) {
  %1 = add i32 %n, -1
  %2 = sub i32 %1, 0
  %3 = zext i32 %2 to i64
  %4 = icmp ult i64 %3, 2147483648
  %5 = sext i32 %1 to i64
  %6 = mul i64 -1, %3
  %7 = add i64 %5, %6
  %8 = icmp ult i64 %5, 2147483648
  %9 = icmp ult i64 %7, 2147483648
  %10 = add i64 %5, 2305843009213693952
  %11 = icmp ult i64 %10, 4611686018427387904
  %12 = icmp ult i64 %5, -9223372036854775808
  %13 = icmp ult i64 %7, -9223372036854775808
  %14 = icmp ult i64 %5, %len
  %15 = icmp ult i64 %7, %len
  %16 = icmp ult i64 255, %len
  %17 = freeze i1 %4
  %18 = freeze i1 %8
  %19 = and i1 %17, %18
  %20 = freeze i1 %9
  %21 = and i1 %19, %20
  %22 = freeze i1 %11
  %23 = and i1 %21, %22
  %24 = freeze i1 true
  %25 = and i1 %23, %24
  %26 = freeze i1 %12
  %27 = and i1 %25, %26
  %28 = freeze i1 %13
  %29 = and i1 %27, %28
  %30 = freeze i1 %14
  %31 = and i1 %29, %30
  %32 = freeze i1 %15
  %33 = and i1 %31, %32
  %34 = freeze i1 %16
  %35 = and i1 %33, %34
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i32 [ %n, %0 ], [ %next, %body ]
  %next = add i32 %i, -1
  %at = zext i32 %next to i64, !ptyx.exact !0
  %ok = icmp ult i64 %at, %len
  %36 = icmp ult i64 %at, %len
  %37 = or i1 %35, %36
  br i1 %37, label %second, label %fail, !ptyx.asks !0

second:                                           ; preds = %loop
  %b = zext i8 %byte to i64
  %ok.too = icmp ugt i64 %len, %b
  %38 = icmp ugt i64 %len, %b
  %39 = or i1 %35, %38
  br i1 %39, label %body, label %fail, !ptyx.asks !0

body:                                             ; preds = %second
  %more = icmp ne i32 %next, 0
  br i1 %more, label %loop, label %exit

fail:                                             ; preds = %second, %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @not_in_every_iteration(i64 %len, i64 %n, i64 %m) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i64 %i, %m
  br i1 %asks, label %check, label %latch

check:                                            ; preds = %loop
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %latch, label %fail

latch:                                            ; preds = %check, %loop
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %check
  call void @panic()
  unreachable

exit:                                             ; preds = %latch
  ret void
}

define void @square(i64 %len, i64 %n) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = mul i64 %i, %i
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @doubles(i64 %len, i64 %n) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 1, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %next = add i64 %i, %i
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %exit

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @changing_length(ptr %lens, i64 %n) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %len = load i64, ptr %lens, align 4
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @seven(i64 %len, i64 %j) {
  %1 = add i64 %j, 2305843009213693952
  %2 = icmp ult i64 %1, 4611686018427387904
  %3 = add i64 %j, 6
  %4 = icmp ult i64 %j, -9223372036854775808
  %5 = icmp ult i64 %3, -9223372036854775808
  %6 = icmp ult i64 %j, %len
  %7 = icmp ult i64 %3, %len
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %at = add i64 %i, %j
  %ok = icmp ult i64 %at, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, 7
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @local_array(i64 %len, i64 %n) {
  %array = alloca [8 x i32], align 4
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %wrapped = and i64 %i, 7
  %p = getelementptr i32, ptr %array, i64 %wrapped
  store i32 1, ptr %p, align 4
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @ends_with_the_check(i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %next = add i64 %i, 1
  %ok = icmp ult i64 %next, %n
  br i1 %ok, label %loop, label %fail

fail:                                             ; preds = %loop
  call void @panic()
  unreachable
}

define i64 @search(ptr %a, i64 %len, i64 %n, i32 %wanted) {
  %1 = sub i64 %n, 0
  %2 = icmp ult i64 %1, 2147483648
  %3 = icmp ne i64 %1, 0
  %4 = sub i64 %1, 1
  %5 = select i1 %3, i64 %4, i64 0
  %6 = add i64 0, %5
  %7 = icmp ult i64 %6, -9223372036854775808
  %8 = icmp ult i64 0, %len
  %9 = icmp ult i64 %6, %len
  %10 = freeze i1 %2
  %11 = freeze i1 true
  %12 = and i1 %10, %11
  %13 = freeze i1 true
  %14 = and i1 %12, %13
  %15 = freeze i1 true
  %16 = and i1 %14, %15
  %17 = freeze i1 %7
  %18 = and i1 %16, %17
  %19 = freeze i1 %8
  %20 = and i1 %18, %19
  %21 = freeze i1 %9
  %22 = and i1 %20, %21
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ends = icmp eq i64 %i, %n
  br i1 %ends, label %exit, label %test

test:                                             ; preds = %loop
  %ok = icmp ult i64 %i, %len
  %23 = icmp ult i64 %i, %len
  %24 = or i1 %22, %23
  br i1 %24, label %body, label %fail, !ptyx.asks !0

body:                                             ; preds = %test
  %next = add i64 %i, 1
  %at = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %at, align 4
  %found = icmp eq i32 %x, %wanted
  br i1 %found, label %exit, label %loop

fail:                                             ; preds = %test
  call void @panic()
  unreachable

exit:                                             ; preds = %body, %loop
  ret i64 %i
}

define i64 @endless(ptr %a, i64 %len, i32 %wanted) {
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %next = add i64 %i, 1
  %at = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %at, align 4
  %found = icmp eq i32 %x, %wanted
  br i1 %found, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret i64 %i
}

define void @parts(i64 %len, i64 %k, i64 %n) {
  %rest = sub nuw i64 %len, %k
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = icmp ule i64 %k, %len
  %4 = add i64 0, %1
  %5 = icmp ult i64 %4, -9223372036854775808
  %6 = icmp ult i64 0, %rest
  %7 = icmp ult i64 %4, %rest
  %8 = freeze i1 %2
  %9 = freeze i1 %3
  %10 = and i1 %8, %9
  %11 = freeze i1 true
  %12 = and i1 %10, %11
  %13 = freeze i1 true
  %14 = and i1 %12, %13
  %15 = freeze i1 true
  %16 = and i1 %14, %15
  %17 = freeze i1 %5
  %18 = and i1 %16, %17
  %19 = freeze i1 %6
  %20 = and i1 %18, %19
  %21 = freeze i1 %7
  %22 = and i1 %20, %21
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %inside = icmp ule i64 %k, %len
  %ok = icmp ult i64 %i, %rest
  %both = select i1 %inside, i1 %ok, i1 false
  %23 = icmp ule i64 %k, %len
  %24 = icmp ult i64 %i, %rest
  %25 = select i1 %23, i1 %24, i1 false
  %26 = or i1 %22, %25
  br i1 %26, label %body, label %fail, !ptyx.asks !0

body:                                             ; preds = %loop
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %body
  ret void
}

define void @half_of_a_check(ptr %p, i32 %first, i64 %len, i64 %n, i64 %m) {
  %1 = sub i64 %n, 1
  %2 = icmp ult i64 %1, 2147483648
  %3 = add i64 0, %1
  %4 = icmp ult i64 %3, -9223372036854775808
  %5 = icmp ult i64 0, %len
  %6 = icmp ult i64 %3, %len
  %7 = sext i32 %first to i64
  %8 = add i64 %7, %1
  %9 = add i64 %8, 2147483648
  %10 = icmp ult i64 %9, 4294967296
  %11 = add i64 %7, 2305843009213693952
  %12 = icmp ult i64 %11, 4611686018427387904
  %13 = icmp ult i64 %7, -9223372036854775808
  %14 = icmp ult i64 %8, -9223372036854775808
  %15 = icmp ult i64 %7, %m
  %16 = icmp ult i64 %8, %m
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i64 [ 0, %0 ], [ %next, %latch ]
  %j = phi i32 [ %first, %0 ], [ %next.j, %latch ]
  %ok = icmp ult i64 %i, %len
  br i1 %ok, label %body, label %fail

body:                                             ; preds = %loop
  %at = getelementptr i64, ptr %p, i64 %i
  %x = load i64, ptr %at, align 4
  %wide = sext i32 %j to i64
  %ok.j = icmp ult i64 %wide, %m
  %ok.x = icmp ult i64 %x, %m
  %both = select i1 %ok.j, i1 %ok.x, i1 false
  br i1 %both, label %latch, label %fail

latch:                                            ; preds = %body
  %next = add i64 %i, 1
  %next.j = add i32 %j, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

fail:                                             ; preds = %body, %loop
  call void @panic()
  unreachable

exit:                                             ; preds = %latch
  ret void
}

attributes #0 = { noreturn }

!0 = !{}
