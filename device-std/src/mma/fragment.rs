//! Matrices in the registers of a warp.

use super::element::sealed::Registers as _;
use super::{Accumulator, Element, Role, Shape, packed};
use crate::warp;
use core::fmt;
use core::marker::PhantomData;

/// A matrix of `ROWS` x `COLUMNS` elements `T` in the registers of a warp's lanes. Its role `R` is
/// [`A`](super::A), [`B`](super::B) or [`Accumulator`].
///
/// Each lane holds a part of the elements. Loops over large arrays of fragments must have bounds that are known
/// at compile time, so that the elements stay in registers.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, Tf32, mma};
/// use ptyx::prelude::*;
///
/// /// The sum of the first eight columns of a matrix, by a factor of ones.
/// fn row_sums(a: Fragment<A, Tf32, 16, 8>) -> Fragment<Accumulator, f32, 16, 8> {
///     let ones = Fragment::<B, Tf32, 8, 8>::filled(1.0);
///     mma(a, ones, Fragment::filled(0.0))
/// }
/// ```
pub struct Fragment<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize> {
    registers: T::Registers,
    role: PhantomData<R>,
}

impl<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize> Clone
    for Fragment<R, T, ROWS, COLUMNS>
{
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize> Copy
    for Fragment<R, T, ROWS, COLUMNS>
{
}

impl<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>
    Fragment<R, T, ROWS, COLUMNS>
{
    /// Elements in a register.
    pub(super) const PER_REGISTER: u32 = packed::per_register::<T, T::Registers>();

    /// Elements in a lane.
    pub(super) const PER_LANE: u32 = T::Registers::COUNT * Self::PER_REGISTER;

    /// The fragment with these registers in this lane: the operand of PTX's `mma`.
    ///
    /// ```
    /// use ptyx::device::mma::{A, Fragment};
    ///
    /// /// Every element -1.
    /// fn ones() -> Fragment<A, i8, 16, 16> {
    ///     Fragment::from_registers([u32::MAX; 2])
    /// }
    /// ```
    #[inline(always)]
    pub const fn from_registers(registers: T::Registers) -> Self {
        Self { registers, role: PhantomData }
    }

    /// The registers of this lane.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment};
    ///
    /// /// The largest of this lane's sums.
    /// fn largest(sums: Fragment<Accumulator, f32, 16, 8>) -> f32 {
    ///     sums.registers().into_iter().fold(f32::MIN, f32::max)
    /// }
    /// ```
    #[inline(always)]
    pub const fn registers(self) -> T::Registers {
        self.registers
    }

    /// A matrix with this value in every element (`wmma::fill_fragment`).
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment};
    ///
    /// /// Sums that begin at zero.
    /// fn zeros() -> Fragment<Accumulator, f32, 16, 8> {
    ///     Fragment::filled(0.0)
    /// }
    /// ```
    #[doc(alias = "fill_fragment")]
    #[inline(always)]
    pub fn filled(value: T::Value) -> Self {
        Self::with(|_| value)
    }

    /// A matrix whose elements are computed from their row and column.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment};
    ///
    /// /// Sums that begin with a value for each column.
    /// fn biased(bias: &[f32; 8]) -> Fragment<Accumulator, f32, 16, 8> {
    ///     Fragment::from_fn(|_row, column| bias[column])
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn from_fn(mut value: impl FnMut(usize, usize) -> T::Value) -> Self {
        let lane = warp::lane();
        Self::with(|index| {
            let (row, column) = Self::place(lane, index);
            value(row, column)
        })
    }

    /// Calls `f` with row, column and value of each element of this lane.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment};
    /// use ptyx::prelude::*;
    ///
    /// /// The sum over the diagonal.
    /// fn trace(sums: Fragment<Accumulator, f64, 8, 8>) -> f64 {
    ///     let mut own = 0.0;
    ///     sums.for_each(|row, column, value| {
    ///         if row == column {
    ///             own += value;
    ///         }
    ///     });
    ///     warp::reduce(own, |a, b| a + b)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn for_each(self, mut f: impl FnMut(usize, usize, T::Value)) {
        let lane = warp::lane();
        let mut index = 0;
        while index < Self::PER_LANE {
            let (row, column) = Self::place(lane, index);
            f(row, column, self.element(index));
            index += 1;
        }
    }

    /// The matrix with each element replaced by `f` of its row, column and value.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment};
    ///
    /// /// Elements above the diagonal become zero.
    /// fn lower(sums: Fragment<Accumulator, f32, 16, 8>) -> Fragment<Accumulator, f32, 16, 8> {
    ///     sums.map(|row, column, value| if column > row { 0.0 } else { value })
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn map(self, mut f: impl FnMut(usize, usize, T::Value) -> T::Value) -> Self {
        let lane = warp::lane();
        Self::with(|index| {
            let (row, column) = Self::place(lane, index);
            f(row, column, self.element(index))
        })
    }

    /// A matrix whose values in this lane are computed from their index.
    #[inline(always)]
    fn with(value: impl FnMut(u32) -> T::Value) -> Self {
        Self::from_registers(packed::pack::<T, _>(value))
    }

    /// Value `index` of this lane.
    #[inline(always)]
    pub(super) fn element(self, index: u32) -> T::Value {
        packed::element::<T, _>(self.registers, index)
    }

    /// Row and column of value `index` of a lane.
    #[inline(always)]
    pub(super) fn place(lane: u32, index: u32) -> (usize, usize) {
        let (row, column) =
            R::place(lane, index, Self::PER_REGISTER, [ROWS as u32, COLUMNS as u32]);
        (row as usize, column as usize)
    }
}

impl<T: Shape<Accumulator, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>
    Fragment<Accumulator, T, ROWS, COLUMNS>
{
    /// The sums as another type of elements.
    ///
    /// ```
    /// use ptyx::device::mma::{Accumulator, Fragment};
    ///
    /// /// Integer sums, scaled.
    /// fn scaled(sums: Fragment<Accumulator, i32, 16, 8>, by: f32) -> Fragment<Accumulator, f32, 16, 8> {
    ///     sums.convert(|sum| sum as f32 * by)
    /// }
    /// ```
    #[inline(always)]
    pub fn convert<U: Shape<Accumulator, ROWS, COLUMNS>>(
        self,
        mut f: impl FnMut(T::Value) -> U::Value,
    ) -> Fragment<Accumulator, U, ROWS, COLUMNS> {
        Fragment::with(|index| f(self.element(index)))
    }
}

impl<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize> fmt::Debug
    for Fragment<R, T, ROWS, COLUMNS>
where
    <T as Element>::Value: fmt::Debug,
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = formatter.debug_list();
        for index in 0..Self::PER_LANE {
            list.entry(&self.element(index));
        }
        list.finish()
    }
}
