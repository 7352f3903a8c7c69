//! Instructions of tensor cores: operands of several registers, which the whole warp holds together.

use super::super::flow::Leave;
use super::super::function::Lower;
use super::Lowered;
use crate::exec::context::FULL;
use crate::exec::ops::memory::Mode;
use crate::exec::ops::rows::Place;
use crate::exec::ops::tensor::mma::{self, Product};
use crate::exec::ops::tensor::{quads, scaled, sparse, tile, wgmma};
use crate::exec::program::{Exec, Inst, NONE};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::{Space, Type};

/// The registers of an operand.
pub(super) fn parts<'o, 'a>(operand: &'o Operand<'a>, count: u32) -> Lowered<&'o [Operand<'a>]> {
    let parts = match operand {
        Operand::Vector(parts) => &parts[..],
        single => std::slice::from_ref(single),
    };
    if parts.len() != count as usize {
        return Err(super::registers_needed(count, parts.len()));
    }
    Ok(parts)
}

/// The constant of a full mask: all lanes must take part.
pub(super) fn everyone(lower: &mut Lower<'_, '_>) -> u32 {
    lower.constant(4, FULL.into())
}

/// The registers of sums, factors and sums, by the numbers and sizes of each.
fn matrices<'a>(
    lower: &mut Lower<'_, 'a>,
    given: &'a [Operand<'a>],
    wanted: [(u32, u32); 4],
) -> Lowered<Vec<u32>> {
    let mut list = Vec::new();
    for (index, (operand, (count, size))) in given.iter().zip(wanted).enumerate() {
        let ty = if size == 8 { Type::F64 } else { Type::B32 };
        for part in parts(operand, count)? {
            list.push(match index {
                0 => lower.destination(part, size)?,
                _ => lower.source(part, size, ty)?,
            });
        }
    }
    Ok(list)
}

/// `mma.m8n8k4 d, a, b, c` of `f16`
pub(crate) fn mma_quads<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let kind = quads::Kind::read(form).ok_or("there is no such `mma`")?;
    let given = &instruction.operands[..];
    if given.len() != 4 {
        return Err(format!("expected 4 operands, found {}", given.len()));
    }
    let list = matrices(lower, given, kind.operands())?;
    let (guard, b, x) = (lower.guard(instruction)?, everyone(lower), lower.list(list));
    let imm = kind.pack();
    lower.push(Inst { guard, b, x, imm, ..Lower::blank(quads::multiply) }, Leave::Next);
    Ok(())
}

/// `mma.sp d, a, b, c, metadata, selector`
pub(crate) fn mma_sparse<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let product = Product::read(form).ok_or("there is no such `mma.sp`")?;
    let [given @ .., metadata, Operand::Int(selector)] = &instruction.operands[..] else {
        return Err("matrices, metadata and a constant, the selector, are needed".to_owned());
    };
    if given.len() != 4 {
        return Err(format!("expected 6 operands, found {}", given.len() + 2));
    }
    if *selector >= product.selectors().into() {
        return Err(format!(
            "the selector is {selector}: it must be less than {}",
            product.selectors()
        ));
    }
    let mut list = matrices(lower, given, product.sparse_operands())?;
    list.push(lower.source(metadata, 4, Type::B32)?);
    let (guard, b, x) = (lower.guard(instruction)?, everyone(lower), lower.list(list));
    let (imm, c) =
        (product.pack(), *selector as u32 | u32::from(form.has("sp::ordered_metadata")) << 31);
    lower.push(Inst { guard, b, c, x, imm, ..Lower::blank(sparse::sparse) }, Leave::Next);
    Ok(())
}

/// `mma d, a, b, c`, of kind `f8f6f4`, or with scales: `mma d, a, b, c, scales-a, {byte, thread}, scales-b, {byte, thread}`;
/// `mma.sp` has `metadata, selector` behind `c`.
pub(crate) fn mma_scaled<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let product = Product::read(form).ok_or("there is no such `mma`")?;
    let scaling = scaled::Scaling::read(form);
    let mut wanted = if scaling.count == 0 { 4 } else { 8 };
    if scaling.is_sparse {
        wanted += 2;
    }
    let operands = &instruction.operands[..];
    if operands.len() != wanted {
        return Err(format!("expected {wanted} operands, found {}", operands.len()));
    }
    let (given, rest) = operands.split_at(4);
    let mut list = matrices(lower, given, scaled::operands(product, scaling))?;
    let rest = match rest {
        [metadata, selector, rest @ ..] if scaling.is_sparse => {
            if !matches!(selector, Operand::Int(0)) {
                return Err("the selector must be 0".to_owned());
            }
            list.push(lower.source(metadata, 4, Type::B32)?);
            rest
        }
        rest => rest,
    };
    let scales = match rest {
        [of_a, place_a, of_b, place_b] => Some([(of_a, place_a, 2), (of_b, place_b, 4)]),
        _ => None,
    };
    let mut places = [0; 4];
    for (at, (register, place, lanes)) in scales.into_iter().flatten().enumerate() {
        list.push(lower.source(register, 4, Type::B32)?);
        let Operand::Vector(parts) = place else {
            return Err("a byte and a thread in braces stand behind scales".to_owned());
        };
        let [Operand::Int(byte), Operand::Int(thread)] = parts[..] else {
            return Err("the byte and the thread of scales are two constants".to_owned());
        };
        if byte > 4 - scaling.count as u64 || byte % scaling.count as u64 != 0 {
            return Err(format!("scales do not begin at byte {byte}"));
        }
        if thread >= lanes {
            return Err(format!("the thread of scales is {thread}: it must be less than {lanes}"));
        }
        places[2 * at] = byte as u8;
        places[2 * at + 1] = thread as u8;
    }
    let (guard, b, x) = (lower.guard(instruction)?, everyone(lower), lower.list(list));
    let imm = product.pack() | scaling.pack() << 48;
    let c = u32::from_le_bytes(places);
    lower.push(Inst { guard, b, c, x, imm, ..Lower::blank(scaled::scaled) }, Leave::Next);
    Ok(())
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
        return Err(format!("expected 4 operands, found {}", given.len()));
    }
    let list = matrices(lower, given, product.operands())?;
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
    // A tile of 16 x 16 bytes has two registers.
    let registers = if form.has("m16n16") { 2 * tiles(form) } else { tiles(form) };
    for part in parts(to, registers)? {
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
    let mode = Mode::plain(found.space, found.wide, 16, 4);
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

/// `wgmma.mma_async d, a, b, scale-d{, scale-a, scale-b{, trans-a}, trans-b}`
pub(crate) fn warpgroup_mma<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let mut product = wgmma::Product::read(form).ok_or("there is no such `wgmma`")?;
    let [sums, a, b, added, constants @ ..] = &instruction.operands[..] else {
        return Err("`wgmma.mma_async` takes sums, two matrices and a predicate".to_owned());
    };
    let mut list = Vec::new();
    for part in parts(sums, product.sums())? {
        list.push(lower.destination(part, 4)?);
    }
    product.in_registers = matches!(a, Operand::Vector(_));
    if product.in_registers {
        for part in parts(a, 4)? {
            list.push(lower.source(part, 4, Type::B32)?);
        }
    } else {
        list.push(lower.source(a, 8, Type::B64)?);
    }
    list.push(lower.source(b, 8, Type::B64)?);

    let [signs, majors] = product.constants();
    let places = usize::from(!product.in_registers) + 1;
    let wanted = if signs { 2 } else { 0 } + if majors { places } else { 0 };
    let values: Vec<i64> = constants
        .iter()
        .filter_map(|constant| match constant {
            Operand::Int(value) => Some(*value as i64),
            _ => None,
        })
        .collect();
    if values.len() != wanted || constants.len() != wanted {
        return Err(format!("{wanted} constants are needed behind the predicate"));
    }
    let (signs, majors) = values.split_at(if signs { 2 } else { 0 });
    if signs.iter().any(|sign| sign.abs() != 1)
        || majors.iter().any(|major| !matches!(major, 0 | 1))
    {
        return Err("signs are 1 and -1, directions 0 and 1".to_owned());
    }
    product.negated = signs.iter().product::<i64>() < 0;
    match *majors {
        [a, b] => product.across = [a == 1, b == 1],
        [b] => product.across = [false, b == 1],
        _ => {}
    }
    let (a, c) = match added {
        Operand::Int(value) => (NONE, u32::from(*value != 0)),
        predicate => (lower.source(predicate, 0, Type::Pred)?, 0),
    };
    let (guard, b, x) = (lower.guard(instruction)?, everyone(lower), lower.list(list));
    let imm = product.pack();
    lower.push(Inst { guard, a, b, c, x, imm, ..Lower::blank(wgmma::start) }, Leave::Next);
    Ok(())
}

/// `wgmma.fence`, `wgmma.commit_group`, `wgmma.wait_group n`
pub(crate) fn warpgroup_sync<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let waits = form.has("wait_group");
    let (exec, imm): (Exec, i64) = match &instruction.operands[..] {
        [Operand::Int(rest)] if waits => (wgmma::wait, *rest as i64),
        [] if form.has("fence") => (wgmma::fence, 0),
        [] if !waits => (wgmma::commit, 0),
        _ => return Err("only `wgmma.wait_group` has an operand, a constant".to_owned()),
    };
    let (guard, b) = (lower.guard(instruction)?, everyone(lower));
    lower.push(Inst { guard, b, imm, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}
