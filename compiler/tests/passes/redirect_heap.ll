; run: redirect_heap
; In a kernel with the mark, the allocator is the device library's, as far as that has it (here, it has
; no function to free), and the shim's calls go.

declare void @__ptyx_heap_marker()
declare ptr @_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc(i64, i64)
declare void @_RNvCs5QKde7ScR4H_7___rustc14___rust_dealloc(ptr, i64, i64)
declare void @_RNvCs5QKde7ScR4H_7___rustc35___rust_no_alloc_shim_is_unstable_v2()
declare ptr @malloc(i64)

define ptr @__ptyx_heap_allocate(i64 %size, i64 %align) {
  ret ptr null
}

define void @kernel() {
  call void @__ptyx_heap_marker()
  call void @_RNvCs5QKde7ScR4H_7___rustc35___rust_no_alloc_shim_is_unstable_v2()
  %p = call ptr @_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc(i64 8, i64 8)
  %q = call ptr @malloc(i64 8)
  call void @_RNvCs5QKde7ScR4H_7___rustc14___rust_dealloc(ptr %p, i64 8, i64 8)
  ret void
}

; becomes:
declare void @__ptyx_heap_marker()

declare ptr @_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc(i64, i64)

declare void @_RNvCs5QKde7ScR4H_7___rustc14___rust_dealloc(ptr, i64, i64)

declare void @_RNvCs5QKde7ScR4H_7___rustc35___rust_no_alloc_shim_is_unstable_v2()

declare ptr @malloc(i64)

define ptr @__ptyx_heap_allocate(i64 %size, i64 %align) {
  ret ptr null
}

define void @kernel() {
  %p = call ptr @__ptyx_heap_allocate(i64 8, i64 8)
  %q = call ptr @malloc(i64 8)
  call void @_RNvCs5QKde7ScR4H_7___rustc14___rust_dealloc(ptr %p, i64 8, i64 8)
  ret void
}
