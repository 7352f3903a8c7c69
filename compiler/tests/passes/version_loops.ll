; run: version_loops
; The checks of a loop ask first what is calculated before it: whether they succeed in the first and the last iteration,
; which is enough if an index changes by the same amount in each. Copies without checks are made later. A loop stays as it
; is if it has a check that not every iteration comes to, or one of an index that changes otherwise, or if it is short.

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
  %13 = and i1 %2, %4
  %14 = and i1 %13, %6
  %15 = and i1 %14, %9
  %16 = and i1 %15, %10
  %17 = and i1 %16, %11
  %18 = and i1 %17, %12
  %19 = freeze i1 %18
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i64 [ 0, %0 ], [ %next, %body ]
  %row = mul i64 %i, %cols
  %at = add i64 %row, %j
  %ok = icmp ult i64 %at, %len
  %20 = icmp ult i64 %at, %len
  %21 = or i1 %19, %20
  br i1 %21, label %body, label %fail, !ptyx.asks !0

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
  %18 = sext i32 %11 to i64
  %19 = sext i32 %10 to i64
  %20 = add i64 %18, 2305843009213693952
  %21 = icmp ult i64 %20, 4611686018427387904
  %22 = add i64 %19, 2147483648
  %23 = icmp ult i64 %22, 4294967296
  %24 = mul i64 %19, %7
  %25 = add i64 %18, %24
  %26 = icmp ult i64 %18, -9223372036854775808
  %27 = icmp ult i64 %25, -9223372036854775808
  %28 = icmp ult i64 %18, %len
  %29 = icmp ult i64 %25, %len
  %30 = mul i64 4, %7
  %31 = add i64 3, %30
  %32 = icmp ult i64 %31, 64
  %33 = and i1 %1, %8
  %34 = and i1 %33, %17
  %35 = and i1 %34, %21
  %36 = and i1 %35, %23
  %37 = and i1 %36, %26
  %38 = and i1 %37, %27
  %39 = and i1 %38, %28
  %40 = and i1 %39, %29
  %41 = and i1 %40, true
  %42 = and i1 %41, %32
  %43 = freeze i1 %42
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i32 [ 3, %0 ], [ %next, %latch ]
  %row = mul i32 %i, %cols
  %at32 = add i32 %row, %j
  %at = sext i32 %at32 to i64, !ptyx.exact !0
  %fails = icmp uge i64 %at, %len
  %44 = icmp ult i64 %at, %len
  %45 = or i1 %43, %44
  br i1 %45, label %next.check, label %fail, !ptyx.asks !0

next.check:                                       ; preds = %loop
  %small = icmp ult i32 %i, 64
  %next = add i32 %i, 4
  %46 = icmp ult i32 %i, 64
  %47 = or i1 %43, %46
  br i1 %47, label %latch, label %fail, !ptyx.asks !0

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
  %5 = add i32 %n, -1
  %6 = sext i32 %5 to i64
  %7 = mul i64 -1, %3
  %8 = add i64 %6, %7
  %9 = sext i32 %5 to i64
  %10 = icmp ult i64 %9, 2147483648
  %11 = icmp ult i64 %8, 2147483648
  %12 = sext i32 %5 to i64
  %13 = add i64 %12, 2305843009213693952
  %14 = icmp ult i64 %13, 4611686018427387904
  %15 = mul i64 -1, %3
  %16 = add i64 %12, %15
  %17 = icmp ult i64 %12, -9223372036854775808
  %18 = icmp ult i64 %16, -9223372036854775808
  %19 = icmp ult i64 %12, %len
  %20 = icmp ult i64 %16, %len
  %21 = icmp ult i64 255, %len
  %22 = and i1 %4, %10
  %23 = and i1 %22, %11
  %24 = and i1 %23, %14
  %25 = and i1 %24, true
  %26 = and i1 %25, %17
  %27 = and i1 %26, %18
  %28 = and i1 %27, %19
  %29 = and i1 %28, %20
  %30 = and i1 %29, %21
  %31 = freeze i1 %30
  br label %loop

loop:                                             ; preds = %body, %0
  %i = phi i32 [ %n, %0 ], [ %next, %body ]
  %next = add i32 %i, -1
  %at = zext i32 %next to i64, !ptyx.exact !0
  %ok = icmp ult i64 %at, %len
  %32 = icmp ult i64 %at, %len
  %33 = or i1 %31, %32
  br i1 %33, label %second, label %fail, !ptyx.asks !0

second:                                           ; preds = %loop
  %b = zext i8 %byte to i64
  %ok.too = icmp ugt i64 %len, %b
  %34 = icmp ugt i64 %len, %b
  %35 = or i1 %31, %34
  br i1 %35, label %body, label %fail, !ptyx.asks !0

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

attributes #0 = { noreturn }

!0 = !{}
