//! Lets all iterations of a loop end in one place, whether or not by a `continue`.
//!
//! If a `continue` leaves a variable unchanged, LLVM makes two nested loops of the one: an inner loop of the iterations that end with
//! the `continue`, and an outer loop of the others. On a device, the threads of a warp then wait in the outer loop until the last one
//! has left the inner loop, so that a random walk with obstacles takes 2.6 times as long. Nor is the loop's trip count found then, or
//! its condition moved to its end. With a single jump back, the loop stays one.
//!
//! Loops with other loops inside stay as they are, unless those are short: what follows the `continue` may take long, and it is better that the threads wait
//! for each other before it than that they take turns. But where an inner loop ends with the outer one's jump back, that jump gets
//! a block of its own if the end is reached in several ways, as in a loop over `a..=b`: LLVM's jump threading threads no path to the
//! start of a loop.

use crate::llvm::{Block, Builder, Context, Loop, Module, Value, loops_of, opcode};
use crate::lower::LOOP_METADATA;

/// Joins the iterations of all innermost loops.
pub(crate) fn join_iterations(module: &Module<'_>) {
    for function in module.functions().into_iter().filter(|one| !one.is_declaration()) {
        let loops = loops_of(function);
        let is_innermost = |around: &&Loop<Block<'_>>| {
            let is_inside = |other: &&Loop<Block<'_>>| {
                other.start != around.start && around.body.contains(&other.start)
            };
            loops.iter().filter(is_inside).all(|other| counts_to(other, SHORT))
        };
        for around in loops.iter().filter(|around| around.latches.len() > 1).filter(is_innermost) {
            join(module.context(), function, around);
        }
        for around in &loops {
            let is_inside = |latch: &Block<'_>, other: &Loop<Block<'_>>| {
                other.start != around.start
                    && other.body.contains(latch)
                    && around.body.contains(&other.start)
            };
            let ends = |latch: &Block<'_>, other: &Loop<Block<'_>>| {
                is_inside(latch, other) && counts_to(other, u64::MAX)
            };
            if let [latch] = around.latches[..]
                && loops.iter().any(|other| ends(&latch, other))
                && decides_by_way(latch)
            {
                join(module.context(), function, around);
            }
        }
    }
}

/// The most iterations of a loop that is no loop any more once LLVM has unrolled it, as over the axes of a view.
const SHORT: u64 = 4;

/// Whether a loop compares a variable of its own with a constant, which is no more than `most`.
fn counts_to(around: &Loop<Block<'_>>, most: u64) -> bool {
    let blocks = around.body.iter();
    let mut compared = blocks
        .flat_map(|block| block.instructions())
        .filter(|one| one.opcode() == opcode::INTEGER_COMPARISON)
        .filter(|one| one.operand(1).as_int().is_some_and(|end| end <= most))
        .map(|one| one.operand(0));
    compared.any(|value| {
        value.is_instruction()
            && value.opcode() == opcode::PHI
            && value.parent_block() == around.start
    })
}

/// Whether a block's branch depends on the way to the block.
fn decides_by_way(block: Block<'_>) -> bool {
    let condition = block.terminator().and_then(Value::condition);
    condition.is_some_and(|condition| {
        condition.is_instruction()
            && condition.opcode() == opcode::PHI
            && condition.parent_block() == block
            && condition.incoming_edges().iter().any(|(value, _)| value.as_int().is_some())
    })
}

/// Lets all jumps back of a loop lead to one new block, which jumps back.
fn join<'c>(context: &'c Context, function: Value<'c>, around: &Loop<Block<'c>>) {
    let is_latch = |from: &Block<'c>| around.latches.contains(from);
    let last = function.append_block(context);
    let builder = Builder::at_end(context, last);
    let phis = around.start.instructions().into_iter();
    let phis: Vec<Value<'c>> = phis.take_while(|one| one.opcode() == opcode::PHI).collect();
    let mut joined = Vec::new();
    for phi in &phis {
        let (back, entering): (Vec<_>, Vec<_>) =
            phi.incoming_edges().into_iter().partition(|(_, from)| is_latch(from));
        joined.push((*phi, builder.phi(phi.ty(), &back), entering));
    }
    let kind = context.metadata_kind(LOOP_METADATA);
    let jumps = || around.latches.iter().filter_map(|latch| latch.terminator());
    let properties = jumps().find_map(|jump| jump.metadata(kind));
    for latch in &around.latches {
        latch.redirect(around.start, last);
    }
    builder.jump(around.start);
    if let (Some(jump), Some(properties)) = (last.terminator(), properties) {
        jump.set_metadata(kind, properties);
    }
    for (phi, back, mut entering) in joined {
        entering.push((back, last));
        let new = Builder::before(context, phi).phi(phi.ty(), &entering);
        phi.replace_all_uses_with(new);
        phi.erase();
    }
}
