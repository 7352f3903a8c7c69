//! Turns consecutive checks into a branch or two.

use std::collections::{BTreeMap, BTreeSet};

use super::below::Limits;
use super::spans::{Spans, forget_promises};
use super::{
    Bound, Bounds, Check, Kind, Kinds, check_alone, conditions, copy, drop_phis, hidden, is_word,
    not,
};
use crate::llvm::{Block, Builder, Context, Value, opcode};

/// The most instructions that are predicated: the assembler makes a jump over more than that.
const MAX_GUARDED: usize = 8;

/// Checks, each at the end of the block in which the one before it goes on.
pub(crate) struct Chain<'a, 'c> {
    context: &'c Context,
    kinds: &'a Kinds,
    bounds: &'a Bounds<'a, 'c>,
    checks: Vec<Check<'c>>,
}

/// What is known of the checks so far, one by one.
#[derive(Default)]
struct Own<'c> {
    /// What each compares, and whether it passes. That means nothing if a load that it needs did not run.
    checks: Vec<(Bound<'c>, Value<'c>)>,
    /// Loaded values, with the condition under which the load ran.
    loaded: BTreeMap<Value<'c>, Value<'c>>,
}

impl<'a, 'c> Chain<'a, 'c> {
    pub(crate) fn new(
        context: &'c Context,
        kinds: &'a Kinds,
        bounds: &'a Bounds<'a, 'c>,
        checks: Vec<Check<'c>>,
    ) -> Self {
        Chain { context, kinds, bounds, checks }
    }

    pub(crate) fn join(mut self) {
        for check in &self.checks[1..] {
            drop_phis(check.block);
        }
        // A phi may have been a condition.
        for check in &mut self.checks {
            if let Some(condition) = check.block.terminator().and_then(Value::condition) {
                check.condition = condition;
            }
        }
        let mut rest = &self.checks[..];
        while rest.len() > 1 {
            let first = self.join_first(rest);
            rest = self.behind(rest, first);
            if rest.len() < 2 {
                break;
            }
            let guarded = self.guard_rest(rest);
            rest = self.behind(rest, guarded);
        }
        self.behind(rest, rest.len());
    }

    /// The checks behind the first `count` of these. If that is only one, it has been joined with no other, and is made alone.
    fn behind<'s>(&self, checks: &'s [Check<'c>], count: usize) -> &'s [Check<'c>] {
        if let [single] = checks[..count] {
            check_alone(self.context, self.bounds, &single);
        }
        &checks[count..]
    }

    /// Moves the checks whose values are known at the first one there, and returns how many they are.
    fn join_first(&self, checks: &[Check<'c>]) -> usize {
        let Some((first, others)) = checks.split_first() else { return 0 };
        let mut behind = BTreeSet::new();
        let mut needed = BTreeSet::new();
        let mut count = 1;
        for check in others {
            behind.insert(check.block);
            // A store stays before the checks after it.
            let stores = |i: &Value<'_>| i.opcode() == opcode::STORE;
            if check.block.instructions().iter().any(stores) {
                break;
            }
            let mut wanted = vec![check.condition];
            wanted.extend(check.end.instructions().iter().flat_map(|i| i.operands()));
            let mut more = needed.clone();
            if !wanted.into_iter().all(|value| collect(self.kinds, value, &behind, &mut more)) {
                break;
            }
            needed = more;
            count += 1;
        }
        let joined = &checks[..count];
        if count < 2 {
            return 1;
        }
        let Some(branch) = first.block.terminator() else { return count };
        let spans =
            self.bounds.spans(joined, &joined[1..].iter().map(|check| check.block).collect());
        let end = self.find_failed(joined, (!spans.is_exact()).then_some(first.next));
        let builder = Builder::before(self.context, branch);
        let mut moved = Vec::new();
        for check in &joined[1..] {
            for instruction in check.block.instructions() {
                if needed.contains(&instruction) {
                    instruction.take_out();
                    builder.insert_copy(instruction);
                    moved.push(instruction);
                }
            }
        }
        let all = all_pass(self.context, self.bounds, &builder, joined, &spans);
        if !spans.implied.is_empty() {
            // What a check that is left out makes certain is no longer certain where the others are made.
            moved.iter().for_each(|one| forget_promises(*one));
        }
        self.decide(first, &builder, all, end);
        for check in &joined[1..] {
            let Some(branch) = check.block.terminator() else { continue };
            Builder::before(self.context, branch).jump(check.next);
            branch.erase();
        }
        count
    }

    /// Predicates what follows the first check on all checks before it, without branches, and returns
    /// how many checks became one.
    fn guard_rest(&self, checks: &[Check<'c>]) -> usize {
        let few =
            |check: &&Check<'c>| self.guarded(&check.block.instructions()).len() <= MAX_GUARDED;
        let count = 1 + checks[1..].iter().take_while(few).count();
        if count < 2 {
            return 1;
        }
        let checks = &checks[..count];
        let end = self.find_failed(checks, None);
        let mut open = checks[0].block;
        let Some(mut branch) = open.terminator() else { return count };
        let mut own = Own::default();
        let first = self.bounds.bound(&checks[0]);
        let mut passed = self.passed(&Builder::before(self.context, branch), &checks[0]);
        own.checks.extend(first.map(|bound| (bound, passed)));
        for check in &checks[1..] {
            let builder = Builder::before(self.context, branch);
            let guarded = self.guarded(&check.block.instructions());
            let mut depends: BTreeSet<Value<'c>> = guarded.iter().copied().collect();
            for instruction in check.block.instructions() {
                match self.kinds.of(instruction) {
                    _ if guarded.contains(&instruction) => {}
                    Kind::Remark => instruction.erase(),
                    Kind::Pure if instruction.operands().iter().any(|o| depends.contains(o)) => {
                        depends.insert(instruction);
                    }
                    Kind::Pure => {
                        instruction.take_out();
                        builder.insert_copy(instruction);
                    }
                    _ => {}
                }
            }
            if guarded.is_empty() {
                builder.jump(check.block);
            } else {
                let inner = check.block.insert_before(self.context);
                let own_check = self.own_condition(&builder, &guarded, checks, &own);
                let condition = own_check.unwrap_or(passed);
                builder.branch(condition, inner, check.block);
                let values = self.move_into(inner, open, check.block, &guarded);
                own.loaded.extend(values.into_iter().map(|value| (value, condition)));
            }
            branch.erase();
            let Some(next) = check.block.terminator() else { return count };
            let builder = Builder::before(self.context, next);
            let bound = self.bounds.bound(check);
            let this = self.passed(&builder, check);
            own.checks.extend(bound.map(|bound| (bound, this)));
            passed = and(self.context, &builder, passed, this);
            (open, branch) = (check.block, next);
        }
        let last = &checks[count - 1];
        if !self.guard_tail(last, passed, end, checks, &own) {
            self.decide(last, &Builder::before(self.context, branch), passed, end);
        }
        count
    }

    /// Predicates the loads after the last check on `passed`, too. They then need not wait for the
    /// stores before them, which wait for other loads. The branch comes after them.
    fn guard_tail(
        &self,
        last: &Check<'c>,
        passed: Value<'c>,
        end: Block<'c>,
        checks: &[Check<'c>],
        own: &Own<'c>,
    ) -> bool {
        if !last.is_only_way {
            return false;
        }
        let tail = last.next;
        drop_phis(tail);
        let mut first = tail.instructions();
        first.pop();
        let waits = first.iter().take_while(|i| self.kinds.of(**i) != Kind::Other).count();
        first.truncate(waits);
        let guarded = self.guarded(&first);
        let loads = guarded.iter().any(|i| i.opcode() == opcode::LOAD);
        let Some(branch) = last.block.terminator().filter(|_| loads) else { return false };
        if guarded.len() > MAX_GUARDED {
            return false;
        }
        let mut needed = BTreeSet::new();
        let others = |value: &Value<'c>| !guarded.contains(value);
        for value in guarded.iter().flat_map(|i| i.operands()).filter(others) {
            collect(self.kinds, value, &BTreeSet::from([tail]), &mut needed);
        }
        let merge = tail.insert_before(self.context);
        let inner = merge.insert_before(self.context);
        let builder = Builder::before(self.context, branch);
        for instruction in first {
            if needed.contains(&instruction) {
                instruction.take_out();
                builder.insert_copy(instruction);
            }
        }
        let own_check = self.own_condition(&builder, &guarded, checks, own);
        builder.branch(own_check.unwrap_or(passed), inner, merge);
        let at_end = Builder::at_end(self.context, merge);
        at_end.take_place(branch);
        at_end.branch(passed, tail, end);
        branch.erase();
        self.move_into(inner, last.block, merge, &guarded);
        true
    }

    /// The condition under which loads may run, whatever became of other checks: those of their own checks, and of the
    /// loads that these and their addresses need. `None` if something else than a check of its index makes a load valid.
    fn own_condition(
        &self,
        builder: &Builder<'c>,
        guarded: &[Value<'c>],
        checks: &[Check<'c>],
        own: &Own<'c>,
    ) -> Option<Value<'c>> {
        let mut conditions: Vec<Value<'c>> = Vec::new();
        for &access in guarded.iter().filter(|one| self.kinds.of(**one) == Kind::Memory) {
            conditions.push(self.bounds.guard_of(access, &own.checks)?);
        }
        let mut needed = Vec::new();
        // What other checks make certain of the values is no longer certain.
        guarded.iter().for_each(|one| forget_promises(*one));
        let mut seen: BTreeSet<Value<'c>> = guarded.iter().copied().collect();
        let mut open: Vec<Value<'c>> = guarded.iter().flat_map(|one| one.operands()).collect();
        open.extend(&conditions);
        while let Some(value) = open.pop() {
            if !value.is_instruction() || !seen.insert(value) {
                continue;
            }
            if let Some(condition) = own.loaded.get(&value) {
                needed.push(*condition);
            } else if checks.iter().any(|check| check.block == value.parent_block()) {
                forget_promises(value);
                open.extend(value.operands());
            }
        }
        // First those without which the others mean nothing.
        let mut all: Vec<Value<'c>> = Vec::new();
        for condition in needed.into_iter().chain(conditions) {
            if !all.contains(&condition) {
                all.push(condition);
            }
        }
        all.into_iter().reduce(|all, one| and(self.context, builder, all, one))
    }

    /// The instructions that must not run unless all checks before them passed: loads, stores, and what
    /// is computed from loads for other such instructions.
    fn guarded(&self, instructions: &[Value<'c>]) -> Vec<Value<'c>> {
        let memory: BTreeSet<Value<'c>> =
            instructions.iter().copied().filter(|i| self.kinds.of(*i) == Kind::Memory).collect();
        let mut late = memory.clone();
        for &instruction in instructions {
            if instruction.operands().iter().any(|operand| late.contains(operand)) {
                late.insert(instruction);
            }
        }
        let mut wanted = BTreeSet::new();
        for &instruction in instructions.iter().rev() {
            if memory.contains(&instruction) || wanted.contains(&instruction) {
                let operands = instruction.operands();
                wanted.extend(operands.into_iter().filter(|operand| late.contains(operand)));
                wanted.insert(instruction);
            }
        }
        instructions.iter().copied().filter(|i| wanted.contains(i)).collect()
    }

    /// Moves instructions into `inner`, a new block between `from` and `to`, and returns what stands for their values
    /// behind it.
    fn move_into(
        &self,
        inner: Block<'c>,
        from: Block<'c>,
        to: Block<'c>,
        instructions: &[Value<'c>],
    ) -> Vec<Value<'c>> {
        let mut phis = Vec::new();
        let builder = Builder::at_end(self.context, inner);
        for instruction in instructions {
            instruction.take_out();
            builder.insert_copy(*instruction);
        }
        builder.jump(to);
        for &value in instructions {
            let outside: Vec<Value<'c>> =
                value.users().into_iter().filter(|user| user.parent_block() != inner).collect();
            let Some(first) = to.instructions().first().copied().filter(|_| !outside.is_empty())
            else {
                continue;
            };
            let ty = value.ty();
            let builder = Builder::before(self.context, first);
            // It is not used if a check failed.
            let phi = builder.phi(ty, &[(value, inner), (ty.undefined(), from)]);
            phis.push(phi);
            for user in outside {
                for (i, operand) in (0..).zip(user.operands()) {
                    if operand == value {
                        user.set_operand(i, phi);
                    }
                }
            }
        }
        phis
    }

    /// New blocks that repeat the checks, and end as the first that fails does. If there may be none, they go on to
    /// `otherwise`.
    fn find_failed(&self, checks: &[Check<'c>], otherwise: Option<Block<'c>>) -> Block<'c> {
        let mut checks = checks.iter().rev();
        let mut next = otherwise.or_else(|| checks.next().map(|last| last.end));
        for check in checks {
            let Some(branch) = check.block.terminator() else { continue };
            let block = check.block.function().append_block(self.context);
            let builder = Builder::at_end(self.context, block);
            builder.take_place(branch);
            let condition = again(self.context, &builder, check.condition);
            let next_block = next.unwrap_or(check.end);
            let (yes, no) =
                if check.passes { (next_block, check.end) } else { (check.end, next_block) };
            builder.branch(condition, yes, no);
            next = Some(block);
        }
        next.unwrap_or_else(|| unreachable!("a chain has checks"))
    }

    fn passed(&self, builder: &Builder<'c>, check: &Check<'c>) -> Value<'c> {
        let all = conditions(self.context, self.bounds, builder, check).into_iter();
        let all = all.map(|one| hidden(self.context, builder, one));
        all.reduce(|all, one| and(self.context, builder, all, one))
            .unwrap_or_else(|| unreachable!("a check has a condition"))
    }

    /// Makes a check's branch go on if `passed`, and otherwise to `end`.
    fn decide(&self, check: &Check<'c>, builder: &Builder<'c>, passed: Value<'c>, end: Block<'c>) {
        let Some(branch) = check.block.terminator() else { return };
        branch.set_condition(if check.passes {
            passed
        } else {
            not(self.context, builder, passed)
        });
        check.block.redirect(check.end, end);
    }
}

/// Adds to `found` the instructions of `inside` that `value` needs; `false` if one of them does not only compute. Phis of one
/// value are dropped before; others depend on the way to their block.
pub(in crate::optimise) fn collect<'c>(
    kinds: &Kinds,
    value: Value<'c>,
    inside: &BTreeSet<Block<'c>>,
    found: &mut BTreeSet<Value<'c>>,
) -> bool {
    collect_loads(kinds, value, inside, &BTreeSet::new(), found)
}

/// The same, where the loads in `valid` are taken for computations.
pub(super) fn collect_loads<'c>(
    kinds: &Kinds,
    value: Value<'c>,
    inside: &BTreeSet<Block<'c>>,
    valid: &BTreeSet<Value<'c>>,
    found: &mut BTreeSet<Value<'c>>,
) -> bool {
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if !value.is_instruction()
            || !inside.contains(&value.parent_block())
            || found.contains(&value)
        {
            continue;
        }
        let is_pure = kinds.of(value) == Kind::Pure || valid.contains(&value);
        if !is_pure || value.opcode() == opcode::PHI {
            return false;
        }
        found.insert(value);
        open.extend(value.operands());
    }
    true
}

/// The condition computed again, if it is a comparison of words; otherwise the condition itself.
pub(super) fn again<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    condition: Value<'c>,
) -> Value<'c> {
    if !condition.is_instruction() || condition.opcode() != opcode::INTEGER_COMPARISON {
        return condition;
    }
    let comparison = condition.copy();
    for (i, operand) in (0..).zip(condition.operands()) {
        if operand.is_instruction() {
            comparison.set_operand(i, copied(context, builder, operand));
        }
    }
    builder.insert_copy(comparison);
    comparison
}

fn copied<'c>(context: &'c Context, builder: &Builder<'c>, value: Value<'c>) -> Value<'c> {
    let extends = matches!(value.opcode(), opcode::ZERO_EXTEND | opcode::SIGN_EXTEND);
    if extends && is_word(value.operand(0)) {
        let word = copy(context, builder, value.operand(0));
        return builder.cast(value.opcode(), word, value.ty());
    }
    if is_word(value) { copy(context, builder, value) } else { value }
}

/// A part of what must hold.
enum Part<'c> {
    Condition(Value<'c>),
    Limits(Limits<'c>),
}

/// The condition under which all of these checks pass.
pub(super) fn all_pass<'c>(
    context: &'c Context,
    bounds: &Bounds<'_, 'c>,
    builder: &Builder<'c>,
    checks: &[Check<'c>],
    spans: &Spans<'c>,
) -> Value<'c> {
    // In their order: what a later check compares may mean nothing unless an earlier one passes.
    let mut parts: Vec<Part<'c>> =
        spans.conditions(builder).into_iter().map(Part::Condition).collect();
    for check in checks.iter().filter(|check| !spans.implied.contains(&check.block)) {
        if let Some(limits) = Limits::of(check) {
            let known = parts.iter_mut().try_fold(limits, |limits, part| match part {
                Part::Limits(known) => known.add(limits).ok_or(()),
                Part::Condition(_) => Ok(limits),
            });
            parts.extend(known.ok().map(Part::Limits));
            continue;
        }
        let strict = || bounds.strict_conditions(builder, check);
        let is_end = spans.ends.contains(&check.block);
        let conditions = if is_end { strict() } else { None }
            .unwrap_or_else(|| conditions(context, bounds, builder, check));
        parts.extend(conditions.into_iter().map(Part::Condition));
    }
    let mut wanted = Vec::new();
    for condition in parts.into_iter().flat_map(|part| match part {
        Part::Condition(condition) => vec![condition],
        Part::Limits(limits) => limits.conditions(builder),
    }) {
        if !wanted.contains(&condition) {
            wanted.push(condition);
        }
    }
    let all = wanted.into_iter().map(|one| hidden(context, builder, one));
    all.reduce(|all, one| and(context, builder, all, one))
        .unwrap_or_else(|| unreachable!("the lowest and the highest are not implied"))
}

/// The `and` of both, where the second is meaningless unless the first is true.
fn and<'c>(
    context: &'c Context,
    builder: &Builder<'c>,
    first: Value<'c>,
    second: Value<'c>,
) -> Value<'c> {
    builder.select(first, second, context.int(1).constant(0))
}
