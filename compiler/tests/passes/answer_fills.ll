; run: answer_fills
; Whether all threads of a block come to a fill of shared memory: `yes_*` and, of `two`, both. Not if a thread may have
; ended or waited before, if threads come again, or if they may mean different memory.

@place = internal addrspace(3) global [64 x i8] undef
@other = internal addrspace(3) global [64 x i8] undef

declare i1 @__ptyx_all_come_here(ptr, i64)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.trap()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @unknown()

define ptx_kernel void @yes_behind_branches(ptr %p, i1 %c) {
  br i1 %c, label %one, label %other
one:
  store i32 1, ptr %p
  br label %join
other:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %join
join:
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @yes_behind_a_loop_and_a_barrier(ptr %p, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

; The second comes after the first, whose other branch has a barrier in a loop.
define ptx_kernel void @two(ptr %p, i1 %c) {
  %first = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 32)
  br i1 %first, label %easy, label %hard
easy:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %join
hard:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %hard, label %join
join:
  %second = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %second, ptr %p
  ret void
}

define ptx_kernel void @no_some_have_returned(ptr %p, i1 %c) {
  br i1 %c, label %early, label %on
early:
  ret void
on:
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @no_some_have_trapped(ptr %p, i1 %c) {
  br i1 %c, label %early, label %on
early:
  call void @llvm.trap()
  unreachable
on:
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @no_only_some_come(ptr %p, i1 %c) {
  br i1 %c, label %some, label %end
some:
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  br label %end
end:
  ret void
}

; Those that have not come yet may be at the barrier, where others wait in the fill.
define ptx_kernel void @no_some_may_wait_before(ptr %p, i1 %c) {
  br i1 %c, label %some, label %on
some:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %on
on:
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @no_a_barrier_in_a_loop(ptr %p, i1 %c) {
  br label %loop
loop:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %loop, label %on
on:
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @no_in_a_loop(ptr %p, i1 %c) {
  br label %loop
loop:
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store volatile i1 %all, ptr %p
  br i1 %c, label %loop, label %end
end:
  ret void
}

define ptx_kernel void @no_behind_a_call(ptr %p) {
  call void @unknown()
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @no_behind_assembly(ptr %p) {
  call void asm sideeffect "exit;", ""()
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @yes_behind_assembly_that_computes(ptr %p) {
  %one = call i32 asm "mov.u32 $0, 1;", "=r"()
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}

define ptx_kernel void @no_each_its_own(ptr %p, i64 %bytes) {
  %own = call i1 @__ptyx_all_come_here(ptr %p, i64 64)
  %part = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 %bytes)
  store volatile i1 %own, ptr %p
  store volatile i1 %part, ptr %p
  ret void
}

define void @no_kernel(ptr %p) {
  %all = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 64)
  store i1 %all, ptr %p
  ret void
}


; The barrier between fills of two places is left out; not if the second place was used before, or if the memory of the block is
; used between them.
define ptx_kernel void @two_places(ptr %p) {
  %first = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 32)
  br i1 %first, label %easy, label %hard
easy:
  store i32 1, ptr addrspacecast (ptr addrspace(3) @place to ptr)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %join
hard:
  store i32 2, ptr addrspacecast (ptr addrspace(3) @place to ptr)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %join
join:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %second = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @other to ptr), i64 32)
  store i32 %t, ptr addrspacecast (ptr addrspace(3) @other to ptr)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i1 %second, ptr %p
  ret void
}

define ptx_kernel void @one_place_twice(ptr %p) {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @place to ptr)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %second = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @place to ptr), i64 32)
  store i32 2, ptr addrspacecast (ptr addrspace(3) @place to ptr)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i1 %second, ptr %p
  ret void
}

define ptx_kernel void @used_between(ptr %p) {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @place to ptr)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspacecast (ptr addrspace(3) @place to ptr)
  %second = call i1 @__ptyx_all_come_here(ptr addrspacecast (ptr addrspace(3) @other to ptr), i64 32)
  store i32 %x, ptr addrspacecast (ptr addrspace(3) @other to ptr)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i1 %second, ptr %p
  ret void
}

; becomes:
@place = internal addrspace(3) global [64 x i8] undef
@other = internal addrspace(3) global [64 x i8] undef

declare i1 @__ptyx_all_come_here(ptr, i64)

; Function Attrs: convergent nocallback nounwind
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32) #0

; Function Attrs: cold noreturn nounwind memory(inaccessiblemem: write)
declare void @llvm.trap() #1

; Function Attrs: nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #2

declare void @unknown()

define ptx_kernel void @yes_behind_branches(ptr %p, i1 %c) {
  br i1 %c, label %one, label %other

one:                                              ; preds = %0
  store i32 1, ptr %p, align 4
  br label %join

other:                                            ; preds = %0
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %join

join:                                             ; preds = %other, %one
  store i1 true, ptr %p, align 1
  ret void
}

define ptx_kernel void @yes_behind_a_loop_and_a_barrier(ptr %p, i32 %n) {
  br label %loop

loop:                                             ; preds = %loop, %0
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store volatile i32 %i, ptr %p, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:                                             ; preds = %loop
  store i1 true, ptr %p, align 1
  ret void
}

define ptx_kernel void @two(ptr %p, i1 %c) {
  br i1 true, label %easy, label %hard

easy:                                             ; preds = %0
  br label %join

hard:                                             ; preds = %hard, %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %hard, label %join

join:                                             ; preds = %hard, %easy
  store i1 true, ptr %p, align 1
  ret void
}

define ptx_kernel void @no_some_have_returned(ptr %p, i1 %c) {
  br i1 %c, label %early, label %on

early:                                            ; preds = %0
  ret void

on:                                               ; preds = %0
  store i1 false, ptr %p, align 1
  ret void
}

define ptx_kernel void @no_some_have_trapped(ptr %p, i1 %c) {
  br i1 %c, label %early, label %on

early:                                            ; preds = %0
  call void @llvm.trap()
  unreachable

on:                                               ; preds = %0
  store i1 false, ptr %p, align 1
  ret void
}

define ptx_kernel void @no_only_some_come(ptr %p, i1 %c) {
  br i1 %c, label %some, label %end

some:                                             ; preds = %0
  store i1 false, ptr %p, align 1
  br label %end

end:                                              ; preds = %some, %0
  ret void
}

define ptx_kernel void @no_some_may_wait_before(ptr %p, i1 %c) {
  br i1 %c, label %some, label %on

some:                                             ; preds = %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %on

on:                                               ; preds = %some, %0
  store i1 false, ptr %p, align 1
  ret void
}

define ptx_kernel void @no_a_barrier_in_a_loop(ptr %p, i1 %c) {
  br label %loop

loop:                                             ; preds = %loop, %0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %c, label %loop, label %on

on:                                               ; preds = %loop
  store i1 false, ptr %p, align 1
  ret void
}

define ptx_kernel void @no_in_a_loop(ptr %p, i1 %c) {
  br label %loop

loop:                                             ; preds = %loop, %0
  store volatile i1 false, ptr %p, align 1
  br i1 %c, label %loop, label %end

end:                                              ; preds = %loop
  ret void
}

define ptx_kernel void @no_behind_a_call(ptr %p) {
  call void @unknown()
  store i1 false, ptr %p, align 1
  ret void
}

define ptx_kernel void @no_behind_assembly(ptr %p) {
  call void asm sideeffect "exit;", ""()
  store i1 false, ptr %p, align 1
  ret void
}

define ptx_kernel void @yes_behind_assembly_that_computes(ptr %p) {
  %one = call i32 asm "mov.u32 $0, 1;", "=r"()
  store i1 true, ptr %p, align 1
  ret void
}

define ptx_kernel void @no_each_its_own(ptr %p, i64 %bytes) {
  store volatile i1 false, ptr %p, align 1
  store volatile i1 false, ptr %p, align 1
  ret void
}

define void @no_kernel(ptr %p) {
  store i1 false, ptr %p, align 1
  ret void
}

define ptx_kernel void @two_places(ptr %p) {
  br i1 true, label %easy, label %hard

easy:                                             ; preds = %0
  store i32 1, ptr addrspacecast (ptr addrspace(3) @place to ptr), align 4
  br label %join

hard:                                             ; preds = %0
  store i32 2, ptr addrspacecast (ptr addrspace(3) @place to ptr), align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %join

join:                                             ; preds = %hard, %easy
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr addrspacecast (ptr addrspace(3) @other to ptr), align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i1 true, ptr %p, align 1
  ret void
}

define ptx_kernel void @one_place_twice(ptr %p) {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @place to ptr), align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 2, ptr addrspacecast (ptr addrspace(3) @place to ptr), align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i1 true, ptr %p, align 1
  ret void
}

define ptx_kernel void @used_between(ptr %p) {
  store i32 1, ptr addrspacecast (ptr addrspace(3) @place to ptr), align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = load i32, ptr addrspacecast (ptr addrspace(3) @place to ptr), align 4
  store i32 %x, ptr addrspacecast (ptr addrspace(3) @other to ptr), align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i1 true, ptr %p, align 1
  ret void
}

attributes #0 = { convergent nocallback nounwind }
attributes #1 = { cold noreturn nounwind memory(inaccessiblemem: write) }
attributes #2 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
