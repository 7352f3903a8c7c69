; An atomic number is stored between two loads of global memory, each with a check.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %from = getelementptr inbounds i32, ptr %a, i64 %i
  %value = load i32, ptr %from
  store atomic i32 %value, ptr %b monotonic, align 4
  %j = mul i64 %i, 3
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j
two:
  %from.j = getelementptr inbounds i32, ptr %a, i64 %j
  %other = load i32, ptr %from.j
  %next = getelementptr inbounds i32, ptr %b, i64 1
  store atomic i32 %other, ptr %next monotonic, align 4
  ret void
fail.i:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @place)
  unreachable
fail.j:
  call void @__ptyx_panic_bounds(i64 %j, i64 %m, ptr @place)
  unreachable
}
