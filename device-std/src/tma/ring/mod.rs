//! A ring of stages in shared memory: one thread of the block loads tiles into free stages; other threads wait until a
//! stage is full, use its tiles, and release it (warp specialisation; CUTLASS: `cutlass::PipelineTmaAsync`). It needs
//! `sm_90` and is built on PTX
//! [`mbarrier`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier)
//! and [`cp.async.bulk.tensor`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor).
//!
//! A [`Ring`] is a parameter of the kernel, for which the launch passes [`RING`]. [`Ring::run`] divides the block:
//! one thread of its last warpgroup (128 threads) loads, and all other warpgroups consume.
//!
//! ```
//! use ptyx::device::tma::{Ring, TensorMap, Tile};
//! use ptyx::prelude::*;
//!
//! type Rows = [[f32; 128]; 8];
//!
//! /// The sums of 128 columns for each block, which has 256 threads: 128 of them consume. Block `b` writes its sums from
//! /// `sums[256 * b]` on, and 128 zeros after them.
//! #[kernel]
//! fn column_sums(x: TensorMap<Rows>, tiles: usize, mut sums: Disjoint<f32>, ring: Ring<(Tile<Rows>,), 4>) {
//!     let column = 128 * block::x() as usize;
//!     let mut sum = 0.0;
//!     ring.run(
//!         |producer| {
//!             for tile in 0..tiles {
//!                 producer.fill(|stage| stage.part::<0>().load(&x, [8 * tile as i32, column as i32]));
//!             }
//!         },
//!         |consumer| {
//!             let own = thread::x() as usize % 128;
//!             for _ in 0..tiles {
//!                 let tile = consumer.next();
//!                 for row in 0..8 {
//!                     sum += tile.part::<0>().at([row, own]);
//!                 }
//!             }
//!         },
//!     );
//!     if let Some(place) = sums.get_mut(thread::index_1d()) {
//!         *place = sum;
//!     }
//! }
//! ```
//!
//! # Why it is sound
//! Each thread gets one ring, as the kernel's parameter, and a launch with a second one is an error. `run` takes the
//! ring by value and waits at a hardware barrier that nothing else uses, so all threads of the block begin together,
//! whatever control flow they took. From then on, barriers in shared memory count arrivals: a stage is full when its
//! bytes have arrived, and free when every consumer has released it. Safe code can access a part of a stage only while
//! it holds that stage: through [`Filling`] in the producer, [`Stage`] in a consumer. A block does not end before its
//! copies are done: threads that end because of a panic wait for them, too.

mod consumer;
mod part;
mod producer;
mod stage;

pub use consumer::{Consumer, Filled, Products};
pub use part::{Nth, RingPart, StageParts};
pub use producer::{Filling, FillingPart, Producer};
pub use stage::{Left, PartBand, Stage, StagePart};

use crate::barrier::{Barrier, Barriers, Phase, State};
use crate::shared::Shared;
use crate::{
    DeviceCopy, block, clock, group, intrinsics, layout_name, layout_of, panic, thread, warp,
};
use core::fmt;
use core::marker::PhantomData;

/// The barrier of [`Ring::run`]. 0 is `block::sync`'s, 1 that of `fill`, 2 that of phases; named barriers begin at 4.
const BARRIER: u32 = 3;

/// Threads of a warpgroup.
const WARPGROUP: u32 = 128;

/// After this many waits that reach the hardware's time limit, a thread checks whether another has panicked.
const LOOK: u32 = 16;

/// How long to sleep, in nanoseconds, and how often: a tenth of a second in all. A copy takes microseconds.
const PAUSE: u32 = 100_000;
const PAUSES: u32 = 1000;

/// The argument that a launch passes for a kernel's [`Ring`].
///
/// ```
/// use ptyx::device::tma::{RING, RingArg};
///
/// let argument: RingArg = RING;
/// ```
pub const RING: RingArg = RingArg(());

/// The type of [`RING`].
///
/// ```
/// use ptyx::device::tma::{Ring, RingArg, TensorMap, Tile};
/// use ptyx::prelude::*;
///
/// type Rows = [[f32; 128]; 8];
///
/// #[kernel]
/// fn sum(x: TensorMap<Rows>, tiles: i32, sum: Atomics<f32>, ring: Ring<(Tile<Rows>,), 4>) {
///     ring.run(
///         |producer| {
///             for tile in 0..tiles {
///                 producer.fill(|stage| stage.part::<0>().load(&x, [8 * tile, 0]));
///             }
///         },
///         |consumer| {
///             for _ in 0..tiles {
///                 let (stage, column) = (consumer.next(), thread::x() as usize % 128);
///                 let own = (0..8).map(|row| stage.part::<0>().at([row, column]));
///                 sum[0].fetch_add(own.sum());
///             }
///         },
///     );
/// }
///
/// /// Sums a matrix of 128 columns. The argument `ring` is `tma::RING`.
/// fn sum_on_device(x: &DeviceBuffer<f32>, rows: usize, ring: RingArg) -> ptyx::Result<f32> {
///     let mut total = DeviceBuffer::filled(1, 0.0)?;
///     let map = ptyx::TensorMap::<Rows>::new(x, [rows, 128])?;
///     launch!(sum<<<1, 256>>>(&map, (rows / 8) as i32, &mut total, ring))?;
///     Ok(total.to_vec()?[0])
/// }
/// ```
#[derive(Debug)]
pub struct RingArg(());

/// A ring of `STAGES` stages, at least two, each of which has the tiles of the tuple `P` ([`StageParts`]). The
/// [module](self) describes it.
///
/// ```
/// use ptyx::device::tma::{Ring, TensorMap, Tile};
/// use ptyx::prelude::*;
///
/// type Rows = [[f32; 64]; 16];
///
/// /// A block of 256 threads computes the dot product of two matrices. A stage has a tile of each.
/// #[kernel]
/// fn dot(
///     a: TensorMap<Rows>,
///     b: TensorMap<Rows>,
///     tiles: i32,
///     sum: Atomics<f32>,
///     ring: Ring<(Tile<Rows>, Tile<Rows>), 3>,
/// ) {
///     ring.run(
///         |producer| {
///             for tile in 0..tiles {
///                 producer.fill(|stage| {
///                     stage.part::<0>().load(&a, [16 * tile, 0]);
///                     stage.part::<1>().load(&b, [16 * tile, 0]);
///                 });
///             }
///         },
///         |consumer| {
///             let (mut own, thread) = (0.0, thread::x() as usize % 128);
///             for _ in 0..tiles {
///                 let stage = consumer.next();
///                 for row in (thread / 64..16).step_by(2) {
///                     let at = [row, thread % 64];
///                     own += stage.part::<0>().at(at) * stage.part::<1>().at(at);
///                 }
///             }
///             sum[0].fetch_add(own);
///         },
///     );
/// }
/// ```
#[must_use = "a ring does nothing unless it runs"]
pub struct Ring<P: StageParts, const STAGES: usize> {
    /// Neither `Send` nor `Sync`: it belongs to the thread that got it.
    of_this_thread: PhantomData<(*const (), P)>,
}

impl<P: StageParts, const STAGES: usize> fmt::Debug for Ring<P, STAGES> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Ring({STAGES} stages)")
    }
}

/// The ring's memory.
#[derive(Clone, Copy)]
#[repr(C)]
struct Memory<P: StageParts, const STAGES: usize> {
    stages: [P; STAGES],
    /// A stage's bytes have arrived.
    full: [State; STAGES],
    /// All consumers have given a stage back.
    free: [State; STAGES],
    /// The producer's copies are done.
    done: State,
}

// SAFETY: tiles, each of whose bit patterns is a value, and barriers.
unsafe impl<P: StageParts, const STAGES: usize> DeviceCopy for Memory<P, STAGES> {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "Ring");
}

/// What both sides know of a ring.
struct Places<P: StageParts, const STAGES: usize> {
    stages: Shared<[P; STAGES]>,
    full: Barriers<STAGES>,
    free: Barriers<STAGES>,
    done: Barrier,
    /// Blocks that share what they load, in a cluster.
    blocks: Option<u32>,
}

impl<P: StageParts, const STAGES: usize> Clone for Places<P, STAGES> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: StageParts, const STAGES: usize> Copy for Places<P, STAGES> {}

/// A stage, in some round of the ring.
#[derive(Clone, Copy)]
struct Turn<const STAGES: usize> {
    stage: usize,
    phase: Phase,
}

impl<const STAGES: usize> Turn<STAGES> {
    const FIRST: Self = Self { stage: 0, phase: Phase::FIRST };

    #[inline(always)]
    fn next(self) -> Self {
        // The remainder tells the compiler how large a stage's number can be.
        let stage = self.stage.wrapping_add(1) % STAGES;
        Self { stage, phase: if stage == 0 { self.phase.next() } else { self.phase } }
    }

    /// The number of the stage before.
    #[inline(always)]
    fn stage_before(self) -> usize {
        self.stage.wrapping_add(STAGES - 1) % STAGES
    }
}

impl<P: StageParts, const STAGES: usize> Ring<P, STAGES> {
    /// Runs `produce` in one thread of the last warpgroup, and `consume` in all threads of the others. Returns in all
    /// threads.
    ///
    /// The block must have a multiple of 128 threads, at least 256. All its threads must call this, and each consumer
    /// must take as many stages as the producer fills. If not, threads wait forever (the emulated device reports it, a
    /// GPU hangs).
    ///
    /// If a thread panics, the threads that wait for it end, too, once their waits last longer than usual. Threads of
    /// other blocks that are waiting at that moment may also end.
    ///
    /// ```
    /// use ptyx::device::tma::{Ring, TensorMap, Tile};
    ///
    /// type Rows = [[u32; 128]; 1];
    ///
    /// /// The bitwise OR of each of 128 columns, in the consumers' threads of a block of 256.
    /// fn any(x: &TensorMap<Rows>, rows: i32, ring: Ring<(Tile<Rows>,), 8>) -> u32 {
    ///     let mut any = 0;
    ///     ring.run(
    ///         |producer| {
    ///             for row in 0..rows {
    ///                 producer.fill(|stage| stage.part::<0>().load(x, [row, 0]));
    ///             }
    ///         },
    ///         |consumer| {
    ///             let column = ptyx::device::thread::x() as usize % 128;
    ///             for _ in 0..rows {
    ///                 any |= consumer.next().part::<0>().at([0, column]);
    ///             }
    ///         },
    ///     );
    ///     any
    /// }
    /// ```
    ///
    /// # Panics
    /// If the block has another number of threads.
    #[inline(always)]
    #[track_caller]
    pub fn run(
        self,
        produce: impl FnOnce(&mut Producer<P, STAGES>),
        consume: impl FnOnce(&mut Consumer<P, STAGES>),
    ) {
        let places = Self::places(None);
        // SAFETY: has no effect on memory but ordering.
        unsafe { intrinsics::barrier_of_threads(BARRIER) };
        places.run(produce, consume);
    }

    /// As [`run`](Self::run), in all blocks of a cluster, which share what they load: with
    /// [`FillingPart::load_rows_to_cluster`], each block loads an equal part of a tile for all blocks.
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::tma::{Ring, TensorMap};
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    /// use ptyx::prelude::*;
    ///
    /// type Columns = SharedTile<bf16, 256, 64, B128, KMajor>;
    ///
    /// /// Both blocks of each cluster see the same tiles, of which each loads half.
    /// #[kernel]
    /// fn shared_columns(b: TensorMap<[[bf16; 64]; 128], B128>, steps: usize, ring: Ring<(Columns,), 4>) {
    ///     let half = 128 * group::cluster().block_rank() as usize;
    ///     // SAFETY: all blocks run the ring, and load halves of the same tiles.
    ///     unsafe {
    ///         ring.run_in_cluster(
    ///             |producer| {
    ///                 for step in 0..steps {
    ///                     let at = [half as i32, 64 * step as i32];
    ///                     producer.fill(|stage| stage.part::<0>().load_rows_to_cluster(&b, 0, half, at));
    ///                 }
    ///             },
    ///             |consumer| {
    ///                 for _ in 0..steps {
    ///                     consumer.next();
    ///                 }
    ///             },
    ///         )
    ///     };
    /// }
    /// ```
    ///
    /// # Panics
    /// If a block has a number of threads that [`run`](Self::run) does not allow.
    ///
    /// # Safety
    /// - All blocks of the cluster have the same number of threads, and all their threads call this. No thread calls
    ///   [`Cluster::sync`](crate::group::Cluster::sync) while the ring runs, since it waits at the same barrier.
    /// - In each stage, all blocks load the same number of bytes for the cluster, to different places.
    /// - No thread panics while the ring runs: other blocks' copies might arrive after this one has ended.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn run_in_cluster(
        self,
        produce: impl FnOnce(&mut Producer<P, STAGES>),
        consume: impl FnOnce(&mut Consumer<P, STAGES>),
    ) {
        let cluster = group::cluster();
        let places = Self::places(Some(cluster.blocks()));
        cluster.sync();
        places.run(produce, consume);
        // Other blocks' copies and arrivals end in this one's memory.
        cluster.sync();
    }

    /// The ring's memory, with its barriers initialised by one thread. The others must wait for that.
    #[inline(always)]
    #[track_caller]
    fn places(blocks: Option<u32>) -> Places<P, STAGES> {
        const { assert!(STAGES >= 2, "a ring has at least two stages") };
        let threads = block::threads();
        assert!(
            threads.is_multiple_of(WARPGROUP) && threads > WARPGROUP,
            "a ring needs blocks of a multiple of 128 threads, at least 256"
        );
        let memory = crate::shared::alloc::<Memory<P, STAGES>, _>(|| ()).as_mut_ptr();
        // SAFETY: fields of one place in shared memory.
        let (stages, full, free, done) = unsafe {
            (
                Shared::new(&raw mut (*memory).stages),
                Shared::new(&raw mut (*memory).full),
                Shared::new(&raw mut (*memory).free),
                Shared::new((&raw mut (*memory).done).cast::<[State; 1]>()),
            )
        };
        if thread::rank() == 0 {
            // SAFETY: this memory is the ring's alone, and the others wait until it is initialised.
            unsafe {
                Barriers::init(full, 1);
                Barriers::init(
                    free,
                    threads.wrapping_sub(WARPGROUP).wrapping_mul(blocks.unwrap_or(1)),
                );
                Barriers::init(done, 1);
            }
        }
        // SAFETY: nothing uses them before all threads have met.
        unsafe {
            Places {
                stages,
                full: Barriers::of(full),
                free: Barriers::of(free),
                done: Barriers::of(done).at(0),
                blocks,
            }
        }
    }
}

impl<P: StageParts, const STAGES: usize> Places<P, STAGES> {
    #[inline(always)]
    fn run(
        self,
        produce: impl FnOnce(&mut Producer<P, STAGES>),
        consume: impl FnOnce(&mut Consumer<P, STAGES>),
    ) {
        // The same in all lanes, which the assembler can't know of a thread's number.
        let warpgroup = warp::shuffle(u32::MAX, thread::rank() / WARPGROUP, 0);
        let consumers = (block::threads() / WARPGROUP).wrapping_sub(1);
        if warpgroup < consumers {
            consume(&mut Consumer::new(self, warpgroup));
        } else if thread::rank() == consumers.wrapping_mul(WARPGROUP) {
            let mut producer = Producer::new(self);
            produce(&mut producer);
            producer.finish();
            return;
        } else if thread::rank() / warp::SIZE
            != consumers.wrapping_mul(WARPGROUP / warp::SIZE).wrapping_add(1)
        {
            return;
        }
        // One warp that runs no code of the user's waits in any case: a block does not end before its copies are done.
        if !self.wait(self.done, Phase::FIRST) {
            self.leave();
        }
    }

    /// Waits until a phase is complete. Returns `false` if the launch has panicked, since the phase may then never be
    /// complete.
    #[inline(always)]
    fn wait(&self, barrier: Barrier, phase: Phase) -> bool {
        let mut tries = 0u32;
        while !barrier.try_wait_phase(phase) {
            tries = tries.wrapping_add(1);
            if tries.is_multiple_of(LOOK) && panic::has_panicked() {
                return false;
            }
        }
        true
    }

    /// Waits for a phase that may never be complete, but only as long as any copy can take.
    #[inline(always)]
    fn give_up(&self, barrier: Barrier, phase: Phase) {
        let mut pauses = 0u32;
        while pauses < PAUSES && !barrier.is_phase_complete(phase) {
            clock::sleep(PAUSE);
            pauses = pauses.wrapping_add(1);
        }
    }

    /// Ends a thread that does not load, since the launch has panicked.
    #[inline(always)]
    fn leave(&self) -> ! {
        self.drain();
        end()
    }

    /// Waits until no copy writes the block's shared memory any more, although the launch has panicked.
    ///
    /// A producer that still runs waits for its copies and says so. If it is the one that panicked, its copies get as
    /// long as any copy can take.
    #[inline(always)]
    fn drain(&self) {
        self.give_up(self.done, Phase::FIRST);
        // So that the emulated device knows that somebody has seen the copies' barriers.
        for stage in 0..STAGES {
            for phase in [Phase::FIRST, Phase::FIRST.next()] {
                self.full.at(stage).is_phase_complete(phase);
            }
        }
    }
}

/// Ends the thread as one more that panics: the first one is reported.
#[cold]
#[inline(always)]
fn end() -> ! {
    panic!("another thread panicked while a ring was running")
}
