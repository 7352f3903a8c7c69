; A length that is cut to 32 bits is not greater than the whole. That is said in a way that is dropped later.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %cut = trunc i64 %n to i32
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %below = icmp ult i32 %tid, %cut
  br i1 %below, label %check, label %exit
check:
  %i = zext i32 %tid to i64
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %inside, label %fail
inside:
  %p = getelementptr float, ptr %a, i64 %i
  store float %x, ptr %p
  br label %exit
fail:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @place)
  unreachable
exit:
  ret void
}
