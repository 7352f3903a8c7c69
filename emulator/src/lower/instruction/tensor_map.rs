//! Changes of tensor maps.

use super::Lowered;
use super::tensor::everyone;
use crate::exec::ops::tensor_map::{self, Change, FIELDS};
use crate::exec::program::Inst;
use crate::exec::tensor_map::{DIMENSIONS, SIZE};
use crate::lower::flow::Leave;
use crate::lower::function::Lower;
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::Type;

/// Fields with a value for each dimension, and for how many.
const OF_DIMENSIONS: [(&str, usize); 4] = [
    ("box_dim", DIMENSIONS),
    ("global_dim", DIMENSIONS),
    ("global_stride", DIMENSIONS - 1),
    ("element_stride", DIMENSIONS),
];
/// Fields that only take constants.
const CONSTANT: [&str; 4] = ["elemtype", "interleave_layout", "swizzle_mode", "fill_mode"];

/// `tensormap.replace [map]{, dimension}, value`
pub(crate) fn replace<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let field = FIELDS.iter().position(|name| form.has(name)).ok_or("the field is missing")?;
    let name = FIELDS[field];
    let count = OF_DIMENSIONS.iter().find(|(known, _)| *known == name).map(|(_, count)| *count);
    let (place, dimension, value) = match (&instruction.operands[..], count) {
        ([place, value], None) => (place, 0, value),
        ([place, Operand::Int(dimension), value], Some(count)) if *dimension < count as u64 => {
            (place, *dimension as usize, value)
        }
        (_, Some(count)) => {
            return Err(format!(
                "a tensor map, a constant from 0 to {} and a value are needed",
                count - 1
            ));
        }
        _ => return Err("a tensor map and a value are needed".to_owned()),
    };
    if CONSTANT.contains(&name) && !matches!(value, Operand::Int(_)) {
        return Err("the value must be a constant".to_owned());
    }
    let space = match (form.has("global"), form.has("shared::cta")) {
        (true, _) => "g",
        (_, true) => "s",
        _ => "generic",
    };
    let a = lower.generic_address(place, space, form)?;
    let b = match form.ty() {
        Type::B64 => lower.source(value, 8, Type::U64)?,
        _ => lower.widened(value)?,
    };
    let (guard, imm) = (lower.guard(instruction)?, Change { field, dimension }.pack());
    lower.push(Inst { guard, a, b, imm, ..Lower::blank(tensor_map::replace) }, Leave::Next);
    Ok(())
}

/// `tensormap.cp_fenceproxy [to], [from], 128`
pub(crate) fn copy<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from, Operand::Int(size)] = &instruction.operands[..] else {
        return Err("two addresses and a size are needed".to_owned());
    };
    if *size != SIZE as u64 {
        return Err(format!("the size is {size}: a tensor map has {SIZE} bytes"));
    }
    let a = lower.generic_address(to, "g", form)?;
    let b = lower.generic_address(from, "s", form)?;
    let (guard, c) = (lower.guard(instruction)?, everyone(lower));
    lower.push(Inst { guard, a, b, c, ..Lower::blank(tensor_map::copy) }, Leave::Next);
    Ok(())
}

impl<'a> Lower<'_, 'a> {
    /// A value of 32 bits as one of 64.
    fn widened(&mut self, operand: &Operand<'a>) -> Lowered<u32> {
        let (a, d) = (self.source(operand, 4, Type::U32)?, self.temporary(8)?);
        let (b, c) = (self.constant(4, 0), self.constant(8, 0));
        let exec = crate::exec::ops::lanes::ternary(|a: u32, _: u32, _: u64| u64::from(a));
        self.push(Inst { d, a, b, c, ..Self::blank(exec) }, Leave::Next);
        Ok(d)
    }
}
