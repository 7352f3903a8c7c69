//! Graphs: work that is defined once and launched often.

#[cfg(test)]
mod attack_tests;
mod capture;
#[cfg(test)]
mod captured_memory_tests;
mod conditional;
mod dependencies;
mod dot;
mod exec;
mod hand;
#[cfg(test)]
mod hand_tests;
mod mode;
mod node;
mod scratch;
mod status;
#[cfg(test)]
mod tests;

pub use exec::GraphExec;
pub use mode::CaptureMode;
pub use node::{GraphNode, GraphNodeKind};
pub use status::CaptureStatus;

use crate::context::{Context, after_host_function};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::{Collected, Stream};
use core::ffi::c_void;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Work for a device and its dependencies: captured by [`Stream::capture`](crate::Stream::capture), or built
/// from other graphs (CUDA driver API, [Graph Management](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
///
/// A graph does not run itself. [`Graph::instantiate`] makes a [`GraphExec`] of it, which can be launched again and again.
///
/// A graph can also be built by hand, node by node: [`Graph::add_node`], [`Graph::add_if`], [`Graph::add_while`], [`Graph::add_switch`],
/// [`Graph::with_scratch`], [`Graph::add`].
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
    /// What it began with, whose nodes may use any of it: a captured graph's work, a clone's.
    captured: Vec<Arc<Collected>>,
    /// The driver's graph that it is, or of whose node it is the body.
    owner: Arc<Owner>,
    /// The nodes that were added; once one is added, also the last ones of a captured graph.
    added: Vec<Added>,
    /// Where single pieces of work are recorded.
    recorder: Option<Stream>,
    /// Of a body: whether it is finished.
    body: Option<Arc<AtomicBool>>,
    /// A graph inside has nodes that only whole graphs can have.
    calls_host: bool,
    /// It has conditional nodes, or memory of its own, so the driver can't copy it, and there is one [`GraphExec`] of it at a
    /// time.
    is_single: bool,
    /// Something went wrong halfway.
    is_broken: bool,
}

/// A node that was added.
#[derive(Clone)]
struct Added {
    node: CUgraphNode,
    /// What it uses.
    contents: Vec<Arc<Collected>>,
    /// The nodes that it was put behind.
    after: Vec<CUgraphNode>,
}

/// A graph of the driver.
struct Owner {
    context: &'static Context,
    handle: CUgraph,
    /// The number of the graph that it was made for.
    id: u64,
    /// Held during the driver's calls, which must not use a graph at the same time.
    calls: Mutex<()>,
    /// The driver has the one [`GraphExec`] of a graph of which there can't be two.
    has_exec: AtomicBool,
}

/// For memory of graphs.
const NO_BODY_MEMORY: Error = Error::Graph {
    reason: "the body of a conditional node can't allocate memory: call `Graph::with_scratch` of the whole graph, and add \
             the conditional node in its closure",
};

/// Nodes, and pairs of which the second comes after the first.
type Shape = (Vec<CUgraphNode>, Vec<(CUgraphNode, CUgraphNode)>);

impl Owner {
    /// All nodes and edges. The context is bound, and the calls are locked.
    fn shape(&self) -> Result<Shape> {
        Ok((nodes_of(self.context, self.handle)?, edges_of(self.context, self.handle)?))
    }
}

fn nodes_of(context: &Context, graph: CUgraph) -> Result<Vec<CUgraphNode>> {
    let (driver, mut count) = (context.driver, 0);
    // SAFETY: the place is valid; without a list, the driver only counts.
    unsafe { driver.cuGraphGetNodes(graph, core::ptr::null_mut(), &mut count) }?;
    // The driver takes no list without room.
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut nodes = vec![CUgraphNode::NULL; count];
    // SAFETY: the list has as many places as the driver is told.
    unsafe { driver.cuGraphGetNodes(graph, nodes.as_mut_ptr(), &mut count) }?;
    Ok(nodes)
}

fn edges_of(context: &Context, graph: CUgraph) -> Result<Vec<(CUgraphNode, CUgraphNode)>> {
    let (driver, mut count, none) = (context.driver, 0, core::ptr::null_mut());
    // SAFETY: as in `nodes_of`.
    unsafe { driver.cuGraphGetEdges(graph, none, none, &mut count) }?;
    if count == 0 {
        return Ok(Vec::new());
    }
    let (mut from, mut to) = (vec![CUgraphNode::NULL; count], vec![CUgraphNode::NULL; count]);
    // SAFETY: as in `nodes_of`.
    unsafe { driver.cuGraphGetEdges(graph, from.as_mut_ptr(), to.as_mut_ptr(), &mut count) }?;
    Ok(from.into_iter().zip(to).collect())
}

/// A number that no other graph of this process has.
fn next_id() -> u64 {
    static GRAPHS: AtomicU64 = AtomicU64::new(0);
    GRAPHS.fetch_add(1, Ordering::Relaxed)
}

/// Whether there is memory that both use, and one writes.
fn conflict(one: &[Arc<Collected>], other: &[Arc<Collected>]) -> bool {
    let mut all = one.iter().flat_map(|part| &part.uses);
    all.any(|(key, range, write)| {
        other.iter().flat_map(|part| &part.uses).any(|(other, other_range, other_write)| {
            key == other
                && (*write || *other_write)
                && range.start < other_range.end
                && other_range.start < range.end
        })
    })
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

    /// A graph of the driver with a single owner.
    fn of(context: &'static Context, handle: CUgraph, contents: Vec<Arc<Collected>>) -> Graph {
        Graph::numbered(next_id(), context, handle, contents)
    }

    /// The same with a number that no other graph has.
    fn numbered(
        id: u64,
        context: &'static Context,
        handle: CUgraph,
        contents: Vec<Arc<Collected>>,
    ) -> Graph {
        let (calls, has_exec) = (Mutex::default(), AtomicBool::new(false));
        let owner = Arc::new(Owner { context, handle, id, calls, has_exec });
        Graph {
            context,
            handle,
            id,
            captured: contents.clone(),
            contents,
            owner,
            added: Vec::new(),
            recorder: None,
            body: None,
            calls_host: false,
            is_single: false,
            is_broken: false,
        }
    }

    /// The only call of the driver about this graph at present; the context is bound.
    fn alone(&self) -> Result<MutexGuard<'_, ()>> {
        self.context.bind()?;
        Ok(self.owner.calls.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// An error if nodes can't be added.
    fn expect_open(&self) -> Result<()> {
        let is_finished = self.body.as_ref().is_some_and(|done| done.load(Ordering::Acquire));
        if is_finished {
            return Err(Error::Graph {
                reason: "nodes are added to a conditional node's body only in the closure that is given it",
            });
        }
        Ok(())
    }

    /// An error if the graph can't be a part of another one, or cloned.
    fn expect_copyable(&self) -> Result<()> {
        if self.is_single {
            return Err(Error::Graph {
                reason: "the driver can't copy a graph that has conditional nodes or allocates memory, so it can't be cloned or become a node: \
                         add its nodes to the other graph",
            });
        }
        self.expect_whole()
    }

    /// An error if adding a node has failed halfway.
    fn expect_whole(&self) -> Result<()> {
        if self.is_broken {
            return Err(Error::Graph {
                reason: "a node of the graph could not be completed (the call that added it returned an error): \
                         build the graph anew",
            });
        }
        Ok(())
    }

    /// These nodes, and the last ones that use the same memory as work that is added.
    fn after_conflicts(
        &mut self,
        mut after: Vec<CUgraphNode>,
        contents: &[Arc<Collected>],
    ) -> Result<Vec<CUgraphNode>> {
        if self.added.is_empty() && !self.contents.is_empty() {
            self.added = self.ends()?;
        }
        let mut open = after.clone();
        let mut earlier: HashSet<CUgraphNode> = HashSet::new();
        let numbers: HashMap<CUgraphNode, usize> =
            self.added.iter().enumerate().map(|(number, added)| (added.node, number)).collect();
        for added in self.added.iter().rev() {
            // All that comes before what was chosen.
            while let Some(node) = open.pop() {
                if earlier.insert(node)
                    && let Some(&number) = numbers.get(&node)
                {
                    open.extend(&self.added[number].after);
                }
            }
            if !earlier.contains(&added.node) && conflict(&added.contents, contents) {
                after.push(added.node);
                open.push(added.node);
            }
        }
        after.sort_unstable_by_key(|node| node.0.addr());
        after.dedup();
        Ok(after)
    }

    /// Whether it has nodes that bodies of conditional nodes can't have: functions of the host, and events.
    fn calls_host(&self) -> Result<bool> {
        for node in self.nodes()? {
            if self.kind(node)?.calls_host() {
                return Ok(true);
            }
        }
        Ok(self.calls_host)
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
        self.expect_open()?;
        if self.added.is_empty() && !self.contents.is_empty() {
            self.added = self.ends()?;
        }
        let alone = self.alone()?;
        let mut node = CUgraphNode::NULL;
        let (driver, count) = (self.context.driver, after.len());
        // SAFETY: place and list are valid, the nodes are of this graph.
        unsafe { driver.cuGraphAddEmptyNode(&mut node, self.handle, after.as_ptr(), count) }?;
        drop(alone);
        self.added.push(Added { node, contents: Vec::new(), after });
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
    /// [`Error::Graph`] for nodes of another graph, and for a graph with conditional nodes; [`Error::WrongDevice`] for a
    /// graph of another device.
    #[doc(alias = "cudaGraphAddChildGraphNode")]
    pub fn add(&mut self, child: &Graph, after: &[GraphNode]) -> Result<GraphNode> {
        self.context.expect("the graph", child.context)?;
        let after = self.handles(after)?;
        self.expect_open()?;
        child.expect_copyable()?;
        if child.contents.iter().any(|part| part.constants().next().is_some()) {
            return Err(Error::Graph {
                reason: "a graph that sets a `Constant` can't be a node of another one: capture all of the work at once, \
                         or use a `Global`",
            });
        }
        let calls_host = child.calls_host()?;
        if self.body.is_some() && calls_host {
            return Err(hand::NOT_IN_BODIES);
        }
        let after = self.after_conflicts(after, &child.contents)?;
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
        self.added.push(Added { node, contents: child.contents.clone(), after });
        self.calls_host |= calls_host;
        Ok(self.node(node))
    }

    /// The nodes after which nothing comes, as if each used everything: all others come before one of them.
    fn ends(&self) -> Result<Vec<Added>> {
        let edges = self.edges()?;
        let mut nodes = self.nodes()?;
        nodes.retain(|node| !edges.iter().any(|(from, _)| from == node));
        let added = |node: GraphNode| {
            let (contents, after) = (self.captured.clone(), Vec::new());
            Added { node: node.handle, contents, after }
        };
        Ok(nodes.into_iter().map(added).collect())
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
        let nodes = nodes_of(self.context, self.handle)?;
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
        let pairs = edges_of(self.context, self.handle)?;
        Ok(pairs.into_iter().map(|(from, to)| (self.node(from), self.node(to))).collect())
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
    /// [`Error::Graph`] for a graph with conditional nodes; [`Error::Driver`].
    #[doc(alias = "cudaGraphClone")]
    pub fn try_clone(&self) -> Result<Graph> {
        self.expect_copyable()?;
        let alone = self.alone()?;
        let mut handle = CUgraph::NULL;
        // SAFETY: the place is valid, and the graph alive.
        unsafe { self.context.driver.cuGraphClone(&mut handle, self.handle) }?;
        drop(alone);
        let copy = Graph::of(self.context, handle, self.contents.clone());
        Ok(Graph { calls_host: self.calls_host, ..copy })
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

impl Drop for Owner {
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

/// By identity: a clone is another graph.
impl PartialEq for Graph {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Graph {}

impl Hash for Graph {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.id.hash(state);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph(device {}, {:?})", self.context.ordinal, self.handle)
    }
}
