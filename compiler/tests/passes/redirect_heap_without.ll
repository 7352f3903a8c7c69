; run: redirect_heap
; Without the mark, nothing is an allocator.

declare ptr @_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc(i64, i64)

define ptr @__ptyx_heap_allocate(i64 %size, i64 %align) {
  ret ptr null
}

define ptr @kernel() {
  %p = call ptr @_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc(i64 8, i64 8)
  ret ptr %p
}

; becomes:
declare ptr @_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc(i64, i64)

define ptr @__ptyx_heap_allocate(i64 %size, i64 %align) {
  ret ptr null
}

define ptr @kernel() {
  %p = call ptr @_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc(i64 8, i64 8)
  ret ptr %p
}
