//! ChaCha20 (RFC 8439): a thread makes 64 bytes of the stream of its counter, and encrypts 16 words with them.

use crate::prelude::*;

forms! {
    #[inline(always)]
    fn quarter(x: &mut [u32; 16], a: i32, b: i32, c: i32, d: i32) {
        put!(x, a, at!(x, a).wrapping_add(at!(x, b)));
        put!(x, d, (at!(x, d) ^ at!(x, a)).rotate_left(16));
        put!(x, c, at!(x, c).wrapping_add(at!(x, d)));
        put!(x, b, (at!(x, b) ^ at!(x, c)).rotate_left(12));
        put!(x, a, at!(x, a).wrapping_add(at!(x, b)));
        put!(x, d, (at!(x, d) ^ at!(x, a)).rotate_left(8));
        put!(x, c, at!(x, c).wrapping_add(at!(x, d)));
        put!(x, b, (at!(x, b) ^ at!(x, c)).rotate_left(7));
    }

    /// One thread a block of 16 words. `start` is the state of block 0.
    #[kernel]
    pub fn chacha20(
        blocks: i32,
        start: &[u32],
        plain: &[u32],
        mut secret: Parts<u32, by::Tile<by::Thread, 16>>,
    ) {
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i >= blocks {
            return;
        }
        let mut state = [0u32; 16];
        for k in 0..16 {
            put!(state, k, at!(start, k));
        }
        state[12] = state[12].wrapping_add(i as u32);
        let mut x = state;
        for _ in 0..10 {
            quarter(&mut x, 0, 4, 8, 12);
            quarter(&mut x, 1, 5, 9, 13);
            quarter(&mut x, 2, 6, 10, 14);
            quarter(&mut x, 3, 7, 11, 15);
            quarter(&mut x, 0, 5, 10, 15);
            quarter(&mut x, 1, 6, 11, 12);
            quarter(&mut x, 2, 7, 8, 13);
            quarter(&mut x, 3, 4, 9, 14);
        }
        let mut own = secret.part();
        for k in 0..16 {
            let word = at!(x, k).wrapping_add(at!(state, k));
            own!(own, [k as Ix as usize]) = at!(plain, i * 16 + k as i32) ^ word;
        }
    }
}

/// A block of the stream: the state is four rows, of which whole columns and diagonals are mixed at once.
fn stream(start: &[u32; 16]) -> [u32; 16] {
    let mut rows: [[u32; 4]; 4] =
        std::array::from_fn(|r| std::array::from_fn(|c| start[4 * r + c]));
    for round in 0..20 {
        for (to, from, other, bits) in [(0, 1, 3, 16), (2, 3, 1, 12), (0, 1, 3, 8), (2, 3, 1, 7)] {
            for c in 0..4 {
                rows[to][c] = rows[to][c].wrapping_add(rows[from][c]);
                rows[other][c] = (rows[other][c] ^ rows[to][c]).rotate_left(bits);
            }
        }
        for (r, row) in rows.iter_mut().enumerate() {
            if round % 2 == 0 {
                row.rotate_left(r);
            } else {
                row.rotate_right(r);
            }
        }
    }
    std::array::from_fn(|k| rows[k / 4][k % 4].wrapping_add(start[k]))
}

/// 2^21 blocks of 64 bytes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let blocks = run.size(1 << 21, 300);
    let mut start: [u32; 16] = std::array::from_fn(|_| run.rng.next_u64() as u32);
    start[..4].copy_from_slice(&[0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574]);
    // The example of the RFC, 2.3.2.
    let mut example = start;
    for (k, word) in example[4..12].iter_mut().enumerate() {
        *word = 0x0302_0100 + 0x0404_0404 * k as u32;
    }
    example[12..].copy_from_slice(&[1, 0x0900_0000, 0x4a00_0000, 0]);
    if stream(&example)[..2] != [0xe4e7_f110, 0x1559_3bd1] {
        return Err("the reference differs from the RFC".into());
    }
    let plain: Vec<u32> = (0..16 * blocks).map(|_| run.rng.next_u64() as u32).collect();
    let mut want = plain.clone();
    for (i, words) in want.chunks_mut(16).enumerate() {
        let mut state = start;
        state[12] = state[12].wrapping_add(i as u32);
        words.iter_mut().zip(stream(&state)).for_each(|(word, key)| *word ^= key);
    }
    let secret = Output::new(&vec![0; want.len()], want)?;
    let (start, plain) = (DeviceBuffer::from_slice(&start)?, DeviceBuffer::from_slice(&plain)?);
    compare!(
        run,
        [&secret],
        chacha20,
        blocks.div_ceil(256),
        256,
        (blocks as i32, &start, &plain, &mut *secret.buffer())
    )
}
