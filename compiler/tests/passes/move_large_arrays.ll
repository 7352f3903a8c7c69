; run: move_large_arrays
; Arrays of more than 48 KiB together move to dynamic shared memory, the most aligned first. What the launch itself
; asked for follows them, and is smaller by their bytes.

@shared_array = internal addrspace(3) externally_initialized global [20 x i8] undef, align 16
@shared_array.1 = internal addrspace(3) externally_initialized global [49152 x i8] undef, align 1024
@ptyx_dynamic_shared = external addrspace(3) global [0 x i8], align 16

define ptx_kernel void @kernel(ptr %out) {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @shared_array to ptr)
  store i32 2, ptr addrspace(3) @shared_array.1
  store i32 3, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @ptyx_dynamic_shared, i64 4)
  %bytes = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  store i32 %bytes, ptr %out
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()

; becomes:
@ptyx_dynamic_shared = external addrspace(3) global [0 x i8], align 1024

define ptx_kernel void @kernel(ptr %out) {
  store i32 1, ptr addrspacecast (ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @ptyx_dynamic_shared, i64 49152) to ptr), align 4
  store i32 2, ptr addrspace(3) @ptyx_dynamic_shared, align 4
  store i32 3, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @ptyx_dynamic_shared, i64 49184), i64 4), align 4
  %1 = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
  %2 = sub i32 %1, 49184
  store i32 %2, ptr %out, align 4
  ret void
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size() #0

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
; says: 49184 bytes moved
