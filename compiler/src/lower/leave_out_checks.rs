//! Leaves checks of indices, overflow and division out of kernels marked `#[kernel(unsafe(unchecked))]`.
//!
//! A check is a branch to a block that calls one of core's functions for a failed one and never returns. The
//! branch becomes a jump past it. What the kernel asserts itself, and `unwrap` and `expect`, stay.

use crate::llvm::{Block, Builder, Module, Value, calls_of, opcode};
use crate::rust::path_of;
use crate::rust::paths::FAILED_CHECKS;
use crate::symbols::PANIC_BOUNDS;

/// Leaves the checks out.
pub(crate) fn leave_out_checks(module: &Module<'_>) {
    for function in module.functions() {
        let name = function.name();
        if name == PANIC_BOUNDS || FAILED_CHECKS.contains(&path_of(&name).as_str()) {
            for call in calls_of(function) {
                leave_out(module, call);
            }
        }
    }
}

/// Makes every branch to a failed check's block a jump to where it leads otherwise. If the block has other
/// predecessors, or does more, then all that is known is that the call never runs.
fn leave_out<'c>(module: &Module<'c>, failed: Value<'c>) {
    let block = failed.parent_block();
    let ends = block.terminator().is_some_and(|end| {
        end.opcode() == opcode::UNREACHABLE && failed.next_instruction() == Some(end)
    });
    if !ends {
        return;
    }
    let is_alone = block.instructions().first() == Some(&failed);
    failed.erase();
    if is_alone {
        for before in failed_from(block) {
            skip(module, before, block);
        }
    }
}

/// The blocks that may lead to `block`.
fn failed_from<'c>(block: Block<'c>) -> Vec<Block<'c>> {
    let mut blocks = block.function().blocks();
    blocks.retain(|before| before.successors().contains(&block));
    blocks
}

/// Makes the branch at the end of `before` a jump to its successor that is not `failed`.
fn skip<'c>(module: &Module<'c>, before: Block<'c>, failed: Block<'c>) {
    let Some(branch) = before.terminator().filter(|end| end.opcode() == opcode::BRANCH) else {
        return;
    };
    let others: Vec<_> = before.successors().into_iter().filter(|next| *next != failed).collect();
    if let [other] = others[..] {
        let builder = Builder::before(module.context(), branch);
        builder.jump(other);
        branch.erase();
    }
}
