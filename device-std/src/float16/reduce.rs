//! 16-bit floats as numbers that groups of threads reduce.

use super::{Bf16x2, F16x2, Half};
use crate::group::{LaneGroup, ReduceNumber, Sealed};
use half::{bf16, f16};

macro_rules! reduced {
    ($($type:ident)*) => {$(
        impl Sealed for $type {}

        impl ReduceNumber for $type {
            reduced! { @operation sum_of add_two, core::ops::Add::add }
            reduced! { @operation min_of min_two, $type::fmin }
            reduced! { @operation max_of max_two, $type::fmax }
        }
    )*};
    (@operation $name:ident $two:ident, $combine:path) => {
        #[inline(always)]
        fn $name(group: impl LaneGroup, value: Self) -> Self {
            group.reduce(value, $combine)
        }

        #[inline(always)]
        fn $two(a: Self, b: Self) -> Self {
            $combine(a, b)
        }
    };
}

// A sum is rounded at each step, as if the members added one after another in some order.
reduced! { f16 bf16 F16x2 Bf16x2 }
