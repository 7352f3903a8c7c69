//! Asynchronous copies of tiles of tensors.

use super::Lowered;
use crate::exec::ops::bulk_tensor::{
    BARRIER, COORDINATES, MAP, OPERATIONS, RANKS, SHARED, Shape, load, prefetch, store,
};
use crate::exec::program::{Exec, Inst, NONE};
use crate::lower::flow::Leave;
use crate::lower::function::Lower;
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::Type;

/// `cp.async.bulk.tensor`, `cp.reduce.async.bulk.tensor`, `cp.async.bulk.prefetch.tensor`:
/// `[to], [map, {..}], [mbarrier]{, {offsets}}{, ranks}`, `[map, {..}], [from]` or `[map, {..}]{, {offsets}}`, and
/// then perhaps a cache policy.
pub(crate) fn bulk_tensor<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let rank = form.words().iter().find_map(|word| word.strip_suffix('d')?.parse().ok());
    let rank: usize = rank.ok_or("the dimensions are missing")?;
    let is_im2col = form.has("im2col") || form.has("im2col_no_offs");
    if is_im2col && rank < 3 {
        return Err("columns of images need at least three dimensions".to_owned());
    }
    let operation = if instruction.modifiers.first() == Some(&"reduce") {
        OPERATIONS.iter().position(|name| form.has(name))
    } else {
        None
    };
    let exec: Exec = match (form.has("prefetch"), form.has("bulk_group")) {
        (true, _) => prefetch,
        (_, true) => store,
        _ => load,
    };
    let (is_load, is_store) =
        (!form.has("prefetch") && !form.has("bulk_group"), form.has("bulk_group"));

    let mut list = vec![NONE; COORDINATES];
    let mut given = instruction.operands.iter();
    let mut next = || given.next().ok_or("an operand is missing");
    if is_load {
        list[SHARED] = lower.generic_address(next()?, "s", form)?;
    }
    let Operand::Tensor { map, coordinates } = next()? else {
        return Err("a tensor map and coordinates, `[map, {..}]`, are needed".to_owned());
    };
    list[MAP] = lower.generic_address(map, "generic", form)?;
    if coordinates.len() != rank {
        return Err(format!("{rank} coordinates are needed, {} are there", coordinates.len()));
    }
    for coordinate in coordinates {
        list.push(lower.source(coordinate, 4, Type::S32)?);
    }
    if is_store {
        list[SHARED] = lower.generic_address(next()?, "s", form)?;
    }
    if is_load {
        list[BARRIER] = lower.generic_address(next()?, "s", form)?;
    }
    if form.has("im2col") {
        let Operand::Vector(offsets) = next()? else {
            return Err("offsets in braces are needed".to_owned());
        };
        if offsets.len() != rank - 2 {
            return Err(format!("{} offsets are needed, {} are there", rank - 2, offsets.len()));
        }
        for offset in offsets {
            list.push(lower.source(offset, 2, Type::U16)?);
        }
    }
    if form.has("multicast::cluster") {
        list[RANKS] = lower.source(next()?, 2, Type::U16)?;
    }
    if form.has("L2::cache_hint") {
        lower.source(next()?, 8, Type::B64)?;
    }
    if given.next().is_some() {
        return Err("too many operands".to_owned());
    }
    let imm = Shape { rank, is_im2col, operation }.pack();
    let (guard, x) = (lower.guard(instruction)?, lower.list(list));
    lower.push(Inst { guard, x, imm, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}
