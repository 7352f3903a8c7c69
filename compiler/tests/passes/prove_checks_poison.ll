; run: prove_checks
; Poison of an iteration before: the branch that asks is not on that way.

declare void @panic(i64) noreturn

define ptx_kernel void @before(ptr %a, i64 %length, ptr %c, i32 %n, i32 %y, ptr %out) {
  br label %head
head:
  %w = phi i32 [ 0, %0 ], [ %v, %latch ]
  %k = phi i32 [ 0, %0 ], [ %k.next, %latch ]
  %u = add nsw i32 %k, %y
  %o = and i32 %u, %w
  %v = and i32 %o, 255
  %f = load i32, ptr %c
  %g = icmp eq i32 %f, 3
  br i1 %g, label %side, label %latch
side:
  %asks = icmp slt i32 %u, %n
  br i1 %asks, label %use, label %latch
use:
  %z = freeze i32 %v
  %e = zext i32 %z to i64
  %ok = icmp ult i64 %e, %length
  br i1 %ok, label %more, label %fail
more:
  %p = getelementptr i32, ptr %a, i64 %e
  %l = load i32, ptr %p
  store i32 %l, ptr %out
  br label %latch
latch:
  %k.next = add i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %head, label %exit
fail:
  call void @panic(i64 %e)
  unreachable
exit:
  ret void
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

define ptx_kernel void @before(ptr %a, i64 %length, ptr %c, i32 %n, i32 %y, ptr %out) {
  br label %head

head:                                             ; preds = %latch, %0
  %w = phi i32 [ 0, %0 ], [ %v, %latch ]
  %k = phi i32 [ 0, %0 ], [ %k.next, %latch ]
  %u = add nsw i32 %k, %y
  %o = and i32 %u, %w
  %v = and i32 %o, 255
  %f = load i32, ptr %c, align 4
  %g = icmp eq i32 %f, 3
  br i1 %g, label %side, label %latch

side:                                             ; preds = %head
  %asks = icmp slt i32 %u, %n
  br i1 %asks, label %use, label %latch

use:                                              ; preds = %side
  %z = freeze i32 %v
  %e = zext i32 %z to i64
  %ok = icmp ult i64 %e, %length
  br i1 %ok, label %more, label %fail

more:                                             ; preds = %use
  %p = getelementptr i32, ptr %a, i64 %e
  %l = load i32, ptr %p, align 4
  store i32 %l, ptr %out, align 4
  br label %latch

latch:                                            ; preds = %more, %side, %head
  %k.next = add i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %head, label %exit

fail:                                             ; preds = %use
  call void @panic(i64 %e)
  unreachable

exit:                                             ; preds = %latch
  ret void
}

attributes #0 = { noreturn }
