//! A matrix's transpose by tiles of 32x32 in shared memory, with a column of padding, after the CUDA samples.

use crate::prelude::*;

/// The tile at the transposed position, four elements of a column a thread.
type Tiles = by::SwapBlocks<(
    by::Tile<by::BlockY, 32, by::ThreadInBlockY>,
    by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
)>;

forms! {
    /// Blocks of 32x8 threads; `width` and `height` are any numbers.
    #[kernel]
    pub fn transpose(
        width: i32,
        height: i32,
        input: &[f32],
        mut output: Parts<f32, Tiles, 2>,
        phase: Phase,
    ) {
        let tile = phased!([[f32; 33]; 32]);
        let mut writing = phase;
        let (tx, ty) = (thread::x() as i32, thread::y() as i32);
        let x = block::x() as i32 * 32 + tx;
        let y = block::y() as i32 * 32 + ty;
        for k in 0..4 {
            if x < width && y + 8 * k < height {
                let value = at!(input, (y + 8 * k) * width + x);
                tile.set(&mut writing, [k as usize, 0], value);
            }
        }
        let reading = writing.sync();
        let tile = tile.as_ref(&reading);
        let x = block::y() as i32 * 32 + tx;
        let y = block::x() as i32 * 32 + ty;
        let mut own = output.part();
        for k in 0..4 {
            if x < height && y + 8 * k < width {
                own!(own, [k as usize, 0]) = at!(tile, tx, ty + 8 * k);
            }
        }
    }
}

/// 8190x8000.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8190, 75), run.size(8000, 53));
    let input = run.floats(w * h);
    let want = (0..w * h).map(|i| input[i % h * w + i / h]);
    let output = Output::new(&vec![f32::NAN; w * h], want.collect())?;
    let input = DeviceBuffer::from_slice(&input)?;
    let blocks = (w.div_ceil(32), h.div_ceil(32));
    compare!(
        run,
        [&output],
        transpose,
        blocks,
        (32, 8),
        (
            w as i32,
            h as i32,
            &input,
            output.buffer().view_mut([w, h]) => output.address(),
            shared::PHASES
        )
    )
}
