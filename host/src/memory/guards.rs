//! Who on the host accesses memory that graphs use.
//!
//! A launch of a graph has no borrow of what the graph uses, so borrows don't keep the host from accessing the memory
//! during it. Instead the host says when it does ([`Guards`]), and a launch that would conflict with it is an error. The
//! launch does not wait instead, because its thread may be the one that holds the memory.

use super::tracker::Access;
use crate::context::Context;
use crate::driver::host_function::inside;
use crate::stream::Gates;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The guards that let the host access a piece of memory.
#[derive(Default)]
pub(super) struct Guards {
    /// How many let it read. Guards that are forgotten (`core::mem::forget`) still count.
    readers: AtomicUsize,
    /// Whether one lets it write. The mutable borrow prevents a second one, unless the first was forgotten.
    is_written: AtomicBool,
}

impl Guards {
    /// Says that the host is going to access the memory, and waits until no launch of a graph has noted its uses without
    /// having submitted its work. Uses that are noted then are still to be waited for.
    ///
    /// Each launch notes its uses and then looks at the guards. So either it sees this one, or its notes are seen by whoever
    /// called this.
    pub(super) fn begin(&self, access: Access, is_in_graph: impl FnOnce() -> bool, of: &Context) {
        match access {
            Access::Read => {
                self.readers.fetch_add(1, Ordering::SeqCst);
            }
            Access::Write => self.is_written.store(true, Ordering::SeqCst),
        }
        // A host function can't wait for a launch: it panics later if there are such notes.
        if is_in_graph() && inside().is_none() {
            drop(Gates::of(of).share());
        }
    }

    /// The guard is gone.
    pub(super) fn end(&self, access: Access) {
        match access {
            Access::Read => {
                self.readers.fetch_sub(1, Ordering::SeqCst);
            }
            Access::Write => self.is_written.store(false, Ordering::SeqCst),
        }
    }

    /// Whether the host may be accessing what a launch, whose uses are noted, is to access in this way.
    pub(super) fn conflict_with(&self, access: Access) -> bool {
        let is_read = access == Access::Write && self.readers.load(Ordering::SeqCst) > 0;
        is_read || self.is_written.load(Ordering::SeqCst)
    }
}
