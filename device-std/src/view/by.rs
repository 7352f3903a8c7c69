//! Who owns which elements of a [`Parts`](super::Parts): one owner for each axis of the array.
//!
//! | owner | positions along its axis |
//! |---|---|
//! | [`Thread`], [`ThreadX`], [`ThreadY`], [`ThreadZ`] | the thread's index in the grid, then one number of threads further each time |
//! | [`ThreadInGrid`] | the thread's number in a grid of any shape, then one number of threads further each time |
//! | [`ThreadInRows`] | likewise, but numbered row by row through the whole grid, as the pixels of an image are, even if blocks have several rows |
//! | [`Block`], [`BlockX`], [`BlockY`], [`BlockZ`] | the block's index in the grid, then one number of blocks further each time |
//! | [`Warp`] | the warp's number in the grid, then one number of warps further each time |
//! | [`WarpInBlock`] | the warp's number in its block, then the block's number of warps further each time |
//! | [`Lane`] | the lane's number, then 32 further each time |
//! | [`Quad`], [`LaneInQuad`] | a quarter of the lane's number, then 8 further each time; the rest of it, then 4 further |
//! | [`ThreadInBlock`], [`ThreadInBlockX`], [`ThreadInBlockY`], [`ThreadInBlockZ`] | the thread's index in the block, then the block's number of threads further each time |
//! | [`Tile<K, N>`] | a run of `N`, one for each `K` |
//! | [`Tile<K, N, I>`] | the positions of that run that `I` owns |
//! | [`Share<K>`], [`Share<K, I>`] | likewise, but the runs are as long as they must be to cover the axis |
//! | [`Middle<K>`] | as `K`, but if there are more `K` than positions, the middle ones have one each |
//! | [`BlockLeader`], [`WarpLeader`] | the number of the block, or of the warp, in the grid, in its first thread; none in other threads: [`Leader<Block>`](Leader), [`FirstLane<Warp>`](FirstLane) |
//! | [`Leader<K>`], [`FirstLane<K>`] | as `K` in the first thread of a block, or of a warp; none in other threads |
//! | [`FirstX<K>`], [`FirstY<K>`] | as `K` in the threads whose index in the grid along x, or y, is 0; none in other threads |
//! | [`Whole`] | all |
//!
//! A tuple has an owner for each axis, slowest first: `(by::Warp, by::Lane)` gives rows to warps and columns
//! to lanes. [`Unravel<K, D>`] spreads the numbers of `K` over several axes, those that have [`Digit`] in the tuple `D`: thread
//! `5 * row + column` gets element `[row, column]` of five columns. [`Shape<W, D>`] and [`SwapBlocks<D>`] number threads or blocks differently.
//!
//! # Why threads never share an element
//! Any two threads of a launch differ in some coordinate: of the block in the grid, or of the thread in the block.
//! Each owner *tells apart* certain coordinates: threads that differ in one of them have no position in common
//! along its axis, whatever their other coordinates. So an array whose owners together tell all coordinates apart
//! is divided into disjoint parts. [`Parts`](super::Parts) computes that from the types: a division that leaves
//! out a coordinate is a compile error. An owner may leave out dimensions that the launch does not use, but then
//! the kernel can only be launched with fewer dimensions: `by::Thread` makes it a kernel for launches of one
//! dimension, as [`thread::index_1d`](crate::thread::index_1d) does. Grid and blocks have limits of their own: `(by::BlockY, by::BlockX,
//! by::ThreadInBlockX)` is for grids of up to two dimensions whose blocks have one.
//!
//! The whole launch has one division, because it is part of the type of the kernel's parameter. No thread can
//! choose another.

mod knows;

use super::place::{Place, Run, Steps};
use crate::intrinsics;
use core::marker::PhantomData;

mod sealed {
    /// An implementation elsewhere could give two threads the same element.
    pub trait Sealed {}
}
use sealed::Sealed;

/// An owner of positions along one axis.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Clears the elements that this thread owns, whoever owns the rows.
/// fn clear<A: by::Axis>(matrix: &mut Parts<f32, (A, by::Lane), 2>) {
///     for (_, row) in matrix.part() {
///         for (_, x) in row {
///             *x = 0.0;
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not own positions along an axis",
    label = "not one of the owners in `by`"
)]
pub trait Axis: Sealed {
    /// The coordinates that it tells apart.
    #[doc(hidden)]
    const KNOWS: u32;
    /// The most dimensions that a launch can have.
    #[doc(hidden)]
    const MAX: u32 = 3;
    /// Whether it is [`Digit`].
    #[doc(hidden)]
    const IS_DIGIT: bool = false;

    /// The thread's positions in the range `within`.
    #[doc(hidden)]
    fn steps(place: &Place, within: Run) -> Steps;
}

/// An owner that is numbered among others of its kind: a thread, a warp or a block.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Sorts groups of four elements. `K` must tell all threads apart, as `by::Thread` does.
/// fn sort_fours<K: by::Numbered>(x: &mut Parts<u32, by::Tile<K, 4>>) {
///     if let Some(four) = x.part().as_mut_slice() {
///         four.sort_unstable();
///     }
/// }
/// ```
pub trait Numbered: Axis {
    /// Which one, and how many there are.
    #[doc(hidden)]
    fn numbers(place: &Place) -> (usize, usize);
}

/// How an array of `N` axes is divided: an owner, or a tuple of them.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Multiplies a matrix by a number, however it is divided.
/// fn scale<D: by::Division<2>>(matrix: &mut Parts<f32, D, 2>, factor: f32) {
///     for (_, row) in matrix.part() {
///         for (_, x) in row {
///             *x *= factor;
///         }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not divide an array of {N} axes",
    label = "it takes one owner for each axis",
    note = "`by::Thread` divides an array of one axis, `(by::Warp, by::Lane)` one of two"
)]
pub trait Division<const N: usize>: Sealed {
    /// The coordinates that it tells apart.
    #[doc(hidden)]
    const KNOWS: u32;
    /// The most dimensions that a launch can have.
    #[doc(hidden)]
    const MAX: u32;

    /// Which axes have a [`Digit`], as bits.
    #[doc(hidden)]
    const DIGITS: u32 = 0;

    /// The thread's positions along each axis.
    #[doc(hidden)]
    fn steps(place: &Place, shape: [usize; N]) -> [Steps; N];
}

/// The dimensions of the largest grids, and of the largest blocks, in which no two threads share an element; 0 for none.
pub(super) const fn dimensions<D: Division<N>, const N: usize>() -> [u32; 2] {
    match [knows::blocks(D::KNOWS), knows::threads(D::KNOWS)] {
        [0, _] | [_, 0] => [0, 0],
        [grid, block] => [least(grid, D::MAX), least(block, D::MAX)],
    }
}

/// Whether a division tells all threads apart, at least in launches of one dimension.
pub(super) const fn is_apart<D: Division<N>, const N: usize>() -> bool {
    dimensions::<D, N>()[0] > 0
}

#[track_caller]
pub(super) const fn assert_apart(is_apart: bool) {
    assert!(
        is_apart,
        "this division gives the same element to several threads: `by` says which coordinates each owner tells apart"
    );
}

/// Proof that a division tells all threads apart.
pub(super) struct Apart<D, const N: usize>(PhantomData<D>);

impl<D: Division<N>, const N: usize> Apart<D, N> {
    /// A compile error unless it does. Each function that gives out elements evaluates this in a `const` of its own: rustc's
    /// message names the function around the `const`, and so the view's type. Before that, `#[kernel]` checks the parameters
    /// of kernels that are not generic (`checked.rs`).
    #[track_caller]
    pub(super) const fn checked() -> Self {
        assert_apart(is_apart::<D, N>());
        Self(PhantomData)
    }
}

/// An error of launches with more dimensions than those in which a division tells all threads apart.
#[inline(always)]
#[track_caller]
pub(super) fn require_dimensions<D: Division<N>, const N: usize>(_: Apart<D, N>) {
    // SAFETY: lowered to nothing; the compiler notes it and the launch checks.
    unsafe {
        intrinsics::__ptyx_require_dims(
            const { dimensions::<D, N>()[0] },
            const { dimensions::<D, N>()[1] },
        );
    }
}

/// The dimensions of the largest blocks in which no two threads share an element of memory that each block has for itself: there,
/// blocks don't count, and a grid can have any shape.
pub(crate) const fn dimensions_in_block<D: Division<N>, const N: usize>() -> u32 {
    if D::KNOWS & knows::BLOCKS != 0 {
        return 0;
    }
    least(knows::threads(D::KNOWS), D::MAX)
}

const fn least(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

mod numbered;
pub use numbered::{
    Block, BlockX, BlockY, BlockZ, Lane, LaneInQuad, Quad, ThreadInBlock, ThreadInBlockX,
    ThreadInBlockY, ThreadInBlockZ, ThreadInGrid, ThreadInRows, ThreadX, ThreadY, ThreadZ, Warp,
    WarpInBlock,
};

/// The thread's index in the grid, in launches of one dimension; its index along x in others.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Squares any number of elements, with any number of threads.
/// #[kernel]
/// fn square(mut x: Parts<f32, by::Thread>) {
///     for (_, x) in x.part() {
///         *x *= *x;
///     }
/// }
/// ```
pub type Thread = ThreadX;

/// One element for each block, owned by the block's first thread.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn block_maxima(x: &[u32], mut maxima: Parts<u32, by::BlockLeader>) {
///     let maximum = group::block().reduce_max(x[thread::index_1d().get()]);
///     if let Some(own) = maxima.own() {
///         *own = maximum;
///     }
/// }
/// ```
pub type BlockLeader = Leader<Block>;

/// One element for each warp, owned by its first lane.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Which of 32 adjacent values are positive, as bits.
/// #[kernel]
/// fn signs(x: &[f32], mut signs: Parts<u32, by::WarpLeader>) {
///     let bits = warp::ballot(warp::FULL, x[thread::index_1d().get()] > 0.0);
///     if let Some(own) = signs.own() {
///         *own = bits;
///     }
/// }
/// ```
pub type WarpLeader = FirstLane<Warp>;

mod runs;
pub use runs::{Middle, Share, Tile, Whole};

mod renamed;
pub use renamed::{Shape, SwapBlocks};

mod unravel;
pub(super) use unravel::of_number;
pub use unravel::{Digit, Unravel};

/// A division of one axis is its owner, of several a tuple: `count: (owner index)..`.
macro_rules! divisions {
    ($($n:literal: $division:ty, $($axis:ident $index:literal)+;)*) => {$(
        impl<$($axis: Axis),+> Division<$n> for $division {
            const KNOWS: u32 = $($axis::KNOWS)|+;
            const MAX: u32 = {
                let most = 3;
                $(let most = least(most, $axis::MAX);)+
                most
            };
            const DIGITS: u32 = 0 $(| ($axis::IS_DIGIT as u32) << $index)+;

            #[inline(always)]
            fn steps(place: &Place, shape: [usize; $n]) -> [Steps; $n] {
                [$($axis::steps(place, Run::all(shape[$index]))),+]
            }
        }
    )*};
}

impl<A, B> Sealed for (A, B) {}
impl<A, B, C> Sealed for (A, B, C) {}
impl<A, B, C, E> Sealed for (A, B, C, E) {}

divisions! {
    2: (A, B), A 0 B 1;
    3: (A, B, C), A 0 B 1 C 2;
    4: (A, B, C, E), A 0 B 1 C 2 E 3;
}

impl<A: Axis> Division<1> for A {
    const KNOWS: u32 = A::KNOWS;
    const MAX: u32 = A::MAX;
    const DIGITS: u32 = A::IS_DIGIT as u32;

    #[inline(always)]
    fn steps(place: &Place, [extent]: [usize; 1]) -> [Steps; 1] {
        [A::steps(place, Run::all(extent))]
    }
}

// Last: rustc's messages list the owners in the order of the source.
mod only;
pub use only::{FirstLane, FirstX, FirstY, Leader};
