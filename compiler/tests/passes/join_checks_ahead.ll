; run: make_checks_ahead, join_checks
; Checks that compare what is known at the first one are made with it, in front of a copy without them, where stores,
; branches or other checks stand between them.

declare void @panic(i64, i64) noreturn
declare void @barrier() convergent

; Tiles are loaded into shared memory by threads that have a place there.
define void @tiles(i64 %i, i64 %j, i1 %loads, ptr %p, i64 "ptyx-slice"="3,4" %n, ptr %tile, ptr %other) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  br i1 %loads, label %load, label %two
load:
  %at.i = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.i
  store float %x, ptr %tile
  br label %two
two:
  %k = add nuw i64 %j, 5
  %second = icmp ult i64 %k, %n
  br i1 %second, label %three, label %fail.k
three:
  br i1 %loads, label %load.again, label %four
load.again:
  %at.k = getelementptr float, ptr %p, i64 %k
  %y = load float, ptr %at.k
  store float %y, ptr %other
  br label %four
four:
  %z = phi float [ 0.0, %three ], [ %y, %load.again ]
  call void @barrier()
  store float %z, ptr %p
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.k:
  call void @panic(i64 %k, i64 %n)
  unreachable
}

; A check of what is loaded stays, in both copies; the one behind it is made ahead.
define float @gather(i64 %i, ptr noalias readonly %index, i64 "ptyx-slice"="1,8" %n, ptr %p, i64 "ptyx-slice"="3,4" %m, ptr %out, i64 "ptyx-slice"="5,4" %l) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %at = getelementptr i64, ptr %index, i64 %i
  %j = load i64, ptr %at
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j
two:
  %from = getelementptr float, ptr %p, i64 %j
  %x = load float, ptr %from
  %third = icmp ult i64 %i, %l
  br i1 %third, label %three, label %fail.out
three:
  %to = getelementptr float, ptr %out, i64 %i
  store float %x, ptr %to
  ret float %x
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %m)
  unreachable
fail.out:
  call void @panic(i64 %i, i64 %l)
  unreachable
}

; A barrier between them: not all threads would come to the same one.
define void @barrier_between(i64 %i, i64 %j, ptr %p, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  store i32 1, ptr %p
  call void @barrier()
  %second = icmp ult i64 %j, %n
  br i1 %second, label %two, label %fail.j
two:
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; The second check compares what a branch decides.
define void @unknown(i64 %i, i1 %c, ptr %p, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  br i1 %c, label %arm, label %two
arm:
  store i32 1, ptr %p
  br label %two
two:
  %j = phi i64 [ 1, %one ], [ 2, %arm ]
  %second = icmp ult i64 %j, %n
  br i1 %second, label %three, label %fail.j
three:
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; A panic block that a check behind the stretch shares reports what not all ways there know.
define void @shared_panic(i64 %i, ptr noalias readonly %index, i64 "ptyx-slice"="1,8" %n, ptr %out, i64 "ptyx-slice"="3,8" %m) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %at = getelementptr i64, ptr %index, i64 %i
  %j = load i64, ptr %at
  store i64 %j, ptr %out
  %second = icmp ult i64 %i, %m
  br i1 %second, label %two, label %fail
two:
  call void @barrier()
  %k = load i64, ptr %out
  %third = icmp ult i64 %k, %m
  br i1 %third, label %three, label %fail
three:
  ret void
fail.i:
  call void @panic(i64 %i, i64 0)
  unreachable
fail:
  call void @panic(i64 %j, i64 0)
  unreachable
}

; The third check is what makes `or disjoint` a sum, and it is not made ahead: so the second one stays.
define void @a_sum_by_a_check_that_stays(i64 %i, ptr %p, i64 "ptyx-slice"="1,8" %n, ptr noalias readonly %q, i1 %c, ptr %r) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  store i64 0, ptr %r
  %next = add i64 %i, 1
  %second = icmp ult i64 %next, %n
  br i1 %second, label %two, label %fail.i
two:
  %at = getelementptr i64, ptr %p, i64 %next
  store i64 7, ptr %at
  %bit = and i64 %i, 2
  %v = load i64, ptr %q
  %t = or i64 %v, %bit
  %unknown = icmp eq i64 %t, 0
  br i1 %unknown, label %three, label %fail.i
three:
  %high = or disjoint i64 %i, 2
  br i1 %c, label %arm, label %four
arm:
  store i64 1, ptr %r
  br label %four
four:
  %third = icmp ult i64 %high, %n
  br i1 %third, label %done, label %fail.i
done:
  ret void
fail.i:
  call void @panic(i64 %i, i64 0)
  unreachable
}

; A relaxed store, as to a shared cell, between loads of global memory is copied, but not the last one.
define void @cells_of_a_tile(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr addrspace(3) %tile) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %from = getelementptr i32, ptr %p, i64 %i
  %a = load i32, ptr %from
  store atomic i32 %a, ptr addrspace(3) %tile monotonic, align 4
  %second = icmp ult i64 %j, %n
  br i1 %second, label %two, label %fail.j
two:
  %from.j = getelementptr i32, ptr %p, i64 %j
  %b = load i32, ptr %from.j
  %to = getelementptr i32, ptr addrspace(3) %tile, i64 1
  store atomic i32 %b, ptr addrspace(3) %to monotonic, align 4
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; The same among cells: no thread waits long.
define void @cells_alone(i64 %i, i64 %j, i64 %n, ptr addrspace(3) %tile) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %from = getelementptr i32, ptr addrspace(3) %tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %from monotonic, align 4
  store atomic i32 %a, ptr addrspace(3) %tile monotonic, align 4
  %second = icmp ult i64 %j, %n
  br i1 %second, label %two, label %fail.j
two:
  %from.j = getelementptr i32, ptr addrspace(3) %tile, i64 %j
  %b = load i32, ptr addrspace(3) %from.j
  store atomic i32 %b, ptr addrspace(3) %from monotonic, align 4
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; An update is no store.
define void @updates(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr addrspace(3) %tile) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %from = getelementptr i32, ptr %p, i64 %i
  %a = load i32, ptr %from
  %old = atomicrmw add ptr addrspace(3) %tile, i32 %a monotonic
  %second = icmp ult i64 %j, %n
  br i1 %second, label %two, label %fail.j
two:
  %from.j = getelementptr i32, ptr %p, i64 %j
  %b = load i32, ptr %from.j
  store i32 %b, ptr addrspace(3) %tile
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
}


; Where only some threads have a place, and only some of these in the tile: two conditions, one after the other.
define void @nested(i64 %i, i64 %j, i1 %row, i1 %column, ptr %p, i64 "ptyx-slice"="4,4" %n, ptr %tile, ptr %other) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %at.i = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.i
  br i1 %row, label %inside, label %two
inside:
  br i1 %column, label %store, label %two
store:
  store float %x, ptr %tile
  br label %two
two:
  %second = icmp ult i64 %j, %n
  br i1 %second, label %three, label %fail.j
three:
  %at.j = getelementptr float, ptr %p, i64 %j
  %y = load float, ptr %at.j
  store float %y, ptr %other
  call void @barrier()
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; Two gathers by index arrays that no thread writes: both indices are loaded before either is checked. Of an array that is
; written, the second load stays behind the first gather's check.
define float @gathers(i64 %i, ptr noalias readonly %a, i64 "ptyx-slice"="1,8" %n, ptr noalias readonly %b, i64 "ptyx-slice"="3,8" %k, ptr noalias readonly %p, i64 "ptyx-slice"="5,4" %m, ptr %out, i64 "ptyx-slice"="7,4" %l) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.a
one:
  %at.a = getelementptr i64, ptr %a, i64 %i
  %j = load i64, ptr %at.a
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j
two:
  %from.j = getelementptr float, ptr %p, i64 %j
  %x = load float, ptr %from.j
  %third = icmp ult i64 %i, %k
  br i1 %third, label %three, label %fail.b
three:
  %at.b = getelementptr i64, ptr %b, i64 %i
  %g = load i64, ptr %at.b
  %fourth = icmp ult i64 %g, %m
  br i1 %fourth, label %four, label %fail.g
four:
  %from.g = getelementptr float, ptr %p, i64 %g
  %y = load float, ptr %from.g
  %sum = fadd float %x, %y
  %fifth = icmp ult i64 %i, %l
  br i1 %fifth, label %five, label %fail.out
five:
  %to = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %to
  ret float %sum
fail.a:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %m)
  unreachable
fail.b:
  call void @panic(i64 %i, i64 %k)
  unreachable
fail.g:
  call void @panic(i64 %g, i64 %m)
  unreachable
fail.out:
  call void @panic(i64 %i, i64 %l)
  unreachable
}

define float @gathers_of_written(i64 %i, ptr %a, i64 "ptyx-slice"="1,8" %n, ptr %b, i64 "ptyx-slice"="3,8" %k, ptr noalias readonly %p, i64 "ptyx-slice"="5,4" %m) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.a
one:
  %at.a = getelementptr i64, ptr %a, i64 %i
  %j = load i64, ptr %at.a
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j
two:
  %from.j = getelementptr float, ptr %p, i64 %j
  %x = load float, ptr %from.j
  store i64 0, ptr %a
  %third = icmp ult i64 %i, %k
  br i1 %third, label %three, label %fail.b
three:
  %at.b = getelementptr i64, ptr %b, i64 %i
  %g = load i64, ptr %at.b
  %fourth = icmp ult i64 %g, %m
  br i1 %fourth, label %four, label %fail.g
four:
  %from.g = getelementptr float, ptr %p, i64 %g
  %y = load float, ptr %from.g
  %sum = fadd float %x, %y
  ret float %sum
fail.a:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %m)
  unreachable
fail.b:
  call void @panic(i64 %i, i64 %k)
  unreachable
fail.g:
  call void @panic(i64 %g, i64 %m)
  unreachable
}

; A switch ends a stretch.
define void @switch(i64 %i, i64 %j, i64 %k, i32 %s, ptr %p, i64 "ptyx-slice"="4,4" %n, ptr %tile, ptr %other) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %at.i = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.i
  store float %x, ptr %tile
  switch i32 %s, label %c [ i32 1, label %a
    i32 2, label %b
    i32 3, label %a ]
a:
  store float 1.0, ptr %tile
  br label %two
b:
  store float 2.0, ptr %tile
  br label %two
c:
  store float 3.0, ptr %tile
  br label %two
two:
  %second = icmp ult i64 %j, %n
  br i1 %second, label %three, label %fail.k
three:
  %at.k = getelementptr float, ptr %p, i64 %j
  %y = load float, ptr %at.k
  store float %y, ptr %other
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.k:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64, i64) #0

; Function Attrs: convergent
declare void @barrier() #1

define void @tiles(i64 %i, i64 %j, i1 %loads, ptr %p, i64 "ptyx-slice"="3,4" %n, ptr %tile, ptr %other) {
  %first = icmp ult i64 %i, %n
  %1 = add i64 %j, 5
  %2 = icmp ult i64 %1, %n
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %5 = select i1 %3, i1 %4, i1 false
  br i1 %5, label %start2, label %start1

one:                                              ; preds = %start1
  br i1 %loads, label %load, label %two, !ptyx.may_fail !0

load:                                             ; preds = %one
  %at.i = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.i, align 4
  store float %x, ptr %tile, align 4
  br label %two, !ptyx.may_fail !0

two:                                              ; preds = %load, %one
  %6 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %7 = icmp ult i64 %6, %n
  br i1 %7, label %three, label %fail.k, !ptyx.may_fail !0

three:                                            ; preds = %two
  br i1 %loads, label %load.again, label %start, !ptyx.may_fail !0

load.again:                                       ; preds = %three
  %at.k = getelementptr float, ptr %p, i64 %1
  %y = load float, ptr %at.k, align 4
  store float %y, ptr %other, align 4
  br label %start, !ptyx.may_fail !0

start:                                            ; preds = %load.again, %three
  %8 = phi float [ 0.000000e+00, %three ], [ %y, %load.again ]
  br label %four, !ptyx.may_fail !0

four:                                             ; preds = %start7, %start
  %9 = phi float [ %8, %start ], [ %15, %start7 ]
  call void @barrier()
  store float %9, ptr %p, align 4
  ret void

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.k:                                           ; preds = %two
  call void @panic(i64 %1, i64 %n)
  unreachable

start1:                                           ; preds = %0
  %10 = icmp ult i64 %i, %n
  br i1 %10, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  br i1 %loads, label %start3, label %start4

start3:                                           ; preds = %start2
  %11 = getelementptr float, ptr %p, i64 %i
  %12 = load float, ptr %11, align 4
  store float %12, ptr %tile, align 4
  br label %start4

start4:                                           ; preds = %start3, %start2
  br label %start5

start5:                                           ; preds = %start4
  br i1 %loads, label %start6, label %start7

start6:                                           ; preds = %start5
  %13 = getelementptr float, ptr %p, i64 %1
  %14 = load float, ptr %13, align 4
  store float %14, ptr %other, align 4
  br label %start7

start7:                                           ; preds = %start6, %start5
  %15 = phi float [ 0.000000e+00, %start5 ], [ %14, %start6 ]
  br label %four
}

define float @gather(i64 %i, ptr noalias readonly %index, i64 "ptyx-slice"="1,8" %n, ptr %p, i64 "ptyx-slice"="3,4" %m, ptr %out, i64 "ptyx-slice"="5,4" %l) {
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %i, %l
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %start2, label %start1

one:                                              ; preds = %start1
  %at = getelementptr i64, ptr %index, i64 %i
  %j = load i64, ptr %at, align 4
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j, !ptyx.may_fail !0

two:                                              ; preds = %one
  %from = getelementptr float, ptr %p, i64 %j
  %x = load float, ptr %from, align 4
  %5 = icmp ult i64 %i, %l
  br i1 %5, label %start, label %fail.out, !ptyx.may_fail !0

start:                                            ; preds = %two
  %6 = getelementptr float, ptr %out, i64 %i
  store float %x, ptr %6, align 4
  br label %three, !ptyx.may_fail !0

three:                                            ; preds = %start4, %start
  %7 = phi float [ %x, %start ], [ %13, %start4 ]
  ret float %7

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %one
  call void @panic(i64 %j, i64 %m)
  unreachable, !ptyx.may_fail !0

fail.out:                                         ; preds = %two
  call void @panic(i64 %i, i64 %l)
  unreachable

start1:                                           ; preds = %0
  %8 = icmp ult i64 %i, %n
  br i1 %8, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %9 = getelementptr i64, ptr %index, i64 %i
  %10 = load i64, ptr %9, align 4, !ptyx.is_valid !0
  %11 = icmp ult i64 %10, %m
  br i1 %11, label %start3, label %start5

start3:                                           ; preds = %start2
  %12 = getelementptr float, ptr %p, i64 %10
  %13 = load float, ptr %12, align 4
  br label %start4

start4:                                           ; preds = %start3
  %14 = getelementptr float, ptr %out, i64 %i
  store float %13, ptr %14, align 4
  br label %three

start5:                                           ; preds = %start2
  call void @panic(i64 %10, i64 %m)
  unreachable
}

define void @barrier_between(i64 %i, i64 %j, ptr %p, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i

one:                                              ; preds = %0
  store i32 1, ptr %p, align 4
  call void @barrier()
  %second = icmp ult i64 %j, %n
  br i1 %second, label %two, label %fail.j

two:                                              ; preds = %one
  ret void

fail.i:                                           ; preds = %0
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %one
  call void @panic(i64 %j, i64 %n)
  unreachable
}

define void @unknown(i64 %i, i1 %c, ptr %p, i64 %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i

one:                                              ; preds = %0
  br i1 %c, label %arm, label %two

arm:                                              ; preds = %one
  store i32 1, ptr %p, align 4
  br label %two

two:                                              ; preds = %arm, %one
  %j = phi i64 [ 1, %one ], [ 2, %arm ]
  %second = icmp ult i64 %j, %n
  br i1 %second, label %three, label %fail.j

three:                                            ; preds = %two
  ret void

fail.i:                                           ; preds = %0
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %two
  call void @panic(i64 %j, i64 %n)
  unreachable
}

define void @shared_panic(i64 %i, ptr noalias readonly %index, i64 "ptyx-slice"="1,8" %n, ptr %out, i64 "ptyx-slice"="3,8" %m) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i

one:                                              ; preds = %0
  %at = getelementptr i64, ptr %index, i64 %i
  %j = load i64, ptr %at, align 4
  store i64 %j, ptr %out, align 4
  %second = icmp ult i64 %i, %m
  br i1 %second, label %two, label %fail

two:                                              ; preds = %one
  call void @barrier()
  %k = load i64, ptr %out, align 4
  %third = icmp ult i64 %k, %m
  br i1 %third, label %three, label %fail

three:                                            ; preds = %two
  ret void

fail.i:                                           ; preds = %0
  call void @panic(i64 %i, i64 0)
  unreachable

fail:                                             ; preds = %two, %one
  call void @panic(i64 %j, i64 0)
  unreachable
}

define void @a_sum_by_a_check_that_stays(i64 %i, ptr %p, i64 "ptyx-slice"="1,8" %n, ptr noalias readonly %q, i1 %c, ptr %r) {
  %first = icmp ult i64 %i, %n
  %1 = add i64 %i, 1
  %2 = icmp ult i64 %1, %n
  %3 = or i64 %i, 2
  %4 = icmp ult i64 %3, %n
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %7 = select i1 %5, i1 %6, i1 false
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %9 = select i1 %7, i1 %8, i1 false
  br i1 %9, label %start2, label %start1

one:                                              ; preds = %start1
  store i64 0, ptr %r, align 4
  %10 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %11 = icmp ult i64 %10, %n
  br i1 %11, label %two, label %fail.i, !ptyx.may_fail !0

two:                                              ; preds = %one
  %at = getelementptr i64, ptr %p, i64 %1
  store i64 7, ptr %at, align 4
  %bit = and i64 %i, 2
  %v = load i64, ptr %q, align 4
  %t = or i64 %v, %bit
  %unknown = icmp eq i64 %t, 0
  br i1 %unknown, label %three, label %fail.i, !ptyx.may_fail !0

three:                                            ; preds = %two
  br i1 %c, label %arm, label %four, !ptyx.may_fail !0

arm:                                              ; preds = %three
  store i64 1, ptr %r, align 4
  br label %four, !ptyx.may_fail !0

four:                                             ; preds = %arm, %three
  %12 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %3)
  %13 = icmp ult i64 %12, %n
  br i1 %13, label %start, label %fail.i, !ptyx.may_fail !0

start:                                            ; preds = %four
  br label %done, !ptyx.may_fail !0

done:                                             ; preds = %start7, %start
  ret void

fail.i:                                           ; preds = %start1, %four, %two, %one
  call void @panic(i64 %i, i64 0)
  unreachable, !ptyx.may_fail !0

start1:                                           ; preds = %0
  %14 = icmp ult i64 %i, %n
  br i1 %14, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  store i64 0, ptr %r, align 4
  br label %start3

start3:                                           ; preds = %start2
  %15 = getelementptr i64, ptr %p, i64 %1
  store i64 7, ptr %15, align 4
  %16 = and i64 %i, 2
  %17 = load i64, ptr %q, align 4
  %18 = or i64 %17, %16
  %19 = icmp eq i64 %18, 0
  br i1 %19, label %start4, label %start8

start4:                                           ; preds = %start3
  br i1 %c, label %start5, label %start6

start5:                                           ; preds = %start4
  store i64 1, ptr %r, align 4
  br label %start6

start6:                                           ; preds = %start5, %start4
  br label %start7

start7:                                           ; preds = %start6
  br label %done

start8:                                           ; preds = %start3
  call void @panic(i64 %i, i64 0)
  unreachable
}

define void @cells_of_a_tile(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr addrspace(3) %tile) {
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %j, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %start2, label %start1

one:                                              ; preds = %start1
  %from = getelementptr i32, ptr %p, i64 %i
  %a = load i32, ptr %from, align 4
  store atomic i32 %a, ptr addrspace(3) %tile monotonic, align 4
  %5 = icmp ult i64 %j, %n
  br i1 %5, label %start, label %fail.j, !ptyx.may_fail !0

start:                                            ; preds = %one
  %6 = getelementptr i32, ptr %p, i64 %j
  %7 = load i32, ptr %6, align 4
  %8 = getelementptr i32, ptr addrspace(3) %tile, i64 1
  br label %two, !ptyx.may_fail !0

two:                                              ; preds = %start3, %start
  %9 = phi i32 [ %7, %start ], [ %15, %start3 ]
  %10 = phi ptr addrspace(3) [ %8, %start ], [ %16, %start3 ]
  store atomic i32 %9, ptr addrspace(3) %10 monotonic, align 4
  ret void

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %one
  call void @panic(i64 %j, i64 %n)
  unreachable

start1:                                           ; preds = %0
  %11 = icmp ult i64 %i, %n
  br i1 %11, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %12 = getelementptr i32, ptr %p, i64 %i
  %13 = load i32, ptr %12, align 4
  store atomic i32 %13, ptr addrspace(3) %tile monotonic, align 4
  br label %start3

start3:                                           ; preds = %start2
  %14 = getelementptr i32, ptr %p, i64 %j
  %15 = load i32, ptr %14, align 4
  %16 = getelementptr i32, ptr addrspace(3) %tile, i64 1
  br label %two
}

define void @cells_alone(i64 %i, i64 %j, i64 %n, ptr addrspace(3) %tile) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i

one:                                              ; preds = %0
  %from = getelementptr i32, ptr addrspace(3) %tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %from monotonic, align 4
  store atomic i32 %a, ptr addrspace(3) %tile monotonic, align 4
  %second = icmp ult i64 %j, %n
  br i1 %second, label %two, label %fail.j

two:                                              ; preds = %one
  %from.j = getelementptr i32, ptr addrspace(3) %tile, i64 %j
  %b = load i32, ptr addrspace(3) %from.j, align 4
  store atomic i32 %b, ptr addrspace(3) %from monotonic, align 4
  ret void

fail.i:                                           ; preds = %0
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %one
  call void @panic(i64 %j, i64 %n)
  unreachable
}

define void @updates(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr addrspace(3) %tile) {
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %j, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %start2, label %start1

one:                                              ; preds = %start1
  %from = getelementptr i32, ptr %p, i64 %i
  %a = load i32, ptr %from, align 4
  %old = atomicrmw add ptr addrspace(3) %tile, i32 %a monotonic, align 4
  %5 = icmp ult i64 %j, %n
  br i1 %5, label %start, label %fail.j, !ptyx.may_fail !0

start:                                            ; preds = %one
  %6 = getelementptr i32, ptr %p, i64 %j
  %7 = load i32, ptr %6, align 4
  store i32 %7, ptr addrspace(3) %tile, align 4
  br label %two, !ptyx.may_fail !0

two:                                              ; preds = %start3, %start
  ret void

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %one
  call void @panic(i64 %j, i64 %n)
  unreachable

start1:                                           ; preds = %0
  %8 = icmp ult i64 %i, %n
  br i1 %8, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %9 = getelementptr i32, ptr %p, i64 %i
  %10 = load i32, ptr %9, align 4
  %11 = atomicrmw add ptr addrspace(3) %tile, i32 %10 monotonic, align 4
  br label %start3

start3:                                           ; preds = %start2
  %12 = getelementptr i32, ptr %p, i64 %j
  %13 = load i32, ptr %12, align 4
  store i32 %13, ptr addrspace(3) %tile, align 4
  br label %two
}

define void @nested(i64 %i, i64 %j, i1 %row, i1 %column, ptr %p, i64 "ptyx-slice"="4,4" %n, ptr %tile, ptr %other) {
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %j, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %start2, label %start1

one:                                              ; preds = %start1
  %at.i = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.i, align 4
  br i1 %row, label %inside, label %two, !ptyx.may_fail !0

inside:                                           ; preds = %one
  br i1 %column, label %store, label %two, !ptyx.may_fail !0

store:                                            ; preds = %inside
  store float %x, ptr %tile, align 4
  br label %two, !ptyx.may_fail !0

two:                                              ; preds = %store, %inside, %one
  %5 = icmp ult i64 %j, %n
  br i1 %5, label %start, label %fail.j, !ptyx.may_fail !0

start:                                            ; preds = %two
  %6 = getelementptr float, ptr %p, i64 %j
  %7 = load float, ptr %6, align 4
  store float %7, ptr %other, align 4
  br label %three, !ptyx.may_fail !0

three:                                            ; preds = %start6, %start
  call void @barrier()
  ret void

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %two
  call void @panic(i64 %j, i64 %n)
  unreachable

start1:                                           ; preds = %0
  %8 = icmp ult i64 %i, %n
  br i1 %8, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %9 = getelementptr float, ptr %p, i64 %i
  %10 = load float, ptr %9, align 4
  br i1 %row, label %start3, label %start5

start3:                                           ; preds = %start2
  br i1 %column, label %start4, label %start5

start4:                                           ; preds = %start3
  store float %10, ptr %tile, align 4
  br label %start5

start5:                                           ; preds = %start4, %start3, %start2
  br label %start6

start6:                                           ; preds = %start5
  %11 = getelementptr float, ptr %p, i64 %j
  %12 = load float, ptr %11, align 4
  store float %12, ptr %other, align 4
  br label %three
}

define float @gathers(i64 %i, ptr noalias readonly %a, i64 "ptyx-slice"="1,8" %n, ptr noalias readonly %b, i64 "ptyx-slice"="3,8" %k, ptr noalias readonly %p, i64 "ptyx-slice"="5,4" %m, ptr %out, i64 "ptyx-slice"="7,4" %l) {
  %1 = icmp ult i64 %i, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %3 = icmp ult i64 %i, %k
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %5 = select i1 %2, i1 %4, i1 false
  br i1 %5, label %start2, label %start1

one:                                              ; preds = %start1
  %j = load i64, ptr %11, align 4
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j, !ptyx.may_fail !0

two:                                              ; preds = %one
  %from.j = getelementptr float, ptr %p, i64 %j
  %x = load float, ptr %from.j, align 4
  %6 = icmp ult i64 %i, %k
  br i1 %6, label %three, label %fail.b, !ptyx.may_fail !0

three:                                            ; preds = %two
  %g = load i64, ptr %13, align 4
  %fourth = icmp ult i64 %g, %m
  br i1 %fourth, label %four, label %fail.g, !ptyx.may_fail !0

four:                                             ; preds = %three
  %from.g = getelementptr float, ptr %p, i64 %g
  %y = load float, ptr %from.g, align 4
  %sum = fadd float %x, %y
  %7 = icmp ult i64 %i, %l
  br i1 %7, label %start, label %fail.out, !ptyx.may_fail !0

start:                                            ; preds = %four
  %8 = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %8, align 4
  br label %five, !ptyx.may_fail !0

five:                                             ; preds = %start7, %start
  %9 = phi float [ %sum, %start ], [ %34, %start7 ]
  ret float %9

fail.a:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %one
  call void @panic(i64 %j, i64 %m)
  unreachable

fail.b:                                           ; preds = %two
  call void @panic(i64 %i, i64 %k)
  unreachable

fail.g:                                           ; preds = %three
  call void @panic(i64 %g, i64 %m)
  unreachable

fail.out:                                         ; preds = %four
  call void @panic(i64 %i, i64 %l)
  unreachable

start1:                                           ; preds = %start2, %0
  %10 = icmp ult i64 %i, %n
  %11 = getelementptr i64, ptr %a, i64 %i
  %12 = icmp ult i64 %i, %k
  %13 = getelementptr i64, ptr %b, i64 %i
  %14 = icmp ult i64 %i, %l
  %15 = icmp ult i64 %i, %n
  br i1 %15, label %one, label %fail.a, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %16 = icmp ult i64 %i, %n
  %17 = getelementptr i64, ptr %a, i64 %i
  %18 = icmp ult i64 %i, %k
  %19 = getelementptr i64, ptr %b, i64 %i
  %20 = icmp ult i64 %i, %l
  %21 = load i64, ptr %17, align 4, !ptyx.is_valid !0
  %22 = icmp ult i64 %21, %m
  %23 = load i64, ptr %19, align 4, !ptyx.is_valid !0
  %24 = icmp ult i64 %23, %m
  %25 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %20)
  %26 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %22)
  %27 = select i1 %25, i1 %26, i1 false
  %28 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %24)
  %29 = select i1 %27, i1 %28, i1 false
  br i1 %29, label %start3, label %start1

start3:                                           ; preds = %start2
  br label %start4

start4:                                           ; preds = %start3
  %30 = getelementptr float, ptr %p, i64 %21
  %31 = load float, ptr %30, align 4, !ptyx.is_valid !0
  br label %start5

start5:                                           ; preds = %start4
  br label %start6

start6:                                           ; preds = %start5
  %32 = getelementptr float, ptr %p, i64 %23
  %33 = load float, ptr %32, align 4, !ptyx.is_valid !0
  %34 = fadd float %31, %33
  br label %start7

start7:                                           ; preds = %start6
  %35 = getelementptr float, ptr %out, i64 %i
  store float %34, ptr %35, align 4
  br label %five
}

define float @gathers_of_written(i64 %i, ptr %a, i64 "ptyx-slice"="1,8" %n, ptr %b, i64 "ptyx-slice"="3,8" %k, ptr noalias readonly %p, i64 "ptyx-slice"="5,4" %m) {
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %i, %k
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %start2, label %start1

one:                                              ; preds = %start1
  %at.a = getelementptr i64, ptr %a, i64 %i
  %j = load i64, ptr %at.a, align 4
  %second = icmp ult i64 %j, %m
  br i1 %second, label %two, label %fail.j, !ptyx.may_fail !0

two:                                              ; preds = %one
  %from.j = getelementptr float, ptr %p, i64 %j
  %x = load float, ptr %from.j, align 4
  store i64 0, ptr %a, align 4
  %5 = icmp ult i64 %i, %k
  br i1 %5, label %three, label %fail.b, !ptyx.may_fail !0

three:                                            ; preds = %two
  %at.b = getelementptr i64, ptr %b, i64 %i
  %g = load i64, ptr %at.b, align 4
  %fourth = icmp ult i64 %g, %m
  br i1 %fourth, label %start, label %fail.g, !ptyx.may_fail !0

start:                                            ; preds = %three
  %6 = getelementptr float, ptr %p, i64 %g
  %7 = load float, ptr %6, align 4
  %8 = fadd float %x, %7
  br label %four, !ptyx.may_fail !0

four:                                             ; preds = %start5, %start
  %9 = phi float [ %8, %start ], [ %21, %start5 ]
  ret float %9

fail.a:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %one
  call void @panic(i64 %j, i64 %m)
  unreachable, !ptyx.may_fail !0

fail.b:                                           ; preds = %two
  call void @panic(i64 %i, i64 %k)
  unreachable

fail.g:                                           ; preds = %three
  call void @panic(i64 %g, i64 %m)
  unreachable, !ptyx.may_fail !0

start1:                                           ; preds = %0
  %10 = icmp ult i64 %i, %n
  br i1 %10, label %one, label %fail.a, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %11 = getelementptr i64, ptr %a, i64 %i
  %12 = load i64, ptr %11, align 4
  %13 = icmp ult i64 %12, %m
  br i1 %13, label %start3, label %start6

start3:                                           ; preds = %start2
  %14 = getelementptr float, ptr %p, i64 %12
  %15 = load float, ptr %14, align 4
  store i64 0, ptr %a, align 4
  br label %start4

start4:                                           ; preds = %start3
  %16 = getelementptr i64, ptr %b, i64 %i
  %17 = load i64, ptr %16, align 4
  %18 = icmp ult i64 %17, %m
  br i1 %18, label %start5, label %start7

start5:                                           ; preds = %start4
  %19 = getelementptr float, ptr %p, i64 %17
  %20 = load float, ptr %19, align 4
  %21 = fadd float %15, %20
  br label %four

start6:                                           ; preds = %start2
  call void @panic(i64 %12, i64 %m)
  unreachable

start7:                                           ; preds = %start4
  call void @panic(i64 %17, i64 %m)
  unreachable
}

define void @switch(i64 %i, i64 %j, i64 %k, i32 %s, ptr %p, i64 "ptyx-slice"="4,4" %n, ptr %tile, ptr %other) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i

one:                                              ; preds = %0
  %at.i = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.i, align 4
  store float %x, ptr %tile, align 4
  switch i32 %s, label %c [
    i32 1, label %a
    i32 2, label %b
    i32 3, label %a
  ]

a:                                                ; preds = %one, %one
  store float 1.000000e+00, ptr %tile, align 4
  br label %two

b:                                                ; preds = %one
  store float 2.000000e+00, ptr %tile, align 4
  br label %two

c:                                                ; preds = %one
  store float 3.000000e+00, ptr %tile, align 4
  br label %two

two:                                              ; preds = %c, %b, %a
  %second = icmp ult i64 %j, %n
  br i1 %second, label %three, label %fail.k

three:                                            ; preds = %two
  %at.k = getelementptr float, ptr %p, i64 %j
  %y = load float, ptr %at.k, align 4
  store float %y, ptr %other, align 4
  ret void

fail.i:                                           ; preds = %0
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.k:                                           ; preds = %two
  call void @panic(i64 %j, i64 %n)
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { convergent }

!0 = !{}
