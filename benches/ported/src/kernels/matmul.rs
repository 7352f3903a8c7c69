//! `c = alpha * a * b + beta * c` of square matrices, with tiles of 16x16 in shared memory, after the CUDA
//! programming guide.

use crate::prelude::*;

forms! {
    /// Blocks of 16x16 threads, one thread an element; `n` is any number.
    #[kernel]
    pub fn matmul(
        n: i32,
        alpha: f32,
        beta: f32,
        a: &[f32],
        b: &[f32],
        mut c: DisjointArray<f32, 2>,
        phase: Phase,
    ) {
        let tile_a = phased!([[f32; 16]; 16]);
        let tile_b = phased!([[f32; 16]; 16]);
        let mut writing = phase;
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let own = thread::index_2d();
        let (row, col) = (own.y() as i32, own.x() as i32);
        let mut sum = 0.0;
        for m in 0..(n + 15) / 16 {
            let (x, y) = (m * 16 + tx, m * 16 + ty);
            let left = if row < n && x < n { at!(a, row * n + x) } else { 0.0 };
            let right = if y < n && col < n { at!(b, y * n + col) } else { 0.0 };
            tile_a.set(&mut writing, [0, 0], left);
            tile_b.set(&mut writing, [0, 0], right);
            let reading = writing.sync();
            let (rows, cols) = (tile_a.as_ref(&reading), tile_b.as_ref(&reading));
            for k in 0..16 {
                sum += at!(rows, ty, k) * at!(cols, k, tx);
            }
            writing = reading.sync();
        }
        if row < n && col < n {
            own!(c, own) = alpha * sum + beta * own!(c, own);
        }
    }
}

/// 1000x1000.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let n = run.size(1000, 41);
    let (a, b, c) = (run.floats(n * n), run.floats(n * n), run.floats(n * n));
    let (alpha, beta) = (1.5f32, -0.5f32);
    let mut want = Vec::new();
    for (left, c) in a.chunks(n).zip(c.chunks(n)) {
        let mut sums = vec![0.0f32; n];
        for (a, right) in left.iter().zip(b.chunks(n)) {
            sums.iter_mut().zip(right).for_each(|(sum, b)| *sum += a * b);
        }
        want.extend(sums.iter().zip(c).map(|(sum, c)| alpha * sum + beta * c));
    }
    let c = Output::new(&c, want)?.within(1e-3);
    let (a, b) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&b)?);
    let blocks = (n.div_ceil(16), n.div_ceil(16));
    compare!(
        run,
        [&c],
        matmul,
        blocks,
        (16, 16),
        (
            n as i32,
            alpha,
            beta,
            &a,
            &b,
            c.buffer().view_mut([n, n]) => c.address(),
            shared::PHASES
        )
    )
}
