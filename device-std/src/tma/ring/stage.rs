//! Full stages.

use super::part::{Nth, RingPart, StageParts};
use crate::mma::{A, Fragment, Shape};
use crate::shared::Shared;
use crate::tma::{Placed, Tile, TileShape};
use crate::wgmma::{self, Band, Factor, Major, SharedTile, Swizzled};
use core::fmt;
use core::marker::PhantomData;

/// A full stage, which stays so for `'s`.
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
    #[inline(always)]
    pub const fn memory(self) -> Shared<T> {
        self.place
    }
}

impl<K: TileShape, S: Placed> StagePart<'_, Tile<K, S>> {
    /// The element at an index, rows first.
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
    /// # Panics
    /// If the tile has fewer rows.
    #[inline(always)]
    #[track_caller]
    pub fn band(self, index: usize) -> PartBand<'s, T, ROWS, DEPTH, S, M> {
        PartBand { band: self.place.band(index), of_stage: PhantomData }
    }
}

/// 64 rows of a tile of a full stage ([`StagePart::band`]).
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
