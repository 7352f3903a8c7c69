//! Arithmetic that rounds in a given direction, for each type.

use crate::intrinsics;

/// Gives every row to the macro `$with`: the name, the argument that is negated first, the arguments, the
/// intrinsics of both types, what it is, its names in CUDA C for both.
macro_rules! arithmetic {
    ($with:ident) => {
        $with! {
            add_rn(a, b) = add_rn_f32 add_rn_f64, "`a + b`, rounded to the nearest, ties to even.", alias "__fadd_rn" "__dadd_rn";
            add_rz(a, b) = add_rz_f32 add_rz_f64, "`a + b`, rounded towards zero.", alias "__fadd_rz" "__dadd_rz";
            add_ru(a, b) = add_ru_f32 add_ru_f64, "`a + b`, rounded up.", alias "__fadd_ru" "__dadd_ru";
            add_rd(a, b) = add_rd_f32 add_rd_f64, "`a + b`, rounded down.", alias "__fadd_rd" "__dadd_rd";
            sub_rn [b] (a, b) = add_rn_f32 add_rn_f64, "`a - b`, rounded to the nearest, ties to even.", alias "__fsub_rn" "__dsub_rn";
            sub_rz [b] (a, b) = add_rz_f32 add_rz_f64, "`a - b`, rounded towards zero.", alias "__fsub_rz" "__dsub_rz";
            sub_ru [b] (a, b) = add_ru_f32 add_ru_f64, "`a - b`, rounded up.", alias "__fsub_ru" "__dsub_ru";
            sub_rd [b] (a, b) = add_rd_f32 add_rd_f64, "`a - b`, rounded down.", alias "__fsub_rd" "__dsub_rd";
            mul_rn(a, b) = mul_rn_f32 mul_rn_f64, "`a × b`, rounded to the nearest, ties to even.", alias "__fmul_rn" "__dmul_rn";
            mul_rz(a, b) = mul_rz_f32 mul_rz_f64, "`a × b`, rounded towards zero.", alias "__fmul_rz" "__dmul_rz";
            mul_ru(a, b) = mul_ru_f32 mul_ru_f64, "`a × b`, rounded up.", alias "__fmul_ru" "__dmul_ru";
            mul_rd(a, b) = mul_rd_f32 mul_rd_f64, "`a × b`, rounded down.", alias "__fmul_rd" "__dmul_rd";
            fma_rn(a, b, c) = fma_rn_f32 fma_rn_f64, "`a × b + c`, rounded to the nearest, ties to even.", alias "__fmaf_rn" "__fma_rn";
            fma_rz(a, b, c) = fma_rz_f32 fma_rz_f64, "`a × b + c`, rounded towards zero.", alias "__fmaf_rz" "__fma_rz";
            fma_ru(a, b, c) = fma_ru_f32 fma_ru_f64, "`a × b + c`, rounded up.", alias "__fmaf_ru" "__fma_ru";
            fma_rd(a, b, c) = fma_rd_f32 fma_rd_f64, "`a × b + c`, rounded down.", alias "__fmaf_rd" "__fma_rd";
            div_rn(a, b) = div_rn_f32 div_rn_f64, "`a / b`, rounded to the nearest, ties to even.", alias "__fdiv_rn" "__ddiv_rn";
            div_rz(a, b) = div_rz_f32 div_rz_f64, "`a / b`, rounded towards zero.", alias "__fdiv_rz" "__ddiv_rz";
            div_ru(a, b) = div_ru_f32 div_ru_f64, "`a / b`, rounded up.", alias "__fdiv_ru" "__ddiv_ru";
            div_rd(a, b) = div_rd_f32 div_rd_f64, "`a / b`, rounded down.", alias "__fdiv_rd" "__ddiv_rd";
            rcp_rn(a) = rcp_rn_f32 rcp_rn_f64, "`1 / a`, rounded to the nearest, ties to even.", alias "__frcp_rn" "__drcp_rn";
            rcp_rz(a) = rcp_rz_f32 rcp_rz_f64, "`1 / a`, rounded towards zero.", alias "__frcp_rz" "__drcp_rz";
            rcp_ru(a) = rcp_ru_f32 rcp_ru_f64, "`1 / a`, rounded up.", alias "__frcp_ru" "__drcp_ru";
            rcp_rd(a) = rcp_rd_f32 rcp_rd_f64, "`1 / a`, rounded down.", alias "__frcp_rd" "__drcp_rd";
            sqrt_rn(a) = sqrt_rn_f32 sqrt_rn_f64, "`√a`, rounded to the nearest, ties to even.", alias "__fsqrt_rn" "__dsqrt_rn";
            sqrt_rz(a) = sqrt_rz_f32 sqrt_rz_f64, "`√a`, rounded towards zero.", alias "__fsqrt_rz" "__dsqrt_rz";
            sqrt_ru(a) = sqrt_ru_f32 sqrt_ru_f64, "`√a`, rounded up.", alias "__fsqrt_ru" "__dsqrt_ru";
            sqrt_rd(a) = sqrt_rd_f32 sqrt_rd_f64, "`√a`, rounded down.", alias "__fsqrt_rd" "__dsqrt_rd";
        }
    };
}
pub(super) use arithmetic;

macro_rules! for_each_type {
    ($($name:ident $([$negated:ident])? ($($argument:ident),*) = $f32:ident $f64:ident, $doc:literal, alias $($cuda:literal)*;)*) => {
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
