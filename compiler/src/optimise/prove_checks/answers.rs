//! What has been found out about values: where variables bound each other, the same questions come again and again.

use std::collections::BTreeMap;

use super::sum::Sum;
use crate::llvm::{Block, Value};

/// A kind of question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Question {
    Most,
    /// The same, but only by what the value is calculated from.
    Calculated,
    Least,
    Exact,
    Small,
}

/// What is asked about a value in a block.
pub(super) type Asked<'c> = (Question, Value<'c>, Block<'c>);

/// What was found, and what that needs.
#[derive(Clone)]
pub(super) struct Answer<'c> {
    pub(super) found: Option<Sum>,
    pub(super) needs: Vec<Sum>,
    pub(super) extended: Vec<Value<'c>>,
    /// How often the size of a type was taken for a bound, and how often a dividend was taken for a quotient's.
    pub(super) loose: (usize, usize),
}

/// The answers, in layers: those of the last one hold for all that is assumed now. If more is assumed, there might be better ones.
pub(super) struct Answers<'c>(Vec<BTreeMap<Asked<'c>, Answer<'c>>>);

impl Default for Answers<'_> {
    fn default() -> Self {
        Answers(vec![BTreeMap::new()])
    }
}

impl<'c> Answers<'c> {
    pub(super) fn get(&self, asked: &Asked<'c>) -> Option<&Answer<'c>> {
        self.0.last().and_then(|layer| layer.get(asked))
    }

    pub(super) fn note(&mut self, asked: Asked<'c>, answer: Answer<'c>) {
        if let Some(layer) = self.0.last_mut() {
            layer.insert(asked, answer);
        }
    }

    /// Begins a layer, which lasts for as long as more is assumed.
    pub(super) fn assume(&mut self) {
        self.0.push(BTreeMap::new());
    }

    /// Ends the last layer.
    pub(super) fn assume_no_more(&mut self) {
        self.0.pop();
    }
}
