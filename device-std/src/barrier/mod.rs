//! Barriers in shared memory: arriving and waiting are separate, so threads can work in between (PTX
//! ISA, [mbarrier](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier)).
//!
//! A [`Barrier`] goes through phases. A phase is complete when as many threads have arrived as the
//! barrier's count says, and, from `sm_90` on, when asynchronous copies have transferred all
//! [expected](Barrier::expect_tx) bytes. The next phase then begins. A [`Token`] says which
//! phase an arrival was for; a thread that waits without having arrived counts the phases with a [`Phase`].
//!
//! What a thread wrote before it arrived is visible to those threads of its block that have waited for the phase, and to
//! those of other blocks of the cluster if both arrival and wait are for them ([`Barrier::arrive_remote`],
//! [`Barrier::wait_phase_cluster`]). No safe view relies on
//! that: a mistake with barriers causes wrong results or a kernel that hangs. The emulated device reports too
//! many arrivals, a barrier that was not initialised, and a wait that never ends.
//!
//! Barriers need `sm_80`.
//!
//! # Panics
//! On the host, like all functions that only a device has.

mod array;
mod phase;
mod relaxed;
mod remote;
mod transactions;
mod wait;

pub use array::Barriers;
pub use phase::{Phase, Token};

use crate::shared::Shared;
use crate::{DeviceCopy, arch_at_least, block, intrinsics, layout_name, layout_of};

/// The maximum number of arrivals of a phase, and of bytes that a phase can wait for.
///
/// ```
/// use ptyx::device::barrier;
/// assert_eq!(barrier::MAX_COUNT, 1_048_575);
/// ```
pub const MAX_COUNT: u32 = (1 << 20) - 1;

/// The memory of a barrier: `shared!(barrier::State)`, or `shared!([barrier::State; 4])` for several.
///
/// Only [`Barrier::new`] and the hardware know what its 8 bytes mean.
///
/// ```
/// use ptyx::device::{barrier::{Barrier, State}, shared::Shared};
/// use ptyx::prelude::*;
///
/// /// Two barriers that all threads of the block arrive on.
/// fn two() -> [Barrier; 2] {
///     let places: Shared<[State; 2]> = shared!([State; 2]);
///     [Barrier::of_block(places.at(0)), Barrier::of_block(places.at(1))]
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub struct State(u64);

// SAFETY: a number; every bit pattern is a value, although the hardware understands few.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for State {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "barrier::State");
}

/// A barrier in the block's shared memory.
///
/// It acts as a pointer: copies refer to the same barrier.
///
/// ```
/// use ptyx::device::barrier::{Barrier, State};
/// use ptyx::prelude::*;
///
/// /// Each thread's value plus its neighbour's; work that needs neither is done between arrival and wait.
/// fn with_neighbour(value: f32, work: impl Fn() -> f32) -> f32 {
///     let barrier = Barrier::of_block(shared!(State));
///     let cells = shared!([f32; 1024]).cells(0.0);
///     let i = thread::rank() as usize;
///     cells.set(i, value);
///     let token = barrier.arrive();
///     let own = work();
///     barrier.wait(token);
///     own + value + cells.get(i ^ 1)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias = "cuda::barrier")]
#[doc(alias = "__mbarrier_t")]
pub struct Barrier {
    place: Shared<State>,
}

impl Barrier {
    /// Initialises a barrier whose phases wait for `count` arrivals.
    ///
    /// This waits for the block: all threads must call it, once, for the same memory and with the same count. To use
    /// the memory again, [`invalidate`](Barrier::invalidate) the barrier first.
    ///
    /// PTX [`mbarrier.init`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-init) (`sm_80`), `__mbarrier_init()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, State};
    /// use ptyx::prelude::*;
    ///
    /// /// One barrier for each stage of a ring, on which one thread arrives.
    /// fn ring() -> [Barrier; 4] {
    ///     let states = shared!([State; 4]);
    ///     core::array::from_fn(|stage| Barrier::new(states.at(stage), 1))
    /// }
    /// ```
    ///
    /// # Panics
    /// If `count` is zero or more than [`MAX_COUNT`].
    #[doc(alias = "__mbarrier_init")]
    #[inline(always)]
    #[track_caller]
    pub fn new(place: Shared<State>, count: u32) -> Barrier {
        // SAFETY: the same memory.
        let place = unsafe { Shared::<[State; 1]>::new(place.as_mut_ptr().cast()) };
        Barrier::array(place, count).at(0)
    }

    /// A barrier on which each thread of the block arrives.
    ///
    /// This waits for the block, as [`new`](Barrier::new).
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, State};
    /// use ptyx::prelude::*;
    ///
    /// fn sync_twice() {
    ///     let barrier = Barrier::of_block(shared!(State));
    ///     barrier.arrive_and_wait();
    ///     barrier.arrive_and_wait();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn of_block(place: Shared<State>) -> Barrier {
        Barrier::new(place, block::threads())
    }

    /// The barrier as a pointer into shared memory, for `ptx!`.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn address(barrier: Barrier) -> u32 {
    ///     barrier.as_mut_ptr().addr() as u32
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(self) -> *mut u64 {
        self.place.as_mut_ptr().cast()
    }

    /// Ends the barrier, so that its memory can be used again.
    ///
    /// PTX [`mbarrier.inval`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-inval) (`sm_80`), `__mbarrier_inval()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::prelude::*;
    ///
    /// fn end(barrier: Barrier) {
    ///     block::sync(); // it is no longer used
    ///     if thread::rank() == 0 {
    ///         // SAFETY: as just said.
    ///         unsafe { barrier.invalidate() };
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// One thread does this, once. No thread uses the barrier afterwards, and no copy does.
    #[doc(alias = "__mbarrier_inval")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn invalidate(self) {
        // SAFETY: as the caller's.
        unsafe { intrinsics::mbarrier_inval(self.as_mut_ptr()) }
    }

    /// Arrives: the current phase waits for one arrival less.
    ///
    /// PTX [`mbarrier.arrive`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) (`sm_80`), `__mbarrier_arrive()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn meet(barrier: Barrier) {
    ///     let token = barrier.arrive();
    ///     // Here, the other threads may not have arrived.
    ///     barrier.wait(token);
    /// }
    /// ```
    #[doc(alias = "__mbarrier_arrive")]
    #[inline(always)]
    #[track_caller]
    pub fn arrive(self) -> Token {
        // SAFETY: a barrier; at worst it completes too early.
        Token(unsafe { intrinsics::mbarrier_arrive(self.as_mut_ptr()) })
    }

    /// Arrives `count` times at once.
    ///
    /// PTX [`mbarrier.arrive`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive) with a count (`sm_90`; two instructions on `sm_80`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::prelude::*;
    ///
    /// /// One lane arrives for its warp.
    /// fn arrive_as_warp(barrier: Barrier) {
    ///     warp::sync(warp::FULL);
    ///     if warp::lane() == 0 {
    ///         barrier.arrive_many(warp::SIZE).forget();
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `count` is zero or more than [`MAX_COUNT`].
    #[inline(always)]
    #[track_caller]
    pub fn arrive_many(self, count: u32) -> Token {
        assert!((1..=MAX_COUNT).contains(&count), "a thread arrives 1 to 1048575 times");
        if arch_at_least!(90) {
            // SAFETY: as in `arrive`.
            return Token(unsafe { intrinsics::mbarrier_arrive_count(self.as_mut_ptr(), count) });
        }
        if count > 1 {
            // SAFETY: as in `arrive`; the last arrival is left for the next instruction.
            unsafe {
                intrinsics::mbarrier_arrive_no_complete(self.as_mut_ptr(), count.wrapping_sub(1));
            }
        }
        self.arrive()
    }

    /// Arrives for the last time: later phases wait for one arrival less, too.
    ///
    /// PTX [`mbarrier.arrive_drop`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive-drop) (`sm_80`), `__mbarrier_arrive_and_drop()` of CUDA C.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// /// Rounds until a thread has nothing left to do; the others go on without it.
    /// fn rounds(barrier: Barrier, mut step: impl FnMut() -> bool) {
    ///     while step() {
    ///         barrier.arrive_and_wait();
    ///     }
    ///     barrier.arrive_and_drop();
    /// }
    /// ```
    #[doc(alias = "__mbarrier_arrive_and_drop")]
    #[inline(always)]
    #[track_caller]
    pub fn arrive_and_drop(self) {
        // SAFETY: as in `arrive`.
        unsafe { intrinsics::mbarrier_arrive_drop(self.as_mut_ptr()) };
    }

    /// Arrives `count` times at once, for the last time: later phases wait for so many arrivals less, too.
    ///
    /// PTX [`mbarrier.arrive_drop`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier-arrive-drop) with a count (`sm_90`; several instructions on `sm_80`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::prelude::*;
    ///
    /// /// A warp leaves.
    /// fn leave(barrier: Barrier) {
    ///     warp::sync(warp::FULL);
    ///     if warp::lane() == 0 {
    ///         barrier.arrive_and_drop_many(warp::SIZE);
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `count` is zero or more than [`MAX_COUNT`].
    #[inline(always)]
    #[track_caller]
    pub fn arrive_and_drop_many(self, count: u32) {
        assert!((1..=MAX_COUNT).contains(&count), "a thread arrives 1 to 1048575 times");
        if arch_at_least!(90) {
            // SAFETY: as in `arrive`.
            unsafe { intrinsics::mbarrier_arrive_drop_count(self.as_mut_ptr(), count) };
            return;
        }
        for _ in 0..count {
            self.arrive_and_drop();
        }
    }

    /// Arrives and waits for the other threads.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    ///
    /// fn meet(barrier: Barrier) {
    ///     barrier.arrive_and_wait();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn arrive_and_wait(self) {
        let token = self.arrive();
        self.wait(token);
    }

    /// Arrives when the asynchronous copies ([`async_copy`](crate::async_copy)) that this thread has started are
    /// done. It counts as one of the arrivals that the phase waits for.
    ///
    /// PTX [`cp.async.mbarrier.arrive.noinc`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-mbarrier-arrive) (`sm_80`).
    ///
    /// ```
    /// use ptyx::device::{async_copy, barrier::{Barrier, Phase}};
    /// use ptyx::prelude::*;
    ///
    /// /// Each thread's own element, after the copies of all threads of the block.
    /// fn copied(x: &[f32], barrier: Barrier) -> f32 {
    ///     let (i, place) = (thread::rank() as usize, shared!([f32; 1024]));
    ///     // SAFETY: `x` is in global memory; nothing uses the place before the phase is complete.
    ///     unsafe {
    ///         async_copy::memcpy_async(place.at(i), &x[i]);
    ///         barrier.arrive_after_copies();
    ///         barrier.wait_phase(Phase::FIRST);
    ///         place.at(i).read()
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn arrive_after_copies(self) {
        // SAFETY: as in `arrive`.
        unsafe { intrinsics::cp_async_mbarrier_arrive(self.as_mut_ptr()) }
    }
}
