//! Turns comparisons of pointers that end a loop into comparisons of counters.
//!
//! A pointer that starts at `base` and grows by the size of an element whenever a counter grows by
//! one, without ever leaving its object (`inbounds`), is at `base + n` elements when the counter is
//! at `n`, and at no other time.

use std::collections::BTreeMap;

use super::{Flow, is, sum};
use crate::llvm::{Block, Builder, Module, TypeKind, Value, opcode, predicate};

/// A pointer and an integer, phis of one block.
type Pair<'c> = (Value<'c>, Value<'c>);

/// What is known of a pair: `pointer - base == (counter - first) * stride`.
#[derive(Clone, Copy, PartialEq)]
struct Relation<'c> {
    base: Value<'c>,
    first: Value<'c>,
    /// In bytes; `None` if the two have not changed yet.
    stride: Option<i64>,
}

/// A comparison of a pointer with the end of a slice, and what it says of the counter beside it.
struct End<'c> {
    comparison: Value<'c>,
    counter: Value<'c>,
    first: Value<'c>,
    distance: Distance<'c>,
    /// Whether the pointer never gets past the end: each step comes after such a comparison.
    guarded: bool,
}

/// Replaces the comparisons of pointers with ends of slices, where a counter advances with the pointer.
pub(crate) fn compare_counters<'c>(module: &Module<'c>, flow: &Flow<'c>) {
    for end in ends(module, flow) {
        let builder = Builder::before(module.context(), end.comparison);
        let count = end.distance.count(&builder);
        let zero = end.first.as_int() == Some(0);
        let last = if zero { count } else { builder.binary(opcode::ADD, count, end.first) };
        // That the counter is below its end says more than that it differs from it.
        let predicate = match end.comparison.predicate() {
            predicate::EQUAL if end.guarded && zero => predicate::UNSIGNED_GREATER_EQUAL,
            predicate::NOT_EQUAL if end.guarded && zero => predicate::UNSIGNED_LESS,
            predicate => predicate,
        };
        end.comparison.replace_all_uses_with(builder.compare(predicate, end.counter, last));
        end.comparison.erase();
    }
}

/// The comparisons to replace.
fn ends<'c>(module: &Module<'c>, flow: &Flow<'c>) -> Vec<End<'c>> {
    let relations = relations(module, &flow.blocks);
    let mut ends: Vec<End<'c>> = Vec::new();
    for &((pointer, counter), relation) in &relations {
        let Some(stride) = relation.stride else { continue };
        for comparison in pointer.users() {
            let Some(to) = compared_with(comparison, pointer) else { continue };
            let Some(distance) = distance(module, relation.base, to, stride) else { continue };
            if ends.iter().any(|end| end.comparison == comparison) {
                continue;
            }
            let alike = relations.iter().filter(|(_, other)| *other == relation);
            let guarded = alike.into_iter().all(|((pointer, _), _)| {
                pointer.incoming_edges().iter().all(|(value, _)| steps_before(flow, *value, to))
            });
            ends.push(End { comparison, counter, first: relation.first, distance, guarded });
        }
    }
    ends
}

/// Whether `value`, if it is a step of a pointer, is taken only where the pointer is not `end` yet.
fn steps_before<'c>(flow: &Flow<'c>, value: Value<'c>, end: Value<'c>) -> bool {
    if !is(value, opcode::GET_ELEMENT_PTR) || constant_step(value).is_none() {
        return true;
    }
    let (from, block) = (value.operand(0), value.parent_block());
    flow.guards(block).any(|(condition, holds)| {
        compared_with(condition, from) == Some(end)
            && holds == (condition.predicate() == predicate::NOT_EQUAL)
    })
}

/// What is known of the pairs of a function: nothing yet, or whether they keep a relation.
type Known<'c> = BTreeMap<Pair<'c>, Option<Option<Relation<'c>>>>;

/// The pairs of a function that keep a relation on every path.
///
/// Each is assumed to keep one until an edge is found that breaks it, because loops depend on
/// themselves and on each other (`filter` is a loop in the loop).
fn relations<'c>(module: &Module<'c>, blocks: &[Block<'c>]) -> Vec<(Pair<'c>, Relation<'c>)> {
    let mut pairs = Vec::new();
    for block in blocks {
        let all = block.instructions().into_iter().take_while(|i| i.opcode() == opcode::PHI);
        let (pointers, others): (Vec<_>, Vec<_>) =
            all.partition(|phi| phi.ty().kind() == TypeKind::Pointer);
        let counters: Vec<_> =
            others.into_iter().filter(|phi| phi.ty().int_bits() == Some(64)).collect();
        for pointer in pointers {
            pairs.extend(counters.iter().map(|counter| (pointer, *counter)));
        }
    }
    let mut known: Known<'c> = pairs.iter().map(|pair| (*pair, None)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &pair in &pairs {
            let now = relation(module, &known, pair);
            changed |= known.insert(pair, now) != Some(now);
        }
    }
    pairs.into_iter().filter_map(|pair| Some((pair, (*known.get(&pair)?)??))).collect()
}

/// What all edges that lead to a pair agree on.
fn relation<'c>(
    module: &Module<'c>,
    known: &Known<'c>,
    (pointer, counter): Pair<'c>,
) -> Option<Option<Relation<'c>>> {
    let mut agreed: Option<Relation<'c>> = None;
    for (pointer, from) in pointer.incoming_edges() {
        let Some(counter) = counter.incoming(from) else { return Some(None) };
        let before = step(module, pointer, counter);
        let before = before.and_then(|(pair, stride)| Some((known.get(&pair)?, Some(stride))));
        let unchanged = || known.get(&(pointer, counter)).map(|relation| (relation, None));
        let edge = match before.or_else(unchanged) {
            // Not known yet: the other edges decide.
            Some((None, _)) => continue,
            Some((Some(None), _)) => return Some(None),
            Some((Some(Some(relation)), stride)) => match joined(relation.stride, stride) {
                Some(stride) => Relation { stride, ..*relation },
                None => return Some(None),
            },
            // From here they start.
            None => Relation { base: pointer, first: counter, stride: None },
        };
        agreed = match agreed {
            None => Some(edge),
            Some(other) if (other.base, other.first) == (edge.base, edge.first) => {
                match joined(other.stride, edge.stride) {
                    Some(stride) => Some(Relation { stride, ..other }),
                    None => return Some(None),
                }
            }
            Some(_) => return Some(None),
        };
    }
    agreed.map(Some)
}

/// The common stride of both, one of which may be unknown; `None` if they differ.
fn joined(a: Option<i64>, b: Option<i64>) -> Option<Option<i64>> {
    match (a, b) {
        (Some(a), Some(b)) => (a == b).then_some(Some(a)),
        (a, b) => Some(a.or(b)),
    }
}

/// The pair from which this one is one step ahead, and how many bytes that is.
fn step<'c>(
    module: &Module<'c>,
    pointer: Value<'c>,
    counter: Value<'c>,
) -> Option<(Pair<'c>, i64)> {
    let (before, one) = sum(counter)?;
    if one.as_int() != Some(1) || !is(pointer, opcode::GET_ELEMENT_PTR) || !pointer.is_in_bounds() {
        return None;
    }
    let size = i64::try_from(module.size_of(pointer.element_type())).ok()?;
    let stride = size.checked_mul(constant_step(pointer)?)?;
    (stride != 0).then_some(((pointer.operand(0), before), stride))
}

/// By how many elements an address is ahead of another, if that is constant.
fn constant_step(address: Value<'_>) -> Option<i64> {
    match address.operands()[..] {
        [_, index] => index.as_int().map(u64::cast_signed),
        _ => None,
    }
}

/// What `value` is compared with for equality, if that is what `user` does.
fn compared_with<'c>(user: Value<'c>, value: Value<'c>) -> Option<Value<'c>> {
    let compares = is(user, opcode::INTEGER_COMPARISON)
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

/// The steps of `stride` bytes from `from` to `to`, if one is an address computed from the other, or
/// both are computed from the same pointer, as in part of a slice.
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
    if !is(address, opcode::GET_ELEMENT_PTR) || !address.is_in_bounds() {
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

/// The `n` in `bytes == n * stride`, where `bytes` counts units of one byte: LLVM writes addresses that
/// are used twice in this way.
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
