//! Shared memory in phases: in one phase, each thread writes its own elements; in the next, all threads read all
//! elements.
//!
//! ```no_run
//! use ptyx::prelude::*;
//! use ptyx::device::shared::Phase;
//!
//! /// Reverses each block of 256 elements.
//! #[kernel]
//! fn reverse_blocks(mut x: Disjoint<f32>, phase: Phase) {
//!     let tile = phased!([f32; 256]);
//!     let (mut writing, i) = (phase, thread::index_1d());
//!     tile.set(&mut writing, [0], x[i]);
//!     let reading = writing.sync();
//!     x[i] = tile.as_ref(&reading)[255 - thread::x() as usize];
//! }
//!
//! let mut x = DeviceBuffer::from_slice(&(0..512).map(|i| i as f32).collect::<Vec<_>>())?;
//! launch!(reverse_blocks<<<2, 256>>>(&mut x, shared::PHASES))?;
//! assert_eq!(x.to_vec()?[..2], [255.0, 254.0]);
//! # Ok::<(), ptyx::Error>(())
//! ```
//!
//! In loops, [`Phase::read`] waits before and after a step of reading:
//!
//! ```
//! use ptyx::prelude::*;
//!
//! /// Replaces the block's 256 elements by their running sums.
//! #[kernel]
//! fn running_sums(mut x: Disjoint<u32>, mut phase: Phase) {
//!     let (tile, t, i) = (phased!([u32; 256]), thread::x() as usize, thread::index_1d());
//!     let mut sum = x[i];
//!     for distance in [1, 2, 4, 8, 16, 32, 64, 128] {
//!         tile.set_own(&mut phase, sum);
//!         phase.read(|reading| {
//!             if t >= distance {
//!                 sum += tile.as_ref(reading)[t - distance];
//!             }
//!         });
//!     }
//!     x[i] = sum;
//! }
//! ```
//!
//! The memory is not filled at the start, unlike that of [`cells`](super::Shared::cells). The accesses are plain
//! loads and stores, which the optimiser combines and moves like any others.
//!
//! # Why it is sound
//! *All threads of a block are in the same phase.* A thread has one [`Phase`] value at a time: it gets one as
//! the kernel's parameter, a launch refuses a second one, the value can't be copied, sent or stored where
//! another thread finds it, and [`Phase::sync`] consumes one and returns one. `sync` waits at a barrier of the
//! hardware that has no other use, and that counts threads one by one (`barrier.sync` without `.aligned`, at which
//! the threads of a warp may arrive separately). So the barrier counts a thread's phases, whatever control flow the
//! thread took and wherever in the source it called `sync`: no thread leaves it for the `n`th time before all
//! threads of the block that have not returned have arrived for the `n`th time. What threads do at other barriers
//! does not matter. A thread that never arrives makes the others wait forever, which is safe.
//!
//! *In a phase, an element is either written by one thread or read by any.* Each [`phased!`](crate::phased!) in
//! the source has its own memory, and the tile's type has the division and the parity. In phases of its parity, a
//! thread can reach only its own elements, through a mutable borrow of the `Phase`. In the other phases, all
//! threads can read all elements, through a shared borrow. Both borrows end before `sync`, which consumes the
//! value. [`Phase::read`] borrows it mutably for both barriers and what lies between.
//!
//! *Elements that no thread has written can be read.* They have the bits that earlier blocks left in the
//! hardware's memory. So references are given only to numbers, of which every bit pattern is a value; other types
//! are made valid when they are read. The compiler marks the memory as written from outside, so that reading it is
//! not undefined.

mod tile;

pub use tile::{Phased, TileArray};

use crate::intrinsics;
use core::fmt;
use core::marker::PhantomData;

/// The barrier of [`Phase::sync`]; 0 is `block::sync`'s, 1 that of `fill`, 3 a ring's, and named barriers begin at 4.
const BARRIER: u32 = 2;

/// The argument that a launch passes for a kernel's [`Phase`].
///
/// ```no_run
/// use ptyx::prelude::*;
/// use ptyx::device::shared::Phase;
///
/// #[kernel]
/// fn two_syncs(phase: Phase) {
///     let _ = phase.sync().sync();
/// }
///
/// launch!(two_syncs<<<1, 64>>>(shared::PHASES))?;
/// # Ok::<(), ptyx::Error>(())
/// ```
pub const PHASES: PhasesArg = PhasesArg(());

/// The type of [`PHASES`].
///
/// ```
/// use ptyx::device::shared::{PHASES, PhasesArg};
///
/// /// An argument of a launch that can be written to a log.
/// trait Argument {
///     fn describe(&self) -> String;
/// }
///
/// impl Argument for f32 {
///     fn describe(&self) -> String {
///         self.to_string()
///     }
/// }
///
/// impl Argument for PhasesArg {
///     fn describe(&self) -> String {
///         "phases".to_owned()
///     }
/// }
/// assert_eq!([(1.5).describe(), PHASES.describe()], ["1.5", "phases"]);
/// ```
#[derive(Debug)]
pub struct PhasesArg(());

/// The phase that this thread's block is in. Its parity is [`Even`] when the kernel starts, and changes with each
/// [`sync`](Self::sync).
///
/// A kernel has one, as a parameter, for which the launch passes [`PHASES`]. Functions that use [`Phased`] tiles
/// take `&Phase` or `&mut Phase`, or take a `Phase` and return one.
///
/// ```
/// use ptyx::prelude::*;
/// use ptyx::device::shared::{Odd, Phase};
///
/// /// The value of the block's thread `from`, in each thread.
/// fn exchange(mut phase: Phase, value: u32, from: usize) -> (u32, Phase) {
///     let tile = phased!([u32; 1024]);
///     tile.set(&mut phase, [0], value);
///     let reading: Phase<Odd> = phase.sync();
///     let value = tile.as_ref(&reading)[from];
///     (value, reading.sync())
/// }
/// ```
#[must_use = "the other threads wait for this one's `sync`"]
pub struct Phase<P: Parity = Even> {
    /// Neither `Send` nor `Sync`: it belongs to the thread that got it.
    of_this_thread: PhantomData<(*const (), P)>,
}

impl<P: Parity> Phase<P> {
    /// Waits until every thread of the block has arrived, and begins the next phase.
    ///
    /// Every thread of the block that has not returned must call it the same number of times. If one does not,
    /// the others wait forever (the emulated device reports it, a GPU hangs or fails the launch).
    ///
    /// PTX [`barrier.cta.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::{Odd, Phase};
    ///
    /// /// The sum of the values of the block's first 32 threads, in each thread.
    /// fn sum(mut writing: Phase, value: u32) -> (u32, Phase) {
    ///     let values = phased!([u32; 1024]);
    ///     values.set(&mut writing, [0], value);
    ///     let reading: Phase<Odd> = writing.sync(); // all values are written
    ///     let sum = values.as_ref(&reading)[..32].iter().sum();
    ///     (sum, reading.sync()) // all threads have read them
    /// }
    /// ```
    #[doc(alias = "__syncthreads")]
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) -> Phase<P::Other> {
        // SAFETY: has no effect on memory but ordering.
        unsafe { intrinsics::barrier_of_threads(BARRIER) };
        Phase { of_this_thread: PhantomData }
    }

    /// Waits until all threads of the block have written, runs `f` in a phase of reading, and waits until all have read. Then this phase continues. So a loop needs only one variable for the phase:
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum of a block of 256 threads, in its first thread.
    /// fn sum(phase: &mut Phase, mut sum: f32) -> f32 {
    ///     let (tile, t) = (phased!([f32; 256]), thread::rank() as usize);
    ///     for half in [128, 64, 32, 16, 8, 4, 2, 1] {
    ///         tile.set_own(phase, sum);
    ///         phase.read(|reading| {
    ///             if t < half {
    ///                 sum += tile.as_ref(reading)[t + half];
    ///             }
    ///         });
    ///     }
    ///     sum
    /// }
    /// ```
    ///
    /// It is two calls of [`sync`](Self::sync), with the same rules: every thread of the block that has not returned must call
    /// it. Two tiles that alternate, as in the example of [`phased!`](crate::phased!), take one barrier for each step.
    ///
    /// PTX [`barrier.cta.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
    #[doc(alias = "__syncthreads")]
    #[inline(always)]
    #[track_caller]
    pub fn read<R>(&mut self, f: impl FnOnce(&Phase<P::Other>) -> R) -> R {
        // The thread's one phase: nothing can use `self` before this function returns. If `f` panics, the thread ends.
        let reading = Phase::<P> { of_this_thread: PhantomData }.sync();
        let result = f(&reading);
        let _: Phase<P> = reading.sync();
        result
    }
}

impl<P: Parity> fmt::Debug for Phase<P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Phase<{}>", P::NAME)
    }
}

/// Whether a phase is even or odd: [`Even`] or [`Odd`].
///
/// ```
/// use ptyx::prelude::*;
/// use ptyx::device::shared::{Parity, Phase, Phased};
///
/// /// The value of the block's first thread, through a tile that is written in phases of either parity.
/// fn first<P: Parity>(
///     tile: Phased<[f32; 1024], by::ThreadInBlock, P>,
///     mut phase: Phase<P>,
///     value: f32,
/// ) -> (f32, Phase<P>) {
///     tile.set(&mut phase, [0], value);
///     let reading = phase.sync();
///     (tile.get(&reading, [0]), reading.sync())
/// }
/// ```
pub trait Parity: sealed::Sealed + 'static {
    /// The other parity.
    type Other: Parity<Other = Self>;

    #[doc(hidden)]
    const NAME: &'static str;
}

mod sealed {
    /// Only these two alternate.
    pub trait Sealed {}
}

macro_rules! parities {
    ($($(#[$about:meta])* $name:ident $other:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl sealed::Sealed for $name {}

        impl Parity for $name {
            type Other = $other;
            const NAME: &'static str = stringify!($name);
        }
    )*};
}

parities! {
    /// The first phase of a kernel, and every second one after it.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::{Even, Odd, Phase, Phased};
    ///
    /// type Values = Phased<[f32; 256], by::ThreadInBlock, Even>;
    ///
    /// /// Publishes a value in an even phase; all threads can read it in the next one.
    /// fn publish(values: Values, mut phase: Phase<Even>, value: f32) -> Phase<Odd> {
    ///     values.set(&mut phase, [0], value);
    ///     phase.sync()
    /// }
    /// ```
    Even Odd;
    /// The phases in between.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::{Odd, Phase};
    ///
    /// /// Adds neighbouring values, in a phase in which tiles of even parity are read. A tile of odd parity holds the sums.
    /// fn add_left(values: &[f32; 256], mut phase: Phase<Odd>) -> (f32, Phase) {
    ///     let (sums, i) = (phased!([f32; 256], by::ThreadInBlock, Odd), thread::rank() as usize);
    ///     sums.set(&mut phase, [0], values[i] + values[i.saturating_sub(1)]);
    ///     let reading = phase.sync();
    ///     (sums.get(&reading, [255]), reading)
    /// }
    /// ```
    Odd Even;
}
