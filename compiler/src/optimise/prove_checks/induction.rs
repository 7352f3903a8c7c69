//! Bounds of variables of a loop that change together, by induction.
//!
//! ```text
//! while low < high { let middle = (low + high) / 2; if .. { low = middle + 1 } else { high = middle } }
//! ```
//!
//! Both are at most what the greater one of them is at first: that is so in the first iteration, and if it is so in one, it is so
//! in the next. The latter is what has to be shown, for each value with which the loop goes on; the bound is supposed to hold of
//! the variables in the iteration before.

use super::prover::Prover;
use super::sum::Sum;
use crate::llvm::{Block, Loop, Value, opcode};

/// The most variables of a loop that change together.
const MAX_VARIABLES: usize = 4;

/// The most values that are looked at to find them.
const MAX_VALUES: usize = 32;

/// How often a bound is raised to what the next values may be: counters grow to where a branch ends them.
const MAX_ROUNDS: usize = 2;

/// Values of variables of a loop, each with the block from which it comes to the loop's start.
type Edges<'c> = Vec<(Value<'c>, Block<'c>)>;

impl<'c> Prover<'_, 'c> {
    /// The greatest value of a variable of a loop, which may depend on others of the loop.
    pub(super) fn most_by_induction(&mut self, phi: Value<'c>) -> Option<Sum> {
        let start = phi.parent_block();
        let around = self.loops.iter().find(|around| around.start == start)?.clone();
        let variables = changed_together(&around, phi)?;
        let edges = variables.iter().flat_map(|variable| variable.incoming_edges());
        let (next, first): (Edges<'c>, Edges<'c>) =
            edges.partition(|(_, from)| around.body.contains(from));
        self.attempt(|this| {
            let mut most = this.greatest(&first, start)?;
            for _ in 0..=MAX_ROUNDS {
                let known = this.supposed.len();
                this.supposed.extend(variables.iter().map(|one| (*one, most.clone())));
                this.answers.assume();
                let before = this.so_far();
                let last = this.attempt(|this| this.greatest(&next, start));
                this.answers.assume_no_more();
                this.supposed.truncate(known);
                let last = last?;
                if most.plus(&last, -1)?.is_positive() {
                    return Some(most);
                }
                // A bound that does not hold needs nothing.
                this.go_back(before);
                most = this.greater(most, last)?;
            }
            None
        })
    }

    /// What a variable is supposed to be at most.
    pub(super) fn supposed(&self, phi: Value<'c>) -> Option<Sum> {
        self.supposed.iter().find(|(of, _)| *of == phi).map(|(_, most)| most.clone())
    }

    /// The greatest of values, each at the end of its block.
    fn greatest(&mut self, edges: &Edges<'c>, to: Block<'c>) -> Option<Sum> {
        let mut most: Option<Sum> = None;
        for (value, from) in edges {
            let one = self.on_jump(*from, to, |this| this.most_value(*value, *from))?;
            most = Some(match most {
                None => one,
                Some(most) => self.greater(most, one)?,
            });
        }
        most
    }
}

/// The variables of a loop that the next values of one of them are calculated from, this one first.
fn changed_together<'c>(around: &Loop<Block<'c>>, phi: Value<'c>) -> Option<Vec<Value<'c>>> {
    let mut variables = vec![phi];
    let mut open = vec![phi];
    let mut seen = Vec::new();
    while let Some(value) = open.pop() {
        let is_inside = value.is_instruction() && around.body.contains(&value.parent_block());
        if !is_inside || seen.contains(&value) {
            continue;
        }
        if seen.len() == MAX_VALUES {
            return None;
        }
        seen.push(value);
        match value.opcode() {
            opcode::PHI if value.parent_block() == around.start => {
                if !variables.contains(&value) {
                    variables.push(value);
                }
                let edges = value.incoming_edges().into_iter();
                open.extend(edges.filter(|(_, from)| around.body.contains(from)).map(|one| one.0));
            }
            opcode::PHI => open.extend(value.incoming_edges().into_iter().map(|one| one.0)),
            opcode::SELECT => open.extend([value.operand(1), value.operand(2)]),
            opcode::ADD
            | opcode::SUB
            | opcode::OR
            | opcode::UDIV
            | opcode::SDIV
            | opcode::LSHR
            | opcode::ASHR
            | opcode::TRUNCATE
            | opcode::ZERO_EXTEND
            | opcode::SIGN_EXTEND => open.extend(value.operands()),
            _ => {}
        }
    }
    (variables.len() <= MAX_VARIABLES).then_some(variables)
}
