; A place in shared memory, computed in 64 bits from a thread's index.
@tile = internal addrspace(3) global [2112 x float] undef
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !range !0
  %wide = zext i32 %t to i64
  %twice = mul i64 %wide, 3
  %row = lshr i64 %twice, 5
  %at = add i64 %twice, %row
  %p = getelementptr inbounds float, ptr addrspace(3) @tile, i64 %at
  store volatile float %x, ptr addrspace(3) %p
  ret void
}
!0 = !{i32 0, i32 1024}
