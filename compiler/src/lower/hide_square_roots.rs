//! Turns square roots into something that LLVM's code generator does not know.
//!
//! LLVM 22 turns `if x < 0.0 { NaN } else { sqrt(x) }` into `sqrt(x)`, even where the program says
//! which NaN it wants and looks at its bits (`SimplifySelectOps` in its `DAGCombiner`). On a GPU the
//! square root of a negative number is a different NaN. So after the optimiser, square roots become the
//! target's own intrinsics, which give the same instructions (PTX ISA, `sqrt.rn`).

use crate::llvm::{Builder, LlvmError, Module};

/// LLVM's intrinsics and the target's.
const INTRINSICS: [(&str, &str); 2] =
    [("llvm.sqrt.f32", "llvm.nvvm.sqrt.rn.f"), ("llvm.sqrt.f64", "llvm.nvvm.sqrt.rn.d")];

/// Replaces the square roots of an optimised module.
///
/// # Errors
/// If LLVM lacks the target's intrinsics.
pub(crate) fn hide_square_roots(module: &Module<'_>) -> Result<(), LlvmError> {
    for (known, own) in INTRINSICS {
        let Some(function) = module.function(known) else { continue };
        let (replacement, ty) = module
            .intrinsic(own)
            .ok_or_else(|| LlvmError::Message(format!("it has no intrinsic `{own}`")))?;
        for user in function.users() {
            let call =
                Builder::before(module.context(), user).call(ty, replacement, &user.arguments());
            user.replace_all_uses_with(call);
            user.erase();
        }
    }
    Ok(())
}
