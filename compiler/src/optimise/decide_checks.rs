//! Leaves out checks that cannot fail, as the ranges of values show.
//!
//! LLVM removes most of them. It leaves those whose index is computed by shifts and masks behind a condition on a thread's
//! index, as in a scan in shared memory whose active threads halve from step to step.
//!
//! A check is left out only if its comparison holds for all values that its operands can have where the branches on the only
//! way to it have gone there (`ranges.rs`). None of LLVM's promises is relied on, and no other check, which might be moved
//! behind this one's place later: only branches of which both sides go on.

use super::flow::{Flow, MAX_DISTANCE, check_at};
use super::ranges::{Behind, Ranges};
use crate::llvm::{Block, Module, opcode, predicate};

/// Leaves out checks in all functions; whether there were any.
pub(crate) fn decide_checks(module: &Module<'_>) -> bool {
    let mut any = false;
    for function in module.functions() {
        let flow = Flow::of(function);
        let mut ranges = Ranges::new(module.context());
        for &block in &flow.blocks {
            any |= decide(module, &flow, &mut ranges, block).is_some();
        }
    }
    any
}

/// Makes the check at the end of a block one that always passes, if it does.
fn decide<'c>(
    module: &Module<'c>,
    flow: &Flow<'c>,
    ranges: &mut Ranges<'c>,
    block: Block<'c>,
) -> Option<()> {
    let branch = block.terminator()?;
    let (comparison, passes) = check_at(block)?;
    if comparison.opcode() != opcode::INTEGER_COMPARISON {
        return None;
    }
    let says = ranges.unsigned(comparison)?;
    let says = if passes { says } else { predicate::inverse(says) };
    let mut behind = Behind::new(ranges);
    for at in flow.before(block).take(MAX_DISTANCE) {
        let is_choice = flow.only_predecessor(at).is_some_and(|from| check_at(from).is_none());
        let guard = flow.condition_of(at).filter(|_| is_choice);
        guard.into_iter().for_each(|(condition, holds)| behind.add(condition, holds));
    }
    let (left, right) = (behind.of(comparison.operand(0))?, behind.of(comparison.operand(1))?);
    left.always(says, right).then(|| {
        branch.set_condition(module.context().int(1).constant(u64::from(passes)));
    })
}
