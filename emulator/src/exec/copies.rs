//! Copies that go on while the threads that started them do something else (PTX ISA, "Data Movement and
//! Conversion Instructions: Asynchronous copy").
//!
//! On a GPU a copy takes place at some time between the instruction that starts it and the wait for it. Here
//! that time is a matter of chance: numbers drawn from a seed ([`crate::settings::Settings::seed`]) and the
//! block's index choose which copies of a block make progress, and when. A copy reads its source and writes its
//! destination in two steps. So a kernel that changes a source too early, or relies on an order of copies,
//! goes wrong for some seed.
//!
//! A kernel that does not wait for a copy before it accesses the destination always goes wrong: the shared memory
//! that a copy reads or writes is marked until a thread has waited for the copy, even if it is done by then,
//! and an access to marked memory is a fault. So is, from then on, an access by a warp that has not synchronised with
//! anything since the wait, if another warp has waited: the wait tells only its own thread that the copy is done (PTX ISA,
//! `cp.async.wait_group`). Whether the thread that waited took part in what the warp has synchronised with is not
//! checked, so some barriers that are missing go unnoticed.

use super::clock::Waiter;
use super::fault::FaultKind;
pub(crate) use super::issue::Issue;
use super::tile::Tile;
use crate::exec::block::{BlockState, SHARED_START};
use crate::memory::{SHARED_WINDOW, Span, relaxed};

/// Bytes of shared memory with a mark of their own: copies are multiples of it.
const GRAIN: u64 = 4;
/// Bytes of a unit that a product reads.
const READING: u32 = 16;
/// The two kinds of marks: copies that write a grain, and that read it.
const WRITES: usize = 0;
const READS: usize = 1;

/// How threads learn that their copies are done: each kind has groups of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// `cp.async`
    Small,
    /// `cp.async.bulk` with `.bulk_group`
    Bulk,
    /// `cp.async.bulk` that completes transactions of the mbarrier at this address: in no group.
    Mbarrier(u64),
}

/// An asynchronous copy.
pub(crate) struct Copy {
    pub(crate) from: Span,
    pub(crate) from_address: u64,
    pub(crate) to: Span,
    pub(crate) to_address: u64,
    /// Bytes that are written.
    pub(crate) bytes: u32,
    /// Bytes that are read; the rest is filled with zeros.
    pub(crate) filled: u32,
    pub(crate) family: Family,
    /// Where the parts of a tile lie in global memory, which is not the source or the destination alone then.
    pub(crate) tile: Option<Box<Tile>>,
    /// What is written, if it comes from registers.
    pub(crate) held: Option<Vec<u64>>,
}

enum Work {
    Copy(Moving),
    /// An arrival at the mbarrier when the thread's earlier `cp.async` are done.
    Arrive {
        address: u64,
    },
}

/// A copy that no thread has waited for.
struct Moving {
    copy: Copy,
    group: u32,
    step: Step,
    /// Whether its source is marked.
    reads: bool,
    /// The mbarriers whose phases say that it is done: several if the thread arrives at several after it.
    barriers: Vec<u64>,
}

enum Step {
    Issued,
    /// What it has read.
    Read(Vec<u64>),
    Done,
}

struct Pending {
    issue: Issue,
    /// Operations are numbered in the order of their issue.
    number: u64,
    work: Work,
}

impl Pending {
    fn is_open(&self) -> bool {
        !matches!(&self.work, Work::Copy(Moving { step: Step::Done, .. }))
    }
}

/// How far a wait lets copies go.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// Sources have been read.
    Read,
    Done,
}

/// The asynchronous operations of a block that are not done, or that no thread has waited for.
#[derive(Default)]
pub(crate) struct Copies {
    /// By warp.
    pending: Vec<Vec<Pending>>,
    count: usize,
    /// How many are not done.
    open: usize,
    issued: u64,
    /// Groups that each thread has committed, of `cp.async` and of `cp.async.bulk`.
    groups: Vec<[u32; 2]>,
    /// Units of 16 bytes of shared memory that products of matrices read, with their numbers.
    readings: Vec<(u64, Issue, Vec<u64>)>,
    /// How many copies write, and read, each grain of shared memory.
    marks: Vec<[u16; 2]>,
    /// The copies for which a thread has waited, but not all warps have synchronised with others since.
    waited: Vec<Waited>,
    /// Of each grain, the last of these that wrote it, and that read it, counted from 1.
    waited_at: Vec<[u32; 2]>,
    random: u64,
}

/// A copy for which a thread has waited.
#[derive(Clone, Copy)]
struct Waited {
    issue: Issue,
    waiter: Waiter,
}

/// How many of these copies are remembered. If there are more, some faults go unnoticed, but none is reported wrongly.
const REMEMBERED: usize = 1 << 14;

impl Copies {
    /// Forgets everything, for another block.
    pub(crate) fn reset(&mut self, block: u64, seed: u64) {
        self.random = seed ^ block.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        if self.issued == 0 && self.groups.is_empty() && self.readings.is_empty() {
            return;
        }
        self.pending.iter_mut().for_each(Vec::clear);
        (self.count, self.open, self.issued) = (0, 0, 0);
        self.groups.clear();
        self.marks.clear();
        self.readings.clear();
        self.forget_waited();
    }

    fn forget_waited(&mut self) {
        self.waited.clear();
        self.waited_at.clear();
    }

    /// Marks units that a product reads until [`Copies::end_reading`] with the number that this returns.
    pub(crate) fn start_reading(&mut self, issue: Issue, units: Vec<u64>) -> u64 {
        for &unit in &units {
            self.mark(READS, unit, READING, 1);
        }
        let number = self.issued;
        self.issued += 1;
        self.count += 1;
        self.readings.push((number, issue, units));
        number
    }

    /// A warp has waited for a product.
    pub(crate) fn end_reading(&mut self, number: u64) {
        let Some(at) = self.readings.iter().position(|(of, ..)| *of == number) else { return };
        let (.., units) = self.readings.swap_remove(at);
        for unit in units {
            self.mark(READS, unit, READING, -1);
        }
        self.count -= 1;
    }

    /// Whether memory may be marked.
    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        self.count > 0 || !self.waited.is_empty()
    }

    /// Whether any operation is not done.
    pub(crate) fn any_open(&self) -> bool {
        self.open > 0
    }

    /// A number below `bound` (the generator is SplitMix64).
    pub(crate) fn draw(&mut self, bound: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.random;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % bound.max(1) as u64) as usize
    }

    fn groups_of(&mut self, thread: u32, family: Family) -> &mut u32 {
        let thread = thread as usize;
        if self.groups.len() <= thread {
            self.groups.resize(thread + 1, [0; 2]);
        }
        &mut self.groups[thread][usize::from(family != Family::Small)]
    }

    /// `commit_group`
    pub(crate) fn commit(&mut self, thread: u32, family: Family) {
        *self.groups_of(thread, family) += 1;
    }

    fn push(&mut self, issue: Issue, work: Work) {
        let warp = issue.thread as usize / 32;
        if self.pending.len() <= warp {
            self.pending.resize_with(warp + 1, Vec::new);
        }
        let number = self.issued;
        self.pending[warp].push(Pending { issue, number, work });
        self.issued += 1;
        self.count += 1;
        self.open += 1;
    }

    /// Starts a copy. `reads` says that its source, if it is in shared memory, is this block's.
    pub(crate) fn start(&mut self, issue: Issue, mut copy: Copy, reads: bool) {
        if reads {
            self.mark(READS, copy.from_address, copy.filled, 1);
        }
        self.mark(WRITES, copy.to_address, copy.bytes, 1);
        let group = *self.groups_of(issue.thread, copy.family);
        let barriers = match copy.family {
            Family::Mbarrier(address) => vec![address],
            _ => Vec::new(),
        };
        let step = copy.held.take().map_or(Step::Issued, Step::Read);
        self.push(issue, Work::Copy(Moving { copy, group, step, reads, barriers }));
    }

    /// Lets the thread's earlier `cp.async` arrive at an mbarrier when they are done.
    pub(crate) fn arrive_after(&mut self, issue: Issue, address: u64) {
        self.push(issue, Work::Arrive { address });
    }

    /// Marks bytes, if they are in shared memory; -1 takes a mark away.
    fn mark(&mut self, kind: usize, address: u64, bytes: u32, by: i16) {
        let Some((first, last)) = grains(address, u64::from(bytes)) else { return };
        if self.marks.len() <= last {
            self.marks.resize(last + 1, [0; 2]);
        }
        for mark in &mut self.marks[first..=last] {
            mark[kind] = mark[kind].wrapping_add_signed(by);
        }
    }

    /// Whether an access to shared memory meets a copy; then where that was started and whether it writes.
    pub(crate) fn meets(&self, address: u64, bytes: u64, write: bool) -> Option<(Issue, bool)> {
        let (first, last) = grains(address, bytes)?;
        let marks = self.marks.get(first..=last.min(self.marks.len().checked_sub(1)?))?;
        let marked = |mark: &[u16; 2]| mark[WRITES] > 0 || write && mark[READS] > 0;
        if !marks.iter().any(marked) {
            return None;
        }
        let overlaps = |start: u64, size: u32| {
            size > 0 && start < address + bytes && address < start + u64::from(size)
        };
        let read = |units: &Vec<u64>| write && units.iter().any(|&unit| overlaps(unit, READING));
        let product = self.readings.iter().find(|(.., units)| read(units));
        let product = product.map(|(_, issue, _)| (*issue, false));
        let copy = self.pending.iter().flatten().find_map(|pending| {
            let Work::Copy(Moving { copy, reads, .. }) = &pending.work else { return None };
            if overlaps(copy.to_address, copy.bytes) {
                return Some((pending.issue, true));
            }
            let reads = write && *reads && overlaps(copy.from_address, copy.filled);
            reads.then_some((pending.issue, false))
        });
        copy.or(product)
    }

    /// A bulk copy of shared memory that no thread waits for, although the memory is gone when the block ends.
    pub(crate) fn unread(&self) -> Option<Issue> {
        self.pending.iter().flatten().find_map(|pending| match &pending.work {
            Work::Copy(Moving { copy, reads: true, barriers, .. }) if barriers.is_empty() => {
                is_shared(copy.from_address).then_some(pending.issue)
            }
            _ => None,
        })
    }

    /// A bulk copy into the block's shared memory that no thread waited for, although the memory is gone when the block
    /// ends. Copies into other blocks of a cluster are theirs to wait for.
    pub(crate) fn unwritten(&self) -> Option<Issue> {
        self.pending.iter().flatten().find_map(|pending| match &pending.work {
            Work::Copy(Moving { copy, .. }) if matches!(copy.family, Family::Mbarrier(_)) => {
                is_shared(copy.to_address).then_some(pending.issue)
            }
            _ => None,
        })
    }

    /// A thread has waited until a copy has read its source.
    fn free_source(&mut self, issue: Issue, moving: &mut Moving, waiter: Waiter) {
        if std::mem::take(&mut moving.reads) {
            let (address, bytes) = (moving.copy.from_address, moving.copy.filled);
            self.mark(READS, address, bytes, -1);
            self.remember(READS, address, bytes, Waited { issue, waiter });
        }
    }

    /// A thread has waited for a copy, which is done.
    fn forget(&mut self, issue: Issue, mut moving: Moving, waiter: Waiter) {
        self.free_source(issue, &mut moving, waiter);
        let (address, bytes) = (moving.copy.to_address, moving.copy.bytes);
        self.mark(WRITES, address, bytes, -1);
        self.remember(WRITES, address, bytes, Waited { issue, waiter });
        self.count -= 1;
    }

    /// Remembers who has waited for what a copy did to bytes of shared memory.
    fn remember(&mut self, kind: usize, address: u64, bytes: u32, waited: Waited) {
        let Some((first, last)) = grains(address, bytes.into()) else { return };
        if self.waited.len() == REMEMBERED {
            self.forget_waited();
        }
        self.waited.push(waited);
        let number = self.waited.len() as u32;
        if self.waited_at.len() <= last {
            self.waited_at.resize(last + 1, [0; 2]);
        }
        self.waited_at[first..=last].iter_mut().for_each(|at| at[kind] = number);
    }

    /// Whether a warp accesses what a copy has written, or writes what it has read, and does not know that it is done: then where
    /// that was started, whether it writes, and the warp that has waited for it.
    pub(crate) fn unknown(
        &self,
        address: u64,
        bytes: u64,
        write: bool,
        knows: impl Fn(Waiter) -> bool,
    ) -> Option<(Issue, bool, u32)> {
        let (first, last) = grains(address, bytes)?;
        let all = self.waited_at.get(first..=last.min(self.waited_at.len().checked_sub(1)?))?;
        let kinds: &[usize] = if write { &[WRITES, READS] } else { &[WRITES] };
        let found = all.iter().flat_map(|at| kinds.iter().map(|&kind| (kind, at[kind])));
        let mut found = found.filter_map(|(kind, number)| {
            let waited = self.waited.get((number as usize).checked_sub(1)?)?;
            (!knows(waited.waiter)).then_some((waited.issue, kind == WRITES, waited.waiter.warp))
        });
        found.next()
    }

    /// A thread has seen that a phase of the mbarrier is complete, or the mbarrier ends.
    pub(crate) fn observe(&mut self, address: u64, waiter: Waiter) {
        if self.count == 0 {
            return;
        }
        for warp in 0..self.pending.len() {
            for pending in std::mem::take(&mut self.pending[warp]) {
                match pending.work {
                    Work::Copy(moving)
                        if moving.barriers.contains(&address)
                            && matches!(moving.step, Step::Done) =>
                    {
                        self.forget(pending.issue, moving, waiter);
                    }
                    _ => self.pending[warp].push(pending),
                }
            }
        }
    }
}

fn is_shared(address: u64) -> bool {
    grains(address, 1).is_some()
}

/// The first and the last grain of bytes in shared memory.
fn grains(address: u64, bytes: u64) -> Option<(usize, usize)> {
    let start = address.wrapping_sub(SHARED_WINDOW + u64::from(SHARED_START));
    // The hardware has less than 1 MiB.
    (start < 1 << 20 && bytes > 0)
        .then(|| ((start / GRAIN) as usize, ((start + bytes - 1) / GRAIN) as usize))
}

impl BlockState {
    /// A warp has learned of what others did before.
    pub(crate) fn synchronise(&mut self, warp: u32) {
        self.clock.synchronise(warp);
        // What all warps may know need not be remembered.
        if let Some(last) = self.copies.waited.last() {
            let warps = self.threads.div_ceil(32) as usize;
            if self.clock.known_by_all(warps) > last.waiter.time {
                self.copies.forget_waited();
            }
        }
    }

    /// A thread has written bytes of the block's shared memory.
    pub(crate) fn note_write(&mut self, issue: Issue, address: u64, bytes: u64) {
        if let Some((first, last)) = grains(address, bytes) {
            self.unfenced.write(issue, first, last, &self.clock);
        }
    }

    /// An asynchronous copy writes bytes of the block's shared memory.
    pub(crate) fn note_copy(&mut self, address: u64, bytes: u64) {
        if let Some((first, last)) = grains(address, bytes) {
            self.unfenced.overwrite(first, last);
        }
    }

    /// Where bytes of the block's shared memory were written, if no fence covers the write.
    pub(crate) fn unfenced_write(&self, address: u64, bytes: u64) -> Option<Issue> {
        let (first, last) = grains(address, bytes)?;
        self.unfenced.find(first, last)
    }

    /// Does what is left of a copy.
    fn finish(&mut self, moving: &mut Moving) -> Result<(), FaultKind> {
        match std::mem::replace(&mut moving.step, Step::Done) {
            Step::Issued => moving.copy.move_bytes(),
            Step::Read(words) => moving.copy.write(&words),
            Step::Done => return Ok(()),
        }
        self.copies.open -= 1;
        match moving.copy.family {
            Family::Mbarrier(address) => {
                let bytes = moving.copy.bytes;
                self.change_mbarrier(address, |object| object.complete(bytes)).map(|_| ())
            }
            _ => Ok(()),
        }
    }

    /// Lets one operation, whichever chance picks, make progress.
    pub(crate) fn advance_copies(&mut self) -> Result<(), FaultKind> {
        let copies = &mut self.copies;
        let chosen = copies.draw(copies.open);
        let open = copies.pending.iter().enumerate().flat_map(|(warp, list)| {
            let open = list.iter().enumerate().filter(|(_, pending)| pending.is_open());
            open.map(move |(position, _)| (warp, position))
        });
        let Some((warp, position)) = open.into_iter().nth(chosen) else { return Ok(()) };
        let reads_only = copies.draw(4) == 0;
        let mut pending = copies.pending[warp].swap_remove(position);
        let outcome = match &mut pending.work {
            Work::Copy(Moving { copy, step: step @ Step::Issued, .. }) if reads_only => {
                *step = Step::Read(copy.read());
                Ok(())
            }
            Work::Copy(moving) => self.finish(moving),
            Work::Arrive { address } => {
                let address = *address;
                self.copies.open -= 1;
                self.copies.count -= 1;
                return self.arrive_after_copies(
                    warp,
                    pending.issue.thread,
                    pending.number,
                    address,
                );
            }
        };
        self.copies.pending[warp].push(pending);
        outcome
    }

    /// Finishes the `cp.async` of a thread before operation `number`, then arrives at an mbarrier for it.
    fn arrive_after_copies(
        &mut self,
        warp: usize,
        thread: u32,
        number: u64,
        address: u64,
    ) -> Result<(), FaultKind> {
        let mut list = std::mem::take(&mut self.copies.pending[warp]);
        let mut outcome = Ok(());
        for pending in &mut list {
            if let Work::Copy(moving) = &mut pending.work
                && pending.issue.thread == thread
                && moving.copy.family == Family::Small
                && pending.number < number
            {
                // Whoever waits for any of them has waited for the copy.
                if !moving.barriers.contains(&address) {
                    moving.barriers.push(address);
                }
                outcome = outcome.and(self.finish(moving));
            }
        }
        self.copies.pending[warp] = list;
        outcome?;
        self.change_mbarrier(address, |object| object.arrive(1)).map(|_| ())
    }

    /// Lets an operation make progress, or none.
    pub(crate) fn perhaps_advance_copies(&mut self) -> Result<(), FaultKind> {
        let any = self.copies.any_open() && self.copies.draw(2) == 0;
        if any { self.advance_copies() } else { Ok(()) }
    }

    /// Lets threads of a warp wait until all but their latest `rest` groups are done; `None` for all copies, also
    /// those in no group.
    pub(crate) fn await_groups(
        &mut self,
        warp: u32,
        lanes: u32,
        family: Family,
        rest: Option<u32>,
        until: Until,
    ) -> Result<(), FaultKind> {
        let committed: [u32; 32] =
            std::array::from_fn(|lane| *self.copies.groups_of(warp * 32 + lane as u32, family));
        let waiter = Waiter { warp, time: self.clock.now() };
        let Some(list) = self.copies.pending.get_mut(warp as usize) else { return Ok(()) };
        let mut waited = Vec::new();
        for pending in std::mem::take(list) {
            let lane = pending.issue.thread % 32;
            match pending.work {
                Work::Copy(moving)
                    if moving.copy.family == family
                        && lanes >> lane & 1 == 1
                        && rest.is_none_or(|rest| {
                            u64::from(moving.group) + u64::from(rest)
                                < u64::from(committed[lane as usize])
                        }) =>
                {
                    waited.push((pending.issue, pending.number, moving));
                }
                _ => list.push(pending),
            }
        }
        while !waited.is_empty() {
            let chosen = self.copies.draw(waited.len());
            let (issue, number, mut moving) = waited.swap_remove(chosen);
            if until == Until::Done {
                self.finish(&mut moving)?;
                self.copies.forget(issue, moving, waiter);
                continue;
            }
            if let Step::Issued = moving.step {
                moving.step = Step::Read(moving.copy.read());
            }
            self.copies.free_source(issue, &mut moving, waiter);
            let work = Work::Copy(moving);
            self.copies.pending[warp as usize].push(Pending { issue, number, work });
        }
        Ok(())
    }
}

impl Copy {
    fn source(&self) -> *const u8 {
        self.from.data.wrapping_add((self.from_address - self.from.base) as usize)
    }

    fn destination(&self) -> *mut u8 {
        self.to.data.wrapping_add((self.to_address - self.to.base) as usize)
    }

    fn read(&self) -> Vec<u64> {
        let mut words = vec![0u64; (self.bytes as usize).div_ceil(8)];
        if let Some(tile) = self.tile.as_ref().filter(|tile| tile.is_loaded) {
            tile.gather(&mut words);
            return words;
        }
        // SAFETY: the bytes to be read were checked to lie in the source when the copy was issued, and the
        // launch keeps them; the words have room for all bytes.
        unsafe { relaxed::copy(words.as_mut_ptr().cast(), self.source(), self.filled as usize) };
        words
    }

    fn write(&self, words: &[u64]) {
        if let Some(tile) = self.tile.as_ref().filter(|tile| !tile.is_loaded) {
            return tile.scatter(words);
        }
        let size = (self.bytes as usize).min(words.len() * 8);
        // SAFETY: as for the source, and the destination was found writable.
        unsafe { relaxed::copy(self.destination(), words.as_ptr().cast(), size) };
    }

    fn move_bytes(&self) {
        if self.tile.is_some() {
            return self.write(&self.read());
        }
        let (to, filled) = (self.destination(), self.filled as usize);
        // SAFETY: as above.
        unsafe {
            relaxed::copy(to, self.source(), filled);
            relaxed::fill(to.wrapping_add(filled), 0u8, self.bytes as usize - filled);
        }
    }
}
