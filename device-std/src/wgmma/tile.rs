//! Matrices in shared memory, in the layouts that the instructions read.

use super::Factor;
use super::swizzle::{Major, Swizzle, Swizzled, is_k_major};
use crate::shared::Shared;
use crate::view::check_bounds;
use crate::{DeviceCopy, block, bulk, layout_name, layout_of, thread};
use core::fmt;
use core::marker::PhantomData;

/// A matrix of elements `T` in shared memory: `ROWS` rows of A, or columns of B, with `DEPTH` elements along K.
///
/// The swizzle `S` and the direction `M` determine its layout. `shared!(SharedTile<..>)` allocates a tile,
/// [`SharedTile::dynamic`] places one in dynamic shared memory.
///
/// With [`KMajor`](super::KMajor), the tile is divided along K into panels of [`width`](Swizzle::width) bytes, in
/// which the rows follow each other. With [`MnMajor`](super::MnMajor), it is divided along M or N, and the rows of
/// a panel follow each other along K. So a panel is the box that a tensor map with that swizzle copies.
///
/// ```
/// use ptyx::device::wgmma::{B128, KMajor, SharedTile, Unswizzled};
///
/// assert_eq!(size_of::<SharedTile<i8, 64, 128, B128, KMajor>>(), 64 * 128);
/// assert_eq!(SharedTile::<i8, 64, 128, B128, KMajor>::offset(1, 20), 128 + (1 ^ 1) * 16 + 4);
/// assert_eq!(SharedTile::<i8, 64, 128, Unswizzled, KMajor>::offset(1, 20), 64 * 16 + 16 + 4);
/// ```
#[repr(C, align(1024))]
pub struct SharedTile<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major>(
    [[T::Unit; DEPTH]; ROWS],
    PhantomData<(S, M)>,
);

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Clone
    for SharedTile<T, ROWS, DEPTH, S, M>
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Copy
    for SharedTile<T, ROWS, DEPTH, S, M>
{
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> fmt::Debug
    for SharedTile<T, ROWS, DEPTH, S, M>
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "SharedTile({ROWS}x{DEPTH}, {:?})", S::SWIZZLE)
    }
}

// SAFETY: numbers, each of whose bit patterns is a value, and padding behind them.
#[diagnostic::do_not_recommend]
unsafe impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> DeviceCopy
    for SharedTile<T, ROWS, DEPTH, S, M>
{
    const LAYOUT: u64 = layout_name(layout_of::<[[T::Unit; DEPTH]; ROWS]>(), "SharedTile");
}

/// Bytes of a tile that an instruction reads of each row along K.
pub(super) const STEP: usize = 32;

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major>
    SharedTile<T, ROWS, DEPTH, S, M>
{
    /// Bytes of an element.
    const SIZE: usize = T::BITS as usize / 8;
    /// Bytes of a panel's row.
    const WIDTH: usize = S::SWIZZLE.width();
    /// Bytes of a panel.
    pub(crate) const PANEL: usize = Self::WIDTH * if M::K { ROWS } else { DEPTH };
    /// Instructions for the whole depth.
    pub(super) const STEPS: usize = DEPTH * Self::SIZE / STEP;

    pub(crate) const CHECK: () = {
        assert!(
            M::K || T::BITS == 16,
            "only tiles of 16-bit elements can be `MnMajor`: others must be `KMajor`"
        );
        assert!(
            ROWS > 0 && DEPTH > 0 && ROWS.is_multiple_of(8),
            "a tile must have a multiple of 8 rows, and a depth that is not 0"
        );
        assert!(
            (DEPTH * Self::SIZE).is_multiple_of(STEP),
            "the depth of a tile must be a multiple of 32 bytes"
        );
        let across = Self::SIZE * if M::K { DEPTH } else { ROWS };
        assert!(
            across.is_multiple_of(Self::WIDTH),
            "adjacent elements of a tile must fill whole rows of the swizzle: 16, 32, 64 or 128 bytes"
        );
        assert!(Self::PANEL < 1 << 18, "the tile is larger than shared memory");
    };

    /// Where the element would lie without permutation, in bytes from the start.
    const fn plain_offset(row: usize, k: usize) -> usize {
        let (across, along) = if M::K { (k, row) } else { (row, k) };
        let across = across * Self::SIZE;
        across / Self::WIDTH * Self::PANEL + along * Self::WIDTH + across % Self::WIDTH
    }

    /// The offset of the element of a row of A, or column of B, in bytes from the start of the tile.
    ///
    /// ```
    /// use ptyx::device::mma::Tf32;
    /// use ptyx::device::wgmma::{B32, KMajor, SharedTile};
    /// // Rows of 32 bytes; the rows that share 128 bytes are permuted alike.
    /// assert_eq!(SharedTile::<Tf32, 8, 8, B32, KMajor>::offset(3, 4), 3 * 32 + 16);
    /// assert_eq!(SharedTile::<Tf32, 8, 8, B32, KMajor>::offset(4, 4), 4 * 32);
    /// ```
    #[inline(always)]
    pub const fn offset(row: usize, k: usize) -> usize {
        const { Self::CHECK };
        S::SWIZZLE.apply(Self::plain_offset(row, k))
    }

    /// The descriptor without the address (PTX ISA, "Matrix Descriptor Format").
    const DESCRIPTOR: u64 = {
        let eight = 8 * Self::WIDTH;
        // The stride is that between groups of eight rows of a panel. Where the instruction meets another panel,
        // the leading one is that between panels. Without swizzle and along M or N, the two are exchanged.
        let (leading, stride) = match (M::K, S::SWIZZLE) {
            (true, Swizzle::None) => (Self::PANEL, eight),
            // Not used: a row holds all that an instruction reads of it.
            (true, _) => (16, eight),
            (false, Swizzle::None) => (eight, Self::PANEL),
            (false, _) => (Self::PANEL, eight),
        };
        (leading as u64 >> 4) << 16 | (stride as u64 >> 4) << 32 | S::SWIZZLE.mode() << 62
    };

    /// The tile that begins at the first multiple of 1024 bytes after byte `offset` of the launch's dynamic shared
    /// memory.
    ///
    /// Dynamic shared memory itself is aligned to only 16 bytes, so the launch must ask for [`SharedTile::SLACK`]
    /// bytes more than all tiles take. Tiles whose offsets differ by at least their size don't overlap.
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, wgmma::{B128, KMajor, SharedTile}};
    ///
    /// type Rows = SharedTile<i8, 128, 128, B128, KMajor>;
    ///
    /// /// One of several stages of a pipeline.
    /// fn stage(index: usize) -> Shared<Rows> {
    ///     Rows::dynamic(index * size_of::<Rows>())
    /// }
    /// ```
    ///
    /// # Panics
    /// If the launch has less dynamic shared memory.
    #[inline(always)]
    #[track_caller]
    pub fn dynamic(offset: usize) -> Shared<Self> {
        let all = crate::shared::dynamic::<u8>(0, 0).as_mut_ptr().cast::<u8>();
        let start = shared_address(all).wrapping_add(offset as u32);
        let gap = start.wrapping_neg() % align_of::<Self>() as u32;
        // An offset so large that this wraps around is too large below, too: less than 1024 bytes are added.
        let bytes =
            crate::shared::dynamic::<u8>(offset.saturating_add(gap as usize), size_of::<Self>());
        // SAFETY: in bounds of memory that is valid, and aligned.
        unsafe { Shared::new(bytes.as_mut_ptr().cast::<Self>()) }
    }

    /// The bytes that the alignment of all tiles in dynamic shared memory may take in addition to the tiles' own:
    /// [`SharedTile::dynamic`].
    ///
    /// ```
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    ///
    /// type Tile = SharedTile<i8, 128, 128, B128, KMajor>;
    ///
    /// /// The dynamic shared memory of a launch (`shared = ..`) whose kernel has this many tiles.
    /// const fn shared_memory(tiles: usize) -> usize {
    ///     tiles * size_of::<Tile>() + Tile::SLACK
    /// }
    /// assert_eq!(shared_memory(4), 65536 + 1008);
    /// ```
    pub const SLACK: usize = align_of::<Self>() - 16;
}

/// The address of shared memory within that state space.
#[inline(always)]
pub(crate) fn shared_address(pointer: *mut u8) -> u32 {
    crate::__ptx! {
        device {
            let address: u64;
            // SAFETY: the instruction only computes.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx pure nomem",
                    "cvta.to.shared.u64 {}, {};",
                    lateout(reg) address,
                    in(reg) pointer,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            address as u32
        }
        host {
            let _ = pointer;
            crate::intrinsics::on_the_host()
        }
    }
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major>
    Shared<SharedTile<T, ROWS, DEPTH, S, M>>
{
    /// The location of an element of a row of A, or column of B, at depth `k`.
    ///
    /// ```
    /// use ptyx::device::mma::Tf32;
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    /// use ptyx::prelude::*;
    ///
    /// /// Each thread of a block of 64 puts a 1 into a row.
    /// fn unit() -> shared::Shared<SharedTile<Tf32, 64, 64, B128, KMajor>> {
    ///     let tile = shared!(SharedTile<Tf32, 64, 64, B128, KMajor>);
    ///     let i = thread::rank() as usize;
    ///     // SAFETY: each thread writes its own element.
    ///     unsafe { tile.at(i, i).write(1.0) };
    ///     tile
    /// }
    /// ```
    ///
    /// # Panics
    /// If there is no such element.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, row: usize, k: usize) -> Shared<T::Unit> {
        check_bounds(row, ROWS);
        check_bounds(k, DEPTH);
        let offset = SharedTile::<T, ROWS, DEPTH, S, M>::offset(row, k);
        // SAFETY: in bounds of memory that is valid, and aligned: an offset is a multiple of the size.
        unsafe { Shared::new(self.as_mut_ptr().cast::<u8>().add(offset).cast()) }
    }

    /// Fills the tile, with all threads of the block: each writes a part of the elements. After a barrier of the
    /// block, the tile may be used in products.
    ///
    /// ```
    /// use ptyx::device::wgmma::{B64, KMajor, SharedTile};
    /// use ptyx::prelude::*;
    ///
    /// /// Loads a matrix whose rows have 64 elements.
    /// fn load(from: &[i8]) -> shared::Shared<SharedTile<i8, 128, 64, B64, KMajor>> {
    ///     let tile = shared!(SharedTile<i8, 128, 64, B64, KMajor>);
    ///     // SAFETY: no thread reads the tile before the barrier.
    ///     unsafe { tile.fill(|row, k| from[row * 64 + k]) };
    ///     block::sync();
    ///     tile
    /// }
    /// ```
    ///
    /// # Safety
    /// Meanwhile, no thread reads the tile or writes it in another way, and no product that reads it is running.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn fill(self, mut value: impl FnMut(usize, usize) -> T::Unit) {
        let mut index = thread::rank() as usize;
        while index < ROWS * DEPTH {
            // Neighbours in memory for neighbouring threads.
            let (row, k) = if const { is_k_major::<M>() } {
                (index / DEPTH, index % DEPTH)
            } else {
                (index % ROWS, index / ROWS)
            };
            // SAFETY: an element of this thread; the caller keeps others away.
            unsafe { self.at(row, k).write(value(row, k)) };
            index = index.wrapping_add(block::threads() as usize);
        }
        self.fence();
    }

    /// Makes what this thread has written into the tile visible to products ([`bulk::fence_shared`]). A barrier
    /// must follow. [`fill`](Self::fill) calls it itself.
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, wgmma::{B128, MnMajor, SharedTile}};
    /// use ptyx::prelude::*;
    /// use half::f16;
    ///
    /// /// Clears one row, with one warp.
    /// ///
    /// /// # Safety
    /// /// Nobody else uses the tile.
    /// unsafe fn clear(tile: Shared<SharedTile<f16, 64, 32, B128, MnMajor>>, row: usize) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { tile.at(row, warp::lane() as usize).write(f16::ZERO) };
    ///     tile.fence();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn fence(self) {
        bulk::fence_shared(self.bytes());
    }

    /// The tile's memory as bytes: element (row, k) is at [`SharedTile::offset`].
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, wgmma::{B128, KMajor, SharedTile}};
    ///
    /// /// The destination of a bulk copy.
    /// fn memory(tile: Shared<SharedTile<u8, 64, 128, B128, KMajor>>) -> Shared<[u8]> {
    ///     tile.bytes()
    /// }
    /// ```
    #[inline(always)]
    pub const fn bytes(self) -> Shared<[u8]> {
        let bytes = ROWS * DEPTH * T::BITS as usize / 8;
        // SAFETY: the same memory; every bit pattern is a value.
        unsafe { Shared::new(core::ptr::slice_from_raw_parts_mut(self.as_mut_ptr().cast(), bytes)) }
    }

    /// 64 rows of a tile of A that has more rows, from row `64 * index` on: one band for each of several
    /// warpgroups.
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, wgmma::{Accumulator, B128, KMajor, SharedTile}};
    /// use ptyx::prelude::*;
    ///
    /// /// The part of the product that belongs to this warpgroup, in a block of 256 threads.
    /// ///
    /// /// # Safety
    /// /// The tiles are filled, and nobody writes them meanwhile.
    /// unsafe fn part(
    ///     a: Shared<SharedTile<i8, 128, 128, B128, KMajor>>,
    ///     b: Shared<SharedTile<i8, 64, 128, B128, KMajor>>,
    /// ) -> Accumulator<i32, 64> {
    ///     let mut sums = Accumulator::filled(0);
    ///     let group = thread::rank() as usize / 128;
    ///     // SAFETY: as the caller's.
    ///     sums.accumulate(|running| unsafe { running.add(a.band(group), b) });
    ///     sums
    /// }
    /// ```
    ///
    /// # Panics
    /// If the tile has fewer rows.
    #[inline(always)]
    #[track_caller]
    pub fn band(self, index: usize) -> Band<T, ROWS, DEPTH, S, M> {
        assert!(index < ROWS / 64, "the tile has no such band of 64 rows");
        Band { tile: self, row: 64usize.wrapping_mul(index) }
    }

    /// The descriptor of what an instruction reads first: at depth 0, from row `row` on.
    #[inline(always)]
    pub(super) fn descriptor(self, row: usize) -> u64 {
        const { SharedTile::<T, ROWS, DEPTH, S, M>::CHECK };
        let address = shared_address(self.as_mut_ptr().cast());
        let first = SharedTile::<T, ROWS, DEPTH, S, M>::plain_offset(row, 0) as u32;
        let units = address.wrapping_add(first) >> 4;
        SharedTile::<T, ROWS, DEPTH, S, M>::DESCRIPTOR | u64::from(units & 0x3fff)
    }

    /// What to add to the descriptor for instruction `step` along K.
    #[inline(always)]
    pub(super) const fn advance(step: usize) -> u64 {
        let k = step * STEP * 8 / T::BITS as usize;
        SharedTile::<T, ROWS, DEPTH, S, M>::plain_offset(0, k) as u64 >> 4
    }
}

/// 64 rows of a tile ([`Shared::band`]).
///
/// ```
/// use ptyx::device::shared::Shared;
/// use ptyx::device::wgmma::{Accumulator, B128, Band, KMajor, SharedTile};
///
/// /// The product of 64 rows, one of a tile's four bands, and of columns.
/// ///
/// /// # Safety
/// /// The tiles are filled, and nobody writes them meanwhile.
/// unsafe fn product(
///     rows: Band<u8, 256, 128, B128, KMajor>,
///     columns: Shared<SharedTile<u8, 128, 128, B128, KMajor>>,
/// ) -> Accumulator<i32, 128> {
///     let mut sums = Accumulator::filled(0);
///     // SAFETY: as the caller's.
///     sums.accumulate(|running| unsafe { running.add(rows, columns) });
///     sums
/// }
/// ```
pub struct Band<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> {
    pub(super) tile: Shared<SharedTile<T, ROWS, DEPTH, S, M>>,
    pub(super) row: usize,
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Clone
    for Band<T, ROWS, DEPTH, S, M>
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> Copy
    for Band<T, ROWS, DEPTH, S, M>
{
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major> fmt::Debug
    for Band<T, ROWS, DEPTH, S, M>
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Band").field("tile", &self.tile).field("row", &self.row).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::swizzle::*;
    use super::*;
    use crate::mma::Tf32;
    use std::collections::HashSet;

    /// Each element is in one place, within the tile.
    fn covers<T: Factor, const ROWS: usize, const DEPTH: usize, S: Swizzled, M: Major>() {
        let size = T::BITS as usize / 8;
        let mut seen = HashSet::new();
        for row in 0..ROWS {
            for k in 0..DEPTH {
                let offset = SharedTile::<T, ROWS, DEPTH, S, M>::offset(row, k);
                assert!(offset.is_multiple_of(size) && offset < ROWS * DEPTH * size);
                assert!(seen.insert(offset), "{row}, {k}");
            }
        }
    }

    #[test]
    fn tiles_are_permutations() {
        covers::<i8, 64, 256, B128, KMajor>();
        covers::<u8, 24, 64, B64, KMajor>();
        covers::<Tf32, 8, 8, B32, KMajor>();
        covers::<Tf32, 16, 24, Unswizzled, KMajor>();
        #[cfg(feature = "half")]
        {
            covers::<half::f16, 128, 32, B128, MnMajor>();
            covers::<half::bf16, 32, 16, B64, MnMajor>();
            covers::<half::bf16, 16, 48, B32, MnMajor>();
            covers::<half::f16, 24, 16, Unswizzled, MnMajor>();
        }
    }

    /// The 16-byte unit of a row is its number XOR the row's, for rows of 128 bytes (CUDA Programming Guide, "Swizzle
    /// Modes").
    #[test]
    fn units_of_the_widest_swizzle() {
        for row in 0..16 {
            for unit in 0..8 {
                let offset = SharedTile::<u8, 16, 128, B128, KMajor>::offset(row, 16 * unit);
                assert_eq!(offset, 128 * row + 16 * (unit ^ (row % 8)));
            }
        }
    }
}
