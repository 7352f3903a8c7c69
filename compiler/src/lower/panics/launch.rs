//! What a launch says about itself: the entry's last parameters.
//!
//! Each stream has its own record for the panics of its launches. So each launch passes the address of the
//! record and its number in the stream, after the kernel's own parameters and limits (`limits.rs`), then the address of the
//! device's queue of printed lines, and then whether it is cooperative. The entry reads them as parameters, and unused ones are dropped.
//! Functions that are not inlined can't read them, so for these every thread of the block first writes the
//! same values to shared memory.

use crate::llvm::{Builder, Linkage, Module, Type, Value, calls_of};
use crate::symbols::{IS_COOPERATIVE, LAUNCH_NUMBER, PANIC_SLOT, PRINT_QUEUE};

/// What functions that are called read.
const SHARED_COPY: &str = "ptyx_launch";
/// LLVM's number of the shared state space.
const SHARED: u32 = 3;
/// Bytes of the copy: two pointers and two numbers, each in eight bytes.
const SHARED_BYTES: u32 = 32;
/// The offsets in it: those of the pointer to the queue and of the numbers.
const QUEUE_AT: u64 = 8;
const NUMBER_AT: u64 = 16;
const COOPERATIVE_AT: u64 = 24;

/// How a kernel uses what its launch says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LaunchInfo {
    /// It reads the two parameters of panics.
    pub(crate) reports_panics: bool,
    /// It reads that of printing.
    pub(crate) prints: bool,
    /// It reads whether it is cooperative.
    pub(crate) asks_cooperative: bool,
    /// Whether it has a copy in shared memory.
    is_copied: bool,
}

impl LaunchInfo {
    /// Which of the last parameters are there.
    pub(crate) fn params(self) -> [bool; 4] {
        [self.reports_panics, self.reports_panics, self.prints, self.asks_cooperative]
    }

    /// The size of shared memory, of which the kernel itself uses the first `bytes`.
    pub(crate) fn static_shared(self, bytes: u32) -> u32 {
        match self.is_copied {
            true => bytes.next_multiple_of(SHARED_BYTES) + SHARED_BYTES,
            false => bytes,
        }
    }
}

/// Adds the parameters to an entry's.
pub(in crate::lower) fn add_launch_params<'c>(module: &Module<'c>, types: &mut Vec<Type<'c>>) {
    let context = module.context();
    types.extend([context.int(64), context.int(32), context.int(64), context.int(32)]);
}

/// Replaces the calls that ask for them in an optimised module.
pub(crate) fn bind_launch<'c>(module: &Module<'c>, entry: Value<'c>) -> LaunchInfo {
    let params = entry.params();
    let [.., slot, number, queue, cooperative] = params[..] else { return LaunchInfo::default() };
    let mut info = LaunchInfo::default();
    let given = [
        (PANIC_SLOT, slot, 0),
        (LAUNCH_NUMBER, number, NUMBER_AT),
        (PRINT_QUEUE, queue, QUEUE_AT),
        (IS_COOPERATIVE, cooperative, COOPERATIVE_AT),
    ];
    for (name, param, at) in given {
        let Some(function) = module.function(name) else { continue };
        let mut in_copy = false;
        for call in calls_of(function) {
            match name {
                PRINT_QUEUE => info.prints = true,
                IS_COOPERATIVE => info.asks_cooperative = true,
                _ => info.reports_panics = true,
            }
            if call.parent_function() == entry {
                call.replace_all_uses_with(param);
            } else {
                let copy = shared_copy(module);
                info.is_copied = true;
                if !in_copy && let Some(first) = entry.first_instruction() {
                    let builder = Builder::before(module.context(), first);
                    builder.store_aligned(param, builder.offset(copy, at), 8);
                    in_copy = true;
                }
                let builder = Builder::before(module.context(), call);
                let ty = call.ty();
                call.replace_all_uses_with(builder.load_aligned(ty, builder.offset(copy, at), 8));
            }
            call.erase();
        }
    }
    info
}

/// The copy in shared memory.
fn shared_copy<'c>(module: &Module<'c>) -> Value<'c> {
    if let Some(copy) = module.global(SHARED_COPY) {
        return copy;
    }
    let ty = module.context().int(8).array(SHARED_BYTES.into());
    let copy = module.add_global(SHARED_COPY, ty, SHARED);
    copy.set_linkage(Linkage::Internal);
    copy.set_initializer(ty.undefined());
    copy.set_alignment(SHARED_BYTES);
    copy
}
