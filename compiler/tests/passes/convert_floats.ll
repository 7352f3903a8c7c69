; run: convert_floats
; Conversions that saturate are one `cvt`, with a test for NaN where PTX has another result for it. Of other types, and those that do
; not saturate, they stay.

declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare i32 @llvm.fptoui.sat.i32.f64(double)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i16 @llvm.fptoui.sat.i16.f64(double)
declare i24 @llvm.fptosi.sat.i24.f32(float)
declare i32 @llvm.fptosi.sat.i32.f16(half)

define i32 @word(float %x) {
  %i = call i32 @llvm.fptosi.sat.i32.f32(float %x)
  ret i32 %i
}

define i64 @wide(float %x) {
  %i = call i64 @llvm.fptoui.sat.i64.f32(float %x)
  ret i64 %i
}

define i32 @of_double(double %x) {
  %i = call i32 @llvm.fptoui.sat.i32.f64(double %x)
  ret i32 %i
}

define i8 @byte(float %x) {
  %i = call i8 @llvm.fptosi.sat.i8.f32(float %x)
  ret i8 %i
}

define i16 @half_word(double %x) {
  %i = call i16 @llvm.fptoui.sat.i16.f64(double %x)
  ret i16 %i
}

define i32 @others(float %x, half %y) {
  %odd = call i24 @llvm.fptosi.sat.i24.f32(float %x)
  %of_half = call i32 @llvm.fptosi.sat.i32.f16(half %y)
  %plain = fptosi float %x to i32
  %wide = zext i24 %odd to i32
  %one = add i32 %wide, %of_half
  %all = add i32 %one, %plain
  ret i32 %all
}

; becomes:
; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fptosi.sat.i32.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i64 @llvm.fptoui.sat.i64.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fptoui.sat.i32.f64(double) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i8 @llvm.fptosi.sat.i8.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i16 @llvm.fptoui.sat.i16.f64(double) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i24 @llvm.fptosi.sat.i24.f32(float) #0

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.fptosi.sat.i32.f16(half) #0

define i32 @word(float %x) {
  %1 = call i32 asm "cvt.rzi.s32.f32 $0, $1;", "=r,f"(float %x) #1
  ret i32 %1
}

define i64 @wide(float %x) {
  %1 = call i64 asm "cvt.rzi.u64.f32 $0, $1;", "=l,f"(float %x) #1
  %2 = fcmp uno float %x, %x
  %3 = select i1 %2, i64 0, i64 %1
  ret i64 %3
}

define i32 @of_double(double %x) {
  %1 = call i32 asm "cvt.rzi.u32.f64 $0, $1;", "=r,d"(double %x) #1
  %2 = fcmp uno double %x, %x
  %3 = select i1 %2, i32 0, i32 %1
  ret i32 %3
}

define i8 @byte(float %x) {
  %1 = call i16 asm "cvt.rzi.s8.f32 $0, $1;", "=h,f"(float %x) #1
  %2 = trunc i16 %1 to i8
  ret i8 %2
}

define i16 @half_word(double %x) {
  %1 = call i16 asm "cvt.rzi.u16.f64 $0, $1;", "=h,d"(double %x) #1
  %2 = fcmp uno double %x, %x
  %3 = select i1 %2, i16 0, i16 %1
  ret i16 %3
}

define i32 @others(float %x, half %y) {
  %odd = call i24 @llvm.fptosi.sat.i24.f32(float %x)
  %of_half = call i32 @llvm.fptosi.sat.i32.f16(half %y)
  %plain = fptosi float %x to i32
  %wide = zext i24 %odd to i32
  %one = add i32 %wide, %of_half
  %all = add i32 %one, %plain
  ret i32 %all
}

attributes #0 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #1 = { nounwind willreturn memory(none) }
