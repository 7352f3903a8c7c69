; Two checks share a panic, whose index is that of the check that fails.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %i = load volatile i64, ptr %a
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail
more:
  %j = load volatile i64, ptr %b
  %second = icmp ult i64 %j, %n
  br i1 %second, label %done, label %fail
done:
  store volatile float %x, ptr %a
  ret void
fail:
  %which = phi i64 [ %i, %0 ], [ %j, %more ]
  call void @__ptyx_panic_bounds(i64 %which, i64 %n, ptr @place)
  unreachable
}
