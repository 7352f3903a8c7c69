//! Products of matrices that go on while the warps that started them do something else (PTX ISA,
//! "Asynchronous Warpgroup Level Matrix Multiply-Accumulate Instructions").
//!
//! On a GPU the matrices in shared memory are read at some time between the instruction and the wait for its group.
//! Here chance decides whether that is at once or as late as possible. The registers of the sums have their
//! values after the wait and not before: until then they hold [`POISON`]. Shared memory that a product reads is
//! marked until the wait, as that of copies is ([`super::copies`]), so a write to it is a fault.
//!
//! Each warp of a warpgroup computes its own 16 rows. That all four execute the same instructions is checked by
//! a list of those that not all of them have reached.

use super::copies::Issue;
use std::collections::VecDeque;

/// What registers of sums hold while a product is added: NaN for floats of 16 and 32 bits.
pub(crate) const POISON: u32 = 0xffda_ffda;

/// Warps of a warpgroup.
pub(crate) const WARPS: u32 = 4;

/// Sums that products are being added to, of one warp.
pub(crate) struct Sums {
    /// The frame and the registers in it.
    pub(crate) frame: u32,
    pub(crate) registers: Vec<u32>,
    /// Their values, as far as products have been added.
    pub(crate) values: Vec<[u32; 32]>,
}

/// A product that a warp has started and not waited for.
pub(crate) struct Started<P> {
    /// The number of its reads of shared memory.
    pub(crate) number: u64,
    /// The group that it is in, once committed.
    group: u32,
    /// What is to be computed; nothing if that has happened.
    pub(crate) work: Option<P>,
    /// Index of its sums.
    pub(crate) sums: usize,
}

/// The products of a warp.
pub(crate) struct Products<P> {
    /// Whether there has been a `wgmma.fence`.
    pub(crate) fenced: bool,
    committed: u32,
    pub(crate) started: Vec<Started<P>>,
    /// Sums of products that are going on; an index stays what it is until then.
    pub(crate) sums: Vec<Option<Sums>>,
}

impl<P> Default for Products<P> {
    fn default() -> Self {
        Products { fenced: false, committed: 0, started: Vec::new(), sums: Vec::new() }
    }
}

impl<P> Products<P> {
    /// Forgets everything, for another block.
    pub(crate) fn reset(&mut self) {
        *self = Products::default();
    }

    /// The index of sums in these registers, if products are being added to them.
    pub(crate) fn find(&self, frame: u32, registers: &[u32]) -> Option<usize> {
        self.sums.iter().position(|sums| {
            sums.as_ref().is_some_and(|sums| sums.frame == frame && sums.registers == registers)
        })
    }

    /// Keeps sums; returns their index.
    pub(crate) fn keep(&mut self, sums: Sums) -> usize {
        let free = self.sums.iter().position(Option::is_none);
        let index = free.unwrap_or(self.sums.len());
        if free.is_none() {
            self.sums.push(None);
        }
        self.sums[index] = Some(sums);
        index
    }

    /// Adds a product to the current group.
    pub(crate) fn start(&mut self, number: u64, work: P, sums: usize) {
        let group = self.committed;
        self.started.push(Started { number, group, work: Some(work), sums });
    }

    /// `wgmma.commit_group`
    pub(crate) fn commit(&mut self) {
        self.committed += 1;
    }

    /// How many of the products a wait for all but the latest `rest` groups is for: the first ones.
    pub(crate) fn waited(&self, rest: u32) -> usize {
        let first = self.committed.saturating_sub(rest);
        self.started.iter().take_while(|started| started.group < first).count()
    }
}

/// An instruction that not all warps of a warpgroup have reached.
struct Reached {
    /// Its operands and place, which must be the same for all.
    what: What,
    issue: Issue,
    warps: u32,
}

/// What warps of a warpgroup must agree about: function, instruction, descriptors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct What {
    pub(crate) function: u32,
    pub(crate) pc: usize,
    pub(crate) descriptors: [u64; 2],
}

/// How far the warps of a warpgroup are.
#[derive(Default)]
pub(crate) struct Warpgroup {
    reached: VecDeque<Reached>,
    /// The number of the first of those.
    first: u64,
    counts: [u64; WARPS as usize],
}

impl Warpgroup {
    /// A warp executes an instruction; where another has executed a different one instead, if so.
    pub(crate) fn reach(&mut self, warp: u32, what: What, issue: Issue) -> Result<(), Issue> {
        let count = &mut self.counts[(warp % WARPS) as usize];
        let index = (*count - self.first) as usize;
        *count += 1;
        match self.reached.get_mut(index) {
            Some(reached) if reached.what != what => return Err(reached.issue),
            Some(reached) => reached.warps += 1,
            None => self.reached.push_back(Reached { what, issue, warps: 1 }),
        }
        while self.reached.front().is_some_and(|reached| reached.warps == WARPS) {
            self.reached.pop_front();
            self.first += 1;
        }
        Ok(())
    }

    /// An instruction that some warps have never reached, and how many have.
    pub(crate) fn incomplete(&self) -> Option<(Issue, u32)> {
        self.reached.front().map(|reached| (reached.issue, reached.warps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_waited_for_in_order() {
        let mut products = Products::default();
        for number in 0..5 {
            products.start(number, (), 0);
            if number % 2 == 1 {
                products.commit();
            }
        }
        // Two groups of two, and one that is in none.
        assert_eq!([0, 1, 2].map(|rest| products.waited(rest)), [4, 2, 0]);
    }

    #[test]
    fn warps_must_agree() {
        let issue = Issue { thread: 0, function: 0, pc: 7 };
        let what = |pc| What { function: 0, pc, descriptors: [1, 2] };
        let mut group = Warpgroup::default();
        for warp in 4..7 {
            assert!(group.reach(warp, what(7), issue).is_ok());
        }
        assert_eq!(group.incomplete().map(|(_, warps)| warps), Some(3));
        assert!(group.reach(7, what(7), issue).is_ok());
        assert!(group.incomplete().is_none());
        assert!(group.reach(5, what(8), issue).is_ok());
        assert_eq!(group.reach(4, what(9), issue).map_err(|issue| issue.pc), Err(7));
    }
}
