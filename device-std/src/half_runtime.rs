//! What the compiler sends functions of the crate `half` to: LLVM's instructions on 16-bit floats.
//!
//! `compiler/src/rust/paths.rs` says which functions those are. To the compiler, the crate's types are their
//! bits, and so they are here.

use crate::{arch_at_least, intrinsics};

/// Has the kernel compiled for `sm_80`, too, the first architecture with instructions for `bf16`.
macro_rules! ask {
    (any) => {};
    (sm_80) => {
        let _ = arch_at_least!(80);
    };
}

/// Operations of the intrinsics' own names.
macro_rules! operations {
    ($($least:ident fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!("__ptyx_half_", stringify!($name)))]
            #[inline(always)]
            fn function($($argument: $type),*) -> $result {
                ask!($least);
                // SAFETY: it only computes.
                unsafe { intrinsics::$name($($argument),*) }
            }
        };
    )*};
}

/// Comparisons of what two references point to; by an intrinsic, with the sides as there.
macro_rules! comparisons {
    ($($least:ident $name:literal = |$a:ident, $b:ident| $what:expr;)*) => {$(
        const _: () = {
            #[unsafe(export_name = concat!("__ptyx_half_", $name))]
            #[inline(always)]
            fn function($a: &u16, $b: &u16) -> bool {
                ask!($least);
                // SAFETY: it only computes.
                unsafe { $what != 0 }
            }
        };
    )*};
}

operations! {
    any fn f16_from_f32(x: f32) -> u16;
    any fn f16_from_f64(x: f64) -> u16;
    any fn f16_to_f32(x: u16) -> f32;
    any fn f16_to_f64(x: u16) -> f64;
    any fn f16_add(a: u16, b: u16) -> u16;
    any fn f16_sub(a: u16, b: u16) -> u16;
    any fn f16_mul(a: u16, b: u16) -> u16;
    any fn f16_div(a: u16, b: u16) -> u16;
    sm_80 fn bf16_from_f32(x: f32) -> u16;
    sm_80 fn bf16_from_f64(x: f64) -> u16;
    any fn bf16_to_f32(x: u16) -> f32;
    any fn bf16_to_f64(x: u16) -> f64;
    sm_80 fn bf16_add(a: u16, b: u16) -> u16;
    sm_80 fn bf16_sub(a: u16, b: u16) -> u16;
    sm_80 fn bf16_mul(a: u16, b: u16) -> u16;
    sm_80 fn bf16_div(a: u16, b: u16) -> u16;
}

comparisons! {
    any "f16_eq" = |a, b| intrinsics::f16_eq(*a, *b);
    any "f16_lt" = |a, b| intrinsics::f16_lt(*a, *b);
    any "f16_le" = |a, b| intrinsics::f16_le(*a, *b);
    any "f16_gt" = |a, b| intrinsics::f16_lt(*b, *a);
    any "f16_ge" = |a, b| intrinsics::f16_le(*b, *a);
    any "bf16_eq" = |a, b| intrinsics::bf16_eq(*a, *b);
    any "bf16_lt" = |a, b| intrinsics::bf16_lt(*a, *b);
    any "bf16_le" = |a, b| intrinsics::bf16_le(*a, *b);
    any "bf16_gt" = |a, b| intrinsics::bf16_lt(*b, *a);
    any "bf16_ge" = |a, b| intrinsics::bf16_le(*b, *a);
}
