//! A ring of tiles in shared memory that some threads of a block fill and the others read.
//!
//! It is safe for the same reasons as [`Pipeline`](super::Pipeline): a thread that reads too early or too late reads wrong
//! numbers at worst. Its barriers decide only when threads go on.

use super::fill::Filling;
use super::{Tile, wait_all};
use crate::barrier::{Barrier, Barriers, Phase, State};
use crate::shared::{CellValue, Shared, SharedCells};
use crate::{block, thread};
use core::marker::PhantomData;

/// What a thread does with a ring of tiles, from [`with_roles`].
///
/// ```
/// use ptyx::device::async_copy::{Role, Tile, with_roles};
/// use ptyx::device::barrier::State;
/// use ptyx::prelude::*;
///
/// /// The sums of tiles of 256 numbers: the first warp of the block copies, each other thread adds up what it gets.
/// #[kernel]
/// fn sums(x: &[f32], sums: Atomics<f32>) {
///     match with_roles(shared!([Tile<f32, 256>; 3]), shared!([[State; 3]; 2]), 32) {
///         Role::Producer(mut producer) => {
///             for tile in x.as_chunks::<256>().0 {
///                 let mut stage = producer.acquire();
///                 stage.memcpy_async(0, tile);
///                 stage.commit();
///             }
///         }
///         Role::Consumer(mut consumer) => {
///             for index in 0..x.len() / 256 {
///                 let tile = consumer.wait();
///                 let own = (thread::x() as usize - 32..256).step_by(block::dim_x() as usize - 32);
///                 sums[index].fetch_add(own.map(|i| tile.get(i)).sum());
///                 tile.release();
///             }
///         }
///     }
/// }
/// ```
#[derive(Debug)]
#[doc(alias = "cuda::pipeline_role")]
pub enum Role<'s, T, const LEN: usize, const STAGES: usize> {
    /// The thread fills tiles.
    Producer(Producer<'s, T, LEN, STAGES>),
    /// The thread reads them.
    Consumer(Consumer<T, LEN, STAGES>),
}

/// An empty ring of tiles that the block's first `producers` threads, by [`thread::rank`], fill, and that all others
/// read. Neither side waits for the other longer than it must: producers go on as soon as all consumers have
/// released a tile, consumers as soon as all producers have committed one.
///
/// This waits for the block: all threads call it, once, for the same memory. Every producer commits the same number of
/// tiles, and every consumer releases each of them; a thread that ends earlier leaves the other side waiting.
///
/// `cuda::make_pipeline(block, &state, producers)` of CUDA C++; PTX
/// [`mbarrier`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-mbarrier)
/// and [`cp.async`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async) (`sm_80`).
///
/// ```
/// use ptyx::device::async_copy::{Role, Tile, with_roles};
/// use ptyx::device::barrier::State;
/// use ptyx::prelude::*;
///
/// /// A quarter of the block copies.
/// fn split<'s>() -> Role<'s, f32, 1024, 2> {
///     with_roles(shared!([Tile<f32, 1024>; 2]), shared!([[State; 2]; 2]), block::threads() / 4)
/// }
/// ```
///
/// # Panics
/// If there are no producers or no consumers. At compile time if there are no stages, or no numbers.
#[doc(alias = "cuda::make_pipeline")]
#[inline(always)]
#[track_caller]
pub fn with_roles<'s, T: CellValue, const LEN: usize, const STAGES: usize>(
    tiles: Shared<[Tile<T, LEN>; STAGES]>,
    states: Shared<[[State; STAGES]; 2]>,
    producers: u32,
) -> Role<'s, T, LEN, STAGES> {
    const { assert!(STAGES >= 1 && LEN >= 1, "a ring without stages, or with tiles of no numbers") };
    let threads = block::threads();
    assert!(
        producers > 0 && producers < threads,
        "a ring needs producers and consumers: {producers} of {threads} threads are producers"
    );
    // SAFETY: every bit pattern is a value.
    let zero = unsafe { core::mem::zeroed() };
    let ring = Ring {
        // Each producer arrives twice: for its copies, and for what it has stored itself.
        full: Barrier::array(states.at(0), producers.wrapping_mul(2)),
        empty: Barrier::array(states.at(1), threads.wrapping_sub(producers)),
        cells: tiles.numbers::<T>().cells(zero),
        stage: 0,
        phase: Phase::FIRST,
    };
    let rank = thread::rank();
    if rank < producers {
        Role::Producer(Producer { ring, turn: (rank, producers), sources: PhantomData })
    } else {
        Role::Consumer(Consumer { ring })
    }
}

/// A ring as one thread sees it: which stage is its next, and in which round.
#[derive(Debug)]
struct Ring<T, const LEN: usize, const STAGES: usize> {
    full: Barriers<STAGES>,
    empty: Barriers<STAGES>,
    /// All tiles, with the padding between them.
    cells: SharedCells<T>,
    stage: usize,
    phase: Phase,
}

impl<T: CellValue, const LEN: usize, const STAGES: usize> Ring<T, LEN, STAGES> {
    /// The first number of the next tile.
    #[inline(always)]
    fn first(&self) -> usize {
        self.stage.wrapping_mul(const { size_of::<Tile<T, LEN>>() / size_of::<T>() })
    }

    #[inline(always)]
    fn advance(&mut self) {
        self.stage = self.stage.wrapping_add(1);
        if self.stage == STAGES {
            self.stage = 0;
            self.phase = self.phase.next();
        }
    }
}

/// A thread that fills the tiles of a ring, from [`with_roles`].
///
/// When it is dropped, it waits for its copies.
///
/// ```
/// use ptyx::device::async_copy::Producer;
///
/// /// Rows, one after another.
/// fn produce<'s>(mut producer: Producer<'s, f32, 64, 4>, rows: &'s [[f32; 64]]) {
///     for row in rows {
///         let mut stage = producer.acquire();
///         stage.memcpy_async(0, row);
///         stage.commit();
///     }
/// }
/// ```
#[derive(Debug)]
pub struct Producer<'s, T, const LEN: usize, const STAGES: usize> {
    ring: Ring<T, LEN, STAGES>,
    /// This thread's number among the producers, and how many there are.
    turn: (u32, u32),
    sources: PhantomData<&'s T>,
}

impl<'s, T: CellValue, const LEN: usize, const STAGES: usize> Producer<'s, T, LEN, STAGES> {
    /// The next tile, once all consumers have released what was there before.
    ///
    /// ```
    /// use ptyx::device::async_copy::Producer;
    ///
    /// /// One tile of zeros, written by one thread.
    /// fn finish(producer: &mut Producer<f32, 64, 4>, is_first: bool) {
    ///     let mut stage = producer.acquire();
    ///     if is_first {
    ///         (0..64).for_each(|i| stage.set(i, 0.0));
    ///     }
    ///     stage.commit();
    /// }
    /// ```
    #[doc(alias = "producer_acquire")]
    #[inline(always)]
    #[track_caller]
    pub fn acquire(&mut self) -> Acquired<'_, 's, T, LEN, STAGES> {
        let ring = &self.ring;
        ring.empty.at(ring.stage).wait_phase(ring.phase.previous());
        let tile = Filling { cells: ring.cells, first: ring.first() };
        Acquired { producer: self, tile }
    }
}

impl<T, const LEN: usize, const STAGES: usize> Drop for Producer<'_, T, LEN, STAGES> {
    #[inline(always)]
    fn drop(&mut self) {
        wait_all();
    }
}

/// A tile that a [`Producer`] fills, together with the other producers. Copies are up to each thread.
///
/// ```
/// use ptyx::device::async_copy::Acquired;
///
/// /// A part of a row, and zeros behind it.
/// fn fill<'s>(mut stage: Acquired<'_, 's, f32, 64, 2>, row: &'s [f32], lane: usize) {
///     for i in (lane..64).step_by(32) {
///         match row.get(i) {
///             Some(number) => stage.copy(i, number),
///             None => stage.set(i, 0.0),
///         }
///     }
///     stage.commit();
/// }
/// ```
#[must_use = "a stage without a commit is acquired again"]
pub struct Acquired<'p, 's, T, const LEN: usize, const STAGES: usize> {
    producer: &'p mut Producer<'s, T, LEN, STAGES>,
    tile: Filling<T, LEN>,
}

impl<T, const LEN: usize, const STAGES: usize> core::fmt::Debug
    for Acquired<'_, '_, T, LEN, STAGES>
{
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter.debug_struct("Acquired").field("first", &self.tile.first).finish_non_exhaustive()
    }
}

impl<'s, T: CellValue, const LEN: usize, const STAGES: usize> Acquired<'_, 's, T, LEN, STAGES> {
    /// Starts to copy a number to place `index` of the tile. If it is aligned to less than 4 bytes, it is copied at once.
    ///
    /// ```
    /// use ptyx::device::async_copy::Producer;
    ///
    /// fn start<'s>(producer: &mut Producer<'s, f32, 32, 2>, lane: usize, column: &'s [[f32; 64]; 32]) {
    ///     let mut stage = producer.acquire();
    ///     stage.copy(lane, &column[lane][0]);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn copy(&mut self, index: usize, source: &'s T) {
        self.tile.copy(index, source);
    }

    /// Starts to copy several numbers to the places from `index` on: by copies of 16 bytes if both addresses
    /// are multiples of that, else by copies of 8 or 4 bytes. Narrow numbers that remain are copied synchronously.
    ///
    /// ```
    /// use ptyx::device::async_copy::Producer;
    ///
    /// /// 16 bytes for each of 32 lanes.
    /// fn start<'s>(producer: &mut Producer<'s, f32, 128, 2>, lane: usize, row: &'s [[f32; 4]; 32]) {
    ///     let mut stage = producer.acquire();
    ///     stage.copy_array(4 * lane, &row[lane]);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If the places are not all below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn copy_array<const COUNT: usize>(&mut self, index: usize, source: &'s [T; COUNT]) {
        self.tile.copy_range((0, 1), index, source);
    }

    /// Starts to copy a slice to the places from `index` on. The producers share the copy, so all of them call this, with
    /// the same arguments.
    ///
    /// ```
    /// use ptyx::device::async_copy::Producer;
    ///
    /// fn start<'s>(producer: &mut Producer<'s, f32, 1024, 2>, row: &'s [f32; 1024]) {
    ///     let mut stage = producer.acquire();
    ///     stage.memcpy_async(0, row);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If the places are not all below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn memcpy_async(&mut self, index: usize, source: &'s [T]) {
        self.tile.copy_range(self.producer.turn, index, source);
    }

    /// Writes a number at once, such as a zero beyond the edge of a matrix.
    ///
    /// ```
    /// use ptyx::device::async_copy::Producer;
    ///
    /// fn skip(producer: &mut Producer<f32, 32, 2>, lane: usize) {
    ///     let mut stage = producer.acquire();
    ///     stage.set(lane, 0.0);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn set(&mut self, index: usize, value: T) {
        self.tile.set(index, value);
    }

    /// Hands the tile to the consumers, once all producers have committed it and their copies are done. Does not wait.
    ///
    /// ```
    /// use ptyx::device::async_copy::Producer;
    ///
    /// fn skip(producer: &mut Producer<f32, 32, 2>) {
    ///     producer.acquire().commit(); // as it is
    /// }
    /// ```
    #[doc(alias = "producer_commit")]
    #[inline(always)]
    #[track_caller]
    pub fn commit(self) {
        let ring = &mut self.producer.ring;
        let full = ring.full.at(ring.stage);
        full.arrive_after_copies();
        full.arrive().forget();
        ring.advance();
    }
}

/// A thread that reads the tiles of a ring, from [`with_roles`].
///
/// ```
/// use ptyx::device::async_copy::Consumer;
///
/// /// The sum of the first numbers of so many tiles.
/// fn firsts(mut consumer: Consumer<f32, 64, 4>, tiles: usize) -> f32 {
///     let mut sum = 0.0;
///     for _ in 0..tiles {
///         let tile = consumer.wait();
///         sum += tile.get(0);
///         tile.release();
///     }
///     sum
/// }
/// ```
#[derive(Debug)]
pub struct Consumer<T, const LEN: usize, const STAGES: usize> {
    ring: Ring<T, LEN, STAGES>,
}

impl<T: CellValue, const LEN: usize, const STAGES: usize> Consumer<T, LEN, STAGES> {
    /// Waits until all producers have committed the next tile and its copies are done.
    ///
    /// ```
    /// use ptyx::device::async_copy::Consumer;
    ///
    /// fn first(consumer: &mut Consumer<f32, 64, 4>) -> f32 {
    ///     let tile = consumer.wait();
    ///     let first = tile.get(0);
    ///     tile.release();
    ///     first
    /// }
    /// ```
    #[doc(alias = "consumer_wait")]
    #[inline(always)]
    #[track_caller]
    pub fn wait(&mut self) -> Filled<'_, T, LEN, STAGES> {
        let ring = &self.ring;
        ring.full.at(ring.stage).wait_phase(ring.phase);
        Filled { consumer: self }
    }
}

/// A tile that a [`Consumer`] reads.
///
/// ```
/// use ptyx::device::async_copy::Filled;
///
/// /// The sum of a tile, which is released afterwards.
/// fn sum(tile: Filled<f32, 64, 3>) -> f32 {
///     let sum = (0..64).map(|i| tile.get(i)).sum();
///     tile.release();
///     sum
/// }
/// ```
#[derive(Debug)]
#[must_use = "a tile that is not released stays the next one"]
pub struct Filled<'c, T, const LEN: usize, const STAGES: usize> {
    consumer: &'c mut Consumer<T, LEN, STAGES>,
}

impl<T: CellValue, const LEN: usize, const STAGES: usize> Filled<'_, T, LEN, STAGES> {
    /// The number at `index`.
    ///
    /// ```
    /// use ptyx::device::async_copy::Filled;
    ///
    /// fn mirrored(tile: &Filled<f32, 64, 3>, i: usize) -> f32 {
    ///     tile.get(63 - i)
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, index: usize) -> T {
        crate::view::check_bounds(index, LEN);
        let ring = &self.consumer.ring;
        ring.cells.get(ring.first().wrapping_add(index))
    }

    /// Lets the producers fill the place again, once all other consumers have released it, too. Does not wait.
    ///
    /// ```
    /// use ptyx::device::async_copy::Consumer;
    ///
    /// fn skip(consumer: &mut Consumer<f32, 64, 4>) {
    ///     consumer.wait().release();
    /// }
    /// ```
    #[doc(alias = "consumer_release")]
    #[inline(always)]
    #[track_caller]
    pub fn release(self) {
        let ring = &mut self.consumer.ring;
        ring.empty.at(ring.stage).arrive().forget();
        ring.advance();
    }
}
