; run: answer_architecture
; A question whose number is known only at run time is refused.

declare i1 @__ptyx_arch_provides(i32, i32)

define i1 @asks(i32 %sm) {
  %answer = call i1 @__ptyx_arch_provides(i32 %sm, i32 0)
  ret i1 %answer
}

; becomes:
; refused: arch_at_least! or arch_is! at :0: its argument is not constant
