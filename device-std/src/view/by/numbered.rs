//! Owners that are numbered among others of their kind.

use super::sealed::Sealed;
use super::{Axis, Numbered, knows};
use crate::view::place::{Place, Run, Steps};

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
    /// The thread's number in the grid, counted along rows of threads through all blocks: `y * width + x` with the thread's
    /// indices in the grid, where `width` is the grid's number of threads along x (and likewise along z). Adjacent threads of a
    /// row own adjacent elements, whatever the shape of the blocks.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// As many threads as pixels, in blocks of 16x16, of an image that is passed as one slice.
    /// #[kernel]
    /// fn brighten(mut pixels: Parts<u8, by::ThreadInRows>, by: u8) {
    ///     for (_, pixel) in pixels.part() {
    ///         *pixel = pixel.saturating_add(by);
    ///     }
    /// }
    /// ```
    ThreadInRows, knows::BLOCKS | knows::THREADS, 3, |p| {
        let (x, columns) = global(p.block.x, p.grid.x, p.thread.x, p.extent.x);
        let (y, rows) = global(p.block.y, p.grid.y, p.thread.y, p.extent.y);
        let (z, layers) = global(p.block.z, p.grid.z, p.thread.z, p.extent.z);
        ((z * rows + y) * columns + x, layers * rows * columns)
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
