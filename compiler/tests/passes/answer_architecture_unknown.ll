; run: answer_architecture
; No architecture is as new as this, and none has the exact features of this number.

declare i1 @__ptyx_arch_provides(i32, i32)

define i1 @asks() {
  %answer = call i1 @__ptyx_arch_provides(i32 81, i32 2)
  ret i1 %answer
}

; becomes:
; refused: arch_at_least! or arch_is! at :0: no such architecture is known; they are sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_90a, sm_100, sm_100a, sm_100f, sm_101, sm_101a, sm_101f, sm_103, sm_103a, sm_103f, sm_110, sm_110a, sm_110f, sm_120, sm_120a, sm_120f, sm_121, sm_121a, sm_121f
