//! Makes counters that begin with a negative constant count from zero.
//!
//! ```text
//! for k in -1..=1 { a[i + k] }      becomes      for c in 0..=2 { a[i + c - 1] }
//! ```
//!
//! The prover takes integers for numbers without a sign, of which a counter that begins with -1 is first the largest and then the
//! smallest. The sums in which such counters are used, as in windows of stencils, are none the larger for that.

use super::super::flow::Flow;
use super::terms::signed;
use crate::llvm::{Block, Builder, Context, Loop, Value, loops_of, opcode, predicate};

/// A counter with a known first value, step and end.
struct Counter<'c> {
    phi: Value<'c>,
    entry: Block<'c>,
    latch: Block<'c>,
    first: i64,
    step: u64,
    next: Value<'c>,
    /// What ends the loop: a comparison of the counter, or its next value, with a constant.
    ends: Value<'c>,
    /// That constant, counted from zero.
    distance: u64,
}

/// Changes the counters of all loops of a kernel.
pub(super) fn count_from_zero<'c>(context: &'c Context, kernel: Value<'c>) {
    let flow = Flow::of(kernel);
    for around in &loops_of(kernel) {
        for phi in around.start.instructions() {
            if phi.opcode() != opcode::PHI {
                break;
            }
            if let Some(counter) = counter(&flow, around, phi) {
                counter.shift(context);
            }
        }
    }
}

fn counter<'c>(flow: &Flow<'c>, around: &Loop<Block<'c>>, phi: Value<'c>) -> Option<Counter<'c>> {
    let bits = phi.ty().int_bits().filter(|bits| (2..=64).contains(bits))?;
    let entry = flow.entry(around)?;
    let &[latch] = &around.latches[..] else { return None };
    let number = |value: Value<'c>| Some(signed(value.as_int()?, bits));
    let first = number(phi.incoming(entry)?).filter(|first| *first < 0)?;
    let next = phi.incoming(latch)?;
    let is_sum = next.is_instruction() && next.opcode() == opcode::ADD && next.operand(0) == phi;
    let step = is_sum.then(|| number(next.operand(1)))?.filter(|step| *step > 0)?;
    let ends = latch.terminator()?.condition().filter(|one| one.is_instruction())?;
    let is_test = ends.opcode() == opcode::INTEGER_COMPARISON
        && [predicate::EQUAL, predicate::NOT_EQUAL].contains(&ends.predicate())
        && [phi, next].contains(&ends.operand(0));
    let end = is_test.then(|| number(ends.operand(1)))??;
    let distance = end.checked_sub(first)?;
    let most = distance.checked_add(step)?;
    // Counted like this, it comes to the end exactly, and fits with a sign. A thread may leave the loop earlier.
    let comes_there = distance > 0 && distance % step == 0 && most < signed_end(bits);
    let (step, distance) = (u64::try_from(step).ok()?, u64::try_from(distance).ok()?);
    comes_there.then_some(Counter { phi, entry, latch, first, step, next, ends, distance })
}

/// The number behind the largest of so many bits with a sign, as far as there is one.
fn signed_end(bits: u32) -> i64 {
    if bits == 64 { i64::MAX } else { 1 << (bits - 1) }
}

impl<'c> Counter<'c> {
    fn shift(&self, context: &'c Context) {
        let Some(body) = first_behind_phis(self.phi.parent_block()) else { return };
        let ty = self.phi.ty();
        let constant = |number: u64| ty.constant(number);
        let first = constant(self.first as u64);
        let count = Builder::before(context, self.phi).phi(ty, &[(constant(0), self.entry)]);
        let before = Builder::before(context, self.next);
        let next = before.binary(opcode::ADD, count, constant(self.step));
        next.promise_no_unsigned_wrap();
        next.promise_no_signed_wrap();
        count.add_incoming(next, self.latch);
        let is_next = self.ends.operand(0) == self.next;
        self.ends.set_operand(0, if is_next { next } else { count });
        self.ends.set_operand(1, constant(self.distance));
        let old_next = before.binary(opcode::ADD, next, first);
        old_next.promise_no_signed_wrap();
        let old = Builder::before(context, body).binary(opcode::ADD, count, first);
        old.promise_no_signed_wrap();
        self.next.replace_all_uses_with(old_next);
        self.phi.replace_all_uses_with(old);
        self.phi.erase();
        self.next.erase();
    }
}

/// The first instruction of a block that is no phi.
fn first_behind_phis(block: Block<'_>) -> Option<Value<'_>> {
    block.instructions().into_iter().find(|one| one.opcode() != opcode::PHI)
}
