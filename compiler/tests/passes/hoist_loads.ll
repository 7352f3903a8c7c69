; run: hoist_loads
; Loads of elements that the host knows to be there leave loops. Parameter 1 is at least 8 if one level holds, and at least 64 if two do.

; In the second level, one of the elements is there. So is that of the first level, of which a third condition is known.
define ptx_kernel void @levels(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) {
  %two = icmp ugt i32 %proof, 1
  br i1 %two, label %second, label %other
second:
  br label %loop
loop:
  %i = phi i32 [ 0, %second ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch
inside:
  %at.63 = getelementptr inbounds i32, ptr %p, i64 63
  %last = load i32, ptr %at.63, align 4
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %sum = add i32 %last, %behind
  store i32 %sum, ptr %q
  br label %latch
latch:
  %zero = load i32, ptr %p, align 4
  store i32 %zero, ptr %q
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit
other:
  %none = icmp eq i32 %proof, 0
  br i1 %none, label %exit, label %first
first:
  br label %loop.1
loop.1:
  %at.7 = getelementptr inbounds i8, ptr %p, i64 28
  %seventh = load i32, ptr %at.7, align 4
  store i32 %seventh, ptr %q
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  store i32 %eighth, ptr %q
  br i1 %c, label %loop.1, label %exit
exit:
  ret void
}

; Nothing is known where no level holds, or where that was not asked.
define ptx_kernel void @no_level(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) {
  br label %unasked
unasked:
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q
  br i1 %c, label %unasked, label %asks
asks:
  %one = icmp ugt i32 %proof, 0
  br i1 %one, label %both, label %not
not:
  br label %loop
loop:
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %q
  br i1 %c, label %loop, label %both
both:
  br label %behind
behind:
  %z = load i32, ptr %p, align 4
  store i32 %z, ptr %q
  br i1 %c, label %behind, label %exit
exit:
  ret void
}

; Conditions of which the answer is a part: each says that a level holds, ...
define ptx_kernel void @parts(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) {
  %yes = icmp uge i32 %proof, 1
  %no = icmp ult i32 %proof, 1
  %and = and i1 %c, %yes
  br i1 %and, label %a, label %or
a:
  br label %loop.a
loop.a:
  %w = load i32, ptr %p, align 4
  store i32 %w, ptr %q
  br i1 %c, label %loop.a, label %or
or:
  %or.no = or i1 %no, %c
  br i1 %or.no, label %select, label %b
b:
  br label %loop.b
loop.b:
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q
  br i1 %c, label %loop.b, label %select
select:
  %both = select i1 %c, i1 %yes, i1 false
  br i1 %both, label %c.in, label %exit
c.in:
  br label %loop.c
loop.c:
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %q
  br i1 %c, label %loop.c, label %exit
exit:
  ret void
}

; ... and these don't.
define ptx_kernel void @other_parts(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c, i32 %n) {
  %yes = icmp uge i32 %proof, 1
  %or.yes = or i1 %c, %yes
  br i1 %or.yes, label %a, label %and
a:
  br label %loop.a
loop.a:
  %w = load i32, ptr %p, align 4
  store i32 %w, ptr %q
  br i1 %c, label %loop.a, label %and
and:
  %no = icmp ult i32 %proof, 1
  %and.no = and i1 %no, %c
  br i1 %and.no, label %select, label %b
b:
  br label %loop.b
loop.b:
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q
  br i1 %c, label %loop.b, label %select
select:
  %either = select i1 %c, i1 true, i1 %yes
  br i1 %either, label %c.in, label %less
c.in:
  br label %loop.c
loop.c:
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %q
  br i1 %c, label %loop.c, label %less
less:
  %chosen = select i1 %c, i1 %yes, i1 %c
  br i1 %chosen, label %d, label %most
d:
  br label %loop.d
loop.d:
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q
  br i1 %c, label %loop.d, label %most
most:
  %small = icmp ule i32 %proof, 1
  br i1 %small, label %e, label %another
e:
  br label %loop.e
loop.e:
  %u = load i32, ptr %p, align 4
  store i32 %u, ptr %q
  br i1 %c, label %loop.e, label %another
another:
  %not.it = icmp ugt i32 %n, 0
  br i1 %not.it, label %f, label %exit
f:
  br label %loop.f
loop.f:
  %t = load i32, ptr %p, align 4
  store i32 %t, ptr %q
  br i1 %c, label %loop.f, label %exit
exit:
  ret void
}

; One level of two, however that is asked: element 63 may not be there, and neither may element 4 of the other slice.
define ptx_kernel void @one_of_two(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr noalias readonly align 4 %r, i64 "ptyx-slice"="2,4" %other, ptr %q, i32 "ptyx-proof"="p1 p3;;-8 1*0,-4 1*1|-64 1*0" %proof, i1 %c) {
  %more = icmp ugt i32 %proof, 0
  br i1 %more, label %a, label %second
a:
  br label %loop.a
loop.a:
  %at.a = getelementptr i32, ptr %p, i64 63
  %w = load i32, ptr %at.a, align 4
  store i32 %w, ptr %q
  %at.4 = getelementptr i32, ptr %r, i64 4
  %v = load i32, ptr %at.4, align 4
  store i32 %v, ptr %q
  %at.3 = getelementptr i32, ptr %r, i64 3
  %u = load i32, ptr %at.3, align 4
  store i32 %u, ptr %q
  br i1 %c, label %loop.a, label %second
second:
  %one = icmp uge i32 %proof, 1
  br i1 %one, label %b, label %third
b:
  br label %loop.b
loop.b:
  %at.b = getelementptr i32, ptr %p, i64 63
  %x = load i32, ptr %at.b, align 4
  store i32 %x, ptr %q
  br i1 %c, label %loop.b, label %third
third:
  %not.two = icmp ne i32 %proof, 2
  br i1 %not.two, label %d, label %fourth
d:
  br label %loop.d
loop.d:
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %q
  br i1 %c, label %loop.d, label %fourth
fourth:
  %yes = icmp uge i32 %proof, 1
  %both = select i1 %yes, i1 %c, i1 false
  br i1 %both, label %exit, label %e
e:
  br label %loop.e
loop.e:
  %z = load i32, ptr %p, align 4
  store i32 %z, ptr %q
  br i1 %c, label %loop.e, label %exit
exit:
  ret void
}

; What else the host was asked says nothing of a parameter alone: a sum of two, a multiple, a product, a quotient, a number of threads.
define ptx_kernel void @other_sums(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 t1 p5;1*0/1*2;-8 1*0 1*2,-8 2*0,-8 1*0*0,-8 1*q0,-8 1*1,8 1*0,-8 -1*0,-8,-2*2 1*0,1*0 -8" %proof, i1 %c, i64 %n) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit
before:
  br label %loop
loop:
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; A slice that threads write to, of which alignment is not known, or that belongs to another length.
define ptx_kernel void @other_slices(ptr align 4 %a, i64 "ptyx-slice"="0,4" %length.a, ptr noalias readonly %b, i64 "ptyx-slice"="2,4" %length.b, ptr noalias readonly align 4 %d, i64 %length.d, ptr noalias align 4 %e, i64 "ptyx-slice"="6,4" %length.e, ptr readonly align 4 %f, i64 "ptyx-slice"="8,4" %length.f, ptr %q, i32 "ptyx-proof"="p1 p3 p5 p7 p9;;-8 1*0,-8 1*1,-8 1*2,-8 1*3,-8 1*4" %proof, i1 %c) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit
before:
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
define ptx_kernel void @bytes(ptr noalias readonly align 2 %p, i64 "ptyx-slice"="0,3" %length, ptr %q, i32 "ptyx-proof"="p1;;-3 1*0" %proof, i1 %c, i64 %n) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit
before:
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
define ptx_kernel void @one_place(ptr noalias readonly align 1 %p, i64 "ptyx-slice"="0,2" %length, ptr %q, i32 "ptyx-proof"="p1;;-1 1*0" %proof, i1 %c, i1 %more) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit
before:
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

; Out of both loops, as far as the level is known; the address is used behind them, too.
define ptx_kernel void @nested(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c, i1 %d) {
  br label %outer
outer:
  %yes = icmp ne i32 %proof, 0
  br i1 %yes, label %before, label %exit
before:
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
define void @called(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit
before:
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
define ptx_kernel void @levels(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 b0;;-8 1*0,5 1*1 -1*0|-64 1*0" %proof, i1 %c, i32 %n) {
  %two = icmp ugt i32 %proof, 1
  br i1 %two, label %second, label %other

second:                                           ; preds = %0
  %1 = getelementptr inbounds i32, ptr %p, i64 63
  %2 = load i32, ptr %1, align 4
  %3 = load i32, ptr %p, align 4
  br label %loop

loop:                                             ; preds = %latch, %second
  %i = phi i32 [ 0, %second ], [ %next, %latch ]
  %asks = icmp ult i32 %i, %n
  br i1 %asks, label %inside, label %latch

inside:                                           ; preds = %loop
  %at.64 = getelementptr inbounds i32, ptr %p, i64 64
  %behind = load i32, ptr %at.64, align 4
  %sum = add i32 %2, %behind
  store i32 %sum, ptr %q, align 4
  br label %latch

latch:                                            ; preds = %inside, %loop
  store i32 %3, ptr %q, align 4
  %next = add i32 %i, 1
  br i1 %c, label %loop, label %exit

other:                                            ; preds = %0
  %none = icmp eq i32 %proof, 0
  br i1 %none, label %exit, label %first

first:                                            ; preds = %other
  %4 = getelementptr inbounds i8, ptr %p, i64 28
  %5 = load i32, ptr %4, align 4
  br label %loop.1

loop.1:                                           ; preds = %loop.1, %first
  store i32 %5, ptr %q, align 4
  %at.8 = getelementptr inbounds i8, ptr %p, i64 32
  %eighth = load i32, ptr %at.8, align 4
  store i32 %eighth, ptr %q, align 4
  br i1 %c, label %loop.1, label %exit

exit:                                             ; preds = %loop.1, %other, %latch
  ret void
}

define ptx_kernel void @no_level(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) {
  br label %unasked

unasked:                                          ; preds = %unasked, %0
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  br i1 %c, label %unasked, label %asks

asks:                                             ; preds = %unasked
  %one = icmp ugt i32 %proof, 0
  br i1 %one, label %both, label %not

not:                                              ; preds = %asks
  br label %loop

loop:                                             ; preds = %loop, %not
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %q, align 4
  br i1 %c, label %loop, label %both

both:                                             ; preds = %loop, %asks
  br label %behind

behind:                                           ; preds = %behind, %both
  %z = load i32, ptr %p, align 4
  store i32 %z, ptr %q, align 4
  br i1 %c, label %behind, label %exit

exit:                                             ; preds = %behind
  ret void
}

define ptx_kernel void @parts(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) {
  %yes = icmp uge i32 %proof, 1
  %no = icmp ult i32 %proof, 1
  %and = and i1 %c, %yes
  br i1 %and, label %a, label %or

a:                                                ; preds = %0
  %1 = load i32, ptr %p, align 4
  br label %loop.a

loop.a:                                           ; preds = %loop.a, %a
  store i32 %1, ptr %q, align 4
  br i1 %c, label %loop.a, label %or

or:                                               ; preds = %loop.a, %0
  %or.no = or i1 %no, %c
  br i1 %or.no, label %select, label %b

b:                                                ; preds = %or
  %2 = load i32, ptr %p, align 4
  br label %loop.b

loop.b:                                           ; preds = %loop.b, %b
  store i32 %2, ptr %q, align 4
  br i1 %c, label %loop.b, label %select

select:                                           ; preds = %loop.b, %or
  %both = select i1 %c, i1 %yes, i1 false
  br i1 %both, label %c.in, label %exit

c.in:                                             ; preds = %select
  %3 = load i32, ptr %p, align 4
  br label %loop.c

loop.c:                                           ; preds = %loop.c, %c.in
  store i32 %3, ptr %q, align 4
  br i1 %c, label %loop.c, label %exit

exit:                                             ; preds = %loop.c, %select
  ret void
}

define ptx_kernel void @other_parts(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c, i32 %n) {
  %yes = icmp uge i32 %proof, 1
  %or.yes = or i1 %c, %yes
  br i1 %or.yes, label %a, label %and

a:                                                ; preds = %0
  br label %loop.a

loop.a:                                           ; preds = %loop.a, %a
  %w = load i32, ptr %p, align 4
  store i32 %w, ptr %q, align 4
  br i1 %c, label %loop.a, label %and

and:                                              ; preds = %loop.a, %0
  %no = icmp ult i32 %proof, 1
  %and.no = and i1 %no, %c
  br i1 %and.no, label %select, label %b

b:                                                ; preds = %and
  br label %loop.b

loop.b:                                           ; preds = %loop.b, %b
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  br i1 %c, label %loop.b, label %select

select:                                           ; preds = %loop.b, %and
  %either = select i1 %c, i1 true, i1 %yes
  br i1 %either, label %c.in, label %less

c.in:                                             ; preds = %select
  br label %loop.c

loop.c:                                           ; preds = %loop.c, %c.in
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %q, align 4
  br i1 %c, label %loop.c, label %less

less:                                             ; preds = %loop.c, %select
  %chosen = select i1 %c, i1 %yes, i1 %c
  br i1 %chosen, label %d, label %most

d:                                                ; preds = %less
  br label %loop.d

loop.d:                                           ; preds = %loop.d, %d
  %v = load i32, ptr %p, align 4
  store i32 %v, ptr %q, align 4
  br i1 %c, label %loop.d, label %most

most:                                             ; preds = %loop.d, %less
  %small = icmp ule i32 %proof, 1
  br i1 %small, label %e, label %another

e:                                                ; preds = %most
  br label %loop.e

loop.e:                                           ; preds = %loop.e, %e
  %u = load i32, ptr %p, align 4
  store i32 %u, ptr %q, align 4
  br i1 %c, label %loop.e, label %another

another:                                          ; preds = %loop.e, %most
  %not.it = icmp ugt i32 %n, 0
  br i1 %not.it, label %f, label %exit

f:                                                ; preds = %another
  br label %loop.f

loop.f:                                           ; preds = %loop.f, %f
  %t = load i32, ptr %p, align 4
  store i32 %t, ptr %q, align 4
  br i1 %c, label %loop.f, label %exit

exit:                                             ; preds = %loop.f, %another
  ret void
}

define ptx_kernel void @one_of_two(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr noalias readonly align 4 %r, i64 "ptyx-slice"="2,4" %other, ptr %q, i32 "ptyx-proof"="p1 p3;;-8 1*0,-4 1*1|-64 1*0" %proof, i1 %c) {
  %more = icmp ugt i32 %proof, 0
  br i1 %more, label %a, label %second

a:                                                ; preds = %0
  %1 = getelementptr i32, ptr %r, i64 3
  %2 = load i32, ptr %1, align 4
  br label %loop.a

loop.a:                                           ; preds = %loop.a, %a
  %at.a = getelementptr i32, ptr %p, i64 63
  %w = load i32, ptr %at.a, align 4
  store i32 %w, ptr %q, align 4
  %at.4 = getelementptr i32, ptr %r, i64 4
  %v = load i32, ptr %at.4, align 4
  store i32 %v, ptr %q, align 4
  store i32 %2, ptr %q, align 4
  br i1 %c, label %loop.a, label %second

second:                                           ; preds = %loop.a, %0
  %one = icmp uge i32 %proof, 1
  br i1 %one, label %b, label %third

b:                                                ; preds = %second
  br label %loop.b

loop.b:                                           ; preds = %loop.b, %b
  %at.b = getelementptr i32, ptr %p, i64 63
  %x = load i32, ptr %at.b, align 4
  store i32 %x, ptr %q, align 4
  br i1 %c, label %loop.b, label %third

third:                                            ; preds = %loop.b, %second
  %not.two = icmp ne i32 %proof, 2
  br i1 %not.two, label %d, label %fourth

d:                                                ; preds = %third
  br label %loop.d

loop.d:                                           ; preds = %loop.d, %d
  %y = load i32, ptr %p, align 4
  store i32 %y, ptr %q, align 4
  br i1 %c, label %loop.d, label %fourth

fourth:                                           ; preds = %loop.d, %third
  %yes = icmp uge i32 %proof, 1
  %both = select i1 %yes, i1 %c, i1 false
  br i1 %both, label %exit, label %e

e:                                                ; preds = %fourth
  br label %loop.e

loop.e:                                           ; preds = %loop.e, %e
  %z = load i32, ptr %p, align 4
  store i32 %z, ptr %q, align 4
  br i1 %c, label %loop.e, label %exit

exit:                                             ; preds = %loop.e, %fourth
  ret void
}

define ptx_kernel void @other_sums(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1 t1 p5;1*0/1*2;-8 1*0 1*2,-8 2*0,-8 1*0*0,-8 1*q0,-8 1*1,8 1*0,-8 -1*0,-8,-2*2 1*0,1*0 -8" %proof, i1 %c, i64 %n) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit

before:                                           ; preds = %0
  br label %loop

loop:                                             ; preds = %loop, %before
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop, %0
  ret void
}

define ptx_kernel void @other_slices(ptr align 4 %a, i64 "ptyx-slice"="0,4" %length.a, ptr noalias readonly %b, i64 "ptyx-slice"="2,4" %length.b, ptr noalias readonly align 4 %d, i64 %length.d, ptr noalias align 4 %e, i64 "ptyx-slice"="6,4" %length.e, ptr readonly align 4 %f, i64 "ptyx-slice"="8,4" %length.f, ptr %q, i32 "ptyx-proof"="p1 p3 p5 p7 p9;;-8 1*0,-8 1*1,-8 1*2,-8 1*3,-8 1*4" %proof, i1 %c) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit

before:                                           ; preds = %0
  br label %loop

loop:                                             ; preds = %loop, %before
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

exit:                                             ; preds = %loop, %0
  ret void
}

define ptx_kernel void @bytes(ptr noalias readonly align 2 %p, i64 "ptyx-slice"="0,3" %length, ptr %q, i32 "ptyx-proof"="p1;;-3 1*0" %proof, i1 %c, i64 %n) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit

before:                                           ; preds = %0
  %1 = getelementptr i8, ptr %p, i64 8
  %2 = load i8, ptr %1, align 1
  %3 = getelementptr i16, ptr %p, i64 3
  %4 = load i16, ptr %3, align 2
  %5 = getelementptr i8, ptr %p, i64 5
  %6 = load i16, ptr %5, align 1
  br label %loop

loop:                                             ; preds = %loop, %before
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

exit:                                             ; preds = %loop, %0
  ret void
}

define ptx_kernel void @one_place(ptr noalias readonly align 1 %p, i64 "ptyx-slice"="0,2" %length, ptr %q, i32 "ptyx-proof"="p1;;-1 1*0" %proof, i1 %c, i1 %more) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit

before:                                           ; preds = %0
  %1 = getelementptr i8, ptr %p, i64 1
  %2 = load i8, ptr %1, align 1
  %3 = load <8 x i1>, ptr %1, align 1
  br label %loop

loop:                                             ; preds = %latch, %before
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

exit:                                             ; preds = %latch, %0
  ret void
}

define ptx_kernel void @nested(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c, i1 %d) {
  br label %outer

outer:                                            ; preds = %behind, %0
  %yes = icmp ne i32 %proof, 0
  br i1 %yes, label %before, label %exit

before:                                           ; preds = %outer
  %1 = getelementptr i32, ptr %p, i64 3
  %2 = load i32, ptr %1, align 4
  br label %middle

middle:                                           ; preds = %latch, %before
  br label %inner

inner:                                            ; preds = %inner, %middle
  %v = phi i32 [ 0, %middle ], [ %2, %inner ]
  store i32 %v, ptr %q, align 4
  br i1 %c, label %inner, label %latch

latch:                                            ; preds = %inner
  br i1 %d, label %middle, label %behind

behind:                                           ; preds = %latch
  %again = load i32, ptr %1, align 4
  store i32 %again, ptr %q, align 4
  br i1 %c, label %outer, label %exit

exit:                                             ; preds = %behind, %outer
  ret void
}

define void @called(ptr noalias readonly align 4 %p, i64 "ptyx-slice"="0,4" %length, ptr %q, i32 "ptyx-proof"="p1;;-8 1*0" %proof, i1 %c) {
  %yes = icmp ugt i32 %proof, 0
  br i1 %yes, label %before, label %exit

before:                                           ; preds = %0
  br label %loop

loop:                                             ; preds = %loop, %before
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  br i1 %c, label %loop, label %exit

exit:                                             ; preds = %loop, %0
  ret void
}
