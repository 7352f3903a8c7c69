//! Floats: minimum, approximations, comparisons, conversions, rounding, scalar products.

use core::arch::x86_64::{_mm_cvtss_f32, _mm_set_ss, _mm_sqrt_ss};
use core::array::from_fn;

/// What `f32` and `f64` share.
pub(super) trait Float: Copy + PartialOrd {
    /// All bits, or none.
    fn mask(all: bool) -> Self;
    /// The nearest integer, the even one of two.
    fn rint(self) -> Self;
    /// The nearest integer not above.
    fn floor(self) -> Self;
    /// The nearest integer not below.
    fn ceil(self) -> Self;
    /// `self as i32`, but what does not fit, and NaN, is the smallest.
    fn to_i32(self) -> i32;
    /// `self as i64`, but what does not fit, and NaN, is the smallest.
    fn to_i64(self) -> i64;
}

macro_rules! float {
    ($float:ident, $bits:ident, $digits:literal) => {
        impl Float for $float {
            #[inline(always)]
            fn mask(all: bool) -> Self {
                $float::from_bits(if all { $bits::MAX } else { 0 })
            }

            #[inline(always)]
            fn rint(self) -> Self {
                // From here on, every value is an integer: adding and subtracting it rounds.
                const WHOLE: $float = (1u64 << $digits) as $float;
                let whole = WHOLE.copysign(self);
                if self.abs() < WHOLE { ((self + whole) - whole).copysign(self) } else { self }
            }

            #[inline(always)]
            fn floor(self) -> Self {
                let near = self.rint();
                (if near > self { near - 1.0 } else { near }).copysign(self)
            }

            #[inline(always)]
            fn ceil(self) -> Self {
                let near = self.rint();
                (if near < self { near + 1.0 } else { near }).copysign(self)
            }

            #[inline(always)]
            fn to_i32(self) -> i32 {
                let fits = self > -2147483649.0 && self < 2147483648.0;
                if fits || self == -2147483648.0 { self as i32 } else { i32::MIN }
            }

            #[inline(always)]
            fn to_i64(self) -> i64 {
                const END: $float = (1u64 << 63) as $float;
                if self >= -END && self < END { self as i64 } else { i64::MIN }
            }
        }
    };
}

float!(f32, u32, 23);
float!(f64, u64, 52);

/// See [`Float::to_i32`].
#[inline(always)]
pub(super) fn to_i32<T: Float>(x: T) -> i32 {
    x.to_i32()
}

/// See [`Float::to_i64`].
#[inline(always)]
pub(super) fn to_i64<T: Float>(x: T) -> i64 {
    x.to_i64()
}

/// `a` with the first lane of `b`.
#[inline(always)]
pub(super) fn first<T: Copy, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    from_fn(|i| if i == 0 { b[0] } else { a[i] })
}

/// The smaller ones.
#[inline(always)]
pub(super) fn min<T: Float, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] })
}

/// The larger ones.
#[inline(always)]
pub(super) fn max<T: Float, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    from_fn(|i| if a[i] > b[i] { a[i] } else { b[i] })
}

/// `1 / a`
#[inline(always)]
pub(super) fn reciprocal<const N: usize>(a: [f32; N]) -> [f32; N] {
    a.map(|x| 1.0 / x)
}

/// `1 / sqrt(a)`
#[inline(always)]
pub(super) fn reciprocal_root<const N: usize>(a: [f32; N]) -> [f32; N] {
    a.map(|x| {
        // SAFETY: part of SSE, which LLVM has as an operation of its own.
        let root = unsafe { _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))) };
        1.0 / root
    })
}

/// Masks of a comparison. Bits 0 to 2 of `how` are the predicate; of bits 3 and 4 the first gives
/// the answer for NaN a twist, the second only says which NaN signals (manual, "CMPPS").
#[inline(always)]
pub(super) fn compare<T: Float, const N: usize>(a: [T; N], b: [T; N], how: i8) -> [T; N] {
    from_fn(|i| {
        let (a, b) = (a[i], b[i]);
        let unordered = a.partial_cmp(&b).is_none();
        T::mask(match how & 15 {
            0 => a == b,
            1 => a < b,
            2 => a <= b,
            3 => unordered,
            4 => a != b,
            5 => unordered || a >= b,
            6 => unordered || a > b,
            7 => !unordered,
            8 => unordered || a == b,
            9 => unordered || a < b,
            10 => unordered || a <= b,
            11 => false,
            12 => !unordered && a != b,
            13 => a >= b,
            14 => a > b,
            _ => true,
        })
    })
}

/// Rounds in the direction of the low three bits of `how`; the current one is to nearest.
#[inline(always)]
pub(super) fn round<T: Float>(x: T, how: i32) -> T {
    match how & 7 {
        1 => x.floor(),
        2 => x.ceil(),
        // Towards zero: what lies between the two.
        3 => {
            let (floor, ceil) = (x.floor(), x.ceil());
            let zero = T::mask(false);
            if x < zero { ceil } else { floor }
        }
        _ => x.rint(),
    }
}

/// The scalar product of the lanes of the high mask bits, in the lanes of the low ones.
#[inline(always)]
pub(super) fn dot(a: [f32; 4], b: [f32; 4], mask: i8) -> [f32; 4] {
    let products: [f32; 4] = from_fn(|i| if mask >> (4 + i) & 1 != 0 { a[i] * b[i] } else { 0.0 });
    let sum = (products[0] + products[1]) + (products[2] + products[3]);
    from_fn(|i| if mask >> i & 1 != 0 { sum } else { 0.0 })
}

/// The same for two lanes.
#[inline(always)]
pub(super) fn dot_f64(a: [f64; 2], b: [f64; 2], mask: i8) -> [f64; 2] {
    let products: [f64; 2] = from_fn(|i| if mask >> (4 + i) & 1 != 0 { a[i] * b[i] } else { 0.0 });
    let sum = products[0] + products[1];
    from_fn(|i| if mask >> i & 1 != 0 { sum } else { 0.0 })
}

/// `a` with one lane of `b`, some lanes zero.
#[inline(always)]
pub(super) fn insert(a: [f32; 4], b: [f32; 4], how: i8) -> [f32; 4] {
    let (from, to) = ((how as u8 >> 6) as usize, (how as u8 >> 4 & 3) as usize);
    from_fn(|i| match (how >> i & 1 != 0, i == to) {
        (true, _) => 0.0,
        (false, true) => b[from],
        (false, false) => a[i],
    })
}

/// The lanes' bits.
#[inline(always)]
pub(super) fn bits<const N: usize>(a: [f32; N]) -> [i32; N] {
    a.map(|x| x.to_bits() as i32)
}

/// The lanes' bits.
#[inline(always)]
pub(super) fn bits_f64<const N: usize>(a: [f64; N]) -> [i64; N] {
    a.map(|x| x.to_bits() as i64)
}
