//! Properties of loops, which stand in the metadata of their jumps back.

use crate::llvm::{Block, Context, Loop, Value};
use crate::lower::LOOP_METADATA;

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
