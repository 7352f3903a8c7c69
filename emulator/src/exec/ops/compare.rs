//! Comparison and selection (PTX ISA, section 9.7.6).

// `ltu` and the like are negations of `ge` and the like, which makes them true for NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

use super::lanes::{compare, compare_each, partly, ternary};
use super::rounding::{bf16_to_f64, f16_to_f64, flush};
use super::width::{Code, widest};
use crate::exec::context::{Context, FULL, Flow, Lane};
use crate::exec::program::{Exec, Inst};
use crate::ptx::form::Form;
use crate::ptx::types::{Kind, Type::*};
use std::marker::PhantomData;

macro_rules! ordered {
    ($comparison:expr, $t:ty) => {
        match $comparison {
            "eq" => Some(compare(|a: $t, b: $t| a == b)),
            "ne" => Some(compare(|a: $t, b: $t| a != b)),
            "lt" | "lo" => Some(compare(|a: $t, b: $t| a < b)),
            "le" | "ls" => Some(compare(|a: $t, b: $t| a <= b)),
            "gt" | "hi" => Some(compare(|a: $t, b: $t| a > b)),
            "ge" | "hs" => Some(compare(|a: $t, b: $t| a >= b)),
            _ => None,
        }
    };
}

/// Floats, seen through `$view`: the plain comparisons are false for NaN, those with `u` are true.
macro_rules! unordered {
    ($comparison:expr, $over:ident, $t:ty, $view:expr) => {
        match $comparison {
            "eq" => Some($over(|a: $t, b: $t| $view(a) == $view(b))),
            "ne" => Some($over(|a: $t, b: $t| $view(a) < $view(b) || $view(a) > $view(b))),
            "lt" => Some($over(|a: $t, b: $t| $view(a) < $view(b))),
            "le" => Some($over(|a: $t, b: $t| $view(a) <= $view(b))),
            "gt" => Some($over(|a: $t, b: $t| $view(a) > $view(b))),
            "ge" => Some($over(|a: $t, b: $t| $view(a) >= $view(b))),
            "equ" => Some($over(|a: $t, b: $t| !($view(a) < $view(b) || $view(a) > $view(b)))),
            "neu" => Some($over(|a: $t, b: $t| $view(a) != $view(b))),
            "ltu" => Some($over(|a: $t, b: $t| !($view(a) >= $view(b)))),
            "leu" => Some($over(|a: $t, b: $t| !($view(a) > $view(b)))),
            "gtu" => Some($over(|a: $t, b: $t| !($view(a) <= $view(b)))),
            "geu" => Some($over(|a: $t, b: $t| !($view(a) < $view(b)))),
            "num" => Some($over(|a: $t, b: $t| !$view(a).is_nan() && !$view(b).is_nan())),
            "nan" => Some($over(|a: $t, b: $t| $view(a).is_nan() || $view(b).is_nan())),
            _ => None,
        }
    };
}

/// The smallest positive `f16` that is not subnormal.
const SMALLEST_NORMAL: f64 = 1.0 / 16384.0;

/// The comparison of `setp` and `set`.
pub(crate) fn setp(form: &Form<'_>) -> Option<Exec> {
    let comparison = *form.words().first()?;
    match form.ty() {
        F32 if form.has("ftz") => unordered!(comparison, compare_each, f32, flush),
        F32 => unordered!(comparison, compare, f32, |value: f32| value),
        F64 => unordered!(comparison, compare, f64, |value: f64| value),
        F16 if form.has("ftz") => unordered!(comparison, compare_each, u16, |bits| {
            let value = f16_to_f64(bits);
            if value.abs() < SMALLEST_NORMAL { 0.0 } else { value }
        }),
        F16 => unordered!(comparison, compare_each, u16, f16_to_f64),
        Bf16 => unordered!(comparison, compare_each, u16, bf16_to_f64),
        S16 => ordered!(comparison, i16),
        S32 => ordered!(comparison, i32),
        S64 => ordered!(comparison, i64),
        ty if matches!(ty.kind(), Kind::Bits | Kind::Unsigned) => match ty.size() {
            2 => ordered!(comparison, u16),
            4 => ordered!(comparison, u32),
            8 => ordered!(comparison, u64),
            _ => None,
        },
        _ => None,
    }
}

/// `d = p ? a : b`, with the predicate in `c`.
pub(crate) fn select<T: Lane>() -> Exec {
    struct Select<T>(PhantomData<T>);
    impl<T: Lane> Code for Select<T> {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            if mask != FULL {
                return partly::<T>(context, inst, mask);
            }
            let holds = context.predicate(inst.c);
            let (a, mut out) = (context.load::<T>(inst.a), context.load::<T>(inst.b));
            for lane in 0..32 {
                out[lane] = if holds & 1 << lane != 0 { a[lane] } else { out[lane] };
            }
            context.store(inst.d, FULL, &out);
            Flow::Next
        }
    }
    widest::<Select<T>>()
}

/// `selp`
pub(crate) fn selp(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty().size() {
        2 => select::<u16>(),
        4 => select::<u32>(),
        8 => select::<u64>(),
        _ => return None,
    })
}

/// `slct`: `a` where `c` is not negative, else `b`.
pub(crate) fn slct(form: &Form<'_>) -> Option<Exec> {
    let size = form.types().first()?.size();
    Some(match (size, form.ty()) {
        (2, S32) => ternary(|a: u16, b: u16, c: i32| if c >= 0 { a } else { b }),
        (4, S32) => ternary(|a: u32, b: u32, c: i32| if c >= 0 { a } else { b }),
        (8, S32) => ternary(|a: u64, b: u64, c: i32| if c >= 0 { a } else { b }),
        (2, F32) => ternary(|a: u16, b: u16, c: f32| if flush(c) >= 0.0 { a } else { b }),
        (4, F32) => ternary(|a: u32, b: u32, c: f32| if flush(c) >= 0.0 { a } else { b }),
        (8, F32) => ternary(|a: u64, b: u64, c: f32| if flush(c) >= 0.0 { a } else { b }),
        _ => return None,
    })
}
