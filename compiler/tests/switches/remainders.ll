; A short loop that LLVM unrolls by its run-time trip count.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %from = getelementptr i64, ptr %a, i64 %i
  %at = load i64, ptr %from
  %to = getelementptr i64, ptr %b, i64 %at
  store i64 %m, ptr %to
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
