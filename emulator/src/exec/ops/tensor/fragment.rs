//! Which lane's register holds which element of a matrix (PTX ISA, "Matrix Fragments for mma").
//!
//! One rule covers all shapes and types. Four consecutive lanes hold a row, each of them as many neighbouring
//! elements as fit 32 bits (one element of 64 bits). The warp's 32 lanes so hold 8 rows. The next register
//! goes on 8 rows further down; when the rows are used up, the next one goes on at the right. Of B, the rows
//! are columns of the matrix. Accumulators have two neighbouring elements a lane, whatever their width.

use super::factor::Half;
use crate::exec::context::{Context, Lane};

/// The elements of `rows` rows of `columns`, from the registers of all lanes, row after row into `out`.
/// `split` makes an element of a register and the element's number in there.
pub(super) fn gather<R: Lane, V>(
    context: &Context<'_>,
    registers: &[u32],
    rows: usize,
    columns: usize,
    out: &mut [V],
    split: impl Fn(R, usize) -> V,
) {
    let wide = per_register(registers, rows, columns);
    for (index, &register) in registers.iter().enumerate() {
        let values = context.load::<R>(register);
        let out = &mut out[first(index, 0, rows, columns, wide)..];
        for row in 0..8 {
            let out = &mut out[row * columns..][..4 * wide];
            for column in 0..4 {
                for part in 0..wide {
                    out[column * wide + part] = split(values[row * 4 + column], part);
                }
            }
        }
    }
}

/// [`gather`] for fields of `bits` bits in 32-bit registers.
pub(super) fn gather_fields(
    context: &Context<'_>,
    registers: &[u32],
    [rows, columns]: [usize; 2],
    bits: u32,
    out: &mut [u32],
) {
    for (index, &register) in registers.iter().enumerate() {
        spread(index, &context.load(register), [rows, columns], bits, out);
    }
}

/// Moves the fields of a register to where they belong in rows of `columns`.
pub(super) fn spread(
    index: usize,
    values: &[u32; 32],
    [rows, columns]: [usize; 2],
    bits: u32,
    out: &mut [u32],
) {
    let to = &mut out[first(index, 0, rows, columns, 32 / bits as usize)..];
    match bits {
        32 => spread_fields::<1>(values, columns, to),
        16 => spread_fields::<2>(values, columns, to),
        8 => spread_fields::<4>(values, columns, to),
        _ => spread_fields::<8>(values, columns, to),
    }
}

/// The same for `WIDE` fields a register: each of eight rows has the fields of four lanes' registers.
fn spread_fields<const WIDE: usize>(values: &[u32; 32], columns: usize, out: &mut [u32]) {
    let bits = 32 / WIDE as u32;
    for row in 0..8 {
        let fields = &mut out[row * columns..][..4 * WIDE];
        for column in 0..4 {
            let value = values[row * 4 + column];
            for part in 0..WIDE {
                fields[column * WIDE + part] =
                    value >> (part as u32 * bits) & (u32::MAX >> (32 - bits));
            }
        }
    }
}

/// The inverse of [`gather`]. `join` makes a register of its elements.
pub(super) fn scatter<R: Lane, V>(
    context: &mut Context<'_>,
    registers: &[u32],
    rows: usize,
    columns: usize,
    values: &[V],
    join: impl Fn(&[V]) -> R,
) {
    let wide = per_register(registers, rows, columns);
    for (index, &register) in registers.iter().enumerate() {
        let lanes = std::array::from_fn(|lane| {
            let start = first(index, lane, rows, columns, wide);
            join(&values[start..start + wide])
        });
        context.store::<R>(register, u32::MAX, &lanes);
    }
}

/// Elements of a register.
fn per_register(registers: &[u32], rows: usize, columns: usize) -> usize {
    rows * columns / (registers.len() * 32)
}

/// The place of the first element of a register.
fn first(register: usize, lane: usize, rows: usize, columns: usize, wide: usize) -> usize {
    let bands = rows / 8;
    let row = lane / 4 + register % bands * 8;
    let column = register / bands * 4 * wide + lane % 4 * wide;
    row * columns + column
}

/// The elements of an accumulator of 8 columns with one element a register.
pub(super) fn gather_sums<R: Lane>(context: &Context<'_>, registers: &[u32], out: &mut [R]) {
    for (index, &register) in registers.iter().enumerate() {
        let values = context.load::<R>(register);
        let out = &mut out[index / 2 * 64..][..64];
        for lane in 0..32 {
            out[lane * 2 + index % 2] = values[lane];
        }
    }
}

/// The inverse of [`gather_sums`].
pub(super) fn scatter_sums<R: Lane>(context: &mut Context<'_>, registers: &[u32], values: &[R]) {
    for (index, &register) in registers.iter().enumerate() {
        let values = &values[index / 2 * 64..][..64];
        let mut lanes = [R::default(); 32];
        for lane in 0..32 {
            lanes[lane] = values[lane * 2 + index % 2];
        }
        context.store::<R>(register, u32::MAX, &lanes);
    }
}

/// The elements of an accumulator of 8 columns with two elements a register.
pub(super) fn gather_halves(context: &Context<'_>, registers: &[u32], out: &mut [Half]) {
    for (index, &register) in registers.iter().enumerate() {
        let values = context.load::<u32>(register);
        let out = &mut out[index * 64..][..64];
        for lane in 0..32 {
            out[lane * 2] = Half::from_bits(values[lane] as u16);
            out[lane * 2 + 1] = Half::from_bits((values[lane] >> 16) as u16);
        }
    }
}

/// The inverse of [`gather_halves`].
pub(super) fn scatter_halves(context: &mut Context<'_>, registers: &[u32], values: &[Half]) {
    for (index, &register) in registers.iter().enumerate() {
        let values = &values[index * 64..][..64];
        let mut lanes = [0; 32];
        for lane in 0..32 {
            let bits = |part: usize| u32::from(values[lane * 2 + part].to_bits());
            lanes[lane] = bits(0) | bits(1) << 16;
        }
        context.store::<u32>(register, u32::MAX, &lanes);
    }
}

/// Where an element of the sums is, in rows of 8: that of a register and lane.
pub(super) fn place_of_sum(register: usize, lane: usize) -> usize {
    register / 2 * 64 + lane * 2 + register % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and columns from the manual's tables, for lane 6: row 1 of its group, second of four.
    #[test]
    fn places_of_the_manual() {
        let at = |register, rows, columns, wide| {
            let place = first(register, 6, rows, columns, wide);
            (place / columns, place % columns)
        };
        // m16n8k16, .f16: a0 a2 a4 a6.
        let half: Vec<_> = (0..4).map(|register| at(register, 16, 16, 2)).collect();
        assert_eq!(half, [(1, 4), (9, 4), (1, 12), (9, 12)]);
        // m16n8k64, .s4: a0 a8 a16 a24.
        let nibbles: Vec<_> = (0..4).map(|register| at(register, 16, 64, 8)).collect();
        assert_eq!(nibbles, [(1, 16), (9, 16), (1, 48), (9, 48)]);
        // m16n8k16, .f64: a0 to a7.
        let double: Vec<_> = (0..8).map(|register| at(register, 16, 16, 1)).collect();
        let columns = [2, 2, 6, 6, 10, 10, 14, 14];
        for (register, place) in double.into_iter().enumerate() {
            assert_eq!(place, (1 + register % 2 * 8, columns[register]));
        }
        // m8n8k128, .b1; B of m16n8k32, .s8.
        assert_eq!(at(0, 8, 128, 32), (1, 64));
        assert_eq!((at(0, 8, 32, 4), at(1, 8, 32, 4)), ((1, 8), (1, 24)));
        // Accumulators: c0 to c3.
        let sums: Vec<_> = (0..4).map(|register| place_of_sum(register, 6)).collect();
        assert_eq!(sums, [8 + 4, 8 + 5, 72 + 4, 72 + 5]);
    }
}
