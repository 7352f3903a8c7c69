//! Arithmetic that rounds in a given direction, for each type.

use crate::intrinsics;

/// Gives every row to the macro `$with`: the name, the argument that is negated first, the arguments, the
/// intrinsics of both types, what it is.
macro_rules! arithmetic {
    ($with:ident) => {
        $with! {
            add_rn(a, b) = add_rn_f32 add_rn_f64, "`a + b`, rounded to the nearest, ties to even.";
            add_rz(a, b) = add_rz_f32 add_rz_f64, "`a + b`, rounded towards zero.";
            add_ru(a, b) = add_ru_f32 add_ru_f64, "`a + b`, rounded up.";
            add_rd(a, b) = add_rd_f32 add_rd_f64, "`a + b`, rounded down.";
            sub_rn [b] (a, b) = add_rn_f32 add_rn_f64, "`a - b`, rounded to the nearest, ties to even.";
            sub_rz [b] (a, b) = add_rz_f32 add_rz_f64, "`a - b`, rounded towards zero.";
            sub_ru [b] (a, b) = add_ru_f32 add_ru_f64, "`a - b`, rounded up.";
            sub_rd [b] (a, b) = add_rd_f32 add_rd_f64, "`a - b`, rounded down.";
            mul_rn(a, b) = mul_rn_f32 mul_rn_f64, "`a × b`, rounded to the nearest, ties to even.";
            mul_rz(a, b) = mul_rz_f32 mul_rz_f64, "`a × b`, rounded towards zero.";
            mul_ru(a, b) = mul_ru_f32 mul_ru_f64, "`a × b`, rounded up.";
            mul_rd(a, b) = mul_rd_f32 mul_rd_f64, "`a × b`, rounded down.";
            fma_rn(a, b, c) = fma_rn_f32 fma_rn_f64, "`a × b + c`, rounded to the nearest, ties to even.";
            fma_rz(a, b, c) = fma_rz_f32 fma_rz_f64, "`a × b + c`, rounded towards zero.";
            fma_ru(a, b, c) = fma_ru_f32 fma_ru_f64, "`a × b + c`, rounded up.";
            fma_rd(a, b, c) = fma_rd_f32 fma_rd_f64, "`a × b + c`, rounded down.";
            div_rn(a, b) = div_rn_f32 div_rn_f64, "`a / b`, rounded to the nearest, ties to even.";
            div_rz(a, b) = div_rz_f32 div_rz_f64, "`a / b`, rounded towards zero.";
            div_ru(a, b) = div_ru_f32 div_ru_f64, "`a / b`, rounded up.";
            div_rd(a, b) = div_rd_f32 div_rd_f64, "`a / b`, rounded down.";
            rcp_rn(a) = rcp_rn_f32 rcp_rn_f64, "`1 / a`, rounded to the nearest, ties to even.";
            rcp_rz(a) = rcp_rz_f32 rcp_rz_f64, "`1 / a`, rounded towards zero.";
            rcp_ru(a) = rcp_ru_f32 rcp_ru_f64, "`1 / a`, rounded up.";
            rcp_rd(a) = rcp_rd_f32 rcp_rd_f64, "`1 / a`, rounded down.";
            sqrt_rn(a) = sqrt_rn_f32 sqrt_rn_f64, "`√a`, rounded to the nearest, ties to even.";
            sqrt_rz(a) = sqrt_rz_f32 sqrt_rz_f64, "`√a`, rounded towards zero.";
            sqrt_ru(a) = sqrt_ru_f32 sqrt_ru_f64, "`√a`, rounded up.";
            sqrt_rd(a) = sqrt_rd_f32 sqrt_rd_f64, "`√a`, rounded down.";
        }
    };
}
pub(super) use arithmetic;

macro_rules! for_each_type {
    ($($name:ident $([$negated:ident])? ($($argument:ident),*) = $f32:ident $f64:ident, $doc:literal;)*) => {
        /// The functions of one type. Hidden behind [`super::Real`].
        #[doc(hidden)]
        pub trait Rounded: Sized {
            $(#[doc(hidden)] fn $name($($argument: Self),*) -> Self;)*
        }

        impl Rounded for f32 {
            $(
                #[inline(always)]
                fn $name($($argument: f32),*) -> f32 {
                    $(let $negated = -$negated;)?
                    // SAFETY: only computes.
                    unsafe { intrinsics::$f32($($argument),*) }
                }
            )*
        }

        impl Rounded for f64 {
            $(
                #[inline(always)]
                fn $name($($argument: f64),*) -> f64 {
                    $(let $negated = -$negated;)?
                    // SAFETY: only computes.
                    unsafe { intrinsics::$f64($($argument),*) }
                }
            )*
        }
    };
}
arithmetic!(for_each_type);
