//! Which branches may take the threads of a warp apart.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::Flow;
use crate::llvm::{Block, Value, opcode};
use crate::optimise::join_checks::is_hidden;
use crate::optimise::votes::is_vote;

/// Special registers that differ within a warp, by the beginnings of their names.
const DIFFERENT: [&str; 2] = ["llvm.nvvm.read.ptx.sreg.tid.", "llvm.nvvm.read.ptx.sreg.laneid"];

/// The numbers of the blocks that end with a branch on which threads of a warp may differ.
///
/// A value is the same in all threads if what it is computed from is, and no such branch decides how it is. Parameters and
/// indices of the block are; what is loaded or comes from a call may differ. A thread that leaves a loop earlier than another
/// has other values of what changes in it, which counts for what is behind the loop only: these are not followed, and a
/// branch on them counts as one on which all agree.
pub(super) fn divergent(
    function: Value<'_>,
    blocks: &[Block<'_>],
    numbers: &BTreeMap<Block<'_>, usize>,
    flow: &Flow,
) -> Vec<bool> {
    let mut different: BTreeSet<Value<'_>> = BTreeSet::new();
    let mut divergent = vec![false; blocks.len()];
    let mut open: Vec<Value<'_>> =
        function.instructions().into_iter().filter(|one| is_different(*one)).collect();
    while let Some(value) = open.pop() {
        if !different.insert(value) {
            continue;
        }
        for user in value.users() {
            // The threads that fail a check are no longer of interest, and a vote is the same for all.
            if is_hidden(user) || is_vote(user) {
                continue;
            }
            let decides = matches!(user.opcode(), opcode::BRANCH | opcode::SWITCH);
            match numbers.get(&user.parent_block()) {
                Some(&block) if decides && !divergent[block] => {
                    divergent[block] = true;
                    let chosen =
                        flow.chosen(block).into_iter().flat_map(|at| super::phis(blocks[at]));
                    open.extend(chosen.filter(|phi| !is_copy(*phi)));
                }
                _ => open.push(user),
            }
        }
    }
    // A check's branch is no choice.
    (0..blocks.len()).map(|block| divergent[block] && flow.chooses(block)).collect()
}

/// Whether a phi has the same value wherever control comes from.
fn is_copy(phi: Value<'_>) -> bool {
    let mut values = phi.incoming_edges().into_iter().map(|(value, _)| value);
    let first = values.next();
    values.all(|value| Some(value) == first)
}

/// Whether an instruction's result may differ among threads whose operands are the same.
pub(in crate::optimise) fn is_different(instruction: Value<'_>) -> bool {
    match instruction.opcode() {
        opcode::LOAD | opcode::ALLOCA | opcode::ATOMIC_RMW | opcode::CMPXCHG => true,
        opcode::CALL => {
            let callee = instruction.callee();
            if !callee.is_function() || callee.intrinsic_id() == 0 {
                // Assembly that computes is like an operation.
                return !is_vote(instruction)
                    && (!callee.is_inline_asm() || callee.has_side_effects());
            }
            let name = callee.name();
            DIFFERENT.iter().any(|register| name.starts_with(register))
        }
        _ => false,
    }
}
