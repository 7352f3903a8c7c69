//! Drops what only the host's code generator knows, and marks everything convergent that may depend on other threads.

use crate::llvm::known::C_CONVENTION as C;
use crate::llvm::{Context, Module, Value, opcode};

/// Enum attributes that mean something for the host only.
const HOST_ATTRIBUTES: [&str; 6] =
    ["uwtable", "nonlazybind", "noredzone", "sspstrong", "sspreq", "ssp"];
/// The same as strings.
const HOST_STRING_ATTRIBUTES: [&str; 6] = [
    "target-cpu",
    "target-features",
    "tune-cpu",
    "probe-stack",
    "frame-pointer",
    "stack-probe-size",
];

/// Replaces each alias by what it stands for: PTX has no aliases, and core's identical functions are
/// merged into aliases.
fn resolve_aliases(module: &Module<'_>) {
    for (alias, aliasee) in module.aliases() {
        alias.replace_all_uses_with(aliasee);
    }
}

/// Strips every function, global and call of the module.
pub(super) fn strip_attributes(module: &Module<'_>) {
    resolve_aliases(module);
    let context = module.context();
    let kinds: Vec<u32> = HOST_ATTRIBUTES.iter().map(|name| context.attribute_kind(name)).collect();
    let convergent = context.attribute("convergent", 0);
    for function in module.functions() {
        if function.intrinsic_id() != 0 {
            continue;
        }
        function.clear_link_properties();
        function.set_calling_convention(C);
        for &kind in &kinds {
            function.remove_function_attribute(kind);
        }
        for key in HOST_STRING_ATTRIBUTES {
            function.remove_function_string_attribute(key);
        }
        function.add_function_attribute(convergent);
        // As crates that are compiled for aborting panics have it.
        function.add_function_attribute(context.attribute("nounwind", 0));
        strip_calls(context, function);
    }
    for global in module.globals() {
        global.clear_link_properties();
    }
}

/// Whether this is PTX that only computes, such as libdevice's: it may move across branches. (What `ptx!` wrote is
/// still in the host's dialect.)
fn is_pure_ptx(callee: Value<'_>) -> bool {
    callee.is_inline_asm() && !callee.is_intel_assembly() && !callee.has_side_effects()
}

fn strip_calls<'c>(context: &'c Context, function: Value<'c>) {
    let convergent = context.attribute("convergent", 0);
    for instruction in function.instructions() {
        match instruction.opcode() {
            opcode::CALL => {
                let callee = instruction.callee();
                if callee.is_function() && callee.intrinsic_id() != 0 {
                    continue;
                }
                if is_pure_ptx(callee) {
                    instruction.add_call_attribute(context.attribute("willreturn", 0));
                    continue;
                }
                instruction.set_call_convention(C);
                instruction.clear_tail_call();
                instruction.add_call_attribute(convergent);
            }
            opcode::INVOKE => {
                instruction.set_call_convention(C);
                instruction.add_call_attribute(convergent);
            }
            _ => {}
        }
    }
}
