//! Sends the intrinsics of x86 processors to the device library, which has their meaning in Rust
//! (`device-std/src/x86/`): one function for each that has any on a device.
//!
//! Vectors travel through memory, scalars as they are, the result through the first pointer. Both
//! sides are inlined, and the memory disappears.

use super::special::calls_of;
use crate::llvm::{Builder, Module, Type, TypeKind, Value};

/// What the names of these intrinsics start with.
const INTRINSIC: &str = "llvm.x86.";
/// Prefix of the device library's functions; the intrinsic's name follows, without [`INTRINSIC`].
const RUNTIME: &str = "__ptyx_x86.";

/// Enough for every vector.
const ALIGNMENT: u32 = 32;

/// The device library's function for an intrinsic of that name, if it has one.
pub(super) fn of_function(name: &str) -> Option<String> {
    name.strip_prefix(INTRINSIC).map(|name| format!("{RUNTIME}{name}"))
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
pub(super) fn redirect(module: &Module<'_>) {
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
    use super::of_function;

    #[test]
    fn names_follow_the_intrinsics() {
        assert_eq!(of_function("llvm.x86.sse.min.ps").as_deref(), Some("__ptyx_x86.sse.min.ps"));
        assert_eq!(of_function("llvm.sqrt.f32"), None);
    }
}
