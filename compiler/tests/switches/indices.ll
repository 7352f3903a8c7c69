; The index of a thread in the grid.
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block.wide = zext i32 %block to i64
  %extent.wide = zext i32 %extent to i64
  %thread.wide = zext i32 %thread to i64
  %first = mul nuw nsw i64 %block.wide, %extent.wide
  %i = add nuw nsw i64 %first, %thread.wide
  %inside = icmp ult i64 %i, %n
  br i1 %inside, label %store, label %done
store:
  %to = getelementptr float, ptr %a, i64 %i
  store float %x, ptr %to
  br label %done
done:
  ret void
}
