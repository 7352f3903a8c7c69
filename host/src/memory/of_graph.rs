//! Memory that graphs allocate and free: only their own nodes can use it.

use crate::driver::Failure;
use crate::driver::host_function::inside;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::stream::{Capture, CapturedMemory, Entry};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

/// For such memory.
pub(super) const ONLY_IN_ITS_GRAPH: Error = Error::Graph {
    reason: "memory that a graph allocates can be used only by work that the closure of `Stream::capture` or \
             `Graph::with_scratch` in which it was made adds to the graph",
};

/// Where a piece of work of a graph can't allocate.
pub(super) const NOT_IN_A_NODE: Error = Error::Graph {
    reason: "a single node can't allocate memory: call `Graph::with_scratch`, or allocate it in the closure of \
             `Stream::capture`",
};

/// Where memory was asked of a pool for other processes.
pub(super) const NOT_SHAREABLE: Error = Error::Graph {
    reason: "memory that a graph allocates can't be shared with other processes: in the closure of `Stream::capture`, a \
             pool that `MemoryPool::shareable` has made has none",
};

/// Memory that a graph allocates when it is launched. Only nodes of the graph can use it.
pub(crate) struct OfGraph {
    place: Place,
    /// No more nodes can use it.
    is_over: Arc<AtomicBool>,
}

/// By what the memory was made.
enum Place {
    /// A graph to which nodes are added.
    Graph(u64),
    /// Work of a stream, which has this number, while it is captured.
    Capture(Weak<Capture>, u64),
}

impl OfGraph {
    /// Of the graph with this number.
    pub(crate) fn of(graph: u64) -> OfGraph {
        OfGraph { place: Place::Graph(graph), is_over: Arc::default() }
    }

    /// Made by work of a stream, which has this number, while it is captured.
    pub(super) fn captured(
        capture: &Arc<Capture>,
        stream: u64,
        is_over: Arc<AtomicBool>,
    ) -> OfGraph {
        OfGraph { place: Place::Capture(Arc::downgrade(capture), stream), is_over }
    }

    /// From here on, no nodes that use it can be added.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
    }

    /// An error unless work of a capture can use it.
    pub(super) fn expect_in(&self, capture: &Capture) -> Result<()> {
        let is_here = match &self.place {
            Place::Graph(graph) => capture.graph == Some(*graph),
            Place::Capture(own, _) => core::ptr::eq(own.as_ptr(), capture),
        };
        match is_here && !self.is_over.load(Ordering::Acquire) {
            true => Ok(()),
            false => Err(ONLY_IN_ITS_GRAPH),
        }
    }

    /// Its owner has dropped it: if it was made by a capture that still goes on, the graph frees it here. `wait` makes an
    /// entry's stream wait for the work that uses it.
    pub(super) fn free(
        &self,
        address: CUdeviceptr,
        wait: impl FnOnce(&Capture, &Entry<'_>) -> Result<(), Failure>,
    ) {
        let Place::Capture(capture, stream) = &self.place else { return };
        // A host function can't call the driver; the end of the capture frees the memory then.
        if inside().is_some() || self.is_over.load(Ordering::Acquire) {
            return;
        }
        if let Some(capture) = capture.upgrade() {
            let memory = CapturedMemory { address, is_over: self.is_over.clone() };
            capture.free_early(*stream, &memory, |entry| wait(&capture, entry));
        }
    }
}
