//! Types of elements, and the matrices that each has.

use crate::DeviceCopy;

/// The part that a matrix plays in a product: [`A`], [`B`] or [`Accumulator`].
///
/// ```
/// use ptyx::device::mma::{Fragment, Role, Shape};
///
/// /// Ones on the diagonal and zeros elsewhere, in any role that has this size.
/// fn identity<R: Role, T: Shape<R, 16, 8, Value = f32>>() -> Fragment<R, T, 16, 8> {
///     Fragment::from_fn(|row, column| if row == column { 1.0 } else { 0.0 })
/// }
/// ```
pub trait Role: sealed::Role + Copy + 'static {}

/// The left factor of a product: M rows, K columns.
///
/// ```
/// use ptyx::device::mma::{A, Fragment, Layout};
///
/// /// Rows 16 to 31 of a matrix whose rows have `k` elements, from column `from` on.
/// fn rows(a: &[u8], k: usize, from: usize) -> Fragment<A, u8, 16, 32> {
///     Fragment::load(a, Layout::row_major(k).at(16, from))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum A {}

/// The right factor of a product: K rows, N columns.
///
/// ```
/// use ptyx::device::mma::{B, Fragment, Layout};
///
/// /// The first 8 columns of a matrix whose rows have `n` elements, from row `from` on.
/// fn columns(b: &[u8], n: usize, from: usize) -> Fragment<B, u8, 32, 8> {
///     Fragment::load(b, Layout::row_major(n).at(from, 0))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum B {}

/// The sums to which products are added: M rows, N columns.
///
/// ```
/// use ptyx::device::mma::{Accumulator, Fragment, Layout};
///
/// /// Sums that begin with the elements of another matrix.
/// fn begin(c: &[i32], n: usize) -> Fragment<Accumulator, i32, 16, 8> {
///     Fragment::load(c, Layout::row_major(n))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Accumulator {}

impl Role for A {}
impl Role for B {}
impl Role for Accumulator {}

impl sealed::Role for A {
    #[inline(always)]
    fn place(lane: u32, index: u32, per_register: u32, [rows, _]: [u32; 2]) -> (u32, u32) {
        let (register, part) = (index / per_register, index % per_register);
        let bands = rows / 8;
        let row = lane / 4 + register % bands * 8;
        (row, register / bands * 4 * per_register + lane % 4 * per_register + part)
    }
}

impl sealed::Role for B {
    #[inline(always)]
    fn place(lane: u32, index: u32, per_register: u32, [rows, columns]: [u32; 2]) -> (u32, u32) {
        // As a matrix A, transposed.
        let (column, row) = A::place(lane, index, per_register, [columns, rows]);
        (row, column)
    }
}

impl sealed::Role for Accumulator {
    const IS_SUM: bool = true;

    #[inline(always)]
    fn place(lane: u32, index: u32, _: u32, [rows, columns]: [u32; 2]) -> (u32, u32) {
        // Few rows are computed as columns: see `super::large`.
        let transposed = rows == 8 && columns > 8;
        let rows = if transposed { columns } else { rows };
        // Eight columns after eight columns.
        let (group, index) = (index / (rows / 4), index % (rows / 4));
        let (row, column) = (lane / 4 + index / 2 * 8, group * 8 + lane % 4 * 2 + index % 2);
        if transposed { (column, row) } else { (row, column) }
    }
}

/// A type of matrix elements.
///
/// ```
/// use ptyx::device::mma::{B1, E4m3, Element, Tf32};
/// assert_eq!((Tf32::BITS, E4m3::BITS, B1::BITS), (32, 8, 1));
/// ```
#[diagnostic::on_unimplemented(
    message = "tensor cores have no elements of type `{Self}`",
    note = "the types are listed in the documentation of `ptyx::device::mma`; `half::f16` and `half::bf16` \
            need the feature `half`"
)]
pub trait Element: sealed::Element + Copy + 'static {
    /// An element as a value of Rust.
    type Value: Copy;
    /// What slices hold: one element, or as many as fit, the first in the lowest bits.
    type Unit: DeviceCopy;
    /// Bits of an element.
    const BITS: u32;
}

/// An element type with a matrix of this role and size. [`Fragment`](super::Fragment) needs it.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, Product, Shape, mma};
///
/// /// One step of a product of integers of 8 or 4 bits, or of floats of 8 bits: all have matrices of this size.
/// fn step<T, C>(
///     a: &[T::Unit],
///     b: &[T::Unit],
///     sums: Fragment<Accumulator, C, 16, 8>,
/// ) -> Fragment<Accumulator, C, 16, 8>
/// where
///     T: Shape<A, 16, 32> + Shape<B, 32, 8>,
///     C: Shape<Accumulator, 16, 8>,
///     Fragment<A, T, 16, 32>: Product<Fragment<B, T, 32, 8>, Fragment<Accumulator, C, 16, 8>>,
/// {
///     let a = Fragment::<A, T, 16, 32>::load(a, Layout::row_major(32));
///     let b = Fragment::<B, T, 32, 8>::load(b, Layout::column_major(32));
///     mma(a, b, sums)
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "tensor cores have no {ROWS}x{COLUMNS} matrix `{R}` of `{Self}`",
    note = "the sizes are listed in the documentation of `ptyx::device::mma`"
)]
pub trait Shape<R: Role, const ROWS: usize, const COLUMNS: usize>: Element {
    /// The registers of a lane.
    type Registers: sealed::Registers;
}

pub(super) mod sealed {
    pub trait Role {
        /// Whether it is that of sums.
        const IS_SUM: bool = false;

        /// Row and column of element `index` of a lane, in a matrix of so many rows and columns.
        fn place(lane: u32, index: u32, per_register: u32, size: [u32; 2]) -> (u32, u32);
    }

    pub trait Element: Sized {
        fn to_bits(value: <Self as super::Element>::Value) -> u64
        where
            Self: super::Element;
        fn from_bits(bits: u64) -> <Self as super::Element>::Value
        where
            Self: super::Element;
    }

    /// The registers of one lane.
    pub trait Registers: Copy {
        const COUNT: u32;
        /// Bits of one register.
        const BITS: u32;
        const ZERO: Self;
        fn get(&self, index: u32) -> u64;
        fn set(&mut self, index: u32, bits: u64);
    }
}

macro_rules! registers {
    ($($type:ty, $zero:literal, $to:expr, $from:expr;)*) => {$(
        impl<const N: usize> sealed::Registers for [$type; N] {
            const COUNT: u32 = N as u32;
            const BITS: u32 = <$type>::MAX.to_ne_bytes().len() as u32 * 8;
            const ZERO: Self = [$zero; N];

            #[inline(always)]
            fn get(&self, index: u32) -> u64 {
                $to(self[index as usize])
            }

            #[inline(always)]
            fn set(&mut self, index: u32, bits: u64) {
                self[index as usize] = $from(bits);
            }
        }
    )*};
}

registers! {
    u32, 0, u64::from, (|bits| bits as u32);
    i32, 0, (|value: i32| u64::from(value.cast_unsigned())), (|bits| bits as i32);
    f32, 0.0, (|value: f32| u64::from(value.to_bits())), (|bits| f32::from_bits(bits as u32));
    f64, 0.0, f64::to_bits, f64::from_bits;
}

/// A number of 19 bits with the range of `f32` and the precision of `f16`, stored as an `f32` whose lower 13 bits
/// the tensor cores ignore.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, Tf32, mma};
/// use ptyx::prelude::*;
///
/// /// `c = a * b`: 16x8 times 8x8 numbers. The factors are `f32`, cut off to `tf32`.
/// #[kernel]
/// fn product(a: &[f32], b: &[f32], c: SliceMut<f32>) {
///     let a = Fragment::<A, Tf32, 16, 8>::load(a, Layout::row_major(8));
///     let b = Fragment::<B, Tf32, 8, 8>::load(b, Layout::row_major(8));
///     let sums: Fragment<Accumulator, f32, 16, 8> = mma(a, b, Fragment::filled(0.0));
///     // SAFETY: the launch has one warp.
///     unsafe { sums.store(c, Layout::row_major(8)) };
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Tf32 {}

/// A floating-point number of 8 bits with 4 bits of exponent, as a `u8`. It has no infinities; the largest number
/// is 448.
///
/// ```
/// use ptyx::device::float8::F8E4M3;
/// use ptyx::device::mma::{A, E4m3, Fragment};
///
/// /// 16 rows of 32 weights, rounded to 8 bits.
/// fn rounded(weights: &[f32]) -> Fragment<A, E4m3, 16, 32> {
///     Fragment::from_fn(|row, k| F8E4M3::from_f32(weights[32 * row + k]).to_bits())
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum E4m3 {}

/// A floating-point number of 8 bits with 5 bits of exponent, as a `u8`.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, E4m3, E5m2, Fragment, mma};
///
/// /// Gradients, which need a large range, times weights, which need precision.
/// fn backward(
///     gradients: Fragment<A, E5m2, 16, 32>,
///     weights: Fragment<B, E4m3, 32, 8>,
/// ) -> Fragment<Accumulator, f32, 16, 8> {
///     mma(gradients, weights, Fragment::filled(0.0))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum E5m2 {}

/// A floating-point number of 6 bits with 3 bits of exponent, as a `u8`. Only finite numbers; the largest is 28.
///
/// ```
/// use ptyx::device::float8::F6E3M2;
/// use ptyx::device::mma::{A, E3m2, Fragment};
///
/// /// A matrix of one constant. Its 6 bits are the low bits of each byte.
/// fn constant(x: f32) -> Fragment<A, E3m2, 16, 32> {
///     Fragment::filled(F6E3M2::from_f32(x).to_bits())
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum E3m2 {}

/// A floating-point number of 6 bits with 2 bits of exponent, as a `u8`. Only finite numbers; the largest is 7.5.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, E2m3, E4m3, Fragment, Layout, mma};
///
/// /// Weights of 6 bits, one in each byte, times activations of 8 bits.
/// fn layer(weights: &[u8], x: Fragment<B, E4m3, 32, 8>) -> Fragment<Accumulator, f32, 16, 8> {
///     let weights = Fragment::<A, E2m3, 16, 32>::load(weights, Layout::row_major(32));
///     mma(weights, x, Fragment::filled(0.0))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum E2m3 {}

/// A floating-point number of 4 bits with 2 bits of exponent: 0, 0.5, 1, 1.5, 2, 3, 4 or 6, or one of these negative.
/// A `u8` holds two.
///
/// ```
/// use ptyx::device::float8::UE8M0;
/// use ptyx::device::mma::{A, E2m1, Fragment, Layout, Scaled};
///
/// /// 16 rows of 64 4-bit numbers: 32 bytes per row. Every 32 numbers share a scale.
/// fn rows(numbers: &[u8], scales: &[UE8M0]) -> Scaled<Fragment<A, E2m1, 16, 64>, UE8M0, 2> {
///     let numbers = Fragment::load(numbers, Layout::row_major(64));
///     Scaled::new(numbers, scales, Layout::row_major(2))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum E2m1 {}

/// The numbers of [`E2m1`], each in bits 2 to 5 of a `u8` of its own. Instructions that multiply them by floats of
/// other types take them in this form. [`F4E2M1::padded`](crate::float8::F4E2M1::padded) makes such a byte.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, E4m3, Fragment, Layout, PaddedE2m1, mma};
///
/// /// Weights of 4 bits, as `F4E2M1::padded` makes them, times activations of 8 bits.
/// fn layer(padded: &[u8], x: Fragment<B, E4m3, 32, 8>) -> Fragment<Accumulator, f32, 16, 8> {
///     let weights = Fragment::<A, PaddedE2m1, 16, 32>::load(padded, Layout::row_major(32));
///     mma(weights, x, Fragment::filled(0.0))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum PaddedE2m1 {}

/// An integer from -8 to 7. A `u8` holds two.
///
/// ```
/// use ptyx::device::mma::{B, Fragment, S4};
///
/// /// Three levels of quantisation: -1, 0 and 1.
/// fn signs(weights: &[f32]) -> Fragment<B, S4, 64, 8> {
///     Fragment::from_fn(|k, column| {
///         let weight = weights[64 * column + k];
///         (weight > 0.5) as i8 - (weight < -0.5) as i8
///     })
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum S4 {}

/// An integer from 0 to 15. A `u8` holds two.
///
/// ```
/// use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, S4, U4, mma};
///
/// /// Activations from 0 to 15, two in each byte, times signed weights.
/// fn layer(x: &[u8], weights: Fragment<B, S4, 64, 8>) -> Fragment<Accumulator, i32, 16, 8> {
///     let x = Fragment::<A, U4, 16, 64>::load(x, Layout::row_major(64));
///     mma(x, weights, Fragment::filled(0))
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum U4 {}

/// A bit. A `u32` holds 32.
///
/// ```
/// use ptyx::device::mma::{A, B1, Fragment};
///
/// /// The signs of 16 rows of 128 numbers: a bit is set for a negative one.
/// fn signs(x: &[f32]) -> Fragment<A, B1, 16, 128> {
///     Fragment::from_fn(|row, k| x[128 * row + k] < 0.0)
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub enum B1 {}

macro_rules! elements {
    ($(
        $(#[$attribute:meta])?
        $type:ty: $value:ty, in $unit:ty, $bits:literal bits, $to:expr, $from:expr;
    )*) => {$(
        $(#[$attribute])?
        impl Element for $type {
            type Value = $value;
            type Unit = $unit;
            const BITS: u32 = $bits;
        }

        $(#[$attribute])?
        impl sealed::Element for $type {
            #[inline(always)]
            fn to_bits(value: $value) -> u64 {
                $to(value)
            }

            #[inline(always)]
            fn from_bits(bits: u64) -> $value {
                $from(bits)
            }
        }
    )*};
}

elements! {
    #[cfg(feature = "half")]
    half::f16: Self, in Self, 16 bits, (|x: half::f16| x.to_bits().into()), (|b| half::f16::from_bits(b as u16));
    #[cfg(feature = "half")]
    half::bf16: Self, in Self, 16 bits, (|x: half::bf16| x.to_bits().into()), (|b| half::bf16::from_bits(b as u16));
    f32: f32, in f32, 32 bits, (|x: f32| x.to_bits().into()), (|b| f32::from_bits(b as u32));
    f64: f64, in f64, 64 bits, f64::to_bits, f64::from_bits;
    i32: i32, in i32, 32 bits, (|x: i32| x.cast_unsigned().into()), (|b| b as i32);
    i8: i8, in i8, 8 bits, (|x: i8| x.cast_unsigned().into()), (|b| b as i8);
    u8: u8, in u8, 8 bits, u64::from, (|b| b as u8);
    Tf32: f32, in f32, 32 bits, (|x: f32| x.to_bits().into()), (|b| f32::from_bits(b as u32));
    E4m3: u8, in u8, 8 bits, u64::from, (|b| b as u8);
    E5m2: u8, in u8, 8 bits, u64::from, (|b| b as u8);
    E3m2: u8, in u8, 8 bits, (|x: u8| (x & 63).into()), (|b| b as u8 & 63);
    E2m3: u8, in u8, 8 bits, (|x: u8| (x & 63).into()), (|b| b as u8 & 63);
    E2m1: u8, in u8, 4 bits, (|x: u8| (x & 15).into()), (|b| b as u8 & 15);
    PaddedE2m1: u8, in u8, 8 bits, (|x: u8| u64::from(x & 15) << 2), (|b| (b >> 2) as u8 & 15);
    S4: i8, in u8, 4 bits, (|x: i8| (x.cast_unsigned() & 15).into()), (|b| (b << 4) as i8 >> 4);
    U4: u8, in u8, 4 bits, (|x: u8| (x & 15).into()), (|b| b as u8 & 15);
    B1: bool, in u32, 1 bits, u64::from, (|b| b & 1 == 1);
}

/// Which matrices there are: of A, of B and of sums, each with the registers of a lane.
macro_rules! shapes {
    ($(
        $type:ty: $($role:ident $rows:literal x $columns:literal [$register:ty; $count:literal]),*;
    )*) => {$($(
        impl Shape<$role, $rows, $columns> for $type {
            type Registers = [$register; $count];
        }
    )*)*};
}

#[cfg(feature = "half")]
shapes! {
    half::f16: A 16 x 8 [u32; 2], A 16 x 16 [u32; 4], B 8 x 8 [u32; 1], B 16 x 8 [u32; 2],
        B 32 x 8 [u32; 4], Accumulator 16 x 8 [u32; 2];
    half::bf16: A 16 x 8 [u32; 2], A 16 x 16 [u32; 4], B 8 x 8 [u32; 1], B 16 x 8 [u32; 2], B 32 x 8 [u32; 4];
}

shapes! {
    Tf32: A 16 x 4 [u32; 2], A 16 x 8 [u32; 4], B 4 x 8 [u32; 1], B 8 x 8 [u32; 2], B 16 x 8 [u32; 4];
    E4m3: A 16 x 16 [u32; 2], A 16 x 32 [u32; 4], B 16 x 8 [u32; 1], B 32 x 8 [u32; 2], B 64 x 8 [u32; 4];
    E5m2: A 16 x 16 [u32; 2], A 16 x 32 [u32; 4], B 16 x 8 [u32; 1], B 32 x 8 [u32; 2], B 64 x 8 [u32; 4];
    E3m2: A 16 x 32 [u32; 4], B 32 x 8 [u32; 2], B 64 x 8 [u32; 4];
    E2m3: A 16 x 32 [u32; 4], B 32 x 8 [u32; 2], B 64 x 8 [u32; 4];
    E2m1: A 16 x 64 [u32; 4], B 64 x 8 [u32; 2], B 128 x 8 [u32; 4];
    PaddedE2m1: A 16 x 32 [u32; 4], B 32 x 8 [u32; 2], B 64 x 8 [u32; 4];
    f64: A 8 x 4 [f64; 1], A 16 x 4 [f64; 2], A 16 x 8 [f64; 4], A 16 x 16 [f64; 8],
        B 4 x 8 [f64; 1], B 8 x 8 [f64; 2], B 16 x 8 [f64; 4],
        Accumulator 8 x 8 [f64; 2], Accumulator 16 x 8 [f64; 4];
    i8: A 8 x 16 [u32; 1], A 16 x 16 [u32; 2], A 16 x 32 [u32; 4], B 16 x 8 [u32; 1], B 32 x 8 [u32; 2],
        B 64 x 8 [u32; 4];
    u8: A 8 x 16 [u32; 1], A 16 x 16 [u32; 2], A 16 x 32 [u32; 4], B 16 x 8 [u32; 1], B 32 x 8 [u32; 2],
        B 64 x 8 [u32; 4];
    S4: A 8 x 32 [u32; 1], A 16 x 32 [u32; 2], A 16 x 64 [u32; 4], B 32 x 8 [u32; 1], B 64 x 8 [u32; 2],
        B 128 x 8 [u32; 4];
    U4: A 8 x 32 [u32; 1], A 16 x 32 [u32; 2], A 16 x 64 [u32; 4], B 32 x 8 [u32; 1], B 64 x 8 [u32; 2],
        B 128 x 8 [u32; 4];
    B1: A 8 x 128 [u32; 1], A 16 x 128 [u32; 2], A 16 x 256 [u32; 4], B 128 x 8 [u32; 1], B 256 x 8 [u32; 2];
    f32: Accumulator 16 x 8 [f32; 4];
    i32: Accumulator 8 x 8 [i32; 2], Accumulator 16 x 8 [i32; 4];
}

// Matrices of several instructions: see `super::large`.
#[cfg(feature = "half")]
shapes! {
    half::f16: A 8 x 16 [u32; 2], A 32 x 16 [u32; 8], B 16 x 16 [u32; 4], B 16 x 32 [u32; 8],
        Accumulator 16 x 16 [u32; 4], Accumulator 32 x 8 [u32; 4], Accumulator 8 x 32 [u32; 4];
    half::bf16: A 8 x 16 [u32; 2], A 32 x 16 [u32; 8], B 16 x 16 [u32; 4], B 16 x 32 [u32; 8];
}

shapes! {
    i8: A 32 x 16 [u32; 4], B 16 x 16 [u32; 2], B 16 x 32 [u32; 4];
    u8: A 32 x 16 [u32; 4], B 16 x 16 [u32; 2], B 16 x 32 [u32; 4];
    Tf32: B 8 x 16 [u32; 4];
    f32: Accumulator 16 x 16 [f32; 8], Accumulator 32 x 8 [f32; 8], Accumulator 8 x 32 [f32; 8];
    i32: Accumulator 16 x 16 [i32; 8], Accumulator 32 x 8 [i32; 8], Accumulator 8 x 32 [i32; 8];
}

#[cfg(test)]
mod tests {
    use super::sealed::{Registers as _, Role as _};
    use super::*;
    use std::collections::HashSet;
    use std::vec::Vec;

    /// Each element of a matrix is in one place, and there are as many places as elements.
    fn covers<R: Role, T: Shape<R, ROWS, COLUMNS>, const ROWS: usize, const COLUMNS: usize>() {
        let per_register = T::Registers::BITS / T::BITS;
        let count = T::Registers::COUNT * per_register;
        let mut seen = HashSet::new();
        for lane in 0..32 {
            for index in 0..count {
                let size = [ROWS as u32, COLUMNS as u32];
                let (row, column) = R::place(lane, index, per_register, size);
                assert!((row as usize) < ROWS && (column as usize) < COLUMNS);
                assert!(seen.insert((row, column)), "{ROWS}x{COLUMNS}: {row}, {column}");
            }
        }
        assert_eq!(seen.len(), ROWS * COLUMNS);
    }

    #[test]
    fn fragments_cover_their_matrices() {
        covers::<A, Tf32, 16, 4>();
        covers::<A, Tf32, 16, 8>();
        covers::<B, Tf32, 8, 8>();
        covers::<A, f64, 8, 4>();
        covers::<A, f64, 16, 16>();
        covers::<B, f64, 16, 8>();
        covers::<A, i8, 8, 16>();
        covers::<A, i8, 16, 32>();
        covers::<B, i8, 32, 8>();
        covers::<A, S4, 16, 64>();
        covers::<B, S4, 64, 8>();
        covers::<A, E2m1, 16, 64>();
        covers::<B, E2m3, 32, 8>();
        covers::<A, B1, 16, 256>();
        covers::<B, B1, 256, 8>();
        covers::<Accumulator, f32, 16, 8>();
        covers::<Accumulator, f64, 8, 8>();
        covers::<Accumulator, f32, 16, 16>();
        covers::<Accumulator, i32, 32, 8>();
        covers::<Accumulator, i32, 8, 32>();
        covers::<A, i8, 32, 16>();
        covers::<B, i8, 16, 32>();
        covers::<B, Tf32, 8, 16>();
        #[cfg(feature = "half")]
        {
            covers::<A, half::f16, 16, 8>();
            covers::<A, half::f16, 16, 16>();
            covers::<B, half::f16, 16, 8>();
            covers::<Accumulator, half::f16, 16, 8>();
            covers::<A, half::f16, 32, 16>();
            covers::<A, half::bf16, 8, 16>();
            covers::<B, half::f16, 16, 16>();
            covers::<Accumulator, half::f16, 16, 16>();
            covers::<Accumulator, half::f16, 8, 32>();
        }
    }

    /// Rows and columns from the manual's tables, for lane 6.
    #[test]
    fn places_of_the_manual() {
        let places = |of: fn(u32, u32, u32, [u32; 2]) -> (u32, u32), indices: &[u32], per, size| {
            indices.iter().map(|&index| of(6, index, per, size)).collect::<Vec<_>>()
        };
        let half = places(A::place, &[0, 1, 2, 4, 6, 7], 2, [16, 16]);
        assert_eq!(half, [(1, 4), (1, 5), (9, 4), (1, 12), (9, 12), (9, 13)]);
        assert_eq!(places(B::place, &[0, 1, 2, 3], 2, [16, 8]), [(4, 1), (5, 1), (12, 1), (13, 1)]);
        assert_eq!(
            places(A::place, &[0, 7, 8, 16, 31], 8, [16, 64]),
            [(1, 16), (1, 23), (9, 16), (1, 48), (9, 55)]
        );
        assert_eq!(
            places(Accumulator::place, &[0, 1, 2, 3], 1, [16, 8]),
            [(1, 4), (1, 5), (9, 4), (9, 5)]
        );
    }

    #[test]
    fn values_survive_as_bits() {
        use sealed::Element as _;
        for value in -8..8 {
            assert_eq!(S4::from_bits(S4::to_bits(value)), value);
        }
        assert_eq!(S4::to_bits(-1), 15);
        assert_eq!((U4::from_bits(0xfe), i32::from_bits(i32::to_bits(-5))), (14, -5));
        assert!(B1::from_bits(B1::to_bits(true)) && !B1::from_bits(2));
    }
}
