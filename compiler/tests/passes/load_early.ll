; run: load_early
; Loads in consecutive branches are issued before the stores between them, each under its own condition.

@tile = internal addrspace(3) global [64 x float] undef
declare void @barrier() convergent
declare void @llvm.assume(i1)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare void @llvm.nvvm.bar.warp.sync(i32)

; Each element of a tile is loaded by the threads whose element is inside the matrix.
define void @tiles(i32 %i, i32 %n, ptr noalias readonly %p) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  %at.one = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at.one
  store float %x, ptr addrspace(3) @tile
  br label %two
two:
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at.two = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at.two
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %y, ptr addrspace(3) %t
  br label %four
four:
  ret void
}

; A branch with two conditions becomes one with a single condition. Threads that skip it bring the same value.
define float @nested(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  %k = mul nsw i32 %i, 3
  %inner = icmp ugt i32 %k, 31
  %small = icmp ult i32 %i, 100
  call void @llvm.assume(i1 %small)
  br i1 %inner, label %two, label %body
body:
  %at.one = getelementptr float, ptr %p, i32 %k
  %x = load float, ptr %at.one
  store float %x, ptr %q
  br label %two
two:
  %v = phi float [ 1.0, %0 ], [ 1.0, %one ], [ %x, %body ]
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at.two = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at.two
  store float %y, ptr %q
  br label %four
four:
  ret float %v
}

; Loads of shared memory are made before stores to global memory.
define void @spaces(i32 %i, i32 %n, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  %x = load float, ptr addrspace(3) @tile
  store float %x, ptr %q
  br label %two
two:
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %y = load float, ptr addrspace(3) %t
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; The first branch may store what the second one loads.
define void @written(i32 %i, i32 %n, ptr %p) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr %p
  br label %two
two:
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  store float %y, ptr addrspace(3) @tile
  br label %four
four:
  ret void
}

; Threads meet at a barrier between the branches.
define void @meet(i32 %i, i32 %n, ptr noalias readonly %p) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  call void @barrier()
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  store float %y, ptr addrspace(3) @tile
  br label %four
four:
  ret void
}

; The second condition depends on what the first branch has loaded.
define void @dependent(i32 %i, i32 %n, ptr noalias readonly %p) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  %at.one = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %at.one
  store i32 %x, ptr addrspace(3) @tile
  br label %two
two:
  %v = phi i32 [ 0, %0 ], [ %x, %one ]
  %second = icmp slt i32 %v, %n
  br i1 %second, label %three, label %four
three:
  %at.two = getelementptr i32, ptr %p, i32 %v
  %y = load i32, ptr %at.two
  store i32 %y, ptr addrspace(3) @tile
  br label %four
four:
  ret void
}

; Threads of a warp exchange values between the branches, which orders no accesses.
define void @exchange(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31)
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %first)
  %c = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %i)
  %d = call i32 @llvm.nvvm.redux.sync.add(i32 %i, i32 -1)
  store i32 %a, ptr %q
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; The second condition depends on what they exchange.
define void @depends_on_exchange(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %first)
  %j = add nsw i32 %i, 8
  %second = and i1 %b, %first
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; So does the place of what is loaded.
define void @place_of_exchange(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  %k = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %k
  %y = load float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; The threads of a warp meet, and see what others have stored.
define void @meet_in_warp(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; Something is added that other threads see.
define void @atomic(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  %old = atomicrmw add ptr %q, i32 1 monotonic
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; Accesses that stay in order.
define void @in_order(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  store volatile i32 1, ptr %q
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; A fence.
define void @fence(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  fence acquire
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; A store to the space of what is loaded stays before it, though values are exchanged behind it.
define void @same_space(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %first)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr addrspace(3) @tile, i32 %j
  %y = load float, ptr addrspace(3) %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

; What is loaded changes at any time.
define void @loads_volatile(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two
one:
  store float 2.0, ptr addrspace(3) @tile
  br label %two
two:
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %first)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four
three:
  %at = getelementptr float, ptr %p, i32 %j
  %y = load volatile float, ptr %at
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to
  br label %four
four:
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; What no thread writes is loaded before a barrier; what is calculated for it goes along.
define void @behind_barrier(i32 %i, ptr noalias readonly %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %j = add i32 %i, 3
  %at = getelementptr float, ptr %p, i32 %j
  %x = load float, ptr %at
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t
  ret void
}

; What threads may have written before the barrier is not.
define void @written_before_barrier(i32 %i, ptr %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t
  ret void
}

; Nor what is behind a call, which may not return.
define void @behind_call(i32 %i, ptr noalias readonly %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @barrier()
  %at = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t
  ret void
}

; Under its conditions, with cells; threads outside compute something else.
define i32 @branch_behind_barrier(i32 %i, i32 %n, ptr noalias readonly %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %outside = icmp slt i32 %i, 0
  br i1 %outside, label %else, label %more
else:
  %a = mul i32 %i, 3
  br label %join
more:
  %b = mul i32 %i, 3
  %large = icmp sge i32 %i, %n
  br i1 %large, label %join, label %body
body:
  %at = getelementptr i32, ptr %p, i32 %b
  %x = load i32, ptr %at
  %t = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  store atomic i32 %x, ptr addrspace(3) %t monotonic, align 4
  br label %join
join:
  %c = phi i32 [ %a, %else ], [ %b, %more ], [ %b, %body ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i32 %c
}

; In a loop, the load stays behind the barrier.
define void @barrier_in_loop(i32 %n, ptr noalias readonly %p) {
  br label %body
body:
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body
exit:
  ret void
}


; Of an index that is loaded and what it selects, the first is loaded before the barrier.
define void @gather(i32 %i, ptr noalias readonly %p, ptr noalias readonly %q) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr i32, ptr %p, i32 %i
  %k = load i32, ptr %at, !ptyx.is_valid !9
  %of = getelementptr float, ptr %q, i32 %k
  %x = load float, ptr %of, !ptyx.is_valid !9
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t
  ret void
}
!9 = !{}

; becomes:
@tile = internal addrspace(3) global [64 x float] undef

; Function Attrs: convergent
declare void @barrier() #0

; Function Attrs: nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write)
declare void @llvm.assume(i1 noundef) #1

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32) #2

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32) #2

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #3

define void @tiles(i32 %i, i32 %n, ptr noalias readonly %p) {
start:
  %0 = icmp slt i32 %i, %n
  %1 = getelementptr float, ptr %p, i32 %i
  %2 = add i32 %i, 8
  %3 = icmp slt i32 %2, %n
  %4 = getelementptr float, ptr %p, i32 %2
  br i1 %0, label %start2, label %start1

start2:                                           ; preds = %start
  %5 = load float, ptr %1, align 4
  br label %start1

start1:                                           ; preds = %start, %start2
  %6 = phi float [ %5, %start2 ], [ undef, %start ]
  br i1 %3, label %start4, label %start3

start4:                                           ; preds = %start1
  %7 = load float, ptr %4, align 4
  br label %start3

start3:                                           ; preds = %start1, %start4
  %8 = phi float [ %7, %start4 ], [ undef, %start1 ]
  br label %9

9:                                                ; preds = %start3
  br i1 %0, label %one, label %two

one:                                              ; preds = %9
  store float %6, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %9
  br i1 %3, label %three, label %four

three:                                            ; preds = %two
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %8, ptr addrspace(3) %t, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define float @nested(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
start:
  %0 = icmp slt i32 %i, %n
  %1 = mul i32 %i, 3
  %2 = icmp ugt i32 %1, 31
  %3 = getelementptr float, ptr %p, i32 %1
  %4 = add i32 %i, 8
  %5 = icmp slt i32 %4, %n
  %6 = getelementptr float, ptr %p, i32 %4
  %7 = xor i1 %2, true
  %8 = select i1 %0, i1 %7, i1 false
  br i1 %8, label %start2, label %start1

start2:                                           ; preds = %start
  %9 = load float, ptr %3, align 4
  br label %start1

start1:                                           ; preds = %start, %start2
  %10 = phi float [ %9, %start2 ], [ undef, %start ]
  br i1 %5, label %start4, label %start3

start4:                                           ; preds = %start1
  %11 = load float, ptr %6, align 4
  br label %start3

start3:                                           ; preds = %start1, %start4
  %12 = phi float [ %11, %start4 ], [ undef, %start1 ]
  br label %13

13:                                               ; preds = %start3
  %14 = icmp ult i32 %i, 100
  br i1 %8, label %body, label %two

body:                                             ; preds = %13
  store float %10, ptr %q, align 4
  br label %two

two:                                              ; preds = %13, %body
  %15 = phi float [ 1.000000e+00, %13 ], [ %10, %body ]
  br i1 %5, label %three, label %four

three:                                            ; preds = %two
  store float %12, ptr %q, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret float %15
}

define void @spaces(i32 %i, i32 %n, ptr %q) {
start:
  %0 = icmp slt i32 %i, %n
  %1 = add i32 %i, 8
  %2 = icmp slt i32 %1, %n
  %3 = getelementptr float, ptr addrspace(3) @tile, i32 %i
  br i1 %0, label %start2, label %start1

start2:                                           ; preds = %start
  %4 = load float, ptr addrspace(3) @tile, align 4
  br label %start1

start1:                                           ; preds = %start, %start2
  %5 = phi float [ %4, %start2 ], [ undef, %start ]
  br i1 %2, label %start4, label %start3

start4:                                           ; preds = %start1
  %6 = load float, ptr addrspace(3) %3, align 4
  br label %start3

start3:                                           ; preds = %start1, %start4
  %7 = phi float [ %6, %start4 ], [ undef, %start1 ]
  br label %8

8:                                                ; preds = %start3
  br i1 %0, label %one, label %two

one:                                              ; preds = %8
  store float %5, ptr %q, align 4
  br label %two

two:                                              ; preds = %one, %8
  br i1 %2, label %three, label %four

three:                                            ; preds = %two
  %to = getelementptr float, ptr %q, i32 %1
  store float %7, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @written(i32 %i, i32 %n, ptr %p) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr %p, align 4
  br label %two

two:                                              ; preds = %one, %0
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at, align 4
  store float %y, ptr addrspace(3) @tile, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @meet(i32 %i, i32 %n, ptr noalias readonly %p) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  call void @barrier()
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at, align 4
  store float %y, ptr addrspace(3) @tile, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @dependent(i32 %i, i32 %n, ptr noalias readonly %p) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  %at.one = getelementptr i32, ptr %p, i32 %i
  %x = load i32, ptr %at.one, align 4
  store i32 %x, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  %v = phi i32 [ 0, %0 ], [ %x, %one ]
  %second = icmp slt i32 %v, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at.two = getelementptr i32, ptr %p, i32 %v
  %y = load i32, ptr %at.two, align 4
  store i32 %y, ptr addrspace(3) @tile, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @exchange(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
start:
  %0 = icmp slt i32 %i, %n
  %1 = add i32 %i, 8
  %2 = icmp slt i32 %1, %n
  %3 = getelementptr float, ptr %p, i32 %1
  br i1 %2, label %start2, label %start1

start2:                                           ; preds = %start
  %4 = load float, ptr %3, align 4
  br label %start1

start1:                                           ; preds = %start, %start2
  %5 = phi float [ %4, %start2 ], [ undef, %start ]
  br label %6

6:                                                ; preds = %start1
  br i1 %0, label %one, label %two

one:                                              ; preds = %6
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %6
  %a = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31)
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %0)
  %c = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %i)
  %d = call i32 @llvm.nvvm.redux.sync.add(i32 %i, i32 -1)
  store i32 %a, ptr %q, align 4
  br i1 %2, label %three, label %four

three:                                            ; preds = %two
  %to = getelementptr float, ptr %q, i32 %1
  store float %5, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @depends_on_exchange(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %first)
  %j = add nsw i32 %i, 8
  %second = and i1 %b, %first
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @place_of_exchange(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  %k = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %k
  %y = load float, ptr %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @meet_in_warp(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @atomic(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  %old = atomicrmw add ptr %q, i32 1 monotonic, align 4
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @in_order(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  store volatile i32 1, ptr %q, align 4
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @fence(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  fence acquire
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load float, ptr %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @same_space(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %first)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr addrspace(3) @tile, i32 %j
  %y = load float, ptr addrspace(3) %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

define void @loads_volatile(i32 %i, i32 %n, ptr noalias readonly %p, ptr %q) {
  %first = icmp slt i32 %i, %n
  br i1 %first, label %one, label %two

one:                                              ; preds = %0
  store float 2.000000e+00, ptr addrspace(3) @tile, align 4
  br label %two

two:                                              ; preds = %one, %0
  %b = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %first)
  %j = add nsw i32 %i, 8
  %second = icmp slt i32 %j, %n
  br i1 %second, label %three, label %four

three:                                            ; preds = %two
  %at = getelementptr float, ptr %p, i32 %j
  %y = load volatile float, ptr %at, align 4
  %to = getelementptr float, ptr %q, i32 %j
  store float %y, ptr %to, align 4
  br label %four

four:                                             ; preds = %three, %two
  ret void
}

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #3

define void @behind_barrier(i32 %i, ptr noalias readonly %p) {
start1:
  %0 = add i32 %i, 3
  %1 = getelementptr float, ptr %p, i32 %0
  %2 = load float, ptr %1, align 4
  br label %start

start:                                            ; preds = %start1
  br label %3

3:                                                ; preds = %start
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %2, ptr addrspace(3) %t, align 4
  ret void
}

define void @written_before_barrier(i32 %i, ptr %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at, align 4
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t, align 4
  ret void
}

define void @behind_call(i32 %i, ptr noalias readonly %p) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @barrier()
  %at = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at, align 4
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t, align 4
  ret void
}

define i32 @branch_behind_barrier(i32 %i, i32 %n, ptr noalias readonly %p) {
start1:
  %0 = icmp slt i32 %i, 0
  %1 = mul i32 %i, 3
  %2 = icmp sge i32 %i, %n
  %3 = getelementptr i32, ptr %p, i32 %1
  %4 = xor i1 %0, true
  %5 = xor i1 %2, true
  %6 = select i1 %4, i1 %5, i1 false
  br i1 %6, label %start3, label %start2

start3:                                           ; preds = %start1
  %7 = load i32, ptr %3, align 4
  br label %start2

start2:                                           ; preds = %start1, %start3
  %8 = phi i32 [ %7, %start3 ], [ undef, %start1 ]
  br label %start

start:                                            ; preds = %start2
  br label %9

9:                                                ; preds = %start
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %0, label %else, label %more

else:                                             ; preds = %9
  %a = mul i32 %i, 3
  br label %join

more:                                             ; preds = %9
  br i1 %2, label %join, label %body

body:                                             ; preds = %more
  %t = getelementptr i32, ptr addrspace(3) @tile, i32 %i
  store atomic i32 %8, ptr addrspace(3) %t monotonic, align 4
  br label %join

join:                                             ; preds = %body, %more, %else
  %c = phi i32 [ %a, %else ], [ %1, %more ], [ %1, %body ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i32 %c
}

define void @barrier_in_loop(i32 %n, ptr noalias readonly %p) {
  br label %body

body:                                             ; preds = %body, %0
  %i = phi i32 [ 0, %0 ], [ %next, %body ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %at = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %at, align 4
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t, align 4
  %next = add i32 %i, 1
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %body

exit:                                             ; preds = %body
  ret void
}

define void @gather(i32 %i, ptr noalias readonly %p, ptr noalias readonly %q) {
start1:
  %0 = getelementptr i32, ptr %p, i32 %i
  %1 = load i32, ptr %0, align 4, !ptyx.is_valid !0
  br label %start

start:                                            ; preds = %start1
  br label %2

2:                                                ; preds = %start
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %of = getelementptr float, ptr %q, i32 %1
  %x = load float, ptr %of, align 4, !ptyx.is_valid !0
  %t = getelementptr float, ptr addrspace(3) @tile, i32 %i
  store float %x, ptr addrspace(3) %t, align 4
  ret void
}

attributes #0 = { convergent }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(inaccessiblemem: write) }
attributes #2 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #3 = { convergent nocallback nounwind }

!0 = !{}
