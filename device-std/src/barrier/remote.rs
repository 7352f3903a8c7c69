//! Barriers of other blocks of the cluster, and waits for what other blocks have done.
//!
//! A barrier that threads of other blocks arrive at is waited for by [`wait_cluster`](Barrier::wait_cluster) or
//! [`wait_phase_cluster`](Barrier::wait_phase_cluster): the arrival is a release in the scope of the cluster, and only an
//! acquire of the same scope makes what those threads wrote visible. [`wait`](Barrier::wait) and
//! [`wait_phase`](Barrier::wait_phase) are acquires in the scope of the block. They are enough for what bulk copies bring,
//! which is visible to those that wait for its bytes, and for memory that the others have only read. The acquire for the
//! cluster costs more: on `sm_90`, the assembler makes it invalidate the L1 cache (`CCTL.IVALL`).

use super::transactions::check_bytes;
use super::{Barrier, MAX_COUNT, Phase, Token};
use crate::intrinsics;

impl Barrier {
    /// Arrives at the barrier at the same place of shared memory in block `rank` of the cluster.
    ///
    /// What this thread wrote before is visible to threads of that block after
    /// [`wait_cluster`](Self::wait_cluster) or [`wait_phase_cluster`](Self::wait_phase_cluster).
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
        // SAFETY: as the caller's.
        unsafe { self.arrive_many_remote(rank, 1) }
    }

    /// [`arrive_remote`](Self::arrive_remote) `count` times at once.
    ///
    /// PTX [`mbarrier.arrive.release.cluster.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) with a count (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::prelude::*;
    ///
    /// /// One lane arrives for its warp.
    /// fn arrive_as_warp(barrier: Barrier) {
    ///     warp::sync(warp::FULL);
    ///     if warp::lane() == 0 {
    ///         // SAFETY: the first block waits for all others before it ends.
    ///         unsafe { barrier.arrive_many_remote(0, warp::SIZE) };
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank, or `count` is zero or more than [`MAX_COUNT`].
    ///
    /// # Safety
    /// As [`arrive_remote`](Self::arrive_remote).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn arrive_many_remote(self, rank: u32, count: u32) {
        check_rank(rank);
        check_count(count);
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_arrive_remote(self.as_mut_ptr(), rank, count) }
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
        check_rank(rank);
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

    /// [`arrive_remote`](Self::arrive_remote) for the last time: later phases of that block's barrier wait for one
    /// arrival less, too.
    ///
    /// PTX [`mbarrier.arrive_drop.release.cluster.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive-drop) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// The first block goes on without this thread.
    /// fn leave(barrier: Barrier) {
    ///     // SAFETY: the first block waits for all others before it ends.
    ///     unsafe { barrier.arrive_and_drop_remote(0) };
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
    pub unsafe fn arrive_and_drop_remote(self, rank: u32) {
        check_rank(rank);
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_arrive_drop_remote(self.as_mut_ptr(), rank, 1) }
    }

    /// [`arrive_remote`](Self::arrive_remote), and lets the phase of that block's barrier wait for `bytes` more bytes of copies in
    /// bulk.
    ///
    /// PTX [`mbarrier.arrive.expect_tx.release.cluster.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::{barrier::Barrier, bulk, shared::Shared};
    ///
    /// /// Announces a tile of 4096 bytes to block `rank`, and sends it.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::shared_to_cluster`].
    /// unsafe fn send(tile: Shared<[f32]>, inbox: Shared<[f32]>, full: Barrier, rank: u32) {
    ///     // SAFETY: as the caller's.
    ///     unsafe {
    ///         full.arrive_expect_tx_remote(rank, 4096);
    ///         bulk::shared_to_cluster(inbox, tile, full, rank);
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank, or there are more than [`MAX_COUNT`] bytes.
    ///
    /// # Safety
    /// As [`arrive_remote`](Self::arrive_remote).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn arrive_expect_tx_remote(self, rank: u32, bytes: u32) {
        check_rank(rank);
        check_bytes(bytes);
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_arrive_expect_tx_remote(self.as_mut_ptr(), rank, bytes) }
    }

    /// [`arrive_expect_tx_remote`](Self::arrive_expect_tx_remote) for the last time: later phases wait for one arrival less.
    ///
    /// PTX [`mbarrier.arrive_drop.expect_tx.release.cluster.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive-drop) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Announces the last tile that this thread sends to the first block.
    /// ///
    /// /// # Safety
    /// /// That block has initialised the barrier, and has not ended.
    /// unsafe fn announce_last(full: Barrier) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { full.arrive_expect_tx_and_drop_remote(0, 4096) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank, or there are more than [`MAX_COUNT`] bytes.
    ///
    /// # Safety
    /// As [`arrive_remote`](Self::arrive_remote).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn arrive_expect_tx_and_drop_remote(self, rank: u32, bytes: u32) {
        check_rank(rank);
        check_bytes(bytes);
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_arrive_drop_expect_tx_remote(self.as_mut_ptr(), rank, bytes) }
    }

    /// Lets the current phase of that block's barrier wait for `bytes` more bytes ([`expect_tx`](Self::expect_tx)). It orders
    /// nothing.
    ///
    /// PTX [`mbarrier.expect_tx.relaxed.cluster.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-expect-tx-operation) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// The first block waits for 16 bytes of this one, too.
    /// ///
    /// /// # Safety
    /// /// That block has initialised the barrier, and has not ended.
    /// unsafe fn announce(full: Barrier) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { full.expect_tx_remote(0, 16) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank, or there are more than [`MAX_COUNT`] bytes.
    ///
    /// # Safety
    /// As [`arrive_remote`](Self::arrive_remote).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn expect_tx_remote(self, rank: u32, bytes: u32) {
        check_rank(rank);
        check_bytes(bytes);
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_expect_tx_remote(self.as_mut_ptr(), rank, bytes) }
    }

    /// Counts `bytes` bytes as arrived at that block's barrier ([`complete_tx`](Self::complete_tx)). It orders nothing.
    ///
    /// PTX [`mbarrier.complete_tx.relaxed.cluster.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-complete-tx-operation) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Takes back what `expect_tx_remote` has announced.
    /// ///
    /// /// # Safety
    /// /// That block has initialised the barrier, and has not ended.
    /// unsafe fn take_back(full: Barrier) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { full.complete_tx_remote(0, 16) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank, or there are more than [`MAX_COUNT`] bytes.
    ///
    /// # Safety
    /// As [`arrive_remote`](Self::arrive_remote).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn complete_tx_remote(self, rank: u32, bytes: u32) {
        check_rank(rank);
        check_bytes(bytes);
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_complete_tx_remote(self.as_mut_ptr(), rank, bytes) }
    }

    /// [`try_wait`](Self::try_wait) that sees what threads of other blocks wrote before they arrived.
    ///
    /// PTX [`mbarrier.try_wait.acquire.cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn meet(barrier: Barrier) {
    ///     let token = barrier.arrive();
    ///     while !barrier.try_wait_cluster(&token) {}
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn try_wait_cluster(self, token: &Token) -> bool {
        // SAFETY: a barrier and a state of it.
        unsafe { intrinsics::mbarrier_try_wait_cluster(self.as_mut_ptr(), token.0) != 0 }
    }

    /// [`wait`](Self::wait) that sees what threads of other blocks wrote before they arrived, by
    /// [`arrive_remote`](Self::arrive_remote) and its like.
    ///
    /// PTX [`mbarrier.try_wait.acquire.cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Waits for this block's thread and others of the cluster.
    /// fn meet(barrier: Barrier) {
    ///     let token = barrier.arrive();
    ///     barrier.wait_cluster(token);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn wait_cluster(self, token: Token) {
        while !self.try_wait_cluster(&token) {}
    }

    /// [`try_wait_phase`](Self::try_wait_phase) that sees what threads of other blocks wrote before they arrived.
    ///
    /// PTX [`mbarrier.try_wait.parity.acquire.cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// fn wait_for_first(barrier: Barrier) {
    ///     while !barrier.try_wait_phase_cluster(Phase::FIRST) {}
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn try_wait_phase_cluster(self, phase: Phase) -> bool {
        // SAFETY: a barrier.
        let done = unsafe {
            intrinsics::mbarrier_try_wait_parity_cluster(self.as_mut_ptr(), phase.parity())
        };
        done != 0
    }

    /// [`wait_phase`](Self::wait_phase) that sees what threads of other blocks wrote before they arrived, by
    /// [`arrive_remote`](Self::arrive_remote) and its like; returns the next phase. On `sm_90` this invalidates the L1 cache, so
    /// use `wait_phase` where nothing is passed on by plain writes of other blocks.
    ///
    /// PTX [`mbarrier.try_wait.parity.acquire.cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::{barrier::{Barrier, Phase}, shared::Shared};
    /// use ptyx::prelude::*;
    ///
    /// /// Each block passes a number to the next one of the cluster. `arrived` waits for one arrival.
    /// fn pass_on(value: f32, inbox: Shared<f32>, arrived: Barrier) -> f32 {
    ///     let cluster = group::cluster();
    ///     let next = (cluster.block_rank() + 1) % cluster.blocks();
    ///     if thread::rank() == 0 {
    ///         // SAFETY: only this thread writes it, and it is read after the wait; the caller lets no block end before.
    ///         unsafe {
    ///             cluster.map_shared_rank(inbox, next).write(value);
    ///             arrived.arrive_remote(next);
    ///         }
    ///     }
    ///     arrived.wait_phase_cluster(Phase::FIRST);
    ///     // SAFETY: as above.
    ///     unsafe { inbox.read() }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn wait_phase_cluster(self, phase: Phase) -> Phase {
        while !self.try_wait_phase_cluster(phase) {}
        phase.next()
    }
}

#[inline(always)]
#[track_caller]
fn check_rank(rank: u32) {
    // SAFETY: reads a special register.
    let blocks = unsafe { intrinsics::cluster_nctarank() };
    assert!(rank < blocks, "the cluster has no block of that rank");
}

#[inline(always)]
#[track_caller]
fn check_count(count: u32) {
    assert!((1..=MAX_COUNT).contains(&count), "a thread arrives 1 to 1048575 times");
}
