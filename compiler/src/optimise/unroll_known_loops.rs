//! Fully unrolls loops whose iterations are known and few, where that makes more of the loop constant than LLVM sees when
//! it decides whether a loop is too long. There are two kinds:
//!
//! - The counter doubles or halves, as in Fourier transforms, scans and reductions: once it is a constant, a division by it
//!   becomes a multiplication, and a remainder a mask.
//! - The loop indexes a local array, like the rounds of a hash function: if all indices become constants, the array becomes
//!   registers.

use std::collections::BTreeSet;

use super::affine::operands_of_sum;
use super::flow::Flow;
use super::version_loops::{indexes_variable, leads_to_panic};
use crate::llvm::{Block, Loop, Module, Opcode, Value, loops_of, opcode, predicate};
use crate::lower::{FULL, LOOP_METADATA, unroll_properties};

/// Which loops are unrolled.
struct Limits {
    /// The most iterations.
    iterations: usize,
    /// The most instructions of all iterations.
    instructions: usize,
}

/// Those whose counter doubles or halves: from 1 to 2048.
const DOUBLING: Limits = Limits { iterations: 12, instructions: 12000 };

/// Those that index local arrays.
const INDEXING: Limits = Limits { iterations: 80, instructions: 5000 };

/// Asks for unrolling, unless the source says how to unroll a loop.
pub(crate) fn unroll_known_loops(module: &Module<'_>) {
    let context = module.context();
    let kind = context.metadata_kind(LOOP_METADATA);
    for function in module.functions() {
        let flow = Flow::of(function);
        let all = loops_of(function);
        for around in &all {
            let jumps: Vec<_> = around.latches.iter().filter_map(|one| one.terminator()).collect();
            let [jump] = jumps[..] else { continue };
            if jump.metadata(kind).is_none() && is_short(&flow, &all, around) {
                jump.set_metadata(kind, context.loop_metadata(&unroll_properties(context, FULL)));
            }
        }
    }
}

/// The instructions of a function once LLVM has unrolled all loops whose iterations are known, and the jumps back of the outermost
/// ones.
pub(super) fn unrolled<'c>(function: Value<'c>) -> (usize, Vec<Value<'c>>) {
    let flow = Flow::of(function);
    let all = loops_of(function);
    let known: Vec<(&Loop<Block<'c>>, usize)> =
        all.iter().filter_map(|one| Some((one, iterations_of(&flow, one)?))).collect();
    let sizes = function
        .blocks()
        .into_iter()
        .map(|block| block.instructions().len().saturating_mul(times(&known, &block)));
    let is_outermost = |one: &Loop<Block<'c>>| {
        !known.iter().any(|(other, _)| other.start != one.start && one.body.is_subset(&other.body))
    };
    let outermost = known.iter().filter(|(one, _)| is_outermost(one));
    let latches = outermost.flat_map(|(one, _)| &one.latches);
    let jumps = latches.filter_map(|latch| latch.terminator()).collect();
    (sizes.fold(0, usize::saturating_add), jumps)
}

/// How often a block runs for one iteration around all these loops, each with its iterations.
fn times<'c>(known: &[(&Loop<Block<'c>>, usize)], block: &Block<'c>) -> usize {
    let around = known.iter().filter(|(one, _)| one.body.contains(block));
    around.fold(1, |all: usize, (_, count)| all.saturating_mul(*count))
}

/// How often a loop runs that counts from one constant to another.
pub(super) fn iterations_of<'c>(flow: &Flow<'c>, around: &Loop<Block<'c>>) -> Option<usize> {
    let phis = around.start.instructions().into_iter().take_while(|i| i.opcode() == opcode::PHI);
    let counters: Vec<Counter<'c>> = phis.filter_map(|phi| Counter::of(around, phi)).collect();
    let blocks = flow.blocks_of(around);
    let ends = blocks.iter().flat_map(|block| counters.iter().map(move |one| (one, *block)));
    ends.filter_map(|(one, block)| one.iterations(around, block, INDEXING.iterations)).min()
}

/// Whether a loop has a counter that doubles or halves, or indexes local arrays, and has few iterations, and not too many
/// instructions in all of them. If only loops inside it index arrays, those are counted with their iterations.
fn is_short<'c>(flow: &Flow<'c>, all: &[Loop<Block<'c>>], around: &Loop<Block<'c>>) -> bool {
    let blocks = flow.blocks_of(around);
    let mut instructions = blocks.iter().flat_map(|block| block.instructions());
    let changes_index = instructions.any(|one| indexes_variable(one) && changes(around, one));
    let inner: Vec<(&Loop<Block<'c>>, usize)> = all
        .iter()
        .filter(|one| one.start != around.start && one.body.is_subset(&around.body))
        .filter_map(|one| Some((one, iterations_of(flow, one)?)))
        .filter(|_| !changes_index)
        .collect();
    let sizes = blocks.iter().map(|block| times(&inner, block) * block.instructions().len());
    let size = sizes.fold(0, usize::saturating_add);
    let phis = around.start.instructions().into_iter().take_while(|i| i.opcode() == opcode::PHI);
    let mut counters: Vec<Counter<'c>> = phis.filter_map(|phi| Counter::of(around, phi)).collect();
    let mut instructions = blocks.iter().flat_map(|block| block.instructions());
    let indexes = instructions.any(indexes_variable);
    let limits = if indexes { INDEXING } else { DOUBLING };
    if !indexes {
        counters.retain(|counter| counter.operation != opcode::ADD);
    }
    let iterations = blocks
        .iter()
        .filter(|block| !leads_to_panic(around, **block))
        .flat_map(|block| counters.iter().map(move |counter| (counter, *block)))
        .filter_map(|(counter, block)| counter.iterations(around, block, limits.iterations))
        .min();
    iterations.is_some_and(|count| size.saturating_mul(count) <= limits.instructions)
}

/// Whether a value is calculated from what a loop changes itself, not only loops inside it.
fn changes<'c>(around: &Loop<Block<'c>>, value: Value<'c>) -> bool {
    let (mut open, mut known) = (vec![value], BTreeSet::new());
    while let Some(value) = open.pop() {
        let is_inside = value.is_instruction() && around.body.contains(&value.parent_block());
        if is_inside && known.insert(value) {
            if value.opcode() == opcode::PHI && value.parent_block() == around.start {
                return true;
            }
            open.extend(value.operands());
        }
    }
    false
}

/// A variable that starts with a constant, and to which one is added, or by which it is multiplied or divided, in each
/// iteration.
struct Counter<'c> {
    phi: Value<'c>,
    next: Value<'c>,
    first: u64,
    operation: Opcode,
    by: u64,
}

impl<'c> Counter<'c> {
    fn of(around: &Loop<Block<'c>>, phi: Value<'c>) -> Option<Counter<'c>> {
        let (mut first, mut next) = (None, None);
        for (value, from) in phi.incoming_edges() {
            let place = if around.body.contains(&from) { &mut next } else { &mut first };
            if place.replace(value).is_some() {
                return None;
            }
        }
        let (first, next) = (first?.as_int()?, next?);
        let bits = phi.ty().int_bits()?;
        if bits > 64 || !next.is_instruction() {
            return None;
        }
        let steps = [opcode::SHL, opcode::LSHR, opcode::MUL, opcode::UDIV];
        let (operation, (left, by)) = match operands_of_sum(next) {
            Some(operands) => (opcode::ADD, operands),
            None if steps.contains(&next.opcode()) => {
                (next.opcode(), (next.operand(0), next.operand(1)))
            }
            None => return None,
        };
        (left == phi).then_some(())?;
        Some(Counter { phi, next, first, operation, by: by.as_int()? })
    }

    fn after(&self, value: u64) -> Option<u64> {
        let by = self.by;
        let bits = self.phi.ty().int_bits()?;
        let wide = match self.operation {
            opcode::SHL => value.checked_shl(u32::try_from(by).ok()?)?,
            opcode::LSHR => value.checked_shr(u32::try_from(by).ok()?)?,
            opcode::MUL => value.wrapping_mul(by),
            opcode::ADD => value.wrapping_add(by),
            _ => value.checked_div(by)?,
        };
        Some(wide & (u64::MAX >> (64 - bits)))
    }

    /// How often the loop runs, if no more than `most` times, and if it ends at the branch of a block, which compares the
    /// counter with a constant.
    fn iterations(&self, around: &Loop<Block<'c>>, block: Block<'c>, most: usize) -> Option<usize> {
        let condition = block.terminator()?.condition()?;
        if !condition.is_instruction() || condition.opcode() != opcode::INTEGER_COMPARISON {
            return None;
        }
        let [yes, no] = block.successors()[..] else { return None };
        let goes_on = match (around.body.contains(&yes), around.body.contains(&no)) {
            (true, false) => condition.predicate(),
            (false, true) => predicate::inverse(condition.predicate()),
            _ => return None,
        };
        let limit = condition.operand(1).as_int()?;
        let is_next = match condition.operand(0) {
            value if value == self.phi => false,
            value if value == self.next => true,
            _ => return None,
        };
        let bits = self.phi.ty().int_bits()?;
        let mut value = self.first;
        for count in 1..=most {
            let next = self.after(value)?;
            if !holds(goes_on, if is_next { next } else { value }, limit, bits)? {
                return Some(count);
            }
            value = next;
        }
        None
    }
}

/// Whether a comparison of integers of so many bits holds.
fn holds(comparison: i32, a: u64, b: u64, bits: u32) -> Option<bool> {
    let signed = |x: u64| (x << (64 - bits)) as i64;
    Some(match comparison {
        predicate::EQUAL => a == b,
        predicate::NOT_EQUAL => a != b,
        predicate::UNSIGNED_LESS => a < b,
        predicate::UNSIGNED_LESS_EQUAL => a <= b,
        predicate::UNSIGNED_GREATER => a > b,
        predicate::UNSIGNED_GREATER_EQUAL => a >= b,
        predicate::SIGNED_LESS => signed(a) < signed(b),
        predicate::SIGNED_LESS_EQUAL => signed(a) <= signed(b),
        predicate::SIGNED_GREATER => signed(a) > signed(b),
        predicate::SIGNED_GREATER_EQUAL => signed(a) >= signed(b),
        _ => return None,
    })
}
