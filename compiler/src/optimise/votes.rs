//! Votes: what the threads of a warp agree on.

use crate::llvm::{Builder, Context, Value};

/// Takes a condition, and returns whether it holds in all threads of the warp that run together. In one piece, so that
/// nothing can come between the two instructions: the first one says which threads have to take part in the second (PTX ISA
/// 9.7.13, `activemask` and `vote.sync`).
const VOTE: &str =
    "{ .reg .b32 running; activemask.b32 running; vote.sync.all.pred $0, $1, running; }";

/// A condition out of one.
pub(super) const CONSTRAINTS: &str = "=b,b";

/// Whether a condition holds in all threads of the warp that come here together.
pub(super) fn vote<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    condition: Value<'c>,
) -> Value<'c> {
    let bit = context.int(1);
    let ty = context.function(bit, &[bit]);
    let vote = builder.call(ty, context.inline_asm(ty, VOTE, CONSTRAINTS, true), &[condition]);
    vote.add_call_attribute(context.attribute("convergent", 0));
    vote
}

/// Whether a value is what a warp has agreed on.
pub(super) fn is_vote(value: Value<'_>) -> bool {
    is_assembly(value, VOTE)
}

/// Whether a value is the result of this assembly.
pub(super) fn is_assembly(value: Value<'_>, template: &str) -> bool {
    value.is_call() && value.callee().is_inline_asm() && value.callee().asm_template() == template
}
