; run: strip_attributes
; What only the host knows goes, and everything is convergent but PTX that only computes. An alias is what it stands
; for.

declare void @f() #0
@g = alias void (), ptr @h

define void @h() #1 {
  call void @f() #2
  ret void
}

define void @calls_the_alias() {
  call void @g()
  ret void
}

define float @assembly(float %x) {
  %pure = call float asm "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %x)
  %effects = call float asm sideeffect "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %x)
  %host = call float asm inteldialect "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %x)
  ret float %pure
}

attributes #0 = { nounwind nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { noinline uwtable "target-features"="+avx2" "kept"="yes" }
attributes #2 = { nonlazybind }

; becomes:
@g = alias void (), ptr @h

; Function Attrs: convergent nounwind
declare void @f() #0

; Function Attrs: convergent noinline nounwind
define void @h() #1 {
  call void @f() #2
  ret void
}

; Function Attrs: convergent nounwind
define void @calls_the_alias() #0 {
  call void @h() #3
  ret void
}

; Function Attrs: convergent nounwind
define float @assembly(float %x) #0 {
  %pure = call float asm "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %x) #4
  %effects = call float asm sideeffect "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %x) #3
  %host = call float asm inteldialect "rcp.approx.ftz.f32 $0,$1;", "=f,f"(float %x) #3
  ret float %pure
}

attributes #0 = { convergent nounwind }
attributes #1 = { convergent noinline nounwind "kept"="yes" }
attributes #2 = { convergent nonlazybind }
attributes #3 = { convergent }
attributes #4 = { willreturn }
