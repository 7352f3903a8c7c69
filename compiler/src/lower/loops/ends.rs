//! Comparisons of pointers that end a loop, to comparisons of counters.
//!
//! A pointer that starts at `base` and grows by the size of an element, without ever leaving its object
//! (`inbounds`), is at `base + n` elements in round `n` and in no other.

use super::Counter;
use crate::llvm::{Block, Builder, Module, Value, opcode, predicate};

/// Replaces the comparisons of the pointers among `counters`, which belong to the loop at `start`, in
/// loops that count, too: without an index nothing would be won.
pub(super) fn compare_counters<'c>(
    module: &Module<'c>,
    start: Block<'c>,
    counters: &[Counter<'c>],
) {
    if !counters.iter().any(|counter| counter.step().is_some()) {
        return;
    }
    let mut rounds = None;
    for counter in counters {
        let Some(stride) = counter.stride(module) else { continue };
        for (value, ahead) in [(counter.phi, 0), (counter.next, 1)] {
            for comparison in value.users() {
                let Some(other) = compared_with(comparison, value) else { continue };
                let Some(distance) = distance(module, counter.start, other, stride) else {
                    continue;
                };
                let round =
                    *rounds.get_or_insert_with(|| count_rounds(module, start, counter, counters));
                let builder = Builder::before(module.context(), comparison);
                let count = distance.count(&builder);
                let one = module.context().int(64).constant(ahead);
                let round =
                    if ahead == 0 { round } else { builder.binary(opcode::ADD, round, one) };
                let same = builder.compare(comparison.predicate(), round, count);
                comparison.replace_all_uses_with(same);
                comparison.erase();
            }
        }
    }
}

/// What `value` is compared with for equality, if that is what `user` does.
fn compared_with<'c>(user: Value<'c>, value: Value<'c>) -> Option<Value<'c>> {
    let compares = user.is_instruction()
        && user.opcode() == opcode::INTEGER_COMPARISON
        && [predicate::EQUAL, predicate::NOT_EQUAL].contains(&user.predicate());
    if !compares {
        return None;
    }
    match (user.operand(0), user.operand(1)) {
        (a, other) if a == value => Some(other),
        (other, b) if b == value => Some(other),
        _ => None,
    }
}

/// How many steps lead from one pointer to another: `to - from`.
struct Distance<'c> {
    from: Option<Value<'c>>,
    to: Value<'c>,
}

impl<'c> Distance<'c> {
    fn count(&self, builder: &Builder<'c>) -> Value<'c> {
        match self.from {
            Some(from) => builder.binary(opcode::SUB, self.to, from),
            None => self.to,
        }
    }
}

/// The steps of `stride` bytes from `from` to `to`, if one is an address behind the other, or both are behind
/// the same pointer, as in part of a slice.
fn distance<'c>(
    module: &Module<'c>,
    from: Value<'c>,
    to: Value<'c>,
    stride: i64,
) -> Option<Distance<'c>> {
    let (low, high) = if stride > 0 { (from, to) } else { (to, from) };
    let (base, to) = element(module, high, stride)?;
    if base == low {
        return Some(Distance { from: None, to });
    }
    let (low_base, from) = element(module, low, stride)?;
    (base == low_base).then_some(Distance { from: Some(from), to })
}

/// Pointer and index of an address of an element, as large as `stride`.
fn element<'c>(
    module: &Module<'c>,
    address: Value<'c>,
    stride: i64,
) -> Option<(Value<'c>, Value<'c>)> {
    let is_address = address.is_instruction()
        && address.opcode() == opcode::GET_ELEMENT_PTR
        && address.is_in_bounds();
    if !is_address {
        return None;
    }
    let [base, index] = address.operands()[..] else { return None };
    if index.ty() != module.context().int(64) {
        return None;
    }
    let (size, stride) = (module.size_of(address.element_type()), stride.unsigned_abs());
    let index = if size == stride { index } else { factor(index, stride, size)? };
    Some((base, index))
}

/// The `n` in `bytes == n * stride`, where `bytes` counts units of one byte: LLVM writes addresses so that are
/// used twice.
fn factor<'c>(bytes: Value<'c>, stride: u64, unit: u64) -> Option<Value<'c>> {
    if unit != 1 || !bytes.is_instruction() {
        return None;
    }
    let by = bytes.operands().get(1)?.as_int()?;
    let times = match bytes.opcode() {
        opcode::SHL => 1u64.checked_shl(by as u32)?,
        opcode::MUL => by,
        _ => return None,
    };
    (times == stride && bytes.cannot_wrap_unsigned()).then(|| bytes.operand(0))
}

/// A variable with the number of the round, from 0: one that is there, or a new one.
fn count_rounds<'c>(
    module: &Module<'c>,
    start: Block<'c>,
    pointer: &Counter<'c>,
    counters: &[Counter<'c>],
) -> Value<'c> {
    let word = module.context().int(64);
    let counts =
        |c: &&Counter<'c>| c.phi.ty() == word && c.start.as_int() == Some(0) && c.grows_by(1);
    if let Some(counter) = counters.iter().find(counts) {
        return counter.phi;
    }
    let first = start.instructions()[0];
    let round =
        Builder::before(module.context(), first).phi(word, &[(word.constant(0), pointer.entry)]);
    let next = Builder::before(module.context(), pointer.next).binary(
        opcode::ADD,
        round,
        word.constant(1),
    );
    for (_, from) in pointer.phi.incoming_edges() {
        if from != pointer.entry {
            round.add_incoming(next, from);
        }
    }
    round
}
