//! Uses of an allocation by a handle that launches again and again: see [`crate::stream::Standing`].

use super::Memory;
use crate::error::Result;
use crate::memory::tracker::Access;
use crate::memory::untracked::untracked;
use crate::stream::{Again, Binding, Entry};
use core::ops::Range;
use std::sync::Arc;

impl Memory {
    /// Makes `entry`'s stream wait for what an access of `range` conflicts with, and notes it for all launches of the handle that
    /// is being bound. The stream is not captured.
    #[cold]
    pub(super) fn order_standing(
        self: &Arc<Self>,
        entry: &Entry<'_>,
        binding: &Binding,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        let is_here = core::ptr::eq(self.context, entry.stream().context());
        if !(is_here && self.is_plain) {
            self.admit(entry)?;
        }
        if range.is_empty() {
            return Ok(());
        }
        let standing = binding.standing();
        if !is_here && !self.is_managed() {
            // The device can give up its access.
            standing.order_each();
        }
        if self.is_in_graph() {
            self.expect_of_no_graph()?;
            entry.hold_off_graphs(self.context);
            // A launch of the graph has no borrow that excludes the handle's.
            standing.order_each();
        }
        self.tracker.order_standing(entry, range.clone(), access, standing)?;
        // After it: whoever exposes the memory meanwhile finds the note, or it is exposed here.
        if self.is_exposed() {
            standing.order_each();
            untracked(self.context).use_exposed(entry.stream())?;
        }
        binding.add(UsedAgain { memory: self.clone(), range, access });
        Ok(())
    }
}

/// A part of the memory, which the launches use and keep.
struct UsedAgain {
    memory: Arc<Memory>,
    range: Range<usize>,
    access: Access,
}

impl Again for UsedAgain {
    fn order(&self, entry: &Entry<'_>) -> Result<()> {
        self.memory.order(entry, self.range.clone(), self.access)
    }
}
