//! Sums in the registers of a warpgroup.

use super::instructions::{self, Registers as _};
use super::running::Running;
use crate::mma::{Element, Layout};
use crate::{SliceMut, thread, unroll};
use core::fmt;

/// A type of sums that an [`Accumulator`] with `N` columns can have.
///
/// ```
/// use ptyx::device::mma::Layout;
/// use ptyx::device::wgmma::{Accumulator, Width};
/// use ptyx::prelude::*;
///
/// /// Writes a warpgroup's sums, whatever the number of columns.
/// ///
/// /// # Safety
/// /// No other block or warpgroup writes to `c`.
/// unsafe fn write<T: Width<N>, const N: usize>(sums: &Accumulator<T, N>, c: SliceMut<T::Unit>) {
///     // SAFETY: as the caller's.
///     unsafe { sums.store(c, Layout::row_major(N)) };
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`wgmma` has no sums of type `{Self}` with {N} columns",
    note = "sums are `f32`, `half::f16` (with the feature `half`) or `i32`; N is a multiple of 8 up to 256, and for \
            `i32` one of 8, 16, 24, 32 or a multiple of 16"
)]
pub trait Width<const N: usize>: Element {
    /// The registers of a thread.
    #[doc(hidden)]
    type Registers: instructions::Registers;
}

/// 64 rows and `N` columns of sums, in the registers of the 128 threads of a warpgroup. `T` is `f32`, `f16` or `i32`.
///
/// Each thread holds a part: if `t` is its number in the warpgroup, its element `i` is in row
/// `16 (t / 32) + t % 32 / 4 + 8 (i / 2 % 2)` and column `8 (i / 4) + 2 (t % 4) + i % 2`.
///
/// ```
/// use ptyx::device::wgmma::Accumulator;
///
/// /// The largest of all sums of this thread.
/// fn largest(sums: &Accumulator<f32, 64>) -> f32 {
///     let mut largest = f32::MIN;
///     sums.for_each(|_row, _column, sum| largest = largest.max(sum));
///     largest
/// }
/// ```
pub struct Accumulator<T: Width<N>, const N: usize> {
    pub(super) registers: T::Registers,
}

impl<T: Width<N>, const N: usize> fmt::Debug for Accumulator<T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Accumulator(64x{N})")
    }
}

impl<T: Width<N>, const N: usize> Accumulator<T, N> {
    /// Elements in a register.
    const PER_REGISTER: usize = 32 / T::BITS as usize;
    /// Elements in a thread.
    const PER_THREAD: usize = T::Registers::COUNT * Self::PER_REGISTER;

    /// Sums with this value in every element.
    ///
    /// ```
    /// use ptyx::device::wgmma::Accumulator;
    ///
    /// fn zeros() -> Accumulator<f32, 256> {
    ///     Accumulator::filled(0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn filled(value: T::Value) -> Self {
        let mut bits = T::to_bits(value) as u32;
        if T::BITS == 16 {
            bits |= bits << 16;
        }
        let mut registers = T::Registers::ZERO;
        let mut index = 0;
        while index < T::Registers::COUNT {
            unroll::full();
            registers.set(index, bits);
            index += 1;
        }
        Self { registers }
    }

    /// Sums computed from their rows and columns.
    ///
    /// ```
    /// use ptyx::device::wgmma::Accumulator;
    ///
    /// /// Sums that begin with a value for each column.
    /// fn biased(bias: &[f32; 64]) -> Accumulator<f32, 64> {
    ///     Accumulator::from_fn(|_row, column| bias[column])
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn from_fn(mut value: impl FnMut(usize, usize) -> T::Value) -> Self {
        let thread = thread::rank() % 128;
        let mut registers = T::Registers::ZERO;
        let mut index = 0;
        while index < Self::PER_THREAD {
            unroll::full();
            let (row, column) = Self::place(thread, index);
            let bits = T::to_bits(value(row, column)) as u32;
            let (register, part) = (index / Self::PER_REGISTER, index % Self::PER_REGISTER);
            registers.set(register, registers.get(register) | bits << (part as u32 * T::BITS % 32));
            index += 1;
        }
        Self { registers }
    }

    /// Calls `f` with the row, column and value of each element that this thread holds.
    ///
    /// ```
    /// use ptyx::device::wgmma::Accumulator;
    /// use ptyx::prelude::*;
    ///
    /// /// Adds each sum to the sum of its column.
    /// fn columns(sums: &Accumulator<i32, 64>, totals: &Atomics<i32>) {
    ///     sums.for_each(|_row, column, sum| {
    ///         totals[column].fetch_add(sum);
    ///     });
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn for_each(&self, mut f: impl FnMut(usize, usize, T::Value)) {
        let thread = thread::rank() % 128;
        let mut index = 0;
        while index < Self::PER_THREAD {
            unroll::full();
            let (row, column) = Self::place(thread, index);
            f(row, column, self.element(index));
            index += 1;
        }
    }

    /// Replaces each sum that this thread holds by `f` of its row, column and value.
    ///
    /// ```
    /// use ptyx::device::wgmma::Accumulator;
    ///
    /// /// Negative sums become zero.
    /// fn rectify(sums: &mut Accumulator<f32, 128>) {
    ///     sums.update(|_row, _column, sum| sum.max(0.0));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn update(&mut self, mut f: impl FnMut(usize, usize, T::Value) -> T::Value) {
        *self = Self::from_fn_with_index(|row, column, index| f(row, column, self.element(index)));
    }

    #[inline(always)]
    #[track_caller]
    fn from_fn_with_index(mut value: impl FnMut(usize, usize, usize) -> T::Value) -> Self {
        let mut index = 0usize;
        Self::from_fn(|row, column| {
            let value = value(row, column, index);
            index = index.wrapping_add(1);
            value
        })
    }

    /// Writes the sums into a buffer.
    ///
    /// ```
    /// use ptyx::device::{mma::Layout, wgmma::Accumulator};
    /// use ptyx::prelude::*;
    ///
    /// /// Writes the tile of a block of 128 threads; the rows of the matrix have `n` elements.
    /// ///
    /// /// # Safety
    /// /// Each block has a tile of its own.
    /// unsafe fn write(sums: &Accumulator<f32, 128>, c: SliceMut<f32>, n: usize, i: usize, j: usize) {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { sums.store(c, Layout::row_major(n).at(64 * i, 128 * j)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the buffer.
    ///
    /// # Safety
    /// No thread of another warpgroup reads or writes these elements meanwhile, and elements don't overlap.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store(&self, to: SliceMut<'_, T::Unit>, layout: Layout) {
        assert!(layout.fits(64, N, to.len()), "the matrix does not lie within the slice");
        let first = to.as_mut_ptr();
        self.for_each(|row, column, value| {
            let (at, bits) = (layout.index(row, column), T::to_bits(value));
            // SAFETY: within the buffer; the caller keeps others away. Sums have 16 or 32 bits.
            unsafe {
                match T::BITS {
                    32 => first.cast::<u32>().add(at).write(bits as u32),
                    _ => first.cast::<u16>().add(at).write(bits as u16),
                }
            }
        });
    }

    /// Adds the products that `f` starts. They run asynchronously while `f` continues, and are done when this
    /// method returns (PTX `wgmma.fence` before, `wgmma.commit_group` and `wgmma.wait_group 0` afterwards).
    ///
    /// To use two accumulators at a time, nest two calls.
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, wgmma::{Accumulator, B128, KMajor, SharedTile}};
    ///
    /// /// A product of a row of tiles by a column of them.
    /// ///
    /// /// # Safety
    /// /// The tiles are filled, and nobody writes them meanwhile.
    /// unsafe fn product<const TILES: usize>(
    ///     a: [Shared<SharedTile<i8, 64, 128, B128, KMajor>>; TILES],
    ///     b: [Shared<SharedTile<i8, 256, 128, B128, KMajor>>; TILES],
    /// ) -> Accumulator<i32, 256> {
    ///     let mut sums = Accumulator::filled(0);
    ///     sums.accumulate(|running| {
    ///         for (a, b) in a.into_iter().zip(b) {
    ///             // SAFETY: as the caller's.
    ///             unsafe { running.add(a, b) };
    ///         }
    ///     });
    ///     sums
    /// }
    /// ```
    #[doc(alias = "warpgroup_arrive")]
    #[inline(always)]
    #[track_caller]
    pub fn accumulate<R>(&mut self, f: impl FnOnce(&mut Running<'_, T, N>) -> R) -> R {
        self.registers.hold();
        // Products have a fence of their own. But where `f` may start none, as in a loop, the assembler wants one here.
        instructions::fence();
        let result = f(&mut Running { sums: self });
        instructions::commit();
        instructions::wait::<0>();
        self.registers.hold();
        result
    }

    /// Value `index` of this thread.
    #[inline(always)]
    pub(crate) fn element(&self, index: usize) -> T::Value {
        let bits = self.registers.get(index / Self::PER_REGISTER);
        let bits = bits >> (index % Self::PER_REGISTER * 16);
        T::from_bits(if T::BITS == 16 { bits & 0xffff } else { bits }.into())
    }

    /// Row and column of value `index` of a thread.
    #[inline(always)]
    pub(crate) const fn place(thread: u32, index: usize) -> (usize, usize) {
        let row = thread / 32 * 16 + thread % 32 / 4;
        let column = index / 4 * 8 + index % 2;
        (row as usize + index / 2 % 2 * 8, column + thread as usize % 4 * 2)
    }
}

/// Numbers of columns, each with the registers of sums of 32 bits and of 16.
macro_rules! widths {
    ($($n:literal $wide:literal $narrow:literal;)*) => {$(
        impl Width<$n> for f32 {
            type Registers = [u32; $wide];
        }

        #[cfg(feature = "half")]
        impl Width<$n> for half::f16 {
            type Registers = [u32; $narrow];
        }
    )*};
}

#[rustfmt::skip]
widths! {
    8 4 2; 16 8 4; 24 12 6; 32 16 8; 40 20 10; 48 24 12; 56 28 14; 64 32 16; 72 36 18; 80 40 20; 88 44 22;
    96 48 24; 104 52 26; 112 56 28; 120 60 30; 128 64 32; 136 68 34; 144 72 36; 152 76 38; 160 80 40;
    168 84 42; 176 88 44; 184 92 46; 192 96 48; 200 100 50; 208 104 52; 216 108 54; 224 112 56; 232 116 58;
    240 120 60; 248 124 62; 256 128 64;
}

/// The same for integers, which have fewer.
macro_rules! widths_of_integers {
    ($($n:literal $wide:literal;)*) => {$(
        impl Width<$n> for i32 {
            type Registers = [u32; $wide];
        }
    )*};
}

#[rustfmt::skip]
widths_of_integers! {
    8 4; 16 8; 24 12; 32 16; 48 24; 64 32; 80 40; 96 48; 112 56; 128 64; 144 72; 160 80; 176 88; 192 96;
    208 104; 224 112; 240 120; 256 128;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn threads_cover_the_matrix() {
        fn covers<T: Width<N>, const N: usize>() {
            assert_eq!(Accumulator::<T, N>::PER_THREAD * 128, 64 * N);
            let mut seen = HashSet::new();
            for thread in 0..128 {
                for index in 0..Accumulator::<T, N>::PER_THREAD {
                    let (row, column) = Accumulator::<T, N>::place(thread, index);
                    assert!(row < 64 && column < N && seen.insert((row, column)));
                }
            }
        }
        covers::<f32, 8>();
        covers::<f32, 248>();
        covers::<i32, 24>();
        #[cfg(feature = "half")]
        covers::<half::f16, 40>();
    }
}
