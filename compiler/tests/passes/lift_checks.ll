; run: make_checks_ahead
; Checks in small branches are made before these branches, if other checks are near, and so ahead of a copy without checks.

declare void @panic(i64, i64) noreturn
declare void @barrier() convergent

; Two elements of a tile. Each is loaded by the threads whose element is inside the matrix. Other threads join them.
define void @tiles(i64 %i, i64 %m, ptr noalias readonly %p, i64 "ptyx-slice"="2,4" %n, ptr %tile) {
  %any = icmp ult i64 %i, 1000
  br i1 %any, label %start, label %four
start:
  %first = icmp slt i64 %i, %m
  br i1 %first, label %one, label %two
one:
  %k = mul nuw i64 %i, 3
  %k.ok = icmp ult i64 %k, %n
  br i1 %k.ok, label %load.one, label %fail.k
load.one:
  %at.one = getelementptr float, ptr %p, i64 %k
  %x = load float, ptr %at.one
  store float %x, ptr %tile
  br label %two
two:
  %j = add nuw i64 %i, 8
  %second = icmp sge i64 %j, %m
  br i1 %second, label %four, label %three
three:
  %j.ok = icmp ult i64 %j, %n
  br i1 %j.ok, label %load.two, label %fail.j
load.two:
  %at.two = getelementptr float, ptr %p, i64 %j
  %y = load float, ptr %at.two
  store float %y, ptr %tile
  br label %four
four:
  %v = phi i64 [ 1, %0 ], [ %j, %two ], [ 7, %load.two ]
  store i64 %v, ptr %tile
  ret void
fail.k:
  call void @panic(i64 %k, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; One check alone stays where it is.
define void @alone(i64 %i, i64 %m, ptr noalias readonly %p, i64 "ptyx-slice"="2,4" %n, ptr %tile) {
  %first = icmp slt i64 %i, %m
  br i1 %first, label %one, label %two
one:
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %load.one, label %fail
load.one:
  %at.one = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.one
  store float %x, ptr %tile
  br label %two
two:
  ret void
fail:
  call void @panic(i64 %i, i64 %n)
  unreachable
}

; A thread whose second check fails has stored before it; and threads meet at a barrier before the next branch.
define void @kept(i64 %i, i64 %m, ptr noalias readonly %p, i64 "ptyx-slice"="2,4" %n, ptr %tile) {
  %ok.a = icmp ult i64 %i, %n
  br i1 %ok.a, label %start, label %fail.a
start:
  %first = icmp slt i64 %i, %m
  br i1 %first, label %one, label %two
one:
  store float 1.0, ptr %tile
  %k = mul nuw i64 %i, 3
  %ok.b = icmp ult i64 %k, %n
  br i1 %ok.b, label %load.one, label %fail.b
load.one:
  %at.one = getelementptr float, ptr %p, i64 %k
  %x = load float, ptr %at.one
  store float %x, ptr %tile
  br label %two
two:
  call void @barrier()
  %second = icmp slt i64 %i, 7
  br i1 %second, label %three, label %four
three:
  %j = add nuw i64 %i, 8
  %ok.c = icmp ult i64 %j, %n
  br i1 %ok.c, label %load.two, label %fail.c
load.two:
  %at.two = getelementptr float, ptr %p, i64 %j
  %y = load float, ptr %at.two
  store float %y, ptr %tile
  br label %four
four:
  ret void
fail.a:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.b:
  call void @panic(i64 %k, i64 %n)
  unreachable
fail.c:
  call void @panic(i64 %j, i64 %n)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64, i64) #0

; Function Attrs: convergent
declare void @barrier() #1

define void @tiles(i64 %i, i64 %m, ptr noalias readonly %p, i64 "ptyx-slice"="2,4" %n, ptr %tile) {
  %any = icmp ult i64 %i, 1000
  br i1 %any, label %start1, label %four

start1:                                           ; preds = %0
  %1 = icmp slt i64 %i, %m
  %2 = mul i64 %i, 3
  %3 = icmp ult i64 %2, %n
  %4 = select i1 %1, i1 %3, i1 true
  %5 = add i64 %i, 8
  %6 = icmp sge i64 %5, %m
  %7 = icmp ult i64 %5, %n
  %8 = select i1 %6, i1 true, i1 %7
  %9 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %10 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %8)
  %11 = select i1 %9, i1 %10, i1 false
  br i1 %11, label %start6, label %start5

start:                                            ; preds = %start5
  br i1 %1, label %one, label %start3, !ptyx.may_fail !0

one:                                              ; preds = %start
  br label %load.one, !ptyx.may_fail !0

load.one:                                         ; preds = %one
  %at.one = getelementptr float, ptr %p, i64 %2
  %x = load float, ptr %at.one, align 4
  store float %x, ptr %tile, align 4
  br label %start3, !ptyx.may_fail !0

start3:                                           ; preds = %load.one, %start
  br i1 %8, label %two, label %fail.j, !ptyx.may_fail !0

two:                                              ; preds = %start3
  br i1 %6, label %start4, label %three, !ptyx.may_fail !0

three:                                            ; preds = %two
  br label %load.two, !ptyx.may_fail !0

load.two:                                         ; preds = %three
  %at.two = getelementptr float, ptr %p, i64 %5
  %y = load float, ptr %at.two, align 4
  store float %y, ptr %tile, align 4
  br label %start4, !ptyx.may_fail !0

start4:                                           ; preds = %load.two, %two
  %12 = phi i64 [ %5, %two ], [ 7, %load.two ]
  br label %start2, !ptyx.may_fail !0

start2:                                           ; preds = %start13, %start4
  %13 = phi i64 [ %12, %start4 ], [ %19, %start13 ]
  br label %four

four:                                             ; preds = %start2, %0
  %14 = phi i64 [ 1, %0 ], [ %13, %start2 ]
  store i64 %14, ptr %tile, align 4
  ret void

fail.k:                                           ; preds = %start5
  call void @panic(i64 %2, i64 %n)
  unreachable

fail.j:                                           ; preds = %start3
  call void @panic(i64 %5, i64 %n)
  unreachable

start5:                                           ; preds = %start1
  br i1 %4, label %start, label %fail.k, !ptyx.may_fail !0

start6:                                           ; preds = %start1
  br i1 %1, label %start7, label %start9

start7:                                           ; preds = %start6
  br label %start8

start8:                                           ; preds = %start7
  %15 = getelementptr float, ptr %p, i64 %2
  %16 = load float, ptr %15, align 4
  store float %16, ptr %tile, align 4
  br label %start9

start9:                                           ; preds = %start8, %start6
  br label %start10

start10:                                          ; preds = %start9
  br i1 %6, label %start13, label %start11

start11:                                          ; preds = %start10
  br label %start12

start12:                                          ; preds = %start11
  %17 = getelementptr float, ptr %p, i64 %5
  %18 = load float, ptr %17, align 4
  store float %18, ptr %tile, align 4
  br label %start13

start13:                                          ; preds = %start12, %start10
  %19 = phi i64 [ %5, %start10 ], [ 7, %start12 ]
  br label %start2
}

define void @alone(i64 %i, i64 %m, ptr noalias readonly %p, i64 "ptyx-slice"="2,4" %n, ptr %tile) {
  %first = icmp slt i64 %i, %m
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  %ok = icmp ult i64 %i, %n
  br i1 %ok, label %load.one, label %fail

load.one:                                         ; preds = %one
  %at.one = getelementptr float, ptr %p, i64 %i
  %x = load float, ptr %at.one, align 4
  store float %x, ptr %tile, align 4
  br label %two

two:                                              ; preds = %load.one, %0
  ret void

fail:                                             ; preds = %one
  call void @panic(i64 %i, i64 %n)
  unreachable
}

define void @kept(i64 %i, i64 %m, ptr noalias readonly %p, i64 "ptyx-slice"="2,4" %n, ptr %tile) {
  %ok.a = icmp ult i64 %i, %n
  br i1 %ok.a, label %start, label %fail.a

start:                                            ; preds = %0
  %first = icmp slt i64 %i, %m
  br i1 %first, label %one, label %two

one:                                              ; preds = %start
  store float 1.000000e+00, ptr %tile, align 4
  %k = mul nuw i64 %i, 3
  %ok.b = icmp ult i64 %k, %n
  br i1 %ok.b, label %load.one, label %fail.b

load.one:                                         ; preds = %one
  %at.one = getelementptr float, ptr %p, i64 %k
  %x = load float, ptr %at.one, align 4
  store float %x, ptr %tile, align 4
  br label %two

two:                                              ; preds = %load.one, %start
  call void @barrier()
  %second = icmp slt i64 %i, 7
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %j = add nuw i64 %i, 8
  %ok.c = icmp ult i64 %j, %n
  br i1 %ok.c, label %load.two, label %fail.c

load.two:                                         ; preds = %three
  %at.two = getelementptr float, ptr %p, i64 %j
  %y = load float, ptr %at.two, align 4
  store float %y, ptr %tile, align 4
  br label %four

four:                                             ; preds = %load.two, %two
  ret void

fail.a:                                           ; preds = %0
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.b:                                           ; preds = %one
  call void @panic(i64 %k, i64 %n)
  unreachable

fail.c:                                           ; preds = %three
  call void @panic(i64 %j, i64 %n)
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { convergent }

!0 = !{}
