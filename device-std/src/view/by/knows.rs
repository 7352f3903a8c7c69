//! The coordinates that an owner tells apart, as a set of bits.

pub(super) const BLOCK: [u32; 3] = [1, 2, 4];
pub(super) const THREAD: [u32; 3] = [8, 16, 32];
pub(super) const WARP: u32 = 64;
/// Which four lanes of a warp, and which of the four.
pub(super) const QUAD: u32 = 128;
pub(super) const IN_QUAD: u32 = 256;
pub(super) const LANE: u32 = QUAD | IN_QUAD;

pub(super) const BLOCKS: u32 = 1 | 2 | 4;
pub(super) const THREADS: u32 = 8 | 16 | 32;

/// With what follows from it: warp and lane together name a thread, and a thread has a warp and a lane.
const fn closed(known: u32) -> u32 {
    if known & (WARP | LANE) == WARP | LANE { known | THREADS } else { known }
}

/// The dimensions of the largest launches in which the threads of a block are told apart; 0 for none.
pub(super) const fn threads(known: u32) -> u32 {
    dimensions(closed(known), &[THREAD[0], THREAD[1], THREAD[2]])
}

/// The dimensions of the largest launches in which blocks are told apart; 0 for none.
pub(super) const fn blocks(known: u32) -> u32 {
    dimensions(known, &[BLOCK[0], BLOCK[1], BLOCK[2]])
}

const fn dimensions(known: u32, bits: &[u32; 3]) -> u32 {
    let mut dimensions = 0;
    while dimensions < 3 && known & bits[dimensions] != 0 {
        dimensions += 1;
    }
    dimensions as u32
}

/// Of a division of renamed threads: they are told apart if both new coordinates are.
pub(super) const fn reshaped(known: u32) -> u32 {
    if threads(known) >= 2 { known | THREADS } else { known & !THREADS }
}

/// Of a division with the blocks' first two coordinates swapped.
pub(super) const fn swapped(known: u32) -> u32 {
    let (x, y) = (known & BLOCK[0], known & BLOCK[1]);
    (known & !(BLOCK[0] | BLOCK[1])) | (x << 1) | (y >> 1)
}
