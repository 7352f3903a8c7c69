//! Moves, conversions and comparisons.

use super::super::flow::Leave;
use super::super::function::{Entity, Lower, register_bytes};
use super::Lowered;
use crate::exec::context::{Context, Flow, Lane};
use crate::exec::ops::convert;
use crate::exec::ops::lanes::unary;
use crate::exec::program::{Exec, Inst, NONE};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::Type;

/// `mov`: registers, constants, addresses, and vectors packed into or taken out of one register.
pub(crate) fn mov<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, from] = &instruction.operands[..] else {
        return Err("`mov` takes two operands".to_owned());
    };
    let ty = form.ty();
    let guard = lower.guard(instruction)?;
    match (to, from) {
        (Operand::Vector(parts), from) => {
            let size = part_size(ty, parts.len())?;
            let a = lower.source(from, ty.size(), ty)?;
            for (index, part) in parts.iter().enumerate() {
                if *part == Operand::Sink {
                    continue;
                }
                let d = lower.destination(part, size)?;
                let (exec, imm) = (unpack(ty.size(), size)?, (index as u32 * size * 8).into());
                lower.push(Inst { guard, d, a, imm, ..Lower::blank(exec) }, Leave::Next);
            }
        }
        (to, Operand::Vector(parts)) => {
            let size = part_size(ty, parts.len())?;
            let mut list = Vec::new();
            for part in parts {
                list.push(lower.source(part, size, ty)?);
            }
            let (d, x) = (lower.destination(to, ty.size())?, lower.list(list));
            lower.push(Inst { guard, d, x, ..Lower::blank(pack(ty.size(), size)?) }, Leave::Next);
        }
        (to, from) => {
            let (d, a) = (lower.destination(to, ty.size())?, lower.source(from, ty.size(), ty)?);
            let exec = match ty.size() {
                2 => unary(|a: u16| a),
                4 => unary(|a: u32| a),
                8 => unary(|a: u64| a),
                16 => move_128,
                _ => return Err(format!("`mov.{}` is not supported", ty.name())),
            };
            lower.push(Inst { guard, d, a, ..Lower::blank(exec) }, Leave::Next);
        }
    }
    Ok(())
}

fn part_size(ty: Type, parts: usize) -> Lowered<u32> {
    let size = ty.size() / parts.max(1) as u32;
    if matches!(size, 1 | 2 | 4 | 8) && size * parts as u32 == ty.size() && parts > 1 {
        return Ok(size.max(2) * u32::from(size > 1) + u32::from(size == 1));
    }
    Err(format!("{parts} parts do not make a .{}", ty.name()))
}

fn move_128(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let values = context.load::<u128>(inst.a);
    context.store(inst.d, mask, &values);
    Flow::Next
}

/// Takes bits from position `imm` of `a`.
fn unpack(from: u32, to: u32) -> Lowered<Exec> {
    fn exec<A: Lane + Into<u64>>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        store: fn(&mut Context<'_>, u32, u32, &[u64; 32]),
    ) -> Flow {
        let values = context.load::<A>(inst.a).map(|value| value.into() >> inst.imm);
        store(context, inst.d, mask, &values);
        Flow::Next
    }
    fn half(context: &mut Context<'_>, d: u32, mask: u32, values: &[u64; 32]) {
        context.store(d, mask, &values.map(|value| value as u16));
    }
    fn word(context: &mut Context<'_>, d: u32, mask: u32, values: &[u64; 32]) {
        context.store(d, mask, &values.map(|value| value as u32));
    }
    Ok(match (from, to) {
        (4, 2) => |context, inst, mask| exec::<u32>(context, inst, mask, half),
        (8, 2) => |context, inst, mask| exec::<u64>(context, inst, mask, half),
        (8, 4) => |context, inst, mask| exec::<u64>(context, inst, mask, word),
        (16, 8) => |context, inst, mask| {
            let values = context.load::<u128>(inst.a).map(|value| (value >> inst.imm) as u64);
            context.store(inst.d, mask, &values);
            Flow::Next
        },
        _ => return Err("such a vector `mov` is not supported".to_owned()),
    })
}

/// Puts the registers of list `x` side by side.
fn pack(to: u32, from: u32) -> Lowered<Exec> {
    fn exec<A: Lane + Into<u64>>(context: &mut Context<'_>, inst: &Inst) -> [u64; 32] {
        let mut out = [0; 32];
        let list = &context.function().lists[inst.x as usize];
        for (index, &register) in list.iter().enumerate() {
            let values = context.load::<A>(register);
            for lane in 0..32 {
                out[lane] |= values[lane].into() << (index * size_of::<A>() * 8);
            }
        }
        out
    }
    Ok(match (to, from) {
        (4, 2) => |context, inst, mask| {
            let values = exec::<u16>(context, inst).map(|value| value as u32);
            context.store(inst.d, mask, &values);
            Flow::Next
        },
        (8, 2) => |context, inst, mask| {
            let values = exec::<u16>(context, inst);
            context.store(inst.d, mask, &values);
            Flow::Next
        },
        (16, 8) => |context, inst, mask| {
            let list = &context.function().lists[inst.x as usize];
            let [low, high] = [list[0], list[1]].map(|part| context.load::<u64>(part));
            let join = |lane: usize| u128::from(high[lane]) << 64 | u128::from(low[lane]);
            context.store(inst.d, mask, &std::array::from_fn(join));
            Flow::Next
        },
        (8, 4) => |context, inst, mask| {
            let values = exec::<u32>(context, inst);
            context.store(inst.d, mask, &values);
            Flow::Next
        },
        _ => return Err("such a vector `mov` is not supported".to_owned()),
    })
}

/// `cvt`
pub(crate) fn cvt<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let plan = convert::plan(form)?;
    let given = &instruction.operands;
    if given.len() != 1 + plan.sources {
        return Err(format!("expected {} operands, found {}", 1 + plan.sources, given.len()));
    }
    let guard = lower.guard(instruction)?;
    // Registers may be wider than the types of a conversion.
    let mut width = |operand: &Operand<'a>, least: u32| match operand {
        Operand::Name { name, .. } => match lower.entity(name) {
            Some(Entity::Register { ty, .. }) => register_bytes(ty).max(least),
            _ => least,
        },
        _ => least,
    };
    let to = width(&given[0], plan.to.size().max(2));
    let from = width(&given[1], plan.from.size().max(2));
    let d = lower.destination(&given[0], to)?;
    let a = lower.source(&given[1], from, plan.from)?;
    let b = match given.get(2) {
        Some(operand) => lower.source(operand, from, plan.from)?,
        None => NONE,
    };
    let (exec, imm) = convert::exec(&plan, from, to)?;
    lower.push(Inst { guard, d, a, b, imm, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}
