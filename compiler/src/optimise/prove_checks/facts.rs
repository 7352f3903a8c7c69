//! What the branches on the way to a block say of the integers there.

use crate::llvm::{Value, opcode, predicate};

/// A comparison that holds: the first is less than the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Less<'c> {
    pub(super) left: Value<'c>,
    pub(super) right: Value<'c>,
    /// Or equal to it.
    pub(super) or_equal: bool,
    pub(super) signed: bool,
}

/// What holds in a block.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts<'c> {
    /// Values that are not negative, taken as numbers with sign.
    pub(super) small: Vec<Value<'c>>,
    pub(super) less: Vec<Less<'c>>,
    /// Values that differ.
    pub(super) differ: Vec<[Value<'c>; 2]>,
}

impl<'c> Facts<'c> {
    /// Adds other facts.
    pub(super) fn extend(&mut self, others: &Facts<'c>) {
        self.small.extend(&others.small);
        self.less.extend(&others.less);
        self.differ.extend(&others.differ);
    }

    /// Adds a condition that holds, or does not.
    pub(super) fn add(&mut self, condition: Value<'c>, holds: bool) {
        if !condition.is_instruction() {
            return;
        }
        let operand = |index| condition.operand(index);
        match (condition.opcode(), holds) {
            (opcode::INTEGER_COMPARISON, _) => {
                let says = condition.predicate();
                let says = if holds { says } else { predicate::inverse(says) };
                self.compare(operand(0), says, operand(1));
            }
            (opcode::AND, true) | (opcode::OR, false) => {
                self.add(operand(0), holds);
                self.add(operand(1), holds);
            }
            (opcode::SELECT, _) => {
                // What short-circuits: both hold, or neither.
                let other = if holds { 2 } else { 1 };
                if operand(other).as_int() == Some((!holds).into()) {
                    self.add(operand(0), holds);
                    self.add(operand(3 - other), holds);
                }
            }
            (opcode::XOR, _) if operand(1).as_int() == Some(1) => self.add(operand(0), !holds),
            _ => {}
        }
    }

    fn compare(&mut self, left: Value<'c>, says: i32, right: Value<'c>) {
        if left.ty().int_bits().is_none_or(|bits| bits > 64 || bits == 1) {
            return;
        }
        let signed = predicate::is_signed(says);
        let mut less = |left, right, or_equal| {
            self.less.push(Less { left, right, or_equal, signed });
        };
        match predicate::unsigned(says) {
            predicate::UNSIGNED_LESS => less(left, right, false),
            predicate::UNSIGNED_LESS_EQUAL => less(left, right, true),
            predicate::UNSIGNED_GREATER => less(right, left, false),
            predicate::UNSIGNED_GREATER_EQUAL => less(right, left, true),
            predicate::EQUAL => {
                less(left, right, true);
                less(right, left, true);
            }
            predicate::NOT_EQUAL => self.differ.push([left, right]),
            _ => {}
        }
    }

    /// Finds the values that are not negative by what was added.
    pub(super) fn find_small(&mut self) {
        let mut lower = Vec::new();
        for Less { left, right, or_equal, signed } in &self.less {
            let bits = left.ty().int_bits().unwrap_or(64);
            let Some(number) = left.as_int().filter(|_| *signed) else { continue };
            let number = ((number << (64 - bits)) as i64) >> (64 - bits);
            if number >= 0 || number == -1 && !or_equal {
                lower.push(*right);
            }
        }
        while let Some(value) = lower.pop() {
            self.small.push(value);
            // No operand of an `or` has the sign bit that the result has not.
            if value.is_instruction() && value.opcode() == opcode::OR {
                lower.extend(value.operands());
            }
        }
    }
}
