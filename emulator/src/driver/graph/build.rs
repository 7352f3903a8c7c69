//! Graphs made of nodes, and what they consist of.
#![allow(non_snake_case)]

use super::super::code::{Code, Outcome, put};
use super::super::graphs::{Graph, Node, Op};
use super::super::handle::Handle;
use super::super::state::{State, initialized};
use ptyx_driver_api::CUgraphNodeType;
use std::collections::HashMap;
use std::ffi::c_uint;

/// A list of the caller's.
///
/// # Safety
/// The pointer leads to so many handles, or there are none.
pub(super) unsafe fn listed(list: *const Handle, count: usize) -> Result<Vec<Handle>, Code> {
    match (count, list.is_null()) {
        (0, _) => Ok(Vec::new()),
        (_, true) => Err(Code::INVALID_VALUE),
        // SAFETY: the caller's promise.
        _ => Ok(unsafe { core::slice::from_raw_parts(list, count) }.to_vec()),
    }
}

/// Gives the caller handles: as many as there is room for, zeros behind them; without lists, only how many there are. A list
/// without room is an error, as it is for a GPU's driver.
///
/// # Safety
/// Each list has room for `*count` handles, or is null.
unsafe fn give(lists: &[(*mut Handle, Vec<Handle>)], count: *mut usize) -> Outcome {
    let found = lists.first().map_or(0, |(_, list)| list.len());
    if count.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    if lists.iter().all(|(to, _)| to.is_null()) {
        // SAFETY: the caller's pointer.
        return unsafe { put(count, found) };
    }
    // SAFETY: as above.
    let room = unsafe { count.read() };
    if room == 0 {
        return Err(Code::INVALID_VALUE);
    }
    for (to, list) in lists.iter().filter(|(to, _)| !to.is_null()) {
        for index in 0..room {
            let handle = list.get(index).copied().unwrap_or(0);
            // SAFETY: the caller's list has room.
            unsafe { to.add(index).write(handle) };
        }
    }
    // SAFETY: as above.
    unsafe { put(count, found.min(room)) }
}

pub(in super::super) fn cuGraphCreate(graph: *mut Handle, flags: c_uint) -> Outcome {
    let mut state = initialized()?;
    if flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let handle = state.handle();
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(graph, handle)? };
    state.graphs.graphs.insert(handle, Graph::default());
    Ok(())
}

pub(in super::super) fn cuGraphDestroy(graph: Handle) -> Outcome {
    let mut state = initialized()?;
    if state.graphs.bodies.contains_key(&graph) {
        // It belongs to its node.
        return Err(Code::INVALID_VALUE);
    }
    state.graphs.destroy(graph)
}

/// The same nodes with handles of their own.
///
/// # Errors
/// There are nodes of which there can't be two.
pub(super) fn copy_of(state: &mut State, graph: &Graph) -> Result<Graph, Code> {
    if graph.is_single() {
        return Err(Code::NOT_SUPPORTED);
    }
    let fresh: HashMap<Handle, Handle> =
        graph.nodes.keys().map(|&node| (node, state.handle())).collect();
    let renamed = |node: &Node| Node {
        op: node.op.clone(),
        after: node.after.iter().map(|before| fresh[before]).collect(),
    };
    Ok(Graph {
        nodes: graph.nodes.iter().map(|(handle, node)| (fresh[handle], renamed(node))).collect(),
    })
}

pub(in super::super) fn cuGraphClone(clone: *mut Handle, graph: Handle) -> Outcome {
    let mut state = initialized()?;
    let original = state.graphs.graph(graph)?.clone();
    let copy = copy_of(&mut state, &original)?;
    let handle = state.handle();
    // SAFETY: as above.
    unsafe { put(clone, handle)? };
    state.graphs.graphs.insert(handle, copy);
    Ok(())
}

pub(in super::super) fn cuGraphGetNodes(
    graph: Handle,
    nodes: *mut Handle,
    count: *mut usize,
) -> Outcome {
    let found = initialized()?.graphs.graph(graph)?.nodes.keys().copied().collect();
    // SAFETY: as above.
    unsafe { give(&[(nodes, found)], count) }
}

pub(in super::super) fn cuGraphGetRootNodes(
    graph: Handle,
    nodes: *mut Handle,
    count: *mut usize,
) -> Outcome {
    let mut state = initialized()?;
    let all = state.graphs.graph(graph)?.nodes.iter();
    let roots = all.filter(|(_, node)| node.after.is_empty()).map(|(&handle, _)| handle).collect();
    // SAFETY: as above.
    unsafe { give(&[(nodes, roots)], count) }
}

pub(in super::super) fn cuGraphGetEdges(
    graph: Handle,
    from: *mut Handle,
    to: *mut Handle,
    count: *mut usize,
) -> Outcome {
    let mut state = initialized()?;
    let nodes = &state.graphs.graph(graph)?.nodes;
    let edges = nodes.iter().flat_map(|(&to, node)| node.after.iter().map(move |&from| (from, to)));
    let (sources, targets) = edges.unzip();
    // SAFETY: as above.
    unsafe { give(&[(from, sources), (to, targets)], count) }
}

pub(in super::super) fn cuGraphNodeGetType(node: Handle, kind: *mut CUgraphNodeType) -> Outcome {
    let mut state = initialized()?;
    let found = state.graphs.of_node(node)?.nodes[&node].op.kind();
    // SAFETY: as above.
    unsafe { put(kind, found) }
}

pub(in super::super) fn cuGraphAddEmptyNode(
    node: *mut Handle,
    graph: Handle,
    after: *const Handle,
    count: usize,
) -> Outcome {
    // SAFETY: as above; so below.
    let after = unsafe { listed(after, count)? };
    let added = initialized()?.add_node(graph, Op::Empty, after)?;
    // SAFETY: as above.
    unsafe { put(node, added) }
}

pub(in super::super) fn cuGraphAddChildGraphNode(
    node: *mut Handle,
    graph: Handle,
    after: *const Handle,
    count: usize,
    child: Handle,
) -> Outcome {
    // SAFETY: as above.
    let after = unsafe { listed(after, count)? };
    let mut state = initialized()?;
    let child = state.graphs.graph(child)?.clone();
    let copy = copy_of(&mut state, &child)?;
    let added = state.add_node(graph, Op::Graph(copy), after)?;
    // SAFETY: as above.
    unsafe { put(node, added) }
}

pub(in super::super) fn cuGraphAddDependencies(
    graph: Handle,
    from: *const Handle,
    to: *const Handle,
    count: usize,
) -> Outcome {
    // SAFETY: as above.
    let (from, to) = unsafe { (listed(from, count)?, listed(to, count)?) };
    let mut state = initialized()?;
    let graph = state.graphs.graph(graph)?;
    for (before, node) in from.into_iter().zip(to) {
        // See `Graph`: nodes come after older ones only.
        if before >= node || !graph.nodes.contains_key(&before) {
            return Err(Code::INVALID_VALUE);
        }
        let node = graph.nodes.get_mut(&node).ok_or(Code::INVALID_VALUE)?;
        if node.after.contains(&before) {
            return Err(Code::INVALID_VALUE);
        }
        node.after.push(before);
    }
    Ok(())
}

pub(in super::super) fn cuGraphDestroyNode(node: Handle) -> Outcome {
    let mut state = initialized()?;
    let graph = state.graphs.of_node(node)?;
    graph.nodes.remove(&node);
    for other in graph.nodes.values_mut() {
        other.after.retain(|&before| before != node);
    }
    Ok(())
}
