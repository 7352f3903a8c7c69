//! Tiles whose rows have 16 bytes in shared memory: `ldmatrix`, `stmatrix`, `movmatrix` (PTX ISA, sections 9.7.14.5.15
//! to 9.7.14.5.17). Four lanes hold a row: of 8 elements of 16 bits, or of 16 elements of a byte.

use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::ops::memory::Mode;
use crate::exec::ops::span;
use crate::exec::program::{Exec, Inst};
use crate::memory::{SHARED_WINDOW, Span, WINDOW_SIZE};
use crate::ptx::form::Form;

/// Bytes of a row.
const ROW: u32 = 16;
/// Words of a row.
const WORDS: usize = 4;

/// The elements of a row that have a byte or less.
const BYTES: usize = 16;

/// A tile as the lanes' registers hold it.
type Tile = [u32; 32];

/// Rows as columns.
fn transposed(tile: &Tile) -> Tile {
    let element =
        |row: usize, column: usize| tile[row * WORDS + column / 2] >> (16 * (column % 2)) & 0xffff;
    std::array::from_fn(|lane| {
        let (row, column) = (lane / WORDS, lane % WORDS * 2);
        element(column, row) | element(column + 1, row) << 16
    })
}

/// 16 rows of 16 bytes as columns, the first eight in the first register. Four lanes hold 16 elements, four each.
fn transposed_bytes(rows: &[[u8; BYTES]; 16], half: usize) -> Tile {
    std::array::from_fn(|lane| {
        let column = lane / WORDS + 8 * half;
        u32::from_le_bytes(std::array::from_fn(|part| rows[lane % WORDS * 4 + part][column]))
    })
}

/// The elements of a row, each in the lowest bits of a byte. Those of fewer than 8 bits are packed; what follows
/// them is padding.
fn unpacked(row: [u32; WORDS], bits: usize) -> [u8; BYTES] {
    let row = row.into_iter().rev().fold(0, |row, word| row << 32 | u128::from(word));
    std::array::from_fn(|index| (row >> (index * bits)) as u8 & (u8::MAX >> (8 - bits)))
}

/// Where the rows of the tiles lie, whose addresses the lanes hold: those of the first tile the first lanes.
fn rows(
    context: &mut Context<'_>,
    inst: &Inst,
    count: usize,
    write: bool,
) -> Result<Vec<(Span, u64)>, (FaultKind, u32)> {
    let mode = Mode::unpack(inst.c);
    let addresses = context.addresses(inst, mode);
    let mut found = Vec::with_capacity(count);
    for (lane, &address) in addresses[..count].iter().enumerate() {
        let (size, space, lane) = (ROW, mode.space, lane as u32);
        let outside = (FaultKind::Access { address, size, space, write }, lane);
        if address % u64::from(ROW) != 0 {
            return Err((FaultKind::Misaligned { address, size, space, write }, lane));
        }
        if address.wrapping_sub(SHARED_WINDOW) >= WINDOW_SIZE {
            return Err(outside);
        }
        let span = context.find(address, ROW.into(), write).ok_or(outside)?;
        found.push((span, address));
    }
    Ok(found)
}

/// `ldmatrix r, [p]`: `x` is the list of the destinations, `b` the constant of a full mask.
pub(crate) fn load(form: &Form<'_>) -> Exec {
    fn exec<const TRANSPOSED: bool>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
        context.warp_wide(inst.b, mask, |context| {
            let list = &context.function().lists[inst.x as usize][..];
            let rows = rows(context, inst, 8 * list.len(), false)?;
            for (rows, &register) in rows.chunks(8).zip(list) {
                let tile: Tile =
                    std::array::from_fn(|lane| word(&rows[lane / WORDS], lane % WORDS));
                let tile = if TRANSPOSED { transposed(&tile) } else { tile };
                context.store(register, u32::MAX, &tile);
            }
            Ok(())
        })
    }
    /// Tiles of 8 rows of 16 elements, of which a register holds one, or of 16 rows, transposed, which need two.
    fn bytes<const TRANSPOSED: bool, const BITS: usize>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        context.warp_wide(inst.b, mask, |context| {
            let list = &context.function().lists[inst.x as usize][..];
            let rows: Vec<[u8; BYTES]> = rows(context, inst, 8 * list.len(), false)?
                .iter()
                .map(|row| unpacked(std::array::from_fn(|part| word(row, part)), BITS))
                .collect();
            for (index, &register) in list.iter().enumerate() {
                let tile: Tile = if TRANSPOSED {
                    let (rows, _) = rows[index / 2 * 16..].split_first_chunk().expect("16 rows");
                    transposed_bytes(rows, index % 2)
                } else {
                    std::array::from_fn(|lane| {
                        let row = &rows[8 * index + lane / WORDS];
                        u32::from_le_bytes(std::array::from_fn(|part| row[lane % WORDS * 4 + part]))
                    })
                };
                context.store(register, u32::MAX, &tile);
            }
            Ok(())
        })
    }
    match (form.has("b4x16_p64"), form.has("b6x16_p32"), form.has("trans")) {
        (true, _, true) => bytes::<true, 4>,
        (true, _, false) => bytes::<false, 4>,
        (_, true, true) => bytes::<true, 6>,
        (_, true, false) => bytes::<false, 6>,
        (_, _, true) if form.has("b8") => bytes::<true, 8>,
        (_, _, true) => exec::<true>,
        (_, _, false) => exec::<false>,
    }
}

/// A word of a row.
fn word(&(span, address): &(Span, u64), part: usize) -> u32 {
    // SAFETY: the row lies in the span, at a multiple of its size.
    unsafe { span::read(&span, address + 4 * part as u64) }
}

/// `stmatrix [p], r`
pub(crate) fn store(form: &Form<'_>) -> Exec {
    fn exec<const LAYOUT: u32>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
        context.warp_wide(inst.b, mask, |context| {
            let list = &context.function().lists[inst.x as usize][..];
            let rows = rows(context, inst, 8 * list.len(), true)?;
            if context.block.unfenced.is_watched() {
                for (lane, &(_, address)) in rows.iter().enumerate() {
                    context.note_write(lane as u32, address, ROW);
                }
            }
            for (rows, &register) in rows.chunks(8).zip(list) {
                let tile = context.load::<u32>(register);
                let tile = match LAYOUT {
                    AS_THEY_ARE => tile,
                    TRANSPOSED => transposed(&tile),
                    _ => columns_of_bytes(&tile),
                };
                for (lane, &word) in tile.iter().enumerate() {
                    let (span, address) = rows[lane / WORDS];
                    // SAFETY: as in `load`, and the span is writable.
                    unsafe { span::write(&span, address + (lane % WORDS * 4) as u64, word) };
                }
            }
            Ok(())
        })
    }
    match (form.has("trans"), form.has("b8")) {
        (false, _) => exec::<AS_THEY_ARE>,
        (true, false) => exec::<TRANSPOSED>,
        (true, true) => exec::<BYTES_TRANSPOSED>,
    }
}

/// What `stmatrix` does with a tile.
const AS_THEY_ARE: u32 = 0;
const TRANSPOSED: u32 = 1;
const BYTES_TRANSPOSED: u32 = 2;

/// A tile of 16 rows of 8 bytes as columns. A register holds two neighbours of a row, and in its upper half those of
/// the row eight further, as sums do.
fn columns_of_bytes(tile: &Tile) -> Tile {
    let element = |row: usize, column: usize| {
        let word = tile[row % 8 * WORDS + column / 2];
        (word >> (16 * (row / 8) + 8 * (column % 2))) as u8
    };
    std::array::from_fn(|lane| {
        let (column, row) = (lane / WORDS, lane % WORDS * 4);
        u32::from_le_bytes(std::array::from_fn(|part| element(row + part, column)))
    })
}

/// `movmatrix.trans d, a`
pub(crate) fn transpose(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.warp_wide(inst.b, mask, |context| {
        let tile = transposed(&context.load::<u32>(inst.a));
        context.store(inst.d, u32::MAX, &tile);
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing() {
        // Element (row, column) is 8 * row + column.
        let word = |row: usize, column: usize| (8 * row + column) as u32;
        let tile = std::array::from_fn(|lane| {
            let (row, column) = (lane / 4, lane % 4 * 2);
            word(row, column) | word(row, column + 1) << 16
        });
        let other = transposed(&tile);
        assert_eq!(other[0], word(0, 0) | word(1, 0) << 16);
        assert_eq!(other[4 * 3 + 2], word(4, 3) | word(5, 3) << 16);
        assert_eq!(transposed(&other), tile);
    }

    #[test]
    fn bytes_of_a_row() {
        let bits = 0x0fed_cba9_8765_4321_u64;
        let row = [bits as u32, (bits >> 32) as u32, 0xffff_ffff, 0xffff_ffff];
        assert_eq!(unpacked(row, 4), std::array::from_fn(|index| (index as u8 + 1) % 16));
        // 48 bits are eight elements of 6 bits; so are the next 48.
        let eight = (0..8).fold(0u128, |bits, index| bits | (8 * index + 5) << (6 * index));
        let bits = eight | eight << 48 | u128::MAX << 96;
        let row = std::array::from_fn(|part| (bits >> (32 * part)) as u32);
        assert_eq!(unpacked(row, 6), std::array::from_fn(|index| (8 * (index as u8 % 8)) + 5));
    }
}
