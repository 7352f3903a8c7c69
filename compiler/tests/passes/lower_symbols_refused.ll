; run: lower_symbols
; The size of a shared array must be known.

@here = private constant i8 0

declare ptr @__ptyx_shared_static(ptr, i64, i64)

define ptr @array(i64 %size) {
  %a = call ptr @__ptyx_shared_static(ptr @here, i64 %size, i64 4)
  ret ptr %a
}

; becomes:
; refused: the size of a shared array at :0 is not constant
