//! Integers that change by the same amount in each iteration of a loop.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::flow::Flow;
use crate::llvm::{Block, Builder, Context, Loop, Type, Value, opcode, predicate};

/// An integer whose value in iteration `k` is `first + k * step`, calculated like the integer itself in its own
/// width, in which it may wrap around.
#[derive(Clone, Copy)]
pub(super) struct Affine<'c> {
    pub(super) first: Value<'c>,
    /// `None` if it does not change.
    pub(super) step: Option<Value<'c>>,
}

/// Marks extensions of integers that don't wrap around in any iteration of their loop. No pass of LLVM knows it.
pub(super) const EXACT: &str = "ptyx.exact";

/// Intrinsics that return a sum and whether it overflowed.
const SUMS: [&str; 2] = ["llvm.sadd.with.overflow.", "llvm.uadd.with.overflow."];

/// How deep an expression is looked into.
const MAX_DEPTH: usize = 12;

/// What is calculated before a loop.
pub(super) struct Before<'a, 'c> {
    pub(super) builder: Builder<'c>,
    pub(super) around: &'a Loop<Block<'c>>,
    /// The block that leads to the loop.
    pub(super) entry: Block<'c>,
    /// How many iterations at most come after the first, 64 bits wide.
    pub(super) more: Value<'c>,
    /// What must hold so that the arithmetic is exact and the checks succeed.
    pub(super) conditions: Vec<Value<'c>>,
    /// The extensions that are exact if the conditions hold.
    pub(super) extensions: Vec<Value<'c>>,
    /// Whether [`EXACT`] counts.
    pub(super) trusts: bool,
    exact: u32,
    /// What was calculated so far, by operation and operands: what is equal is the same value.
    known: RefCell<BTreeMap<(i32, Value<'c>, Value<'c>), Value<'c>>>,
}

impl<'a, 'c> Before<'a, 'c> {
    /// What can be calculated before a loop that one block leads to, and that has one jump back. How often it runs is
    /// not known yet.
    pub(super) fn new(
        context: &'c Context,
        flow: &Flow<'c>,
        around: &'a Loop<Block<'c>>,
    ) -> Option<Before<'a, 'c>> {
        let entry = flow.entry(around)?;
        if around.latches.len() != 1 {
            return None;
        }
        let builder = Builder::before(context, entry.terminator()?);
        let more = context.int(64).null();
        Some(Before {
            builder,
            around,
            entry,
            more,
            conditions: Vec::new(),
            extensions: Vec::new(),
            trusts: false,
            exact: context.metadata_kind(EXACT),
            known: RefCell::default(),
        })
    }

    /// Whether `value` is the same in all iterations, and known before the loop.
    pub(super) fn is_invariant(&self, value: Value<'c>) -> bool {
        !value.is_instruction() || !self.around.body.contains(&value.parent_block())
    }

    /// How `value` changes, if it does by the same amount in each iteration. Where it depends on an extension, the
    /// condition is noted that what is extended does not wrap around.
    pub(super) fn affine(&mut self, value: Value<'c>, depth: usize) -> Option<Affine<'c>> {
        if self.is_invariant(value) {
            return Some(Affine { first: value, step: None });
        }
        if depth == MAX_DEPTH {
            return None;
        }
        let depth = depth + 1;
        let ty = value.ty();
        match value.opcode() {
            opcode::PHI if value.parent_block() == self.around.start => self.counter(value),
            opcode::ADD | opcode::EXTRACT_VALUE => self.sum(value, opcode::ADD, depth),
            opcode::OR => self.sum(value, opcode::ADD, depth),
            opcode::SUB => self.sum(value, opcode::SUB, depth),
            opcode::MUL => {
                let (mut x, mut by) = (value.operand(0), value.operand(1));
                if self.is_invariant(x) {
                    (x, by) = (by, x);
                }
                if !self.is_invariant(by) {
                    return None;
                }
                let x = self.affine(x, depth)?;
                let times = |x| self.times(x, by);
                Some(Affine { first: times(x.first), step: x.step.map(times) })
            }
            opcode::SHL => {
                let by = value.operand(1);
                if by.as_int()? >= u64::from(ty.int_bits()?) {
                    return None;
                }
                let x = self.affine(value.operand(0), depth)?;
                let shifted = |x| self.binary(opcode::SHL, x, by);
                Some(Affine { first: shifted(x.first), step: x.step.map(shifted) })
            }
            opcode::TRUNCATE => {
                let x = self.affine(value.operand(0), depth)?;
                let narrow = |x| self.cast(opcode::TRUNCATE, x, ty);
                Some(Affine { first: narrow(x.first), step: x.step.map(narrow) })
            }
            opcode::SIGN_EXTEND | opcode::ZERO_EXTEND => {
                let x = self.affine(value.operand(0), depth)?;
                let Some(step) = x.step else {
                    let first = self.builder.cast(value.opcode(), x.first, ty);
                    return Some(Affine { first, step: None });
                };
                if x.first.ty().int_bits()? > 32 {
                    return None;
                }
                if !(self.trusts && value.metadata(self.exact).is_some()) {
                    self.extends(value, x)?;
                }
                // Where the ends are not negative, both extensions are the same. The step may be negative.
                let wide = |x| self.cast(opcode::SIGN_EXTEND, x, ty);
                Some(Affine { first: wide(x.first), step: Some(wide(step)) })
            }
            _ => None,
        }
    }

    /// Notes the conditions under which `value`, the extension of `x`, is exact in all iterations.
    fn extends(&mut self, value: Value<'c>, x: Affine<'c>) -> Option<()> {
        let bits = x.first.ty().int_bits()?;
        let last = self.last(x)?;
        if value.opcode() == opcode::SIGN_EXTEND {
            self.fits(last, bits);
        } else {
            self.is_small(self.wide(x.first), bits);
            self.is_small(last, bits);
        }
        self.extensions.push(value);
        Some(())
    }

    /// A variable that the same number is added to in each iteration.
    fn counter(&self, phi: Value<'c>) -> Option<Affine<'c>> {
        let incoming = phi.incoming_edges();
        let (first, _) = *incoming.iter().find(|(_, from)| *from == self.entry)?;
        let mut nexts = incoming.iter().filter(|(_, from)| *from != self.entry);
        let (&(next, _), None) = (nexts.next()?, nexts.next()) else { return None };
        let step = match operands_of_sum(next)? {
            (a, step) if a == phi => step,
            (step, b) if b == phi => step,
            _ => return None,
        };
        self.is_invariant(step).then_some(Affine { first, step: Some(step) })
    }

    fn sum(&mut self, value: Value<'c>, operation: i32, depth: usize) -> Option<Affine<'c>> {
        let (a, b) = match operation {
            opcode::ADD => operands_of_sum(value)?,
            _ => (value.operand(0), value.operand(1)),
        };
        let (a, b) = (self.affine(a, depth)?, self.affine(b, depth)?);
        let both = |a: Value<'c>, b: Value<'c>| match (a.as_int(), b.as_int()) {
            (_, Some(0)) => a,
            (Some(0), _) if operation == opcode::ADD => b,
            _ => self.binary(operation, a, b),
        };
        let step = match (a.step, b.step) {
            (a, None) => a,
            (None, Some(b)) => Some(both(b.ty().null(), b)),
            (Some(a), Some(b)) => Some(both(a, b)),
        };
        Some(Affine { first: both(a.first, b.first), step })
    }

    fn times(&self, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        match (a.as_int(), b.as_int()) {
            (Some(0), _) | (_, Some(1)) => a,
            (_, Some(0)) | (Some(1), _) => b,
            _ => self.binary(opcode::MUL, a, b),
        }
    }

    /// The result of an operation, calculated once.
    pub(super) fn binary(&self, operation: i32, a: Value<'c>, b: Value<'c>) -> Value<'c> {
        let mut known = self.known.borrow_mut();
        *known.entry((operation, a, b)).or_insert_with(|| self.builder.binary(operation, a, b))
    }

    /// An integer in another width, converted once.
    fn cast(&self, operation: i32, x: Value<'c>, ty: Type<'c>) -> Value<'c> {
        let mut known = self.known.borrow_mut();
        // The type's zero stands for the type.
        let key = (operation, x, ty.null());
        *known.entry(key).or_insert_with(|| self.builder.cast(operation, x, ty))
    }

    /// An integer of up to 64 bits as a signed one of 64.
    pub(super) fn wide(&self, value: Value<'c>) -> Value<'c> {
        let ty = self.more.ty();
        match value.ty() == ty {
            true => value,
            false => self.cast(opcode::SIGN_EXTEND, value, ty),
        }
    }

    /// The value in the last iteration that is possible, 64 bits wide: exact if the conditions noted hold.
    pub(super) fn last(&mut self, affine: Affine<'c>) -> Option<Value<'c>> {
        let first = self.wide(affine.first);
        let Some(step) = affine.step else { return Some(first) };
        let step = self.wide(step);
        if affine.first.ty().int_bits()? > 32 {
            self.fits(first, 62);
            self.fits(step, 32);
        }
        let distance = match step.as_int() {
            Some(1) => self.more,
            _ => self.binary(opcode::MUL, step, self.more),
        };
        Some(self.binary(opcode::ADD, first, distance))
    }

    /// Notes that a signed integer of 64 bits must be one of so many bits.
    fn fits(&mut self, value: Value<'c>, bits: u32) {
        let ty = value.ty();
        let moved = self.builder.binary(opcode::ADD, value, ty.constant(1 << (bits - 1)));
        let limit = ty.constant(1 << bits);
        self.conditions.push(self.builder.compare(predicate::UNSIGNED_LESS, moved, limit));
    }

    /// Notes that an integer of 64 bits must be a positive one of so many bits, the sign included.
    pub(super) fn is_small(&mut self, value: Value<'c>, bits: u32) {
        let limit = value.ty().constant(1 << (bits - 1));
        self.conditions.push(self.builder.compare(predicate::UNSIGNED_LESS, value, limit));
    }
}

/// The two numbers that an integer is the sum of, be it one that overflows, or that is known not to.
pub(super) fn operands_of_sum(value: Value<'_>) -> Option<(Value<'_>, Value<'_>)> {
    if !value.is_instruction() {
        return None;
    }
    let sum = match value.opcode() {
        opcode::ADD => value,
        opcode::OR if value.is_disjoint() => value,
        // Of the pair, the sum; whether it overflowed is one bit.
        opcode::EXTRACT_VALUE if value.ty().int_bits().is_some_and(|bits| bits > 1) => {
            let pair = value.operand(0);
            let name = if pair.is_instruction() && pair.is_call() {
                pair.callee().name()
            } else {
                String::new()
            };
            SUMS.iter().any(|sum| name.starts_with(sum)).then_some(pair)?
        }
        _ => return None,
    };
    Some((sum.operand(0), sum.operand(1)))
}
