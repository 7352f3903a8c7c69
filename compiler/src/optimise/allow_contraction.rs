//! Allows fused multiply-add, as CUDA C does by default.

use crate::llvm::Module;
use crate::rust::path_of;
use crate::rust::paths::LIBM;
use crate::symbols::MATH_PREFIX;

/// Code that splits floats into exact parts, which contraction would spoil: the device library's and
/// libdevice's, which is explicit about its fused operations. And random numbers, which are to be those of the
/// host.
const EXACT: [&str; 6] =
    [LIBM, MATH_PREFIX, "ptyx_device::math::", "ptyx_device::random::", "__nv_", "__internal_"];

/// The device library's x86 intrinsics, which round where the processor would, also inside core's
/// functions that take closures.
const X86: &str = "ptyx_device::x86::";

/// Marks every float operation but those of the math library and of random numbers.
pub(crate) fn allow_contraction(module: &Module<'_>) {
    for function in module.functions() {
        let path = path_of(&function.name());
        if EXACT
            .iter()
            .any(|prefix| path.starts_with(prefix) || path.starts_with(&format!("<{prefix}")))
            || path.contains(X86)
        {
            continue;
        }
        for instruction in function.instructions() {
            instruction.allow_contraction();
        }
    }
}
