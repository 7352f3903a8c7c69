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
