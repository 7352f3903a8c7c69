//! Graphs that can be launched.

use super::{Graph, GraphNode, Owner, hand};
use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::host_function::{Inside, run};
use crate::driver::types::*;
use crate::error::{Error, GraphUpdateReason, Result};
use crate::launched::{Launched, Place, launched};
use crate::stream::{Collected, Gates, GraphSlot, Stream};
use core::ffi::c_void;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::mem::ManuallyDrop;
use core::panic::Location;
use core::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// An executable graph, which can be launched any number of times: see [`Graph::instantiate`].
///
/// Launches of one `GraphExec` run one after another, even on different streams. Launches of different ones may run
/// concurrently if they share no memory that one of them writes. It may be dropped while it runs.
///
/// ```
/// use ptyx::{DeviceBuffer, GraphExec, Stream};
/// let stream = Stream::new()?;
/// let mut buffer = DeviceBuffer::<u32>::zeroed(10)?;
/// let exec: GraphExec = stream.capture(|stream| buffer.fill_on(5, stream))?.instantiate()?;
/// for _ in 0..2 {
///     buffer.fill_on(0, &stream)?;
///     exec.launch(&stream)?;
///     assert_eq!(buffer.to_vec()?, [5; 10]);
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct GraphExec {
    owned: ManuallyDrop<Owned>,
    /// Where single pieces of work are recorded.
    recorder: Option<Stream>,
    /// The stream of the last launch. Earlier launches are done when this one is.
    last: Mutex<Option<Stream>>,
    /// What a stream notes of a launch: that of the place of the last one.
    known: Place,
}

/// What lives until no launch runs.
struct Owned {
    context: &'static Context,
    handle: CUgraphExec,
    /// The graph that it was made of, and to which its nodes belong.
    graph: u64,
    /// It lives as long as there may be calls about its nodes.
    owner: Arc<Owner>,
    /// What the work uses.
    contents: Vec<Arc<Collected>>,
    /// What an update has replaced stays: a launch may still run.
    replaced: Vec<Arc<Collected>>,
    /// Nodes whose memory is known; all others may use any of `captured`.
    known: Vec<(CUgraphNode, Vec<Arc<Collected>>)>,
    captured: Vec<Arc<Collected>>,
    /// It has nodes that the driver does not update.
    is_single: bool,
}

impl Owned {
    /// All that a node may use.
    fn uses_of(&self, node: CUgraphNode) -> Vec<Arc<Collected>> {
        let known = self.known.iter().find(|(known, _)| *known == node);
        known.map_or_else(|| self.captured.clone(), |(_, contents)| contents.clone())
    }

    /// An error if the node is a copy of a graph that sets constants, which may be one that does so, or if its new work uses
    /// such a constant: the host knows only what the graph sets as a whole.
    fn expect_no_constant(
        &self,
        node: CUgraphNode,
        kind: CUgraphNodeType,
        new: &[Arc<Collected>],
    ) -> Result<()> {
        let constants: Vec<usize> =
            self.contents.iter().flat_map(|part| part.constants()).collect();
        if constants.is_empty() {
            return Ok(());
        }
        let mut uses = self.uses_of(node).into_iter();
        let is_copy =
            kind == CU_GRAPH_NODE_TYPE_MEMCPY && uses.any(|part| part.constants().next().is_some());
        let mut new_uses = new.iter().flat_map(|part| &part.uses);
        match is_copy || new_uses.any(|(key, ..)| constants.contains(key)) {
            true => Err(Error::Graph {
                reason: "the graph sets a `Constant`: its copies, and kernels that use the constant, can't be changed one by \
                         one; capture it again, and call `GraphExec::update`",
            }),
            false => Ok(()),
        }
    }

    /// A node uses something else now, which the contents have already.
    fn replace(&mut self, node: CUgraphNode, contents: Vec<Arc<Collected>>) {
        let is_in = |list: &[Arc<Collected>], part: &Arc<Collected>| {
            list.iter().any(|other| Arc::ptr_eq(other, part))
        };
        let place = self.known.iter().position(|(known, _)| *known == node);
        let before = match place {
            Some(place) => core::mem::replace(&mut self.known[place].1, contents),
            None => {
                self.known.push((node, contents));
                return;
            }
        };
        // Nodes of a capture share what they use.
        let gone: Vec<_> = before.into_iter().filter(|part| !is_in(&self.captured, part)).collect();
        self.contents.retain(|part| !is_in(&gone, part));
        self.replaced.extend(gone);
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        let (context, handle) = (self.context, self.handle);
        let (owner, is_single) = (self.owner.clone(), self.is_single);
        after_host_function(move || {
            if context.bind().is_ok() {
                let _relaxed = context.driver.relaxed();
                // SAFETY: this was its owner.
                let destroyed = unsafe { context.driver.cuGraphExecDestroy(handle) };
                if is_single && destroyed.is_ok() {
                    owner.has_exec.store(false, Ordering::Release);
                }
            }
        });
    }
}

impl Graph {
    /// Makes an executable graph ([`cuGraphInstantiate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    /// Later changes of the graph don't affect it.
    ///
    /// A graph that has conditional nodes ([`Graph::add_if`], [`Graph::add_switch`], [`Graph::add_while`]) or memory of its own
    /// (of [`Graph::with_scratch`], or of buffers that were allocated in [`Stream::capture`](crate::Stream::capture)) has one
    /// `GraphExec` at a time. To make another, wait for the launches of the earlier one, then drop it: if it is dropped while a
    /// launch runs, Ptyx destroys it only after that launch.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(10)?;
    /// let exec = stream.capture(|stream| buffer.fill_on(5, stream))?.instantiate()?;
    /// exec.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [5; 10]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Graph`] if a call that added a node has failed halfway, and for a second `GraphExec` where there can be only
    /// one; [`Error::Driver`].
    #[doc(alias = "cudaGraphInstantiate")]
    pub fn instantiate(&self) -> Result<GraphExec> {
        self.expect_whole()?;
        if self.body.is_some() {
            return Err(Error::Graph {
                reason: "the body of a conditional node can't be launched by itself: instantiate the whole graph",
            });
        }
        let _alone = self.alone()?;
        if self.is_single && self.owner.has_exec.load(Ordering::Acquire) {
            return Err(Error::Graph {
                reason: "a graph that has conditional nodes or allocates memory has one `GraphExec` at a time: wait for the \
                         launches of the earlier one and drop it",
            });
        }
        let mut handle = CUgraphExec::NULL;
        // SAFETY: the place is valid, the graph alive.
        unsafe { self.context.driver.cuGraphInstantiate(&mut handle, self.handle, 0) }?;
        self.owner.has_exec.store(self.is_single, Ordering::Release);
        let owned = Owned {
            context: self.context,
            handle,
            graph: self.id,
            owner: self.owner.clone(),
            contents: self.contents.clone(),
            replaced: Vec::new(),
            known: self.added.iter().map(|added| (added.node, added.contents.clone())).collect(),
            captured: self.captured.clone(),
            is_single: self.is_single,
        };
        Ok(GraphExec {
            owned: ManuallyDrop::new(owned),
            recorder: None,
            last: Mutex::new(None),
            known: Place::new(),
        })
    }
}

impl GraphExec {
    /// What a stream notes of a launch at this place.
    fn noted(&self, place: &'static Location<'static>) -> &'static Launched {
        match self.known.get() {
            Some(known) if core::ptr::eq(known.place, place) => known,
            _ => {
                let found = launched("a graph", "", place);
                self.known.set(found);
                found
            }
        }
    }

    /// Where the kernels report panics.
    fn slots(&self) -> Vec<&Arc<GraphSlot>> {
        let mut slots: Vec<&Arc<GraphSlot>> = Vec::new();
        for slot in self.owned.contents.iter().filter_map(|contents| contents.slot.as_ref()) {
            // Mostly all have the same.
            if !slots.iter().rev().any(|known| Arc::ptr_eq(known, slot)) {
                slots.push(slot);
            }
        }
        slots
    }

    /// Launches the graph on a stream, after the stream's earlier work, after all other work that uses the same memory, and
    /// after earlier launches of this graph ([`cuGraphLaunch`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    /// The host does not wait, unless another thread copies from or to memory of a graph at the same time.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let (stream, other) = (Stream::new()?, Stream::new()?);
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(10)?;
    /// let exec = stream.capture(|stream| buffer.fill_on(5, stream))?.instantiate()?;
    /// buffer.fill_on(1, &stream)?;
    /// exec.launch(&other)?; // after the fill
    /// assert_eq!(buffer.to_vec()?, [5; 10]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`]; [`Error::Capture`] if the stream is captured: use [`Graph::add`];
    /// [`Error::Fault`] of an earlier kernel.
    #[doc(alias = "cudaGraphLaunch")]
    #[track_caller]
    pub fn launch(&self, stream: &Stream) -> Result<()> {
        let place = Location::caller();
        let context = self.owned.context;
        stream.expect_on(context)?;
        context.bind()?;
        let entry = stream.enter();
        // First: the end of a capture waits for those who have entered.
        stream.0.refuse_capture("GraphExec::launch")?;
        // Alone: whoever has noted a use of the graph's memory has given its work to its stream, and nobody else notes one.
        let contents = self.owned.contents.iter();
        let gates = contents.fold(Gates::of(context), |gates, part| gates.and(part.gates));
        let _held = gates.alone();
        // Locked until the launch is submitted, so that it is the last one.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut guards = Vec::new();
        let parts = || self.owned.contents.iter().flat_map(|contents| &contents.parts);
        for part in parts().filter(|part| part.is_exclusive()) {
            guards.extend(part.submit(&entry)?);
        }
        for part in parts().filter(|part| !part.is_exclusive()) {
            guards.extend(part.submit(&entry)?);
        }
        let slots = self.slots();
        let places: Vec<_> = slots.iter().map(|slot| slot.place()).collect();
        for slot in slots {
            slot.clear_reported(stream, place)?;
        }
        // What it has waited for may be on other devices.
        context.bind()?;
        stream.0.recent.note(self.noted(place));
        // SAFETY: both are alive; what the work uses is kept and was ordered.
        unsafe { context.driver.cuGraphLaunch(self.owned.handle, stream.handle()) }?;
        // Only now: if it fails, the one before is still the last one.
        if !last.as_ref().is_some_and(|last| last.is(stream)) {
            *last = Some(stream.clone());
        }
        stream.0.follow(&places);
        drop(guards);
        Ok(())
    }

    /// Uploads the graph to the device before its first launch ([`cuGraphUpload`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// ```
    /// use ptyx::{Graph, Stream};
    /// let stream = Stream::new()?;
    /// let exec = Graph::new()?.instantiate()?;
    /// exec.upload(&stream)?;
    /// exec.launch(&stream)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`], [`Error::Capture`], [`Error::Driver`].
    #[doc(alias = "cudaGraphUpload")]
    pub fn upload(&self, stream: &Stream) -> Result<()> {
        let context = self.owned.context;
        stream.expect_on(context)?;
        context.bind()?;
        let _entry = stream.enter();
        stream.0.refuse_capture("GraphExec::upload")?;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(earlier) = last.as_ref().filter(|earlier| !earlier.is(stream)) {
            earlier.precede(stream)?;
        }
        // SAFETY: both are alive.
        unsafe { context.driver.cuGraphUpload(self.owned.handle, stream.handle()) }?;
        *last = Some(stream.clone());
        Ok(())
    }

    /// Updates later launches to `graph`, which must have the same nodes and edges as the previous graph and may have other
    /// parameters: kernels' arguments and shapes, buffers, values of fills, host functions
    /// ([`cuGraphExecUpdate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)). This costs much less
    /// than instantiating a graph.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Error, GraphUpdateReason, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(10)?;
    /// let mut exec = stream.capture(|stream| buffer.fill_on(5, stream))?.instantiate()?;
    /// exec.update(&stream.capture(|stream| buffer.fill_on(6, stream))?)?;
    /// exec.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [6; 10]);
    /// let other = stream.capture(|_| Ok(()))?;
    /// let error = exec.update(&other).unwrap_err();
    /// assert!(matches!(error, Error::GraphUpdate { reason: GraphUpdateReason::Topology }));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::GraphUpdate`], and nothing is changed; [`Error::WrongDevice`].
    #[doc(alias = "cudaGraphExecUpdate")]
    pub fn update(&mut self, graph: &Graph) -> Result<()> {
        let context = self.owned.context;
        context.expect("the graph", graph.context)?;
        graph.expect_whole()?;
        if graph.is_single || self.owned.is_single {
            return Err(Error::Graph {
                reason: "a graph that has conditional nodes or allocates memory can't be updated as a whole: change \
                         single nodes with `GraphExec::set_node`, or instantiate the new graph",
            });
        }
        let mut info = CUgraphExecUpdateResultInfo {
            result: CU_GRAPH_EXEC_UPDATE_ERROR,
            node: CUgraphNode::NULL,
            from: CUgraphNode::NULL,
        };
        let (driver, handle) = (context.driver, self.owned.handle);
        let alone = graph.alone()?;
        // Kept before the driver knows of it; what was kept stays until a running launch is done.
        let before = self.owned.contents.len();
        self.owned.contents.extend(graph.contents.iter().cloned());
        // SAFETY: the place is valid, both graphs are alive.
        let updated = unsafe { driver.cuGraphExecUpdate(handle, graph.handle, &mut info) };
        drop(alone);
        match updated {
            Ok(()) => {
                let owned = &mut *self.owned;
                owned.replaced.extend(owned.contents.drain(..before));
                owned.known.clear();
                owned.captured.clone_from(&owned.contents);
                self.forget_replaced();
                Ok(())
            }
            Err(failure) => {
                self.owned.contents.truncate(before);
                match failure.code {
                    CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE => {
                        Err(Error::GraphUpdate { reason: GraphUpdateReason::of(info.result) })
                    }
                    _ => Err(failure.into()),
                }
            }
        }
    }

    /// Drops what was replaced, once no launch can use it.
    fn forget_replaced(&mut self) {
        let last = self.last.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_done = last.as_ref().is_none_or(|stream| stream.0.is_idle().unwrap_or(false));
        if is_done {
            self.owned.replaced.clear();
        }
    }

    /// Makes later launches do other work at a node: the piece that the closure gives to its stream, of the kind that the
    /// node had before, with other arguments, shapes, buffers or values
    /// ([`cuGraphExecNodeSetParams`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)). The graph of
    /// which this was instantiated stays as it is. It costs about as much as a capture, whatever the size of the graph.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Graph, Stream};
    /// let (stream, mut buffer) = (Stream::new()?, DeviceBuffer::<u32>::zeroed(10)?);
    /// let mut graph = Graph::new()?;
    /// let fill = graph.add_node(&[], |stream| buffer.fill_on(5, stream))?;
    /// let mut exec = graph.instantiate()?;
    /// exec.set_node(fill, |stream| buffer.fill_on(6, stream))?;
    /// exec.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [6; 10]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The closure's; [`Error::GraphUpdate`] for work of another kind, for a kernel with other clusters, and for a copy
    /// of a box, or between other kinds of memory (from a device instead of from the host, say);
    /// [`Error::Graph`] for a node of another graph, if the closure gave the stream no work or several pieces, or if the
    /// work uses memory of a node that may run at the same time; [`Error::Driver`] with a driver before CUDA 12.2. Nothing
    /// has changed then.
    #[doc(alias = "cudaGraphExecNodeSetParams")]
    #[doc(alias = "cudaGraphExecKernelNodeSetParams")]
    #[doc(alias = "cudaGraphExecMemcpyNodeSetParams")]
    #[doc(alias = "cudaGraphExecMemsetNodeSetParams")]
    #[doc(alias = "cudaGraphExecHostNodeSetParams")]
    #[doc(alias = "cudaGraphExecEventRecordNodeSetEvent")]
    #[doc(alias = "cudaGraphExecEventWaitNodeSetEvent")]
    pub fn set_node(
        &mut self,
        node: GraphNode,
        work: impl FnOnce(&Stream) -> Result<()>,
    ) -> Result<()> {
        let driver = self.driver_for(node)?;
        let context = self.owned.context;
        let slot = hand::slot_of(&self.owned.contents);
        let recorded = hand::record(context, &mut self.recorder, slot, self.owned.owner.id, work)?;
        let mut params = recorded.params()?;
        let (owner, handle) = (self.owned.owner.clone(), self.owned.handle);
        let _alone = owner.calls.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kind = 0;
        // SAFETY: the place is valid, and the graph has the node; so below.
        unsafe { driver.cuGraphNodeGetType(node.handle, &mut kind) }?;
        if kind != recorded.kind {
            return Err(Error::GraphUpdate { reason: GraphUpdateReason::NodeType });
        }
        if kind == CU_GRAPH_NODE_TYPE_KERNEL {
            hand::expect_same_attributes(context, node.handle, recorded.node)?;
        }
        self.owned.expect_no_constant(node.handle, kind, &recorded.contents)?;
        let (nodes, edges) = owner.shape()?;
        let uses = nodes.into_iter().map(|other| (other, self.owned.uses_of(other)));
        hand::expect_ordered(uses, &edges, node.handle, &recorded.contents)?;
        // Kept before the driver knows of it.
        self.owned.contents.extend(recorded.contents.iter().cloned());
        // SAFETY: the parameters are those of a node of this context.
        let set = unsafe { driver.cuGraphExecNodeSetParams(handle, node.handle, &mut params) };
        if let Err(failure) = set {
            let before = self.owned.contents.len() - recorded.contents.len();
            self.owned.contents.truncate(before);
            // The driver gives only this reason for copies of boxes, and for those between other kinds of memory.
            let is_of_copy =
                kind == CU_GRAPH_NODE_TYPE_MEMCPY && failure.code == CUDA_ERROR_INVALID_VALUE;
            return Err(match is_of_copy {
                true => Error::GraphUpdate { reason: GraphUpdateReason::Parameters },
                false => failure.into(),
            });
        }
        self.owned.replace(node.handle, recorded.contents.clone());
        self.forget_replaced();
        Ok(())
    }

    /// Sets whether later launches run a node of the graph from which this was instantiated: a kernel, a copy or a fill
    /// ([`cuGraphNodeSetEnabled`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)). A disabled node
    /// still orders others.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(10)?;
    /// let graph = stream.capture(|stream| buffer.fill_on(5, stream))?;
    /// let (fill, mut exec) = (graph.nodes()?[0], graph.instantiate()?);
    /// exec.set_enabled(fill, false)?;
    /// assert!(!exec.is_enabled(fill)?);
    /// exec.launch(&stream)?;
    /// assert_eq!(buffer.to_vec()?, [0; 10]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Graph`] for a node of another graph; [`Error::Driver`] for a node of another kind.
    #[doc(alias = "cudaGraphNodeSetEnabled")]
    pub fn set_enabled(&mut self, node: GraphNode, enabled: bool) -> Result<()> {
        let driver = self.driver_for(node)?;
        let mut kind = 0;
        // SAFETY: the place is valid, and the graph has the node.
        unsafe { driver.cuGraphNodeGetType(node.handle, &mut kind) }?;
        self.owned.expect_no_constant(node.handle, kind, &[])?;
        // SAFETY: both are alive, as the driver keeps an exec's nodes for this call.
        unsafe { driver.cuGraphNodeSetEnabled(self.owned.handle, node.handle, enabled.into()) }?;
        Ok(())
    }

    /// Whether launches run this node ([`cuGraphNodeGetEnabled`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)):
    /// see [`GraphExec::set_enabled`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(10)?;
    /// let graph = Stream::new()?.capture(|stream| buffer.fill_on(5, stream))?;
    /// assert!(graph.instantiate()?.is_enabled(graph.nodes()?[0])?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`GraphExec::set_enabled`].
    #[doc(alias = "cudaGraphNodeGetEnabled")]
    pub fn is_enabled(&self, node: GraphNode) -> Result<bool> {
        let (driver, mut enabled) = (self.driver_for(node)?, 0);
        // The driver's calls must not use it at the same time.
        let _alone = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: as above, and the place is valid.
        unsafe { driver.cuGraphNodeGetEnabled(self.owned.handle, node.handle, &mut enabled) }?;
        Ok(enabled != 0)
    }

    /// The driver, for a call about a node of the graph.
    fn driver_for(&self, node: GraphNode) -> Result<&'static crate::driver::Driver> {
        if node.graph != self.owned.graph {
            return Err(Error::Graph {
                reason: "the node belongs to another graph than the one that was instantiated",
            });
        }
        self.owned.context.bind()?;
        Ok(self.owned.context.driver)
    }

    /// The driver's handle (`CUgraphExec`), for other libraries. It is valid while this lives. Ptyx does not track
    /// launches by others.
    ///
    /// ```
    /// assert!(!ptyx::Graph::new()?.instantiate()?.raw().is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn raw(&self) -> *mut c_void {
        self.owned.handle.0
    }
}

impl Drop for GraphExec {
    fn drop(&mut self) {
        // SAFETY: `owned` is not used again.
        let owned = unsafe { ManuallyDrop::take(&mut self.owned) };
        let last = self.last.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        let Some(stream) = last else { return };
        after_host_function(move || release(owned, &stream));
    }
}

/// Drops what a graph uses, when the stream has done the graph's last launch.
fn release(owned: Owned, stream: &Stream) {
    let context = stream.context();
    if context.bind().is_err() || stream.0.is_idle().unwrap_or(false) {
        return;
    }
    let entry = stream.enter();
    if stream.0.capture().is_some() {
        drop(entry);
        // What it was given before the capture. If the driver can't say whether that is done, all stays.
        if !stream.0.settle() {
            core::mem::forget(owned);
        }
        return;
    }
    let inside = Inside { stream: stream.0.id, number: None };
    let job = Box::into_raw(Box::new((inside, owned)));
    // SAFETY: the stream is alive. The function is called once at most, and takes the job.
    let given: Result<(), Failure> =
        unsafe { context.driver.cuLaunchHostFunc(stream.handle(), Some(drop_owned), job.cast()) };
    drop(entry);
    // Otherwise all stays: the graph may still run.
    if given.is_err() && stream.0.settle() {
        // SAFETY: the driver has not taken the job, and the launches are over.
        drop(unsafe { Box::from_raw(job) });
    }
}

/// What the driver calls. It must not call the driver, nor unwind.
extern "C" fn drop_owned(job: *mut c_void) {
    // SAFETY: the job that `release` gave to the driver, which calls this once.
    let (inside, owned) = *unsafe { Box::from_raw(job.cast::<(Inside, Owned)>()) };
    run(inside, || {
        // What host functions own may panic when it is dropped.
        let _ = std::panic::catch_unwind(core::panic::AssertUnwindSafe(move || drop(owned)));
    });
}

/// By identity: two executable graphs of one graph are unequal.
impl PartialEq for GraphExec {
    fn eq(&self, other: &Self) -> bool {
        self.owned.handle == other.owned.handle
    }
}

impl Eq for GraphExec {}

impl Hash for GraphExec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.owned.handle.hash(state);
    }
}

impl fmt::Debug for GraphExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GraphExec(device {}, {:?})", self.owned.context.ordinal, self.owned.handle)
    }
}
