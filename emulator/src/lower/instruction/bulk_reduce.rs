//! Copies in bulk that combine, and stores that tell an mbarrier.

use super::Lowered;
use super::tensor::parts;
use crate::exec::ops::bulk_reduce::{self, BARRIER, BYTES, FROM, Shape, TO, VALUES};
use crate::exec::ops::bulk_tensor::OPERATIONS;
use crate::exec::program::{Exec, Inst, NONE};
use crate::lower::flow::Leave;
use crate::lower::function::Lower;
use crate::ptx::ast::Instruction;
use crate::ptx::form::Form;
use crate::ptx::types::Type;

/// Operation and type.
fn shape(form: &Form<'_>) -> Lowered<Shape> {
    let name = form.words().iter().find(|word| OPERATIONS.contains(word)).copied();
    let (op, ty) = (name.unwrap_or("store"), form.ty());
    Shape::of(name, ty).ok_or_else(|| format!("there is no reduction `.{op}` of type {ty:?}"))
}

fn push<'a>(
    lower: &mut Lower<'_, 'a>,
    instruction: &'a Instruction<'a>,
    exec: Exec,
    shape: Shape,
    list: Vec<u32>,
) -> Lowered<()> {
    let (guard, x, imm) = (lower.guard(instruction)?, lower.list(list), shape.pack());
    lower.push(Inst { guard, x, imm, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}

/// `cp.reduce.async.bulk [to], [from], bytes{, [mbarrier]}{, policy}`
pub(crate) fn copy<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let shape = shape(form)?;
    let to_cluster = form.has("shared::cluster");
    let [to, from, bytes, rest @ ..] = &instruction.operands[..] else {
        return Err("two addresses and a size are needed".to_owned());
    };
    let mut list = vec![NONE; VALUES];
    list[TO] = lower.generic_address(to, if to_cluster { "s" } else { "g" }, form)?;
    list[FROM] = lower.generic_address(from, "s", form)?;
    list[BYTES] = lower.source(bytes, 4, Type::U32)?;
    match (rest, to_cluster, form.has("L2::cache_hint")) {
        ([barrier], true, false) => list[BARRIER] = lower.generic_address(barrier, "s", form)?,
        ([policy], false, true) => {
            lower.source(policy, 8, Type::B64)?;
        }
        ([], false, false) => {}
        _ => return Err("the operands behind the size are wrong".to_owned()),
    }
    push(lower, instruction, bulk_reduce::copy, shape, list)
}

/// `st.async [to], value, [mbarrier]`, `red.async [to], value, [mbarrier]`
pub(crate) fn store<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let shape = match form.has("relaxed") {
        true => shape(form)?,
        false => Shape::of(None, form.ty()).ok_or("there is no such store")?,
    };
    let [to, value, barrier] = &instruction.operands[..] else {
        return Err("an address, a value and an mbarrier are needed".to_owned());
    };
    let (ty, count) = (form.ty(), if form.has("v4") { 4 } else { 1 + u32::from(form.has("v2")) });
    if ty.size() * count > 16 {
        return Err("a vector has at most 16 bytes".to_owned());
    }
    // Without a state space, addresses are generic.
    let space = if form.has("shared::cluster") { "s" } else { "generic" };
    let mut list = vec![NONE; VALUES];
    list[TO] = lower.generic_address(to, space, form)?;
    list[BARRIER] = lower.generic_address(barrier, space, form)?;
    for part in parts(value, count)? {
        list.push(lower.source(part, ty.size(), ty)?);
    }
    push(lower, instruction, bulk_reduce::store, shape, list)
}
