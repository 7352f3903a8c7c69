//! `ldmatrix`, `stmatrix`, `movmatrix`: fragments from and to shared memory, 8x8 tiles of 16-bit elements at once.
//!
//! The rows of a tile have 16 bytes, so for the instructions elements may have any width as long as they are not
//! rearranged within a row. Each register of a fragment is a tile: lane `8 * t + r` gives the address of row `r` of
//! the tile of register `t`.

use super::element::sealed::Registers as _;
use super::lines::{
    load_1, load_1_transposed, load_2, load_2_transposed, load_4, load_4_transposed, store_1,
    store_1_transposed, store_2, store_2_transposed, store_4, store_4_transposed,
};
use super::memory::check;
use super::{Fragment, Layout, Role, Shape};
use crate::async_copy::Ready;
use crate::by::Division;
use crate::group::CopyGroup;
use crate::shared::{AnyBits, CellValue, Parity, Phase, Phased, Shared, TileArray};
use crate::warp;

/// Bytes of a tile's row.
const ROW: usize = 16;

impl<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>
    Fragment<R, T, ROWS, COLUMNS>
{
    /// Loads the matrix with this layout in shared memory, by an instruction for up to four registers (PTX
    /// [`ldmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-ldmatrix),
    /// `sm_75`).
    ///
    /// A must be stored by rows and B by columns; 16-bit elements may also be stored the other way round (`.trans`). Accumulators of
    /// 16 bits can be loaded, too. For `f64` and wider sums there is no such instruction: use
    /// [`Fragment::load_shared`]. `sm_120a` can also transpose bytes
    /// ([`load_transposed_tiles`](Fragment::load_transposed_tiles)) and unpack elements of 6 and 4 bits
    /// ([`Fragment::load_packed_tiles`]).
    ///
    /// ```
    /// use ptyx::device::mma::{A, Fragment, Layout};
    /// use ptyx::prelude::*;
    ///
    /// /// Rows of 32 bytes, copied to shared memory by the block's only warp.
    /// fn staged(rows: &[[u8; 32]; 16]) -> Fragment<A, u8, 16, 32> {
    ///     let tile = shared!([u8; 16 * 32]);
    ///     let lane = warp::lane() as usize;
    ///     // SAFETY: each lane writes its own half row, and nobody writes after the barrier.
    ///     unsafe {
    ///         for i in 0..16 {
    ///             tile.at(16 * lane + i).write(rows[lane / 2][lane % 2 * 16 + i]);
    ///         }
    ///         block::sync();
    ///         Fragment::load_tiles(tile.as_slice(), Layout::row_major(32))
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the array, or a row of a tile does not begin at a multiple of 16 bytes.
    /// (Shared arrays do.)
    ///
    /// # Safety
    /// It has been written, and no thread writes it meanwhile. All lanes give the same array and layout.
    #[doc(alias = "ldmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_tiles(source: Shared<[T::Unit]>, layout: Layout) -> Self {
        let transposed = Self::check_tiles(source, layout);
        let mut registers = T::Registers::ZERO;
        let mut first = 0;
        while first < T::Registers::COUNT {
            let address = Self::row_of_tile(source, layout, transposed, first);
            let mut words = [0u32; 4];
            // SAFETY: the lanes' addresses are those of rows in shared memory, aligned; those of lanes beyond the last
            // tile are not used.
            unsafe {
                match (T::Registers::COUNT, transposed) {
                    (1, false) => load_1(address, &mut words),
                    (1, true) => load_1_transposed(address, &mut words),
                    (2, false) => load_2(address, &mut words),
                    (2, true) => load_2_transposed(address, &mut words),
                    (_, false) => load_4(address, &mut words),
                    (_, true) => load_4_transposed(address, &mut words),
                }
            }
            let mut index = 0;
            while index < Self::AT_ONCE {
                registers.set(first + index, words[index as usize].into());
                index += 1;
            }
            first += Self::AT_ONCE;
        }
        Self::from_registers(registers)
    }

    /// Writes the matrix into shared memory, by an instruction for up to four registers (PTX
    /// [`stmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-stmatrix),
    /// `sm_90`). Layouts are as for [`Fragment::load_tiles`].
    ///
    /// ```
    /// use ptyx::device::mma::{A, Fragment, Layout};
    /// use ptyx::prelude::*;
    ///
    /// /// Writes a matrix to shared memory, row after row.
    /// ///
    /// /// # Safety
    /// /// `tile` begins at a multiple of 16 bytes, and no other warp uses it.
    /// unsafe fn put(matrix: Fragment<A, i8, 16, 16>, tile: ptyx::device::shared::Shared<[i8; 256]>) {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { matrix.store_tiles(tile.as_slice(), Layout::row_major(16)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// As for [`Fragment::load_tiles`].
    ///
    /// # Safety
    /// No other warp reads or writes these elements meanwhile. All lanes give the same array and layout.
    #[doc(alias = "stmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store_tiles(self, to: Shared<[T::Unit]>, layout: Layout) {
        let transposed = Self::check_tiles(to, layout);
        let mut first = 0;
        while first < T::Registers::COUNT {
            let address = Self::row_of_tile(to, layout, transposed, first);
            let mut words = [0u32; 4];
            let mut index = 0;
            while index < Self::AT_ONCE {
                words[index as usize] = self.registers().get(first + index) as u32;
                index += 1;
            }
            // SAFETY: as in `load_tiles`.
            unsafe {
                match (T::Registers::COUNT, transposed) {
                    (1, false) => store_1(address, words),
                    (1, true) => store_1_transposed(address, words),
                    (2, false) => store_2(address, words),
                    (2, true) => store_2_transposed(address, words),
                    (_, false) => store_4(address, words),
                    (_, true) => store_4_transposed(address, words),
                }
            }
            first += Self::AT_ONCE;
        }
    }

    /// [`load_tiles`](Self::load_tiles) of a tile that is written in other phases (`sm_75`).
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::mma::{A, Fragment, Layout};
    /// use ptyx::device::shared::{Odd, Phase};
    /// use ptyx::prelude::*;
    ///
    /// /// 16 rows of 16 elements, which a block of 16x16 threads copies to shared memory.
    /// fn staged(x: Array<f16, 2>, mut writing: Phase) -> (Fragment<A, f16, 16, 16>, Phase<Odd>) {
    ///     // Rows of 24: eight of them at once in different banks.
    ///     let tile = phased!([[f16; 24]; 16]);
    ///     tile.set(&mut writing, [0, 0], x[[thread::y() as usize, thread::x() as usize]]);
    ///     let reading = writing.sync();
    ///     (Fragment::load_phased(tile, &reading, Layout::row_major(24)), reading)
    /// }
    /// ```
    ///
    /// # Panics
    /// As for [`load_tiles`](Self::load_tiles).
    #[inline(always)]
    #[track_caller]
    pub fn load_phased<Tile, D, P, const N: usize>(
        source: Phased<Tile, D, P, N>,
        phase: &Phase<P::Other>,
        layout: Layout,
    ) -> Self
    where
        Tile: TileArray<N, Element = T::Unit> + AnyBits,
        D: Division<N>,
        P: Parity,
    {
        // SAFETY: no thread writes it in this phase, and any bits are elements. If lanes gave other layouts, each would
        // name rows within the tile.
        unsafe { Self::load_tiles(source.elements(phase), layout) }
    }

    /// [`load_tiles`](Self::load_tiles) of a tile that asynchronous copies have filled (`sm_75`; the copies are asynchronous
    /// from `sm_80` on).
    ///
    /// The distance between rows should be an odd multiple of 16 bytes, so that the eight rows that `ldmatrix` reads
    /// at a time lie in different banks. For `f64`, take the elements one by one: `Fragment::from_fn(|row, column| tile.get(..))`.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::async_copy::{Pipeline, Tile};
    /// use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, mma};
    /// use ptyx::prelude::*;
    ///
    /// /// A product of 16 rows of `a` and 8 columns of `b`, each of which has `16 * k` elements, by a block of one warp.
    /// fn product(a: &[[f16; 8]], b: &[[f16; 8]], k: usize) -> Fragment<Accumulator, f32, 16, 8> {
    ///     let mut pipeline = Pipeline::new(shared!([Tile<f16, { 24 * 24 }>; 3]));
    ///     let (lane, mut copied) = (thread::x() as usize, 0);
    ///     let mut sums = Fragment::filled(0.0);
    ///     for _ in 0..k {
    ///         while copied < k && pipeline.free_stages() > 0 {
    ///             let mut stage = pipeline.producer_acquire();
    ///             // 24 rows of 16 elements, in pieces of 8: first those of A, then the columns of B.
    ///             for piece in (lane..48).step_by(32) {
    ///                 let (row, half) = (piece / 2, piece % 2);
    ///                 let from = if row < 16 { &a[2 * k * row..] } else { &b[2 * k * (row - 16)..] };
    ///                 stage.copy_array(24 * row + 8 * half, &from[2 * copied + half]);
    ///             }
    ///             stage.commit();
    ///             copied += 1;
    ///         }
    ///         let tile = pipeline.consumer_wait();
    ///         let left = Fragment::<A, f16, 16, 16>::load_ready(&tile, Layout::row_major(24));
    ///         let columns = Layout::column_major(24).at(0, 16);
    ///         sums = mma(left, Fragment::<B, f16, 16, 8>::load_ready(&tile, columns), sums);
    ///         tile.release();
    ///     }
    ///     sums
    /// }
    /// ```
    ///
    /// # Panics
    /// As for [`load_tiles`](Self::load_tiles).
    #[inline(always)]
    #[track_caller]
    pub fn load_ready<const LEN: usize, const STAGES: usize, G: CopyGroup>(
        source: &Ready<'_, '_, T::Unit, LEN, STAGES, G>,
        layout: Layout,
    ) -> Self
    where
        T::Unit: CellValue,
    {
        // SAFETY: the tile was initialised, and any bits are elements. A thread that has missed a barrier may write it
        // meanwhile, by copies or atomic stores. To Rust the instruction is one atomic load for each word, so it delivers
        // wrong elements at worst. If lanes gave other layouts or tiles, each would name rows within its tile.
        unsafe { Self::load_tiles(source.places(), layout) }
    }

    /// Whether the tiles must be transposed. Panics if the matrix does not lie in the array, or not as the
    /// instructions need it.
    #[inline(always)]
    #[track_caller]
    pub(super) fn check_tiles(array: Shared<[T::Unit]>, layout: Layout) -> bool {
        const {
            assert!(
                T::Registers::BITS == 32 && (!R::IS_SUM || T::BITS == 16),
                "there is no instruction that loads or stores such a matrix: use `load_shared`"
            );
        };
        check::<R, T, ROWS, COLUMNS>(layout, array.len());
        let transposed = layout.has_rows() != Self::has_row_tiles();
        assert!(
            !transposed || T::BITS == 16,
            "only elements of 16 bits are transposed: A must lie by rows, B by columns"
        );
        let bytes = |elements: usize| elements.wrapping_mul(T::BITS as usize) / 8;
        let first = array.as_mut_ptr().cast::<T::Unit>().addr().wrapping_add(bytes(layout.start()));
        assert!(
            (first | bytes(layout.stride())).is_multiple_of(ROW),
            "rows of a tile must begin at multiples of 16 bytes"
        );
        transposed
    }

    /// Whether the rows of tiles are rows of the matrix, not columns.
    #[inline(always)]
    fn has_row_tiles() -> bool {
        let (row, _) = Self::place(4, 0);
        row == 1
    }

    /// The registers of one instruction: all, or four of eight.
    pub(super) const AT_ONCE: u32 = if T::Registers::COUNT < 4 { T::Registers::COUNT } else { 4 };

    /// The address of the row that this lane names, for tiles from number `first` on.
    #[inline(always)]
    pub(super) fn row_of_tile(
        array: Shared<[T::Unit]>,
        layout: Layout,
        transposed: bool,
        first: u32,
    ) -> *mut u8 {
        let lane = warp::lane();
        // Lanes beyond the last tile name rows of the first ones again.
        let (tile, row) = (first + lane / 8 % Self::AT_ONCE, lane % 8);
        let element = tile * Self::PER_REGISTER;
        let (row, column) = match (transposed, Self::has_row_tiles()) {
            (false, _) => Self::place(4 * row, element),
            (true, true) => {
                let (first, column) = Self::place(0, element);
                (first, column + row as usize)
            }
            (true, false) => {
                let (first, column) = Self::place(0, element);
                (first + row as usize, column)
            }
        };
        let bytes = layout.index(row, column) * T::BITS as usize / 8;
        array.as_mut_ptr().cast::<u8>().wrapping_add(bytes)
    }
}

/// The transpose of an 8x8 matrix of 16-bit elements, of which each lane holds two: those of row `lane / 4` in columns
/// `lane % 4 * 2` and the next, the first in the lower half (PTX
/// [`movmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-movmatrix),
/// `sm_75`).
///
/// ```
/// use ptyx::device::mma::{Accumulator, B, Fragment, transpose};
///
/// /// Registers of sums in pairs of 16 bits, as a register of B.
/// fn as_factor(pair: u32) -> u32 {
///     transpose(pair)
/// }
/// ```
///
/// # Panics
/// On the host.
#[doc(alias = "movmatrix")]
#[inline(always)]
#[track_caller]
pub fn transpose(pair: u32) -> u32 {
    crate::__ptx! {
        device {
            let result: u32;
            // SAFETY: the instruction only computes.
            unsafe {
                core::arch::asm!(
                    head!(sm_75, 78, " pure nomem convergent"),
                    "movmatrix.sync.aligned.m8n8.trans.b16 {}, {};",
                    lateout(reg) result,
                    in(reg) pair,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            result
        }
        host {
            let _ = pair;
            crate::intrinsics::on_the_host()
        }
    }
}
