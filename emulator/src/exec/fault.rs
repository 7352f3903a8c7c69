//! What a program did wrong, and the report that says so.

use super::cluster::rank_of;
use super::context::Context;
use super::copies::Issue;
use super::grid::Launch;
use super::mbarrier::Misuse;
use super::program::{Function, Origin, Place, Program};
use super::warp::LOCAL_START;
use crate::memory::{LOCAL_WINDOW, PARAM_WINDOW, SHARED_WINDOW, WINDOW_SIZE};
use crate::ptx::types::Space;
use std::fmt::Write;

/// A mistake of the program that runs.
#[derive(Clone, Debug)]
pub(crate) enum FaultKind {
    /// An access to memory that is not there or may not be written. Its address is generic.
    Access { address: u64, size: u32, space: Space, write: bool },
    /// An access to an address that is no multiple of its size.
    Misaligned { address: u64, size: u32, space: Space, write: bool },
    /// An atomic operation, or a load or store with an order, on local memory, by its generic address.
    OrderedLocal { address: u64 },
    /// An atomic addition to a vector in shared memory.
    VectorInShared { address: u64 },
    /// An access that conflicts with one of an earlier kernel, which nothing has waited for.
    Early { address: u64, size: u64, write: bool, kernel: String, other: &'static str },
    /// `trap`
    Trap,
    /// `brkpt`
    Breakpoint,
    /// No thread of the block can go on.
    Deadlock(String),
    /// Blocks wait at the barrier of the grid for this one, which has ended.
    GridBarrier { ended: u64 },
    /// The limit of `PTYX_EMULATOR_STEPS`, or its default, was reached.
    Steps(i64),
    /// More was printed than there is room for.
    Output,
    /// Threads of a block give different thread counts for a barrier.
    BarrierCount { id: u32 },
    /// A barrier that does not exist, or a count that is not a multiple of the warp size.
    BarrierOperand { what: &'static str, value: u32 },
    /// A misuse of an mbarrier, by its generic address.
    Mbarrier { address: u64, misuse: Misuse },
    /// An access to shared memory that an asynchronous copy still reads or, if `written`, writes.
    Copying { address: u64, size: u32, write: bool, issue: Issue, written: bool },
    /// An access to shared memory that an asynchronous copy has read or, if `written`, written: a thread of another warp has waited
    /// for the copy, but this one has not synchronised with it.
    Unsynchronised { address: u64, size: u32, write: bool, issue: Issue, written: bool, warp: u32 },
    /// An asynchronous operation reads shared memory that was written there, without a fence between the proxies.
    Unfenced { address: u64, size: u32, issue: Issue },
    /// A thread breaks the order of arrivals and waits at the barrier of the cluster.
    ClusterBarrier(&'static str),
    /// `mapa` to a block that the cluster does not have.
    ClusterRank { rank: u32, blocks: u32 },
    /// `mapa` of an address that is not in shared memory.
    NotShared { address: u64 },
    /// An instruction that needs a launch with clusters.
    NoClusters,
    /// A size of an asynchronous copy.
    CopySize(u32),
    /// A tensor map that can't be used, in words.
    TensorMap(String),
    /// A misuse of a texture or surface, in words.
    Texture(String),
    /// The block ended while an asynchronous copy still had to read its shared memory.
    Unread(Issue),
    /// The block ended while an asynchronous copy still had to write its shared memory.
    Unwritten(Issue),
    /// A misuse of `wgmma`, in words.
    Product(String),
    /// Warps of a warpgroup execute different instructions, or with different descriptors: where another one did.
    WarpsApart(Issue),
    /// The block ended, and only some warps of a warpgroup have executed an instruction.
    FewWarps { issue: Issue, warps: u32 },
    /// A lane executes an instruction whose member mask does not name it.
    NotAMember { members: u32, lane: u32 },
    /// Lanes wait for each other at different instructions.
    LanesApart,
    /// An instruction of the whole warp, when some of its lanes have exited or never existed.
    PartOfWarp { present: u32 },
    /// Local memory is used up.
    StackOverflow { bytes: u32, depth: u32 },
    /// An indirect call to something that is not a function.
    BadCall(u64),
    /// A function that is only declared.
    Undefined(String),
    /// A call of `__assertfail`: `file:line: function`, and the condition.
    Assertion { place: String, condition: String },
    /// `brx.idx` with an index past the end of the table.
    BranchIndex { index: u32, length: u32 },
    /// `free` of an address that `malloc` did not return.
    BadFree(u64),
}

/// A fault with its report.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    pub(crate) report: String,
}

impl Fault {
    /// A fault of lane `lane` of the running warp, at the instruction `context.pc` points at.
    pub(crate) fn new(context: &Context<'_>, kind: FaultKind, lane: u32) -> Fault {
        let launch = context.launch;
        let mut report = describe(context, &kind);
        let thread = thread_index(launch, context.warp.index * 32 + lane);
        let block = context.block.index;
        let entry = &launch.function().name;
        let _ = write!(
            report,
            "\n  kernel `{entry}`, block ({}, {}, {}), thread ({}, {}, {})",
            block[0], block[1], block[2], thread[0], thread[1], thread[2]
        );
        let function = context.function();
        if function.name != *entry {
            let _ = write!(report, ", in function `{}`", function.name);
        }
        if let Some(origin) = function.origins.get(context.pc) {
            report.push_str(&location(launch.program, origin));
        }
        Fault { kind, report }
    }

    /// A fault of a block whose threads have ended.
    pub(crate) fn of_block(launch: &Launch<'_>, block: [u32; 3], kind: FaultKind) -> Fault {
        let what = describe_copies(launch, &kind).unwrap_or_else(|| format!("{kind:?}"));
        let entry = &launch.function().name;
        let [x, y, z] = block;
        let report = format!("{what}\n  kernel `{entry}`, block ({x}, {y}, {z})");
        Fault { kind, report }
    }

    /// A fault of no particular thread.
    pub(crate) fn bare(kind: FaultKind) -> Fault {
        let report = format!("{kind:?}");
        Fault { kind, report }
    }
}

/// Longer chains of inlined calls are cut.
const MAX_CHAIN: usize = 32;

/// The instruction and the source lines it comes from.
fn location(program: &Program, origin: &Origin) -> String {
    let text = program.source.get(origin.text.0 as usize..origin.text.1 as usize).unwrap_or("");
    let text: Vec<&str> = text.split_whitespace().collect();
    let mut out = format!("\n  PTX line {}: {}", origin.line, text.join(" "));
    let mut next = origin.place;
    let mut lead = "\n  at";
    for _ in 0..MAX_CHAIN {
        let Some(place) = program.places.get(next as usize) else { break };
        let _ = write!(out, "{lead} {}", place_name(place));
        let Some((function, caller)) = &place.inlined else { break };
        let _ = write!(out, " in `{function}`");
        (next, lead) = (*caller, ", inlined at");
    }
    out
}

fn place_name(place: &Place) -> String {
    format!("{}:{}:{}", place.file, place.line, place.column)
}

/// Thread x, y, z of a linear index within the block.
pub(crate) fn thread_index(launch: &Launch<'_>, linear: u32) -> [u32; 3] {
    let [x, y, _] = launch.block;
    [linear % x, linear / x % y, linear / (x * y)]
}

/// The names of what threads wait for, for a deadlock's report.
pub(crate) fn deadlock(launch: &Launch<'_>, waiting: &[(&Function, usize, u32)]) -> String {
    let mut places: Vec<(String, u32)> = Vec::new();
    for (function, pc, threads) in waiting {
        let Some(origin) = function.origins.get(*pc) else { continue };
        let text = location(launch.program, origin).trim_start().replace("\n ", "");
        match places.iter_mut().find(|(known, _)| *known == text) {
            Some((_, count)) => *count += threads,
            None => places.push((text, *threads)),
        }
    }
    let lines: Vec<String> = places
        .iter()
        .map(|(text, threads)| format!("\n  {threads} threads wait at {text}"))
        .collect();
    lines.concat()
}

/// Which thread started an asynchronous operation, and where.
fn issued(launch: &Launch<'_>, issue: &Issue) -> String {
    done_by(launch, issue, "started")
}

/// Which thread did something, and where.
fn done_by(launch: &Launch<'_>, issue: &Issue, verb: &str) -> String {
    let [x, y, z] = thread_index(launch, issue.thread);
    let function = &launch.program.functions[issue.function as usize];
    let place = match function.origins.get(issue.pc) {
        Some(origin) => location(launch.program, origin).trim_start().replace("\n ", ""),
        None => String::new(),
    };
    format!("thread ({x}, {y}, {z}) {verb} it at {place}")
}

/// Faults of asynchronous copies and mbarriers, in words.
fn describe_copies(launch: &Launch<'_>, kind: &FaultKind) -> Option<String> {
    Some(match kind {
        FaultKind::Mbarrier { address, misuse } => {
            format!("the mbarrier at shared address {:#x} {}", shared(*address), misuse.describe())
        }
        FaultKind::Copying { address, size, write, issue, written } => {
            let verb = if *write { "write" } else { "read" };
            let does = if *written { "writes" } else { "reads" };
            let started = issued(launch, issue);
            let (by, it) = match started.contains(": wgmma.mma_async") {
                true => ("a product of matrices", "product"),
                false => ("an asynchronous copy", "copy"),
            };
            format!(
                "{verb} of {size} bytes at shared address {:#x}, which {by} still {does}: nothing has waited for \
                 the {it}\n  {started}",
                shared(*address),
            )
        }
        FaultKind::Unsynchronised { address, size, write, issue, written, warp } => {
            let verb = if *write { "write" } else { "read" };
            let does = if *written { "writes" } else { "reads" };
            format!(
                "{verb} of {size} bytes at shared address {:#x}, which an asynchronous copy {does}: warp {warp} has waited for \
                 the copy, but this warp has not synchronised with any since. Put a barrier between the wait and the {verb}\n  {}",
                shared(*address),
                issued(launch, issue)
            )
        }
        FaultKind::Unfenced { address, size, issue } => format!(
            "an asynchronous operation reads {size} bytes at shared address {:#x}, which a thread has written, \
             without a fence between the proxies: on a GPU it may read the old values. Execute `fence.proxy.async` \
             after the write\n  {}",
            shared(*address),
            done_by(launch, issue, "wrote")
        ),
        FaultKind::WarpsApart(issue) => format!(
            "another warp of the warpgroup executes a different instruction, or has other descriptors: all four \
             must execute the same `wgmma`\n  {}",
            issued(launch, issue)
        ),
        FaultKind::FewWarps { issue, warps } => format!(
            "only {warps} warps of a warpgroup executed an instruction that all four must execute\n  {}",
            issued(launch, issue)
        ),
        FaultKind::CopySize(bytes) => {
            format!("an asynchronous copy of {bytes} bytes, which is not a multiple of 16")
        }
        FaultKind::Unread(issue) => format!(
            "the block ended before an asynchronous copy had read its shared memory: nothing waits for it \
             (`cp.async.bulk.wait_group.read`)\n  {}",
            issued(launch, issue)
        ),
        FaultKind::Unwritten(issue) => format!(
            "the block ended before an asynchronous copy had written its shared memory: no thread has waited for the \
             mbarrier's phase\n  {}",
            issued(launch, issue)
        ),
        _ => return None,
    })
}

/// A generic address of shared memory as one of that state space.
fn shared(address: u64) -> u64 {
    address.wrapping_sub(SHARED_WINDOW)
}

fn describe(context: &Context<'_>, kind: &FaultKind) -> String {
    match kind {
        FaultKind::Mbarrier { .. }
        | FaultKind::Copying { .. }
        | FaultKind::Unsynchronised { .. }
        | FaultKind::Unfenced { .. }
        | FaultKind::CopySize(_)
        | FaultKind::WarpsApart(_)
        | FaultKind::FewWarps { .. }
        | FaultKind::Unread(_)
        | FaultKind::Unwritten(_) => describe_copies(context.launch, kind).unwrap_or_default(),
        FaultKind::Access { address, size, space, write } => {
            let verb = if *write { "write" } else { "read" };
            let (name, shown, near) = place_of(context, *address, *size, *space, *write);
            format!("invalid {verb} of {size} bytes at {name} address {shown:#x}: {near}")
        }
        FaultKind::Early { address, size, write, kernel, other } => {
            let verb = if *write { "write" } else { "read" };
            format!(
                "{verb} of {size} bytes at {address:#x}, which the earlier kernel `{kernel}` {other}, and it may \
                 still be running: this launch is programmatic, and nothing has waited for earlier kernels \
                 (`griddepcontrol.wait`) before the {verb}"
            )
        }
        FaultKind::Misaligned { address, size, space, write } => {
            let verb = if *write { "write" } else { "read" };
            let (name, shown, near) = place_of(context, *address, *size, *space, *write);
            format!(
                "misaligned {verb} of {size} bytes at {name} address {shown:#x}, which is not a multiple \
                 of {size}: {near}"
            )
        }
        FaultKind::OrderedLocal { address } => format!(
            "an atomic access to local address {:#x}: `atom`, `red` and loads and stores with an order \
             reach global and shared memory only",
            address.wrapping_sub(LOCAL_WINDOW)
        ),
        FaultKind::Product(text) | FaultKind::TensorMap(text) | FaultKind::Texture(text) => {
            text.clone()
        }
        FaultKind::VectorInShared { address } => format!(
            "an atomic operation on a vector at shared address {:#x}: such operations are only for global memory",
            address.wrapping_sub(SHARED_WINDOW)
        ),
        FaultKind::Trap => "the kernel executed `trap`".to_owned(),
        FaultKind::Breakpoint => "the kernel executed `brkpt`".to_owned(),
        FaultKind::Deadlock(waiting) => {
            format!("deadlock: no thread of the block can go on{waiting}")
        }
        FaultKind::GridBarrier { ended } => format!(
            "deadlock: the grid waits at its barrier for block {ended}, which has ended. All blocks must call \
             it equally often"
        ),
        FaultKind::Steps(steps) => format!(
            "a block's warps ran more than {steps} instructions and did not end: is there an endless loop? \
             If not, set the environment variable PTYX_EMULATOR_STEPS to a larger number of instructions, \
             or to `unlimited`"
        ),
        FaultKind::Output => format!(
            "the kernel printed more than {} MiB, the most that is kept until it ends: is there an \
             endless loop?",
            super::block::MAX_OUTPUT >> 20
        ),
        FaultKind::BarrierCount { id } => {
            format!("threads disagree on how many threads barrier {id} waits for")
        }
        FaultKind::BarrierOperand { what, value } => format!("a barrier's {what} is {value}"),
        FaultKind::ClusterBarrier(what) => {
            format!("a thread {what} at the cluster's barrier: it must arrive, then wait, in turn")
        }
        FaultKind::ClusterRank { rank, blocks } => {
            format!("the cluster has no block {rank}: it has {blocks}, counted from 0")
        }
        FaultKind::NotShared { address } => {
            format!("`mapa` of the address {address:#x}, which is not in shared memory")
        }
        FaultKind::NoClusters => {
            "an illegal instruction: it needs a launch with clusters, and this one has none"
                .to_owned()
        }
        FaultKind::NotAMember { members, lane } => format!(
            "lane {lane} executes it with the member mask {members:#010x}, which does not name lane {lane}: \
             every lane that takes part must be in the mask it passes"
        ),
        FaultKind::LanesApart => {
            "lanes of a warp wait for each other at different instructions".to_owned()
        }
        FaultKind::PartOfWarp { present } => format!(
            "only the lanes {present:#010x} of the warp are there: the instruction needs all 32 of them"
        ),
        FaultKind::StackOverflow { bytes, depth } => format!(
            "stack overflow: {depth} nested calls need {bytes} bytes a thread, which has {} \
             (CU_LIMIT_STACK_SIZE)",
            context.launch.stack
        ),
        FaultKind::BadCall(address) => {
            let what = match crate::host::has(*address) {
                true => format!(": {}", crate::host::EXPLANATION),
                false => ", which is not a function".to_owned(),
            };
            format!("an indirect call to {address:#x}{what}")
        }
        FaultKind::Undefined(name) => {
            format!("a call of `{name}`, which is declared but not defined")
        }
        FaultKind::Assertion { place, condition } => {
            format!("{place}: assertion `{condition}` failed")
        }
        FaultKind::BranchIndex { index, length } => {
            format!("a `brx.idx` with index {index} into a table of {length} labels")
        }
        FaultKind::BadFree(address) => {
            format!(
                "a `free` of {address:#x}, which `malloc` did not return or which was already freed"
            )
        }
    }
}

/// The state space a generic address lies in, the address there, and what is near it.
fn place_of(
    context: &Context<'_>,
    address: u64,
    size: u32,
    space: Space,
    write: bool,
) -> (&'static str, u64, String) {
    let within =
        |window: u64| (address.wrapping_sub(window) < WINDOW_SIZE).then(|| address - window);
    let launch = context.launch;
    if let Some(offset) = within(SHARED_WINDOW) {
        let start = u64::from(super::block::SHARED_START);
        let bytes = u64::from(launch.shared_size());
        if let Some(rank) = rank_of(address) {
            return ("shared", offset, in_cluster(launch, rank));
        }
        let what = format!("the block's {bytes} bytes of shared memory");
        return ("shared", offset, relative(offset, start, bytes, u64::from(size), &what));
    }
    if let Some(offset) = within(LOCAL_WINDOW) {
        let scope = context.warp.current;
        let end = u64::from(scope.local + context.function().local_size);
        let start = u64::from(LOCAL_START);
        let what = format!("the thread's {} bytes of local memory", end - start);
        return ("local", offset, relative(offset, start, end - start, u64::from(size), &what));
    }
    if let Some(offset) = within(PARAM_WINDOW) {
        let bytes = launch.params.len() as u64;
        if write {
            return ("parameter", offset, "kernel parameters are read-only".to_owned());
        }
        let what = format!("the kernel's {bytes} bytes of parameters");
        return ("parameter", offset, relative(offset, 0, bytes, u64::from(size), &what));
    }
    let name = if space == Space::Generic { "generic" } else { space.name() };
    let mut near = match (launch.elsewhere)(address).filter(|&device| device != launch.device) {
        Some(other) => {
            let own = launch.device;
            format!(
                "memory of device {other}, which kernels of device {own} can't reach without peer access"
            )
        }
        None => launch.memory.describe(address, u64::from(size)),
    };
    if write && launch.span(address, u64::from(size)).is_some_and(|span| !span.writable) {
        near.push_str(", which is read-only");
    }
    (name, address, near)
}

/// What is wrong with an address in the shared memory of a block of the cluster.
fn in_cluster(launch: &Launch<'_>, rank: u32) -> String {
    let blocks: u32 = launch.cluster.iter().product();
    if rank >= blocks {
        return format!("in block {rank} of a cluster that has {blocks}");
    }
    format!(
        "in block {rank} of the cluster, outside its {} bytes of shared memory, or after it has ended: a block \
         must wait for the others before it ends (`barrier.cluster`)",
        launch.shared_size()
    )
}

fn relative(offset: u64, start: u64, bytes: u64, size: u64, what: &str) -> String {
    if bytes == 0 {
        return format!("outside {what}");
    }
    if offset < start {
        return format!("{} bytes before {what}", start - offset);
    }
    let into = offset - start;
    if into >= bytes {
        format!("{} bytes past the end of {what}", into - bytes)
    } else if into + size > bytes {
        format!("it begins {} bytes before the end of {what}", bytes - into)
    } else {
        format!("{into} bytes into {what}")
    }
}
