//! Nodes of graphs.

use crate::driver::types::*;
use core::fmt;

/// A node of a [`Graph`](crate::Graph), on which others can depend.
///
/// ```
/// use ptyx::Graph;
/// let mut graph = Graph::new()?;
/// let first = graph.add_empty(&[])?;
/// let second = graph.add_empty(&[first])?;
/// assert_ne!(first, second);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct GraphNode {
    /// The graph that it belongs to.
    pub(super) graph: u64,
    pub(super) handle: CUgraphNode,
}

impl fmt::Debug for GraphNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GraphNode({:?})", self.handle)
    }
}

impl GraphNodeKind {
    /// Whether it has to do with the host or with events, so that no body of a conditional node can have it.
    pub(super) fn calls_host(self) -> bool {
        matches!(self, GraphNodeKind::Host | GraphNodeKind::EventWait | GraphNodeKind::EventRecord)
    }
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $name:ident = $value:ident, $text:literal;)*) => {
        /// What a node of a graph does.
        ///
        /// ```
        /// use ptyx::{DeviceBuffer, GraphNodeKind, Stream};
        /// let stream = Stream::new()?;
        /// let (mut a, b) = (DeviceBuffer::<u32>::zeroed(10)?, DeviceBuffer::filled(10, 7u32)?);
        /// let graph = stream.capture(|stream| {
        ///     a.copy_from_buffer_on(&b, stream)?;
        ///     a.slice_mut(..5).fill_on(1, stream)
        /// })?;
        /// let kinds: Vec<_> =
        ///     graph.nodes()?.into_iter().map(|node| graph.kind(node)).collect::<Result<_, _>>()?;
        /// assert!(kinds.contains(&GraphNodeKind::Copy) && kinds.contains(&GraphNodeKind::Fill));
        /// assert_eq!(GraphNodeKind::EventWait.to_string(), "event wait");
        /// # Ok::<(), ptyx::Error>(())
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum GraphNodeKind {
            $($(#[doc = $doc])* $name,)*
            /// Something else, by the driver's number (`CUgraphNodeType`).
            Other(u32),
        }

        impl GraphNodeKind {
            pub(super) fn of(kind: CUgraphNodeType) -> GraphNodeKind {
                match kind {
                    $($value => GraphNodeKind::$name,)*
                    other => GraphNodeKind::Other(other),
                }
            }
        }

        impl fmt::Display for GraphNodeKind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(GraphNodeKind::$name => f.write_str($text),)*
                    GraphNodeKind::Other(number) => write!(f, "type {number}"),
                }
            }
        }
    };
}

kinds! {
    /// A kernel.
    Kernel = CU_GRAPH_NODE_TYPE_KERNEL, "kernel";
    /// A copy.
    Copy = CU_GRAPH_NODE_TYPE_MEMCPY, "copy";
    /// A fill.
    Fill = CU_GRAPH_NODE_TYPE_MEMSET, "fill";
    /// A function of the host.
    Host = CU_GRAPH_NODE_TYPE_HOST, "host function";
    /// Another graph.
    Graph = CU_GRAPH_NODE_TYPE_GRAPH, "graph";
    /// Nothing: it comes after some nodes and before others.
    Empty = CU_GRAPH_NODE_TYPE_EMPTY, "empty";
    /// It waits for an event.
    EventWait = CU_GRAPH_NODE_TYPE_WAIT_EVENT, "event wait";
    /// It records an event.
    EventRecord = CU_GRAPH_NODE_TYPE_EVENT_RECORD, "event record";
    /// It allocates memory.
    Allocation = CU_GRAPH_NODE_TYPE_MEM_ALLOC, "allocation";
    /// It frees memory.
    Free = CU_GRAPH_NODE_TYPE_MEM_FREE, "free";
    /// It runs another graph if or while a condition holds.
    Conditional = CU_GRAPH_NODE_TYPE_CONDITIONAL, "conditional";
}
