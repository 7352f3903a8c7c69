; The addresses of a column are a run-time stride apart.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = mul i64 %i, %m
  %p = getelementptr inbounds float, ptr %a, i64 %at
  %y = load float, ptr %p
  %sum = fadd float %y, %x
  store float %sum, ptr %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  ret void
}
