//! Whether the stack that a kernel needs can be known.

use std::collections::HashSet;

use crate::llvm::Value;

/// Whether no assembler can tell how much stack `entry` needs: somewhere below it a function calls
/// itself, perhaps through others, or calls through a pointer.
pub(super) fn is_unknown(entry: Value<'_>) -> bool {
    unbounded(entry, &mut HashSet::new(), &mut HashSet::new())
}

/// `open` holds the functions that lead to `function`, `done` those that are known to be bounded.
fn unbounded<'c>(
    function: Value<'c>,
    open: &mut HashSet<Value<'c>>,
    done: &mut HashSet<Value<'c>>,
) -> bool {
    if done.contains(&function) || function.is_declaration() {
        return false;
    }
    if !open.insert(function) {
        return true;
    }
    let calls = function.instructions().into_iter().filter(|instruction| instruction.is_call());
    for callee in calls.map(Value::callee).filter(|callee| !callee.is_inline_asm()) {
        if !callee.is_function() || unbounded(callee, open, done) {
            return true;
        }
    }
    open.remove(&function);
    done.insert(function);
    false
}
