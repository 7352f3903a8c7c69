; Two rounds with the same check, of which the second is made only by threads that have not made the first.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %ok = icmp ult i64 %i, 32
  %c0 = icmp slt i64 %i, %n
  br i1 %c0, label %check0, label %round1
check0:
  br i1 %ok, label %passed, label %fail0
passed:
  store volatile float %x, ptr %a
  %j.again = add i64 %i, 8
  %c1.again = icmp slt i64 %j.again, %m
  br i1 %c1.again, label %body1, label %end
round1:
  %j = add i64 %i, 8
  %c1 = icmp slt i64 %j, %m
  br i1 %c1, label %check1, label %end
check1:
  br i1 %ok, label %body1, label %fail1
body1:
  store volatile float %x, ptr %b
  br label %end
end:
  ret void
fail0:
  call void @__ptyx_panic_bounds(i64 %i, i64 %m, ptr @place)
  unreachable
fail1:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @place)
  unreachable
}
