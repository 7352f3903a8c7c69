//! `#[unroll]` in the source is a marker in the loop's body, which becomes `llvm.loop` metadata of the
//! jumps back to the loop's start.

use crate::llvm::{Block, Context, Module, Value, calls_of, loops_of};
use crate::report::Diagnostic;
use crate::symbols::UNROLL_MARK;

/// The metadata of a jump back (LLVM Language Reference, "llvm.loop").
pub(crate) const LOOP_METADATA: &str = "llvm.loop";

/// The same as in `device-std/src/unroll.rs`; any other value is an unroll count.
pub(crate) const FULL: u64 = 0;
pub(crate) const NEVER_UNROLL: u64 = 1;

/// Replaces every marker. It applies to the innermost loop around it.
pub(super) fn mark_unrolled_loops(module: &Module<'_>) -> Result<(), Diagnostic> {
    let Some(marker) = module.function(UNROLL_MARK) else { return Ok(()) };
    let context = module.context();
    let kind = context.metadata_kind(LOOP_METADATA);
    for call in calls_of(marker) {
        let count = call.operand(0).as_int().ok_or_else(|| {
            let place = call.places(context).pop().unwrap_or_default();
            let (file, line) = (place.file, place.line);
            Diagnostic::new(format!("the count of `unroll` at {file}:{line} is not constant"))
        })?;
        // A loop that never repeats has no jump back, and needs no unrolling.
        if let Some(jumps) = innermost_loop(call.parent_block()) {
            let properties = unroll_properties(context, count);
            let node = context.loop_metadata(&properties);
            for jump in jumps {
                jump.set_metadata(kind, node);
            }
        }
        call.erase();
    }
    Ok(())
}

/// LLVM Language Reference, "llvm.loop.unroll".
pub(crate) fn unroll_properties(context: &Context, count: u64) -> Vec<Value<'_>> {
    let flag = |name: &str| context.metadata_node(&[context.metadata_string(name)]);
    match count {
        FULL => vec![flag("llvm.loop.unroll.full")],
        NEVER_UNROLL => vec![flag("llvm.loop.unroll.disable")],
        count => vec![context.metadata_node(&[
            context.metadata_string("llvm.loop.unroll.count"),
            context.int(32).constant(count),
        ])],
    }
}

/// The jumps back to the start of the innermost loop that `block` is in.
fn innermost_loop<'c>(block: Block<'c>) -> Option<Vec<Value<'c>>> {
    let around = loops_of(block.function()).into_iter().find(|l| l.body.contains(&block))?;
    around.latches.into_iter().map(Block::terminator).collect()
}
