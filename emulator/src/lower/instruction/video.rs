//! Video instructions: their operands choose bytes or halfwords.

use super::super::flow::Leave;
use super::super::function::Lower;
use super::Lowered;
use crate::exec::ops::video::{self, MultiplyAdd, Operation, Second, Video};
use crate::exec::program::Inst;
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::{Kind, Type};

/// An operand without the bytes or halfwords that it chooses, and these: `%r1.h10`.
fn chosen<'a>(operand: &Operand<'a>) -> (Operand<'a>, Option<&'a str>) {
    match *operand {
        Operand::Component { name, component } if !matches!(component, "x" | "y" | "z") => {
            (Operand::Name { name, offset: 0 }, Some(component))
        }
        _ => (operand.clone(), None),
    }
}

/// `h10`: halfwords, the numbers 1 and 0, the lowest part's last.
fn parts(selector: &str, most: u32) -> Lowered<(u32, Vec<u32>)> {
    let wrong = || format!("`.{selector}` chooses no bytes or halfwords here");
    let bits = match selector.as_bytes().first() {
        Some(b'b') => 8,
        Some(b'h') => 16,
        _ => return Err(wrong()),
    };
    let numbers: Option<Vec<u32>> =
        selector[1..].chars().rev().map(|c| c.to_digit(10).filter(|&n| n < most)).collect();
    Ok((bits, numbers.filter(|numbers| !numbers.is_empty()).ok_or_else(wrong)?))
}

/// `vadd.u32.u32.u32.sat.add d.h0, a.b1, b, c`, `vadd4.u32.u32.u32 d, a, b, c`, and the others.
pub(crate) fn video<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let none = "there is no such video instruction";
    let name = instruction.mnemonic.trim_end_matches(['2', '4']);
    let count = instruction.mnemonic[name.len()..].parse().unwrap_or(1);
    let operation =
        form.words().iter().find_map(|word| Operation::named(word)).or(Operation::named(name));
    let signed: Vec<bool> = form.types().iter().map(|ty| ty.kind() == Kind::Signed).collect();
    // Comparisons give 0 and 1.
    let (d, a, b) = match signed[..] {
        [d, a, b] => (d, a, b),
        [a, b] => (false, a, b),
        _ => return Err(none.to_owned()),
    };
    let second = match form.words().last().copied() {
        Some("add") => Second::Add,
        Some("min") => Second::Minimum,
        Some("max") => Second::Maximum,
        _ => Second::Merge,
    };
    let mut video = Video {
        operation: operation.ok_or(none)?,
        second,
        bits: [32 / count; 3],
        signed: [a, b, d],
        saturate: form.has("sat"),
        wrap: form.has("wrap"),
        count,
        from: if count == 2 { [0x10, 0x32] } else { [0x3210, 0x7654] },
        to: if count == 1 { 0 } else { (1 << count) - 1 },
    };
    let operands: Vec<_> = instruction.operands.iter().map(chosen).collect();
    let (sources, third) = match &operands[..] {
        [d, a, b] if count == 1 && second == Second::Merge && d.1.is_none() => ([d, a, b], None),
        [d, a, b, (c, None)] if d.1.is_none() || count > 1 || second == Second::Merge => {
            ([d, a, b], Some(c))
        }
        _ => return Err("the operands do not fit the instruction".to_owned()),
    };
    if count == 1 {
        video.from = [0; 2];
        for (index, (_, selector)) in [sources[1], sources[2], sources[0]].into_iter().enumerate() {
            let Some(selector) = selector else { continue };
            let (bits, numbers) = parts(selector, 4)?;
            let [number] = numbers[..] else { return Err(none.to_owned()) };
            if number * bits >= 32 {
                return Err(format!("there is no part `.{selector}`"));
            }
            video.bits[index] = bits;
            match index {
                2 => video.to = number,
                _ => video.from[index] = number,
            }
        }
    } else {
        let size = 32 / count;
        if let Some(mask) = sources[0].1 {
            let (bits, numbers) = parts(mask, count)?;
            if bits != size {
                return Err(none.to_owned());
            }
            video.to = numbers.iter().fold(0, |all, number| all | 1 << number);
        }
        for (index, (_, selector)) in sources[1..].iter().enumerate() {
            let Some(selector) = selector else { continue };
            let (bits, numbers) = parts(selector, 2 * count)?;
            if bits != size || numbers.len() != count as usize {
                return Err(none.to_owned());
            }
            video.from[index] = numbers.iter().rev().fold(0, |all, number| all << 4 | number);
        }
    }
    let d = lower.destination(&sources[0].0, 4)?;
    let a = lower.source(&sources[1].0, 4, Type::U32)?;
    let b = lower.source(&sources[2].0, 4, Type::U32)?;
    let c = match third {
        Some(third) => lower.source(third, 4, Type::U32)?,
        None => lower.constant(4, 0),
    };
    let (guard, x) = (lower.guard(instruction)?, lower.list(video.pack()));
    lower.push(Inst { guard, d, a, b, c, x, ..Lower::blank(video::video) }, Leave::Next);
    Ok(())
}

/// `vmad.s32.s32.u32.shr7 d, -a.h0, b.b1, c`
pub(crate) fn multiply_add<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let [d, a, b, c] = &instruction.operands[..] else {
        return Err(format!("expected 4 operands, found {}", instruction.operands.len()));
    };
    let is_signed = |at: usize| form.types()[at].kind() == Kind::Signed;
    let mut mad = MultiplyAdd {
        bits: [32; 2],
        from: [0; 2],
        signed: [is_signed(1), is_signed(2)],
        negates_product: false,
        negates_third: false,
        plus_one: form.has("po"),
        shift: if form.has("shr7") {
            7
        } else if form.has("shr15") {
            15
        } else {
            0
        },
    };
    let mut factors = [0; 2];
    for (index, factor) in [a, b].into_iter().enumerate() {
        let (factor, negated) = signed_operand(factor);
        mad.negates_product ^= negated;
        let (factor, selector) = chosen(factor);
        factors[index] = lower.source(&factor, 4, Type::U32)?;
        let Some(selector) = selector else { continue };
        let (bits, numbers) = parts(selector, 4)?;
        let [number] = numbers[..] else {
            return Err(format!("`.{selector}` chooses several parts"));
        };
        if number * bits >= 32 {
            return Err(format!("there is no part `.{selector}`"));
        }
        (mad.bits[index], mad.from[index]) = (bits, number);
    }
    let (third, negated) = signed_operand(c);
    mad.negates_third = negated;
    let negated = u32::from(mad.negates_product) + u32::from(mad.negates_third);
    if negated + u32::from(mad.plus_one) > 1 {
        return Err(
            "either the product or the third operand is negated, or one is added".to_owned()
        );
    }
    let (d, c) = (lower.destination(d, 4)?, lower.source(third, 4, Type::U32)?);
    let [a, b] = factors;
    let (guard, x) = (lower.guard(instruction)?, lower.list(mad.pack()));
    lower.push(Inst { guard, d, a, b, c, x, ..Lower::blank(video::multiply_add) }, Leave::Next);
    Ok(())
}

/// An operand without its sign, and whether it has one.
fn signed_operand<'o, 'a>(operand: &'o Operand<'a>) -> (&'o Operand<'a>, bool) {
    match operand {
        Operand::Negative(operand) => (operand, true),
        operand => (operand, false),
    }
}
