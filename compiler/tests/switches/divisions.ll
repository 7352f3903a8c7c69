; A row and a column.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %is_none = icmp eq i64 %m, 0
  br i1 %is_none, label %done, label %divide
divide:
  %row = udiv i64 %n, %m
  %column = urem i64 %n, %m
  %at = add i64 %row, %column
  %p = getelementptr inbounds float, ptr %a, i64 %at
  store float %x, ptr %p
  br label %done
done:
  ret void
}
