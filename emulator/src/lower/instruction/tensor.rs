//! Instructions of tensor cores: operands of several registers, which the whole warp holds together.

use super::super::flow::Leave;
use super::super::function::Lower;
use super::Lowered;
use crate::exec::context::FULL;
use crate::exec::ops::memory::{Mode, Place};
use crate::exec::ops::tensor::mma::{self, Product};
use crate::exec::ops::tensor::tile;
use crate::exec::program::{Exec, Inst, NONE};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::{Space, Type};

/// The registers of an operand.
fn parts<'o, 'a>(operand: &'o Operand<'a>, count: u32) -> Lowered<&'o [Operand<'a>]> {
    let parts = match operand {
        Operand::Vector(parts) => &parts[..],
        single => std::slice::from_ref(single),
    };
    if parts.len() != count as usize {
        return Err(format!("{count} registers are needed, {} are there", parts.len()));
    }
    Ok(parts)
}

/// The constant of a full mask: all lanes must take part.
fn everyone(lower: &mut Lower<'_, '_>) -> u32 {
    lower.constant(4, FULL.into())
}

/// `mma d, a, b, c`
pub(crate) fn mma<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let product = Product::read(form).ok_or("there is no such `mma`")?;
    let given = &instruction.operands[..];
    if given.len() != 4 {
        return Err(format!("4 operands are needed, {} are there", given.len()));
    }
    let mut list = Vec::new();
    for (index, (operand, (count, size))) in given.iter().zip(product.operands()).enumerate() {
        let ty = if size == 8 { Type::F64 } else { Type::B32 };
        for part in parts(operand, count)? {
            list.push(match index {
                0 => lower.destination(part, size)?,
                _ => lower.source(part, size, ty)?,
            });
        }
    }
    let (guard, b, x) = (lower.guard(instruction)?, everyone(lower), lower.list(list));
    let imm = product.pack();
    lower.push(Inst { guard, b, x, imm, ..Lower::blank(mma::mma) }, Leave::Next);
    Ok(())
}

/// `ldmatrix r, [p]`
pub(crate) fn load_matrix<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from] = &instruction.operands[..] else {
        return Err("`ldmatrix` takes registers and an address".to_owned());
    };
    let mut list = Vec::new();
    for part in parts(to, tiles(form))? {
        list.push(lower.destination(part, 4)?);
    }
    access(lower, form, instruction, from, list, tile::load(form))
}

/// `stmatrix [p], r`
pub(crate) fn store_matrix<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from] = &instruction.operands[..] else {
        return Err("`stmatrix` takes an address and registers".to_owned());
    };
    let mut list = Vec::new();
    for part in parts(from, tiles(form))? {
        list.push(lower.source(part, 4, Type::B32)?);
    }
    access(lower, form, instruction, to, list, tile::store(form))
}

fn tiles(form: &Form<'_>) -> u32 {
    if form.has("x4") { 4 } else { 1 + u32::from(form.has("x2")) }
}

fn access<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
    address: &Operand<'a>,
    list: Vec<u32>,
    exec: Exec,
) -> Lowered<()> {
    let space = form.words().iter().find_map(|word| Space::from_name(word));
    let found = lower.location(address, space.unwrap_or(Space::Generic), 16)?;
    if found.place != Place::Address {
        return Err("the tiles lie in shared memory".to_owned());
    }
    let mode = Mode {
        space: found.space,
        wide: found.wide,
        size: 16,
        count: 1,
        signed: false,
        ordered: false,
        register: 4,
    };
    let (guard, b, x) = (lower.guard(instruction)?, everyone(lower), lower.list(list));
    let (a, c, imm) = (found.register, mode.pack(), found.offset);
    lower.push(Inst { exec, guard, d: NONE, a, b, c, x, imm }, Leave::Next);
    Ok(())
}

/// `movmatrix d, a`
pub(crate) fn transpose_matrix<'a>(
    lower: &mut Lower<'_, 'a>,
    _: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from] = &instruction.operands[..] else {
        return Err("`movmatrix` takes two registers".to_owned());
    };
    let (d, a) = (lower.destination(to, 4)?, lower.source(from, 4, Type::B32)?);
    let (guard, b) = (lower.guard(instruction)?, everyone(lower));
    lower.push(Inst { guard, d, a, b, ..Lower::blank(tile::transpose) }, Leave::Next);
    Ok(())
}
