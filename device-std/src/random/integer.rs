//! Integers in a range, without bias: D. Lemire, "Fast random integer generation in an interval", 2019.

use super::source::Random;
use core::ops::Range;

/// An integer that [`Random::range`] makes: of 8 to 64 bits, signed or not.
///
/// ```
/// use core::ops::Range;
/// use ptyx::device::random::{Random, RandomInteger};
///
/// fn pair<T: RandomInteger>(rng: &mut impl Random, range: Range<T>) -> [T; 2] {
///     [rng.range(range.clone()), rng.range(range)]
/// }
/// ```
pub trait RandomInteger: Copy + PartialOrd {
    /// [`Random::range`] of a range that is not empty.
    #[doc(hidden)]
    fn in_range(rng: &mut (impl Random + ?Sized), range: Range<Self>) -> Self;
}

macro_rules! integers {
    ($($type:ident as $bits:ident: $below:ident;)*) => {$(
        impl RandomInteger for $type {
            #[inline]
            fn in_range(rng: &mut (impl Random + ?Sized), range: Range<$type>) -> $type {
                // The width of a signed range can be too large for its type, but not for the unsigned one.
                let width = range.end.wrapping_sub(range.start) as $bits;
                range.start.wrapping_add($below(rng, width.into()) as $type)
            }
        }
    )*};
}

integers! {
    u8 as u8: below_u32;
    u16 as u16: below_u32;
    u32 as u32: below_u32;
    u64 as u64: below_u64;
    i8 as u8: below_u32;
    i16 as u16: below_u32;
    i32 as u32: below_u32;
    i64 as u64: below_u64;
}

impl RandomInteger for usize {
    #[inline]
    fn in_range(rng: &mut (impl Random + ?Sized), range: Range<usize>) -> usize {
        u64::in_range(rng, range.start as u64..range.end as u64) as usize
    }
}

impl RandomInteger for isize {
    #[inline]
    fn in_range(rng: &mut (impl Random + ?Sized), range: Range<isize>) -> isize {
        i64::in_range(rng, range.start as i64..range.end as i64) as isize
    }
}

macro_rules! below {
    ($name:ident: $word:ident in $wide:ident from $next:ident) => {
        /// Below `n`, which is not 0. The high half of a product is the result. Its low half tells the few words
        /// that would make some results more frequent than others; one of them is drawn again.
        #[inline]
        pub(super) fn $name(rng: &mut (impl Random + ?Sized), n: $word) -> $word {
            let draw = |rng: &mut _| $wide::from(Random::$next(rng)).wrapping_mul(n.into());
            let mut product = draw(rng);
            if (product as $word) < n {
                // 2^bits modulo n. The division is rarely needed.
                let refused = n.wrapping_neg() % n;
                while (product as $word) < refused {
                    product = draw(rng);
                }
            }
            (product >> $word::BITS) as $word
        }
    };
}

below! { below_u32: u32 in u64 from next_u32 }
below! { below_u64: u64 in u128 from next_u64 }
