; run: move_large_arrays
; Up to 48 KiB stay static.

@shared_array = internal addrspace(3) externally_initialized global [49152 x i8] undef, align 16

define ptx_kernel void @kernel() {
  store i32 1, ptr addrspace(3) @shared_array
  ret void
}

; becomes:
@shared_array = internal addrspace(3) externally_initialized global [49152 x i8] undef, align 16

define ptx_kernel void @kernel() {
  store i32 1, ptr addrspace(3) @shared_array, align 4
  ret void
}
; says: 0 bytes moved
