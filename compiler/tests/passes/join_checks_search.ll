; run: make_checks_ahead, join_checks
; A graph search: neighbours that were not visited are stored to, relaxed. All neighbours are loaded before one is checked;
; threads whose checks all pass run a copy without them, also in the branches that store.

declare void @panic(i64, i64) noreturn

; Both neighbours are loaded, and checked in a second step.
define void @search(i64 %i0, i64 %i1, ptr noalias readonly %edge, i64 "ptyx-slice"="2,8" %n, ptr noalias readonly %visited, i64 "ptyx-slice"="4,1" %m, ptr %cost, i64 "ptyx-slice"="6,4" %l) {
  %first = icmp ult i64 %i0, %n
  br i1 %first, label %e0, label %fail.e0
e0:
  %at.0 = getelementptr i64, ptr %edge, i64 %i0
  %id.0 = load i64, ptr %at.0
  %known.0 = icmp ult i64 %id.0, %m
  br i1 %known.0, label %v0, label %fail.v0
v0:
  %flag.0 = getelementptr i8, ptr %visited, i64 %id.0
  %seen.0 = load i8, ptr %flag.0
  %new.0 = icmp eq i8 %seen.0, 0
  br i1 %new.0, label %b0, label %next
b0:
  %has.0 = icmp ult i64 %id.0, %l
  br i1 %has.0, label %s0, label %fail.s0
s0:
  %to.0 = getelementptr i32, ptr %cost, i64 %id.0
  store atomic i32 7, ptr %to.0 syncscope("device") monotonic, align 4
  br label %next
next:
  %second = icmp ult i64 %i1, %n
  br i1 %second, label %e1, label %fail.e1
e1:
  %at.1 = getelementptr i64, ptr %edge, i64 %i1
  %id.1 = load i64, ptr %at.1
  %known.1 = icmp ult i64 %id.1, %m
  br i1 %known.1, label %v1, label %fail.v1
v1:
  %flag.1 = getelementptr i8, ptr %visited, i64 %id.1
  %seen.1 = load i8, ptr %flag.1
  %new.1 = icmp eq i8 %seen.1, 0
  br i1 %new.1, label %b1, label %end
b1:
  %has.1 = icmp ult i64 %id.1, %l
  br i1 %has.1, label %s1, label %fail.s1
s1:
  %to.1 = getelementptr i32, ptr %cost, i64 %id.1
  store atomic i32 7, ptr %to.1 syncscope("device") monotonic, align 4
  br label %end
end:
  ret void
fail.e0:
  call void @panic(i64 %i0, i64 %n)
  unreachable
fail.v0:
  call void @panic(i64 %id.0, i64 %m)
  unreachable
fail.s0:
  call void @panic(i64 %id.0, i64 %l)
  unreachable
fail.e1:
  call void @panic(i64 %i1, i64 %n)
  unreachable
fail.v1:
  call void @panic(i64 %id.1, i64 %m)
  unreachable
fail.s1:
  call void @panic(i64 %id.1, i64 %l)
  unreachable
}

; Other threads may write the neighbours: they are loaded where they were.
define void @of_written(i64 %i0, i64 %i1, ptr %edge, i64 "ptyx-slice"="2,8" %n, ptr noalias readonly %visited, i64 "ptyx-slice"="4,1" %m, ptr %cost, i64 "ptyx-slice"="6,4" %l) {
  %first = icmp ult i64 %i0, %n
  br i1 %first, label %e0, label %fail.e0
e0:
  %at.0 = getelementptr i64, ptr %edge, i64 %i0
  %id.0 = load i64, ptr %at.0
  %known.0 = icmp ult i64 %id.0, %m
  br i1 %known.0, label %v0, label %fail.v0
v0:
  %flag.0 = getelementptr i8, ptr %visited, i64 %id.0
  %seen.0 = load i8, ptr %flag.0
  %new.0 = icmp eq i8 %seen.0, 0
  br i1 %new.0, label %b0, label %next
b0:
  %has.0 = icmp ult i64 %id.0, %l
  br i1 %has.0, label %s0, label %fail.s0
s0:
  %to.0 = getelementptr i32, ptr %cost, i64 %id.0
  store atomic i32 7, ptr %to.0 syncscope("device") monotonic, align 4
  br label %next
next:
  %second = icmp ult i64 %i1, %n
  br i1 %second, label %e1, label %fail.e1
e1:
  %at.1 = getelementptr i64, ptr %edge, i64 %i1
  %id.1 = load i64, ptr %at.1
  %known.1 = icmp ult i64 %id.1, %m
  br i1 %known.1, label %v1, label %fail.v1
v1:
  %flag.1 = getelementptr i8, ptr %visited, i64 %id.1
  %seen.1 = load i8, ptr %flag.1
  %new.1 = icmp eq i8 %seen.1, 0
  br i1 %new.1, label %b1, label %end
b1:
  %has.1 = icmp ult i64 %id.1, %l
  br i1 %has.1, label %s1, label %fail.s1
s1:
  %to.1 = getelementptr i32, ptr %cost, i64 %id.1
  store atomic i32 7, ptr %to.1 syncscope("device") monotonic, align 4
  br label %end
end:
  ret void
fail.e0:
  call void @panic(i64 %i0, i64 %n)
  unreachable
fail.v0:
  call void @panic(i64 %id.0, i64 %m)
  unreachable
fail.s0:
  call void @panic(i64 %id.0, i64 %l)
  unreachable
fail.e1:
  call void @panic(i64 %i1, i64 %n)
  unreachable
fail.v1:
  call void @panic(i64 %id.1, i64 %m)
  unreachable
fail.s1:
  call void @panic(i64 %id.1, i64 %l)
  unreachable
}

; A check behind the stretch has the panic block of one in a branch, and it reports what is loaded: the stretch ends before
; that branch.
define void @shared_panic(i64 %i0, i64 %i1, ptr noalias readonly %edge, i64 "ptyx-slice"="2,8" %n, ptr noalias readonly %visited, i64 "ptyx-slice"="4,1" %m, ptr %cost, i64 "ptyx-slice"="6,4" %l) {
  %first = icmp ult i64 %i0, %n
  br i1 %first, label %e0, label %fail.e0
e0:
  %at.0 = getelementptr i64, ptr %edge, i64 %i0
  %id.0 = load i64, ptr %at.0
  %known.0 = icmp ult i64 %id.0, %m
  br i1 %known.0, label %v0, label %fail.v0
v0:
  %flag.0 = getelementptr i8, ptr %visited, i64 %id.0
  %seen.0 = load i8, ptr %flag.0
  %new.0 = icmp eq i8 %seen.0, 0
  br i1 %new.0, label %b0, label %next
b0:
  %has.0 = icmp ult i64 %id.0, %l
  br i1 %has.0, label %s0, label %fail.s0
s0:
  %to.0 = getelementptr i32, ptr %cost, i64 %id.0
  store atomic i32 7, ptr %to.0 syncscope("device") monotonic, align 4
  br label %next
next:
  %second = icmp ult i64 %i1, %n
  br i1 %second, label %e1, label %fail.e1
e1:
  %at.1 = getelementptr i64, ptr %edge, i64 %i1
  %id.1 = load i64, ptr %at.1
  %known.1 = icmp ult i64 %id.1, %m
  br i1 %known.1, label %v1, label %fail.v1
v1:
  %flag.1 = getelementptr i8, ptr %visited, i64 %id.1
  %seen.1 = load i8, ptr %flag.1
  %new.1 = icmp eq i8 %seen.1, 0
  br i1 %new.1, label %b1, label %after
b1:
  %has.1 = icmp ult i64 %id.1, %l
  br i1 %has.1, label %s1, label %fail.s1
s1:
  %to.1 = getelementptr i32, ptr %cost, i64 %id.1
  store atomic i32 7, ptr %to.1 syncscope("device") monotonic, align 4
  br label %after
after:
  fence seq_cst
  %again = icmp ult i64 %id.1, 1000
  br i1 %again, label %end, label %fail.s1
end:
  ret void
fail.e0:
  call void @panic(i64 %i0, i64 %n)
  unreachable
fail.v0:
  call void @panic(i64 %id.0, i64 %m)
  unreachable
fail.s0:
  call void @panic(i64 %id.0, i64 %l)
  unreachable
fail.e1:
  call void @panic(i64 %i1, i64 %n)
  unreachable
fail.v1:
  call void @panic(i64 %id.1, i64 %m)
  unreachable
fail.s1:
  call void @panic(i64 %id.1, i64 %l)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64, i64) #0

define void @search(i64 %i0, i64 %i1, ptr noalias readonly %edge, i64 "ptyx-slice"="2,8" %n, ptr noalias readonly %visited, i64 "ptyx-slice"="4,1" %m, ptr %cost, i64 "ptyx-slice"="6,4" %l) {
  %1 = icmp ult i64 %i0, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %3 = icmp ult i64 %i1, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %5 = select i1 %2, i1 %4, i1 false
  br i1 %5, label %start2, label %start1

e0:                                               ; preds = %start1
  %id.0 = load i64, ptr %8, align 4
  %known.0 = icmp ult i64 %id.0, %m
  br i1 %known.0, label %v0, label %fail.v0, !ptyx.may_fail !0

v0:                                               ; preds = %e0
  %flag.0 = getelementptr i8, ptr %visited, i64 %id.0
  %seen.0 = load i8, ptr %flag.0, align 1
  %new.0 = icmp eq i8 %seen.0, 0
  br i1 %new.0, label %b0, label %next, !ptyx.may_fail !0

b0:                                               ; preds = %v0
  %has.0 = icmp ult i64 %id.0, %l
  br i1 %has.0, label %s0, label %fail.s0, !ptyx.may_fail !0

s0:                                               ; preds = %b0
  %to.0 = getelementptr i32, ptr %cost, i64 %id.0
  store atomic i32 7, ptr %to.0 syncscope("device") monotonic, align 4
  br label %next, !ptyx.may_fail !0

next:                                             ; preds = %s0, %v0
  %6 = icmp ult i64 %i1, %n
  br i1 %6, label %e1, label %fail.e1, !ptyx.may_fail !0

e1:                                               ; preds = %next
  %id.1 = load i64, ptr %10, align 4
  %known.1 = icmp ult i64 %id.1, %m
  br i1 %known.1, label %v1, label %fail.v1, !ptyx.may_fail !0

v1:                                               ; preds = %e1
  %flag.1 = getelementptr i8, ptr %visited, i64 %id.1
  %seen.1 = load i8, ptr %flag.1, align 1
  %new.1 = icmp eq i8 %seen.1, 0
  br i1 %new.1, label %b1, label %start, !ptyx.may_fail !0

b1:                                               ; preds = %v1
  %has.1 = icmp ult i64 %id.1, %l
  br i1 %has.1, label %s1, label %fail.s1, !ptyx.may_fail !0

s1:                                               ; preds = %b1
  %to.1 = getelementptr i32, ptr %cost, i64 %id.1
  store atomic i32 7, ptr %to.1 syncscope("device") monotonic, align 4
  br label %start, !ptyx.may_fail !0

start:                                            ; preds = %s1, %v1
  br label %end, !ptyx.may_fail !0

end:                                              ; preds = %start12, %start
  ret void

fail.e0:                                          ; preds = %start1
  call void @panic(i64 %i0, i64 %n)
  unreachable

fail.v0:                                          ; preds = %e0
  call void @panic(i64 %id.0, i64 %m)
  unreachable

fail.s0:                                          ; preds = %b0
  call void @panic(i64 %id.0, i64 %l)
  unreachable

fail.e1:                                          ; preds = %next
  call void @panic(i64 %i1, i64 %n)
  unreachable

fail.v1:                                          ; preds = %e1
  call void @panic(i64 %id.1, i64 %m)
  unreachable

fail.s1:                                          ; preds = %b1
  call void @panic(i64 %id.1, i64 %l)
  unreachable

start1:                                           ; preds = %start2, %0
  %7 = icmp ult i64 %i0, %n
  %8 = getelementptr i64, ptr %edge, i64 %i0
  %9 = icmp ult i64 %i1, %n
  %10 = getelementptr i64, ptr %edge, i64 %i1
  %11 = icmp ult i64 %i0, %n
  br i1 %11, label %e0, label %fail.e0, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %12 = icmp ult i64 %i0, %n
  %13 = getelementptr i64, ptr %edge, i64 %i0
  %14 = icmp ult i64 %i1, %n
  %15 = getelementptr i64, ptr %edge, i64 %i1
  %16 = load i64, ptr %13, align 4, !ptyx.is_valid !0
  %17 = icmp ult i64 %16, %m
  %18 = icmp ult i64 %16, %l
  %19 = load i64, ptr %15, align 4, !ptyx.is_valid !0
  %20 = icmp ult i64 %19, %m
  %21 = icmp ult i64 %19, %l
  %22 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %17)
  %23 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %18)
  %24 = select i1 %22, i1 %23, i1 false
  %25 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %20)
  %26 = select i1 %24, i1 %25, i1 false
  %27 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %21)
  %28 = select i1 %26, i1 %27, i1 false
  br i1 %28, label %start3, label %start1

start3:                                           ; preds = %start2
  br label %start4

start4:                                           ; preds = %start3
  %29 = getelementptr i8, ptr %visited, i64 %16
  %30 = load i8, ptr %29, align 1, !ptyx.is_valid !0
  %31 = icmp eq i8 %30, 0
  br i1 %31, label %start5, label %start7

start5:                                           ; preds = %start4
  br label %start6

start6:                                           ; preds = %start5
  %32 = getelementptr i32, ptr %cost, i64 %16
  store atomic i32 7, ptr %32 syncscope("device") monotonic, align 4
  br label %start7

start7:                                           ; preds = %start6, %start4
  br label %start8

start8:                                           ; preds = %start7
  br label %start9

start9:                                           ; preds = %start8
  %33 = getelementptr i8, ptr %visited, i64 %19
  %34 = load i8, ptr %33, align 1, !ptyx.is_valid !0
  %35 = icmp eq i8 %34, 0
  br i1 %35, label %start10, label %start12

start10:                                          ; preds = %start9
  br label %start11

start11:                                          ; preds = %start10
  %36 = getelementptr i32, ptr %cost, i64 %19
  store atomic i32 7, ptr %36 syncscope("device") monotonic, align 4
  br label %start12

start12:                                          ; preds = %start11, %start9
  br label %end
}

define void @of_written(i64 %i0, i64 %i1, ptr %edge, i64 "ptyx-slice"="2,8" %n, ptr noalias readonly %visited, i64 "ptyx-slice"="4,1" %m, ptr %cost, i64 "ptyx-slice"="6,4" %l) {
  %first = icmp ult i64 %i0, %n
  %1 = icmp ult i64 %i1, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %start2, label %start1

e0:                                               ; preds = %start1
  %at.0 = getelementptr i64, ptr %edge, i64 %i0
  %id.0 = load i64, ptr %at.0, align 4
  %known.0 = icmp ult i64 %id.0, %m
  br i1 %known.0, label %v0, label %fail.v0, !ptyx.may_fail !0

v0:                                               ; preds = %e0
  %flag.0 = getelementptr i8, ptr %visited, i64 %id.0
  %seen.0 = load i8, ptr %flag.0, align 1
  %new.0 = icmp eq i8 %seen.0, 0
  br i1 %new.0, label %b0, label %next, !ptyx.may_fail !0

b0:                                               ; preds = %v0
  %has.0 = icmp ult i64 %id.0, %l
  br i1 %has.0, label %s0, label %fail.s0, !ptyx.may_fail !0

s0:                                               ; preds = %b0
  %to.0 = getelementptr i32, ptr %cost, i64 %id.0
  store atomic i32 7, ptr %to.0 syncscope("device") monotonic, align 4
  br label %next, !ptyx.may_fail !0

next:                                             ; preds = %s0, %v0
  %5 = icmp ult i64 %i1, %n
  br i1 %5, label %e1, label %fail.e1, !ptyx.may_fail !0

e1:                                               ; preds = %next
  %at.1 = getelementptr i64, ptr %edge, i64 %i1
  %id.1 = load i64, ptr %at.1, align 4
  %known.1 = icmp ult i64 %id.1, %m
  br i1 %known.1, label %v1, label %fail.v1, !ptyx.may_fail !0

v1:                                               ; preds = %e1
  %flag.1 = getelementptr i8, ptr %visited, i64 %id.1
  %seen.1 = load i8, ptr %flag.1, align 1
  %new.1 = icmp eq i8 %seen.1, 0
  br i1 %new.1, label %b1, label %start, !ptyx.may_fail !0

b1:                                               ; preds = %v1
  %has.1 = icmp ult i64 %id.1, %l
  br i1 %has.1, label %s1, label %fail.s1, !ptyx.may_fail !0

s1:                                               ; preds = %b1
  %to.1 = getelementptr i32, ptr %cost, i64 %id.1
  store atomic i32 7, ptr %to.1 syncscope("device") monotonic, align 4
  br label %start, !ptyx.may_fail !0

start:                                            ; preds = %s1, %v1
  br label %end, !ptyx.may_fail !0

end:                                              ; preds = %start11, %start
  ret void

fail.e0:                                          ; preds = %start1
  call void @panic(i64 %i0, i64 %n)
  unreachable

fail.v0:                                          ; preds = %e0
  call void @panic(i64 %id.0, i64 %m)
  unreachable, !ptyx.may_fail !0

fail.s0:                                          ; preds = %b0
  call void @panic(i64 %id.0, i64 %l)
  unreachable, !ptyx.may_fail !0

fail.e1:                                          ; preds = %next
  call void @panic(i64 %i1, i64 %n)
  unreachable

fail.v1:                                          ; preds = %e1
  call void @panic(i64 %id.1, i64 %m)
  unreachable, !ptyx.may_fail !0

fail.s1:                                          ; preds = %b1
  call void @panic(i64 %id.1, i64 %l)
  unreachable, !ptyx.may_fail !0

start1:                                           ; preds = %0
  %6 = icmp ult i64 %i0, %n
  br i1 %6, label %e0, label %fail.e0, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %7 = getelementptr i64, ptr %edge, i64 %i0
  %8 = load i64, ptr %7, align 4
  %9 = icmp ult i64 %8, %m
  br i1 %9, label %start3, label %start12

start3:                                           ; preds = %start2
  %10 = getelementptr i8, ptr %visited, i64 %8
  %11 = load i8, ptr %10, align 1
  %12 = icmp eq i8 %11, 0
  br i1 %12, label %start4, label %start6

start4:                                           ; preds = %start3
  %13 = icmp ult i64 %8, %l
  br i1 %13, label %start5, label %start13

start5:                                           ; preds = %start4
  %14 = getelementptr i32, ptr %cost, i64 %8
  store atomic i32 7, ptr %14 syncscope("device") monotonic, align 4
  br label %start6

start6:                                           ; preds = %start5, %start3
  br label %start7

start7:                                           ; preds = %start6
  %15 = getelementptr i64, ptr %edge, i64 %i1
  %16 = load i64, ptr %15, align 4
  %17 = icmp ult i64 %16, %m
  br i1 %17, label %start8, label %start14

start8:                                           ; preds = %start7
  %18 = getelementptr i8, ptr %visited, i64 %16
  %19 = load i8, ptr %18, align 1
  %20 = icmp eq i8 %19, 0
  br i1 %20, label %start9, label %start11

start9:                                           ; preds = %start8
  %21 = icmp ult i64 %16, %l
  br i1 %21, label %start10, label %start15

start10:                                          ; preds = %start9
  %22 = getelementptr i32, ptr %cost, i64 %16
  store atomic i32 7, ptr %22 syncscope("device") monotonic, align 4
  br label %start11

start11:                                          ; preds = %start10, %start8
  br label %end

start12:                                          ; preds = %start2
  call void @panic(i64 %8, i64 %m)
  unreachable

start13:                                          ; preds = %start4
  call void @panic(i64 %8, i64 %l)
  unreachable

start14:                                          ; preds = %start7
  call void @panic(i64 %16, i64 %m)
  unreachable

start15:                                          ; preds = %start9
  call void @panic(i64 %16, i64 %l)
  unreachable
}

define void @shared_panic(i64 %i0, i64 %i1, ptr noalias readonly %edge, i64 "ptyx-slice"="2,8" %n, ptr noalias readonly %visited, i64 "ptyx-slice"="4,1" %m, ptr %cost, i64 "ptyx-slice"="6,4" %l) {
  %1 = icmp ult i64 %i0, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %3 = icmp ult i64 %i1, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %5 = select i1 %2, i1 %4, i1 false
  br i1 %5, label %start2, label %start1

e0:                                               ; preds = %start1
  %id.0 = load i64, ptr %13, align 4
  %known.0 = icmp ult i64 %id.0, %m
  br i1 %known.0, label %v0, label %fail.v0, !ptyx.may_fail !0

v0:                                               ; preds = %e0
  %flag.0 = getelementptr i8, ptr %visited, i64 %id.0
  %seen.0 = load i8, ptr %flag.0, align 1
  %new.0 = icmp eq i8 %seen.0, 0
  br i1 %new.0, label %b0, label %next, !ptyx.may_fail !0

b0:                                               ; preds = %v0
  %has.0 = icmp ult i64 %id.0, %l
  br i1 %has.0, label %s0, label %fail.s0, !ptyx.may_fail !0

s0:                                               ; preds = %b0
  %to.0 = getelementptr i32, ptr %cost, i64 %id.0
  store atomic i32 7, ptr %to.0 syncscope("device") monotonic, align 4
  br label %next, !ptyx.may_fail !0

next:                                             ; preds = %s0, %v0
  %6 = icmp ult i64 %i1, %n
  br i1 %6, label %e1, label %fail.e1, !ptyx.may_fail !0

e1:                                               ; preds = %next
  %id.1 = load i64, ptr %15, align 4
  %known.1 = icmp ult i64 %id.1, %m
  br i1 %known.1, label %start, label %fail.v1, !ptyx.may_fail !0

start:                                            ; preds = %e1
  %7 = getelementptr i8, ptr %visited, i64 %id.1
  %8 = load i8, ptr %7, align 1
  %9 = icmp eq i8 %8, 0
  br label %v1, !ptyx.may_fail !0

v1:                                               ; preds = %start9, %start
  %10 = phi i64 [ %id.1, %start ], [ %24, %start9 ]
  %11 = phi i1 [ %9, %start ], [ %37, %start9 ]
  br i1 %11, label %b1, label %after

b1:                                               ; preds = %v1
  %has.1 = icmp ult i64 %10, %l
  br i1 %has.1, label %s1, label %fail.s1

s1:                                               ; preds = %b1
  %to.1 = getelementptr i32, ptr %cost, i64 %10
  store atomic i32 7, ptr %to.1 syncscope("device") monotonic, align 4
  br label %after

after:                                            ; preds = %s1, %v1
  fence seq_cst
  %again = icmp ult i64 %10, 1000
  br i1 %again, label %end, label %fail.s1

end:                                              ; preds = %after
  ret void

fail.e0:                                          ; preds = %start1
  call void @panic(i64 %i0, i64 %n)
  unreachable

fail.v0:                                          ; preds = %e0
  call void @panic(i64 %id.0, i64 %m)
  unreachable

fail.s0:                                          ; preds = %b0
  call void @panic(i64 %id.0, i64 %l)
  unreachable

fail.e1:                                          ; preds = %next
  call void @panic(i64 %i1, i64 %n)
  unreachable

fail.v1:                                          ; preds = %e1
  call void @panic(i64 %id.1, i64 %m)
  unreachable

fail.s1:                                          ; preds = %after, %b1
  call void @panic(i64 %10, i64 %l)
  unreachable

start1:                                           ; preds = %start2, %0
  %12 = icmp ult i64 %i0, %n
  %13 = getelementptr i64, ptr %edge, i64 %i0
  %14 = icmp ult i64 %i1, %n
  %15 = getelementptr i64, ptr %edge, i64 %i1
  %16 = icmp ult i64 %i0, %n
  br i1 %16, label %e0, label %fail.e0, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %17 = icmp ult i64 %i0, %n
  %18 = getelementptr i64, ptr %edge, i64 %i0
  %19 = icmp ult i64 %i1, %n
  %20 = getelementptr i64, ptr %edge, i64 %i1
  %21 = load i64, ptr %18, align 4, !ptyx.is_valid !0
  %22 = icmp ult i64 %21, %m
  %23 = icmp ult i64 %21, %l
  %24 = load i64, ptr %20, align 4, !ptyx.is_valid !0
  %25 = icmp ult i64 %24, %m
  %26 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %22)
  %27 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %23)
  %28 = select i1 %26, i1 %27, i1 false
  %29 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %25)
  %30 = select i1 %28, i1 %29, i1 false
  br i1 %30, label %start3, label %start1

start3:                                           ; preds = %start2
  br label %start4

start4:                                           ; preds = %start3
  %31 = getelementptr i8, ptr %visited, i64 %21
  %32 = load i8, ptr %31, align 1, !ptyx.is_valid !0
  %33 = icmp eq i8 %32, 0
  br i1 %33, label %start5, label %start7

start5:                                           ; preds = %start4
  br label %start6

start6:                                           ; preds = %start5
  %34 = getelementptr i32, ptr %cost, i64 %21
  store atomic i32 7, ptr %34 syncscope("device") monotonic, align 4
  br label %start7

start7:                                           ; preds = %start6, %start4
  br label %start8

start8:                                           ; preds = %start7
  br label %start9

start9:                                           ; preds = %start8
  %35 = getelementptr i8, ptr %visited, i64 %24
  %36 = load i8, ptr %35, align 1, !ptyx.is_valid !0
  %37 = icmp eq i8 %36, 0
  br label %v1
}

attributes #0 = { noreturn }

!0 = !{}
