; run: redirect_prints
; In a kernel that prints nothing, the functions of printing become internal, so that they are dropped. Others stay.

declare void @__ptyx_print(ptr, ptr, i1)

define weak ptr @__ptyx_print_claim(i32 %words) {
  ret ptr null
}

define weak i32 @__ptyx_print_end(ptr %row) {
  ret i32 0
}

define weak void @other() {
  ret void
}

define void @kernel() {
  ret void
}

; becomes:
declare void @__ptyx_print(ptr, ptr, i1)

define internal ptr @__ptyx_print_claim(i32 %words) {
  ret ptr null
}

define internal i32 @__ptyx_print_end(ptr %row) {
  ret i32 0
}

define weak void @other() {
  ret void
}

define void @kernel() {
  ret void
}
