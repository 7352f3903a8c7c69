//! Counts in 32 bits in loops whose counters have 64 but need no more than 32.
//!
//! ```text
//! for k in 0..256usize { .. }      becomes      for k in 0..256u32 { let k = k as usize; .. }
//! ```
//!
//! LLVM widens counters that index memory, and counts unrolled iterations in the same width. A counter of 64 bits takes two
//! registers, two instructions for each step and two for each comparison; and a kernel's registers decide how many of its threads
//! run at once.
//!
//! A counter is changed if it begins with a constant and steps by a constant, and a comparison at the loop's end says where it
//! stops: at a number that is known to fit. If the loop ends by equality, the counter must be certain to meet the number: because
//! that is a constant some steps ahead; because branches before the loop have found it to be ahead, and the counter does not step
//! over it; or because the comparison is the only way out, and the counter does not wrap around (`nuw`).
//!
//! Loops that LLVM has unrolled have two counters, the program's and one of unrolled iterations. Merging two equal ones gained
//! little, and `atax` with indices of 32 bits took 1.4 times as long.

use std::collections::BTreeMap;

use super::flow::Flow;
use super::ranges::{Behind, Ranges};
use crate::llvm::{Block, Builder, Context, Loop, Module, Value, loops_of, opcode, predicate};

/// The bits of a machine word.
const BITS: u32 = 32;

/// The largest number that fits.
const MAX: u64 = u32::MAX as u64;

/// Changes the counters of every loop.
pub(super) fn narrow_counters(module: &Module<'_>) {
    let context = module.context();
    for function in module.functions() {
        let mut ranges = Ranges::new(context);
        let flow = Flow::of(function);
        for around in &loops_of(function) {
            let first = around.start.instructions().into_iter();
            // Without the instructions behind them, the first of which may be erased along with a phi.
            let phis: Vec<Value<'_>> =
                first.take_while(|one| one.opcode() == opcode::PHI).collect();
            for phi in phis {
                if let Some(counter) = counter(&mut ranges, &flow, around, phi) {
                    for erased in [phi, counter.next, counter.ends] {
                        ranges.forget(erased);
                    }
                    counter.narrow(context);
                }
            }
        }
    }
}

struct Counter<'c> {
    phi: Value<'c>,
    entry: Block<'c>,
    latch: Block<'c>,
    first: u64,
    step: u64,
    next: Value<'c>,
    /// What ends the loop: a comparison of the next value with `end`, which the loop does not change.
    ends: Value<'c>,
    end: Value<'c>,
}

fn counter<'c>(
    ranges: &mut Ranges<'c>,
    flow: &Flow<'c>,
    around: &Loop<Block<'c>>,
    phi: Value<'c>,
) -> Option<Counter<'c>> {
    (phi.ty().int_bits()? == 2 * BITS).then_some(())?;
    let entry = flow.entry(around)?;
    let &[latch] = &around.latches[..] else { return None };
    let first = phi.incoming(entry)?.as_int().filter(|first| *first <= MAX)?;
    let next = phi.incoming(latch)?;
    let is_sum = next.is_instruction() && next.opcode() == opcode::ADD && next.operand(0) == phi;
    let step = is_sum.then(|| next.operand(1).as_int())??;
    (1..=MAX).contains(&step).then_some(())?;
    let ends = latch.terminator()?.condition().filter(|one| one.is_instruction())?;
    let is_test = ends.opcode() == opcode::INTEGER_COMPARISON
        && ends.operand(0) == next
        && ends.users().len() == 1;
    let end = is_test.then(|| ends.operand(1))?;
    let is_inside = end.is_instruction() && around.body.contains(&end.parent_block());
    let most = ranges.of(end)?.most;
    (!is_inside && most <= MAX).then_some(())?;
    let goes_on = latch.successors().first() == Some(&around.start);
    let stops = match (ends.predicate(), goes_on) {
        // The last value may be behind the end.
        (predicate::UNSIGNED_LESS, true) | (predicate::UNSIGNED_GREATER_EQUAL, false) => {
            first + step <= MAX && most + (step - 1) <= MAX
        }
        (predicate::NOT_EQUAL, true) | (predicate::EQUAL, false) => match end.as_int() {
            Some(end) => end > first && (end - first).is_multiple_of(step),
            None => {
                next.cannot_wrap_unsigned() && has_one_exit(around, latch)
                    || is_met(ranges, flow, entry, end, (first, step))
            }
        },
        _ => false,
    };
    stops.then_some(Counter { phi, entry, latch, first, step, next, ends, end })
}

/// Whether a counter that begins behind `entry` with the number `first`, and goes on by `step`, comes to `end`.
fn is_met<'c>(
    ranges: &mut Ranges<'c>,
    flow: &Flow<'c>,
    entry: Block<'c>,
    end: Value<'c>,
    (first, step): (u64, u64),
) -> bool {
    let mut behind = Behind::new(ranges);
    flow.all_guards(entry).for_each(|(condition, holds)| behind.add(condition, holds));
    let is_ahead = behind.of(end).is_some_and(|range| range.least > first);
    // A multiple of the step, as the bits that a mask clears say.
    let is_multiple = || {
        let mask = (end.is_instruction() && end.opcode() == opcode::AND)
            .then(|| end.operand(1).as_int())
            .flatten();
        step.is_power_of_two()
            && first.is_multiple_of(step)
            && mask.is_some_and(|mask| mask.is_multiple_of(step))
    };
    is_ahead && (step == 1 || is_multiple())
}

/// Whether the loop is left behind `latch` alone; a call might end the thread.
fn has_one_exit<'c>(around: &Loop<Block<'c>>, latch: Block<'c>) -> bool {
    around.body.iter().all(|block| {
        let stays = |next: &Block<'c>| around.body.contains(next);
        let next = block.successors();
        (*block == latch || !next.is_empty() && next.iter().all(stays))
            && block.instructions().into_iter().all(returns)
    })
}

/// Whether control goes on behind an instruction in any case.
fn returns(instruction: Value<'_>) -> bool {
    if instruction.opcode() != opcode::CALL {
        return true;
    }
    let callee = instruction.callee();
    match callee.is_inline_asm() {
        true => !callee.has_side_effects(),
        false => callee.is_function() && callee.intrinsic_id() != 0,
    }
}

impl<'c> Counter<'c> {
    fn narrow(&self, context: &'c Context) {
        let (word, wide) = (context.int(BITS), self.phi.ty());
        let body = self.phi.parent_block().instructions().into_iter();
        let Some(body) = body.into_iter().find(|one| one.opcode() != opcode::PHI) else { return };
        let Some(jump) = self.entry.terminator() else { return };
        let first = word.constant(self.first);
        let count = Builder::before(context, self.phi).phi(word, &[(first, self.entry)]);
        let before = Builder::before(context, self.next);
        let next = before.binary(opcode::ADD, count, word.constant(self.step));
        next.promise_no_unsigned_wrap();
        count.add_incoming(next, self.latch);
        let end = match self.end.as_int() {
            Some(end) => word.constant(end),
            None => Builder::before(context, jump).cast(opcode::TRUNCATE, self.end, word),
        };
        // A new one: the old one's promise that the operands have the same sign (`samesign`) may be wrong in 32 bits.
        let ends = Builder::before(context, self.ends).compare(self.ends.predicate(), next, end);
        self.ends.replace_all_uses_with(ends);
        self.ends.erase();
        // Each only where it is read.
        let mut wides: BTreeMap<Value<'c>, Value<'c>> = BTreeMap::new();
        for (old, new, place) in [(self.next, next, self.next), (self.phi, count, body)] {
            let others = old.users().into_iter().any(|user| user != self.phi && user != self.next);
            if others {
                let wide = Builder::before(context, place).cast(opcode::ZERO_EXTEND, new, wide);
                wides.insert(old, wide);
            }
        }
        let nothing = wide.undefined();
        self.next.replace_all_uses_with(wides.get(&self.next).copied().unwrap_or(nothing));
        self.next.erase();
        self.phi.replace_all_uses_with(wides.get(&self.phi).copied().unwrap_or(nothing));
        self.phi.erase();
    }
}
