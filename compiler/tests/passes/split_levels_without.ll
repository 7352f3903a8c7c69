; run: split_levels
; Nothing was asked of the host.

define ptx_kernel void @kernel(i32 "ptyx-proof" %proof, ptr %q) {
  store i32 %proof, ptr %q
  ret void
}

; becomes:
define ptx_kernel void @kernel(i32 "ptyx-proof" %proof, ptr %q) {
  store i32 %proof, ptr %q, align 4
  ret void
}
