//! Gives the host's assembly and thread-locals names that can be explained.
//!
//! What can't run on a device is turned into calls of functions that do not exist. If they are
//! still called once the kernel is optimised, `reject` finds them with a call chain, like every
//! other function that a device does not have.

use crate::llvm::{Builder, Linkage, Module, TypeKind, Value};

/// Stands for inline assembly of the host.
pub(crate) const ASSEMBLY: &str = "__ptyx_foreign_assembly";
/// Stands for a thread-local variable.
pub(crate) const THREAD_LOCAL: &str = "__ptyx_foreign_thread_local";
/// Stands for an intrinsic of the host's processor; its name follows.
pub(crate) const PROCESSOR: &str = "__ptyx_foreign_processor.";

/// Prefixes of LLVM intrinsics that only a host has.
const HOST_INTRINSICS: [&str; 4] = ["llvm.x86.", "llvm.aarch64.", "llvm.eh.", "llvm.va_"];

/// Replaces what is foreign.
pub(super) fn name(module: &Module<'_>) {
    for function in module.functions() {
        for instruction in function.instructions() {
            if instruction.is_call() && instruction.callee().is_inline_asm() {
                lower_assembly(module, instruction);
            }
        }
    }
    name_thread_locals(module);
    for function in module.functions() {
        let name = function.name();
        if HOST_INTRINSICS.iter().any(|prefix| name.starts_with(prefix)) {
            let stand_in = module.declare(&format!("{PROCESSOR}{name}"), function.value_type());
            function.replace_all_uses_with(stand_in);
        }
    }
}

/// Assembly without a text is an optimisation barrier (`core::hint::black_box`): it keeps its
/// meaning as empty PTX. What the lowering wrote is PTX; the rest is the host's.
fn lower_assembly<'c>(module: &Module<'c>, call: Value<'c>) {
    let context = module.context();
    let asm = call.callee();
    let template = asm.asm_template();
    let ty = call.called_type();
    let has_result = ty.result().kind() != TypeKind::Void;
    if template.trim().is_empty() && !has_result {
        let args = call.arguments();
        let constraints: Vec<&str> = args
            .iter()
            .map(|arg| match arg.ty().kind() {
                TypeKind::Int(16) => "h",
                TypeKind::Int(32) => "r",
                TypeKind::F32 => "f",
                TypeKind::F64 => "d",
                _ => "l",
            })
            .chain(["~{memory}"])
            .collect();
        let empty = context.inline_asm(ty, "", &constraints.join(","), true);
        Builder::before(context, call).call(ty, empty, &args);
        call.erase();
    } else if !is_ptx(&template) {
        let stand_in = module.add_function(ASSEMBLY, ty);
        let new = Builder::before(context, call).call(ty, stand_in, &call.arguments());
        if has_result {
            call.replace_all_uses_with(new);
        }
        call.erase();
    }
}

/// Inline PTX ends its instructions with semicolons, or is a block of them (libdevice's); rustc's x86
/// assembly never does either.
fn is_ptx(template: &str) -> bool {
    template.ends_with(';') || (template.starts_with('{') && template.ends_with('}'))
}

/// A thread-local's address is asked for with `llvm.threadlocal.address`.
fn name_thread_locals(module: &Module<'_>) {
    for function in module.functions() {
        if function.name().starts_with("llvm.threadlocal.address") {
            let stand_in = module.add_function(THREAD_LOCAL, function.value_type());
            function.replace_all_uses_with(stand_in);
        }
    }
    for global in module.globals() {
        if global.is_thread_local() {
            let plain = module.add_global("thread_local", global.value_type(), 0);
            plain.set_linkage(Linkage::External);
            global.replace_all_uses_with(plain);
            global.delete_global();
        }
    }
}
