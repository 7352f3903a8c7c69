//! Who owns which elements of a [`Parts`](super::Parts): one owner for each axis of the array.
//!
//! | owner | positions along its axis |
//! |---|---|
//! | [`Thread`], [`ThreadX`], [`ThreadY`], [`ThreadZ`] | the thread's index in the grid, then one number of threads further each time |
//! | [`ThreadInGrid`] | the thread's number in a grid of any shape, then one number of threads further each time |
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
//! | [`Leader<K>`], [`FirstLane<K>`] | as `K` in the first thread of a block, or of a warp; none in other threads |
//! | [`FirstX<K>`], [`FirstY<K>`] | as `K` in the threads whose index in the grid along x, or y, is 0; none in other threads |
//! | [`Whole`] | all |
//!
//! A tuple has an owner for each axis, slowest first: `(by::Warp, by::Lane)` gives rows to warps and columns
//! to lanes. [`Shape<W, D>`] and [`SwapBlocks<D>`] number threads or blocks differently.
//!
//! # Why threads never share an element
//! Any two threads of a launch differ in some coordinate: of the block in the grid, or of the thread in the block.
//! Each owner *tells apart* certain coordinates: threads that differ in one of them have no position in common
//! along its axis, whatever their other coordinates. So an array whose owners together tell all coordinates apart
//! is divided into disjoint parts. [`Parts`](super::Parts) computes that from the types: a division that leaves
//! out a coordinate is a compile error. An owner may leave out dimensions that the launch does not use, but then
//! the kernel can only be launched with fewer dimensions: `by::Thread` makes it a kernel for launches of one
//! dimension, as [`thread::index_1d`](crate::thread::index_1d) does.
//!
//! The whole launch has one division, because it is part of the type of the kernel's parameter. No thread can
//! choose another.

mod knows;

use super::place::{Place, Run, Steps};
use crate::{Dim3, intrinsics};
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

    /// The thread's positions along each axis.
    #[doc(hidden)]
    fn steps(place: &Place, shape: [usize; N]) -> [Steps; N];
}

/// The dimensions of the largest launches in which no two threads share an element; 0 for none.
pub(super) const fn dimensions<D: Division<N>, const N: usize>() -> u32 {
    least(least(knows::threads(D::KNOWS), knows::blocks(D::KNOWS)), D::MAX)
}

/// A compile error unless a division tells all threads apart, and an error of launches with more dimensions than it does.
#[inline(always)]
#[track_caller]
pub(super) fn require_apart<D: Division<N>, const N: usize>() {
    const {
        assert!(
            dimensions::<D, N>() > 0,
            "this division gives the same element to several threads: `by` says which coordinates each owner \
             tells apart"
        );
    }
    // SAFETY: lowered to nothing; the compiler notes it and the launch checks.
    unsafe { intrinsics::__ptyx_require_dims(const { dimensions::<D, N>() }) };
}

/// As [`dimensions`], of memory that each block has for itself: there, blocks don't count.
pub(crate) const fn dimensions_in_block<D: Division<N>, const N: usize>() -> u32 {
    if D::KNOWS & knows::BLOCKS != 0 {
        return 0;
    }
    least(knows::threads(D::KNOWS), D::MAX)
}

const fn least(a: u32, b: u32) -> u32 {
    if a < b { a } else { b }
}

/// Owners that are numbered: `name, what it tells apart, most dimensions, |place| (number, how many)`.
macro_rules! numbered {
    ($($(#[$about:meta])* $name:ident, $knows:expr, $most:literal, |$place:ident| $numbers:expr;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(());

        impl Sealed for $name {}

        impl Axis for $name {
            const KNOWS: u32 = $knows;
            const MAX: u32 = $most;

            #[inline(always)]
            fn steps(place: &Place, within: Run) -> Steps {
                let (number, count) = Self::numbers(place);
                within.every(count, number)
            }
        }

        impl Numbered for $name {
            #[inline(always)]
            fn numbers($place: &Place) -> (usize, usize) {
                $numbers
            }
        }
    )*};
}

/// A number made of those of a block and of a thread in it.
#[inline(always)]
const fn global(block: u32, blocks: u32, thread: u32, threads: u32) -> (usize, usize) {
    let threads = threads as usize;
    (block as usize * threads + thread as usize, blocks as usize * threads)
}

numbered! {
    /// The thread's index in the grid along x, as [`thread::index_1d`](crate::thread::index_1d) in launches
    /// of one dimension.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Inverts an image. Launched with a thread for each pixel, or with fewer.
    /// #[kernel]
    /// fn invert(mut image: Parts<u8, (by::ThreadY, by::ThreadX), 2>) {
    ///     for (_, row) in image.part() {
    ///         for (_, pixel) in row {
    ///             *pixel = !*pixel;
    ///         }
    ///     }
    /// }
    /// ```
    ThreadX, knows::BLOCK[0] | knows::THREAD[0], 3, |p| {
        global(p.block.x, p.grid.x, p.thread.x, p.extent.x)
    };
    /// The thread's index in the grid along y.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Each thread has four adjacent pixels of a row.
    /// #[kernel]
    /// fn halve(mut image: Parts<f32, (by::ThreadY, by::Tile<by::ThreadX, 4>), 2>) {
    ///     for (_, pixels) in image.part() {
    ///         for (_, pixel) in pixels {
    ///             *pixel *= 0.5;
    ///         }
    ///     }
    /// }
    /// ```
    ThreadY, knows::BLOCK[1] | knows::THREAD[1], 3, |p| {
        global(p.block.y, p.grid.y, p.thread.y, p.extent.y)
    };
    /// The thread's index in the grid along z.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The squared distance of each voxel from the corner of a volume.
    /// #[kernel]
    /// fn distances(mut volume: Parts<usize, (by::ThreadZ, by::ThreadY, by::ThreadX), 3>) {
    ///     for (z, layer) in volume.part() {
    ///         for (y, row) in layer {
    ///             for (x, voxel) in row {
    ///                 *voxel = x * x + y * y + z * z;
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    ThreadZ, knows::BLOCK[2] | knows::THREAD[2], 3, |p| {
        global(p.block.z, p.grid.z, p.thread.z, p.extent.z)
    };
    /// The thread's number in the grid, block after block, as [`group::grid().rank()`](crate::group::Grid::rank).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Four adjacent elements for each thread, however the grid is shaped.
    /// #[kernel]
    /// fn double(mut x: Parts<f32, by::Tile<by::ThreadInGrid, 4>>) {
    ///     for (_, x) in x.part() {
    ///         *x *= 2.0;
    ///     }
    /// }
    /// ```
    ThreadInGrid, knows::BLOCKS | knows::THREADS, 3, |p| {
        let threads = p.threads as usize;
        (p.block_rank() * threads + p.rank as usize, p.blocks() * threads)
    };
    /// The block's number in the grid, as [`block::rank`](crate::block::rank).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Each block owns whole rows of the matrix, and its threads share their columns.
    /// #[kernel]
    /// fn outer_product(a: &[f32], b: &[f32], mut c: Parts<f32, (by::Block, by::ThreadInBlock), 2>) {
    ///     for (y, row) in c.part() {
    ///         for (x, c) in row {
    ///             *c = a[y] * b[x];
    ///         }
    ///     }
    /// }
    /// ```
    Block, knows::BLOCKS, 3, |p| (p.block_rank(), p.blocks());
    /// The block's index in the grid along x.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Each block has runs of 1024 elements, which its threads take in turn.
    /// #[kernel]
    /// fn scale(mut x: Parts<f32, by::Tile<by::BlockX, 1024, by::ThreadInBlock>>, factor: f32) {
    ///     for (_, x) in x.part() {
    ///         *x *= factor;
    ///     }
    /// }
    /// ```
    BlockX, knows::BLOCK[0], 3, |p| (p.block.x as usize, p.grid.x as usize);
    /// The block's index in the grid along y.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// A row of blocks for each row of the matrix; each block has 512 columns. Launched as `<<<(columns / 512, rows), 128>>>`.
    /// #[kernel]
    /// fn add_row_number(
    ///     mut matrix: Parts<usize, (by::BlockY, by::Tile<by::BlockX, 512, by::ThreadInBlock>), 2>,
    /// ) {
    ///     for (row, own) in matrix.part() {
    ///         for (_, x) in own {
    ///             *x += row;
    ///         }
    ///     }
    /// }
    /// ```
    BlockY, knows::BLOCK[1], 3, |p| (p.block.y as usize, p.grid.y as usize);
    /// The block's index in the grid along z.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The images of a batch, two for each layer of blocks.
    /// type Batch = (by::Tile<by::BlockZ, 2, by::ThreadInBlockZ>, by::ThreadY, by::ThreadX);
    ///
    /// #[kernel]
    /// fn add_bias(mut batch: Parts<f32, Batch, 3>, bias: &[f32]) {
    ///     for (image, rows) in batch.part() {
    ///         for (_, row) in rows {
    ///             for (_, x) in row {
    ///                 *x += bias[image];
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    BlockZ, knows::BLOCK[2], 3, |p| (p.block.z as usize, p.grid.z as usize);
    /// The warp's number in the grid: by block, and within a block by [`warp::id`](crate::warp::id). For launches
    /// of one or two dimensions.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Each warp has runs of 128 elements, and each lane every 32nd of them, so that accesses are coalesced.
    /// #[kernel]
    /// fn clamp(mut x: Parts<f32, by::Tile<by::Warp, 128, by::Lane>>) {
    ///     for (_, x) in x.part() {
    ///         *x = x.clamp(0.0, 1.0);
    ///     }
    /// }
    /// ```
    Warp, knows::BLOCKS | knows::WARP, 2, |p| {
        let warps = p.threads.div_ceil(crate::warp::SIZE) as usize;
        (p.block_rank() * warps + p.warp(), p.blocks() * warps)
    };
    /// The warp's number in its block, as [`warp::id`](crate::warp::id).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Negates what is below the diagonals. Each block owns whole matrices, and its warps share their rows.
    /// #[kernel]
    /// fn negate_lower(mut matrices: Parts<f32, (by::Block, by::WarpInBlock, by::Lane), 3>) {
    ///     for (_, matrix) in matrices.part() {
    ///         for (y, row) in matrix {
    ///             for (x, value) in row {
    ///                 if x < y {
    ///                     *value = -*value;
    ///                 }
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    WarpInBlock, knows::WARP, 3, |p| {
        (p.warp(), p.threads.div_ceil(crate::warp::SIZE) as usize)
    };
    /// The thread's lane.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Each warp copies the rows of a table that its indices name; adjacent lanes copy adjacent columns.
    /// #[kernel]
    /// fn look_up(table: Array<f32, 2>, indices: &[u32], mut rows: Parts<f32, (by::Warp, by::Lane), 2>) {
    ///     for (i, row) in rows.part() {
    ///         let from = table.at(indices[i] as usize);
    ///         for (column, x) in row {
    ///             *x = from[[column]];
    ///         }
    ///     }
    /// }
    /// ```
    Lane, knows::LANE, 3, |p| (p.lane(), crate::warp::SIZE as usize);
    /// The thread's four lanes: its lane's number divided by 4. `(Quad, LaneInQuad, Whole)` divides rows of pairs as the
    /// sums of [tensor cores](crate::mma) are divided ([`Fragment::store_part`](crate::mma::Fragment::store_part)).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Eight rows for each warp, one for each of its groups of four lanes.
    /// type Rows = (by::Tile<by::Warp, 8, by::Quad>, by::LaneInQuad);
    ///
    /// #[kernel]
    /// fn scale_rows(mut rows: Parts<f32, Rows, 2>, factors: &[f32]) {
    ///     for (i, row) in rows.part() {
    ///         for (_, x) in row {
    ///             *x *= factors[i];
    ///         }
    ///     }
    /// }
    /// ```
    Quad, knows::QUAD, 3, |p| (p.lane() / 4, crate::warp::SIZE as usize / 4);
    /// The thread's lane among its [`Quad`].
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment};
    /// use ptyx::prelude::*;
    ///
    /// /// Rows of pairs, divided as the sums of tensor cores are.
    /// type Pairs = (by::Tile<by::Warp, 16, by::Quad>, by::LaneInQuad, by::Whole);
    ///
    /// fn store(sums: Fragment<Accumulator, f32, 16, 8>, matrix: &mut Parts<f32, Pairs, 3>) {
    ///     sums.store_part(&mut matrix.part(), 0, 0);
    /// }
    /// ```
    LaneInQuad, knows::IN_QUAD, 3, |p| (p.lane() % 4, 4);
    /// The thread's number in its block, as [`thread::rank`](crate::thread::rank).
    ///
    /// ```
    /// use ptyx::device::shared::Phase;
    /// use ptyx::prelude::*;
    ///
    /// /// A table that the block's threads fill together in shared memory.
    /// fn squares(mut phase: Phase) -> ([u32; 2], Phase) {
    ///     let table = phased!([u32; 1000], by::ThreadInBlock);
    ///     for (i, square) in table.part(&mut phase) {
    ///         *square = (i * i) as u32;
    ///     }
    ///     let reading = phase.sync();
    ///     ([table.get(&reading, [1]), table.get(&reading, [999])], reading.sync())
    /// }
    /// ```
    ThreadInBlock, knows::THREADS, 3, |p| (p.rank as usize, p.threads as usize);
    /// The thread's index in its block along x.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Each block has tiles of 64 columns, whatever its width.
    /// type Columns = by::Tile<by::BlockX, 64, by::ThreadInBlockX>;
    ///
    /// #[kernel]
    /// fn fade(mut image: Parts<f32, (by::ThreadY, Columns), 2>) {
    ///     for (_, row) in image.part() {
    ///         for (x, pixel) in row {
    ///             *pixel *= (x % 64) as f32 / 64.0;
    ///         }
    ///     }
    /// }
    /// ```
    ThreadInBlockX, knows::THREAD[0], 3, |p| (p.thread.x as usize, p.extent.x as usize);
    /// The thread's index in its block along y.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Tiles of 32x32 pixels, by blocks of 32x8 threads: four pixels per thread.
    /// type Tiles = (
    ///     by::Tile<by::BlockY, 32, by::ThreadInBlockY>,
    ///     by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
    /// );
    ///
    /// #[kernel]
    /// fn checkerboard(mut image: Parts<bool, Tiles, 2>) {
    ///     for (y, row) in image.part() {
    ///         for (x, pixel) in row {
    ///             *pixel = (x / 32 + y / 32) % 2 == 0;
    ///         }
    ///     }
    /// }
    /// ```
    ThreadInBlockY, knows::THREAD[1], 3, |p| (p.thread.y as usize, p.extent.y as usize);
    /// The thread's index in its block along z.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Bricks of 4x8x32 voxels.
    /// type Bricks = (
    ///     by::Tile<by::BlockZ, 4, by::ThreadInBlockZ>,
    ///     by::Tile<by::BlockY, 8, by::ThreadInBlockY>,
    ///     by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
    /// );
    ///
    /// #[kernel]
    /// fn clear(mut volume: Parts<f32, Bricks, 3>) {
    ///     for (_, layer) in volume.part() {
    ///         for (_, row) in layer {
    ///             for (_, voxel) in row {
    ///                 *voxel = 0.0;
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    ThreadInBlockZ, knows::THREAD[2], 3, |p| (p.thread.z as usize, p.extent.z as usize);
}

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

/// All positions: the owners of the other axes must tell the threads apart.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Scales vectors to length 1. Each thread owns whole rows: the coordinates of a vector.
/// #[kernel]
/// fn normalise(mut points: Parts<f32, (by::Thread, by::Whole), 2>) {
///     for (_, mut point) in points.part() {
///         let squares: f32 = point.reborrow().into_iter().map(|(_, x)| *x * *x).sum();
///         for (_, x) in point {
///             *x /= squares.sqrt();
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Whole(());

impl Sealed for Whole {}

impl Axis for Whole {
    const KNOWS: u32 = 0;

    #[inline(always)]
    fn steps(_: &Place, within: Run) -> Steps {
        within.steps()
    }
}

/// A run of `N` positions for each `K`, which `I` divides further. The last run may be shorter.
///
/// `Tile<Thread, 4>` gives four adjacent elements to each thread. `Tile<Block, 1024, ThreadInBlock>` gives 1024
/// adjacent elements to each block, whose threads take them in turn.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Each thread smooths four adjacent elements.
/// #[kernel]
/// fn smooth(mut x: Parts<f32, by::Tile<by::Thread, 4>>) {
///     if let Some(own) = x.part().as_mut_slice() {
///         for i in 1..own.len() {
///             own[i] = 0.5 * (own[i - 1] + own[i]);
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tile<K, const N: usize, I = Whole>(PhantomData<(K, I)>);

impl<K, const N: usize, I> Sealed for Tile<K, N, I> {}

impl<K: Numbered, const N: usize, I: Axis> Axis for Tile<K, N, I> {
    const KNOWS: u32 = K::KNOWS | I::KNOWS;
    const MAX: u32 = least(K::MAX, I::MAX);

    #[inline(always)]
    fn steps(place: &Place, within: Run) -> Steps {
        const { assert!(N > 0, "a tile of no elements") };
        I::steps(place, within.run(N, K::numbers(place).0))
    }
}

/// A run of positions for each `K`, which `I` divides further: the axis is cut into as many equal runs as there are
/// `K`, except that the last ones may be shorter or empty. Their length depends on the launch.
///
/// `Share<Thread>` of 1000 elements in a launch of 64 threads gives 16 adjacent elements to each of the first 62
/// threads, 8 to the next, and none to the last.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Running sums of each thread's share.
/// #[kernel]
/// fn running_sums(mut x: Parts<u32, by::Share<by::Thread>>) {
///     let mut sum = 0;
///     for (_, x) in x.part() {
///         sum += *x;
///         *x = sum;
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Share<K, I = Whole>(PhantomData<(K, I)>);

impl<K, I> Sealed for Share<K, I> {}

impl<K: Numbered, I: Axis> Axis for Share<K, I> {
    const KNOWS: u32 = K::KNOWS | I::KNOWS;
    const MAX: u32 = least(K::MAX, I::MAX);

    #[inline(always)]
    fn steps(place: &Place, within: Run) -> Steps {
        let (number, count) = K::numbers(place);
        I::steps(place, within.run(within.available().div_ceil(count), number))
    }
}

/// As `K`, but if there are more `K` than positions, each of the middle ones has one position, and those before and
/// after them have none. It is for blocks that overlap in what they read, and write only their inner elements.
///
/// In a `Tile<BlockX, 254, Middle<ThreadInBlockX>>`, launched with blocks of 256 threads, thread `t` owns position
/// `254 * block + t - 1`, and the first and the last thread own none. If the number of those without a position
/// is odd, there is one more of them after the middle than before it.
///
/// ```
/// use ptyx::device::shared::Phase;
/// use ptyx::prelude::*;
///
/// /// The mean of each element and its neighbours. Blocks of 256 threads overlap by two elements, and write 254.
/// #[kernel]
/// fn smooth(
///     x: &[f32],
///     mut y: Parts<f32, by::Tile<by::BlockX, 254, by::Middle<by::ThreadInBlockX>>>,
///     mut writing: Phase,
/// ) {
///     let (tile, t) = (phased!([f32; 256]), thread::x() as usize);
///     let place = (254 * block::x() as usize + t).saturating_sub(1);
///     tile.set(&mut writing, [0], x[place.min(x.len() - 1)]);
///     let reading = writing.sync();
///     let tile = tile.as_ref(&reading);
///     if let Some(y) = y.own() {
///         *y = (tile[t - 1] + tile[t] + tile[t + 1]) / 3.0;
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Middle<K>(PhantomData<K>);

impl<K> Sealed for Middle<K> {}

impl<K: Numbered> Axis for Middle<K> {
    const KNOWS: u32 = K::KNOWS;
    const MAX: u32 = K::MAX;

    #[inline(always)]
    fn steps(place: &Place, within: Run) -> Steps {
        let (number, count) = K::numbers(place);
        // What is cut off from the run does not move the middle.
        let (number, before) = if const { K::KNOWS & knows::BLOCKS == 0 } {
            // Threads in a block, and rows of `Shape`, are counted in 32 bits.
            let len = if within.len < u32::MAX as usize { within.len as u32 } else { u32::MAX };
            let halo = (count as u32).saturating_sub(len) / 2;
            let (number, before) = (number as u32).overflowing_sub(halo);
            (number as usize, before)
        } else {
            number.overflowing_sub(count.saturating_sub(within.len) / 2)
        };
        let steps = within.every(count, number);
        Steps { start: if before { usize::MAX } else { steps.start }, ..steps }
    }
}

/// `D`, with the threads of a block counted in rows of `W`: [`thread::rank`](crate::thread::rank) `% W` along x,
/// `/ W` along y. The block's own shape does not matter.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Tiles of 32x32, by blocks of any shape: 256 threads work as 8 rows of 32.
/// type Tiles = by::Shape<32, (
///     by::Tile<by::BlockY, 32, by::ThreadInBlockY>,
///     by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
/// )>;
///
/// /// Launched as `<<<(columns / 32, rows / 32), 256>>>`.
/// #[kernel]
/// fn scale(mut matrix: Parts<f32, Tiles, 2>, factor: f32) {
///     for (_, row) in matrix.part() {
///         for (_, x) in row {
///             *x *= factor;
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Shape<const W: u32, D>(PhantomData<D>);

impl<const W: u32, D> Sealed for Shape<W, D> {}

impl<const W: u32, D: Division<N>, const N: usize> Division<N> for Shape<W, D> {
    const KNOWS: u32 = knows::reshaped(D::KNOWS);
    const MAX: u32 = D::MAX;

    #[inline(always)]
    fn steps(place: &Place, shape: [usize; N]) -> [Steps; N] {
        const { assert!(W > 0, "rows of no threads") };
        let thread = Dim3 { x: place.rank % W, y: place.rank / W, z: 0 };
        let extent = Dim3 { x: W, y: place.threads.div_ceil(W), z: 1 };
        D::steps(&Place { thread, extent, ..*place }, shape)
    }
}

/// `D` with the blocks' x and y swapped: the block at `(x, y)` gets what the block at `(y, x)` would get otherwise.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// One pixel for each block: that at `(y, x)` for the block at `(x, y)`.
/// type Transposed = by::SwapBlocks<(by::BlockY, by::Leader<by::BlockX>)>;
///
/// #[kernel]
/// fn transpose(image: Array<u8, 2>, mut transposed: Parts<u8, Transposed, 2>) {
///     let (x, y) = (block::x() as usize, block::y() as usize);
///     if let Some(own) = transposed.own() {
///         *own = image[[y, x]];
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SwapBlocks<D>(PhantomData<D>);

impl<D> Sealed for SwapBlocks<D> {}

impl<D: Division<N>, const N: usize> Division<N> for SwapBlocks<D> {
    const KNOWS: u32 = knows::swapped(D::KNOWS);
    const MAX: u32 = D::MAX;

    #[inline(always)]
    fn steps(place: &Place, shape: [usize; N]) -> [Steps; N] {
        let swap = |dim: Dim3| Dim3 { x: dim.y, y: dim.x, z: dim.z };
        D::steps(&Place { block: swap(place.block), grid: swap(place.grid), ..*place }, shape)
    }
}

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

    #[inline(always)]
    fn steps(place: &Place, [extent]: [usize; 1]) -> [Steps; 1] {
        [A::steps(place, Run::all(extent))]
    }
}

// Last: rustc's messages list the owners in the order of the source.
mod only;
pub use only::{FirstLane, FirstX, FirstY, Leader};
