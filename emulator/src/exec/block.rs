//! Blocks: their warps in turn, shared memory and barriers.

use super::context::{Context, Stop};
use super::fault::{Fault, FaultKind};
use super::grid::Launch;
use super::program::Line;
use super::warp::{Wait, Warp};
use crate::memory::{SHARED_WINDOW, Span};

/// Instructions of a warp before another warp has its turn.
const SLICE: i64 = 1 << 16;
/// Offset of the first byte of shared memory: hardware of this compute capability reserves as much.
pub(crate) const SHARED_START: u32 = 1024;
/// Barriers of a block.
pub(crate) const BARRIERS: usize = 16;
/// Entries of the cache of recently used allocations.
const CACHE: usize = 64;

/// A barrier of a block (PTX ISA, section 9.7.13.1).
#[derive(Clone, Copy, Default)]
pub(crate) struct Barrier {
    /// Threads that arrived.
    arrived: u32,
    /// The same, each warp's missing lanes counted as arrived with its first thread.
    padded: u32,
    /// Threads the barrier waits for, when the program says so.
    expected: Option<u32>,
    /// Times it was completed.
    pub(crate) generation: u64,
    /// Threads whose predicate was true.
    votes: u32,
    /// Results of the last completion: count, all, any.
    pub(crate) results: [u32; 3],
}

/// What the warps of a block share.
pub(crate) struct BlockState {
    /// Block index: x, y, z.
    pub(crate) index: [u32; 3],
    /// Shared memory, from offset [`SHARED_START`].
    shared: Vec<Line>,
    pub(crate) shared_size: u32,
    /// Threads that have not exited.
    live: u32,
    pub(crate) barriers: [Barrier; BARRIERS],
    /// What the block printed.
    pub(crate) output: Vec<u8>,
    /// Recently used memory, by instruction. It stays valid for the blocks of one launch: allocations that a
    /// kernel frees keep their bytes until it ends, and shared memory does not move.
    pub(crate) cache: [Span; CACHE],
    /// Instructions that the block has run, roughly.
    pub(crate) steps: i64,
}

impl BlockState {
    fn new() -> Self {
        BlockState {
            index: [0; 3],
            shared: Vec::new(),
            shared_size: 0,
            live: 0,
            barriers: [Barrier::default(); BARRIERS],
            output: Vec::new(),
            cache: [Span::EMPTY; CACHE],
            steps: 0,
        }
    }

    /// The block's shared memory, at its generic addresses.
    pub(crate) fn shared(&mut self) -> Span {
        Span {
            base: SHARED_WINDOW + u64::from(SHARED_START),
            size: u64::from(self.shared_size),
            data: self.shared.as_mut_ptr().cast(),
            writable: true,
        }
    }

    /// `threads` threads have exited: they count as arrived everywhere.
    pub(crate) fn exited(&mut self, threads: u32) {
        self.live -= threads;
        for id in 0..BARRIERS {
            if self.barriers[id].arrived > 0 {
                self.complete(id);
            }
        }
    }

    /// Threads arrive at a barrier; `true` when it is complete.
    pub(crate) fn arrive(&mut self, id: usize, arrival: Arrival) -> Result<bool, FaultKind> {
        let barrier = &mut self.barriers[id];
        if barrier.arrived > 0 && barrier.expected != arrival.expected {
            return Err(FaultKind::BarrierCount { id: id as u32 });
        }
        barrier.expected = arrival.expected;
        barrier.arrived += arrival.threads;
        barrier.padded += arrival.threads + arrival.missing;
        barrier.votes += arrival.votes;
        Ok(self.complete(id))
    }

    fn complete(&mut self, id: usize) -> bool {
        let barrier = &mut self.barriers[id];
        let done = match barrier.expected {
            None => barrier.arrived >= self.live,
            Some(expected) => barrier.padded >= expected,
        };
        if done {
            let (votes, arrived) = (barrier.votes, barrier.arrived);
            barrier.results = [votes, u32::from(votes == arrived), u32::from(votes > 0)];
            barrier.generation += 1;
            (barrier.arrived, barrier.padded, barrier.votes) = (0, 0, 0);
        }
        done
    }
}

/// Threads of one warp that arrive at a barrier.
pub(crate) struct Arrival {
    pub(crate) threads: u32,
    /// Lanes of the warp that will never arrive, counted with its lowest lane.
    pub(crate) missing: u32,
    /// Threads whose predicate is true.
    pub(crate) votes: u32,
    /// Threads the barrier waits for; `None` for all that have not exited.
    pub(crate) expected: Option<u32>,
}

/// How far a block has come.
pub(crate) enum Progress {
    Done,
    /// It has used up its turn.
    Running,
    Failed(Box<Fault>),
}

/// A block that runs.
pub(crate) struct Block {
    pub(crate) state: BlockState,
    warps: Vec<Warp>,
    pub(crate) linear: u64,
}

impl Block {
    pub(crate) fn new() -> Self {
        Block { state: BlockState::new(), warps: Vec::new(), linear: 0 }
    }

    /// Makes it the block of the given index, about to start.
    pub(crate) fn reset(&mut self, launch: &Launch<'_>, linear: u64) {
        let function = launch.function();
        let threads = launch.threads();
        let [x, y, _] = launch.grid.map(u64::from);
        let state = &mut self.state;
        state.index = [(linear % x) as u32, (linear / x % y) as u32, (linear / (x * y)) as u32];
        self.linear = linear;
        state.shared_size = launch.shared_size();
        state.shared.clear();
        state.shared.resize(state.shared_size.div_ceil(64) as usize, Line([0; 8]));
        state.live = threads;
        state.barriers = [Barrier::default(); BARRIERS];
        state.output.clear();
        state.steps = 0;
        self.warps.resize_with(threads.div_ceil(32) as usize, Warp::default);
        for (index, warp) in self.warps.iter_mut().enumerate() {
            let rest = threads - index as u32 * 32;
            let lanes = if rest >= 32 { u32::MAX } else { (1 << rest) - 1 };
            warp.reset(index as u32, lanes, launch.entry, function.frame_size, function.local_size);
        }
    }

    /// Runs until the block is done, fails, or has had `turns` turns of all its warps.
    pub(crate) fn run(&mut self, launch: &Launch<'_>, turns: u32) -> Progress {
        for _ in 0..turns {
            let (mut moved, mut alive) = (false, false);
            for warp in &mut self.warps {
                if warp.finished() {
                    continue;
                }
                alive = true;
                let mut context = Context::new(warp, &mut self.state, launch, SLICE);
                context.wake();
                let Some(split) = context.warp.ready.pop() else { continue };
                moved = true;
                context.resume(split);
                context.run();
                let used = SLICE - context.fuel;
                context.block.steps += used;
                if let Stop::Fault(kind, lane) = std::mem::replace(&mut context.stop, Stop::Blocked)
                {
                    return Progress::Failed(Box::new(Fault::new(&context, kind, lane)));
                }
            }
            if !alive {
                return Progress::Done;
            }
            if !moved {
                return Progress::Failed(Box::new(self.deadlock(launch)));
            }
            if launch.steps.is_some_and(|steps| self.state.steps > steps) {
                return Progress::Failed(Box::new(self.endless(launch)));
            }
        }
        Progress::Running
    }

    /// Why no thread can go on.
    fn deadlock(&mut self, launch: &Launch<'_>) -> Fault {
        let mut waiting = Vec::new();
        for warp in &self.warps {
            for (split, wait) in &warp.parked {
                let function = &launch.program.functions[split.scope.function as usize];
                let pc = match wait {
                    Wait::Barrier { .. } => split.pc - 1,
                    Wait::Lanes { .. } => split.pc,
                };
                waiting.push((function, pc, split.mask.count_ones()));
            }
        }
        let first = self.warps.iter_mut().find(|warp| !warp.parked.is_empty());
        let text = super::fault::deadlock(launch, &waiting);
        let Some(warp) = first else { return Fault::bare(FaultKind::Deadlock(text)) };
        let (split, wait) = warp.parked[0];
        let mut context = Context::new(warp, &mut self.state, launch, 0);
        context.resume(split);
        if let Wait::Barrier { .. } = wait {
            context.pc -= 1;
        }
        Fault::new(&context, FaultKind::Deadlock(text), split.mask.trailing_zeros())
    }

    fn endless(&mut self, launch: &Launch<'_>) -> Fault {
        let kind = FaultKind::Steps(launch.steps.unwrap_or(0));
        for warp in &mut self.warps {
            if let Some(&split) = warp.ready.first() {
                let mut context = Context::new(warp, &mut self.state, launch, 0);
                context.resume(split);
                return Fault::new(&context, kind, split.mask.trailing_zeros());
            }
        }
        Fault::bare(kind)
    }
}

impl Context<'_> {
    /// Makes the splits ready whose barriers are complete.
    pub(crate) fn wake(&mut self) {
        let parked = self.warp.parked.len();
        let mut index = 0;
        while index < self.warp.parked.len() {
            let (split, wait) = self.warp.parked[index];
            let Wait::Barrier { id, generation, result, kind } = wait else {
                index += 1;
                continue;
            };
            let barrier = self.block.barriers[id as usize];
            if barrier.generation == generation {
                index += 1;
                continue;
            }
            self.warp.parked.swap_remove(index);
            self.resume(split);
            self.barrier_result(split.mask, result, kind, barrier.results);
            self.warp.ready.push(split);
        }
        if self.warp.parked.len() < parked && self.warp.ready.len() > 1 {
            let mut ready = std::mem::take(&mut self.warp.ready);
            self.merge(&mut ready);
            self.warp.ready = ready;
        }
    }
}
