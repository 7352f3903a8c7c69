//! Which copies a kernel gets, and when they run.
//!
//! One condition that a launch does not meet would keep it from running the copy without checks, however many other checks are
//! proved without it. So what only some launches are likely to meet is asked for apart: the first level's copy has no checks that are
//! proved without that, and the second one's none that are proved at all.

use super::super::affine::EXACT;
use super::super::flow::check_at;
use super::MAX_SIZE;
use super::conditions::{Conditions, simplified};
use super::copies::Copy;
use super::prover::MAX_FIXED;
use super::simpler::{Subject, simplify};
use super::sum::Sum;
use super::terms::{Term, Terms};
use crate::llvm::{Block, Builder, Context, Module, Value, loops_of, predicate};
use crate::lower::{Need, ask_host, can_ask_host, slice_of};

/// The least number of checks outside loops for which a copy pays: a few are made by one branch.
const MIN_CHECKS: usize = 4;

/// The most instructions that are copied for each check that is left out: of large kernels with few checks, such as matrix products on
/// tensor cores, a copy gains nothing.
const MAX_SIZE_OF_CHECK: usize = 500;

/// The most conditions of a kernel's copy.
const MAX_CONDITIONS: usize = 24;

/// How many elements more than parameters say a buffer is likely to have.
const MAX_MORE: i64 = 16;

/// What is proved, and what has to be asked for it to be true.
#[derive(Clone)]
pub(super) struct Proof<'c> {
    pub(super) subject: Subject<'c>,
    pub(super) block: Block<'c>,
    pub(super) needs: Vec<Sum>,
    /// Extensions that don't wrap around in any iteration of their loop.
    pub(super) exact: Vec<Value<'c>>,
}

impl Proof<'_> {
    fn is_check(&self) -> bool {
        matches!(self.subject, Subject::Check)
    }
}

/// What a copy of a kernel needs not check, and what must hold for that.
pub(super) struct Level<'c> {
    pub(super) proofs: Vec<Proof<'c>>,
    /// The sums that the host calculates, and the others.
    pub(super) asked: Vec<Need>,
    pub(super) calculated: Vec<Sum>,
}

impl<'c> Level<'c> {
    fn of(
        kernel: Value<'c>,
        terms: &Terms<'c>,
        mut proofs: Vec<Proof<'c>>,
        in_loop: &impl Fn(Block<'c>) -> bool,
    ) -> Level<'c> {
        let (mut asked, mut calculated) = (Vec::new(), Vec::new());
        for need in needs_of(&mut proofs, in_loop) {
            match terms.for_host(kernel, &need) {
                Some(sum) if can_ask_host(kernel) => asked.push(sum),
                _ => calculated.push(need),
            }
        }
        Level { proofs, asked, calculated }
    }

    /// Drops the checks from the copy, and simplifies what can be.
    pub(super) fn apply(&self, context: &'c Context, copy: &Copy<'c>) -> Option<()> {
        let (kind, node) = (context.metadata_kind(EXACT), context.metadata_node(&[]));
        for proof in &self.proofs {
            for exact in proof.exact.iter().filter_map(|one| copy.values.get(one)) {
                exact.set_metadata(kind, node);
            }
            if let Subject::Saturates(value) | Subject::Divides(value) = proof.subject {
                simplify(context, proof.subject, *copy.values.get(&value)?);
                continue;
            }
            let (_, passes) = check_at(proof.block)?;
            let check = copy.blocks.get(&proof.block)?.terminator()?;
            check.set_condition(context.int(1).constant(u64::from(passes)));
        }
        Some(())
    }
}

/// The copies that pay, each without more checks than the one before it.
pub(super) fn levels_of<'c>(
    kernel: Value<'c>,
    terms: &Terms<'c>,
    proofs: Vec<Proof<'c>>,
    instructions: usize,
) -> Vec<Level<'c>> {
    let around = loops_of(kernel);
    let in_loop = |block: Block<'c>| around.iter().any(|one| one.body.contains(&block));
    let pays = |proofs: &[Proof<'c>], conditions: usize| {
        let checks = || proofs.iter().filter(|proof| proof.is_check());
        checks().count() * MAX_SIZE_OF_CHECK >= instructions
            && (checks().any(|proof| in_loop(proof.block))
                || checks().count() >= conditions + MIN_CHECKS)
    };
    let level = |proofs| Level::of(kernel, terms, proofs, &in_loop);
    let may_have_two = instructions <= MAX_SIZE / 2;
    let is_unlikely = |proof: &Proof<'c>| {
        let is_it = |need: &Sum| is_unlikely(terms, need) || may_have_two && is_whole_type(need);
        proof.needs.iter().any(is_it)
    };
    let (unlikely, likely): (Vec<_>, Vec<_>) = proofs.iter().cloned().partition(is_unlikely);
    let holds_up = |level: &Level<'c>| pays(&level.proofs, level.calculated.len());
    let first = level(likely);
    let mut levels = Vec::new();
    if unlikely.is_empty() || !holds_up(&first) {
        levels.push(level(proofs));
    } else {
        levels.push(first);
        if pays(&unlikely, 0) && may_have_two {
            levels.push(level(proofs));
        }
    }
    levels.retain(holds_up);
    if let [first, second] = &mut levels[..] {
        second.asked.retain(|sum| !first.asked.contains(sum));
    }
    levels
}

/// Whether a need is that a buffer has an element for each number of a narrow type. Tables of ciphers do; where a number that is
/// loaded selects one of a few columns, no buffer does.
fn is_whole_type(need: &Sum) -> bool {
    need.as_moved().is_some_and(|(_, constant)| [-(1 << 8), -(1 << 16)].contains(&constant))
}

/// Whether many launches don't meet a need, although the kernel is right for them: that a buffer is as long as the grid, or the block,
/// has threads; that it is much longer than a product of parameters; that it is longer than another one; that a block has many threads.
fn is_unlikely(terms: &Terms<'_>, need: &Sum) -> bool {
    // That an index fits its type.
    if need.constant() >= MAX_FIXED {
        return false;
    }
    let is_shape = |index: &usize| matches!(terms.all[*index], Term::Register(_));
    let of_shape = |(factors, _): &(&[usize], i64)| factors.iter().any(is_shape);
    let varies = || need.products().filter(|(factors, _)| !factors.is_empty());
    let is_asked_for = |shape: bool, positive: bool| {
        varies().any(|one| of_shape(&one) == shape && (one.1 > 0) == positive)
    };
    let of_parameters = is_asked_for(false, true);
    is_asked_for(true, false) && of_parameters
        || is_asked_for(true, true) && !of_parameters
        || is_asked_for(false, false) && of_parameters && need.constant() < -MAX_MORE
        || is_longer(terms, need)
}

/// Whether a need is that a buffer is longer than another one. The neighbour of an element asks for that where, in truth, a guard
/// by rows and columns keeps it in bounds.
fn is_longer(terms: &Terms<'_>, need: &Sum) -> bool {
    let is_length = |factors: &[usize]| match factors {
        &[one] => matches!(terms.all[one], Term::Value(value) if slice_of(value).is_some()),
        _ => false,
    };
    let (lengths, others): (Vec<_>, Vec<_>) =
        need.products().partition(|(factors, _)| is_length(factors));
    let both = [true, false].map(|more| lengths.iter().any(|(_, count)| (*count > 0) == more));
    both == [true, true] && !others.is_empty() && others.iter().all(|(_, count)| *count < 0)
}

/// Whether each level holds, calculated before an instruction of the kernel's first block.
pub(super) fn conditions_of<'c>(
    module: &Module<'c>,
    kernel: Value<'c>,
    terms: &Terms<'c>,
    levels: &[Level<'c>],
    before: Value<'c>,
) -> Option<Vec<Value<'c>>> {
    let context = module.context();
    let builder = Builder::before(context, before);
    let asked: Vec<&[Need]> = levels.iter().map(|level| &level.asked[..]).collect();
    let divided = terms.quotients.iter().map(|(dividend, divisor)| {
        terms.for_host(kernel, dividend).zip(terms.for_host(kernel, divisor))
    });
    let answer = match asked.iter().all(|level| level.is_empty()) {
        true => None,
        false => Some(ask_host(module, kernel, &divided.collect::<Option<Vec<_>>>()?, &asked)?),
    };
    let mut all = Vec::new();
    for (number, level) in (0..).zip(levels) {
        let mut holds = context.int(1).constant(1);
        if let Some(answer) = answer {
            let number = answer.ty().constant(number);
            holds = builder.compare(predicate::UNSIGNED_GREATER, answer, number);
        }
        if !level.calculated.is_empty() {
            let own = Conditions::new(module, &terms.all, before);
            holds = builder.and(holds, own.none_is_negative(&level.calculated)?);
        }
        all.push(holds);
    }
    Some(all)
}

/// What all proofs need. If those are too many conditions, or they contradict each other, some proofs are left out, those of checks in
/// loops last, and those of other operations first.
fn needs_of<'c>(proofs: &mut Vec<Proof<'c>>, in_loop: &impl Fn(Block<'c>) -> bool) -> Vec<Sum> {
    let of = |proofs: &[Proof<'c>]| {
        let all: Vec<Sum> = proofs.iter().flat_map(|proof| proof.needs.clone()).collect();
        simplified(&all, MAX_CONDITIONS)
    };
    if let Some(needs) = of(proofs) {
        return needs;
    }
    let mut all = std::mem::take(proofs);
    all.sort_by_key(|proof| (!proof.is_check(), !in_loop(proof.block)));
    let mut needs = Vec::new();
    for proof in all {
        proofs.push(proof);
        match of(proofs) {
            Some(all) => needs = all,
            None => drop(proofs.pop()),
        }
    }
    needs
}
