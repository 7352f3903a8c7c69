//! Which writes to shared memory asynchronous operations can't see yet (PTX ISA, "Memory Consistency Model: Proxies").
//!
//! Bulk copies and `wgmma` read shared memory through the async proxy; other instructions write it through the generic
//! proxy. In between there must be a `fence.proxy.async`, or the operation may read the old values on a GPU. Here it
//! always reads what was written, so each write is noted until a fence covers it, and reading what no fence covers is a
//! fault.
//!
//! A fence covers the writes of its own thread, and those of other threads that it may know of: writes from before its
//! warp last synchronised with anything. Whether the writer took part in that is not checked, so some fences that come
//! too early go unnoticed.
//!
//! Nothing is noted unless the module has such operations.

use super::clock::Clock;
use super::issue::Issue;

/// A write that no fence covers.
#[derive(Clone, Copy)]
struct Write {
    issue: Issue,
    /// When.
    time: u32,
}

/// What the threads of a block have written to its shared memory and no fence covers.
#[derive(Default)]
pub(crate) struct Unfenced {
    is_watched: bool,
    /// The last write of each unit: of four bytes, from the beginning of shared memory on.
    writes: Vec<Option<Write>>,
    /// Units with a write, at least.
    written: Vec<usize>,
}

impl Unfenced {
    /// Forgets everything, for another block. `is_watched` says whether anything reads through the async proxy.
    pub(crate) fn reset(&mut self, is_watched: bool) {
        self.is_watched = is_watched;
        self.writes.clear();
        self.written.clear();
    }

    #[inline(always)]
    pub(crate) fn is_watched(&self) -> bool {
        self.is_watched
    }

    /// A thread has written these units of the block's shared memory.
    pub(crate) fn write(&mut self, issue: Issue, first: usize, last: usize, clock: &Clock) {
        if self.writes.len() <= last {
            self.writes.resize(last + 1, None);
        }
        let write = Write { issue, time: clock.now() };
        for unit in first..=last {
            if self.writes[unit].replace(write).is_none() {
                self.written.push(unit);
            }
        }
    }

    /// An asynchronous copy writes these units.
    pub(crate) fn overwrite(&mut self, first: usize, last: usize) {
        let end = self.writes.len().min(last + 1);
        self.writes[first.min(end)..end].fill(None);
    }

    /// Threads of a warp execute `fence.proxy.async`.
    pub(crate) fn fence(&mut self, warp: u32, lanes: u32, clock: &Clock) {
        let writes = &mut self.writes;
        self.written.retain(|&unit| {
            let Some(Write { issue, time }) = writes[unit] else { return false };
            let is_own = issue.thread / 32 == warp && lanes >> (issue.thread % 32) & 1 == 1;
            if is_own || clock.knows(warp, time) {
                writes[unit] = None;
            }
            writes[unit].is_some()
        });
    }

    /// Where one of these units was written that no fence covers, if any was.
    pub(crate) fn find(&self, first: usize, last: usize) -> Option<Issue> {
        let writes = self.writes.get(first..self.writes.len().min(last + 1))?;
        writes.iter().flatten().next().map(|write| write.issue)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn issue(thread: u32) -> Issue {
        Issue { thread, function: 0, pc: thread as usize }
    }

    /// Which of the first four units no fence covers, by their writers.
    fn unfenced(state: &Unfenced) -> [Option<u32>; 4] {
        [0, 1, 2, 3].map(|unit| state.find(unit, unit).map(|issue| issue.thread))
    }

    #[test]
    fn a_fence_covers_own_writes_and_those_known() {
        let (mut state, mut clock) = (Unfenced::default(), Clock::default());
        state.reset(true);
        for (thread, unit) in [(0, 0), (1, 1), (33, 2), (70, 3)] {
            state.write(issue(thread), unit, unit, &clock);
        }
        assert_eq!(unfenced(&state), [Some(0), Some(1), Some(33), Some(70)]);
        // Lane 1 of the first warp, which knows of no other.
        state.fence(0, 2, &clock);
        assert_eq!(unfenced(&state), [Some(0), None, Some(33), Some(70)]);
        // The second warp, after it has met the others; another write comes later.
        clock.synchronise(1);
        state.write(issue(70), 3, 3, &clock);
        state.fence(1, 1, &clock);
        assert_eq!(unfenced(&state), [None, None, None, Some(70)]);
        // An asynchronous copy covers all.
        state.write(issue(5), 0, 1, &clock);
        assert_eq!(state.find(0, 3).map(|issue| issue.thread), Some(5));
        state.overwrite(0, 3);
        assert_eq!(unfenced(&state), [None; 4]);
        // Beyond what was ever written.
        assert!(state.find(16, 19).is_none());
        state.overwrite(16, 19);
    }
}
