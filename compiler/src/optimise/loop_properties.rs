//! Properties of loops, which stand in the metadata of their jumps back.

use crate::llvm::{Block, Context, Loop, Value};
use crate::lower::{LOOP_METADATA, NEVER_UNROLL, unroll_properties};

/// A property of the copies that keep their checks.
pub(super) const KEEPS_CHECKS: &str = "ptyx.loop.checked";

/// Whether the loop of a jump back has a property, where `kind` is the metadata's.
pub(super) fn has_property(jump: Value<'_>, kind: u32, name: &str) -> bool {
    // The first operand of the loop's node is the node itself.
    let properties = jump.metadata(kind).map(Value::node_operands).unwrap_or_default();
    properties.iter().skip(1).any(|property| {
        let first = property.node_operands().first().copied();
        first.and_then(|first| first.metadata_string()).as_deref() == Some(name)
    })
}

/// Whether a loop has checks because its copy has none.
pub(super) fn keeps_checks(context: &Context, around: &Loop<Block<'_>>) -> bool {
    let kind = context.metadata_kind(LOOP_METADATA);
    let mut jumps = around.latches.iter().filter_map(|latch| latch.terminator());
    jumps.any(|jump| has_property(jump, kind, KEEPS_CHECKS))
}

/// The metadata that keeps the optimiser from unrolling a loop with a run-time trip count.
const HELD_BACK: &str = "llvm.loop.unroll.runtime.disable";

pub(super) fn held_back(context: &Context) -> Vec<Value<'_>> {
    vec![context.metadata_node(&[context.metadata_string(HELD_BACK)])]
}

/// Keeps the optimiser from unrolling the loop of a jump at all, until [`super::unroll_checked_loops`].
pub(super) fn hold_back(context: &Context, jump: Value<'_>) {
    let kind = context.metadata_kind(LOOP_METADATA);
    if jump.metadata(kind).is_none() {
        let mut properties = held_back(context);
        properties.extend(unroll_properties(context, NEVER_UNROLL));
        jump.set_metadata(kind, context.loop_metadata(&properties));
    }
}

/// Whether a jump was held back, and not the source.
pub(super) fn is_held_back(jump: Value<'_>, kind: u32) -> bool {
    has_property(jump, kind, HELD_BACK)
}
