//! Sends what LLVM can't lower for PTX to functions of the device library.
//!
//! Four sources: LLVM intrinsics (`llvm.sin.f32`, from `f32::sin`), the C functions that std
//! declares (`tanf`, from `f32::tan`; `memcmp`), `frem` (`%` on floats, whose PTX lowering is
//! inexact), and 128-bit integers, where they are divided or converted from and to floats.

use std::collections::BTreeSet;

use super::{answer_features, redirect_half, redirect_x86};
use crate::llvm::{Builder, Module, TypeKind, Value, calls_of, opcode};
use crate::rust::paths::{BUILTINS, C_MATHS as FUNCTIONS, C_MEMORY};
use crate::symbols::{MATH_PREFIX, MEMCMP, MISSING_FEATURE, WIDE_PREFIX};

/// LLVM intrinsics without a PTX lowering, by their C names: `llvm.<name>.f64` becomes `<name>`,
/// `llvm.<name>.f32` becomes `<name>f`.
pub(crate) const INTRINSICS: [&str; 18] = [
    "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp10", "exp2", "log", "log10", "log2",
    "pow", "powi", "sin", "sinh", "tan", "tanh",
];

/// Memory functions that code may call by name.
const MEMORY: [(&str, &str); 2] = [(C_MEMORY[0], MEMCMP), (C_MEMORY[1], MEMCMP)];

/// The bits of a wide integer.
const WIDE: TypeKind = TypeKind::Int(128);

/// The device library's function for a function that the module declares.
fn of_function(name: &str) -> Option<String> {
    let name = match name.rsplit_once(BUILTINS) {
        Some((_, mangled)) => mangled.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => name,
    };
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        let mut parts = intrinsic.split('.');
        let base = parts.next()?;
        let rest: Vec<&str> = parts.collect();
        return match (base, &rest[..]) {
            ("fptoui", ["sat", "i128", float @ ("f32" | "f64")]) => {
                Some(format!("{WIDE_PREFIX}{float}_to_u"))
            }
            ("fptosi", ["sat", "i128", float @ ("f32" | "f64")]) => {
                Some(format!("{WIDE_PREFIX}{float}_to_s"))
            }
            (_, ["f32", ..]) if INTRINSICS.contains(&base) => Some(format!("{MATH_PREFIX}{base}f")),
            (_, ["f64", ..]) if INTRINSICS.contains(&base) => Some(format!("{MATH_PREFIX}{base}")),
            _ => None,
        };
    }
    if let Some((_, runtime)) = MEMORY.iter().find(|(symbol, _)| *symbol == name) {
        return Some((*runtime).to_owned());
    }
    let base = name.strip_suffix('f').filter(|base| FUNCTIONS.contains(base));
    (base.is_some() || FUNCTIONS.contains(&name)).then(|| format!("{MATH_PREFIX}{name}"))
}

/// Whether the device library has a function that replaces the one of this name.
pub(crate) fn is_redirected(name: &str) -> bool {
    of_function(name).is_some()
}

/// The device library's function for an instruction.
fn of_instruction(instruction: Value<'_>) -> Option<String> {
    let result = || instruction.ty().kind();
    let operand = || instruction.operand(0).ty().kind();
    let float = |kind| if kind == TypeKind::F32 { "f32" } else { "f64" };
    let wide = |name: &str| Some(format!("{WIDE_PREFIX}{name}"));
    match instruction.opcode() {
        opcode::FREM => match result() {
            TypeKind::F32 => Some(format!("{MATH_PREFIX}fmodf")),
            TypeKind::F64 => Some(format!("{MATH_PREFIX}fmod")),
            _ => None,
        },
        opcode::UDIV if result() == WIDE => wide("udiv"),
        opcode::SDIV if result() == WIDE => wide("sdiv"),
        opcode::UREM if result() == WIDE => wide("urem"),
        opcode::SREM if result() == WIDE => wide("srem"),
        opcode::FP_TO_UI if result() == WIDE => wide(&format!("{}_to_u", float(operand()))),
        opcode::FP_TO_SI if result() == WIDE => wide(&format!("{}_to_s", float(operand()))),
        opcode::UI_TO_FP if operand() == WIDE => wide(&format!("u_to_{}", float(result()))),
        opcode::SI_TO_FP if operand() == WIDE => wide(&format!("s_to_{}", float(result()))),
        _ => None,
    }
}

/// The functions of the device library that lowering will call.
pub(crate) fn needed(module: &Module<'_>) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if answer_features::may_lack(module) {
        names.insert(MISSING_FEATURE.to_owned());
    }
    for function in module.functions() {
        let name = function.name();
        names.extend(redirect_half::of_function(&name));
        if function.is_declaration() {
            names.extend(of_function(&name).or_else(|| redirect_x86::of_function(&name)));
        } else {
            names.extend(redirect_half::of_code(function));
            for instruction in function.instructions() {
                names.extend(of_instruction(instruction));
                names.extend(redirect_x86::of_assembly(instruction));
            }
        }
    }
    names
}

/// Redirects what the device library implements.
pub(super) fn redirect_runtime<'c>(module: &Module<'c>) {
    for function in module.functions() {
        if function.is_declaration() {
            let runtime = of_function(&function.name()).and_then(|name| module.function(&name));
            let Some(runtime) = runtime else { continue };
            for call in calls_of(function) {
                replace(module, call, runtime, &call.arguments());
            }
        } else {
            for instruction in function.instructions() {
                let runtime = of_instruction(instruction).and_then(|name| module.function(&name));
                if let Some(runtime) = runtime {
                    replace(module, instruction, runtime, &instruction.operands());
                }
            }
        }
    }
}

fn replace<'c>(module: &Module<'c>, old: Value<'c>, callee: Value<'c>, args: &[Value<'c>]) {
    let new = Builder::before(module.context(), old).call(callee.value_type(), callee, args);
    new.add_call_attribute(module.context().attribute("convergent", 0));
    old.replace_all_uses_with(new);
    old.erase();
}

#[cfg(test)]
mod tests {
    use super::of_function;

    #[test]
    fn names_map_to_the_device_library() {
        for (name, runtime) in [
            ("llvm.sin.f32", Some("__ptyx_math_sinf")),
            ("llvm.powi.f64.i32", Some("__ptyx_math_powi")),
            ("llvm.fptoui.sat.i128.f64", Some("__ptyx_wide_f64_to_u")),
            ("llvm.fptoui.sat.i64.f64", None),
            ("tanf", Some("__ptyx_math_tanf")),
            ("erf", Some("__ptyx_math_erf")),
            ("erff", Some("__ptyx_math_erff")),
            ("memcmp", Some("__ptyx_memcmp")),
            ("llvm.sqrt.f32", None),
            ("printf", None),
        ] {
            assert_eq!(of_function(name).as_deref(), runtime, "{name}");
        }
    }
}
