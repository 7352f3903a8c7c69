//! Makes checks before what stands between them, and lets threads that pass them all run a copy without them.
//!
//! A chain of checks ([`super::chain`]) ends at a store and at a branch: a thread whose next check fails must have done what
//! comes before it, and nothing else. Where tiles are loaded into shared memory, each load would so wait
//! for the one before it. But most checks compare what is known earlier. If all of these pass, nothing stops the thread on
//! its way, whatever it does there; so it runs a copy in which they are not made. Else it runs the code as it was.
//!
//! In the copy, loads whose checks were made ahead are as free as computations, if no thread writes what they load: they wait
//! for no other check, as of a value that was loaded before.
//!
//! What is copied is a *stretch*: blocks that follow each other, with small branches that come together again, up to a
//! barrier, an atomic access, a call or a loop. There, both copies join. Relaxed stores, as to shared cells, end it unless a
//! load of global memory comes behind them.
//!
//! A branch with checked relaxed stores is copied, too: a graph search stores to the neighbours that it has not visited. Then
//! the checks of a node's neighbours, which are loaded, are made in a second step: threads that pass the first one load all of
//! them, and run the copy if these pass as well.
//!
//! The second step is also made where several checks compare values that are loaded from slices no thread writes to. Then the
//! first step tests whether the indices of these loads are in range, so that none of them waits for a check.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::super::meetings::Meetings;
use super::bounds::{Bound, Bounds};
use super::chain::{again, all_pass, collect, collect_loads};
use super::spans::forget_promises;
use super::{
    Check, Entries, Kind, Kinds, between, checks_of, drop_phis, hidden, is_behind, is_entered_once,
};
use crate::llvm::{Block, Builder, Context, Module, Value, opcode, ordering};

/// The largest stretch, in instructions.
const MAX_SIZE: usize = 1200;

/// The most blocks of a branch that is copied.
const MAX_ARMS: usize = 4;

/// The most blocks of a branch with checked relaxed stores that is copied.
const MAX_STORING_ARMS: usize = 8;

/// The fewest checks of loaded values for which it is worthwhile to test the indices of the loads.
const MIN_LOADED: usize = 2;

/// The most stretches of a function that are copied.
const MAX_STRETCHES: usize = 8;

/// Blocks that run one after the other once a check has passed.
struct Stretch<'c> {
    /// What is copied, each block before those that it leads to.
    blocks: Vec<Block<'c>>,
    /// Those of them that only some threads come to.
    arms: BTreeSet<Block<'c>>,
    /// The checks at the ends of the others.
    checks: Vec<Check<'c>>,
    /// The block in which the stretch ends, the last of `blocks`, and the first instruction behind it.
    end: (Block<'c>, Value<'c>),
}

/// Makes checks ahead in a function, and adds to `kept` the blocks that only those threads come to that may fail.
pub(super) fn check_ahead<'c>(
    module: &Module<'c>,
    kinds: &Kinds,
    function: Value<'c>,
    (mut entries, mut checks): (Entries<'c>, Vec<Check<'c>>),
    kept: &mut BTreeSet<Block<'c>>,
    passes_stores: bool,
) {
    let meetings = RefCell::new(Meetings::new(module.context()));
    // Blocks whose checks begin no stretch.
    let mut done = BTreeSet::new();
    for _ in 0..MAX_STRETCHES {
        let ahead = Ahead {
            context: module.context(),
            passes_stores,
            kinds,
            meetings: &meetings,
            bounds: &Bounds::of(module, function, &checks),
            checks: checks.iter().map(|check| (check.block, *check)).collect(),
            entries: &entries,
        };
        let found = checks
            .iter()
            .find_map(|check| if done.insert(check.block) { ahead.check(check) } else { None });
        let Some(copies) = found else { break };
        done.extend(copies.values());
        kept.extend(copies.into_keys());
        (entries, checks) = checks_of(function, kept);
    }
}

/// Loads that are valid if their indices pass tests.
#[derive(Default)]
struct Ranged<'c> {
    loads: BTreeSet<Value<'c>>,
    tests: Vec<Bound<'c>>,
    /// What must be calculated for the tests and for the loads' addresses.
    needed: BTreeSet<Value<'c>>,
}

struct Ahead<'a, 'c> {
    context: &'c Context,
    /// Whether stretches go on behind relaxed stores.
    passes_stores: bool,
    kinds: &'a Kinds,
    bounds: &'a Bounds<'a, 'c>,
    meetings: &'a RefCell<Meetings<'c>>,
    /// The checks of the function by their blocks.
    checks: BTreeMap<Block<'c>, Check<'c>>,
    entries: &'a Entries<'c>,
}

impl<'c> Ahead<'_, 'c> {
    /// Makes the checks of the stretch behind `first` together with it, where that lets more happen at once. Returns the
    /// blocks that only those threads come to that may fail, with their copies.
    fn check(&self, first: &Check<'c>) -> Option<BTreeMap<Block<'c>, Block<'c>>> {
        let mut stretch = self.stretch(first)?;
        self.end_before_shared_panics(first, &mut stretch);
        let (known, mut needed, gains) = self.known_before(&stretch);
        let made: Vec<Check<'c>> = [*first].into_iter().chain(known.iter().copied()).collect();
        let valid = self.valid_loads(&stretch, &made);
        let ranged = self.loads_in_range(&stretch, &known);
        if !gains && ranged.tests.is_empty() {
            return None;
        }
        let branch = first.block.terminator()?;
        for block in stretch.blocks.iter().filter(|block| is_entered_once(self.entries, **block)) {
            drop_phis(*block);
        }
        let condition = branch.condition()?;
        let spans = self.bounds.spans(&made, &stretch.blocks.iter().copied().collect());
        let (last, end) = stretch.end;
        let head = last.split_before(self.context, end);
        let place = stretch.blocks.iter().position(|block| *block == last)?;
        stretch.blocks[place] = head;

        needed.extend(ranged.needed);
        let builder = Builder::before(self.context, branch);
        for instruction in stretch.blocks.iter().flat_map(|block| block.instructions()) {
            if needed.contains(&instruction) {
                instruction.take_out();
                builder.insert_copy(instruction);
            }
        }
        let start = stretch.blocks[0];
        let slow = first.block.function().append_block(self.context);
        let by_range = !ranged.tests.is_empty();
        let passes = match by_range {
            true => self.all_in_range(&builder, &ranged.tests),
            false => all_pass(self.context, self.bounds, &builder, &made, &spans),
        };
        // What checks make certain is no longer certain before them.
        needed.iter().for_each(|one| forget_promises(*one));
        let loads = if by_range { &ranged.loads } else { &valid };
        let is_checked_in_arm = |check: &Check<'c>| stretch.arms.contains(&check.block);
        let (loaded, computed) = match by_range || stretch.checks.iter().any(is_checked_in_arm) {
            true => self.known_by_loads(&stretch, &known, loads),
            false => Default::default(),
        };
        let mut copies = if loaded.is_empty() {
            let copies = self.copy(&stretch, &known, &valid, BTreeMap::new());
            builder.branch(passes, copies[&start], slow);
            copies
        } else {
            let known = [known.clone(), loaded.clone()].concat();
            let made = [vec![*first], known.clone()].concat();
            let is_tested = |check: &Check<'c>| {
                let bound = self.bounds.bound(check);
                bound.is_some_and(|bound| ranged.tests.iter().any(|test| test.is_same(&bound)))
            };
            let open = if by_range { &made } else { &loaded };
            let asked: Vec<Check<'c>> =
                open.iter().copied().filter(|one| !is_tested(one)).collect();
            let late = if by_range { self.late(first, &stretch) } else { Vec::new() };
            let (second, values, all) = self.second_step(&stretch, &asked, &late, &computed, loads);
            builder.branch(passes, second, slow);
            let copies = self.copy(&stretch, &known, &self.valid_loads(&stretch, &made), values);
            Builder::at_end(self.context, second).branch(all, copies[&start], slow);
            let at_slow = Builder::at_end(self.context, slow);
            for one in late {
                one.take_out();
                at_slow.insert_copy(one);
            }
            copies
        };
        let at_slow = Builder::at_end(self.context, slow);
        at_slow.take_place(branch);
        let (yes, no) = if first.passes { (start, first.end) } else { (first.end, start) };
        at_slow.branch(again(self.context, &at_slow, condition), yes, no);
        branch.erase();
        // Otherwise all threads would keep the results of the comparisons for those that fail.
        for branch in known.iter().filter_map(|check| check.block.terminator()) {
            if let Some(condition) = branch.condition() {
                let builder = Builder::before(self.context, branch);
                branch.set_condition(again(self.context, &builder, condition));
            }
        }
        copies.insert(slow, copies[&start]);
        Some(copies)
    }

    /// The condition that all of these indices are below their lengths.
    fn all_in_range(&self, builder: &Builder<'c>, tests: &[Bound<'c>]) -> Value<'c> {
        let no = self.context.int(1).constant(0);
        let conditions = tests.iter().flat_map(|test| self.bounds.all_conditions(builder, *test));
        let hidden = conditions.map(|one| hidden(self.context, builder, one));
        hidden.reduce(|all, one| builder.select(all, one, no)).unwrap_or(no)
    }

    /// The other checks of a stretch that compare what is known once the loads in `valid` were made, with what must be calculated
    /// for that.
    fn known_by_loads(
        &self,
        stretch: &Stretch<'c>,
        known: &[Check<'c>],
        valid: &BTreeSet<Value<'c>>,
    ) -> (Vec<Check<'c>>, BTreeSet<Value<'c>>) {
        let inside = stretch.blocks.iter().copied().collect();
        let (mut found, mut needed) = (Vec::new(), BTreeSet::new());
        let is_known = |block: Block<'c>| known.iter().any(|check| check.block == block);
        for block in stretch.blocks.iter().filter(|block| !is_known(**block)) {
            let check = stretch.checks.iter().find(|check| check.block == *block);
            let condition = block.terminator().and_then(Value::condition);
            let (Some(check), Some(condition)) = (check, condition) else { continue };
            let mut more = needed.clone();
            if collect_loads(self.kinds, condition, &inside, valid, &mut more) {
                needed = more;
                found.push(*check);
            }
        }
        (found, needed)
    }

    /// What the first check's block computes only for that check and its stretch. There it would wait for earlier loads, before
    /// those of the stretch are issued; so it moves behind them. A frozen length stays: what lower
    /// halves of indices are compared with is calculated behind it ([`Bounds`]).
    fn late(&self, first: &Check<'c>, stretch: &Stretch<'c>) -> Vec<Value<'c>> {
        let mut blocks: BTreeSet<Block<'c>> = stretch.blocks.iter().copied().collect();
        let comes_from_here = |end: &Block<'c>| {
            let is_here = |from: &Block<'c>| *from == first.block || stretch.blocks.contains(from);
            self.entries.get(end).is_some_and(|from| from.iter().all(is_here))
        };
        let ends = stretch.checks.iter().map(|check| check.end).chain([first.end]);
        blocks.extend(ends.filter(comes_from_here));
        let end = first.block.terminator();
        let mut late = Vec::new();
        for one in first.block.instructions().into_iter().rev() {
            let computes = self.kinds.of(one) == Kind::Pure
                && !matches!(one.opcode(), opcode::PHI | opcode::LOAD | opcode::FREEZE);
            let is_late = |user: Value<'c>| {
                Some(user) == end || late.contains(&user) || blocks.contains(&user.parent_block())
            };
            let users = one.users();
            if computes && !users.is_empty() && users.into_iter().all(is_late) {
                late.push(one);
            }
        }
        late.reverse();
        late
    }

    /// A block that calculates `late` and `computed` and whether `checks` pass, and what it calculates. These are copies: threads
    /// that fail come to the originals.
    fn second_step(
        &self,
        stretch: &Stretch<'c>,
        checks: &[Check<'c>],
        late: &[Value<'c>],
        computed: &BTreeSet<Value<'c>>,
        valid: &BTreeSet<Value<'c>>,
    ) -> (Block<'c>, BTreeMap<Value<'c>, Value<'c>>, Value<'c>) {
        let block = stretch.blocks[0].function().append_block(self.context);
        let builder = Builder::at_end(self.context, block);
        let mut values: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
        for &one in late {
            let copy = one.copy();
            builder.insert_copy(copy);
            values.insert(one, copy);
        }
        for one in stretch.blocks.iter().flat_map(|block| block.instructions()) {
            if computed.contains(&one) {
                let copy = one.copy();
                builder.insert_copy(copy);
                if valid.contains(&one) {
                    self.kinds.mark_valid(self.context, copy);
                } else {
                    forget_promises(copy);
                }
                values.insert(one, copy);
            }
        }
        let spans = self.bounds.spans(checks, &stretch.blocks.iter().copied().collect());
        let all = all_pass(self.context, self.bounds, &builder, checks, &spans);
        // The comparisons were made from the originals.
        for one in block.instructions() {
            for (index, operand) in (0..).zip(one.operands()) {
                if let Some(new) = values.get(&operand) {
                    one.set_operand(index, *new);
                }
            }
        }
        (block, values, all)
    }

    /// The loads of a stretch of which the checks make certain that they are valid, from slices that no thread writes to. In the
    /// copy, they need not wait for other checks.
    fn valid_loads(&self, stretch: &Stretch<'c>, made: &[Check<'c>]) -> BTreeSet<Value<'c>> {
        let guards: Vec<(Bound<'c>, ())> =
            made.iter().filter_map(|check| Some((self.bounds.bound(check)?, ()))).collect();
        let all = stretch.blocks.iter().flat_map(|block| block.instructions());
        all.filter(|one| {
            is_plain_load(*one)
                && self.bounds.guard_of(*one, &guards).is_some()
                && self.bounds.is_of_constant_slice(*one)
        })
        .collect()
    }

    /// What follows a check.
    fn stretch(&self, first: &Check<'c>) -> Option<Stretch<'c>> {
        if !first.is_only_way {
            return None;
        }
        let (mut blocks, mut arms, mut checks) = (Vec::new(), BTreeSet::new(), Vec::new());
        let mut size = 0;
        let mut block = first.next;
        // The first relaxed store behind the last load that may take long.
        let mut last_store: Option<Stretch<'c>> = None;
        let found = loop {
            blocks.push(block);
            let end = block.terminator()?;
            let instructions = block.instructions();
            let stop = instructions.iter().copied().find(|one| *one != end && !self.can_pass(*one));
            for one in instructions.iter().copied().take_while(|one| Some(*one) != stop) {
                if is_relaxed_write(one) && last_store.is_none() {
                    let (blocks, arms, checks) = (blocks.clone(), arms.clone(), checks.clone());
                    last_store = Some(Stretch { blocks, arms, checks, end: (block, one) });
                } else if is_plain_load(one) {
                    last_store = None;
                }
            }
            if let Some(stop) = stop {
                break Stretch { blocks, arms, checks, end: (block, stop) };
            }
            size += instructions.len();
            let next = if size > MAX_SIZE {
                None
            } else if let Some(check) = self.checks.get(&block) {
                let goes_on = self.goes_on(check);
                checks.extend(goes_on.then_some(*check));
                goes_on.then_some(check.next)
            } else {
                self.branch_at(block).map(|(between, join)| {
                    size += between.iter().map(|arm| arm.instructions().len()).sum::<usize>();
                    arms.extend(between.iter().copied());
                    checks.extend(between.iter().filter_map(|arm| self.checks.get(arm)));
                    blocks.extend(between);
                    join
                })
            };
            match next {
                Some(next) => block = next,
                None => break Stretch { blocks, arms, checks, end: (block, end) },
            }
        };
        Some(last_store.unwrap_or(found))
    }

    /// Whether a stretch may go on behind a check. If it is not known ahead, its end is copied.
    fn goes_on(&self, check: &Check<'c>) -> bool {
        is_entered_once(self.entries, check.next) && !self.meetings.borrow_mut().in_block(check.end)
    }

    /// Ends a stretch before a check whose panic block is also that of a check outside it: what it reports must be known on
    /// all ways there.
    fn end_before_shared_panics(&self, first: &Check<'c>, stretch: &mut Stretch<'c>) {
        loop {
            // What the last block ends with is behind the stretch.
            let (last, _) = stretch.end;
            let is_inside = |from: &Block<'c>| {
                *from == first.block || *from != last && stretch.blocks.contains(from)
            };
            let is_shared = |check: &&Check<'c>| {
                self.entries.get(&check.end).is_none_or(|from| !from.iter().all(is_inside))
                    && (!stretch.arms.contains(&check.block)
                        || reports_from(check.end, &stretch.blocks))
            };
            let Some(block) = stretch.checks.iter().find(is_shared).map(|check| check.block) else {
                return;
            };
            let Some(place) = stretch.blocks.iter().position(|one| *one == block) else { return };
            // A branch is copied with all of its blocks, or not at all.
            let mut head = place;
            while stretch.arms.contains(&stretch.blocks[head]) {
                head -= 1;
            }
            let Some(end) = stretch.blocks[head].terminator() else { return };
            stretch.blocks.truncate(head + 1);
            let block = stretch.blocks[head];
            stretch.end = (block, end);
            stretch
                .checks
                .retain(|check| check.block != block && stretch.blocks.contains(&check.block));
            stretch.arms.retain(|arm| stretch.blocks.contains(arm));
        }
    }

    /// The blocks between `block` and the one where all ways from it come together again, and that one; each before those that
    /// it leads to. They are few and have no checks: copies of larger branches took more time than was gained.
    fn branch_at(&self, block: Block<'c>) -> Option<(Vec<Block<'c>>, Block<'c>)> {
        let may = |arm: Block<'c>| self.kinds.is_simple(arm) && !self.checks.contains_key(&arm);
        let (arms, join) = between(self.entries, block, MAX_ARMS, ways, may)
            .or_else(|| self.storing_branch_at(block))?;
        is_behind(self.entries, block, &arms, join).then_some((arms, join))
    }

    /// The same of a branch that has relaxed stores and perhaps checks.
    fn storing_branch_at(&self, block: Block<'c>) -> Option<(Vec<Block<'c>>, Block<'c>)> {
        let may = |arm: Block<'c>| {
            let mut all = arm.instructions();
            all.pop();
            all.iter().all(|one| self.can_pass(*one))
                && self.checks.get(&arm).is_none_or(|check| self.goes_on(check))
        };
        let past_checks = |from: Block<'c>| match self.checks.get(&from) {
            Some(check) => Some(vec![check.next]),
            None => ways(from),
        };
        let (arms, join) = between(self.entries, block, MAX_STORING_ARMS, past_checks, may)?;
        let stores = arms.iter().flat_map(|arm| arm.instructions()).any(is_relaxed_store);
        stores.then_some((arms, join))
    }

    /// Whether an instruction may stand in the code twice: threads need not run it together. Atomic accesses are not copied,
    /// except relaxed loads: that gained no time on the whole.
    fn can_copy(&self, instruction: Value<'c>) -> bool {
        self.kinds.of(instruction) != Kind::Other
    }

    /// Whether an instruction may stand in a stretch, outside of its branches: also a relaxed store, if a load of global memory
    /// comes behind it, for which threads would wait much longer than for the store.
    fn can_pass(&self, instruction: Value<'c>) -> bool {
        self.can_copy(instruction) || self.passes_stores && is_relaxed_write(instruction)
    }

    /// The checks of a stretch that compare what is known before it, with what must be calculated for that, and whether this
    /// gains anything: no chain would make them as early.
    fn known_before(&self, stretch: &Stretch<'c>) -> (Vec<Check<'c>>, BTreeSet<Value<'c>>, bool) {
        let inside = stretch.blocks.iter().copied().collect();
        let mut known = Vec::new();
        let mut needed = BTreeSet::new();
        // Whether a chain ends before the next check, and whether one does before a known check.
        let (mut ends, mut gains) = (false, false);
        for &block in &stretch.blocks {
            let is_arm = stretch.arms.contains(&block);
            let stores = |one: &Value<'c>| one.opcode() == opcode::STORE || is_relaxed_write(*one);
            ends |= is_arm || block.instructions().iter().any(stores);
            let check = stretch.checks.iter().find(|check| check.block == block);
            let Some(check) = check else { continue };
            let mut more = needed.clone();
            if collect(self.kinds, check.condition, &inside, &mut more) {
                needed = more;
                known.push(*check);
                gains |= ends;
            } else {
                ends = true;
            }
        }
        (known, needed, gains)
    }

    /// The loads because of which a stretch's checks wait for each other: those of elements of slices that no thread writes to, at
    /// indices that are known before.
    fn loads_in_range(&self, stretch: &Stretch<'c>, known: &[Check<'c>]) -> Ranged<'c> {
        let inside: BTreeSet<Block<'c>> = stretch.blocks.iter().copied().collect();
        let mut ranged = Ranged::default();
        let mut bounds = Vec::new();
        let plain = stretch.blocks.iter().filter(|block| !stretch.arms.contains(block));
        for load in plain.flat_map(|block| block.instructions()).filter(|one| is_plain_load(*one)) {
            if !self.bounds.is_of_constant_slice(load) {
                continue;
            }
            let Some(bound) = self.bounds.own_bound(load) else { continue };
            let mut needed = BTreeSet::new();
            if collect(self.kinds, load.operand(0), &inside, &mut needed) {
                bounds.push((load, bound, needed));
                ranged.loads.insert(load);
            }
        }
        let (found, computed) = self.known_by_loads(stretch, known, &ranged.loads);
        if found.len() < MIN_LOADED {
            return Ranged::default();
        }
        ranged.loads.retain(|load| computed.contains(load));
        for (load, bound, needed) in bounds {
            if !ranged.loads.contains(&load) {
                continue;
            }
            ranged.needed.extend(needed);
            if !ranged.tests.iter().any(|other| other.is_same(&bound)) {
                ranged.tests.push(bound);
            }
        }
        ranged
    }

    /// Copies a stretch, without the checks that are known to pass, and returns the copies of its blocks. In the copy, the
    /// loads in `valid` are marked as valid, and what is in `values` is not calculated again.
    fn copy(
        &self,
        stretch: &Stretch<'c>,
        known: &[Check<'c>],
        valid: &BTreeSet<Value<'c>>,
        mut values: BTreeMap<Value<'c>, Value<'c>>,
    ) -> BTreeMap<Block<'c>, Block<'c>> {
        let is_known = |block: Block<'c>| known.iter().find(|check| check.block == block);
        let mut originals = stretch.blocks.clone();
        let others = stretch.checks.iter().filter(|check| is_known(check.block).is_none());
        for check in others {
            if !originals.contains(&check.end) {
                originals.push(check.end);
            }
        }
        let blocks: BTreeMap<Block<'c>, Block<'c>> = originals
            .iter()
            .map(|block| (*block, block.function().append_block(self.context)))
            .collect();
        for original in &originals {
            let builder = Builder::at_end(self.context, blocks[original]);
            for instruction in original.instructions() {
                let is_end = original.terminator() == Some(instruction);
                if let (true, Some(check)) = (is_end, is_known(*original)) {
                    builder.take_place(instruction);
                    builder.jump(blocks[&original.successors()[usize::from(!check.passes)]]);
                    continue;
                }
                let copied = |value: Value<'c>| values.get(&value).copied().unwrap_or(value);
                let copy = match instruction.opcode() {
                    _ if values.contains_key(&instruction) => continue,
                    opcode::PHI => {
                        let incoming = instruction.incoming_edges().into_iter();
                        let incoming: Vec<_> =
                            incoming.map(|(value, from)| (copied(value), blocks[&from])).collect();
                        builder.phi(instruction.ty(), &incoming)
                    }
                    _ if self.kinds.of(instruction) == Kind::Remark => continue,
                    _ => {
                        let copy = instruction.copy();
                        for (index, operand) in (0..).zip(instruction.operands()) {
                            if let Some(new) = values.get(&operand) {
                                copy.set_operand(index, *new);
                            }
                        }
                        builder.insert_copy(copy);
                        if valid.contains(&instruction) {
                            self.kinds.mark_valid(self.context, copy);
                        }
                        copy
                    }
                };
                values.insert(instruction, copy);
            }
            for next in original.successors() {
                if let Some(copy) = blocks.get(&next) {
                    blocks[original].redirect(next, *copy);
                }
            }
        }
        self.join(stretch, &blocks, &values);
        blocks
    }

    /// Lets what comes behind both copies use the values of the one that has run.
    fn join(
        &self,
        stretch: &Stretch<'c>,
        blocks: &BTreeMap<Block<'c>, Block<'c>>,
        values: &BTreeMap<Value<'c>, Value<'c>>,
    ) {
        let (behind, _) = stretch.end;
        let Some(first) = behind.instructions().first().copied() else { return };
        let Some(&last) = stretch.blocks.iter().find(|block| block.successors() == [behind]) else {
            return;
        };
        let builder = Builder::before(self.context, first);
        let mut inside: BTreeSet<Block<'c>> = blocks.iter().flat_map(|(a, b)| [*a, *b]).collect();
        inside.extend(stretch.checks.iter().map(|check| check.end));
        for value in stretch.blocks.iter().flat_map(|block| block.instructions()) {
            let outside: Vec<Value<'c>> = value
                .users()
                .into_iter()
                .filter(|user| !inside.contains(&user.parent_block()))
                .collect();
            let Some(copy) = values.get(&value).filter(|_| !outside.is_empty()) else { continue };
            let phi = builder.phi(value.ty(), &[(value, last), (*copy, blocks[&last])]);
            for user in outside {
                for (index, operand) in (0..).zip(user.operands()) {
                    if operand == value {
                        user.set_operand(index, phi);
                    }
                }
            }
        }
    }
}

/// Whether a panic block may report what is calculated in one of `blocks`.
fn reports_from<'c>(end: Block<'c>, blocks: &[Block<'c>]) -> bool {
    let is_from =
        |value: Value<'c>| value.is_instruction() && blocks.contains(&value.parent_block());
    end.instructions()
        .into_iter()
        .any(|one| one.opcode() == opcode::PHI || one.operands().into_iter().any(is_from))
}

/// Where a block leads to, by a jump or a branch.
pub(super) fn ways(block: Block<'_>) -> Option<Vec<Block<'_>>> {
    match block.successors()[..] {
        [next] => Some(vec![next]),
        [yes, no] if yes == no => Some(vec![yes]),
        [yes, no] => Some(vec![yes, no]),
        _ => None,
    }
}

/// Whether an instruction is a relaxed atomic store, as to shared cells.
pub(in crate::optimise) fn is_relaxed_store(instruction: Value<'_>) -> bool {
    instruction.opcode() == opcode::STORE && is_relaxed(instruction)
}

/// Whether an instruction is a relaxed atomic store, or a relaxed update whose result is not used, as of a histogram.
pub(in crate::optimise) fn is_relaxed_write(instruction: Value<'_>) -> bool {
    is_relaxed_store(instruction)
        || instruction.opcode() == opcode::ATOMIC_RMW
            && is_relaxed(instruction)
            && instruction.users().is_empty()
}

fn is_relaxed(instruction: Value<'_>) -> bool {
    instruction.memory_ordering() == ordering::MONOTONIC && !instruction.is_volatile()
}

/// Whether an instruction is a load of memory that need not be close: no shared or local memory, no cells.
fn is_plain_load(instruction: Value<'_>) -> bool {
    instruction.opcode() == opcode::LOAD
        && instruction.memory_ordering() == ordering::NOT_ATOMIC
        && matches!(instruction.operand(0).ty().address_space(), 0 | 1)
}
