//! Captures and graphs: what goes into them, when it runs, and the codes of wrong uses.

use super::*;
use std::ptr::{null, null_mut};

const NOT_SUPPORTED: c_int = 801;
const UNSUPPORTED: c_int = 900;
const INVALIDATED: c_int = 901;
const MERGE: c_int = 902;
const UNMATCHED: c_int = 903;
const UNJOINED: c_int = 904;
const ISOLATION: c_int = 905;
const IMPLICIT: c_int = 906;
const CAPTURED_EVENT: c_int = 907;
const WRONG_THREAD: c_int = 908;
const UPDATE_FAILURE: c_int = 910;
const ILLEGAL_STATE: c_int = 401;

const GLOBAL: c_uint = 0;
const THREAD_LOCAL: c_uint = 1;
const RELAXED: c_uint = 2;

fn stream(flags: c_uint) -> usize {
    let mut stream = 0usize;
    assert_eq!(driver!(cuStreamCreate(&mut stream => *mut usize, flags => c_uint)), 0);
    stream
}

fn event() -> usize {
    let mut event = 0usize;
    assert_eq!(driver!(cuEventCreate(&mut event => *mut usize, 0 => c_uint)), 0);
    event
}

fn begin(stream: usize, mode: c_uint) -> c_int {
    driver!(cuStreamBeginCapture_v2(stream => usize, mode => c_uint))
}

fn end(stream: usize) -> (c_int, usize) {
    let mut graph = 77usize;
    let code = driver!(cuStreamEndCapture(stream => usize, &mut graph => *mut usize));
    (code, graph)
}

fn record(event: usize, stream: usize) -> c_int {
    driver!(cuEventRecord(event => usize, stream => usize))
}

fn wait(stream: usize, event: usize) -> c_int {
    driver!(cuStreamWaitEvent(stream => usize, event => usize, 0 => c_uint))
}

fn fill(address: u64, value: u8, stream: usize) -> c_int {
    driver!(cuMemsetD8Async(address => u64, value => u8, 4 => usize, stream => usize))
}

fn instantiate(graph: usize) -> usize {
    let mut exec = 0usize;
    let code = driver!(cuGraphInstantiateWithFlags(
        &mut exec => *mut usize, graph => usize, 0 => u64,
    ));
    assert_eq!(code, 0);
    exec
}

fn launch(exec: usize, stream: usize) -> c_int {
    driver!(cuGraphLaunch(exec => usize, stream => usize))
}

fn node_count(graph: usize) -> usize {
    let mut count = 0usize;
    let none = null_mut::<usize>();
    let counted = &mut count;
    assert_eq!(
        driver!(cuGraphGetNodes(graph => usize, none => *mut usize, counted => *mut usize)),
        0
    );
    count
}

fn status(stream: usize) -> (c_int, c_uint) {
    let mut status = 9;
    let code = driver!(cuStreamIsCapturing(stream => usize, &mut status => *mut c_uint));
    (code, status)
}

#[test]
fn captured_work_runs_at_each_launch_and_not_before() {
    let _turn = turn();
    let device = Device::new();
    let buffer = device.upload(&[0; 4]);
    let stream = stream(1);
    assert_eq!(status(stream), (0, 0));
    assert_eq!(begin(stream, GLOBAL), 0);
    assert_eq!(begin(stream, GLOBAL), ILLEGAL_STATE);
    assert_eq!(status(stream), (0, 1));
    assert_eq!(fill(buffer, 7, stream), 0);
    let (code, graph) = end(stream);
    assert_eq!(code, 0);
    assert_eq!(end(stream).0, ILLEGAL_STATE);
    assert_eq!(device.download(buffer, 4), [0; 4]);
    let exec = instantiate(graph);
    assert_eq!(driver!(cuGraphDestroy(graph => usize)), 0);
    for round in 0..2 {
        assert_eq!(launch(exec, stream), 0);
        assert_eq!(driver!(cuStreamSynchronize(stream => usize)), 0);
        assert_eq!(device.download(buffer, 4), [7; 4], "round {round}");
        assert_eq!(fill(buffer, 1, stream), 0);
        assert_eq!(driver!(cuStreamSynchronize(stream => usize)), 0);
    }
    assert_eq!(driver!(cuGraphExecDestroy(exec => usize)), 0);
    assert_eq!(launch(exec, stream), INVALID_VALUE);
}

#[test]
fn waiting_for_a_captured_stream_spoils_the_capture() {
    let _turn = turn();
    let _device = Device::new();
    let stream = stream(1);
    type Spoil = fn(usize) -> c_int;
    let waits: [Spoil; 3] = [
        |stream| driver!(cuStreamSynchronize(stream => usize)),
        |stream| driver!(cuStreamQuery(stream => usize)),
        |_| driver!(cuCtxSynchronize()),
    ];
    for wait in waits {
        assert_eq!(begin(stream, RELAXED), 0);
        assert_eq!(wait(stream), UNSUPPORTED);
        assert_eq!(status(stream), (0, 2));
        assert_eq!(end(stream), (INVALIDATED, 0));
        assert_eq!(driver!(cuStreamSynchronize(stream => usize)), 0);
    }
}

#[test]
fn streams_take_part_through_events() {
    let _turn = turn();
    let device = Device::new();
    let buffer = device.upload(&[0; 8]);
    let (first, side, other) = (stream(1), stream(1), stream(1));
    let (fork, join, outside) = (event(), event(), event());
    assert_eq!(record(outside, other), 0);
    // Joined.
    assert_eq!(begin(first, RELAXED), 0);
    assert_eq!(record(fork, first), 0);
    assert_eq!(wait(side, fork), 0);
    assert_eq!(fill(buffer, 1, side), 0);
    assert_eq!(record(join, side), 0);
    assert_eq!(wait(first, join), 0);
    assert_eq!(fill(buffer + 4, 2, first), 0);
    let (code, graph) = end(first);
    assert_eq!((code, node_count(graph)), (0, 2));
    assert_eq!(status(side), (0, 0));
    assert_eq!(driver!(cuEventSynchronize(fork => usize)), CAPTURED_EVENT);
    // Not joined.
    assert_eq!(begin(first, RELAXED), 0);
    assert_eq!(record(fork, first), 0);
    assert_eq!(wait(side, fork), 0);
    assert_eq!(fill(buffer, 1, side), 0);
    assert_eq!(end(first), (UNJOINED, 0));
    // Ended by another stream.
    assert_eq!(begin(first, RELAXED), 0);
    assert_eq!(record(fork, first), 0);
    assert_eq!(wait(side, fork), 0);
    assert_eq!(end(side).0, UNMATCHED);
    assert_eq!(end(first), (INVALIDATED, 0));
    // A wait for what is outside.
    assert_eq!(begin(first, RELAXED), 0);
    assert_eq!(wait(first, outside), ISOLATION);
    assert_eq!(end(first), (INVALIDATED, 0));
    // Two captures.
    assert_eq!(begin(first, RELAXED), 0);
    assert_eq!(begin(side, RELAXED), 0);
    assert_eq!(record(fork, first), 0);
    assert_eq!(wait(side, fork), MERGE);
    assert_eq!((end(first).0, end(side).0), (INVALIDATED, INVALIDATED));
}

#[test]
fn modes_threads_and_the_legacy_stream() {
    let _turn = turn();
    let device = Device::new();
    let buffer = device.upload(&[0; 4]);
    let (blocking, stream) = (stream(0), stream(1));
    let allocate = || {
        let mut address = 0u64;
        let place = &mut address;
        driver!(cuMemAlloc_v2(place => *mut u64, 16 => usize))
    };
    assert_eq!(begin(0, RELAXED), UNSUPPORTED, "the legacy stream");
    assert_eq!(begin(blocking, RELAXED), 0);
    assert_eq!(fill(buffer, 1, 0), IMPLICIT);
    assert_eq!(end(blocking), (INVALIDATED, 0));
    for (mode, expected) in [(GLOBAL, UNSUPPORTED), (THREAD_LOCAL, UNSUPPORTED), (RELAXED, 0)] {
        assert_eq!(begin(stream, mode), 0);
        assert_eq!(allocate(), expected, "mode {mode}");
        assert_eq!(end(stream).0, if expected == 0 { 0 } else { INVALIDATED });
    }
    assert_eq!(begin(stream, GLOBAL), 0);
    let mut own = RELAXED;
    assert_eq!(driver!(cuThreadExchangeStreamCaptureMode(&mut own => *mut c_uint)), 0);
    assert_eq!((own, allocate()), (GLOBAL, 0));
    assert_eq!(driver!(cuThreadExchangeStreamCaptureMode(&mut own => *mut c_uint)), 0);
    assert_eq!(own, RELAXED);
    let elsewhere = std::thread::scope(|scope| {
        scope
            .spawn(|| {
                let _device = Device::new();
                end(stream).0
            })
            .join()
            .unwrap()
    });
    assert_eq!(elsewhere, WRONG_THREAD);
    assert_eq!(end(stream).0, 0);
}

#[test]
fn graphs_are_made_of_nodes() {
    let _turn = turn();
    let device = Device::new();
    let buffer = device.upload(&[0; 4]);
    let stream = stream(1);
    let (mut graph, mut start, mut child) = (0usize, 0usize, 0usize);
    assert_eq!(driver!(cuGraphCreate(&mut graph => *mut usize, 0 => c_uint)), 0);
    let none = null::<usize>();
    let add = |node: &mut usize, after: *const usize, count: usize| {
        driver!(cuGraphAddEmptyNode(
            node => *mut usize, graph => usize, after => *const usize, count => usize,
        ))
    };
    assert_eq!(add(&mut start, none, 0), 0);
    assert_eq!(add(&mut child, &123, 1), INVALID_VALUE, "no node of the graph");
    assert_eq!(begin(stream, RELAXED), 0);
    assert_eq!(fill(buffer, 3, stream), 0);
    let (_, inner) = end(stream);
    let added = driver!(cuGraphAddChildGraphNode(
        &mut child => *mut usize, graph => usize, &start => *const usize, 1 => usize, inner => usize,
    ));
    assert_eq!(added, 0);
    let (mut from, mut to, mut count) = ([9usize; 3], [9usize; 3], 3usize);
    let edges = driver!(cuGraphGetEdges(
        graph => usize, from.as_mut_ptr() => *mut usize, to.as_mut_ptr() => *mut usize,
        &mut count => *mut usize,
    ));
    assert_eq!((edges, count, from, to), (0, 1, [start, 0, 0], [child, 0, 0]));
    let (mut roots, mut count) = ([0usize; 2], 2usize);
    let rooted = driver!(cuGraphGetRootNodes(
        graph => usize, roots.as_mut_ptr() => *mut usize, &mut count => *mut usize,
    ));
    assert_eq!((rooted, count, roots[0]), (0, 1, start));
    // A list without room, whether or not there is anything to put into it.
    let empty = new_graph();
    for graph in [graph, empty] {
        let mut count = 0usize;
        let nodes = driver!(cuGraphGetNodes(
            graph => usize, roots.as_mut_ptr() => *mut usize, &mut count => *mut usize,
        ));
        let edges = driver!(cuGraphGetEdges(
            graph => usize, from.as_mut_ptr() => *mut usize, to.as_mut_ptr() => *mut usize,
            &mut count => *mut usize,
        ));
        assert_eq!((nodes, edges, count), (INVALID_VALUE, INVALID_VALUE, 0));
    }
    let (mut list, mut count) = ([9usize; 2], 2usize);
    let listed = driver!(cuGraphGetNodes(
        empty => usize, list.as_mut_ptr() => *mut usize, &mut count => *mut usize,
    ));
    assert_eq!((listed, count, node_count(empty)), (0, 0, 0));
    let mut kind = 0;
    assert_eq!(driver!(cuGraphNodeGetType(child => usize, &mut kind => *mut c_uint)), 0);
    assert_eq!(kind, 4);
    let mut copy = 0usize;
    assert_eq!(driver!(cuGraphClone(&mut copy => *mut usize, graph => usize)), 0);
    assert_eq!(driver!(cuGraphDestroyNode(child => usize)), 0);
    assert_eq!((node_count(graph), node_count(copy)), (1, 2));
    let exec = instantiate(copy);
    assert_eq!(launch(exec, stream), 0);
    assert_eq!(device.synchronize(), 0);
    assert_eq!(device.download(buffer, 4), [3; 4]);
    // Into a graph that exists, after a node of it.
    let into = driver!(cuStreamBeginCaptureToGraph(
        stream => usize, graph => usize, &start => *const usize, null::<c_void>() => *const c_void,
        1 => usize, RELAXED => c_uint,
    ));
    assert_eq!((into, fill(buffer, 4, stream)), (0, 0));
    assert_eq!(end(stream), (0, graph));
    assert_eq!(node_count(graph), 2);
}

#[test]
fn execs_are_updated_and_nodes_switched_off() {
    let _turn = turn();
    let device = Device::new();
    let buffer = device.upload(&[0; 4]);
    let stream = stream(1);
    let filled = |value: u8, times: usize| {
        assert_eq!(begin(stream, RELAXED), 0);
        (0..times).for_each(|_| assert_eq!(fill(buffer, value, stream), 0));
        end(stream).1
    };
    let (one, two, twice) = (filled(1, 1), filled(2, 1), filled(3, 2));
    let exec = instantiate(one);
    let update = |graph: usize| {
        let (node, from) = (CUgraphNode::NULL, CUgraphNode::NULL);
        let mut info = CUgraphExecUpdateResultInfo { result: 9, node, from };
        let place = &mut info;
        let code = driver!(cuGraphExecUpdate_v2(
            exec => usize, graph => usize, place => *mut CUgraphExecUpdateResultInfo,
        ));
        (code, info.result)
    };
    assert_eq!(update(twice), (UPDATE_FAILURE, 2));
    assert_eq!(update(two), (0, 0));
    let run = || {
        assert_eq!(launch(exec, stream), 0);
        assert_eq!(device.synchronize(), 0);
        device.download(buffer, 4)
    };
    assert_eq!(run(), [2; 4]);
    let (mut node, mut count) = (0usize, 1usize);
    let listed = driver!(cuGraphGetNodes(
        one => usize, &mut node => *mut usize, &mut count => *mut usize,
    ));
    assert_eq!((listed, count), (0, 1));
    let enable = |enabled: c_uint| driver!(cuGraphNodeSetEnabled(exec => usize, node => usize, enabled => c_uint));
    assert_eq!(fill(buffer, 9, stream), 0);
    assert_eq!(enable(0), 0);
    assert_eq!(run(), [9; 4]);
    assert_eq!(enable(1), 0);
    assert_eq!(run(), [2; 4]);
}

#[test]
fn events_of_a_graph() {
    let _turn = turn();
    let device = Device::new();
    let buffer = device.upload(&[0; 4]);
    let (stream, done) = (stream(1), event());
    let external = |stream: usize| driver!(cuEventRecordWithFlags(done => usize, stream => usize, 1 => c_uint));
    let wait =
        |stream: usize| driver!(cuStreamWaitEvent(stream => usize, done => usize, 1 => c_uint));
    assert_eq!((external(stream), wait(stream)), (INVALID_VALUE, INVALID_VALUE));
    assert_eq!(begin(stream, RELAXED), 0);
    assert_eq!((wait(stream), fill(buffer, 1, stream), external(stream)), (0, 0, 0));
    let (code, graph) = end(stream);
    assert_eq!((code, node_count(graph)), (0, 3));
    assert_eq!(launch(instantiate(graph), stream), 0);
    assert_eq!(driver!(cuEventSynchronize(done => usize)), 0);
    assert_eq!(device.download(buffer, 4), [1; 4]);
}

fn add_node(graph: usize, after: &[usize], params: &mut CUgraphNodeParams) -> (c_int, usize) {
    let mut node = 0usize;
    let code = driver!(cuGraphAddNode(
        &mut node => *mut usize, graph => usize, after.as_ptr() => *const usize,
        after.len() => usize, params => *mut CUgraphNodeParams,
    ));
    (code, node)
}

fn fill_params(to: u64, value: u32, element: u32) -> CUgraphNodeParams {
    let context = CUcontext::NULL;
    let fill = CUmemsetNodeParams { to, pitch: 0, value, element, width: 4, height: 1, context };
    CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_MEMSET, fill)
}

fn new_graph() -> usize {
    let mut graph = 0usize;
    assert_eq!(driver!(cuGraphCreate(&mut graph => *mut usize, 0 => c_uint)), 0);
    graph
}

#[test]
fn nodes_are_added_by_hand_and_changed() {
    let _turn = turn();
    let device = Device::new();
    let (a, b, stream, graph) =
        (device.upload(&[0; 4]), device.upload(&[0; 4]), stream(1), new_graph());
    let (code, fill) = add_node(graph, &[], &mut fill_params(a, 3, 1));
    assert_eq!(code, 0);
    assert_eq!(add_node(graph, &[], &mut fill_params(a, 3, 3)).0, INVALID_VALUE);
    assert_eq!(add_node(graph, &[99], &mut fill_params(a, 3, 1)).0, INVALID_VALUE);
    // The parameters of a captured copy make another one.
    assert_eq!(begin(stream, RELAXED), 0);
    let copied = driver!(cuMemcpyDtoDAsync_v2(b => u64, a => u64, 4 => usize, stream => usize));
    assert_eq!(copied, 0);
    let (code, captured) = end(stream);
    assert_eq!(code, 0);
    let (mut node, mut count) = (0usize, 1usize);
    let listed = driver!(cuGraphGetNodes(
        captured => usize, &mut node => *mut usize, &mut count => *mut usize,
    ));
    assert_eq!((listed, count), (0, 1));
    // SAFETY: zeros are such a structure.
    let mut copy: CUmemcpy3D = unsafe { std::mem::zeroed() };
    assert_eq!(driver!(cuGraphMemcpyNodeGetParams(node => usize, &mut copy => *mut CUmemcpy3D)), 0);
    assert_eq!((copy.from.device, copy.to.device, copy.width), (a, b, 4));
    let context = CUcontext::NULL;
    let copy = CUmemcpyNodeParams { flags: 0, reserved: 0, context, copy };
    let mut params = CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_MEMCPY, copy);
    assert_eq!(add_node(graph, &[fill], &mut params).0, 0);
    let mut none =
        CUmemsetNodeParams { to: 0, pitch: 0, value: 0, element: 0, width: 0, height: 0, context };
    let wrong =
        driver!(cuGraphMemsetNodeGetParams(node => usize, &mut none => *mut CUmemsetNodeParams));
    assert_eq!(wrong, INVALID_VALUE);
    let exec = instantiate(graph);
    let run = || {
        assert_eq!(launch(exec, stream), 0);
        assert_eq!(device.synchronize(), 0);
        device.download(b, 4)
    };
    assert_eq!(run(), [3; 4]);
    let set = |params: &mut CUgraphNodeParams| {
        driver!(cuGraphExecNodeSetParams(
            exec => usize, fill => usize, params => *mut CUgraphNodeParams,
        ))
    };
    assert_eq!(set(&mut fill_params(a, 5, 1)), 0);
    assert_eq!(set(&mut params), INVALID_VALUE);
    assert_eq!(run(), [5; 4]);
}

/// A kernel counts down and sets the condition itself.
#[test]
fn a_conditional_node_runs_its_body_while_kernels_say_so() {
    const PTX: &str = ".version 6.3\n.target sm_70\n.address_size 64
        .extern .func cudaGraphSetConditional (.param .b64 c, .param .b32 v);
        .visible .entry down(.param .u64 condition, .param .u64 number)
        { .reg .b32 %r; .reg .b64 %rd<2>; ld.param.u64 %rd0, [condition]; ld.param.u64 %rd1, [number];
          ld.global.u32 %r, [%rd1]; sub.u32 %r, %r, 1; st.global.u32 [%rd1], %r;
          { .param .b64 c; .param .b32 v; st.param.b64 [c], %rd0; st.param.b32 [v], %r;
            call.uni cudaGraphSetConditional, (c, v); } ret; }\0";
    let _turn = turn();
    let device = Device::new();
    let (mut module, mut condition, graph, stream) = (0usize, 0u64, new_graph(), stream(1));
    let loaded = driver!(cuModuleLoadData(
        &mut module => *mut usize, PTX.as_ptr().cast() => *const c_void));
    assert_eq!(loaded, 0);
    let down = device.function(module, "down").unwrap();
    let create = |graph: usize, flags: c_uint, condition: &mut u64| {
        driver!(cuGraphConditionalHandleCreate(
            condition => *mut u64, graph => usize, 0 => usize, 1 => c_uint, flags => c_uint,
        ))
    };
    assert_eq!(create(graph, 2, &mut condition), INVALID_VALUE);
    // 1 at the beginning of each launch.
    assert_eq!(create(graph, 1, &mut condition), 0);
    let (kind, context) = (CU_GRAPH_COND_TYPE_WHILE, CUcontext::NULL);
    let bodies = null_mut();
    let member = CUconditionalNodeParams { condition, kind, count: 1, bodies, context };
    let mut params = CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_CONDITIONAL, member);
    assert_eq!(add_node(graph, &[], &mut params).0, 0);
    // SAFETY: the driver has written the structure and the list.
    let body = unsafe { params.member::<CUconditionalNodeParams>().bodies.read() }.0.addr();
    // A condition has one node.
    let mut again = CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_CONDITIONAL, member);
    assert_eq!(add_node(graph, &[], &mut again).0, INVALID_VALUE);
    let mut number = device.upload(&7u32.to_le_bytes());
    let mut list = [(&raw mut condition).cast::<c_void>(), (&raw mut number).cast()];
    let kernel = CUkernelNodeParams {
        function: CUfunction(std::ptr::without_provenance_mut(down)),
        grid: [1; 3],
        block: [1; 3],
        shared: 0,
        params: list.as_mut_ptr(),
        extra: null_mut(),
        kernel: null_mut(),
        context,
    };
    let mut kernel = CUgraphNodeParams::new(CU_GRAPH_NODE_TYPE_KERNEL, kernel);
    assert_eq!(add_node(body, &[], &mut kernel).0, 0);
    assert_eq!(driver!(cuGraphDestroy(body => usize)), INVALID_VALUE);
    let mut copy = 0usize;
    assert_ne!(driver!(cuGraphClone(&mut copy => *mut usize, graph => usize)), 0);
    let exec = instantiate(graph);
    for left in [7u32, 1, 3] {
        let bytes = left.to_le_bytes();
        let written = driver!(cuMemcpyHtoD_v2(
            number => u64, bytes.as_ptr().cast() => *const c_void, 4 => usize,
        ));
        assert_eq!((written, launch(exec, stream), device.synchronize()), (0, 0, 0));
        assert_eq!(device.download(number, 4), [0; 4], "from {left}");
    }
    // One exec at a time.
    let mut second = 0usize;
    let mut instantiate = || driver!(cuGraphInstantiateWithFlags(&mut second => *mut usize, graph => usize, 0 => u64));
    assert_eq!(instantiate(), NOT_SUPPORTED);
    assert_eq!(driver!(cuGraphExecDestroy(exec => usize)), 0);
    assert_eq!(instantiate(), 0);
    assert_eq!(driver!(cuGraphExecDestroy(second => usize)), 0);
    assert_eq!(driver!(cuGraphDestroy(graph => usize)), 0);
}
