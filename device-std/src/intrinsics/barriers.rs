//! Barriers of blocks and warps, and fences.

intrinsics! {
    // PTX ISA, "Parallel Synchronization and Communication Instructions": barriers and fences.
    fn barrier(barrier: u32) =
        nvvm("llvm.nvvm.barrier.cta.sync.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.sync.all");
    // For threads that need not come together: what safety relies on.
    fn barrier_of_threads(barrier: u32) = nvvm("llvm.nvvm.barrier.cta.sync.all");
    fn barrier_count(barrier: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.popc.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.red.popc.all");
    fn barrier_and(barrier: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.and.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.red.and.all");
    fn barrier_or(barrier: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.or.aligned.all"),
        unaligned("llvm.nvvm.barrier.cta.red.or.all");
    fn elect(mask: u32) -> u32 =
        asm("{ .reg .pred %is; elect.sync _|%is, $1; selp.b32 $0, 1, 0, %is; }"), needs(sm_90, ptx 8.0);
    fn warp_barrier(mask: u32) = nvvm("llvm.nvvm.bar.warp.sync");
    fn atomic_fence(how: u32) = atomic(fence);
    fn named_sync(barrier: u32, threads: u32) =
        nvvm("llvm.nvvm.barrier.cta.sync.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.sync.count");
    fn named_arrive(barrier: u32, threads: u32) =
        nvvm("llvm.nvvm.barrier.cta.arrive.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.arrive.count");
    fn named_sync_count(barrier: u32, threads: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.popc.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.red.popc.count");
    fn named_sync_and(barrier: u32, threads: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.and.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.red.and.count");
    fn named_sync_or(barrier: u32, threads: u32, predicate: u32) -> u32 =
        nvvm("llvm.nvvm.barrier.cta.red.or.aligned.count"),
        unaligned("llvm.nvvm.barrier.cta.red.or.count");
}
