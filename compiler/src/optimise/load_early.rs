//! Issues the loads of consecutive small branches together.
//!
//! ```text
//! if c { tile[0] = a[i] }            let (x, y);
//! if d { tile[1] = a[j] }  becomes   if c { x = a[i] }  if d { y = a[j] }
//!                                    if c { tile[0] = x }  if d { tile[1] = y }
//! ```
//!
//! Otherwise, a thread waits for the first load before it issues the second one. NVIDIA's assembler predicates such
//! branches, but moves no load ahead of an earlier store or shuffle. Here loads are moved ahead of stores where no thread writes
//! what is loaded, or where the store is to another state space, and ahead of shuffles and votes. Loads stay under their own
//! conditions, so exactly the same loads are made.
//!
//! Memory that no thread writes is also loaded ahead of a barrier of the block, such as the first tile, behind the barrier that ends a
//! fill: a thread then waits for its load while it waits for the others. Not in loops: a product with packed weights took 1.3 times as
//! long.

use std::collections::BTreeSet;

use super::answer_fills::BLOCK_BARRIERS;
use super::join_checks::{
    Entries, Kind, Kinds, collect, drop_phis, entries_of, forget_promises, is_entered_once,
    is_relaxed_store, kept_blocks,
};
use super::spaces::Space;
use crate::llvm::{Block, Builder, Context, Module, Value, in_order, loops_of, opcode, ordering};

/// The most loads that are in flight at once: each takes a register.
const MAX_LOADS: usize = 8;

/// The most branches in a row.
const MAX_BRANCHES: usize = 16;

/// The most conditions of one branch.
const MAX_CONDITIONS: usize = 4;

/// The most instructions that a thread computes in vain, for the conditions and addresses of one branch.
const MAX_COMPUTED: usize = 24;

/// How many blocks after a barrier's are searched for loads.
const MAX_BLOCKS_AHEAD: usize = 8;

/// Intrinsics with which a warp's threads exchange values.
const EXCHANGES: [&str; 4] =
    ["llvm.nvvm.shfl.sync.", "llvm.nvvm.vote.", "llvm.nvvm.match.", "llvm.nvvm.redux.sync."];

/// Code that runs under some conditions, and then joins the threads that skip it. Or what follows a barrier: then there are
/// no conditions, and `body` and `join` are the same.
struct Branch<'c> {
    /// Where it begins.
    outer: Block<'c>,
    /// The conditions, each with the value for which the code runs; the block of each leads to that of the next.
    conditions: Vec<(Value<'c>, bool)>,
    /// The blocks between `outer` and `body`: they test the other conditions.
    tests: Vec<Block<'c>>,
    body: Block<'c>,
    /// The block, if any, that only those threads run for which the first condition is false: it just computes, and leads to the join.
    arm: Option<Block<'c>>,
    join: Block<'c>,
}

impl<'c> Branch<'c> {
    fn blocks(&self) -> impl Iterator<Item = Block<'c>> {
        [self.outer]
            .into_iter()
            .chain(self.tests.iter().copied())
            .chain([self.body])
            .chain(self.arm)
    }
}

/// Issues loads early in every function.
pub(super) fn load_early(module: &Module<'_>) {
    let context = module.context();
    let kinds = Kinds::new(context);
    for function in module.functions() {
        let kept = kept_blocks(context, function);
        let mut done = BTreeSet::new();
        let mut early = Early { context, kinds: &kinds, entries: entries_of(function) };
        let loops = loops_of(function);
        let is_in_loop = |block: &Block<'_>| loops.iter().any(|one| one.body.contains(block));
        for block in in_order(function) {
            if !kept.contains(&block) && !is_in_loop(&block) {
                early.split_at_barrier(block);
            }
        }
        early.entries = entries_of(function);
        for block in in_order(function) {
            if kept.contains(&block) || done.contains(&block) {
                continue;
            }
            let branches = early.branches_from(block);
            done.extend(branches.iter().flat_map(Branch::blocks));
            if early.move_loads(&branches) {
                early.entries = entries_of(function);
            }
        }
    }
}

struct Early<'a, 'c> {
    context: &'c Context,
    kinds: &'a Kinds,
    entries: Entries<'c>,
}

impl<'c> Early<'_, 'c> {
    /// Splits a block before a barrier, if loads behind the barrier may be made before it.
    fn split_at_barrier(&self, block: Block<'c>) {
        let all = block.instructions();
        let is_constant = |one: Value<'c>| {
            is_plain_load(one) && Space::of(self.context, one.operand(0)) == Space::Constant
        };
        let mut next = block.successors();
        let mut at = 0;
        while let Some(&one) = next.get(at).filter(|_| next.len() < MAX_BLOCKS_AHEAD) {
            if self.is_simple(one) {
                next.extend(one.successors());
            }
            at += 1;
        }
        let is_early = |barrier: Value<'c>| {
            let behind = all.iter().copied().skip_while(|one| *one != barrier);
            let free = behind.take_while(|one| self.may_pass(*one));
            let ends_there = free.clone().last() == block.terminator();
            let ahead = next.iter().filter(|_| ends_there).flat_map(|one| one.instructions());
            free.chain(ahead).any(is_constant)
        };
        let barrier = all.iter().find(|one| is_block_barrier(**one) && is_early(**one));
        if let Some(barrier) = barrier {
            block.split_before(self.context, *barrier);
        }
    }

    /// Whether a block only computes, loads and stores.
    fn is_simple(&self, block: Block<'c>) -> bool {
        let mut all = block.instructions();
        all.pop();
        all.iter().all(|one| self.kinds.of(*one) != Kind::Other || is_relaxed_store(*one))
    }

    /// Whether a load of what no thread writes may be made before an instruction that comes before it.
    fn may_pass(&self, instruction: Value<'c>) -> bool {
        self.kinds.of(instruction) != Kind::Other
            || is_relaxed_store(instruction)
            || is_exchange(instruction)
            || is_block_barrier(instruction)
            || instruction.parent_block().terminator() == Some(instruction)
    }

    /// The code behind a barrier that the block after this one begins with.
    fn behind_barrier(&self, block: Block<'c>) -> Option<Branch<'c>> {
        let [next] = block.successors()[..] else { return None };
        let begins = next.instructions().first().is_some_and(|first| is_block_barrier(*first));
        (begins && is_entered_once(&self.entries, next)).then(|| Branch {
            outer: block,
            conditions: Vec::new(),
            tests: Vec::new(),
            body: next,
            arm: None,
            join: next,
        })
    }

    /// The branches that follow each other from the end of a block on.
    fn branches_from(&self, block: Block<'c>) -> Vec<Branch<'c>> {
        let mut branches: Vec<Branch<'c>> = Vec::new();
        let mut outer = block;
        let next = |outer| self.behind_barrier(outer).or_else(|| self.branch(outer));
        while let Some(branch) = next(outer).filter(|_| branches.len() < MAX_BRANCHES) {
            // Every thread that reaches the join comes from here.
            let inside = |from: &Block<'c>| branch.blocks().any(|one| one == *from);
            let goes_on = self.entries.get(&branch.join).is_some_and(|all| all.iter().all(inside))
                && self.passes(branch.join);
            outer = branch.join;
            branches.push(branch);
            if !goes_on {
                break;
            }
        }
        branches
    }

    /// Whether loads behind a block may be made before it, if its stores allow that: it only computes, loads, stores and
    /// exchanges values within warps, or waits for the block.
    fn passes(&self, block: Block<'c>) -> bool {
        block.instructions().into_iter().all(|one| self.may_pass(one))
    }

    /// The branch at the end of a block.
    fn branch(&self, outer: Block<'c>) -> Option<Branch<'c>> {
        let (yes, no) = two_ways(outer)?;
        [(true, yes, no), (false, no, yes)].into_iter().find_map(|(takes, first, other)| {
            let (arm, join) = match self.behind_arm(other) {
                Some(join) if join != first => (Some(other), join),
                _ => (None, other),
            };
            let mut conditions = vec![(outer.terminator()?.condition()?, takes)];
            let mut tests = Vec::new();
            let mut body = first;
            loop {
                if !is_entered_once(&self.entries, body) || !self.is_simple(body) || body == join {
                    return None;
                }
                if body.successors() == [join] {
                    // Threads that skip the body bring the same values, whichever condition is false.
                    let same = |phi: Value<'c>| {
                        tests.iter().all(|test| phi.incoming(*test) == phi.incoming(outer))
                    };
                    return (arm.is_some() || phis(join).all(same)).then_some(Branch {
                        outer,
                        conditions,
                        tests,
                        body,
                        arm,
                        join,
                    });
                }
                let (yes, no) = two_ways(body)?;
                let (takes, next) = match (yes == join, no == join) {
                    (false, true) => (true, yes),
                    (true, false) => (false, no),
                    _ => return None,
                };
                let mut before = body.instructions();
                let condition = before.pop()?.condition()?;
                if conditions.len() == MAX_CONDITIONS
                    || !before.iter().all(|one| self.is_free(*one))
                {
                    return None;
                }
                conditions.push((condition, takes));
                tests.push(body);
                body = next;
            }
        })
    }

    /// Whether an instruction only computes, or informs the optimiser.
    fn is_free(&self, instruction: Value<'c>) -> bool {
        match self.kinds.of(instruction) {
            Kind::Pure => instruction.opcode() != opcode::PHI,
            kind => kind == Kind::Remark,
        }
    }

    /// Where a block leads, if it only computes and is entered from one block only.
    fn behind_arm(&self, block: Block<'c>) -> Option<Block<'c>> {
        let [join] = block.successors()[..] else { return None };
        let mut all = block.instructions();
        all.pop();
        let is_arm =
            is_entered_once(&self.entries, block) && all.into_iter().all(|one| self.is_free(one));
        is_arm.then_some(join)
    }

    /// Makes the loads of branches before the first of them, and tells whether there are any.
    fn move_loads(&self, branches: &[Branch<'c>]) -> bool {
        let Some(early) = self.early_loads(branches) else { return false };
        let Some(end) = branches[0].outer.terminator() else { return false };
        let behind: Vec<Block<'c>> = branches.iter().flat_map(Branch::blocks).skip(1).collect();
        let builder = Builder::before(self.context, end);
        for instruction in behind.iter().flat_map(|block| block.instructions()) {
            if early.needed.contains(&instruction) {
                instruction.take_out();
                builder.insert_copy(instruction);
                forget_promises(instruction);
            }
        }
        let mut last = branches[0].outer.split_before(self.context, end);
        for (branch, loads) in early.loads {
            let Some(jump) = last.terminator() else { return true };
            if branch.conditions.is_empty() {
                let builder = Builder::before(self.context, jump);
                for load in loads {
                    load.take_out();
                    builder.insert_copy(load);
                }
                continue;
            }
            let condition = self.condition(&Builder::before(self.context, jump), branch);
            self.take_whole(branch, condition);
            let merge = branches[0].outer.insert_before(self.context);
            let inner = merge.insert_before(self.context);
            let at_inner = Builder::at_end(self.context, inner);
            let at_merge = Builder::at_end(self.context, merge);
            for load in loads {
                load.take_out();
                at_inner.insert_copy(load);
                let users = load.users();
                // Threads that do not load do not use the value.
                let phi = at_merge.phi(load.ty(), &[(load, inner), (load.ty().undefined(), last)]);
                for user in users {
                    for (index, operand) in (0..).zip(user.operands()) {
                        if operand == load {
                            user.set_operand(index, phi);
                        }
                    }
                }
            }
            at_inner.jump(merge);
            at_merge.jump(branches[0].outer);
            Builder::before(self.context, jump).branch(condition, inner, merge);
            jump.erase();
            last = merge;
        }
        true
    }

    /// The loads that are made early, each with its branch, if that is of use.
    fn early_loads<'b>(&self, branches: &'b [Branch<'c>]) -> Option<EarlyLoads<'b, 'c>> {
        let mut found = EarlyLoads { loads: Vec::new(), needed: BTreeSet::new() };
        let mut inside = BTreeSet::new();
        let mut stores: Vec<Space> = Vec::new();
        let mut count = 0;
        let mut is_of_use = false;
        for (place, branch) in branches.iter().enumerate() {
            inside.extend(branch.blocks().skip(usize::from(place == 0)));
            let stores_before = stores.len();
            if place > 0 {
                stores
                    .extend(branch.outer.instructions().into_iter().filter_map(|i| self.stored(i)));
            }
            let mut needed = found.needed.clone();
            let known = branch
                .conditions
                .iter()
                .all(|(condition, _)| collect(self.kinds, *condition, &inside, &mut needed))
                && !found.moved().any(|load| needed.contains(load));
            let mut loads = Vec::new();
            for one in branch.body.instructions().into_iter().take_while(|one| self.may_pass(*one))
            {
                stores.extend(self.stored(one));
                let is_free = known && is_plain_load(one) && {
                    let space = Space::of(self.context, one.operand(0));
                    stores.iter().all(|store| space.passes(*store))
                };
                let mut more = needed.clone();
                if is_free
                    && !needed.contains(&one)
                    && count + loads.len() < MAX_LOADS
                    && collect(self.kinds, one.operand(0), &inside, &mut more)
                    && more.len() <= found.needed.len() + MAX_COMPUTED
                    // An address that is loaded, and moved itself, is known too late.
                    && !loads.iter().chain(found.moved()).any(|load| more.contains(load))
                {
                    needed = more;
                    loads.push(one);
                }
            }
            if loads.is_empty() {
                continue;
            }
            is_of_use |= stores_before > 0 || branch.conditions.is_empty();
            count += loads.len();
            found.needed = needed;
            found.loads.push((branch, loads));
        }
        is_of_use.then_some(found)
    }

    /// Where an instruction stores, if it does. Behind a barrier, other threads may have stored anywhere.
    fn stored(&self, instruction: Value<'c>) -> Option<Space> {
        match instruction.opcode() {
            opcode::STORE => Some(Space::of(self.context, instruction.operand(1))),
            _ => is_block_barrier(instruction).then_some(Space::Unknown),
        }
    }

    /// Whether a branch's body runs.
    fn condition(&self, builder: &Builder<'c>, branch: &Branch<'c>) -> Value<'c> {
        let bit = |value| self.context.int(1).constant(value);
        let parts = branch.conditions.iter().map(|(condition, takes)| match takes {
            true => *condition,
            false => builder.binary(opcode::XOR, *condition, bit(1)),
        });
        // A condition may be poison unless those before it hold: `select` ignores it there.
        parts
            .reduce(|all, one| builder.select(all, one, bit(0)))
            .unwrap_or_else(|| unreachable!("a branch has a condition"))
    }

    /// Makes a branch with several conditions into one with their conjunction, if threads that skip it do nothing else.
    fn take_whole(&self, branch: &Branch<'c>, condition: Value<'c>) {
        let is_whole = branch.tests.is_empty() || branch.arm.is_some();
        let Some(end) = branch.outer.terminator().filter(|_| !is_whole) else {
            return;
        };
        let builder = Builder::before(self.context, end);
        for test in &branch.tests {
            drop_phis(*test);
            let mut all = test.instructions();
            all.pop();
            for instruction in all {
                match self.kinds.of(instruction) {
                    // It holds only under the conditions.
                    Kind::Remark => instruction.erase(),
                    _ => {
                        instruction.take_out();
                        builder.insert_copy(instruction);
                        forget_promises(instruction);
                    }
                }
            }
        }
        drop_phis(branch.body);
        builder.branch(condition, branch.body, branch.join);
        end.erase();
        for phi in phis(branch.join) {
            let mut edges = phi.incoming_edges();
            edges.retain(|(_, from)| !branch.tests.contains(from));
            let fewer = Builder::before(self.context, phi).phi(phi.ty(), &edges);
            phi.replace_all_uses_with(fewer);
            phi.erase();
        }
        // In order: each is named by the one before it.
        branch.tests.iter().for_each(|test| test.delete());
    }
}

/// What [`Early::early_loads`] finds.
struct EarlyLoads<'b, 'c> {
    loads: Vec<(&'b Branch<'c>, Vec<Value<'c>>)>,
    /// What must be computed for the conditions and addresses.
    needed: BTreeSet<Value<'c>>,
}

impl<'c> EarlyLoads<'_, 'c> {
    /// All loads that are made early.
    fn moved(&self) -> impl Iterator<Item = &Value<'c>> {
        self.loads.iter().flat_map(|(_, loads)| loads)
    }
}

/// Where a block leads to if it ends with a branch.
fn two_ways(block: Block<'_>) -> Option<(Block<'_>, Block<'_>)> {
    match block.successors()[..] {
        [yes, no] if yes != no => Some((yes, no)),
        _ => None,
    }
}

/// Whether an instruction exchanges values between the threads of a warp, which orders no accesses to memory (PTX ISA,
/// `shfl.sync`, `vote.sync`, `match.sync` and `redux.sync`).
fn is_exchange(instruction: Value<'_>) -> bool {
    let named = |name: String| EXCHANGES.iter().any(|one| name.starts_with(one));
    instruction.opcode() == opcode::CALL
        && instruction.callee().is_function()
        && named(instruction.callee().name())
}

/// Whether an instruction waits for threads of the block.
fn is_block_barrier(instruction: Value<'_>) -> bool {
    instruction.opcode() == opcode::CALL
        && instruction.callee().is_function()
        && instruction.callee().name().contains(BLOCK_BARRIERS)
}

/// Whether an instruction is a load that is neither atomic nor volatile.
fn is_plain_load(instruction: Value<'_>) -> bool {
    instruction.opcode() == opcode::LOAD
        && instruction.memory_ordering() == ordering::NOT_ATOMIC
        && !instruction.is_volatile()
}

fn phis(block: Block<'_>) -> impl Iterator<Item = Value<'_>> {
    block.instructions().into_iter().take_while(|one| one.opcode() == opcode::PHI)
}
