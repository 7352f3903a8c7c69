//! Which launch a panic belongs to: the entry's last two parameters identify it.
//!
//! Each stream has its own record for the panics of its launches. So each launch passes the address of the
//! record and its number in the stream, after the kernel's own parameters. The entry reads them as
//! parameters. Functions that are not inlined can't read them, so for these every thread of the block first
//! writes the same two values to shared memory.

use crate::llvm::{Builder, Linkage, Module, Type, Value, calls_of};
use crate::symbols::{LAUNCH_NUMBER, PANIC_SLOT};

/// What functions that are called read.
const SHARED_COPY: &str = "ptyx_launch";
/// LLVM's number of the shared state space.
const SHARED: u32 = 3;
/// Bytes of the copy: a pointer and a number, and their padding.
const SHARED_BYTES: u32 = 16;
const NUMBER_AT: u64 = 8;

/// How a kernel uses what its launch says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaunchInfo {
    /// It reads the two parameters.
    pub(crate) is_read: bool,
    /// Bytes of shared memory that it takes for that.
    pub(crate) shared_bytes: u32,
}

/// Adds the two parameters to an entry's.
pub(in crate::lower) fn add_launch_params<'c>(module: &Module<'c>, types: &mut Vec<Type<'c>>) {
    types.extend([module.context().int(64), module.context().int(32)]);
}

/// Replaces the calls that ask for them in an optimised module.
pub(crate) fn bind_launch<'c>(module: &Module<'c>, entry: Value<'c>) -> LaunchInfo {
    let params = entry.params();
    let [.., slot, number] = params[..] else { return LaunchInfo::default() };
    let mut info = LaunchInfo::default();
    for (name, param, at) in [(PANIC_SLOT, slot, 0), (LAUNCH_NUMBER, number, NUMBER_AT)] {
        let Some(function) = module.function(name) else { continue };
        for call in calls_of(function) {
            info.is_read = true;
            if call.parent_function() == entry {
                call.replace_all_uses_with(param);
            } else {
                let copy = shared_copy(module, entry, slot, number);
                info.shared_bytes = SHARED_BYTES;
                let builder = Builder::before(module.context(), call);
                let ty = call.ty();
                call.replace_all_uses_with(builder.load_aligned(ty, builder.offset(copy, at), 4));
            }
            call.erase();
        }
    }
    info
}

/// The copy in shared memory, which the entry makes.
fn shared_copy<'c>(
    module: &Module<'c>,
    entry: Value<'c>,
    slot: Value<'c>,
    number: Value<'c>,
) -> Value<'c> {
    if let Some(copy) = module.global(SHARED_COPY) {
        return copy;
    }
    let context = module.context();
    let ty = context.int(8).array(SHARED_BYTES.into());
    let copy = module.add_global(SHARED_COPY, ty, SHARED);
    copy.set_linkage(Linkage::Internal);
    copy.set_initializer(ty.undefined());
    copy.set_alignment(SHARED_BYTES);
    if let Some(first) = entry.first_instruction() {
        let builder = Builder::before(context, first);
        builder.store_aligned(slot, copy, 8);
        builder.store_aligned(number, builder.offset(copy, NUMBER_AT), 4);
    }
    copy
}
