//! Proves checks under conditions that are the same for all threads of a launch, and makes a copy of the kernel without them.
//!
//! ```text
//! if x < w && y < h { check(y * w + x < len) }     is proved where     h * w <= len
//! ```
//!
//! Kernels guard themselves: a thread outside the image returns, a loop runs to the end of a row. Then no index can be out of
//! bounds, if only the buffers are as large as the parameters say. That is a question about the launch, not about a thread: the
//! host answers it (`lower/proof.rs`), and launches a copy of the kernel without the checks that it is about. Otherwise the
//! kernel runs as it was written; its panics are the same. The copies become modules of their own (`split_levels`).
//!
//! Each integer is a sum of products (`terms.rs`, `sum.rs`). What branches say on the only way to a check (`facts.rs`,
//! `branches.rs`, `rotated.rs`), how loops count (`phis.rs`, `below_zero.rs`, `induction.rs`), and what operations can result in
//! (`prover.rs`, `choices.rs`, `quotients.rs`) bounds the terms in which threads differ. Answers are kept (`answers.rs`), as bounds ask
//! for each other. What remains are sums of the parameters and of the launch's shape, which must not be negative. The host
//! calculates them, or the kernel does (`conditions.rs`). Those that many launches don't meet have a level, and a copy, of their own
//! (`levels.rs`, `copies.rs`).
//!
//! Barriers may be in all copies: all threads of a grid run the same one.

mod answers;
mod below_zero;
mod branches;
mod choices;
mod conditions;
mod copies;
mod defined;
mod facts;
mod induction;
mod levels;
mod phis;
mod prover;
mod quotients;
mod registers;
mod rotated;
mod saturating;
mod simpler;
mod sum;
mod terms;

use super::flow::{Flow, check_at};
use crate::llvm::known::KERNEL_CONVENTION;
use crate::llvm::{Block, Builder, Module, Value, opcode, predicate};
use crate::lower::{asked_levels, fix_level};
pub(super) use copies::copy_blocks;
use copies::{keep_apart, keep_small, split_head};
use levels::{Proof, conditions_of, levels_of};
use prover::Prover;
use simpler::{Subject, simpler};

/// The largest kernel that is copied, in instructions.
pub(super) const MAX_SIZE: usize = 4000;

/// Makes copies of kernels without the checks that can be proved. Returns whether there are any.
pub(crate) fn prove_checks(module: &Module<'_>) -> bool {
    let kernels = module.functions().into_iter().filter(|function| {
        function.calling_convention() == KERNEL_CONVENTION && !function.blocks().is_empty()
    });
    kernels.filter(|kernel| prove(module, *kernel).is_some()).count() > 0
}

/// The modules for launches of which one level holds, or two, and so on. The given one is left for the others.
///
/// A kernel takes the registers that any of its code needs, whether that runs or not. So each level has an entry in a module of its
/// own, which the host launches, and only conditions that the host can't calculate are tested on the device.
pub(crate) fn split_levels<'c>(module: &Module<'c>) -> Vec<Module<'c>> {
    let asked = |module: &Module<'c>| {
        let levels = module.functions().into_iter().map(|one| (one, asked_levels(one)));
        levels.max_by_key(|(_, levels)| *levels).filter(|(_, levels)| *levels > 0)
    };
    let Some((kernel, levels)) = asked(module) else { return Vec::new() };
    let of_level = |level| {
        let copy = module.copy();
        let (kernel, _) = asked(&copy)?;
        fix_level(&copy, kernel, level);
        Some(copy)
    };
    let proved = (1..=levels).filter_map(of_level).collect();
    fix_level(module, kernel, 0);
    proved
}

fn prove<'c>(module: &Module<'c>, kernel: Value<'c>) -> Option<()> {
    let context = module.context();
    let instructions: usize = kernel.blocks().iter().map(|one| one.instructions().len()).sum();
    let checks: Vec<Block<'c>> =
        kernel.blocks().into_iter().filter(|block| check_at(*block).is_some()).collect();
    if checks.is_empty() || instructions > MAX_SIZE {
        return None;
    }
    let flow = Flow::of(kernel);
    let mut prover = Prover::new(module, &flow, kernel);
    let mut proofs = Vec::new();
    for block in checks {
        let (condition, passes) = check_at(block)?;
        let attempt = |prover: &mut Prover<'_, 'c>| {
            prover.forget();
            holds(prover, condition, passes, block).is_some()
        };
        let is_proved = attempt(&mut prover) || {
            prover.change_variables();
            let is_proved = attempt(&mut prover);
            prover.change_variables();
            is_proved
        };
        if is_proved {
            let needs = std::mem::take(&mut prover.needs);
            let exact = std::mem::take(&mut prover.extended);
            proofs.push(Proof { subject: Subject::Check, block, needs, exact });
        }
    }
    if proofs.is_empty() {
        return None;
    }
    proofs.extend(simpler(&mut prover).into_iter().map(|(subject, block, needs)| Proof {
        subject,
        block,
        needs,
        exact: Vec::new(),
    }));
    let levels = levels_of(kernel, &prover.terms, proofs, instructions);
    if levels.is_empty() {
        return None;
    }
    let (head, start) = split_head(context, kernel)?;
    let jump = head.terminator()?;
    let conditions = conditions_of(module, kernel, &prover.terms, &levels, jump)?;
    let originals: Vec<Block<'c>> =
        kernel.blocks().into_iter().filter(|block| *block != head).collect();
    let mut next = start;
    let mut all = vec![originals.clone()];
    for (level, condition) in levels.iter().zip(conditions) {
        let copy = copy_blocks(context, kernel, &originals, &[]);
        level.apply(context, &copy)?;
        // What holds the most is tested first, so last here.
        let is_last = all.len() == levels.len();
        let test = if is_last { head } else { kernel.append_block(context) };
        Builder::at_end(context, test).branch(condition, *copy.blocks.get(&start)?, next);
        next = test;
        all.push(copy.blocks.into_values().collect());
    }
    jump.erase();
    keep_small(context, kernel, &originals);
    keep_apart(context, &all);
    Some(())
}

/// Proves that a condition is as wanted in a block.
fn holds<'c>(
    prover: &mut Prover<'_, 'c>,
    condition: Value<'c>,
    wanted: bool,
    at: Block<'c>,
) -> Option<()> {
    if !condition.is_instruction() {
        return (condition.as_int()? == u64::from(wanted)).then_some(());
    }
    let operand = |index| condition.operand(index);
    match (condition.opcode(), wanted) {
        (opcode::INTEGER_COMPARISON, _) => {
            let says = condition.predicate();
            let says = if wanted { says } else { predicate::inverse(says) };
            compares(prover, operand(0), says, operand(1), at)
        }
        (opcode::AND, true) | (opcode::OR, false) => {
            holds(prover, operand(0), wanted, at)?;
            holds(prover, operand(1), wanted, at)
        }
        // One of them is enough.
        (opcode::AND, false) | (opcode::OR, true) => {
            holds(prover, operand(0), wanted, at).or_else(|| holds(prover, operand(1), wanted, at))
        }
        // What short-circuits.
        (opcode::SELECT, _) => {
            let (decided, other) = if wanted { (2, 1) } else { (1, 2) };
            (operand(decided).as_int()? == u64::from(!wanted)).then_some(())?;
            holds(prover, operand(0), wanted, at)?;
            holds(prover, operand(other), wanted, at)
        }
        (opcode::XOR, _) if operand(1).as_int() == Some(1) => {
            holds(prover, operand(0), !wanted, at)
        }
        _ => None,
    }
}

fn compares<'c>(
    prover: &mut Prover<'_, 'c>,
    left: Value<'c>,
    says: i32,
    right: Value<'c>,
    at: Block<'c>,
) -> Option<()> {
    left.ty().int_bits().filter(|bits| (8..=64).contains(bits))?;
    match says {
        predicate::UNSIGNED_LESS => is_below(prover, (left, right), false, at),
        predicate::UNSIGNED_LESS_EQUAL => is_below(prover, (left, right), true, at),
        predicate::UNSIGNED_GREATER => is_below(prover, (right, left), false, at),
        predicate::UNSIGNED_GREATER_EQUAL => is_below(prover, (right, left), true, at),
        _ if predicate::is_signed(says) => {
            // What is not negative is greater than a negative number.
            let (less, greater) = if is_less(says) { (left, right) } else { (right, left) };
            prover.prove_small(greater, at)?;
            if is_negative(less) {
                return Some(());
            }
            prover.prove_small(less, at)?;
            compares(prover, left, predicate::unsigned(says), right, at)
        }
        // LLVM makes such questions of `<` where it knows enough for that.
        predicate::NOT_EQUAL if right.as_int() == Some(0) => prover.prove_not_zero(left, at),
        predicate::NOT_EQUAL => {
            // That a length is less than a constant would contradict others.
            let ways = match right.as_int() {
                Some(_) => [(right, left), (left, right)],
                None => [(left, right), (right, left)],
            };
            ways.into_iter()
                .find_map(|way| prover.prove_less(way, false, at))
                .or_else(|| prover.prove_sign_differs(left, right, at))
        }
        _ => None,
    }
}

/// Proves that an integer is less than another (or equal, if `or_equal`); if the other is a minimum, possibly by way of both of its
/// arguments.
fn is_below<'c>(
    prover: &mut Prover<'_, 'c>,
    (left, right): (Value<'c>, Value<'c>),
    or_equal: bool,
    at: Block<'c>,
) -> Option<()> {
    if let Some(proved) = prover.attempt(|prover| prover.prove_less((left, right), or_equal, at)) {
        return Some(proved);
    }
    let name = registers::intrinsic_of(right).filter(|name| name.starts_with("llvm.umin."));
    name.and_then(|_| {
        right
            .arguments()
            .into_iter()
            .try_for_each(|bound| prover.prove_less((left, bound), or_equal, at))
    })
}

/// Whether a signed comparison says that the left is less than the right, or equal.
fn is_less(says: i32) -> bool {
    [predicate::UNSIGNED_LESS, predicate::UNSIGNED_LESS_EQUAL].contains(&predicate::unsigned(says))
}

fn is_negative(value: Value<'_>) -> bool {
    let bits = value.ty().int_bits().unwrap_or(0);
    value.as_int().is_some_and(|number| (1..=64).contains(&bits) && number >> (bits - 1) == 1)
}
