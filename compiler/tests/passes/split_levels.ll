; run: split_levels
; A module for each level that the host is asked for: there, so many levels hold.

define ptx_kernel void @kernel(i32 "ptyx-proof"="p1 p3;;-8 1*0|-64 1*1" %proof, i64 %n, ptr %q, i64 %m) {
  %two = icmp ugt i32 %proof, 1
  br i1 %two, label %second, label %other
second:
  store i32 2, ptr %q
  ret void
other:
  %one = icmp ugt i32 %proof, 0
  br i1 %one, label %first, label %original
first:
  store i32 1, ptr %q
  ret void
original:
  store i32 0, ptr %q
  ret void
}

; becomes:
define ptx_kernel void @kernel(i32 "ptyx-proof"="p1 p3;;-8 1*0|-64 1*1" %proof, i64 %n, ptr %q, i64 %m) #0 {
  %two = icmp ugt i32 0, 1
  br i1 %two, label %second, label %other

second:                                           ; preds = %0
  store i32 2, ptr %q, align 4
  ret void

other:                                            ; preds = %0
  %one = icmp ugt i32 0, 0
  br i1 %one, label %first, label %original

first:                                            ; preds = %other
  store i32 1, ptr %q, align 4
  ret void

original:                                         ; preds = %other
  store i32 0, ptr %q, align 4
  ret void
}

attributes #0 = { "ptyx-level"="0" }
; says: define ptx_kernel void @kernel(i32 "ptyx-proof"="p1 p3;;-8 1*0|-64 1*1" %proof, i64 %n, ptr %q, i64 %m) #0 {
; says:   %two = icmp ugt i32 1, 1
; says:   br i1 %two, label %second, label %other
; says: 
; says: second:                                           ; preds = %0
; says:   store i32 2, ptr %q, align 4
; says:   ret void
; says: 
; says: other:                                            ; preds = %0
; says:   %one = icmp ugt i32 1, 0
; says:   br i1 %one, label %first, label %original
; says: 
; says: first:                                            ; preds = %other
; says:   store i32 1, ptr %q, align 4
; says:   ret void
; says: 
; says: original:                                         ; preds = %other
; says:   store i32 0, ptr %q, align 4
; says:   ret void
; says: }
; says: 
; says: define ptx_kernel void @kernel(i32 "ptyx-proof"="p1 p3;;-8 1*0|-64 1*1" %proof, i64 %n, ptr %q, i64 %m) #0 {
; says:   %two = icmp ugt i32 2, 1
; says:   br i1 %two, label %second, label %other
; says: 
; says: second:                                           ; preds = %0
; says:   store i32 2, ptr %q, align 4
; says:   ret void
; says: 
; says: other:                                            ; preds = %0
; says:   %one = icmp ugt i32 2, 0
; says:   br i1 %one, label %first, label %original
; says: 
; says: first:                                            ; preds = %other
; says:   store i32 1, ptr %q, align 4
; says:   ret void
; says: 
; says: original:                                         ; preds = %other
; says:   store i32 0, ptr %q, align 4
; says:   ret void
; says: }
