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
