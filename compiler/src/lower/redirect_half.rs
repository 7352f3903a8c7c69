//! Sends functions of the crate `half` to the device library, whose functions are the device's instructions.
//!
//! The crate computes with the bits of a 16-bit float, because stable Rust has no such type. Where it can ask
//! the processor for instructions, it asks in ways that can't be answered with yes for a device: by `cfg`
//! unless its feature `std` is on, and for `bf16` not at all. So its functions are replaced by name, and the one
//! that has no name any more by its code (`inlined_half.rs`).

use super::inlined_half::{ROUNDS, Rounding, roundings};
use crate::llvm::{Builder, Module, Value};
use crate::rust::path_of;
use crate::rust::paths::{HALF, HALF_FUNCTIONS};
use crate::symbols::HALF_PREFIX;

/// The device library's function for one of `half`.
pub(super) fn of_function(name: &str) -> Option<String> {
    if !name.contains(HALF) {
        return None;
    }
    let path = path_of(name);
    let found = HALF_FUNCTIONS.iter().find(|(known, _)| *known == path);
    found.map(|(_, runtime)| format!("{HALF_PREFIX}{runtime}"))
}

/// The device library's function for code of `half` in another function.
pub(super) fn of_code(function: Value<'_>) -> Option<String> {
    (!roundings(function).is_empty()).then(|| format!("{HALF_PREFIX}{ROUNDS}"))
}

/// Redirects every function that the device library has, if its parameters are those expected.
pub(super) fn redirect_half(module: &Module<'_>) {
    for function in module.functions() {
        let runtime = of_function(&function.name()).and_then(|name| module.function(&name));
        let Some(runtime) = runtime.filter(|runtime| !runtime.is_declaration()) else { continue };
        if runtime.value_type() == function.value_type() {
            function.replace_all_uses_with(runtime);
        }
    }
    let Some(rounds) = module.function(&format!("{HALF_PREFIX}{ROUNDS}")) else { return };
    let places = module.functions().into_iter().flat_map(roundings);
    places.for_each(|place| round(module, place, rounds));
}

/// Lets a place call the device library's function: the path that rounds down stores its result, and is always taken.
fn round<'c>(module: &Module<'c>, place: Rounding<'c>, rounds: Value<'c>) {
    let context = module.context();
    let rounded =
        Builder::before(context, place.branch).call(rounds.value_type(), rounds, &[place.number]);
    rounded.add_call_attribute(context.attribute("convergent", 0));
    place.store.set_operand(0, rounded);
    place.branch.set_condition(context.int(1).constant(1));
}

#[cfg(test)]
mod tests {
    use super::of_function;

    #[test]
    fn names_map_to_the_device_library() {
        for (name, runtime) in [
            (
                "_RNvNtNtCs1bpBWzBf9AE_4half8binary164arch19f32_to_f16_fallback",
                Some("__ptyx_half_f16_from_f32"),
            ),
            (
                "_RNvXss_NtCs1bpBWzBf9AE_4half6bfloatNtB5_4bf16NtNtNtCsgEmfK2I1SDS_4core3ops5arith3Mul3mul",
                Some("__ptyx_half_bf16_mul"),
            ),
            ("_RNvNtCs1bpBWzBf9AE_4half6bfloat4sqrt", None),
            ("half", None),
        ] {
            assert_eq!(of_function(name).as_deref(), runtime, "{name}");
        }
    }
}
