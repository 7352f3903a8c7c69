//! Graphs, and captures that make them.

use super::code::{Code, Outcome};
use super::handle::Handle;
use super::work::{Data, LaunchId};
use ptyx_driver_api::*;
use std::any::Any;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::thread::ThreadId;

/// A copy or a fill, made again in each launch.
type Repeated = Arc<dyn Fn() -> Outcome + Send + Sync>;

/// What a node does.
#[derive(Clone)]
pub(super) enum Op {
    Empty,
    /// A launch that was checked: `Submitted` of `driver::launch`.
    Kernel(Arc<dyn Any + Send + Sync>),
    Copy(Repeated),
    Fill(Repeated),
    Host(CUhostFn, Data),
    /// An event is recorded, or waited for.
    Record(Handle),
    Wait(Handle),
    Graph(Graph),
}

impl Op {
    pub(super) fn kernel(launch: impl Any + Send + Sync) -> Op {
        Op::Kernel(Arc::new(launch))
    }

    pub(super) fn copy(work: impl Fn() -> Outcome + Send + Sync + 'static) -> Op {
        Op::Copy(Arc::new(work))
    }

    pub(super) fn fill(work: impl Fn() -> Outcome + Send + Sync + 'static) -> Op {
        Op::Fill(Arc::new(work))
    }

    pub(super) fn kind(&self) -> CUgraphNodeType {
        match self {
            Op::Empty => CU_GRAPH_NODE_TYPE_EMPTY,
            Op::Kernel(_) => CU_GRAPH_NODE_TYPE_KERNEL,
            Op::Copy(_) => CU_GRAPH_NODE_TYPE_MEMCPY,
            Op::Fill(_) => CU_GRAPH_NODE_TYPE_MEMSET,
            Op::Host(..) => CU_GRAPH_NODE_TYPE_HOST,
            Op::Record(_) => CU_GRAPH_NODE_TYPE_EVENT_RECORD,
            Op::Wait(_) => CU_GRAPH_NODE_TYPE_WAIT_EVENT,
            Op::Graph(_) => CU_GRAPH_NODE_TYPE_GRAPH,
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

/// All of them.
#[derive(Default)]
pub(super) struct Graphs {
    pub(super) graphs: HashMap<Handle, Graph>,
    pub(super) execs: HashMap<Handle, Exec>,
    pub(super) captures: HashMap<u64, Capture>,
    /// The last capture's number.
    pub(super) last_capture: u64,
}

impl Graphs {
    /// How many graphs and execs there are.
    pub(super) fn count(&self) -> usize {
        self.graphs.len() + self.execs.len()
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
