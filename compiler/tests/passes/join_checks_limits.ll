; run: make_checks_ahead, join_checks
; One comparison is enough for one value and several constants, and for all divisions by one parameter.

declare void @panic(i64) noreturn
declare void @overflow() noreturn
declare void @zero() noreturn

; The second check is that of index `i + 9`: `i` is not 151, since it is below 152.
define i32 @constants(i32 %i, i32 %j, ptr %p) {
  %first = icmp ult i32 %i, 152
  br i1 %first, label %one, label %fail.a
one:
  %second = icmp eq i32 %i, 151
  br i1 %second, label %fail.b, label %two
two:
  %third = icmp ult i32 %j, 8
  br i1 %third, label %three, label %fail.c
three:
  %fourth = icmp ugt i32 %i, 149
  br i1 %fourth, label %fail.d, label %four
four:
  %x = load i32, ptr %p
  ret i32 %x
fail.a:
  call void @panic(i64 0)
  unreachable
fail.b:
  call void @panic(i64 1)
  unreachable
fail.c:
  call void @panic(i64 2)
  unreachable
fail.d:
  call void @panic(i64 3)
  unreachable
}

; A number inside the range stays, and so does a limit that no number is below: `i <= u32::MAX`.
define i32 @apart(i32 %i, ptr %p) {
  %first = icmp ult i32 %i, 152
  br i1 %first, label %one, label %fail.a
one:
  %second = icmp eq i32 %i, 100
  br i1 %second, label %fail.b, label %two
two:
  %third = icmp ule i32 %i, -1
  br i1 %third, label %three, label %fail.c
three:
  %x = load i32, ptr %p
  ret i32 %x
fail.a:
  call void @panic(i64 0)
  unreachable
fail.b:
  call void @panic(i64 1)
  unreachable
fail.c:
  call void @panic(i64 2)
  unreachable
}

; Three divisions by a parameter: it is neither zero nor minus one. If it is minus one, each check is made.
define i32 @divisions(i32 %x, i32 %y, i32 %by) {
  %is.zero = icmp eq i32 %by, 0
  br i1 %is.zero, label %fail.zero, label %one
one:
  %is.minus = icmp eq i32 %by, -1
  %x.least = icmp eq i32 %x, -2147483648
  %x.over = and i1 %is.minus, %x.least
  br i1 %x.over, label %fail.x, label %two
two:
  %a = sdiv i32 %x, %by
  %y.least = icmp eq i32 %y, -2147483648
  %y.over = select i1 %is.minus, i1 %y.least, i1 false
  br i1 %y.over, label %fail.y, label %three
three:
  %b = srem i32 %y, %by
  %sum = add i32 %a, %b
  ret i32 %sum
fail.zero:
  call void @zero()
  unreachable
fail.x:
  call void @overflow()
  unreachable
fail.y:
  call void @overflow()
  unreachable
}

; Not if the divisor was loaded: threads of a warp may have different ones.
define i32 @loaded(i32 %x, ptr %p) {
  %by = load i32, ptr %p
  %is.zero = icmp eq i32 %by, 0
  br i1 %is.zero, label %fail.zero, label %one
one:
  %is.minus = icmp eq i32 %by, -1
  %x.least = icmp eq i32 %x, -2147483648
  %x.over = and i1 %is.minus, %x.least
  br i1 %x.over, label %fail.x, label %two
two:
  %a = sdiv i32 %x, %by
  ret i32 %a
fail.zero:
  call void @zero()
  unreachable
fail.x:
  call void @overflow()
  unreachable
}

; The index of a byte, extended with zeros for its address; not if it may be negative as far as LLVM says (`nuw`), or is a
; sum with a constant, or the elements are larger.
define i8 @byte(i32 %i, ptr %p, i64 "ptyx-slice"="1,1" %n) {
  %index = sext i32 %i to i64
  %first = icmp ult i64 %index, %n
  br i1 %first, label %one, label %fail
one:
  %at = getelementptr inbounds nuw i8, ptr %p, i64 %index
  %x = load i8, ptr %at
  ret i8 %x
fail:
  call void @panic(i64 %index)
  unreachable
}

define i8 @other_bytes(i32 %i, ptr %p, i64 "ptyx-slice"="1,1" %n) {
  %next = add i32 %i, 1
  %index = sext i32 %i to i64
  %index.next = sext i32 %next to i64
  %first = icmp ult i64 %index, %n
  br i1 %first, label %one, label %fail
one:
  %at = getelementptr inbounds i8, ptr %p, i64 %index
  %at.next = getelementptr inbounds nuw i8, ptr %p, i64 %index.next
  %at.word = getelementptr inbounds nuw i16, ptr %p, i64 %index
  %x = load i8, ptr %at
  %y = load i8, ptr %at.next
  %z = load i8, ptr %at.word
  %xy = add i8 %x, %y
  %xyz = add i8 %xy, %z
  ret i8 %xyz
fail:
  call void @panic(i64 %index)
  unreachable
}

; Numbers of 128 bits are compared one by one, and a test of numbers of two widths is no check of a division.
define i64 @limit128(i128 %x, i64 %i) {
  %c = icmp ult i64 %i, 77
  br i1 %c, label %one, label %fail1
one:
  %d = icmp ult i128 %x, 18446744073709551616
  br i1 %d, label %two, label %fail2
two:
  %y = trunc i128 %x to i64
  ret i64 %y
fail1:
  call void @panic(i64 1)
  unreachable
fail2:
  call void @panic(i64 2)
  unreachable
}

define i64 @ne128(i128 %x, i64 %i) {
  %c = icmp ne i128 %x, 18446744073709551619
  br i1 %c, label %one, label %fail1
one:
  %d = icmp ult i128 %x, 36893488147419103232
  br i1 %d, label %two, label %fail2
two:
  %y = trunc i128 %x to i64
  ret i64 %y
fail1:
  call void @panic(i64 1)
  unreachable
fail2:
  call void @panic(i64 2)
  unreachable
}

define i64 @mixed(i32 %n, i64 %d) {
  %z = icmp eq i64 %d, 0
  br i1 %z, label %fail1, label %one
one:
  %a = icmp eq i32 %n, -2147483648
  %b = icmp eq i64 %d, 4294967295
  %o = and i1 %a, %b
  br i1 %o, label %fail2, label %two
two:
  ret i64 %d
fail1:
  call void @panic(i64 1)
  unreachable
fail2:
  call void @panic(i64 2)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64) #0

; Function Attrs: noreturn
declare void @overflow() #0

; Function Attrs: noreturn
declare void @zero() #0

define i32 @constants(i32 %i, i32 %j, ptr %p) {
  %first = icmp ult i32 %i, 152
  %1 = icmp eq i32 %i, 151
  %2 = icmp ult i32 %j, 8
  %3 = icmp ugt i32 %i, 149
  %4 = icmp ult i32 %i, 150
  %5 = icmp ult i32 %j, 8
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %8 = select i1 %6, i1 %7, i1 false
  br i1 %8, label %one, label %start2

one:                                              ; preds = %0
  br label %two

two:                                              ; preds = %one
  br label %three

three:                                            ; preds = %two
  br label %four

four:                                             ; preds = %three
  %x = load i32, ptr %p, align 4
  ret i32 %x

fail.a:                                           ; preds = %start2
  call void @panic(i64 0)
  unreachable

fail.b:                                           ; preds = %start1
  call void @panic(i64 1)
  unreachable

fail.c:                                           ; preds = %start
  call void @panic(i64 2)
  unreachable

fail.d:                                           ; preds = %start
  call void @panic(i64 3)
  unreachable

start:                                            ; preds = %start1
  %9 = icmp ult i32 %j, 8
  br i1 %9, label %fail.d, label %fail.c

start1:                                           ; preds = %start2
  %10 = icmp eq i32 %i, 151
  br i1 %10, label %fail.b, label %start

start2:                                           ; preds = %0
  %11 = icmp ult i32 %i, 152
  br i1 %11, label %start1, label %fail.a
}

define i32 @apart(i32 %i, ptr %p) {
  %first = icmp ult i32 %i, 152
  %1 = icmp eq i32 %i, 100
  %2 = icmp ule i32 %i, -1
  %3 = icmp ult i32 %i, 152
  %4 = icmp ne i32 %i, 100
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %7 = select i1 %5, i1 %6, i1 false
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %9 = select i1 %7, i1 %8, i1 false
  br i1 %9, label %one, label %start1

one:                                              ; preds = %0
  br label %two

two:                                              ; preds = %one
  br label %three

three:                                            ; preds = %two
  %x = load i32, ptr %p, align 4
  ret i32 %x

fail.a:                                           ; preds = %start1
  call void @panic(i64 0)
  unreachable

fail.b:                                           ; preds = %start
  call void @panic(i64 1)
  unreachable

fail.c:                                           ; preds = %start
  call void @panic(i64 2)
  unreachable

start:                                            ; preds = %start1
  %10 = icmp eq i32 %i, 100
  br i1 %10, label %fail.b, label %fail.c

start1:                                           ; preds = %0
  %11 = icmp ult i32 %i, 152
  br i1 %11, label %start, label %fail.a
}

define i32 @divisions(i32 %x, i32 %y, i32 %by) {
  %is.zero = icmp eq i32 %by, 0
  %1 = icmp eq i32 %by, -1
  %2 = icmp eq i32 %x, -2147483648
  %3 = and i1 %1, %2
  %4 = icmp eq i32 %y, -2147483648
  %5 = select i1 %1, i1 %4, i1 false
  %6 = add i32 %by, 1
  %7 = icmp ugt i32 %6, 1
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %7)
  %9 = xor i1 %8, true
  br i1 %9, label %start2, label %one

one:                                              ; preds = %start, %0
  br label %two

two:                                              ; preds = %one
  %10 = call i32 asm "div.s32 $0, $1, $2;", "=r,r,r"(i32 %x, i32 %by) #1
  br label %three

three:                                            ; preds = %two
  %b = srem i32 %y, %by
  %sum = add i32 %10, %b
  ret i32 %sum

fail.zero:                                        ; preds = %start2
  call void @zero()
  unreachable

fail.x:                                           ; preds = %start1
  call void @overflow()
  unreachable

fail.y:                                           ; preds = %start
  call void @overflow()
  unreachable

start:                                            ; preds = %start1
  br i1 %5, label %fail.y, label %one

start1:                                           ; preds = %start2
  br i1 %3, label %fail.x, label %start

start2:                                           ; preds = %0
  %11 = icmp eq i32 %by, 0
  br i1 %11, label %fail.zero, label %start1
}

define i32 @loaded(i32 %x, ptr %p) {
  %by = load i32, ptr %p, align 4
  %is.zero = icmp eq i32 %by, 0
  %1 = icmp eq i32 %by, -1
  %2 = icmp eq i32 %x, -2147483648
  %3 = and i1 %1, %2
  %4 = xor i1 %3, true
  %5 = icmp ne i32 %by, 0
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %8 = select i1 %6, i1 %7, i1 false
  %9 = xor i1 %8, true
  br i1 %9, label %start, label %one

one:                                              ; preds = %0
  br label %two

two:                                              ; preds = %one
  %a = sdiv i32 %x, %by
  ret i32 %a

fail.zero:                                        ; preds = %start
  call void @zero()
  unreachable

fail.x:                                           ; preds = %start
  call void @overflow()
  unreachable

start:                                            ; preds = %0
  %10 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %by)
  %11 = icmp eq i32 %10, 0
  br i1 %11, label %fail.zero, label %fail.x
}

define i8 @byte(i32 %i, ptr %p, i64 "ptyx-slice"="1,1" %n) {
  %index = sext i32 %i to i64
  %first = icmp ult i64 %index, %n
  br i1 %first, label %one, label %fail

one:                                              ; preds = %0
  %1 = zext i32 %i to i64
  %at = getelementptr inbounds nuw i8, ptr %p, i64 %1
  %x = load i8, ptr %at, align 1
  ret i8 %x

fail:                                             ; preds = %0
  call void @panic(i64 %index)
  unreachable
}

define i8 @other_bytes(i32 %i, ptr %p, i64 "ptyx-slice"="1,1" %n) {
  %next = add i32 %i, 1
  %index = sext i32 %i to i64
  %index.next = sext i32 %next to i64
  %first = icmp ult i64 %index, %n
  br i1 %first, label %one, label %fail

one:                                              ; preds = %0
  %at = getelementptr inbounds i8, ptr %p, i64 %index
  %at.next = getelementptr inbounds nuw i8, ptr %p, i64 %index.next
  %at.word = getelementptr inbounds nuw i16, ptr %p, i64 %index
  %x = load i8, ptr %at, align 1
  %y = load i8, ptr %at.next, align 1
  %z = load i8, ptr %at.word, align 1
  %xy = add i8 %x, %y
  %xyz = add i8 %xy, %z
  ret i8 %xyz

fail:                                             ; preds = %0
  call void @panic(i64 %index)
  unreachable
}

define i64 @limit128(i128 %x, i64 %i) {
  %c = icmp ult i64 %i, 77
  %1 = icmp ult i128 %x, 18446744073709551616
  %2 = icmp ult i64 %i, 77
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %5 = select i1 %3, i1 %4, i1 false
  br i1 %5, label %one, label %start

one:                                              ; preds = %0
  br label %two

two:                                              ; preds = %one
  %y = trunc i128 %x to i64
  ret i64 %y

fail1:                                            ; preds = %start
  call void @panic(i64 1)
  unreachable

fail2:                                            ; preds = %start
  call void @panic(i64 2)
  unreachable

start:                                            ; preds = %0
  %6 = icmp ult i64 %i, 77
  br i1 %6, label %fail2, label %fail1
}

define i64 @ne128(i128 %x, i64 %i) {
  %c = icmp ne i128 %x, 18446744073709551619
  %1 = icmp ult i128 %x, 36893488147419103232
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %c)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %one, label %start

one:                                              ; preds = %0
  br label %two

two:                                              ; preds = %one
  %y = trunc i128 %x to i64
  ret i64 %y

fail1:                                            ; preds = %start
  call void @panic(i64 1)
  unreachable

fail2:                                            ; preds = %start
  call void @panic(i64 2)
  unreachable

start:                                            ; preds = %0
  %5 = icmp ne i128 %x, 18446744073709551619
  br i1 %5, label %fail2, label %fail1
}

define i64 @mixed(i32 %n, i64 %d) {
  %z = icmp eq i64 %d, 0
  %1 = icmp eq i32 %n, -2147483648
  %2 = icmp eq i64 %d, 4294967295
  %3 = and i1 %1, %2
  %4 = xor i1 %3, true
  %5 = icmp ne i64 %d, 0
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %8 = select i1 %6, i1 %7, i1 false
  %9 = xor i1 %8, true
  br i1 %9, label %start, label %one

one:                                              ; preds = %0
  br label %two

two:                                              ; preds = %one
  ret i64 %d

fail1:                                            ; preds = %start
  call void @panic(i64 1)
  unreachable

fail2:                                            ; preds = %start
  call void @panic(i64 2)
  unreachable

start:                                            ; preds = %0
  %10 = icmp eq i64 %d, 0
  br i1 %10, label %fail1, label %fail2
}

attributes #0 = { noreturn }
attributes #1 = { nounwind willreturn memory(none) }
