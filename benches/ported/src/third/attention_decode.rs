//! Attention of one new token to those before it, from caches of keys and values: a block has a head of a sequence,
//! and keeps the scores in shared memory.

use crate::prelude::*;

forms! {
    /// Blocks of 128 threads, one for each of a head's 128 columns; heads along x, sequences along y, which have at
    /// most 1024 tokens. The caches are `[sequence][token][head][column]`.
    #[kernel]
    pub fn attention_decode(
        heads: i32,
        capacity: i32,
        scale: f32,
        length: &[i32],
        query: &[f32],
        keys: &[f32],
        values: &[f32],
        mut output: Parts<f32, (by::BlockY, by::BlockX, by::ThreadInBlockX), 3>,
    ) {
        let scores = cells!([f32; 1024], 0.0);
        let partial = cells!([f32; 4], 0.0);
        let t = thread::x() as i32;
        let (lane, own_warp) = (t % 32, t / 32);
        let (head, sequence) = (block::x() as i32, block::y() as i32);
        let tokens = at!(length, sequence);
        let q = (sequence * heads + head) * 128;
        // A warp a token.
        let mut highest = f32::MIN;
        for token in (own_warp..tokens).step_by(4) {
            let k = ((sequence * capacity + token) * heads + head) * 128;
            let mut score = 0.0f32;
            for c in (lane..128).step_by(32) {
                score += at!(query, q + c) * at!(keys, k + c);
            }
            for distance in [16, 8, 4, 2, 1] {
                score += warp::shuffle_xor(warp::FULL, score, distance);
            }
            score *= scale;
            if lane == 0 {
                set!(scores, token, score);
            }
            highest = highest.max(score);
        }
        if lane == 0 {
            set!(partial, own_warp, highest);
        }
        block::sync();
        for w in 0..4 {
            highest = highest.max(get!(partial, w));
        }
        block::sync();
        let mut sum = 0.0f32;
        for token in (t..tokens).step_by(128) {
            let weight = (get!(scores, token) - highest).exp();
            set!(scores, token, weight);
            sum += weight;
        }
        for distance in [16, 8, 4, 2, 1] {
            sum += warp::shuffle_xor(warp::FULL, sum, distance);
        }
        if lane == 0 {
            set!(partial, own_warp, sum);
        }
        block::sync();
        sum = get!(partial, 0) + get!(partial, 1) + get!(partial, 2) + get!(partial, 3);
        // A thread a column.
        let mut result = 0.0f32;
        for token in 0..tokens {
            let v = ((sequence * capacity + token) * heads + head) * 128;
            result += get!(scores, token) * at!(values, v + t);
        }
        let mut own = output.part();
        own!(own, [0, 0, 0]) = result / sum;
    }
}

/// 32 sequences of up to 1024 tokens, 16 heads.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (sequences, heads, capacity) = (run.size(32, 2), run.size(16, 3), run.size(1024, 150));
    let length: Vec<i32> =
        run.below(capacity / 2, sequences).into_iter().map(|x| capacity as i32 - x).collect();
    let scale = 128f32.sqrt().recip();
    let query = run.floats(sequences * heads * 128);
    let mut cache = || run.floats(sequences * capacity * heads * 128);
    let (keys, values) = (cache(), cache());
    let mut want = Vec::with_capacity(query.len());
    for (i, query) in query.chunks(128).enumerate() {
        let (sequence, head) = (i / heads, i % heads);
        let row = |token: usize| ((sequence * capacity + token) * heads + head) * 128;
        let mut sums = vec![0.0f64; 129];
        for token in 0..length[sequence] as usize {
            let key = &keys[row(token)..];
            let score: f64 =
                query.iter().zip(key).map(|(q, k)| f64::from(*q) * f64::from(*k)).sum();
            // Scores are small enough without the largest.
            let weight = (score * f64::from(scale)).exp();
            for (sum, value) in sums.iter_mut().zip(&values[row(token)..][..128]) {
                *sum += weight * f64::from(*value);
            }
            sums[128] += weight;
        }
        want.extend(sums[..128].iter().map(|sum| (sum / sums[128]) as f32));
    }
    let output = Output::new(&vec![f32::NAN; want.len()], want)?.within(1e-5);
    let (length, query) = (DeviceBuffer::from_slice(&length)?, DeviceBuffer::from_slice(&query)?);
    let (keys, values) = (DeviceBuffer::from_slice(&keys)?, DeviceBuffer::from_slice(&values)?);
    compare!(
        run,
        [&output],
        attention_decode,
        (heads, sequences),
        128,
        (
            heads as i32,
            capacity as i32,
            scale,
            &length,
            &query,
            &keys,
            &values,
            output.buffer().view_mut([sequences, heads, 128]) => output.address()
        )
    )
}
