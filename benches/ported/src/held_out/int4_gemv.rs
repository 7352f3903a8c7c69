//! A vector times a matrix of weights of four bits, eight in a word, with a scale and a zero for each group of 128
//! rows, as GPTQ stores them (Frantar et al. 2022).

use crate::prelude::*;

forms! {
    /// One thread a column, 128 a block. A word has the weights of eight rows of its column.
    #[kernel]
    pub fn int4_gemv(
        groups: i32,
        cols: i32,
        x: &[f32],
        weights: &[u32],
        zeros: &[u32],
        scales: &[f32],
        mut y: Disjoint<f32>,
    ) {
        let tile = cells!([f32; 128], 0.0);
        let own = thread::index_1d();
        let column = own.get() as i32;
        let t = thread::x() as i32;
        let mut sum = 0.0f32;
        for g in 0..groups {
            set!(tile, t, at!(x, g * 128 + t));
            block::sync();
            if column < cols {
                let zero = at!(zeros, g * (cols / 8) + column / 8) >> (4 * (column % 8)) & 15;
                let mut part = 0.0f32;
                for k in 0..16 {
                    let mut word = at!(weights, (g * 16 + k) * cols + column);
                    for n in 0..8 {
                        let weight = (word & 15) as i32 - zero as i32;
                        part += weight as f32 * get!(tile, k * 8 + n);
                        word >>= 4;
                    }
                }
                sum += part * at!(scales, g * cols + column);
            }
            block::sync();
        }
        if column < cols {
            own!(y, own) = sum;
        }
    }
}

/// 8192 rows, 28672 columns.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (groups, cols) = (run.size(64, 3), run.size(28672, 200));
    let mut words = |len| -> Vec<u32> { (0..len).map(|_| run.rng.next_u64() as u32).collect() };
    let (weights, zeros) = (words(groups * 16 * cols), words(groups * cols / 8));
    let (x, scales) = (run.floats(groups * 128), run.between(0.01, 0.02, groups * cols));
    let nibble = |words: &[u32], i: usize, k: usize| f64::from(words[i] >> (4 * k) & 15);
    let mut want = vec![0.0f64; cols];
    for (row, x) in x.iter().enumerate() {
        for (column, want) in want.iter_mut().enumerate() {
            let weight = nibble(&weights, row / 8 * cols + column, row % 8);
            let zero = nibble(&zeros, (row / 128 * cols + column) / 8, column % 8);
            *want += (weight - zero) * f64::from(scales[row / 128 * cols + column]) * f64::from(*x);
        }
    }
    let want = want.into_iter().map(|sum| sum as f32).collect();
    let y = Output::new(&vec![f32::NAN; cols], want)?.within(1e-4);
    let (x, weights) = (DeviceBuffer::from_slice(&x)?, DeviceBuffer::from_slice(&weights)?);
    let (zeros, scales) = (DeviceBuffer::from_slice(&zeros)?, DeviceBuffer::from_slice(&scales)?);
    compare!(
        run,
        [&y],
        int4_gemv,
        cols.div_ceil(128),
        128,
        (groups as i32, cols as i32, &x, &weights, &zeros, &scales, &mut *y.buffer())
    )
}
