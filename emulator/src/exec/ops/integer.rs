//! Integer arithmetic, logic and shifts (PTX ISA, sections 9.7.1, 9.7.2 and 9.7.8).

use super::lanes::{binary, binary_each, ternary, ternary_each, unary, unary_each};
use super::memory::Truncate;
use crate::exec::context::{Context, Flow, Lane, for_lanes};
use crate::exec::program::{Exec, Inst};
use crate::ptx::form::Form;
use crate::ptx::types::Type::{self, *};

/// Picks the instance of a generic semantic function for the type of an instruction.
macro_rules! by_type {
    ($ty:expr, $($pattern:pat => $lane:ty),+ ; |$t:ident| $body:expr) => {
        match $ty { $($pattern => { type $t = $lane; Some($body) })+ _ => None }
    };
}

/// The same code for each integer type.
macro_rules! integers {
    ($form:expr, |$t:ident| $body:expr) => {
        by_type!($form.ty(), U16 => u16, U32 => u32, U64 => u64, S16 => i16, S32 => i32, S64 => i64;
            |$t| $body)
    };
}

/// The same code for each size of untyped bits.
macro_rules! bits {
    ($form:expr, |$t:ident| $body:expr) => {
        match $form.ty().size() {
            2 => {
                type $t = u16;
                Some($body)
            }
            4 => {
                type $t = u32;
                Some($body)
            }
            8 => {
                type $t = u64;
                Some($body)
            }
            _ => None,
        }
    };
}

/// `add{.sat}`: only `.s32` saturates.
pub(crate) fn add(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        S32 if form.has("sat") => Some(binary(i32::saturating_add)),
        U16x2 | S16x2 => Some(binary(|a: u32, b: u32| halves(a, b, u16::wrapping_add))),
        _ => bits!(form, |T| binary(|a: T, b: T| a.wrapping_add(b))),
    }
}

/// `sub{.sat}`
pub(crate) fn sub(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        S32 if form.has("sat") => Some(binary(i32::saturating_sub)),
        _ => bits!(form, |T| binary(|a: T, b: T| a.wrapping_sub(b))),
    }
}

fn halves(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

/// `mul{.lo}`
pub(crate) fn mul_lo(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| binary(|a: T, b: T| a.wrapping_mul(b)))
}

/// `mul.hi`
pub(crate) fn mul_hi(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        U16 => binary_each(|a: u16, b: u16| ((u32::from(a) * u32::from(b)) >> 16) as u16),
        S16 => binary_each(|a: i16, b: i16| ((i32::from(a) * i32::from(b)) >> 16) as i16),
        U32 => binary_each(mul_hi_u32),
        S32 => binary_each(mul_hi_s32),
        U64 => binary_each(mul_hi_u64),
        S64 => binary_each(mul_hi_s64),
        _ => return None,
    })
}

fn mul_hi_u32(a: u32, b: u32) -> u32 {
    ((u64::from(a) * u64::from(b)) >> 32) as u32
}

fn mul_hi_s32(a: i32, b: i32) -> i32 {
    ((i64::from(a) * i64::from(b)) >> 32) as i32
}

fn mul_hi_u64(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 64) as u64
}

fn mul_hi_s64(a: i64, b: i64) -> i64 {
    ((i128::from(a) * i128::from(b)) >> 64) as i64
}

/// `mul.wide`
pub(crate) fn mul_wide(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        U16 => binary(|a: u16, b: u16| u32::from(a) * u32::from(b)),
        S16 => binary(|a: i16, b: i16| i32::from(a) * i32::from(b)),
        U32 => binary(|a: u32, b: u32| u64::from(a) * u64::from(b)),
        S32 => binary(|a: i32, b: i32| i64::from(a) * i64::from(b)),
        _ => return None,
    })
}

/// `mad.lo`
pub(crate) fn mad_lo(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| ternary(|a: T, b: T, c: T| a.wrapping_mul(b).wrapping_add(c)))
}

/// `mad.hi{.sat}`
pub(crate) fn mad_hi(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        S32 if form.has("sat") => {
            ternary_each(|a: i32, b: i32, c: i32| mul_hi_s32(a, b).saturating_add(c))
        }
        U16 => ternary_each(|a: u16, b: u16, c: u16| {
            (((u32::from(a) * u32::from(b)) >> 16) as u16).wrapping_add(c)
        }),
        S16 => ternary_each(|a: i16, b: i16, c: i16| {
            (((i32::from(a) * i32::from(b)) >> 16) as i16).wrapping_add(c)
        }),
        U32 => ternary_each(|a: u32, b: u32, c: u32| mul_hi_u32(a, b).wrapping_add(c)),
        S32 => ternary_each(|a: i32, b: i32, c: i32| mul_hi_s32(a, b).wrapping_add(c)),
        U64 => ternary_each(|a: u64, b: u64, c: u64| mul_hi_u64(a, b).wrapping_add(c)),
        S64 => ternary_each(|a: i64, b: i64, c: i64| mul_hi_s64(a, b).wrapping_add(c)),
        _ => return None,
    })
}

/// `mad.wide`
pub(crate) fn mad_wide(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        U16 => ternary(|a: u16, b: u16, c: u32| (u32::from(a) * u32::from(b)).wrapping_add(c)),
        S16 => ternary(|a: i16, b: i16, c: i32| (i32::from(a) * i32::from(b)).wrapping_add(c)),
        U32 => ternary(|a: u32, b: u32, c: u64| (u64::from(a) * u64::from(b)).wrapping_add(c)),
        S32 => ternary(|a: i32, b: i32, c: i64| (i64::from(a) * i64::from(b)).wrapping_add(c)),
        _ => return None,
    })
}

fn low_24_signed(value: i32) -> i64 {
    i64::from(value << 8 >> 8)
}

fn low_24(value: u32) -> u64 {
    u64::from(value & 0xff_ffff)
}

/// `mul24.lo` and `mul24.hi`
pub(crate) fn mul24(form: &Form<'_>) -> Option<Exec> {
    Some(match (form.ty(), form.has("hi")) {
        (U32, false) => binary_each(|a: u32, b: u32| (low_24(a) * low_24(b)) as u32),
        (U32, true) => binary_each(|a: u32, b: u32| ((low_24(a) * low_24(b)) >> 16) as u32),
        (S32, false) => binary_each(|a: i32, b: i32| (low_24_signed(a) * low_24_signed(b)) as i32),
        (S32, true) => {
            binary_each(|a: i32, b: i32| ((low_24_signed(a) * low_24_signed(b)) >> 16) as i32)
        }
        _ => return None,
    })
}

/// `mad24.lo` and `mad24.hi{.sat}`
pub(crate) fn mad24(form: &Form<'_>) -> Option<Exec> {
    Some(match (form.ty(), form.has("hi")) {
        (U32, false) => {
            ternary_each(|a: u32, b: u32, c: u32| ((low_24(a) * low_24(b)) as u32).wrapping_add(c))
        }
        (U32, true) => ternary_each(|a: u32, b: u32, c: u32| {
            ((low_24(a) * low_24(b)) >> 16).wrapping_add(c.into()) as u32
        }),
        (S32, false) => ternary_each(|a: i32, b: i32, c: i32| {
            ((low_24_signed(a) * low_24_signed(b)) as i32).wrapping_add(c)
        }),
        (S32, true) if form.has("sat") => ternary_each(|a: i32, b: i32, c: i32| {
            (((low_24_signed(a) * low_24_signed(b)) >> 16) as i32).saturating_add(c)
        }),
        (S32, true) => ternary_each(|a: i32, b: i32, c: i32| {
            (((low_24_signed(a) * low_24_signed(b)) >> 16) as i32).wrapping_add(c)
        }),
        _ => return None,
    })
}

/// `div`: by zero gives all ones, as hardware does.
pub(crate) fn div(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        U16 => binary_each(|a: u16, b: u16| a.checked_div(b).unwrap_or(u16::MAX)),
        U32 => binary_each(|a: u32, b: u32| a.checked_div(b).unwrap_or(u32::MAX)),
        U64 => binary_each(|a: u64, b: u64| a.checked_div(b).unwrap_or(u64::MAX)),
        S16 => binary_each(|a: i16, b: i16| if b == 0 { -1 } else { a.wrapping_div(b) }),
        S32 => binary_each(|a: i32, b: i32| if b == 0 { -1 } else { a.wrapping_div(b) }),
        S64 => binary_each(|a: i64, b: i64| if b == 0 { -1 } else { a.wrapping_div(b) }),
        _ => return None,
    })
}

/// `rem`: by zero gives the dividend.
pub(crate) fn rem(form: &Form<'_>) -> Option<Exec> {
    integers!(form, |T| binary_each(|a: T, b: T| if b == 0 { a } else { a.wrapping_rem(b) }))
}

/// `min`
pub(crate) fn min(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        U16x2 => Some(binary(|a: u32, b: u32| halves(a, b, u16::min))),
        S16x2 if form.has("relu") => Some(binary(|a: u32, b: u32| {
            halves(a, b, |x, y| (x as i16).min(y as i16).max(0) as u16)
        })),
        S16x2 => {
            Some(binary(|a: u32, b: u32| halves(a, b, |x, y| (x as i16).min(y as i16) as u16)))
        }
        S32 if form.has("relu") => Some(binary(|a: i32, b: i32| a.min(b).max(0))),
        _ => integers!(form, |T| binary(|a: T, b: T| if a < b { a } else { b })),
    }
}

/// `max`
pub(crate) fn max(form: &Form<'_>) -> Option<Exec> {
    match form.ty() {
        U16x2 => Some(binary(|a: u32, b: u32| halves(a, b, u16::max))),
        S16x2 if form.has("relu") => Some(binary(|a: u32, b: u32| {
            halves(a, b, |x, y| (x as i16).max(y as i16).max(0) as u16)
        })),
        S16x2 => {
            Some(binary(|a: u32, b: u32| halves(a, b, |x, y| (x as i16).max(y as i16) as u16)))
        }
        S32 if form.has("relu") => Some(binary(|a: i32, b: i32| a.max(b).max(0))),
        _ => integers!(form, |T| binary(|a: T, b: T| if a > b { a } else { b })),
    }
}

/// `sad`: `c + |a - b|`
pub(crate) fn sad(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        U16 => ternary_each(|a: u16, b: u16, c: u16| c.wrapping_add(a.abs_diff(b))),
        U32 => ternary_each(|a: u32, b: u32, c: u32| c.wrapping_add(a.abs_diff(b))),
        U64 => ternary_each(|a: u64, b: u64, c: u64| c.wrapping_add(a.abs_diff(b))),
        S16 => ternary_each(|a: i16, b: i16, c: i16| c.wrapping_add(a.abs_diff(b) as i16)),
        S32 => ternary_each(|a: i32, b: i32, c: i32| c.wrapping_add(a.abs_diff(b) as i32)),
        S64 => ternary_each(|a: i64, b: i64, c: i64| c.wrapping_add(a.abs_diff(b) as i64)),
        _ => return None,
    })
}

/// `abs`
pub(crate) fn abs(form: &Form<'_>) -> Option<Exec> {
    by_type!(form.ty(), S16 => i16, S32 => i32, S64 => i64; |T| unary(|a: T| a.wrapping_abs()))
}

/// `neg`
pub(crate) fn neg(form: &Form<'_>) -> Option<Exec> {
    by_type!(form.ty(), S16 => i16, S32 => i32, S64 => i64; |T| unary(|a: T| a.wrapping_neg()))
}

/// `popc`
pub(crate) fn popc(form: &Form<'_>) -> Option<Exec> {
    by_type!(form.ty(), B32 => u32, B64 => u64; |T| unary(|a: T| a.count_ones()))
}

/// `clz`
pub(crate) fn clz(form: &Form<'_>) -> Option<Exec> {
    by_type!(form.ty(), B32 => u32, B64 => u64; |T| unary(|a: T| a.leading_zeros()))
}

/// `brev`
pub(crate) fn brev(form: &Form<'_>) -> Option<Exec> {
    by_type!(form.ty(), B32 => u32, B64 => u64; |T| unary(|a: T| a.reverse_bits()))
}

/// `bfind{.shiftamt}`: position of the most significant bit that is not a sign bit; all ones if there
/// is none.
pub(crate) fn bfind(form: &Form<'_>) -> Option<Exec> {
    fn find(value: u64, bits: u32, shift: bool) -> u32 {
        if value == 0 {
            return u32::MAX;
        }
        let position = 63 - value.leading_zeros();
        if shift { bits - 1 - position } else { position }
    }
    Some(match (form.ty(), form.has("shiftamt")) {
        (U32, false) => unary_each(|a: u32| find(a.into(), 32, false)),
        (U32, true) => unary_each(|a: u32| find(a.into(), 32, true)),
        (S32, false) => unary_each(|a: i32| find(((a ^ (a >> 31)) as u32).into(), 32, false)),
        (S32, true) => unary_each(|a: i32| find(((a ^ (a >> 31)) as u32).into(), 32, true)),
        (U64, false) => unary_each(|a: u64| find(a, 64, false)),
        (U64, true) => unary_each(|a: u64| find(a, 64, true)),
        (S64, false) => unary_each(|a: i64| find((a ^ (a >> 63)) as u64, 64, false)),
        (S64, true) => unary_each(|a: i64| find((a ^ (a >> 63)) as u64, 64, true)),
        _ => return None,
    })
}

/// `fns`: position of the n-th set bit from a base, upwards or downwards.
pub(crate) fn fns(_: &Form<'_>) -> Option<Exec> {
    Some(ternary_each(|mask: u32, base: u32, offset: i32| {
        if base > 31 {
            return u32::MAX;
        }
        let matching = |position: u32| mask >> position & 1 == 1;
        let nth = offset.unsigned_abs().saturating_sub(1) as usize;
        let found = match offset {
            0 => matching(base).then_some(base),
            1.. => (base..32).filter(|&p| matching(p)).nth(nth),
            _ => (0..=base).rev().filter(|&p| matching(p)).nth(nth),
        };
        found.unwrap_or(u32::MAX)
    }))
}

/// `bfe`: `c` bits of `a` from bit `b`; the rest zero, or copies of the field's (or value's) top bit.
pub(crate) fn bfe(form: &Form<'_>) -> Option<Exec> {
    fn extract(a: u64, position: u32, length: u32, bits: u32, signed: bool) -> u64 {
        let (position, length) = (position & 255, length & 255);
        if length == 0 {
            return 0;
        }
        let top = (position + length - 1).min(bits - 1);
        let sign = signed && a >> top & 1 == 1;
        let field = if position >= bits { 0 } else { a >> position };
        let kept = length.min(bits.saturating_sub(position));
        let keep = if kept >= 64 { u64::MAX } else { (1 << kept) - 1 };
        if sign { field | !keep } else { field & keep }
    }
    Some(match form.ty() {
        U32 => ternary_each(|a: u32, b: u32, c: u32| extract(a.into(), b, c, 32, false) as u32),
        S32 => ternary_each(|a: u32, b: u32, c: u32| extract(a.into(), b, c, 32, true) as u32),
        U64 => ternary_each(|a: u64, b: u32, c: u32| extract(a, b, c, 64, false)),
        S64 => ternary_each(|a: u64, b: u32, c: u32| extract(a, b, c, 64, true)),
        _ => return None,
    })
}

/// `bfi d, a, b, c, e`: `e` low bits of `a` put into `b` at bit `c`.
pub(crate) fn bfi(form: &Form<'_>) -> Option<Exec> {
    fn exec<T: Lane + Into<u64> + Truncate>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        for_lanes(mask, |lane| {
            let lane = lane as u32;
            let (a, b) = (context.get::<T>(inst.a, lane), context.get::<T>(inst.b, lane));
            let (position, length) =
                (context.get(inst.c, lane), context.get(inst.imm as u32, lane));
            let bits = 8 * size_of::<T>() as u32;
            let value = insert_bits(a.into(), b.into(), position, length, bits);
            context.set(inst.d, lane, T::truncate(value));
        });
        Flow::Next
    }
    Some(if form.ty().size() == 4 { exec::<u32> } else { exec::<u64> })
}

/// Puts `length` low bits of `a` into `b` at `position`.
fn insert_bits(a: u64, b: u64, position: u32, length: u32, bits: u32) -> u64 {
    let (position, length) = (position & 255, length & 255);
    if position >= bits || length == 0 {
        return b;
    }
    let length = length.min(bits - position);
    let field = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    (b & !(field << position)) | (a & field) << position
}

/// `szext{.clamp|.wrap}`
pub(crate) fn szext(form: &Form<'_>) -> Option<Exec> {
    fn extend(a: u32, n: u32, signed: bool) -> u32 {
        match n {
            0 => 0,
            1..=31 if signed => ((a << (32 - n)) as i32 >> (32 - n)) as u32,
            1..=31 => a & ((1 << n) - 1),
            _ => a,
        }
    }
    Some(match (form.ty(), form.has("wrap")) {
        (U32, true) => binary_each(|a: u32, b: u32| extend(a, b & 31, false)),
        (S32, true) => binary_each(|a: u32, b: u32| extend(a, b & 31, true)),
        (U32, false) => binary_each(|a: u32, b: u32| extend(a, b, false)),
        (S32, false) => binary_each(|a: u32, b: u32| extend(a, b, true)),
        _ => return None,
    })
}

/// `bmsk{.clamp|.wrap}`: `b` ones from bit `a`.
pub(crate) fn bmsk(form: &Form<'_>) -> Option<Exec> {
    fn mask(a: u32, b: u32) -> u32 {
        if a >= 32 || b == 0 { 0 } else { (u32::MAX >> (32 - b.min(32))) << a }
    }
    Some(if form.has("wrap") {
        binary_each(|a: u32, b: u32| mask(a & 31, b & 31))
    } else {
        binary_each(|a: u32, b: u32| mask(a, b))
    })
}

/// `dp4a`: sum of four products of bytes, plus `c`. The modifiers say which operand is signed.
pub(crate) fn dp4a(form: &Form<'_>) -> Option<Exec> {
    fn dot(a: u32, b: u32, c: u32, a_signed: bool, b_signed: bool) -> u32 {
        let byte = |value: u32, index: u32, signed: bool| {
            let byte = (value >> (8 * index)) as u8;
            if signed { i32::from(byte as i8) } else { i32::from(byte) }
        };
        (0..4).fold(c, |sum, i| {
            sum.wrapping_add((byte(a, i, a_signed) * byte(b, i, b_signed)) as u32)
        })
    }
    Some(match form.types() {
        [U32, U32] => ternary_each(|a: u32, b: u32, c: u32| dot(a, b, c, false, false)),
        [U32, S32] => ternary_each(|a: u32, b: u32, c: u32| dot(a, b, c, false, true)),
        [S32, U32] => ternary_each(|a: u32, b: u32, c: u32| dot(a, b, c, true, false)),
        [S32, S32] => ternary_each(|a: u32, b: u32, c: u32| dot(a, b, c, true, true)),
        _ => return None,
    })
}

/// `dp2a.lo|.hi`: two products of a half of `a` with a byte of `b`'s low or high half, plus `c`.
pub(crate) fn dp2a(form: &Form<'_>) -> Option<Exec> {
    fn dot<const A: bool, const B: bool, const HIGH: bool>(a: u32, b: u32, c: u32) -> u32 {
        let b = if HIGH { b >> 16 } else { b };
        (0..2).fold(c, |sum, index| {
            let half = (a >> (16 * index)) as u16;
            let byte = (b >> (8 * index)) as u8;
            let half = if A { i64::from(half as i16) } else { i64::from(half) };
            let byte = if B { i64::from(byte as i8) } else { i64::from(byte) };
            sum.wrapping_add((half * byte) as u32)
        })
    }
    Some(match (form.types(), form.has("hi")) {
        ([U32, U32], false) => ternary_each(dot::<false, false, false>),
        ([U32, S32], false) => ternary_each(dot::<false, true, false>),
        ([S32, U32], false) => ternary_each(dot::<true, false, false>),
        ([S32, S32], false) => ternary_each(dot::<true, true, false>),
        ([U32, U32], true) => ternary_each(dot::<false, false, true>),
        ([U32, S32], true) => ternary_each(dot::<false, true, true>),
        ([S32, U32], true) => ternary_each(dot::<true, false, true>),
        ([S32, S32], true) => ternary_each(dot::<true, true, true>),
        _ => return None,
    })
}

/// `and`, `or`, `xor`, `not`, `cnot` of bits; those of predicates are in `logic`.
pub(crate) fn and(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| binary(|a: T, b: T| a & b))
}

pub(crate) fn or(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| binary(|a: T, b: T| a | b))
}

pub(crate) fn xor(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| binary(|a: T, b: T| a ^ b))
}

pub(crate) fn not(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| unary(|a: T| !a))
}

pub(crate) fn cnot(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| unary(|a: T| T::from(a == 0)))
}

/// `shl`: amounts beyond the width give 0.
pub(crate) fn shl(form: &Form<'_>) -> Option<Exec> {
    bits!(form, |T| binary(|a: T, n: u32| if n < T::BITS { a << (n & (T::BITS - 1)) } else { 0 }))
}

/// `shr`: amounts beyond the width give 0, or copies of the sign.
pub(crate) fn shr(form: &Form<'_>) -> Option<Exec> {
    Some(match form.ty() {
        S16 => binary(|a: i16, n: u32| a >> n.min(15)),
        S32 => binary(|a: i32, n: u32| a >> n.min(31)),
        S64 => binary(|a: i64, n: u32| a >> n.min(63)),
        _ => {
            return bits!(form, |T| binary(|a: T, n: u32| {
                if n < T::BITS { a >> (n & (T::BITS - 1)) } else { 0 }
            }));
        }
    })
}

/// `shf.l|.r.wrap|.clamp`: funnel shift of `b:a`.
pub(crate) fn shf(form: &Form<'_>) -> Option<Exec> {
    fn left(a: u32, b: u32, n: u32) -> u32 {
        (((u64::from(b) << 32 | u64::from(a)) << n) >> 32) as u32
    }
    fn right(a: u32, b: u32, n: u32) -> u32 {
        ((u64::from(b) << 32 | u64::from(a)) >> n) as u32
    }
    Some(match (form.has("l"), form.has("wrap")) {
        (true, true) => ternary(|a: u32, b: u32, c: u32| left(a, b, c & 31)),
        (true, false) => ternary(|a: u32, b: u32, c: u32| left(a, b, c.min(32))),
        (false, true) => ternary(|a: u32, b: u32, c: u32| right(a, b, c & 31)),
        (false, false) => ternary(|a: u32, b: u32, c: u32| right(a, b, c.min(32))),
    })
}

/// `prmt`: bytes of `b:a` picked by `c`, in one of the modes.
pub(crate) fn prmt(form: &Form<'_>) -> Option<Exec> {
    fn pick(a: u32, b: u32, selector: impl Fn(u32) -> u32) -> u32 {
        let bytes = u64::from(b) << 32 | u64::from(a);
        (0..4).fold(0, |out, index| {
            let select = selector(index);
            let byte = (bytes >> (8 * (select & 7))) as u8;
            let byte = if select & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte };
            out | u32::from(byte) << (8 * index)
        })
    }
    let mode = form.words().iter().find(|word| Type::from_name(word).is_none());
    Some(match mode.copied() {
        None => ternary_each(|a: u32, b: u32, c: u32| pick(a, b, |i| c >> (4 * i) & 15)),
        Some("f4e") => ternary_each(|a: u32, b: u32, c: u32| pick(a, b, |i| ((c & 3) + i) & 7)),
        Some("b4e") => {
            ternary_each(|a: u32, b: u32, c: u32| pick(a, b, |i| (c & 3).wrapping_sub(i) & 7))
        }
        Some("rc8") => ternary_each(|a: u32, b: u32, c: u32| pick(a, b, |_| c & 3)),
        Some("ecl") => ternary_each(|a: u32, b: u32, c: u32| pick(a, b, |i| i.max(c & 3))),
        Some("ecr") => ternary_each(|a: u32, b: u32, c: u32| pick(a, b, |i| i.min(c & 3))),
        Some("rc16") => {
            ternary_each(|a: u32, b: u32, c: u32| pick(a, b, |i| (c & 1) * 2 + (i & 1)))
        }
        _ => return None,
    })
}
