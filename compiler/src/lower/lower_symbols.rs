//! Symbols of the device library that are not instructions: dimension requirements, shared memory, traps.

use std::collections::HashMap;

use ptyx_image::MaxDims;

use crate::llvm::{Builder, Linkage, Module, Value, calls_of};
use crate::report::Diagnostic;
use crate::symbols::{EXIT, REQUIRE_DIMS, SHARED_DYNAMIC, SHARED_STATIC, TRAP};

/// The dynamic shared memory of a kernel.
pub(super) const DYNAMIC_GLOBAL: &str = "ptyx_dynamic_shared";

/// LLVM's number of the shared state space.
pub(super) const SHARED: u32 = 3;

/// Shared arrays start at multiples of this, so that 16-byte accesses can be made of small ones.
pub(super) const SHARED_ALIGNMENT: u32 = 16;

/// Shared arrays end at multiples of this, because what changes a byte changes the word around it: atomics of 8 and
/// 16 bits (`widen_narrow_atomics.rs`) must find the last word inside the array.
const SHARED_WORD: u64 = 4;

/// What the symbols said.
pub(super) struct Facts {
    pub(super) static_shared: u32,
    pub(super) max_dims: MaxDims,
}

/// Lowers the symbols.
pub(super) fn lower_symbols(module: &Module<'_>) -> Result<Facts, Diagnostic> {
    let max_dims = lower_dims(module)?;
    let static_shared = lower_static_shared(module)?;
    lower_dynamic_shared(module);
    lower_ends(module);
    Ok(Facts { static_shared, max_dims })
}

/// Whether `value` is the dynamic shared memory, which keeps its external linkage.
pub(crate) fn is_dynamic_shared(value: Value<'_>) -> bool {
    value.name() == DYNAMIC_GLOBAL
}

fn not_constant(module: &Module<'_>, call: Value<'_>, what: &str) -> Diagnostic {
    let place = call.places(module.context()).pop().unwrap_or_default();
    Diagnostic::new(format!("{what} at {}:{} is not constant", place.file, place.line))
}

fn lower_dims(module: &Module<'_>) -> Result<MaxDims, Diagnostic> {
    let mut max_dims = MaxDims::ANY;
    let Some(function) = module.function(REQUIRE_DIMS) else { return Ok(max_dims) };
    for call in calls_of(function) {
        for (of, most) in [(0, &mut max_dims.grid), (1, &mut max_dims.block)] {
            let dims = call.operand(of).as_int();
            let dims = dims.ok_or_else(|| not_constant(module, call, "a dimension requirement"))?;
            *most = (*most).min(dims.clamp(1, 3) as u8);
        }
        call.erase();
    }
    Ok(max_dims)
}

/// Makes a global of each static shared array: one for each identity, so that copies of one source
/// location share it and different locations never do.
fn lower_static_shared(module: &Module<'_>) -> Result<u32, Diagnostic> {
    let Some(function) = module.function(SHARED_STATIC) else { return Ok(0) };
    let context = module.context();
    let mut arrays = HashMap::new();
    let mut total: u64 = 0;
    for call in calls_of(function) {
        let args = call.arguments();
        let [identity, size, align] = args[..] else { continue };
        let (Some(size), Some(align)) = (size.as_int(), align.as_int()) else {
            return Err(not_constant(module, call, "the size of a shared array"));
        };
        let align = u32::try_from(align).unwrap_or(1).max(SHARED_ALIGNMENT);
        let array = *arrays.entry((identity, size)).or_insert_with(|| {
            let size = size.next_multiple_of(SHARED_WORD);
            let ty = context.int(8).array(size);
            let global = module.add_global("shared_array", ty, SHARED);
            global.set_linkage(Linkage::Internal);
            global.set_initializer(ty.undefined());
            // Tiles can be read before they are written, and then show what earlier blocks left there.
            global.set_externally_initialized();
            global.set_alignment(align);
            total = total.next_multiple_of(u64::from(align)) + size;
            global
        });
        call.replace_all_uses_with(array.address_space_cast(context.pointer(0)));
        call.erase();
    }
    u32::try_from(total)
        .map_err(|_| Diagnostic::new(format!("{total} bytes of static shared memory are too many")))
}

fn lower_dynamic_shared(module: &Module<'_>) {
    let Some(function) = module.function(SHARED_DYNAMIC) else { return };
    let context = module.context();
    let calls = calls_of(function);
    if calls.is_empty() {
        return;
    }
    let global = add_dynamic_shared(module);
    for call in calls {
        call.replace_all_uses_with(global.address_space_cast(context.pointer(0)));
        call.erase();
    }
}

/// Declares the dynamic shared memory.
pub(super) fn add_dynamic_shared<'c>(module: &Module<'c>) -> Value<'c> {
    let global = module.add_global(DYNAMIC_GLOBAL, module.context().int(8).array(0), SHARED);
    global.set_alignment(SHARED_ALIGNMENT);
    global
}

/// `exit` ends the thread, `trap` the launch (PTX ISA 9.7.12 and 9.7.19).
fn lower_ends(module: &Module<'_>) {
    let context = module.context();
    for (symbol, instruction) in [(EXIT, "exit;"), (TRAP, "trap;")] {
        let Some(function) = module.function(symbol) else { continue };
        let ty = context.function(context.void(), &[]);
        for call in calls_of(function) {
            let asm = context.inline_asm(ty, instruction, "~{memory}", true);
            let new = Builder::before(context, call).call(ty, asm, &[]);
            new.add_call_attribute(context.attribute("convergent", 0));
            new.add_call_attribute(context.attribute("noreturn", 0));
            call.erase();
        }
    }
}
