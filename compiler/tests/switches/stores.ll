; A cell is stored between two loads of global memory, each with a check.
@tile = internal addrspace(3) global [64 x i32] undef
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %from = getelementptr inbounds i32, ptr %a, i64 %i
  %value = load i32, ptr %from
  store atomic i32 %value, ptr addrspace(3) @tile monotonic, align 4
  %j = mul i64 %i, 3
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j
two:
  %from.j = getelementptr inbounds i32, ptr %a, i64 %j
  %other = load i32, ptr %from.j
  store atomic i32 %other, ptr addrspace(3) getelementptr (i32, ptr addrspace(3) @tile, i64 1) monotonic, align 4
  ret void
fail.i:
  call void @__ptyx_panic_bounds(i64 %i, i64 %n, ptr @place)
  unreachable
fail.j:
  call void @__ptyx_panic_bounds(i64 %j, i64 %m, ptr @place)
  unreachable
}
