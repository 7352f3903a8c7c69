; run: strip_attributes
; What only the host knows goes, and everything is convergent. An alias is what it stands for.

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

attributes #0 = { convergent nounwind }
attributes #1 = { convergent noinline nounwind "kept"="yes" }
attributes #2 = { convergent nonlazybind }
attributes #3 = { convergent }
