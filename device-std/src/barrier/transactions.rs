//! Bytes that a phase waits for, and arrivals from other blocks.

use super::{Barrier, MAX_COUNT, Token};
use crate::intrinsics;

impl Barrier {
    /// Lets the current phase wait for `bytes` more bytes of copies in bulk.
    ///
    /// PTX [`mbarrier.expect_tx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-expect-tx-operation) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn expect_two_tiles(barrier: Barrier) {
    ///     barrier.expect_tx(1024);
    ///     barrier.expect_tx(1024);
    ///     barrier.arrive().forget();
    /// }
    /// ```
    ///
    /// # Panics
    /// If there are more than [`MAX_COUNT`] bytes.
    #[inline(always)]
    #[track_caller]
    pub fn expect_tx(self, bytes: u32) {
        check_bytes(bytes);
        // SAFETY: as in `arrive`.
        unsafe { intrinsics::mbarrier_expect_tx(self.as_mut_ptr(), bytes) }
    }

    /// Arrives, and lets the phase wait for `bytes` more bytes of copies in bulk.
    ///
    /// PTX [`mbarrier.arrive.expect_tx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) (`sm_90`), `cuda::device::barrier_arrive_tx()` of CUDA C++.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::prelude::*;
    ///
    /// /// One thread arrives; the copies that it then starts bring 4096 bytes.
    /// fn announce(barrier: Barrier) {
    ///     if thread::rank() == 0 {
    ///         barrier.arrive_expect_tx(4096).forget();
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If there are more than [`MAX_COUNT`] bytes.
    #[doc(alias = "barrier_arrive_tx")]
    #[inline(always)]
    #[track_caller]
    pub fn arrive_expect_tx(self, bytes: u32) -> Token {
        check_bytes(bytes);
        // SAFETY: as in `arrive`.
        Token(unsafe { intrinsics::mbarrier_arrive_expect_tx(self.as_mut_ptr(), bytes) })
    }

    /// Counts `bytes` bytes as come, as a copy in bulk does: for tests, and for threads that copy themselves.
    ///
    /// PTX [`mbarrier.complete_tx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-complete-tx-operation) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn pretend(barrier: Barrier) {
    ///     let token = barrier.arrive_expect_tx(16);
    ///     barrier.complete_tx(16);
    ///     barrier.wait(token);
    /// }
    /// ```
    ///
    /// # Panics
    /// If there are more than [`MAX_COUNT`] bytes.
    #[inline(always)]
    #[track_caller]
    pub fn complete_tx(self, bytes: u32) {
        check_bytes(bytes);
        // SAFETY: as in `arrive`.
        unsafe { intrinsics::mbarrier_complete_tx(self.as_mut_ptr(), bytes) }
    }

    /// Arrives at the barrier at the same place of shared memory in block `rank` of the cluster.
    ///
    /// PTX [`mapa`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-mapa) and [`mbarrier.arrive.release.cluster.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Tells the cluster's first block that a buffer there is free.
    /// fn release(free: Barrier) {
    ///     // SAFETY: the first block waits for all others before it ends.
    ///     unsafe { free.arrive_remote(0) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank.
    ///
    /// # Safety
    /// That block has initialised its barrier, and has not ended.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn arrive_remote(self, rank: u32) {
        // SAFETY: reads a special register.
        let blocks = unsafe { intrinsics::cluster_nctarank() };
        assert!(rank < blocks, "the cluster has no block of that rank");
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_arrive_remote(self.as_mut_ptr(), rank) }
    }

    /// As [`arrive_remote`](Self::arrive_remote), but earlier writes of this thread may not be visible yet to threads
    /// of other blocks that wait for the phase. It is enough to give back memory that this thread has only read.
    ///
    /// It does not wait, where `arrive_remote` waits for all earlier writes of the thread. PTX
    /// [`mbarrier.arrive.release.cta.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barriers;
    /// use ptyx::prelude::*;
    ///
    /// /// Tells each block of the cluster that this warp has read a stage.
    /// fn release(free: Barriers<4>, stage: usize) {
    ///     if warp::lane() < group::cluster().blocks() {
    ///         // SAFETY: all blocks wait for each other before they end.
    ///         unsafe { free.at(stage).arrive_remote_relaxed(warp::lane()) };
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// As [`arrive_remote`](Self::arrive_remote).
    ///
    /// # Safety
    /// As [`arrive_remote`](Self::arrive_remote).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn arrive_remote_relaxed(self, rank: u32) {
        // SAFETY: reads a special register.
        let blocks = unsafe { intrinsics::cluster_nctarank() };
        assert!(rank < blocks, "the cluster has no block of that rank");
        // SAFETY: as the caller's.
        unsafe { self.arrive_many_remote_relaxed(rank, 1) }
    }

    /// The same with several arrivals.
    ///
    /// # Safety
    /// As [`arrive_remote`](Self::arrive_remote); the cluster has a block of that rank.
    #[inline(always)]
    pub(crate) unsafe fn arrive_many_remote_relaxed(self, rank: u32, count: u32) {
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_arrive_remote_relaxed(self.as_mut_ptr(), rank, count) }
    }
}

#[inline(always)]
#[track_caller]
fn check_bytes(bytes: u32) {
    assert!(bytes <= MAX_COUNT, "a barrier can wait for at most 1048575 bytes");
}
