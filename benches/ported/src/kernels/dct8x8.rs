//! Cosine transforms of tiles of 8x8, as two products with the matrix of cosines in shared memory.

use crate::prelude::*;

forms! {
    /// Blocks of 8x8 threads, one tile each; the sides are multiples of 8.
    #[kernel]
    pub fn dct8x8(
        width: i32,
        cosine: &[f32],
        input: &[f32],
        mut output: DisjointArray<f32, 2>,
        phase: Phase,
    ) {
        let tile = phased!([[f32; 8]; 8]);
        let half = phased!([[f32; 8]; 8], (by::ThreadInBlockY, by::ThreadInBlockX), Odd);
        let mut first = phase;
        let (tx, ty) = (thread::x() as Ix, thread::y() as Ix);
        let own = thread::index_2d();
        let (x, y) = (own.x() as Ix, own.y() as Ix);
        tile.set(&mut first, [0, 0], at!(input, y * width as Ix + x));
        let mut second = first.sync();
        let mut sum = 0.0;
        for k in 0..8 {
            sum += at!(cosine, ty * 8 + k) * at!(tile.as_ref(&second), k, tx);
        }
        half.set(&mut second, [0, 0], sum);
        let third = second.sync();
        sum = 0.0;
        for k in 0..8 {
            sum += at!(half.as_ref(&third), ty, k) * at!(cosine, tx * 8 + k);
        }
        own!(output, own) = sum;
    }
}

/// 8192x8192.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8192, 72), run.size(8192, 40));
    let input = run.floats(w * h);
    let cosine: Vec<f32> = (0..64)
        .map(|i| {
            let (row, col) = ((i / 8) as f32, (i % 8) as f32);
            let scale = if i < 8 { 0.125f32.sqrt() } else { 0.5 };
            scale * ((2.0 * col + 1.0) * row * std::f32::consts::PI / 16.0).cos()
        })
        .collect();
    let mut want = vec![0.0f32; w * h];
    for first in (0..h).step_by(8).flat_map(|y| (0..w).step_by(8).map(move |x| y * w + x)) {
        let mut half = [[0.0f32; 8]; 8];
        for (u, x) in (0..8).flat_map(|u| (0..8).map(move |x| (u, x))) {
            half[u][x] = (0..8).map(|k| cosine[u * 8 + k] * input[first + k * w + x]).sum();
        }
        for (u, v) in (0..8).flat_map(|u| (0..8).map(move |v| (u, v))) {
            want[first + u * w + v] = (0..8).map(|k| half[u][k] * cosine[v * 8 + k]).sum();
        }
    }
    let output = Output::new(&vec![f32::NAN; w * h], want)?.within(1e-5);
    let (cosine, input) = (DeviceBuffer::from_slice(&cosine)?, DeviceBuffer::from_slice(&input)?);
    let blocks = (w / 8, h / 8);
    compare!(
        run,
        [&output],
        dct8x8,
        blocks,
        (8, 8),
        (
            w as i32,
            &cosine,
            &input,
            output.buffer().view_mut([h, w]) => output.address(),
            shared::PHASES
        )
    )
}
