//! Graphs that can be launched.

use super::{Graph, GraphNode};
use crate::context::{Context, after_host_function};
use crate::driver::Failure;
use crate::driver::host_function::{Inside, run};
use crate::driver::types::*;
use crate::error::{Error, GraphUpdateReason, Result};
use crate::stream::{Collected, Stream, gate};
use core::ffi::c_void;
use core::fmt;
use core::mem::ManuallyDrop;
use std::sync::{Arc, Mutex, PoisonError};

/// An executable graph, which can be launched any number of times: see [`Graph::instantiate`].
///
/// Launches of one `GraphExec` run one after another, even on different streams. Launches of different ones may run
/// concurrently if they share no memory that one of them writes. It may be dropped while it runs.
pub struct GraphExec {
    owned: ManuallyDrop<Owned>,
    /// The stream of the last launch. Earlier launches are done when this one is.
    last: Mutex<Option<Stream>>,
}

/// What lives until no launch runs.
struct Owned {
    context: &'static Context,
    handle: CUgraphExec,
    /// The graph that it was made of, and to which its nodes belong.
    graph: u64,
    /// What the work uses. What an update has replaced stays: a launch may still run.
    contents: Vec<Arc<Collected>>,
    /// How many of the contents are replaced.
    replaced: usize,
}

impl Drop for Owned {
    fn drop(&mut self) {
        let (context, handle) = (self.context, self.handle);
        after_host_function(move || {
            if context.bind().is_ok() {
                // SAFETY: this was its owner.
                let _ = unsafe { context.driver.cuGraphExecDestroy(handle) };
            }
        });
    }
}

impl Graph {
    /// Makes an executable graph ([`cuGraphInstantiate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    /// Later changes of the graph don't affect it.
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
    /// [`Error::Driver`].
    #[doc(alias = "cudaGraphInstantiate")]
    pub fn instantiate(&self) -> Result<GraphExec> {
        let _alone = self.alone()?;
        let mut handle = CUgraphExec::NULL;
        // SAFETY: the place is valid, the graph alive.
        unsafe { self.context.driver.cuGraphInstantiate(&mut handle, self.handle, 0) }?;
        let (context, graph, contents) = (self.context, self.id, self.contents.clone());
        let owned = Owned { context, handle, graph, contents, replaced: 0 };
        Ok(GraphExec { owned: ManuallyDrop::new(owned), last: Mutex::new(None) })
    }
}

impl GraphExec {
    /// What launches use now.
    fn contents(&self) -> &[Arc<Collected>] {
        &self.owned.contents[self.owned.replaced..]
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
    pub fn launch(&self, stream: &Stream) -> Result<()> {
        let context = self.owned.context;
        stream.expect_on(context)?;
        context.bind()?;
        let entry = stream.enter();
        // First: the end of a capture waits for those who have entered.
        stream.0.refuse_capture("GraphExec::launch")?;
        // Alone: whoever has noted a use of the graph's memory has given its work to its stream, and nobody else notes one.
        let _held = gate(context).alone();
        // Locked until the launch is submitted, so that it is the last one.
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let mut guards = Vec::new();
        for part in self.contents().iter().flat_map(|contents| &contents.parts) {
            guards.extend(part.submit(&entry)?);
        }
        let places: Vec<_> =
            self.contents().iter().filter_map(|contents| contents.place()).collect();
        for contents in self.contents() {
            contents.clear_reported(stream)?;
        }
        // What it has waited for may be on other devices.
        context.bind()?;
        // SAFETY: both are alive; what the work uses is kept and was ordered.
        unsafe { context.driver.cuGraphLaunch(self.owned.handle, stream.handle()) }?;
        // Only now: if it fails, the one before is still the last one.
        *last = Some(stream.clone());
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
                self.owned.replaced = before;
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

    /// Drops what was replaced, if no launch can use it any more.
    fn forget_replaced(&mut self) {
        let last = self.last.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_done = last.as_ref().is_none_or(|stream| stream.0.is_idle().unwrap_or(false));
        if is_done {
            let replaced = core::mem::take(&mut self.owned.replaced);
            self.owned.contents.drain(..replaced);
        }
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
        // What it was given before the capture.
        stream.0.settle();
        return;
    }
    let inside = Inside { stream: stream.0.id, number: None };
    let job = Box::into_raw(Box::new((inside, owned)));
    // SAFETY: the stream is alive. The function is called once at most, and takes the job.
    let given: Result<(), Failure> =
        unsafe { context.driver.cuLaunchHostFunc(stream.handle(), Some(drop_owned), job.cast()) };
    drop(entry);
    if given.is_err() {
        stream.0.settle();
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

impl fmt::Debug for GraphExec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GraphExec(device {}, {:?})", self.owned.context.ordinal, self.owned.handle)
    }
}
