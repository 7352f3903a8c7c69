//! Uses of an allocation by captured streams, and by the graphs that captures become.

use super::{Allocation, Memory, Origin, key};
use crate::error::{Error, Result};
use crate::memory::tracker::Access;
use crate::memory::untracked::{self, untracked};
use crate::stream::{Capture, Entry, Guard, Part, Stream};
use core::ops::Range;
use core::sync::atomic::Ordering;
use std::sync::Arc;

impl Allocation {
    /// Notes that a captured copy on a stream of another device reads a part. That device gets access to the memory: on an
    /// H200, the driver captures no copy that names two devices.
    pub(in crate::memory) fn collect_read_elsewhere(
        &self,
        capture: &Capture,
        stream: &Stream,
        range: Range<usize>,
    ) -> Result<()> {
        if !self.is_reached_by(stream.context()) {
            self.reach_from(stream.context())?;
        }
        self.0.collect_elsewhere(capture, stream, range, Access::Read)
    }
}

impl Memory {
    /// The same if a graph has to do with it: the stream is captured, or a graph uses the memory.
    #[cold]
    pub(super) fn order_with_graphs(
        self: &Arc<Self>,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        match entry.capture() {
            None => {
                if self.is_in_graph() {
                    self.expect_of_no_graph()?;
                    entry.hold_off_graphs(self.context);
                }
                self.order_now(entry, range, access)
            }
            Some(capture) => self.collect(&capture, entry, range, access),
        }
    }

    /// Notes the use of a captured stream.
    #[cold]
    fn collect(
        self: &Arc<Self>,
        capture: &Capture,
        entry: &Entry<'_>,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        let (stream, write) = (entry.stream(), access == Access::Write);
        let is_for_all = entry.is_for_kernel() || self.is_managed();
        if is_for_all && !core::ptr::eq(stream.context(), self.context) {
            self.admit(entry)?;
            return self.collect_elsewhere(capture, stream, range, access);
        }
        self.expect_guarded(stream)?;
        stream.context().expect("a buffer", self.context)?;
        if let Origin::Graph(of_graph) = &self.origin {
            of_graph.expect_in(capture)?;
        }
        if range.is_empty() {
            return Ok(());
        }
        self.is_used_by_graph();
        let part = || self.part(range.clone(), access);
        capture.use_memory(stream, key(self), range.clone(), write, part)?;
        // After it: whoever exposes the memory meanwhile finds the use in the capture, or it is exposed here.
        if self.is_exposed() {
            untracked::collect_exposed(capture, stream)?;
        }
        Ok(())
    }

    /// Notes that work of a captured stream of another device uses a part.
    fn collect_elsewhere(
        self: &Arc<Self>,
        capture: &Capture,
        stream: &Stream,
        range: Range<usize>,
        access: Access,
    ) -> Result<()> {
        self.expect_guarded(stream)?;
        if range.is_empty() {
            return Ok(());
        }
        self.is_used_by_graph();
        capture.use_device(self.context);
        let part = || -> Arc<dyn Part> {
            let (memory, range) = (self.clone(), range.clone());
            Arc::new(UsedElsewhere { memory, range, access })
        };
        let write = access == Access::Write;
        capture.use_memory(stream, key(self), range.clone(), write, part)?;
        // As in `collect`.
        if self.is_exposed() {
            untracked::collect_exposed(capture, stream)?;
        }
        Ok(())
    }

    /// An error if it is managed memory of which the host could hold a reference while a graph is launched.
    fn expect_guarded(&self, stream: &Stream) -> Result<()> {
        if self.is_managed() && self.guards().is_none() {
            stream.0.refuse_capture("the use of managed memory other than a `GuardedBuffer`")?;
        }
        Ok(())
    }

    /// An error if the host holds the memory. The launch of a graph has noted its use.
    fn expect_not_held(&self, access: Access) -> Result<()> {
        match self.guards() {
            Some(guards) if guards.conflict_with(access) => Err(Error::Graph {
                reason: "the host holds a guarded buffer that the graph uses: before the launch, drop \
                         what `GuardedBuffer::read` or `GuardedBuffer::write` returned",
            }),
            _ => Ok(()),
        }
    }

    /// The use of the memory by a graph.
    pub(super) fn part(self: &Arc<Self>, range: Range<usize>, access: Access) -> Arc<dyn Part> {
        Arc::new(InGraph { memory: self.clone(), range, access })
    }

    /// From here on, graphs may use it.
    pub(super) fn is_used_by_graph(&self) {
        self.in_graph.store(true, Ordering::Release);
    }
}

/// The use of memory by a graph, which keeps the memory.
struct InGraph {
    memory: Arc<Memory>,
    range: Range<usize>,
    access: Access,
}

impl Part for InGraph {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        if self.memory.expect_of_no_graph().is_err() {
            // The graph orders its nodes, and the driver its launches.
            return Ok(None);
        }
        self.memory.order_now(entry, self.range.clone(), self.access)?;
        self.memory.expect_not_held(self.access)?;
        Ok(None)
    }
}

/// A graph of another device uses a part of the memory, which it keeps.
struct UsedElsewhere {
    memory: Arc<Memory>,
    range: Range<usize>,
    access: Access,
}

impl Part for UsedElsewhere {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        let Memory { context, tracker, .. } = &*self.memory;
        let user = entry.stream().context();
        if self.memory.is_managed() {
            self.memory.admit(entry)?;
        } else if !self.memory.is_reached_by(user) {
            // The device may have given up its access since.
            self.memory.reach_from(user)?;
        }
        tracker.order(entry, self.range.clone(), self.access)?;
        if self.memory.is_exposed() {
            untracked(context).use_exposed(entry.stream())?;
        }
        self.memory.expect_not_held(self.access)?;
        Ok(None)
    }
}
