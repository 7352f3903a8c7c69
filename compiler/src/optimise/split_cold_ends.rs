//! Gives each condition its own copy of a block that ends the thread and that several conditions lead
//! to, such as the panic in an unrolled loop.
//!
//! What such a block needs to know - the index that was out of bounds - is a phi, and a phi is a copy
//! in front of each jump, on the path that every thread runs. With a block for each condition, the
//! values are computed after the jump, on the cold path. Also, only checks that have an end of their own can be made
//! together (`join_checks/`), so ends without phis are split as well, except those of loops: there, paths that panic would be
//! led back into the loop one by one (`rejoin_panics/`), which takes registers. Only loops with relaxed stores, as of a graph
//! search, get one copy each: of an end that two loops share, it is unclear where its threads should wait for the others.

use std::collections::BTreeMap;

use super::join_checks::is_relaxed_store;
use super::meetings::Meetings;
use crate::llvm::{Block, Builder, Module, Value, loops_of, opcode};

/// The most conditions for which an end is split: each gets a copy of the code.
const MAX_CONDITIONS: usize = 160;
/// The most instructions, without phis, of an end that is copied.
const MAX_INSTRUCTIONS: usize = 12;

/// Splits the shared ends of every function.
pub(crate) fn split_cold_ends(module: &Module<'_>) {
    let mut meetings = Meetings::new(module.context());
    for function in module.functions() {
        let blocks = function.blocks();
        let mut predecessors: BTreeMap<Block<'_>, Vec<Block<'_>>> = BTreeMap::new();
        for &block in &blocks {
            for next in block.successors() {
                let known = predecessors.entry(next).or_default();
                if !known.contains(&block) {
                    known.push(block);
                }
            }
        }
        let loops = loops_of(function);
        // The smallest first.
        let innermost = |block: &Block<'_>| loops.iter().position(|l| l.body.contains(block));
        let stores = |around: usize| {
            loops[around].body.iter().flat_map(|block| block.instructions()).any(is_relaxed_store)
        };
        // In the order of the blocks, so that the same source makes the same PTX.
        for block in blocks {
            let Some(predecessors) = predecessors.get(&block) else { continue };
            if !(2..=MAX_CONDITIONS).contains(&predecessors.len())
                || !is_small_end(block)
                || meetings.in_block(block)
            {
                continue;
            }
            let mut around = predecessors.iter().filter_map(innermost);
            if !has_phis(block) && !around.all(stores) {
                continue;
            }
            let mut groups: Vec<(Option<usize>, Vec<Block<'_>>)> = Vec::new();
            for &from in predecessors {
                let around = innermost(&from);
                let known = groups
                    .iter_mut()
                    .find(|(other, _)| around.is_some() && *other == around && !has_phis(block));
                match known {
                    Some((_, group)) => group.push(from),
                    None => groups.push((around, vec![from])),
                }
            }
            if groups.len() > 1 {
                split(module, block, groups.iter().map(|(_, group)| group.as_slice()));
            }
        }
    }
}

/// Whether a block ends its thread, and is small enough to be copied.
fn is_small_end(block: Block<'_>) -> bool {
    let ends = block.terminator().is_some_and(|end| end.opcode() == opcode::UNREACHABLE);
    if !ends {
        return false;
    }
    let is_phi = |i: &Value<'_>| i.opcode() == opcode::PHI;
    block.instructions().iter().filter(|i| !is_phi(i)).count() <= MAX_INSTRUCTIONS
}

/// Whether what a block does depends on where it was reached from.
fn has_phis(block: Block<'_>) -> bool {
    block.instructions().first().is_some_and(|first| first.opcode() == opcode::PHI)
}

/// Copies a block for each group of its predecessors.
fn split<'a, 'c: 'a>(
    module: &Module<'c>,
    block: Block<'c>,
    groups: impl Iterator<Item = &'a [Block<'c>]>,
) {
    let context = module.context();
    let instructions = block.instructions();
    for group in groups {
        let own = block.function().append_block(context);
        let builder = Builder::at_end(context, own);
        let mut values: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
        for &instruction in &instructions {
            if instruction.opcode() == opcode::PHI {
                // Groups of several are made only of blocks without phis.
                let incoming = group.first().and_then(|from| instruction.incoming(*from));
                values.extend(incoming.map(|value| (instruction, value)));
                continue;
            }
            let copy = instruction.copy();
            builder.insert_copy(copy);
            for (i, operand) in (0..).zip(copy.operands()) {
                if let Some(&value) = values.get(&operand) {
                    copy.set_operand(i, value);
                }
            }
            values.insert(instruction, copy);
        }
        group.iter().for_each(|from| from.redirect(block, own));
    }
    block.delete();
}
