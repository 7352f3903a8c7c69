//! Conversions (PTX ISA, section 9.7.9.21: `cvt`).

use super::rounding::{
    Round, TF32, bf16_to_f64, f16_to_f64, flush, round_to, saturate, to_bf16, to_f16, to_f32,
};
use crate::exec::context::{Context, Flow, for_lanes};
use crate::exec::ops::lanes::unary;
use crate::exec::program::{Exec, Inst};
use crate::ptx::form::Form;
use crate::ptx::types::{Kind, Type};

/// A conversion, as its modifiers say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) to: Type,
    pub(crate) from: Type,
    /// Two for conversions to a pair.
    pub(crate) sources: usize,
    mode: Round,
    /// Round to an integer, in a floating-point type.
    integral: bool,
    ftz: bool,
    sat: bool,
    relu: bool,
    /// The greatest finite number instead of what is larger.
    satfinite: bool,
}

/// Reads the modifiers.
pub(crate) fn plan(form: &Form<'_>) -> Result<Plan, String> {
    let [to, from] = form.types() else { return Err("`cvt` needs two types".to_owned()) };
    let scalar = |ty: Type| !matches!(ty.kind(), Kind::Predicate) && !matches!(ty, Type::B128);
    let pair = matches!(to, Type::F16x2 | Type::Bf16x2);
    let good = scalar(*to) && scalar(*from) && (!pair || *from == Type::F32);
    // NVIDIA's assembler refuses these, though it takes the same of `f16`.
    let is_byte = |ty: Type| matches!(ty, Type::U8 | Type::S8 | Type::B8);
    let is_bf16_byte = *to == Type::Bf16 && is_byte(*from) || *from == Type::Bf16 && is_byte(*to);
    if !good
        || is_bf16_byte
        || matches!(from, Type::F16x2 | Type::Bf16x2 | Type::E4m3x2 | Type::E5m2x2 | Type::Tf32)
    {
        return Err(format!("there is no conversion from .{} to .{}", from.name(), to.name()));
    }
    Ok(Plan {
        to: *to,
        from: *from,
        sources: if pair { 2 } else { 1 },
        mode: Round::from_words(form.words()),
        integral: ["rni", "rzi", "rmi", "rpi"].iter().any(|word| form.has(word)),
        ftz: form.has("ftz"),
        sat: form.has("sat"),
        relu: form.has("relu"),
        satfinite: form.has("satfinite"),
    })
}

/// The semantic function, and the packed plan for its `imm`.
pub(crate) fn exec(plan: &Plan, from: u32, to: u32) -> Result<(Exec, i64), String> {
    let integers = |ty: Type| matches!(ty.kind(), Kind::Signed | Kind::Unsigned | Kind::Bits);
    let imm = plan.pack(from, to);
    // The ones that address arithmetic is full of.
    let plain = integers(plan.to) && integers(plan.from) && !plan.sat;
    let widening = plan.to.size() > plan.from.size();
    let exec: Exec = match (from, to) {
        (4, 8) if plain && widening && plan.from == Type::S32 => unary(|a: i32| i64::from(a)),
        (4, 8) if plain && widening && plan.from.size() == 4 => unary(|a: u32| u64::from(a)),
        (8, 4) if plain && plan.to.size() == 4 && plan.from.size() == 8 => unary(|a: u64| a as u32),
        (4, 2) if plain && plan.to.size() == 2 && plan.from.size() == 4 => unary(|a: u32| a as u16),
        (2, 4) if plain && plan.from.size() == 2 && plan.from == Type::S16 => {
            unary(|a: i16| i32::from(a))
        }
        (2, 4) if plain && plan.from.size() == 2 => unary(|a: u16| u32::from(a)),
        (4, 4) if *plan == Plan { mode: Round::Nearest, ..float_of(plan, Type::S32) } => {
            unary(|a: i32| a as f32)
        }
        (4, 4) if *plan == Plan { mode: Round::Nearest, ..float_of(plan, Type::U32) } => {
            unary(|a: u32| a as f32)
        }
        _ if plan.sources == 2 => pair,
        _ => general,
    };
    Ok((exec, imm))
}

fn float_of(plan: &Plan, from: Type) -> Plan {
    Plan { to: Type::F32, from, integral: false, ftz: plan.ftz, sat: false, relu: false, ..*plan }
}

const TYPES: [Type; 17] = [
    Type::U8,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::S8,
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F16,
    Type::F32,
    Type::F64,
    Type::Bf16,
    Type::Tf32,
    Type::B8,
    Type::B16,
    Type::B32,
    Type::B64,
];

impl Plan {
    fn pack(self, from: u32, to: u32) -> i64 {
        let index = |ty: Type| TYPES.iter().position(|&known| known == ty).unwrap_or(0) as i64;
        let to_type = match self.to {
            Type::F16x2 => Type::F16,
            Type::Bf16x2 => Type::Bf16,
            ty => ty,
        };
        index(to_type)
            | index(self.from) << 5
            | (self.mode as i64) << 10
            | i64::from(self.integral) << 13
            | i64::from(self.ftz) << 14
            | i64::from(self.sat) << 15
            | i64::from(self.relu) << 16
            | i64::from(self.satfinite) << 17
            | i64::from(from) << 20
            | i64::from(to) << 28
    }

    fn unpack(bits: i64) -> Plan {
        let ty = |bits: i64| TYPES[(bits & 31) as usize % TYPES.len()];
        let mode = match bits >> 10 & 7 {
            0 => Round::Nearest,
            1 => Round::Away,
            2 => Round::Zero,
            3 => Round::Down,
            _ => Round::Up,
        };
        Plan {
            to: ty(bits),
            from: ty(bits >> 5),
            sources: 1,
            mode,
            integral: bits >> 13 & 1 == 1,
            ftz: bits >> 14 & 1 == 1,
            sat: bits >> 15 & 1 == 1,
            relu: bits >> 16 & 1 == 1,
            satfinite: bits >> 17 & 1 == 1,
        }
    }
}

/// A value between types.
enum Value {
    Integer(i128),
    Float(f64),
}

fn read(plan: &Plan, raw: u64) -> Value {
    match plan.from {
        Type::F16 => Value::Float(f16_to_f64(raw as u16)),
        Type::Bf16 => Value::Float(bf16_to_f64(raw as u16)),
        Type::F32 => {
            let value = f32::from_bits(raw as u32);
            Value::Float(f64::from(if plan.ftz { flush(value) } else { value }))
        }
        Type::F64 => Value::Float(f64::from_bits(raw)),
        ty => {
            let shift = 128 - 8 * ty.size();
            let wide = u128::from(raw) << shift;
            let signed = ty.kind() == Kind::Signed;
            Value::Integer(if signed { wide as i128 >> shift } else { (wide >> shift) as i128 })
        }
    }
}

/// Rounds to an integer.
fn integral(value: f64, mode: Round) -> f64 {
    match mode {
        Round::Nearest => value.round_ties_even(),
        Round::Away => value.round(),
        Round::Zero => value.trunc(),
        Round::Down => value.floor(),
        Round::Up => value.ceil(),
    }
}

/// The smallest and the largest integer of a type.
fn range(ty: Type) -> (i128, i128) {
    let bits = 8 * ty.size();
    match ty.kind() {
        Kind::Signed => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

fn to_integer(plan: &Plan, value: Value) -> u64 {
    let (least, greatest) = range(plan.to);
    let integer = match value {
        // Without `.sat`, integers wrap; floats are always clamped to the range.
        Value::Integer(value) if !plan.sat => value,
        Value::Integer(value) => value.clamp(least, greatest),
        // NaN gives 0, or the top bit alone from and to the wide types, as on the hardware.
        Value::Float(value) if value.is_nan() => match (plan.from, plan.to.size()) {
            (Type::F64, _) | (_, 8) => 1 << (8 * plan.to.size() - 1),
            _ => 0,
        },
        Value::Float(value) => (integral(value, plan.mode) as i128).clamp(least, greatest),
    };
    integer as u64
}

/// An integer as a double, rounded to odd.
fn odd_double(value: i128) -> f64 {
    let magnitude = value.unsigned_abs();
    let extra = (128 - magnitude.leading_zeros()).saturating_sub(53);
    let kept = magnitude >> extra;
    let sticky = u128::from(kept << extra != magnitude);
    let double = (kept | sticky) as u64 as f64 * 2f64.powi(extra as i32);
    if value < 0 { -double } else { double }
}

fn to_float(plan: &Plan, value: Value) -> u64 {
    let mut value = match value {
        Value::Integer(value) if plan.to == Type::F64 => return integer_to_f64(value, plan.mode),
        Value::Integer(value) => odd_double(value),
        Value::Float(value) => value,
    };
    if plan.integral {
        value = integral(value, plan.mode);
    }
    // Negative zero, too, as an H200 does.
    if plan.relu && value <= 0.0 {
        value = 0.0;
    }
    if plan.sat {
        value = if value > 0.0 { value.min(1.0) } else { 0.0 };
    }
    if plan.satfinite {
        let greatest = match plan.to {
            Type::F16 => 65504.0,
            Type::Bf16 => f64::from(f32::from_bits(0x7f7f_0000)),
            _ => f64::from(f32::from_bits(0x7f7f_e000)),
        };
        value = value.clamp(-greatest, greatest);
    }
    match plan.to {
        Type::F16 => u64::from(to_f16(value, plan.mode)),
        Type::Bf16 => u64::from(to_bf16(value, plan.mode)),
        Type::Tf32 => u64::from(round_to(value, TF32, plan.mode)) << 13,
        Type::F32 => {
            let value = to_f32(value, plan.mode);
            let value = if plan.sat { saturate(value) } else { value };
            u64::from(if plan.ftz { flush(value) } else { value }.to_bits())
        }
        _ => value.to_bits(),
    }
}

fn integer_to_f64(value: i128, mode: Round) -> u64 {
    let nearest = value as f64;
    let lost = value - nearest as i128;
    super::rounding::redirect(nearest, lost as f64, mode).to_bits()
}

/// A NaN keeps its sign and as much of its payload as fits; only doubles' NaNs differ from one another.
fn nan_of_double(to: Type, raw: u64) -> u64 {
    match to {
        Type::F16 => raw >> 48 & 0x8000 | 0x7e00 | raw >> 42 & 0x3ff,
        Type::Bf16 => raw >> 48 & 0x8000 | 0x7fc0 | raw >> 45 & 0x7f,
        Type::F32 => raw >> 32 & 0x8000_0000 | 0x7fc0_0000 | raw >> 29 & 0x7f_ffff,
        _ => raw | 1 << 51,
    }
}

fn convert(plan: &Plan, raw: u64) -> u64 {
    // `.sat` turns NaN into 0.
    let float = plan.to.kind() == Kind::Float && !plan.sat;
    if plan.from == Type::F64 && float && f64::from_bits(raw).is_nan() {
        return nan_of_double(plan.to, raw);
    }
    let value = read(plan, raw);
    if plan.to.kind() == Kind::Float { to_float(plan, value) } else { to_integer(plan, value) }
}

fn get(context: &Context<'_>, operand: u32, size: u32, lane: u32) -> u64 {
    match size {
        2 => context.get::<u16>(operand, lane).into(),
        4 => context.get::<u32>(operand, lane).into(),
        _ => context.get(operand, lane),
    }
}

fn set(context: &mut Context<'_>, plan: &Plan, operand: u32, size: u32, lane: u32, value: u64) {
    // A wider register gets the sign, too.
    let shift = 64 - 8 * plan.to.size();
    let value = match plan.to.kind() {
        Kind::Signed => ((value << shift) as i64 >> shift) as u64,
        _ => value << shift >> shift,
    };
    match size {
        2 => context.set(operand, lane, value as u16),
        4 => context.set(operand, lane, value as u32),
        _ => context.set(operand, lane, value),
    }
}

fn general(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let plan = Plan::unpack(inst.imm);
    let (from, to) = ((inst.imm >> 20 & 255) as u32, (inst.imm >> 28 & 255) as u32);
    for_lanes(mask, |lane| {
        let raw = get(context, inst.a, from, lane as u32);
        set(context, &plan, inst.d, to, lane as u32, convert(&plan, raw));
    });
    Flow::Next
}

/// `cvt.f16x2.f32 d, a, b`: `a` becomes the upper half.
fn pair(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let plan = Plan::unpack(inst.imm);
    for_lanes(mask, |lane| {
        let lane = lane as u32;
        let high = convert(&plan, get(context, inst.a, 4, lane));
        let low = convert(&plan, get(context, inst.b, 4, lane));
        context.set(inst.d, lane, (high << 16 | low) as u32);
    });
    Flow::Next
}
