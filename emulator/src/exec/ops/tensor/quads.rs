//! `mma.m8n8k4` of `f16`: four products of 8 rows and 8 columns, each by eight lanes, a *quad pair* (PTX ISA, "Matrix
//! Fragments for mma.m8n8k4 with .f16 floating point type"). Quad pair `n` has the lanes from `4 n` on and those from
//! `16 + 4 n` on, four each.
//!
//! Hardware since compute capability 7.5 lacks it: NVIDIA's assembler turns it into shuffles and `fma.rn.f32`. The
//! sums here are those of its code for `sm_90`: products are added in order, each sum is rounded, and the matrix C is added
//! last.

use crate::exec::context::{Context, FULL, Flow};
use crate::exec::ops::rounding::{Round, canonical, f16_to_f64, to_f16};
use crate::exec::program::Inst;
use crate::ptx::form::Form;

/// Rows, and columns, of a product.
const SIDE: usize = 8;
/// Columns of A.
const DEPTH: usize = 4;
/// Registers of A, and of B.
const FACTOR: usize = 2;

/// What the modifiers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// Whether the factors, A and B, are held by columns.
    by_columns: [bool; 2],
    /// Whether the sums, and C, are `f16`.
    is_half: [bool; 2],
}

impl Kind {
    /// Reads modifiers that the table has let through: `.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32`.
    pub(crate) fn read(form: &Form<'_>) -> Option<Kind> {
        let [.., a, b, sum, _, _, c] = form.words() else { return None };
        Some(Kind { by_columns: [*a == "col", *b == "col"], is_half: [*sum == "f16", *c == "f16"] })
    }

    /// The numbers and sizes of the operands' registers.
    pub(crate) fn operands(self) -> [(u32, u32); 4] {
        let sums = |is_half: bool| (if is_half { 4 } else { 8 }, 4);
        let factor = (FACTOR as u32, 4);
        [sums(self.is_half[0]), factor, factor, sums(self.is_half[1])]
    }

    pub(crate) fn pack(self) -> i64 {
        let [a, b, sum, c] =
            [self.by_columns[0], self.by_columns[1], self.is_half[0], self.is_half[1]];
        i64::from(a) | i64::from(b) << 1 | i64::from(sum) << 2 | i64::from(c) << 3
    }

    fn unpack(bits: i64) -> Kind {
        let flag = |at: u32| bits >> at & 1 == 1;
        Kind { by_columns: [flag(0), flag(1)], is_half: [flag(2), flag(3)] }
    }
}

/// The lane of a quad pair that holds what belongs to a row or column, of which four belong to either half.
fn lane(pair: usize, number: usize, within: usize) -> usize {
    4 * pair + 16 * (number / 4) + within
}

/// The lane and the place in it that hold element `k` of a row of A, or of a column of B.
fn of_factor(pair: usize, number: usize, k: usize, is_along: bool) -> (usize, usize) {
    match is_along {
        true => (lane(pair, number, number % 4), k),
        false => (lane(pair, number, k), number % 4),
    }
}

/// The lane and the place in it that hold a sum.
fn of_sum(pair: usize, row: usize, column: usize, is_half: bool) -> (usize, usize) {
    match is_half {
        true => (lane(pair, row, row % 4), column),
        false => (lane(pair, row, row & 1 | column & 2), row & 2 | column & 4 | column & 1),
    }
}

/// Half `place` of a lane's registers.
fn half(registers: &[[u32; 32]], (lane, place): (usize, usize)) -> f32 {
    f16_to_f64((registers[place / 2][lane] >> (16 * (place % 2))) as u16) as f32
}

/// `mma.m8n8k4 d, a, b, c` of `f16`: list `x` has all registers.
pub(crate) fn multiply(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.warp_wide(inst.b, mask, |context| {
        let kind = Kind::unpack(inst.imm);
        let list = context.function().lists[inst.x as usize].clone();
        let (to, from) = list.split_at(kind.operands()[0].0 as usize);
        let from: Vec<[u32; 32]> = from.iter().map(|&register| context.load(register)).collect();
        let (a, rest) = from.split_at(FACTOR);
        let (b, c) = rest.split_at(FACTOR);
        let mut sums = vec![[0u32; 32]; to.len()];
        for pair in 0..4 {
            for (row, column) in
                (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column)))
            {
                let product = (0..DEPTH).fold(0.0f32, |sum, k| {
                    let x = half(a, of_factor(pair, row, k, !kind.by_columns[0]));
                    let y = half(b, of_factor(pair, column, k, kind.by_columns[1]));
                    x.mul_add(y, sum)
                });
                let place = of_sum(pair, row, column, kind.is_half[1]);
                let before = match kind.is_half[1] {
                    true => half(c, place),
                    false => f32::from_bits(c[place.1][place.0]),
                };
                let sum = before + product;
                let (lane, place) = of_sum(pair, row, column, kind.is_half[0]);
                match kind.is_half[0] {
                    true => {
                        let bits = u32::from(to_f16(sum.into(), Round::Nearest));
                        sums[place / 2][lane] |= bits << (16 * (place % 2));
                    }
                    false => sums[place][lane] = canonical(sum).to_bits(),
                }
            }
        }
        for (&register, sums) in to.iter().zip(&sums) {
            context.store(register, FULL, sums);
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Each place of a matrix is one of a lane's, and none is used twice.
    #[test]
    fn places_are_all_there() {
        for along in [false, true] {
            let all: BTreeSet<_> = (0..4)
                .flat_map(|pair| (0..SIDE).map(move |row| (pair, row)))
                .flat_map(|(pair, row)| (0..DEPTH).map(move |k| of_factor(pair, row, k, along)))
                .collect();
            assert_eq!(all.len(), 32 * DEPTH);
            assert!(all.iter().all(|&(lane, place)| lane < 32 && place < DEPTH));
            let all: BTreeSet<_> = (0..4)
                .flat_map(|pair| (0..SIDE).map(move |row| (pair, row)))
                .flat_map(|(pair, row)| {
                    (0..SIDE).map(move |column| of_sum(pair, row, column, along))
                })
                .collect();
            assert_eq!(all.len(), 32 * SIDE);
            assert!(all.iter().all(|&(lane, place)| lane < 32 && place < SIDE));
        }
    }

    #[test]
    fn modifiers_are_read_and_packed() {
        let words = ["sync", "aligned", "m8n8k4", "col", "row", "f32", "f16", "f16", "f16"];
        let kind = Kind::read(&Form::new(&words)).unwrap();
        assert_eq!((kind.by_columns, kind.is_half), ([true, false], [false, true]));
        assert_eq!(Kind::unpack(kind.pack()), kind);
    }
}
