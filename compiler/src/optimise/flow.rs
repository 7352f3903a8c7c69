//! How control flows through a function, and the conditions under which it comes to a block.

use std::collections::{BTreeMap, HashSet};

use crate::llvm::{Block, Loop, Value, opcode};

/// How many blocks before a loop are searched for a guard.
pub(super) const MAX_DISTANCE: usize = 8;

/// The condition of a check at the end of a block, and its value if the thread goes on.
pub(super) fn check_at(block: Block<'_>) -> Option<(Value<'_>, bool)> {
    let condition = block.terminator()?.condition().filter(|one| one.is_instruction())?;
    let [yes, no] = block.successors()[..] else { return None };
    match (ends(yes), ends(no)) {
        (false, true) => Some((condition, true)),
        (true, false) => Some((condition, false)),
        _ => None,
    }
}

/// Whether a block ends its thread.
pub(super) fn ends(block: Block<'_>) -> bool {
    block.terminator().is_some_and(|end| end.opcode() == opcode::UNREACHABLE)
}

/// How control flows through a function.
pub(super) struct Flow<'c> {
    pub(super) blocks: Vec<Block<'c>>,
    pub(super) predecessors: BTreeMap<Block<'c>, Vec<Block<'c>>>,
}

impl<'c> Flow<'c> {
    pub(super) fn of(function: Value<'c>) -> Flow<'c> {
        let blocks = function.blocks();
        let mut predecessors: BTreeMap<Block<'c>, Vec<Block<'c>>> = BTreeMap::new();
        for &block in &blocks {
            for next in block.successors() {
                predecessors.entry(next).or_default().push(block);
            }
        }
        Flow { blocks, predecessors }
    }

    /// The only jump to `block`; `None` if there are more, or none.
    pub(super) fn only_predecessor(&self, block: Block<'c>) -> Option<Block<'c>> {
        match self.predecessors.get(&block).map(Vec::as_slice) {
            Some(&[only]) => Some(only),
            _ => None,
        }
    }

    /// The condition under which `block` is reached from the one block that leads to it, and
    /// whether it holds then.
    pub(super) fn condition_of(&self, block: Block<'c>) -> Option<(Value<'c>, bool)> {
        let from = self.only_predecessor(block)?;
        let condition = from.terminator()?.condition()?;
        Some((condition, from.successors().first() == Some(&block)))
    }

    /// The condition under which control goes from `from` to `to`, and whether it holds then.
    pub(super) fn edge_condition(
        &self,
        from: Block<'c>,
        to: Block<'c>,
    ) -> Option<(Value<'c>, bool)> {
        let next = from.successors();
        match from.terminator()?.condition() {
            Some(condition) if next[0] != next[1] => Some((condition, next[0] == to)),
            Some(_) => None,
            None => self.condition_of(from),
        }
    }

    /// The conditions that hold, or do not hold, whenever `block` is reached: those of the branches
    /// through which every path to it leads.
    pub(super) fn guards(&self, block: Block<'c>) -> impl Iterator<Item = (Value<'c>, bool)> {
        self.before(block).take(MAX_DISTANCE).filter_map(|block| self.condition_of(block))
    }

    /// The same from however far away. A chain of blocks with one predecessor each has no loop, unless nothing leads
    /// to it.
    pub(super) fn all_guards(&self, block: Block<'c>) -> impl Iterator<Item = (Value<'c>, bool)> {
        self.before(block).take(self.blocks.len()).filter_map(|block| self.condition_of(block))
    }

    /// `block`, and those before it, as long as there is one way only.
    pub(super) fn before(&self, block: Block<'c>) -> impl Iterator<Item = Block<'c>> {
        std::iter::successors(Some(block), |block| self.only_predecessor(*block))
    }

    /// Whether any of `goals` can be reached from `from` without going through `without`.
    pub(super) fn reaches(&self, from: Block<'c>, goals: &[Block<'c>], without: Block<'c>) -> bool {
        let mut seen = HashSet::from([without]);
        let mut open = vec![from];
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            if goals.contains(&block) {
                return true;
            }
            open.extend(block.successors());
        }
        false
    }

    /// The blocks of a loop, in the order in which they stand: the same in each run of the compiler.
    pub(super) fn blocks_of(&self, around: &Loop<Block<'c>>) -> Vec<Block<'c>> {
        self.blocks.iter().copied().filter(|block| around.body.contains(block)).collect()
    }

    /// The block that leads to a loop from outside, if it is one.
    pub(super) fn entry(&self, around: &Loop<Block<'c>>) -> Option<Block<'c>> {
        let before = self.predecessors.get(&around.start)?;
        let mut outside = before.iter().filter(|from| !around.body.contains(from));
        match (outside.next(), outside.next()) {
            (Some(&entry), None) => Some(entry),
            _ => None,
        }
    }
}
