//! Operations on 16-bit floats by their bits: an instruction where the architecture has it, else software.

#[cfg(ptyx_device)]
use crate::arch_at_least;
use crate::format::{BF16, F16, Format, Round, add_to_odd};
#[cfg(ptyx_device)]
use crate::intrinsics;
use crate::math::fast;

/// Implemented by the types that [`super::Half`] is for, and by no other crate's.
#[doc(hidden)]
pub trait Sealed {}

/// Rows: the least architecture that has the intrinsic of the same name, and what is done without it, on
/// the host, too.
macro_rules! operations {
    ($($least:literal fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $else:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $name($($argument: $type),*) -> $result {
            #[cfg(ptyx_device)]
            if arch_at_least!($least) {
                // SAFETY: only computes.
                return unsafe { intrinsics::$name($($argument),*) };
            }
            $else
        }
    )*};
}

operations! {
    70 fn f16_from_f32(x: f32) -> u16 = round(F16, x.into());
    70 fn f16_from_f32_rz(x: f32) -> u16 = F16.round(x.into(), Round::Zero) as u16;
    70 fn f16_from_f32_ru(x: f32) -> u16 = F16.round(x.into(), Round::Up) as u16;
    70 fn f16_from_f32_rd(x: f32) -> u16 = F16.round(x.into(), Round::Down) as u16;
    70 fn f16_to_f32(x: u16) -> f32 = F16.value(x.into()) as f32;
    70 fn f16_eq(a: u16, b: u16) -> u32 = (F16.value(a.into()) == F16.value(b.into())).into();
    70 fn f16_lt(a: u16, b: u16) -> u32 = (F16.value(a.into()) < F16.value(b.into())).into();
    70 fn f16_le(a: u16, b: u16) -> u32 = (F16.value(a.into()) <= F16.value(b.into())).into();
    70 fn f16_add_sat(a: u16, b: u16) -> u16 = saturate(F16, add(F16, a, b));
    70 fn f16_sub_sat(a: u16, b: u16) -> u16 = saturate(F16, add(F16, a, b ^ 0x8000));
    70 fn f16_mul_sat(a: u16, b: u16) -> u16 = saturate(F16, mul(F16, a, b));
    70 fn f16_fma(a: u16, b: u16, c: u16) -> u16 = fma(F16, a, b, c);
    70 fn f16_fma_sat(a: u16, b: u16, c: u16) -> u16 = saturate(F16, fma(F16, a, b, c));
    80 fn f16_fma_relu(a: u16, b: u16, c: u16) -> u16 = relu(F16, f16_fma(a, b, c));
    80 fn f16_min(a: u16, b: u16) -> u16 = pick(F16, a, b, false, false);
    80 fn f16_max(a: u16, b: u16) -> u16 = pick(F16, a, b, true, false);
    80 fn f16_min_nan(a: u16, b: u16) -> u16 = pick(F16, a, b, false, true);
    80 fn f16_max_nan(a: u16, b: u16) -> u16 = pick(F16, a, b, true, true);
    75 fn f16_ex2(x: u16) -> u16 = f16_from_f32(fast::exp2(f16_to_f32(x)));
    75 fn f16_tanh(x: u16) -> u16 = f16_from_f32(tanh_approx(f16_to_f32(x)));

    80 fn bf16_from_f32(x: f32) -> u16 = round(BF16, x.into());
    80 fn bf16_from_f32_rz(x: f32) -> u16 = BF16.round(x.into(), Round::Zero) as u16;
    90 fn bf16_from_f32_ru(x: f32) -> u16 = BF16.round(x.into(), Round::Up) as u16;
    90 fn bf16_from_f32_rd(x: f32) -> u16 = BF16.round(x.into(), Round::Down) as u16;
    80 fn bf16_fma(a: u16, b: u16, c: u16) -> u16 = fma(BF16, a, b, c);
    80 fn bf16_fma_relu(a: u16, b: u16, c: u16) -> u16 = relu(BF16, bf16_fma(a, b, c));
    80 fn bf16_min(a: u16, b: u16) -> u16 = pick(BF16, a, b, false, false);
    80 fn bf16_max(a: u16, b: u16) -> u16 = pick(BF16, a, b, true, false);
    80 fn bf16_min_nan(a: u16, b: u16) -> u16 = pick(BF16, a, b, false, true);
    80 fn bf16_max_nan(a: u16, b: u16) -> u16 = pick(BF16, a, b, true, true);
    90 fn bf16_ex2(x: u16) -> u16 = bf16_from_f32(fast::exp2(bf16_to_f32(x)));
    90 fn bf16_tanh(x: u16) -> u16 = bf16_from_f32(tanh_approx(bf16_to_f32(x)));

    75 fn tanh_approx(x: f32) -> f32 = libm::tanhf(x);

    80 fn f16x2_from_f32_rn(high: f32, low: f32) -> u32 = join(f16_from_f32(low), f16_from_f32(high));
    80 fn f16x2_from_f32_rz(high: f32, low: f32) -> u32 =
        join(f16_from_f32_rz(low), f16_from_f32_rz(high));
    80 fn f16x2_from_f32_rn_relu(high: f32, low: f32) -> u32 =
        each(f16x2_from_f32_rn(high, low), 0, |x, _| relu(F16, x));
    80 fn f16x2_from_f32_rz_relu(high: f32, low: f32) -> u32 =
        each(f16x2_from_f32_rz(high, low), 0, |x, _| relu(F16, x));
    70 fn f16x2_add(a: u32, b: u32) -> u32 = each(a, b, |a, b| add(F16, a, b));
    70 fn f16x2_sub(a: u32, b: u32) -> u32 = each(a, b, |a, b| add(F16, a, b ^ 0x8000));
    70 fn f16x2_mul(a: u32, b: u32) -> u32 = each(a, b, |a, b| mul(F16, a, b));
    70 fn f16x2_add_sat(a: u32, b: u32) -> u32 = each(a, b, f16_add_sat);
    70 fn f16x2_sub_sat(a: u32, b: u32) -> u32 = each(a, b, f16_sub_sat);
    70 fn f16x2_mul_sat(a: u32, b: u32) -> u32 = each(a, b, f16_mul_sat);
    70 fn f16x2_fma(a: u32, b: u32, c: u32) -> u32 = each3(a, b, c, f16_fma);
    70 fn f16x2_fma_sat(a: u32, b: u32, c: u32) -> u32 = each3(a, b, c, f16_fma_sat);
    80 fn f16x2_fma_relu(a: u32, b: u32, c: u32) -> u32 = each3(a, b, c, f16_fma_relu);
    80 fn f16x2_min(a: u32, b: u32) -> u32 = each(a, b, f16_min);
    80 fn f16x2_max(a: u32, b: u32) -> u32 = each(a, b, f16_max);
    80 fn f16x2_min_nan(a: u32, b: u32) -> u32 = each(a, b, f16_min_nan);
    80 fn f16x2_max_nan(a: u32, b: u32) -> u32 = each(a, b, f16_max_nan);
    75 fn f16x2_ex2(x: u32) -> u32 = each(x, 0, |x, _| f16_ex2(x));
    75 fn f16x2_tanh(x: u32) -> u32 = each(x, 0, |x, _| f16_tanh(x));

    80 fn bf16x2_from_f32_rn(high: f32, low: f32) -> u32 =
        join(bf16_from_f32(low), bf16_from_f32(high));
    80 fn bf16x2_from_f32_rz(high: f32, low: f32) -> u32 =
        join(bf16_from_f32_rz(low), bf16_from_f32_rz(high));
    80 fn bf16x2_from_f32_rn_relu(high: f32, low: f32) -> u32 =
        each(bf16x2_from_f32_rn(high, low), 0, |x, _| relu(BF16, x));
    80 fn bf16x2_from_f32_rz_relu(high: f32, low: f32) -> u32 =
        each(bf16x2_from_f32_rz(high, low), 0, |x, _| relu(BF16, x));
    // `sm_80` has no instruction but this one.
    80 fn bf16x2_fma(a: u32, b: u32, c: u32) -> u32 = each3(a, b, c, bf16_fma);
    90 fn bf16x2_add(a: u32, b: u32) -> u32 = bf16x2_fma(a, 0x3f80_3f80, b);
    90 fn bf16x2_sub(a: u32, b: u32) -> u32 = bf16x2_fma(b, 0xbf80_bf80, a);
    90 fn bf16x2_mul(a: u32, b: u32) -> u32 = bf16x2_fma(a, b, 0x8000_8000);
    80 fn bf16x2_fma_relu(a: u32, b: u32, c: u32) -> u32 = each3(a, b, c, bf16_fma_relu);
    80 fn bf16x2_min(a: u32, b: u32) -> u32 = each(a, b, bf16_min);
    80 fn bf16x2_max(a: u32, b: u32) -> u32 = each(a, b, bf16_max);
    80 fn bf16x2_min_nan(a: u32, b: u32) -> u32 = each(a, b, bf16_min_nan);
    80 fn bf16x2_max_nan(a: u32, b: u32) -> u32 = each(a, b, bf16_max_nan);
    90 fn bf16x2_ex2(x: u32) -> u32 = each(x, 0, |x, _| bf16_ex2(x));
    90 fn bf16x2_tanh(x: u32) -> u32 = each(x, 0, |x, _| bf16_tanh(x));
}

/// `bf16` has no saturating instructions: the larger of the result and 0, then the smaller of that and 1.
#[inline(always)]
fn bf16x2_saturate(x: u32) -> u32 {
    bf16x2_min(bf16x2_max(x, 0), 0x3f80_3f80)
}

#[inline(always)]
pub(super) fn bf16x2_add_sat(a: u32, b: u32) -> u32 {
    bf16x2_saturate(bf16x2_add(a, b))
}

#[inline(always)]
pub(super) fn bf16x2_sub_sat(a: u32, b: u32) -> u32 {
    bf16x2_saturate(bf16x2_sub(a, b))
}

#[inline(always)]
pub(super) fn bf16x2_mul_sat(a: u32, b: u32) -> u32 {
    bf16x2_saturate(bf16x2_mul(a, b))
}

#[inline(always)]
pub(super) fn bf16x2_fma_sat(a: u32, b: u32, c: u32) -> u32 {
    bf16x2_saturate(bf16x2_fma(a, b, c))
}

#[inline(always)]
pub(super) fn bf16_add_sat(a: u16, b: u16) -> u16 {
    bf16x2_add_sat(a.into(), b.into()) as u16
}

#[inline(always)]
pub(super) fn bf16_sub_sat(a: u16, b: u16) -> u16 {
    bf16x2_sub_sat(a.into(), b.into()) as u16
}

#[inline(always)]
pub(super) fn bf16_mul_sat(a: u16, b: u16) -> u16 {
    bf16x2_mul_sat(a.into(), b.into()) as u16
}

#[inline(always)]
pub(super) fn bf16_fma_sat(a: u16, b: u16, c: u16) -> u16 {
    bf16_min(bf16_max(bf16_fma(a, b, c), 0), 0x3f80)
}

/// A `bf16` is the upper half of an `f32`.
#[inline(always)]
pub(super) fn bf16_to_f32(x: u16) -> f32 {
    f32::from_bits(u32::from(x) << 16)
}

/// Comparisons of a `bf16` are those of the `f32` that it begins: the instructions for it need `sm_90`, and widening is only a
/// shift.
macro_rules! bf16_comparisons {
    ($($name:ident: $operator:tt;)*) => {$(
        #[inline(always)]
        pub(super) fn $name(a: u16, b: u16) -> u32 {
            (bf16_to_f32(a) $operator bf16_to_f32(b)).into()
        }
    )*};
}

bf16_comparisons! {
    bf16_eq: ==;
    bf16_lt: <;
    bf16_le: <=;
}

/// A pair from its lower and upper half.
#[inline(always)]
pub(super) const fn join(low: u16, high: u16) -> u32 {
    (high as u32) << 16 | low as u32
}

#[inline(always)]
fn each(a: u32, b: u32, f: impl Fn(u16, u16) -> u16) -> u32 {
    join(f(a as u16, b as u16), f((a >> 16) as u16, (b >> 16) as u16))
}

#[inline(always)]
fn each3(a: u32, b: u32, c: u32, f: impl Fn(u16, u16, u16) -> u16) -> u32 {
    join(f(a as u16, b as u16, c as u16), f((a >> 16) as u16, (b >> 16) as u16, (c >> 16) as u16))
}

fn round(format: Format, value: f64) -> u16 {
    format.round(value, Round::Nearest) as u16
}

/// The product is exact in `f64`; a sum that is not is rounded to odd first.
fn fma(format: Format, a: u16, b: u16, c: u16) -> u16 {
    let [a, b, c] = [a, b, c].map(|bits| format.value(bits.into()));
    round(format, add_to_odd(a * b, c))
}

fn add(format: Format, a: u16, b: u16) -> u16 {
    round(format, add_to_odd(format.value(a.into()), format.value(b.into())))
}

fn mul(format: Format, a: u16, b: u16) -> u16 {
    round(format, format.value(a.into()) * format.value(b.into()))
}

/// Between 0 and 1; 0 for NaN.
fn saturate(format: Format, x: u16) -> u16 {
    let value = format.value(x.into());
    if value > 0.0 { round(format, if value < 1.0 { value } else { 1.0 }) } else { 0 }
}

/// 0 for what is negative; NaN stays.
fn relu(format: Format, x: u16) -> u16 {
    if format.value(x.into()) < 0.0 { 0 } else { x }
}

/// The smaller or larger one. NaN is ignored beside a number unless it is to be kept; 0 is larger than -0.
fn pick(format: Format, a: u16, b: u16, larger: bool, keep_nan: bool) -> u16 {
    let (x, y) = (format.value(a.into()), format.value(b.into()));
    if x.is_nan() || y.is_nan() {
        return match (keep_nan, x.is_nan(), y.is_nan()) {
            (false, true, false) => b,
            (false, false, true) => a,
            _ => 0x7fff,
        };
    }
    // Where they are equal, the sign decides.
    let first_is_less = x < y || (x == y && x.is_sign_negative());
    if first_is_less != larger { a } else { b }
}
