//! Warps, and how their lanes diverge and reconverge.
//!
//! A warp's lanes run in *splits*: sets of lanes at one place. A divergent branch makes several splits
//! and a *join* at the branch's immediate post-dominator, which counts the splits that still have to
//! arrive; the last arrival merges them into one split. A call is a join, too, so lanes that return at
//! different times reconverge after the call. One split runs at a time; when its time slice ends, or when
//! it waits, another goes on, so lanes may wait for each other. Joins only matter for speed: their lanes
//! go on without the others when nothing else can, or when that takes long.

use super::context::{Context, Flow, Stop};
use super::ops::tensor::wgmma::Work;
use super::products::Products;
use super::program::{Line, NONE, SLACK};
use crate::memory::UNWRITTEN;

/// Lanes at one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Split {
    pub(crate) pc: usize,
    pub(crate) mask: u32,
    pub(crate) scope: Scope,
}

/// The part of a split's state that it shares with the splits it divides into.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scope {
    /// Function that runs.
    pub(crate) function: u32,
    /// Its registers, an index into [`Warp::frames`].
    pub(crate) frame: u32,
    /// Offset of its frame in local memory.
    pub(crate) local: u32,
    /// Where the lanes meet others next, an index into [`Warp::joins`], or [`NONE`].
    pub(crate) join: u32,
}

/// A place where splits meet.
#[derive(Clone, Debug)]
pub(crate) struct Join {
    pub(crate) pc: usize,
    pub(crate) arrived: u32,
    /// Splits and joins whose lanes may still arrive here.
    pub(crate) pending: u32,
    /// State of the split that goes on here.
    pub(crate) scope: Scope,
    /// The call that this join follows, as an index into the caller's calls, or [`NONE`].
    pub(crate) call: u32,
    /// The callee's frame, which is free when the call is over.
    callee: u32,
}

/// What a parked split waits for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wait {
    /// A barrier of the block; the generation that it arrived in, and where a reduction's result goes.
    Barrier { id: u32, generation: u64, result: u32, kind: u8 },
    /// A phase of an mbarrier: its address, its parity, the predicate that says whether it is complete in the
    /// lanes that ask, and whether the wait has reached its time limit. The split waits at its instruction.
    Phase { address: u64, parity: u32, result: u32, lanes: u32, over: bool },
    /// Other lanes of the warp: those of `members`. At a barrier they only wait.
    Lanes { members: u32, barrier: bool },
    /// The barrier of the cluster.
    Cluster,
}

impl Wait {
    /// How many instructions the split is behind the one at which it waits.
    pub(crate) fn is_behind(self) -> usize {
        match self {
            Wait::Barrier { .. } | Wait::Cluster => 1,
            Wait::Lanes { .. } | Wait::Phase { .. } => 0,
        }
    }
}

/// Up to 32 threads that run together.
#[derive(Default)]
pub(crate) struct Warp {
    /// Index within the block.
    pub(crate) index: u32,
    /// The lanes that exist.
    pub(crate) lanes: u32,
    /// The lanes that have not exited.
    pub(crate) live: u32,
    /// The carry of each lane.
    pub(crate) carry: u32,
    /// The running split's scope.
    pub(crate) current: Scope,
    pub(crate) ready: Vec<Split>,
    pub(crate) parked: Vec<(Split, Wait)>,
    joins: Vec<Join>,
    free_joins: Vec<u32>,
    frames: Vec<Vec<Line>>,
    free_frames: Vec<u32>,
    /// The lanes' stack pointers in each frame that has moved them.
    stacks: Vec<Option<Box<[u32; 32]>>>,
    /// Local memory: words of all lanes side by side.
    pub(crate) local: Vec<[u32; 32]>,
    /// Products of matrices that have been started.
    pub(crate) products: Products<Work>,
    /// Calls that have not returned.
    pub(crate) depth: u32,
    /// Time slices that ended, counted to [`PATIENCE`].
    slices: u32,
}

/// How many time slices lanes wait to reconverge with others. Those may be spinning until these go on,
/// as when one lane of a warp holds a lock that the others want.
const PATIENCE: u32 = 64;

impl Default for Scope {
    fn default() -> Self {
        Scope { function: 0, frame: 0, local: 0, join: NONE }
    }
}

/// Offset of the first byte of local memory: lower addresses are null pointers in disguise.
pub(crate) const LOCAL_START: u32 = 16;
/// Bytes of local memory a thread may use.
pub(crate) const LOCAL_LIMIT: u32 = 512 << 10;

impl Warp {
    /// Starts anew at the entry of `function`.
    pub(crate) fn reset(
        &mut self,
        index: u32,
        lanes: u32,
        function: u32,
        launch_frame: u32,
        local: u32,
    ) {
        self.index = index;
        self.lanes = lanes;
        self.live = lanes;
        self.carry = 0;
        self.ready.clear();
        self.parked.clear();
        self.joins.clear();
        self.free_joins.clear();
        self.free_frames.clear();
        self.free_frames.extend(0..self.frames.len() as u32);
        self.products.reset();
        self.depth = 0;
        self.slices = 0;
        self.local.clear();
        if local > 0 {
            self.grow_local(LOCAL_START + local);
        }
        let frame = self.allocate_frame(launch_frame);
        let scope = Scope { function, frame, local: LOCAL_START, join: NONE };
        self.ready.push(Split { pc: 0, mask: lanes, scope });
    }

    /// Makes sure that local memory reaches to byte `top`.
    pub(crate) fn grow_local(&mut self, top: u32) {
        let words = top.div_ceil(4) as usize;
        if self.local.len() < words {
            self.local.resize(words, [UNWRITTEN as u32; 32]);
        }
    }

    /// A frame of at least `bytes`. Its registers have arbitrary values, as on a GPU.
    pub(crate) fn allocate_frame(&mut self, bytes: u32) -> u32 {
        let lines = bytes.div_ceil(64) as usize + SLACK;
        let index = self.free_frames.pop().unwrap_or_else(|| {
            self.frames.push(Vec::new());
            self.frames.len() as u32 - 1
        });
        let frame = &mut self.frames[index as usize];
        if frame.len() < lines {
            frame.resize(lines, Line([0; 8]));
        }
        if let Some(stack) = self.stacks.get_mut(index as usize) {
            *stack = None;
        }
        index
    }

    /// Where a register of a frame is, if the frame is in use.
    pub(crate) fn register(&mut self, frame: u32, register: u32) -> Option<*mut u8> {
        if self.free_frames.contains(&frame) {
            return None;
        }
        let lines = self.frames.get_mut(frame as usize)?;
        Some(lines.as_mut_ptr().cast::<u8>().wrapping_add(register as usize))
    }

    fn allocate_join(&mut self, join: Join) -> u32 {
        if let Some(index) = self.free_joins.pop() {
            self.joins[index as usize] = join;
            return index;
        }
        self.joins.push(join);
        self.joins.len() as u32 - 1
    }

    /// One split or join fewer will arrive at `join`. Its lanes go on if it was the last.
    fn one_less_pending(&mut self, mut index: u32) {
        while index != NONE {
            let join = &mut self.joins[index as usize];
            join.pending -= 1;
            if join.pending > 0 {
                return;
            }
            let split = Split { pc: join.pc, mask: join.arrived, scope: join.scope };
            if join.call != NONE {
                self.free_frames.push(join.callee);
                self.depth -= 1;
            }
            self.joins[index as usize].arrived = 0;
            self.free_joins.push(index);
            if split.mask != 0 {
                self.ready.push(split);
                return;
            }
            index = split.scope.join;
        }
    }

    /// A split divides into `parts` with the same scope.
    pub(crate) fn parted(&mut self, scope: Scope, parts: u32) {
        if scope.join != NONE {
            self.joins[scope.join as usize].pending += parts - 1;
        }
    }

    /// Lets the lanes of joins that hold some of `wanted` go on without those that have not come yet;
    /// `false` when there are none.
    pub(crate) fn release_held(&mut self, wanted: u32) -> bool {
        let mut released = false;
        for index in 0..self.joins.len() {
            let join = &mut self.joins[index];
            if join.arrived & wanted == 0 {
                continue;
            }
            let mask = std::mem::take(&mut join.arrived);
            let split = Split { pc: join.pc, mask, scope: join.scope };
            // The join itself still stands for those to come.
            self.parted(split.scope, 2);
            self.ready.push(split);
            released = true;
        }
        released
    }

    /// Whether all lanes have exited.
    pub(crate) fn finished(&self) -> bool {
        self.live == 0
    }
}

impl Context<'_> {
    /// Where local memory ends that lanes of the running frame use.
    pub(crate) fn local_end(&self) -> u32 {
        let end = self.warp.current.local + self.function().local_size;
        match self.warp.stacks.get(self.warp.current.frame as usize) {
            Some(Some(tops)) => tops.iter().fold(end, |end, &top| end.max(top)),
            _ => end,
        }
    }

    /// The lanes' stack pointers in the running frame, by offset in local memory.
    pub(crate) fn stack_pointers(&mut self) -> &mut [u32; 32] {
        let end = self.warp.current.local + self.function().local_size;
        let (stacks, frame) = (&mut self.warp.stacks, self.warp.current.frame as usize);
        if stacks.len() <= frame {
            stacks.resize_with(frame + 1, || None);
        }
        stacks[frame].get_or_insert_with(|| Box::new([end; 32]))
    }

    /// Makes `split` the running one.
    pub(crate) fn resume(&mut self, split: Split) {
        self.pc = split.pc;
        self.mask = split.mask;
        self.warp.current = split.scope;
        let frame = self.warp.frames[split.scope.frame as usize].as_mut_ptr().cast();
        self.enter(split.scope.function, frame);
    }

    /// The running split, to be resumed later.
    pub(crate) fn suspend(&self) -> Split {
        Split { pc: self.pc, mask: self.mask, scope: self.warp.current }
    }

    /// Goes on with another split of the warp, or stops when there is none.
    pub(crate) fn next_split(&mut self) -> Flow {
        match self.warp.ready.pop() {
            Some(split) => {
                self.resume(split);
                Flow::Next
            }
            None if !self.warp.parked.is_empty() && self.release_wanted() => self.next_split(),
            None => {
                self.stop = Stop::Blocked;
                Flow::Stop
            }
        }
    }

    /// Counts a jump backwards of `length` instructions; may end the time slice.
    #[inline(always)]
    pub(crate) fn spend(&mut self, length: usize) -> Flow {
        self.fuel -= length as i64;
        if self.fuel >= 0 { Flow::Next } else { self.preempt() }
    }

    /// Lets other warps run, for an instruction that looks whether something has happened. It counts as
    /// `cost` instructions.
    pub(crate) fn give_way(&mut self, cost: i64) -> Flow {
        self.fuel -= cost;
        self.preempt()
    }

    #[cold]
    #[inline(never)]
    fn preempt(&mut self) -> Flow {
        let split = self.suspend();
        self.warp.ready.insert(0, split);
        self.warp.slices += 1;
        if self.warp.slices == PATIENCE {
            self.warp.slices = 0;
            self.warp.release_held(u32::MAX);
        }
        self.stop = Stop::Preempted;
        Flow::Stop
    }

    /// The running lanes diverge: each target is a place and its lanes. They reconverge at `meet`, or,
    /// if that is [`NONE`], where the running split would have reconverged with others.
    pub(crate) fn diverge(&mut self, targets: &[(usize, u32)], meet: u32) -> Flow {
        let scope = self.warp.current;
        let count = targets.len() as u32;
        let same = scope.join != NONE && {
            let join = &self.warp.joins[scope.join as usize];
            join.call == NONE && join.scope.frame == scope.frame && join.pc == meet as usize
        };
        let join = if meet == NONE || same {
            self.warp.parted(scope, count);
            scope.join
        } else {
            let pc = meet as usize;
            let (arrived, pending) = (0, count);
            self.warp.allocate_join(Join { pc, arrived, pending, scope, call: NONE, callee: NONE })
        };
        let scope = Scope { join, ..scope };
        for &(pc, mask) in targets {
            if meet != NONE && pc == meet as usize {
                self.warp.joins[join as usize].arrived |= mask;
                self.warp.one_less_pending(join);
            } else {
                self.warp.ready.push(Split { pc, mask, scope });
            }
        }
        self.next_split()
    }

    /// The running split has reached a place where lanes may reconverge.
    pub(crate) fn meet(&mut self, pc: usize) -> Flow {
        let index = self.warp.current.join;
        if index != NONE {
            let join = &mut self.warp.joins[index as usize];
            let here = join.pc == pc && join.call == NONE;
            if here && join.scope.frame == self.warp.current.frame {
                join.arrived |= self.mask;
                self.warp.one_less_pending(index);
                return self.next_split();
            }
        }
        Flow::Next
    }

    /// The running lanes call a function with a frame of its own and local memory at `local`.
    pub(crate) fn push_call(&mut self, function: u32, local: u32, call: u32) {
        let scope = self.warp.current;
        let size = self.launch.program.functions[function as usize].frame_size;
        let frame = self.warp.allocate_frame(size);
        let join = Join { pc: self.pc, arrived: 0, pending: 1, scope, call, callee: frame };
        let join = self.warp.allocate_join(join);
        self.warp.depth += 1;
        let mask = self.mask;
        self.resume(Split { pc: 0, mask, scope: Scope { function, frame, local, join } });
    }

    /// The join after the call of the running function.
    pub(crate) fn caller(&self) -> Option<Join> {
        let mut index = self.warp.current.join;
        while index != NONE {
            let join = &self.warp.joins[index as usize];
            if join.call != NONE {
                return Some(join.clone());
            }
            index = join.scope.join;
        }
        None
    }

    /// Lanes of `mask` return to their caller.
    pub(crate) fn pop_call(&mut self, mask: u32) -> Flow {
        let mut index = self.warp.current.join;
        while index != NONE && self.warp.joins[index as usize].call == NONE {
            index = self.warp.joins[index as usize].scope.join;
        }
        if index != NONE {
            self.warp.joins[index as usize].arrived |= mask;
        }
        self.leave(mask)
    }

    /// Lanes of `mask` exit.
    pub(crate) fn exit_lanes(&mut self, mask: u32) -> Flow {
        self.warp.live &= !mask;
        self.block.exited(self.warp.index, mask);
        let flow = self.leave(mask);
        self.release_lanes(flow)
    }

    /// Lanes of `mask` leave the running split.
    fn leave(&mut self, mask: u32) -> Flow {
        self.mask &= !mask;
        if self.mask != 0 {
            return Flow::Next;
        }
        self.warp.one_less_pending(self.warp.current.join);
        self.next_split()
    }

    /// Merges splits at the same place with the same scope.
    pub(crate) fn merge(&mut self, splits: &mut Vec<Split>) {
        let mut merged: Vec<Split> = Vec::with_capacity(splits.len());
        for split in splits.drain(..) {
            match merged.iter_mut().find(|s| s.pc == split.pc && s.scope == split.scope) {
                Some(other) => {
                    other.mask |= split.mask;
                    if split.scope.join != NONE {
                        self.warp.joins[split.scope.join as usize].pending -= 1;
                    }
                }
                None => merged.push(split),
            }
        }
        *splits = merged;
    }
}
