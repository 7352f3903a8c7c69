; run: rejoin_panics
; What follows from the place of a panic, or from 32 bits, is chosen and extended where all panics end: it takes no registers at the
; joins.

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

; Two places with lengths and extensions of their own.
define void @two_places(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %join
then:
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic
more:
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other
load:
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at
  br label %join
join:
  %sum = phi i32 [ %j, %load ], [ 0, %0 ]
  store i32 %sum, ptr %p
  ret void
panic:
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics
panic.other:
  %copy.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %next)
  %length.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %m)
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ], [ 8, %panic.other ]
  %index = phi i64 [ %copy, %panic ], [ %copy.other, %panic.other ]
  %bound = phi i64 [ %length, %panic ], [ %length.other, %panic.other ]
  store volatile i32 %site, ptr %p
  store volatile i64 %index, ptr %p
  store volatile i64 %bound, ptr %p
  unreachable
}

; One place with the same length: nothing is chosen.
define void @one_place(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %join
then:
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic
more:
  %j = add i32 %i, 1
  %next = zext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other
load:
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at
  br label %join
join:
  %sum = phi i32 [ %j, %load ], [ 0, %0 ]
  store i32 %sum, ptr %p
  ret void
panic:
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics
panic.other:
  %copy.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %next)
  %length.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ], [ 7, %panic.other ]
  %index = phi i64 [ %copy, %panic ], [ %copy.other, %panic.other ]
  %bound = phi i64 [ %length, %panic ], [ %length.other, %panic.other ]
  store volatile i32 %site, ptr %p
  store volatile i64 %index, ptr %p
  store volatile i64 %bound, ptr %p
  unreachable
}

; One place that has two lengths, and two extensions.
define void @two_lengths(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %join
then:
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic
more:
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other
load:
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at
  br label %join
join:
  %sum = phi i32 [ %j, %load ], [ 0, %0 ]
  store i32 %sum, ptr %p
  ret void
panic:
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics
panic.other:
  %copy.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %next)
  %length.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %m)
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ], [ 7, %panic.other ]
  %index = phi i64 [ %copy, %panic ], [ %copy.other, %panic.other ]
  %bound = phi i64 [ %length, %panic ], [ %length.other, %panic.other ]
  store volatile i32 %site, ptr %p
  store volatile i64 %index, ptr %p
  store volatile i64 %bound, ptr %p
  unreachable
}

; A length that is calculated, and an index that has 64 bits.
define void @calculated(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %join
then:
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic
more:
  %j = add i32 %i, 1
  %sum.of = add i64 %n, %l
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other
load:
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at
  br label %join
join:
  %sum = phi i32 [ %j, %load ], [ 0, %0 ]
  store i32 %sum, ptr %p
  ret void
panic:
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics
panic.other:
  %copy.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %l)
  %length.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %sum.of)
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ], [ 8, %panic.other ]
  %index = phi i64 [ %copy, %panic ], [ %copy.other, %panic.other ]
  %bound = phi i64 [ %length, %panic ], [ %length.other, %panic.other ]
  store volatile i32 %site, ptr %p
  store volatile i64 %index, ptr %p
  store volatile i64 %bound, ptr %p
  unreachable
}

; A length that is a constant.
define void @constant(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %join
then:
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic
more:
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other
load:
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at
  br label %join
join:
  %sum = phi i32 [ %j, %load ], [ 0, %0 ]
  store i32 %sum, ptr %p
  ret void
panic:
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics
panic.other:
  %copy.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %next)
  %length.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 64)
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ], [ 8, %panic.other ]
  %index = phi i64 [ %copy, %panic ], [ %copy.other, %panic.other ]
  %bound = phi i64 [ %length, %panic ], [ %length.other, %panic.other ]
  store volatile i32 %site, ptr %p
  store volatile i64 %index, ptr %p
  store volatile i64 %bound, ptr %p
  unreachable
}

; A message without words.
define void @without_words(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %join
then:
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic
more:
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other
load:
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at
  br label %join
join:
  %sum = phi i32 [ %j, %load ], [ 0, %0 ]
  store i32 %sum, ptr %p
  ret void
panic:
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %ptyx.panics
panic.other:
  br label %ptyx.panics
ptyx.panics:
  %site = phi i32 [ 7, %panic ], [ 8, %panic.other ]
  %index = phi i64 [ %copy, %panic ], [ undef, %panic.other ]
  %bound = phi i64 [ %length, %panic ], [ undef, %panic.other ]
  store volatile i32 %site, ptr %p
  store volatile i64 %index, ptr %p
  store volatile i64 %bound, ptr %p
  unreachable
}

; becomes:
; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #0

define void @two_places(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %start

then:                                             ; preds = %0
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic

more:                                             ; preds = %then
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other

load:                                             ; preds = %more
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at, align 4
  br label %start

start:                                            ; preds = %load, %0, %panic.other, %panic
  %1 = phi i32 [ 0, %0 ], [ %j, %load ], [ undef, %panic ], [ undef, %panic.other ]
  %2 = phi i1 [ false, %0 ], [ false, %load ], [ true, %panic ], [ true, %panic.other ]
  %3 = phi i32 [ undef, %0 ], [ undef, %load ], [ 7, %panic ], [ 8, %panic.other ]
  %4 = phi i32 [ undef, %0 ], [ undef, %load ], [ %i, %panic ], [ %j, %panic.other ]
  br i1 %2, label %ptyx.panics, label %join

join:                                             ; preds = %start
  store i32 %1, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  br label %start

panic.other:                                      ; preds = %more
  br label %start

ptyx.panics:                                      ; preds = %start
  %5 = phi i32 [ %3, %start ]
  %6 = phi i32 [ %4, %start ]
  %7 = icmp eq i32 %5, 7
  %8 = select i1 %7, i64 %n, i64 %m
  %9 = sext i32 %6 to i64
  %10 = icmp eq i32 %5, 7
  %11 = zext i32 %6 to i64
  %12 = select i1 %10, i64 %11, i64 %9
  store volatile i32 %5, ptr %p, align 4
  store volatile i64 %12, ptr %p, align 4
  store volatile i64 %8, ptr %p, align 4
  unreachable
}

define void @one_place(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %start

then:                                             ; preds = %0
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic

more:                                             ; preds = %then
  %j = add i32 %i, 1
  %next = zext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other

load:                                             ; preds = %more
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at, align 4
  br label %start

start:                                            ; preds = %load, %0, %panic.other, %panic
  %1 = phi i32 [ 0, %0 ], [ %j, %load ], [ undef, %panic ], [ undef, %panic.other ]
  %2 = phi i1 [ false, %0 ], [ false, %load ], [ true, %panic ], [ true, %panic.other ]
  %3 = phi i32 [ undef, %0 ], [ undef, %load ], [ 7, %panic ], [ 7, %panic.other ]
  %4 = phi i32 [ undef, %0 ], [ undef, %load ], [ %i, %panic ], [ %j, %panic.other ]
  br i1 %2, label %ptyx.panics, label %join

join:                                             ; preds = %start
  store i32 %1, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  br label %start

panic.other:                                      ; preds = %more
  br label %start

ptyx.panics:                                      ; preds = %start
  %5 = phi i32 [ %3, %start ]
  %6 = phi i32 [ %4, %start ]
  %7 = zext i32 %6 to i64
  store volatile i32 %5, ptr %p, align 4
  store volatile i64 %7, ptr %p, align 4
  store volatile i64 %n, ptr %p, align 4
  unreachable
}

define void @two_lengths(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %start

then:                                             ; preds = %0
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic

more:                                             ; preds = %then
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other

load:                                             ; preds = %more
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at, align 4
  br label %start

start:                                            ; preds = %load, %0, %panic.other, %panic
  %1 = phi i32 [ 0, %0 ], [ %j, %load ], [ undef, %panic ], [ undef, %panic.other ]
  %2 = phi i1 [ false, %0 ], [ false, %load ], [ true, %panic ], [ true, %panic.other ]
  %3 = phi i32 [ undef, %0 ], [ undef, %load ], [ 7, %panic ], [ 7, %panic.other ]
  %4 = phi i64 [ undef, %0 ], [ undef, %load ], [ %copy, %panic ], [ %copy.other, %panic.other ]
  %5 = phi i64 [ undef, %0 ], [ undef, %load ], [ %length, %panic ], [ %length.other, %panic.other ]
  br i1 %2, label %ptyx.panics, label %join

join:                                             ; preds = %start
  store i32 %1, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %start

panic.other:                                      ; preds = %more
  %copy.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %next)
  %length.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %m)
  br label %start

ptyx.panics:                                      ; preds = %start
  %6 = phi i32 [ %3, %start ]
  %7 = phi i64 [ %4, %start ]
  %8 = phi i64 [ %5, %start ]
  store volatile i32 %6, ptr %p, align 4
  store volatile i64 %7, ptr %p, align 4
  store volatile i64 %8, ptr %p, align 4
  unreachable
}

define void @calculated(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %start

then:                                             ; preds = %0
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic

more:                                             ; preds = %then
  %j = add i32 %i, 1
  %sum.of = add i64 %n, %l
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other

load:                                             ; preds = %more
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at, align 4
  br label %start

start:                                            ; preds = %load, %0, %panic.other, %panic
  %1 = phi i32 [ 0, %0 ], [ %j, %load ], [ undef, %panic ], [ undef, %panic.other ]
  %2 = phi i1 [ false, %0 ], [ false, %load ], [ true, %panic ], [ true, %panic.other ]
  %3 = phi i32 [ undef, %0 ], [ undef, %load ], [ 7, %panic ], [ 8, %panic.other ]
  %4 = phi i64 [ undef, %0 ], [ undef, %load ], [ %copy, %panic ], [ %copy.other, %panic.other ]
  %5 = phi i64 [ undef, %0 ], [ undef, %load ], [ %length, %panic ], [ %length.other, %panic.other ]
  br i1 %2, label %ptyx.panics, label %join

join:                                             ; preds = %start
  store i32 %1, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  %copy = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %wide)
  %length = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %n)
  br label %start

panic.other:                                      ; preds = %more
  %copy.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %l)
  %length.other = call i64 asm sideeffect "mov.b64 $0, $1;", "=l,l"(i64 %sum.of)
  br label %start

ptyx.panics:                                      ; preds = %start
  %6 = phi i32 [ %3, %start ]
  %7 = phi i64 [ %4, %start ]
  %8 = phi i64 [ %5, %start ]
  store volatile i32 %6, ptr %p, align 4
  store volatile i64 %7, ptr %p, align 4
  store volatile i64 %8, ptr %p, align 4
  unreachable
}

define void @constant(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %start

then:                                             ; preds = %0
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic

more:                                             ; preds = %then
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other

load:                                             ; preds = %more
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at, align 4
  br label %start

start:                                            ; preds = %load, %0, %panic.other, %panic
  %1 = phi i32 [ 0, %0 ], [ %j, %load ], [ undef, %panic ], [ undef, %panic.other ]
  %2 = phi i1 [ false, %0 ], [ false, %load ], [ true, %panic ], [ true, %panic.other ]
  %3 = phi i32 [ undef, %0 ], [ undef, %load ], [ 7, %panic ], [ 8, %panic.other ]
  %4 = phi i32 [ undef, %0 ], [ undef, %load ], [ %i, %panic ], [ %j, %panic.other ]
  br i1 %2, label %ptyx.panics, label %join

join:                                             ; preds = %start
  store i32 %1, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  br label %start

panic.other:                                      ; preds = %more
  br label %start

ptyx.panics:                                      ; preds = %start
  %5 = phi i32 [ %3, %start ]
  %6 = phi i32 [ %4, %start ]
  %7 = icmp eq i32 %5, 7
  %8 = select i1 %7, i64 %n, i64 64
  %9 = sext i32 %6 to i64
  %10 = icmp eq i32 %5, 7
  %11 = zext i32 %6 to i64
  %12 = select i1 %10, i64 %11, i64 %9
  store volatile i32 %5, ptr %p, align 4
  store volatile i64 %12, ptr %p, align 4
  store volatile i64 %8, ptr %p, align 4
  unreachable
}

define void @without_words(i32 %i, i64 %n, i64 %m, i64 %l, ptr %p) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %tid, 7
  br i1 %c, label %then, label %start

then:                                             ; preds = %0
  %wide = zext i32 %i to i64
  %in = icmp ult i64 %wide, %n
  br i1 %in, label %more, label %panic

more:                                             ; preds = %then
  %j = add i32 %i, 1
  %next = sext i32 %j to i64
  %also = icmp ult i64 %next, %m
  br i1 %also, label %load, label %panic.other

load:                                             ; preds = %more
  %at = getelementptr i32, ptr %p, i64 %next
  store i32 1, ptr %at, align 4
  br label %start

start:                                            ; preds = %load, %0, %panic.other, %panic
  %1 = phi i32 [ 0, %0 ], [ %j, %load ], [ undef, %panic ], [ undef, %panic.other ]
  %2 = phi i1 [ false, %0 ], [ false, %load ], [ true, %panic ], [ true, %panic.other ]
  %3 = phi i32 [ undef, %0 ], [ undef, %load ], [ 7, %panic ], [ 8, %panic.other ]
  %4 = phi i32 [ undef, %0 ], [ undef, %load ], [ %i, %panic ], [ undef, %panic.other ]
  br i1 %2, label %ptyx.panics, label %join

join:                                             ; preds = %start
  store i32 %1, ptr %p, align 4
  ret void

panic:                                            ; preds = %then
  br label %start

panic.other:                                      ; preds = %more
  br label %start

ptyx.panics:                                      ; preds = %start
  %5 = phi i32 [ %3, %start ]
  %6 = phi i32 [ %4, %start ]
  %7 = zext i32 %6 to i64
  store volatile i32 %5, ptr %p, align 4
  store volatile i64 %7, ptr %p, align 4
  store volatile i64 %n, ptr %p, align 4
  unreachable
}

attributes #0 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
