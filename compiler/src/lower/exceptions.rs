//! Turns `invoke`s into calls. The sysroot's crates were compiled with unwinding; a kernel's panic
//! ends the thread, so landing pads are never reached.

use crate::codegen::Diagnostic;
use crate::llvm::{Module, Target, opcode};

/// Removes every `invoke` and landing pad.
pub(super) fn remove(module: &mut Module<'_>, target: &Target) -> Result<(), Diagnostic> {
    for function in module.functions() {
        if function.instructions().iter().any(|i| i.opcode() == opcode::INVOKE) {
            module.run_passes_on(function, "lower-invoke,simplifycfg", target)?;
        }
        function.clear_personality();
    }
    Ok(())
}
