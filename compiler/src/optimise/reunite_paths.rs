//! Leads threads that have passed a check to where others make it, so that there is one path again.
//!
//! ```text
//! if c(0) { check(k); a }          with paths by LLVM:   if c(0) { check(k); a; if c(1) { a } }
//! if c(1) { check(k); a }                                else { if c(1) { check(k); a } }
//! ```
//!
//! In an unrolled loop, the same check is made in each round. LLVM knows that a thread need not make it twice, and gives those
//! that have made it a path of their own, which asks the conditions behind the check by itself. The check costs one comparison,
//! and can be made together with others (`join_checks/`), but not once there are two paths through each round. So the path
//! without the check is led back to where the condition was asked at first. Its threads make the check again, and pass.

use super::flow::Flow;
use super::join_checks::{Kind, Kinds, forget_promises};
use crate::llvm::{Block, Builder, Module, Value, opcode};

/// The most paths of a function that are led back.
const MAX_PATHS: usize = 64;

/// The most instructions that a condition is computed from.
const MAX_COMPUTED: usize = 4;

/// Operations of which two are the same if their types and operands are; comparisons also need the same predicate.
const COMPARABLE: [opcode::Opcode; 12] = [
    opcode::ADD,
    opcode::SUB,
    opcode::MUL,
    opcode::SHL,
    opcode::LSHR,
    opcode::AND,
    opcode::OR,
    opcode::XOR,
    opcode::TRUNCATE,
    opcode::ZERO_EXTEND,
    opcode::SIGN_EXTEND,
    opcode::INTEGER_COMPARISON,
];

/// Reunites the paths of every function.
pub(crate) fn reunite_paths(module: &Module<'_>) {
    let kinds = Kinds::new(module.context());
    for function in module.functions() {
        for _ in 0..MAX_PATHS {
            let flow = Flow::of(function);
            let reuniting = Reuniting { kinds: &kinds, flow: &flow };
            let Some((path, fork)) = reuniting.find() else { break };
            let Some(old) = path.terminator() else { break };
            for computed in fork.instructions().into_iter().filter(|one| *one != old) {
                // It may be promised only for threads that came to the fork before.
                forget_promises(computed);
            }
            Builder::before(module.context(), old).jump(fork);
            old.erase();
        }
    }
}

struct Reuniting<'a, 'c> {
    kinds: &'a Kinds,
    flow: &'a Flow<'c>,
}

/// A block that asks a condition before a check.
struct Fork<'c> {
    block: Block<'c>,
    condition: Value<'c>,
    /// The condition's value if the check is made.
    takes: bool,
    /// What the check asks, and the value with which it passes.
    check: (Value<'c>, bool),
    /// Where threads come that pass the check, that do not make it, and that fail.
    passed: Block<'c>,
    other: Block<'c>,
    failed: Block<'c>,
}

impl<'c> Reuniting<'_, 'c> {
    /// A path that asks the condition of a fork behind its check, and the fork.
    fn find(&self) -> Option<(Block<'c>, Block<'c>)> {
        let forks = self.flow.blocks.iter().filter_map(|block| self.fork(*block));
        forks.into_iter().find_map(|fork| {
            let before = self.flow.predecessors.get(&fork.passed)?;
            let path = before.iter().find(|path| self.is_path(**path, &fork))?;
            Some((*path, fork.block))
        })
    }

    fn fork(&self, block: Block<'c>) -> Option<Fork<'c>> {
        let condition = block.terminator()?.condition()?;
        let [yes, no] = block.successors()[..] else { return None };
        let computed = self.computed(block)?;
        let is_computed = condition.is_instruction() && condition.parent_block() == block;
        if computed.len() > MAX_COMPUTED
            || !computed.is_empty() && !is_computed
            || !computed.iter().all(|one| is_part(*one, condition))
        {
            return None;
        }
        [(true, yes, no), (false, no, yes)].into_iter().find_map(|(takes, inner, other)| {
            let asked = inner.terminator()?.condition()?;
            let [pass, fail] = inner.successors()[..] else { return None };
            let is_check = |failed: Block<'c>| {
                failed.terminator().is_some_and(|end| end.opcode() == opcode::UNREACHABLE)
            };
            let (passes, passed, failed) = match (is_check(pass), is_check(fail)) {
                (false, true) => (true, pass, fail),
                (true, false) => (false, fail, pass),
                _ => return None,
            };
            let fits = self.flow.only_predecessor(inner) == Some(block)
                && self.computed(inner)?.is_empty()
                && !has_phis(passed)
                && !has_phis(other)
                && passed != other;
            fits.then_some(Fork {
                block,
                condition,
                takes,
                check: (asked, passes),
                passed,
                other,
                failed,
            })
        })
    }

    /// The instructions of a block before its end, if they only compute, and none is a phi.
    fn computed(&self, block: Block<'c>) -> Option<Vec<Value<'c>>> {
        let mut all = block.instructions();
        all.pop();
        all.retain(|one| self.kinds.of(*one) != Kind::Remark);
        all.iter().all(|one| opcode::PURE.contains(&one.opcode())).then_some(all)
    }

    /// Whether `path` asks the condition of `fork`, leads to the same blocks, and only threads come to it that have passed the
    /// check.
    fn is_path(&self, path: Block<'c>, fork: &Fork<'c>) -> bool {
        let next = if fork.takes { [fork.passed, fork.other] } else { [fork.other, fork.passed] };
        path != fork.block
            && path.successors() == next
            && path
                .terminator()
                .and_then(Value::condition)
                .is_some_and(|asked| self.is_equal(asked, fork.condition, fork.block))
            && self.flow.all_guards(path).any(|guard| guard == fork.check)
            && self.is_known(path, fork)
    }

    /// Whether an expression is computed from the same values by the same operations as another, of which `block` computes a part.
    fn is_equal(&self, one: Value<'c>, other: Value<'c>, block: Block<'c>) -> bool {
        if one == other {
            return true;
        }
        one.is_instruction()
            && other.is_instruction()
            && other.parent_block() == block
            && COMPARABLE.contains(&one.opcode())
            && one.opcode() == other.opcode()
            && one.ty() == other.ty()
            && (one.opcode() != opcode::INTEGER_COMPARISON || one.predicate() == other.predicate())
            && one
                .operands()
                .into_iter()
                .zip(other.operands())
                .all(|(a, b)| self.is_equal(a, b, block))
    }

    /// Whether `path` comes behind everything that the fork and the failed check use.
    fn is_known(&self, path: Block<'c>, fork: &Fork<'c>) -> bool {
        let Some(&entry) = self.flow.blocks.first() else { return false };
        let is_before = |value: Value<'c>| {
            if !value.is_instruction() {
                return true;
            }
            let block = value.parent_block();
            block == fork.failed
                || block == fork.block
                || block == path
                || !self.flow.reaches(entry, &[path], block)
        };
        let used = fork.failed.instructions().into_iter().flat_map(Value::operands);
        used.chain([fork.check.0]).all(is_before)
    }
}

/// Whether `condition` is computed from `one` in the same block, and nothing else is.
fn is_part<'c>(one: Value<'c>, condition: Value<'c>) -> bool {
    let is_part_of = |user: Value<'c>| {
        user.opcode() != opcode::PHI
            && user.parent_block() == condition.parent_block()
            && is_part(user, condition)
    };
    one == condition || one.users().into_iter().all(is_part_of)
}

fn has_phis(block: Block<'_>) -> bool {
    block.instructions().first().is_some_and(|first| first.opcode() == opcode::PHI)
}
