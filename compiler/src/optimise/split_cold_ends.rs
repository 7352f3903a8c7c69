//! Gives each condition its own copy of a block that ends the thread and that several conditions lead
//! to, such as the panic in an unrolled loop.
//!
//! What such a block needs to know - the index that was out of bounds - is a phi, and a phi is a copy
//! in front of each jump, on the path that every thread runs. With a block for each condition, the
//! values are computed after the jump, on the cold path. Also, only checks that have an end of their own can be made
//! together (`join_checks/`), so ends without phis are split as well, except those of loops: there, paths that panic would be
//! led back into the loop one by one (`rejoin_panics/`), which takes registers.

use std::collections::{BTreeMap, BTreeSet};

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
        let in_loops: BTreeSet<Block<'_>> =
            loops_of(function).into_iter().flat_map(|around| around.body).collect();
        // In the order of the blocks, so that the same source makes the same PTX.
        for block in blocks {
            let Some(predecessors) = predecessors.get(&block) else { continue };
            if (2..=MAX_CONDITIONS).contains(&predecessors.len())
                && is_small_end(block)
                && (has_phis(block) || !predecessors.iter().any(|from| in_loops.contains(from)))
                && !meetings.in_block(block)
            {
                split_one(module, block, predecessors);
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

fn split_one<'c>(module: &Module<'c>, block: Block<'c>, predecessors: &[Block<'c>]) {
    let context = module.context();
    let instructions = block.instructions();
    for &from in predecessors {
        let own = block.function().append_block(context);
        let builder = Builder::at_end(context, own);
        let mut values: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
        for &instruction in &instructions {
            if instruction.opcode() == opcode::PHI {
                values.extend(instruction.incoming(from).map(|value| (instruction, value)));
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
        from.redirect(block, own);
    }
    block.delete();
}
