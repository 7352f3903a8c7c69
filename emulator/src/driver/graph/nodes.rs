//! Nodes that are made by hand, and what nodes are made of.
#![allow(non_snake_case)]

use super::super::code::{Code, Outcome, put};
use super::super::copy::{copy_node, fill_node};
use super::super::graphs::{Condition, Conditional, Given, Graph, GraphMemory, Op};
use super::super::handle::Handle;
use super::super::launch::KernelNode;
use super::super::state::{Current, current, initialized, memory};
use super::super::work::Data;
use super::build::{copy_of, listed};
use crate::exec::conditions;
use ptyx_driver_api::*;
use std::ffi::{c_uint, c_void};

fn handle_of(pointer: *mut c_void) -> Handle {
    pointer.addr()
}

fn pointer_of(handle: Handle) -> *mut c_void {
    std::ptr::without_provenance_mut(handle)
}

/// What a node of the caller's description does, other than those that need the graph: allocations, conditionals.
/// A kernel that takes another's place keeps the other's attributes.
fn op_of(
    state: &mut Current,
    params: &CUgraphNodeParams,
    replaced: Option<&Op>,
) -> Result<Op, Code> {
    // SAFETY: the caller has filled in the member for the kind, as the driver's function demands; so below.
    unsafe {
        Ok(match params.kind {
            CU_GRAPH_NODE_TYPE_EMPTY => Op::Empty,
            CU_GRAPH_NODE_TYPE_KERNEL => {
                let old = match replaced {
                    Some(Op::Kernel(old)) => old.downcast_ref(),
                    _ => None,
                };
                Op::kernel(KernelNode::of(state, &params.member(), old)?)
            }
            CU_GRAPH_NODE_TYPE_MEMCPY => {
                copy_node(state, params.member::<CUmemcpyNodeParams>().copy)?
            }
            CU_GRAPH_NODE_TYPE_MEMSET => fill_node(params.member())?,
            CU_GRAPH_NODE_TYPE_HOST => {
                let CUhostNodeParams { function, data } = params.member();
                Op::Host(function.ok_or(Code::INVALID_VALUE)?, Data(data))
            }
            CU_GRAPH_NODE_TYPE_GRAPH => {
                let child = handle_of(params.member::<CUgraph>().0);
                let child = state.graphs.graph(child)?.clone();
                Op::Graph(copy_of(state, &child)?)
            }
            kind @ (CU_GRAPH_NODE_TYPE_EVENT_RECORD | CU_GRAPH_NODE_TYPE_WAIT_EVENT) => {
                let event = handle_of(params.member::<CUevent>().0);
                if !state.events.contains_key(&event) {
                    return Err(Code::INVALID_HANDLE);
                }
                if kind == CU_GRAPH_NODE_TYPE_EVENT_RECORD {
                    Op::Record(event)
                } else {
                    Op::Wait(event)
                }
            }
            _ => return Err(Code::INVALID_VALUE),
        })
    }
}

/// What a body may consist of.
fn fits_a_body(op: &Op) -> bool {
    match op {
        Op::Empty | Op::Kernel(_) | Op::Copy(..) | Op::Fill(..) | Op::Conditional(_) => true,
        Op::Graph(graph) => graph.nodes.values().all(|node| fits_a_body(&node.op)),
        Op::Host(..) | Op::Record(_) | Op::Wait(_) | Op::Allocate(_) | Op::Free(_) => false,
    }
}

/// A node that allocates; the caller is told the address.
fn allocation(state: &Current, params: &mut CUgraphNodeParams) -> Result<Op, Code> {
    // SAFETY: as above.
    let mut member: CUmemAllocNodeParams = unsafe { params.member() };
    let location = member.pool.location;
    let is_here = location.kind == CU_MEM_LOCATION_TYPE_DEVICE
        && usize::try_from(location.id).is_ok_and(|id| id == state.device);
    if !is_here || member.bytes == 0 || member.pool.handle_types != CU_MEM_HANDLE_TYPE_NONE {
        return Err(Code::INVALID_VALUE);
    }
    let (address, op) = GraphMemory::node(memory(state.device), member.bytes)?;
    member.address = address;
    *params = CUgraphNodeParams::new(params.kind, member);
    Ok(op)
}

/// The most bodies of a node.
const MAX_BODIES: c_uint = 1 << 16;

/// A node that runs one of its bodies by a condition; the caller is told the bodies.
fn conditional(
    state: &mut Current,
    graph: Handle,
    params: &mut CUgraphNodeParams,
) -> Result<Op, Code> {
    // SAFETY: as above.
    let mut member: CUconditionalNodeParams = unsafe { params.member() };
    let CUconditionalNodeParams { condition, kind, count, .. } = member;
    // The second body of IF is for 0.
    let most = match kind {
        CU_GRAPH_COND_TYPE_IF => 2,
        CU_GRAPH_COND_TYPE_WHILE => 1,
        CU_GRAPH_COND_TYPE_SWITCH => MAX_BODIES,
        _ => return Err(Code::NOT_SUPPORTED),
    };
    let known = state.graphs.conditions.get(&condition).ok_or(Code::INVALID_VALUE)?;
    if known.graph != graph || known.bodies.is_some() || !(1..=most).contains(&count) {
        return Err(Code::INVALID_VALUE);
    }
    let bodies: Vec<Handle> = (0..count).map(|_| state.handle()).collect();
    let mut list: Box<[_]> = bodies.iter().map(|&body| Given(pointer_of(body))).collect();
    member.bodies = list.as_mut_ptr().cast();
    *params = CUgraphNodeParams::new(params.kind, member);
    if let Some(known) = state.graphs.conditions.get_mut(&condition) {
        known.bodies = Some(list);
    }
    for &body in &bodies {
        state.graphs.graphs.insert(body, Graph::default());
        state.graphs.bodies.insert(body, graph);
    }
    Ok(Op::Conditional(Conditional { condition, kind, bodies, graphs: Vec::new() }))
}

pub(in super::super) fn cuGraphAddNode(
    node: *mut Handle,
    graph: Handle,
    after: *const Handle,
    count: usize,
    params: *mut CUgraphNodeParams,
) -> Outcome {
    // SAFETY: the caller's list and structure, as the driver's function demands; so below.
    let (after, params) = unsafe { (listed(after, count)?, params.as_mut()) };
    let params = params.ok_or(Code::INVALID_VALUE)?;
    let mut state = current()?;
    let nodes = &state.graphs.graph(graph)?.nodes;
    if after.iter().any(|node| !nodes.contains_key(node)) {
        return Err(Code::INVALID_VALUE);
    }
    let is_body = state.graphs.bodies.contains_key(&graph);
    let op = match params.kind {
        CU_GRAPH_NODE_TYPE_MEM_ALLOC if is_body => return Err(Code::NOT_SUPPORTED),
        CU_GRAPH_NODE_TYPE_MEM_ALLOC => allocation(&state, params)?,
        CU_GRAPH_NODE_TYPE_MEM_FREE => {
            // SAFETY: as above.
            let address: CUdeviceptr = unsafe { params.member() };
            Op::Free(state.graphs.graph(graph)?.to_free(address).ok_or(Code::INVALID_VALUE)?)
        }
        CU_GRAPH_NODE_TYPE_CONDITIONAL => conditional(&mut state, graph, params)?,
        _ => op_of(&mut state, params, None)?,
    };
    if is_body && !fits_a_body(&op) {
        return Err(Code::NOT_SUPPORTED);
    }
    let added = state.add_node(graph, op, after)?;
    // SAFETY: as above.
    unsafe { put(node, added) }
}

pub(in super::super) fn cuGraphExecNodeSetParams(
    exec: Handle,
    node: Handle,
    params: *mut CUgraphNodeParams,
) -> Outcome {
    // SAFETY: as above.
    let params = unsafe { params.as_ref() }.ok_or(Code::INVALID_VALUE)?;
    let mut state = current()?;
    let known = state.graphs.execs.get(&exec).ok_or(Code::INVALID_VALUE)?;
    let old = known.graph.nodes.get(&node).ok_or(Code::INVALID_VALUE)?.op.clone();
    if old.kind() != params.kind || old.is_single() {
        return Err(Code::INVALID_VALUE);
    }
    let new = op_of(&mut state, params, Some(&old))?;
    if !old.admits(&new) || !old.can_be_set() || !new.can_be_set() {
        return Err(Code::INVALID_VALUE);
    }
    let known = state.graphs.execs.get_mut(&exec).ok_or(Code::INVALID_VALUE)?;
    if let Some(node) = known.graph.nodes.get_mut(&node) {
        node.op = new;
    }
    Ok(())
}

/// What a node does.
fn op(node: Handle) -> Result<Op, Code> {
    Ok(initialized()?.graphs.of_node(node)?.nodes[&node].op.clone())
}

/// What a kernel node does.
fn kernel<T>(node: Handle, of: impl FnOnce(&KernelNode) -> T) -> Result<T, Code> {
    let state = initialized()?;
    let mut state = state;
    match &state.graphs.of_node(node)?.nodes[&node].op {
        // The node stays where it is, so that the pointers to its arguments stay valid.
        Op::Kernel(launch) => launch.downcast_ref().map(of).ok_or(Code::INVALID_VALUE),
        _ => Err(Code::INVALID_VALUE),
    }
}

pub(in super::super) fn cuGraphKernelNodeGetParams_v2(
    node: Handle,
    params: *mut CUkernelNodeParams,
) -> Outcome {
    // SAFETY: as above.
    unsafe { put(params, kernel(node, KernelNode::params)?) }
}

pub(in super::super) fn cuGraphKernelNodeCopyAttributes(to: Handle, from: Handle) -> Outcome {
    let Op::Kernel(from) = op(from)? else { return Err(Code::INVALID_VALUE) };
    let from = from.downcast_ref::<KernelNode>().ok_or(Code::INVALID_VALUE)?;
    let new = kernel(to, |to| to.with_attributes(from))?;
    let mut state = initialized()?;
    if let Some(node) = state.graphs.of_node(to)?.nodes.get_mut(&to) {
        node.op = Op::kernel(new);
    }
    Ok(())
}

pub(in super::super) fn cuGraphKernelNodeGetAttribute(
    node: Handle,
    attribute: CUlaunchAttributeID,
    value: *mut CUstreamAttrValue,
) -> Outcome {
    let words = kernel(node, |launch| launch.attribute(attribute))?;
    // SAFETY: as above.
    unsafe { put(value, CUstreamAttrValue { words }) }
}

pub(in super::super) fn cuGraphMemcpyNodeGetParams(
    node: Handle,
    params: *mut CUmemcpy3D,
) -> Outcome {
    let Op::Copy(what, _) = op(node)? else { return Err(Code::INVALID_VALUE) };
    // SAFETY: as above.
    unsafe { put(params, what.0) }
}

pub(in super::super) fn cuGraphMemsetNodeGetParams(
    node: Handle,
    params: *mut CUmemsetNodeParams,
) -> Outcome {
    let Op::Fill(what, _) = op(node)? else { return Err(Code::INVALID_VALUE) };
    // SAFETY: as above.
    unsafe { put(params, what.0) }
}

pub(in super::super) fn cuGraphHostNodeGetParams(
    node: Handle,
    params: *mut CUhostNodeParams,
) -> Outcome {
    let Op::Host(function, data) = op(node)? else { return Err(Code::INVALID_VALUE) };
    // SAFETY: as above.
    unsafe { put(params, CUhostNodeParams { function: Some(function), data: data.pointer() }) }
}

pub(in super::super) fn cuGraphEventRecordNodeGetEvent(
    node: Handle,
    event: *mut Handle,
) -> Outcome {
    let Op::Record(found) = op(node)? else { return Err(Code::INVALID_VALUE) };
    // SAFETY: as above.
    unsafe { put(event, found) }
}

pub(in super::super) fn cuGraphEventWaitNodeGetEvent(node: Handle, event: *mut Handle) -> Outcome {
    let Op::Wait(found) = op(node)? else { return Err(Code::INVALID_VALUE) };
    // SAFETY: as above.
    unsafe { put(event, found) }
}

/// `CU_GRAPH_COND_ASSIGN_DEFAULT`: each launch begins with the default value.
const ASSIGN_DEFAULT: c_uint = 1;

pub(in super::super) fn cuGraphConditionalHandleCreate(
    condition: *mut u64,
    graph: Handle,
    _context: Handle,
    value: c_uint,
    flags: c_uint,
) -> Outcome {
    let mut state = current()?;
    state.graphs.graph(graph)?;
    if flags & !ASSIGN_DEFAULT != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let made = state.handle() as u64;
    // SAFETY: as above.
    unsafe { put(condition, made)? };
    let default = (flags & ASSIGN_DEFAULT != 0).then_some(value);
    conditions::begin(made, value);
    state.graphs.conditions.insert(made, Condition { graph, default, bodies: None });
    Ok(())
}
