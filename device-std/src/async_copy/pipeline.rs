//! A ring of tiles in shared memory that asynchronous copies fill.
//!
//! It is safe whatever the threads of a block or group do: the tiles are initialised before any copy, every bit pattern
//! is a value, and a thread reads them by atomic loads, or by instructions of inline PTX that load as these do
//! (`ldmatrix`). So a thread that misses a barrier reads wrong
//! numbers at worst. The lifetime of the sources keeps them from being written before the copies are
//! waited for, which also happens when the pipeline is dropped. One that is forgotten leaves copies behind that
//! may read whatever a source holds by then: again wrong numbers at worst.

use super::fill::Filling;
use super::together::turn;
use super::{Tile, commit, wait_all, wait_prior};
use crate::group::{self, CopyGroup};
use crate::shared::{CellValue, Shared, SharedCells};
use core::marker::PhantomData;

/// The most stages, since the number of groups to wait for is in the instruction.
const MAX_STAGES: usize = 8;

/// `STAGES` tiles of `LEN` numbers that the threads of a block, or of a smaller group `G`, fill by asynchronous copies and
/// read together: while one tile is read, the copies into the others go on (`cuda::pipeline` of CUDA C++ with block scope,
/// `cooperative_groups::memcpy_async`).
///
/// All threads of the group call [`producer_acquire`](Pipeline::producer_acquire), [`Stage::commit`],
/// [`consumer_wait`](Pipeline::consumer_wait) and [`Ready::release`] together. Copies are up to each thread.
/// The stages are filled and read in turn. If some threads only copy and others only read: [`with_roles`](super::with_roles).
///
/// The elements can be of any [`CellValue`] type, also 16-bit floats and vectors. An asynchronous copy has at least
/// 4 bytes. So [`Stage::copy_array`] and [`Stage::memcpy_async`] copy several narrow elements at a time, while
/// [`Stage::copy`] copies one element synchronously if its alignment is below 4 bytes.
/// [`Fragment::load_ready`](crate::mma::Fragment::load_ready) loads operands for tensor cores from a tile.
///
/// From `sm_80` on the copies are asynchronous; code for older devices makes them at once.
///
/// ```
/// use ptyx::device::async_copy::{Pipeline, Tile};
/// use ptyx::prelude::*;
///
/// /// The sum of each thread's mirrored elements in tiles of 256, for blocks of 256 threads.
/// #[kernel]
/// fn mirrored_sums(x: &[f32], mut sums: Disjoint<f32>) {
///     let mut pipeline = Pipeline::new(shared!([Tile<f32, 256>; 3]));
///     let (i, tiles) = (thread::x() as usize, x.len() / 256);
///     let (mut copied, mut sum) = (0, 0.0);
///     for _ in 0..tiles {
///         while copied < tiles && pipeline.free_stages() > 0 {
///             let mut stage = pipeline.producer_acquire();
///             stage.copy(i, &x[256 * copied + i]);
///             stage.commit();
///             copied += 1;
///         }
///         let tile = pipeline.consumer_wait();
///         sum += tile.get(255 - i);
///         tile.release();
///     }
///     sums[thread::index_1d()] = sum;
/// }
/// ```
#[derive(Debug)]
#[doc(alias = "cuda::pipeline")]
pub struct Pipeline<'s, T, const LEN: usize, const STAGES: usize, G = group::Block> {
    group: G,
    /// All tiles, with the padding between them.
    cells: SharedCells<T>,
    /// Stages that were committed, and released, so far.
    committed: u32,
    released: u32,
    sources: PhantomData<&'s T>,
}

impl<'s, T: CellValue, const LEN: usize, const STAGES: usize> Pipeline<'s, T, LEN, STAGES> {
    /// An empty pipeline of the block.
    ///
    /// This waits for the block: all threads that have not returned must call it, for the same memory.
    ///
    /// ```
    /// use ptyx::device::async_copy::{Pipeline, Tile};
    /// use ptyx::prelude::*;
    ///
    /// fn two_rows<'s>() -> Pipeline<'s, u32, 512, 2> {
    ///     Pipeline::new(shared!([Tile<u32, 512>; 2]))
    /// }
    /// ```
    ///
    /// # Panics
    /// At compile time if there are no or more than 8 stages, or no numbers.
    #[inline(always)]
    #[track_caller]
    pub fn new(place: Shared<[Tile<T, LEN>; STAGES]>) -> Self {
        Pipeline::of_group(group::block(), place)
    }
}

impl<'s, T: CellValue, const LEN: usize, const STAGES: usize, G: CopyGroup>
    Pipeline<'s, T, LEN, STAGES, G>
{
    /// Numbers from one tile to the next.
    const STRIDE: usize = size_of::<Tile<T, LEN>>() / size_of::<T>();

    /// An empty pipeline of a group, such as a tile of 32 lanes: from then on, the group's threads wait only for each other.
    ///
    /// This itself waits for the block: all threads that have not returned must call it, each group for memory of its own.
    ///
    /// ```
    /// use ptyx::device::async_copy::{Pipeline, Tile};
    /// use ptyx::prelude::*;
    ///
    /// /// The sum of the warp's rows of 256 numbers in each lane, for blocks of 8 warps.
    /// fn sums(rows: &[[f32; 256]]) -> f32 {
    ///     let warp = group::tile::<32>();
    ///     let places = shared!([[Tile<f32, 256>; 2]; 8]);
    ///     let mut pipeline = Pipeline::of_group(warp, places.at(warp.meta_rank() as usize));
    ///     let (mut copied, mut sum) = (0, 0.0);
    ///     for _ in rows {
    ///         while copied < rows.len() && pipeline.free_stages() > 0 {
    ///             let mut stage = pipeline.producer_acquire();
    ///             stage.memcpy_async(0, &rows[copied]);
    ///             stage.commit();
    ///             copied += 1;
    ///         }
    ///         let row = pipeline.consumer_wait();
    ///         sum += (0..256).map(|i| row.get(i)).sum::<f32>();
    ///         row.release();
    ///     }
    ///     sum
    /// }
    /// ```
    ///
    /// # Panics
    /// At compile time if there are no or more than 8 stages, or no numbers.
    #[inline(always)]
    #[track_caller]
    pub fn of_group(group: G, place: Shared<[Tile<T, LEN>; STAGES]>) -> Self {
        const {
            assert!(STAGES >= 1 && STAGES <= MAX_STAGES, "a pipeline has 1 to 8 stages");
            assert!(LEN >= 1, "a tile of no numbers");
        }
        // SAFETY: every bit pattern is a value.
        let zero = unsafe { core::mem::zeroed() };
        let cells = place.numbers::<T>().cells(zero);
        Pipeline { group, cells, committed: 0, released: 0, sources: PhantomData }
    }

    /// How many stages can be acquired before one must be released.
    ///
    /// ```
    /// use ptyx::device::async_copy::{Pipeline, Tile};
    /// use ptyx::prelude::*;
    ///
    /// fn is_full(pipeline: &Pipeline<f32, 256, 4>) -> bool {
    ///     pipeline.free_stages() == 0
    /// }
    /// ```
    #[inline(always)]
    pub fn free_stages(&self) -> usize {
        STAGES.wrapping_sub(self.committed.wrapping_sub(self.released) as usize)
    }

    /// The next stage, to be filled.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    /// use ptyx::prelude::*;
    ///
    /// fn start<'s>(pipeline: &mut Pipeline<'s, f32, 256, 2>, row: &'s [f32; 256]) {
    ///     let mut stage = pipeline.producer_acquire();
    ///     stage.copy(thread::x() as usize, &row[thread::x() as usize]);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If all stages are in use.
    #[inline(always)]
    #[track_caller]
    pub fn producer_acquire(&mut self) -> Stage<'_, 's, T, LEN, STAGES, G> {
        assert!(self.free_stages() > 0, "all stages of the pipeline are in use");
        let first = Self::first(self.committed);
        Stage { pipeline: self, first }
    }

    /// Waits for the copies of all threads of the group into the oldest stage, and returns its tile.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    ///
    /// fn first(pipeline: &mut Pipeline<f32, 256, 2>) -> f32 {
    ///     let tile = pipeline.consumer_wait();
    ///     let first = tile.get(0);
    ///     tile.release();
    ///     first
    /// }
    /// ```
    ///
    /// # Panics
    /// If every stage that was committed has been released.
    #[inline(always)]
    #[track_caller]
    pub fn consumer_wait(&mut self) -> Ready<'_, 's, T, LEN, STAGES, G> {
        let later = self.committed.wrapping_sub(self.released);
        assert!(later > 0, "no stage of the pipeline is committed");
        // All but as many groups as were committed after the stage's own. Groups that other code has committed
        // since only make the wait longer.
        match later.wrapping_sub(1) {
            0 if STAGES > 1 => wait_prior::<0>(),
            1 if STAGES > 2 => wait_prior::<1>(),
            2 if STAGES > 3 => wait_prior::<2>(),
            3 if STAGES > 4 => wait_prior::<3>(),
            4 if STAGES > 5 => wait_prior::<4>(),
            5 if STAGES > 6 => wait_prior::<5>(),
            6 if STAGES > 7 => wait_prior::<6>(),
            _ => wait_for_first_of::<STAGES>(),
        }
        self.group.meet();
        let first = Self::first(self.released);
        Ready { pipeline: self, first }
    }

    /// The first number of the tile that is used after `count` others.
    #[inline(always)]
    fn first(count: u32) -> usize {
        (count as usize % STAGES).wrapping_mul(Self::STRIDE)
    }
}

impl<T, const LEN: usize, const STAGES: usize, G> Drop for Pipeline<'_, T, LEN, STAGES, G> {
    #[inline(always)]
    fn drop(&mut self) {
        wait_all();
    }
}

/// Waits for the oldest of `STAGES` groups.
#[inline(always)]
#[track_caller]
fn wait_for_first_of<const STAGES: usize>() {
    match STAGES {
        1 => wait_prior::<0>(),
        2 => wait_prior::<1>(),
        3 => wait_prior::<2>(),
        4 => wait_prior::<3>(),
        5 => wait_prior::<4>(),
        6 => wait_prior::<5>(),
        7 => wait_prior::<6>(),
        _ => wait_prior::<7>(),
    }
}

/// A stage of a [`Pipeline`] that is being filled.
///
/// ```
/// use ptyx::device::async_copy::Stage;
///
/// /// Fills a stage with a 16x16 tile of a wider matrix. `rows` are the tile's rows.
/// fn fill<'s>(mut stage: Stage<'_, 's, f32, 256, 2>, rows: [&'s [f32; 16]; 16]) {
///     for (y, row) in rows.into_iter().enumerate() {
///         stage.memcpy_async(16 * y, row);
///     }
///     stage.commit();
/// }
/// ```
#[derive(Debug)]
#[must_use = "a stage without a commit is acquired again"]
pub struct Stage<'p, 's, T: CellValue, const LEN: usize, const STAGES: usize, G = group::Block> {
    pipeline: &'p mut Pipeline<'s, T, LEN, STAGES, G>,
    first: usize,
}

impl<'s, T: CellValue, const LEN: usize, const STAGES: usize, G: CopyGroup>
    Stage<'_, 's, T, LEN, STAGES, G>
{
    /// Starts to copy a number to place `index` of the tile. If it is aligned to less than 4 bytes, it is copied at once.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    /// use ptyx::prelude::*;
    ///
    /// fn start<'s>(pipeline: &mut Pipeline<'s, f32, 256, 2>, column: &'s [[f32; 64]; 256]) {
    ///     let (mut stage, i) = (pipeline.producer_acquire(), thread::x() as usize);
    ///     stage.copy(i, &column[i][0]);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn copy(&mut self, index: usize, source: &'s T) {
        self.tile().copy(index, source);
    }

    /// Starts to copy several numbers to the places from `index` on: by copies of 16 bytes if both addresses
    /// are multiples of that, else by copies of 8 or 4 bytes. Narrow numbers that remain are copied synchronously.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::async_copy::Pipeline;
    /// use ptyx::prelude::*;
    ///
    /// /// 16 bytes for each thread.
    /// fn start<'s>(pipeline: &mut Pipeline<'s, f16, 2048, 2>, row: &'s [[f16; 8]; 256]) {
    ///     let (mut stage, i) = (pipeline.producer_acquire(), thread::x() as usize);
    ///     stage.copy_array(8 * i, &row[i]);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If the places are not all below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn copy_array<const COUNT: usize>(&mut self, index: usize, source: &'s [T; COUNT]) {
        self.tile().copy_range((0, 1), index, source);
    }

    /// Starts to copy a slice to the places from `index` on. The threads of the group share the copy, so all of them call this,
    /// with the same arguments.
    ///
    /// `cooperative_groups::memcpy_async()` of CUDA C++.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    ///
    /// fn start<'s>(pipeline: &mut Pipeline<'s, f32, 1024, 2>, row: &'s [f32; 1024]) {
    ///     let mut stage = pipeline.producer_acquire();
    ///     stage.memcpy_async(0, row);
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If the places are not all below `LEN`.
    #[doc(alias = "cooperative_groups::memcpy_async")]
    #[inline(always)]
    #[track_caller]
    pub fn memcpy_async(&mut self, index: usize, source: &'s [T]) {
        self.tile().copy_range(turn(self.pipeline.group), index, source);
    }

    /// The tile.
    #[inline(always)]
    fn tile(&self) -> Filling<T, LEN> {
        Filling { cells: self.pipeline.cells, first: self.first }
    }

    /// Writes a number at once, such as a zero beyond the edge of a matrix.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    /// use ptyx::prelude::*;
    ///
    /// fn start<'s>(pipeline: &mut Pipeline<'s, f32, 256, 2>, rest: &'s [f32]) {
    ///     let (mut stage, i) = (pipeline.producer_acquire(), thread::x() as usize);
    ///     match rest.get(i) {
    ///         Some(number) => stage.copy(i, number),
    ///         None => stage.set(i, 0.0),
    ///     }
    ///     stage.commit();
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn set(&mut self, index: usize, value: T) {
        self.tile().set(index, value);
    }

    /// Commits the copies: [`Pipeline::consumer_wait`] can wait for the stage.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    /// use ptyx::prelude::*;
    ///
    /// fn skip(pipeline: &mut Pipeline<f32, 256, 2>) {
    ///     pipeline.producer_acquire().commit(); // as it is
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn commit(self) {
        commit();
        self.pipeline.committed = self.pipeline.committed.wrapping_add(1);
    }
}

/// A stage of a [`Pipeline`] whose copies are done.
///
/// ```
/// use ptyx::device::async_copy::Ready;
///
/// /// The dot product of two tiles, which are released afterwards.
/// fn dot(a: Ready<'_, '_, f32, 64, 3>, b: Ready<'_, '_, f32, 64, 3>) -> f32 {
///     let sum = (0..64).map(|i| a.get(i) * b.get(i)).sum();
///     a.release();
///     b.release();
///     sum
/// }
/// ```
#[derive(Debug)]
#[must_use = "a stage that is not released stays the oldest one"]
pub struct Ready<'p, 's, T, const LEN: usize, const STAGES: usize, G = group::Block> {
    pipeline: &'p mut Pipeline<'s, T, LEN, STAGES, G>,
    first: usize,
}

impl<T: CellValue, const LEN: usize, const STAGES: usize, G: CopyGroup>
    Ready<'_, '_, T, LEN, STAGES, G>
{
    /// The number at `index`.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    ///
    /// fn sum(pipeline: &mut Pipeline<f32, 256, 2>) -> f32 {
    ///     let tile = pipeline.consumer_wait();
    ///     let sum = (0..256).map(|i| tile.get(i)).sum();
    ///     tile.release();
    ///     sum
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `LEN`.
    #[inline(always)]
    #[track_caller]
    pub fn get(&self, index: usize) -> T {
        crate::view::check_bounds(index, LEN);
        self.pipeline.cells.get(self.first.wrapping_add(index))
    }

    /// The places of the tile. If a thread has missed a barrier, copies and atomic stores change them meanwhile: whoever
    /// reads them must do so as atomic loads do.
    #[inline(always)]
    pub(crate) fn places(&self) -> Shared<[T]> {
        let first = self.pipeline.cells.place(self.first).as_mut_ptr();
        // SAFETY: the tile, which is a part of the block's memory.
        unsafe { Shared::new(core::ptr::slice_from_raw_parts_mut(first, LEN)) }
    }

    /// Waits until the threads of the group have read the tile, and lets its stage be filled again.
    ///
    /// ```
    /// use ptyx::device::async_copy::Pipeline;
    ///
    /// fn skip(pipeline: &mut Pipeline<f32, 256, 2>) {
    ///     pipeline.consumer_wait().release();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn release(self) {
        self.pipeline.group.meet();
        self.pipeline.released = self.pipeline.released.wrapping_add(1);
    }
}
