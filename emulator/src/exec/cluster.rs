//! Clusters: blocks that run together, and reach each other's shared memory (PTX ISA, "Cluster of Cooperative
//! Thread Arrays").
//!
//! One host thread runs all blocks of a cluster in turn. A launch without clusters has clusters of one block.
//!
//! An address of the cluster's shared memory is one of a block's own with a mark in its highest bits: the block's
//! rank plus 1. Without a mark it is that of the block itself, as `cvta` gives it.
//!
//! An access to the shared memory of a block that has ended is a fault. What blocks do to each other's memory
//! without a barrier in between is not looked for, apart from asynchronous copies, which mark the memory that they
//! write wherever it is. (The source of a copy to another block is not marked.)

use super::block::{Block, BlockState, Progress, Turn};
use super::clock::Waiter;
use super::fault::{Fault, FaultKind};
use super::grid::Launch;
use crate::memory::{SHARED_WINDOW, WINDOW_SIZE};

/// The lowest bit of the mark.
const MARK: u32 = 24;
/// The most blocks of a cluster.
pub(crate) const MAX_CLUSTER: u32 = 16;
/// The most warps of a block.
const WARPS: usize = 32;

/// The rank that an address of shared memory names, if it names one.
pub(crate) fn rank_of(address: u64) -> Option<u32> {
    let offset = address.wrapping_sub(SHARED_WINDOW);
    ((offset as u32) >> MARK).checked_sub(1).filter(|_| offset < WINDOW_SIZE)
}

/// The same place of shared memory in the block of this rank. The address may be generic, or an offset.
pub(crate) fn in_block(address: u64, rank: u32) -> u64 {
    without_rank(address) | u64::from(rank.wrapping_add(1) << MARK)
}

/// The address as the block knows it whose memory it is.
pub(crate) fn without_rank(address: u64) -> u64 {
    address & !u64::from(u32::MAX << MARK)
}

/// Threads of a block at the barrier of the cluster.
#[derive(Default)]
pub(crate) struct Meeting {
    /// Those that have arrived in this phase, by warp.
    arrived: [u32; WARPS],
    /// How many.
    count: u32,
    /// Those that have arrived and not waited yet.
    due: [u32; WARPS],
}

impl Meeting {
    /// Forgets threads that have exited.
    pub(super) fn leave(&mut self, warp: u32, lanes: u32) {
        let warp = warp as usize;
        self.count -= (self.arrived[warp] & lanes).count_ones();
        self.arrived[warp] &= !lanes;
        self.due[warp] &= !lanes;
    }

    /// Whether the phase is complete that these lanes arrived in.
    pub(crate) fn is_over(&self, warp: u32, lanes: u32) -> bool {
        self.arrived[warp as usize] & lanes == 0
    }
}

impl BlockState {
    /// The block of this rank in the cluster, if there is one.
    fn peer(&mut self, rank: u32) -> Option<&mut BlockState> {
        if rank == self.rank {
            return Some(self);
        }
        let peer = *self.peers.get(rank as usize)?;
        // SAFETY: `Cluster::run` has set the pointers to the blocks that it owns, of which it only uses this one
        // meanwhile; the other is a different one.
        Some(unsafe { &mut *peer })
    }

    /// The other blocks of the cluster.
    fn others(&self) -> impl Iterator<Item = *mut BlockState> {
        let own = self.rank as usize;
        self.peers.iter().enumerate().filter(move |(rank, _)| *rank != own).map(|(_, peer)| *peer)
    }

    /// Calls `f` with each other block of the cluster.
    pub(super) fn for_others(&mut self, mut f: impl FnMut(&mut BlockState)) {
        for peer in self.others() {
            // SAFETY: as in `peer`: another block than this one, and only one at a time.
            f(unsafe { &mut *peer });
        }
    }

    /// The block that an address of shared memory belongs to, and the address there. `None` if there is none, or
    /// if it has ended.
    pub(crate) fn home(&mut self, address: u64) -> Option<(&mut BlockState, u64)> {
        match rank_of(address) {
            None => Some((self, address)),
            Some(rank) => {
                let block = self.peer(rank)?;
                (block.live > 0).then_some((block, without_rank(address)))
            }
        }
    }

    /// Whether an address of shared memory is this block's own.
    pub(crate) fn owns(&self, address: u64) -> bool {
        rank_of(address).is_none_or(|rank| rank == self.rank)
    }

    /// The fault of an access to this block's shared memory, if the warp does not know that a copy which used it is done.
    pub(crate) fn too_early(
        &self,
        warp: u32,
        address: u64,
        size: u32,
        write: bool,
    ) -> Option<FaultKind> {
        if !self.owns(address) {
            return None;
        }
        let knows = |waiter| self.clock.knows_of(warp, waiter);
        let found = self.copies.unknown(without_rank(address), size.into(), write, knows);
        let (issue, written, warp) = found?;
        Some(FaultKind::Unsynchronised { address, size, write, issue, written, warp })
    }

    /// Whether an asynchronous copy is under way to any block of the cluster.
    #[inline(always)]
    pub(crate) fn any_copies(&self) -> bool {
        self.copies.any() || !self.peers.is_empty() && self.any_copies_elsewhere()
    }

    #[inline(never)]
    fn any_copies_elsewhere(&self) -> bool {
        // SAFETY: as in `peer`.
        self.others().any(|peer| unsafe { (*peer).copies.any() })
    }

    /// A thread has seen that a phase of the mbarrier is complete, or the mbarrier ends.
    pub(crate) fn observe(&mut self, address: u64, warp: u32) {
        if let Some((block, address)) = self.home(address) {
            block.copies.observe(address, Waiter { warp, time: block.clock.now() });
        }
    }

    /// Lanes of a warp arrive at the barrier of the cluster.
    pub(crate) fn arrive_in_cluster(&mut self, warp: u32, lanes: u32) -> Result<(), FaultKind> {
        let meeting = &mut self.meeting;
        if meeting.due[warp as usize] & lanes != 0 {
            return Err(FaultKind::ClusterBarrier("arrives a second time without having waited"));
        }
        meeting.due[warp as usize] |= lanes;
        meeting.arrived[warp as usize] |= lanes;
        meeting.count += lanes.count_ones();
        self.perhaps_met();
        Ok(())
    }

    /// Lanes of a warp wait at the barrier of the cluster; `true` if they need not.
    pub(crate) fn wait_in_cluster(&mut self, warp: u32, lanes: u32) -> Result<bool, FaultKind> {
        let due = &mut self.meeting.due[warp as usize];
        if *due & lanes != lanes {
            return Err(FaultKind::ClusterBarrier("waits without having arrived"));
        }
        *due &= !lanes;
        Ok(self.meeting.is_over(warp, lanes))
    }

    /// Completes the phase of the cluster's barrier if all threads have arrived that have not exited.
    pub(super) fn perhaps_met(&mut self) {
        let all_here = |state: &BlockState| state.meeting.count == state.live;
        // SAFETY: as in `peer`.
        if !all_here(self) || self.others().any(|peer| unsafe { !all_here(&*peer) }) {
            return;
        }
        for peer in self.others() {
            // SAFETY: as in `peer`.
            let meeting = unsafe { &mut (*peer).meeting };
            (meeting.arrived, meeting.count) = ([0; WARPS], 0);
        }
        (self.meeting.arrived, self.meeting.count) = ([0; WARPS], 0);
    }
}

/// Blocks that run together.
#[derive(Default)]
pub(crate) struct Cluster {
    /// By rank.
    pub(crate) blocks: Vec<Block>,
    /// Its number in the launch.
    pub(crate) number: u64,
}

impl Cluster {
    /// Makes it the cluster of this number, about to start.
    pub(crate) fn reset(&mut self, launch: &Launch<'_>, number: u64) {
        self.number = number;
        let size = launch.cluster.iter().product::<u32>();
        self.blocks.resize_with(size as usize, Block::new);
        let ([cx, cy, _], first) = (launch.cluster, launch.first_block(number));
        for (rank, block) in (0..size).zip(&mut self.blocks) {
            let within = [rank % cx, rank / cx % cy, rank / (cx * cy)];
            let index = [0, 1, 2].map(|axis| first[axis] + within[axis]);
            block.reset(launch, index, rank);
        }
    }

    /// Instructions that the longest running of its blocks has run, roughly.
    pub(crate) fn steps(&self) -> i64 {
        self.blocks.iter().map(|block| block.state.steps).max().unwrap_or(0)
    }

    /// Runs until all blocks are done, one fails, or each has had `turns` turns of all its warps.
    pub(crate) fn run(&mut self, launch: &Launch<'_>, turns: u32) -> Progress {
        let (blocks, count) = (self.blocks.as_mut_ptr(), self.blocks.len());
        if count > 1 {
            // SAFETY: all of these are blocks of this cluster.
            let state = |rank: usize| unsafe { &raw mut (*blocks.add(rank)).state };
            let states: Vec<*mut BlockState> = (0..count).map(state).collect();
            for &state in &states {
                // SAFETY: as above; nothing else uses it now.
                unsafe { (*state).peers.clone_from(&states) };
            }
        }
        for _ in 0..turns {
            let (mut moved, mut alive) = (false, false);
            for rank in 0..count {
                // SAFETY: a block of this cluster. While it runs, it reaches the others through `peers` only.
                let block = unsafe { &mut *blocks.add(rank) };
                if block.state.ended {
                    continue;
                }
                match block.turn(launch) {
                    Turn::Moved => (moved, alive) = (true, true),
                    Turn::Stuck => alive = true,
                    Turn::Done => {
                        block.state.ended = true;
                        moved = true;
                    }
                    Turn::Failed(fault) => return Progress::Failed(fault),
                }
            }
            if !alive {
                return Progress::Done;
            }
            if !moved && !self.time_out() {
                return Progress::Failed(Box::new(self.deadlock(launch)));
            }
        }
        Progress::Running
    }

    /// The time limit of all that wait for mbarriers runs out; `false` if nobody does, or if that has happened
    /// too often.
    fn time_out(&mut self) -> bool {
        let waiting = self.blocks.iter_mut().filter(|block| !block.state.ended);
        waiting.fold(false, |any, block| block.time_out() | any)
    }

    /// Why no thread can go on.
    fn deadlock(&mut self, launch: &Launch<'_>) -> Fault {
        let places: Vec<_> =
            self.blocks.iter().flat_map(|block| block.waiting(launch.program)).collect();
        let text = super::fault::deadlock(launch, &places);
        let first = self.blocks.iter_mut().find_map(|block| block.first_waiting(launch, &text));
        first.unwrap_or_else(|| Fault::bare(FaultKind::Deadlock(text)))
    }

    /// A fault of the cluster as a whole, shown at a thread that has not exited; `None` if all have.
    pub(crate) fn at_random(&mut self, launch: &Launch<'_>, kind: &FaultKind) -> Option<Fault> {
        self.blocks.iter_mut().find_map(|block| block.at_random(launch, kind.clone()))
    }
}
