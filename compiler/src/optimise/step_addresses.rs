//! Lets addresses that are a run-time stride apart step from one iteration to the next.
//!
//! `a[i * columns + j]` in a loop over `i` takes a 64-bit multiplication, several instructions on a GPU; adding the
//! stride to the address of the iteration before takes two. LLVM's pass for this (loop strength reduction) also rewrites
//! what is cheap already, and takes registers for it: it is off (`llvm/mod.rs`).

use super::affine::{Affine, Before, EXACT};
use super::flow::Flow;
use super::version_loops::leads_to_panic;
use crate::llvm::{Block, Builder, Loop, Module, Type, Value, loops_of, opcode};

/// The most addresses of a loop that step, each of which takes two registers.
const MAX_STEPS: usize = 4;

/// How many additions to an index are looked through.
const MAX_DEPTH: usize = 3;

/// Changes the innermost loops of every function.
pub(crate) fn step_addresses(module: &Module<'_>) {
    for function in module.functions() {
        let flow = Flow::of(function);
        let all = loops_of(function);
        for around in &all {
            let is_inside = |other: &Loop<Block<'_>>| {
                other.start != around.start && around.body.contains(&other.start)
            };
            if !all.iter().any(is_inside) {
                step(module, &flow, around);
            }
        }
    }
    forget_exact(module);
}

/// Removes the marks of [`EXACT`], which hold where they are now.
pub(crate) fn forget_exact(module: &Module<'_>) {
    let exact = module.context().metadata_kind(EXACT);
    for instruction in module.functions().into_iter().flat_map(|function| function.instructions()) {
        if [opcode::SIGN_EXTEND, opcode::ZERO_EXTEND].contains(&instruction.opcode()) {
            instruction.clear_metadata(exact);
        }
    }
}

/// An address in a loop, of an element of `base`.
struct Address<'c> {
    instruction: Value<'c>,
    base: Value<'c>,
    element: Type<'c>,
    first: Value<'c>,
    step: Value<'c>,
}

impl Address<'_> {
    /// Whether both are always as far apart as in the first iteration.
    fn moves_with(&self, other: &Address<'_>) -> bool {
        self.base == other.base && self.element == other.element && self.step == other.step
    }
}

fn step<'c>(module: &Module<'c>, flow: &Flow<'c>, around: &Loop<Block<'c>>) -> Option<()> {
    let context = module.context();
    let mut before = Before::new(context, flow, around)?;
    let latch = *around.latches.first()?;
    before.trusts = !around.body.iter().any(|block| leads_to_panic(around, *block));
    let blocks = flow.blocks_of(around);
    let instructions = blocks.iter().flat_map(|block| block.instructions());
    let addresses: Vec<Address<'c>> =
        instructions.filter_map(|i| address(&mut before, i)).collect();
    let mut groups: Vec<Vec<&Address<'c>>> = Vec::new();
    for address in &addresses {
        match groups.iter_mut().find(|group| group[0].moves_with(address)) {
            Some(group) => group.push(address),
            None => groups.push(vec![address]),
        }
    }
    if groups.len() > MAX_STEPS {
        return None;
    }
    let head = around.start.instructions().into_iter().next()?;
    let end = latch.terminator()?;
    for group in groups {
        let leader = group[0];
        let start = before.builder.element(leader.element, leader.base, leader.first);
        let phi = Builder::before(context, head).phi(start.ty(), &[(start, before.entry)]);
        let next = Builder::before(context, end).element(leader.element, phi, leader.step);
        phi.add_incoming(next, latch);
        for address in group {
            let place = match address.first == leader.first {
                true => phi,
                false => {
                    let distance = before.binary(opcode::SUB, address.first, leader.first);
                    Builder::before(context, address.instruction).element(
                        leader.element,
                        phi,
                        distance,
                    )
                }
            };
            address.instruction.replace_all_uses_with(place);
        }
    }
    Some(())
}

/// Whether only addresses are computed from an index, directly or by adding to it.
fn is_for_addresses(index: Value<'_>, depth: usize) -> bool {
    index.users().into_iter().all(|user| match user.opcode() {
        opcode::GET_ELEMENT_PTR => true,
        opcode::ADD | opcode::SUB => depth > 0 && is_for_addresses(user, depth - 1),
        _ => is_remark(user),
    })
}

/// Whether a value is a comparison that only tells the optimiser something, such as what `get_unchecked` promises.
fn is_remark(value: Value<'_>) -> bool {
    let tells = |user: Value<'_>| {
        user.is_call() && user.callee().is_function() && user.callee().name() == "llvm.assume"
    };
    value.opcode() == opcode::INTEGER_COMPARISON && value.users().into_iter().all(tells)
}

/// An address that changes by a run-time stride.
fn address<'c>(before: &mut Before<'_, 'c>, instruction: Value<'c>) -> Option<Address<'c>> {
    if instruction.opcode() != opcode::GET_ELEMENT_PTR {
        return None;
    }
    let [base, index] = instruction.operands()[..] else { return None };
    // A local array may yet become registers.
    let is_variable = base.is_instruction() && base.opcode() == opcode::ALLOCA;
    if !before.is_invariant(base) || is_variable || index.ty().int_bits() != Some(64) {
        return None;
    }
    // Else the index would be calculated all the same.
    if !is_for_addresses(index, MAX_DEPTH) {
        return None;
    }
    before.conditions.clear();
    let Affine { first, step } = before.affine(index, 0)?;
    // It is not known whether what is extended wraps around.
    if !before.conditions.is_empty() {
        return None;
    }
    let step = step.filter(|step| step.as_int().is_none())?;
    Some(Address { instruction, base, element: instruction.element_type(), first, step })
}
