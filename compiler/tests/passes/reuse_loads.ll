; run: reuse_loads
; Relaxed loads of shared memory return what the thread has loaded from there, or stored, if nothing between orders memory.

@tile = internal addrspace(3) global [64 x i32] undef
@other = internal addrspace(3) global [64 x i32] undef
@dynamic = external addrspace(3) global [0 x i8]

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.umin.i32(i32, i32)
declare void @unknown()

; One address, computed in several ways: element i + 3.
define ptx_kernel void @ways(ptr %q, i32 %i, i64 %row) {
  %sum = add nuw nsw i32 %i, 3
  %wide = zext i32 %sum to i64
  %at.1 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide
  %a = load atomic i32, ptr %at.1 monotonic, align 4
  %narrow = zext i32 %i to i64
  %at.2 = getelementptr i32, ptr addrspace(3) @tile, i64 %narrow
  %at.3 = getelementptr i8, ptr addrspace(3) %at.2, i64 12
  %b = load atomic i32, ptr addrspace(3) %at.3 monotonic, align 4
  %bytes = shl i64 %narrow, 2
  %more = or disjoint i64 %bytes, 12
  %at.4 = getelementptr i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %more
  %c = load atomic i32, ptr %at.4 monotonic, align 4
  %back = sub i64 %wide, %row
  %forth = add i64 %row, %back
  %at.5 = getelementptr i32, ptr addrspace(3) @tile, i64 %forth
  %d = load atomic i32, ptr addrspace(3) %at.5 monotonic, align 4
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %all = add i32 %ab, %cd
  store i32 %all, ptr %q
  ret void
}

; Where the sum may wrap around, or has another sign, it may be another element.
define ptx_kernel void @wraps(ptr %q, i32 %i) {
  %sum = add i32 %i, 3
  %wide = zext i32 %sum to i64
  %at.1 = getelementptr i32, ptr addrspace(3) @tile, i64 %wide
  %a = load atomic i32, ptr addrspace(3) %at.1 monotonic, align 4
  %narrow = zext i32 %i to i64
  %at.2 = getelementptr i32, ptr addrspace(3) @tile, i64 %narrow
  %at.3 = getelementptr i8, ptr addrspace(3) %at.2, i64 12
  %b = load atomic i32, ptr addrspace(3) %at.3 monotonic, align 4
  %signed = add nsw i32 %i, 3
  %extended = sext i32 %signed to i64
  %at.4 = getelementptr i32, ptr addrspace(3) @tile, i64 %extended
  %c = load atomic i32, ptr addrspace(3) %at.4 monotonic, align 4
  %product = mul nsw i32 %i, -1
  %negative = sext i32 %product to i64
  %at.5 = getelementptr i32, ptr addrspace(3) @tile, i64 %negative
  %d = load atomic i32, ptr addrspace(3) %at.5 monotonic, align 4
  %less = sub i64 0, %narrow
  %at.6 = getelementptr i32, ptr addrspace(3) @tile, i64 %less
  %e = load atomic i32, ptr addrspace(3) %at.6 monotonic, align 4
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %abcd = add i32 %ab, %cd
  %all = add i32 %abcd, %e
  store i32 %all, ptr %q
  ret void
}

; What is stored is known, and stores beside it, or to other memory, change nothing.
define ptx_kernel void @stores(ptr %q, i64 %i, i32 %x) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  store atomic i32 %x, ptr addrspace(3) %at monotonic, align 4
  %next = getelementptr i8, ptr addrspace(3) %at, i64 4
  store atomic i32 1, ptr addrspace(3) %next monotonic, align 4
  store i32 2, ptr addrspace(3) @other
  store i32 3, ptr %q
  %a = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %b = load atomic i32, ptr addrspace(3) %next monotonic, align 4
  %sum = add i32 %a, %b
  store i32 %sum, ptr %q
  ret void
}

; These may change it.
define ptx_kernel void @changes(ptr %q, i64 %i, i64 %j, ptr addrspace(3) %p) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %any = getelementptr i32, ptr addrspace(3) @tile, i64 %j
  store atomic i32 1, ptr addrspace(3) %any monotonic, align 4
  %b = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %half = getelementptr i8, ptr addrspace(3) %at, i64 2
  store i16 1, ptr addrspace(3) %half
  %c = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %old = atomicrmw add ptr addrspace(3) %at, i32 1 monotonic
  %d = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 1, ptr addrspace(3) %p
  %e = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %in.dynamic = getelementptr i32, ptr addrspace(3) @dynamic, i64 %i
  store i32 1, ptr addrspace(3) %in.dynamic
  %f = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %ef = add i32 %e, %f
  %abcd = add i32 %ab, %cd
  %all = add i32 %abcd, %ef
  store i32 %all, ptr %q
  ret void
}

; Behind what orders memory, the cell is loaded anew.
define ptx_kernel void @ordered(ptr %q, i64 %i) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %c = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %vote = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %d = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  fence acquire
  %e = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %flag = load atomic i32, ptr %q acquire, align 4
  %f = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %found = cmpxchg ptr %q, i32 0, i32 1 monotonic monotonic
  %g = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void asm sideeffect "membar.cta;", ""()
  %h = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @unknown()
  %k = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %l = load volatile i32, ptr addrspace(3) %at
  %m = load atomic i32, ptr addrspace(3) %at acquire, align 4
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %ef = add i32 %e, %f
  %gh = add i32 %g, %h
  %kl = add i32 %k, %l
  %abcd = add i32 %ab, %cd
  %efgh = add i32 %ef, %gh
  %klm = add i32 %kl, %m
  %most = add i32 %abcd, %efgh
  %all = add i32 %most, %klm
  store i32 %all, ptr %q
  ret void
}

; Calls that only compute don't.
define ptx_kernel void @computed(ptr %q, i64 %i) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %least = call i32 @llvm.umin.i32(i32 %a, i32 %thread)
  %b = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %sum = add i32 %least, %b
  store i32 %sum, ptr %q
  ret void
}

; A loop that waits sees the store that it waits for. Behind it, what it has seen is known.
define ptx_kernel void @waits(ptr %q) {
  %first = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  br label %loop
loop:
  %now = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  %same = icmp eq i32 %now, %first
  br i1 %same, label %loop, label %exit
exit:
  %last = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  store i32 %last, ptr %q
  ret void
}

; Where paths join, what is known on all of them.
define ptx_kernel void @joins(ptr %q, i1 %c) {
  %a = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  %b = load atomic i32, ptr addrspace(3) @other monotonic, align 4
  br i1 %c, label %stores, label %none
stores:
  store atomic i32 7, ptr addrspace(3) @other monotonic, align 4
  br label %both
none:
  br label %both
both:
  %a.2 = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  %b.2 = load atomic i32, ptr addrspace(3) @other monotonic, align 4
  %as = add i32 %a, %a.2
  %bs = add i32 %b, %b.2
  %all = add i32 %as, %bs
  store i32 %all, ptr %q
  ret void
}

; Other types, other scopes, global memory: loaded as they are.
define ptx_kernel void @others(ptr %q) {
  %a = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  %b = load atomic i16, ptr addrspace(3) @tile monotonic, align 4
  %c = load atomic float, ptr addrspace(3) @tile monotonic, align 4
  %d = load atomic i32, ptr addrspace(3) @tile syncscope("block") monotonic, align 4
  %e = load atomic i32, ptr %q monotonic, align 4
  %f = load atomic i32, ptr %q monotonic, align 4
  store volatile i32 %a, ptr %q
  store volatile i16 %b, ptr %q
  store volatile float %c, ptr %q
  store volatile i32 %d, ptr %q
  store volatile i32 %e, ptr %q
  store volatile i32 %f, ptr %q
  ret void
}

; becomes:
@tile = internal addrspace(3) global [64 x i32] undef
@other = internal addrspace(3) global [64 x i32] undef
@dynamic = external addrspace(3) global [0 x i8]

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.bar.warp.sync(i32) #0

; Function Attrs: convergent nocallback nounwind memory(inaccessiblemem: readwrite)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1) #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

; Function Attrs: nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none)
declare i32 @llvm.umin.i32(i32, i32) #3

declare void @unknown()

define ptx_kernel void @ways(ptr %q, i32 %i, i64 %row) {
  %sum = add nuw nsw i32 %i, 3
  %wide = zext i32 %sum to i64
  %at.1 = getelementptr i32, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %wide
  %a = load atomic i32, ptr %at.1 monotonic, align 4
  %narrow = zext i32 %i to i64
  %at.2 = getelementptr i32, ptr addrspace(3) @tile, i64 %narrow
  %at.3 = getelementptr i8, ptr addrspace(3) %at.2, i64 12
  %bytes = shl i64 %narrow, 2
  %more = or disjoint i64 %bytes, 12
  %at.4 = getelementptr i8, ptr addrspacecast (ptr addrspace(3) @tile to ptr), i64 %more
  %back = sub i64 %wide, %row
  %forth = add i64 %row, %back
  %at.5 = getelementptr i32, ptr addrspace(3) @tile, i64 %forth
  %ab = add i32 %a, %a
  %cd = add i32 %a, %a
  %all = add i32 %ab, %cd
  store i32 %all, ptr %q, align 4
  ret void
}

define ptx_kernel void @wraps(ptr %q, i32 %i) {
  %sum = add i32 %i, 3
  %wide = zext i32 %sum to i64
  %at.1 = getelementptr i32, ptr addrspace(3) @tile, i64 %wide
  %a = load atomic i32, ptr addrspace(3) %at.1 monotonic, align 4
  %narrow = zext i32 %i to i64
  %at.2 = getelementptr i32, ptr addrspace(3) @tile, i64 %narrow
  %at.3 = getelementptr i8, ptr addrspace(3) %at.2, i64 12
  %b = load atomic i32, ptr addrspace(3) %at.3 monotonic, align 4
  %signed = add nsw i32 %i, 3
  %extended = sext i32 %signed to i64
  %at.4 = getelementptr i32, ptr addrspace(3) @tile, i64 %extended
  %c = load atomic i32, ptr addrspace(3) %at.4 monotonic, align 4
  %product = mul nsw i32 %i, -1
  %negative = sext i32 %product to i64
  %at.5 = getelementptr i32, ptr addrspace(3) @tile, i64 %negative
  %d = load atomic i32, ptr addrspace(3) %at.5 monotonic, align 4
  %less = sub i64 0, %narrow
  %at.6 = getelementptr i32, ptr addrspace(3) @tile, i64 %less
  %e = load atomic i32, ptr addrspace(3) %at.6 monotonic, align 4
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %abcd = add i32 %ab, %cd
  %all = add i32 %abcd, %e
  store i32 %all, ptr %q, align 4
  ret void
}

define ptx_kernel void @stores(ptr %q, i64 %i, i32 %x) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  store atomic i32 %x, ptr addrspace(3) %at monotonic, align 4
  %next = getelementptr i8, ptr addrspace(3) %at, i64 4
  store atomic i32 1, ptr addrspace(3) %next monotonic, align 4
  store i32 2, ptr addrspace(3) @other, align 4
  store i32 3, ptr %q, align 4
  %sum = add i32 %x, 1
  store i32 %sum, ptr %q, align 4
  ret void
}

define ptx_kernel void @changes(ptr %q, i64 %i, i64 %j, ptr addrspace(3) %p) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %any = getelementptr i32, ptr addrspace(3) @tile, i64 %j
  store atomic i32 1, ptr addrspace(3) %any monotonic, align 4
  %b = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %half = getelementptr i8, ptr addrspace(3) %at, i64 2
  store i16 1, ptr addrspace(3) %half, align 2
  %c = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %old = atomicrmw add ptr addrspace(3) %at, i32 1 monotonic, align 4
  %d = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  store i32 1, ptr addrspace(3) %p, align 4
  %e = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %in.dynamic = getelementptr i32, ptr addrspace(3) @dynamic, i64 %i
  store i32 1, ptr addrspace(3) %in.dynamic, align 4
  %f = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %ef = add i32 %e, %f
  %abcd = add i32 %ab, %cd
  %all = add i32 %abcd, %ef
  store i32 %all, ptr %q, align 4
  ret void
}

define ptx_kernel void @ordered(ptr %q, i64 %i) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %b = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %c = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %vote = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)
  %d = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  fence acquire
  %e = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %flag = load atomic i32, ptr %q acquire, align 4
  %f = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %found = cmpxchg ptr %q, i32 0, i32 1 monotonic monotonic, align 4
  %g = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void asm sideeffect "membar.cta;", ""()
  %h = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  call void @unknown()
  %k = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %l = load volatile i32, ptr addrspace(3) %at, align 4
  %m = load atomic i32, ptr addrspace(3) %at acquire, align 4
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %ef = add i32 %e, %f
  %gh = add i32 %g, %h
  %kl = add i32 %k, %l
  %abcd = add i32 %ab, %cd
  %efgh = add i32 %ef, %gh
  %klm = add i32 %kl, %m
  %most = add i32 %abcd, %efgh
  %all = add i32 %most, %klm
  store i32 %all, ptr %q, align 4
  ret void
}

define ptx_kernel void @computed(ptr %q, i64 %i) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %i
  %a = load atomic i32, ptr addrspace(3) %at monotonic, align 4
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %least = call i32 @llvm.umin.i32(i32 %a, i32 %thread)
  %sum = add i32 %least, %a
  store i32 %sum, ptr %q, align 4
  ret void
}

define ptx_kernel void @waits(ptr %q) {
  %first = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  br label %loop

loop:                                             ; preds = %loop, %0
  %now = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  %same = icmp eq i32 %now, %first
  br i1 %same, label %loop, label %exit

exit:                                             ; preds = %loop
  store i32 %now, ptr %q, align 4
  ret void
}

define ptx_kernel void @joins(ptr %q, i1 %c) {
  %a = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  %b = load atomic i32, ptr addrspace(3) @other monotonic, align 4
  br i1 %c, label %stores, label %none

stores:                                           ; preds = %0
  store atomic i32 7, ptr addrspace(3) @other monotonic, align 4
  br label %both

none:                                             ; preds = %0
  br label %both

both:                                             ; preds = %none, %stores
  %b.2 = load atomic i32, ptr addrspace(3) @other monotonic, align 4
  %as = add i32 %a, %a
  %bs = add i32 %b, %b.2
  %all = add i32 %as, %bs
  store i32 %all, ptr %q, align 4
  ret void
}

define ptx_kernel void @others(ptr %q) {
  %a = load atomic i32, ptr addrspace(3) @tile monotonic, align 4
  %b = load atomic i16, ptr addrspace(3) @tile monotonic, align 4
  %c = load atomic float, ptr addrspace(3) @tile monotonic, align 4
  %d = load atomic i32, ptr addrspace(3) @tile syncscope("block") monotonic, align 4
  %e = load atomic i32, ptr %q monotonic, align 4
  %f = load atomic i32, ptr %q monotonic, align 4
  store volatile i32 %a, ptr %q, align 4
  store volatile i16 %b, ptr %q, align 2
  store volatile float %c, ptr %q, align 4
  store volatile i32 %d, ptr %q, align 4
  store volatile i32 %e, ptr %q, align 4
  store volatile i32 %f, ptr %q, align 4
  ret void
}

attributes #0 = { convergent nocallback nounwind }
attributes #1 = { convergent nocallback nounwind memory(inaccessiblemem: readwrite) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #3 = { nocallback nocreateundeforpoison nofree nosync nounwind speculatable willreturn memory(none) }
