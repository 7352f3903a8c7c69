//! Nodes that are added one by one, each with a piece of work that a stream could be given.
//!
//! The work is recorded: a stream is captured while a closure gives it the work, so that all arguments are checked as
//! ever, and what the work uses is known. The node of the captured graph is then made again in the graph that is
//! built, behind the nodes that it is to come after.

use super::{Added, Graph, GraphNode, conflict};
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, GraphUpdateReason, Result};
use crate::stream::{Collected, GraphSlot, Stream, StreamOptions};
use core::ptr::null_mut;
use std::collections::HashSet;
use std::sync::Arc;

/// For host functions and events.
pub(super) const NOT_IN_BODIES: Error = Error::Graph {
    reason: "the body of a conditional node can have kernels, copies, fills and graphs of these, but neither functions \
             of the host nor events: put them before or after the conditional node",
};

/// One piece of work, as the only node of a graph.
pub(super) struct Recorded {
    graph: Graph,
    pub(super) node: CUgraphNode,
    pub(super) kind: CUgraphNodeType,
    /// What it uses.
    pub(super) contents: Vec<Arc<Collected>>,
}

/// Records the piece of work that a closure gives to a stream, for the graph of that number.
pub(super) fn record(
    context: &'static Context,
    recorder: &mut Option<Stream>,
    slot: Option<Arc<GraphSlot>>,
    id: u64,
    work: impl FnOnce(&Stream) -> Result<()>,
) -> Result<Recorded> {
    let stream = match recorder {
        Some(stream) => stream,
        None => recorder.insert(Stream::of(context, &StreamOptions::new())?),
    };
    let graph = stream.capture_for(slot, Some(id), work)?;
    let [GraphNode { handle: node, .. }] = graph.nodes()?[..] else {
        return Err(Error::Graph {
            reason: "a node is one piece of work, and the closure gave its stream none or several: give the launch, \
                     the copy or the fill the stream that the closure gets; make a graph of several pieces with \
                     `Stream::capture`, and add it with `Graph::add`",
        });
    };
    let mut kind = 0;
    // SAFETY: the place is valid, and the graph, which nothing else uses, has the node.
    unsafe { context.driver.cuGraphNodeGetType(node, &mut kind) }?;
    let contents = graph.contents.clone();
    Ok(Recorded { graph, node, kind, contents })
}

/// The slot of one of these.
pub(super) fn slot_of(contents: &[Arc<Collected>]) -> Option<Arc<GraphSlot>> {
    contents.iter().find_map(|contents| contents.slot.clone())
}

impl Recorded {
    /// What its node does, for another graph. It is valid while this lives.
    pub(super) fn params(&self) -> Result<CUgraphNodeParams> {
        let (context, node) = (self.graph.context, self.node);
        let (driver, own) = (context.driver, context.raw());
        context.bind()?;
        // SAFETY: each place is valid for what the driver writes there, and the node of that kind.
        unsafe {
            Ok(match self.kind {
                CU_GRAPH_NODE_TYPE_KERNEL => {
                    let mut params = EMPTY_KERNEL;
                    driver.cuGraphKernelNodeGetParams(node, &mut params)?;
                    CUgraphNodeParams::new(self.kind, CUkernelNodeParams { context: own, ..params })
                }
                CU_GRAPH_NODE_TYPE_MEMCPY => {
                    let mut copy = EMPTY_COPY;
                    driver.cuGraphMemcpyNodeGetParams(node, &mut copy)?;
                    let params = CUmemcpyNodeParams { flags: 0, reserved: 0, context: own, copy };
                    CUgraphNodeParams::new(self.kind, params)
                }
                CU_GRAPH_NODE_TYPE_MEMSET => {
                    let mut params = CUmemsetNodeParams {
                        to: 0,
                        pitch: 0,
                        value: 0,
                        element: 0,
                        width: 0,
                        height: 0,
                        context: CUcontext::NULL,
                    };
                    driver.cuGraphMemsetNodeGetParams(node, &mut params)?;
                    CUgraphNodeParams::new(self.kind, CUmemsetNodeParams { context: own, ..params })
                }
                CU_GRAPH_NODE_TYPE_HOST => {
                    let mut params = CUhostNodeParams { function: None, data: null_mut() };
                    driver.cuGraphHostNodeGetParams(node, &mut params)?;
                    CUgraphNodeParams::new(self.kind, params)
                }
                CU_GRAPH_NODE_TYPE_EVENT_RECORD => {
                    let mut event = CUevent::NULL;
                    driver.cuGraphEventRecordNodeGetEvent(node, &mut event)?;
                    CUgraphNodeParams::new(self.kind, event)
                }
                CU_GRAPH_NODE_TYPE_WAIT_EVENT => {
                    let mut event = CUevent::NULL;
                    driver.cuGraphEventWaitNodeGetEvent(node, &mut event)?;
                    CUgraphNodeParams::new(self.kind, event)
                }
                _ => {
                    return Err(Error::Graph {
                        reason: "work of this kind can't be added as a node: capture it, and add the graph",
                    });
                }
            })
        }
    }
}

const EMPTY_END: CUmemcpyEnd3D = CUmemcpyEnd3D {
    x: 0,
    y: 0,
    z: 0,
    level: 0,
    kind: CU_MEMORYTYPE_DEVICE,
    host: null_mut(),
    device: 0,
    array: CUarray::NULL,
    reserved: null_mut(),
    pitch: 0,
    height: 0,
};
/// Nothing yet: the driver says what a node launches.
pub(super) const EMPTY_KERNEL: CUkernelNodeParams = CUkernelNodeParams {
    function: CUfunction::NULL,
    grid: [0; 3],
    block: [0; 3],
    shared: 0,
    params: null_mut(),
    extra: null_mut(),
    kernel: null_mut(),
    context: CUcontext::NULL,
};
const EMPTY_COPY: CUmemcpy3D =
    CUmemcpy3D { from: EMPTY_END, to: EMPTY_END, width: 0, height: 0, depth: 0 };

/// A kernel's attributes that stay when it is exchanged: whether it is cooperative, and its clusters.
pub(super) fn attributes(context: &Context, node: CUgraphNode) -> Result<[[u32; 3]; 2]> {
    let ids = [CU_LAUNCH_ATTRIBUTE_COOPERATIVE, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION];
    let mut all = [[0; 3]; 2];
    for (id, first) in ids.into_iter().zip(&mut all) {
        let mut value = CUstreamAttrValue { words: [0; 16] };
        // SAFETY: the place is valid, and the node a kernel's.
        unsafe { context.driver.cuGraphKernelNodeGetAttribute(node, id, &mut value) }?;
        first.copy_from_slice(&value.words[..3]);
    }
    // The first one is a single word.
    all[0][1..].fill(0);
    Ok(all)
}

impl Graph {
    /// Adds a piece of work as a node: after `after`, and after the nodes that were added before and use the same memory,
    /// if one of the two writes it ([`cuGraphAddNode`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__GRAPH.html)).
    ///
    /// The closure gives the work to the stream that it gets: one launch of a kernel, copy of a buffer or a box (from
    /// or to the host: of a [`StagingBuffer`](crate::StagingBuffer)), fill, function ([`Stream::on_host_each`]), record
    /// of an event ([`Event::record_each`](crate::Event::record_each)) or wait for one ([`Stream::wait_each`]). Nothing
    /// runs before the graph is launched. Arguments are checked as those of a launch, and the graph keeps what they
    /// lead to.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Graph, Stream};
    /// let (mut a, mut b) = (DeviceBuffer::<u32>::zeroed(10)?, DeviceBuffer::<u32>::zeroed(10)?);
    /// let mut graph = Graph::new()?;
    /// let fill = graph.add_node(&[], |stream| a.fill_on(3, stream))?;
    /// let other = graph.add_node(&[], |stream| b.fill_on(4, stream))?; // beside the first
    /// graph.add_node(&[other], |stream| b.copy_from_buffer_on(&a, stream))?; // after both, because of the buffers
    /// graph.instantiate()?.launch(&Stream::new()?)?;
    /// assert_eq!(b.to_vec()?, [3; 10]);
    /// # let _ = fill;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The closure's; [`Error::Graph`] if it gave the stream no work or several pieces, and for nodes of another graph;
    /// [`Error::Driver`] with a driver before CUDA 12.2.
    #[doc(alias = "cudaGraphAddNode")]
    #[doc(alias = "cudaGraphAddKernelNode")]
    #[doc(alias = "cudaGraphAddMemcpyNode")]
    #[doc(alias = "cudaGraphAddMemsetNode")]
    #[doc(alias = "cudaGraphAddHostNode")]
    #[doc(alias = "cudaGraphAddEventRecordNode")]
    #[doc(alias = "cudaGraphAddEventWaitNode")]
    pub fn add_node(
        &mut self,
        after: &[GraphNode],
        work: impl FnOnce(&Stream) -> Result<()>,
    ) -> Result<GraphNode> {
        let after = self.handles(after)?;
        self.expect_open()?;
        let slot = slot_of(&self.contents);
        let recorded = record(self.context, &mut self.recorder, slot, self.owner.id, work)?;
        if self.body.is_some() && super::GraphNodeKind::of(recorded.kind).calls_host() {
            return Err(NOT_IN_BODIES);
        }
        let contents = recorded.contents.clone();
        let after = self.after_conflicts(after, &contents)?;
        let mut params = recorded.params()?;
        // SAFETY: the parameters are those of a node of this context, and what they lead to is kept.
        let node = unsafe { self.insert(after, &mut params, contents) }?;
        if recorded.kind == CU_GRAPH_NODE_TYPE_KERNEL {
            // SAFETY: both are kernels' nodes.
            let copied =
                unsafe { self.context.driver.cuGraphKernelNodeCopyAttributes(node, recorded.node) };
            self.is_broken |= copied.is_err();
            copied?;
        }
        Ok(self.node(node))
    }

    /// Adds a node to the driver's graph, and what it uses to this one.
    ///
    /// # Safety
    /// The parameters are valid, and `contents` keeps what they lead to.
    pub(super) unsafe fn insert(
        &mut self,
        after: Vec<CUgraphNode>,
        params: &mut CUgraphNodeParams,
        contents: Vec<Arc<Collected>>,
    ) -> Result<CUgraphNode> {
        let alone = self.alone()?;
        let (driver, mut node, count) = (self.context.driver, CUgraphNode::NULL, after.len());
        // SAFETY: place and list are valid, the nodes are of this graph; the caller's promise.
        unsafe { driver.cuGraphAddNode(&mut node, self.handle, after.as_ptr(), count, params) }?;
        drop(alone);
        self.contents.extend(contents.iter().cloned());
        self.added.push(Added { node, contents, after });
        Ok(node)
    }
}

/// Whether one node comes after the other, whichever.
pub(super) fn are_ordered(
    edges: &[(CUgraphNode, CUgraphNode)],
    one: CUgraphNode,
    other: CUgraphNode,
) -> bool {
    let leads = |from: CUgraphNode, to: CUgraphNode| {
        let (mut open, mut seen) = (vec![from], HashSet::new());
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            if seen.insert(node) {
                open.extend(edges.iter().filter(|(from, _)| *from == node).map(|(_, to)| *to));
            }
        }
        false
    };
    leads(one, other) || leads(other, one)
}

/// An error if new work of a node uses the memory of nodes that may run at the same time.
pub(super) fn expect_ordered(
    nodes: impl Iterator<Item = (CUgraphNode, Vec<Arc<Collected>>)>,
    edges: &[(CUgraphNode, CUgraphNode)],
    node: CUgraphNode,
    contents: &[Arc<Collected>],
) -> Result<()> {
    for (other, uses) in nodes {
        if other != node && conflict(&uses, contents) && !are_ordered(edges, node, other) {
            return Err(Error::Graph {
                reason: "the new work uses memory of another node, which may run at the same time: put one after the \
                         other when the graph is built",
            });
        }
    }
    Ok(())
}

/// An error unless a kernel can take another's place.
pub(super) fn expect_same_attributes(
    context: &Context,
    old: CUgraphNode,
    new: CUgraphNode,
) -> Result<()> {
    if attributes(context, old)? != attributes(context, new)? {
        return Err(Error::GraphUpdate { reason: GraphUpdateReason::Attributes });
    }
    Ok(())
}
