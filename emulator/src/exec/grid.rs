//! Launches: blocks on a pool of threads.

use super::block::{Block, Progress};
use super::fault::{Fault, FaultKind};
use super::program::{Function, Program};
use crate::memory::Memory;
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
    /// Index of the kernel.
    pub(crate) entry: u32,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
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
    /// Number of the launch, `%gridid`.
    pub(crate) number: u64,
}

impl Launch<'_> {
    pub(crate) fn function(&self) -> &Function {
        &self.program.functions[self.entry as usize]
    }

    /// Threads of a block.
    pub(crate) fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Offset of dynamic shared memory from the start of shared memory.
    pub(crate) fn dynamic_start(&self) -> u32 {
        self.function().static_shared.next_multiple_of(16)
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
    next: AtomicU64,
    blocks: u64,
    /// No block from here on need run: an earlier one failed.
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
    fault: Option<(u64, Box<Fault>)>,
    output: Vec<(u64, Vec<u8>)>,
}

/// Runs a kernel to its end; what it prints goes to `out`, in the order of blocks.
///
/// # Errors
/// The fault of the first block that has one.
pub(crate) fn run(launch: &Launch<'_>, out: &mut dyn Write) -> Result<(), Box<Fault>> {
    let blocks = launch.grid.iter().map(|&count| u64::from(count)).product();
    let shared = Shared {
        next: AtomicU64::new(0),
        blocks,
        limit: AtomicU64::new(u64::MAX),
        ended: AtomicU64::new(u64::MAX),
        hurry: AtomicBool::new(false),
        outcome: Mutex::default(),
        start: Instant::now(),
        told: AtomicBool::new(false),
    };
    let count = workers().min(usize::try_from(blocks).unwrap_or(usize::MAX));
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
    outcome.output.sort_by_key(|(block, _)| *block);
    let limit = outcome.fault.as_ref().map_or(u64::MAX, |(block, _)| *block);
    for (_, text) in outcome.output.iter().filter(|(block, _)| *block <= limit) {
        // Nothing sensible can be done when standard output is closed.
        let _ = out.write_all(text);
    }
    outcome.fault.map_or(Ok(()), |(_, fault)| Err(fault))
}

/// Takes blocks and runs them. A block that goes on for long is set aside for others, since it may wait
/// for one of them; those set aside take turns.
fn work(launch: &Launch<'_>, shared: &Shared) {
    let mut aside: Vec<Block> = Vec::new();
    let mut spare = Some(Block::new());
    let mut patience = PATIENCE;
    let most = if launch.is_cooperative() { usize::MAX } else { RESIDENT };
    loop {
        // Twice as many as did not finish last time, so that blocks that wait for others soon run
        // together with them.
        for _ in 0..aside.len().max(1).min(most - aside.len()) {
            let linear = shared.next.fetch_add(1, Ordering::Relaxed);
            if linear >= shared.blocks || linear >= shared.limit.load(Ordering::Relaxed) {
                break;
            }
            let mut block = spare.take().unwrap_or_else(Block::new);
            block.reset(launch, linear);
            aside.push(block);
        }
        if shared.hurry.load(Ordering::Relaxed) {
            patience = patience.saturating_sub(1);
        }
        if aside.is_empty() || patience == 0 {
            return;
        }
        let oldest = aside.iter().map(|block| block.linear).min();
        let turns_of_all = TURNS * aside.len() as u32;
        let mut index = 0;
        while index < aside.len() {
            let block = &mut aside[index];
            let long = launch.steps.is_some_and(|steps| block.state.steps > steps / LONG);
            let turns = if long && Some(block.linear) == oldest { turns_of_all } else { TURNS };
            let over = block.linear >= shared.limit.load(Ordering::Relaxed)
                || finish(advance(launch, block, turns, shared), block, shared);
            shared.tell(launch);
            if over {
                spare = Some(aside.swap_remove(index));
            } else {
                index += 1;
            }
        }
    }
}

/// Runs a block, unless it waits for one that has ended.
fn advance(launch: &Launch<'_>, block: &mut Block, turns: u32, shared: &Shared) -> Progress {
    if launch.is_cooperative() {
        let ended = shared.ended.load(Ordering::SeqCst);
        // In this order: a block that has ended has left the barrier complete, unless others wait in vain.
        if ended != u64::MAX
            && launch.waits_for_grid()
            && let Some(fault) = block.at_random(launch, FaultKind::GridBarrier { ended })
        {
            return Progress::Failed(Box::new(fault));
        }
    }
    let progress = block.run(launch, turns);
    if let Progress::Done = progress {
        shared.ended.store(block.linear, Ordering::SeqCst);
    }
    progress
}

/// Notes what a block printed and how it ended; `false` when it still runs.
fn finish(progress: Progress, block: &mut Block, shared: &Shared) -> bool {
    if let Progress::Running = progress {
        return false;
    }
    let text = std::mem::take(&mut block.state.output);
    let fault = if let Progress::Failed(fault) = progress { Some(fault) } else { None };
    if text.is_empty() && fault.is_none() {
        return true;
    }
    let mut outcome = shared.outcome.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if !text.is_empty() {
        outcome.output.push((block.linear, text));
    }
    if let Some(fault) = fault
        && outcome.fault.as_ref().is_none_or(|(other, _)| block.linear < *other)
    {
        if !matches!(fault.kind, FaultKind::Steps(_)) {
            shared.hurry.store(true, Ordering::Relaxed);
        }
        shared.limit.fetch_min(block.linear, Ordering::Relaxed);
        outcome.fault = Some((block.linear, fault));
    }
    true
}
