//! Which driver calls submit work to a device, and what their arguments say about it.

use super::WorkKind;
use crate::driver::trace::Value;
use crate::driver::types::*;
use crate::driver::watch::Call;

/// The work that a driver call submits to a stream.
#[derive(Clone, Debug)]
pub(super) struct Work {
    pub(super) kind: WorkKind,
    pub(super) what: What,
    pub(super) bytes: Option<u64>,
    pub(super) blocks: Option<[u32; 3]>,
    pub(super) threads: Option<[u32; 3]>,
    pub(super) stream: CUstream,
}

/// What the work's name is made from.
#[derive(Clone, Debug)]
pub(super) enum What {
    /// A kernel, and its entry's name, if the driver knows.
    Function(CUfunction, Option<String>),
    Graph(CUgraphExec),
    Other(&'static str),
}

impl Work {
    /// The work of a call, if it submits any.
    pub(super) fn of(call: &Call<'_>) -> Option<Work> {
        match call.name {
            "cuLaunchKernel" | "cuLaunchKernelEx" => kernel(call),
            "cuGraphLaunch" => {
                let Some(Value::Graph(exec)) = call.value("exec") else { return None };
                Some(work(WorkKind::Graph, What::Graph(exec), None, stream(call)?))
            }
            name if name.starts_with("cuMemcpy") => {
                let (what, bytes) = copy(call);
                Some(work(WorkKind::Copy, What::Other(what), bytes, stream(call)?))
            }
            name if name.starts_with("cuMemset") => {
                let width = if name.contains("D8Async") {
                    1
                } else if name.contains("D16Async") {
                    2
                } else {
                    4
                };
                // A two-dimensional fill has a width and a height.
                let rows = call.number("height").unwrap_or(1);
                let count = call.number("count").or_else(|| call.number("width"));
                let bytes = count.map(|count| count * width * rows);
                Some(work(WorkKind::Fill, What::Other("fill"), bytes, stream(call)?))
            }
            _ => None,
        }
    }
}

fn work(kind: WorkKind, what: What, bytes: Option<u64>, stream: CUstream) -> Work {
    Work { kind, what, bytes, blocks: None, threads: None, stream }
}

fn stream(call: &Call<'_>) -> Option<CUstream> {
    match call.value("stream")? {
        Value::Stream(stream) => Some(stream),
        _ => None,
    }
}

fn kernel(call: &Call<'_>) -> Option<Work> {
    let Some(Value::Function(function)) = call.value("function") else { return None };
    let number = |name: &str| call.number(name).and_then(|number| u32::try_from(number).ok());
    let (grid, block, stream) = match call.value("config") {
        Some(Value::Launch(config)) => (Some(config.grid), Some(config.block), config.stream),
        _ => {
            let shape =
                |names: [&str; 3]| Some([number(names[0])?, number(names[1])?, number(names[2])?]);
            let (grid, block) =
                (shape(["grid_x", "grid_y", "grid_z"]), shape(["block_x", "block_y", "block_z"]));
            (grid, block, stream(call)?)
        }
    };
    let what = What::Function(function, None);
    let work = work(WorkKind::Kernel, what, None, stream);
    Some(Work { blocks: grid, threads: block, ..work })
}

/// The name and the bytes of a copy.
fn copy(call: &Call<'_>) -> (&'static str, Option<u64>) {
    let (direction, bytes) = match call.value("copy") {
        Some(Value::Copy3D(copy)) => {
            let is_host = |end: CUmemcpyEnd3D| end.kind == CU_MEMORYTYPE_HOST;
            let bytes = copy.width as u64 * copy.height as u64 * copy.depth as u64;
            (direction(is_host(copy.from), is_host(copy.to)), Some(bytes))
        }
        _ => {
            let bytes = call.number("bytes").or_else(|| call.number("size"));
            (direction(call.name.contains("HtoD"), call.name.contains("DtoH")), bytes)
        }
    };
    (if call.name.contains("Peer") { "copy between devices" } else { direction }, bytes)
}

fn direction(from_host: bool, to_host: bool) -> &'static str {
    match (from_host, to_host) {
        (true, false) => "copy to device",
        (false, true) => "copy to host",
        (false, false) => "copy on device",
        (true, true) => "copy on host",
    }
}
