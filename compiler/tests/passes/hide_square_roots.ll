; run: hide_square_roots
; Scalar square roots are the target's own; those of vectors stay.

declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
declare <2 x float> @llvm.sqrt.v2f32(<2 x float>)

define float @single(float %x) {
  %root = call float @llvm.sqrt.f32(float %x)
  ret float %root
}

define double @double(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}

define <2 x float> @vector(<2 x float> %x) {
  %root = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %x)
  ret <2 x float> %root
}

; becomes:
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare float @llvm.sqrt.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare double @llvm.sqrt.f64(double) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare <2 x float> @llvm.sqrt.v2f32(<2 x float>) #0

define float @single(float %x) {
  %1 = call float @llvm.nvvm.sqrt.rn.f(float %x)
  ret float %1
}

define double @double(double %x) {
  %1 = call double @llvm.nvvm.sqrt.rn.d(double %x)
  ret double %1
}

define <2 x float> @vector(<2 x float> %x) {
  %root = call <2 x float> @llvm.sqrt.v2f32(<2 x float> %x)
  ret <2 x float> %root
}

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare float @llvm.nvvm.sqrt.rn.f(float) #1

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(none)
declare double @llvm.nvvm.sqrt.rn.d(double) #1

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(none) }
