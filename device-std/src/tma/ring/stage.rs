//! Full stages.

use super::part::{Nth, RingPart, StageParts};
use crate::mma::{A, Fragment, Shape};
use crate::shared::Shared;
use crate::tma::{Placed, Tile, TileShape};
use crate::wgmma::{self, Band, Factor, Major, SharedTile, Swizzled};
use core::fmt;
use core::marker::PhantomData;

/// A full stage of a [`Ring`](super::Ring), which stays full for `'s`.
///
/// ```
/// use ptyx::device::tma::{Stage, Tile};
///
/// /// The largest element of a row of a stage's only tile.
/// fn largest(stage: &Stage<'_, (Tile<[[f32; 32]; 8]>,)>, row: usize) -> f32 {
///     (0..32).map(|column| stage.part::<0>().at([row, column])).fold(f32::MIN, f32::max)
/// }
/// ```
pub struct Stage<'s, P: StageParts> {
    pub(super) place: Shared<P>,
    pub(super) of_stage: PhantomData<&'s P>,
}

impl<P: StageParts> fmt::Debug for Stage<'_, P> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Stage({})", core::any::type_name::<P>())
    }
}

impl<P: StageParts> Stage<'_, P> {
    /// Part `I` of the stage.
    ///
    /// ```
    /// use ptyx::device::tma::{Stage, Tile};
    ///
    /// /// A value times its weight: 255 means 1.
    /// fn weighted(stage: &Stage<'_, (Tile<[f32; 256]>, Tile<[u8; 256]>)>, index: usize) -> f32 {
    ///     stage.part::<0>().at([index]) * f32::from(stage.part::<1>().at([index])) / 255.0
    /// }
    /// ```
    #[inline(always)]
    pub fn part<const I: usize>(&self) -> StagePart<'_, P::Part>
    where
        P: Nth<I>,
    {
        // SAFETY: a field of the stage.
        let place = unsafe {
            Shared::new(self.place.as_mut_ptr().cast::<u8>().add(P::OFFSET).cast::<P::Part>())
        };
        StagePart { place, of_stage: PhantomData }
    }
}

/// A tile of a full stage.
///
/// ```
/// use ptyx::device::tma::Tile;
/// use ptyx::device::tma::ring::StagePart;
///
/// /// The difference from the element above.
/// fn slope(tile: StagePart<'_, Tile<[[f32; 64]; 16]>>, row: usize, column: usize) -> f32 {
///     tile.at([row, column]) - tile.at([row - 1, column])
/// }
/// ```
pub struct StagePart<'s, T> {
    place: Shared<T>,
    of_stage: PhantomData<&'s T>,
}

impl<T> Clone for StagePart<'_, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for StagePart<'_, T> {}

impl<T: RingPart> fmt::Debug for StagePart<'_, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "StagePart({})", core::any::type_name::<T>())
    }
}

impl<T> StagePart<'_, T> {
    /// The tile's memory, for unsafe code: it must not be written, nor read after the stage has been given back.
    ///
    /// ```
    /// use ptyx::device::tma::ring::StagePart;
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    ///
    /// /// An element of a tile for tensor cores.
    /// fn element(part: StagePart<'_, SharedTile<i8, 64, 128, B128, KMajor>>, row: usize, k: usize) -> i8 {
    ///     // SAFETY: while there is `part`, the stage is full, and nothing writes it.
    ///     unsafe { part.memory().at(row, k).read() }
    /// }
    /// ```
    #[inline(always)]
    pub const fn memory(self) -> Shared<T> {
        self.place
    }
}

impl<K: TileShape, S: Placed> StagePart<'_, Tile<K, S>> {
    /// The element at an index, rows first.
    ///
    /// ```
    /// use ptyx::device::tma::Tile;
    /// use ptyx::device::tma::ring::StagePart;
    ///
    /// /// The mean of an element and its six neighbours.
    /// fn smoothed(tile: StagePart<'_, Tile<[[[f32; 8]; 8]; 8]>>, [z, y, x]: [usize; 3]) -> f32 {
    ///     let along_x = tile.at([z, y, x - 1]) + tile.at([z, y, x + 1]);
    ///     let along_y = tile.at([z, y - 1, x]) + tile.at([z, y + 1, x]);
    ///     let along_z = tile.at([z - 1, y, x]) + tile.at([z + 1, y, x]);
    ///     (tile.at([z, y, x]) + along_x + along_y + along_z) / 7.0
    /// }
    /// ```
    ///
    /// # Panics
    /// If the index is outside of the tile.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: K::Index) -> K::Element {
        // SAFETY: a stage that is full has been written, and nothing writes it before this thread gives it back.
        unsafe { self.place.at(index).read() }
    }
}

impl<'s, T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major>
    StagePart<'s, SharedTile<T, ROWS, DEPTH, S, M>>
{
    /// 64 rows, from row `64 * index` on ([`Shared::band`]).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::tma::Consumer;
    /// use ptyx::device::wgmma::{Accumulator, B128, KMajor, SharedTile};
    ///
    /// type Rows = SharedTile<f16, 192, 64, B128, KMajor>;
    /// type Columns = SharedTile<f16, 128, 64, B128, KMajor>;
    ///
    /// /// A third of the rows for each of three consuming warpgroups.
    /// fn add(consumer: &mut Consumer<(Rows, Columns), 4>, sums: &mut Accumulator<f32, 128>) {
    ///     let warpgroup = consumer.warpgroup();
    ///     consumer.accumulate(sums, 1, |products, stage| {
    ///         products.add(stage.part::<0>().band(warpgroup), stage.part::<1>());
    ///     });
    /// }
    /// ```
    ///
    /// # Panics
    /// If the tile has fewer rows.
    #[inline(always)]
    #[track_caller]
    pub fn band(self, index: usize) -> PartBand<'s, T, ROWS, DEPTH, S, M> {
        PartBand { band: self.place.band(index), of_stage: PhantomData }
    }
}

/// 64 rows of a tile of a full stage ([`StagePart::band`]).
///
/// ```
/// use half::f16;
/// use ptyx::device::tma::ring::{PartBand, Products, StagePart};
/// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
///
/// type Columns = SharedTile<f16, 128, 64, B128, KMajor>;
///
/// /// Starts to add the product of 64 of a tile's 256 rows and of columns.
/// fn add(
///     products: &mut Products<'_, '_, f32, 128>,
///     rows: PartBand<'_, f16, 256, 64, B128, KMajor>,
///     columns: StagePart<'_, Columns>,
/// ) {
///     products.add(rows, columns);
/// }
/// ```
pub struct PartBand<'s, T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> {
    band: Band<T, ROWS, DEPTH, S, M>,
    of_stage: PhantomData<&'s T>,
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Clone
    for PartBand<'_, T, ROWS, DEPTH, S, M>
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Copy
    for PartBand<'_, T, ROWS, DEPTH, S, M>
{
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> fmt::Debug
    for PartBand<'_, T, ROWS, DEPTH, S, M>
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.band.fmt(formatter)
    }
}

/// The matrix A of a product in a stage: a [`StagePart`] with 64 rows, a [`PartBand`], or fragments in registers.
///
/// ```
/// use half::f16;
/// use ptyx::device::mma::{A, Fragment};
/// use ptyx::device::tma::ring::{Left, PartBand, StagePart};
/// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
///
/// /// Compiles only for what can be multiplied by a tile of depth 64.
/// fn is_left<L: Left<64>>() {}
/// is_left::<StagePart<'_, SharedTile<f16, 64, 64, B128, KMajor>>>();
/// is_left::<PartBand<'_, f16, 256, 64, B128, KMajor>>();
/// is_left::<[Fragment<A, f16, 16, 16>; 4]>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a matrix A with 64 rows and depth {DEPTH}",
    note = "A is a part of a stage with 64 rows, a band of one, or an array of `Fragment<A, _, 16, _>`; it must be as \
            deep as B"
)]
pub trait Left<const DEPTH: usize>: sealed::Left<DEPTH> {}

pub(super) mod sealed {
    /// What can be multiplied while the stage is full.
    pub trait Left<const DEPTH: usize> {
        type Left: crate::wgmma::Left<DEPTH>;

        fn left(self) -> Self::Left;
    }
}

impl<T: Factor, const DEPTH: usize, S: Swizzled, M: Major> Left<DEPTH>
    for StagePart<'_, SharedTile<T, 64, DEPTH, S, M>>
{
}
impl<T: Factor, const DEPTH: usize, S: Swizzled, M: Major> sealed::Left<DEPTH>
    for StagePart<'_, SharedTile<T, 64, DEPTH, S, M>>
{
    type Left = Shared<SharedTile<T, 64, DEPTH, S, M>>;

    #[inline(always)]
    fn left(self) -> Self::Left {
        self.place
    }
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Left<DEPTH>
    for PartBand<'_, T, ROWS, DEPTH, S, M>
{
}
impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> sealed::Left<DEPTH>
    for PartBand<'_, T, ROWS, DEPTH, S, M>
{
    type Left = Band<T, ROWS, DEPTH, S, M>;

    #[inline(always)]
    fn left(self) -> Self::Left {
        self.band
    }
}

impl<T, const K: usize, const STEPS: usize, const DEPTH: usize> Left<DEPTH>
    for [Fragment<A, T, 16, K>; STEPS]
where
    T: Shape<A, 16, K>,
    Self: wgmma::Left<DEPTH>,
{
}
impl<T, const K: usize, const STEPS: usize, const DEPTH: usize> sealed::Left<DEPTH>
    for [Fragment<A, T, 16, K>; STEPS]
where
    T: Shape<A, 16, K>,
    Self: wgmma::Left<DEPTH>,
{
    type Left = Self;

    #[inline(always)]
    fn left(self) -> Self {
        self
    }
}
