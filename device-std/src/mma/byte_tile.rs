//! `ldmatrix` and `stmatrix` of elements of a byte and less, which `sm_120a` has, and the families of `sm_100f`, `sm_110f` and `sm_121f`:
//! transposed, and unpacked while they are loaded.
//!
//! A row in shared memory has 16 bytes. `.m16n16` reads 16 of them and transposes bytes, so that each register holds a
//! tile of 8 lines as `mma` needs it; `.m8n16` reads eight, whose elements of 6 or 4 bits become bytes.

use super::element::sealed::Registers as _;
use super::lines::{
    load_bytes_1, load_bytes_2, load_four_1, load_four_2, load_four_4, load_four_transposed_1,
    load_four_transposed_2, load_six_1, load_six_2, load_six_4, load_six_transposed_1,
    load_six_transposed_2, store_bytes_1, store_bytes_2, store_bytes_4,
};
use super::{A, Accumulator, B, E2m3, E3m2, Element, Fragment, Layout, PaddedE2m1, Role, Shape};
use crate::shared::Shared;
use crate::warp;

/// Elements of a row in shared memory, and its bytes.
const ROW: usize = 16;

/// A type of 6-bit or 4-bit elements that [`Fragment::load_packed_tiles`] unpacks: [`E3m2`], [`E2m3`] or
/// [`PaddedE2m1`].
///
/// ```
/// use ptyx::device::mma::{E2m3, E3m2, PackedElement, PaddedE2m1};
/// assert_eq!([E2m3::PACKED_BITS, E3m2::PACKED_BITS, PaddedE2m1::PACKED_BITS], [6, 6, 4]);
/// ```
pub trait PackedElement: sealed::PackedElement + Element {
    /// The number of bits of a packed element.
    const PACKED_BITS: u32;
}

mod sealed {
    pub trait PackedElement {
        /// By how many bits an unpacked element is shifted in its byte.
        const SHIFT: u32;
    }
}

macro_rules! packed {
    ($($type:ty: $bits:literal bits, shifted by $shift:literal;)*) => {$(
        impl PackedElement for $type {
            const PACKED_BITS: u32 = $bits;
        }

        impl sealed::PackedElement for $type {
            const SHIFT: u32 = $shift;
        }
    )*};
}

packed! {
    E3m2: 6 bits, shifted by 0;
    E2m3: 6 bits, shifted by 0;
    PaddedE2m1: 4 bits, shifted by 2;
}

/// Panics if lines of a matrix in shared memory don't lie in the array, or not as the instructions need them.
#[inline(always)]
#[track_caller]
fn check_lines<U>(array: Shared<[U]>, layout: Layout, [rows, columns]: [usize; 2], by_rows: bool) {
    const { assert!(size_of::<U>() == 1, "the elements have 8 bits") };
    assert!(layout.fits(rows, columns, array.len()), "the matrix does not lie within the slice");
    assert!(
        layout.has_rows() == by_rows,
        "a matrix that is transposed must be stored the other way round: A and sums by columns, B by rows"
    );
    let first = array.as_mut_ptr().cast::<U>().addr().wrapping_add(layout.start());
    assert!(
        (first | layout.stride()).is_multiple_of(ROW),
        "rows of a tile must begin at multiples of 16 bytes"
    );
}

/// The address of an element of a byte.
#[inline(always)]
fn address<U>(array: Shared<[U]>, layout: Layout, row: usize, column: usize) -> *mut u8 {
    array.as_mut_ptr().cast::<u8>().wrapping_add(layout.index(row, column))
}

impl<T: Shape<A, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>
    Fragment<A, T, ROWS, COLUMNS>
{
    /// Loads a matrix A of bytes that is stored by columns in shared memory; [`Fragment::load_tiles`] needs rows
    /// (PTX [`ldmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-ldmatrix)`.m16n16.trans.b8`,
    /// `sm_120a` with PTX 8.7; `sm_100f`, `sm_110f` and `sm_121f` with 8.8).
    ///
    /// On other architectures use [`Fragment::load_shared`], which loads elements one by one.
    ///
    /// ```
    /// use ptyx::device::mma::{A, E4m3, Fragment, Layout};
    /// use ptyx::device::shared::Shared;
    ///
    /// /// 16 x 32 elements of a tile whose columns have 16 elements.
    /// ///
    /// /// # Safety
    /// /// The tile has been written, and no thread writes it meanwhile.
    /// unsafe fn rows(tile: Shared<[u8; 512]>) -> Fragment<A, E4m3, 16, 32> {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Fragment::<A, E4m3, 16, 32>::load_transposed_tiles(tile.as_slice(), Layout::column_major(16)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the layout is by rows, the matrix does not lie within the array, or a column does not begin at a multiple of
    /// 16 bytes.
    ///
    /// # Safety
    /// As for [`Fragment::load_tiles`].
    #[doc(alias = "ldmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_transposed_tiles(source: Shared<[T::Unit]>, layout: Layout) -> Self {
        const { assert!(T::BITS == 8, "the elements have 8 bits") };
        // SAFETY: the caller's promise.
        unsafe { Self::load_columns::<8>(source, layout, 0) }
    }

    /// [`load_transposed_tiles`](Self::load_transposed_tiles) of elements of 6 or 4 bits, which are packed as
    /// [`Fragment::load_packed_tiles`] describes, 16 of a column at a time (PTX
    /// [`ldmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-ldmatrix)`.m16n16.trans.b8x16.b6x16_p32`
    /// and `.b4x16_p64`, `sm_120a` with PTX 8.7; `sm_100f`, `sm_110f` and `sm_121f` with 8.8).
    ///
    /// ```
    /// use ptyx::device::mma::{A, E2m3, Fragment, Layout};
    /// use ptyx::device::shared::Shared;
    ///
    /// /// 16 x 32 elements of a tile. A column has 12 bytes of elements, and 4 of padding.
    /// ///
    /// /// # Safety
    /// /// The tile has been written, and no thread writes it meanwhile.
    /// unsafe fn rows(tile: Shared<[u8; 512]>) -> Fragment<A, E2m3, 16, 32> {
    ///     let layout = Layout::column_major(16);
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Fragment::<A, E2m3, 16, 32>::load_packed_transposed_tiles(tile.as_slice(), layout) }
    /// }
    /// ```
    ///
    /// # Panics
    /// As for [`load_transposed_tiles`](Self::load_transposed_tiles).
    ///
    /// # Safety
    /// As for [`Fragment::load_tiles`].
    #[doc(alias = "ldmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_packed_transposed_tiles(source: Shared<[T::Unit]>, layout: Layout) -> Self
    where
        T: PackedElement,
    {
        // SAFETY: the caller's promise.
        unsafe {
            match T::PACKED_BITS {
                6 => Self::load_columns::<6>(source, layout, T::SHIFT),
                _ => Self::load_columns::<4>(source, layout, T::SHIFT),
            }
        }
    }

    /// # Safety
    /// As for [`Fragment::load_tiles`].
    #[inline(always)]
    #[track_caller]
    unsafe fn load_columns<const BITS: u32>(
        source: Shared<[T::Unit]>,
        layout: Layout,
        shift: u32,
    ) -> Self {
        const { assert!(ROWS.is_multiple_of(16), "tiles have 16 rows") };
        check_lines(source, layout, [ROWS, COLUMNS], false);
        let mut registers = T::Registers::ZERO;
        let mut first = 0;
        while first < T::Registers::COUNT {
            let count = if T::Registers::COUNT - first < 4 { 2 } else { 4 };
            // Each lane names a column of 16 rows. Lanes beyond the last tile name those of the first one again.
            let lane = warp::lane();
            let (row, column) =
                Self::place(0, (first + lane / 16 % (count / 2) * 2) * Self::PER_REGISTER);
            let line = address(source, layout, row, column + (lane % 16) as usize);
            // SAFETY: the lanes' addresses are those of columns of the matrix in shared memory, aligned.
            let words = unsafe { load_16x16::<BITS>(line, count) };
            let mut index = 0;
            while index < count {
                registers.set(first + index, (words[index as usize] << shift).into());
                index += 1;
            }
            first += count;
        }
        Self::from_registers(registers)
    }
}

impl<T: Shape<B, ROWS, 8>, const ROWS: usize> Fragment<B, T, ROWS, 8> {
    /// Loads two matrices B of bytes, side by side, that are stored by rows in shared memory; [`Fragment::load_tiles`]
    /// needs columns (PTX [`ldmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-ldmatrix)`.m16n16.trans.b8`,
    /// `sm_120a` with PTX 8.7; `sm_100f`, `sm_110f` and `sm_121f` with 8.8).
    ///
    /// There are two because a row of the instruction has 16 bytes. The layout is that of the first matrix.
    ///
    /// ```
    /// use ptyx::device::mma::{B, Fragment, Layout};
    /// use ptyx::device::shared::Shared;
    ///
    /// /// 32 rows of 16 elements, as two factors.
    /// ///
    /// /// # Safety
    /// /// The tile has been written, and no thread writes it meanwhile.
    /// unsafe fn columns(tile: Shared<[i8; 512]>) -> [Fragment<B, i8, 32, 8>; 2] {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Fragment::<B, i8, 32, 8>::load_transposed_tiles(tile.as_slice(), Layout::row_major(16)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the layout is by columns, the two matrices don't lie within the array, or a row does not begin at a multiple
    /// of 16 bytes.
    ///
    /// # Safety
    /// As for [`Fragment::load_tiles`].
    #[doc(alias = "ldmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_transposed_tiles(source: Shared<[T::Unit]>, layout: Layout) -> [Self; 2] {
        const { assert!(T::BITS == 8, "the elements have 8 bits") };
        // SAFETY: the caller's promise.
        unsafe { Self::load_rows::<8>(source, layout, 0) }
    }

    /// [`load_transposed_tiles`](Self::load_transposed_tiles) of elements of 6 or 4 bits, which are packed as
    /// [`Fragment::load_packed_tiles`] describes, 16 of a row at a time (PTX
    /// [`ldmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-ldmatrix)`.m16n16.trans.b8x16.b6x16_p32`
    /// and `.b4x16_p64`, `sm_120a` with PTX 8.7; `sm_100f`, `sm_110f` and `sm_121f` with 8.8).
    ///
    /// ```
    /// use ptyx::device::mma::{B, Fragment, Layout, PaddedE2m1};
    /// use ptyx::device::shared::Shared;
    ///
    /// /// 32 rows of 16 elements, as two factors. A row has 8 bytes of elements, and 8 of padding.
    /// ///
    /// /// # Safety
    /// /// The tile has been written, and no thread writes it meanwhile.
    /// unsafe fn columns(tile: Shared<[u8; 512]>) -> [Fragment<B, PaddedE2m1, 32, 8>; 2] {
    ///     let layout = Layout::row_major(16);
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Fragment::<B, PaddedE2m1, 32, 8>::load_packed_transposed_tiles(tile.as_slice(), layout) }
    /// }
    /// ```
    ///
    /// # Panics
    /// As for [`load_transposed_tiles`](Self::load_transposed_tiles).
    ///
    /// # Safety
    /// As for [`Fragment::load_tiles`].
    #[doc(alias = "ldmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_packed_transposed_tiles(
        source: Shared<[T::Unit]>,
        layout: Layout,
    ) -> [Self; 2]
    where
        T: PackedElement,
    {
        // SAFETY: the caller's promise.
        unsafe {
            match T::PACKED_BITS {
                6 => Self::load_rows::<6>(source, layout, T::SHIFT),
                _ => Self::load_rows::<4>(source, layout, T::SHIFT),
            }
        }
    }

    /// # Safety
    /// As for [`Fragment::load_tiles`].
    #[inline(always)]
    #[track_caller]
    unsafe fn load_rows<const BITS: u32>(
        source: Shared<[T::Unit]>,
        layout: Layout,
        shift: u32,
    ) -> [Self; 2] {
        check_lines(source, layout, [ROWS, 16], true);
        let mut sides = [T::Registers::ZERO; 2];
        let mut first = 0;
        while first < T::Registers::COUNT {
            let count = if T::Registers::COUNT - first < 2 { 1 } else { 2 };
            // Each lane names a row of 16 columns. Lanes beyond the last tile name those of the first one again.
            let row = (16 * first + warp::lane() % (16 * count)) as usize;
            let line = address(source, layout, row, 0);
            // SAFETY: the lanes' addresses are those of rows of the two matrices in shared memory, aligned.
            let words = unsafe { load_16x16::<BITS>(line, 2 * count) };
            let mut index = 0;
            while index < 2 * count {
                let word = words[index as usize] << shift;
                sides[index as usize % 2].set(first + index / 2, word.into());
                index += 1;
            }
            first += count;
        }
        sides.map(Self::from_registers)
    }
}

impl<R: Role, T: Shape<R, ROWS, COLUMNS> + PackedElement, const ROWS: usize, const COLUMNS: usize>
    Fragment<R, T, ROWS, COLUMNS>
{
    /// [`Fragment::load_tiles`] of elements of 6 or 4 bits that are packed in shared memory, 16 at a time (PTX
    /// [`ldmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-ldmatrix)`.m8n16.b8x16.b6x16_p32`
    /// and `.b4x16_p64`, `sm_120a` with PTX 8.7; `sm_100f`, `sm_110f` and `sm_121f` with 8.8).
    ///
    /// A group of 16 elements takes 16 bytes: first the elements, one directly after another with the first in the
    /// lowest bits, then padding. 16 elements of 6 bits take 12 bytes, and 16 of 4 bits take 8. Tensor copies can write
    /// this format. The layout counts elements, so it is that of the same matrix with one element in each byte.
    ///
    /// ```
    /// use ptyx::device::mma::{A, E3m2, Fragment, Layout};
    /// use ptyx::device::shared::Shared;
    ///
    /// /// 16 rows of 32 elements, which take 32 bytes, of which 24 are used.
    /// ///
    /// /// # Safety
    /// /// The tile has been written, and no thread writes it meanwhile.
    /// unsafe fn rows(tile: Shared<[u8; 512]>) -> Fragment<A, E3m2, 16, 32> {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Fragment::load_packed_tiles(tile.as_slice(), Layout::row_major(32)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// As for [`Fragment::load_tiles`]. A must be stored by rows and B by columns.
    ///
    /// # Safety
    /// As for [`Fragment::load_tiles`].
    #[doc(alias = "ldmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_packed_tiles(source: Shared<[T::Unit]>, layout: Layout) -> Self {
        Self::check_tiles(source, layout);
        let mut registers = T::Registers::ZERO;
        let mut first = 0;
        while first < T::Registers::COUNT {
            let line = Self::row_of_tile(source, layout, false, first);
            let mut words = [0u32; 4];
            // SAFETY: the lanes' addresses are those of rows in shared memory, aligned; those of lanes beyond the last
            // tile are not used.
            unsafe {
                match (T::PACKED_BITS, Self::AT_ONCE) {
                    (6, 1) => load_six_1(line, &mut words),
                    (6, 2) => load_six_2(line, &mut words),
                    (6, _) => load_six_4(line, &mut words),
                    (_, 1) => load_four_1(line, &mut words),
                    (_, 2) => load_four_2(line, &mut words),
                    (_, _) => load_four_4(line, &mut words),
                }
            }
            let mut index = 0;
            while index < Self::AT_ONCE {
                registers.set(first + index, (words[index as usize] << T::SHIFT).into());
                index += 1;
            }
            first += Self::AT_ONCE;
        }
        Self::from_registers(registers)
    }
}

impl<T: Shape<Accumulator, 16, 8>> Fragment<Accumulator, T, 16, 8> {
    /// Converts sums to elements of a byte, and stores them by columns in shared memory. The `N` matrices (1, 2 or 4)
    /// are side by side: 16 rows and `8 * N` columns (PTX
    /// [`stmatrix`](https://docs.nvidia.com/cuda/parallel-thread-execution/#warp-level-matrix-instructions-stmatrix)`.m16n8.trans.b8`,
    /// `sm_120a` with PTX 8.7; `sm_100f`, `sm_110f` and `sm_121f` with 8.8).
    ///
    /// ```
    /// use ptyx::device::float8::F8E4M3;
    /// use ptyx::device::mma::{Accumulator, E4m3, Fragment, Layout};
    /// use ptyx::device::shared::Shared;
    ///
    /// /// 16 x 16 sums as a factor of the next product.
    /// ///
    /// /// # Safety
    /// /// No other warp uses the tile.
    /// unsafe fn put(sums: [Fragment<Accumulator, f32, 16, 8>; 2], tile: Shared<[u8; 256]>) {
    ///     let (tile, columns) = (tile.as_slice(), Layout::column_major(16));
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Fragment::store_bytes::<E4m3, 2>(sums, tile, columns, |sum| F8E4M3::from_f32(sum).to_bits()) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the layout is by rows, the matrix does not lie within the array, or a column does not begin at a multiple of
    /// 16 bytes.
    ///
    /// # Safety
    /// No other warp reads or writes these elements meanwhile, and columns don't overlap. All lanes give the same array
    /// and layout.
    #[doc(alias = "stmatrix")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store_bytes<U: Element, const N: usize>(
        sums: [Self; N],
        to: Shared<[U::Unit]>,
        layout: Layout,
        mut convert: impl FnMut(T::Value) -> U::Value,
    ) {
        const { assert!(U::BITS == 8, "the elements have 8 bits") };
        const { assert!(matches!(N, 1 | 2 | 4), "an instruction stores 1, 2 or 4 matrices") };
        check_lines(to, layout, [16, 8 * N], false);
        // Each lane names a column. Lanes beyond the last matrix name those of the first ones again.
        let line = address(to, layout, 0, warp::lane() as usize % (8 * N));
        let mut words = [0u32; 4];
        let mut index = 0;
        while index < N {
            let mut part = 0;
            while part < 4 {
                let bits = U::to_bits(convert(sums[index].element(part))) as u32;
                words[index] |= bits << (8 * part);
                part += 1;
            }
            index += 1;
        }
        // SAFETY: the lanes' addresses are those of columns in shared memory, aligned; the caller keeps others away.
        unsafe {
            match N {
                1 => store_bytes_1(line, words),
                2 => store_bytes_2(line, words),
                _ => store_bytes_4(line, words),
            }
        }
    }
}

/// `ldmatrix.m16n16.trans` of one or two tiles, whose elements have so many bits, to two or four registers.
///
/// # Safety
/// Each lane has the address of a row of 16 bytes in shared memory, valid and aligned.
#[inline(always)]
#[track_caller]
unsafe fn load_16x16<const BITS: u32>(line: *mut u8, registers: u32) -> [u32; 4] {
    let mut words = [0u32; 4];
    // SAFETY: the caller's promise.
    unsafe {
        match (BITS, registers) {
            (8, 2) => load_bytes_1(line, &mut words),
            (8, _) => load_bytes_2(line, &mut words),
            (6, 2) => load_six_transposed_1(line, &mut words),
            (6, _) => load_six_transposed_2(line, &mut words),
            (_, 2) => load_four_transposed_1(line, &mut words),
            (_, _) => load_four_transposed_2(line, &mut words),
        }
    }
    words
}
