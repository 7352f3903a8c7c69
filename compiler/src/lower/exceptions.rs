//! Turns `invoke`s into calls. The sysroot's crates were compiled with unwinding; a kernel's panic
//! ends the thread, so landing pads are never reached.

use crate::codegen::Diagnostic;
use crate::llvm::{Module, Target, opcode};

/// Instructions that only unwinding needs. Those of std's generic functions often stand in blocks
/// that nothing reaches.
const EXCEPTIONS: [opcode::Opcode; 3] = [opcode::INVOKE, opcode::RESUME, opcode::LANDING_PAD];

/// Removes every `invoke` and landing pad.
pub(super) fn remove(module: &mut Module<'_>, target: &Target) -> Result<(), Diagnostic> {
    for function in module.functions() {
        if function.instructions().iter().any(|i| EXCEPTIONS.contains(&i.opcode())) {
            module.run_passes_on(function, "lower-invoke,simplifycfg", target)?;
        }
        function.clear_personality();
    }
    Ok(())
}
