//! Four small products at once, each by eight lanes.

use super::element::sealed::Registers as _;
#[cfg(feature = "half")]
use super::{A, B};
use super::{Accumulator, Element, Layout, Role, packed};
use crate::{SliceMut, warp};
use core::fmt;
use core::marker::PhantomData;

/// Four matrices, each in the registers of eight of a warp's lanes, a *quad pair*: the operands of `mma.m8n8k4` of
/// `f16`, which multiplies them separately.
///
/// Its role `R` says the size: [`A`](super::A) has 8 x 4 elements, [`B`](super::B) 4 x 8, [`Accumulator`] 8 x 8. A lane
/// takes part in the matrix whose number is [`Quads::pair`].
///
/// Only Volta (`sm_70`) has this instruction in hardware. For later architectures the assembler makes shuffles and
/// `fma` instructions of it, so that code written for Volta still runs. New code is faster with a [`Fragment`](super::Fragment).
/// PTX also has forms with A by columns and B by rows. Here A is always held by rows and B by columns; both can be loaded
/// from either layout.
///
/// ```
/// use half::f16;
/// use ptyx::device::mma::{A, Accumulator, B, Layout, Quads, mma};
/// use ptyx::prelude::*;
///
/// /// Four products of 8x4 by 4x8 elements. The matrices of each kind lie one after another.
/// #[kernel]
/// fn products(a: &[f16], b: &[f16], c: SliceMut<f32>) {
///     let pair = Quads::<A, f16>::pair();
///     let a = Quads::<A, f16>::load(a, Layout::row_major(4).from(32 * pair));
///     let b = Quads::<B, f16>::load(b, Layout::row_major(8).from(32 * pair));
///     let sums: Quads<Accumulator, f32> = mma(a, b, Quads::filled(0.0));
///     // SAFETY: each quad pair of the only warp has a matrix of its own.
///     unsafe { sums.store(c, Layout::row_major(8).from(64 * pair)) };
/// }
/// ```
pub struct Quads<R: Role, T: QuadShape<R>> {
    registers: T::Registers,
    role: PhantomData<R>,
}

/// An element type that four small matrices of this role can have: `f16` in every role, `f32` as sums.
///
/// ```
/// use ptyx::device::mma::{Accumulator, QuadShape, Quads};
///
/// /// Four matrices of ones, of either type of sums.
/// fn ones<T: QuadShape<Accumulator>>(one: T) -> Quads<Accumulator, T> {
///     Quads::filled(one)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`mma.m8n8k4` has no matrices `{R}` of `{Self}`",
    note = "A and B are `half::f16`, sums `half::f16` or `f32`; `f64` is a `Fragment`"
)]
pub trait QuadShape<R: Role>: Element<Value = Self, Unit = Self> {
    /// The registers of a lane.
    type Registers: super::element::sealed::Registers;

    /// The sides of a matrix.
    #[doc(hidden)]
    const SIZE: [usize; 2];

    /// Row and column of element `index` of a lane.
    #[doc(hidden)]
    fn place(lane: u32, index: u32) -> [u32; 2];
}

/// The row of A and of `f16` sums, or the column of B, that a lane holds.
#[cfg(feature = "half")]
#[inline(always)]
const fn line(lane: u32) -> u32 {
    lane % 4 + lane / 16 * 4
}

macro_rules! shapes {
    ($($role:ident $type:ty: $rows:literal x $columns:literal, [$register:ty; $count:literal], |$lane:ident, $index:ident| $place:expr;)*) => {$(
        impl QuadShape<$role> for $type {
            type Registers = [$register; $count];
            const SIZE: [usize; 2] = [$rows, $columns];

            #[inline(always)]
            fn place($lane: u32, $index: u32) -> [u32; 2] {
                $place
            }
        }
    )*};
}

#[cfg(feature = "half")]
shapes! {
    A half::f16: 8 x 4, [u32; 2], |lane, index| [line(lane), index];
    B half::f16: 4 x 8, [u32; 2], |lane, index| [index, line(lane)];
    Accumulator half::f16: 8 x 8, [u32; 4], |lane, index| [line(lane), index];
}

shapes! {
    Accumulator f32: 8 x 8, [f32; 8],
        |lane, index| [lane & 1 | index & 2 | (lane / 16 * 4), index & 1 | lane & 2 | index & 4];
}

impl<R: Role, T: QuadShape<R>> Clone for Quads<R, T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Role, T: QuadShape<R>> Copy for Quads<R, T> {}

impl<R: Role, T: QuadShape<R>> Quads<R, T> {
    const PER_LANE: u32 = T::Registers::COUNT * packed::per_register::<T, T::Registers>();

    /// The number of this lane's matrix, from 0 to 3. It is that of lanes `4 n` to `4 n + 3` and `4 n + 16` to
    /// `4 n + 19`.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Layout, Quads};
    ///
    /// /// Where this lane's matrix lies, if the four lie side by side.
    /// fn layout() -> Layout {
    ///     Layout::row_major(32).at(0, 8 * Quads::<Accumulator, f32>::pair())
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn pair() -> usize {
        (warp::lane() / 4 % 4) as usize
    }

    /// The matrices with these registers in this lane: the operand of PTX's `mma`.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Quads};
    ///
    /// fn zeros() -> Quads<Accumulator, f32> {
    ///     Quads::from_registers([0.0; 8])
    /// }
    /// ```
    #[inline(always)]
    pub const fn from_registers(registers: T::Registers) -> Self {
        Self { registers, role: PhantomData }
    }

    /// The registers of this lane.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Quads};
    ///
    /// /// The largest of this lane's sums.
    /// fn largest(sums: Quads<Accumulator, f32>) -> f32 {
    ///     sums.registers().into_iter().fold(f32::MIN, f32::max)
    /// }
    /// ```
    #[inline(always)]
    pub const fn registers(self) -> T::Registers {
        self.registers
    }

    /// Matrices with this value in every element.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Quads};
    ///
    /// fn zeros() -> Quads<Accumulator, f32> {
    ///     Quads::filled(0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn filled(value: T) -> Self {
        Self::with(|_| value)
    }

    /// Matrices whose elements are computed from row and column. [`pair`](Self::pair) tells which of the matrices it is.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::mma::{A, Quads};
    ///
    /// /// Matrix `n` is `n` times a diagonal of ones.
    /// fn diagonals() -> Quads<A, f16> {
    ///     let pair = Quads::<A, f16>::pair() as f32;
    ///     Quads::from_fn(|row, column| f16::from_f32(if row == column { pair } else { 0.0 }))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn from_fn(mut value: impl FnMut(usize, usize) -> T) -> Self {
        let lane = warp::lane();
        Self::with(|index| {
            let [row, column] = T::place(lane, index);
            value(row as usize, column as usize)
        })
    }

    /// Calls `f` with row, column and value of each element of this lane.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Quads};
    ///
    /// /// The sum of this lane's elements on the diagonal.
    /// fn own_trace(sums: Quads<Accumulator, f32>) -> f32 {
    ///     let mut own = 0.0;
    ///     sums.for_each(|row, column, value| {
    ///         if row == column {
    ///             own += value;
    ///         }
    ///     });
    ///     own
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn for_each(self, mut f: impl FnMut(usize, usize, T)) {
        let lane = warp::lane();
        let mut index = 0;
        while index < Self::PER_LANE {
            let [row, column] = T::place(lane, index);
            f(row as usize, column as usize, packed::element::<T, _>(self.registers, index));
            index += 1;
        }
    }

    /// Loads this lane's matrix with this layout in a slice. Quad pairs may pass different layouts.
    ///
    /// ```
    /// use half::f16;
    /// use ptyx::device::mma::{A, Layout, Quads};
    ///
    /// /// 32 rows of 4 elements: eight for each quad pair.
    /// fn rows(a: &[f16]) -> Quads<A, f16> {
    ///     Quads::load(a, Layout::row_major(4).at(8 * Quads::<A, f16>::pair(), 0))
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the slice.
    #[inline(always)]
    #[track_caller]
    pub fn load(source: &[T], layout: Layout) -> Self {
        Self::check(layout, source.len());
        let lane = warp::lane();
        Self::with(|index| {
            let [row, column] = T::place(lane, index);
            // SAFETY: the matrix lies within the slice.
            unsafe { *source.get_unchecked(layout.index(row as usize, column as usize)) }
        })
    }

    #[inline(always)]
    #[track_caller]
    fn check(layout: Layout, len: usize) {
        let [rows, columns] = T::SIZE;
        assert!(layout.fits(rows, columns, len), "the matrix does not lie within the slice");
    }

    /// Matrices whose values in this lane are computed from their index.
    #[inline(always)]
    fn with(value: impl FnMut(u32) -> T) -> Self {
        Self::from_registers(packed::pack::<T, _>(value))
    }
}

impl<T: QuadShape<Accumulator>> Quads<Accumulator, T> {
    /// Writes this lane's matrix of sums into a buffer. Quad pairs may pass different layouts.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Layout, Quads};
    /// use ptyx::prelude::*;
    ///
    /// /// Writes the four matrices side by side: 8 rows of 32 elements.
    /// ///
    /// /// # Safety
    /// /// No other warp uses the buffer.
    /// unsafe fn write(sums: Quads<Accumulator, f32>, to: SliceMut<f32>) {
    ///     let column = 8 * Quads::<Accumulator, f32>::pair();
    ///     // SAFETY: each quad pair has its own columns.
    ///     unsafe { sums.store(to, Layout::row_major(32).at(0, column)) }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the matrix does not lie within the buffer.
    ///
    /// # Safety
    /// No other quad pair and no other warp reads or writes these elements meanwhile, and elements of the matrix don't
    /// overlap.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store(self, to: SliceMut<'_, T>, layout: Layout) {
        Self::check(layout, to.len());
        let first = to.as_mut_ptr();
        self.for_each(|row, column, value| {
            // SAFETY: the matrix lies within the buffer; the caller keeps others away.
            unsafe { first.add(layout.index(row, column)).write(value) };
        });
    }
}

impl<R: Role, T: QuadShape<R> + fmt::Debug> fmt::Debug for Quads<R, T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = formatter.debug_list();
        for index in 0..Self::PER_LANE {
            list.entry(&packed::element::<T, _>(self.registers, index));
        }
        list.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn covers<R: Role, T: QuadShape<R>>() {
        let per_lane = Quads::<R, T>::PER_LANE;
        let mut seen = HashSet::new();
        for lane in 0..32 {
            for index in 0..per_lane {
                let place = T::place(lane, index);
                assert!((place[0] as usize) < T::SIZE[0] && (place[1] as usize) < T::SIZE[1]);
                assert!(seen.insert((lane / 4 % 4, place)), "lane {lane}: {place:?}");
            }
        }
        assert_eq!(seen.len(), 4 * T::SIZE[0] * T::SIZE[1]);
    }

    #[test]
    fn matrices_are_covered() {
        covers::<Accumulator, f32>();
        #[cfg(feature = "half")]
        {
            covers::<A, half::f16>();
            covers::<B, half::f16>();
            covers::<Accumulator, half::f16>();
        }
    }
}
