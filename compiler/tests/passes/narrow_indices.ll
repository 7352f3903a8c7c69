; run: narrow_indices
; Of an entry that may: indices of threads in the grid, and its extents in threads, have 32 bits. Products of other registers, other
; numbers and other entries stay.

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()

define i64 @index() "ptyx-may-narrow" {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

define i64 @of_renamed_axes() "ptyx-may-narrow" {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

define i64 @words() "ptyx-may-narrow" {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %extent
  %i = add i32 %thread, %first
  %wide = sext i32 %i to i64
  ret i64 %wide
}

define i64 @threads_of_the_grid() "ptyx-may-narrow" {
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = zext i32 %blocks to i64
  %e = zext i32 %extent to i64
  %all = mul i64 %b, %e
  ret i64 %all
}

define i64 @wide_kernel() {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

define i64 @blocks_of_the_grid() "ptyx-may-narrow" {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

define i64 @a_block_and_a_number() "ptyx-may-narrow" {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %t = zext i32 %thread to i64
  %first = mul i64 %b, 32
  %i = add i64 %first, %t
  ret i64 %i
}

define i64 @with_a_sign() "ptyx-may-narrow" {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = sext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 65535) i32 @llvm.nvvm.read.ptx.sreg.ctaid.y() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, -2147483648) i32 @llvm.nvvm.read.ptx.sreg.nctaid.x() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.y() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y() #0

define i64 @index() #1 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %1 = mul nuw nsw i32 %block, %extent
  %2 = zext nneg i32 %1 to i64
  %first = mul nuw nsw i64 %b, %e
  %3 = mul nuw nsw i32 %block, %extent
  %4 = add nuw nsw i32 %3, %thread
  %5 = zext nneg i32 %4 to i64
  %i = add nuw nsw i64 %2, %t
  ret i64 %5
}

define i64 @of_renamed_axes() #1 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %1 = mul nuw nsw i32 %block, %extent
  %2 = zext nneg i32 %1 to i64
  %first = mul nuw nsw i64 %b, %e
  %3 = mul nuw nsw i32 %block, %extent
  %4 = add nuw nsw i32 %3, %thread
  %5 = zext nneg i32 %4 to i64
  %i = add nuw nsw i64 %2, %t
  ret i64 %5
}

define i64 @words() #2 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %extent
  %i = add i32 %thread, %first
  %wide = sext i32 %i to i64
  ret i64 %wide
}

define i64 @threads_of_the_grid() #1 {
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %b = zext i32 %blocks to i64
  %e = zext i32 %extent to i64
  %1 = mul nuw nsw i32 %blocks, %extent
  %2 = zext nneg i32 %1 to i64
  %all = mul i64 %b, %e
  ret i64 %2
}

define i64 @wide_kernel() {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

define i64 @blocks_of_the_grid() #2 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

define i64 @a_block_and_a_number() #2 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = zext i32 %block to i64
  %t = zext i32 %thread to i64
  %first = mul i64 %b, 32
  %i = add i64 %first, %t
  ret i64 %i
}

define i64 @with_a_sign() #2 {
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %extent = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = sext i32 %block to i64
  %e = zext i32 %extent to i64
  %t = zext i32 %thread to i64
  %first = mul nuw nsw i64 %b, %e
  %i = add nuw nsw i64 %first, %t
  ret i64 %i
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { "ptyx-is-narrow" "ptyx-may-narrow" }
attributes #2 = { "ptyx-may-narrow" }
