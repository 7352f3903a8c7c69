; Two checks in a row, of which the second needs nothing from memory.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %tid to i64
  %first = icmp ult i64 %i, %n
  br i1 %first, label %more, label %fail
more:
  %p = getelementptr float, ptr %a, i64 %i
  %y = load float, ptr %p
  %second = icmp ult i64 %i, %m
  br i1 %second, label %done, label %fail.m
done:
  %q = getelementptr float, ptr %b, i64 %i
  store float %y, ptr %q
  ret void
fail:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @place)
  unreachable
fail.m:
  call void @__ptyx_panic_bounds(i64 %i, i64 %m, ptr @place)
  unreachable
}
