//! Attention with an online softmax: a block has 128 queries of a head, and goes once through the keys and values.

use crate::prelude::*;

forms! {
    /// Blocks of 128 threads along x, one thread per query; heads along y, of 32 columns. Arrays are
    /// `[head][token][column]`.
    #[kernel]
    pub fn attention_online(
        tokens: i32,
        scale: f32,
        query: &[f32],
        key: &[f32],
        value: &[f32],
        mut output: Parts<f32, (by::BlockY, by::ThreadX, by::Whole), 3>,
    ) {
        let keys = cells!([[f32; 32]; 32], 0.0);
        let values = cells!([[f32; 32]; 32], 0.0);
        let t = thread::x() as i32;
        let i = block::x() as i32 * 128 + t;
        let base = block::y() as i32 * tokens;
        let mut q = [0.0f32; 32];
        if i < tokens {
            for c in 0..32 {
                put!(q, c, at!(query, (base + i) * 32 + c) * scale);
            }
        }
        let mut highest = f32::MIN;
        let mut sum = 0.0f32;
        let mut result = [0.0f32; 32];
        let mut first = 0;
        while first < tokens {
            for e in (t..32 * 32).step_by(128) {
                let (row, c) = (e / 32, e % 32);
                if first + row < tokens {
                    set!(keys, row, c, at!(key, (base + first + row) * 32 + c));
                    set!(values, row, c, at!(value, (base + first + row) * 32 + c));
                }
            }
            block::sync();
            let count = (tokens - first).min(32);
            let mut scores = [0.0f32; 32];
            let mut best = highest;
            for j in 0..count {
                let mut score = 0.0f32;
                for c in 0..32 {
                    score += at!(q, c) * get!(keys, j, c);
                }
                put!(scores, j, score);
                best = best.max(score);
            }
            let correction = (highest - best).exp();
            sum *= correction;
            for c in 0..32 {
                put!(result, c, at!(result, c) * correction);
            }
            for j in 0..count {
                let weight = (at!(scores, j) - best).exp();
                sum += weight;
                for c in 0..32 {
                    put!(result, c, at!(result, c) + weight * get!(values, j, c));
                }
            }
            highest = best;
            block::sync();
            first += 32;
        }
        if i < tokens {
            let mut own = output.part();
            for c in 0..32 {
                own!(own, [0, 0, c]) = at!(result, c) / sum;
            }
        }
    }
}

/// 64 heads, 1024 tokens.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (heads, tokens) = (run.size(64, 2), run.size(1024, 150));
    let len = heads * tokens * 32;
    let (query, key) = (run.between(-3.0, 3.0, len), run.between(-3.0, 3.0, len));
    let value = run.floats(len);
    let scale = 32f32.sqrt().recip();
    let mut want = Vec::with_capacity(len);
    for (i, query) in query.chunks(32).enumerate() {
        let head = i / tokens * tokens * 32;
        let keys = key[head..][..tokens * 32].chunks(32);
        let scores: Vec<f64> = keys
            .map(|key| query.iter().zip(key).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum())
            .map(|product: f64| product * f64::from(scale))
            .collect();
        let highest = scores.iter().copied().fold(f64::MIN, f64::max);
        let (mut total, mut mean) = (0.0, [0.0f64; 32]);
        for (score, value) in scores.iter().zip(value[head..].chunks(32)) {
            let weight = (score - highest).exp();
            total += weight;
            mean.iter_mut().zip(value).for_each(|(mean, x)| *mean += weight * f64::from(*x));
        }
        want.extend(mean.map(|x| (x / total) as f32));
    }
    let output = Output::new(&vec![f32::NAN; len], want)?.within(1e-4);
    let (query, key) = (DeviceBuffer::from_slice(&query)?, DeviceBuffer::from_slice(&key)?);
    let value = DeviceBuffer::from_slice(&value)?;
    compare!(
        run,
        [&output],
        attention_online,
        (tokens.div_ceil(128), heads),
        128,
        (
            tokens as i32,
            scale,
            &query,
            &key,
            &value,
            output.buffer().view_mut([heads, tokens, 32]) => output.address()
        )
    )
}
