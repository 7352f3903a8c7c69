//! Converts floats to integers by PTX's own instruction, `cvt`.
//!
//! Rust's `as` rounds toward zero, clamps the result to the range of the integer's type, and makes NaN 0. LLVM does the last two by
//! comparisons and selects around a conversion that is defined only for numbers in the range: up to six instructions more. But `cvt`
//! does all of it (PTX ISA, `cvt`), except that NaN does not become 0 if one of the types has 64 bits: then a test for NaN
//! remains.

use crate::llvm::{Builder, Context, Module, Value, opcode, predicate};

/// Replaces the conversions of every function.
pub(crate) fn convert_floats(module: &Module<'_>) {
    let context = module.context();
    for function in module.functions() {
        for call in function.instructions() {
            let Some(conversion) = Conversion::of(call) else { continue };
            let converted = conversion.write(context, call);
            call.replace_all_uses_with(converted);
            call.erase();
        }
    }
}

/// A conversion of a float of 32 or 64 bits to an integer.
struct Conversion {
    is_signed: bool,
    /// The integer's bits.
    bits: u32,
    /// Whether the float has 64 bits.
    is_double: bool,
}

impl Conversion {
    /// The conversion that a call of LLVM's intrinsic is, if it is one.
    fn of(call: Value<'_>) -> Option<Conversion> {
        if !call.is_call() || !call.callee().is_function() {
            return None;
        }
        let name = call.callee().name();
        let (is_signed, types) = match name.strip_prefix("llvm.fptosi.sat.") {
            Some(types) => (true, types),
            None => (false, name.strip_prefix("llvm.fptoui.sat.")?),
        };
        let (bits, float) = types.strip_prefix('i')?.split_once('.')?;
        let bits = bits.parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
        match float {
            "f32" => Some(Conversion { is_signed, bits, is_double: false }),
            "f64" => Some(Conversion { is_signed, bits, is_double: true }),
            _ => None,
        }
    }

    /// Writes the instruction before the call, and returns what replaces the call's result.
    fn write<'c>(&self, context: &'c Context, call: Value<'c>) -> Value<'c> {
        let builder = Builder::before(context, call);
        let (float, result) = (call.operand(0), call.ty());
        let sign = if self.is_signed { 's' } else { 'u' };
        let (from, float_register) = if self.is_double { ("f64", 'd') } else { ("f32", 'f') };
        // There are no registers of 8 bits.
        let (register, width) = match self.bits {
            64 => ('l', 64),
            32 => ('r', 32),
            _ => ('h', 16),
        };
        let integer = context.int(width);
        let template = format!("cvt.rzi.{sign}{}.{from} $0, $1;", self.bits);
        let constraints = format!("={register},{float_register}");
        let ty = context.function(integer, &[float.ty()]);
        let mut value = builder.pure_asm(ty, (&template, &constraints), &[float]);
        if self.bits < width {
            value = builder.cast(opcode::TRUNCATE, value, result);
        }
        if self.is_double || width == 64 {
            let is_nan = builder.compare_floats(predicate::UNORDERED, float, float);
            value = builder.select(is_nan, result.constant(0), value);
        }
        value
    }
}
