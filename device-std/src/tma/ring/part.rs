//! The tiles of a stage, its parts.

use crate::DeviceCopy;
use crate::tma::{Placed, Tile, TileShape};
use crate::wgmma::{Factor, Major, SharedTile, Swizzled};
use core::mem::offset_of;

/// A tile of a stage: a [`Tile`], or a [`SharedTile`] for tensor cores.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a part of a ring's stages",
    note = "parts are `tma::Tile`s and `wgmma::SharedTile`s"
)]
pub trait RingPart: DeviceCopy + sealed::Part {}

/// The parts of a stage: a tuple of one to four tiles ([`RingPart`]).
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the stages of a ring",
    note = "a stage is a tuple of one to four tiles, as in `Ring<(tma::Tile<[[f32; 64]; 16]>,), 4>`"
)]
pub trait StageParts: Copy + 'static + sealed::StageParts {}

/// Part `I` of a stage.
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
