//! Which lane's register holds which element of a matrix (PTX ISA, "Matrix Fragments for mma").
//!
//! One rule covers all shapes and types. Four consecutive lanes hold a row, each of them as many neighbouring
//! elements as fit 32 bits (one element of 64 bits). The warp's 32 lanes so hold 8 rows. The next register
//! goes on 8 rows further down; when the rows are used up, the next one goes on at the right. Of B, the rows
//! are columns of the matrix. Accumulators have two neighbouring elements a lane, whatever their width.

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
        for (lane, &value) in values.iter().enumerate() {
            let start = first(index, lane, rows, columns, wide);
            for (part, place) in out[start..start + wide].iter_mut().enumerate() {
                *place = split(value, part);
            }
        }
    }
}

/// [`gather`] of registers that have been loaded.
pub(super) fn spread<V>(
    registers: &[[u32; 32]],
    rows: usize,
    columns: usize,
    out: &mut [V],
    split: impl Fn(u32, usize) -> V,
) {
    let wide = rows * columns / (registers.len() * 32);
    for (index, values) in registers.iter().enumerate() {
        for (lane, &value) in values.iter().enumerate() {
            let start = first(index, lane, rows, columns, wide);
            for (part, place) in out[start..start + wide].iter_mut().enumerate() {
                *place = split(value, part);
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
        for (lane, &value) in values.iter().enumerate() {
            out[place_of_sum(index, lane)] = value;
        }
    }
}

/// The inverse of [`gather_sums`].
pub(super) fn scatter_sums<R: Lane>(context: &mut Context<'_>, registers: &[u32], values: &[R]) {
    for (index, &register) in registers.iter().enumerate() {
        let lanes = std::array::from_fn(|lane| values[place_of_sum(index, lane)]);
        context.store::<R>(register, u32::MAX, &lanes);
    }
}

/// Where an element of the sums is, in rows of 8: that of a register and lane.
pub(super) fn place_of_sum(register: usize, lane: usize) -> usize {
    (lane / 4 + register / 2 * 8) * 8 + lane % 4 * 2 + register % 2
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
