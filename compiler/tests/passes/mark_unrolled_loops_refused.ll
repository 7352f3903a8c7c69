; run: mark_unrolled_loops
; How often to unroll must be known.

declare void @__ptyx_unroll(i32)

define void @some_times(i64 %n, i32 %times) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  call void @__ptyx_unroll(i32 %times)
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; becomes:
; refused: the count of `unroll` at :0 is not constant
