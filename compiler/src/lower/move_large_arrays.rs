//! Shared arrays of more than 48 KiB together.
//!
//! That is as much static shared memory as a kernel may have on any device (CUDA C++ Programming Guide, "Technical
//! Specifications per Compute Capability"); the rest of a multiprocessor's is only given out dynamically. So
//! if a kernel's arrays take more, all of them move to the start of its dynamic shared memory, and each launch asks
//! for as many bytes more. What the launch itself asks for follows them.
//!
//! This runs after the optimiser, which still sees that different arrays don't overlap.

use super::lower_symbols::{DYNAMIC_GLOBAL, SHARED, SHARED_ALIGNMENT, add_dynamic_shared};
use crate::llvm::{Builder, Module, Value, calls_of, opcode};
use crate::report::Diagnostic;

/// Bytes of static shared memory that a kernel may have.
const MAX_STATIC: u64 = 48 << 10;

/// The intrinsic that says how much dynamic shared memory a launch has.
pub(crate) const DYNAMIC_SIZE: &str = "llvm.nvvm.read.ptx.sreg.dynamic_smem_size";

/// Moves the shared arrays of a module, whose kernel is `entry`, if they are too large. Returns how many bytes of
/// dynamic shared memory they take then.
///
/// # Errors
/// If the arrays have more than 4 GiB.
pub(crate) fn move_large_arrays<'c>(
    module: &Module<'c>,
    entry: Value<'c>,
) -> Result<u32, Diagnostic> {
    let is_array =
        |global: &Value<'c>| global.ty().address_space() == SHARED && !global.is_declaration();
    let mut arrays: Vec<Value<'c>> = module.globals().into_iter().filter(is_array).collect();
    // Without gaps, then.
    arrays.sort_by_key(|array| std::cmp::Reverse(array.alignment()));
    let mut bytes: u64 = 0;
    let mut places = Vec::new();
    for &array in &arrays {
        let start = bytes.next_multiple_of(u64::from(array.alignment().max(1)));
        bytes = start.saturating_add(module.size_of(array.value_type()));
        places.push(start);
    }
    let Some(start) = entry.first_instruction().filter(|_| bytes > MAX_STATIC) else {
        return Ok(0);
    };
    // The launch's own bytes follow.
    let bytes = u32::try_from(bytes.next_multiple_of(SHARED_ALIGNMENT.into()))
        .map_err(|_| Diagnostic::new(format!("{bytes} bytes of shared arrays are too many")))?;

    let builder = Builder::before(module.context(), start);
    let of_launch = module.global(DYNAMIC_GLOBAL);
    if let Some(of_launch) = of_launch {
        of_launch.set_name("");
    }
    let memory = add_dynamic_shared(module);
    let alignment = arrays.iter().map(|array| array.alignment()).max().unwrap_or(1);
    memory.set_alignment(memory.alignment().max(alignment));
    let moved = arrays.into_iter().zip(places).chain(of_launch.map(|first| (first, bytes.into())));
    for (array, place) in moved {
        array.replace_all_uses_with(builder.offset(memory, place));
        array.delete_global();
    }
    for call in module.function(DYNAMIC_SIZE).map(calls_of).unwrap_or_default() {
        let builder = Builder::before(module.context(), call);
        let all = builder.call(call.called_type(), call.callee(), &[]);
        let taken = module.context().int(32).constant(bytes.into());
        call.replace_all_uses_with(builder.binary(opcode::SUB, all, taken));
        call.erase();
    }
    Ok(bytes)
}
