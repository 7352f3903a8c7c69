//! Decodes IMA ADPCM: four bits per sample, which say how far the signal moves, relative to a step size that adapts.

use crate::prelude::*;

/// The step sizes.
static STEP: [i32; 89] = [
    7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31, 34, 37, 41, 45, 50, 55, 60, 66, 73,
    80, 88, 97, 107, 118, 130, 143, 157, 173, 190, 209, 230, 253, 279, 307, 337, 371, 408, 449, 494,
    544, 598, 658, 724, 796, 876, 963, 1060, 1166, 1282, 1411, 1552, 1707, 1878, 2066, 2272, 2499,
    2749, 3024, 3327, 3660, 4026, 4428, 4871, 5358, 5894, 6484, 7132, 7845, 8630, 9493, 10442, 11487,
    12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767,
];

/// How the index of the step size changes after each code, without its sign.
static CHANGE: [i32; 8] = [-1, -1, -1, -1, 2, 4, 6, 8];

forms! {
    /// One thread per block of `size` bytes: a sample, the index of a step size, an unused byte, then two codes per byte.
    #[kernel]
    pub fn adpcm_decode(
        blocks: i32,
        size: i32,
        code: &[u8],
        mut sample: Parts<i16, (by::Thread, by::Whole), 2>,
    ) {
        let b = (block::x() * block::dim_x() + thread::x()) as i32;
        if b >= blocks {
            return;
        }
        let base = b * size;
        let low = at!(code, base) as u16;
        let high = at!(code, base + 1) as u16;
        let mut predicted = (high << 8 | low) as i16 as i32;
        let mut index = (at!(code, base + 2) as i32).min(88);
        let mut own = sample.part();
        own!(own, [0, 0]) = predicted as i16;
        let mut n = 1;
        for i in 4..size {
            let byte = at!(code, base + i) as i32;
            for half in 0..2 {
                let nibble = byte >> (4 * half) & 15;
                let step = at!(STEP, index);
                let mut difference = step >> 3;
                if nibble & 1 != 0 {
                    difference += step >> 2;
                }
                if nibble & 2 != 0 {
                    difference += step >> 1;
                }
                if nibble & 4 != 0 {
                    difference += step;
                }
                if nibble & 8 != 0 {
                    difference = -difference;
                }
                predicted = (predicted + difference).clamp(-32768, 32767);
                index = (index + at!(CHANGE, nibble & 7)).clamp(0, 88);
                own!(own, [0, n as Ix as usize]) = predicted as i16;
                n += 1;
            }
        }
    }
}

/// 2^17 blocks of 256 bytes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (blocks, size) = (run.size(1 << 17, 200), run.size(256, 36));
    let mut code: Vec<u8> =
        run.below(256, blocks * size).into_iter().map(|x| x as u8).collect();
    // Random codes would only increase the step, so three bytes of four lose the bits that increase it most.
    let calm = run.below(4, code.len());
    code.iter_mut().zip(calm).filter(|(_, calm)| *calm > 0).for_each(|(code, _)| *code &= 0xbb);
    let samples = 1 + 2 * (size - 4);
    let mut want = Vec::with_capacity(blocks * samples);
    for block in code.chunks(size) {
        let mut value = i64::from(i16::from_le_bytes([block[0], block[1]]));
        let mut index = i64::from(block[2]).min(88);
        want.push(value as i16);
        let nibbles = block[4..].iter().flat_map(|byte| [byte & 15, byte >> 4]);
        for nibble in nibbles {
            let step = i64::from(STEP[index as usize]);
            // Each bit adds a fraction of the step, and half of the last fraction is always added.
            let shares = [(4, 0), (2, 1), (1, 2)].iter().filter(|(bit, _)| nibble & bit != 0);
            let size = (step >> 3) + shares.map(|(_, shift)| step >> shift).sum::<i64>();
            value = (value + if nibble < 8 { size } else { -size })
                .clamp(i64::from(i16::MIN), i64::from(i16::MAX));
            let magnitude = i64::from(nibble % 8);
            index = (index + if magnitude < 4 { -1 } else { 2 * magnitude - 6 }).clamp(0, 88);
            want.push(value as i16);
        }
    }
    let sample = Output::new(&vec![0i16; want.len()], want)?;
    let code = DeviceBuffer::from_slice(&code)?;
    compare!(
        run,
        [&sample],
        adpcm_decode,
        blocks.div_ceil(128),
        128,
        (
            blocks as i32,
            size as i32,
            &code,
            sample.buffer().view_mut([blocks, samples]) => sample.address()
        )
    )
}
