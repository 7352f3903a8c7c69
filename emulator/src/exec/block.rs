//! Blocks: their warps in turn, shared memory and barriers.

use super::clock::Clock;
use super::cluster::Meeting;
use super::context::{Context, Stop};
use super::copies::Copies;
use super::fault::{Fault, FaultKind};
use super::grid::Launch;
use super::overlap::Order;
use super::products::Warpgroup;
use super::program::{Function, Line, Program};
use super::proxy::Unfenced;
use super::warp::{Split, Wait, Warp};
use crate::memory::{PARAM_WINDOW, SHARED_WINDOW, Span, UNWRITTEN, WINDOW_SIZE, WORD};
use crate::settings::settings;
use std::sync::atomic::Ordering;

/// Offset of the first byte of shared memory: hardware of this compute capability reserves as much.
pub(crate) const SHARED_START: u32 = 1024;
/// Bytes that a launch may print. They are kept until it ends, since they appear in the order of blocks.
pub(crate) const MAX_OUTPUT: u64 = 64 << 20;
/// Barriers of a block.
pub(crate) const BARRIERS: usize = 16;
/// The most warps of a block.
const WARPS: usize = 32;
/// How often in succession the time limits of all threads that wait for mbarriers may run out while nothing
/// else happens in the block: then it never will.
const TIMEOUTS: u32 = 10_000;
/// Entries of the cache of recently used allocations.
const CACHE: usize = 64;

/// A barrier of a block (PTX ISA, section 9.7.13.1).
#[derive(Clone, Copy, Default)]
pub(crate) struct Barrier {
    /// Threads that arrived.
    arrived: u32,
    /// The same, but counting exited lanes of warps that have a thread here: a barrier with a thread count
    /// counts warps.
    padded: u32,
    /// Threads the barrier waits for, when the program says so.
    expected: Option<u32>,
    /// Times it was completed.
    pub(crate) generation: u64,
    /// Threads whose predicate was true.
    votes: u32,
    /// Results of the last completion: count, all, any.
    pub(crate) results: [u32; 3],
    /// When that was, by the block's clock.
    time: u32,
}

/// What the warps of a block share.
pub(crate) struct BlockState {
    /// Block index: x, y, z.
    pub(crate) index: [u32; 3],
    /// Its number in the cluster.
    pub(crate) rank: u32,
    /// The blocks of the cluster by rank, if it has several: see [`super::cluster::Cluster::run`].
    pub(super) peers: Vec<*mut BlockState>,
    /// Whether the block is over.
    pub(super) ended: bool,
    /// Who is at the barrier of the cluster.
    pub(crate) meeting: Meeting,
    /// Shared memory, from offset [`SHARED_START`].
    shared: Vec<Line>,
    pub(crate) shared_size: u32,
    /// Threads that have not exited.
    pub(super) live: u32,
    /// Threads.
    pub(super) threads: u32,
    pub(crate) barriers: [Barrier; BARRIERS],
    /// The lanes of each warp that have arrived at a barrier with a thread count.
    counted: Box<[[u32; WARPS]; BARRIERS]>,
    /// Whether any have.
    counts: bool,
    /// Asynchronous copies that are not done.
    pub(crate) copies: Copies,
    /// When its warps last synchronised with others.
    pub(crate) clock: Clock,
    /// Writes to shared memory that asynchronous operations can't see yet.
    pub(crate) unfenced: Unfenced,
    /// How far it is ordered behind earlier launches.
    pub(crate) order: Order,
    /// How far the warps of warpgroups are with their products.
    warpgroups: Vec<Warpgroup>,
    /// See [`TIMEOUTS`].
    pub(super) timeouts: u32,
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
            rank: 0,
            peers: Vec::new(),
            ended: false,
            meeting: Meeting::default(),
            shared: Vec::new(),
            shared_size: 0,
            live: 0,
            threads: 0,
            barriers: [Barrier::default(); BARRIERS],
            counted: Box::new([[0; WARPS]; BARRIERS]),
            counts: false,
            copies: Copies::default(),
            clock: Clock::default(),
            unfenced: Unfenced::default(),
            order: Order::default(),
            warpgroups: Vec::new(),
            timeouts: 0,
            output: Vec::new(),
            cache: [Span::EMPTY; CACHE],
            steps: 0,
        }
    }

    /// The warpgroup of this number.
    pub(crate) fn warpgroup(&mut self, index: usize) -> &mut Warpgroup {
        if self.warpgroups.len() <= index {
            self.warpgroups.resize_with(index + 1, Warpgroup::default);
        }
        &mut self.warpgroups[index]
    }

    /// The block's shared memory, at its generic addresses.
    pub(crate) fn shared(&mut self) -> Span {
        Span {
            base: SHARED_WINDOW + u64::from(SHARED_START),
            size: u64::from(self.shared_size),
            data: self.shared.as_mut_ptr().cast(),
            writable: true,
            private: true,
        }
    }

    /// The memory around one address that is not local, if it may be accessed.
    pub(crate) fn find(
        &mut self,
        launch: &Launch<'_>,
        address: u64,
        bytes: u64,
        write: bool,
    ) -> Option<Span> {
        let span = if address.wrapping_sub(SHARED_WINDOW) < WINDOW_SIZE {
            let (block, own) = self.home(address)?;
            let span = block.shared();
            Span { base: span.base + (address - own), ..span }
        } else if address.wrapping_sub(PARAM_WINDOW) < WINDOW_SIZE {
            let params = &launch.params;
            let (size, data) = (params.len() as u64, params.as_ptr() as *mut u8);
            // Several threads run blocks of the launch, but none writes its parameters.
            Span { base: PARAM_WINDOW, size, data, writable: false, private: true }
        } else {
            launch.span(address, bytes)?
        };
        (span.holds(address, bytes) && (span.writable || !write)).then_some(span)
    }

    /// As [`find`](Self::find), for writing, with all of the memory's last word, of which it may have a part only.
    pub(crate) fn find_word(&mut self, launch: &Launch<'_>, address: u64) -> Option<Span> {
        let span = if address.wrapping_sub(SHARED_WINDOW) < WINDOW_SIZE {
            let span = self.shared();
            if !span.holds(address, 1) {
                return None;
            }
            // Shared memory is kept in larger units.
            Span { size: span.size.next_multiple_of(WORD), ..span }
        } else {
            launch.word(address)?
        };
        (span.holds(address, WORD) && span.writable).then_some(span)
    }

    /// The lanes of `mask` have exited: no barrier waits for them.
    pub(crate) fn exited(&mut self, warp: u32, mask: u32) {
        self.live -= mask.count_ones();
        self.meeting.leave(warp, mask);
        self.perhaps_met();
        for id in 0..BARRIERS {
            if self.barriers[id].arrived > 0 {
                let here = self.counted[id][warp as usize];
                if here != 0 {
                    self.barriers[id].padded += (mask & !here).count_ones();
                }
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
        barrier.arrived += arrival.lanes.count_ones();
        if arrival.expected.is_some() {
            let here = &mut self.counted[id][arrival.warp as usize];
            let absent = if *here == 0 { arrival.exited } else { 0 };
            barrier.padded += arrival.lanes.count_ones() + absent;
            *here |= arrival.lanes;
            self.counts = true;
        }
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
            barrier.time = self.clock.tick();
            (barrier.arrived, barrier.padded, barrier.votes) = (0, 0, 0);
            if barrier.expected.is_some() {
                self.counted[id] = [0; WARPS];
            }
        }
        done
    }
}

/// Threads of one warp that arrive at a barrier.
pub(crate) struct Arrival {
    pub(crate) warp: u32,
    /// Those that arrive.
    pub(crate) lanes: u32,
    /// How many lanes of the warp have exited or never existed.
    pub(crate) exited: u32,
    /// Threads whose predicate is true.
    pub(crate) votes: u32,
    /// Threads the barrier waits for; `None` for all that have not exited.
    pub(crate) expected: Option<u32>,
}

/// The progress of a block.
pub(crate) enum Progress {
    Done,
    /// It has used up its turn.
    Running,
    Failed(Box<Fault>),
}

/// What a block does in its turn.
pub(crate) enum Turn {
    /// Some thread went on, or could go on now.
    Moved,
    /// All threads wait.
    Stuck,
    /// All threads have exited.
    Done,
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
    pub(crate) fn reset(&mut self, launch: &Launch<'_>, index: [u32; 3], rank: u32) {
        let function = launch.function();
        let threads = launch.threads();
        let ([gx, gy, _], [x, y, z]) = (launch.grid.map(u64::from), index.map(u64::from));
        let linear = x + gx * (y + gy * z);
        let state = &mut self.state;
        (state.index, state.rank, state.ended) = (index, rank, false);
        state.peers.clear();
        state.meeting = Meeting::default();
        self.linear = linear;
        state.shared_size = launch.shared_size();
        state.shared.clear();
        state.shared.resize(state.shared_size.div_ceil(64) as usize, Line([UNWRITTEN; 8]));
        (state.live, state.threads) = (threads, threads);
        state.barriers = [Barrier::default(); BARRIERS];
        if std::mem::take(&mut state.counts) {
            *state.counted = [[0; WARPS]; BARRIERS];
        }
        state.copies.reset(linear, settings().seed);
        state.clock = Clock::default();
        state.unfenced.reset(launch.program.reads_asynchronously);
        state.order = Order::of(&launch.overlap);
        state.warpgroups.clear();
        state.timeouts = 0;
        state.output.clear();
        state.steps = 0;
        self.warps.resize_with(threads.div_ceil(32) as usize, Warp::default);
        for (index, warp) in self.warps.iter_mut().enumerate() {
            let rest = threads - index as u32 * 32;
            let lanes = if rest >= 32 { u32::MAX } else { (1 << rest) - 1 };
            warp.reset(index as u32, lanes, launch.entry, function.frame_size, function.local_size);
        }
    }

    /// Whether all its threads have exited.
    pub(crate) fn has_ended(&self) -> bool {
        self.state.ended
    }

    /// Gives each warp a turn.
    pub(crate) fn turn(&mut self, launch: &Launch<'_>) -> Turn {
        let (mut moved, mut alive, mut flooded) = (false, false, false);
        let mut problem = None;
        for warp in &mut self.warps {
            if warp.finished() {
                continue;
            }
            alive = true;
            problem = self.state.perhaps_advance_copies().err();
            if problem.is_some() {
                break;
            }
            let printed = self.state.output.len();
            let mut context = Context::new(warp, &mut self.state, launch, launch.slice());
            context.wake();
            let Some(split) = context.warp.ready.pop() else { continue };
            moved = true;
            context.resume(split);
            context.run();
            let used = launch.slice() - context.fuel;
            context.block.steps += used;
            let fresh = (context.block.output.len() - printed) as u64;
            let all = fresh + launch.printed.fetch_add(fresh, Ordering::Relaxed);
            if let Stop::Fault(kind, lane) = std::mem::replace(&mut context.stop, Stop::Blocked) {
                return Turn::Failed(Box::new(Fault::new(&context, kind, lane)));
            }
            if all > MAX_OUTPUT {
                flooded = true;
                break;
            }
        }
        if let Some(kind) = problem {
            return self.failed(launch, kind);
        }
        if !alive {
            return self.ended(launch);
        }
        if !moved {
            if self.state.copies.any_open() {
                if let Err(kind) = self.state.advance_copies() {
                    return self.failed(launch, kind);
                }
                moved = true;
            } else {
                moved = self.release_held();
            }
        }
        let endless = launch.steps.filter(|&steps| self.state.steps > steps);
        let kind = match endless.map(FaultKind::Steps) {
            None if flooded => Some(FaultKind::Output),
            kind => kind,
        };
        if let Some(fault) = kind.and_then(|kind| self.at_random(launch, kind)) {
            return Turn::Failed(Box::new(fault));
        }
        if moved { Turn::Moved } else { Turn::Stuck }
    }

    /// All threads have ended: what they started ends, too.
    fn ended(&mut self, launch: &Launch<'_>) -> Turn {
        launch.overlap.let_next_begin(self.state.order);
        let copies = &self.state.copies;
        let unread = copies.unread().map(FaultKind::Unread);
        if let Some(kind) = unread.or_else(|| copies.unwritten().map(FaultKind::Unwritten)) {
            return Turn::Failed(Box::new(Fault::of_block(launch, self.state.index, kind)));
        }
        if let Some((issue, warps)) = self.state.warpgroups.iter().find_map(Warpgroup::incomplete) {
            let kind = FaultKind::FewWarps { issue, warps };
            return Turn::Failed(Box::new(Fault::of_block(launch, self.state.index, kind)));
        }
        while self.state.copies.any_open() {
            if let Err(kind) = self.state.advance_copies() {
                return Turn::Failed(Box::new(Fault::of_block(launch, self.state.index, kind)));
            }
        }
        Turn::Done
    }

    /// A fault of something that no thread does at the moment.
    fn failed(&mut self, launch: &Launch<'_>, kind: FaultKind) -> Turn {
        let fault = match self.at_random(launch, kind.clone()) {
            Some(fault) => fault,
            None => Fault::of_block(launch, self.state.index, kind),
        };
        Turn::Failed(Box::new(fault))
    }

    /// The time limit of all that wait for mbarriers runs out; `false` if nobody does, or if that has happened
    /// too often.
    pub(super) fn time_out(&mut self) -> bool {
        self.state.timeouts += 1;
        if self.state.timeouts > TIMEOUTS {
            return false;
        }
        let mut any = false;
        for warp in &mut self.warps {
            for (_, wait) in &mut warp.parked {
                if let Wait::Phase { over, .. } = wait {
                    *over = true;
                    any = true;
                }
            }
        }
        any
    }

    /// Lets lanes go on that are held where they would reconverge with others, which wait; `false` if
    /// there are none.
    fn release_held(&mut self) -> bool {
        self.warps.iter_mut().fold(false, |released, warp| warp.release_held(u32::MAX) | released)
    }

    /// Where its threads wait: the function, the instruction, and how many threads.
    pub(super) fn waiting<'p>(
        &self,
        program: &'p Program,
    ) -> impl Iterator<Item = (&'p Function, usize, u32)> {
        self.warps.iter().flat_map(|warp| &warp.parked).map(|(split, wait)| {
            let function = &program.functions[split.scope.function as usize];
            (function, split.pc - wait.is_behind(), split.mask.count_ones())
        })
    }

    /// The deadlock that `text` is about, shown at the first of its threads that wait.
    pub(super) fn first_waiting(&mut self, launch: &Launch<'_>, text: &str) -> Option<Fault> {
        let warp = self.warps.iter_mut().find(|warp| !warp.parked.is_empty())?;
        let (split, wait) = warp.parked[0];
        let mut context = Context::new(warp, &mut self.state, launch, 0);
        context.resume(split);
        context.pc -= wait.is_behind();
        let kind = FaultKind::Deadlock(text.to_owned());
        Some(Fault::new(&context, kind, split.mask.trailing_zeros()))
    }

    /// A fault of the block as a whole, shown at a thread that has not exited; `None` if all have.
    pub(crate) fn at_random(&mut self, launch: &Launch<'_>, kind: FaultKind) -> Option<Fault> {
        let split = |warp: &Warp| {
            let parked = warp.parked.first().map(|(split, _)| split);
            warp.ready.first().or(parked).copied()
        };
        let (split, warp) = self.warps.iter_mut().find_map(|warp| Some((split(warp)?, warp)))?;
        let mut context = Context::new(warp, &mut self.state, launch, 0);
        context.resume(split);
        Some(Fault::new(&context, kind, split.mask.trailing_zeros()))
    }
}

impl Context<'_> {
    /// Makes the splits ready whose barriers are complete.
    pub(crate) fn wake(&mut self) {
        let parked = self.warp.parked.len();
        // Of barriers, a warp knows what came before they were complete, not what came before it goes on.
        let (mut knows, mut knows_all) = (0, false);
        let mut index = 0;
        while index < self.warp.parked.len() {
            let (split, wait) = self.warp.parked[index];
            let (id, generation, result, kind) = match wait {
                Wait::Barrier { id, generation, result, kind } => (id, generation, result, kind),
                Wait::Phase { address, parity, result, lanes, over } => {
                    let object = self.block.mbarrier(address);
                    if over {
                        self.warp.parked.swap_remove(index);
                        self.resume(split);
                        self.set_predicate(result, lanes, 0);
                        self.warp.ready.push(Split { pc: split.pc + 1, ..split });
                    } else if object.is_ok_and(|object| object.parity == parity) {
                        index += 1;
                    } else {
                        // The instruction looks again.
                        self.warp.parked.swap_remove(index);
                        self.warp.ready.push(split);
                    }
                    knows_all = true;
                    continue;
                }
                Wait::Lanes { .. } => {
                    index += 1;
                    continue;
                }
                Wait::Cluster if self.block.meeting.is_over(self.warp.index, split.mask) => {
                    self.warp.parked.swap_remove(index);
                    self.warp.ready.push(split);
                    knows_all = true;
                    continue;
                }
                Wait::Cluster => {
                    index += 1;
                    continue;
                }
            };
            let barrier = self.block.barriers[id as usize];
            if barrier.generation == generation {
                index += 1;
                continue;
            }
            knows = knows.max(barrier.time);
            self.warp.parked.swap_remove(index);
            self.resume(split);
            self.barrier_result(split.mask, result, kind, barrier.results);
            self.warp.ready.push(split);
        }
        if self.warp.parked.len() < parked {
            match knows_all {
                true => self.block.synchronise(self.warp.index),
                false => self.block.clock.learn(self.warp.index, knows),
            }
        }
        if self.warp.parked.len() < parked && self.warp.ready.len() > 1 {
            let mut ready = std::mem::take(&mut self.warp.ready);
            self.merge(&mut ready);
            self.warp.ready = ready;
        }
    }
}
