//! Counts loops in 32 bits where that is enough.
//!
//! Indices are of type `usize` in Rust, and so are most counters. To count in 64 bits and compare with the end takes four
//! instructions in each iteration, and two registers; in 32 bits, two and one. A counter is changed if it steps up by a constant, and
//! the comparison at the end of an iteration says that neither it nor its next value is above `u32::MAX`. For a comparison that
//! asks whether the end is met exactly, either start and end are constants, or LLVM promises that the counter does not wrap around:
//! the loop's end depends on it, so the promise holds.
//!
//! A counter between constants that only numbers the elements of shared memory counts their bytes: addresses of shared memory have
//! 32 bits, so the counter is part of the address as it is.
//!
//! This comes late, since the other passes know loops as LLVM makes them.

use super::narrow_words::{BITS, low_half};
use super::ranges::{Range, Ranges};
use crate::llvm::{Block, Builder, Context, Loop, Module, Value, loops_of, opcode, predicate};
use crate::lower::SHARED;

/// Changes the counters of every function.
pub(crate) fn narrow_counters(module: &Module<'_>) {
    let context = module.context();
    for function in module.functions() {
        for around in loops_of(function) {
            let mut phis = around.start.instructions();
            // All of them now: what comes behind may be erased.
            phis.retain(|one| one.opcode() == opcode::PHI);
            for phi in phis {
                // Made anew each time, for the same reason.
                let mut ranges = Ranges::new(context);
                if let Some(counter) = Counter::of(&mut ranges, &around, phi) {
                    let size = counter.element_size(module, &around).unwrap_or(1);
                    counter.narrow(context, size);
                }
            }
        }
    }
}

/// A counter of a loop.
struct Counter<'c> {
    phi: Value<'c>,
    /// The jumps into the loop, with the number that it starts with.
    starts: Vec<(Value<'c>, Block<'c>)>,
    latch: Block<'c>,
    /// The counter in the next iteration, and what is added for it.
    next: Value<'c>,
    step: u64,
    /// What decides whether there is a next iteration, and the end with which it compares.
    comparison: Value<'c>,
    /// No number that the counter has is above this.
    most: u64,
}

impl<'c> Counter<'c> {
    /// The counter that a phi at the start of a loop is, if it needs no more than 32 bits.
    fn of(
        ranges: &mut Ranges<'c>,
        around: &Loop<Block<'c>>,
        phi: Value<'c>,
    ) -> Option<Counter<'c>> {
        let [latch] = around.latches[..] else { return None };
        if phi.ty().int_bits() != Some(2 * BITS) {
            return None;
        }
        let next = phi.incoming(latch).filter(|next| next.is_instruction())?;
        if next.opcode() != opcode::ADD || next.operand(0) != phi {
            return None;
        }
        let step = next.operand(1).as_int().filter(|step| (1..1 << (BITS - 2)).contains(step))?;
        let starts: Vec<(Value<'c>, Block<'c>)> =
            phi.incoming_edges().into_iter().filter(|(_, from)| *from != latch).collect();
        let comparison = latch.terminator()?.condition()?;
        if !comparison.is_instruction() || comparison.opcode() != opcode::INTEGER_COMPARISON {
            return None;
        }
        let end = comparison.operand(1);
        let counted = [phi, next].into_iter().find(|one| *one == comparison.operand(0))?;
        let goes_on = latch.successors().first() == Some(&around.start);
        let goes_on_if = if goes_on {
            comparison.predicate()
        } else {
            predicate::inverse(comparison.predicate())
        };
        let ends = ranges.of(end)?;
        let mut first: Option<Range> = None;
        for (start, _) in &starts {
            let range = ranges.of(*start).filter(|range| range.fits(BITS))?;
            first = Some(first.map_or(range, |all| all.or(range)));
        }
        let first = first?;
        let are_positive = first.fits(BITS - 1) && ends.fits(BITS - 1);
        // The largest number with which there is a next iteration.
        let last = match goes_on_if {
            predicate::UNSIGNED_LESS => ends.most.checked_sub(1)?,
            predicate::UNSIGNED_LESS_EQUAL => ends.most,
            predicate::SIGNED_LESS if are_positive => ends.most.checked_sub(1)?,
            predicate::SIGNED_LESS_EQUAL if are_positive => ends.most,
            predicate::NOT_EQUAL => {
                let [start, end] =
                    [first, ends].map(|range| (range.least == range.most).then_some(range.most));
                let is_met = start.zip(end).is_some_and(|(start, end)| {
                    let first = if counted == next { start + step } else { start };
                    first <= end && (end - first).is_multiple_of(step)
                });
                if !is_met && !next.cannot_wrap_unsigned() {
                    return None;
                }
                ends.most.checked_sub(1)?
            }
            _ => return None,
        };
        let most = match goes_on_if {
            // What is not the end is below it.
            predicate::NOT_EQUAL if counted == next => first.most.max(ends.most),
            _ if counted == next => first.most.max(last).checked_add(step)?,
            // Its next value has been computed by then.
            _ => first.most.max(last).checked_add(2 * step)?,
        };
        (most <= u64::from(u32::MAX)).then_some(Counter {
            phi,
            starts,
            latch,
            next,
            step,
            comparison,
            most,
        })
    }

    /// The bytes of the elements of shared memory that the counter numbers, if it is of no other use.
    fn element_size(&self, module: &Module<'c>, around: &Loop<Block<'c>>) -> Option<u64> {
        let are_constant = self.starts.iter().all(|(start, _)| start.is_constant());
        let is_own = |user: &Value<'c>| [self.phi, self.next, self.comparison].contains(user);
        if !are_constant
            || !self.comparison.operand(1).is_constant()
            || !self.next.users().iter().all(is_own)
        {
            return None;
        }
        let mut sizes = self.phi.users().into_iter().filter(|user| !is_own(user)).map(|user| {
            let is_address = user.opcode() == opcode::GET_ELEMENT_PTR && user.operands().len() == 2;
            if !is_address || user.operand(1) != self.phi || !is_shared(user.operand(0)) {
                return None;
            }
            let base = user.operand(0);
            let varies = base.is_instruction() && around.body.contains(&base.parent_block());
            (!varies).then(|| module.size_of(user.element_type()))
        });
        let size = sizes.next()??;
        let fits = (2..=u64::from(u32::MAX) / self.most.max(1)).contains(&size);
        (fits && sizes.all(|other| other == Some(size))).then_some(size)
    }

    /// Counts in 32 bits, and in steps that are `size` times as large.
    fn narrow(self, context: &'c Context, size: u64) {
        let (word, wide) = (context.int(BITS), self.phi.ty());
        let low = |builder: &Builder<'c>, value: Value<'c>| match value.as_int() {
            Some(number) => word.constant(number * size),
            None => low_half(context, builder, value),
        };
        let starts: Vec<(Value<'c>, Block<'c>)> = self
            .starts
            .iter()
            .filter_map(|(start, from)| {
                Some((low(&Builder::before(context, from.terminator()?), *start), *from))
            })
            .collect();
        for address in self.phi.users().into_iter().filter(|_| size > 1) {
            if address.opcode() == opcode::GET_ELEMENT_PTR {
                let builder = Builder::before(context, address);
                let bytes = builder.offset_by(address.operand(0), self.phi);
                address.replace_all_uses_with(bytes);
                address.erase();
            }
        }
        let counter = Builder::before(context, self.phi).phi(word, &starts);
        let is_positive = self.most * size <= i32::MAX as u64;
        let builder = Builder::before(context, self.next);
        let next = builder.binary(opcode::ADD, counter, word.constant(self.step * size));
        next.promise_no_unsigned_wrap();
        if is_positive {
            next.promise_no_signed_wrap();
        }
        counter.add_incoming(next, self.latch);
        let before = Builder::before(context, self.comparison);
        let end = low(&before, self.comparison.operand(1));
        let counted = if self.comparison.operand(0) == self.phi { counter } else { next };
        let asked = predicate::unsigned(self.comparison.predicate());
        let compared = before.compare(asked, counted, end);
        self.comparison.replace_all_uses_with(compared);
        self.comparison.erase();
        let extend = |builder: &Builder<'c>, value: Value<'c>| {
            let whole = builder.cast(opcode::ZERO_EXTEND, value, wide);
            if is_positive {
                whole.promise_not_negative();
            }
            whole
        };
        self.next.replace_all_uses_with(extend(&builder, next));
        self.next.erase();
        let first = self.phi.parent_block().instructions();
        let first = first.into_iter().find(|one| one.opcode() != opcode::PHI);
        let whole = first.map(|first| extend(&Builder::before(context, first), counter));
        whole.into_iter().for_each(|whole| self.phi.replace_all_uses_with(whole));
        self.phi.erase();
    }
}

/// Whether an address is made from one of a variable in shared memory by adding to it.
fn is_shared(address: Value<'_>) -> bool {
    let mut base = address.base_address();
    while base.is_constant() && !base.is_global_variable() {
        let Some(&from) = base.operands().first() else { return false };
        base = from;
    }
    base.is_global_variable() && base.ty().address_space() == SHARED
}
