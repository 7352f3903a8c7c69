; run: make_checks_ahead, join_checks
; Checks of indices at distances that depend on values: the lowest and the highest are enough where the distance does not
; wrap around. A condition asks for that; where it does not hold, each check is made, and may pass.

declare void @panic(i64, i64) noreturn

; A stencil: `(y - 1) * w + x`, `y * w + x - 1`, `y * w + x + 1`, `(y + 1) * w + x`.
define void @stencil(i64 %x, i64 %y, i32 %width, ptr %p, i64 "ptyx-slice"="3,4" %n) {
  %w = sext i32 %width to i64
  %row = mul i64 %y, %w
  %i = add i64 %row, %x
  %above = add i64 %y, -1
  %before = mul i64 %above, %w
  %north = add i64 %before, %x
  %first = icmp ult i64 %north, %n
  br i1 %first, label %b, label %fail.north
b:
  %west = add i64 %i, -1
  %second = icmp ult i64 %west, %n
  br i1 %second, label %c, label %fail.west
c:
  %east = add nuw nsw i64 %i, 1
  %third = icmp ult i64 %east, %n
  br i1 %third, label %d, label %fail.east
d:
  %south = add nuw i64 %i, %w
  %fourth = icmp ult i64 %south, %n
  br i1 %fourth, label %done, label %fail.south
done:
  %at = getelementptr i32, ptr %p, i64 %east
  store i32 1, ptr %at
  ret void
fail.north:
  call void @panic(i64 %north, i64 %n)
  unreachable
fail.west:
  call void @panic(i64 %west, i64 %n)
  unreachable
fail.east:
  call void @panic(i64 %east, i64 %n)
  unreachable
fail.south:
  call void @panic(i64 %south, i64 %n)
  unreachable
}

; The same in 32 bits without sign: the limit is at most 2^31 then, and the width must be below a power of two.
define void @stencil_in_32_bits(i32 %x, i32 %y, i32 %w, ptr %p, i64 "ptyx-slice"="3,4" %n) {
  %row = mul i32 %y, %w
  %i = add i32 %row, %x
  %before = sub i32 %i, %w
  %north = zext i32 %before to i64
  %first = icmp ult i64 %north, %n
  br i1 %first, label %b, label %fail.north
b:
  %middle = zext i32 %i to i64
  %second = icmp ult i64 %middle, %n
  br i1 %second, label %c, label %fail.middle
c:
  %next = add i32 %i, 1
  %east = zext i32 %next to i64
  %third = icmp ult i64 %east, %n
  br i1 %third, label %d, label %fail.east
d:
  %after = add i32 %i, %w
  %south = zext i32 %after to i64
  %fourth = icmp ult i64 %south, %n
  br i1 %fourth, label %done, label %fail.south
done:
  %at = getelementptr i32, ptr %p, i64 %east
  store i32 1, ptr %at
  ret void
fail.north:
  call void @panic(i64 %north, i64 %n)
  unreachable
fail.middle:
  call void @panic(i64 %middle, i64 %n)
  unreachable
fail.east:
  call void @panic(i64 %east, i64 %n)
  unreachable
fail.south:
  call void @panic(i64 %south, i64 %n)
  unreachable
}

; Three dimensions, with 64-bit sizes: a product of two of them is a distance.
define void @planes(i64 %i, i64 %nx, i64 %ny, ptr %p, i64 "ptyx-slice"="3,4" %n) {
  %plane = mul i64 %nx, %ny
  %low = sub i64 %i, %plane
  %first = icmp ult i64 %low, %n
  br i1 %first, label %b, label %fail.low
b:
  %north = sub i64 %i, %nx
  %second = icmp ult i64 %north, %n
  br i1 %second, label %c, label %fail.north
c:
  %third = icmp ult i64 %i, %n
  br i1 %third, label %d, label %fail.i
d:
  %south = add i64 %i, %nx
  %fourth = icmp ult i64 %south, %n
  br i1 %fourth, label %e, label %fail.south
e:
  %high = add i64 %i, %plane
  %fifth = icmp ult i64 %high, %n
  br i1 %fifth, label %done, label %fail.high
done:
  ret void
fail.low:
  call void @panic(i64 %low, i64 %n)
  unreachable
fail.north:
  call void @panic(i64 %north, i64 %n)
  unreachable
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.south:
  call void @panic(i64 %south, i64 %n)
  unreachable
fail.high:
  call void @panic(i64 %high, i64 %n)
  unreachable
}

; Nothing is saved: the condition takes the place of the one check between the others.
define void @no_gain(i64 %i, i64 %w, i64 "ptyx-slice"="0,4" %n) {
  %low = sub i64 %i, %w
  %first = icmp ult i64 %low, %n
  br i1 %first, label %b, label %fail.low
b:
  %second = icmp ult i64 %i, %n
  br i1 %second, label %c, label %fail.i
c:
  %high = add i64 %i, %w
  %third = icmp ult i64 %high, %n
  br i1 %third, label %done, label %fail.high
done:
  ret void
fail.low:
  call void @panic(i64 %low, i64 %n)
  unreachable
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.high:
  call void @panic(i64 %high, i64 %n)
  unreachable
}

; What comes from memory is no sum of the same values.
define void @unrelated(i64 %i, i64 %j, i64 %k, i64 %l, i64 "ptyx-slice"="0,4" %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %b, label %fail.i
b:
  %second = icmp ult i64 %j, %n
  br i1 %second, label %c, label %fail.j
c:
  %third = icmp ult i64 %k, %n
  br i1 %third, label %d, label %fail.k
d:
  %fourth = icmp ult i64 %l, %n
  br i1 %fourth, label %done, label %fail.l
done:
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.j:
  call void @panic(i64 %j, i64 %n)
  unreachable
fail.k:
  call void @panic(i64 %k, i64 %n)
  unreachable
fail.l:
  call void @panic(i64 %l, i64 %n)
  unreachable
}

; `i | 1` is a sum only because the check before it passed, so it is not seen as one.
define void @a_sum_by_a_check(i64 %i, i64 "ptyx-slice"="0,4" %n) {
  %first = icmp ult i64 %i, %n
  br i1 %first, label %b, label %fail.i
b:
  %high = or disjoint i64 %i, 2
  %second = icmp ult i64 %high, %n
  br i1 %second, label %c, label %fail.high
c:
  %between = add i64 %i, 1
  %third = icmp ult i64 %between, %n
  br i1 %third, label %done, label %fail.between
done:
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.high:
  call void @panic(i64 %high, i64 %n)
  unreachable
fail.between:
  call void @panic(i64 %between, i64 %n)
  unreachable
}

; A length that is known, in 32 bits.
define void @row_of_a_tile(i32 %x, ptr %p) {
  %low = add i32 %x, 8
  %first = icmp ult i32 %low, 160
  br i1 %first, label %b, label %fail.low
b:
  %middle = add i32 %x, 9
  %second = icmp ugt i32 %middle, 159
  br i1 %second, label %fail.middle, label %c
c:
  %high = add i32 %x, 10
  %third = icmp ult i32 %high, 160
  br i1 %third, label %done, label %fail.high
done:
  store i32 1, ptr %p
  ret void
fail.low:
  call void @panic(i64 8, i64 160)
  unreachable
fail.middle:
  call void @panic(i64 9, i64 160)
  unreachable
fail.high:
  call void @panic(i64 10, i64 160)
  unreachable
}

; Nearly all 32-bit numbers are below this length, so the ends say nothing of what is between them.
define void @huge(i32 %x, ptr %p) {
  %low = add i32 %x, 8
  %first = icmp ult i32 %low, -16
  br i1 %first, label %b, label %fail.low
b:
  %middle = add i32 %x, 9
  %second = icmp ult i32 %middle, -16
  br i1 %second, label %c, label %fail.middle
c:
  %high = add i32 %x, 10
  %third = icmp ult i32 %high, -16
  br i1 %third, label %done, label %fail.high
done:
  store i32 1, ptr %p
  ret void
fail.low:
  call void @panic(i64 8, i64 160)
  unreachable
fail.middle:
  call void @panic(i64 9, i64 160)
  unreachable
fail.high:
  call void @panic(i64 10, i64 160)
  unreachable
}

; The smallest `i32`, less one, is positive: widths are at most 2^30.
define void @widths_with_a_sign(i64 %i, i32 %w32, i32 %h32, ptr %p, i64 "ptyx-slice"="3,1" %n) {
  %w = sext i32 %w32 to i64
  %h = sext i32 %h32 to i64
  %wh = mul i64 %w, %h
  %c1 = icmp ult i64 %i, %n
  br i1 %c1, label %b, label %f0
b:
  %i1 = add i64 %i, 1
  %c2 = icmp ult i64 %i1, %n
  br i1 %c2, label %c, label %f1
c:
  %iw = add i64 %i, %w
  %c3 = icmp ult i64 %iw, %n
  br i1 %c3, label %d, label %f2
d:
  %ih = add i64 %i, %h
  %c4 = icmp ult i64 %ih, %n
  br i1 %c4, label %e, label %f3
e:
  %iwh = add i64 %i, %wh
  %c5 = icmp ult i64 %iwh, %n
  br i1 %c5, label %g, label %f4
g:
  %at = getelementptr i8, ptr %p, i64 %i1
  store i8 1, ptr %at
  ret void
f0:
  call void @panic(i64 %i, i64 0)
  unreachable
f1:
  call void @panic(i64 %i1, i64 0)
  unreachable
f2:
  call void @panic(i64 %iw, i64 0)
  unreachable
f3:
  call void @panic(i64 %ih, i64 0)
  unreachable
f4:
  call void @panic(i64 %iwh, i64 0)
  unreachable
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; A distance that is another one in each thread: those that go on would be apart.
define void @by_thread(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d32 = sub i32 0, %tid
  %d = sext i32 %d32 to i64
  %first = icmp ult i64 %i, %n
  br i1 %first, label %b, label %fail.i
b:
  %one = add i64 %i, %d
  %second = icmp ult i64 %one, %n
  br i1 %second, label %c, label %fail.one
c:
  %two = add i64 %one, %d
  %third = icmp ult i64 %two, %n
  br i1 %third, label %e, label %fail.two
e:
  %three = add i64 %two, %d
  %fourth = icmp ult i64 %three, %n
  br i1 %fourth, label %done, label %fail.three
done:
  store i32 1, ptr %p
  ret void
fail.i:
  call void @panic(i64 %i, i64 %n)
  unreachable
fail.one:
  call void @panic(i64 %one, i64 %n)
  unreachable
fail.two:
  call void @panic(i64 %two, i64 %n)
  unreachable
fail.three:
  call void @panic(i64 %three, i64 %n)
  unreachable
}


; What a shift leaves empty, an `or` adds, whatever LLVM promises of it: the first and the last of a row.
define float @row(i32 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %start = shl i32 %i, 2
  %zero = sext i32 %start to i64
  %first = icmp ult i64 %zero, %n
  br i1 %first, label %one, label %fail.0
one:
  %start.1 = or disjoint i32 %start, 1
  %one.wide = sext i32 %start.1 to i64
  %second = icmp ult i64 %one.wide, %n
  br i1 %second, label %two, label %fail.1
two:
  %start.3 = or disjoint i32 %start, 3
  %three.wide = sext i32 %start.3 to i64
  %third = icmp ult i64 %three.wide, %n
  br i1 %third, label %three, label %fail.3
three:
  %x = load float, ptr %p
  ret float %x
fail.0:
  call void @panic(i64 %zero)
  unreachable
fail.1:
  call void @panic(i64 %one.wide)
  unreachable
fail.3:
  call void @panic(i64 %three.wide)
  unreachable
}

; becomes:
; Function Attrs: noreturn
declare void @panic(i64, i64) #0

define void @stencil(i64 %x, i64 %y, i32 %width, ptr %p, i64 "ptyx-slice"="3,4" %n) {
  %w = sext i32 %width to i64
  %row = mul i64 %y, %w
  %i = add i64 %row, %x
  %above = add i64 %y, -1
  %before = mul i64 %above, %w
  %north = add i64 %before, %x
  %first = icmp ult i64 %north, %n
  %1 = add i64 %i, -1
  %2 = icmp ult i64 %1, %n
  %3 = add i64 %i, 1
  %4 = icmp ult i64 %3, %n
  %5 = add i64 %i, %w
  %6 = icmp ult i64 %5, %n
  %7 = add i32 %width, -1
  %8 = icmp ult i32 %7, 1073741824
  %9 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %8)
  %10 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %11 = select i1 %9, i1 %10, i1 false
  %12 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %6)
  %13 = select i1 %11, i1 %12, i1 false
  br i1 %13, label %b, label %start3

b:                                                ; preds = %start, %0
  br label %c

c:                                                ; preds = %b
  br label %d

d:                                                ; preds = %c
  br label %done

done:                                             ; preds = %d
  %at = getelementptr i32, ptr %p, i64 %3
  store i32 1, ptr %at, align 4
  ret void

fail.north:                                       ; preds = %start3
  call void @panic(i64 %north, i64 %n)
  unreachable

fail.west:                                        ; preds = %start2
  call void @panic(i64 %1, i64 %n)
  unreachable

fail.east:                                        ; preds = %start1
  call void @panic(i64 %3, i64 %n)
  unreachable

fail.south:                                       ; preds = %start
  call void @panic(i64 %5, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %14 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %5)
  %15 = icmp ult i64 %14, %n
  br i1 %15, label %b, label %fail.south

start1:                                           ; preds = %start2
  %16 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %3)
  %17 = icmp ult i64 %16, %n
  br i1 %17, label %start, label %fail.east

start2:                                           ; preds = %start3
  %18 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %19 = icmp ult i64 %18, %n
  br i1 %19, label %start1, label %fail.west

start3:                                           ; preds = %0
  %20 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %north)
  %21 = icmp ult i64 %20, %n
  br i1 %21, label %start2, label %fail.north
}

define void @stencil_in_32_bits(i32 %x, i32 %y, i32 %w, ptr %p, i64 "ptyx-slice"="3,4" %n) {
  %1 = trunc i64 %n to i32
  %2 = icmp ult i64 %n, 2147483648
  %3 = select i1 %2, i32 %1, i32 -2147483648
  %row = mul i32 %y, %w
  %i = add i32 %row, %x
  %before = sub i32 %i, %w
  %north = zext i32 %before to i64
  %first = icmp ult i64 %north, %n
  %4 = zext i32 %i to i64
  %5 = icmp ult i64 %4, %n
  %6 = add i32 %i, 1
  %7 = zext i32 %6 to i64
  %8 = icmp ult i64 %7, %n
  %9 = add i32 %i, %w
  %10 = zext i32 %9 to i64
  %11 = icmp ult i64 %10, %n
  %12 = add i32 %w, -1
  %13 = icmp ult i32 %12, 536870912
  %14 = icmp ult i64 %n, 2147483648
  %15 = icmp ult i32 %before, %3
  %16 = icmp ult i32 %9, %3
  %17 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %13)
  %18 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %14)
  %19 = select i1 %17, i1 %18, i1 false
  %20 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %15)
  %21 = select i1 %19, i1 %20, i1 false
  %22 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %16)
  %23 = select i1 %21, i1 %22, i1 false
  br i1 %23, label %b, label %start3

b:                                                ; preds = %start, %0
  br label %c

c:                                                ; preds = %b
  br label %d

d:                                                ; preds = %c
  br label %done

done:                                             ; preds = %d
  %at = getelementptr i32, ptr %p, i64 %7
  store i32 1, ptr %at, align 4
  ret void

fail.north:                                       ; preds = %start3
  %24 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %before)
  %25 = zext i32 %24 to i64
  call void @panic(i64 %25, i64 %n)
  unreachable

fail.middle:                                      ; preds = %start2
  %26 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %27 = zext i32 %26 to i64
  call void @panic(i64 %27, i64 %n)
  unreachable

fail.east:                                        ; preds = %start1
  %28 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %6)
  %29 = zext i32 %28 to i64
  call void @panic(i64 %29, i64 %n)
  unreachable

fail.south:                                       ; preds = %start
  %30 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %9)
  %31 = zext i32 %30 to i64
  call void @panic(i64 %31, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %32 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %9)
  %33 = zext i32 %32 to i64
  %34 = icmp ult i64 %33, %n
  br i1 %34, label %b, label %fail.south

start1:                                           ; preds = %start2
  %35 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %6)
  %36 = zext i32 %35 to i64
  %37 = icmp ult i64 %36, %n
  br i1 %37, label %start, label %fail.east

start2:                                           ; preds = %start3
  %38 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %i)
  %39 = zext i32 %38 to i64
  %40 = icmp ult i64 %39, %n
  br i1 %40, label %start1, label %fail.middle

start3:                                           ; preds = %0
  %41 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %before)
  %42 = zext i32 %41 to i64
  %43 = icmp ult i64 %42, %n
  br i1 %43, label %start2, label %fail.north
}

define void @planes(i64 %i, i64 %nx, i64 %ny, ptr %p, i64 "ptyx-slice"="3,4" %n) {
  %plane = mul i64 %nx, %ny
  %low = sub i64 %i, %plane
  %first = icmp ult i64 %low, %n
  %1 = sub i64 %i, %nx
  %2 = icmp ult i64 %1, %n
  %3 = icmp ult i64 %i, %n
  %4 = add i64 %i, %nx
  %5 = icmp ult i64 %4, %n
  %6 = add i64 %i, %plane
  %7 = icmp ult i64 %6, %n
  %8 = add i64 %nx, -1
  %9 = icmp ult i64 %8, 1073741824
  %10 = add i64 %ny, -1
  %11 = icmp ult i64 %10, 1073741824
  %12 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %9)
  %13 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %11)
  %14 = select i1 %12, i1 %13, i1 false
  %15 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %16 = select i1 %14, i1 %15, i1 false
  %17 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %7)
  %18 = select i1 %16, i1 %17, i1 false
  br i1 %18, label %b, label %start4

b:                                                ; preds = %start, %0
  br label %c

c:                                                ; preds = %b
  br label %d

d:                                                ; preds = %c
  br label %e

e:                                                ; preds = %d
  br label %done

done:                                             ; preds = %e
  ret void

fail.low:                                         ; preds = %start4
  call void @panic(i64 %low, i64 %n)
  unreachable

fail.north:                                       ; preds = %start3
  call void @panic(i64 %1, i64 %n)
  unreachable

fail.i:                                           ; preds = %start2
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.south:                                       ; preds = %start1
  call void @panic(i64 %4, i64 %n)
  unreachable

fail.high:                                        ; preds = %start
  call void @panic(i64 %6, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %19 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %6)
  %20 = icmp ult i64 %19, %n
  br i1 %20, label %b, label %fail.high

start1:                                           ; preds = %start2
  %21 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %4)
  %22 = icmp ult i64 %21, %n
  br i1 %22, label %start, label %fail.south

start2:                                           ; preds = %start3
  %23 = icmp ult i64 %i, %n
  br i1 %23, label %start1, label %fail.i

start3:                                           ; preds = %start4
  %24 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %25 = icmp ult i64 %24, %n
  br i1 %25, label %start2, label %fail.north

start4:                                           ; preds = %0
  %26 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %low)
  %27 = icmp ult i64 %26, %n
  br i1 %27, label %start3, label %fail.low
}

define void @no_gain(i64 %i, i64 %w, i64 "ptyx-slice"="0,4" %n) {
  %low = sub i64 %i, %w
  %first = icmp ult i64 %low, %n
  %1 = icmp ult i64 %i, %n
  %2 = add i64 %i, %w
  %3 = icmp ult i64 %2, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %6 = select i1 %4, i1 %5, i1 false
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %8 = select i1 %6, i1 %7, i1 false
  br i1 %8, label %b, label %start1

b:                                                ; preds = %0
  br label %c

c:                                                ; preds = %b
  br label %done

done:                                             ; preds = %c
  ret void

fail.low:                                         ; preds = %start1
  call void @panic(i64 %low, i64 %n)
  unreachable

fail.i:                                           ; preds = %start
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.high:                                        ; preds = %start
  call void @panic(i64 %2, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %9 = icmp ult i64 %i, %n
  br i1 %9, label %fail.high, label %fail.i

start1:                                           ; preds = %0
  %10 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %low)
  %11 = icmp ult i64 %10, %n
  br i1 %11, label %start, label %fail.low
}

define void @unrelated(i64 %i, i64 %j, i64 %k, i64 %l, i64 "ptyx-slice"="0,4" %n) {
  %first = icmp ult i64 %i, %n
  %1 = icmp ult i64 %j, %n
  %2 = icmp ult i64 %k, %n
  %3 = icmp ult i64 %l, %n
  %4 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %1)
  %6 = select i1 %4, i1 %5, i1 false
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %8 = select i1 %6, i1 %7, i1 false
  %9 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %3)
  %10 = select i1 %8, i1 %9, i1 false
  br i1 %10, label %b, label %start2

b:                                                ; preds = %0
  br label %c

c:                                                ; preds = %b
  br label %d

d:                                                ; preds = %c
  br label %done

done:                                             ; preds = %d
  ret void

fail.i:                                           ; preds = %start2
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.j:                                           ; preds = %start1
  call void @panic(i64 %j, i64 %n)
  unreachable

fail.k:                                           ; preds = %start
  call void @panic(i64 %k, i64 %n)
  unreachable

fail.l:                                           ; preds = %start
  call void @panic(i64 %l, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %11 = icmp ult i64 %k, %n
  br i1 %11, label %fail.l, label %fail.k

start1:                                           ; preds = %start2
  %12 = icmp ult i64 %j, %n
  br i1 %12, label %start, label %fail.j

start2:                                           ; preds = %0
  %13 = icmp ult i64 %i, %n
  br i1 %13, label %start1, label %fail.i
}

define void @a_sum_by_a_check(i64 %i, i64 "ptyx-slice"="0,4" %n) {
  %first = icmp ult i64 %i, %n
  %1 = or disjoint i64 %i, 2
  %2 = icmp ult i64 %1, %n
  %3 = add i64 %i, 1
  %4 = icmp ult i64 %3, %n
  %5 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %6 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %7 = select i1 %5, i1 %6, i1 false
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %9 = select i1 %7, i1 %8, i1 false
  br i1 %9, label %b, label %start1

b:                                                ; preds = %0
  br label %c

c:                                                ; preds = %b
  br label %done

done:                                             ; preds = %c
  ret void

fail.i:                                           ; preds = %start1
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.high:                                        ; preds = %start
  call void @panic(i64 %1, i64 %n)
  unreachable

fail.between:                                     ; preds = %start
  call void @panic(i64 %3, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %10 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %11 = icmp ult i64 %10, %n
  br i1 %11, label %fail.between, label %fail.high

start1:                                           ; preds = %0
  %12 = icmp ult i64 %i, %n
  br i1 %12, label %start, label %fail.i
}

define void @row_of_a_tile(i32 %x, ptr %p) {
  %low = add i32 %x, 8
  %first = icmp ult i32 %low, 160
  %1 = add i32 %x, 9
  %2 = icmp ugt i32 %1, 159
  %3 = add i32 %x, 10
  %4 = icmp ult i32 %3, 160
  %5 = icmp ult i32 %low, 160
  %6 = icmp ult i32 %3, 160
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %6)
  %9 = select i1 %7, i1 %8, i1 false
  br i1 %9, label %b, label %start1

b:                                                ; preds = %0
  br label %c

c:                                                ; preds = %b
  br label %done

done:                                             ; preds = %c
  store i32 1, ptr %p, align 4
  ret void

fail.low:                                         ; preds = %start1
  call void @panic(i64 8, i64 160)
  unreachable

fail.middle:                                      ; preds = %start
  call void @panic(i64 9, i64 160)
  unreachable

fail.high:                                        ; preds = %start
  call void @panic(i64 10, i64 160)
  unreachable

start:                                            ; preds = %start1
  %10 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %1)
  %11 = icmp ugt i32 %10, 159
  br i1 %11, label %fail.middle, label %fail.high

start1:                                           ; preds = %0
  %12 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %low)
  %13 = icmp ult i32 %12, 160
  br i1 %13, label %start, label %fail.low
}

define void @huge(i32 %x, ptr %p) {
  %low = add i32 %x, 8
  %first = icmp ult i32 %low, -16
  %1 = add i32 %x, 9
  %2 = icmp ult i32 %1, -16
  %3 = add i32 %x, 10
  %4 = icmp ult i32 %3, -16
  %5 = icmp ult i32 %low, -16
  %6 = icmp ult i32 %1, -16
  %7 = icmp ult i32 %3, -16
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %5)
  %9 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %6)
  %10 = select i1 %8, i1 %9, i1 false
  %11 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %7)
  %12 = select i1 %10, i1 %11, i1 false
  br i1 %12, label %b, label %start1

b:                                                ; preds = %0
  br label %c

c:                                                ; preds = %b
  br label %done

done:                                             ; preds = %c
  store i32 1, ptr %p, align 4
  ret void

fail.low:                                         ; preds = %start1
  call void @panic(i64 8, i64 160)
  unreachable

fail.middle:                                      ; preds = %start
  call void @panic(i64 9, i64 160)
  unreachable

fail.high:                                        ; preds = %start
  call void @panic(i64 10, i64 160)
  unreachable

start:                                            ; preds = %start1
  %13 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %1)
  %14 = icmp ult i32 %13, -16
  br i1 %14, label %fail.high, label %fail.middle

start1:                                           ; preds = %0
  %15 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %low)
  %16 = icmp ult i32 %15, -16
  br i1 %16, label %start, label %fail.low
}

define void @widths_with_a_sign(i64 %i, i32 %w32, i32 %h32, ptr %p, i64 "ptyx-slice"="3,1" %n) {
  %w = sext i32 %w32 to i64
  %h = sext i32 %h32 to i64
  %wh = mul i64 %w, %h
  %c1 = icmp ult i64 %i, %n
  %1 = add i64 %i, 1
  %2 = icmp ult i64 %1, %n
  %3 = add i64 %i, %w
  %4 = icmp ult i64 %3, %n
  %5 = add i64 %i, %h
  %6 = icmp ult i64 %5, %n
  %7 = add i64 %i, %wh
  %8 = icmp ult i64 %7, %n
  %9 = add i32 %w32, -1
  %10 = icmp ult i32 %9, 1073741824
  %11 = add i32 %h32, -1
  %12 = icmp ult i32 %11, 1073741824
  %13 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %10)
  %14 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %12)
  %15 = select i1 %13, i1 %14, i1 false
  %16 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %c1)
  %17 = select i1 %15, i1 %16, i1 false
  %18 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %8)
  %19 = select i1 %17, i1 %18, i1 false
  br i1 %19, label %b, label %start4

b:                                                ; preds = %start, %0
  br label %c

c:                                                ; preds = %b
  br label %d

d:                                                ; preds = %c
  br label %e

e:                                                ; preds = %d
  br label %g

g:                                                ; preds = %e
  %at = getelementptr i8, ptr %p, i64 %1
  store i8 1, ptr %at, align 1
  ret void

f0:                                               ; preds = %start4
  call void @panic(i64 %i, i64 0)
  unreachable

f1:                                               ; preds = %start3
  call void @panic(i64 %1, i64 0)
  unreachable

f2:                                               ; preds = %start2
  call void @panic(i64 %3, i64 0)
  unreachable

f3:                                               ; preds = %start1
  call void @panic(i64 %5, i64 0)
  unreachable

f4:                                               ; preds = %start
  call void @panic(i64 %7, i64 0)
  unreachable

start:                                            ; preds = %start1
  %20 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %7)
  %21 = icmp ult i64 %20, %n
  br i1 %21, label %b, label %f4

start1:                                           ; preds = %start2
  %22 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %5)
  %23 = icmp ult i64 %22, %n
  br i1 %23, label %start, label %f3

start2:                                           ; preds = %start3
  %24 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %3)
  %25 = icmp ult i64 %24, %n
  br i1 %25, label %start1, label %f2

start3:                                           ; preds = %start4
  %26 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %27 = icmp ult i64 %26, %n
  br i1 %27, label %start2, label %f1

start4:                                           ; preds = %0
  %28 = icmp ult i64 %i, %n
  br i1 %28, label %start3, label %f0
}

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

define void @by_thread(i64 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d32 = sub i32 0, %tid
  %d = sext i32 %d32 to i64
  %first = icmp ult i64 %i, %n
  %1 = add i64 %i, %d
  %2 = icmp ult i64 %1, %n
  %3 = add i64 %1, %d
  %4 = icmp ult i64 %3, %n
  %5 = add i64 %3, %d
  %6 = icmp ult i64 %5, %n
  %7 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %first)
  %8 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %2)
  %9 = select i1 %7, i1 %8, i1 false
  %10 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %4)
  %11 = select i1 %9, i1 %10, i1 false
  %12 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %6)
  %13 = select i1 %11, i1 %12, i1 false
  br i1 %13, label %b, label %start2

b:                                                ; preds = %0
  br label %c

c:                                                ; preds = %b
  br label %e

e:                                                ; preds = %c
  br label %done

done:                                             ; preds = %e
  store i32 1, ptr %p, align 4
  ret void

fail.i:                                           ; preds = %start2
  call void @panic(i64 %i, i64 %n)
  unreachable

fail.one:                                         ; preds = %start1
  call void @panic(i64 %1, i64 %n)
  unreachable

fail.two:                                         ; preds = %start
  call void @panic(i64 %3, i64 %n)
  unreachable

fail.three:                                       ; preds = %start
  call void @panic(i64 %5, i64 %n)
  unreachable

start:                                            ; preds = %start1
  %14 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %3)
  %15 = icmp ult i64 %14, %n
  br i1 %15, label %fail.three, label %fail.two

start1:                                           ; preds = %start2
  %16 = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %1)
  %17 = icmp ult i64 %16, %n
  br i1 %17, label %start, label %fail.one

start2:                                           ; preds = %0
  %18 = icmp ult i64 %i, %n
  br i1 %18, label %start1, label %fail.i
}

define float @row(i32 %i, ptr %p, i64 "ptyx-slice"="1,4" %n) {
  %1 = trunc i64 %n to i32
  %2 = icmp ult i64 %n, 2147483648
  %3 = select i1 %2, i32 %1, i32 -2147483648
  %start = shl i32 %i, 2
  %zero = sext i32 %start to i64
  %first = icmp ult i64 %zero, %n
  %4 = or disjoint i32 %start, 1
  %5 = sext i32 %4 to i64
  %6 = icmp ult i64 %5, %n
  %7 = or disjoint i32 %start, 3
  %8 = sext i32 %7 to i64
  %9 = icmp ult i64 %8, %n
  %10 = icmp ult i32 %start, %3
  %11 = icmp ult i32 %7, %3
  %12 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %10)
  %13 = call i1 asm "mov.pred $0, $1;", "=b,b"(i1 %11)
  %14 = select i1 %12, i1 %13, i1 false
  br i1 %14, label %one, label %start2

one:                                              ; preds = %0
  br label %two

two:                                              ; preds = %one
  br label %three

three:                                            ; preds = %two
  %x = load float, ptr %p, align 4
  ret float %x

fail.0:                                           ; preds = %start2
  %15 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %start)
  %16 = sext i32 %15 to i64
  call void @panic(i64 %16)
  unreachable

fail.1:                                           ; preds = %start1
  %17 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %4)
  %18 = sext i32 %17 to i64
  call void @panic(i64 %18)
  unreachable

fail.3:                                           ; preds = %start1
  %19 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %7)
  %20 = sext i32 %19 to i64
  call void @panic(i64 %20)
  unreachable

start1:                                           ; preds = %start2
  %21 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %4)
  %22 = sext i32 %21 to i64
  %23 = icmp ult i64 %22, %n
  br i1 %23, label %fail.3, label %fail.1

start2:                                           ; preds = %0
  %24 = call i32 asm sideeffect "mov.b32 $0, $1;", "=r,r"(i32 %start)
  %25 = sext i32 %24 to i64
  %26 = icmp ult i64 %25, %n
  br i1 %26, label %start1, label %fail.0
}

attributes #0 = { noreturn }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
