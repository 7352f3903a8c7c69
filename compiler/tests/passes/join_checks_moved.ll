; run: make_checks_ahead, join_checks
; Values that move while checks are joined.

declare void @panic(i64, i64) noreturn

; The check of the sum came after another one, and the sum can't wrap around only if that has passed. A load that waits for
; its own check alone must not rely on it.
define i32 @flags(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr %q, i64 "ptyx-slice"="4,4" %m) {
  %at.i = getelementptr i32, ptr %p, i64 %i
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %k = load i32, ptr %at.i
  %over = icmp eq i32 %k, -1
  br i1 %over, label %fail.over, label %two
two:
  %next = add nuw i32 %k, 1
  %x = zext i32 %next to i64
  %third = icmp ult i64 %x, %m
  br i1 %third, label %three, label %fail.x
three:
  %at.x = getelementptr inbounds i32, ptr %q, i64 %x
  %v = load i32, ptr %at.x
  %fourth = icmp ult i32 %v, 100
  br i1 %fourth, label %four, label %fail.v
four:
  ret i32 %v
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.over:
  call void @panic(i64 0, i64 0)
  unreachable
fail.x:
  call void @panic(i64 %x, i64 %m)
  unreachable
fail.v:
  call void @panic(i64 1, i64 1)
  unreachable
}

; The index is a value that only some threads load, and is used before its check.
define i32 @stale(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,1" %n, ptr %q, i64 "ptyx-slice"="4,4" %m, ptr %lut) {
  %at.i = getelementptr i8, ptr %p, i64 %i
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %k = load i8, ptr %at.i
  %x = zext i8 %k to i64
  %at.l = getelementptr i32, ptr %lut, i64 %x
  %w = load i32, ptr %at.l
  %second = icmp ult i64 %x, %m
  br i1 %second, label %two, label %fail.x
two:
  %at.x = getelementptr i32, ptr %q, i64 %x
  %v = load i32, ptr %at.x
  %third = icmp ult i64 %j, %n
  br i1 %third, label %three, label %fail.j
three:
  %at.j = getelementptr i8, ptr %p, i64 %j
  %k2 = load i8, ptr %at.j
  %x2 = zext i8 %k2 to i64
  %at.l2 = getelementptr i32, ptr %lut, i64 %x2
  %w2 = load i32, ptr %at.l2
  %fourth = icmp ult i64 %x2, %m
  br i1 %fourth, label %four, label %fail.x2
four:
  %at.x2 = getelementptr i32, ptr %q, i64 %x2
  %v2 = load i32, ptr %at.x2
  %s1 = add i32 %v, %v2
  %s2 = add i32 %w, %w2
  %s = add i32 %s1, %s2
  ret i32 %s
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.x:
  call void @panic(i64 %x, i64 %m)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
fail.x2:
  call void @panic(i64 %x2, i64 %m)
  unreachable
}

; The index is a phi of one value.
define i64 @phi(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %l = add i64 %i, -1
  %first = icmp ult i64 %l, %n
  br i1 %first, label %one, label %fail
one:
  %x = phi i64 [ %i, %0 ]
  %second = icmp ult i64 %x, %n
  br i1 %second, label %two, label %fail2
two:
  %h = add i64 %i, 1
  %third = icmp ult i64 %h, %n
  br i1 %third, label %three, label %fail3
three:
  ret i64 %x
fail:
  call void @panic(i64 %l, i64 %n)
  unreachable
fail2:
  call void @panic(i64 %x, i64 %n)
  unreachable
fail3:
  call void @panic(i64 %h, i64 %n)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64, i64) #0

define i32 @flags(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr %q, i64 "ptyx-slice"="4,4" %m) {
  %at.i = getelementptr i32, ptr %p, i64 %i
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i

one:                                              ; preds = %0
  %k = load i32, ptr %at.i, align 4
  %over = icmp eq i32 %k, -1
  %1 = xor i1 %over, true
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %3 = add i32 %k, 1
  %4 = zext i32 %3 to i64
  %5 = icmp ult i64 %4, %m
  br label %two

two:                                              ; preds = %one
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %7 = select i1 %2, i1 %6, i1 false
  %8 = getelementptr inbounds i32, ptr %q, i64 %4
  br i1 %6, label %start2, label %three

start2:                                           ; preds = %two
  %9 = load i32, ptr %8, align 4
  br label %three

three:                                            ; preds = %start2, %two
  %10 = phi i32 [ %9, %start2 ], [ undef, %two ]
  %fourth = icmp ult i32 %10, 100
  %11 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %fourth)
  %12 = select i1 %7, i1 %11, i1 false
  br i1 %12, label %four, label %start1

four:                                             ; preds = %three
  ret i32 %10

fail.i:                                           ; preds = %0
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.over:                                        ; preds = %start1
  call void @panic(i64 0, i64 0)
  unreachable

fail.x:                                           ; preds = %start
  call void @panic(i64 %4, i64 %m)
  unreachable

fail.v:                                           ; preds = %start
  call void @panic(i64 1, i64 1)
  unreachable

start:                                            ; preds = %start1
  %13 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %3)
  %14 = zext i32 %13 to i64
  %15 = icmp ult i64 %14, %m
  br i1 %15, label %fail.v, label %fail.x

start1:                                           ; preds = %three
  %16 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %k)
  %17 = icmp eq i32 %16, -1
  br i1 %17, label %fail.over, label %start
}

define i32 @stale(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,1" %n, ptr %q, i64 "ptyx-slice"="4,4" %m, ptr %lut) {
  %1 = trunc i64 %m to i32
  %2 = icmp ult i64 %m, 2147483648
  %3 = select i1 %2, i32 %1, i32 -2147483648
  %at.i = getelementptr i8, ptr %p, i64 %i
  %first = icmp ult i64 %i, %n
  %4 = icmp ult i64 %j, %n
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %7 = select i1 %5, i1 %6, i1 false
  br i1 %7, label %start2, label %start1

one:                                              ; preds = %start1
  %k = load i8, ptr %at.i, align 1
  %x = zext i8 %k to i64
  %at.l = getelementptr i32, ptr %lut, i64 %x
  %w = load i32, ptr %at.l, align 4
  %second = icmp ult i64 %x, %m
  br i1 %second, label %two, label %fail.x, !ptyx.may_fail !0

two:                                              ; preds = %one
  %at.x = getelementptr i32, ptr %q, i64 %x
  %v = load i32, ptr %at.x, align 4
  %8 = icmp ult i64 %j, %n
  br i1 %8, label %three, label %fail.j, !ptyx.may_fail !0

three:                                            ; preds = %two
  %at.j = getelementptr i8, ptr %p, i64 %j
  %k2 = load i8, ptr %at.j, align 1
  %x2 = zext i8 %k2 to i64
  %at.l2 = getelementptr i32, ptr %lut, i64 %x2
  %w2 = load i32, ptr %at.l2, align 4
  %fourth = icmp ult i64 %x2, %m
  br i1 %fourth, label %start, label %fail.x2, !ptyx.may_fail !0

start:                                            ; preds = %three
  %9 = getelementptr i32, ptr %q, i64 %x2
  %10 = load i32, ptr %9, align 4
  %11 = add i32 %v, %10
  %12 = add i32 %w, %w2
  %13 = add i32 %11, %12
  br label %four, !ptyx.may_fail !0

four:                                             ; preds = %start5, %start
  %14 = phi i32 [ %13, %start ], [ %39, %start5 ]
  ret i32 %14

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.x:                                           ; preds = %one
  call void @panic(i64 %x, i64 %m)
  unreachable, !ptyx.may_fail !0

fail.j:                                           ; preds = %two
  call void @panic(i64 %j, i64 %n)
  unreachable

fail.x2:                                          ; preds = %three
  call void @panic(i64 %x2, i64 %m)
  unreachable, !ptyx.may_fail !0

start1:                                           ; preds = %0
  %15 = icmp ult i64 %i, %n
  br i1 %15, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %16 = load i8, ptr %at.i, align 1
  %17 = zext i8 %16 to i64
  %18 = getelementptr i32, ptr %lut, i64 %17
  %19 = load i32, ptr %18, align 4
  %20 = icmp ult i64 %17, %m
  %21 = trunc i64 %17 to i32
  %22 = icmp ult i32 %21, %3
  %23 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %22)
  br i1 %23, label %start3, label %start6

start3:                                           ; preds = %start2
  %24 = getelementptr i32, ptr %q, i64 %17
  %25 = load i32, ptr %24, align 4
  br label %start4

start4:                                           ; preds = %start3
  %26 = getelementptr i8, ptr %p, i64 %j
  %27 = load i8, ptr %26, align 1
  %28 = zext i8 %27 to i64
  %29 = getelementptr i32, ptr %lut, i64 %28
  %30 = load i32, ptr %29, align 4
  %31 = icmp ult i64 %28, %m
  %32 = trunc i64 %28 to i32
  %33 = icmp ult i32 %32, %3
  %34 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %33)
  br i1 %34, label %start5, label %start7

start5:                                           ; preds = %start4
  %35 = getelementptr i32, ptr %q, i64 %28
  %36 = load i32, ptr %35, align 4
  %37 = add i32 %25, %36
  %38 = add i32 %19, %30
  %39 = add i32 %37, %38
  br label %four

start6:                                           ; preds = %start2
  call void @panic(i64 %17, i64 %m)
  unreachable

start7:                                           ; preds = %start4
  call void @panic(i64 %28, i64 %m)
  unreachable
}

define i64 @phi(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %l = add i64 %i, -1
  %first = icmp ult i64 %l, %n
  %1 = add i64 %i, 1
  %2 = icmp ult i64 %1, %n
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %5 = select i1 %3, i1 %4, i1 false
  br i1 %5, label %start2, label %start1

one:                                              ; preds = %start1
  %second = icmp ult i64 %i, %n
  br i1 %second, label %two, label %fail2, !ptyx.may_fail !0

two:                                              ; preds = %one
  %6 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %7 = icmp ult i64 %6, %n
  br i1 %7, label %start, label %fail3, !ptyx.may_fail !0

start:                                            ; preds = %two
  br label %three, !ptyx.may_fail !0

three:                                            ; preds = %start4, %start
  ret i64 %i

fail:                                             ; preds = %start1
  call void @panic(i64 %l, i64 %n)
  unreachable

fail2:                                            ; preds = %one
  call void @panic(i64 %i, i64 %n)
  unreachable, !ptyx.may_fail !0

fail3:                                            ; preds = %two
  call void @panic(i64 %1, i64 %n)
  unreachable

start1:                                           ; preds = %0
  %8 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %l)
  %9 = icmp ult i64 %8, %n
  br i1 %9, label %one, label %fail, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %10 = icmp ult i64 %i, %n
  br i1 %10, label %start3, label %start5

start3:                                           ; preds = %start2
  br label %start4

start4:                                           ; preds = %start3
  br label %three

start5:                                           ; preds = %start2
  call void @panic(i64 %i, i64 %n)
  unreachable
}

attributes #0 = { noreturn }

!0 = !{}
