//! The tiles of a stage, its parts.

use crate::DeviceCopy;
use crate::tma::{Placed, Tile, TileShape};
use crate::wgmma::{Factor, Major, SharedTile, Swizzled};
use core::mem::offset_of;

/// A tile of a stage: a [`Tile`], or a [`SharedTile`] for tensor cores.
///
/// ```
/// use ptyx::device::tma::Tile;
/// use ptyx::device::tma::ring::RingPart;
/// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
///
/// /// The bytes that this part takes in `stages` stages.
/// const fn bytes<T: RingPart>(stages: usize) -> usize {
///     stages * size_of::<T>()
/// }
/// assert_eq!(bytes::<Tile<[[f32; 64]; 16]>>(4), 16384);
/// assert_eq!(bytes::<SharedTile<i8, 128, 128, B128, KMajor>>(4), 65536);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a part of a ring's stages",
    note = "parts are `tma::Tile`s and `wgmma::SharedTile`s"
)]
pub trait RingPart: DeviceCopy + sealed::Part {}

/// The parts of a stage: a tuple of one to four tiles ([`RingPart`]).
///
/// ```
/// use ptyx::device::tma::Tile;
/// use ptyx::device::tma::ring::StageParts;
///
/// /// The most stages that fit into shared memory of this size.
/// fn stages<P: StageParts>(shared_memory: usize) -> usize {
///     shared_memory / size_of::<P>()
/// }
/// assert_eq!(stages::<(Tile<[[f32; 64]; 32]>, Tile<[[f32; 64]; 32]>)>(48 * 1024), 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the stages of a ring",
    note = "a stage is a tuple of one to four tiles, as in `Ring<(tma::Tile<[[f32; 64]; 16]>,), 4>`"
)]
pub trait StageParts: Copy + 'static + sealed::StageParts {}

/// Part `I` of a stage.
///
/// ```
/// use ptyx::device::tma::Tile;
/// use ptyx::device::tma::ring::{Nth, Stage};
///
/// /// The sum of a row of the first part, whatever other parts a stage has.
/// fn sum<P: Nth<0, Part = Tile<[[f32; 64]; 16]>>>(stage: &Stage<'_, P>, row: usize) -> f32 {
///     (0..64).map(|column| stage.part::<0>().at([row, column])).sum()
/// }
/// ```
#[diagnostic::on_unimplemented(message = "the stage `{Self}` has no part {I}")]
pub trait Nth<const I: usize>: StageParts {
    /// The type of that part.
    type Part: RingPart;

    #[doc(hidden)]
    const OFFSET: usize;
}

mod sealed {
    /// Tiles, in which every bit pattern is a value.
    pub trait Part {}

    pub trait StageParts {}
}

impl<K: TileShape, S: Placed> sealed::Part for Tile<K, S> {}
impl<K: TileShape, S: Placed> RingPart for Tile<K, S> {}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> sealed::Part
    for SharedTile<T, ROWS, DEPTH, S, M>
{
}
impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> RingPart
    for SharedTile<T, ROWS, DEPTH, S, M>
{
}

macro_rules! parts {
    ($(($($all:ident)*) $index:tt $part:ident;)*) => {$(
        impl<$($all: RingPart),*> Nth<$index> for ($($all,)*) {
            type Part = $part;
            const OFFSET: usize = offset_of!(Self, $index);
        }
    )*};
}

macro_rules! stages {
    ($(($($all:ident)*);)*) => {$(
        impl<$($all: RingPart),*> sealed::StageParts for ($($all,)*) {}
        impl<$($all: RingPart),*> StageParts for ($($all,)*) {}
    )*};
}

stages! { (A); (A B); (A B C); (A B C D); }

parts! {
    (A) 0 A;
    (A B) 0 A; (A B) 1 B;
    (A B C) 0 A; (A B C) 1 B; (A B C) 2 C;
    (A B C D) 0 A; (A B C D) 1 B; (A B C D) 2 C; (A B C D) 3 D;
}
