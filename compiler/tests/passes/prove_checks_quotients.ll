; run: prove_checks
; Bounds of a number by its quotient and its remainder. Of each pair, the first is proved, and what follows looks alike and is not.

declare void @panic(i64) noreturn
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.umax.i32(i32, i32)

; i / w < h, without signs: h * w elements.
define ptx_kernel void @row(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %check, label %again
check:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; With signs, i may be below zero, and so i / w below h.
define ptx_kernel void @row_below_zero(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %y = sdiv i32 %i, %w
  %inside = icmp slt i32 %y, %h
  br i1 %inside, label %check, label %again
check:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; i / v < h says nothing of h * w, and i % w nothing of i.
define ptx_kernel void @other_width(ptr %a, i64 %length, i32 %w, i32 %v, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %x = urem i32 %i, %w
  %inside = icmp ult i32 %x, %h
  br i1 %inside, label %check, label %again
check:
  %y = udiv i32 %i, %v
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 %y, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The quotient of the last iteration's number, and not of this one's.
define ptx_kernel void @last_iteration(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %last = phi i32 [ 0, %0 ], [ %i, %again ]
  %y = udiv i32 %last, %w
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %check, label %again
check:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; i / w >= 1: i - w is not below zero, and less than h * w if i / w is less than h.
define ptx_kernel void @row_above(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  %has.above = icmp ne i32 %y, 0
  %both = and i1 %inside, %has.above
  br i1 %both, label %check, label %again
check:
  %above = sub i32 %i, %w
  %at = zext i32 %above to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; Without that, it may be.
define ptx_kernel void @no_row_above(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %check, label %again
check:
  %above = sub i32 %i, %w
  %at = zext i32 %above to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; LLVM's freeze of what may be poison is any number: only one freeze of a sum that must not wrap around is below n.
define ptx_kernel void @two_freezes(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %x = load i32, ptr %from
  %sum = add nsw i32 %x, 5
  %i = freeze i32 %sum
  %j = freeze i32 %sum
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %check, label %again
check:
  %at = zext i32 %j to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; The host divides: i < n, so i / w <= (n - 1) / w.
define ptx_kernel void @host_divides(ptr %a, i64 %length, i32 %n, i32 %w, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %check, label %again
check:
  %y = udiv i32 %i, %w
  %at = zext i32 %y to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; What is added wraps around before it is divided: i + 7 must fit.
define ptx_kernel void @wraps_before(ptr %a, i64 %length, i32 %n, i32 %w, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %check, label %again
check:
  %i7 = add i32 %i, 7
  %y = udiv i32 %i7, %w
  %at = zext i32 %y to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; i / w without signs and i % w with signs, which may be below zero: the row alone bounds i.
define ptx_kernel void @two_kinds(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %y = udiv i32 %i, %w
  %x = srem i32 %i, %w
  %above = icmp ult i32 %y, %h
  %left = icmp slt i32 %x, 4
  %inside = and i1 %above, %left
  br i1 %inside, label %check, label %again
check:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; With signs, i / w is zero of some i below zero.
define ptx_kernel void @row_of_less_than_zero(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="" %proof) {
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from
  %y = sdiv i32 %i, %w
  %above = icmp slt i32 %y, %h
  %below = icmp sgt i32 %y, -1
  %inside = and i1 %above, %below
  br i1 %inside, label %check, label %again
check:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p
  br label %again
again:
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; for m in 0..(n + 15) / 16 { x = m * 16 + own; if x < n { a[x] } }, where the number of tiles is asked not to be zero.
define ptx_kernel void @tiles(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof"="" %proof) {
  %t = load i32, ptr %out
  %own = and i32 %t, 15
  %rounded = add i32 %n, 15
  %tiles = sdiv i32 %rounded, 16
  br label %start
start:
  br label %body
body:
  %m = phi i32 [ 0, %start ], [ %next, %latch ]
  %first = shl i32 %m, 4
  %x = add i32 %first, %own
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %check, label %latch
check:
  %at = sext i32 %x to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  br label %latch
latch:
  %next = add i32 %m, 1
  %done = icmp eq i32 %next, %tiles
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umax.i32(i32, i32) #2

define ptx_kernel void @row(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="p1 p3 p2;;1*0 -1*1*2" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %again, %1
  %k = phi i32 [ 0, %1 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !0

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %2 = phi i32 [ 0, %start1 ], [ %10, %start5 ]
  %3 = getelementptr i32, ptr %a, i32 %2
  %4 = load i32, ptr %3, align 4
  %5 = udiv i32 %4, %w
  %6 = icmp ult i32 %5, %h
  br i1 %6, label %start3, label %start5

start3:                                           ; preds = %start2
  %7 = zext i32 %4 to i64
  %8 = icmp ult i64 %7, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %9 = getelementptr i32, ptr %a, i64 %7
  store i32 1, ptr %9, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %10 = add nuw nsw i32 %2, 1
  %11 = icmp eq i32 %10, 100
  br i1 %11, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %7)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @row_below_zero(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %y = sdiv i32 %i, %w
  %inside = icmp slt i32 %y, %h
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @other_width(ptr %a, i64 %length, i32 %w, i32 %v, i32 %h, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %x = urem i32 %i, %w
  %inside = icmp ult i32 %x, %h
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %y = udiv i32 %i, %v
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 %y, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @last_iteration(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %last = phi i32 [ 0, %0 ], [ %i, %again ]
  %y = udiv i32 %last, %w
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @row_above(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="p2 p3 p1;;2147483648 1*0 -1*0*1,1*0 -1*0*1 1*2" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %again, %1
  %k = phi i32 [ 0, %1 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  %has.above = icmp ne i32 %y, 0
  %both = and i1 %inside, %has.above
  br i1 %both, label %check, label %again

check:                                            ; preds = %body
  %above = sub i32 %i, %w
  %at = zext i32 %above to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !3

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %2 = phi i32 [ 0, %start1 ], [ %13, %start5 ]
  %3 = getelementptr i32, ptr %a, i32 %2
  %4 = load i32, ptr %3, align 4
  %5 = udiv i32 %4, %w
  %6 = icmp ult i32 %5, %h
  %7 = icmp ne i32 %5, 0
  %8 = and i1 %6, %7
  br i1 %8, label %start3, label %start5

start3:                                           ; preds = %start2
  %9 = sub i32 %4, %w
  %10 = zext i32 %9 to i64
  %11 = icmp ult i64 %10, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %12 = getelementptr i32, ptr %a, i64 %10
  store i32 1, ptr %12, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %13 = add nuw nsw i32 %2, 1
  %14 = icmp eq i32 %13, 100
  br i1 %14, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %10)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @no_row_above(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %y = udiv i32 %i, %w
  %inside = icmp ult i32 %y, %h
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %above = sub i32 %i, %w
  %at = zext i32 %above to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @two_freezes(ptr %a, i64 %length, i32 %n, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %x = load i32, ptr %from, align 4
  %sum = add nsw i32 %x, 5
  %i = freeze i32 %sum
  %j = freeze i32 %sum
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %at = zext i32 %j to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @host_divides(ptr %a, i64 %length, i32 %n, i32 %w, i32 "ptyx-proof"="p2 p3 p1;-1 1*0/1*1;-1 1*2 -1*q0" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %again, %1
  %k = phi i32 [ 0, %1 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %y = udiv i32 %i, %w
  %at = zext i32 %y to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !4

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %2 = phi i32 [ 0, %start1 ], [ %10, %start5 ]
  %3 = getelementptr i32, ptr %a, i32 %2
  %4 = load i32, ptr %3, align 4
  %5 = icmp ult i32 %4, %n
  br i1 %5, label %start3, label %start5

start3:                                           ; preds = %start2
  %6 = udiv i32 %4, %w
  %7 = zext i32 %6 to i64
  %8 = icmp ult i64 %7, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %9 = getelementptr i32, ptr %a, i64 %7
  store i32 1, ptr %9, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %10 = add nuw nsw i32 %2, 1
  %11 = icmp eq i32 %10, 100
  br i1 %11, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %7)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @wraps_before(ptr %a, i64 %length, i32 %n, i32 %w, i32 "ptyx-proof"="p2 p3 p1;6 1*0/1*1;2147483641 -1*0,-1 1*2 -1*q0" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %again, %1
  %k = phi i32 [ 0, %1 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %i7 = add i32 %i, 7
  %y = udiv i32 %i7, %w
  %at = zext i32 %y to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !5

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %2 = phi i32 [ 0, %start1 ], [ %11, %start5 ]
  %3 = getelementptr i32, ptr %a, i32 %2
  %4 = load i32, ptr %3, align 4
  %5 = icmp ult i32 %4, %n
  br i1 %5, label %start3, label %start5

start3:                                           ; preds = %start2
  %6 = add i32 %4, 7
  %7 = udiv i32 %6, %w
  %8 = zext i32 %7 to i64
  %9 = icmp ult i64 %8, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %10 = getelementptr i32, ptr %a, i64 %8
  store i32 1, ptr %10, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %11 = add nuw nsw i32 %2, 1
  %12 = icmp eq i32 %11, 100
  br i1 %12, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %8)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @two_kinds(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof"="p1 p3 p2;;1*0 -1*1*2" %proof) {
start:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start1, label %1

1:                                                ; preds = %start
  br label %body

body:                                             ; preds = %again, %1
  %k = phi i32 [ 0, %1 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %y = udiv i32 %i, %w
  %x = srem i32 %i, %w
  %above = icmp ult i32 %y, %h
  %left = icmp slt i32 %x, 4
  %inside = and i1 %above, %left
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body, !llvm.loop !6

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %2 = phi i32 [ 0, %start1 ], [ %13, %start5 ]
  %3 = getelementptr i32, ptr %a, i32 %2
  %4 = load i32, ptr %3, align 4
  %5 = udiv i32 %4, %w
  %6 = srem i32 %4, %w
  %7 = icmp ult i32 %5, %h
  %8 = icmp slt i32 %6, 4
  %9 = and i1 %7, %8
  br i1 %9, label %start3, label %start5

start3:                                           ; preds = %start2
  %10 = zext i32 %4 to i64
  %11 = icmp ult i64 %10, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %12 = getelementptr i32, ptr %a, i64 %10
  store i32 1, ptr %12, align 4
  br label %start5

start5:                                           ; preds = %start4, %start2
  %13 = add nuw nsw i32 %2, 1
  %14 = icmp eq i32 %13, 100
  br i1 %14, label %start7, label %start2

start6:                                           ; preds = %start3
  call void @panic(i64 %10)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @row_of_less_than_zero(ptr %a, i64 %length, i32 %w, i32 %h, i32 "ptyx-proof" %proof) {
  br label %body

body:                                             ; preds = %again, %0
  %k = phi i32 [ 0, %0 ], [ %next, %again ]
  %from = getelementptr i32, ptr %a, i32 %k
  %i = load i32, ptr %from, align 4
  %y = sdiv i32 %i, %w
  %above = icmp slt i32 %y, %h
  %below = icmp sgt i32 %y, -1
  %inside = and i1 %above, %below
  br i1 %inside, label %check, label %again

check:                                            ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  store i32 1, ptr %p, align 4
  br label %again

again:                                            ; preds = %more, %body
  %next = add nuw nsw i32 %k, 1
  %done = icmp eq i32 %next, 100
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %again
  ret void
}

define ptx_kernel void @tiles(ptr %a, i64 %length, i32 %n, ptr %out, i32 "ptyx-proof"="p2 p1;15 1*0/16;2147483632 -1*0,-1 1*q0,134217728 -1*q0,1*1 -1*0" %proof) {
start1:
  %0 = icmp ugt i32 %proof, 0
  br i1 %0, label %start2, label %1

1:                                                ; preds = %start1
  %t = load i32, ptr %out, align 4
  %own = and i32 %t, 15
  %rounded = add i32 %n, 15
  %tiles = sdiv i32 %rounded, 16
  br label %start

start:                                            ; preds = %1
  br label %body

body:                                             ; preds = %latch, %start
  %m = phi i32 [ 0, %start ], [ %next, %latch ]
  %first = shl i32 %m, 4
  %x = add i32 %first, %own
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %check, label %latch

check:                                            ; preds = %body
  %at = sext i32 %x to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %check
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i32 %m, 1
  %done = icmp eq i32 %next, %tiles
  br i1 %done, label %exit, label %body, !llvm.loop !7

fail:                                             ; preds = %check
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  call void asm sideeffect "", ""()
  ret void

start2:                                           ; preds = %start1
  %2 = load i32, ptr %out, align 4
  %3 = and i32 %2, 15
  %4 = add i32 %n, 15
  %5 = sdiv i32 %4, 16
  br label %start3

start3:                                           ; preds = %start2
  br label %start4

start4:                                           ; preds = %start7, %start3
  %6 = phi i32 [ 0, %start3 ], [ %14, %start7 ]
  %7 = shl i32 %6, 4
  %8 = add i32 %7, %3
  %9 = icmp slt i32 %8, %n
  br i1 %9, label %start5, label %start7

start5:                                           ; preds = %start4
  %10 = sext i32 %8 to i64
  %11 = icmp ult i64 %10, %length
  br i1 true, label %start6, label %start8

start6:                                           ; preds = %start5
  %12 = getelementptr i32, ptr %a, i64 %10
  %13 = load i32, ptr %12, align 4
  store i32 %13, ptr %out, align 4
  br label %start7

start7:                                           ; preds = %start6, %start4
  %14 = add i32 %6, 1
  %15 = icmp eq i32 %14, %5
  br i1 %15, label %start9, label %start4

start8:                                           ; preds = %start5
  call void @panic(i64 %10)
  unreachable

start9:                                           ; preds = %start7
  ret void
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = distinct !{!3, !1, !2}
!4 = distinct !{!4, !1, !2}
!5 = distinct !{!5, !1, !2}
!6 = distinct !{!6, !1, !2}
!7 = distinct !{!7, !1, !2}
