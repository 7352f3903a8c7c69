//! 8x8 tiles of 16-bit elements: `ldmatrix`, `stmatrix`, `movmatrix` (PTX ISA, sections 9.7.14.5.15 to
//! 9.7.14.5.17). A lane's register holds two neighbouring elements of a row; four lanes hold a row.

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

/// Where the rows of the tiles lie, whose addresses the lanes hold: those of the first tile lanes 0 to 7.
fn rows(
    context: &mut Context<'_>,
    inst: &Inst,
    tiles: usize,
    write: bool,
) -> Result<Vec<(Span, u64)>, (FaultKind, u32)> {
    let mode = Mode::unpack(inst.c);
    let addresses = context.addresses(inst, mode);
    let mut found = Vec::with_capacity(8 * tiles);
    for (lane, &address) in addresses[..8 * tiles].iter().enumerate() {
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
            let rows = rows(context, inst, list.len(), false)?;
            for (rows, &register) in rows.chunks(8).zip(list) {
                let tile: Tile = std::array::from_fn(|lane| {
                    let (span, address) = rows[lane / WORDS];
                    // SAFETY: a word of a row, which lies in the span at a multiple of its size.
                    unsafe { span::read(&span, address + (lane % WORDS * 4) as u64) }
                });
                let tile = if TRANSPOSED { transposed(&tile) } else { tile };
                context.store(register, u32::MAX, &tile);
            }
            Ok(())
        })
    }
    if form.has("trans") { exec::<true> } else { exec::<false> }
}

/// `stmatrix [p], r`
pub(crate) fn store(form: &Form<'_>) -> Exec {
    fn exec<const TRANSPOSED: bool>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
        context.warp_wide(inst.b, mask, |context| {
            let list = &context.function().lists[inst.x as usize][..];
            let rows = rows(context, inst, list.len(), true)?;
            if context.block.unfenced.is_watched() {
                for (lane, &(_, address)) in rows.iter().enumerate() {
                    context.note_write(lane as u32, address, ROW);
                }
            }
            for (rows, &register) in rows.chunks(8).zip(list) {
                let tile = context.load::<u32>(register);
                let tile = if TRANSPOSED { transposed(&tile) } else { tile };
                for (lane, &word) in tile.iter().enumerate() {
                    let (span, address) = rows[lane / WORDS];
                    // SAFETY: as in `load`, and the span is writable.
                    unsafe { span::write(&span, address + (lane % WORDS * 4) as u64, word) };
                }
            }
            Ok(())
        })
    }
    if form.has("trans") { exec::<true> } else { exec::<false> }
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
}
