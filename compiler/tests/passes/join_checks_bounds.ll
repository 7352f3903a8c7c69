; run: make_checks_ahead, join_checks
; Checks of indices: in 32 bits if several indices that come from 32 bits are compared with one length, with a limit that
; is calculated where the function begins; those between the lowest and the highest are left out, if the launch says that
; the length is one. Loads wait for their own check, if it alone makes them valid, and for the loads before it. A
; division is no reason to stop.

declare void @panic(i64, i64) noreturn

; With their sign, as from `i32`: below the length, but at most 2^31.
define void @signed(i32 %i, i32 %j, i64 "ptyx-slice"="3,4" %n, ptr %p) {
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  br i1 %first, label %more, label %fail.a
more:
  %b = sext i32 %j to i64
  %second = icmp ult i64 %b, %n
  br i1 %second, label %done, label %fail.b
done:
  %at = getelementptr i32, ptr %p, i64 %b
  store i32 1, ptr %at
  ret void
fail.a:
  call void @panic(i64 %a, i64 %n)
  unreachable
fail.b:
  call void @panic(i64 %b, i64 %n)
  unreachable
}

; The same with a number that may be larger than any length: a negative index may be below it.
define void @signed_below_a_number(i32 %i, i32 %j, i64 %n) {
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  br i1 %first, label %more, label %fail.a
more:
  %b = sext i32 %j to i64
  %second = icmp ult i64 %b, %n
  br i1 %second, label %done, label %fail.b
done:
  ret void
fail.a:
  call void @panic(i64 %a, i64 %n)
  unreachable
fail.b:
  call void @panic(i64 %b, i64 %n)
  unreachable
}

; With zeros, as from `u32`: up to the last index, if there is any.
define void @unsigned(i32 %i, i32 %j, i64 %n) {
  %a = zext i32 %i to i64
  %first = icmp uge i64 %a, %n
  br i1 %first, label %fail.a, label %more
more:
  %b = zext i32 %j to i64
  %second = icmp ugt i64 %n, %b
  br i1 %second, label %done, label %fail.b
done:
  ret void
fail.a:
  call void @panic(i64 %a, i64 %n)
  unreachable
fail.b:
  call void @panic(i64 %b, i64 %n)
  unreachable
}

; Once: a limit would not pay.
define void @once(i32 %i, i64 %n) {
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  br i1 %first, label %done, label %fail
done:
  ret void
fail:
  call void @panic(i64 %a, i64 %n)
  unreachable
}

; `i - 1`, `i`, `i + 1`: the first and the last are enough.
define void @neighbours(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %low = add i64 %i, -1
  %first = icmp ult i64 %low, %n
  br i1 %first, label %middle, label %fail.low
middle:
  %second = icmp ult i64 %i, %n
  br i1 %second, label %high, label %fail.i
high:
  %end = add i64 %i, 1
  %third = icmp ult i64 %end, %n
  br i1 %third, label %done, label %fail.end
done:
  ret void
fail.low:
  call void @panic(i64 %low, i64 %n)
  unreachable
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.end:
  call void @panic(i64 %end, i64 %n)
  unreachable
}

; The same with a number that may be as large as a number can be.
define void @of_any_length(i64 %i, i64 %n) {
  %low = add i64 %i, -1
  %first = icmp ult i64 %low, %n
  br i1 %first, label %middle, label %fail.low
middle:
  %second = icmp ult i64 %i, %n
  br i1 %second, label %high, label %fail.i
high:
  %end = add i64 %i, 1
  %third = icmp ult i64 %end, %n
  br i1 %third, label %done, label %fail.end
done:
  ret void
fail.low:
  call void @panic(i64 %low, i64 %n)
  unreachable
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.end:
  call void @panic(i64 %end, i64 %n)
  unreachable
}

; Each load waits for its own check, and the last one also for the load that says where it is.
define i32 @gather(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr %q, i64 "ptyx-slice"="4,4" %m) {
  %at.i = getelementptr i32, ptr %p, i64 %i
  %first = icmp ult i64 %i, %n
  br i1 %first, label %one, label %fail.i
one:
  %k = load i32, ptr %at.i
  %index = zext i32 %k to i64
  %second = icmp ult i64 %index, %m
  br i1 %second, label %two, label %fail.index
two:
  %at.index = getelementptr i32, ptr %q, i64 %index
  %x = load i32, ptr %at.index
  %third = icmp ult i64 %j, %n
  br i1 %third, label %three, label %fail.j
three:
  %at.j = getelementptr i32, ptr %p, i64 %j
  %l = load i32, ptr %at.j
  %other = zext i32 %l to i64
  %fourth = icmp ult i64 %other, %m
  br i1 %fourth, label %four, label %fail.other
four:
  %at.other = getelementptr i32, ptr %q, i64 %other
  %y = load i32, ptr %at.other
  %sum = add i32 %x, %y
  ret i32 %sum
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.index:
  call void @panic(i64 %index, i64 %m)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
fail.other:
  call void @panic(i64 %other, i64 %m)
  unreachable
}

; The quotient of 32 bits is what the machine makes of it, if the divisor is zero.
define void @quotient(i32 %i, i32 %by, i64 %n) {
  %zero = icmp eq i32 %by, 0
  br i1 %zero, label %fail.zero, label %more
more:
  %row = udiv i32 %i, %by
  %index = zext i32 %row to i64
  %in = icmp ult i64 %index, %n
  br i1 %in, label %done, label %fail
done:
  ret void
fail.zero:
  call void @panic(i64 0, i64 0)
  unreachable
fail:
  call void @panic(i64 %index, i64 %n)
  unreachable
}

; The launch passes the limit: one check is enough reason to compare with it.
define void @given(i32 %i, i64 "ptyx-slice"="2,4" %n, ptr %p, i32 "ptyx-limit"="1,positive" %limit, i32 "ptyx-limit"="1,last" %last) {
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  br i1 %first, label %done, label %fail
done:
  ret void
fail:
  call void @panic(i64 %a, i64 %n)
  unreachable
}

; And two checks of indices without a sign, since whether there is a last index takes instructions, too.
define void @given_last(i32 %i, i32 %j, i64 %n, i32 "ptyx-limit"="2,positive" %limit, i32 "ptyx-limit"="2,last" %last) {
  %a = zext i32 %i to i64
  %first = icmp ult i64 %a, %n
  br i1 %first, label %more, label %fail.a
more:
  %b = zext i32 %j to i64
  %second = icmp ult i64 %b, %n
  br i1 %second, label %done, label %fail.b
done:
  ret void
fail.a:
  call void @panic(i64 %a, i64 %n)
  unreachable
fail.b:
  call void @panic(i64 %b, i64 %n)
  unreachable
}

; An index that is not negative is below any number if it is below the limit, not only below a length.
define void @given_below_a_number(i16 %i, i64 %n, i32 "ptyx-limit"="1,positive" %limit) {
  %a = zext i16 %i to i64
  %first = icmp ult i64 %a, %n
  br i1 %first, label %done, label %fail
done:
  ret void
fail:
  call void @panic(i64 %a, i64 %n)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64, i64) #0

define void @signed(i32 %i, i32 %j, i64 "ptyx-slice"="3,4" %n, ptr %p) {
  %1 = trunc i64 %n to i32
  %2 = icmp ult i64 %n, 2147483648
  %3 = select i1 %2, i32 %1, i32 -2147483648
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  %4 = sext i32 %j to i64
  %5 = icmp ult i64 %4, %n
  %6 = icmp ult i32 %i, %3
  %7 = icmp ult i32 %j, %3
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %6)
  %9 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %7)
  %10 = select i1 %8, i1 %9, i1 false
  br i1 %10, label %more, label %start

more:                                             ; preds = %0
  br label %done

done:                                             ; preds = %more
  %at = getelementptr i32, ptr %p, i64 %4
  store i32 1, ptr %at, align 4
  ret void

fail.a:                                           ; preds = %start
  %11 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %12 = sext i32 %11 to i64
  call void @panic(i64 %12, i64 %n)
  unreachable

fail.b:                                           ; preds = %start
  %13 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %j)
  %14 = sext i32 %13 to i64
  call void @panic(i64 %14, i64 %n)
  unreachable

start:                                            ; preds = %0
  %15 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %16 = sext i32 %15 to i64
  %17 = icmp ult i64 %16, %n
  br i1 %17, label %fail.b, label %fail.a
}

define void @signed_below_a_number(i32 %i, i32 %j, i64 %n) {
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  %1 = sext i32 %j to i64
  %2 = icmp ult i64 %1, %n
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %5 = select i1 %3, i1 %4, i1 false
  br i1 %5, label %more, label %start

more:                                             ; preds = %0
  br label %done

done:                                             ; preds = %more
  ret void

fail.a:                                           ; preds = %start
  call void @panic(i64 %a, i64 %n)
  unreachable

fail.b:                                           ; preds = %start
  call void @panic(i64 %1, i64 %n)
  unreachable

start:                                            ; preds = %0
  %6 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %7 = sext i32 %6 to i64
  %8 = icmp ult i64 %7, %n
  br i1 %8, label %fail.b, label %fail.a
}

define void @unsigned(i32 %i, i32 %j, i64 %n) {
  %a = zext i32 %i to i64
  %first = icmp uge i64 %a, %n
  %1 = zext i32 %j to i64
  %2 = icmp ugt i64 %n, %1
  %3 = xor i1 %first, true
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %6 = select i1 %4, i1 %5, i1 false
  %7 = xor i1 %6, true
  br i1 %7, label %start, label %more

more:                                             ; preds = %0
  br label %done

done:                                             ; preds = %more
  ret void

fail.a:                                           ; preds = %start
  call void @panic(i64 %a, i64 %n)
  unreachable

fail.b:                                           ; preds = %start
  call void @panic(i64 %1, i64 %n)
  unreachable

start:                                            ; preds = %0
  %8 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %9 = zext i32 %8 to i64
  %10 = icmp uge i64 %9, %n
  br i1 %10, label %fail.a, label %fail.b
}

define void @once(i32 %i, i64 %n) {
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  br i1 %first, label %done, label %fail

done:                                             ; preds = %0
  ret void

fail:                                             ; preds = %0
  call void @panic(i64 %a, i64 %n)
  unreachable
}

define void @neighbours(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %low = add i64 %i, -1
  %first = icmp ult i64 %low, %n
  %1 = icmp ult i64 %i, %n
  %2 = add i64 %i, 1
  %3 = icmp ult i64 %2, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %6 = select i1 %4, i1 %5, i1 false
  br i1 %6, label %middle, label %start1

middle:                                           ; preds = %0
  br label %high

high:                                             ; preds = %middle
  br label %done

done:                                             ; preds = %high
  ret void

fail.low:                                         ; preds = %start1
  call void @panic(i64 %low, i64 %n)
  unreachable

fail.i:                                           ; preds = %start
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.end:                                         ; preds = %start
  call void @panic(i64 %2, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %7 = icmp ult i64 %i, %n
  br i1 %7, label %fail.end, label %fail.i

start1:                                           ; preds = %0
  %8 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %low)
  %9 = icmp ult i64 %8, %n
  br i1 %9, label %start, label %fail.low
}

define void @of_any_length(i64 %i, i64 %n) {
  %low = add i64 %i, -1
  %first = icmp ult i64 %low, %n
  %1 = icmp ult i64 %i, %n
  %2 = add i64 %i, 1
  %3 = icmp ult i64 %2, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %6 = select i1 %4, i1 %5, i1 false
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %8 = select i1 %6, i1 %7, i1 false
  br i1 %8, label %middle, label %start1

middle:                                           ; preds = %0
  br label %high

high:                                             ; preds = %middle
  br label %done

done:                                             ; preds = %high
  ret void

fail.low:                                         ; preds = %start1
  call void @panic(i64 %low, i64 %n)
  unreachable

fail.i:                                           ; preds = %start
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.end:                                         ; preds = %start
  call void @panic(i64 %2, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %9 = icmp ult i64 %i, %n
  br i1 %9, label %fail.end, label %fail.i

start1:                                           ; preds = %0
  %10 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %low)
  %11 = icmp ult i64 %10, %n
  br i1 %11, label %start, label %fail.low
}

define i32 @gather(i64 %i, i64 %j, ptr %p, i64 "ptyx-slice"="2,4" %n, ptr %q, i64 "ptyx-slice"="4,4" %m) {
  %at.i = getelementptr i32, ptr %p, i64 %i
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %j, %n
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %4 = select i1 %2, i1 %3, i1 false
  br i1 %4, label %start2, label %start1

one:                                              ; preds = %start1
  %k = load i32, ptr %at.i, align 4
  %index = zext i32 %k to i64
  %second = icmp ult i64 %index, %m
  br i1 %second, label %two, label %fail.index, !ptyx.may_fail !0

two:                                              ; preds = %one
  %at.index = getelementptr i32, ptr %q, i64 %index
  %x = load i32, ptr %at.index, align 4
  %5 = icmp ult i64 %j, %n
  br i1 %5, label %three, label %fail.j, !ptyx.may_fail !0

three:                                            ; preds = %two
  %at.j = getelementptr i32, ptr %p, i64 %j
  %l = load i32, ptr %at.j, align 4
  %other = zext i32 %l to i64
  %fourth = icmp ult i64 %other, %m
  br i1 %fourth, label %start, label %fail.other, !ptyx.may_fail !0

start:                                            ; preds = %three
  %6 = getelementptr i32, ptr %q, i64 %other
  %7 = load i32, ptr %6, align 4
  %8 = add i32 %x, %7
  br label %four, !ptyx.may_fail !0

four:                                             ; preds = %start5, %start
  %9 = phi i32 [ %8, %start ], [ %22, %start5 ]
  ret i32 %9

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.index:                                       ; preds = %one
  call void @panic(i64 %index, i64 %m)
  unreachable, !ptyx.may_fail !0

fail.j:                                           ; preds = %two
  call void @panic(i64 %j, i64 %n)
  unreachable

fail.other:                                       ; preds = %three
  call void @panic(i64 %other, i64 %m)
  unreachable, !ptyx.may_fail !0

start1:                                           ; preds = %0
  %10 = icmp ult i64 %i, %n
  br i1 %10, label %one, label %fail.i, !ptyx.may_fail !0

start2:                                           ; preds = %0
  %11 = load i32, ptr %at.i, align 4
  %12 = zext i32 %11 to i64
  %13 = icmp ult i64 %12, %m
  br i1 %13, label %start3, label %start6

start3:                                           ; preds = %start2
  %14 = getelementptr i32, ptr %q, i64 %12
  %15 = load i32, ptr %14, align 4
  br label %start4

start4:                                           ; preds = %start3
  %16 = getelementptr i32, ptr %p, i64 %j
  %17 = load i32, ptr %16, align 4
  %18 = zext i32 %17 to i64
  %19 = icmp ult i64 %18, %m
  br i1 %19, label %start5, label %start7

start5:                                           ; preds = %start4
  %20 = getelementptr i32, ptr %q, i64 %18
  %21 = load i32, ptr %20, align 4
  %22 = add i32 %15, %21
  br label %four

start6:                                           ; preds = %start2
  call void @panic(i64 %12, i64 %m)
  unreachable

start7:                                           ; preds = %start4
  call void @panic(i64 %18, i64 %m)
  unreachable
}

define void @quotient(i32 %i, i32 %by, i64 %n) {
  %zero = icmp eq i32 %by, 0
  %1 = call i32 asm "div.u32 $0, $1, $2;", "=r,r,r"(i32 %i, i32 %by) #1
  %2 = zext i32 %1 to i64
  %3 = icmp ult i64 %2, %n
  %4 = icmp ne i32 %by, 0
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %7 = select i1 %5, i1 %6, i1 false
  %8 = xor i1 %7, true
  br i1 %8, label %start, label %more

more:                                             ; preds = %0
  br label %done

done:                                             ; preds = %more
  ret void

fail.zero:                                        ; preds = %start
  call void @panic(i64 0, i64 0)
  unreachable

fail:                                             ; preds = %start
  call void @panic(i64 %2, i64 %n)
  unreachable

start:                                            ; preds = %0
  %9 = icmp eq i32 %by, 0
  br i1 %9, label %fail.zero, label %fail
}

define void @given(i32 %i, i64 "ptyx-slice"="2,4" %n, ptr %p, i32 "ptyx-limit"="1,positive" %limit, i32 "ptyx-limit"="1,last" %last) {
  %a = sext i32 %i to i64
  %first = icmp ult i64 %a, %n
  %1 = icmp ult i32 %i, %limit
  %2 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  br i1 %2, label %done, label %fail

done:                                             ; preds = %0
  ret void

fail:                                             ; preds = %0
  %3 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %4 = sext i32 %3 to i64
  call void @panic(i64 %4, i64 %n)
  unreachable
}

define void @given_last(i32 %i, i32 %j, i64 %n, i32 "ptyx-limit"="2,positive" %limit, i32 "ptyx-limit"="2,last" %last) {
  %1 = icmp ne i64 %n, 0
  %a = zext i32 %i to i64
  %first = icmp ult i64 %a, %n
  %2 = zext i32 %j to i64
  %3 = icmp ult i64 %2, %n
  %4 = icmp ule i32 %i, %last
  %5 = icmp ule i32 %j, %last
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %8 = select i1 %6, i1 %7, i1 false
  %9 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %10 = select i1 %8, i1 %9, i1 false
  br i1 %10, label %more, label %start

more:                                             ; preds = %0
  br label %done

done:                                             ; preds = %more
  ret void

fail.a:                                           ; preds = %start
  %11 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %12 = zext i32 %11 to i64
  call void @panic(i64 %12, i64 %n)
  unreachable

fail.b:                                           ; preds = %start
  %13 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %j)
  %14 = zext i32 %13 to i64
  call void @panic(i64 %14, i64 %n)
  unreachable

start:                                            ; preds = %0
  %15 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %16 = zext i32 %15 to i64
  %17 = icmp ult i64 %16, %n
  br i1 %17, label %fail.b, label %fail.a
}

define void @given_below_a_number(i16 %i, i64 %n, i32 "ptyx-limit"="1,positive" %limit) {
  %a = zext i16 %i to i64
  %first = icmp ult i64 %a, %n
  %1 = trunc i64 %a to i32
  %2 = icmp ult i32 %1, %limit
  %3 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  br i1 %3, label %done, label %fail

done:                                             ; preds = %0
  ret void

fail:                                             ; preds = %0
  call void @panic(i64 %a, i64 %n)
  unreachable
}

attributes #0 = { noreturn }
attributes #1 = { nounwind willreturn memory(none) }

!0 = !{}
