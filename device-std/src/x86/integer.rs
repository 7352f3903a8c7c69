//! Vectors of integers: narrowing, products, differences, shifts, bytes chosen by a vector.

use core::array::from_fn;
use core::ops::{BitAnd, Not};

/// Half `which` of `a`.
#[inline(always)]
pub(super) fn half<T: Copy, const N: usize, const H: usize>(a: [T; N], which: usize) -> [T; H] {
    from_fn(|i| a[which * H + i])
}

/// Two halves as one.
#[inline(always)]
pub(super) fn join<T: Copy, const N: usize, const H: usize>(low: [T; H], high: [T; H]) -> [T; N] {
    from_fn(|i| if i < H { low[i] } else { high[i - H] })
}

/// Bytes of `a` by the low four bits of `by`; zero where its top bit is set.
#[inline(always)]
pub(super) fn shuffle_bytes(a: [u8; 16], by: [u8; 16]) -> [u8; 16] {
    by.map(|i| if i & 0x80 != 0 { 0 } else { a[(i & 15) as usize] })
}

macro_rules! saturate {
    ($($name:ident $type:ident),*) => {$(
        /// The nearest value of the type.
        #[inline(always)]
        pub(super) fn $name<T: Into<i32>>(x: T) -> $type {
            x.into().clamp($type::MIN as i32, $type::MAX as i32) as $type
        }
    )*};
}

saturate! { saturate_i8 i8, saturate_u8 u8, saturate_i16 i16, saturate_u16 u16 }

/// The lanes of `a`, then those of `b`, narrowed.
#[inline(always)]
pub(super) fn pack<T: Copy, R, const N: usize, const M: usize>(
    a: [T; N],
    b: [T; N],
    narrow: fn(T) -> R,
) -> [R; M] {
    from_fn(|i| narrow(if i < N { a[i] } else { b[i - N] }))
}

/// [`pack`] for each 128 bits by themselves.
#[inline(always)]
pub(super) fn pack_halves<T: Copy, R, const N: usize, const M: usize>(
    a: [T; N],
    b: [T; N],
    narrow: fn(T) -> R,
) -> [R; M] {
    let half = N / 2;
    from_fn(|i| {
        let (base, lane) = (i / N * half, i % N);
        narrow(if lane < half { a[base + lane] } else { b[base + lane - half] })
    })
}

/// Sums of two neighbouring products.
#[inline(always)]
pub(super) fn multiply_add<const N: usize, const M: usize>(a: [i16; N], b: [i16; N]) -> [i32; M] {
    let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
    from_fn(|i| product(2 * i).wrapping_add(product(2 * i + 1)))
}

/// Sums of two neighbouring products of an unsigned and a signed byte, saturated.
#[inline(always)]
pub(super) fn multiply_add_bytes<const N: usize, const M: usize>(
    a: [u8; N],
    b: [i8; N],
) -> [i16; M] {
    let product = |i: usize| i32::from(a[i]) * i32::from(b[i]);
    from_fn(|i| saturate_i16(product(2 * i) + product(2 * i + 1)))
}

/// High halves of products, rounded.
#[inline(always)]
pub(super) fn multiply_round<const N: usize>(a: [i16; N], b: [i16; N]) -> [i16; N] {
    from_fn(|i| (((i32::from(a[i]) * i32::from(b[i]) >> 14) + 1) >> 1) as i16)
}

/// Sums of the differences of eight bytes each.
#[inline(always)]
pub(super) fn sum_of_differences<const N: usize, const M: usize>(
    a: [u8; N],
    b: [u8; N],
) -> [i64; M] {
    from_fn(|i| (0..8).map(|j| i64::from(a[8 * i + j].abs_diff(b[8 * i + j]))).sum())
}

/// Sums of the differences of four bytes of `b` from four of `a`, at eight offsets.
#[inline(always)]
pub(super) fn sliding_differences(a: [u8; 16], b: [u8; 16], how: usize) -> [u16; 8] {
    let (from_a, from_b) = ((how >> 2 & 1) * 4, (how & 3) * 4);
    let difference = |i: usize, j: usize| a[from_a + i + j].abs_diff(b[from_b + j]);
    from_fn(|i| (0..4).map(|j| u16::from(difference(i, j))).sum())
}

/// The smallest lane, then its index.
#[inline(always)]
pub(super) fn smallest(a: [u16; 8]) -> [u16; 8] {
    let mut at = 0;
    for i in 1..8 {
        if a[i] < a[at] {
            at = i;
        }
    }
    [a[at], at as u16, 0, 0, 0, 0, 0, 0]
}

/// An integer of a vector's lane.
pub(super) trait Lane:
    Copy + PartialEq + PartialOrd + Default + BitAnd<Output = Self> + Not<Output = Self>
{
    /// Bits.
    const BITS: u32;
    /// The negative value; the smallest stays.
    fn negate(self) -> Self;
    /// Shifted by less than [`Lane::BITS`].
    fn shifted(self, by: u32, how: Shift) -> Self;
}

/// Directions of a shift.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shift {
    /// Zeros come from the right.
    Left,
    /// Zeros come from the left.
    Right,
    /// Signs come from the left.
    Arithmetic,
}

macro_rules! lanes {
    ($($signed:ident $unsigned:ident)*) => {$(
        impl Lane for $signed {
            const BITS: u32 = $signed::BITS;

            #[inline(always)]
            fn negate(self) -> Self {
                self.wrapping_neg()
            }

            #[inline(always)]
            fn shifted(self, by: u32, how: Shift) -> Self {
                match how {
                    Shift::Left => self.wrapping_shl(by),
                    Shift::Right => (self as $unsigned).wrapping_shr(by) as $signed,
                    Shift::Arithmetic => self.wrapping_shr(by),
                }
            }
        }
    )*};
}

lanes! { i8 u8 i16 u16 i32 u32 i64 u64 }

/// `a` with the signs of `b`; zero where `b` is.
#[inline(always)]
pub(super) fn sign<T: Lane, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    let zero = T::default();
    from_fn(|i| match b[i] {
        sign if sign < zero => a[i].negate(),
        sign if sign == zero => zero,
        _ => a[i],
    })
}

/// All lanes shifted. A count beyond the lane leaves nothing but signs.
#[inline(always)]
pub(super) fn shift<T: Lane, const N: usize>(a: [T; N], by: u64, how: Shift) -> [T; N] {
    let last = u64::from(T::BITS - 1);
    a.map(|x| match by > last {
        false => x.shifted(by as u32, how),
        true if how == Shift::Arithmetic => x.shifted(last as u32, how),
        true => T::default(),
    })
}

/// The low 64 bits.
#[inline(always)]
pub(super) fn count_w(by: [i16; 8]) -> u64 {
    (0..4).fold(0, |count, i| count | u64::from(by[i] as u16) << (16 * i))
}

/// The low 64 bits.
#[inline(always)]
pub(super) fn count_d(by: [i32; 4]) -> u64 {
    u64::from(by[0] as u32) | u64::from(by[1] as u32) << 32
}

/// Whether `a & b` is zero in the bits of `mask`.
#[inline(always)]
pub(super) fn test_zero<T: Lane, const N: usize>(a: [T; N], b: [T; N], mask: T) -> i32 {
    (0..N).all(|i| a[i] & b[i] & mask == T::default()).into()
}

/// Whether `!a & b` is zero in the bits of `mask`.
#[inline(always)]
pub(super) fn test_covered<T: Lane, const N: usize>(a: [T; N], b: [T; N], mask: T) -> i32 {
    (0..N).all(|i| !a[i] & b[i] & mask == T::default()).into()
}

/// Whether neither [`test_zero`] nor [`test_covered`].
#[inline(always)]
pub(super) fn test_mixed<T: Lane, const N: usize>(a: [T; N], b: [T; N], mask: T) -> i32 {
    (test_zero(a, b, mask) == 0 && test_covered(a, b, mask) == 0).into()
}
