//! Pinned memory that graphs use: see [`crate::memory::guards`].

use super::PinnedBuffer;
use crate::error::{Error, Result};
use crate::memory::guards::Guards;
use crate::memory::tracker::Access;
use crate::memory::untracked::collect_exposed;
use crate::stream::{Again, Binding, Entry, Guard, Part};
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};
use ptyx_device::DeviceCopy;
use std::sync::Arc;

/// Pinned memory whose owner shares it with graphs.
pub(in crate::memory) struct Staged<T> {
    pub(in crate::memory) buffer: PinnedBuffer<T>,
    guards: Guards,
    /// A graph has used it.
    in_graph: AtomicBool,
}

impl<T: DeviceCopy> Staged<T> {
    pub(in crate::memory) fn new(buffer: PinnedBuffer<T>) -> Staged<T> {
        Staged { buffer, guards: Guards::default(), in_graph: AtomicBool::new(false) }
    }

    /// Notes a use on `entry`'s stream, after what it conflicts with; if the stream is captured, for each launch of the graph.
    pub(in crate::memory) fn order(
        self: &Arc<Self>,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        let stream = entry.stream();
        // Launches of graphs and this call exclude each other, but only on one device.
        self.buffer.context.expect("a staging buffer", stream.context())?;
        match stream.0.capture() {
            None => {
                if self.in_graph.load(Ordering::Acquire) {
                    entry.hold_off_graphs(self.buffer.context);
                }
                if let Some(binding) = entry.binding() {
                    self.bind(binding, access);
                }
                self.buffer.order(entry, access)
            }
            Some(_) if range.is_empty() => Ok(()),
            Some(capture) => {
                self.in_graph.store(true, Ordering::Release);
                if self.buffer.exposed.is_any() {
                    collect_exposed(&capture, stream)?;
                }
                let (key, write) = (Arc::as_ptr(self).addr(), access == Access::Write);
                let part = || Arc::new(InGraph { memory: self.clone(), access }) as Arc<dyn Part>;
                Ok(capture.use_memory(stream, key, range, write, part)?)
            }
        }
    }
}

impl<T: DeviceCopy> Staged<T> {
    /// The use stands for many launches.
    #[cold]
    fn bind(self: &Arc<Self>, binding: &Binding, access: Access) {
        if self.in_graph.load(Ordering::Acquire) {
            // A launch of the graph has no borrow that excludes the handle's.
            binding.standing().order_each();
        }
        binding.add(InGraph { memory: self.clone(), access });
    }
}

impl<T: DeviceCopy> Again for InGraph<T> {
    fn order(&self, entry: &Entry<'_>) -> Result<()> {
        self.memory.order(entry, 0..self.memory.buffer.bytes(), self.access)
    }
}

impl<T> Staged<T> {
    /// Lets the host access the memory, when what conflicts with that is done.
    ///
    /// # Panics
    /// In a host function that a stream calls, if it would have to wait: see [`PinnedBuffer`].
    pub(in crate::memory) fn hold(&self, access: Access) -> Held<'_, T> {
        let is_in_graph = || self.in_graph.load(Ordering::SeqCst);
        self.guards.begin(access, is_in_graph, self.buffer.context);
        let held = Held { memory: self, access };
        self.buffer.finish(access);
        held
    }
}

/// The host accesses the memory.
pub(in crate::memory) struct Held<'a, T> {
    pub(in crate::memory) memory: &'a Staged<T>,
    access: Access,
}

impl<T> Drop for Held<'_, T> {
    fn drop(&mut self) {
        self.memory.guards.end(self.access);
    }
}

/// The use of the memory by a graph, or by the launches of a handle, which keeps it.
struct InGraph<T> {
    memory: Arc<Staged<T>>,
    access: Access,
}

// SAFETY: it never accesses elements, and these need not be dropped: they are `Copy`.
unsafe impl<T: DeviceCopy> Send for InGraph<T> {}
// SAFETY: as above.
unsafe impl<T: DeviceCopy> Sync for InGraph<T> {}

impl<T: DeviceCopy> Part for InGraph<T> {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        let Staged { buffer, guards, .. } = &*self.memory;
        buffer.order(entry, self.access)?;
        // After the note: see `Guards::begin`.
        if guards.conflict_with(self.access) {
            return Err(Error::Graph {
                reason: "the host holds a staging buffer that the graph uses: before the launch, drop \
                         what `StagingBuffer::read` or `StagingBuffer::write` returned",
            });
        }
        Ok(None)
    }
}
