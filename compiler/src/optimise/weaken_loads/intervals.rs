//! Intervals between barriers of the block, and which code of two threads may run in the same one.
//!
//! A barrier of the block lets no thread pass until all threads that still run have come to one. So two threads are always in the
//! same interval: only what both do between their `k`-th and their `k + 1`-th barrier may happen at the same time. They need not
//! wait at the same barrier of the source. (Barriers of different numbers can't complete each other, so threads only wait longer.)
//!
//! Threads that have ended are not waited for. What they wrote to shared memory before counts as written before the next barrier, as
//! programs expect in which some threads return early; the PTX ISA does not say so in so many words.
//!
//! Which barriers two threads may wait at together is found pair by pair. Both begin at the kernel's start. If one can go from
//! `a` to `c` without another barrier between, and the other one from `b` to `d`, then `(c, d)` is possible where `(a, b)` is. If all
//! threads agree on every branch that decides which barrier is next ([`alike`]), both are always at the same one.

use std::collections::BTreeMap;

use super::alike::all_take_the_same;
use crate::llvm::{Block, Context, Value, in_order};
use crate::optimise::answer_fills::BLOCK_BARRIERS;
use crate::optimise::meetings::Meetings;

/// A set of barriers of a kernel, by their numbers. The kernel's start is number 0.
type Set = u128;

/// The most barriers of a kernel, its start included.
const MAX_BARRIERS: usize = 128;

/// The barriers that all threads of a block wait at, without `.aligned` or with it, by the beginnings of their names. The first
/// argument is the barrier's number.
const WHOLE_BLOCK: [&str; 2] = ["llvm.nvvm.barrier.cta.sync.", "llvm.nvvm.barrier.cta.red."];

/// The intervals of a kernel.
pub(super) struct Intervals<'c> {
    /// The barriers that may be the last one before a block.
    before: BTreeMap<Block<'c>, Set>,
    numbers: BTreeMap<Value<'c>, usize>,
    /// For each barrier at which a thread may begin an interval, those at which another thread may begin the same one.
    together: Vec<Set>,
}

impl<'c> Intervals<'c> {
    /// `None` if threads may arrive at barriers that can't be seen, or there are too many barriers.
    pub(super) fn of(
        context: &'c Context,
        kernel: Value<'c>,
        meetings: &mut Meetings<'c>,
    ) -> Option<Intervals<'c>> {
        let blocks = in_order(kernel);
        let mut numbers = BTreeMap::new();
        for call in blocks.iter().flat_map(|block| block.instructions()).filter(|one| one.is_call())
        {
            match waits(call, meetings) {
                Waits::Nowhere => {}
                Waits::ForAll => {
                    numbers.insert(call, numbers.len() + 1);
                }
                Waits::Somehow => return None,
            }
        }
        if numbers.len() >= MAX_BARRIERS {
            return None;
        }
        let mut intervals = Intervals { before: BTreeMap::new(), numbers, together: Vec::new() };
        intervals.find_barriers_before(&blocks);
        let is_barrier = |one: Value<'c>| intervals.numbers.contains_key(&one);
        let has_barrier = |block: Block<'c>| block.instructions().into_iter().any(is_barrier);
        intervals.together = match all_take_the_same(context, kernel, &has_barrier) {
            true => (0..=intervals.numbers.len()).map(|barrier| 1 << barrier).collect(),
            false => intervals.pairs(),
        };
        Some(intervals)
    }

    fn find_barriers_before(&mut self, blocks: &[Block<'c>]) {
        let Some(&start) = blocks.first() else { return };
        self.before.insert(start, 1);
        let mut open = vec![start];
        while let Some(block) = open.pop() {
            let behind = self.behind(block, &block.instructions());
            for next in block.successors() {
                let old = self.before.get(&next).copied();
                let new = old.unwrap_or(0) | behind;
                if old != Some(new) {
                    self.before.insert(next, new);
                    open.push(next);
                }
            }
        }
    }

    /// The barriers that may be the last one behind these instructions, which are the first of a block.
    fn behind(&self, block: Block<'c>, instructions: &[Value<'c>]) -> Set {
        let last = instructions.iter().rev().find_map(|one| self.numbers.get(one));
        match last {
            Some(number) => 1 << number,
            None => self.before.get(&block).copied().unwrap_or(0),
        }
    }

    /// The barriers that may be the last one before an instruction.
    fn before(&self, instruction: Value<'c>) -> Set {
        let block = instruction.parent_block();
        let all = block.instructions();
        let above = all.iter().take_while(|one| **one != instruction).count();
        self.behind(block, &all[..above])
    }

    /// For each barrier, those that another thread may wait at together with it.
    fn pairs(&self) -> Vec<Set> {
        let count = self.numbers.len() + 1;
        let mut next = vec![Vec::new(); count];
        for (&barrier, &number) in &self.numbers {
            for from in members(self.before(barrier)) {
                next[from].push(number);
            }
        }
        let mut together: Vec<Set> = vec![0; count];
        together[0] = 1;
        let mut open = vec![(0, 0)];
        while let Some((one, other)) = open.pop() {
            for &one in &next[one] {
                for &other in &next[other] {
                    if together[one] & (1 << other) == 0 {
                        together[one] |= 1 << other;
                        open.push((one, other));
                    }
                }
            }
        }
        together
    }

    /// The intervals in which a thread may come to one of these instructions.
    pub(super) fn of_any(&self, instructions: &[Value<'c>]) -> Starts {
        Starts(instructions.iter().fold(0, |all, one| all | self.before(*one)))
    }

    /// Whether a thread may come to `load` in an interval that is one of `others` for another one.
    pub(super) fn meets(&self, load: Value<'c>, others: &Starts) -> bool {
        members(self.before(load)).any(|barrier| self.together[barrier] & others.0 != 0)
    }
}

/// The barriers with which some intervals begin.
pub(super) struct Starts(Set);

/// The members of a set.
fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..MAX_BARRIERS).filter(move |number| set & (1 << number) != 0)
}

/// Which threads a call waits for.
enum Waits {
    /// Not for the block. A barrier of a warp or a cluster may wait for all of the block, too; then it separates more than is
    /// assumed here.
    Nowhere,
    /// For all threads of the block that have not ended.
    ForAll,
    /// For some of the block, or that is not known.
    Somehow,
}

fn waits<'c>(call: Value<'c>, meetings: &mut Meetings<'c>) -> Waits {
    let callee = call.callee();
    if callee.is_inline_asm() {
        // Assembly that waits at a barrier of the block, or arrives at one.
        let template = callee.asm_template();
        let mut words =
            template.split(|c: char| !c.is_ascii_alphanumeric() && c != '.' && c != '_');
        let waits = |word: &str| {
            word.starts_with("barrier") || word.starts_with("bar.") && !word.starts_with("bar.warp")
        };
        return if words.any(waits) { Waits::Somehow } else { Waits::Nowhere };
    }
    if !callee.is_function() || callee.intrinsic_id() == 0 {
        return if meetings.at(call) { Waits::Somehow } else { Waits::Nowhere };
    }
    let name = callee.name();
    if !name.contains(BLOCK_BARRIERS) {
        return Waits::Nowhere;
    }
    let is_whole =
        WHOLE_BLOCK.iter().any(|start| name.starts_with(start)) && name.ends_with(".all");
    if is_whole { Waits::ForAll } else { Waits::Somehow }
}
