//! Whether all threads of a block go through the same barriers.

use std::collections::{BTreeMap, BTreeSet};

use crate::llvm::{Block, Context, Value, in_order, opcode};
use crate::optimise::dominators::closest;
use crate::optimise::spaces::Space;

/// Special registers that have the same value in all threads of a block, by the beginnings of their names.
const SAME: [&str; 3] = [
    "llvm.nvvm.read.ptx.sreg.ctaid.",
    "llvm.nvvm.read.ptx.sreg.nctaid.",
    "llvm.nvvm.read.ptx.sreg.ntid.",
];

/// Barriers of the block that give each thread the same result, by the beginning of their names.
const REDUCTIONS: &str = "llvm.nvvm.barrier.cta.red.";

/// The blocks of a kernel from which a barrier can be reached. What a thread does elsewhere, it does after its last one.
struct Ways<'c> {
    blocks: Vec<Block<'c>>,
    numbers: BTreeMap<Block<'c>, usize>,
    next: Vec<Vec<usize>>,
    has_barrier: Vec<bool>,
    /// The immediate postdominator of each block: the closest one that all ways from it lead through.
    join: Vec<Option<usize>>,
}

/// Whether all threads that come to a `k`-th barrier come to the same one, for each `k`.
///
/// They do if wherever threads may diverge at a branch, the ways from there meet again before the next barrier. Threads may differ
/// on what is computed from their indices, from memory that can change, or by an unknown operation, and on what a phi chooses by a
/// branch at which they diverge. All phis from such a branch up to the block where its ways meet count as such, also those of a loop
/// that threads leave in different iterations. Values are compared within one interval, in which all threads run an instruction
/// equally often unless they diverge at a branch.
pub(super) fn all_take_the_same<'c>(
    context: &'c Context,
    kernel: Value<'c>,
    has_barrier: &dyn Fn(Block<'c>) -> bool,
) -> bool {
    let ways = Ways::of(kernel, has_barrier);
    let mut different: BTreeSet<Value<'c>> = BTreeSet::new();
    let mut open: Vec<Value<'c>> =
        kernel.instructions().into_iter().filter(|one| may_differ(context, *one)).collect();
    while let Some(value) = open.pop() {
        if !different.insert(value) {
            continue;
        }
        for user in value.users() {
            match user.opcode() {
                opcode::BRANCH | opcode::SWITCH => {
                    let Some(&from) = ways.numbers.get(&user.parent_block()) else { continue };
                    if !ways.is_choice(from) {
                        continue;
                    }
                    let chosen = ways.up_to_join(from);
                    if chosen.iter().any(|at| ways.has_barrier[*at]) {
                        return false;
                    }
                    for at in chosen.into_iter().chain(ways.join[from]) {
                        open.extend(phis(ways.blocks[at]));
                    }
                }
                _ if is_same(user) => {}
                _ => open.push(user),
            }
        }
    }
    true
}

impl<'c> Ways<'c> {
    fn of(kernel: Value<'c>, has_barrier: &dyn Fn(Block<'c>) -> bool) -> Ways<'c> {
        let all = in_order(kernel);
        let mut before: BTreeMap<Block<'c>, Vec<Block<'c>>> = BTreeMap::new();
        for &block in &all {
            for next in block.successors() {
                before.entry(next).or_default().push(block);
            }
        }
        let mut useful: BTreeSet<Block<'c>> = BTreeSet::new();
        let mut open: Vec<Block<'c>> = all.iter().copied().filter(|at| has_barrier(*at)).collect();
        while let Some(block) = open.pop() {
            if useful.insert(block) {
                open.extend(before.get(&block).into_iter().flatten());
            }
        }
        let blocks: Vec<Block<'c>> = all.into_iter().filter(|at| useful.contains(at)).collect();
        let numbers: BTreeMap<Block<'c>, usize> = blocks.iter().copied().zip(0..).collect();
        let follow = |block: &Block<'c>| {
            let next: BTreeSet<usize> =
                block.successors().iter().filter_map(|to| numbers.get(to).copied()).collect();
            next.into_iter().collect()
        };
        let next: Vec<Vec<usize>> = blocks.iter().map(follow).collect();
        let mut back = vec![Vec::new(); blocks.len()];
        for (from, to) in
            next.iter().enumerate().flat_map(|(from, to)| to.iter().map(move |to| (from, *to)))
        {
            back[to].push(from);
        }
        let ends: Vec<usize> = (0..blocks.len()).filter(|at| next[*at].is_empty()).collect();
        let join = closest(&ends, &back, &next);
        let has_barrier = blocks.iter().map(|block| has_barrier(*block)).collect();
        Ways { blocks, numbers, next, has_barrier, join }
    }

    /// Whether a block branches to several of these blocks.
    fn is_choice(&self, block: usize) -> bool {
        self.next[block].len() > 1
    }

    /// The blocks that a branch may lead through before all ways from it meet.
    fn up_to_join(&self, from: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut open = self.next[from].clone();
        while let Some(at) = open.pop() {
            if Some(at) != self.join[from] && seen.insert(at) {
                open.extend(&self.next[at]);
            }
        }
        seen
    }
}

fn phis(block: Block<'_>) -> impl Iterator<Item = Value<'_>> {
    block.instructions().into_iter().take_while(|one| one.opcode() == opcode::PHI)
}

/// Whether an instruction's result is the same in all threads of the block, whatever its operands are.
fn is_same(instruction: Value<'_>) -> bool {
    if !instruction.is_call() || !instruction.callee().is_function() {
        return false;
    }
    let callee = instruction.callee();
    let name = callee.name();
    callee.intrinsic_id() != 0
        && (name.starts_with(REDUCTIONS) || SAME.iter().any(|register| name.starts_with(register)))
}

/// Whether an instruction's result may differ among the threads of a block although its operands are the same.
fn may_differ<'c>(context: &'c Context, instruction: Value<'c>) -> bool {
    match instruction.opcode() {
        opcode::LOAD => {
            instruction.is_volatile()
                || Space::of(context, instruction.operand(0)) != Space::Constant
        }
        // An undefined value may be another one in each thread.
        opcode::FREEZE => true,
        opcode::PHI | opcode::BRANCH | opcode::SWITCH | opcode::RETURN | opcode::UNREACHABLE => {
            false
        }
        opcode::UDIV | opcode::SDIV | opcode::UREM | opcode::SREM => false,
        opcode::CALL => {
            let callee = instruction.callee();
            let is_operation = callee.is_function()
                && callee.intrinsic_id() != 0
                && callee.function_attribute_value(context.attribute_kind("memory")) == Some(0)
                && !callee.has_function_attribute(context.attribute_kind("convergent"))
                && !callee.name().starts_with("llvm.nvvm.read.ptx.sreg.");
            !is_operation && !is_same(instruction)
        }
        other => !opcode::PURE.contains(&other),
    }
}
