//! Turns atomic instructions on a thread's own variables into ordinary ones: once functions are
//! inlined, it is visible which pointers lead to those.

use crate::llvm::Module;
use crate::lower::{is_private_atomic, make_plain};

/// Replaces atomic instructions on variables of the thread.
pub(crate) fn make_private_atomics_plain(module: &Module<'_>) {
    for function in module.functions() {
        for instruction in function.instructions() {
            if is_private_atomic(instruction) {
                make_plain(module, instruction);
            }
        }
    }
}
