; run: answer_features
; Questions for features are answered with no, and a function that needs AVX2 and has host code panics.
; One without host code stays.

declare i1 @_RNvNtCs1_10std_detect6detect9check_for(i32)
declare void @__ptyx_missing_feature() noreturn
declare void @llvm.x86.avx.vzeroupper()

define i1 @asks() {
  %has = call i1 @_RNvNtCs1_10std_detect6detect9check_for(i32 5)
  ret i1 %has
}

define i32 @cpuid() {
  %a = call i32 asm "cpuid", "={ax},~{bx},~{cx},~{dx}"()
  ret i32 %a
}

define void @needs_avx() "target-features"="+avx2" {
  call void @llvm.x86.avx.vzeroupper()
  ret void
}

define i32 @compiled_for_avx(i32 %x) "target-features"="+avx2" {
  %y = add i32 %x, 1
  ret i32 %y
}

define void @calls_both() {
  call void @needs_avx()
  %y = call i32 @compiled_for_avx(i32 3)
  ret void
}

; becomes:
declare i1 @_RNvNtCs1_10std_detect6detect9check_for(i32)

; Function Attrs: noreturn
declare void @__ptyx_missing_feature() #0

; Function Attrs: nounwind
declare void @llvm.x86.avx.vzeroupper() #1

define i1 @asks() {
  ret i1 false
}

define i32 @cpuid() {
  ret i32 0
}

define void @needs_avx() #2 {
  call void @llvm.x86.avx.vzeroupper()
  ret void
}

define i32 @compiled_for_avx(i32 %x) #2 {
  %y = add i32 %x, 1
  ret i32 %y
}

define void @calls_both() {
  call void @unsupported_feature()
  %y = call i32 @compiled_for_avx(i32 3)
  ret void
}

define internal void @unsupported_feature() {
start:
  call void @__ptyx_missing_feature()
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { nounwind }
attributes #2 = { "target-features"="+avx2" }
