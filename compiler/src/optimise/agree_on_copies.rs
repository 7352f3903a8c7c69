//! Lets the threads of a warp agree on which copy of a loop they run.
//!
//! `version_loops` has made two copies, and a condition before them says whether a thread needs the one with checks. If it
//! depends on the thread, the assembler must take both copies for loops that a part of a warp may run: what all of its
//! threads share, such as the counter, then takes a register of each thread, and too few are left to have several loads
//! in flight. So the warp votes: if one of its threads needs checks, all of them make checks.
//!
//! Which condition that is must be certain: any other branch would go wrong. So it is marked from the start, by
//! assembly that LLVM can't see through ([`agreed`]). It becomes a vote at the end: until then, a vote would keep LLVM
//! from what it does with the code around it.

use std::collections::BTreeSet;

use super::rejoin_panics::is_different;
use super::votes::{CONSTRAINTS, is_assembly, vote};
use crate::llvm::{Builder, Context, Module, Value, opcode};

/// Marks a condition that threads of a warp may take for false where it is true.
const MARK: &str = "{ mov.pred $0, $1; }";

/// `condition`, on which the threads of a warp will agree if it may differ among them: then it may be false where it was
/// true.
pub(super) fn agreed<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    condition: Value<'c>,
) -> Value<'c> {
    if !depends_on_thread(condition) {
        return condition;
    }
    let bit = context.int(1);
    let ty = context.function(bit, &[bit]);
    let mark = builder.call(ty, context.inline_asm(ty, MARK, CONSTRAINTS, false), &[condition]);
    for attribute in ["memory", "nounwind", "willreturn"] {
        mark.add_call_attribute(context.attribute(attribute, 0));
    }
    mark
}

/// Makes votes of the marked conditions, as far as they still depend on the thread.
pub(crate) fn agree_on_copies(module: &Module<'_>) {
    let context = module.context();
    let is_mark = |one: &Value<'_>| is_assembly(*one, MARK);
    for function in module.functions() {
        for mark in function.instructions().into_iter().filter(is_mark) {
            let condition = mark.operand(0);
            let place = if depends_on_thread(condition) {
                vote(context, &Builder::before(context, mark), condition)
            } else {
                condition
            };
            mark.replace_all_uses_with(place);
            mark.erase();
        }
    }
}

/// Whether threads of a warp may have different values, as far as the operations that lead to it say.
fn depends_on_thread(value: Value<'_>) -> bool {
    let mut seen = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !value.is_instruction() || !seen.insert(value) {
            continue;
        }
        if is_different(value) {
            return true;
        }
        match value.opcode() {
            opcode::PHI => open.extend(value.incoming_edges().into_iter().map(|(value, _)| value)),
            _ => open.extend(value.operands()),
        }
    }
    false
}
