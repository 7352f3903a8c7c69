; run: prove_checks
; What branches on the way say of loops, of chosen values, and of what LLVM has frozen.

declare void @panic(i64) noreturn
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i32 @llvm.abs.i32(i32, i1)

; for k in max(c - 1, 0)..=min(c + 1, n - 1) { a[k] }, as LLVM asks: n <= length.
define ptx_kernel void @inclusive(ptr %a, i64 %length, i32 %n, ptr %out) {
  %c = load i32, ptr %out
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp sgt i32 %first, %last
  br i1 %none, label %exit, label %start
start:
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  br label %body
body:
  %k = phi i64 [ %wide, %start ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  %next = add i64 %k, 1
  %done = icmp eq i64 %k, %limit
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %k)
  unreachable
exit:
  ret void
}

; Nothing says that the first one is not greater than the last one: the loop might never end.
define ptx_kernel void @greater(ptr %a, i64 %length, i32 %n, ptr %out) {
  %c = load i32, ptr %out
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp slt i32 %last, 0
  br i1 %none, label %exit, label %start
start:
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  br label %body
body:
  %k = phi i64 [ %wide, %start ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  %next = add i64 %k, 1
  %done = icmp eq i64 %k, %limit
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %k)
  unreachable
exit:
  ret void
}

; Where the end is not the start, it is the other of two values: n <= length.
define ptx_kernel void @chosen(ptr %a, i64 %length, i32 %n, ptr %out) {
  %c = load i32, ptr %out
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp sgt i32 %first, %last
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  %behind = add nsw i64 %limit, 1
  %stop = select i1 %none, i64 %wide, i64 %behind
  %empty = icmp eq i64 %stop, %wide
  br i1 %empty, label %exit, label %body
body:
  %k = phi i64 [ %wide, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %stop
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %k)
  unreachable
exit:
  ret void
}

; That it differs from something else says nothing of which value was chosen.
define ptx_kernel void @chosen_otherwise(ptr %a, i64 %length, i32 %n, i64 %m, ptr %out) {
  %c = load i32, ptr %out
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp sgt i32 %first, %last
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  %behind = add nsw i64 %limit, 1
  %stop = select i1 %none, i64 %wide, i64 %behind
  %empty = icmp eq i64 %stop, %m
  br i1 %empty, label %exit, label %body
body:
  %k = phi i64 [ %wide, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p
  store i32 %x, ptr %out
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %stop
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %k)
  unreachable
exit:
  ret void
}

; A search: the loop goes on while k is not n, and ends early. n <= length.
define ptx_kernel void @search(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
  %end = call i32 @llvm.smax.i32(i32 %n, i32 0)
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %more ]
  %done = icmp eq i32 %k, %end
  br i1 %done, label %exit, label %inside
inside:
  %next = add nuw i32 %k, 1
  %at = zext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  %found = icmp eq i32 %y, %x
  br i1 %found, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; rounds = 4; loop { a[lane + 32 * k]; rounds -= 1 }: 128 <= length.
define ptx_kernel void @rounds(ptr %a, i64 %length, ptr %out) {
  %t = load i32, ptr %out
  %lane = and i32 %t, 31
  br label %body
body:
  %left = phi i32 [ 4, %0 ], [ %left.next, %more ]
  %i = phi i32 [ %lane, %0 ], [ %i.next, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  %i.next = add i32 %i, 32
  %left.next = add i32 %left, -1
  %done = icmp eq i32 %left.next, 0
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The number of rounds may be zero: then there are 2^32.
define ptx_kernel void @no_rounds(ptr %a, i64 %length, i32 %n, ptr %out) {
  %t = load i32, ptr %out
  %lane = and i32 %t, 31
  %s = load i32, ptr %a
  %count = and i32 %s, 7
  br label %body
body:
  %left = phi i32 [ %count, %0 ], [ %left.next, %more ]
  %i = phi i32 [ %lane, %0 ], [ %i.next, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  %i.next = add i32 %i, 32
  %left.next = add i32 %left, -1
  %done = icmp eq i32 %left.next, 0
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; for k in 0..taps { i = x + padding - k; if i >= 0 && i < n { a[i] } }: n <= length; x, padding and taps are small.
define ptx_kernel void @guarded(ptr %a, i64 %length, i32 %n, i32 %padding, i32 %taps, ptr %out) {
  %t = load i32, ptr %out
  %x = and i32 %t, 1023
  %moved = add i32 %x, %padding
  %any = icmp sgt i32 %taps, 0
  br i1 %any, label %body, label %exit
body:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %i = sub i32 %moved, %k
  %below = icmp slt i32 %i, 0
  br i1 %below, label %latch, label %right
right:
  %twice = shl nsw i32 %i, 1
  %half = sdiv i32 %twice, 2
  %inside = icmp slt i32 %half, %n
  br i1 %inside, label %check, label %latch
check:
  %at = sext i32 %half to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %taps
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; A branch before it asks what LLVM has frozen: it is what it was. n <= length.
define ptx_kernel void @frozen(ptr %a, i64 %length, i32 %n, i32 %m, ptr %out) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %start, label %exit
start:
  %e = icmp eq i32 %m, 0
  br label %body
body:
  %k = phi i32 [ 0, %start ], [ %next, %more ]
  %i = freeze i32 %k
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; No branch asks for what is frozen on each way there: it may be any number.
define ptx_kernel void @frozen_unasked(ptr %a, i64 %length, i32 %n, i1 %c, ptr %out) {
  %s = load i32, ptr %a
  %sum = add nuw nsw i32 %s, 1
  br i1 %c, label %asks, label %start
asks:
  %small = icmp slt i32 %sum, 100
  br i1 %small, label %start, label %exit
start:
  %bounded = icmp slt i32 %sum, %n
  %k0 = freeze i32 %sum
  br label %body
body:
  %k = phi i32 [ 0, %start ], [ %next, %more ]
  %i = and i32 %k0, 255
  %j = sub i32 %sum, %k0
  %l = add i32 %j, %i
  %at = zext i32 %l to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, 9
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; x = |k - 2|; if x >= n { x = 2 * (n - 1) - x }; if x >= 0 { a[x] }: n <= length.
define ptx_kernel void @mirrored(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %k.neg = add i32 %k, -2
  %x = call i32 @llvm.abs.i32(i32 %k.neg, i1 false)
  %fits = icmp slt i32 %x, %n
  %twice = shl i32 %n, 1
  %end = add i32 %twice, -2
  %other = sub i32 %end, %x
  %mirrored = select i1 %fits, i32 %x, i32 %other
  %inside = icmp sgt i32 %mirrored, -1
  br i1 %inside, label %check, label %latch
check:
  %at = sext i32 %mirrored to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Where nothing asks, it may be below zero.
define ptx_kernel void @mirrored_once(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %k.neg = add i32 %k, -2
  %x = call i32 @llvm.abs.i32(i32 %k.neg, i1 false)
  %fits = icmp slt i32 %x, %n
  %twice = shl i32 %n, 1
  %end = add i32 %twice, -2
  %other = sub i32 %end, %x
  %mirrored = select i1 %fits, i32 %x, i32 %other
  br label %check
check:
  %at = sext i32 %mirrored to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The least number has no other sign.
define ptx_kernel void @any_sign(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %k.neg = load i32, ptr %a
  %x = call i32 @llvm.abs.i32(i32 %k.neg, i1 false)
  %fits = icmp slt i32 %x, %n
  %twice = shl i32 %n, 1
  %end = add i32 %twice, -2
  %other = sub i32 %end, %x
  %mirrored = select i1 %fits, i32 %x, i32 %other
  %inside = icmp sgt i32 %mirrored, -1
  br i1 %inside, label %check, label %latch
check:
  %at = sext i32 %mirrored to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  br label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; if x >= x0 && y >= y0 && x < x1 && y < y1 { a[(y - y0) * w + x - x0] }: (y1 - y0 - 1) * w + x1 - x0 <= length.
define ptx_kernel void @region(ptr %a, i64 %length, i32 %x0, i32 %y0, i32 %x1, i32 %y1, i32 %w, ptr %out) {
  br label %body
body:
  %x = load volatile i32, ptr %out
  %y = load volatile i32, ptr %out
  %right = icmp sge i32 %x, %x0
  %below = icmp sge i32 %y, %y0
  %left = icmp slt i32 %x, %x1
  %above = icmp slt i32 %y, %y1
  %both = and i1 %right, %below
  %other = and i1 %left, %above
  %inside = and i1 %both, %other
  br i1 %inside, label %check, label %exit
check:
  %row = sub i32 %y, %y0
  %column = sub i32 %x, %x0
  %first = mul i32 %row, %w
  %i = add i32 %first, %column
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %z = load i32, ptr %p
  store i32 %z, ptr %out
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; y may be above y0.
define ptx_kernel void @above_region(ptr %a, i64 %length, i32 %x0, i32 %y0, i32 %x1, i32 %y1, i32 %w, ptr %out) {
  br label %body
body:
  %x = load volatile i32, ptr %out
  %y = load volatile i32, ptr %out
  %right = icmp sge i32 %x, %x0
  %below = icmp ne i32 %y, %y0
  %left = icmp slt i32 %x, %x1
  %above = icmp slt i32 %y, %y1
  %both = and i1 %right, %below
  %other = and i1 %left, %above
  %inside = and i1 %both, %other
  br i1 %inside, label %check, label %exit
check:
  %row = sub i32 %y, %y0
  %column = sub i32 %x, %x0
  %first = mul i32 %row, %w
  %i = add i32 %first, %column
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %z = load i32, ptr %p
  store i32 %z, ptr %out
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smin.i32(i32, i32) #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.smax.i32(i32, i32) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.abs.i32(i32, i1 immarg) #2

define ptx_kernel void @inclusive(ptr %a, i64 %length, i32 %n, ptr %out) {
start1:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 1, %0
  %2 = icmp ule i64 %0, 2147483648
  %3 = icmp ule i64 %0, %length
  %4 = and i1 %1, %2
  %5 = and i1 %4, %3
  %6 = and i1 true, %5
  br i1 %6, label %start2, label %7

7:                                                ; preds = %start1
  %c = load i32, ptr %out, align 4
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp sgt i32 %first, %last
  br i1 %none, label %exit, label %start

start:                                            ; preds = %7
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  br label %body

body:                                             ; preds = %more, %start
  %k = phi i64 [ %wide, %start ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %out, align 4
  %next = add i64 %k, 1
  %done = icmp eq i64 %k, %limit
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %body
  call void @panic(i64 %k)
  unreachable

exit:                                             ; preds = %more, %7
  call void asm sideeffect "", ""()
  ret void

start2:                                           ; preds = %start1
  %8 = load i32, ptr %out, align 4
  %9 = add i32 %8, -1
  %10 = call i32 @llvm.smax.i32(i32 %9, i32 0)
  %11 = add i32 %8, 1
  %12 = add i32 %n, -1
  %13 = call i32 @llvm.smin.i32(i32 %12, i32 %11)
  %14 = icmp sgt i32 %10, %13
  br i1 %14, label %start7, label %start3

start3:                                           ; preds = %start2
  %15 = zext i32 %10 to i64
  %16 = sext i32 %13 to i64
  br label %start4

start4:                                           ; preds = %start5, %start3
  %17 = phi i64 [ %15, %start3 ], [ %21, %start5 ]
  %18 = icmp ult i64 %17, %length
  br i1 true, label %start5, label %start6

start5:                                           ; preds = %start4
  %19 = getelementptr i32, ptr %a, i64 %17
  %20 = load i32, ptr %19, align 4
  store i32 %20, ptr %out, align 4
  %21 = add i64 %17, 1
  %22 = icmp eq i64 %17, %16
  br i1 %22, label %start7, label %start4

start6:                                           ; preds = %start4
  call void @panic(i64 %17)
  unreachable

start7:                                           ; preds = %start5, %start2
  ret void
}

define ptx_kernel void @greater(ptr %a, i64 %length, i32 %n, ptr %out) {
  %c = load i32, ptr %out, align 4
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp slt i32 %last, 0
  br i1 %none, label %exit, label %start

start:                                            ; preds = %0
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  br label %body

body:                                             ; preds = %more, %start
  %k = phi i64 [ %wide, %start ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %out, align 4
  %next = add i64 %k, 1
  %done = icmp eq i64 %k, %limit
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %k)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @chosen(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 1, %0
  %2 = icmp ule i64 %0, 2147483648
  %3 = icmp ule i64 %0, %length
  %4 = and i1 %1, %2
  %5 = and i1 %4, %3
  %6 = and i1 true, %5
  br i1 %6, label %start1, label %7

7:                                                ; preds = %start
  %c = load i32, ptr %out, align 4
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp sgt i32 %first, %last
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  %behind = add nsw i64 %limit, 1
  %stop = select i1 %none, i64 %wide, i64 %behind
  %empty = icmp eq i64 %stop, %wide
  br i1 %empty, label %exit, label %body

body:                                             ; preds = %more, %7
  %k = phi i64 [ %wide, %7 ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %out, align 4
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %stop
  br i1 %done, label %exit, label %body, !llvm.loop !3

fail:                                             ; preds = %body
  call void @panic(i64 %k)
  unreachable

exit:                                             ; preds = %more, %7
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %8 = load i32, ptr %out, align 4
  %9 = add i32 %8, -1
  %10 = call i32 @llvm.smax.i32(i32 %9, i32 0)
  %11 = add i32 %8, 1
  %12 = add i32 %n, -1
  %13 = call i32 @llvm.smin.i32(i32 %12, i32 %11)
  %14 = icmp sgt i32 %10, %13
  %15 = zext i32 %10 to i64
  %16 = sext i32 %13 to i64
  %17 = add nsw i64 %16, 1
  %18 = select i1 %14, i64 %15, i64 %17
  %19 = icmp eq i64 %18, %15
  br i1 %19, label %start5, label %start2

start2:                                           ; preds = %start3, %start1
  %20 = phi i64 [ %15, %start1 ], [ %24, %start3 ]
  %21 = icmp ult i64 %20, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %22 = getelementptr i32, ptr %a, i64 %20
  %23 = load i32, ptr %22, align 4
  store i32 %23, ptr %out, align 4
  %24 = add i64 %20, 1
  %25 = icmp eq i64 %24, %18
  br i1 %25, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %20)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @chosen_otherwise(ptr %a, i64 %length, i32 %n, i64 %m, ptr %out) {
  %c = load i32, ptr %out, align 4
  %before = add i32 %c, -1
  %first = call i32 @llvm.smax.i32(i32 %before, i32 0)
  %after = add i32 %c, 1
  %end = add i32 %n, -1
  %last = call i32 @llvm.smin.i32(i32 %end, i32 %after)
  %none = icmp sgt i32 %first, %last
  %wide = zext i32 %first to i64
  %limit = sext i32 %last to i64
  %behind = add nsw i64 %limit, 1
  %stop = select i1 %none, i64 %wide, i64 %behind
  %empty = icmp eq i64 %stop, %m
  br i1 %empty, label %exit, label %body

body:                                             ; preds = %more, %0
  %k = phi i64 [ %wide, %0 ], [ %next, %more ]
  %ok = icmp ult i64 %k, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %out, align 4
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %stop
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %k)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @search(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 2147483647
  %2 = icmp ule i64 %0, %length
  %3 = and i1 %1, %2
  %4 = and i1 true, %3
  br i1 %4, label %start1, label %5

5:                                                ; preds = %start
  %end = call i32 @llvm.smax.i32(i32 %n, i32 0)
  br label %body

body:                                             ; preds = %more, %5
  %k = phi i32 [ 0, %5 ], [ %next, %more ]
  %done = icmp eq i32 %k, %end
  br i1 %done, label %exit, label %inside

inside:                                           ; preds = %body
  %next = add nuw i32 %k, 1
  %at = zext i32 %k to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  %found = icmp eq i32 %y, %x
  br i1 %found, label %exit, label %body, !llvm.loop !4

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %body
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %6 = call i32 @llvm.smax.i32(i32 %n, i32 0)
  br label %start2

start2:                                           ; preds = %start4, %start1
  %7 = phi i32 [ 0, %start1 ], [ %9, %start4 ]
  %8 = icmp eq i32 %7, %6
  br i1 %8, label %start6, label %start3

start3:                                           ; preds = %start2
  %9 = add nuw i32 %7, 1
  %10 = zext i32 %7 to i64, !ptyx.exact !5
  %11 = icmp ult i64 %10, %length
  br i1 true, label %start4, label %start5

start4:                                           ; preds = %start3
  %12 = getelementptr i32, ptr %a, i64 %10
  %13 = load i32, ptr %12, align 4
  %14 = icmp eq i32 %13, %x
  br i1 %14, label %start6, label %start2

start5:                                           ; preds = %start3
  call void @panic(i64 %10)
  unreachable

start6:                                           ; preds = %start4, %start2
  ret void
}

define ptx_kernel void @rounds(ptr %a, i64 %length, ptr %out) {
start:
  %0 = icmp ule i64 128, %length
  %1 = and i1 true, %0
  br i1 %1, label %start1, label %2

2:                                                ; preds = %start
  %t = load i32, ptr %out, align 4
  %lane = and i32 %t, 31
  br label %body

body:                                             ; preds = %more, %2
  %left = phi i32 [ 4, %2 ], [ %left.next, %more ]
  %i = phi i32 [ %lane, %2 ], [ %i.next, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  %i.next = add i32 %i, 32
  %left.next = add i32 %left, -1
  %done = icmp eq i32 %left.next, 0
  br i1 %done, label %exit, label %body, !llvm.loop !6

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %3 = load i32, ptr %out, align 4
  %4 = and i32 %3, 31
  br label %start2

start2:                                           ; preds = %start3, %start1
  %5 = phi i32 [ 4, %start1 ], [ %12, %start3 ]
  %6 = phi i32 [ %4, %start1 ], [ %11, %start3 ]
  %7 = zext i32 %6 to i64, !ptyx.exact !5
  %8 = icmp ult i64 %7, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %9 = getelementptr i32, ptr %a, i64 %7
  %10 = load i32, ptr %9, align 4
  store i32 %10, ptr %out, align 4
  %11 = add i32 %6, 32
  %12 = add i32 %5, -1
  %13 = icmp eq i32 %12, 0
  br i1 %13, label %start5, label %start2

start4:                                           ; preds = %start2
  call void @panic(i64 %7)
  unreachable

start5:                                           ; preds = %start3
  ret void
}

define ptx_kernel void @no_rounds(ptr %a, i64 %length, i32 %n, ptr %out) {
  %t = load i32, ptr %out, align 4
  %lane = and i32 %t, 31
  %s = load i32, ptr %a, align 4
  %count = and i32 %s, 7
  br label %body

body:                                             ; preds = %more, %0
  %left = phi i32 [ %count, %0 ], [ %left.next, %more ]
  %i = phi i32 [ %lane, %0 ], [ %i.next, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  %i.next = add i32 %i, 32
  %left.next = add i32 %left, -1
  %done = icmp eq i32 %left.next, 0
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more
  ret void
}

define ptx_kernel void @guarded(ptr %a, i64 %length, i32 %n, i32 %padding, i32 %taps, ptr %out) {
start:
  %0 = zext i32 %padding to i64
  %1 = icmp ule i64 %0, 1073740800
  %2 = zext i32 %taps to i64
  %3 = icmp ule i64 %2, 2147483648
  %4 = add i64 1024, %0
  %5 = icmp ule i64 %4, %length
  %6 = and i1 %1, %3
  %7 = and i1 %6, %5
  %8 = and i1 true, %7
  br i1 %8, label %start1, label %9

9:                                                ; preds = %start
  %t = load i32, ptr %out, align 4
  %x = and i32 %t, 1023
  %moved = add i32 %x, %padding
  %any = icmp sgt i32 %taps, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %latch, %9
  %k = phi i32 [ 0, %9 ], [ %next, %latch ]
  %i = sub i32 %moved, %k
  %below = icmp slt i32 %i, 0
  br i1 %below, label %latch, label %right

right:                                            ; preds = %body
  %twice = shl nsw i32 %i, 1
  %half = sdiv i32 %twice, 2
  %inside = icmp slt i32 %half, %n
  br i1 %inside, label %check, label %latch

check:                                            ; preds = %right
  %at = sext i32 %half to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %right, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, %taps
  br i1 %done, label %exit, label %body, !llvm.loop !7

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch, %9
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %10 = load i32, ptr %out, align 4
  %11 = and i32 %10, 1023
  %12 = add i32 %11, %padding
  %13 = icmp sgt i32 %taps, 0
  br i1 %13, label %start2, label %start8

start2:                                           ; preds = %start6, %start1
  %14 = phi i32 [ 0, %start1 ], [ %24, %start6 ]
  %15 = sub i32 %12, %14
  %16 = icmp slt i32 %15, 0
  br i1 %16, label %start6, label %start3

start3:                                           ; preds = %start2
  %17 = shl nsw i32 %15, 1
  %18 = sdiv i32 %17, 2
  %19 = icmp slt i32 %18, %n
  br i1 %19, label %start4, label %start6

start4:                                           ; preds = %start3
  %20 = sext i32 %18 to i64
  %21 = icmp ult i64 %20, %length
  br i1 true, label %start5, label %start7

start5:                                           ; preds = %start4
  %22 = getelementptr i32, ptr %a, i64 %20
  %23 = load i32, ptr %22, align 4
  store i32 %23, ptr %out, align 4
  br label %start6

start6:                                           ; preds = %start5, %start3, %start2
  %24 = add nuw nsw i32 %14, 1
  %25 = icmp eq i32 %24, %taps
  br i1 %25, label %start8, label %start2

start7:                                           ; preds = %start4
  call void @panic(i64 %20)
  unreachable

start8:                                           ; preds = %start6, %start1
  ret void
}

define ptx_kernel void @frozen(ptr %a, i64 %length, i32 %n, i32 %m, ptr %out) {
start1:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 2147483648
  %2 = icmp ule i64 %0, %length
  %3 = and i1 %1, %2
  %4 = and i1 true, %3
  br i1 %4, label %start2, label %5

5:                                                ; preds = %start1
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %start, label %exit

start:                                            ; preds = %5
  %e = icmp eq i32 %m, 0
  br label %body

body:                                             ; preds = %more, %start
  %k = phi i32 [ 0, %start ], [ %next, %more ]
  %i = freeze i32 %k
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %body, label %exit, !llvm.loop !8

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %5
  call void asm sideeffect "", ""()
  ret void

start2:                                           ; preds = %start1
  %6 = icmp sgt i32 %n, 0
  br i1 %6, label %start3, label %start7

start3:                                           ; preds = %start2
  %7 = icmp eq i32 %m, 0
  br label %start4

start4:                                           ; preds = %start5, %start3
  %8 = phi i32 [ 0, %start3 ], [ %14, %start5 ]
  %9 = freeze i32 %8
  %10 = zext i32 %9 to i64, !ptyx.exact !5
  %11 = icmp ult i64 %10, %length
  br i1 true, label %start5, label %start6

start5:                                           ; preds = %start4
  %12 = getelementptr i32, ptr %a, i64 %10
  %13 = load i32, ptr %12, align 4
  store i32 %13, ptr %out, align 4
  %14 = add nuw nsw i32 %8, 1
  %15 = icmp slt i32 %14, %n
  br i1 %15, label %start4, label %start7

start6:                                           ; preds = %start4
  call void @panic(i64 %10)
  unreachable

start7:                                           ; preds = %start5, %start2
  ret void
}

define ptx_kernel void @frozen_unasked(ptr %a, i64 %length, i32 %n, i1 %c, ptr %out) {
  %s = load i32, ptr %a, align 4
  %sum = add nuw nsw i32 %s, 1
  br i1 %c, label %asks, label %start

asks:                                             ; preds = %0
  %small = icmp slt i32 %sum, 100
  br i1 %small, label %start, label %exit

start:                                            ; preds = %asks, %0
  %bounded = icmp slt i32 %sum, %n
  %k0 = freeze i32 %sum
  br label %body

body:                                             ; preds = %more, %start
  %k = phi i32 [ 0, %start ], [ %next, %more ]
  %i = and i32 %k0, 255
  %j = sub i32 %sum, %k0
  %l = add i32 %j, %i
  %at = zext i32 %l to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  %next = add nuw nsw i32 %k, 1
  %again = icmp slt i32 %next, 9
  br i1 %again, label %body, label %exit

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %asks
  ret void
}

define ptx_kernel void @mirrored(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 1073741823
  %2 = icmp ule i64 %0, %length
  %3 = and i1 %1, %2
  %4 = and i1 true, %3
  br i1 %4, label %start1, label %5

5:                                                ; preds = %start
  br label %body

body:                                             ; preds = %latch, %5
  %k = phi i32 [ 0, %5 ], [ %next, %latch ]
  %k.neg = add i32 %k, -2
  %x = call i32 @llvm.abs.i32(i32 %k.neg, i1 false)
  %fits = icmp slt i32 %x, %n
  %twice = shl i32 %n, 1
  %end = add i32 %twice, -2
  %other = sub i32 %end, %x
  %mirrored = select i1 %fits, i32 %x, i32 %other
  %inside = icmp sgt i32 %mirrored, -1
  br i1 %inside, label %check, label %latch

check:                                            ; preds = %body
  %at = sext i32 %mirrored to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !9

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %6 = phi i32 [ 0, %start1 ], [ %19, %start5 ]
  %7 = add i32 %6, -2
  %8 = call i32 @llvm.abs.i32(i32 %7, i1 false)
  %9 = icmp slt i32 %8, %n
  %10 = shl i32 %n, 1
  %11 = add i32 %10, -2
  %12 = sub i32 %11, %8
  %13 = select i1 %9, i32 %8, i32 %12
  %14 = icmp sgt i32 %13, -1
  br i1 %14, label %start3, label %start5

start3:                                           ; preds = %start2
  %15 = sext i32 %13 to i64
  %16 = icmp ult i64 %15, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %17 = getelementptr i32, ptr %a, i64 %15
  %18 = load i32, ptr %17, align 4
  store i32 %18, ptr %out, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %19 = add nuw nsw i32 %6, 1
  %20 = icmp eq i32 %19, 100
  br i1 %20, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %15)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @mirrored_once(ptr %a, i64 %length, i32 %n, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 51, %0
  %2 = icmp ule i64 %0, 2147483647
  %3 = icmp ule i64 %0, %length
  %4 = and i1 %1, %2
  %5 = and i1 %4, %3
  %6 = and i1 true, %5
  br i1 %6, label %start1, label %7

7:                                                ; preds = %start
  br label %body

body:                                             ; preds = %latch, %7
  %k = phi i32 [ 0, %7 ], [ %next, %latch ]
  %k.neg = add i32 %k, -2
  %x = call i32 @llvm.abs.i32(i32 %k.neg, i1 false)
  %fits = icmp slt i32 %x, %n
  %twice = shl i32 %n, 1
  %end = add i32 %twice, -2
  %other = sub i32 %end, %x
  %mirrored = select i1 %fits, i32 %x, i32 %other
  br label %check

check:                                            ; preds = %body
  %at = sext i32 %mirrored to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !10

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %8 = phi i32 [ 0, %start1 ], [ %20, %start5 ]
  %9 = add i32 %8, -2
  %10 = call i32 @llvm.abs.i32(i32 %9, i1 false)
  %11 = icmp slt i32 %10, %n
  %12 = shl i32 %n, 1
  %13 = add i32 %12, -2
  %14 = sub i32 %13, %10
  %15 = select i1 %11, i32 %10, i32 %14
  br label %start3

start3:                                           ; preds = %start2
  %16 = sext i32 %15 to i64, !ptyx.exact !5
  %17 = icmp ult i64 %16, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %18 = getelementptr i32, ptr %a, i64 %16
  %19 = load i32, ptr %18, align 4
  store i32 %19, ptr %out, align 4
  br label %start5

start5:                                           ; preds = %start4
  %20 = add nuw nsw i32 %8, 1
  %21 = icmp eq i32 %20, 100
  br i1 %21, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %16)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @any_sign(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %body

body:                                             ; preds = %latch, %0
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %k.neg = load i32, ptr %a, align 4
  %x = call i32 @llvm.abs.i32(i32 %k.neg, i1 false)
  %fits = icmp slt i32 %x, %n
  %twice = shl i32 %n, 1
  %end = add i32 %twice, -2
  %other = sub i32 %end, %x
  %mirrored = select i1 %fits, i32 %x, i32 %other
  %inside = icmp sgt i32 %mirrored, -1
  br i1 %inside, label %check, label %latch

check:                                            ; preds = %body
  %at = sext i32 %mirrored to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @region(ptr %a, i64 %length, i32 %x0, i32 %y0, i32 %x1, i32 %y1, i32 %w, ptr %out) {
start:
  %0 = zext i32 %y0 to i64
  %1 = icmp ule i64 %0, 2147483647
  %2 = zext i32 %x0 to i64
  %3 = icmp ule i64 %2, 2147483647
  %4 = zext i32 %w to i64
  %5 = icmp ult i64 %0, 1073741824
  %6 = icmp ult i64 %4, 1073741824
  %7 = mul i64 %0, %4
  %8 = add i64 2147483648, %7
  %9 = add i64 %8, %4
  %10 = add i64 %9, %2
  %11 = zext i32 %y1 to i64
  %12 = icmp ult i64 %11, 1073741824
  %13 = mul i64 %4, %11
  %14 = zext i32 %x1 to i64
  %15 = add i64 %13, %14
  %16 = icmp ule i64 %15, %10
  %17 = mul i64 %0, %4
  %18 = add i64 %17, %4
  %19 = add i64 %18, %2
  %20 = icmp ult i64 %length, 1152921504606846976
  %21 = add i64 %19, %length
  %22 = mul i64 %4, %11
  %23 = add i64 %22, %14
  %24 = icmp ule i64 %23, %21
  %25 = and i1 %1, %3
  %26 = and i1 %25, %5
  %27 = and i1 %26, %6
  %28 = and i1 %27, %12
  %29 = and i1 %28, %16
  %30 = and i1 %29, %20
  %31 = and i1 %30, %24
  %32 = and i1 true, %31
  br i1 %32, label %start1, label %33

33:                                               ; preds = %start
  br label %body

body:                                             ; preds = %more, %33
  %x = load volatile i32, ptr %out, align 4
  %y = load volatile i32, ptr %out, align 4
  %right = icmp sge i32 %x, %x0
  %below = icmp sge i32 %y, %y0
  %left = icmp slt i32 %x, %x1
  %above = icmp slt i32 %y, %y1
  %both = and i1 %right, %below
  %other = and i1 %left, %above
  %inside = and i1 %both, %other
  br i1 %inside, label %check, label %exit

check:                                            ; preds = %body
  %row = sub i32 %y, %y0
  %column = sub i32 %x, %x0
  %first = mul i32 %row, %w
  %i = add i32 %first, %column
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  %z = load i32, ptr %p, align 4
  store i32 %z, ptr %out, align 4
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit, !llvm.loop !11

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %body
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start4, %start1
  %34 = load volatile i32, ptr %out, align 4
  %35 = load volatile i32, ptr %out, align 4
  %36 = icmp sge i32 %34, %x0
  %37 = icmp sge i32 %35, %y0
  %38 = icmp slt i32 %34, %x1
  %39 = icmp slt i32 %35, %y1
  %40 = and i1 %36, %37
  %41 = and i1 %38, %39
  %42 = and i1 %40, %41
  br i1 %42, label %start3, label %start6

start3:                                           ; preds = %start2
  %43 = sub i32 %35, %y0
  %44 = sub i32 %34, %x0
  %45 = mul i32 %43, %w
  %46 = add i32 %45, %44
  %47 = sext i32 %46 to i64, !ptyx.exact !5
  %48 = icmp ult i64 %47, %length
  br i1 true, label %start4, label %start5

start4:                                           ; preds = %start3
  %49 = getelementptr i32, ptr %a, i64 %47
  %50 = load i32, ptr %49, align 4
  store i32 %50, ptr %out, align 4
  %51 = icmp ne i32 %50, 0
  br i1 %51, label %start2, label %start6

start5:                                           ; preds = %start3
  call void @panic(i64 %47)
  unreachable

start6:                                           ; preds = %start4, %start2
  ret void
}

define ptx_kernel void @above_region(ptr %a, i64 %length, i32 %x0, i32 %y0, i32 %x1, i32 %y1, i32 %w, ptr %out) {
  br label %body

body:                                             ; preds = %more, %0
  %x = load volatile i32, ptr %out, align 4
  %y = load volatile i32, ptr %out, align 4
  %right = icmp sge i32 %x, %x0
  %below = icmp ne i32 %y, %y0
  %left = icmp slt i32 %x, %x1
  %above = icmp slt i32 %y, %y1
  %both = and i1 %right, %below
  %other = and i1 %left, %above
  %inside = and i1 %both, %other
  br i1 %inside, label %check, label %exit

check:                                            ; preds = %body
  %row = sub i32 %y, %y0
  %column = sub i32 %x, %x0
  %first = mul i32 %row, %w
  %i = add i32 %first, %column
  %at = sext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  %z = load i32, ptr %p, align 4
  store i32 %z, ptr %out, align 4
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %body
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = distinct !{!3, !1, !2}
!4 = distinct !{!4, !1, !2}
!5 = !{}
!6 = distinct !{!6, !1, !2}
!7 = distinct !{!7, !1, !2}
!8 = distinct !{!8, !1, !2}
!9 = distinct !{!9, !1, !2}
!10 = distinct !{!10, !1, !2}
!11 = distinct !{!11, !1, !2}
