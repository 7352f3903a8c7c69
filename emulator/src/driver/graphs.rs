//! Graphs, and captures that make them.

use super::code::{Code, Outcome};
use super::handle::Handle;
use super::work::{Data, LaunchId};
use crate::exec::conditions;
use crate::memory::{Kind, Memory};
use ptyx_driver_api::*;
use std::any::Any;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::c_void;
use std::sync::Arc;
use std::thread::ThreadId;

/// A structure of the driver's interface, which may hold the caller's pointers.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Given<T>(pub(super) T);

// SAFETY: the pointers are only handed back, or used as the driver's functions demand, on whatever thread.
unsafe impl<T: Copy> Send for Given<T> {}
// SAFETY: as above.
unsafe impl<T: Copy> Sync for Given<T> {}

/// A copy or a fill, made again in each launch.
type Repeated = Arc<dyn Fn() -> Outcome + Send + Sync>;

/// What a node does.
#[derive(Clone)]
pub(super) enum Op {
    Empty,
    /// A launch that was checked: `KernelNode` of `driver::launch`.
    Kernel(Arc<dyn Any + Send + Sync>),
    Copy(Given<CUmemcpy3D>, Repeated),
    Fill(Given<CUmemsetNodeParams>, Repeated),
    Host(CUhostFn, Data),
    /// An event is recorded, or waited for.
    Record(Handle),
    Wait(Handle),
    Graph(Graph),
    Allocate(Arc<GraphMemory>),
    Free(Arc<GraphMemory>),
    Conditional(Conditional),
}

/// Memory that a graph allocates. It is there for as long as the graph, or what was instantiated of it.
pub(super) struct GraphMemory {
    pub(super) memory: &'static Memory,
    pub(super) address: u64,
    pub(super) bytes: usize,
}

impl GraphMemory {
    /// Of a device's memory: its address, and the node that allocates it.
    pub(super) fn node(memory: &'static Memory, bytes: usize) -> Result<(u64, Op), Code> {
        let address = memory.allocate(bytes as u64, Kind::Device).ok_or(Code::OUT_OF_MEMORY)?;
        Ok((address, Op::Allocate(Arc::new(GraphMemory { memory, address, bytes }))))
    }
}

impl Drop for GraphMemory {
    fn drop(&mut self) {
        self.memory.free(self.address);
    }
}

/// A node that runs one of its bodies by a condition.
#[derive(Clone)]
pub(super) struct Conditional {
    pub(super) condition: u64,
    pub(super) kind: CUgraphConditionalNodeType,
    /// Where nodes are added to the bodies.
    pub(super) bodies: Vec<Handle>,
    /// The bodies of a graph that was instantiated.
    pub(super) graphs: Vec<Graph>,
}

impl Conditional {
    /// Which body runs for a value of the condition.
    pub(super) fn chosen(&self, value: u32) -> Option<&Graph> {
        let number = match self.kind {
            CU_GRAPH_COND_TYPE_SWITCH => value as usize,
            _ => usize::from(value == 0),
        };
        self.graphs.get(number)
    }
}

impl Op {
    pub(super) fn kernel(launch: impl Any + Send + Sync) -> Op {
        Op::Kernel(Arc::new(launch))
    }

    pub(super) fn copy(what: CUmemcpy3D, work: impl Fn() -> Outcome + Send + Sync + 'static) -> Op {
        Op::Copy(Given(what), Arc::new(work))
    }

    pub(super) fn fill(
        what: CUmemsetNodeParams,
        work: impl Fn() -> Outcome + Send + Sync + 'static,
    ) -> Op {
        Op::Fill(Given(what), Arc::new(work))
    }

    /// Whether another copy can take this one's place in a graph that was instantiated: both are between the same kinds of
    /// memory (`cuGraphExecUpdate`, "Additional memcpy node restrictions").
    pub(super) fn admits(&self, new: &Op) -> bool {
        let kinds = |copy: &CUmemcpy3D| [copy.from.kind, copy.to.kind];
        match (self, new) {
            (Op::Copy(old, _), Op::Copy(new, _)) => kinds(&old.0) == kinds(&new.0),
            _ => true,
        }
    }

    /// Whether the parameters of this single node can be set: a copy has one row (`cuGraphExecMemcpyNodeSetParams`).
    pub(super) fn can_be_set(&self) -> bool {
        match self {
            Op::Copy(copy, _) => copy.0.width > 0 && copy.0.height == 1 && copy.0.depth == 1,
            _ => true,
        }
    }

    /// Whether a graph with it can't be copied, and so not be a part of another one, and has one exec at a time.
    pub(super) fn is_single(&self) -> bool {
        matches!(self, Op::Allocate(_) | Op::Free(_) | Op::Conditional(_))
    }

    pub(super) fn kind(&self) -> CUgraphNodeType {
        match self {
            Op::Empty => CU_GRAPH_NODE_TYPE_EMPTY,
            Op::Kernel(_) => CU_GRAPH_NODE_TYPE_KERNEL,
            Op::Copy(..) => CU_GRAPH_NODE_TYPE_MEMCPY,
            Op::Fill(..) => CU_GRAPH_NODE_TYPE_MEMSET,
            Op::Host(..) => CU_GRAPH_NODE_TYPE_HOST,
            Op::Record(_) => CU_GRAPH_NODE_TYPE_EVENT_RECORD,
            Op::Wait(_) => CU_GRAPH_NODE_TYPE_WAIT_EVENT,
            Op::Graph(_) => CU_GRAPH_NODE_TYPE_GRAPH,
            Op::Allocate(_) => CU_GRAPH_NODE_TYPE_MEM_ALLOC,
            Op::Free(_) => CU_GRAPH_NODE_TYPE_MEM_FREE,
            Op::Conditional(_) => CU_GRAPH_NODE_TYPE_CONDITIONAL,
        }
    }
}

/// A node, and those that it comes after.
#[derive(Clone)]
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) after: Vec<Handle>,
}

/// A graph. A node comes only after nodes that were made before it, so the order of handles is one in which it can run.
#[derive(Clone, Default)]
pub(super) struct Graph {
    pub(super) nodes: BTreeMap<Handle, Node>,
}

impl Graph {
    /// The memory at an address, which a node allocates and none frees yet.
    pub(super) fn to_free(&self, address: u64) -> Option<Arc<GraphMemory>> {
        let ops = || self.nodes.values().map(|node| &node.op);
        if ops().any(|op| matches!(op, Op::Free(own) if own.address == address)) {
            return None;
        }
        ops().find_map(|op| match op {
            Op::Allocate(own) if own.address == address => Some(own.clone()),
            _ => None,
        })
    }

    /// Whether it has a node of which there can't be two.
    pub(super) fn is_single(&self) -> bool {
        self.nodes.values().any(|node| node.op.is_single())
    }

    /// These nodes and all that they come after.
    pub(super) fn with_earlier(&self, nodes: &[Handle]) -> BTreeSet<Handle> {
        let (mut all, mut open) = (BTreeSet::new(), nodes.to_vec());
        while let Some(handle) = open.pop() {
            if all.insert(handle) {
                open.extend(self.nodes.get(&handle).into_iter().flat_map(|node| &node.after));
            }
        }
        all
    }
}

/// A graph that can be launched.
pub(super) struct Exec {
    /// The graph that it was made of, which may be gone.
    pub(super) origin: Handle,
    pub(super) graph: Graph,
    /// The nodes that do nothing for now.
    pub(super) disabled: BTreeSet<Handle>,
    /// The work of its last launch: launches of one exec run one after the other.
    pub(super) last: Vec<LaunchId>,
}

/// A place in a capture: the nodes that the next one comes after.
#[derive(Clone)]
pub(super) struct Captured {
    pub(super) capture: u64,
    pub(super) after: Vec<Handle>,
}

/// A capture that has begun.
pub(super) struct Capture {
    pub(super) graph: Handle,
    /// Whether the graph was the caller's before.
    pub(super) is_given: bool,
    pub(super) origin: Handle,
    pub(super) mode: CUstreamCaptureMode,
    pub(super) thread: ThreadId,
    /// An error has spoilt it.
    pub(super) is_spoilt: bool,
}

/// A condition of a conditional node.
pub(super) struct Condition {
    pub(super) graph: Handle,
    /// Its value at the beginning of a launch, if it gets one.
    pub(super) default: Option<u32>,
    /// The list with the node's bodies, once there is a node.
    pub(super) bodies: Option<Box<[Given<*mut c_void>]>>,
}

/// All of them.
#[derive(Default)]
pub(super) struct Graphs {
    pub(super) graphs: HashMap<Handle, Graph>,
    pub(super) execs: HashMap<Handle, Exec>,
    pub(super) captures: HashMap<u64, Capture>,
    /// The bodies of conditional nodes, each with the graph that has the node.
    pub(super) bodies: HashMap<Handle, Handle>,
    /// The conditions, each with the graph that it was made for, and the lists of bodies that callers were given.
    pub(super) conditions: HashMap<u64, Condition>,
    /// The last capture's number.
    pub(super) last_capture: u64,
}

impl Graphs {
    /// How many graphs and execs there are.
    pub(super) fn count(&self) -> usize {
        self.graphs.len() - self.bodies.len() + self.execs.len()
    }

    /// Destroys a graph, and the bodies of its nodes.
    pub(super) fn destroy(&mut self, graph: Handle) -> Result<(), Code> {
        self.graphs.remove(&graph).ok_or(Code::INVALID_VALUE)?;
        let inside = self.bodies.iter().filter(|(_, owner)| **owner == graph);
        let bodies: Vec<Handle> = inside.map(|(&body, _)| body).collect();
        self.conditions.retain(|&number, condition| {
            let stays = condition.graph != graph;
            if !stays {
                conditions::end(number);
            }
            stays
        });
        for body in bodies {
            self.bodies.remove(&body);
            self.destroy(body)?;
        }
        Ok(())
    }

    pub(super) fn graph(&mut self, graph: Handle) -> Result<&mut Graph, Code> {
        self.graphs.get_mut(&graph).ok_or(Code::INVALID_VALUE)
    }

    /// The graph of a node.
    pub(super) fn of_node(&mut self, node: Handle) -> Result<&mut Graph, Code> {
        let has_it = |graph: &&mut Graph| graph.nodes.contains_key(&node);
        self.graphs.values_mut().find(has_it).ok_or(Code::INVALID_VALUE)
    }
}

thread_local! {
    /// What `cuThreadExchangeStreamCaptureMode` has set.
    pub(super) static MODE: Cell<CUstreamCaptureMode> = const { Cell::new(CU_STREAM_CAPTURE_MODE_GLOBAL) };
}
