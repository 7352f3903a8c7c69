//! Extended-precision integer arithmetic (PTX ISA, section 9.7.2). The carry of a thread is a register
//! of its warp. A subtraction adds the complement, so it leaves a carry where nothing was borrowed: NVIDIA's
//! division of 128 bits reads it by `addc`.

// The same code serves both widths.
#![allow(clippy::useless_conversion)]

use crate::exec::context::{Context, Flow, Lane, for_lanes};
use crate::exec::program::{Exec, Inst};
use crate::ptx::form::Form;

/// `d = f(a, b, c, carry)` with a new carry. `keep` says whether the carry is written.
#[inline(always)]
fn with_carry<T: Lane>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    keep: bool,
    f: impl Fn(T, T, T, bool) -> (T, bool),
) -> Flow {
    let old = context.warp.carry;
    let mut new = old;
    for_lanes(mask, |lane| {
        let at = lane as u32;
        let c = if inst.c == crate::exec::program::NONE {
            T::default()
        } else {
            context.get(inst.c, at)
        };
        let (value, carry) =
            f(context.get(inst.a, at), context.get(inst.b, at), c, old >> lane & 1 == 1);
        context.set(inst.d, at, value);
        new = (new & !(1 << lane)) | u32::from(carry) << lane;
    });
    if keep {
        context.warp.carry = new;
    }
    Flow::Next
}

macro_rules! carrying {
    ($form:expr, $keep:expr, |$a:ident: $t:ident, $b:ident, $c:ident, $carry:ident| $body:expr) => {
        match ($form.ty().size(), $keep) {
            (4, true) => {
                type $t = u32;
                Some(
                    (|x, i, m| with_carry::<u32>(x, i, m, true, |$a: $t, $b, $c, $carry| $body))
                        as Exec,
                )
            }
            (4, false) => {
                type $t = u32;
                Some(
                    (|x, i, m| with_carry::<u32>(x, i, m, false, |$a: $t, $b, $c, $carry| $body))
                        as Exec,
                )
            }
            (8, true) => {
                type $t = u64;
                Some(
                    (|x, i, m| with_carry::<u64>(x, i, m, true, |$a: $t, $b, $c, $carry| $body))
                        as Exec,
                )
            }
            (8, false) => {
                type $t = u64;
                Some(
                    (|x, i, m| with_carry::<u64>(x, i, m, false, |$a: $t, $b, $c, $carry| $body))
                        as Exec,
                )
            }
            _ => None,
        }
    };
}

/// `add.cc`
pub(crate) fn add_cc(form: &Form<'_>) -> Option<Exec> {
    carrying!(form, true, |a: T, b, _c, _carry| a.overflowing_add(b))
}

/// `addc{.cc}`
pub(crate) fn addc(form: &Form<'_>) -> Option<Exec> {
    carrying!(form, form.has("cc"), |a: T, b, _c, carry| {
        let (sum, first) = a.overflowing_add(b);
        let (sum, second) = sum.overflowing_add(T::from(carry));
        (sum, first | second)
    })
}

/// `sub.cc`
pub(crate) fn sub_cc(form: &Form<'_>) -> Option<Exec> {
    carrying!(form, true, |a: T, b, _c, _carry| {
        let (rest, borrow) = a.overflowing_sub(b);
        (rest, !borrow)
    })
}

/// `subc{.cc}`
pub(crate) fn subc(form: &Form<'_>) -> Option<Exec> {
    carrying!(form, form.has("cc"), |a: T, b, _c, carry| {
        let (rest, first) = a.overflowing_sub(b);
        let (rest, second) = rest.overflowing_sub(T::from(!carry));
        (rest, !(first | second))
    })
}

/// The low or high half of a product.
fn product(a: u64, b: u64, bits: u32, high: bool, signed: bool) -> u64 {
    let wide = |value: u64| match (bits, signed) {
        (32, true) => i128::from(value as u32 as i32),
        (_, true) => i128::from(value as i64),
        (_, false) => i128::from(value),
    };
    let product = (wide(a) as u128).wrapping_mul(wide(b) as u128);
    (if high { product >> bits } else { product }) as u64
}

/// `mad.lo.cc` and `mad.hi.cc`
pub(crate) fn mad_cc(form: &Form<'_>) -> Option<Exec> {
    let signed = form.ty().kind() == crate::ptx::types::Kind::Signed;
    match (form.has("hi"), signed) {
        (false, _) => {
            carrying!(form, true, |a: T, b, c, _carry| { a.wrapping_mul(b).overflowing_add(c) })
        }
        (true, false) => carrying!(form, true, |a: T, b, c, _carry| {
            (product(a.into(), b.into(), T::BITS, true, false) as T).overflowing_add(c)
        }),
        (true, true) => carrying!(form, true, |a: T, b, c, _carry| {
            (product(a.into(), b.into(), T::BITS, true, true) as T).overflowing_add(c)
        }),
    }
}

/// `madc.lo{.cc}` and `madc.hi{.cc}`
pub(crate) fn madc(form: &Form<'_>) -> Option<Exec> {
    let signed = form.ty().kind() == crate::ptx::types::Kind::Signed;
    let keep = form.has("cc");
    match (form.has("hi"), signed) {
        (false, _) => carrying!(form, keep, |a: T, b, c, carry| {
            let (sum, first) = a.wrapping_mul(b).overflowing_add(c);
            let (sum, second) = sum.overflowing_add(T::from(carry));
            (sum, first | second)
        }),
        (true, false) => carrying!(form, keep, |a: T, b, c, carry| {
            let (sum, first) =
                (product(a.into(), b.into(), T::BITS, true, false) as T).overflowing_add(c);
            let (sum, second) = sum.overflowing_add(T::from(carry));
            (sum, first | second)
        }),
        (true, true) => carrying!(form, keep, |a: T, b, c, carry| {
            let (sum, first) =
                (product(a.into(), b.into(), T::BITS, true, true) as T).overflowing_add(c);
            let (sum, second) = sum.overflowing_add(T::from(carry));
            (sum, first | second)
        }),
    }
}
