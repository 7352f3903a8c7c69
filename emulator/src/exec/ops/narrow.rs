//! Conversions of pairs of 8-bit floats (PTX ISA, `cvt`: `.e4m3x2` and `.e5m2x2`).

use super::lanes::{binary_each, unary_each};
use super::rounding::{E4M3, E5M2, Format, Round, f16_to_f64, round_to, to_f16};
use crate::exec::context::{Context, Flow};
use crate::exec::program::{Exec, Inst, NONE};
use crate::ptx::form::Form;
use crate::ptx::types::Type::{self, E4m3x2, E5m2x2, F16x2, F32};

/// `.satfinite`: the greatest finite number in place of what is larger. `.relu`: zero in place of what is
/// negative.
fn narrow(value: f64, is_e4m3: bool, relu: bool) -> u16 {
    let (format, greatest): (Format, f64) = match is_e4m3 {
        true => (E4M3, 448.0),
        false => (E5M2, 57344.0),
    };
    // Negative zero, too, as an H200 does.
    let value = if relu && value <= 0.0 { 0.0 } else { value };
    // `clamp` keeps NaN.
    round_to(value.clamp(-greatest, greatest), format, Round::Nearest) as u16
}

fn widen(bits: u16, is_e4m3: bool) -> u32 {
    let bits = bits & 0xff;
    let value = if is_e4m3 {
        // Four bits of exponent with a bias of 7, where an `f16` has five with a bias of 15; the pattern of
        // ones is the only NaN.
        let magnitude = f16_to_f64((bits & 0x7f) << 7) * 256.0;
        let magnitude = if bits & 0x7f == 0x7f { f64::NAN } else { magnitude };
        if bits & 0x80 == 0 { magnitude } else { -magnitude }
    } else {
        f16_to_f64(bits << 8)
    };
    u32::from(to_f16(value, Round::Nearest))
}

/// Makes what the modifiers say constants of the semantic function.
macro_rules! each {
    ($ty:expr, $relu:expr, $make:ident) => {
        match ($ty, $relu) {
            (E4m3x2, false) => Some($make!(true, false)),
            (E4m3x2, true) => Some($make!(true, true)),
            (E5m2x2, false) => Some($make!(false, false)),
            (E5m2x2, true) => Some($make!(false, true)),
            _ => None,
        }
    };
}

macro_rules! from_f32 {
    ($e4m3:literal, $relu:literal) => {
        binary_each(|high: f32, low: f32| {
            let [high, low] = [high, low].map(|value| narrow(f64::from(value), $e4m3, $relu));
            high << 8 | low
        })
    };
}

macro_rules! from_f16x2 {
    ($e4m3:literal, $relu:literal) => {
        unary_each(|pair: u32| {
            let [high, low] = [(pair >> 16) as u16, pair as u16];
            let [high, low] = [high, low].map(|bits| narrow(f16_to_f64(bits), $e4m3, $relu));
            high << 8 | low
        })
    };
}

macro_rules! to_f16x2 {
    ($e4m3:literal, $relu:literal) => {
        unary_each(|pair: u16| {
            let [high, low] = [pair >> 8, pair].map(|bits| {
                let bits = widen(bits, $e4m3);
                let is_negative = (0x8000..=0xfc00).contains(&bits);
                if $relu && is_negative { 0 } else { bits }
            });
            high << 16 | low
        })
    };
}

/// `cvt` between a pair of 8-bit floats and a pair of wider ones; the first source becomes the upper half.
pub(crate) fn cvt(form: &Form<'_>) -> Option<Exec> {
    let [to, from]: [Type; 2] = form.types().try_into().ok()?;
    let relu = form.has("relu");
    match (to, from) {
        (_, F32) => each!(to, relu, from_f32),
        (_, F16x2) => each!(to, relu, from_f16x2),
        (F16x2, _) => each!(from, relu, to_f16x2),
        _ => None,
    }
}

/// `cvt.pack.sat`: two integers, the second one lowest, with what fits of `c` above them.
pub(crate) fn pack(form: &Form<'_>) -> Option<Exec> {
    fn exec<const BITS: u32, const SIGNED: bool>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let (least, most) = match SIGNED {
            true => (-(1 << (BITS - 1)), (1 << (BITS - 1)) - 1),
            false => (0, (1 << BITS) - 1),
        };
        let (a, b) = (context.load::<i32>(inst.a), context.load::<i32>(inst.b));
        let c = if inst.c == NONE { [0; 32] } else { context.load::<u32>(inst.c) };
        let bits = |value: i32| value.clamp(least, most) as u32 & (u32::MAX >> (32 - BITS));
        let out: [u32; 32] = std::array::from_fn(|lane| {
            bits(b[lane]) | bits(a[lane]) << BITS | c[lane].checked_shl(2 * BITS).unwrap_or(0)
        });
        context.store(inst.d, mask, &out);
        Flow::Next
    }
    let exec: &[(&str, Exec)] = &[
        ("u2", exec::<2, false>),
        ("s2", exec::<2, true>),
        ("u4", exec::<4, false>),
        ("s4", exec::<4, true>),
        ("u8", exec::<8, false>),
        ("s8", exec::<8, true>),
        ("u16", exec::<16, false>),
        ("s16", exec::<16, true>),
    ];
    exec.iter().find(|(name, _)| form.has(name)).map(|(_, exec)| *exec)
}
