//! Sends math that LLVM can't lower for PTX to the device library's functions.
//!
//! Three sources: LLVM intrinsics (`llvm.sin.f32`, from `f32::sin`), the C functions that std
//! declares (`tanf`, from `f32::tan`), and `frem` (`%` on floats), whose PTX lowering is inexact.

use super::special::calls_of;
use crate::llvm::{Builder, Module, TypeKind, Value};

/// Prefix of the device library's functions; the C name follows.
pub(crate) const RUNTIME_PREFIX: &str = "__ptyx_math_";

/// LLVM intrinsics without a PTX lowering, by their C names: `llvm.<name>.f64` becomes `<name>`,
/// `llvm.<name>.f32` becomes `<name>f`.
const INTRINSICS: [&str; 18] = [
    "acos", "asin", "atan", "atan2", "cos", "cosh", "exp", "exp10", "exp2", "log", "log10", "log2",
    "pow", "powi", "sin", "sinh", "tan", "tanh",
];

/// C functions that std declares, `f64` form; the `f32` form has an `f` behind.
const FUNCTIONS: [&str; 24] = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cosh", "erf", "erfc",
    "exp10", "expm1", "fdim", "fmod", "hypot", "lgamma", "lgamma_r", "log1p", "sinh", "tan",
    "tanh", "tgamma", "ldexp",
];

/// Memory functions that code may call by name.
const MEMORY: [(&str, &str); 2] = [("memcmp", MEMCMP), ("bcmp", MEMCMP)];

/// The device library's comparison of memory.
pub(crate) const MEMCMP: &str = "__ptyx_memcmp";

/// LLVM-C's number of `frem`.
const FREM: i32 = 19;

/// The module of `compiler_builtins` whose functions `core`'s own math calls (`f32::cbrt`); they
/// have mangled names, which end with the module's and then the C name.
const BUILTINS: &str = "17full_availability";

/// The device library's function for a function of the module.
fn runtime_name(name: &str) -> Option<String> {
    let name = match name.rsplit_once(BUILTINS) {
        Some((_, mangled)) => mangled.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => name,
    };
    if let Some(intrinsic) = name.strip_prefix("llvm.") {
        let mut parts = intrinsic.split('.');
        let (base, ty) = (parts.next()?, parts.next()?);
        let suffix = match ty {
            "f32" => "f",
            "f64" => "",
            _ => return None,
        };
        return INTRINSICS.contains(&base).then(|| format!("{RUNTIME_PREFIX}{base}{suffix}"));
    }
    if let Some((_, runtime)) = MEMORY.iter().find(|(symbol, _)| *symbol == name) {
        return Some((*runtime).to_owned());
    }
    let base = name.strip_suffix('f').filter(|base| FUNCTIONS.contains(base));
    (base.is_some() || FUNCTIONS.contains(&name)).then(|| format!("{RUNTIME_PREFIX}{name}"))
}

/// Whether the module calls anything that [`redirect`] sends to the device library.
pub(crate) fn needs_runtime(module: &Module<'_>) -> bool {
    module.functions().into_iter().any(|function| {
        (function.is_declaration() && runtime_name(&function.name()).is_some())
            || function.instructions().iter().any(|i| i.opcode() == FREM)
    })
}

/// Redirects them.
pub(super) fn redirect<'c>(module: &Module<'c>) {
    for function in module.functions() {
        if !function.is_declaration() {
            redirect_remainders(module, function);
            continue;
        }
        let Some(runtime) = runtime_name(&function.name()).and_then(|r| module.function(&r)) else {
            continue;
        };
        for call in calls_of(function) {
            let args = call.arguments();
            replace(module, call, runtime, &args);
        }
    }
}

fn redirect_remainders<'c>(module: &Module<'c>, function: Value<'c>) {
    for instruction in function.instructions() {
        if instruction.opcode() != FREM {
            continue;
        }
        let name = match instruction.ty().kind() {
            TypeKind::F32 => "fmodf",
            TypeKind::F64 => "fmod",
            _ => continue,
        };
        if let Some(runtime) = module.function(&format!("{RUNTIME_PREFIX}{name}")) {
            let operands = instruction.operands();
            replace(module, instruction, runtime, &operands);
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
    use super::runtime_name;

    #[test]
    fn names_map_to_the_device_library() {
        assert_eq!(runtime_name("llvm.sin.f32").as_deref(), Some("__ptyx_math_sinf"));
        assert_eq!(runtime_name("llvm.powi.f64.i32").as_deref(), Some("__ptyx_math_powi"));
        assert_eq!(runtime_name("tanf").as_deref(), Some("__ptyx_math_tanf"));
        assert_eq!(runtime_name("erf").as_deref(), Some("__ptyx_math_erf"));
        assert_eq!(runtime_name("erff").as_deref(), Some("__ptyx_math_erff"));
        let mangled = "_RNvNtNtCs1_17compiler_builtins4math17full_availability5cbrtf";
        assert_eq!(runtime_name(mangled).as_deref(), Some("__ptyx_math_cbrtf"));
        assert_eq!(runtime_name("llvm.sqrt.f32"), None);
        assert_eq!(runtime_name("printf"), None);
    }
}
