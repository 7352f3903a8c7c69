//! Branches, calls and ends (PTX ISA, section 9.7.12).

use super::memory::{local_read, local_write};
use crate::exec::context::{Context, Flow, for_lanes};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Inst, NONE};
use crate::exec::warp::{LOCAL_LIMIT, LOCAL_START};
use crate::memory::{CODE_WINDOW, WINDOW_SIZE};

/// Distance of functions in the code window.
pub(crate) const FUNCTION_STRIDE: u64 = 16;

/// `bra`: `imm` is the target, `x` where the lanes reconverge.
pub(crate) fn branch(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let target = inst.imm as usize;
    if mask == context.mask {
        let from = context.pc;
        context.pc = target;
        return if target < from { context.spend(from - target) } else { Flow::Next };
    }
    if target < context.pc {
        context.fuel -= (context.pc - target) as i64;
    }
    let rest = context.mask & !mask;
    let flow = context.diverge(&[(target, mask), (context.pc, rest)], inst.x);
    if flow == Flow::Next && context.fuel < 0 { context.spend(0) } else { flow }
}

/// `brx.idx`: `a` is the index, `b` the table of targets, `x` where the lanes reconverge.
pub(crate) fn branch_indexed(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let function = context.function();
    let table = &function.lists[inst.b as usize];
    let mut targets: Vec<(usize, u32)> = Vec::new();
    let mut bad = None;
    for_lanes(mask, |lane| {
        let index = context.get::<u32>(inst.a, lane as u32);
        match table.get(index as usize) {
            None => bad = bad.or(Some((index, lane as u32))),
            Some(&target) => {
                let target = target as usize;
                match targets.iter_mut().find(|(known, _)| *known == target) {
                    Some((_, lanes)) => *lanes |= 1 << lane,
                    None => targets.push((target, 1 << lane)),
                }
            }
        }
    });
    if let Some((index, lane)) = bad {
        let length = table.len() as u32;
        return context.fault(FaultKind::BranchIndex { index, length }, lane);
    }
    if let [(target, _)] = targets[..] {
        let from = context.pc;
        context.pc = target;
        return context.spend(from.saturating_sub(target));
    }
    context.fuel -= targets.len() as i64;
    context.diverge(&targets, inst.x)
}

/// A place where lanes may reconverge; lowering puts one wherever a branch's lanes do.
pub(crate) fn meet(context: &mut Context<'_>, _: &Inst, _: u32) -> Flow {
    context.meet(context.pc - 1)
}

/// Does nothing: for fences and hints, since every access takes effect at once.
pub(crate) fn nothing(_: &mut Context<'_>, _: &Inst, _: u32) -> Flow {
    Flow::Next
}

/// `exit`
pub(crate) fn exit(context: &mut Context<'_>, _: &Inst, mask: u32) -> Flow {
    context.exit_lanes(mask)
}

/// `trap`
pub(crate) fn trap(context: &mut Context<'_>, _: &Inst, mask: u32) -> Flow {
    context.fault(FaultKind::Trap, mask.trailing_zeros())
}

/// `brkpt`
pub(crate) fn breakpoint(context: &mut Context<'_>, _: &Inst, mask: u32) -> Flow {
    context.fault(FaultKind::Breakpoint, mask.trailing_zeros())
}

/// `call`: `x` is the call, `a` the callee's address when it is indirect.
pub(crate) fn call(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let call = &context.function().calls[inst.x as usize];
    if call.target != NONE {
        return enter(context, call.target, inst.x, mask.trailing_zeros());
    }
    // Lanes that call a function other than the first lane's execute this instruction again.
    let addresses = context.load::<u64>(inst.a);
    let first = addresses[mask.trailing_zeros() as usize];
    let mut same = 0;
    for_lanes(mask, |lane| same |= u32::from(addresses[lane] == first) << lane);
    if same != context.mask {
        let here = context.pc - 1;
        let others = context.mask & !same;
        return context.diverge(&[(here, others), (here, same)], context.pc as u32);
    }
    let offset = first.wrapping_sub(CODE_WINDOW);
    let index = (offset / FUNCTION_STRIDE).wrapping_sub(1);
    let functions = &context.launch.program.functions;
    let valid = offset < WINDOW_SIZE && offset.is_multiple_of(FUNCTION_STRIDE);
    if !valid || functions.get(index as usize).is_none_or(|function| function.entry) {
        return context.fault(FaultKind::BadCall(first), mask.trailing_zeros());
    }
    enter(context, index as u32, inst.x, mask.trailing_zeros())
}

/// Stack that a call takes on a GPU apart from local variables: the return address and saved registers.
/// An estimate; the minimum is 8 bytes.
const CALL_BYTES: u32 = 32;
/// Instructions that a call counts as, so that endless recursion is found, too.
const CALL_STEPS: usize = 16;
/// Bytes of registers that a warp's nested calls may take.
const MAX_REGISTERS: u64 = 1 << 28;

fn enter(context: &mut Context<'_>, target: u32, index: u32, lane: u32) -> Flow {
    let caller = context.function();
    let call = &caller.calls[index as usize];
    let callee = &context.launch.program.functions[target as usize];
    if callee.external {
        return super::external::call(context, callee, call);
    }
    let from = context.warp.current.local;
    let local = context.local_end().next_multiple_of(16);
    let top = local + callee.local_size;
    let registers = u64::from(context.warp.depth + 1) * u64::from(callee.frame_size);
    let depth = context.warp.depth + 1;
    let bytes = top - LOCAL_START + depth * CALL_BYTES;
    if bytes > context.launch.stack || top > LOCAL_LIMIT || registers > MAX_REGISTERS {
        return context.fault(FaultKind::StackOverflow { bytes, depth }, lane);
    }
    context.warp.grow_local(top);
    for (&(source, size), &(target, room)) in call.arguments.iter().zip(&callee.params) {
        copy_local(context, from + source, local + target, size.min(room));
    }
    context.push_call(target, local, index);
    context.spend(CALL_STEPS)
}

/// `ret`
pub(crate) fn ret(context: &mut Context<'_>, _: &Inst, mask: u32) -> Flow {
    let Some(join) = context.caller() else { return context.exit_lanes(mask) };
    let callee = context.function();
    let caller = &context.launch.program.functions[join.scope.function as usize];
    let call = &caller.calls[join.call as usize];
    let from = context.warp.current.local;
    let rest = context.mask;
    context.mask = mask;
    for (&(source, size), &(target, room)) in callee.results.iter().zip(&call.results) {
        copy_local(context, from + source, join.scope.local + target, size.min(room));
    }
    context.mask = rest;
    context.pop_call(mask)
}

/// Copies bytes within the running lanes' local memory.
fn copy_local(context: &mut Context<'_>, from: u32, to: u32, size: u32) {
    let mask = context.mask;
    for word in 0..size.div_ceil(4) as usize {
        let (from, to) = (from as usize + word * 4, to as usize + word * 4);
        for_lanes(mask, |lane| {
            let value = local_read::<u32>(context, from, lane);
            local_write(context, to, lane, value);
        });
    }
}
