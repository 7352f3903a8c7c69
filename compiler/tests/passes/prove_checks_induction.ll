; run: prove_checks
; Variables of a loop that change together, as in a bisection. LLVM has moved the loops' conditions to their ends.

declare void @panic(i64) noreturn

; while low < high { m = low + (high - low) / 2; if a[m] < x { low = m + 1 } else { high = m } }: n <= length.
define ptx_kernel void @lower_bound(ptr %a, i64 %length, i64 %n, i32 %x, ptr %out) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body
body:
  %low = phi i64 [ 0, %0 ], [ %low.next, %more ]
  %high = phi i64 [ %n, %0 ], [ %high.next, %more ]
  %distance = sub i64 %high, %low
  %half = lshr i64 %distance, 1
  %m = add i64 %low, %half
  %ok = icmp ult i64 %m, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %m
  %y = load i32, ptr %p
  %less = icmp slt i32 %y, %x
  %above = add i64 %m, 1
  %low.next = select i1 %less, i64 %above, i64 %low
  %high.next = select i1 %less, i64 %high, i64 %m
  %again = icmp ult i64 %low.next, %high.next
  br i1 %again, label %body, label %done
done:
  store i64 %low.next, ptr %out
  br label %exit
fail:
  call void @panic(i64 %m)
  unreachable
exit:
  ret void
}

; The same with signs, half of the sum, and branches in place of selects: also n < 2^30.
define ptx_kernel void @signed(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %low = phi i32 [ 0, %0 ], [ %low.next, %latch ]
  %high = phi i32 [ %n, %0 ], [ %high.next, %latch ]
  %sum = add i32 %low, %high
  %m = sdiv i32 %sum, 2
  %at = sext i32 %m to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  %less = icmp slt i32 %y, %x
  br i1 %less, label %right, label %latch
right:
  %above = add i32 %m, 1
  br label %latch
latch:
  %low.next = phi i32 [ %above, %right ], [ %low, %more ]
  %high.next = phi i32 [ %high, %right ], [ %m, %more ]
  %again = icmp slt i32 %low.next, %high.next
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  store i32 0, ptr %out
  ret void
}

; while high > low + 1 { m = (low + high) / 2; if .. { high = m } else { low = m } }: n <= 64.
define ptx_kernel void @bins(ptr %a, i32 %n, float %x, ptr %out) {
  %any = icmp sgt i32 %n, 1
  br i1 %any, label %body, label %exit
body:
  %low = phi i32 [ 0, %0 ], [ %low.next, %more ]
  %high = phi i32 [ %n, %0 ], [ %high.next, %more ]
  %sum = add nsw i32 %low, %high
  %m = sdiv i32 %sum, 2
  %bad = icmp ugt i32 %m, 63
  br i1 %bad, label %fail, label %more
more:
  %at = zext i32 %m to i64
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p
  %less = fcmp ole float %y, %x
  %low.next = select i1 %less, i32 %low, i32 %m
  %high.next = select i1 %less, i32 %m, i32 %high
  %end = add nsw i32 %low.next, 1
  %again = icmp slt i32 %end, %high.next
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 64)
  unreachable
exit:
  store i32 0, ptr %out
  ret void
}

; Two more than the middle may be above the end.
define ptx_kernel void @too_far(ptr %a, i64 %length, i64 %n, i32 %x, ptr %out) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body
body:
  %low = phi i64 [ 0, %0 ], [ %low.next, %more ]
  %high = phi i64 [ %n, %0 ], [ %high.next, %more ]
  %distance = sub i64 %high, %low
  %half = lshr i64 %distance, 1
  %m = add i64 %low, %half
  %ok = icmp ult i64 %m, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %m
  %y = load i32, ptr %p
  %less = icmp slt i32 %y, %x
  %above = add i64 %m, 2
  %low.next = select i1 %less, i64 %above, i64 %low
  %high.next = select i1 %less, i64 %high, i64 %m
  %again = icmp ne i64 %low.next, %high.next
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %m)
  unreachable
exit:
  ret void
}

; Nothing asks whether the first low is below the first high: the difference may wrap around.
define ptx_kernel void @not_asked_before(ptr %a, i64 %length, i64 %n, i64 %first, i32 %x, ptr %out) {
  br label %body
body:
  %low = phi i64 [ %first, %0 ], [ %low.next, %more ]
  %high = phi i64 [ %n, %0 ], [ %high.next, %more ]
  %distance = sub i64 %high, %low
  %half = lshr i64 %distance, 1
  %m = add i64 %low, %half
  %ok = icmp ult i64 %m, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %m
  %y = load i32, ptr %p
  %less = icmp slt i32 %y, %x
  %above = add i64 %m, 1
  %low.next = select i1 %less, i64 %above, i64 %low
  %high.next = select i1 %less, i64 %high, i64 %m
  %again = icmp ult i64 %low.next, %high.next
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %m)
  unreachable
exit:
  ret void
}

; With `<=` the middle may be n: n < length, not n <= length.
define ptx_kernel void @or_equal(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit
body:
  %low = phi i32 [ 0, %0 ], [ %low.next, %more ]
  %high = phi i32 [ %n, %0 ], [ %high.next, %more ]
  %sum = add i32 %low, %high
  %m = sdiv i32 %sum, 2
  %at = sext i32 %m to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  %less = icmp slt i32 %y, %x
  %low.next = select i1 %less, i32 %m, i32 %low
  %high.next = select i1 %less, i32 %high, i32 %m
  %again = icmp sle i32 %low.next, %high.next
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; (i, j) = (j, i + 1): both grow.
define ptx_kernel void @swapped(ptr %a, i64 %length, i32 %n, i32 %rounds, ptr %out) {
  %any = icmp sgt i32 %rounds, 0
  br i1 %any, label %body, label %exit
body:
  %k = phi i32 [ 0, %0 ], [ %k.next, %more ]
  %i = phi i32 [ 0, %0 ], [ %j, %more ]
  %j = phi i32 [ %n, %0 ], [ %above, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  %above = add i32 %i, 1
  %k.next = add i32 %k, 1
  %done = icmp eq i32 %k.next, %rounds
  br i1 %done, label %exit, label %body
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; while .. { if i < n { if a[i] > x { i += 1 } } }: n <= length. It grows only where a branch has asked.
define ptx_kernel void @sometimes(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
  br label %body
body:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %below = icmp slt i32 %i, %n
  br i1 %below, label %inside, label %latch
inside:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  %greater = icmp sgt i32 %y, %x
  %above = add nsw i32 %i, 1
  %chosen = select i1 %greater, i32 %above, i32 %i
  br label %latch
latch:
  %next = phi i32 [ %chosen, %more ], [ %i, %body ]
  %z = load volatile i32, ptr %out
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; It also grows where none has asked.
define ptx_kernel void @always(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %body
body:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %odd = icmp ne i32 %i, %n
  br i1 %odd, label %inside, label %latch
inside:
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  store i32 %y, ptr %out
  br label %latch
latch:
  %next = add i32 %i, 1
  %z = load volatile i32, ptr %out
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; What the first value of the loop is comes from the last one of the loop before: the outer loop makes it grow.
define ptx_kernel void @around(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %outer
outer:
  %first = phi i32 [ 0, %0 ], [ %last, %latch ]
  br label %body
body:
  %i = phi i32 [ %first, %outer ], [ %next, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p
  %half = lshr i32 %i, 1
  %odd = icmp slt i32 %y, 0
  %next = select i1 %odd, i32 %half, i32 %i
  %z = load volatile i32, ptr %out
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %latch
latch:
  %last = add i32 %next, 1
  %w = load volatile i32, ptr %out
  %more.outer = icmp ne i32 %w, 0
  br i1 %more.outer, label %outer, label %exit
fail:
  call void @panic(i64 %at)
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

define ptx_kernel void @lower_bound(ptr %a, i64 %length, i64 %n, i32 %x, ptr %out) {
start:
  %0 = icmp ult i64 %n, 1152921504606846976
  %1 = icmp ule i64 %n, 1152920405095219201
  %2 = icmp ule i64 %n, %length
  %3 = and i1 %0, %1
  %4 = and i1 %3, %2
  %5 = and i1 true, %4
  br i1 %5, label %start1, label %6

6:                                                ; preds = %start
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %6
  %low = phi i64 [ 0, %6 ], [ %low.next, %more ]
  %high = phi i64 [ %n, %6 ], [ %high.next, %more ]
  %distance = sub i64 %high, %low
  %half = lshr i64 %distance, 1
  %m = add i64 %low, %half
  %ok = icmp ult i64 %m, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %m
  %y = load i32, ptr %p, align 4
  %less = icmp slt i32 %y, %x
  %above = add i64 %m, 1
  %low.next = select i1 %less, i64 %above, i64 %low
  %high.next = select i1 %less, i64 %high, i64 %m
  %again = icmp ult i64 %low.next, %high.next
  br i1 %again, label %body, label %done, !llvm.loop !0

done:                                             ; preds = %more
  store i64 %low.next, ptr %out, align 4
  br label %exit

fail:                                             ; preds = %body
  call void @panic(i64 %m)
  unreachable

exit:                                             ; preds = %done, %6
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %7 = icmp eq i64 %n, 0
  br i1 %7, label %start6, label %start2

start2:                                           ; preds = %start3, %start1
  %8 = phi i64 [ 0, %start1 ], [ %18, %start3 ]
  %9 = phi i64 [ %n, %start1 ], [ %19, %start3 ]
  %10 = sub i64 %9, %8
  %11 = lshr i64 %10, 1
  %12 = add i64 %8, %11
  %13 = icmp ult i64 %12, %length
  br i1 true, label %start3, label %start5

start3:                                           ; preds = %start2
  %14 = getelementptr i32, ptr %a, i64 %12
  %15 = load i32, ptr %14, align 4
  %16 = icmp slt i32 %15, %x
  %17 = add i64 %12, 1
  %18 = select i1 %16, i64 %17, i64 %8
  %19 = select i1 %16, i64 %9, i64 %12
  %20 = icmp ult i64 %18, %19
  br i1 %20, label %start2, label %start4

start4:                                           ; preds = %start3
  store i64 %18, ptr %out, align 4
  br label %start6

start5:                                           ; preds = %start2
  call void @panic(i64 %12)
  unreachable

start6:                                           ; preds = %start4, %start1
  ret void
}

define ptx_kernel void @signed(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 1073741824
  %2 = icmp ule i64 %0, %length
  %3 = and i1 %1, %2
  %4 = and i1 true, %3
  br i1 %4, label %start1, label %5

5:                                                ; preds = %start
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %latch, %5
  %low = phi i32 [ 0, %5 ], [ %low.next, %latch ]
  %high = phi i32 [ %n, %5 ], [ %high.next, %latch ]
  %sum = add i32 %low, %high
  %m = sdiv i32 %sum, 2
  %at = sext i32 %m to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  %less = icmp slt i32 %y, %x
  br i1 %less, label %right, label %latch

right:                                            ; preds = %more
  %above = add i32 %m, 1
  br label %latch

latch:                                            ; preds = %right, %more
  %low.next = phi i32 [ %above, %right ], [ %low, %more ]
  %high.next = phi i32 [ %high, %right ], [ %m, %more ]
  %again = icmp slt i32 %low.next, %high.next
  br i1 %again, label %body, label %exit, !llvm.loop !3

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch, %5
  store i32 0, ptr %out, align 4
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %6 = icmp sgt i32 %n, 0
  br i1 %6, label %start2, label %start7

start2:                                           ; preds = %start5, %start1
  %7 = phi i32 [ 0, %start1 ], [ %17, %start5 ]
  %8 = phi i32 [ %n, %start1 ], [ %18, %start5 ]
  %9 = add i32 %7, %8
  %10 = sdiv i32 %9, 2
  %11 = sext i32 %10 to i64, !ptyx.exact !4
  %12 = icmp ult i64 %11, %length
  br i1 true, label %start3, label %start6

start3:                                           ; preds = %start2
  %13 = getelementptr i32, ptr %a, i64 %11
  %14 = load i32, ptr %13, align 4
  %15 = icmp slt i32 %14, %x
  br i1 %15, label %start4, label %start5

start4:                                           ; preds = %start3
  %16 = add i32 %10, 1
  br label %start5

start5:                                           ; preds = %start4, %start3
  %17 = phi i32 [ %16, %start4 ], [ %7, %start3 ]
  %18 = phi i32 [ %8, %start4 ], [ %10, %start3 ]
  %19 = icmp slt i32 %17, %18
  br i1 %19, label %start2, label %start7

start6:                                           ; preds = %start2
  call void @panic(i64 %11)
  unreachable

start7:                                           ; preds = %start5, %start1
  store i32 0, ptr %out, align 4
  ret void
}

define ptx_kernel void @bins(ptr %a, i32 %n, float %x, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 64
  %2 = and i1 true, %1
  br i1 %2, label %start1, label %3

3:                                                ; preds = %start
  %any = icmp sgt i32 %n, 1
  br i1 %any, label %body, label %exit

body:                                             ; preds = %more, %3
  %low = phi i32 [ 0, %3 ], [ %low.next, %more ]
  %high = phi i32 [ %n, %3 ], [ %high.next, %more ]
  %sum = add nsw i32 %low, %high
  %m = sdiv i32 %sum, 2
  %bad = icmp ugt i32 %m, 63
  br i1 %bad, label %fail, label %more

more:                                             ; preds = %body
  %at = zext i32 %m to i64
  %p = getelementptr float, ptr %a, i64 %at
  %y = load float, ptr %p, align 4
  %less = fcmp ole float %y, %x
  %low.next = select i1 %less, i32 %low, i32 %m
  %high.next = select i1 %less, i32 %m, i32 %high
  %end = add nsw i32 %low.next, 1
  %again = icmp slt i32 %end, %high.next
  br i1 %again, label %body, label %exit, !llvm.loop !5

fail:                                             ; preds = %body
  call void @panic(i64 64)
  unreachable

exit:                                             ; preds = %more, %3
  store i32 0, ptr %out, align 4
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %4 = icmp sgt i32 %n, 1
  br i1 %4, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %5 = phi i32 [ 0, %start1 ], [ %14, %start3 ]
  %6 = phi i32 [ %n, %start1 ], [ %15, %start3 ]
  %7 = add nsw i32 %5, %6
  %8 = sdiv i32 %7, 2
  %9 = icmp ugt i32 %8, 63
  br i1 false, label %start4, label %start3

start3:                                           ; preds = %start2
  %10 = zext i32 %8 to i64
  %11 = getelementptr float, ptr %a, i64 %10
  %12 = load float, ptr %11, align 4
  %13 = fcmp ole float %12, %x
  %14 = select i1 %13, i32 %5, i32 %8
  %15 = select i1 %13, i32 %8, i32 %6
  %16 = add nsw i32 %14, 1
  %17 = icmp slt i32 %16, %15
  br i1 %17, label %start2, label %start5

start4:                                           ; preds = %start2
  call void @panic(i64 64)
  unreachable

start5:                                           ; preds = %start3, %start1
  store i32 0, ptr %out, align 4
  ret void
}

define ptx_kernel void @too_far(ptr %a, i64 %length, i64 %n, i32 %x, ptr %out) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %exit, label %body

body:                                             ; preds = %more, %0
  %low = phi i64 [ 0, %0 ], [ %low.next, %more ]
  %high = phi i64 [ %n, %0 ], [ %high.next, %more ]
  %distance = sub i64 %high, %low
  %half = lshr i64 %distance, 1
  %m = add i64 %low, %half
  %ok = icmp ult i64 %m, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %m
  %y = load i32, ptr %p, align 4
  %less = icmp slt i32 %y, %x
  %above = add i64 %m, 2
  %low.next = select i1 %less, i64 %above, i64 %low
  %high.next = select i1 %less, i64 %high, i64 %m
  %again = icmp ne i64 %low.next, %high.next
  br i1 %again, label %body, label %exit

fail:                                             ; preds = %body
  call void @panic(i64 %m)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @not_asked_before(ptr %a, i64 %length, i64 %n, i64 %first, i32 %x, ptr %out) {
  br label %body

body:                                             ; preds = %more, %0
  %low = phi i64 [ %first, %0 ], [ %low.next, %more ]
  %high = phi i64 [ %n, %0 ], [ %high.next, %more ]
  %distance = sub i64 %high, %low
  %half = lshr i64 %distance, 1
  %m = add i64 %low, %half
  %ok = icmp ult i64 %m, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %m
  %y = load i32, ptr %p, align 4
  %less = icmp slt i32 %y, %x
  %above = add i64 %m, 1
  %low.next = select i1 %less, i64 %above, i64 %low
  %high.next = select i1 %less, i64 %high, i64 %m
  %again = icmp ult i64 %low.next, %high.next
  br i1 %again, label %body, label %exit

fail:                                             ; preds = %body
  call void @panic(i64 %m)
  unreachable

exit:                                             ; preds = %more
  ret void
}

define ptx_kernel void @or_equal(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 1073741823
  %2 = add i64 1, %0
  %3 = icmp ule i64 %2, %length
  %4 = and i1 %1, %3
  %5 = and i1 true, %4
  br i1 %5, label %start1, label %6

6:                                                ; preds = %start
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %more, %6
  %low = phi i32 [ 0, %6 ], [ %low.next, %more ]
  %high = phi i32 [ %n, %6 ], [ %high.next, %more ]
  %sum = add i32 %low, %high
  %m = sdiv i32 %sum, 2
  %at = sext i32 %m to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  %less = icmp slt i32 %y, %x
  %low.next = select i1 %less, i32 %m, i32 %low
  %high.next = select i1 %less, i32 %high, i32 %m
  %again = icmp sle i32 %low.next, %high.next
  br i1 %again, label %body, label %exit, !llvm.loop !6

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %6
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  %7 = icmp sgt i32 %n, 0
  br i1 %7, label %start2, label %start5

start2:                                           ; preds = %start3, %start1
  %8 = phi i32 [ 0, %start1 ], [ %17, %start3 ]
  %9 = phi i32 [ %n, %start1 ], [ %18, %start3 ]
  %10 = add i32 %8, %9
  %11 = sdiv i32 %10, 2
  %12 = sext i32 %11 to i64, !ptyx.exact !4
  %13 = icmp ult i64 %12, %length
  br i1 true, label %start3, label %start4

start3:                                           ; preds = %start2
  %14 = getelementptr i32, ptr %a, i64 %12
  %15 = load i32, ptr %14, align 4
  %16 = icmp slt i32 %15, %x
  %17 = select i1 %16, i32 %11, i32 %8
  %18 = select i1 %16, i32 %9, i32 %11
  %19 = icmp sle i32 %17, %18
  br i1 %19, label %start2, label %start5

start4:                                           ; preds = %start2
  call void @panic(i64 %12)
  unreachable

start5:                                           ; preds = %start3, %start1
  ret void
}

define ptx_kernel void @swapped(ptr %a, i64 %length, i32 %n, i32 %rounds, ptr %out) {
  %any = icmp sgt i32 %rounds, 0
  br i1 %any, label %body, label %exit

body:                                             ; preds = %more, %0
  %k = phi i32 [ 0, %0 ], [ %k.next, %more ]
  %i = phi i32 [ 0, %0 ], [ %j, %more ]
  %j = phi i32 [ %n, %0 ], [ %above, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  %above = add i32 %i, 1
  %k.next = add i32 %k, 1
  %done = icmp eq i32 %k.next, %rounds
  br i1 %done, label %exit, label %body

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %more, %0
  ret void
}

define ptx_kernel void @sometimes(ptr %a, i64 %length, i32 %n, i32 %x, ptr %out) {
start:
  %0 = zext i32 %n to i64
  %1 = icmp ule i64 %0, 2147483647
  %2 = icmp ule i64 %0, %length
  %3 = and i1 %1, %2
  %4 = and i1 true, %3
  br i1 %4, label %start1, label %5

5:                                                ; preds = %start
  br label %body

body:                                             ; preds = %latch, %5
  %i = phi i32 [ 0, %5 ], [ %next, %latch ]
  %below = icmp slt i32 %i, %n
  br i1 %below, label %inside, label %latch

inside:                                           ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  %greater = icmp sgt i32 %y, %x
  %above = add nsw i32 %i, 1
  %chosen = select i1 %greater, i32 %above, i32 %i
  br label %latch

latch:                                            ; preds = %more, %body
  %next = phi i32 [ %chosen, %more ], [ %i, %body ]
  %z = load volatile i32, ptr %out, align 4
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit, !llvm.loop !7

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  call void asm sideeffect "", ""()
  ret void

start1:                                           ; preds = %start
  br label %start2

start2:                                           ; preds = %start5, %start1
  %6 = phi i32 [ 0, %start1 ], [ %15, %start5 ]
  %7 = icmp slt i32 %6, %n
  br i1 %7, label %start3, label %start5

start3:                                           ; preds = %start2
  %8 = zext i32 %6 to i64
  %9 = icmp ult i64 %8, %length
  br i1 true, label %start4, label %start6

start4:                                           ; preds = %start3
  %10 = getelementptr i32, ptr %a, i64 %8
  %11 = load i32, ptr %10, align 4
  %12 = icmp sgt i32 %11, %x
  %13 = add nsw i32 %6, 1
  %14 = select i1 %12, i32 %13, i32 %6
  br label %start5

start5:                                           ; preds = %start4, %start2
  %15 = phi i32 [ %14, %start4 ], [ %6, %start2 ]
  %16 = load volatile i32, ptr %out, align 4
  %17 = icmp ne i32 %16, 0
  br i1 %17, label %start2, label %start7

start6:                                           ; preds = %start3
  call void @panic(i64 %8)
  unreachable

start7:                                           ; preds = %start5
  ret void
}

define ptx_kernel void @always(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %body

body:                                             ; preds = %latch, %0
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %odd = icmp ne i32 %i, %n
  br i1 %odd, label %inside, label %latch

inside:                                           ; preds = %body
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %inside
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %body
  %next = add i32 %i, 1
  %z = load volatile i32, ptr %out, align 4
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %exit

fail:                                             ; preds = %inside
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @around(ptr %a, i64 %length, i32 %n, ptr %out) {
  br label %outer

outer:                                            ; preds = %latch, %0
  %first = phi i32 [ 0, %0 ], [ %last, %latch ]
  br label %body

body:                                             ; preds = %more, %outer
  %i = phi i32 [ %first, %outer ], [ %next, %more ]
  %at = zext i32 %i to i64
  %ok = icmp ult i64 %at, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %body
  %p = getelementptr i32, ptr %a, i64 %at
  %y = load i32, ptr %p, align 4
  %half = lshr i32 %i, 1
  %odd = icmp slt i32 %y, 0
  %next = select i1 %odd, i32 %half, i32 %i
  %z = load volatile i32, ptr %out, align 4
  %again = icmp ne i32 %z, 0
  br i1 %again, label %body, label %latch

latch:                                            ; preds = %more
  %last = add i32 %next, 1
  %w = load volatile i32, ptr %out, align 4
  %more.outer = icmp ne i32 %w, 0
  br i1 %more.outer, label %outer, label %exit

fail:                                             ; preds = %body
  call void @panic(i64 %at)
  unreachable

exit:                                             ; preds = %latch
  ret void
}

attributes #0 = { noreturn }

!0 = distinct !{!0, !1, !2}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = !{!"ptyx.loop.checked"}
!3 = distinct !{!3, !1, !2}
!4 = !{}
!5 = distinct !{!5, !1, !2}
!6 = distinct !{!6, !1, !2}
!7 = distinct !{!7, !1, !2}
