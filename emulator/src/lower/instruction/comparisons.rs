//! Comparisons: `setp` and `set`, of one value or of a pair of 16-bit floats; `lop3` that compares its result with zero.

use super::super::flow::Leave;
use super::super::function::Lower;
use super::Lowered;
use crate::exec::ops::lanes::{binary, unary};
use crate::exec::ops::{compare, logic};
use crate::exec::program::{Inst, NONE};
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::Type;

/// The type of the two values of a packed one.
fn half_of(ty: Type) -> Option<Type> {
    match ty {
        Type::F16x2 => Some(Type::F16),
        Type::Bf16x2 => Some(Type::Bf16),
        _ => None,
    }
}

impl<'a> Lower<'_, 'a> {
    /// Compares sources from `operands[1]` on, and combines with a predicate: the results, and the same for the
    /// negated comparison. Of pairs: the results of the lower and the upper values.
    fn comparison(
        &mut self,
        form: &Form<'_>,
        instruction: &'a Instruction<'a>,
    ) -> Lowered<[u32; 2]> {
        let combine = form.words().iter().find_map(|word| logic::combination(word));
        let given = &instruction.operands;
        let wanted = if combine.is_some() { 4 } else { 3 };
        if given.len() != wanted {
            return Err(format!("expected {wanted} operands, found {}", given.len()));
        }
        let guard = self.guard(instruction)?;
        let ty = form.ty();
        let sources =
            [self.source(&given[1], ty.size(), ty)?, self.source(&given[2], ty.size(), ty)?];
        let mut results = match half_of(ty) {
            None => {
                let exec = compare::setp(form).ok_or("there is no such comparison")?;
                let d = self.temporary(0)?;
                let [a, b] = sources;
                self.push(Inst { guard, d, a, b, ..Self::blank(exec) }, Leave::Next);
                [d, d | 1]
            }
            Some(half) => self.compare_pairs(form, half, sources, guard)?,
        };
        if let Some(combine) = combine {
            let b = self.source(&given[3], 0, Type::Pred)?;
            for result in &mut results {
                let (a, d) = (*result, self.temporary(0)?);
                self.push(Inst { guard, d, a, b, ..Self::blank(combine) }, Leave::Next);
                *result = d;
            }
        }
        Ok(results)
    }

    fn compare_pairs(
        &mut self,
        form: &Form<'_>,
        half: Type,
        sources: [u32; 2],
        guard: u32,
    ) -> Lowered<[u32; 2]> {
        let mut words = form.words().to_vec();
        if let Some(last) = words.last_mut() {
            *last = half.name();
        }
        let exec = compare::setp(&Form::new(&words)).ok_or("there is no such comparison")?;
        let mut results = [NONE; 2];
        for (part, result) in [unary(|a: u32| a as u16), unary(|a: u32| (a >> 16) as u16)]
            .into_iter()
            .zip(&mut results)
        {
            let mut values = [NONE; 2];
            for (value, a) in values.iter_mut().zip(sources) {
                *value = self.temporary(2)?;
                self.push(Inst { guard, d: *value, a, ..Self::blank(part) }, Leave::Next);
            }
            *result = self.temporary(0)?;
            let (d, [a, b]) = (*result, values);
            self.push(Inst { guard, d, a, b, ..Self::blank(exec) }, Leave::Next);
        }
        Ok(results)
    }
}

/// `setp p, a, b`, or `p|q`: of one value the comparison and its negation, of pairs both comparisons.
pub(crate) fn setp<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let guard = lower.guard(instruction)?;
    if let [to @ Operand::Name { .. }, a, b] = &instruction.operands[..]
        && let (None, ty) = (half_of(form.ty()), form.ty())
        && !form.words().iter().any(|word| logic::combination(word).is_some())
    {
        // By far the most frequent kind: one instruction.
        let exec = compare::setp(form).ok_or("there is no such comparison")?;
        let d = lower.destination(to, 0)?;
        let (a, b) = (lower.source(a, ty.size(), ty)?, lower.source(b, ty.size(), ty)?);
        lower.push(Inst { guard, d, a, b, ..Lower::blank(exec) }, Leave::Next);
        return Ok(());
    }
    let goals = match instruction.operands.first() {
        Some(Operand::Pair(first, second)) => vec![&**first, &**second],
        Some(first) => vec![first],
        None => return Err("`setp` needs operands".to_owned()),
    };
    let results = lower.comparison(form, instruction)?;
    for (goal, a) in goals.into_iter().zip(results) {
        let d = lower.destination(goal, 0)?;
        lower.push(Inst { guard, d, a, ..Lower::blank(logic::copy) }, Leave::Next);
    }
    Ok(())
}

/// `set`: all ones, or 1.0, where the comparison holds; of pairs in each half of the result.
pub(crate) fn set<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [to, ..] = &instruction.operands[..] else {
        return Err("`set` needs operands".to_owned());
    };
    let ty = form.types().first().copied().unwrap_or(Type::U32);
    let d = lower.destination(to, ty.size())?;
    let guard = lower.guard(instruction)?;
    let holds = lower.comparison(form, instruction)?;
    let one = match ty {
        Type::F32 => 1f32.to_bits(),
        Type::F16 | Type::F16x2 => 0x3c00,
        Type::Bf16 | Type::Bf16x2 => 0x3f80,
        _ => u32::MAX,
    };
    let select = |lower: &mut Lower<'_, 'a>, d, size, c| {
        let (a, b) = (lower.constant(size, one.into()), lower.constant(size, 0));
        let exec = if size == 2 { compare::select::<u16>() } else { compare::select::<u32>() };
        lower.push(Inst { guard, d, a, b, c, ..Lower::blank(exec) }, Leave::Next);
    };
    if half_of(form.ty()).is_none() {
        select(lower, d, ty.size(), holds[0]);
        return Ok(());
    }
    let (a, b) = (lower.temporary(2)?, lower.temporary(2)?);
    select(lower, a, 2, holds[0]);
    select(lower, b, 2, holds[1]);
    let exec = binary(|a: u16, b: u16| u32::from(a) | u32::from(b) << 16);
    lower.push(Inst { guard, d, a, b, ..Lower::blank(exec) }, Leave::Next);
    Ok(())
}

/// `lop3.or|and.b32 d|p, a, b, c, table, q`: `p` is whether `d` is not zero, combined with `q`.
pub(crate) fn lop3<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [Operand::Pair(result, holds), a, b, c, table, with] = &instruction.operands[..] else {
        return Err("the operands are a pair, three sources, a table, and a predicate".to_owned());
    };
    let combine = form.words().iter().find_map(|word| logic::combination(word));
    let (Some(combine), Some(exec)) = (combine, logic::lop3(form)) else {
        return Err("there is no such `lop3`".to_owned());
    };
    let guard = lower.guard(instruction)?;
    let mut source = |operand| lower.source(operand, 4, Type::B32);
    let ([a, b, c], imm) = ([source(a)?, source(b)?, source(c)?], source(table)?.into());
    let q = lower.source(with, 0, Type::Pred)?;
    let d = match **result {
        Operand::Sink => lower.temporary(4)?,
        _ => lower.destination(result, 4)?,
    };
    lower.push(Inst { guard, d, a, b, c, imm, ..Lower::blank(exec) }, Leave::Next);
    let (is_set, p) = (lower.temporary(0)?, lower.destination(holds, 0)?);
    lower.push(Inst { guard, d: is_set, a: d, ..Lower::blank(logic::not_zero) }, Leave::Next);
    lower.push(Inst { guard, d: p, a: is_set, b: q, ..Lower::blank(combine) }, Leave::Next);
    Ok(())
}
