//! The threads that use the tiles.

use super::part::StageParts;
use super::stage::{Left, Stage, StagePart};
use super::{Places, Turn};
use crate::warp;
use crate::wgmma::{
    self, Accumulator, Factor, Major, Product, Running, SharedTile, Swizzled, Width,
};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Deref;

/// Lanes of a warp.
const LANES: u32 = 32;

/// One of the threads that use the tiles of a [`Ring`](super::Ring).
///
/// ```
/// use ptyx::device::tma::{Consumer, Tile};
/// use ptyx::prelude::*;
///
/// type Rows = Tile<[[f32; 128]; 8]>;
///
/// /// What all consumers of a ring do: each thread adds up its own column.
/// fn column_sum(consumer: &mut Consumer<(Rows,), 4>, tiles: usize) -> f32 {
///     let (mut sum, column) = (0.0, thread::x() as usize % 128);
///     for _ in 0..tiles {
///         let stage = consumer.next();
///         sum += (0..8).map(|row| stage.part::<0>().at([row, column])).sum::<f32>();
///     }
///     sum
/// }
/// ```
pub struct Consumer<P: StageParts, const STAGES: usize> {
    places: Places<P, STAGES>,
    turn: Turn<STAGES>,
    warpgroup: u32,
}

impl<P: StageParts, const STAGES: usize> fmt::Debug for Consumer<P, STAGES> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Consumer(warpgroup {})", self.warpgroup)
    }
}

impl<P: StageParts, const STAGES: usize> Consumer<P, STAGES> {
    #[inline(always)]
    pub(super) fn new(places: Places<P, STAGES>, warpgroup: u32) -> Self {
        Self { places, turn: Turn::FIRST, warpgroup }
    }

    /// The number of this thread's warpgroup in the block, from 0. All but the last one consume.
    ///
    /// ```
    /// use ptyx::device::tma::{Consumer, Tile};
    /// use ptyx::prelude::*;
    ///
    /// /// The row of a tile that belongs to this thread, in a block of three warpgroups: the last one loads.
    /// fn own_row(consumer: &Consumer<(Tile<[[f32; 16]; 256]>,), 4>) -> usize {
    ///     128 * consumer.warpgroup() + thread::rank() as usize % 128
    /// }
    /// ```
    #[inline(always)]
    pub const fn warpgroup(&self) -> usize {
        self.warpgroup as usize
    }

    /// Waits until the next stage is full. Dropping the returned value releases the stage. Until then, the producer can't
    /// fill that stage again.
    ///
    /// ```
    /// use ptyx::device::tma::{Consumer, Tile};
    ///
    /// /// The sum of the diagonals of some tiles.
    /// fn trace(consumer: &mut Consumer<(Tile<[[f32; 16]; 16]>,), 4>, tiles: usize) -> f32 {
    ///     let mut sum = 0.0;
    ///     for _ in 0..tiles {
    ///         let stage = consumer.next();
    ///         sum += (0..16).map(|i| stage.part::<0>().at([i, i])).sum::<f32>();
    ///         // Dropping `stage` releases it.
    ///     }
    ///     sum
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    #[expect(clippy::should_implement_trait, reason = "there is no last stage")]
    pub fn next(&mut self) -> Filled<'_, P, STAGES> {
        let turn = self.turn;
        self.turn = turn.next();
        if !self.wait(turn) {
            self.places.leave();
        }
        Filled { stage: self.stage(turn), places: self.places, number: turn.stage }
    }

    /// Waits until a stage is full; returns `false` if the launch has panicked.
    #[inline(always)]
    #[track_caller]
    fn wait(&self, turn: Turn<STAGES>) -> bool {
        self.places.wait(self.places.full.at(turn.stage), turn.phase)
    }

    /// A stage.
    #[inline(always)]
    fn stage<'s>(&self, turn: Turn<STAGES>) -> Stage<'s, P> {
        Stage { place: self.places.stages.at(turn.stage), of_stage: PhantomData }
    }

    /// Adds products of tiles in the next `count` stages to `sums`, on tensor cores. `multiply` is called once for each
    /// stage and starts its products; they run while those of the next stage are started. All are done when this
    /// returns.
    ///
    /// All threads of a warpgroup must call it together, as [`wgmma`](crate::wgmma) requires (`sm_90a`). Nothing in
    /// `multiply` should be able to panic: otherwise the assembler makes the products wait for each other.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::tma::Consumer;
    /// use ptyx::device::wgmma::{Accumulator, B128, KMajor, SharedTile};
    ///
    /// type Rows = SharedTile<f16, 128, 64, B128, KMajor>;
    /// type Columns = SharedTile<f16, 256, 64, B128, KMajor>;
    ///
    /// /// 64 rows of a product for each of two warpgroups.
    /// fn product(consumer: &mut Consumer<(Rows, Columns), 4>, steps: usize) -> Accumulator<f32, 256> {
    ///     let warpgroup = consumer.warpgroup() % 2;
    ///     let mut sums = Accumulator::filled(0.0);
    ///     consumer.accumulate(&mut sums, steps, |products, stage| {
    ///         products.add(stage.part::<0>().band(warpgroup), stage.part::<1>());
    ///     });
    ///     sums
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn accumulate<T: Width<N>, const N: usize>(
        &mut self,
        sums: &mut Accumulator<T, N>,
        count: usize,
        multiply: impl Fn(&mut Products<'_, '_, T, N>, &Stage<'_, P>),
    ) {
        let (mut turn, mut is_over) = (self.turn, false);
        sums.accumulate(|running| {
            for step in 0..count {
                // If the launch has panicked, the products are of whatever the stages hold, and nobody sees their sums.
                // The loop goes on because, with a second exit, the assembler makes products wait for each other.
                if !is_over && !self.wait(turn) {
                    self.places.drain();
                    is_over = true;
                }
                multiply(&mut Products { running }, &self.stage(turn));
                running.commit();
                running.wait::<1>();
                // Its products are done now.
                if step > 0 && !is_over {
                    self.places.give_back_by_warp(turn.stage_before());
                }
                turn = turn.next();
            }
        });
        if is_over {
            super::end();
        }
        if count > 0 {
            self.places.give_back_by_warp(turn.stage_before());
        }
        self.turn = turn;
    }
}

impl<P: StageParts, const STAGES: usize> Places<P, STAGES> {
    /// This thread no longer uses a stage.
    #[inline(always)]
    fn give_back(self, stage: usize) {
        let free = self.free.at(stage);
        let Some(blocks) = self.blocks else { return free.arrive().forget() };
        for rank in 0..blocks {
            // SAFETY: blocks of a cluster wait for each other before they end.
            unsafe { free.arrive_many_remote_relaxed(rank, 1) };
        }
    }

    /// All lanes of this warp, which come together, no longer use a stage.
    #[inline(always)]
    fn give_back_by_warp(self, stage: usize) {
        let (free, lane) = (self.free.at(stage), warp::lane());
        // One arrival at each barrier.
        if lane < self.blocks.unwrap_or(1) {
            match self.blocks {
                None => free.arrive_many(LANES).forget(),
                // SAFETY: as above.
                Some(_) => unsafe { free.arrive_many_remote_relaxed(lane, LANES) },
            }
        }
    }
}

/// A full stage, from [`Consumer::next`]. Dropping it releases the stage.
///
/// ```
/// use ptyx::device::tma::{Consumer, Tile};
///
/// type Numbers = (Tile<[u32; 128]>,);
///
/// /// The first number of a stage. The producer may fill the stage again before the number is used.
/// fn first(consumer: &mut Consumer<Numbers, 4>) -> u32 {
///     let stage = consumer.next();
///     let first = stage.part::<0>().at([0]);
///     drop(stage);
///     first
/// }
/// ```
pub struct Filled<'s, P: StageParts, const STAGES: usize> {
    stage: Stage<'s, P>,
    places: Places<P, STAGES>,
    number: usize,
}

impl<'s, P: StageParts, const STAGES: usize> Deref for Filled<'s, P, STAGES> {
    type Target = Stage<'s, P>;

    #[inline(always)]
    fn deref(&self) -> &Stage<'s, P> {
        &self.stage
    }
}

impl<P: StageParts, const STAGES: usize> Drop for Filled<'_, P, STAGES> {
    #[inline(always)]
    fn drop(&mut self) {
        self.places.give_back(self.number);
    }
}

impl<P: StageParts, const STAGES: usize> fmt::Debug for Filled<'_, P, STAGES> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Filled(stage {})", self.number)
    }
}

/// Starts products of a stage: what [`Consumer::accumulate`] passes to its closure.
///
/// ```
/// use half::f16;
/// use ptyx::device::tma::Stage;
/// use ptyx::device::tma::ring::Products;
/// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
///
/// type Rows = SharedTile<f16, 64, 64, B128, KMajor>;
/// type Columns = SharedTile<f16, 128, 64, B128, KMajor>;
///
/// /// The products of a stage with two pairs of tiles, for a closure that is passed to `Consumer::accumulate`.
/// fn both(
///     products: &mut Products<'_, '_, f32, 128>,
///     stage: &Stage<'_, (Rows, Columns, Rows, Columns)>,
/// ) {
///     products.add(stage.part::<0>(), stage.part::<1>());
///     products.add(stage.part::<2>(), stage.part::<3>());
/// }
/// ```
pub struct Products<'r, 'a, T: Width<N>, const N: usize> {
    running: &'r mut Running<'a, T, N>,
}

impl<T: Width<N>, const N: usize> fmt::Debug for Products<'_, '_, T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.running.fmt(formatter)
    }
}

impl<T: Width<N>, const N: usize> Products<'_, '_, T, N> {
    /// Starts to add the product of two matrices of a stage ([`Running::add`]).
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::tma::Consumer;
    /// use ptyx::device::wgmma::{Accumulator, B128, KMajor, SharedTile};
    ///
    /// type Rows = SharedTile<bf16, 64, 64, B128, KMajor>;
    /// type Columns = SharedTile<bf16, 256, 64, B128, KMajor>;
    ///
    /// /// 64x256 elements of a product. Each stage holds a depth of 64.
    /// fn product(consumer: &mut Consumer<(Rows, Columns), 4>, steps: usize) -> Accumulator<f32, 256> {
    ///     let mut sums = Accumulator::filled(0.0);
    ///     consumer.accumulate(&mut sums, steps, |products, stage| {
    ///         products.add(stage.part::<0>(), stage.part::<1>());
    ///     });
    ///     sums
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn add<L, TB, S, M, const DEPTH: usize>(
        &mut self,
        a: L,
        b: StagePart<'_, SharedTile<TB, N, DEPTH, S, M>>,
    ) where
        L: Left<DEPTH>,
        <L::Left as wgmma::Left<DEPTH>>::Element: Product<TB, T>,
        TB: Factor,
        S: Swizzled,
        M: Major,
    {
        // SAFETY: a stage that is full was written by copies, and is given back once the products are done.
        unsafe { self.running.add(a.left(), b.memory()) }
    }
}
