//! Lets relaxed loads of other threads' stores use the L1 cache, where no program can tell the difference.
//!
//! A relaxed load at the scope of the device goes to the L2 cache, since a store of another multiprocessor may be there already. But
//! relaxed loads may be early, as long as no thread goes back in time: a load at the scope of a block, which finds the store
//! later, returns what the wider one may have returned as well. That relies on the L1 cache, which does not go back in time for one
//! multiprocessor: PTX itself promises an order of loads and stores of one address only at scopes that hold both threads. A search
//! through a graph, or a relaxation that is repeated until nothing changes, needs no more. All such loads of a kernel become loads at
//! the scope of a block, or none, and only if
//!
//! - the program has chosen no scope: lowering marks these loads. What asks for the scope of the device gets it;
//! - nothing in the kernel orders memory: no fence, barrier, shuffle, acquire or release, and no call;
//! - no thread comes to such a load after an atomic operation whose result it uses, and which may have seen a later store;
//! - no loop waits for a store that the L1 cache might not show: each iteration loads from another address, and whether there is a
//!   next one does not depend on what is loaded, or it does, but what is loaded grows or falls in each iteration;
//! - no address is loaded twice.

use std::collections::BTreeSet;

use super::dominators::Dominators;
use super::flow::Flow;
use crate::llvm::known::KERNEL_CONVENTION;
use crate::llvm::{Block, Loop, Module, Value, loops_of, opcode, ordering, predicate};
use crate::symbols::UNCHOSEN_SCOPE;

/// The names that LLVM has for scopes.
const DEVICE: &str = "device";
const BLOCK: &str = "block";

/// How deep an address is looked into.
const MAX_DEPTH: usize = 24;

/// Calls that order nothing.
const HARMLESS: [&str; 3] =
    ["llvm.assume", "llvm.experimental.noalias.scope.decl", "llvm.lifetime."];

/// Changes the loads of every kernel.
pub(crate) fn load_nearby(module: &Module<'_>) {
    let [device, block] = [DEVICE, BLOCK].map(|scope| module.context().sync_scope(scope));
    for function in module.functions() {
        if function.calling_convention() == KERNEL_CONVENTION && !function.is_declaration() {
            let loads = Kernel::new(module, function, device).loads().unwrap_or_default();
            loads.into_iter().for_each(|load| load.set_sync_scope(block));
        }
    }
}

struct Kernel<'c> {
    flow: Flow<'c>,
    dominators: Dominators<'c>,
    loops: Vec<Loop<Block<'c>>>,
    device: u32,
    /// The mark of loads whose scope the program has not chosen.
    unchosen: u32,
    /// The attribute that says which memory a function reads and writes.
    memory: u32,
}

impl<'c> Kernel<'c> {
    fn new(module: &Module<'c>, function: Value<'c>, device: u32) -> Kernel<'c> {
        let flow = Flow::of(function);
        Kernel {
            dominators: Dominators::of(&flow),
            loops: loops_of(function),
            device,
            unchosen: module.context().metadata_kind(UNCHOSEN_SCOPE),
            memory: module.context().attribute_kind("memory"),
            flow,
        }
    }

    /// The loads that may be changed: all relaxed ones, or none.
    fn loads(&self) -> Option<Vec<Value<'c>>> {
        let (mut loads, mut seen) = (Vec::new(), Vec::new());
        for &block in &self.flow.blocks {
            let end = block.terminator()?;
            // What a failing thread does comes after everything else.
            if end.opcode() == opcode::UNREACHABLE {
                continue;
            }
            for one in block.instructions() {
                match one.opcode() {
                    opcode::LOAD if one.memory_ordering() != ordering::NOT_ATOMIC => {
                        loads.push(self.may_change(one).then_some(one)?);
                    }
                    opcode::LOAD | opcode::STORE => {
                        let is_weak = one.memory_ordering() <= ordering::MONOTONIC;
                        (is_weak && !one.is_volatile()).then_some(())?;
                    }
                    opcode::ATOMIC_RMW => {
                        (one.memory_ordering() <= ordering::MONOTONIC).then_some(())?;
                        seen.extend((!one.users().is_empty()).then_some(one));
                    }
                    opcode::CMPXCHG => {
                        let is_relaxed = |order: i32| order <= ordering::MONOTONIC;
                        one.orderings().into_iter().all(is_relaxed).then_some(())?;
                        seen.push(one);
                    }
                    opcode::FENCE => return None,
                    opcode::CALL => is_harmless(self.memory, one).then_some(())?,
                    _ => {}
                }
            }
        }
        let waits = |load: &Value<'c>| {
            let block = load.parent_block();
            let mut around = self.loops.iter().filter(|around| around.body.contains(&block));
            around.any(|around| self.waits(around, *load))
        };
        let is_first = |load: &Value<'c>| !seen.iter().any(|other| self.comes_after(*load, *other));
        // Iterations that LLVM has unrolled ask the same address again.
        let repeats = |load: &Value<'c>| {
            loads.iter().any(|other| {
                load != other
                    && load.operand(0) == other.operand(0)
                    && self.comes_after(*load, *other)
            })
        };
        (!loads.iter().any(waits) && loads.iter().all(is_first) && !loads.iter().any(repeats))
            .then_some(loads)
    }

    /// Whether a load is at the scope of the device, though nobody asked for it, of memory that may be cached.
    fn may_change(&self, load: Value<'c>) -> bool {
        load.memory_ordering() == ordering::MONOTONIC
            && load.sync_scope() == self.device
            && load.metadata(self.unchosen).is_some()
            && !load.is_volatile()
            && matches!(load.operand(0).ty().address_space(), 0 | 1)
    }

    /// Whether a thread may come to a load after another instruction.
    fn comes_after(&self, load: Value<'c>, other: Value<'c>) -> bool {
        let (to, from) = (load.parent_block(), other.parent_block());
        let mut behind = from.instructions().into_iter().skip_while(|one| *one != other);
        let in_loop = || self.loops.iter().any(|around| around.body.contains(&to));
        behind.any(|one| one == load)
            || from.successors().into_iter().any(|next| self.flow.reaches(next, &[to], from))
            || to == from && in_loop()
    }

    /// Whether a loop may wait for a load in it.
    fn waits(&self, around: &Loop<Block<'c>>, load: Value<'c>) -> bool {
        let &[latch] = &around.latches[..] else { return true };
        let phis: Vec<Value<'c>> = around.start.instructions();
        let phis = phis.into_iter().take_while(|one| one.opcode() == opcode::PHI);
        let variables: Vec<(Value<'c>, Value<'c>)> =
            phis.filter_map(|phi| Some((phi, phi.incoming(latch)?))).collect();
        let one_way = self.one_way(around, latch, &variables, load);
        if self.moves(around, &variables, one_way, load.operand(0), 0) != Some(true) {
            return true;
        }
        // What is known before the loop does not change in it.
        let is_inside = |value: Value<'c>| around.body.contains(&value.parent_block());
        let all = self.flow.blocks_of(around);
        let conditions = all.into_iter().filter_map(|block| {
            // A switch has its value as the first operand.
            let end = block.terminator()?;
            let is_switch = end.opcode() == opcode::SWITCH;
            let condition = end.condition().or_else(|| is_switch.then(|| end.operand(0)))?;
            let leaves = |to: &Block<'c>| !around.body.contains(to);
            Some((condition, block.successors().iter().any(leaves)))
        });
        let (exits, choices): (Vec<_>, Vec<_>) = conditions.partition(|(_, leaves)| *leaves);
        let chooses =
            choices.into_iter().any(|(condition, _)| depends(condition, &is_inside, &is_loaded));
        // A phi has the value of the branch that was taken.
        let is_chosen = |value: Value<'c>| {
            let counter = variables.iter().find(|(phi, _)| *phi == value);
            is_loaded(value)
                || chooses
                    && value.opcode() == opcode::PHI
                    && !counter.is_some_and(|(phi, next)| counts(*phi, *next))
        };
        exits.into_iter().any(|(condition, _)| depends(condition, &is_inside, &is_chosen))
            && one_way.is_none()
    }

    /// Whether an address is another one in each iteration, as far as the loop alone decides: it is made by sums, products and plain
    /// loads from a variable that counts, or that goes one way. `Some(false)` if it is the same in all iterations.
    fn moves(
        &self,
        around: &Loop<Block<'c>>,
        variables: &[(Value<'c>, Value<'c>)],
        one_way: Option<Value<'c>>,
        value: Value<'c>,
        depth: usize,
    ) -> Option<bool> {
        if !value.is_instruction() || !around.body.contains(&value.parent_block()) {
            return Some(false);
        }
        if depth == MAX_DEPTH {
            return None;
        }
        let of = |value| self.moves(around, variables, one_way, value, depth + 1);
        match value.opcode() {
            opcode::PHI => match variables.iter().find(|(phi, _)| *phi == value) {
                Some((phi, next)) => {
                    (counts(*phi, *next) || one_way == Some(value)).then_some(true)
                }
                // A counter of an inner loop begins with this.
                None => {
                    let inner = self.loops.iter().find(|one| one.start == value.parent_block())?;
                    of(value.incoming(self.flow.entry(inner)?)?)
                }
            },
            opcode::LOAD if value.memory_ordering() == ordering::NOT_ATOMIC => of(value.operand(0)),
            opcode::ADD
            | opcode::SUB
            | opcode::MUL
            | opcode::SHL
            | opcode::ZERO_EXTEND
            | opcode::SIGN_EXTEND
            | opcode::TRUNCATE
            | opcode::GET_ELEMENT_PTR
            | opcode::ADDRESS_SPACE_CAST => {
                let parts: Option<Vec<bool>> = value.operands().into_iter().map(of).collect();
                Some(parts?.contains(&true))
            }
            _ => None,
        }
    }

    /// The variable of a loop whose next value comes from a load, if the loop goes on only if that is less than the one before it, or
    /// only if it is greater.
    fn one_way(
        &self,
        around: &Loop<Block<'c>>,
        latch: Block<'c>,
        variables: &[(Value<'c>, Value<'c>)],
        load: Value<'c>,
    ) -> Option<Value<'c>> {
        // The branches that every iteration comes to, and how each goes on.
        let all = self.dominators.above(latch).take_while(|one| around.body.contains(one));
        let mut comparisons = all.filter_map(|block| {
            let condition = block.terminator().and_then(Value::condition)?;
            let [yes, no] = block.successors()[..] else { return None };
            let goes_on = match (around.body.contains(&yes), around.body.contains(&no)) {
                (true, false) => true,
                (false, true) => false,
                _ => return None,
            };
            let compares =
                condition.is_instruction() && condition.opcode() == opcode::INTEGER_COMPARISON;
            let says = compares.then(|| condition.predicate())?;
            let says = if goes_on { says } else { predicate::inverse(says) };
            STRICT.contains(&says).then(|| (condition.operand(0), condition.operand(1)))
        });
        comparisons.find_map(|(left, right)| {
            let is_it = |(phi, next): &&(Value<'c>, Value<'c>)| {
                ((left, right) == (*phi, *next) || (left, right) == (*next, *phi))
                    && depends(*next, &|value| value != *phi, &|value| value == load)
            };
            variables.iter().find(is_it).map(|(phi, _)| *phi)
        })
    }
}

/// Comparisons that do not hold of equal numbers, and order all others.
const STRICT: [i32; 4] = [
    predicate::UNSIGNED_LESS,
    predicate::UNSIGNED_GREATER,
    predicate::SIGNED_LESS,
    predicate::SIGNED_GREATER,
];

/// Whether a variable of a loop takes steps of a constant.
fn counts<'c>(phi: Value<'c>, next: Value<'c>) -> bool {
    next.is_instruction()
        && next.opcode() == opcode::ADD
        && next.operand(0) == phi
        && next.operand(1).as_int().is_some()
}

/// Whether a value is what an atomic operation returns, or comes from memory, where that may have been stored.
fn is_loaded(value: Value<'_>) -> bool {
    matches!(value.opcode(), opcode::LOAD | opcode::ATOMIC_RMW | opcode::CMPXCHG)
}

/// Whether a value is calculated from an instruction of some kind, by instructions that `follows` holds for.
fn depends<'c>(
    value: Value<'c>,
    follows: &dyn Fn(Value<'c>) -> bool,
    is_it: &dyn Fn(Value<'c>) -> bool,
) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![value]);
    while let Some(value) = open.pop() {
        if value.is_instruction() && follows(value) && seen.insert(value) {
            if is_it(value) {
                return true;
            }
            open.extend(value.operands());
        }
    }
    false
}

/// Whether a call orders nothing, and touches no memory; `memory` is the kind of the attribute that says what a
/// function touches.
pub(super) fn is_harmless(memory: u32, call: Value<'_>) -> bool {
    let callee = call.callee();
    if callee.is_inline_asm() {
        // Only brackets lead to memory.
        let template = callee.asm_template();
        return template.is_empty() || !callee.has_side_effects() && !template.contains('[');
    }
    callee.is_function()
        && callee.intrinsic_id() != 0
        && (callee.function_attribute_value(memory) == Some(0)
            || HARMLESS.iter().any(|name| callee.name().starts_with(name)))
}
