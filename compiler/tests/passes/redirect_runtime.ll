; run: redirect_runtime
; Mathematical functions, remainders of floats and 128-bit divisions are the device library's, if it is
; there; what PTX has instructions for stays.

declare float @llvm.sin.f32(float)
declare float @llvm.sqrt.f32(float)
declare double @tan(double)
declare i32 @memcmp(ptr, ptr, i64)
declare float @__ptyx_math_sinf(float)
declare double @__ptyx_math_tan(double)
declare double @__ptyx_math_fmod(double, double)
declare i128 @__ptyx_wide_udiv(i128, i128)
declare double @__ptyx_wide_u_to_f64(i128)
declare i32 @__ptyx_memcmp(ptr, ptr, i64)

define float @single(float %x) {
  %sin = call float @llvm.sin.f32(float %x)
  %root = call float @llvm.sqrt.f32(float %sin)
  ret float %root
}

define double @double(double %x, double %y) {
  %tan = call double @tan(double %x)
  %rest = frem double %tan, %y
  ret double %rest
}

define double @wide(i128 %x, i128 %y, i64 %z) {
  %quotient = udiv i128 %x, %y
  %narrow = udiv i64 %z, 3
  %float = uitofp i128 %quotient to double
  %other = uitofp i64 %narrow to double
  %sum = fadd double %float, %other
  ret double %sum
}

define i32 @compare(ptr %x, ptr %y) {
  %c = call i32 @memcmp(ptr %x, ptr %y, i64 16)
  ret i32 %c
}

; The library has no `hypot` here.
declare double @hypot(double, double)

define double @not_there(double %x, double %y) {
  %h = call double @hypot(double %x, double %y)
  ret double %h
}

; becomes:
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sin.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float) #0

declare double @tan(double)

declare i32 @memcmp(ptr, ptr, i64)

declare float @__ptyx_math_sinf(float)

declare double @__ptyx_math_tan(double)

declare double @__ptyx_math_fmod(double, double)

declare i128 @__ptyx_wide_udiv(i128, i128)

declare double @__ptyx_wide_u_to_f64(i128)

declare i32 @__ptyx_memcmp(ptr, ptr, i64)

define float @single(float %x) {
  %1 = call float @__ptyx_math_sinf(float %x) #1
  %root = call float @llvm.sqrt.f32(float %1)
  ret float %root
}

define double @double(double %x, double %y) {
  %1 = call double @__ptyx_math_tan(double %x) #1
  %2 = call double @__ptyx_math_fmod(double %1, double %y) #1
  ret double %2
}

define double @wide(i128 %x, i128 %y, i64 %z) {
  %1 = call i128 @__ptyx_wide_udiv(i128 %x, i128 %y) #1
  %narrow = udiv i64 %z, 3
  %2 = call double @__ptyx_wide_u_to_f64(i128 %1) #1
  %other = uitofp i64 %narrow to double
  %sum = fadd double %2, %other
  ret double %sum
}

define i32 @compare(ptr %x, ptr %y) {
  %1 = call i32 @__ptyx_memcmp(ptr %x, ptr %y, i64 16) #1
  ret i32 %1
}

declare double @hypot(double, double)

define double @not_there(double %x, double %y) {
  %h = call double @hypot(double %x, double %y)
  ret double %h
}

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { convergent }
