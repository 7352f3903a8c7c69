//! Single and double precision arithmetic (PTX ISA, section 9.7.3). What the ISA allows to be approximate
//! is computed in double precision and rounded.

use super::lanes::{binary, binary_each, ternary, ternary_each, test_mask, unary, unary_each};
use super::rounding::{
    Round, add_f64, add_odd, canonical, div_f64, div_odd, flush, fma_f64, mul_f64, saturate,
    sqrt_f64, sqrt_odd, to_f32,
};
use crate::exec::context::{Context, FULL, Flow};
use crate::exec::program::{Exec, Inst};
use crate::ptx::form::Form;
use crate::ptx::types::Type::*;

/// Modifiers of single-precision arithmetic: bit 0 `.ftz`, bit 1 `.sat`.
fn style(form: &Form<'_>) -> (bool, bool) {
    (form.has("ftz"), form.has("sat"))
}

/// The semantic function for each rounding mode, chosen when the code is lowered.
macro_rules! by_mode {
    ($form:expr, |$mode:ident| $exec:expr) => {
        match Round::from_words($form.words()) {
            Round::Zero => {
                const $mode: Round = Round::Zero;
                Some($exec)
            }
            Round::Down => {
                const $mode: Round = Round::Down;
                Some($exec)
            }
            Round::Up => {
                const $mode: Round = Round::Up;
                Some($exec)
            }
            _ => {
                const $mode: Round = Round::Nearest;
                Some($exec)
            }
        }
    };
}

/// The same for `.ftz` and `.sat`, around a function of flushed operands.
macro_rules! styled {
    ($form:expr, $over:ident, |$a:ident, $b:ident| $body:expr) => {
        match style($form) {
            (false, false) => $over(|$a: f32, $b: f32| canonical($body)),
            (true, false) => $over(|$a: f32, $b: f32| {
                let ($a, $b) = (flush($a), flush($b));
                flush(canonical($body))
            }),
            (false, true) => $over(|$a: f32, $b: f32| saturate($body)),
            (true, true) => $over(|$a: f32, $b: f32| {
                let ($a, $b) = (flush($a), flush($b));
                flush(saturate($body))
            }),
        }
    };
}

fn nearest(form: &Form<'_>) -> bool {
    Round::from_words(form.words()) == Round::Nearest
}

/// `add`
pub(crate) fn add(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        F32 if nearest(form) => Some(styled!(form, binary, |a, b| a + b)),
        F32 => by_mode!(form, |M| styled!(form, binary_each, |a, b| to_f32(
            add_odd(a.into(), b.into(), M),
            M
        ))),
        F64 if nearest(form) => Some(binary(|a: f64, b: f64| a + b)),
        F64 => by_mode!(form, |M| binary_each(|a: f64, b: f64| add_f64(a, b, M))),
        _ => None,
    }
}

/// `sub`
pub(crate) fn sub(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        F32 if nearest(form) => Some(styled!(form, binary, |a, b| a - b)),
        F32 => {
            by_mode!(form, |M| styled!(form, binary_each, |a, b| to_f32(
                add_odd(a.into(), -f64::from(b), M),
                M
            )))
        }
        F64 if nearest(form) => Some(binary(|a: f64, b: f64| a - b)),
        F64 => by_mode!(form, |M| binary_each(|a: f64, b: f64| add_f64(a, -b, M))),
        _ => None,
    }
}

/// `mul`
pub(crate) fn mul(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        F32 if nearest(form) => Some(styled!(form, binary, |a, b| a * b)),
        F32 => by_mode!(form, |M| styled!(form, binary_each, |a, b| to_f32(
            f64::from(a) * f64::from(b),
            M
        ))),
        F64 if nearest(form) => Some(binary(|a: f64, b: f64| a * b)),
        F64 => by_mode!(form, |M| binary_each(|a: f64, b: f64| mul_f64(a, b, M))),
        _ => None,
    }
}

/// `div`: the approximate forms are the exact one.
pub(crate) fn div(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        F32 if nearest(form) => Some(styled!(form, binary, |a, b| a / b)),
        F32 => by_mode!(form, |M| styled!(form, binary_each, |a, b| to_f32(
            div_odd(a.into(), b.into()),
            M
        ))),
        F64 if nearest(form) => Some(binary(|a: f64, b: f64| a / b)),
        F64 => by_mode!(form, |M| binary_each(|a: f64, b: f64| div_f64(a, b, M))),
        _ => None,
    }
}

/// `fma` and `mad`
pub(crate) fn fma(form: &Form<'_>) -> Option<Exec> {
    match (form.ty(), nearest(form)) {
        // With one rounding.
        (F32, true) if style(form) == (false, false) => {
            Some(ternary(|a: f32, b: f32, c: f32| canonical(a.mul_add(b, c))))
        }
        (F32, _) => Some(fma_f32_styled(form)),
        (F64, true) => Some(ternary(f64::mul_add)),
        (F64, false) => {
            by_mode!(form, |M| ternary_each(|a: f64, b: f64, c: f64| fma_f64(a, b, c, M)))
        }
        _ => None,
    }
}

/// `fma.f32` with a mode, `.ftz` or `.sat`: packed into one function, since they are rare.
fn fma_f32_styled(form: &Form<'_>) -> Exec {
    fn exec<const FTZ: bool, const SAT: bool>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        mode: Round,
    ) -> Flow {
        let enter = |value: f32| f64::from(if FTZ { flush(value) } else { value });
        let (a, b) = (context.load::<f32>(inst.a), context.load::<f32>(inst.b));
        let c = context.load::<f32>(inst.c);
        let mut out = [0.0; 32];
        for lane in 0..32 {
            let product = enter(a[lane]) * enter(b[lane]);
            let value = to_f32(add_odd(product, enter(c[lane]), mode), mode);
            let value = if SAT { saturate(value) } else { canonical(value) };
            out[lane] = if FTZ { flush(value) } else { value };
        }
        context.store(inst.d, mask, &out);
        Flow::Next
    }
    macro_rules! modes {
        ($ftz:literal, $sat:literal) => {
            match Round::from_words(form.words()) {
                Round::Zero => |c, i, m| exec::<$ftz, $sat>(c, i, m, Round::Zero),
                Round::Down => |c, i, m| exec::<$ftz, $sat>(c, i, m, Round::Down),
                Round::Up => |c, i, m| exec::<$ftz, $sat>(c, i, m, Round::Up),
                _ => |c, i, m| exec::<$ftz, $sat>(c, i, m, Round::Nearest),
            }
        };
    }
    match style(form) {
        (false, false) => modes!(false, false),
        (true, false) => modes!(true, false),
        (false, true) => modes!(false, true),
        (true, true) => modes!(true, true),
    }
}

/// `abs`
pub(crate) fn abs(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        F32 if form.has("ftz") => unary(|a: f32| flush(a).abs()),
        F32 => unary(|a: u32| a & 0x7fff_ffff),
        F64 => unary(|a: u64| a & (u64::MAX >> 1)),
        _ => return None,
    })
}

/// `neg`
pub(crate) fn neg(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        F32 if form.has("ftz") => unary(|a: f32| -flush(a)),
        F32 => unary(|a: u32| a ^ 0x8000_0000),
        F64 => unary(|a: u64| a ^ 1 << 63),
        _ => return None,
    })
}

/// `copysign d, a, b`: the magnitude of `b` with the sign of `a`.
pub(crate) fn copysign(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        F32 => binary(|a: f32, b: f32| b.copysign(a)),
        F64 => binary(|a: f64, b: f64| b.copysign(a)),
        _ => return None,
    })
}

/// The smaller (or larger) of two numbers: a number wins over NaN unless `.NaN` is asked for, and -0 is
/// smaller than +0.
#[inline(always)]
pub(crate) fn pick(a: f64, b: f64, larger: bool, nan: bool) -> f64 {
    if a.is_nan() || b.is_nan() {
        return match (nan, a.is_nan(), b.is_nan()) {
            (false, true, false) => b,
            (false, false, true) => a,
            _ => f64::NAN,
        };
    }
    let a_first = if a == b { a.is_sign_negative() } else { a < b };
    if a_first != larger { a } else { b }
}

fn extreme(form: &Form<'_>, larger: bool) -> Option<Exec> {
    fn exec<const LARGER: bool>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        how: u32,
    ) -> Flow {
        let (a, b) = (context.load::<f32>(inst.a), context.load::<f32>(inst.b));
        let (ftz, nan, xorsign) = (how & 1 != 0, how & 2 != 0, how & 4 != 0);
        let mut out = [0.0; 32];
        for lane in 0..32 {
            let (mut x, mut y) = (a[lane], b[lane]);
            if ftz {
                (x, y) = (flush(x), flush(y));
            }
            let sign = (x.to_bits() ^ y.to_bits()) & 0x8000_0000;
            if xorsign {
                (x, y) = (x.abs(), y.abs());
            }
            let value = canonical(pick(x.into(), y.into(), LARGER, nan) as f32);
            out[lane] = if xorsign && !value.is_nan() {
                f32::from_bits(value.to_bits() | sign)
            } else {
                value
            };
        }
        context.store(inst.d, mask, &out);
        Flow::Next
    }
    macro_rules! instance {
        ($larger:literal) => {
            match (form.has("ftz"), form.has("NaN"), form.has("xorsign")) {
                (false, false, false) => |c, i, m| exec::<$larger>(c, i, m, 0),
                (true, false, false) => |c, i, m| exec::<$larger>(c, i, m, 1),
                (false, true, false) => |c, i, m| exec::<$larger>(c, i, m, 2),
                (true, true, false) => |c, i, m| exec::<$larger>(c, i, m, 3),
                (false, false, true) => |c, i, m| exec::<$larger>(c, i, m, 4),
                (true, false, true) => |c, i, m| exec::<$larger>(c, i, m, 5),
                (false, true, true) => |c, i, m| exec::<$larger>(c, i, m, 6),
                (true, true, true) => |c, i, m| exec::<$larger>(c, i, m, 7),
            }
        };
    }
    Some(match (form.ty(), larger) {
        (F32, true) => instance!(true),
        (F32, false) => instance!(false),
        (F64, true) => binary_each(|a: f64, b: f64| pick(a, b, true, false)),
        (F64, false) => binary_each(|a: f64, b: f64| pick(a, b, false, false)),
        _ => return None,
    })
}

/// `min`
pub(crate) fn min(form: &Form<'_>) -> Option<Exec> {
    extreme(form, false)
}

/// `max`
pub(crate) fn max(form: &Form<'_>) -> Option<Exec> {
    extreme(form, true)
}

/// A function of one single, computed in double precision.
macro_rules! single {
    ($form:expr, |$a:ident| $body:expr) => {
        if $form.has("ftz") {
            unary_each(|a: f32| {
                let $a = f64::from(flush(a));
                flush(to_f32($body, Round::Nearest))
            })
        } else {
            unary_each(|a: f32| {
                let $a = f64::from(a);
                to_f32($body, Round::Nearest)
            })
        }
    };
}

/// `rcp`
pub(crate) fn rcp(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        F32 if nearest(form) => Some(single!(form, |a| 1.0 / a)),
        F32 if form.has("ftz") => {
            by_mode!(form, |M| unary_each(|a: f32| flush(to_f32(div_odd(1.0, flush(a).into()), M))))
        }
        F32 => by_mode!(form, |M| unary_each(|a: f32| to_f32(div_odd(1.0, a.into()), M))),
        // Only the upper 32 bits count, and subnormals are flushed.
        F64 if form.has("approx") => Some(unary_each(|a: f64| {
            let a = if a.is_subnormal() { 0f64.copysign(a) } else { a };
            let high = |value: f64| f64::from_bits(value.to_bits() & !0xffff_ffff);
            let value = high(1.0 / high(a));
            if value.is_subnormal() { 0f64.copysign(value) } else { value }
        })),
        F64 => by_mode!(form, |M| unary_each(|a: f64| {
            if M == Round::Nearest { 1.0 / a } else { div_f64(1.0, a, M) }
        })),
        _ => None,
    }
}

/// `sqrt`
pub(crate) fn sqrt(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        F32 if nearest(form) => Some(single!(form, |a| a.sqrt())),
        F32 if form.has("ftz") => {
            by_mode!(form, |M| unary_each(|a: f32| flush(to_f32(sqrt_odd(flush(a).into()), M))))
        }
        F32 => by_mode!(form, |M| unary_each(|a: f32| to_f32(sqrt_odd(a.into()), M))),
        F64 => by_mode!(form, |M| unary_each(|a: f64| sqrt_f64(a, M))),
        _ => None,
    }
}

/// `rsqrt.approx`
pub(crate) fn rsqrt(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        F32 => Some(single!(form, |a| 1.0 / a.sqrt())),
        F64 => Some(unary(|a: f64| 1.0 / a.sqrt())),
        _ => None,
    }
}

/// `sin.approx`
pub(crate) fn sin(form: &Form<'_>) -> Option<Exec> {
    Some(single!(form, |a| a.sin()))
}

/// `cos.approx`
pub(crate) fn cos(form: &Form<'_>) -> Option<Exec> {
    Some(single!(form, |a| a.cos()))
}

/// `lg2.approx`
pub(crate) fn lg2(form: &Form<'_>) -> Option<Exec> {
    Some(single!(form, |a| a.log2()))
}

/// `ex2.approx`
pub(crate) fn ex2(form: &Form<'_>) -> Option<Exec> {
    Some(single!(form, |a| a.exp2()))
}

/// `tanh.approx`
pub(crate) fn tanh(form: &Form<'_>) -> Option<Exec> {
    Some(single!(form, |a| a.tanh()))
}

/// `testp`
pub(crate) fn testp(form: &Form<'_>) -> Option<Exec> {
    fn exec(context: &mut Context<'_>, inst: &Inst, mask: u32, single: bool, what: usize) -> Flow {
        // Widening keeps everything but subnormality.
        let test = |value: f64, subnormal: bool| match what {
            0 => value.is_finite(),
            1 => value.is_infinite(),
            2 => !value.is_nan(),
            3 => value.is_nan(),
            // Zeros count as normal.
            4 => value.is_finite() && !subnormal,
            _ => subnormal,
        };
        let result = if single {
            test_mask::<f32>(context, inst.a, |a| test(a.into(), a.is_subnormal()))
        } else {
            test_mask::<f64>(context, inst.a, |a| test(a, a.is_subnormal()))
        };
        context.set_predicate(inst.d, mask & FULL, result);
        Flow::Next
    }
    macro_rules! kinds {
        ($single:literal) => {
            match *form.words().first()? {
                "finite" => |c, i, m| exec(c, i, m, $single, 0),
                "infinite" => |c, i, m| exec(c, i, m, $single, 1),
                "number" => |c, i, m| exec(c, i, m, $single, 2),
                "notanumber" => |c, i, m| exec(c, i, m, $single, 3),
                "normal" => |c, i, m| exec(c, i, m, $single, 4),
                "subnormal" => |c, i, m| exec(c, i, m, $single, 5),
                _ => return None,
            }
        };
    }
    Some(if form.ty() == F32 { kinds!(true) } else { kinds!(false) })
}
