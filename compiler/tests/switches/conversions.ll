; A float as an integer.
declare i32 @llvm.fptosi.sat.i32.f32(float)
define void @body(ptr %a, ptr %b, i64 %n, i64 %m, float %x) noinline {
  call void @__ptyx_kernel_marker()
  %i = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  store volatile i32 %i, ptr %a
  ret void
}
