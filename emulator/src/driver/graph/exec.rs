//! Graphs that can be launched.
#![allow(non_snake_case)]

use super::super::code::{Code, Outcome, put};
use super::super::graphs::{Conditional, Exec, Graph, Node, Op};
use super::super::handle::Handle;
use super::super::later;
use super::super::launch::{KernelNode, Ready};
use super::super::memory::End;
use super::super::running::Running;
use super::super::state::{Current, call_back, current, lock};
use super::super::work::{Failure, Job, LaunchId};
use crate::exec::conditions;
use crate::memory::relaxed;
use crate::settings::settings;
use ptyx_driver_api::*;
use std::any::Any;
use std::collections::{BTreeSet, HashMap};
use std::ffi::c_uint;

/// `CUDA_GRAPH_INSTANTIATE_FLAG_*`: free on launch, upload, launch from the device, priorities of nodes.
const FLAGS: u64 = 1 | 2 | 4 | 8;

/// A graph as it is now, with the bodies of its nodes.
fn snapshot(state: &mut Current, graph: Handle) -> Result<Graph, Code> {
    let mut graph = state.graphs.graph(graph)?.clone();
    for node in graph.nodes.values_mut() {
        if let Op::Conditional(Conditional { bodies, graphs, .. }) = &mut node.op {
            let made = bodies.iter().map(|&body| snapshot(state, body));
            *graphs = made.collect::<Result<_, Code>>()?;
        }
    }
    Ok(graph)
}

pub(in super::super) fn cuGraphInstantiateWithFlags(
    exec: *mut Handle,
    graph: Handle,
    flags: u64,
) -> Outcome {
    let mut state = current()?;
    state.refuse_unsafe()?;
    if flags & !FLAGS != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let origin = graph;
    let graph = snapshot(&mut state, graph)?;
    let has_one =
        || state.graphs.execs.values().any(|exec| exec.origin == origin && exec.graph.is_single());
    // As a GPU's driver has it for conditional nodes, and its documentation for memory.
    if graph.is_single() && has_one() {
        return Err(Code::NOT_SUPPORTED);
    }
    if graph
        .nodes
        .values()
        .any(|node| matches!(&node.op, Op::Allocate(own) if graph.to_free(own.address).is_some()))
    {
        // The program would have to free it.
        return Err(Code::NOT_SUPPORTED);
    }
    let handle = state.handle();
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(exec, handle)? };
    let made = Exec { origin, graph, disabled: BTreeSet::new(), last: Vec::new() };
    state.graphs.execs.insert(handle, made);
    Ok(())
}

pub(in super::super) fn cuGraphExecDestroy(exec: Handle) -> Outcome {
    let mut state = current()?;
    state.refuse_unsafe()?;
    state.graphs.execs.remove(&exec).map(|_| ()).ok_or(Code::INVALID_VALUE)
}

pub(in super::super) fn cuGraphUpload(exec: Handle, stream: Handle) -> Outcome {
    let mut state = current()?;
    state.own_queue(stream)?;
    state.refuse_captured(stream)?;
    if state.graphs.execs.contains_key(&exec) { Ok(()) } else { Err(Code::INVALID_VALUE) }
}

/// What the memory of an allocation node holds at first.
const GARBAGE: u8 = 0xe5;

/// What a launch does: each node with the numbers of those before it, graphs inside graphs as their nodes.
fn flat(graph: &Graph, disabled: &BTreeSet<Handle>) -> Vec<(Op, Vec<usize>)> {
    let mut all = Vec::new();
    flatten(graph, disabled, &[], &mut all);
    all
}

/// Adds the nodes of a graph that runs after others; returns the numbers of those that nothing in it comes after.
fn flatten(
    graph: &Graph,
    disabled: &BTreeSet<Handle>,
    before: &[usize],
    all: &mut Vec<(Op, Vec<usize>)>,
) -> Vec<usize> {
    // The numbers by which a node is done.
    let mut done: HashMap<Handle, Vec<usize>> = HashMap::new();
    for (&handle, Node { op, after }) in &graph.nodes {
        let mut behind: Vec<usize> = before.to_vec();
        behind.extend(after.iter().flat_map(|node| &done[node]));
        let numbers = match op {
            Op::Graph(child) if !child.nodes.is_empty() => flatten(child, disabled, &behind, all),
            _ => {
                let op = match op {
                    Op::Graph(_) => Op::Empty,
                    _ if disabled.contains(&handle) => Op::Empty,
                    _ => op.clone(),
                };
                all.push((op, behind));
                vec![all.len() - 1]
            }
        };
        done.insert(handle, numbers);
    }
    graph.nodes.values().for_each(|node| node.after.iter().for_each(|n| drop(done.remove(n))));
    done.into_values().flatten().collect()
}

pub(in super::super) fn cuGraphLaunch(exec: Handle, stream: Handle) -> Outcome {
    let mut state = current()?;
    let queue = state.own_queue(stream)?;
    let known = state.graphs.execs.get(&exec).ok_or(Code::INVALID_VALUE)?;
    let (graph, nodes, last) =
        (known.graph.clone(), flat(&known.graph, &known.disabled), known.last.clone());
    let mut own = Vec::new();
    conditions_of(&graph, &mut own);
    if state.capture(stream, || Op::Graph(graph))? {
        return Ok(());
    }
    for condition in own {
        let known = state.graphs.conditions.get(&condition);
        if let Some(default) = known.and_then(|known| known.default) {
            conditions::begin(condition, default);
        }
    }
    let earlier = state.work.kernels_before(queue);
    state.work.overtake_nothing(queue);
    state.work.put_behind(queue, &last);
    if !settings().asynchronous {
        state = state.turn(queue)?;
    }
    let before = state.work.note(queue);
    state.outcome_of(&before)?;
    if !settings().asynchronous {
        // Other threads' work that the graph's events wait for.
        let events = nodes.iter().filter_map(|(op, _)| match op {
            Op::Wait(event) => state.events.get(event)?.recorded.as_ref(),
            _ => None,
        });
        let launches: Vec<LaunchId> = events.flat_map(|event| event.behind.clone()).collect();
        state = state.wait_for(&launches);
    }
    // All are begun first, so that work of other threads comes after all of them.
    let begun: Vec<Running> = nodes.iter().map(|_| Running::begin(&mut state, queue)).collect();
    let ids: Vec<LaunchId> = begun.iter().map(Running::id).collect();
    if let Some(known) = state.graphs.execs.get_mut(&exec) {
        known.last.clone_from(&ids);
    }
    let mut jobs = Vec::new();
    for ((op, after), running) in nodes.into_iter().zip(begun) {
        let mut behind: Vec<LaunchId> =
            before.iter().copied().chain(after.iter().map(|&number| ids[number])).collect();
        match op {
            Op::Record(event) => {
                let recorded = state.work.record_after(running.id(), earlier.clone());
                if let Some(event) = state.events.get_mut(&event) {
                    (event.recorded, event.captured) = (Some(recorded), None);
                }
            }
            Op::Wait(event) => {
                let recorded = state.events.get(&event).and_then(|event| event.recorded.as_ref());
                behind.extend(recorded.iter().flat_map(|recorded| &recorded.behind));
            }
            _ => {}
        }
        let (id, calls_back) = (running.id(), matches!(op, Op::Host(..)));
        jobs.push((id, calls_back, behind.clone(), job(&mut state, op, running, behind)));
    }
    if settings().asynchronous {
        for (id, calls_back, behind, job) in jobs {
            state.work.put_off(id, behind, calls_back, job);
        }
        drop(state);
        later::look();
        return Ok(());
    }
    drop(state);
    for (id, _, _, job) in jobs {
        job();
        if lock().work.failure(&[id]).is_some() {
            // What comes later is over without having run.
            break;
        }
    }
    Ok(())
}

/// What a node does, when its turn has come.
fn job(state: &mut Current, op: Op, running: Running, behind: Vec<LaunchId>) -> Job {
    match op {
        Op::Empty | Op::Graph(_) | Op::Record(_) | Op::Wait(_) => Box::new(move || drop(running)),
        Op::Copy(_, work) | Op::Fill(_, work) => Box::new(move || {
            let mut running = running;
            let state = lock();
            let outcome = work();
            drop(state);
            running.failure = outcome.err().map(later::failure);
        }),
        Op::Host(function, data) => Box::new(move || {
            let _running = running;
            let failed = lock().work.failure(&behind).is_some();
            if !failed {
                call_back(|| function(data.pointer()));
            }
        }),
        // Whatever was there; and whatever uses the memory after it is freed finds something else.
        Op::Allocate(own) | Op::Free(own) => Box::new(move || {
            let mut running = running;
            let garbage = End::Device(own.address).resolve(own.bytes);
            // SAFETY: the memory lives as long as the node, and is only accessed atomically.
            let filled = garbage.map(|at| unsafe { relaxed::fill(at, GARBAGE, own.bytes) });
            running.failure = filled.err().map(later::failure);
        }),
        Op::Conditional(node) => {
            let device = state.device;
            Box::new(move || {
                let mut running = running;
                running.failure = run_by_condition(&node, device, running.id());
            })
        }
        Op::Kernel(launch) => match ready(&*launch, state) {
            Ok(ready) => Box::new(move || ready.execute(running)),
            Err(code) => Box::new(move || {
                let mut running = running;
                running.failure = Some(later::failure(code));
            }),
        },
    }
}

/// Runs the body of a node that its condition chooses, or while it holds; the first failure.
fn run_by_condition(node: &Conditional, device: usize, number: LaunchId) -> Option<Failure> {
    while let Some(body) = node.chosen(conditions::value(node.condition)) {
        for (op, _) in &flat(body, &BTreeSet::new()) {
            let failure = match op {
                Op::Copy(_, work) | Op::Fill(_, work) => {
                    let _state = lock();
                    work().err().map(later::failure)
                }
                Op::Kernel(launch) => {
                    let ready = ready(&**launch, &mut Current::of(device));
                    // Nothing is locked any more.
                    ready.map_or_else(|code| Some(later::failure(code)), |ready| ready.run(number))
                }
                Op::Conditional(inner) => run_by_condition(inner, device, number),
                // The others do nothing, or can't be in a body.
                _ => None,
            };
            if failure.is_some() {
                return failure;
            }
        }
        if node.kind != CU_GRAPH_COND_TYPE_WHILE {
            break;
        }
    }
    None
}

/// The conditions of a graph and of its bodies.
fn conditions_of(graph: &Graph, all: &mut Vec<u64>) {
    for node in graph.nodes.values() {
        match &node.op {
            Op::Conditional(node) => {
                all.push(node.condition);
                node.graphs.iter().for_each(|body| conditions_of(body, all));
            }
            Op::Graph(child) => conditions_of(child, all),
            _ => {}
        }
    }
}

/// A kernel's launch, with what it needs of the device.
fn ready(launch: &(dyn Any + Send + Sync), state: &mut Current) -> Result<Ready, Code> {
    let node = launch.downcast_ref::<KernelNode>().ok_or(Code::UNKNOWN)?;
    node.submitted.clone().ready(state)
}

/// Why a graph can't take the place of another, if so, and at which node.
fn difference(old: &Graph, new: &Graph) -> Option<(CUgraphExecUpdateResult, Handle)> {
    let place = |graph: &Graph, node: Handle| graph.nodes.keys().position(|&known| known == node);
    let places = |graph: &Graph, node: &Node| {
        node.after.iter().map(|&before| place(graph, before)).collect::<BTreeSet<_>>()
    };
    if old.nodes.len() != new.nodes.len() {
        return Some((CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED, 0));
    }
    old.nodes.values().zip(&new.nodes).find_map(|(one, (&handle, other))| {
        let found = if one.op.kind() != other.op.kind() {
            CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED
        } else if places(old, one) != places(new, other) {
            CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED
        } else {
            match (&one.op, &other.op) {
                (Op::Graph(one), Op::Graph(other)) => difference(one, other)?.0,
                (one, other) if !one.admits(other) => CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED,
                _ => return None,
            }
        };
        Some((found, handle))
    })
}

pub(in super::super) fn cuGraphExecUpdate_v2(
    exec: Handle,
    graph: Handle,
    info: *mut CUgraphExecUpdateResultInfo,
) -> Outcome {
    let mut state = current()?;
    let new = snapshot(&mut state, graph)?;
    let known = state.graphs.execs.get_mut(&exec).ok_or(Code::INVALID_VALUE)?;
    let found = difference(&known.graph, &new);
    let (result, node) = found.unwrap_or((CU_GRAPH_EXEC_UPDATE_SUCCESS, 0));
    let node = CUgraphNode(std::ptr::without_provenance_mut(node));
    // SAFETY: as above.
    unsafe { put(info, CUgraphExecUpdateResultInfo { result, node, from: CUgraphNode::NULL })? };
    if found.is_some() {
        return Err(Code::GRAPH_EXEC_UPDATE_FAILURE);
    }
    for (old, new) in known.graph.nodes.values_mut().zip(new.nodes.into_values()) {
        old.op = new.op;
    }
    Ok(())
}

/// The node of an exec.
fn node_of(exec: &Exec, node: Handle) -> Result<&Node, Code> {
    exec.graph.nodes.get(&node).ok_or(Code::INVALID_VALUE)
}

pub(in super::super) fn cuGraphNodeSetEnabled(
    exec: Handle,
    node: Handle,
    enabled: c_uint,
) -> Outcome {
    let mut state = current()?;
    let exec = state.graphs.execs.get_mut(&exec).ok_or(Code::INVALID_VALUE)?;
    if !matches!(node_of(exec, node)?.op, Op::Kernel(_) | Op::Copy(..) | Op::Fill(..)) {
        return Err(Code::INVALID_VALUE);
    }
    match enabled {
        0 => exec.disabled.insert(node),
        _ => exec.disabled.remove(&node),
    };
    Ok(())
}

pub(in super::super) fn cuGraphNodeGetEnabled(
    exec: Handle,
    node: Handle,
    enabled: *mut c_uint,
) -> Outcome {
    let state = current()?;
    let exec = state.graphs.execs.get(&exec).ok_or(Code::INVALID_VALUE)?;
    node_of(exec, node)?;
    // SAFETY: as above.
    unsafe { put(enabled, (!exec.disabled.contains(&node)).into()) }
}
