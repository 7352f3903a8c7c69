//! Proves checks under conditions that are the same for all threads of a launch, and makes a copy of the kernel without them.
//!
//! ```text
//! if x < w && y < h { check(y * w + x < len) }     is proved where     h * w <= len
//! ```
//!
//! Kernels guard themselves: a thread outside the image returns, a loop runs to the end of a row. Then no index can be out of
//! bounds, if only the buffers are as large as the parameters say. That is a question about the launch, not about a thread: the
//! host answers it (`lower/proof.rs`), and the kernel runs a copy without the checks that it is about. Otherwise the kernel runs as it
//! was written; its panics are the same.
//!
//! Each integer is a sum of products (`terms.rs`, `sum.rs`). What branches say on the only way to a check (`facts.rs`,
//! `branches.rs`), how loops count (`phis.rs`), and what operations can result in (`prover.rs`) bounds the terms in which threads differ. What remains are sums of the
//! parameters and of the launch's shape, which must not be negative; they are calculated without wrapping around
//! (`conditions.rs`).
//!
//! Barriers may be in both copies: all threads of a grid run the same one.

mod branches;
mod conditions;
mod facts;
mod phis;
mod prover;
mod sum;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

use super::affine::EXACT;
use super::flow::{Flow, check_at};
use super::loop_properties::KEEPS_CHECKS;
use crate::llvm::known::KERNEL_CONVENTION;
use crate::llvm::{Block, Builder, Context, Module, Value, loops_of, opcode, predicate};
use crate::lower::{
    Known, LOOP_METADATA, NEVER_UNROLL, Need, ask_host, can_ask_host, number_of_parameter,
    unroll_properties,
};
use conditions::{Conditions, simplified};
use prover::Prover;
use sum::Sum;
use terms::{Term, register_number};

/// The largest kernel that is copied, in instructions.
const MAX_SIZE: usize = 4000;

/// The least number of checks outside loops for which a copy pays: a few are made by one branch.
const MIN_CHECKS: usize = 4;

/// The most conditions of a kernel's copy.
const MAX_CONDITIONS: usize = 16;

/// Makes copies of kernels without the checks that can be proved; whether there are any.
pub(crate) fn prove_checks(module: &Module<'_>) -> bool {
    let kernels = module.functions().into_iter().filter(|function| {
        function.calling_convention() == KERNEL_CONVENTION && !function.blocks().is_empty()
    });
    kernels.filter(|kernel| prove(module, *kernel).is_some()).count() > 0
}

/// A check, and what has to be asked so that it can't fail.
struct Proof<'c> {
    block: Block<'c>,
    needs: Vec<Sum>,
    /// Extensions that don't wrap around in any iteration of their loop.
    exact: Vec<Value<'c>>,
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
        prover.needs.clear();
        prover.extended.clear();
        if holds(&mut prover, condition, passes, block).is_some() {
            let needs = std::mem::take(&mut prover.needs);
            let exact = std::mem::take(&mut prover.extended);
            proofs.push(Proof { block, needs, exact });
        }
    }
    let terms = std::mem::take(&mut prover.terms.all);
    let around = loops_of(kernel);
    let in_loop = |block: &Block<'c>| around.iter().any(|one| one.body.contains(block));
    let needs = needs_of(&mut proofs, in_loop);
    let (asked, calculated) = for_host(kernel, &terms, &needs);
    let pays = proofs.iter().any(|proof| in_loop(&proof.block))
        || proofs.len() >= calculated.len() + MIN_CHECKS;
    if proofs.is_empty() || !pays {
        return None;
    }
    let proved: BTreeSet<Block<'c>> = proofs.iter().map(|proof| proof.block).collect();

    let (head, start) = split_head(context, kernel)?;
    let jump = head.terminator()?;
    let builder = Builder::before(context, jump);
    let mut all = context.int(1).constant(1);
    if !asked.is_empty() {
        all = builder.is_not_zero(ask_host(module, kernel, &asked)?);
    }
    if !calculated.is_empty() {
        let own = Conditions::new(module, &terms, jump).none_is_negative(&calculated)?;
        all = builder.and(all, own);
    }
    let (copies, values) = copy_blocks(context, kernel, head);
    let (kind, node) = (context.metadata_kind(EXACT), context.metadata_node(&[]));
    for copy in proofs.iter().flat_map(|proof| &proof.exact).filter_map(|one| values.get(one)) {
        copy.set_metadata(kind, node);
    }
    for block in &proved {
        let (_, passes) = check_at(*block)?;
        let copy = copies.get(block)?.terminator()?;
        copy.set_condition(context.int(1).constant(u64::from(passes)));
    }
    builder.branch(all, *copies.get(&start)?, start);
    jump.erase();
    keep_apart(context, &copies);
    keep_small(context, kernel, &copies);
    Some(())
}

/// What all proofs need. If those are too many conditions, or they contradict each other, some proofs are left out, those of checks in
/// loops last.
fn needs_of<'c>(proofs: &mut Vec<Proof<'c>>, in_loop: impl Fn(&Block<'c>) -> bool) -> Vec<Sum> {
    let of = |proofs: &[Proof<'c>]| {
        let all: Vec<Sum> = proofs.iter().flat_map(|proof| proof.needs.clone()).collect();
        simplified(&all, MAX_CONDITIONS)
    };
    if let Some(needs) = of(proofs) {
        return needs;
    }
    let (first, others): (Vec<_>, Vec<_>) =
        std::mem::take(proofs).into_iter().partition(|proof| in_loop(&proof.block));
    let mut needs = Vec::new();
    for proof in first.into_iter().chain(others) {
        proofs.push(proof);
        match of(proofs) {
            Some(all) => needs = all,
            None => drop(proofs.pop()),
        }
    }
    needs
}

/// The sums that the host can calculate, and the others.
fn for_host<'c>(kernel: Value<'c>, terms: &[Term<'c>], needs: &[Sum]) -> (Vec<Need>, Vec<Sum>) {
    let (mut asked, mut calculated) = (Vec::new(), Vec::new());
    let known = |index: &usize| match terms[*index] {
        Term::Register(name) => register_number(name),
        Term::Value(value) => number_of_parameter(kernel, value),
    };
    for need in needs {
        let product = |(factors, count): (&[usize], i64)| {
            Some((count, factors.iter().map(known).collect::<Option<Vec<Known>>>()?))
        };
        match need.products().map(product).collect::<Option<Need>>() {
            Some(sum) if can_ask_host(kernel) => asked.push(sum),
            _ => calculated.push(need.clone()),
        }
    }
    (asked, calculated)
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
        predicate::UNSIGNED_LESS => prover.prove_less((left, right), false, at),
        predicate::UNSIGNED_LESS_EQUAL => prover.prove_less((left, right), true, at),
        predicate::UNSIGNED_GREATER => prover.prove_less((right, left), false, at),
        predicate::UNSIGNED_GREATER_EQUAL => prover.prove_less((right, left), true, at),
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

/// Whether a signed comparison says that the left is less than the right, or equal.
fn is_less(says: i32) -> bool {
    [predicate::UNSIGNED_LESS, predicate::UNSIGNED_LESS_EQUAL].contains(&predicate::unsigned(says))
}

fn is_negative(value: Value<'_>) -> bool {
    let bits = value.ty().int_bits().unwrap_or(0);
    value.as_int().is_some_and(|number| (1..=64).contains(&bits) && number >> (bits - 1) == 1)
}

/// Splits a kernel's first block behind its variables. Returns both parts.
fn split_head<'c>(context: &'c Context, kernel: Value<'c>) -> Option<(Block<'c>, Block<'c>)> {
    let start = *kernel.blocks().first()?;
    let mut instructions = start.instructions().into_iter();
    let first = instructions.find(|one| one.opcode() != opcode::ALLOCA)?;
    Some((start.split_before(context, first), start))
}

/// Copies all blocks of a kernel but the first; returns the copies of blocks and of values.
fn copy_blocks<'c>(
    context: &'c Context,
    kernel: Value<'c>,
    head: Block<'c>,
) -> (BTreeMap<Block<'c>, Block<'c>>, BTreeMap<Value<'c>, Value<'c>>) {
    let originals: Vec<Block<'c>> =
        kernel.blocks().into_iter().filter(|block| *block != head).collect();
    let mut blocks = BTreeMap::new();
    for original in &originals {
        blocks.insert(*original, kernel.append_block(context));
    }
    let mut values: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
    for original in &originals {
        let builder = Builder::at_end(context, blocks[original]);
        for instruction in original.instructions() {
            let copy = match instruction.opcode() {
                opcode::PHI => builder.phi(instruction.ty(), &[]),
                _ => {
                    let copy = instruction.copy();
                    builder.insert_copy(copy);
                    copy
                }
            };
            values.insert(instruction, copy);
        }
    }
    let copied = |value: Value<'c>| values.get(&value).copied().unwrap_or(value);
    for original in &originals {
        for instruction in original.instructions() {
            let copy = values[&instruction];
            if instruction.opcode() == opcode::PHI {
                for (value, from) in instruction.incoming_edges() {
                    let from = blocks.get(&from).copied().unwrap_or(from);
                    copy.add_incoming(copied(value), from);
                }
                continue;
            }
            for (index, operand) in (0..).zip(instruction.operands()) {
                if let Some(new) = values.get(&operand) {
                    copy.set_operand(index, *new);
                }
            }
        }
        for next in original.successors() {
            if let Some(copy) = blocks.get(&next) {
                blocks[original].redirect(next, *copy);
            }
        }
    }
    (blocks, values)
}

/// Keeps LLVM from leading both copies to one end with what they have in common: loads there would wait for the others.
fn keep_apart<'c>(context: &'c Context, copies: &BTreeMap<Block<'c>, Block<'c>>) {
    let ty = context.function(context.void(), &[]);
    for end in copies.keys().filter_map(|original| original.terminator()) {
        if end.opcode() == opcode::RETURN {
            let nothing = context.inline_asm(ty, "", "", true);
            Builder::before(context, end).call(ty, nothing, &[]);
        }
    }
}

/// Keeps the loops of the original as they are: few launches come to them, and their registers would be those of the kernel.
fn keep_small<'c>(
    context: &'c Context,
    kernel: Value<'c>,
    copies: &BTreeMap<Block<'c>, Block<'c>>,
) {
    let kind = context.metadata_kind(LOOP_METADATA);
    for around in loops_of(kernel).iter().filter(|around| copies.contains_key(&around.start)) {
        let mut properties = unroll_properties(context, NEVER_UNROLL);
        properties.push(context.metadata_node(&[context.metadata_string(KEEPS_CHECKS)]));
        let never = context.loop_metadata(&properties);
        let jumps = around.latches.iter().filter_map(|latch| latch.terminator());
        jumps.for_each(|jump| jump.set_metadata(kind, never));
    }
}
