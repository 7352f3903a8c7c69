//! Rotary embeddings of positions (Su et al. 2021), in place: a pair is an element of a head's first half and the one
//! as far into its second half.

use crate::prelude::*;

/// Row `token * heads + head` belongs to a block; a thread owns a column of both halves.
type Pairs = (by::BlockX, by::Whole, by::ThreadInBlockX);

forms! {
    /// One block a head of a token, one thread a pair.
    #[kernel]
    pub fn rope(
        heads: i32,
        half: i32,
        position: &[i32],
        frequency: &[f32],
        mut x: Parts<f32, Pairs, 3>,
    ) {
        let i = thread::x() as i32;
        if i >= half {
            return;
        }
        let token = block::x() as i32 / heads;
        let angle = at!(position, token) as f32 * at!(frequency, i);
        let (sin, cos) = angle.sin_cos();
        let mut own = x.part();
        let (a, b) = (own!(own, [0, 0, 0]), own!(own, [0, 1, 0]));
        own!(own, [0, 0, 0]) = a * cos - b * sin;
        own!(own, [0, 1, 0]) = b * cos + a * sin;
    }
}

/// 8192 tokens, 32 heads of 128 elements.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (tokens, heads, half) = (run.size(8192, 7), run.size(32, 3), run.size(64, 40));
    let position = run.below(4096, tokens);
    let frequency: Vec<f32> =
        (0..half).map(|i| 10000f64.powf(-(i as f64) / half as f64) as f32).collect();
    let x = run.floats(tokens * heads * 2 * half);
    let mut want = x.clone();
    for (row, want) in want.chunks_mut(2 * half).enumerate() {
        for i in 0..half {
            // The angle is one of 32 bits, which then is exact.
            let angle = f64::from(position[row / heads] as f32 * frequency[i]);
            let (re, im) = (f64::from(want[i]), f64::from(want[i + half]));
            let (length, phase) = (re.hypot(im), im.atan2(re) + angle);
            (want[i], want[i + half]) = ((length * phase.cos()) as f32, (length * phase.sin()) as f32);
        }
    }
    let rows = tokens * heads;
    let x = Output::new(&x, want)?.within(1e-5);
    let (position, frequency) =
        (DeviceBuffer::from_slice(&position)?, DeviceBuffer::from_slice(&frequency)?);
    compare!(
        run,
        [&x],
        rope,
        rows,
        half.next_multiple_of(32),
        (
            heads as i32,
            half as i32,
            &position,
            &frequency,
            x.buffer().view_mut([rows, 2, half]) => x.address()
        )
    )
}
