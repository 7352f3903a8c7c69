//! Which phase of a barrier a thread waits for.

use crate::intrinsics;

/// The phase that a thread has arrived in. [`Barrier::wait`](super::Barrier::wait) takes it.
///
/// ```
/// use ptyx::device::barrier::{Barrier, Token};
///
/// /// A value that this thread has published, and the token for waiting until the others have, too.
/// struct Published {
///     value: f32,
///     token: Token,
/// }
///
/// impl Published {
///     fn wait(self, barrier: Barrier) -> f32 {
///         barrier.wait(self.token);
///         self.value
///     }
/// }
/// ```
#[derive(Debug)]
#[must_use = "wait for the phase with `Barrier::wait`, or `forget` the token"]
#[doc(alias = "arrival_token")]
#[doc(alias = "__mbarrier_token_t")]
pub struct Token(pub(super) u64);

impl Token {
    /// How many arrivals the phase still waited for just before this one.
    ///
    /// PTX [`mbarrier.pending_count`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-pending-count) (`sm_80`), `__mbarrier_token_pending_count()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Whether this thread is the last to arrive.
    /// fn is_last(barrier: Barrier) -> bool {
    ///     let token = barrier.arrive();
    ///     let is_last = token.pending_count() == 1;
    ///     barrier.wait(token);
    ///     is_last
    /// }
    /// ```
    #[doc(alias = "__mbarrier_token_pending_count")]
    #[inline(always)]
    #[track_caller]
    pub fn pending_count(&self) -> u32 {
        // SAFETY: only computes, from a state that an arrival returned.
        unsafe { intrinsics::mbarrier_pending_count(self.0) }
    }

    /// Drops the token of a thread that does not wait.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn signal(ready: Barrier) {
    ///     ready.arrive().forget();
    /// }
    /// ```
    #[inline(always)]
    pub fn forget(self) {}
}

/// A phase of a barrier, counted by a thread that waits for it without a [`Token`] of its own. Only its parity matters: a
/// thread can be at most one phase behind.
///
/// ```
/// use ptyx::device::barrier::Phase;
/// let mut phase = Phase::FIRST;
/// assert_eq!(phase.parity(), 0);
/// phase = phase.next();
/// assert_eq!((phase.parity(), phase.previous()), (1, Phase::FIRST));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase(u32);

impl Phase {
    /// The first phase of a barrier.
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// /// Reads `rounds` tiles, each of which completes a phase of the barrier.
    /// fn read_all(full: Barrier, rounds: u32, mut read: impl FnMut()) {
    ///     let mut phase = Phase::FIRST;
    ///     for _ in 0..rounds {
    ///         full.wait_phase(phase);
    ///         read();
    ///         phase = phase.next();
    ///     }
    /// }
    /// ```
    pub const FIRST: Phase = Phase(0);

    /// The phase after this one.
    ///
    /// ```
    /// use ptyx::device::barrier::Phase;
    /// assert_eq!(Phase::FIRST.next().next(), Phase::FIRST);
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn next(self) -> Phase {
        Phase(self.0 ^ 1)
    }

    /// The phase before this one. The phase before the first one counts as complete.
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    ///
    /// /// Waits until a buffer is free that readers release by arriving: at first it is.
    /// fn acquire(free: Barrier, round: Phase) {
    ///     free.wait_phase(round.previous());
    /// }
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn previous(self) -> Phase {
        Phase(self.0 ^ 1)
    }

    /// The phase's parity: 0 for the first phase, the third and so on; 1 for the others.
    ///
    /// ```
    /// use ptyx::device::barrier::Phase;
    /// assert_eq!(Phase::FIRST.next().parity(), 1);
    /// ```
    #[inline(always)]
    pub const fn parity(self) -> u32 {
        self.0
    }
}
