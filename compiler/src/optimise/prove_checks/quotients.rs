//! Bounds by divisions: of quotients, of what is divided where its quotient and remainder are bounded, and of distances from a quotient.

use super::prover::{MAX_UNIFORM, Prover};
use super::sum::Sum;
use super::terms::{is_uniform, remainder_of};
use crate::llvm::{Block, Value, opcode};
use crate::lower::can_ask_host;

/// The most quotients that the host calculates.
const MAX_QUOTIENTS: usize = 12;

/// A value that is divided by what all threads have in common.
struct Parts<'c> {
    by: Value<'c>,
    quotient: Value<'c>,
    remainder: Option<Value<'c>>,
}

impl<'c> Prover<'_, 'c> {
    /// A multiple of a difference, from which the quotient `x / n` is subtracted, without the division: that `x / n` is less than `m` is
    /// that `x` is less than `m * n`.
    pub(super) fn without_quotient(&mut self, distance: &Sum, at: Block<'c>) -> Option<Sum> {
        let (index, value, count) =
            distance.products().find_map(|(factors, count)| match factors {
                &[index] if count < 0 => {
                    let value = self.differs(index)?;
                    divided_by_constant(value).map(|_| (index, value, count))
                }
                _ => None,
            })?;
        let (dividend, divisor) = divided_by_constant(value)?;
        // The bound of `x / n * n` is tighter if the host divides: with `x < m`, it is `(m - 1) / n * n`.
        let is_multiple = count % divisor == 0;
        if is_multiple && let Some(least) = self.attempt(|this| this.least_distance(distance, at)) {
            return Some(least);
        }
        self.attempt(|this| {
            if value.opcode() == opcode::ASHR || value.opcode() == opcode::SDIV {
                this.prove_small(dividend, at)?;
            }
            this.is_exact(dividend, at)?;
            let form = this.terms.form(dividend);
            this.are_exact(&form.extended, at)?;
            let rest = distance.plus(&Sum::variable(index), count.checked_neg()?)?;
            let rounded = if count == -1 { divisor - 1 } else { 0 };
            let rest = rest.times(&Sum::number(divisor))?;
            let all = rest.plus(&form.sum, count)?.plus(&Sum::number(rounded), 1)?;
            this.least_distance(&all, at)
        })
    }

    /// The greatest value of a sum with a quotient whose dividend subtracts what the rest adds, as in `low + (high - low) / 2`:
    /// that of `s + x / n` is that of `(s * n + x) / n`.
    pub(super) fn most_with_quotient(&mut self, sum: &Sum, at: Block<'c>) -> Option<Sum> {
        let (index, (dividend, divisor), signed) =
            sum.products().find_map(|(factors, count)| match factors {
                &[index] if count == 1 => {
                    let value = self.differs(index)?;
                    let signed = [opcode::ASHR, opcode::SDIV].contains(&value.opcode());
                    divided_by_constant(value).map(|parts| (index, parts, signed))
                }
                _ => None,
            })?;
        let form = self.terms.form(dividend);
        let rest = sum.plus(&Sum::variable(index), -1)?;
        let is_part = |one: &[usize]| rest.products().any(|(of, count)| of == one && count > 0);
        let mut parts = form.sum.products().filter(|(_, count)| *count < 0);
        parts.any(|(factors, _)| !factors.is_empty() && is_part(factors)).then_some(())?;
        self.attempt(|this| {
            if signed {
                this.prove_small(dividend, at)?;
            }
            this.is_exact(dividend, at)?;
            this.are_exact(&form.extended, at)?;
            let all = rest.times(&Sum::number(divisor))?.plus(&form.sum, 1)?;
            let most = this.most_of(&all, at)?;
            Some(this.quotient(most, &Sum::number(divisor)))
        })
    }

    /// The greatest quotient of what is at most `most`, and something that is not zero.
    pub(super) fn quotient(&mut self, most: Sum, by: &Sum) -> Sum {
        if let Some(known) = quotient(&most, by) {
            return known;
        }
        self.known_quotient(&most, by).unwrap_or_else(|| {
            self.bounds_by_dividend += 1;
            most
        })
    }

    /// A quotient that the host calculates.
    fn known_quotient(&mut self, dividend: &Sum, by: &Sum) -> Option<Sum> {
        let is_known = |sum| self.terms.for_host(self.kernel, sum).is_some();
        let is_it = can_ask_host(self.kernel)
            && self.terms.quotients.len() < MAX_QUOTIENTS
            && is_known(dividend)
            && is_known(by);
        is_it.then(|| self.terms.quotient(dividend.clone(), by.clone()))
    }

    /// The least value of a quotient whose divisor is a constant.
    pub(super) fn least_quotient(&mut self, value: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let (dividend, divisor) = divided_by_constant(value)?;
        if value.opcode() == opcode::ASHR || value.opcode() == opcode::SDIV {
            self.prove_small(dividend, at)?;
        }
        self.is_exact(dividend, at)?;
        let form = self.terms.form(dividend);
        self.are_exact(&form.extended, at)?;
        let least = self.least_of(&form.sum, at).filter(Sum::is_positive)?;
        let by = Sum::number(divisor);
        quotient(&least, &by).or_else(|| self.known_quotient(&least, &by))
    }

    /// The greatest value of `i`, of which branches say in which row `i / width` and which column `i % width` it is.
    pub(super) fn most_of_parts(&mut self, value: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let parts = self.parts_of(value)?;
        let row = self.terms.index_of(parts.quotient);
        // Otherwise, the row is bounded by what is divided.
        self.upper_bounds(at).iter().any(|bound| bound.variable == row).then_some(())?;
        self.attempt(|this| {
            let width = this.width_of(value, &parts, at)?;
            let last = match parts.remainder {
                Some(remainder) => this.most_value(remainder, at)?,
                None => width.plus(&Sum::number(1), -1)?,
            };
            this.most_value(parts.quotient, at)?.times(&width)?.plus(&last, 1)
        })
    }

    /// Its least value.
    pub(super) fn least_of_parts(&mut self, value: Value<'c>, at: Block<'c>) -> Option<Sum> {
        let parts = self.parts_of(value)?;
        let rows = self.terms.index_of(parts.quotient);
        let columns = parts.remainder.map(|remainder| self.terms.index_of(remainder));
        let is_part = |of: usize| of == rows || columns == Some(of);
        self.lower_bounds(at).iter().any(|(of, _)| is_part(*of)).then_some(())?;
        self.attempt(|this| {
            let width = this.width_of(value, &parts, at)?;
            let first = columns.map_or(Sum::default(), |columns| this.least(columns, at));
            this.least(rows, at).times(&width)?.plus(&first, 1)
        })
    }

    /// What a value is divided by, where its quotient is rounded down.
    fn width_of(&mut self, value: Value<'c>, parts: &Parts<'c>, at: Block<'c>) -> Option<Sum> {
        if parts.quotient.opcode() == opcode::SDIV {
            self.prove_small(value, at)?;
            self.prove_small(parts.by, at)?;
        }
        let form = self.terms.form(parts.by);
        self.are_exact(&form.extended, at)?;
        self.is_exact(parts.by, at)?;
        Some(form.sum)
    }

    /// The quotient and the remainder that are calculated of a value.
    fn parts_of(&self, value: Value<'c>) -> Option<Parts<'c>> {
        let frozen = value.users().into_iter().filter(|user| user.opcode() == opcode::FREEZE);
        let forms: Vec<Value<'c>> = frozen.chain([value]).collect();
        let users: Vec<Value<'c>> = forms.iter().flat_map(|form| form.users()).collect();
        let is_divided = |one: &Value<'c>| {
            (one.opcode() == opcode::UDIV || one.opcode() == opcode::SDIV)
                && forms.contains(&one.operand(0))
                && is_uniform(one.operand(1), MAX_UNIFORM)
        };
        let quotient = users.iter().copied().find(is_divided)?;
        let by = quotient.operand(1);
        let is_rest = |one: &Value<'c>| {
            let Some((x, y)) = remainder_of(*one) else { return false };
            let is_same_kind = match one.opcode() {
                opcode::UREM => quotient.opcode() == opcode::UDIV,
                opcode::SREM => quotient.opcode() == opcode::SDIV,
                _ => one.operand(1).operands().contains(&quotient),
            };
            is_same_kind && forms.contains(&x) && y.thawed() == by.thawed()
        };
        let remainder = users.iter().copied().find(is_rest);
        Some(Parts { by, quotient, remainder })
    }
}

/// What is divided, and the constant that it is divided by.
fn divided_by_constant(value: Value<'_>) -> Option<(Value<'_>, i64)> {
    let (dividend, by) = match value.opcode() {
        _ if !value.is_instruction() => return None,
        opcode::LSHR | opcode::ASHR | opcode::UDIV | opcode::SDIV => {
            // A divisor with a sign is large without it.
            let by = value.operand(1).as_int()?;
            let bits = value.ty().int_bits().filter(|bits| (1..=64).contains(bits))?;
            (value.opcode() != opcode::SDIV || by >> (bits - 1) == 0).then_some(())?;
            (value.operand(0), by)
        }
        _ => return None,
    };
    let is_shift = value.opcode() == opcode::LSHR || value.opcode() == opcode::ASHR;
    let divisor = if is_shift { 1u64.checked_shl(u32::try_from(by).ok()?)? } else { by };
    (1..=1 << 32).contains(&divisor).then_some((dividend, divisor as i64))
}

/// The same, if it is a sum.
fn quotient(most: &Sum, by: &Sum) -> Option<Sum> {
    if let Some(by) = by.as_number().filter(|by| *by > 0)
        && let Some(all) = most.without_constant().divided(&Sum::number(by))
    {
        return all.plus(&Sum::number(most.constant().div_euclid(by)), 1);
    }
    let end = most.plus(&Sum::number(1), 1)?.divided(by)?;
    end.plus(&Sum::number(1), -1)
}
