//! Arrays of barriers.

use super::{Barrier, MAX_COUNT, State};
use crate::shared::Shared;
use crate::{arch_at_least, block, intrinsics, thread};
use core::fmt;

/// Barriers in adjacent memory, such as one for each stage of a ring, from [`Barrier::array`].
///
/// It acts as a pointer: copies refer to the same barriers.
///
/// ```
/// use ptyx::device::barrier::{Barrier, Barriers, State};
/// use ptyx::prelude::*;
///
/// /// Four buffers that one thread fills and 128 threads read.
/// struct Ring {
///     full: Barriers<4>,
///     free: Barriers<4>,
/// }
///
/// impl Ring {
///     fn new() -> Ring {
///         let full = Barrier::array(shared!([State; 4]), 1);
///         Ring { full, free: Barrier::array(shared!([State; 4]), 128) }
///     }
/// }
/// ```
pub struct Barriers<const N: usize> {
    place: Shared<[State; N]>,
}

impl<const N: usize> Clone for Barriers<N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<const N: usize> Copy for Barriers<N> {}

impl<const N: usize> fmt::Debug for Barriers<N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Barriers").field("place", &self.place).finish()
    }
}

impl Barrier {
    /// Initialises `N` barriers, each of whose phases completes after `count` arrivals.
    ///
    /// This waits for the block once, as [`new`](Barrier::new) does, and has the same requirements.
    ///
    /// PTX [`mbarrier.init`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-init) (`sm_80`).
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Barriers, Phase, State};
    /// use ptyx::prelude::*;
    ///
    /// /// Waits for eight tiles, which arrive in turns at four barriers.
    /// fn eight_tiles(mut read: impl FnMut(usize)) {
    ///     let full: Barriers<4> = Barrier::array(shared!([State; 4]), 1);
    ///     let mut phase = Phase::FIRST;
    ///     for _ in 0..2 {
    ///         for stage in 0..4 {
    ///             full.at(stage).wait_phase(phase);
    ///             read(stage);
    ///         }
    ///         phase = phase.next();
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `count` is zero or more than [`MAX_COUNT`].
    #[inline(always)]
    #[track_caller]
    pub fn array<const N: usize>(place: Shared<[State; N]>, count: u32) -> Barriers<N> {
        assert!((1..=MAX_COUNT).contains(&count), "a barrier waits for 1 to 1048575 arrivals");
        if thread::rank() == 0 {
            // SAFETY: the place is for barriers, and the others wait until they are initialised.
            unsafe { Barriers::init(place, count) };
        }
        block::sync();
        Barriers { place }
    }
}

impl<const N: usize> Barriers<N> {
    /// Initialises the barriers, by one thread.
    ///
    /// # Safety
    /// Nobody uses the memory meanwhile. `count` is from 1 to [`MAX_COUNT`].
    #[inline(always)]
    pub(crate) unsafe fn init(place: Shared<[State; N]>, count: u32) {
        for index in 0..N {
            // SAFETY: as the caller's.
            unsafe { intrinsics::mbarrier_init(place.at(index).as_mut_ptr().cast(), count) };
        }
        if arch_at_least!(90) {
            // SAFETY: only orders. Bulk copies and other blocks of the cluster see the barriers, too.
            unsafe { intrinsics::fence_mbarrier_init(place.as_mut_ptr().cast()) };
        }
    }

    /// Barriers that are initialised.
    ///
    /// # Safety
    /// They are, before anybody uses them.
    #[inline(always)]
    pub(crate) unsafe fn of(place: Shared<[State; N]>) -> Self {
        Self { place }
    }

    /// Barrier `index`.
    ///
    /// ```
    /// use ptyx::device::barrier::Barriers;
    /// use ptyx::prelude::*;
    ///
    /// /// One lane tells the producer that its warp has read the tile of a stage.
    /// fn release(free: Barriers<4>, stage: usize) {
    ///     warp::sync(warp::FULL);
    ///     if warp::lane() == 0 {
    ///         free.at(stage).arrive().forget();
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `N`.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> Barrier {
        Barrier { place: self.place.at(index) }
    }
}
