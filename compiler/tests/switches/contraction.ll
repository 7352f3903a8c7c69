; A multiplication and an addition: one instruction, or two.
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %y = load float, ptr %a
  %product = fmul float %x, %y
  %sum = fadd float %product, %x
  store float %sum, ptr %b
  ret void
}
