//! Turns `invoke`s into calls. The sysroot's crates are compiled with unwinding, and so are all others
//! unless the profile or the flags say `panic = "abort"`. But a kernel's panic ends the thread, so landing
//! pads are never reached.

use crate::llvm::{Module, Target, opcode};
use crate::report::Diagnostic;

/// Instructions that only unwinding needs. Those of std's generic functions are often in unreachable
/// blocks.
const EXCEPTIONS: [opcode::Opcode; 3] = [opcode::INVOKE, opcode::RESUME, opcode::LANDING_PAD];

/// Removes unreachable code and leaves the rest as it is. It is too early for `simplifycfg`, which turns
/// branches that are to be threaded into selects, and nothing is marked convergent yet.
pub(crate) const REMOVE: &str = "lower-invoke,unreachableblockelim";

/// Removes every `invoke` and landing pad.
pub(crate) fn remove_exceptions(
    module: &mut Module<'_>,
    target: &Target,
) -> Result<(), Diagnostic> {
    for function in module.functions() {
        if function.instructions().iter().any(|i| EXCEPTIONS.contains(&i.opcode())) {
            module.run_passes_on(function, REMOVE, target)?;
        }
        function.clear_personality();
    }
    Ok(())
}
