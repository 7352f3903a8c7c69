//! What Rust's iterators leave unsaid about their loops, said so that LLVM can conclude from it.
//!
//! LLVM finds out that an index is in bounds from the condition that ends the loop, if the condition
//! is about the index. Two of core's iterators count something else:
//!
//! - a slice's iterator ends when a pointer reaches the end, and `enumerate` counts beside it:
//!   [`ends`] compares counters instead of pointers;
//! - `step_by` of a range counts the steps that are left, which it found by a division: [`steps`]
//!   says that the index is below the range's end, and leaves the division out if it is a slow one.
//!
//! Both look at arithmetic only, not at whose code it is. They run once functions are inlined and
//! variables are registers, and before anything turns loops around: a loop still begins with its
//! condition.

mod ends;
mod lengths;
mod steps;

use std::collections::BTreeMap;

use crate::llvm::{Block, Module, Value, opcode};

/// Works on the loops of every function.
pub(crate) fn explain(module: &Module<'_>) {
    for function in module.functions() {
        let flow = Flow::of(function);
        for &block in &flow.blocks {
            let counters = counters(block);
            let counters = merge(counters);
            ends::compare_counters(module, block, &counters);
            steps::bound(module, &flow, block, &counters);
        }
        lengths::bound_truncated(module, function);
    }
}

/// A variable that changes by the same amount in each round of a loop.
#[derive(Clone, Copy)]
struct Counter<'c> {
    /// The variable, a phi at the start of the loop.
    phi: Value<'c>,
    /// Its first value, and where the loop is entered from.
    start: Value<'c>,
    entry: Block<'c>,
    /// Its value in the next round: an addition, or for a pointer an address.
    next: Value<'c>,
}

impl<'c> Counter<'c> {
    /// What an integer grows by.
    fn step(&self) -> Option<Value<'c>> {
        if self.next.opcode() != opcode::ADD {
            return None;
        }
        match (self.next.operand(0), self.next.operand(1)) {
            (a, step) if a == self.phi => Some(step),
            (step, b) if b == self.phi => Some(step),
            _ => None,
        }
    }

    /// Whether this integer grows by `step`, a constant.
    fn grows_by(&self, step: i64) -> bool {
        let bits = self.phi.ty().int_bits().unwrap_or(64);
        let wanted = (step as u64) & (u64::MAX >> (64 - bits.min(64)));
        self.step().and_then(Value::as_int) == Some(wanted)
    }

    /// What a pointer grows by, in bytes, if it stays within its object or right behind it.
    fn stride(&self, module: &Module<'c>) -> Option<i64> {
        if self.next.opcode() != opcode::GET_ELEMENT_PTR || !self.next.is_in_bounds() {
            return None;
        }
        let [base, index] = self.next.operands()[..] else { return None };
        let size = i64::try_from(module.size_of(self.next.element_type())).ok()?;
        let stride = size.checked_mul(index.as_int()? as i64)?;
        (base == self.phi && stride != 0).then_some(stride)
    }
}

/// The variables that change by the same amount in each round, if `block` is the start of a loop.
fn counters(block: Block<'_>) -> Vec<Counter<'_>> {
    let phis = block.instructions().into_iter().take_while(|i| i.opcode() == opcode::PHI);
    phis.filter_map(counter).collect()
}

/// A phi has one value from outside the loop and, from wherever the next round begins, one that is
/// computed from the phi itself: that it can be says that the phi's block lies before it on every path.
fn counter(phi: Value<'_>) -> Option<Counter<'_>> {
    let incoming = phi.incoming_edges();
    incoming.iter().find_map(|&(next, _)| {
        let grows = next.is_instruction()
            && matches!(next.opcode(), opcode::ADD | opcode::GET_ELEMENT_PTR)
            && next.operands().contains(&phi);
        let mut outside = incoming.iter().filter(|(value, _)| *value != next);
        match (grows, outside.next(), outside.next()) {
            (true, Some(&(start, entry)), None) => Some(Counter { phi, start, entry, next }),
            _ => None,
        }
    })
}

/// Leaves one of several integers that always have the same value: what `zip` counts, and `enumerate`.
fn merge(counters: Vec<Counter<'_>>) -> Vec<Counter<'_>> {
    let mut kept: Vec<Counter<'_>> = Vec::new();
    for counter in counters {
        let step = counter.step();
        let twin = kept.iter().find(|k| {
            step.is_some()
                && k.step() == step
                && (k.start, k.entry) == (counter.start, counter.entry)
        });
        match twin {
            Some(twin) => counter.phi.replace_all_uses_with(twin.phi),
            None => kept.push(counter),
        }
    }
    kept
}

/// How control flows through a function.
struct Flow<'c> {
    blocks: Vec<Block<'c>>,
    predecessors: BTreeMap<Block<'c>, Vec<Block<'c>>>,
}

impl<'c> Flow<'c> {
    fn of(function: Value<'c>) -> Flow<'c> {
        let blocks = function.blocks();
        let mut predecessors: BTreeMap<Block<'c>, Vec<Block<'c>>> = BTreeMap::new();
        for &block in &blocks {
            for next in block.successors() {
                predecessors.entry(next).or_default().push(block);
            }
        }
        Flow { blocks, predecessors }
    }

    /// The one jump that leads to `block`; `None` if there are more, or none.
    fn only_predecessor(&self, block: Block<'c>) -> Option<Block<'c>> {
        match self.predecessors.get(&block).map(Vec::as_slice) {
            Some(&[only]) => Some(only),
            _ => None,
        }
    }

    /// The condition under which `block` is reached from the one block that leads to it, and whether
    /// it holds then.
    fn condition_of(&self, block: Block<'c>) -> Option<(Value<'c>, bool)> {
        let from = self.only_predecessor(block)?;
        let condition = from.terminator()?.condition()?;
        Some((condition, from.successors().first() == Some(&block)))
    }

    /// Whether any of `goals` can be reached from `from` without going through `without`.
    fn reaches(&self, from: Block<'c>, goals: &[Block<'c>], without: Block<'c>) -> bool {
        let mut seen = vec![without];
        let mut open = vec![from];
        while let Some(block) = open.pop() {
            if seen.contains(&block) {
                continue;
            }
            if goals.contains(&block) {
                return true;
            }
            seen.push(block);
            open.extend(block.successors());
        }
        false
    }
}
