; A tile that is written before a barrier, and read behind it.
@tile = internal addrspace(3) global [64 x i32] undef

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %any = getelementptr i32, ptr addrspace(3) @tile, i64 %m
  store atomic i32 7, ptr addrspace(3) %any monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %n
  %one = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %one, ptr %a
  ret void
}
