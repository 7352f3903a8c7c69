; A loop that counts to a constant.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %at = getelementptr float, ptr %a, i64 %i
  store volatile float %x, ptr %at
  %next = add nuw nsw i64 %i, 1
  %more = icmp ne i64 %next, 1000003
  br i1 %more, label %loop, label %done
done:
  ret void
}
