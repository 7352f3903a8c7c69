//! Arrivals and waits that order nothing.

use super::transactions::check_bytes;
use super::{Barrier, Phase, Token};
use crate::intrinsics;

impl Barrier {
    /// [`arrive`](Barrier::arrive) that orders no memory accesses: whoever waits for the phase need not see what this thread
    /// wrote before, nor may it overwrite what this thread read before.
    ///
    /// PTX [`mbarrier.arrive.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) (`sm_90`, PTX 8.6).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Tells the block that this thread has come this far. It passes no memory on.
    /// fn report(progress: Barrier) {
    ///     progress.arrive_relaxed().forget();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn arrive_relaxed(self) -> Token {
        // SAFETY: as in `arrive`.
        Token(unsafe { intrinsics::mbarrier_arrive_relaxed(self.as_mut_ptr()) })
    }

    /// [`arrive_expect_tx`](Barrier::arrive_expect_tx) that orders no memory accesses of this thread. What the copies bring is
    /// visible to whoever waits, as always.
    ///
    /// PTX [`mbarrier.arrive.expect_tx.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) (`sm_90`, PTX 8.6).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Announces a tile of 4096 bytes, which copies bring.
    /// fn announce(full: Barrier) {
    ///     full.arrive_expect_tx_relaxed(4096).forget();
    /// }
    /// ```
    ///
    /// # Panics
    /// If there are more than [`MAX_COUNT`](super::MAX_COUNT) bytes.
    #[inline(always)]
    #[track_caller]
    pub fn arrive_expect_tx_relaxed(self, bytes: u32) -> Token {
        check_bytes(bytes);
        // SAFETY: as in `arrive`.
        Token(unsafe { intrinsics::mbarrier_arrive_expect_tx_relaxed(self.as_mut_ptr(), bytes) })
    }

    /// [`try_wait`](Barrier::try_wait) that orders no memory accesses: what other threads wrote before they arrived need not
    /// be visible afterwards, and what they read must not be overwritten.
    ///
    /// PTX [`mbarrier.try_wait.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`, PTX 8.6).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn meet(barrier: Barrier) {
    ///     let token = barrier.arrive_relaxed();
    ///     while !barrier.try_wait_relaxed(&token) {}
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn try_wait_relaxed(self, token: &Token) -> bool {
        // SAFETY: a barrier and a state of it.
        unsafe { intrinsics::mbarrier_try_wait_relaxed(self.as_mut_ptr(), token.0) != 0 }
    }

    /// [`try_wait_phase`](Barrier::try_wait_phase) that orders no memory accesses.
    ///
    /// PTX [`mbarrier.try_wait.parity.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`, PTX 8.6).
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// /// Waits until all threads have come to a point. They pass no memory on.
    /// fn keep_pace(progress: Barrier, phase: Phase) {
    ///     while !progress.try_wait_phase_relaxed(phase) {}
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn try_wait_phase_relaxed(self, phase: Phase) -> bool {
        // SAFETY: a barrier.
        unsafe {
            intrinsics::mbarrier_try_wait_parity_relaxed(self.as_mut_ptr(), phase.parity()) != 0
        }
    }
}
