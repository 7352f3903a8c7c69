//! Sends the intrinsics of x86 processors to the device library, which implements them in Rust
//! (`device-std/src/x86/`): one function for each that has a meaning on a device.
//!
//! The same goes for the division of a two-word number, which big-number crates write as assembly.
//!
//! Vectors are passed through memory, scalars by value, the result through the first pointer. Both
//! sides are inlined, and the memory disappears.

use crate::llvm::{Builder, Module, Type, TypeKind, Value, calls_of};
use crate::symbols::X86_PREFIX;

/// What the names of these intrinsics start with.
const INTRINSIC: &str = "llvm.x86.";
/// Enough for every vector.
const ALIGNMENT: u32 = 32;

/// The device library's function for an intrinsic of that name, if it has one.
pub(super) fn of_function(name: &str) -> Option<String> {
    name.strip_prefix(INTRINSIC).map(|name| format!("{X86_PREFIX}{name}"))
}

/// Whether the device library knows what `intrinsic` means.
pub(super) fn has_row(module: &Module<'_>, intrinsic: Value<'_>) -> bool {
    runtime(module, intrinsic).is_some()
}

fn runtime<'c>(module: &Module<'c>, intrinsic: Value<'_>) -> Option<Value<'c>> {
    let function = module.function(&of_function(&intrinsic.name())?)?;
    (!function.is_declaration()).then_some(function)
}

/// Redirects every call that the device library knows.
pub(super) fn redirect_x86(module: &Module<'_>) {
    let inline = module.context().attribute("alwaysinline", 0);
    for intrinsic in module.functions() {
        let Some(runtime) = runtime(module, intrinsic) else { continue };
        runtime.add_function_attribute(inline);
        for call in calls_of(intrinsic) {
            replace(module, call, runtime);
        }
    }
}

/// Whether a value of this type is passed as it is.
fn is_scalar(ty: Type<'_>) -> bool {
    ty.kind() != TypeKind::Other
}

/// Assembly that divides the registers `dx` and `ax`, taken together, by its operand.
const DIVISION: &str = "div";

/// Whether assembly is one division.
pub(super) fn is_division(template: &str) -> bool {
    let mut words = template.split_whitespace();
    let operand = (words.next() == Some(DIVISION)).then(|| words.next()).flatten();
    operand.is_some_and(|operand| operand.starts_with('$')) && words.next().is_none()
}

/// The device library's function for a call of assembly, if that is one division.
pub(super) fn of_assembly(call: Value<'_>) -> Option<String> {
    if !call.is_call() || !call.callee().is_inline_asm() {
        return None;
    }
    let arguments = call.arguments();
    let [TypeKind::Int(bits @ (32 | 64)), _, _] =
        arguments.iter().map(|argument| argument.ty().kind()).collect::<Vec<_>>()[..]
    else {
        return None;
    };
    is_division(&call.callee().asm_template()).then(|| format!("{X86_PREFIX}{DIVISION}.{bits}"))
}

/// What replaces a call of assembly that is one division; `None` for everything else.
pub(super) fn divide<'c>(module: &Module<'c>, call: Value<'c>) -> Option<Value<'c>> {
    let runtime = module.function(&of_assembly(call)?)?;
    let constraints = call.callee().asm_constraints();
    let (outputs, inputs): (Vec<&str>, Vec<&str>) = constraints
        .split(',')
        .filter(|constraint| !constraint.starts_with('~'))
        .partition(|constraint| constraint.starts_with('='));
    // An input is tied to the output of its register, by number, or names it again.
    let output = |register: &str| outputs.iter().position(|output| output.ends_with(register));
    let (high, low) = (output("{dx}")?, output("{ax}")?);
    let input = |register: &str, output: usize| {
        inputs.iter().position(|input| *input == output.to_string() || input.ends_with(register))
    };
    let (high_in, low_in) = (input("{dx}", high)?, input("{ax}", low)?);
    let divisor = (0..3).find(|input| *input != high_in && *input != low_in)?;

    let arguments = call.arguments();
    let word = arguments.first()?.ty();
    let start = call.parent_function().first_instruction().unwrap_or(call);
    let out = Builder::before(module.context(), start).alloca(word.array(2), ALIGNMENT);
    let builder = Builder::before(module.context(), call);
    let passed = [out, arguments[high_in], arguments[low_in], arguments[divisor]];
    builder.call(runtime.value_type(), runtime, &passed);
    let quotient = builder.load(word, out);
    let remainder = builder.load(word, builder.offset(out, module.size_of(word)));
    let result = builder.insert(call.ty().undefined(), quotient, low as u32);
    Some(builder.insert(result, remainder, high as u32))
}

fn replace<'c>(module: &Module<'c>, call: Value<'c>, runtime: Value<'c>) {
    let context = module.context();
    let start = call.parent_function().first_instruction().unwrap_or(call);
    // Where a function starts, memory for its values costs nothing, also in loops.
    let room = |ty: Type<'c>| Builder::before(context, start).alloca(ty, ALIGNMENT);
    let builder = Builder::before(context, call);
    let has_result = call.ty().kind() != TypeKind::Void;
    let out = if has_result { room(call.ty()) } else { context.pointer(0).null() };
    let mut args = vec![out];
    for argument in call.arguments() {
        if is_scalar(argument.ty()) {
            args.push(argument);
        } else {
            let memory = room(argument.ty());
            builder.store(argument, memory);
            args.push(memory);
        }
    }
    builder.call(runtime.value_type(), runtime, &args);
    if has_result {
        let result = builder.load(call.ty(), out);
        call.replace_all_uses_with(result);
    }
    call.erase();
}

#[cfg(test)]
mod tests {
    use super::{is_division, of_function};

    #[test]
    fn names_follow_the_intrinsics() {
        assert_eq!(of_function("llvm.x86.sse.min.ps").as_deref(), Some("__ptyx_x86.sse.min.ps"));
        assert_eq!(of_function("llvm.sqrt.f32"), None);
    }

    #[test]
    fn a_division_is_one_instruction() {
        assert!(is_division("div ${2:q}") && is_division(" div $0\n"));
        assert!(!is_division("div") && !is_division("idiv $0") && !is_division("div $0\nmul $1"));
    }
}
