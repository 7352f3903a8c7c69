; run: avoid_minima
; Of two comparisons with a side in common, the second is hidden. Without one, with a constant, or of
; 32 bits, LLVM makes no minimum of 64 bits.

define i1 @both(i64 %i, i64 %a, i64 %b) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %i, %b
  %both = and i1 %first, %second
  ret i1 %both
}

define i1 @one_behind_the_other(i64 %i, i64 %a, i64 %b) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %i, %b
  %both = select i1 %first, i1 %second, i1 false
  ret i1 %both
}

define i1 @nothing_in_common(i64 %i, i64 %j, i64 %a, i64 %b) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %j, %b
  %both = and i1 %first, %second
  ret i1 %both
}

define i1 @constant(i64 %i, i64 %a) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %i, 7
  %both = and i1 %first, %second
  ret i1 %both
}

define i1 @narrow(i32 %i, i32 %a, i32 %b) {
  %first = icmp ult i32 %i, %a
  %second = icmp ult i32 %i, %b
  %both = and i1 %first, %second
  ret i1 %both
}

; becomes:
define i1 @both(i64 %i, i64 %a, i64 %b) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %i, %b
  %1 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %second)
  %both = and i1 %first, %1
  ret i1 %both
}

define i1 @one_behind_the_other(i64 %i, i64 %a, i64 %b) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %i, %b
  %1 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %second)
  %both = select i1 %first, i1 %1, i1 false
  ret i1 %both
}

define i1 @nothing_in_common(i64 %i, i64 %j, i64 %a, i64 %b) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %j, %b
  %both = and i1 %first, %second
  ret i1 %both
}

define i1 @constant(i64 %i, i64 %a) {
  %first = icmp ult i64 %i, %a
  %second = icmp ult i64 %i, 7
  %both = and i1 %first, %second
  ret i1 %both
}

define i1 @narrow(i32 %i, i32 %a, i32 %b) {
  %first = icmp ult i32 %i, %a
  %second = icmp ult i32 %i, %b
  %both = and i1 %first, %second
  ret i1 %both
}
