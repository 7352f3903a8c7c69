; run: answer_architecture
; Questions about the architecture become constants, here for code of sm_90: at least 80 and 90 but not 100, not the exact
; features of sm_90a; a number between two architectures means the newer one. Another function of one number stays.

declare i1 @__ptyx_arch_provides(i32, i32)
declare i1 @provides(i32, i32)

define void @asks(ptr %out) {
  %older = call i1 @__ptyx_arch_provides(i32 80, i32 0)
  %same = call i1 @__ptyx_arch_provides(i32 90, i32 0)
  %newer = call i1 @__ptyx_arch_provides(i32 100, i32 0)
  %between = call i1 @__ptyx_arch_provides(i32 91, i32 0)
  %exact = call i1 @__ptyx_arch_provides(i32 90, i32 2)
  %other = call i1 @provides(i32 80, i32 0)
  store volatile i1 %older, ptr %out
  store volatile i1 %same, ptr %out
  store volatile i1 %newer, ptr %out
  store volatile i1 %between, ptr %out
  store volatile i1 %exact, ptr %out
  store volatile i1 %other, ptr %out
  ret void
}

; becomes:
declare i1 @__ptyx_arch_provides(i32, i32)

declare i1 @provides(i32, i32)

define void @asks(ptr %out) {
  %other = call i1 @provides(i32 80, i32 0)
  store volatile i1 true, ptr %out, align 1
  store volatile i1 true, ptr %out, align 1
  store volatile i1 false, ptr %out, align 1
  store volatile i1 false, ptr %out, align 1
  store volatile i1 false, ptr %out, align 1
  store volatile i1 %other, ptr %out, align 1
  ret void
}
