; run: lower_symbols
; A dimension requirement must be known, too.

declare void @__ptyx_require_dims(i32, i32)

define void @dims(i32 %dims) {
  call void @__ptyx_require_dims(i32 1, i32 %dims)
  ret void
}

; becomes:
; refused: a dimension requirement at :0 is not constant
