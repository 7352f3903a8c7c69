//! Gives the host's assembly, thread-locals and statics names that can be explained.
//!
//! What can't run on a device is turned into calls of functions that do not exist. If they are
//! still called once the kernel is optimised, `reject` finds them with a call chain, like every
//! other function that a device does not have.

use std::collections::HashSet;
use std::path::Path;

use ptyx_image::Arch;

use crate::codegen::path_of;
use crate::device_pass::is_local;
use crate::llvm::{Builder, Linkage, Module, TypeKind, Value};

/// Stands for inline assembly of the host.
pub(crate) const ASSEMBLY: &str = "__ptyx_foreign_assembly";
/// Stands for a thread-local variable.
pub(crate) const THREAD_LOCAL: &str = "__ptyx_foreign_thread_local";
/// Stands for an intrinsic of the host's processor; its name follows.
pub(crate) const PROCESSOR: &str = "__ptyx_foreign_processor.";

/// Stands for a variable that the host's program can change; its name follows.
pub(crate) const STATIC: &str = "__ptyx_foreign_static.";

/// Stands for an instruction that needs a newer architecture than those asked for; see [`too_new`].
pub(crate) const TOO_NEW: &str = "__ptyx_foreign_too_new.";

/// Whether a symbol is one of the stand-ins above.
pub(crate) fn is_stand_in(symbol: &str) -> bool {
    [ASSEMBLY, THREAD_LOCAL, PROCESSOR, STATIC, TOO_NEW]
        .iter()
        .any(|prefix| symbol.starts_with(prefix))
}

/// The symbol that a stand-in stands for, as far as it has one.
pub(crate) fn original(symbol: &str) -> &str {
    [PROCESSOR, STATIC].iter().find_map(|prefix| symbol.strip_prefix(prefix)).unwrap_or(symbol)
}

/// The name that stands for the instruction of `template`, which needs `sm_<needed>`, where the
/// architectures `targets` were asked for: [`TOO_NEW`], the instruction, the number, the targets that
/// are older.
pub(super) fn too_new(template: &str, needed: u32, targets: &[Arch]) -> String {
    let instruction = template.split([' ', ';']).next().unwrap_or_default();
    let older = targets.iter().filter(|arch| arch.sm < needed).map(Arch::to_string);
    format!("{TOO_NEW}{instruction}@{needed}@{}", older.collect::<Vec<_>>().join(", "))
}

/// The instruction, the number of the architecture that it needs, and the targets that are older, of
/// a name that [`too_new`] made.
pub(crate) fn parse_too_new(symbol: &str) -> Option<(&str, &str, &str)> {
    let mut parts = symbol.strip_prefix(TOO_NEW)?.split('@');
    Some((parts.next()?, parts.next()?, parts.next()?))
}

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
    name_statics(module);
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
            let name = format!("{THREAD_LOCAL}.{}", global.name());
            let plain = module.add_global(&name, global.value_type(), 0);
            plain.set_linkage(Linkage::External);
            global.replace_all_uses_with(plain);
            global.delete_global();
        }
    }
}

/// A static that can change is the host program's: the device would see a copy, with the value that
/// it had at first, and the host none of the device's changes. Constants stay.
///
/// Those of registry crates stay, too: they are caches, such as what a processor can do, which a
/// copy serves as well.
fn name_statics(module: &Module<'_>) {
    let changeable: Vec<(Value<'_>, String)> = module
        .globals()
        .into_iter()
        .filter(|global| !global.is_declaration() && !global.is_constant_global())
        .map(|global| (global, path_of(&global.name())))
        .filter(|(_, path)| path.contains("::"))
        .collect();
    if changeable.is_empty() {
        return;
    }
    let fixed = fixed_crates(module);
    for (global, path) in changeable {
        if fixed.contains(crate_of(&path)) {
            continue;
        }
        let name = format!("{STATIC}{}", global.name());
        let stand_in = module.add_global(&name, global.value_type(), 0);
        stand_in.set_linkage(Linkage::External);
        global.replace_all_uses_with(stand_in);
        global.delete_global();
    }
}

/// The crates in `module` that are not the user's own.
fn fixed_crates(module: &Module<'_>) -> HashSet<String> {
    let known = ["core", "alloc", "std", "ptyx", "ptyx_device"].map(str::to_owned);
    let elsewhere = |function: Value<'_>| {
        let place = function.definition(module.context())?;
        let is_fixed = !is_local(&Path::new(&place.directory).join(&place.file));
        is_fixed.then(|| crate_of(&path_of(&function.name())).to_owned())
    };
    module.functions().into_iter().filter_map(elsewhere).chain(known).collect()
}

/// The crate that a path starts with.
fn crate_of(path: &str) -> &str {
    let path = path.trim_start_matches(['<', '&', '[']);
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(path)
}
