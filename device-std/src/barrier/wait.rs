//! Waiting for a phase of a barrier.

use super::{Barrier, Phase, Token};
use crate::{arch_at_least, intrinsics};

impl Barrier {
    /// Whether the phase of a token is complete.
    ///
    /// PTX [`mbarrier.test_wait`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_80`), `__mbarrier_test_wait()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Does work as long as other threads are late.
    /// fn fill_time(barrier: Barrier, mut work: impl FnMut()) {
    ///     let token = barrier.arrive();
    ///     while !barrier.is_complete(&token) {
    ///         work();
    ///     }
    /// }
    /// ```
    #[doc(alias = "__mbarrier_test_wait")]
    #[inline(always)]
    #[track_caller]
    pub fn is_complete(self, token: &Token) -> bool {
        // SAFETY: a barrier and a state of it.
        unsafe { intrinsics::mbarrier_test_wait(self.as_mut_ptr(), token.0) != 0 }
    }

    /// Waits until the phase of a token is complete, or until a time limit of the hardware; returns whether it is
    /// complete.
    ///
    /// PTX [`mbarrier.try_wait`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`; on `sm_80`, [`is_complete`](Barrier::is_complete)), `__mbarrier_try_wait()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn meet(barrier: Barrier) {
    ///     let token = barrier.arrive();
    ///     while !barrier.try_wait(&token) {}
    /// }
    /// ```
    #[doc(alias = "__mbarrier_try_wait")]
    #[inline(always)]
    #[track_caller]
    pub fn try_wait(self, token: &Token) -> bool {
        if arch_at_least!(90) {
            // SAFETY: as in `is_complete`.
            unsafe { intrinsics::mbarrier_try_wait(self.as_mut_ptr(), token.0) != 0 }
        } else {
            self.is_complete(token)
        }
    }

    /// Waits as [`try_wait`](Barrier::try_wait), with a time limit in nanoseconds instead of the hardware's; returns whether the
    /// phase is complete. The limit is a hint: the wait may end earlier.
    ///
    /// PTX [`mbarrier.try_wait`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) with a `suspendTimeHint` (`sm_90`; on `sm_80`, [`is_complete`](Barrier::is_complete)).
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Token};
    ///
    /// /// Waits for about a millisecond at most.
    /// fn wait_a_bit(barrier: Barrier, token: &Token) -> bool {
    ///     (0..10).any(|_| barrier.try_wait_for(token, 100_000))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn try_wait_for(self, token: &Token, nanoseconds: u32) -> bool {
        if arch_at_least!(90) {
            // SAFETY: as in `is_complete`.
            let done = unsafe {
                intrinsics::mbarrier_try_wait_limit(self.as_mut_ptr(), token.0, nanoseconds)
            };
            done != 0
        } else {
            self.is_complete(token)
        }
    }

    /// Waits until the phase of a token is complete. If threads of other blocks arrive at the barrier,
    /// [`wait_cluster`](Barrier::wait_cluster) makes visible what they wrote.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn meet(barrier: Barrier) {
    ///     let token = barrier.arrive();
    ///     barrier.wait(token);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn wait(self, token: Token) {
        while !self.try_wait(&token) {}
    }

    /// Whether a phase is complete. It must be the current one or the one before.
    ///
    /// PTX [`mbarrier.test_wait.parity`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_80`, PTX 7.1), `__mbarrier_test_wait_parity()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// fn has_started(barrier: Barrier) -> bool {
    ///     barrier.is_phase_complete(Phase::FIRST)
    /// }
    /// ```
    #[doc(alias = "__mbarrier_test_wait_parity")]
    #[inline(always)]
    #[track_caller]
    pub fn is_phase_complete(self, phase: Phase) -> bool {
        // SAFETY: as in `is_complete`.
        unsafe { intrinsics::mbarrier_test_wait_parity(self.as_mut_ptr(), phase.parity()) != 0 }
    }

    /// Waits until a phase is complete, or until a time limit of the hardware; returns whether it is complete.
    ///
    /// PTX [`mbarrier.try_wait.parity`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) (`sm_90`; on `sm_80`, [`is_phase_complete`](Barrier::is_phase_complete)), `__mbarrier_try_wait_parity()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// fn wait_for_first(barrier: Barrier) {
    ///     while !barrier.try_wait_phase(Phase::FIRST) {}
    /// }
    /// ```
    #[doc(alias = "__mbarrier_try_wait_parity")]
    #[inline(always)]
    #[track_caller]
    pub fn try_wait_phase(self, phase: Phase) -> bool {
        if arch_at_least!(90) {
            // SAFETY: as in `is_complete`.
            unsafe { intrinsics::mbarrier_try_wait_parity(self.as_mut_ptr(), phase.parity()) != 0 }
        } else {
            self.is_phase_complete(phase)
        }
    }

    /// Waits as [`try_wait_phase`](Barrier::try_wait_phase), with a time limit in nanoseconds instead of the hardware's; returns whether the
    /// phase is complete. The limit is a hint: the wait may end earlier.
    ///
    /// PTX [`mbarrier.try_wait.parity`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-test-wait-try-wait) with a `suspendTimeHint` (`sm_90`; on `sm_80`, [`is_phase_complete`](Barrier::is_phase_complete)).
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// /// Works on something else each microsecond that the first phase is not complete.
    /// fn work_meanwhile(barrier: Barrier, mut work: impl FnMut()) {
    ///     while !barrier.try_wait_phase_for(Phase::FIRST, 1000) {
    ///         work();
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn try_wait_phase_for(self, phase: Phase, nanoseconds: u32) -> bool {
        if arch_at_least!(90) {
            // SAFETY: as in `is_complete`.
            let done = unsafe {
                intrinsics::mbarrier_try_wait_parity_limit(
                    self.as_mut_ptr(),
                    phase.parity(),
                    nanoseconds,
                )
            };
            done != 0
        } else {
            self.is_phase_complete(phase)
        }
    }

    /// Waits until a phase is complete; returns the next one. If threads of other blocks arrive at the barrier,
    /// [`wait_phase_cluster`](Barrier::wait_phase_cluster) makes visible what they wrote.
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// /// Waits for each of ten tiles that other threads fill.
    /// fn ten_tiles(full: Barrier, mut read: impl FnMut()) {
    ///     let mut phase = Phase::FIRST;
    ///     for _ in 0..10 {
    ///         phase = full.wait_phase(phase);
    ///         read();
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn wait_phase(self, phase: Phase) -> Phase {
        while !self.try_wait_phase(phase) {}
        phase.next()
    }
}
