; run: lower_inline_ptx, replace_foreign
; Types say which registers operands have, the modifier `b` what is a predicate. Pure instructions have no
; side effects and are not convergent; what they need stays in a comment. A host's assembly is none of it.

define { i32, double } @everything(i16 %h, i32 %r, i64 %l, float %f, double %d, ptr %p) {
  %all = call { i32, double } asm sideeffect inteldialect "//__ptyx_ptx arch=sm_90a ptx=80\0A{\0AL%=: f ${0:q}, ${1:q}, ${2:q}, ${3:q};\0Ag ${4:q}, ${5:q}, ${6:q}, 5$$;\0A}", "=&r,=r,r,0,r,r,r,1,~{memory}"(i16 %h, i32 %r, i64 %l, float %f, ptr %p, double %d) convergent
  ret { i32, double } %all
}

define i1 @predicates(i32 %wide, i32 %a) {
  %outs = call { i32, i32 } asm inteldialect "//__ptyx_ptx pure nomem\0Asetp.ne.and.u32 ${0:b}, ${1:q}, ${3:q}, ${2:b};", "=&r,=&r,r,r"(i32 %wide, i32 %a) convergent memory(none) willreturn
  %out = extractvalue { i32, i32 } %outs, 0
  %bit = trunc i32 %out to i1
  ret i1 %bit
}

define i32 @one_predicate(i32 %wide) {
  %out = call i32 asm inteldialect "//__ptyx_ptx pure convergent\0Aactivity ${0:b};", "=&r,0"(i32 %wide) convergent memory(read) willreturn
  ret i32 %out
}

define void @host() {
  call void asm sideeffect inteldialect "pause;", "~{memory}"() convergent
  ret void
}

; becomes:
define { i32, double } @everything(i16 %h, i32 %r, i64 %l, float %f, double %d, ptr %p) {
  %1 = call { i32, double } asm sideeffect "// needs sm_90a, PTX version 80\0A// ptx! with memory\0A{\0AL${:uid}: f ${0}, ${1}, ${2}, ${3};\0Ag ${4}, ${5}, ${6}, 5$$;\0A}", "=&r,=d,h,0,l,f,l,1,~{memory}"(i16 %h, i32 %r, i64 %l, float %f, ptr %p, double %d) #0
  ret { i32, double } %1
}

define i1 @predicates(i32 %wide, i32 %a) {
  %1 = icmp ne i32 %wide, 0
  %2 = call { i1, i32 } asm "// ptx!\0Asetp.ne.and.u32 ${0}, ${1}, ${3}, ${2};", "=&b,=&r,b,r"(i1 %1, i32 %a) #1
  %3 = extractvalue { i1, i32 } %2, 0
  %4 = zext i1 %3 to i32
  %5 = insertvalue { i32, i32 } undef, i32 %4, 0
  %6 = extractvalue { i1, i32 } %2, 1
  %7 = insertvalue { i32, i32 } %5, i32 %6, 1
  %out = extractvalue { i32, i32 } %7, 0
  %bit = trunc i32 %out to i1
  ret i1 %bit
}

define i32 @one_predicate(i32 %wide) {
  %1 = icmp ne i32 %wide, 0
  %2 = call i1 asm "// ptx! with memory\0Aactivity ${0};", "=&b,0"(i1 %1) #2
  %3 = zext i1 %2 to i32
  ret i32 %3
}

define void @host() {
  call void @__ptyx_foreign_assembly()
  ret void
}

declare void @__ptyx_foreign_assembly()

attributes #0 = { convergent nounwind }
attributes #1 = { nounwind willreturn memory(none) }
attributes #2 = { convergent nounwind willreturn memory(read) }
