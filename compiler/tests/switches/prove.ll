; The check of a loop whose end is a parameter: the host finds out whether it can fail.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %inside ]
  %ok = icmp ult i64 %i, %m
  br i1 %ok, label %inside, label %fail
inside:
  %p = getelementptr float, ptr %a, i64 %i
  store float %x, ptr %p
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %exit, label %loop
fail:
  call void @__ptyx_panic_bounds(i64 %i, i64 %m, ptr @place)
  unreachable
exit:
  ret void
}
