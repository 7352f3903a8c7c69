//! Gives the host's assembly, thread-locals and statics names that can be explained.
//!
//! What can't run on a device is turned into calls of functions that do not exist. If they are
//! still called once the kernel is optimised, `reject` finds them with a call chain, like every
//! other function that a device does not have.

use std::collections::HashSet;

use super::lower_inline_ptx::{is_inline_ptx, is_lowered};
use super::redirect_x86;
use crate::llvm::{Builder, Context, Linkage, Module, TypeKind, Value, calls_of};
use crate::report::{crate_of, is_local};
use crate::rust::path_of;
use crate::rust::paths::{DEALLOCATE_NAME, LIBRARY, SYSTEM_ERROR};
use crate::symbols::{ASSEMBLY, PROCESSOR, STATIC, THREAD_LOCAL};

/// Prefixes of LLVM intrinsics that only a host has.
const HOST_INTRINSICS: [&str; 4] = ["llvm.x86.", "llvm.aarch64.", "llvm.eh.", "llvm.va_"];

/// Replaces what is foreign.
pub(super) fn replace_foreign(module: &Module<'_>) {
    for function in module.functions() {
        for instruction in function.instructions() {
            if instruction.is_call() && instruction.callee().is_inline_asm() {
                lower_assembly(module, instruction);
            }
        }
    }
    name_thread_locals(module);
    name_statics(module);
    end_formatters(module);
    for function in module.functions() {
        let name = function.name();
        if name.contains(DEALLOCATE_NAME) && path_of(&name).ends_with(DEALLOCATE_NAME) {
            // In a kernel without a heap there is no memory to free: values that could own some
            // (`SmallVec`) never do, but their `drop` checks.
            calls_of(function).into_iter().for_each(Value::erase);
        }
        if is_host_intrinsic(&name) {
            let stand_in = module.declare(&format!("{PROCESSOR}{name}"), function.value_type());
            function.replace_all_uses_with(stand_in);
        }
    }
}

/// Whether a function is an intrinsic that only a host has.
pub(super) fn is_host_intrinsic(name: &str) -> bool {
    HOST_INTRINSICS.iter().any(|prefix| name.starts_with(prefix))
}

/// Single instructions of the host, as some crates write them, and the LLVM intrinsics that say the
/// same (without the type behind).
const INSTRUCTIONS: [(&str, &str); 6] = [
    ("sqrtss", "llvm.sqrt"),
    ("sqrtsd", "llvm.sqrt"),
    ("vfmadd213ss", "llvm.fma"),
    ("vfmadd213sd", "llvm.fma"),
    ("vfmaddss", "llvm.fma"),
    ("vfmaddsd", "llvm.fma"),
];

/// The intrinsic for assembly of one instruction whose operands are the values themselves.
fn instruction(template: &str) -> Option<&'static str> {
    let mnemonic = template.split_whitespace().next()?;
    let single = !template.trim().contains(['\n', ';', '[']);
    let (_, name) = INSTRUCTIONS.iter().find(|(known, _)| single && *known == mnemonic)?;
    Some(name)
}

/// Whether assembly is only an optimisation barrier.
fn is_barrier(template: &str) -> bool {
    template.lines().all(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with('#') || (line.starts_with("/*") && line.ends_with("*/"))
    })
}

/// Whether assembly has a meaning on a device.
pub(super) fn has_meaning(asm: Value<'_>) -> bool {
    let template = asm.asm_template();
    is_barrier(&template)
        || is_inline_ptx(&template)
        || is_ptx(asm, &template)
        || redirect_x86::is_division(&template)
        || instruction(&template).is_some()
}

/// Assembly without a text is an optimisation barrier (`core::hint::black_box`): it keeps its meaning
/// as empty PTX. What lowering wrote is PTX; a few instructions have an LLVM intrinsic; the rest is the
/// host's.
fn lower_assembly<'c>(module: &Module<'c>, call: Value<'c>) {
    let template = call.callee().asm_template();
    if is_ptx(call.callee(), &template) {
        return;
    }
    let builder = Builder::before(module.context(), call);
    let ty = call.called_type();
    let result = if is_barrier(&template) {
        lower_barrier(module.context(), &builder, call)
    } else if let Some(result) = redirect_x86::divide(module, call) {
        result
    } else if let Some(name) = instruction(&template) {
        let suffix = if ty.result().kind() == TypeKind::F32 { "f32" } else { "f64" };
        let function = module.declare(&format!("{name}.{suffix}"), ty);
        builder.call(ty, function, &call.arguments())
    } else {
        let stand_in = module.add_function(ASSEMBLY, ty);
        builder.call(ty, stand_in, &call.arguments())
    };
    if ty.result().kind() != TypeKind::Void {
        call.replace_all_uses_with(result);
    }
    call.erase();
}

/// Hides the arguments from the optimiser, one by one, and makes the results from them: LLVM's
/// constraints say which result starts as which argument. Without results, returns `call` itself.
fn lower_barrier<'c>(context: &'c Context, builder: &Builder<'c>, call: Value<'c>) -> Value<'c> {
    if call.arguments().is_empty() {
        let ty = context.function(context.void(), &[]);
        builder.call(ty, context.inline_asm(ty, "", "~{memory}", true), &[]);
    }
    let hidden: Vec<_> =
        call.arguments().into_iter().map(|value| hide(context, builder, value)).collect();
    let constraints = call.callee().asm_constraints();
    let inputs = constraints.split(',').filter(|c| !c.starts_with(['=', '~']));
    let tied: Vec<(usize, Value<'c>)> = inputs
        .zip(hidden)
        .filter_map(|(constraint, value)| Some((constraint.parse().ok()?, value)))
        .collect();
    let ty = call.ty();
    let result_of =
        |index: usize| tied.iter().find(|(to, _)| *to == index).map(|(_, value)| *value);
    let outputs = constraints.split(',').filter(|c| c.starts_with('=')).count();
    match outputs {
        0 => call,
        1 => result_of(0).unwrap_or_else(|| ty.null()),
        _ => (0..outputs).fold(ty.null(), |all, index| match result_of(index) {
            Some(value) => builder.insert(all, value, index as u32),
            None => all,
        }),
    }
}

/// The same value, opaque to the optimiser. Only values that fit a PTX register can be hidden.
fn hide<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let constraint = match value.ty().kind() {
        TypeKind::Int(1..=15) => {
            let wide = hide(context, builder, builder.int_cast(value, context.int(16)));
            return builder.int_cast(wide, value.ty());
        }
        TypeKind::Int(16) => "h",
        TypeKind::Int(32) => "r",
        TypeKind::F32 => "f",
        TypeKind::F64 => "d",
        TypeKind::Int(64) | TypeKind::Pointer => "l",
        _ => return value,
    };
    let ty = context.function(value.ty(), &[value.ty()]);
    let empty = context.inline_asm(ty, "", &format!("={constraint},0,~{{memory}}"), true);
    builder.call(ty, empty, &[value])
}

/// Inline PTX ends its instructions with semicolons, or is a block of them (libdevice's), or is what a
/// `ptx!` has become.
fn is_ptx(asm: Value<'_>, template: &str) -> bool {
    if is_lowered(template) {
        return true;
    }
    // A comment may say what the instructions need.
    let code = match template.split_once('\n') {
        Some((first, code)) if first.starts_with("//") => code,
        _ => template,
    };
    let has_form = code.ends_with(';') || (code.starts_with('{') && code.ends_with('}'));
    // rustc's assembly for x86 may have that form, too, but is in another dialect, and names flags.
    has_form && !asm.is_intel_assembly() && !asm.asm_constraints().contains("~{flags}")
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

/// Gives std's formatters of `std::io::Error` a body that fails, as formatters may. Errors of many
/// crates hold one in a variant that a device never makes, and code that unwraps a `Result` with such
/// an error refers to its formatter.
fn end_formatters(module: &Module<'_>) {
    for function in module.functions().into_iter().filter(|function| function.is_declaration()) {
        let name = function.name();
        let is_formatter = name.contains("fmt") && path_of(&name).starts_with(SYSTEM_ERROR);
        let result = function.value_type().result();
        if is_formatter && matches!(result.kind(), TypeKind::Int(_)) {
            let block = function.append_block(module.context());
            Builder::at_end(module.context(), block).return_value(result.constant(1));
        }
    }
}

/// A static that can change belongs to the host program: the device would see a copy with its initial
/// value, and the host would see none of the device's changes. Constants stay.
///
/// Those of registry crates stay, too: they are caches (of processor features, say), for which a copy
/// will do.
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
    let library = LIBRARY.map(|start| crate_of(start).to_owned());
    let ours = ["ptyx", "ptyx_device"].map(str::to_owned);
    let elsewhere = |function: Value<'_>| {
        let place = function.definition(module.context())?;
        let is_fixed = !is_local(&place.path());
        is_fixed.then(|| crate_of(&path_of(&function.name())).to_owned())
    };
    module.functions().into_iter().filter_map(elsewhere).chain(library).chain(ours).collect()
}
