//! Statics that refer to each other in a circle, or to themselves.
//!
//! PTX defines a variable before another one's initial value may name it, so the backend refuses
//! circles. So one variable of each circle gets its value when the kernel starts: each thread stores
//! it, all of them the same value. This runs after the optimiser, which still saw constants.
//!
//! Such variables are constants, except in registry crates, whose changeable statics are copies anyway
//! (`replace_foreign`): a thread that starts later resets those.

use std::collections::HashSet;

use crate::llvm::{Builder, Module, Value};

/// Breaks the circles among the globals of `module`, whose kernel is `entry`.
pub(crate) fn break_cycles<'c>(module: &Module<'c>, entry: Value<'c>) {
    let Some(start) = entry.first_instruction() else { return };
    let builder = Builder::before(module.context(), start);
    for global in module.globals() {
        let Some(initial) = global.initializer() else { continue };
        if !reaches(initial, global) {
            continue;
        }
        global.set_constant_global(false);
        global.set_initializer(global.value_type().null());
        builder.store_aligned(initial, global, global.alignment());
    }
}

/// Whether the constant `from` refers to `target`, directly or through the initial values of other
/// globals.
fn reaches<'c>(from: Value<'c>, target: Value<'c>) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![from];
    while let Some(value) = open.pop() {
        for operand in value.operands().into_iter().filter(|operand| !operand.is_function()) {
            if operand == target {
                return true;
            }
            if seen.insert(operand) {
                // A global's operand is its initial value.
                open.push(operand);
            }
        }
    }
    false
}
