//! Checks that compare one value with several constants: one comparison is enough.
//!
//! `t[i + 8]` and `t[i + 9]` of an array of 160 elements are valid if `i` is below 152 and below 151. LLVM makes the second
//! check `i != 151`, since the first has passed.

use std::collections::BTreeSet;

use super::Check;
use super::bounds::comparison;
use crate::llvm::{Builder, Value, predicate};

/// What must hold for one value.
pub(super) struct Limits<'c> {
    value: Value<'c>,
    /// It is below that number.
    end: Option<u64>,
    /// It is none of these.
    others: Vec<u64>,
}

impl<'c> Limits<'c> {
    /// What a check compares; `None` if it does something else.
    pub(super) fn of(check: &Check<'c>) -> Option<Limits<'c>> {
        let (value, says, constant) = comparison(check)?;
        let constant = constant.as_int().filter(|_| !value.is_constant())?;
        // LLVM tells the lowest 64 bits of a constant.
        let bits = value.ty().int_bits().filter(|bits| *bits <= 64)?;
        match says {
            predicate::UNSIGNED_LESS => Some(Limits { value, end: Some(constant), others: vec![] }),
            predicate::UNSIGNED_LESS_EQUAL => {
                let end = constant.checked_add(1).filter(|end| end.ilog2() < bits)?;
                Some(Limits { value, end: Some(end), others: vec![] })
            }
            predicate::NOT_EQUAL => Some(Limits { value, end: None, others: vec![constant] }),
            _ => None,
        }
    }

    /// Takes in what must hold besides; gives it back if it is about another value.
    pub(super) fn add(&mut self, other: Limits<'c>) -> Option<Limits<'c>> {
        if other.value != self.value {
            return Some(other);
        }
        self.end = self.end.into_iter().chain(other.end).min();
        self.others.extend(other.others);
        None
    }

    /// The conditions that all of it comes to.
    pub(super) fn conditions(&self, builder: &Builder<'c>) -> Vec<Value<'c>> {
        let Limits { value, mut end, .. } = *self;
        // From above, so that each may lower the end for the next.
        let others: BTreeSet<u64> = self.others.iter().copied().collect();
        let mut left = Vec::new();
        for other in others.into_iter().rev() {
            match end {
                Some(below) if other >= below => {}
                Some(below) if other + 1 == below => end = Some(other),
                _ => left.push((predicate::NOT_EQUAL, other)),
            }
        }
        let all = end.map(|end| (predicate::UNSIGNED_LESS, end)).into_iter().chain(left);
        all.map(|(says, number)| builder.compare(says, value, value.ty().constant(number)))
            .collect()
    }
}
