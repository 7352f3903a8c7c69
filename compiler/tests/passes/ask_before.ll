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

; A check with two parts, of which the second is of what is loaded: it stays whole. Nothing is asked of its first part, and so its index
; is not marked as exact.
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
