//! Fragments from and to memory, element by element.

use super::element::sealed::Registers as _;
use super::{Accumulator, Element, Fragment, Layout, Role, Shape};
use crate::shared::Shared;
use crate::view::Part;
use crate::{SliceMut, warp};

/// Panics if a matrix does not lie within `units` elements of a slice. All lanes agree on it.
#[inline(always)]
#[track_caller]
pub(super) fn check<
    R: Role,
    T: Shape<R, ROWS, COLUMNS>,
    const ROWS: usize,
    const COLUMNS: usize,
>(
    layout: Layout,
    units: usize,
) {
    let elements = units.saturating_mul(size_of::<T::Unit>() * 8 / T::BITS as usize);
    assert!(layout.fits(ROWS, COLUMNS, elements), "the matrix does not lie within the slice");
}

impl<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>
    Fragment<R, T, ROWS, COLUMNS>
{
    /// Loads the matrix with this layout in a slice (`wmma::load_matrix_sync`).
    ///
    /// If the elements of a register are adjacent, at multiples of four bytes, they are loaded together.
    /// For that, store A by rows and B by columns.
    ///
    /// ```
    /// use ptyx::device::mma::{A, Fragment, Layout, Tf32};
    ///
    /// /// The tile of 16x8 elements in row `i` and column `j` of tiles; rows have `k` elements.
    /// fn tile(a: &[f32], k: usize, i: usize, j: usize) -> Fragment<A, Tf32, 16, 8> {
    ///     Fragment::load(a, Layout::row_major(k).at(16 * i, 8 * j))
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the slice.
    #[doc(alias = "load_matrix_sync")]
    #[inline(always)]
    #[track_caller]
    pub fn load(source: &[T::Unit], layout: Layout) -> Self {
        check::<R, T, ROWS, COLUMNS>(layout, source.len());
        // SAFETY: the matrix lies within the slice.
        unsafe { Self::gather(source.as_ptr(), layout) }
    }

    /// Loads the matrix with this layout in shared memory.
    ///
    /// Except for `f64`, [`Fragment::load_tiles`] is faster.
    ///
    /// ```
    /// use ptyx::device::{mma::{B, Fragment, Layout}, shared::Shared};
    ///
    /// /// A tile of a matrix in shared memory, whose rows have `stride` elements.
    /// ///
    /// /// # Safety
    /// /// It has been written, and no thread writes it meanwhile.
    /// unsafe fn tile(b: Shared<[f64]>, stride: usize, k: usize) -> Fragment<B, f64, 16, 8> {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { Fragment::load_shared(b, Layout::row_major(stride).at(k, 0)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the array.
    ///
    /// # Safety
    /// It has been written, and no thread writes it meanwhile.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_shared(source: Shared<[T::Unit]>, layout: Layout) -> Self {
        check::<R, T, ROWS, COLUMNS>(layout, source.len());
        // SAFETY: the matrix lies within the array; the caller keeps writers away.
        unsafe { Self::gather(source.as_mut_ptr().cast(), layout) }
    }

    /// # Safety
    /// The matrix lies within memory at `first` that is valid for reads.
    #[inline(always)]
    unsafe fn gather(first: *const T::Unit, layout: Layout) -> Self {
        let lane = warp::lane();
        let mut registers = T::Registers::ZERO;
        // Neighbours of a register are in one row of A and of sums, in one column of B.
        let (_, next) = Self::place(0, 1 % Self::PER_REGISTER);
        let side_by_side = layout.has_rows() == (next == 1);
        // All lanes agree on it: rows and columns of a lane begin at multiples of a register.
        let bits = T::BITS as usize;
        let distance = layout.start().wrapping_mul(bits) | layout.stride().wrapping_mul(bits);
        let aligned = distance.is_multiple_of(32) && first.addr().is_multiple_of(4);
        let words = Self::PER_REGISTER > 1 && side_by_side && aligned;
        let mut register = 0;
        while register < T::Registers::COUNT {
            let at = |part: u32| {
                let (row, column) = Self::place(lane, register * Self::PER_REGISTER + part);
                layout.index(row, column)
            };
            let bits = if words {
                // SAFETY: the elements of a register, which lie side by side; aligned.
                u64::from(unsafe { first.cast::<u32>().add(at(0) * T::BITS as usize / 32).read() })
            } else {
                let mut bits = 0;
                let mut part = 0;
                while part < Self::PER_REGISTER {
                    // SAFETY: an element of the matrix.
                    bits |= unsafe { element::<R, T, ROWS, COLUMNS>(first, at(part)) }
                        << (part * T::BITS);
                    part += 1;
                }
                bits
            };
            registers.set(register, bits);
            register += 1;
        }
        Self::from_registers(registers)
    }
}

/// The bits of element `index`.
///
/// # Safety
/// It lies in memory at `first` that is valid for reads.
#[inline(always)]
unsafe fn element<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>(
    first: *const T::Unit,
    index: usize,
) -> u64 {
    let bits = T::BITS as usize;
    // SAFETY: the caller's promise; the parts of a unit are bytes.
    unsafe {
        match bits {
            64 => first.cast::<u64>().add(index).read(),
            32 => first.cast::<u32>().add(index).read().into(),
            16 => first.cast::<u16>().add(index).read().into(),
            _ => {
                let byte = first.cast::<u8>().add(index * bits / 8).read();
                u64::from(byte) >> (index * bits % 8) & (u64::MAX >> (64 - bits))
            }
        }
    }
}

impl<T: Shape<Accumulator, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>
    Fragment<Accumulator, T, ROWS, COLUMNS>
{
    /// Writes the sums into a buffer (`wmma::store_matrix_sync`).
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment, Layout};
    /// use ptyx::prelude::*;
    ///
    /// /// Writes a tile of a matrix whose rows have `n` elements.
    /// ///
    /// /// # Safety
    /// /// Each warp has a tile of its own.
    /// unsafe fn write(sums: Fragment<Accumulator, f32, 16, 8>, c: SliceMut<f32>, n: usize, i: usize, j: usize) {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { sums.store(c, Layout::row_major(n).at(16 * i, 8 * j)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the buffer.
    ///
    /// # Safety
    /// No other warp reads or writes these elements meanwhile, and elements of the matrix don't overlap.
    #[doc(alias = "store_matrix_sync")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store(self, to: SliceMut<'_, T::Unit>, layout: Layout) {
        check::<Accumulator, T, ROWS, COLUMNS>(layout, to.len());
        // SAFETY: the matrix lies within the buffer; the caller keeps others away.
        unsafe { self.scatter(to.as_mut_ptr(), layout) }
    }

    /// Writes the sums into shared memory.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment, Layout};
    /// use ptyx::prelude::*;
    ///
    /// /// The sums of a block's only warp, where all of its threads can read them.
    /// fn share(sums: Fragment<Accumulator, f32, 16, 8>) -> ptyx::device::shared::Shared<[f32]> {
    ///     let place = shared!([f32; 16 * 8]).as_slice();
    ///     // SAFETY: the only warp, and nobody reads before the barrier.
    ///     unsafe { sums.store_shared(place, Layout::row_major(8)) };
    ///     block::sync();
    ///     place
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the array.
    ///
    /// # Safety
    /// As for [`Fragment::store`].
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store_shared(self, to: Shared<[T::Unit]>, layout: Layout) {
        check::<Accumulator, T, ROWS, COLUMNS>(layout, to.len());
        // SAFETY: the matrix lies within the array; the caller keeps others away.
        unsafe { self.scatter(to.as_mut_ptr().cast(), layout) }
    }

    /// Writes the sums into the elements that their lanes own: rows of pairs, divided by
    /// [`Quad`](crate::by::Quad) and [`LaneInQuad`](crate::by::LaneInQuad), in a buffer or in shared memory.
    ///
    /// The sums begin at the part's row `8 * row` and at column `8 * column`. Those that the part does not have, beyond
    /// the end of the array, are left out.
    ///
    /// ```no_run
    /// use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, mma};
    /// use ptyx::prelude::*;
    ///
    /// /// Each warp has 16 rows of the result, in pairs.
    /// type Rows = (by::Tile<by::Warp, 16, by::Quad>, by::LaneInQuad, by::Whole);
    ///
    /// /// `c = a * b`. `b` has 32 columns, which lie one after another.
    /// #[kernel]
    /// fn product(a: &[i8], b: &[i8], k: usize, mut c: Parts<i32, Rows, 3>) {
    ///     let first = thread::index_1d().get() / 32 * 16;
    ///     for column in 0..4 {
    ///         let mut sums = Fragment::<Accumulator, i32, 16, 8>::filled(0);
    ///         for at in (0..k).step_by(32) {
    ///             let a = Fragment::<A, i8, 16, 32>::load(a, Layout::row_major(k).at(first, at));
    ///             let b = Fragment::<B, i8, 32, 8>::load(b, Layout::column_major(k).at(at, 8 * column));
    ///             sums = mma(a, b, sums);
    ///         }
    ///         sums.store_part(&mut c.part(), 0, column);
    ///     }
    /// }
    ///
    /// let (a, b) = (DeviceBuffer::filled(64 * 96, 1i8)?, DeviceBuffer::filled(96 * 32, 2i8)?);
    /// let mut c = DeviceBuffer::<i32>::zeroed(64 * 32)?;
    /// launch!(product<<<2, 64>>>(&a, &b, 96, c.view_mut([64, 16, 2])))?;
    /// assert_eq!(c.to_vec()?, [192; 64 * 32]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Panics
    /// If the part is that of another division, whose elements are not those of a fragment.
    #[inline(always)]
    #[track_caller]
    pub fn store_part<V>(self, part: &mut Part<'_, V, 3>, row: usize, column: usize)
    where
        T: Element<Value = V, Unit = V>,
    {
        const { assert!(COLUMNS == 8, "lanes own the elements of sums of eight columns") };
        let lane = warp::lane() as usize;
        if let Some([first, pair, _]) = part.place([row, column, 0]) {
            assert!(
                first % 8 == lane / 4 && pair % 4 == lane % 4,
                "the part is not divided as sums are: by `Quad`, `LaneInQuad` and `Whole`"
            );
        }
        let mut index = 0;
        while index < Self::PER_LANE {
            let at = [row + index as usize / 2, column, index as usize % 2];
            if let Some(own) = part.get_mut(at) {
                *own = self.element(index);
            }
            index += 1;
        }
    }

    /// # Safety
    /// The matrix lies within memory at `first` that is valid for writes, and nobody else uses it.
    #[inline(always)]
    unsafe fn scatter(self, first: *mut T::Unit, layout: Layout) {
        let lane = warp::lane();
        let mut index = 0;
        while index < Self::PER_LANE {
            let (row, column) = Self::place(lane, index);
            let bits = T::to_bits(self.element(index));
            let at = layout.index(row, column);
            // SAFETY: the caller's promise; sums have 16, 32 or 64 bits.
            unsafe {
                match T::BITS {
                    64 => first.cast::<u64>().add(at).write(bits),
                    32 => first.cast::<u32>().add(at).write(bits as u32),
                    _ => first.cast::<u16>().add(at).write(bits as u16),
                }
            }
            index += 1;
        }
    }
}
