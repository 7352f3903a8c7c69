//! Mathematical functions from NVIDIA's libdevice, where there is one.
//!
//! Lowered code calls `__ptyx_math_sinf` and the like, which the device library defines in Rust
//! ([`crate::lower`]). libdevice has the same functions as `__nv_sinf`. Its definitions replace the
//! Rust ones of the same name and type, so nothing before or after this step knows which of the two a
//! kernel uses.

use std::fs;
use std::path::Path;

use crate::llvm::{self, Context, Linkage, LlvmError, Module, Value};
use crate::report::Diagnostic;
use crate::symbols::MATH_PREFIX;

/// Prefix of libdevice's functions; C's name follows.
const LIBDEVICE_PREFIX: &str = "__nv_";

/// A function that every libdevice has.
const WITNESS: &str = "__nv_sinf";

/// Reads a libdevice from its first to its last function.
pub(crate) fn check_libdevice(file: &Path, libllvm: &llvm::Library) -> Result<(), Diagnostic> {
    let bitcode = read(file)?;
    llvm::load(libllvm)?;
    llvm::set_activity(file.display().to_string());
    let context = Context::new();
    // A damaged file is not a gap in Ptyx, as other messages of LLVM are.
    let damaged = |error: LlvmError| Diagnostic::new(error.to_string());
    let module = Module::parse(&context, &bitcode).map_err(damaged)?;
    module.verify().map_err(damaged)?;
    match module.function(WITNESS) {
        Some(function) if !function.is_declaration() => Ok(()),
        _ => Err(Diagnostic::new(format!("it has no function `{WITNESS}`"))),
    }
}

fn read(file: &Path) -> Result<Vec<u8>, Diagnostic> {
    fs::read(file).map_err(|e| Diagnostic::new(format!("{} can't be read: {e}", file.display())))
}

/// Replaces the functions in Rust by libdevice's.
pub(super) fn link(all: &mut Module<'_>, file: &Path) -> Result<(), Diagnostic> {
    let library = Module::parse_lazily(all.context(), &read(file)?)?;
    // All of them ask to be inlined always. The passes of lowering would do so before contraction is
    // allowed in the user's code, and drop those that nothing calls yet; left to the optimiser, they
    // are inlined, too.
    let always = all.context().attribute_kind("alwaysinline");
    let mut renamed = Vec::new();
    for theirs in library.functions() {
        theirs.remove_function_attribute(always);
        if theirs.is_declaration() || !theirs.is_external() {
            continue;
        }
        check_declaration(all, theirs)?;
        // What nothing calls is not linked.
        theirs.set_linkage(Linkage::LinkOnceOdr);
        let Some(name) = theirs.name().strip_prefix(LIBDEVICE_PREFIX).map(str::to_owned) else {
            continue;
        };
        let name = format!("{MATH_PREFIX}{name}");
        let Some(ours) = all.function(&name) else { continue };
        if ours.value_type() == theirs.value_type() {
            renamed.push((theirs.name(), name.clone()));
            ours.set_linkage(Linkage::LinkOnceOdr);
            theirs.set_linkage(Linkage::External);
            theirs.set_name(&name);
        }
    }
    all.link(library)?;
    // A name that the user's code calls, of a function that got ours.
    for (theirs, ours) in renamed {
        if let (Some(declared), Some(ours)) = (all.function(&theirs), all.function(&ours)) {
            declared.replace_all_uses_with(ours);
        }
    }
    Ok(())
}

/// Checks how the user's code declares a function that it calls by its name:
/// `extern "C" { fn __nv_erfinvf(x: f32) -> f32; }`.
fn check_declaration(all: &Module<'_>, theirs: Value<'_>) -> Result<(), Diagnostic> {
    let (name, ty) = (theirs.name(), theirs.value_type());
    match all.function(&name) {
        Some(declared) if declared.value_type() != ty => Err(Diagnostic::new(format!(
            "libdevice's `{name}` has other parameters than Rust declares"
        ))
        .note(format!("in libdevice it is `{}`", ty.print()))
        .note(format!("in Rust it is `{}`", declared.value_type().print()))),
        _ => Ok(()),
    }
}
