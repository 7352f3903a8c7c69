//! Graphs: work that is defined once and launched often.

mod capture;
mod dot;
mod exec;
mod node;
#[cfg(test)]
mod tests;

pub use exec::GraphExec;
pub use node::{GraphNode, GraphNodeKind};

use crate::context::{Context, after_host_function};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Collected;
use core::ffi::c_void;
use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Work for a device and its dependencies: captured by [`Stream::capture`](crate::Stream::capture), or built
/// from other graphs (CUDA driver API, [Graph Management](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
///
/// A graph does not run itself. [`Graph::instantiate`] makes a [`GraphExec`] of it, which can be launched again and again.
///
/// A graph keeps alive what its work uses: buffers, modules, host functions. So these may be dropped, borrowed and used
/// elsewhere; each launch is ordered with all other uses, like a launch of a kernel.
///
/// ```
/// use ptyx::{DeviceBuffer, Stream};
/// let stream = Stream::new()?;
/// let (mut a, mut b) = (DeviceBuffer::<u32>::zeroed(100)?, DeviceBuffer::<u32>::zeroed(100)?);
/// let graph = stream.capture(|stream| {
///     a.fill_on(7, stream)?;
///     b.copy_from_buffer_on(&a, stream)
/// })?;
/// assert_eq!(b.to_vec()?, [0; 100]); // nothing has run
/// let exec = graph.instantiate()?;
/// exec.launch(&stream)?;
/// assert_eq!(b.to_vec()?, [7; 100]);
/// b.fill(1)?;
/// exec.launch(&stream)?; // after the fill
/// assert_eq!(b.to_vec()?, [7; 100]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Graph {
    context: &'static Context,
    handle: CUgraph,
    /// Unique among the graphs of this process.
    id: u64,
    /// What the work uses.
    contents: Vec<Arc<Collected>>,
    /// Held during the driver's calls, which must not use a graph at the same time.
    calls: Mutex<()>,
    /// The nodes that were added, and what each uses; once one is added, also the last ones of a captured graph.
    added: Vec<(CUgraphNode, Vec<Arc<Collected>>)>,
}

impl Graph {
    /// A graph without nodes, for the thread's device
    /// ([`cuGraphCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// ```
    /// assert!(ptyx::Graph::new()?.nodes()?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device, or a driver without graphs.
    #[doc(alias = "cudaGraphCreate")]
    pub fn new() -> Result<Graph> {
        let context = current()?;
        context.bind()?;
        let mut handle = CUgraph::NULL;
        // SAFETY: the place is valid, and the context bound.
        unsafe { context.driver.cuGraphCreate(&mut handle, 0) }?;
        Ok(Graph::of(context, handle, Vec::new()))
    }

    /// A graph of the driver that nobody else has.
    fn of(context: &'static Context, handle: CUgraph, contents: Vec<Arc<Collected>>) -> Graph {
        static GRAPHS: AtomicU64 = AtomicU64::new(0);
        let id = GRAPHS.fetch_add(1, Ordering::Relaxed);
        let (calls, added) = Default::default();
        Graph { context, handle, id, contents, calls, added }
    }

    /// The only call of the driver about this graph at present; the context is bound.
    fn alone(&self) -> Result<MutexGuard<'_, ()>> {
        self.context.bind()?;
        Ok(self.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The driver's handles of nodes of this graph.
    fn handles(&self, nodes: &[GraphNode]) -> Result<Vec<CUgraphNode>> {
        if nodes.iter().any(|node| node.graph != self.id) {
            return Err(Error::Graph {
                reason: "a node can only come after nodes of its own graph; a clone of a graph has other nodes",
            });
        }
        Ok(nodes.iter().map(|node| node.handle).collect())
    }

    fn node(&self, handle: CUgraphNode) -> GraphNode {
        GraphNode { graph: self.id, handle }
    }

    /// Adds a node that does nothing, with dependencies on others
    /// ([`cuGraphAddEmptyNode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// ```
    /// let mut graph = ptyx::Graph::new()?;
    /// let start = graph.add_empty(&[])?;
    /// assert_eq!(graph.nodes()?, [start]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Graph`] for nodes of another graph.
    #[doc(alias = "cudaGraphAddEmptyNode")]
    pub fn add_empty(&mut self, after: &[GraphNode]) -> Result<GraphNode> {
        let after = self.handles(after)?;
        self.context.bind()?;
        let mut node = CUgraphNode::NULL;
        let (driver, count) = (self.context.driver, after.len());
        // SAFETY: place and list are valid, the nodes are of this graph.
        unsafe { driver.cuGraphAddEmptyNode(&mut node, self.handle, after.as_ptr(), count) }?;
        Ok(self.node(node))
    }

    /// Adds a copy of another graph as a node. It depends on `after`, and on the nodes added before that use the same memory,
    /// if one of the two writes it ([`cuGraphAddChildGraphNode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    /// Nodes that don't depend on each other may run concurrently.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Graph, Stream};
    /// let stream = Stream::new()?;
    /// let (mut a, mut b) = (DeviceBuffer::<u32>::zeroed(10)?, DeviceBuffer::<u32>::zeroed(10)?);
    /// let mut graph = Graph::new()?;
    /// let one = graph.add(&stream.capture(|s| a.fill_on(1, s))?, &[])?;
    /// let two = graph.add(&stream.capture(|s| b.fill_on(2, s))?, &[])?; // beside the first
    /// graph.add_empty(&[one, two])?;
    /// graph.add(&stream.capture(|s| b.copy_from_buffer_on(&a, s))?, &[])?; // after both, because of the buffers
    /// graph.instantiate()?.launch(&stream)?;
    /// assert_eq!(b.to_vec()?, [1; 10]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Graph`] for nodes of another graph, [`Error::WrongDevice`] for a graph of another device.
    #[doc(alias = "cudaGraphAddChildGraphNode")]
    pub fn add(&mut self, child: &Graph, after: &[GraphNode]) -> Result<GraphNode> {
        self.context.expect("the graph", child.context)?;
        let mut after = self.handles(after)?;
        let all = |contents: &[Arc<Collected>]| {
            contents.iter().flat_map(|part| part.uses.iter().cloned()).collect::<Vec<_>>()
        };
        let own = all(&child.contents);
        if self.added.is_empty() && !self.contents.is_empty() {
            self.added = self.ends()?;
        }
        for (node, earlier) in &self.added {
            let conflict = all(earlier).iter().any(|(key, range, write)| {
                own.iter().any(|(other, other_range, other_write)| {
                    key == other
                        && (*write || *other_write)
                        && range.start < other_range.end
                        && other_range.start < range.end
                })
            });
            if conflict && !after.contains(node) {
                after.push(*node);
            }
        }
        let child_alone = child.alone()?;
        let mut node = CUgraphNode::NULL;
        let (driver, count) = (self.context.driver, after.len());
        // SAFETY: place and list are valid, the nodes are of this graph, and the other graph is alive.
        unsafe {
            driver.cuGraphAddChildGraphNode(
                &mut node,
                self.handle,
                after.as_ptr(),
                count,
                child.handle,
            )
        }?;
        drop(child_alone);
        self.contents.extend(child.contents.iter().cloned());
        self.added.push((node, child.contents.clone()));
        Ok(self.node(node))
    }

    /// The nodes after which nothing comes, as if each used everything: all others come before one of them.
    fn ends(&self) -> Result<Vec<(CUgraphNode, Vec<Arc<Collected>>)>> {
        let edges = self.edges()?;
        let mut nodes = self.nodes()?;
        nodes.retain(|node| !edges.iter().any(|(from, _)| from == node));
        Ok(nodes.into_iter().map(|node| (node.handle, self.contents.clone())).collect())
    }

    /// All nodes ([`cuGraphGetNodes`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(10)?;
    /// let graph = Stream::new()?.capture(|stream| buffer.fill_on(1, stream))?;
    /// assert_eq!(graph.nodes()?.len(), 1);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    #[doc(alias = "cudaGraphGetNodes")]
    pub fn nodes(&self) -> Result<Vec<GraphNode>> {
        let _alone = self.alone()?;
        let (driver, mut count) = (self.context.driver, 0);
        // SAFETY: the place is valid; without a list, the driver only counts.
        unsafe { driver.cuGraphGetNodes(self.handle, core::ptr::null_mut(), &mut count) }?;
        let mut nodes = vec![CUgraphNode::NULL; count];
        // SAFETY: the list has as many places as the driver is told.
        unsafe { driver.cuGraphGetNodes(self.handle, nodes.as_mut_ptr(), &mut count) }?;
        Ok(nodes.into_iter().map(|handle| self.node(handle)).collect())
    }

    /// All edges, as pairs of nodes of which the second depends on the first
    /// ([`cuGraphGetEdges`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// ```
    /// let mut graph = ptyx::Graph::new()?;
    /// let start = graph.add_empty(&[])?;
    /// let end = graph.add_empty(&[start])?;
    /// assert_eq!(graph.edges()?, [(start, end)]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    #[doc(alias = "cudaGraphGetEdges")]
    pub fn edges(&self) -> Result<Vec<(GraphNode, GraphNode)>> {
        let _alone = self.alone()?;
        let (driver, mut count, none) = (self.context.driver, 0, core::ptr::null_mut());
        // SAFETY: as in `nodes`.
        unsafe { driver.cuGraphGetEdges(self.handle, none, none, &mut count) }?;
        let (mut from, mut to) = (vec![CUgraphNode::NULL; count], vec![CUgraphNode::NULL; count]);
        // SAFETY: as in `nodes`.
        unsafe {
            driver.cuGraphGetEdges(self.handle, from.as_mut_ptr(), to.as_mut_ptr(), &mut count)
        }?;
        let pairs = from.into_iter().zip(to);
        Ok(pairs.map(|(from, to)| (self.node(from), self.node(to))).collect())
    }

    /// The type of a node ([`cuGraphNodeGetType`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// ```
    /// use ptyx::{Graph, GraphNodeKind};
    /// let mut graph = Graph::new()?;
    /// let node = graph.add_empty(&[])?;
    /// assert_eq!(graph.kind(node)?, GraphNodeKind::Empty);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Graph`] for a node of another graph.
    #[doc(alias = "cudaGraphNodeGetType")]
    pub fn kind(&self, node: GraphNode) -> Result<GraphNodeKind> {
        self.handles(&[node])?;
        let _alone = self.alone()?;
        let mut kind = 0;
        // SAFETY: the place is valid, and the graph has the node.
        unsafe { self.context.driver.cuGraphNodeGetType(node.handle, &mut kind) }?;
        Ok(GraphNodeKind::of(kind))
    }

    /// A copy of the graph, with nodes of its own, that does the same work on the same memory
    /// ([`cuGraphClone`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// ```
    /// let mut graph = ptyx::Graph::new()?;
    /// graph.add_empty(&[])?;
    /// let copy = graph.try_clone()?;
    /// graph.add_empty(&[])?;
    /// assert_eq!((graph.nodes()?.len(), copy.nodes()?.len()), (2, 1));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    #[doc(alias = "cudaGraphClone")]
    pub fn try_clone(&self) -> Result<Graph> {
        let alone = self.alone()?;
        let mut handle = CUgraph::NULL;
        // SAFETY: the place is valid, and the graph alive.
        unsafe { self.context.driver.cuGraphClone(&mut handle, self.handle) }?;
        drop(alone);
        Ok(Graph::of(self.context, handle, self.contents.clone()))
    }

    /// The index of the graph's device.
    ///
    /// ```
    /// use ptyx::{Device, Graph};
    /// assert_eq!(Graph::new()?.device_index(), Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.context.ordinal
    }

    /// The driver's handle (`CUgraph`), for other libraries. It is valid while the graph lives. Memory that is used by work
    /// they add is not kept alive.
    ///
    /// ```
    /// assert!(!ptyx::Graph::new()?.raw().is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn raw(&self) -> *mut c_void {
        self.handle.0
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        let (context, handle) = (self.context, self.handle);
        after_host_function(move || {
            if context.bind().is_ok() {
                // SAFETY: this was its owner. What was instantiated of it does not need it.
                let _ = unsafe { context.driver.cuGraphDestroy(handle) };
            }
        });
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph(device {}, {:?})", self.context.ordinal, self.handle)
    }
}
