//! Which architectures a kernel is compiled for.

use ptyx_image::Arch;

use crate::llvm::{BASE_PTX, LlvmError, Module, Target};
use crate::lower::{Goal, asked_archs};
use crate::options::Options;
use crate::report::Diagnostic;

/// What a kernel is to be compiled for: what the user asked for; or else, what the kernel needs,
/// and once more for each architecture that its code asks about.
pub(super) fn goals(module: &Module<'_>, options: &Options) -> Result<Vec<Goal>, Diagnostic> {
    let asked_by_code = asked_archs(module)?;
    if !options.targets.is_empty() {
        return Ok(options.targets.iter().map(|&arch| Goal::Asked(arch)).collect());
    }
    let newer = asked_by_code.into_iter().filter(|&arch| !Arch::BASE.provides(arch));
    Ok([Arch::BASE].into_iter().chain(newer).map(Goal::From).collect())
}

/// A target machine for an architecture, with the least PTX version that it takes or `ptx`.
pub(super) fn target(arch: Arch, ptx: u32) -> Result<Target, LlvmError> {
    Target::new(arch, ptx.max(arch.ptx_version()).max(BASE_PTX))
}
