//! What the work of captured streams uses.

use super::{Entry, Gates, Stream};
use crate::context::Context;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::Result;
use crate::launched::Launched;
use crate::panic::{Place, Slot};
use core::any::Any;
use core::ops::Range;
use core::panic::Location;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::collections::HashMap;
use std::sync::Arc;

/// Something that a graph uses: each launch of the graph is ordered with other uses of it.
pub(crate) trait Part: Send + Sync {
    /// Makes the entry's stream wait for what the launch conflicts with, and notes the launch. The result lives until
    /// the launch is submitted.
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>>;

    /// Whether it takes a lock exclusively that other parts share. Such parts are submitted first.
    fn is_exclusive(&self) -> bool {
        false
    }

    /// The number of the constant that the graph sets, as `uses` has it. The copies that do so can't be changed.
    fn constant(&self) -> Option<usize> {
        None
    }
}

/// What lives until a launch is submitted.
pub(crate) trait Guard {}
impl<T> Guard for T {}

/// A use of memory in a capture.
pub(super) struct Use {
    pub(super) stream: Stream,
    /// The stream's last nodes when it was first asked for them after the use.
    pub(super) seen: Option<Left>,
    /// The use's nodes, or nodes that come after it, if the stream's later work does not come after the use.
    pub(super) left: Option<Left>,
    pub(super) range: Range<usize>,
    pub(super) write: bool,
}

/// Nodes that were a stream's last ones.
pub(super) type Left = Arc<[CUgraphNode]>;

/// What the work of a capture uses, by the number of the memory.
type Uses = Vec<(usize, Range<usize>, bool)>;

/// Where the kernels of a graph report panics.
pub(crate) struct GraphSlot {
    context: &'static Context,
    slot: &'static Slot,
    /// How many of its reports were read when it was last cleared.
    cleared: AtomicU64,
}

/// Memory that a graph allocates.
#[derive(Clone)]
pub(crate) struct CapturedMemory {
    pub(crate) address: CUdeviceptr,
    /// No more work can use it.
    pub(crate) is_over: Arc<AtomicBool>,
}

/// What a capture has collected. Whoever has it keeps it alive until no launch of the graph runs.
#[derive(Default)]
pub(crate) struct Collected {
    pub(crate) parts: Vec<Arc<dyn Part>>,
    /// Kept alive only.
    pub(super) kept: Vec<Box<dyn Any + Send + Sync>>,
    /// While streams are captured.
    pub(super) open_uses: HashMap<usize, Vec<Use>>,
    /// While streams are captured: the last nodes that streams have left behind, which their later work does not come after.
    pub(super) left: Vec<Left>,
    /// What is used, for graphs that are put together of others.
    pub(crate) uses: Uses,
    /// The gates of other devices whose memory it uses.
    pub(crate) gates: Gates,
    /// Where the kernels report panics.
    pub(crate) slot: Option<Arc<GraphSlot>>,
    /// Memory that the graph allocates and does not free yet.
    pub(super) allocated: Vec<CapturedMemory>,
    /// The graph allocates memory.
    pub(crate) allocates: bool,
}

impl Collected {
    /// A use of memory that needs no order outside of its graph.
    pub(crate) fn of_use(key: usize, range: Range<usize>) -> Collected {
        Collected { uses: vec![(key, range, true)], ..Collected::default() }
    }

    /// The numbers of the constants that the graph sets.
    pub(crate) fn constants(&self) -> impl Iterator<Item = usize> {
        self.parts.iter().filter_map(|part| part.constant())
    }

    /// Ends the collection: streams are not kept.
    pub(super) fn close(&mut self) {
        self.left.clear();
        let all = core::mem::take(&mut self.open_uses).into_iter();
        let plain = |key| move |u: Use| (key, u.range, u.write);
        self.uses = all.flat_map(|(key, uses)| uses.into_iter().map(plain(key))).collect();
    }
}

impl GraphSlot {
    /// One that is not in use elsewhere.
    pub(super) fn take(context: &'static Context) -> Result<GraphSlot> {
        let slot = context.take_panic_slot()?;
        Ok(GraphSlot { context, slot, cleared: AtomicU64::new(slot.times_read()) })
    }

    /// The slot's address and the launch's number, for a launch of a kernel that may panic.
    pub(super) fn next_launch(&self, launched: &'static Launched) -> (CUdeviceptr, u32) {
        (self.slot.address(), self.slot.next_launch(launched) as u32)
    }

    /// Everything up to the last launch that may panic.
    pub(crate) fn place(&self) -> Place {
        Place { slot: self.slot, last: self.slot.last_launch() }
    }

    /// Before a launch at this place: lets the kernels report again, if they have: a graph's launches have the same number each time, and a number is
    /// reported once.
    pub(crate) fn clear_reported(
        &self,
        stream: &Stream,
        place: &'static Location<'static>,
    ) -> Result<(), Failure> {
        self.slot.set_graph_launch(Some(place));
        let GraphSlot { context, slot, .. } = *self;
        let read = slot.times_read();
        if self.cleared.swap(read, Ordering::AcqRel) != read {
            // SAFETY: the slot's word in device memory, which is never freed.
            unsafe { context.driver.cuMemsetD32Async(slot.claim(), 0, 1, stream.handle()) }?;
        }
        Ok(())
    }
}

impl Drop for GraphSlot {
    fn drop(&mut self) {
        // A report that nobody has read is left for `Device::synchronize`.
        if !self.slot.has_report() {
            self.slot.set_graph_launch(None);
            self.context.panics.give_back_unused(self.slot);
        }
    }
}
