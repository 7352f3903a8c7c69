; run: allow_contraction
; Everywhere but in the mathematical functions, which split numbers into exact parts.

define float @fused(float %a, float %b, float %c) {
  %product = fmul float %a, %b
  %sum = fadd float %product, %c
  ret float %sum
}

define float @__ptyx_math_sinf(float %a, float %b, float %c) {
  %product = fmul float %a, %b
  %sum = fadd float %product, %c
  ret float %sum
}

define float @__nv_sinf(float %a, float %b, float %c) {
  %product = fmul float %a, %b
  %sum = fadd float %product, %c
  ret float %sum
}

; becomes:
define float @fused(float %a, float %b, float %c) {
  %product = fmul contract float %a, %b
  %sum = fadd contract float %product, %c
  ret float %sum
}

define float @__ptyx_math_sinf(float %a, float %b, float %c) {
  %product = fmul float %a, %b
  %sum = fadd float %product, %c
  ret float %sum
}

define float @__nv_sinf(float %a, float %b, float %c) {
  %product = fmul float %a, %b
  %sum = fadd float %product, %c
  ret float %sum
}
