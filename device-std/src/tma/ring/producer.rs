//! The thread that loads.

use super::part::{Nth, RingPart, StageParts};
use super::{Places, Turn};
use crate::barrier::Barrier;
use crate::shared::Shared;
use crate::tma::load::check_start;
use crate::tma::{FilledFrom, Placed, TensorMap, Tile, TileShape};
use crate::wgmma::{Factor, Major, SharedTile};
use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;

/// The thread that loads the tiles of a [`Ring`](super::Ring).
///
/// ```
/// use ptyx::device::tma::{Producer, TensorMap, Tile};
///
/// type Columns = [[f32; 32]; 64];
///
/// /// What the producer of a ring does: it loads a row of tiles, one after the other.
/// fn load(producer: &mut Producer<(Tile<Columns>,), 4>, x: &TensorMap<Columns>, tiles: i32) {
///     for tile in 0..tiles {
///         producer.fill(|stage| stage.part::<0>().load(x, [0, 32 * tile]));
///     }
/// }
/// ```
pub struct Producer<P: StageParts, const STAGES: usize> {
    places: Places<P, STAGES>,
    turn: Turn<STAGES>,
    /// Whether all stages have been filled before.
    is_round: bool,
}

impl<P: StageParts, const STAGES: usize> fmt::Debug for Producer<P, STAGES> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Producer({STAGES} stages)")
    }
}

impl<P: StageParts, const STAGES: usize> Producer<P, STAGES> {
    #[inline(always)]
    pub(super) fn new(places: Places<P, STAGES>) -> Self {
        Self { places, turn: Turn::FIRST, is_round: false }
    }

    /// Waits until the next stage is free, and calls `load`, which starts the loads into it. Parts that `load` does not
    /// load keep their old contents, which are unspecified in the first round.
    ///
    /// ```
    /// use ptyx::device::tma::{Producer, TensorMap, Tile};
    ///
    /// type Numbers = [f32; 256];
    ///
    /// /// Loads tiles in the order of a list, for example those that are not all zeros.
    /// fn load(producer: &mut Producer<(Tile<Numbers>,), 4>, x: &TensorMap<Numbers>, starts: &[i32]) {
    ///     for &start in starts {
    ///         producer.fill(|stage| stage.part::<0>().load(x, [start]));
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn fill(&mut self, load: impl FnOnce(&Filling<'_, P>)) {
        let Turn { stage, phase } = self.turn;
        // In the first round, the phase before the first counts as complete.
        if !self.places.wait(self.places.free.at(stage), phase.previous()) {
            self.abandon();
        }
        let barrier = self.places.full.at(stage);
        let filling = Filling {
            stage: self.places.stages.at(stage),
            barrier,
            blocks: self.places.blocks,
            bytes: Cell::new(0),
            of_stage: PhantomData,
        };
        load(&filling);
        barrier.arrive_expect_tx(filling.bytes.get()).forget();
        self.turn = self.turn.next();
        self.is_round |= self.turn.stage == 0;
    }

    /// Waits for all copies, and tells the other threads.
    #[inline(always)]
    pub(super) fn finish(&self) {
        let Turn { stage: next, phase } = self.turn;
        for stage in 0..STAGES {
            let phase = if stage < next { phase } else { phase.previous() };
            // If another block of the cluster has panicked, what it was to load may never arrive.
            if (stage < next || self.is_round)
                && !self.places.wait(self.places.full.at(stage), phase)
            {
                self.places.give_up(self.places.full.at(stage), phase);
            }
        }
        self.places.done.arrive().forget();
    }

    /// Ends the thread, since the launch has panicked and no stage will become free.
    #[inline(always)]
    fn abandon(&self) -> ! {
        self.finish();
        super::end()
    }
}

/// A stage that is being filled, from [`Producer::fill`].
///
/// ```
/// use ptyx::device::tma::{Filling, TensorMap, Tile};
///
/// type Tiles = [[f32; 64]; 16];
///
/// /// Loads a tile and the one below it, for a closure that is passed to `Producer::fill`.
/// fn load(stage: &Filling<'_, (Tile<Tiles>, Tile<Tiles>)>, x: &TensorMap<Tiles>, row: i32) {
///     stage.part::<0>().load(x, [row, 0]);
///     stage.part::<1>().load(x, [row + 16, 0]);
/// }
/// ```
pub struct Filling<'s, P: StageParts> {
    stage: Shared<P>,
    barrier: Barrier,
    blocks: Option<u32>,
    /// How many bytes will arrive.
    bytes: Cell<u32>,
    of_stage: PhantomData<&'s mut P>,
}

impl<P: StageParts> fmt::Debug for Filling<'_, P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Filling({} bytes)", self.bytes.get())
    }
}

impl<P: StageParts> Filling<'_, P> {
    /// Part `I` of the stage.
    ///
    /// ```
    /// use ptyx::device::tma::{Filling, TensorMap, Tile};
    ///
    /// type Values = [f32; 256];
    /// type Weights = [u8; 256];
    ///
    /// /// Loads values and their weights, which have different types.
    /// fn load(
    ///     stage: &Filling<'_, (Tile<Values>, Tile<Weights>)>,
    ///     values: &TensorMap<Values>,
    ///     weights: &TensorMap<Weights>,
    ///     first: i32,
    /// ) {
    ///     stage.part::<0>().load(values, [first]);
    ///     stage.part::<1>().load(weights, [first]);
    /// }
    /// ```
    #[inline(always)]
    pub fn part<const I: usize>(&self) -> FillingPart<'_, P::Part>
    where
        P: Nth<I>,
    {
        // SAFETY: a field of the stage.
        let place = unsafe {
            Shared::new(self.stage.as_mut_ptr().cast::<u8>().add(P::OFFSET).cast::<P::Part>())
        };
        FillingPart { place, barrier: self.barrier, blocks: self.blocks, bytes: &self.bytes }
    }
}

/// A tile of a stage that is being filled.
///
/// ```
/// use ptyx::device::tma::ring::FillingPart;
/// use ptyx::device::tma::{TensorMap, Tile};
///
/// type Matrix = [[f32; 32]; 32];
///
/// /// Starts to load a tile of a matrix of tiles.
/// fn load(part: FillingPart<'_, Tile<Matrix>>, map: &TensorMap<Matrix>, [row, column]: [i32; 2]) {
///     part.load(map, [32 * row, 32 * column]);
/// }
/// ```
pub struct FillingPart<'s, T: RingPart> {
    place: Shared<T>,
    barrier: Barrier,
    blocks: Option<u32>,
    bytes: &'s Cell<u32>,
}

impl<T: RingPart> fmt::Debug for FillingPart<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "FillingPart({})", core::any::type_name::<T>())
    }
}

impl<T: RingPart> FillingPart<'_, T> {
    /// Starts a load.
    #[inline(always)]
    #[track_caller]
    fn start<K: TileShape, S: Placed>(
        &self,
        map: &TensorMap<'_, K, S>,
        to: Shared<Tile<K, S>>,
        at: K::Coordinates,
    ) {
        check_start::<K, S>(at.as_ref());
        // SAFETY: nothing uses the stage before its barrier says that it is full.
        let bytes = unsafe { map.load(to, at, self.barrier) };
        self.bytes.set(self.bytes.get().wrapping_add(bytes));
    }

    /// Starts a load for all blocks of the cluster, which load as much themselves.
    #[inline(always)]
    #[track_caller]
    fn start_in_cluster<K: TileShape, S: Placed>(
        &self,
        map: &TensorMap<'_, K, S>,
        to: Shared<Tile<K, S>>,
        at: K::Coordinates,
    ) {
        let Some(blocks) = self.blocks else { return self.start(map, to, at) };
        check_start::<K, S>(at.as_ref());
        let ranks = (1u32 << blocks).wrapping_sub(1) as u16;
        // SAFETY: as in `start`, in each block: a stage is free when all blocks' consumers have given it back.
        let bytes = unsafe { map.load_to_cluster(to, at, self.barrier, ranks) };
        self.bytes.set(self.bytes.get().wrapping_add(bytes.wrapping_mul(blocks)));
    }
}

impl<K: TileShape, S: Placed> FillingPart<'_, Tile<K, S>> {
    /// Starts to load the tile whose first element is at the coordinates `at` ([`TensorMap::load`]).
    ///
    /// ```
    /// use ptyx::device::tma::{Filling, TensorMap, Tile};
    ///
    /// type Cells = [[[f32; 8]; 8]; 8];
    ///
    /// /// Loads cells with a border of one cell before them. Outside of the volume they are zero.
    /// fn load(stage: &Filling<'_, (Tile<Cells>,)>, volume: &TensorMap<Cells>, [z, y]: [i32; 2]) {
    ///     stage.part::<0>().load(volume, [z - 1, y - 1, 0]);
    /// }
    /// ```
    ///
    /// # Panics
    /// If the innermost coordinate, in bytes, is not a multiple of 16. (In an interleaved layout, any coordinate is allowed.)
    #[inline(always)]
    #[track_caller]
    pub fn load(&self, map: &TensorMap<'_, K, S>, at: K::Coordinates) {
        self.start(map, self.place, at);
    }
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Placed, M: Major>
    FillingPart<'_, SharedTile<T, ROWS, DEPTH, S, M>>
{
    /// Starts to load panel `index` of the tile ([`Shared::panel`]).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::tma::{Filling, TensorMap};
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    ///
    /// /// Loads 128 rows with a depth of 128: two panels of 128 bytes.
    /// fn load(
    ///     stage: &Filling<'_, (SharedTile<f16, 128, 128, B128, KMajor>,)>,
    ///     a: &TensorMap<[[f16; 64]; 128], B128>,
    ///     [row, k]: [i32; 2],
    /// ) {
    ///     stage.part::<0>().load_panel(a, 0, [row, k]);
    ///     stage.part::<0>().load_panel(a, 1, [row, k + 64]);
    /// }
    /// ```
    ///
    /// # Panics
    /// If the tile has fewer panels, or the innermost coordinate, in bytes, is not a multiple of 16.
    #[inline(always)]
    #[track_caller]
    pub fn load_panel<K: TileShape>(
        &self,
        map: &TensorMap<'_, K, S>,
        index: usize,
        at: K::Coordinates,
    ) where
        T: FilledFrom<K::Element>,
    {
        self.start(map, self.place.panel(index), at);
    }

    /// Starts to load some rows of panel `index`, from row `first` on ([`Shared::panel_rows`]).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::tma::{Filling, TensorMap};
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    ///
    /// /// Loads 128 rows that lie in two places of a matrix.
    /// fn load(
    ///     stage: &Filling<'_, (SharedTile<f16, 128, 64, B128, KMajor>,)>,
    ///     a: &TensorMap<[[f16; 64]; 64], B128>,
    ///     [first, second]: [i32; 2],
    /// ) {
    ///     stage.part::<0>().load_rows(a, 0, 0, [first, 0]);
    ///     stage.part::<0>().load_rows(a, 0, 64, [second, 0]);
    /// }
    /// ```
    ///
    /// # Panics
    /// As [`Shared::panel_rows`], or if the innermost coordinate, in bytes, is not a multiple of 16.
    #[inline(always)]
    #[track_caller]
    pub fn load_rows<K: TileShape>(
        &self,
        map: &TensorMap<'_, K, S>,
        index: usize,
        first: usize,
        at: K::Coordinates,
    ) where
        T: FilledFrom<K::Element>,
    {
        self.start(map, self.place.panel_rows(index, first), at);
    }

    /// As [`load_rows`](Self::load_rows), but into this stage of all blocks of the cluster
    /// ([`Ring::run_in_cluster`](super::Ring::run_in_cluster)). Each block must load other rows.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::tma::{Filling, TensorMap};
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    /// use ptyx::prelude::*;
    ///
    /// /// Each of the four blocks of a cluster loads a quarter of the rows for all.
    /// fn load(
    ///     stage: &Filling<'_, (SharedTile<f16, 256, 64, B128, KMajor>,)>,
    ///     b: &TensorMap<[[f16; 64]; 64], B128>,
    ///     k: i32,
    /// ) {
    ///     let first = 64 * group::cluster().block_rank() as usize;
    ///     stage.part::<0>().load_rows_to_cluster(b, 0, first, [first as i32, k]);
    /// }
    /// ```
    ///
    /// # Panics
    /// As [`load_rows`](Self::load_rows).
    #[inline(always)]
    #[track_caller]
    pub fn load_rows_to_cluster<K: TileShape>(
        &self,
        map: &TensorMap<'_, K, S>,
        index: usize,
        first: usize,
        at: K::Coordinates,
    ) where
        T: FilledFrom<K::Element>,
    {
        self.start_in_cluster(map, self.place.panel_rows(index, first), at);
    }
}
