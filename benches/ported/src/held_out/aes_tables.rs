//! AES-128 of independent blocks (FIPS 197), by a table of 256 words that a block copies to shared memory.

use crate::prelude::*;

forms! {
    /// One thread a block of four words, of which the first byte is the highest. `table` has the products of the
    /// substituted bytes, `substitute` the bytes themselves.
    #[kernel]
    pub fn aes_tables(
        blocks: i32,
        rounds: i32,
        table: &[u32],
        substitute: &[u8],
        key: &[u32],
        plain: &[u32],
        mut secret: Parts<u32, by::Tile<by::Thread, 4>>,
    ) {
        let products = cells!([u32; 256], 0);
        for k in (thread::x()..256).step_by(block::dim_x() as usize) {
            set!(products, k, at!(table, k));
        }
        block::sync();
        let i = (block::x() * block::dim_x() + thread::x()) as i32;
        if i >= blocks {
            return;
        }
        let mut state = [0u32; 4];
        for c in 0..4 {
            put!(state, c, at!(plain, i * 4 + c) ^ at!(key, c));
        }
        for round in 1..rounds {
            let mut next = [0u32; 4];
            for c in 0..4 {
                let a = get!(products, at!(state, c) >> 24);
                let b = get!(products, at!(state, (c + 1) % 4) >> 16 & 255);
                let d = get!(products, at!(state, (c + 2) % 4) >> 8 & 255);
                let e = get!(products, at!(state, (c + 3) % 4) & 255);
                let mixed = a ^ b.rotate_right(8) ^ d.rotate_right(16) ^ e.rotate_right(24);
                put!(next, c, mixed ^ at!(key, round * 4 + c));
            }
            state = next;
        }
        let mut own = secret.part();
        for c in 0..4 {
            let a = at!(substitute, at!(state, c) >> 24) as u32;
            let b = at!(substitute, at!(state, (c + 1) % 4) >> 16 & 255) as u32;
            let d = at!(substitute, at!(state, (c + 2) % 4) >> 8 & 255) as u32;
            let e = at!(substitute, at!(state, (c + 3) % 4) & 255) as u32;
            own!(own, [c as usize]) = (a << 24 | b << 16 | d << 8 | e) ^ at!(key, rounds * 4 + c);
        }
    }
}

/// The product with x in the field of 256 elements.
fn double(x: u8) -> u8 {
    x << 1 ^ if x & 0x80 == 0 { 0 } else { 0x1b }
}

/// The bytes that bytes are substituted by: the inverse in the field, then bits mixed.
fn substitution() -> Vec<u8> {
    let product = |mut x: u8, y: u8| {
        (0..8).fold(0, |sum, bit| {
            let term = if y >> bit & 1 == 1 { x } else { 0 };
            x = double(x);
            sum ^ term
        })
    };
    let inverse = |x: u8| (1..=255).find(|y| product(x, *y) == 1).unwrap_or(0);
    (0..=255u8)
        .map(|x| {
            let y = inverse(x);
            (1..5).fold(y ^ 0x63, |sum, by| sum ^ y.rotate_left(by))
        })
        .collect()
}

/// The words of the keys of all rounds.
fn expand(substitute: &[u8], key: [u32; 4]) -> Vec<u32> {
    let mut words = key.to_vec();
    let mut constant = 1u8;
    for i in 4..44 {
        let mut word = words[i - 1];
        if i % 4 == 0 {
            let bytes = word.rotate_left(8).to_be_bytes().map(|x| substitute[usize::from(x)]);
            word = u32::from_be_bytes(bytes) ^ u32::from(constant) << 24;
            constant = double(constant);
        }
        words.push(words[i - 4] ^ word);
    }
    words
}

/// A block's cipher byte by byte, as the standard describes it.
fn reference(substitute: &[u8], key: &[u32], plain: &[u32]) -> [u32; 4] {
    let mut state: [u32; 4] = std::array::from_fn(|c| plain[c] ^ key[c]);
    for round in 1..=10 {
        let bytes = state.map(|word| word.to_be_bytes().map(|x| substitute[usize::from(x)]));
        state = std::array::from_fn(|c| {
            let column: [u8; 4] = std::array::from_fn(|row| bytes[(c + row) % 4][row]);
            let all = column.iter().fold(0, |sum, x| sum ^ x);
            let mixed = std::array::from_fn(|row| {
                column[row] ^ all ^ double(column[row] ^ column[(row + 1) % 4])
            });
            u32::from_be_bytes(if round < 10 { mixed } else { column }) ^ key[4 * round + c]
        });
    }
    state
}

/// 2^22 blocks.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1 << 22, 500);
    let substitute = substitution();
    // FIPS 197, appendix B.
    let key = expand(&substitute, [0x2b7e1516, 0x28aed2a6, 0xabf71588, 0x09cf4f3c]);
    let secret = reference(&substitute, &key, &[0x3243f6a8, 0x885a308d, 0x313198a2, 0xe0370734]);
    if secret != [0x3925841d, 0x02dc09fb, 0xdc118597, 0x196a0b32] {
        return Err(format!("the host's cipher of the example is {secret:x?}").into());
    }
    let key = expand(&substitute, std::array::from_fn(|_| run.rng.next_u64() as u32));
    let table: Vec<u32> = substitute
        .iter()
        .map(|&x| u32::from_be_bytes([double(x), x, x, double(x) ^ x]))
        .collect();
    let plain: Vec<u32> = (0..4 * n).map(|_| run.rng.next_u64() as u32).collect();
    let want = plain.chunks(4).flat_map(|plain| reference(&substitute, &key, plain)).collect();
    let secret = Output::new(&vec![0; 4 * n], want)?;
    let (table, substitute) =
        (DeviceBuffer::from_slice(&table)?, DeviceBuffer::from_slice(&substitute)?);
    let (key, plain) = (DeviceBuffer::from_slice(&key)?, DeviceBuffer::from_slice(&plain)?);
    compare!(
        run,
        [&secret],
        aes_tables,
        n.div_ceil(128),
        128,
        (n as i32, 10, &table, &substitute, &key, &plain, &mut *secret.buffer())
    )
}
