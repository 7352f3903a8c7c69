//! Optional features of the host's processor: a device has none of them.
//!
//! Crates ask at run time what the processor can do (std's `is_x86_feature_detected!`, or the
//! instruction `cpuid` itself, as the crate `cpufeatures` does) and then call code for it. In a kernel
//! every such feature test is answered with no, before anything is optimised.
//!
//! Some crates keep the answer in a variable, so the optimiser can't see that the code guarded by it is
//! dead. A function that enables optional features (`#[target_feature]`) may only be called where they
//! are known to be present; if it uses something that a device lacks, it is replaced by a panic.

use std::collections::HashSet;

use super::{redirect_x86, replace_foreign};
use crate::llvm::{Builder, Linkage, Module, TypeKind, Value, calls_of};
use crate::rust::path_of;
use crate::rust::paths::{
    FEATURE_ANSWERS, FEATURE_DETECTION, FEATURE_QUESTIONS, PROCESSOR_INTRINSICS,
};
use crate::symbols::MISSING_FEATURE;

/// Features that every processor of the target has.
const ALWAYS: [&str; 5] = ["+fxsr", "+sse", "+sse2", "+x87", "+mmx"];

/// The attribute that names a function's features.
pub(crate) const ATTRIBUTE: &str = "target-features";

/// Answers the feature tests, and removes code that only a yes would reach.
pub(super) fn answer_features(module: &Module<'_>) {
    answer(module);
    let Some(missing) = module.function(MISSING_FEATURE) else { return };
    let unreachable: Vec<_> =
        module.functions().into_iter().filter(|f| is_guarded(*f) && lacks(module, *f)).collect();
    for function in unreachable {
        let stand_in = module.add_function("unsupported_feature", function.value_type());
        stand_in.set_linkage(Linkage::Internal);
        let builder = Builder::at_end(module.context(), stand_in.append_block(module.context()));
        builder.call(missing.value_type(), missing, &[]);
        builder.unreachable();
        function.replace_all_uses_with(stand_in);
    }
}

/// Whether the module has functions that [`answer_features`] may replace.
pub(super) fn may_lack(module: &Module<'_>) -> bool {
    module.functions().into_iter().any(is_guarded)
}

fn answer(module: &Module<'_>) {
    for function in module.functions() {
        let name = function.name();
        if name.contains(FEATURE_DETECTION) && FEATURE_QUESTIONS.contains(&path_of(&name).as_str())
        {
            for call in calls_of(function) {
                call.replace_all_uses_with(call.ty().null());
                call.erase();
            }
        }
        for instruction in function.instructions() {
            if instruction.is_call()
                && instruction.callee().is_inline_asm()
                && is_cpuid(&instruction.callee().asm_template())
                && instruction.ty().kind() != TypeKind::Void
            {
                instruction.replace_all_uses_with(instruction.ty().null());
                instruction.erase();
            }
        }
    }
    for global in module.globals() {
        let name = global.name();
        if global.is_declaration()
            && name.contains(FEATURE_DETECTION)
            && path_of(&name) == FEATURE_ANSWERS
        {
            global.set_initializer(global.value_type().null());
            global.set_linkage(Linkage::Internal);
        }
    }
}

/// Whether assembly asks the processor what it is.
fn is_cpuid(template: &str) -> bool {
    template.lines().any(|line| line.trim() == "cpuid")
}

/// Whether a function may only be called where optional features are known to be present. The
/// processor's intrinsics themselves don't count: they can be called without a feature test.
fn is_guarded(function: Value<'_>) -> bool {
    !function.is_declaration()
        && function.string_attribute(ATTRIBUTE).is_some_and(|features| {
            features.split(',').any(|f| f.starts_with('+') && !ALWAYS.contains(&f))
        })
        && !path_of(&function.name()).trim_start_matches('<').starts_with(PROCESSOR_INTRINSICS)
}

/// Whether `function` reaches something that a device does not have.
fn lacks<'c>(module: &Module<'c>, function: Value<'c>) -> bool {
    let mut known = HashSet::from([function]);
    let mut queue = vec![function];
    while let Some(function) = queue.pop() {
        if function.is_declaration() {
            if replace_foreign::is_host_intrinsic(&function.name())
                && !redirect_x86::has_row(module, function)
            {
                return true;
            }
            continue;
        }
        for instruction in function.instructions() {
            if instruction.is_call()
                && instruction.callee().is_inline_asm()
                && !replace_foreign::has_meaning(instruction.callee())
            {
                return true;
            }
            let operands = instruction.operands().into_iter().filter(|o| o.is_function());
            queue.extend(operands.filter(|operand| known.insert(*operand)));
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_cpuid;

    #[test]
    fn cpuid_is_an_instruction() {
        assert!(is_cpuid("mov ${0:q}, rbx\ncpuid\nxchg ${0:q}, rbx"));
        assert!(!is_cpuid("call cpuid_of_mine"));
    }
}
