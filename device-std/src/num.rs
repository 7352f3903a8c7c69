//! Numbers, for kernels that are generic over them.

use crate::DeviceCopy;
use core::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Rem, RemAssign, Sub, SubAssign};

/// A primitive number: any integer or float. With the feature `half`, also its `f16` and `bf16`.
///
/// ```
/// use ptyx_device::Num;
/// fn dot<T: Num>(a: &[T], b: &[T]) -> T {
///     a.iter().zip(b).fold(T::ZERO, |sum, (&a, &b)| sum + a * b)
/// }
/// assert_eq!(dot(&[1.0, 2.0], &[3.0, 4.0]), 11.0);
/// assert_eq!(dot(&[1u8, 2], &[3, 4]), 11);
/// ```
pub trait Num:
    DeviceCopy
    + Send
    + Sync
    + PartialOrd
    + Default
    + core::fmt::Debug
    + core::fmt::Display
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Rem<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
    + DivAssign
    + RemAssign
    + Send
    + Sync
{
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// The least finite value.
    const MIN: Self;
    /// The greatest finite value.
    const MAX: Self;

    /// As `value as Self`: wraps in narrower integers.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// assert_eq!(f32::from_i32(-3), -3.0);
    /// assert_eq!(u8::from_i32(-3), 253);
    /// ```
    fn from_i32(value: i32) -> Self;
    /// As `value as Self`: saturates in integers, rounds in `f32`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// assert_eq!(i32::from_f64(2.9), 2);
    /// assert_eq!(u8::from_f64(300.0), 255);
    /// ```
    fn from_f64(value: f64) -> Self;
    /// As `value as Self`: wraps in narrower integers, rounds in floats.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// fn mean<T: Num>(numbers: &[T]) -> T {
    ///     numbers.iter().fold(T::ZERO, |sum, &x| sum + x) / T::from_usize(numbers.len())
    /// }
    /// assert_eq!(mean(&[1.0f32, 2.0]), 1.5);
    /// ```
    fn from_usize(value: usize) -> Self;
    /// As `self as f64`: rounds integers of more than 53 bits.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// assert_eq!(7u8.to_f64(), 7.0);
    /// ```
    fn to_f64(self) -> f64;
    /// The lesser of both; of a number and NaN, the number. (Not `min`: with this trait in scope,
    /// that of integers would be ambiguous.)
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// assert_eq!(3.lesser(2), 2);
    /// assert_eq!(f32::NAN.lesser(2.0), 2.0);
    /// ```
    fn lesser(self, other: Self) -> Self;
    /// The greater of both; of a number and NaN, the number.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// assert_eq!(3.greater(2), 3);
    /// assert_eq!(f32::NAN.greater(2.0), 2.0);
    /// ```
    fn greater(self, other: Self) -> Self;
}

macro_rules! num {
    ($min:path, $max:path, $zero:literal, $one:literal: $($type:ident)*) => {$(
        impl Num for $type {
            const ZERO: Self = $zero;
            const ONE: Self = $one;
            const MIN: Self = $type::MIN;
            const MAX: Self = $type::MAX;

            #[inline(always)]
            fn from_i32(value: i32) -> Self {
                value as Self
            }

            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }

            #[inline(always)]
            fn from_usize(value: usize) -> Self {
                value as Self
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn lesser(self, other: Self) -> Self {
                $min(self, other)
            }

            #[inline(always)]
            fn greater(self, other: Self) -> Self {
                $max(self, other)
            }
        }
    )*};
}

num! { Ord::min, Ord::max, 0, 1: u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }
num! { f32::min, f32::max, 0.0, 1.0: f32 }
num! { f64::min, f64::max, 0.0, 1.0: f64 }

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Num>() {
        let two = T::ONE + T::ONE;
        assert!(two == T::from_i32(2) && two == T::from_f64(2.0) && two == T::from_usize(2));
        assert_eq!(two.to_f64(), 2.0);
        assert!(Num::lesser(T::ZERO, T::ONE) == T::ZERO && Num::greater(T::ZERO, T::ONE) == T::ONE);
        assert!(T::MIN <= T::ZERO && T::MAX > T::ONE);
    }

    #[test]
    fn every_number() {
        check::<u8>();
        check::<u128>();
        check::<i8>();
        check::<i128>();
        check::<usize>();
        check::<f32>();
        check::<f64>();
        assert_eq!(Num::greater(f32::NAN, 1.0), 1.0);
        assert_eq!(<u8 as Num>::from_f64(300.0), 255);
    }
}
