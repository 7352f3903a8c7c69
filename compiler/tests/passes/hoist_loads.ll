; run: hoist_loads
; Loads of elements that the host knows to be there leave loops. Parameter 1 is at least 8 if one level holds, and at least 64 if two do.

; Where two levels hold, elements 0, 7, 8 and 63 are there, ...
define ptx_kernel void @two_levels(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) "ptyx-level"="2" {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch
inside:
  %at.7 = getelementptr inbounds i8, ptr %p, i64 28
  %seventh = load i32, ptr %at.7, align 4
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  %first = add i32 %seventh, %eighth
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %last, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q
  br label %latch
latch:
  %zero = load i32, ptr %p, align 4
  store i32 %zero, ptr %q
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; ... where one does, elements 0 and 7; ...
define ptx_kernel void @one_level(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) "ptyx-level"="1" {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch
inside:
  %at.7 = getelementptr inbounds i8, ptr %p, i64 28
  %seventh = load i32, ptr %at.7, align 4
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  %first = add i32 %seventh, %eighth
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %last, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q
  br label %latch
latch:
  %zero = load i32, ptr %p, align 4
  store i32 %zero, ptr %q
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; ... and nothing is known where none does, ...
define ptx_kernel void @no_level(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) "ptyx-level"="0" {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch
inside:
  %at.7 = getelementptr inbounds i8, ptr %p, i64 28
  %seventh = load i32, ptr %at.7, align 4
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  %first = add i32 %seventh, %eighth
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %last, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q
  br label %latch
latch:
  %zero = load i32, ptr %p, align 4
  store i32 %zero, ptr %q
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; ... or where nothing is said of levels.
define ptx_kernel void @unknown(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch
inside:
  %at.7 = getelementptr inbounds i8, ptr %p, i64 28
  %seventh = load i32, ptr %at.7, align 4
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  %first = add i32 %seventh, %eighth
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %last, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q
  br label %latch
latch:
  %zero = load i32, ptr %p, align 4
  store i32 %zero, ptr %q
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; What else the host was asked says nothing of a parameter alone: a sum of two, a multiple, a product, a quotient, a number of threads.
define ptx_kernel void @other_sums(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 t1 p5;1*0/1*2;-8 1*0 1*2,-8 2*0,-8 1*0*0,-8 1*q0,-8 1*1,8 1*0,-8 -1*0,-8,-2*2 1*0,1*0 -8" %proof, i1 %c, i64 %n) "ptyx-level"="1" {
  br label %loop
loop:
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A slice that threads write to, of which alignment is not known, or that belongs to another length.
define ptx_kernel void @other_slices(ptr align 4 %a, i64 "ptyx-slice"="0,4" %length.a, ptr noalias readonly %b, i64 "ptyx-slice"="2,4" %length.b, ptr noalias readonly align 4 %d, i64 %length.d, ptr noalias align 4 %e, i64 "ptyx-slice"="6,4" %length.e, ptr readonly align 4 %f, i64 "ptyx-slice"="8,4" %length.f, ptr %q, i32 "ptyx-proof"="p1 p3 p5 p7 p9;;-8 1*0,-8 1*1,-8 1*2,-8 1*3,-8 1*4" %proof, i1 %c) "ptyx-level"="1" {
  br label %loop
loop:
  %x.a = load i32, ptr %a, align 4
  store i32 %x.a, ptr %q
  %x.b = load i32, ptr %b, align 4
  store i32 %x.b, ptr %q
  %x.d = load i32, ptr %d, align 4
  store i32 %x.d, ptr %q
  %x.e = load i32, ptr %e, align 4
  store i32 %x.e, ptr %q
  %x.f = load i32, ptr %f, align 4
  store i32 %x.f, ptr %q
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Nine bytes of three each: loads that reach behind them, that are not aligned, or that may change.
define ptx_kernel void @bytes(ptr noalias readonly align 2 %p, i64 "ptyx-slice"="0,3" %length, ptr %q, i32 "ptyx-proof"="p1;;-3 1*0" %proof, i1 %c, i64 %n) "ptyx-level"="1" {
  br label %loop
loop:
  %at.8 = getelementptr i8, ptr %p, i64 8
  %last = load i8, ptr %at.8, align 1
  store volatile i8 %last, ptr %q
  %behind = load i16, ptr %at.8, align 2
  store volatile i16 %behind, ptr %q
  %word = load i32, ptr %p, align 4
  store volatile i32 %word, ptr %q
  %at.6 = getelementptr i16, ptr %p, i64 3
  %half = load i16, ptr %at.6, align 2
  store volatile i16 %half, ptr %q
  %at.5 = getelementptr i8, ptr %p, i64 5
  %odd = load i16, ptr %at.5, align 2
  store volatile i16 %odd, ptr %q
  %unaligned = load i16, ptr %at.5, align 1
  store volatile i16 %unaligned, ptr %q
  %at.n = getelementptr i8, ptr %p, i64 %n
  %any = load i8, ptr %at.n, align 1
  store volatile i8 %any, ptr %q
  %at.less = getelementptr i8, ptr %p, i64 -1
  %less = load i8, ptr %at.less, align 1
  store volatile i8 %less, ptr %q
  %at.much = getelementptr i32, ptr %p, i64 -4611686018427387904
  %much = load i8, ptr %at.much, align 1
  store volatile i8 %much, ptr %q
  %changes = load volatile i8, ptr %p, align 1
  store volatile i8 %changes, ptr %q
  %shared = load atomic i8, ptr %p monotonic, align 1
  store volatile i8 %shared, ptr %q
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; Two loads of one place become one, without what is promised about either: the byte is 0 or 1 only if its tag says so.
define ptx_kernel void @one_place(ptr noalias readonly align 1 %p, i64 "ptyx-slice"="0,2" %length, ptr %q, i32 "ptyx-proof"="p1;;-1 1*0" %proof, i1 %c, i1 %more) "ptyx-level"="1" {
  br label %loop
loop:
  %at = getelementptr i8, ptr %p, i64 1
  br i1 %c, label %flag, label %number
flag:
  %x = load i8, ptr %at, align 1, !range !0, !noundef !1
  store volatile i8 %x, ptr %q
  br label %latch
number:
  %y = load i8, ptr %at, align 1
  store volatile i8 %y, ptr %q
  %other = load <8 x i1>, ptr %at, align 1
  store volatile <8 x i1> %other, ptr %q
  br label %latch
latch:
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Out of all loops; the address is used behind them, too.
define ptx_kernel void @nested(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c, i1 %d) "ptyx-level"="1" {
  br label %outer
outer:
  br label %middle
middle:
  br label %inner
inner:
  %v = phi i32 [ 0, %middle ], [ %x, %inner ]
  %at = getelementptr i32, ptr %p, i64 3
  %x = load i32, ptr %at, align 4
  store i32 %v, ptr %q
  br i1 %c, label %inner, label %latch
latch:
  br i1 %d, label %middle, label %behind
behind:
  %again = load i32, ptr %at, align 4
  store i32 %again, ptr %q
  br i1 %c, label %outer, label %exit
exit:
  ret void
}

; A device function's arguments are not those of the launch.
define void @called(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) "ptyx-level"="1" {
  br label %loop
loop:
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

!0 = !{i8 0, i8 2}
!1 = !{}

; becomes:
define ptx_kernel void @two_levels(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) #0 {
  %1 = getelementptr inbounds i8, ptr %p, i64 28
  %2 = load i32, ptr %1, align 4
  %3 = getelementptr inbounds i8, ptr %p, i64 32
  %4 = load i32, ptr %3, align 4
  %5 = getelementptr inbounds i32, ptr %p, i64 63
  %6 = load i32, ptr %5, align 4
  %7 = load i32, ptr %p, align 4
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch

inside:                                           ; preds = %loop
  %first = add i32 %2, %4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %6, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q, align 4
  br label %latch

latch:                                            ; preds = %inside, %loop
  store i32 %7, ptr %q, align 4
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @one_level(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) #1 {
  %1 = getelementptr inbounds i8, ptr %p, i64 28
  %2 = load i32, ptr %1, align 4
  %3 = load i32, ptr %p, align 4
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch

inside:                                           ; preds = %loop
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  %first = add i32 %2, %eighth
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %last, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q, align 4
  br label %latch

latch:                                            ; preds = %inside, %loop
  store i32 %3, ptr %q, align 4
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @no_level(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) #2 {
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch

inside:                                           ; preds = %loop
  %at.7 = getelementptr inbounds i8, ptr %p, i64 28
  %seventh = load i32, ptr %at.7, align 4
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  %first = add i32 %seventh, %eighth
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %last, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q, align 4
  br label %latch

latch:                                            ; preds = %inside, %loop
  %zero = load i32, ptr %p, align 4
  store i32 %zero, ptr %q, align 4
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @unknown(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) {
  br label %loop

loop:                                             ; preds = %latch, %0
  %i = phi i32 [ 0, %0 ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch

inside:                                           ; preds = %loop
  %at.7 = getelementptr inbounds i8, ptr %p, i64 28
  %seventh = load i32, ptr %at.7, align 4
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  %first = add i32 %seventh, %eighth
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %second = add i32 %last, %behind
  %sum = add i32 %first, %second
  store i32 %sum, ptr %q, align 4
  br label %latch

latch:                                            ; preds = %inside, %loop
  %zero = load i32, ptr %p, align 4
  store i32 %zero, ptr %q, align 4
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @other_sums(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 t1 p5;1*0/1*2;-8 1*0 1*2,-8 2*0,-8 1*0*0,-8 1*q0,-8 1*1,8 1*0,-8 -1*0,-8,-2*2 1*0,1*0 -8" %proof, i1 %c, i64 %n) #1 {
  br label %loop

loop:                                             ; preds = %loop, %0
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @other_slices(ptr align 4 %a, i64 "ptyx-slice"="0,4" %length.a, ptr noalias readonly %b, i64 "ptyx-slice"="2,4" %length.b, ptr noalias readonly align 4 %d, i64 %length.d, ptr noalias align 4 %e, i64 "ptyx-slice"="6,4" %length.e, ptr readonly align 4 %f, i64 "ptyx-slice"="8,4" %length.f, ptr %q, i32 "ptyx-proof"="p1 p3 p5 p7 p9;;-8 1*0,-8 1*1,-8 1*2,-8 1*3,-8 1*4" %proof, i1 %c) #1 {
  br label %loop

loop:                                             ; preds = %loop, %0
  %x.a = load i32, ptr %a, align 4
  store i32 %x.a, ptr %q, align 4
  %x.b = load i32, ptr %b, align 4
  store i32 %x.b, ptr %q, align 4
  %x.d = load i32, ptr %d, align 4
  store i32 %x.d, ptr %q, align 4
  %x.e = load i32, ptr %e, align 4
  store i32 %x.e, ptr %q, align 4
  %x.f = load i32, ptr %f, align 4
  store i32 %x.f, ptr %q, align 4
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @bytes(ptr noalias readonly align 2 %p, i64 "ptyx-slice"="0,3" %length, ptr %q, i32 "ptyx-proof"="p1;;-3 1*0" %proof, i1 %c, i64 %n) #1 {
  %1 = getelementptr i8, ptr %p, i64 8
  %2 = load i8, ptr %1, align 1
  %3 = getelementptr i16, ptr %p, i64 3
  %4 = load i16, ptr %3, align 2
  %5 = getelementptr i8, ptr %p, i64 5
  %6 = load i16, ptr %5, align 1
  br label %loop

loop:                                             ; preds = %loop, %0
  store volatile i8 %2, ptr %q, align 1
  %behind = load i16, ptr %1, align 2
  store volatile i16 %behind, ptr %q, align 2
  %word = load i32, ptr %p, align 4
  store volatile i32 %word, ptr %q, align 4
  store volatile i16 %4, ptr %q, align 2
  %odd = load i16, ptr %5, align 2
  store volatile i16 %odd, ptr %q, align 2
  store volatile i16 %6, ptr %q, align 2
  %at.n = getelementptr i8, ptr %p, i64 %n
  %any = load i8, ptr %at.n, align 1
  store volatile i8 %any, ptr %q, align 1
  %at.less = getelementptr i8, ptr %p, i64 -1
  %less = load i8, ptr %at.less, align 1
  store volatile i8 %less, ptr %q, align 1
  %at.much = getelementptr i32, ptr %p, i64 -4611686018427387904
  %much = load i8, ptr %at.much, align 1
  store volatile i8 %much, ptr %q, align 1
  %changes = load volatile i8, ptr %p, align 1
  store volatile i8 %changes, ptr %q, align 1
  %shared = load atomic i8, ptr %p monotonic, align 1
  store volatile i8 %shared, ptr %q, align 1
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

define ptx_kernel void @one_place(ptr noalias readonly align 1 %p, i64 "ptyx-slice"="0,2" %length, ptr %q, i32 "ptyx-proof"="p1;;-1 1*0" %proof, i1 %c, i1 %more) #1 {
  %1 = getelementptr i8, ptr %p, i64 1
  %2 = load i8, ptr %1, align 1
  %3 = load <8 x i1>, ptr %1, align 1
  br label %loop

loop:                                             ; preds = %latch, %0
  br i1 %c, label %flag, label %number

flag:                                             ; preds = %loop
  store volatile i8 %2, ptr %q, align 1
  br label %latch

number:                                           ; preds = %loop
  store volatile i8 %2, ptr %q, align 1
  store volatile <8 x i1> %3, ptr %q, align 1
  br label %latch

latch:                                            ; preds = %number, %flag
  br i1 %more, label %loop, label %exit

exit:                                             ; preds = %latch
  ret void
}

define ptx_kernel void @nested(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c, i1 %d) #1 {
  %1 = getelementptr i32, ptr %p, i64 3
  %2 = load i32, ptr %1, align 4
  br label %outer

outer:                                            ; preds = %behind, %0
  br label %middle

middle:                                           ; preds = %latch, %outer
  br label %inner

inner:                                            ; preds = %inner, %middle
  %v = phi i32 [ 0, %middle ], [ %2, %inner ]
  store i32 %v, ptr %q, align 4
  br i1 %c, label %inner, label %latch

latch:                                            ; preds = %inner
  br i1 %d, label %middle, label %behind

behind:                                           ; preds = %latch
  store i32 %2, ptr %q, align 4
  br i1 %c, label %outer, label %exit

exit:                                             ; preds = %behind
  ret void
}

define void @called(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) #1 {
  br label %loop

loop:                                             ; preds = %loop, %0
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop
  ret void
}

attributes #0 = { "ptyx-level"="2" }
attributes #1 = { "ptyx-level"="1" }
attributes #2 = { "ptyx-level"="0" }
