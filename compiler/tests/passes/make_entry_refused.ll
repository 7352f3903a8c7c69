; run: make_entry
; The launch's macro and the compiler must agree on the number of arguments: here a parameter has no layout.

define void @unpack(ptr %number.4.4, ptr %more) {
  %number = load i32, ptr %number.4.4, align 4
  store volatile i32 %number, ptr %more
  ret void
}

; becomes:
; refused: a launch of `kernel` has 2 arguments and 1 layouts: `ptyx` and `ptyx-compiler` must have the same version
