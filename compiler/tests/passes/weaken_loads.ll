; run: weaken_loads
; Relaxed loads of shared memory are weak where no thread can write to the array between the same two barriers of the block.

@dynamic = external addrspace(3) global [0 x i8]

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.umin.i32(i32, i32)
declare void @unknown() convergent
declare void @takes(ptr addrspace(3))

; Written, then read.
@in_turn.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @in_turn(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @in_turn.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @in_turn.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; Nothing between them.
@no_barrier.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @no_barrier(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @no_barrier.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @no_barrier.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; Another thread may be faster.
@written_later.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @written_later(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @written_later.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @written_later.tile, i32 %m
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %x, ptr %q
  ret void
}

; A barrier of the warp separates no threads of others.
@warp.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @warp(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @warp.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @warp.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; A barrier of some threads may use the number of one of all.
@some.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @some(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @some.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @some.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 0, i32 64)
  store i32 %x, ptr %q
  ret void
}

; So may assembly.
@assembly.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void asm sideeffect "barrier.cta.arrive 0, 64;", ""()
  store i32 %x, ptr %q
  ret void
}

; This does not.
@harmless_assembly.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @harmless_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @harmless_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @harmless_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void asm sideeffect "bar.warp.sync 1; mbarrier.inval.shared.b64 [4]; membar.cta;", ""()
  store i32 %x, ptr %q
  ret void
}

; A function that is not known may wait, too.
@call.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @call(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @call.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @call.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @unknown()
  store i32 %x, ptr %q
  ret void
}

; Each iteration writes and reads.
@loop.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @loop(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @loop.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @loop.tile, i32 %m
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A fast thread writes in the next iteration while a slow one reads in this one.
@one_barrier.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @one_barrier(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @one_barrier.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @one_barrier.tile, i32 %m
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A thread that does not take part any more writes nothing.
@threads_differ.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @threads_differ(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @threads_differ.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @threads_differ.tile, i32 %m
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Both sides of a branch wait: the threads of one read while those of the other write.
@sides.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @sides(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @sides.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @sides.tile, i32 %m
  %side = icmp ult i32 %t, 32
  br i1 %side, label %one, label %two
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  br label %end
two:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  br label %end
end:
  ret void
}

; All threads of the block take one side.
@same_sides.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @same_sides(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @same_sides.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @same_sides.tile, i32 %m
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %sum = add i32 %block, %n
  %side = icmp ult i32 %sum, 32
  br i1 %side, label %one, label %two
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  br label %end
two:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  br label %end
end:
  ret void
}

; Threads that end are not waited for.
@early_end.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @early_end(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @early_end.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @early_end.tile, i32 %m
  %out = icmp uge i32 %t, %n
  br i1 %out, label %end, label %in
in:
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  br label %end
end:
  ret void
}

; All threads run the inner loop equally often.
@nest.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @nest.tile, i32 %m
  br label %outer
outer:
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %inner, label %after
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end
end:
  ret void
}

; They do not: those that leave it wait at another barrier while others write, or read.
@uneven_nest.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @uneven_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @uneven_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @uneven_nest.tile, i32 %m
  br label %outer
outer:
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %inner, label %after
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end
end:
  ret void
}

; Who knows what each of them loads.
@loaded_nest.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @loaded_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @loaded_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @loaded_nest.tile, i32 %m
  %l = load i32, ptr %q
  br label %outer
outer:
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %l
  br i1 %more, label %inner, label %after
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end
end:
  ret void
}

; All threads get the same number from a barrier.
@voted_nest.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @voted_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @voted_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @voted_nest.tile, i32 %m
  %odd = trunc i32 %t to i1
  %l = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)
  br label %outer
outer:
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %l
  br i1 %more, label %inner, label %after
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end
end:
  ret void
}

; The number is chosen by a branch on which threads differ.
@chosen_nest.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @chosen_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @chosen_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @chosen_nest.tile, i32 %m
  %side = icmp ult i32 %t, 32
  br i1 %side, label %one, label %both
one:
  br label %both
both:
  %l = phi i32 [ 1, %0 ], [ 2, %one ]
  br label %outer
outer:
  %o = phi i32 [ 0, %both ], [ %o.next, %after ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %l
  br i1 %more, label %inner, label %after
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end
end:
  ret void
}

; So is what a thread has counted when it leaves a loop before others.
@left_loop.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @left_loop(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @left_loop.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @left_loop.tile, i32 %m
  br label %count
count:
  %c = phi i32 [ 0, %0 ], [ %c.next, %count ]
  %c.next = add i32 %c, 1
  %on = icmp ult i32 %c.next, %t
  br i1 %on, label %count, label %both
both:
  br label %outer
outer:
  %o = phi i32 [ 0, %both ], [ %o.next, %after ]
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %c
  br i1 %more, label %inner, label %after
after:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end
end:
  ret void
}

; Barriers of different numbers can't complete each other.
@numbers.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @numbers(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @numbers.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @numbers.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.all(i32 3)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; One of the two is written meanwhile.
@two_tiles.tile = internal addrspace(3) global [64 x i32] undef
@two_tiles.other = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @two_tiles(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @two_tiles.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @two_tiles.tile, i32 %m
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp ult i32 %t, 32
  %both = select i1 %c, ptr addrspace(3) %at, ptr addrspace(3) @two_tiles.other
  %x = load atomic i32, ptr addrspace(3) %both monotonic, align 4
  store atomic i32 %x, ptr addrspace(3) @two_tiles.other monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; Neither is.
@two_quiet_tiles.tile = internal addrspace(3) global [64 x i32] undef
@two_quiet_tiles.other = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @two_quiet_tiles(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @two_quiet_tiles.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @two_quiet_tiles.tile, i32 %m
  store i32 1, ptr addrspace(3) @two_quiet_tiles.other
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp ult i32 %t, 32
  %both = select i1 %c, ptr addrspace(3) %at, ptr addrspace(3) @two_quiet_tiles.other
  %x = load atomic i32, ptr addrspace(3) %both monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; One may be anywhere.
@tile_or_global.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @tile_or_global(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @tile_or_global.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @tile_or_global.tile, i32 %m
  %c = icmp ult i32 %t, 32
  %wide = addrspacecast ptr addrspace(3) %at to ptr
  %both = select i1 %c, ptr %wide, ptr %q
  %x = load atomic i32, ptr %both monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; A function has the address.
@given_away.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @given_away(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @given_away.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @given_away.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @takes(ptr addrspace(3) %own)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; Memory has it.
@stored.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @stored(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @stored.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @stored.tile, i32 %m
  store ptr addrspace(3) %own, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; A number has it, which becomes an address again.
@a_number.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @a_number(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @a_number.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @a_number.tile, i32 %m
  %a = ptrtoint ptr addrspace(3) %own to i32
  %b = inttoptr i32 %a to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %b
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; A number that is kept and compared only.
@compared.tile = internal addrspace(3) global [64 x i32] undef
@compared.names = internal addrspace(3) global i64 undef
define ptx_kernel void @compared(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @compared.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @compared.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) %own to i32
  %w = zext i32 %a to i64
  store atomic i64 %w, ptr addrspace(3) @compared.names monotonic, align 8
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load atomic i64, ptr addrspace(3) @compared.names monotonic, align 8
  %same = icmp eq i64 %v, %w
  %mask = call i32 @llvm.nvvm.match.any.sync.i64(i32 -1, i64 %w)
  store i1 %same, ptr %q
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; So does assembly, where the lanes that fill an array compare its address.
@compared_in_assembly.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @compared_in_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @compared_in_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @compared_in_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) @compared_in_assembly.tile to i32
  %w = zext i32 %a to i64
  %h = shl nuw i64 %w, 32
  %name = or disjoint i64 %h, 256
  %mask = call i32 asm sideeffect "match.all.sync.b64 $0, $2, $1;", "=r,r,l"(i32 -1, i64 %name)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; It may do more.
@more_assembly.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @more_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @more_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @more_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) @more_assembly.tile to i32
  %w = zext i32 %a to i64
  %h = shl nuw i64 %w, 32
  %name = or disjoint i64 %h, 256
  %mask = call i32 asm sideeffect "match.all.sync.b64 $0, $2, $1; st.shared.b32 [$2], $0;", "=r,r,l"(i32 -1, i64 %name)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; Or something else.
@other_assembly.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @other_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @other_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @other_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) @other_assembly.tile to i32
  %w = zext i32 %a to i64
  %h = shl nuw i64 %w, 32
  %name = or disjoint i64 %h, 256
  %mask = call i32 asm sideeffect "red.shared.add.u32 [$2], $1; mov.b32 $0, 0;", "=r,r,l"(i32 -1, i64 %name)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

; Not a relaxed one.
@acquired.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @acquired(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @acquired.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @acquired.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at acquire, align 4
  %y = load atomic volatile i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %y, ptr %q
  store i32 %x, ptr %q
  ret void
}

; An update writes.
@update.tile = internal addrspace(3) global [64 x i32] undef
define ptx_kernel void @update(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @update.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @update.tile, i32 %m
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %old = atomicrmw add ptr addrspace(3) %own, i32 1 monotonic
  store i32 %x, ptr %q
  ret void
}

; Memory whose size the launch says may be several arrays.
define ptx_kernel void @dynamic_tile(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = load atomic i32, ptr addrspace(3) @dynamic monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

@shared_by_two = internal addrspace(3) global i32 undef

; Another function writes to it.
define ptx_kernel void @used_by_two(ptr %q) {
  %x = load atomic i32, ptr addrspace(3) @shared_by_two monotonic, align 4
  store i32 %x, ptr %q
  ret void
}

define void @writes() noinline {
  store i32 1, ptr addrspace(3) @shared_by_two
  ret void
}

; becomes:
@dynamic = external addrspace(3) global [0 x i8]
@in_turn.tile = internal addrspace(3) global [64 x i32] undef
@no_barrier.tile = internal addrspace(3) global [64 x i32] undef
@written_later.tile = internal addrspace(3) global [64 x i32] undef
@warp.tile = internal addrspace(3) global [64 x i32] undef
@some.tile = internal addrspace(3) global [64 x i32] undef
@assembly.tile = internal addrspace(3) global [64 x i32] undef
@harmless_assembly.tile = internal addrspace(3) global [64 x i32] undef
@call.tile = internal addrspace(3) global [64 x i32] undef
@loop.tile = internal addrspace(3) global [64 x i32] undef
@one_barrier.tile = internal addrspace(3) global [64 x i32] undef
@threads_differ.tile = internal addrspace(3) global [64 x i32] undef
@sides.tile = internal addrspace(3) global [64 x i32] undef
@same_sides.tile = internal addrspace(3) global [64 x i32] undef
@early_end.tile = internal addrspace(3) global [64 x i32] undef
@nest.tile = internal addrspace(3) global [64 x i32] undef
@uneven_nest.tile = internal addrspace(3) global [64 x i32] undef
@loaded_nest.tile = internal addrspace(3) global [64 x i32] undef
@voted_nest.tile = internal addrspace(3) global [64 x i32] undef
@chosen_nest.tile = internal addrspace(3) global [64 x i32] undef
@left_loop.tile = internal addrspace(3) global [64 x i32] undef
@numbers.tile = internal addrspace(3) global [64 x i32] undef
@two_tiles.tile = internal addrspace(3) global [64 x i32] undef
@two_tiles.other = internal addrspace(3) global [64 x i32] undef
@two_quiet_tiles.tile = internal addrspace(3) global [64 x i32] undef
@two_quiet_tiles.other = internal addrspace(3) global [64 x i32] undef
@tile_or_global.tile = internal addrspace(3) global [64 x i32] undef
@given_away.tile = internal addrspace(3) global [64 x i32] undef
@stored.tile = internal addrspace(3) global [64 x i32] undef
@a_number.tile = internal addrspace(3) global [64 x i32] undef
@compared.tile = internal addrspace(3) global [64 x i32] undef
@compared.names = internal addrspace(3) global i64 undef
@compared_in_assembly.tile = internal addrspace(3) global [64 x i32] undef
@more_assembly.tile = internal addrspace(3) global [64 x i32] undef
@other_assembly.tile = internal addrspace(3) global [64 x i32] undef
@acquired.tile = internal addrspace(3) global [64 x i32] undef
@update.tile = internal addrspace(3) global [64 x i32] undef
@shared_by_two = internal addrspace(3) global i32 undef

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.all(i32) #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32) #0

; Function Attrs: convergent nocallback nounwind
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1) #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #0

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.match.any.sync.i64(i32, i64) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #3

; Function Attrs: convergent
declare void @unknown() #4

declare void @takes(ptr addrspace(3))

define ptx_kernel void @in_turn(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @in_turn.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @in_turn.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @no_barrier(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @no_barrier.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @no_barrier.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @written_later(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @written_later.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @written_later.tile, i32 %m
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @warp(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @warp.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @warp.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @some(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @some.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @some.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 0, i32 64)
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void asm sideeffect "barrier.cta.arrive 0, 64;", ""()
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @harmless_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @harmless_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @harmless_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  call void asm sideeffect "bar.warp.sync 1; mbarrier.inval.shared.b64 [4]; membar.cta;", ""()
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @call(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @call.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @call.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @unknown()
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @loop(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @loop.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @loop.tile, i32 %m
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end

end:                                              ; preds = %loop
  ret void
}

define ptx_kernel void @one_barrier(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @one_barrier.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @one_barrier.tile, i32 %m
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end

end:                                              ; preds = %loop
  ret void
}

define ptx_kernel void @threads_differ(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @threads_differ.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @threads_differ.tile, i32 %m
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %loop, label %end

end:                                              ; preds = %loop
  ret void
}

define ptx_kernel void @sides(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @sides.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @sides.tile, i32 %m
  %side = icmp ult i32 %t, 32
  br i1 %side, label %one, label %two

one:                                              ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  br label %end

two:                                              ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  br label %end

end:                                              ; preds = %two, %one
  ret void
}

define ptx_kernel void @same_sides(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @same_sides.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @same_sides.tile, i32 %m
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %sum = add i32 %block, %n
  %side = icmp ult i32 %sum, 32
  br i1 %side, label %one, label %two

one:                                              ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  br label %end

two:                                              ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  br label %end

end:                                              ; preds = %two, %one
  ret void
}

define ptx_kernel void @early_end(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @early_end.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @early_end.tile, i32 %m
  %out = icmp uge i32 %t, %n
  br i1 %out, label %end, label %in

in:                                               ; preds = %0
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  br label %end

end:                                              ; preds = %in, %0
  ret void
}

define ptx_kernel void @nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @nest.tile, i32 %m
  br label %outer

outer:                                            ; preds = %after, %0
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner

inner:                                            ; preds = %inner, %outer
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %inner, label %after

after:                                            ; preds = %inner
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end

end:                                              ; preds = %after
  ret void
}

define ptx_kernel void @uneven_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @uneven_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @uneven_nest.tile, i32 %m
  br label %outer

outer:                                            ; preds = %after, %0
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner

inner:                                            ; preds = %inner, %outer
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %t
  br i1 %more, label %inner, label %after

after:                                            ; preds = %inner
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end

end:                                              ; preds = %after
  ret void
}

define ptx_kernel void @loaded_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @loaded_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @loaded_nest.tile, i32 %m
  %l = load i32, ptr %q, align 4
  br label %outer

outer:                                            ; preds = %after, %0
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner

inner:                                            ; preds = %inner, %outer
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %l
  br i1 %more, label %inner, label %after

after:                                            ; preds = %inner
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end

end:                                              ; preds = %after
  ret void
}

define ptx_kernel void @voted_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @voted_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @voted_nest.tile, i32 %m
  %odd = trunc i32 %t to i1
  %l = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %odd)
  br label %outer

outer:                                            ; preds = %after, %0
  %o = phi i32 [ 0, %0 ], [ %o.next, %after ]
  br label %inner

inner:                                            ; preds = %inner, %outer
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %l
  br i1 %more, label %inner, label %after

after:                                            ; preds = %inner
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end

end:                                              ; preds = %after
  ret void
}

define ptx_kernel void @chosen_nest(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @chosen_nest.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @chosen_nest.tile, i32 %m
  %side = icmp ult i32 %t, 32
  br i1 %side, label %one, label %both

one:                                              ; preds = %0
  br label %both

both:                                             ; preds = %one, %0
  %l = phi i32 [ 1, %0 ], [ 2, %one ]
  br label %outer

outer:                                            ; preds = %after, %both
  %o = phi i32 [ 0, %both ], [ %o.next, %after ]
  br label %inner

inner:                                            ; preds = %inner, %outer
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %l
  br i1 %more, label %inner, label %after

after:                                            ; preds = %inner
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end

end:                                              ; preds = %after
  ret void
}

define ptx_kernel void @left_loop(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @left_loop.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @left_loop.tile, i32 %m
  br label %count

count:                                            ; preds = %count, %0
  %c = phi i32 [ 0, %0 ], [ %c.next, %count ]
  %c.next = add i32 %c, 1
  %on = icmp ult i32 %c.next, %t
  br i1 %on, label %count, label %both

both:                                             ; preds = %count
  br label %outer

outer:                                            ; preds = %after, %both
  %o = phi i32 [ 0, %both ], [ %o.next, %after ]
  br label %inner

inner:                                            ; preds = %inner, %outer
  %i = phi i32 [ 0, %outer ], [ %next, %inner ]
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %c
  br i1 %more, label %inner, label %after

after:                                            ; preds = %inner
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o.next = add i32 %o, 1
  %again = icmp ult i32 %o.next, %m
  br i1 %again, label %outer, label %end

end:                                              ; preds = %after
  ret void
}

define ptx_kernel void @numbers(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @numbers.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @numbers.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.all(i32 3)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define ptx_kernel void @two_tiles(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @two_tiles.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @two_tiles.tile, i32 %m
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp ult i32 %t, 32
  %both = select i1 %c, ptr addrspace(3) %at, ptr addrspace(3) @two_tiles.other
  %x = load atomic i32, ptr addrspace(3) %both monotonic, align 4
  store atomic i32 %x, ptr addrspace(3) @two_tiles.other monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @two_quiet_tiles(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @two_quiet_tiles.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @two_quiet_tiles.tile, i32 %m
  store i32 1, ptr addrspace(3) @two_quiet_tiles.other, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp ult i32 %t, 32
  %both = select i1 %c, ptr addrspace(3) %at, ptr addrspace(3) @two_quiet_tiles.other
  %x = load i32, ptr addrspace(3) %both, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @tile_or_global(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @tile_or_global.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @tile_or_global.tile, i32 %m
  %c = icmp ult i32 %t, 32
  %wide = addrspacecast ptr addrspace(3) %at to ptr
  %both = select i1 %c, ptr %wide, ptr %q
  %x = load atomic i32, ptr %both monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @given_away(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @given_away.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @given_away.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @takes(ptr addrspace(3) %own)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @stored(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @stored.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @stored.tile, i32 %m
  store ptr addrspace(3) %own, ptr %q, align 8
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @a_number(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @a_number.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @a_number.tile, i32 %m
  %a = ptrtoint ptr addrspace(3) %own to i32
  %b = inttoptr i32 %a to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %b, align 4
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @compared(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @compared.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @compared.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) %own to i32
  %w = zext i32 %a to i64
  store atomic i64 %w, ptr addrspace(3) @compared.names monotonic, align 8
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load i64, ptr addrspace(3) @compared.names, align 8
  %same = icmp eq i64 %v, %w
  %mask = call i32 @llvm.nvvm.match.any.sync.i64(i32 -1, i64 %w)
  store i1 %same, ptr %q, align 1
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @compared_in_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @compared_in_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @compared_in_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) @compared_in_assembly.tile to i32
  %w = zext i32 %a to i64
  %h = shl nuw i64 %w, 32
  %name = or disjoint i64 %h, 256
  %mask = call i32 asm sideeffect "match.all.sync.b64 $0, $2, $1;", "=r,r,l"(i32 -1, i64 %name)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspace(3) %at, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @more_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @more_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @more_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) @more_assembly.tile to i32
  %w = zext i32 %a to i64
  %h = shl nuw i64 %w, 32
  %name = or disjoint i64 %h, 256
  %mask = call i32 asm sideeffect "match.all.sync.b64 $0, $2, $1; st.shared.b32 [$2], $0;", "=r,r,l"(i32 -1, i64 %name)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @other_assembly(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @other_assembly.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @other_assembly.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  %a = ptrtoint ptr addrspace(3) @other_assembly.tile to i32
  %w = zext i32 %a to i64
  %h = shl nuw i64 %w, 32
  %name = or disjoint i64 %h, 256
  %mask = call i32 asm sideeffect "red.shared.add.u32 [$2], $1; mov.b32 $0, 0;", "=r,r,l"(i32 -1, i64 %name)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @acquired(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @acquired.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @acquired.tile, i32 %m
  store atomic i32 %n, ptr addrspace(3) %own monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at acquire, align 4
  %y = load atomic volatile i32, ptr addrspace(3) %at monotonic, align 4
  store i32 %y, ptr %q, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @update(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = getelementptr i32, ptr addrspace(3) @update.tile, i32 %t
  %at = getelementptr i32, ptr addrspace(3) @update.tile, i32 %m
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %old = atomicrmw add ptr addrspace(3) %own, i32 1 monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @dynamic_tile(ptr %q, i32 %n, i32 %m) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = load atomic i32, ptr addrspace(3) @dynamic monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

define ptx_kernel void @used_by_two(ptr %q) {
  %x = load atomic i32, ptr addrspace(3) @shared_by_two monotonic, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

; Function Attrs: noinline
define void @writes() #5 {
  store i32 1, ptr addrspace(3) @shared_by_two, align 4
  ret void
}

attributes #0 = { convergent nocallback nounwind }
attributes #1 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
attributes #4 = { convergent }
attributes #5 = { noinline }
