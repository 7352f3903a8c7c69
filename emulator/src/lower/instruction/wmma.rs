//! `wmma`: loads and stores of fragments, and products, which become several `mma.sync`.

use super::super::flow::Leave;
use super::super::function::Lower;
use super::Lowered;
use super::tensor::{everyone, parts};
use crate::exec::ops::lanes::{binary, unary};
use crate::exec::ops::memory::Mode;
use crate::exec::ops::rounding::{Round, f16_to_f64, to_f16};
use crate::exec::ops::rows::Place;
use crate::exec::ops::tensor::mma::{self, Product};
use crate::exec::ops::tensor::wmma::{self, Fragment};
use crate::exec::program::Inst;
use crate::ptx::ast::{Instruction, Operand};
use crate::ptx::form::Form;
use crate::ptx::types::{Space, Type};

/// Rows, columns and depth of a product.
#[derive(Clone, Copy)]
struct Shape {
    rows: u32,
    columns: u32,
    depth: u32,
}

fn shape(form: &Form<'_>) -> Option<Shape> {
    form.words().iter().find_map(|word| {
        let (rows, rest) = word.strip_prefix('m')?.split_once('n')?;
        let (columns, depth) = rest.split_once('k')?;
        let number = |text: &str| text.parse().ok();
        Some(Shape { rows: number(rows)?, columns: number(columns)?, depth: number(depth)? })
    })
}

/// Bits of an element of that type.
fn bits(ty: &str) -> Option<u32> {
    Some(match ty {
        "b1" => 1,
        "s4" | "u4" => 4,
        "s8" | "u8" => 8,
        "f16" | "bf16" => 16,
        "tf32" | "f32" | "s32" => 32,
        "f64" => 64,
        _ => return None,
    })
}

/// The fragment of matrix `a`, `b`, or `c` and `d`, of elements of a type.
fn fragment(shape: Shape, matrix: &str, ty: &str, row_major: bool) -> Option<Fragment> {
    let Shape { rows, columns, depth } = shape;
    let (lines, length, across) = match matrix {
        "a" => (rows, depth, !row_major),
        "b" => (columns, depth, row_major),
        _ => (rows, columns, !row_major),
    };
    let sums = !matches!(matrix, "a" | "b");
    let one = Fragment { lines, length, bits: bits(ty)?, sums, across, copies: 1 };
    // Factors of `f16` have as many registers in all shapes.
    let copies = if ty == "f16" && !sums { 8 / one.unique() } else { 1 };
    Some(Fragment { copies, ..one })
}

/// `wmma.load.a.sync.aligned.row.m16n16k16.f16 r, [p], stride`, and `wmma.store.d`.
pub(crate) fn access<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let none = "there is no such fragment";
    let (matrix, row_major) = (form.words().get(1).copied(), form.has("row"));
    let ty = form.words().last().copied().unwrap_or_default();
    let found = shape(form).and_then(|shape| fragment(shape, matrix?, ty, row_major));
    let fragment = found.ok_or(none)?;
    let load = form.has("load");
    let (first, second, stride) = match &instruction.operands[..] {
        [first, second] => (first, second, None),
        [first, second, stride] => (first, second, Some(stride)),
        _ => return Err("`wmma` takes registers, an address and a stride".to_owned()),
    };
    let (registers, address) = if load { (first, second) } else { (second, first) };
    let dense = if fragment.across { fragment.lines } else { fragment.length };
    let mut list = vec![match stride {
        Some(stride) => lower.source(stride, 4, Type::U32)?,
        None => lower.constant(4, dense.into()),
    }];
    let size = fragment.register();
    let ty = if size == 8 { Type::F64 } else { Type::B32 };
    for part in parts(registers, fragment.unique() * fragment.copies)? {
        list.push(if load {
            lower.destination(part, size)?
        } else {
            lower.source(part, size, ty)?
        });
    }
    let space = form.words().iter().find_map(|word| Space::from_name(word));
    let found = lower.location(address, space.unwrap_or(Space::Generic), 1)?;
    if found.place != Place::Address {
        return Err("matrices lie in global or shared memory".to_owned());
    }
    let mode = Mode::plain(found.space, found.wide, size, size).pack();
    let (guard, b, x) = (lower.guard(instruction)?, everyone(lower), lower.list(list));
    let exec = if load { wmma::load } else { wmma::store };
    let (a, d, c, imm) = (found.register, fragment.pack(), mode, found.offset);
    lower.push(Inst { exec, guard, d, a, b, c, x, imm }, Leave::Next);
    Ok(())
}

/// The registers of a product's operands; those of sums have no halves.
struct Registers {
    d: Vec<u32>,
    a: Vec<u32>,
    b: Vec<u32>,
    c: Vec<u32>,
}

/// `wmma.mma d, a, b, c`
pub(crate) fn product<'a>(
    lower: &mut Lower<'_, 'a>,
    form: &Form<'_>,
    instruction: &'a Instruction<'a>,
) -> Lowered<()> {
    let none = "there is no such `wmma`";
    let shape = shape(form).ok_or(none)?;
    let types: Vec<&str> =
        form.words().iter().copied().filter(|word| bits(word).is_some()).collect();
    let [to, a, b, from] = match types[..] {
        [to, from] => [to, "f16", "f16", from],
        [to, a, b, from] => [to, a, b, from],
        _ => return Err(none.to_owned()),
    };
    let [od, oa, ob, oc] = &instruction.operands[..] else {
        return Err(format!("expected 4 operands, found {}", instruction.operands.len()));
    };
    let slots = |lower: &mut Lower<'_, 'a>, operand: &Operand<'a>, matrix: &str, ty: &str| {
        let fragment = fragment(shape, matrix, ty, true).ok_or(none)?;
        let size = fragment.register();
        let register = if size == 8 { Type::F64 } else { Type::B32 };
        let parts = parts(operand, fragment.unique() * fragment.copies)?;
        let one = |part: &Operand<'a>| match matrix {
            "d" => lower.destination(part, size),
            _ => lower.source(part, size, register),
        };
        let mut slots: Vec<u32> = parts.iter().map(one).collect::<Lowered<_>>()?;
        slots.truncate(fragment.unique() as usize);
        Ok::<_, String>(slots)
    };
    let (goal, a_list) = (slots(lower, od, "d", to)?, slots(lower, oa, "a", a)?);
    let (b_list, start) = (slots(lower, ob, "b", b)?, slots(lower, oc, "c", from)?);
    let guard = lower.guard(instruction)?;
    // Sums are in f32 if either operand is.
    let sum = if [to, from].contains(&"f32") { "f32" } else { to };
    let c = if sum == from { start } else { widened(lower, &start, shape, guard)? };
    let goal_is_f16 = to != sum;
    // The products come one after another: none may write what a later one reads.
    let overlaps = |slot: &u32| a_list.contains(slot) || b_list.contains(slot) || c.contains(slot);
    let aside = goal_is_f16 || goal.iter().any(overlaps);
    let size = if sum == "f64" { 8 } else { 4 };
    let d = match aside {
        true => (0..c.len()).map(|_| lower.temporary(size)).collect::<Lowered<_>>()?,
        false => goal.clone(),
    };
    let registers = Registers { d, a: a_list, b: b_list, c };
    products(lower, form, shape, [sum, a, b], &registers, guard)?;
    if goal_is_f16 {
        narrow(lower, &registers.d, &goal, shape, guard);
    } else if aside {
        let exec = if size == 8 { unary(|a: u64| a) } else { unary(|a: u32| a) };
        for (&a, &d) in registers.d.iter().zip(&goal) {
            lower.push(Inst { guard, d, a, ..Lower::blank(exec) }, Leave::Next);
        }
    }
    Ok(())
}

/// A `mma.sync` for each 8 columns of the sums, and 16 rows.
fn products(
    lower: &mut Lower<'_, '_>,
    form: &Form<'_>,
    shape: Shape,
    [sum, a, b]: [&str; 3],
    registers: &Registers,
    guard: u32,
) -> Lowered<()> {
    let rows = shape.rows.min(16);
    let name = format!("m{rows}n8k{}", shape.depth);
    let mut words = vec!["sync", "aligned", &name, "row", "col"];
    words.extend(form.has("satfinite").then_some("satfinite"));
    words.extend([sum, a, b, sum]);
    for operation in ["xor", "and"] {
        words.extend(form.has(operation).then_some(operation));
    }
    let product = Product::read(&Form::new(&words)).ok_or("there is no such `wmma`")?;
    let (imm, everyone) = (product.pack(), everyone(lower));
    let [sums, ..] = product.operands();
    // Registers are numbered down the rows first.
    let (bands, columns) = (shape.rows / 8, shape.columns / 8);
    let blocks = shape.rows / rows;
    for column in 0..columns {
        for block in 0..blocks {
            let first = (column * blocks + block) * sums.0;
            let own = first as usize..(first + sums.0) as usize;
            let mut list = registers.d[own.clone()].to_vec();
            let of_block = |index: &usize| *index as u32 % bands / (rows / 8) == block;
            let a = (0..registers.a.len()).filter(of_block).map(|index| registers.a[index]);
            list.extend(a);
            list.extend(registers.b.iter().skip(column as usize).step_by(columns as usize));
            list.extend(&registers.c[own]);
            let x = lower.list(list);
            let inst = Inst { guard, b: everyone, x, imm, ..Lower::blank(mma::mma) };
            lower.push(inst, Leave::Next);
        }
    }
    Ok(())
}

/// Where the two elements of a register of `f16` sums are among registers of `f32` sums.
fn single(index: usize, shape: Shape) -> usize {
    let bands = shape.rows as usize / 8;
    index / bands * bands * 2 + index % bands * 2
}

/// Sums of `f16` as `f32`.
fn widened(
    lower: &mut Lower<'_, '_>,
    pairs: &[u32],
    shape: Shape,
    guard: u32,
) -> Lowered<Vec<u32>> {
    let mut out = (0..pairs.len() * 2).map(|_| lower.temporary(4)).collect::<Lowered<Vec<_>>>()?;
    let halves = [
        unary(|a: u32| f16_to_f64(a as u16) as f32),
        unary(|a: u32| f16_to_f64((a >> 16) as u16) as f32),
    ];
    for (index, &a) in pairs.iter().enumerate() {
        for (part, exec) in halves.into_iter().enumerate() {
            let d = out[single(index, shape) + part];
            lower.push(Inst { guard, d, a, ..Lower::blank(exec) }, Leave::Next);
        }
    }
    out.truncate(pairs.len() * 2);
    Ok(out)
}

/// Sums of `f32` rounded to `f16`.
fn narrow(lower: &mut Lower<'_, '_>, sums: &[u32], pairs: &[u32], shape: Shape, guard: u32) {
    let exec = binary(|a: f32, b: f32| {
        let half = |value: f32| u32::from(to_f16(value.into(), Round::Nearest));
        half(a) | half(b) << 16
    });
    for (index, &d) in pairs.iter().enumerate() {
        let at = single(index, shape);
        let (a, b) = (sums[at], sums[at + 1]);
        lower.push(Inst { guard, d, a, b, ..Lower::blank(exec) }, Leave::Next);
    }
}
