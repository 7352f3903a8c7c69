; run: narrow_counters
; Counters of 64 bits that need 32.

declare void @unknown(i64)

; for k in 0..256, by eight.
define ptx_kernel void @constant(ptr %p) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %next = add nuw nsw i64 %k, 8
  %again = icmp ne i64 %next, 256
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; for k in 0..n, where n has 32 bits; the next value is read, too.
define ptx_kernel void @words(ptr %p, i32 %n) {
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %before
before:
  %end = zext i32 %n to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %before ], [ %next, %loop ]
  %next = add nuw nsw i64 %k, 1
  %at = getelementptr i64, ptr %p, i64 %k
  store i64 %next, ptr %at
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; while k < n, by steps of three; the last value is behind the end.
define ptx_kernel void @less(ptr %p, i32 %n, i64 %m) {
  %half = lshr i32 %n, 1
  %end = zext i32 %half to i64
  br label %loop
loop:
  %k = phi i64 [ 5, %0 ], [ %next, %latch ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %leaves = icmp eq i64 %k, %m
  br i1 %leaves, label %exit, label %latch
latch:
  %next = add i64 %k, 3
  %again = icmp ult i64 %next, %end
  br i1 %again, label %loop, label %exit
exit:
  %last = phi i64 [ %k, %loop ], [ %next, %latch ]
  store volatile i64 %last, ptr %p
  ret void
}

; An end that may have more bits, ...
define ptx_kernel void @long(ptr %p, i64 %n) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; ... or is missed; by the last step, ...
define ptx_kernel void @missed(ptr %p) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store volatile i32 1, ptr %at
  %next = add i64 %k, 3
  %done = icmp eq i64 %next, 256
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; ... or since the counter begins there, and a thread may leave the loop elsewhere.
define ptx_kernel void @behind(ptr %p, i32 %n, i64 %m) {
  %end = zext i32 %n to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %leaves = icmp eq i64 %k, %m
  br i1 %leaves, label %exit, label %latch
latch:
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; A call may end the thread.
define ptx_kernel void @calls(ptr %p, i32 %n) {
  %end = zext i32 %n to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  call void @unknown(i64 %k)
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; It might wrap around, for all that is known.
define ptx_kernel void @wraps(ptr %p, i32 %n) {
  %end = zext i32 %n to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; The last step may not fit.
define ptx_kernel void @long_step(ptr %p, i32 %n) {
  %end = zext i32 %n to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %next = add i64 %k, 2
  %again = icmp ult i64 %next, %end
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; The end changes, the loop goes on at the end, or it counts from elsewhere.
define ptx_kernel void @others(ptr %p, i64 %first) {
  br label %loop
loop:
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  %x = load i32, ptr %at
  %end = zext i32 %x to i64
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %middle, label %loop
middle:
  %j = phi i64 [ 0, %loop ], [ %next.j, %middle ]
  %at.j = getelementptr i32, ptr %p, i64 %j
  store volatile i32 1, ptr %at.j
  %next.j = add nuw i64 %j, 1
  %done.j = icmp eq i64 %next.j, 256
  br i1 %done.j, label %middle, label %last
last:
  %i = phi i64 [ %first, %middle ], [ %next.i, %last ]
  %at.i = getelementptr i32, ptr %p, i64 %i
  store volatile i32 1, ptr %at.i
  %next.i = add nuw i64 %i, 1
  %done.i = icmp eq i64 %next.i, 256
  br i1 %done.i, label %exit, label %last
exit:
  ret void
}

; A loop that was unrolled four times; a branch before it has found that four iterations are left.
define ptx_kernel void @unrolled(ptr %p, i32 %n, i64 %m) {
  %few = icmp ult i32 %n, 4
  br i1 %few, label %exit, label %before
before:
  %wide = zext i32 %n to i64
  %end = and i64 %wide, 4294967292
  br label %loop
loop:
  %k = phi i64 [ 0, %before ], [ %next.k, %latch ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %leaves = icmp eq i64 %k, %m
  br i1 %leaves, label %exit, label %latch
latch:
  %next.k = add i64 %k, 4
  store volatile i64 %next.k, ptr %p
  %done = icmp eq i64 %next.k, %end
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Steps of four miss an end that may be no multiple of four, or that may not be ahead.
define ptx_kernel void @not_met(ptr %p, i32 %n, i64 %m) {
  %few = icmp ult i32 %n, 4
  br i1 %few, label %none, label %before
before:
  %wide = zext i32 %n to i64
  %end = and i64 %wide, 4294967294
  br label %loop
loop:
  %k = phi i64 [ 0, %before ], [ %next.k, %latch ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at
  %leaves = icmp eq i64 %k, %m
  br i1 %leaves, label %exit, label %latch
latch:
  %next.k = add nuw i64 %k, 4
  %done = icmp eq i64 %next.k, %end
  br i1 %done, label %exit, label %loop
none:
  %wide.j = zext i32 %n to i64
  %end.j = and i64 %wide.j, 4294967292
  br label %loop.j
loop.j:
  %j = phi i64 [ 0, %none ], [ %next.j, %latch.j ]
  %at.j = getelementptr i32, ptr %p, i64 %j
  store i32 1, ptr %at.j
  %leaves.j = icmp eq i64 %j, %m
  br i1 %leaves.j, label %exit, label %latch.j
latch.j:
  %next.j = add nuw i64 %j, 4
  %done.j = icmp eq i64 %next.j, %end.j
  br i1 %done.j, label %exit, label %loop.j
exit:
  ret void
}

; That both operands have the same sign is known of 64 bits only.
define ptx_kernel void @same_sign(ptr %a, i32 %n) {
  %any = icmp ne i32 %n, 0
  br i1 %any, label %entry, label %exit
entry:
  %end = zext i32 %n to i64
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %next = add i64 %k, 1
  %p = getelementptr i8, ptr %a, i64 %k
  store i8 0, ptr %p
  %again = icmp samesign ult i64 %next, %end
  br i1 %again, label %body, label %exit
exit:
  ret void
}

; becomes:
declare void @unknown(i64)

define ptx_kernel void @constant(ptr %p) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %1 = phi i32 [ 0, %0 ], [ %3, %loop ]
  %2 = zext i32 %1 to i64
  %at = getelementptr i32, ptr %p, i64 %2
  store i32 1, ptr %at, align 4
  %3 = add nuw i32 %1, 8
  %4 = icmp ne i32 %3, 256
  br i1 %4, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @words(ptr %p, i32 %n) {
  %none = icmp eq i32 %n, 0
  br i1 %none, label %exit, label %before

before:                                           ; preds = %0
  %end = zext i32 %n to i64
  %1 = trunc i64 %end to i32
  br label %loop

loop:                                             ; preds = %loop, %before
  %2 = phi i32 [ 0, %before ], [ %3, %loop ]
  %3 = add nuw i32 %2, 1
  %4 = zext i32 %3 to i64
  %5 = zext i32 %2 to i64
  %at = getelementptr i64, ptr %p, i64 %5
  store i64 %4, ptr %at, align 4
  %6 = icmp eq i32 %3, %1
  br i1 %6, label %exit, label %loop

exit:                                             ; preds = %loop, %0
  ret void
}

define ptx_kernel void @less(ptr %p, i32 %n, i64 %m) {
  %half = lshr i32 %n, 1
  %end = zext i32 %half to i64
  %1 = trunc i64 %end to i32
  br label %loop

loop:                                             ; preds = %latch, %0
  %2 = phi i32 [ 5, %0 ], [ %4, %latch ]
  %3 = zext i32 %2 to i64
  %at = getelementptr i32, ptr %p, i64 %3
  store i32 1, ptr %at, align 4
  %leaves = icmp eq i64 %3, %m
  br i1 %leaves, label %exit, label %latch

latch:                                            ; preds = %loop
  %4 = add nuw i32 %2, 3
  %5 = zext i32 %4 to i64
  %6 = icmp ult i32 %4, %1
  br i1 %6, label %loop, label %exit

exit:                                             ; preds = %latch, %loop
  %last = phi i64 [ %3, %loop ], [ %5, %latch ]
  store volatile i64 %last, ptr %p, align 4
  ret void
}

define ptx_kernel void @long(ptr %p, i64 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at, align 4
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @missed(ptr %p) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store volatile i32 1, ptr %at, align 4
  %next = add i64 %k, 3
  %done = icmp eq i64 %next, 256
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @behind(ptr %p, i32 %n, i64 %m) {
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %latch, %0
  %k = phi i64 [ 0, %0 ], [ %next, %latch ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at, align 4
  %leaves = icmp eq i64 %k, %m
  br i1 %leaves, label %exit, label %latch

latch:                                            ; preds = %loop
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %latch, %loop
  ret void
}

define ptx_kernel void @calls(ptr %p, i32 %n) {
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %0
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  call void @unknown(i64 %k)
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @wraps(ptr %p, i32 %n) {
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %0
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at, align 4
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %exit, label %loop

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @long_step(ptr %p, i32 %n) {
  %end = zext i32 %n to i64
  br label %loop

loop:                                             ; preds = %loop, %0
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at, align 4
  %next = add i64 %k, 2
  %again = icmp ult i64 %next, %end
  br i1 %again, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @others(ptr %p, i64 %first) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %k = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr i32, ptr %p, i64 %k
  %x = load i32, ptr %at, align 4
  %end = zext i32 %x to i64
  %next = add nuw i64 %k, 1
  %done = icmp eq i64 %next, %end
  br i1 %done, label %middle, label %loop

middle:                                           ; preds = %middle, %loop
  %j = phi i64 [ 0, %loop ], [ %next.j, %middle ]
  %at.j = getelementptr i32, ptr %p, i64 %j
  store volatile i32 1, ptr %at.j, align 4
  %next.j = add nuw i64 %j, 1
  %done.j = icmp eq i64 %next.j, 256
  br i1 %done.j, label %middle, label %last

last:                                             ; preds = %last, %middle
  %i = phi i64 [ %first, %middle ], [ %next.i, %last ]
  %at.i = getelementptr i32, ptr %p, i64 %i
  store volatile i32 1, ptr %at.i, align 4
  %next.i = add nuw i64 %i, 1
  %done.i = icmp eq i64 %next.i, 256
  br i1 %done.i, label %exit, label %last

exit:                                             ; preds = %last
  ret void
}

define ptx_kernel void @unrolled(ptr %p, i32 %n, i64 %m) {
  %few = icmp ult i32 %n, 4
  br i1 %few, label %exit, label %before

before:                                           ; preds = %0
  %wide = zext i32 %n to i64
  %end = and i64 %wide, 4294967292
  %1 = trunc i64 %end to i32
  br label %loop

loop:                                             ; preds = %latch, %before
  %2 = phi i32 [ 0, %before ], [ %4, %latch ]
  %3 = zext i32 %2 to i64
  %at = getelementptr i32, ptr %p, i64 %3
  store i32 1, ptr %at, align 4
  %leaves = icmp eq i64 %3, %m
  br i1 %leaves, label %exit, label %latch

latch:                                            ; preds = %loop
  %4 = add nuw i32 %2, 4
  %5 = zext i32 %4 to i64
  store volatile i64 %5, ptr %p, align 4
  %6 = icmp eq i32 %4, %1
  br i1 %6, label %exit, label %loop

exit:                                             ; preds = %latch, %loop, %0
  ret void
}

define ptx_kernel void @not_met(ptr %p, i32 %n, i64 %m) {
  %few = icmp ult i32 %n, 4
  br i1 %few, label %none, label %before

before:                                           ; preds = %0
  %wide = zext i32 %n to i64
  %end = and i64 %wide, 4294967294
  br label %loop

loop:                                             ; preds = %latch, %before
  %k = phi i64 [ 0, %before ], [ %next.k, %latch ]
  %at = getelementptr i32, ptr %p, i64 %k
  store i32 1, ptr %at, align 4
  %leaves = icmp eq i64 %k, %m
  br i1 %leaves, label %exit, label %latch

latch:                                            ; preds = %loop
  %next.k = add nuw i64 %k, 4
  %done = icmp eq i64 %next.k, %end
  br i1 %done, label %exit, label %loop

none:                                             ; preds = %0
  %wide.j = zext i32 %n to i64
  %end.j = and i64 %wide.j, 4294967292
  br label %loop.j

loop.j:                                           ; preds = %latch.j, %none
  %j = phi i64 [ 0, %none ], [ %next.j, %latch.j ]
  %at.j = getelementptr i32, ptr %p, i64 %j
  store i32 1, ptr %at.j, align 4
  %leaves.j = icmp eq i64 %j, %m
  br i1 %leaves.j, label %exit, label %latch.j

latch.j:                                          ; preds = %loop.j
  %next.j = add nuw i64 %j, 4
  %done.j = icmp eq i64 %next.j, %end.j
  br i1 %done.j, label %exit, label %loop.j

exit:                                             ; preds = %latch.j, %loop.j, %latch, %loop
  ret void
}

define ptx_kernel void @same_sign(ptr %a, i32 %n) {
  %any = icmp ne i32 %n, 0
  br i1 %any, label %entry, label %exit

entry:                                            ; preds = %0
  %end = zext i32 %n to i64
  %1 = trunc i64 %end to i32
  br label %body

body:                                             ; preds = %body, %entry
  %2 = phi i32 [ 0, %entry ], [ %3, %body ]
  %3 = add nuw i32 %2, 1
  %4 = zext i32 %2 to i64
  %p = getelementptr i8, ptr %a, i64 %4
  store i8 0, ptr %p, align 1
  %5 = icmp ult i32 %3, %1
  br i1 %5, label %body, label %exit

exit:                                             ; preds = %body, %0
  ret void
}
