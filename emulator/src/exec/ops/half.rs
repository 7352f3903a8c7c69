//! Half precision arithmetic (PTX ISA, section 9.7.4): `f16`, `bf16` and pairs of them.

use super::float::pick;
use super::rounding::{Round, add_odd, bf16_to_f64, f16_to_f64, to_bf16, to_f16};
use crate::exec::context::{Context, Flow};
use crate::exec::program::{Exec, Inst, NONE};
use crate::ptx::form::Form;
use crate::ptx::types::Type::*;

/// Packed modifiers of an instruction, as a constant of its semantic function.
const BF16: u32 = 1;
const PAIR: u32 = 2;
const FTZ: u32 = 4;
const SAT: u32 = 8;
const RELU: u32 = 16;
const NAN: u32 = 32;
const XORSIGN: u32 = 64;
const OOB: u32 = 128;

/// The NaN that means "outside of the tensor" to `fma.oob`, of both formats. The manual does not give its bits.
const OUTSIDE: u16 = 0x7ff7;

type Op = fn(f64, f64, f64, u32) -> f64;

fn flags(form: &Form<'_>) -> u32 {
    let mut flags = match form.ty() {
        F16 => 0,
        F16x2 => PAIR,
        Bf16 => BF16,
        _ => BF16 | PAIR,
    };
    for (word, flag) in [
        ("ftz", FTZ),
        ("sat", SAT),
        ("relu", RELU),
        ("NaN", NAN),
        ("xorsign", XORSIGN),
        ("oob", OOB),
    ] {
        flags |= if form.has(word) { flag } else { 0 };
    }
    flags
}

fn widen(bits: u16, flags: u32) -> f64 {
    if flags & BF16 != 0 {
        return bf16_to_f64(bits);
    }
    let subnormal = bits & 0x7c00 == 0;
    f16_to_f64(if flags & FTZ != 0 && subnormal { bits & 0x8000 } else { bits })
}

fn shrink(value: f64, flags: u32) -> u16 {
    let mut value = value;
    if flags & SAT != 0 {
        value = if value > 0.0 { value.min(1.0) } else { 0.0 };
    }
    if flags & RELU != 0 && value < 0.0 {
        value = 0.0;
    }
    if flags & BF16 != 0 {
        return to_bf16(value, Round::Nearest);
    }
    let bits = to_f16(value, Round::Nearest);
    if flags & FTZ != 0 && bits & 0x7c00 == 0 { bits & 0x8000 } else { bits }
}

fn exec(context: &mut Context<'_>, inst: &Inst, mask: u32, flags: u32, op: Op) -> Flow {
    let one = |a: u16, b: u16, c: u16| {
        if flags & OOB != 0 && (a == OUTSIDE || b == OUTSIDE) {
            return 0;
        }
        let value = op(widen(a, flags), widen(b, flags), widen(c, flags), flags);
        shrink(value, flags)
    };
    if flags & PAIR != 0 {
        let get = |operand: u32| match operand {
            NONE => [0; 32],
            operand => context.load::<u32>(operand),
        };
        let (a, b, c) = (get(inst.a), get(inst.b), get(inst.c));
        let mut out = [0; 32];
        for lane in 0..32 {
            let (a, b, c) = (a[lane], b[lane], c[lane]);
            let low = one(a as u16, b as u16, c as u16);
            let high = one((a >> 16) as u16, (b >> 16) as u16, (c >> 16) as u16);
            out[lane] = u32::from(high) << 16 | u32::from(low);
        }
        context.store(inst.d, mask, &out);
    } else {
        let get = |operand: u32| match operand {
            NONE => [0; 32],
            operand => context.load::<u16>(operand),
        };
        let (a, b, c) = (get(inst.a), get(inst.b), get(inst.c));
        let out = std::array::from_fn(|lane| one(a[lane], b[lane], c[lane]));
        context.store::<u16>(inst.d, mask, &out);
    }
    Flow::Next
}

/// Makes the flags, known when the code is lowered, a constant of the semantic function.
macro_rules! with_flags {
    ($form:expr, $op:expr, $($flags:expr),* $(,)?) => {{
        let wanted = flags($form);
        $(if wanted == $flags {
            return Some(|context, inst, mask| exec(context, inst, mask, $flags, $op));
        })*
        None
    }};
}

macro_rules! arithmetic {
    ($form:expr, $op:expr) => {
        with_flags!(
            $form,
            $op,
            0,
            PAIR,
            BF16,
            BF16 | PAIR,
            FTZ,
            FTZ | PAIR,
            SAT,
            SAT | PAIR,
            FTZ | SAT,
            FTZ | SAT | PAIR,
            FTZ | BF16,
            FTZ | BF16 | PAIR,
            RELU,
            RELU | PAIR,
            RELU | BF16,
            RELU | BF16 | PAIR,
            RELU | FTZ,
            RELU | FTZ | PAIR
        )
    };
}

/// `add`
pub(crate) fn add(form: &Form<'_>) -> Option<Exec> {
    arithmetic!(form, |a, b, _, _| add_odd(a, b, Round::Nearest))
}

/// `sub`
pub(crate) fn sub(form: &Form<'_>) -> Option<Exec> {
    arithmetic!(form, |a, b, _, _| add_odd(a, -b, Round::Nearest))
}

/// `mul`
pub(crate) fn mul(form: &Form<'_>) -> Option<Exec> {
    arithmetic!(form, |a, b, _, _| a * b)
}

/// `fma`
pub(crate) fn fma(form: &Form<'_>) -> Option<Exec> {
    if form.has("oob") {
        return with_flags!(
            form,
            |a, b, c, _| add_odd(a * b, c, Round::Nearest),
            OOB,
            OOB | PAIR,
            OOB | BF16,
            OOB | BF16 | PAIR,
            OOB | RELU,
            OOB | RELU | PAIR,
            OOB | RELU | BF16,
            OOB | RELU | BF16 | PAIR,
        );
    }
    arithmetic!(form, |a, b, c, _| add_odd(a * b, c, Round::Nearest))
}

/// `ex2.approx`
pub(crate) fn ex2(form: &Form<'_>) -> Option<Exec> {
    arithmetic!(form, |a, _, _, _| a.exp2())
}

/// `tanh.approx`
pub(crate) fn tanh(form: &Form<'_>) -> Option<Exec> {
    arithmetic!(form, |a, _, _, _| a.tanh())
}

fn extreme(a: f64, b: f64, larger: bool, flags: u32) -> f64 {
    if flags & XORSIGN == 0 {
        return pick(a, b, larger, flags & NAN != 0);
    }
    let negative = a.is_sign_negative() != b.is_sign_negative();
    let value = pick(a.abs(), b.abs(), larger, flags & NAN != 0);
    if negative { -value } else { value }
}

macro_rules! extremes {
    ($form:expr, $op:expr) => {
        with_flags!(
            $form,
            $op,
            0,
            PAIR,
            BF16,
            BF16 | PAIR,
            FTZ,
            FTZ | PAIR,
            NAN,
            NAN | PAIR,
            NAN | BF16,
            NAN | BF16 | PAIR,
            NAN | FTZ,
            NAN | FTZ | PAIR,
            XORSIGN,
            XORSIGN | PAIR,
            XORSIGN | BF16,
            XORSIGN | BF16 | PAIR,
            NAN | XORSIGN,
            NAN | XORSIGN | PAIR,
            NAN | XORSIGN | BF16,
            NAN | XORSIGN | BF16 | PAIR
        )
    };
}

/// `min`
pub(crate) fn min(form: &Form<'_>) -> Option<Exec> {
    extremes!(form, |a, b, _, flags| extreme(a, b, false, flags))
}

/// `max`
pub(crate) fn max(form: &Form<'_>) -> Option<Exec> {
    extremes!(form, |a, b, _, flags| extreme(a, b, true, flags))
}

fn bits(form: &Form<'_>, single: Exec, pair: Exec) -> Option<Exec> {
    match form.ty() {
        F16 | Bf16 => Some(single),
        F16x2 | Bf16x2 => Some(pair),
        _ => None,
    }
}

/// `abs`
pub(crate) fn abs(form: &Form<'_>) -> Option<Exec> {
    if form.has("ftz") {
        return with_flags!(form, |a, _, _, _| a.abs(), FTZ, FTZ | PAIR);
    }
    let pair = super::lanes::unary(|a: u32| a & 0x7fff_7fff);
    bits(form, super::lanes::unary(|a: u16| a & 0x7fff), pair)
}

/// `neg`
pub(crate) fn neg(form: &Form<'_>) -> Option<Exec> {
    if form.has("ftz") {
        return with_flags!(form, |a, _, _, _| -a, FTZ, FTZ | PAIR);
    }
    let pair = super::lanes::unary(|a: u32| a ^ 0x8000_8000);
    bits(form, super::lanes::unary(|a: u16| a ^ 0x8000), pair)
}
