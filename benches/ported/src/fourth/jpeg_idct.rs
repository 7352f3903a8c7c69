//! What a JPEG decoder does after its entropy decoder: coefficients in zigzag order are multiplied by their
//! quantisation steps and transformed to 8x8 pixels, in integers.

use crate::prelude::*;

/// The place in the block of each coefficient, in zigzag order.
static ZIGZAG: [u8; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
    13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52,
    45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
];

/// The cosines of the transform, times 2^11: one row per pixel.
static COSINE: [[i32; 8]; 8] = [
    [724, 1004, 946, 851, 724, 569, 392, 200],
    [724, 851, 392, -200, -724, -1004, -946, -569],
    [724, 569, -392, -1004, -724, 200, 946, 851],
    [724, 200, -946, -569, 724, 851, -392, -1004],
    [724, -200, -946, 569, 724, -851, -392, 1004],
    [724, -569, -392, 1004, -724, -200, 946, -851],
    [724, -851, 392, 200, -724, 1004, -946, 569],
    [724, -1004, 946, -851, 724, -569, 392, -200],
];

forms! {
    /// One thread per block of 8x8; `wide` is the number of blocks in a row of the image.
    #[kernel]
    pub fn jpeg_idct(
        wide: i32,
        high: i32,
        coefficient: &[i16],
        step: &[u16],
        mut image: Parts<u8, (by::Tile<by::ThreadY, 8>, by::Tile<by::ThreadX, 8>), 2>,
    ) {
        let bx = (block::x() * block::dim_x() + thread::x()) as i32;
        let by = (block::y() * block::dim_y() + thread::y()) as i32;
        if bx >= wide || by >= high {
            return;
        }
        let base = (by * wide + bx) * 64;
        let mut values = [0i32; 64];
        for k in 0..64 {
            let value = at!(coefficient, base + k) as i32 * at!(step, k) as i32;
            put!(values, at!(ZIGZAG, k), value);
        }
        // Columns, then rows.
        for x in 0..8 {
            let mut column = [0i32; 8];
            for y in 0..8 {
                let mut sum = 0;
                for v in 0..8 {
                    sum += at!(COSINE, y, v) * at!(values, v * 8 + x);
                }
                put!(column, y, (sum + 512) >> 10);
            }
            for y in 0..8 {
                put!(values, y * 8 + x, at!(column, y));
            }
        }
        let mut own = image.part();
        for y in 0..8 {
            for x in 0..8 {
                let mut sum = 0;
                for u in 0..8 {
                    sum += at!(COSINE, x, u) * at!(values, y * 8 + u);
                }
                let pixel = ((sum + 1024) >> 11) + 128;
                own!(own, [y as usize, x as usize]) = pixel.clamp(0, 255) as u8;
            }
        }
    }
}

/// An image of 8192x6144.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (wide, high) = (run.size(1024, 11), run.size(768, 7));
    let blocks = wide * high;
    // Most of the energy is in the first coefficients.
    let raw = run.below(1 << 12, 64 * blocks);
    let coefficient: Vec<i16> = raw
        .into_iter()
        .enumerate()
        .map(|(k, x)| ((x - (1 << 11)) >> (5 + (k % 64 + 1).ilog2())) as i16)
        .collect();
    let step: Vec<u16> =
        run.below(16, 64).into_iter().enumerate().map(|(k, x)| (4 + k as i32 / 4 + x) as u16).collect();
    // By definition: half the cosine, and the first one divided by the square root of 2.
    let cosine = |x: usize, u: usize| {
        let angle = (2 * x + 1) as f64 * u as f64 * std::f64::consts::PI / 16.0;
        let scale = if u == 0 { 0.5f64.sqrt() } else { 1.0 };
        (1024.0 * scale * angle.cos()).round() as i64
    };
    let table: Vec<[i64; 8]> = (0..8).map(|x| std::array::from_fn(|u| cosine(x, u))).collect();
    // The places in zigzag order, along diagonals.
    let mut places: Vec<(usize, usize)> = (0..64).map(|k| (k / 8, k % 8)).collect();
    places.sort_by_key(|(v, u)| (v + u, if (v + u) % 2 == 0 { *u } else { *v }));
    let mut want = vec![0u8; 64 * blocks];
    for (b, block) in coefficient.chunks(64).enumerate() {
        let mut sums = [[0i64; 8]; 8]; // [pixel of the column][frequency of the row]
        for (k, (v, u)) in places.iter().enumerate() {
            let value = i64::from(block[k]) * i64::from(step[k]);
            (0..8).for_each(|y| sums[y][*u] += table[y][*v] * value);
        }
        for (y, row) in sums.iter().enumerate() {
            let row = row.map(|x| (x + 512).div_euclid(1024));
            for (x, table) in table.iter().enumerate() {
                let sum: i64 = row.iter().zip(table).map(|(a, b)| a * b).sum();
                let pixel = (sum + 1024).div_euclid(2048) + 128;
                want[(b / wide * 8 + y) * wide * 8 + b % wide * 8 + x] = pixel.clamp(0, 255) as u8;
            }
        }
    }
    let image = Output::new(&vec![0u8; want.len()], want)?;
    let coefficient = DeviceBuffer::from_slice(&coefficient)?;
    let step = DeviceBuffer::from_slice(&step)?;
    compare!(
        run,
        [&image],
        jpeg_idct,
        (wide.div_ceil(32), high.div_ceil(4)),
        (32, 4),
        (
            wide as i32,
            high as i32,
            &coefficient,
            &step,
            image.buffer().view_mut([8 * high, 8 * wide]) => image.address()
        )
    )
}
