//! Makes checks that are in small branches before these branches.
//!
//! ```text
//! if c { check(i); a[i] }     becomes     check(!c || i is in bounds); if c { a[i] }
//! ```
//!
//! Tiles are loaded like this: `c` says whether the thread's element is inside the matrix. A check in a branch is not on a
//! path that all threads take, so it can't be made together with others. Before the branch it can: threads that pass all of
//! them run a copy without checks ([`super::ahead`]). A check is only lifted if another one stands before or behind its
//! branch, or if the branch is in a loop and small enough to be predicated.

use std::collections::{BTreeMap, BTreeSet};

use super::bounds::Bounds;
use super::chain::collect;
use super::spans::forget_promises;
use super::{
    Check, Entries, Kind, Kinds, between, checks_of, conditions, is_behind, is_entered_once,
};
use crate::llvm::{Block, Builder, Context, Module, Value, in_order, loops_of, opcode};

/// The most checks of a function that are lifted.
const MAX_LIFTED: usize = 32;

/// The most instructions that are computed for a check by threads that do not need it.
const MAX_COMPUTED: usize = 16;

/// The most instructions of a branch that NVIDIA's assembler is expected to predicate, terminators included.
const MAX_PREDICATED: usize = 24;

/// The most blocks of a branch.
const MAX_ARMS: usize = 6;

/// The most branches between two checks.
const MAX_BETWEEN: usize = 4;

/// Lifts the checks of a function. Blocks in `kept` stay as they are.
pub(super) fn lift_checks<'c>(
    module: &Module<'c>,
    kinds: &Kinds,
    function: Value<'c>,
    kept: &BTreeSet<Block<'c>>,
) {
    for _ in 0..MAX_LIFTED {
        let (entries, checks) = checks_of(function, kept);
        let lifting = Lifting {
            context: module.context(),
            kinds,
            bounds: &Bounds::of(module, function, &checks),
            checks: checks.iter().map(|check| (check.block, *check)).collect(),
            entries: &entries,
        };
        let Some((outer, branch)) = lifting.find(function, kept) else { return };
        lifting.lift(outer, &branch);
    }
}

/// A branch of which one way begins with a check.
struct Branch<'c> {
    /// The condition's value if the way with the check is taken.
    takes: bool,
    check: Check<'c>,
    /// The instructions of its block that it needs.
    needed: BTreeSet<Value<'c>>,
    /// The blocks of both ways.
    arms: Vec<Block<'c>>,
    /// Where the two ways meet.
    join: Block<'c>,
}

struct Lifting<'a, 'c> {
    context: &'c Context,
    kinds: &'a Kinds,
    bounds: &'a Bounds<'a, 'c>,
    /// The checks of the function by their blocks.
    checks: BTreeMap<Block<'c>, Check<'c>>,
    entries: &'a Entries<'c>,
}

impl<'c> Lifting<'_, 'c> {
    /// The first block with a branch whose check should be lifted.
    fn find(
        &self,
        function: Value<'c>,
        kept: &BTreeSet<Block<'c>>,
    ) -> Option<(Block<'c>, Branch<'c>)> {
        let blocks = function.blocks().into_iter().filter(|block| !kept.contains(block));
        let mut branches: BTreeMap<Block<'c>, Branch<'c>> =
            blocks.filter_map(|block| Some((block, self.branch(block)?))).collect();
        let mut wanted = BTreeSet::new();
        for check in self.checks.values() {
            wanted.extend(self.next_check(check.next, &branches));
        }
        let loops = loops_of(function);
        for (block, branch) in &branches {
            if self.is_predicable(branch) && loops.iter().any(|around| around.body.contains(block))
            {
                wanted.insert(*block);
            }
            if is_behind(self.entries, *block, &branch.arms, branch.join) {
                let next = self.next_check(branch.join, &branches);
                wanted.extend(next.into_iter().flat_map(|next| [*block, next]));
            }
        }
        let first = in_order(function)
            .into_iter()
            .find(|block| branches.contains_key(block) && wanted.contains(block))?;
        Some((first, branches.remove(&first)?))
    }

    /// The branch at the end of a block, if one way begins with a check that can be made before it.
    fn branch(&self, outer: Block<'c>) -> Option<Branch<'c>> {
        if self.checks.contains_key(&outer) {
            return None;
        }
        let [yes, no] = outer.successors()[..] else { return None };
        let (takes, check) =
            [(true, yes), (false, no)].into_iter().find_map(|(takes, inner)| {
                let check = self.checks.get(&inner).filter(|check| check.is_only_way)?;
                is_entered_once(self.entries, inner).then_some((takes, *check))
            })?;
        // A thread whose check fails must have made the stores before the check: these can't be passed.
        let may_pass = |one: &Value<'c>| {
            let kind = self.kinds.of(*one);
            kind != Kind::Other && one.opcode() != opcode::STORE
        };
        let mut before = check.block.instructions();
        before.pop();
        if before.iter().any(|one| one.opcode() == opcode::PHI) || !before.iter().all(may_pass) {
            return None;
        }
        let inside = BTreeSet::from([check.block]);
        let mut needed = BTreeSet::new();
        let reported = check.end.instructions().into_iter().flat_map(|one| one.operands());
        for value in reported.chain([check.condition]) {
            if !collect(self.kinds, value, &inside, &mut needed) {
                return None;
            }
        }
        if needed.len() > MAX_COMPUTED {
            return None;
        }
        let (arms, join) = self.join(outer)?;
        Some(Branch { takes, check, needed, arms, join })
    }

    /// Whether a branch without its check is small enough for NVIDIA's assembler to predicate it.
    fn is_predicable(&self, branch: &Branch<'c>) -> bool {
        let all = branch.arms.iter().flat_map(|block| block.instructions());
        let runs =
            |one: &Value<'c>| !branch.needed.contains(one) && self.kinds.of(*one) != Kind::Remark;
        all.filter(runs).count() <= MAX_PREDICATED
    }

    /// The blocks between the branch at the end of a block and the place where all threads meet again that pass all checks,
    /// and that place. The blocks are few, and do no more than compute, load and store.
    fn join(&self, block: Block<'c>) -> Option<(Vec<Block<'c>>, Block<'c>)> {
        let may = |arm: Block<'c>| self.kinds.is_simple(arm);
        between(self.entries, block, MAX_ARMS, |from| self.ways(from), may)
    }

    /// The next block with a check, or with one of `branches`, that every thread reaches that passes all checks.
    fn next_check(
        &self,
        from: Block<'c>,
        branches: &BTreeMap<Block<'c>, Branch<'c>>,
    ) -> Option<Block<'c>> {
        let mut block = from;
        for _ in 0..MAX_BETWEEN {
            if !self.kinds.is_simple(block) {
                return None;
            }
            if self.checks.contains_key(&block) || branches.contains_key(&block) {
                return Some(block);
            }
            let (arms, join) = self.join(block)?;
            if !is_behind(self.entries, block, &arms, join) {
                return None;
            }
            block = join;
        }
        None
    }

    /// Where a block leads to, if no check fails.
    fn ways(&self, block: Block<'c>) -> Option<Vec<Block<'c>>> {
        match self.checks.get(&block) {
            Some(check) => Some(vec![check.next]),
            None => super::ahead::ways(block),
        }
    }

    /// Makes a new block before `join`, where the ways through `inside` meet before other threads join them.
    fn come_together(&self, inside: &[Block<'c>], join: Block<'c>) {
        let own = join.insert_before(self.context);
        let builder = Builder::at_end(self.context, own);
        let phis = join.instructions().into_iter().take_while(|one| one.opcode() == opcode::PHI);
        for phi in phis {
            let is_inside = |edge: &(Value<'c>, Block<'c>)| inside.contains(&edge.1);
            let (ours, mut others): (Vec<_>, Vec<_>) =
                phi.incoming_edges().into_iter().partition(is_inside);
            others.push((builder.phi(phi.ty(), &ours), own));
            let both = Builder::before(self.context, phi).phi(phi.ty(), &others);
            phi.replace_all_uses_with(both);
            phi.erase();
        }
        inside.iter().for_each(|block| block.redirect(join, own));
        builder.jump(join);
    }

    fn lift(&self, outer: Block<'c>, branch: &Branch<'c>) {
        if !is_behind(self.entries, outer, &branch.arms, branch.join) {
            let inside: Vec<Block<'c>> = [outer].into_iter().chain(branch.arms.clone()).collect();
            self.come_together(&inside, branch.join);
        }
        let (Some(way), Some(old)) = (outer.terminator(), branch.check.block.terminator()) else {
            return;
        };
        let Some(takes) = way.condition() else { return };
        let head = outer.split_before(self.context, way);
        let Some(jump) = head.terminator() else { return };
        let builder = Builder::before(self.context, jump);
        for instruction in branch.check.block.instructions() {
            if branch.needed.contains(&instruction) {
                instruction.take_out();
                builder.insert_copy(instruction);
                forget_promises(instruction);
            }
        }
        let passes = conditions(self.context, self.bounds, &builder, &branch.check)
            .into_iter()
            .reduce(|all, one| builder.and(all, one))
            .unwrap_or_else(|| unreachable!("a check has a condition"));
        let yes = self.context.int(1).constant(1);
        // The comparison may be poison for threads that do not take this way: `select` ignores it there.
        let condition = match branch.takes {
            true => builder.select(takes, passes, yes),
            false => builder.select(takes, yes, passes),
        };
        builder.branch(condition, outer, branch.check.end);
        jump.erase();
        Builder::before(self.context, old).jump(branch.check.next);
        old.erase();
    }
}
