//! Functions of pairs that are computed in `f32`, number by number, and rounded together.

use super::pair::{Bf16x2, F16x2};
#[cfg(ptyx_device)]
use crate::intrinsics;
use crate::math::{fast, float::Float};

/// Rows: what the function is, its name in CUDA C, an example, and what it does to one number.
macro_rules! functions {
    ($($pair:ident)*) => {$(functions! { @rows $pair
        "The square roots, rounded to the nearest." ("h2sqrt": "4.0, 0.25" => "2.0, 0.5")
            sqrt = Float::sqrt;
        "The reciprocal square roots, off by 1 in the last place at most." ("h2rsqrt": "4.0, 0.25" => "0.5, 2.0")
            rsqrt_approx = fast::rsqrt;
        "The reciprocals, off by 1 in the last place at most." ("h2rcp": "4.0, -0.5" => "0.25, -2.0")
            recip_approx = fast::recip;
        "Rounded down to whole numbers." ("h2floor": "1.5, -1.5" => "1.0, -2.0")
            floor = floor;
        "Rounded up to whole numbers." ("h2ceil": "1.5, -1.5" => "2.0, -1.0")
            ceil = ceil;
        "Rounded towards zero to whole numbers." ("h2trunc": "1.5, -1.5" => "1.0, -1.0")
            trunc = trunc;
        "The nearest whole numbers, ties to even." ("h2rint": "1.5, -2.5" => "2.0, -2.0")
            round_ties_even = Float::rint;
        "e to the power of each, off by 1 in the last place at most." ("h2exp": "0.0, f32::NEG_INFINITY" => "1.0, 0.0")
            exp_approx = fast::exp;
        "10 to the power of each, off by 1 in the last place at most." ("h2exp10": "0.0, f32::NEG_INFINITY" => "1.0, 0.0")
            exp10_approx = fast::exp10;
        "The natural logarithms, off by 2 in the last place at most." ("h2log": "1.0, 0.0" => "0.0, f32::NEG_INFINITY")
            ln_approx = fast::ln;
        "The binary logarithms, off by 2 in the last place at most." ("h2log2": "8.0, 0.5" => "3.0, -1.0")
            log2_approx = fast::log2;
        "The decimal logarithms, off by 2 in the last place at most." ("h2log10": "1.0, 0.0" => "0.0, f32::NEG_INFINITY")
            log10_approx = fast::log10;
    })*};
    (@rows $pair:ident $($what:literal ($cuda:literal: $from:literal => $to:literal) $name:ident = $of_one:path;)*) => {
        impl $pair {$(
            #[doc = $what]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::float16::", stringify!($pair), ";")]
            #[doc = concat!("let pair = ", stringify!($pair), "::from_f32(", $from, ");")]
            #[doc = concat!("assert_eq!(pair.", stringify!($name), "().to_f32(), [", $to, "]);")]
            /// ```
            #[doc(alias = $cuda)]
            #[inline(always)]
            #[must_use]
            pub fn $name(self) -> Self {
                let [low, high] = self.to_f32();
                Self::from_f32($of_one(low), $of_one(high))
            }
        )*}
    };
}

functions! { F16x2 Bf16x2 }

/// Whole numbers beside one, by the conversion that rounds in a direction.
macro_rules! whole {
    ($($name:ident = $intrinsic:ident, $host:ident;)*) => {$(
        #[inline(always)]
        fn $name(x: f32) -> f32 {
            #[cfg(ptyx_device)]
            // SAFETY: only computes.
            let value = unsafe { intrinsics::$intrinsic(x) };
            #[cfg(not(ptyx_device))]
            let value = libm::$host(x);
            value
        }
    )*};
}

whole! {
    floor = floor_f32, floorf;
    ceil = ceil_f32, ceilf;
    trunc = trunc_f32, truncf;
}
