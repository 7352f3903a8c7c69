; run: break_cycles
; Of two statics that refer to each other, and of one that refers to itself, one gets its value when the
; kernel starts. A static that refers to another one stays.

@first = constant { i32, ptr } { i32 1, ptr @second }, align 8
@second = constant { i32, ptr } { i32 2, ptr @first }, align 8
@itself = constant ptr @itself, align 8
@other = constant ptr @plain, align 8
@plain = constant i32 3, align 8

define ptx_kernel void @kernel(ptr %out) {
  store ptr @first, ptr %out
  store ptr @itself, ptr %out
  store ptr @other, ptr %out
  ret void
}

; becomes:
@first = global { i32, ptr } zeroinitializer, align 8
@second = constant { i32, ptr } { i32 2, ptr @first }, align 8
@itself = global ptr null, align 8
@other = constant ptr @plain, align 8
@plain = constant i32 3, align 8

define ptx_kernel void @kernel(ptr %out) {
  store { i32, ptr } { i32 1, ptr @second }, ptr @first, align 8
  store ptr @itself, ptr @itself, align 8
  store ptr @first, ptr %out, align 8
  store ptr @itself, ptr %out, align 8
  store ptr @other, ptr %out, align 8
  ret void
}
