//! Bytes that a phase waits for.

use super::{Barrier, MAX_COUNT, Token};
use crate::intrinsics;

impl Barrier {
    /// Lets the current phase wait for `bytes` more bytes of bulk copies.
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

    /// Arrives, and lets the phase wait for `bytes` more bytes of bulk copies.
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

    /// Counts `bytes` bytes as arrived, as a bulk copy does: for tests, and for threads that copy themselves.
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

    /// Arrives for the last time, and lets the phase wait for `bytes` more bytes of bulk copies: later phases wait
    /// for one arrival less.
    ///
    /// PTX [`mbarrier.arrive_drop.expect_tx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive-drop) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Announces a producer's last tile; the other producers go on without it.
    /// fn announce_last(full: Barrier) {
    ///     full.arrive_expect_tx_and_drop(4096).forget();
    /// }
    /// ```
    ///
    /// # Panics
    /// If there are more than [`MAX_COUNT`] bytes.
    #[inline(always)]
    #[track_caller]
    pub fn arrive_expect_tx_and_drop(self, bytes: u32) -> Token {
        check_bytes(bytes);
        // SAFETY: as in `arrive`.
        Token(unsafe { intrinsics::mbarrier_arrive_drop_expect_tx(self.as_mut_ptr(), bytes) })
    }
}

#[inline(always)]
#[track_caller]
pub(super) fn check_bytes(bytes: u32) {
    assert!(bytes <= MAX_COUNT, "a barrier can wait for at most 1048575 bytes");
}
