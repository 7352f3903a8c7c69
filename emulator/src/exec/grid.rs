//! Launches: blocks on a pool of threads.

use super::block::Progress;
use super::cluster::Cluster;
use super::fault::{Fault, FaultKind};
use super::overlap::Overlap;
use super::program::{Function, Program};
use crate::memory::{Memory, Span, WORD};
use crate::settings::settings;
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Instructions of a warp's turn.
const SLICE: i64 = 1 << 16;
/// The same in a cooperative launch.
const SHORT_SLICE: i64 = 1 << 10;
/// Turns a block has before the worker looks at another.
const TURNS: u32 = 4;
/// Blocks that a worker keeps unfinished at a time, because they may wait for each other.
const RESIDENT: usize = 256;

/// Turns that earlier blocks still get when one has failed. They may fail, too, and then theirs is the fault
/// to report; or they may wait for ever for the one that failed.
const PATIENCE: u32 = 16;
/// The part of its limit after which the oldest of several blocks gets half of the worker's time: if none of
/// them ever ends, one of them reaches the limit soon, instead of all together late.
const LONG: i64 = 1 << 10;
/// After this time the user is told which kernel runs.
const SILENCE: Duration = Duration::from_secs(10);

/// A kernel with its arguments and shape.
pub(crate) struct Launch<'a> {
    pub(crate) program: &'a Program,
    pub(crate) memory: &'a Memory,
    /// Number of the device, and of the one that has memory at an address, for reports.
    pub(crate) device: usize,
    pub(crate) elsewhere: fn(u64) -> Option<usize>,
    /// The memories of all devices, and those that the launch's context has access to, as bits.
    pub(crate) memories: &'a [Memory],
    pub(crate) peers: u64,
    /// Index of the kernel.
    pub(crate) entry: u32,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    /// Blocks of a cluster along x, y and z, of which the grid has a multiple.
    pub(crate) cluster: [u32; 3],
    /// Whether the launch or the kernel asked for clusters.
    pub(crate) clustered: bool,
    pub(crate) dynamic_shared: u32,
    /// The parameter bank; copied, so that addresses of parameters stay valid.
    pub(crate) params: Vec<u8>,
    /// Where the barrier of the grid is, for cooperative launches; 0 for others.
    pub(crate) workspace: u64,
    /// Bytes of stack of each thread.
    pub(crate) stack: u32,
    /// Bytes that kernels may have allocated at a time.
    pub(crate) heap: u64,
    /// Instructions that a block may run.
    pub(crate) steps: Option<i64>,
    /// Bytes that were printed.
    pub(crate) printed: AtomicU64,
    /// Earlier launches that may still run, and what this one accesses.
    pub(crate) overlap: Overlap,
    /// Number of the launch, `%gridid`.
    pub(crate) number: u64,
    /// The number of the first cluster that has not begun.
    pub(crate) next: AtomicU64,
}

impl Launch<'_> {
    /// The bytes around an address in memory, of this device or of another that it can access.
    pub(crate) fn span(&self, address: u64, size: u64) -> Option<Span> {
        self.memory.span_for(Some(self.device), address, size).or_else(|| {
            let owner = Memory::device_of(address);
            let other = self.memories.get(owner).filter(|_| owner != self.device)?;
            other.peer_span(self.device, self.peers >> owner & 1 == 1, address, size)
        })
    }

    /// The bytes around an address with all of the last word, of which the allocation may have a part only. On
    /// hardware allocations end at multiples of much more; here the rest are zeros.
    pub(crate) fn word(&self, address: u64) -> Option<Span> {
        let span = self.span(address, 1)?;
        Some(Span { size: span.size.next_multiple_of(WORD), ..span })
    }

    pub(crate) fn function(&self) -> &Function {
        &self.program.functions[self.entry as usize]
    }

    /// Clusters along x, y and z.
    pub(crate) fn clusters(&self) -> [u32; 3] {
        [0, 1, 2].map(|axis| self.grid[axis] / self.cluster[axis])
    }

    /// How many clusters there are.
    fn count(&self) -> u64 {
        self.clusters().iter().map(|&count| u64::from(count)).product()
    }

    /// The number of a cluster that has not begun, which is the caller's from here on.
    pub(crate) fn take(&self) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.count()).then_some(number)
    }

    /// The index of the first block of a cluster.
    pub(crate) fn first_block(&self, number: u64) -> [u32; 3] {
        let [x, y, _] = self.clusters().map(u64::from);
        let at = [number % x, number / x % y, number / (x * y)];
        [0, 1, 2].map(|axis| at[axis] as u32 * self.cluster[axis])
    }

    /// Threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Offset of dynamic shared memory from the start of shared memory.
    pub(crate) fn dynamic_start(&self) -> u32 {
        self.function().dynamic_start
    }

    /// Bytes of shared memory of a block.
    pub(crate) fn shared_size(&self) -> u32 {
        if self.dynamic_shared == 0 {
            self.function().static_shared
        } else {
            self.dynamic_start() + self.dynamic_shared
        }
    }
}

impl Launch<'_> {
    /// Whether all blocks run at the same time.
    fn is_cooperative(&self) -> bool {
        self.workspace != 0
    }

    /// Instructions that a warp runs before it is another warp's turn. Blocks that wait for others at a
    /// barrier of the grid read it again and again: their turns are short.
    pub(crate) fn slice(&self) -> i64 {
        if self.is_cooperative() { SHORT_SLICE } else { SLICE }
    }

    /// Whether blocks wait at the barrier of the grid.
    ///
    /// Its word is behind the workspace's size (CCCL, `__grid_workspace`). Each block adds 1 to it, the
    /// first one so much that the sum is 2^31: then the lower 31 bits are 0 again.
    fn waits_for_grid(&self) -> bool {
        let word = self.memory.host_pointer(self.workspace + 4, 4);
        word.is_some_and(|word| {
            // SAFETY: memory of the launch, which is aligned, and which kernels access atomically.
            let word = unsafe { AtomicU32::from_ptr(word.cast()) };
            word.load(Ordering::SeqCst) << 1 != 0
        })
    }
}

/// The machine's cores, asked for once: the answer reads files, and takes longer than a small launch.
fn cores() -> Option<usize> {
    static CORES: OnceLock<Option<usize>> = OnceLock::new();
    *CORES.get_or_init(|| std::thread::available_parallelism().ok().map(usize::from))
}

/// Threads that run blocks: `PTYX_EMULATOR_THREADS`, or one for each core.
fn workers() -> usize {
    settings().threads.or_else(cores).unwrap_or(1)
}

/// What the workers share.
struct Shared {
    /// No cluster from here on need run: an earlier one failed.
    limit: AtomicU64,
    /// A block that has ended, or `u64::MAX`.
    ended: AtomicU64,
    /// A block has failed that others may wait for in vain, so they get no more time.
    hurry: AtomicBool,
    outcome: Mutex<Outcome>,
    start: Instant,
    told: AtomicBool,
}

impl Shared {
    /// Reports once which kernel is running, if it runs for long.
    fn tell(&self, launch: &Launch<'_>) {
        if self.start.elapsed() < SILENCE || self.told.swap(true, Ordering::Relaxed) {
            return;
        }
        let name = &launch.function().name;
        let limit = match launch.steps {
            Some(steps) => format!("the warps of a block may run {steps} instructions"),
            None => "its instructions are not limited".to_owned(),
        };
        // Nothing sensible can be done when standard error is closed.
        let _ = writeln!(
            std::io::stderr(),
            "ptyx: kernel `{name}` has run for {} s on the emulated device; {limit} \
             (PTYX_EMULATOR_STEPS)",
            SILENCE.as_secs()
        );
    }
}

#[derive(Default)]
struct Outcome {
    /// By cluster.
    fault: Option<(u64, Box<Fault>)>,
    /// By cluster and block.
    output: Vec<((u64, u32), Vec<u8>)>,
}

/// Runs a kernel to its end; what it prints goes to `out`, in the order of blocks.
///
/// # Errors
/// The fault of the first block that has one.
pub(crate) fn run(launch: &Launch<'_>, out: &mut dyn Write) -> Result<(), Box<Fault>> {
    let shared = Shared {
        limit: AtomicU64::new(u64::MAX),
        ended: AtomicU64::new(u64::MAX),
        hurry: AtomicBool::new(false),
        outcome: Mutex::default(),
        start: Instant::now(),
        told: AtomicBool::new(false),
    };
    let count = workers().min(usize::try_from(launch.count()).unwrap_or(usize::MAX));
    if count <= 1 {
        work(launch, &shared);
    } else {
        std::thread::scope(|scope| {
            for _ in 1..count {
                // If a thread can't be started, the launch only gets slower.
                let _ = std::thread::Builder::new().spawn_scoped(scope, || work(launch, &shared));
            }
            work(launch, &shared);
        });
    }
    let mut outcome = shared.outcome.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    outcome.output.sort_by_key(|(place, _)| *place);
    let limit = outcome.fault.as_ref().map_or(u64::MAX, |(cluster, _)| *cluster);
    for (_, text) in outcome.output.iter().filter(|((cluster, _), _)| *cluster <= limit) {
        // Nothing sensible can be done when standard output is closed.
        let _ = out.write_all(text);
    }
    outcome.fault.map_or(Ok(()), |(_, fault)| Err(fault))
}

/// Takes clusters and runs them. One that goes on for long is set aside for others, since it may wait for one of
/// them; those set aside take turns.
fn work(launch: &Launch<'_>, shared: &Shared) {
    let mut aside: Vec<Cluster> = Vec::new();
    let mut spare = Some(Cluster::default());
    let mut patience = PATIENCE;
    let most = if launch.is_cooperative() { usize::MAX } else { RESIDENT };
    loop {
        // Twice as many as did not finish last time, so that blocks that wait for others soon run
        // together with them.
        for _ in 0..aside.len().max(1).min(most - aside.len()) {
            let Some(number) = launch.take() else { break };
            if number >= shared.limit.load(Ordering::Relaxed) {
                break;
            }
            let mut cluster = spare.take().unwrap_or_default();
            cluster.reset(launch, number);
            aside.push(cluster);
        }
        if shared.hurry.load(Ordering::Relaxed) {
            patience = patience.saturating_sub(1);
        }
        if aside.is_empty() || patience == 0 {
            return;
        }
        let oldest = aside.iter().map(|cluster| cluster.number).min();
        let turns_of_all = TURNS * aside.len() as u32;
        let mut index = 0;
        while index < aside.len() {
            let cluster = &mut aside[index];
            let long = launch.steps.is_some_and(|steps| cluster.steps() > steps / LONG);
            let turns = if long && Some(cluster.number) == oldest { turns_of_all } else { TURNS };
            let over = cluster.number >= shared.limit.load(Ordering::Relaxed)
                || finish(advance(launch, cluster, turns, shared), cluster, shared);
            shared.tell(launch);
            if over {
                spare = Some(aside.swap_remove(index));
            } else {
                index += 1;
            }
        }
    }
}

/// Runs a cluster, unless it waits for a block that has ended.
fn advance(launch: &Launch<'_>, cluster: &mut Cluster, turns: u32, shared: &Shared) -> Progress {
    if launch.is_cooperative() {
        let ended = shared.ended.load(Ordering::SeqCst);
        // In this order: a block that has ended has left the barrier complete, unless others wait in vain.
        if ended != u64::MAX
            && launch.waits_for_grid()
            && let Some(fault) = cluster.at_random(launch, &FaultKind::GridBarrier { ended })
        {
            return Progress::Failed(Box::new(fault));
        }
    }
    let progress = cluster.run(launch, turns);
    if let Some(block) = cluster.blocks.iter().rev().find(|block| block.has_ended()) {
        shared.ended.store(block.linear, Ordering::SeqCst);
    }
    progress
}

/// Notes what a cluster printed and how it ended; `false` when it still runs.
fn finish(progress: Progress, cluster: &mut Cluster, shared: &Shared) -> bool {
    let fault = match progress {
        Progress::Running => return false,
        Progress::Done => None,
        Progress::Failed(fault) => Some(fault),
    };
    let number = cluster.number;
    let printed = cluster.blocks.iter_mut().filter(|block| !block.state.output.is_empty());
    let printed: Vec<_> = printed
        .map(|block| ((number, block.state.rank), std::mem::take(&mut block.state.output)))
        .collect();
    if printed.is_empty() && fault.is_none() {
        return true;
    }
    let mut outcome = shared.outcome.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    outcome.output.extend(printed);
    if let Some(fault) = fault
        && outcome.fault.as_ref().is_none_or(|(other, _)| number < *other)
    {
        if !matches!(fault.kind, FaultKind::Steps(_)) {
            shared.hurry.store(true, Ordering::Relaxed);
        }
        shared.limit.fetch_min(number, Ordering::Relaxed);
        outcome.fault = Some((number, fault));
    }
    true
}
