//! The median of the 5x5 pixels around each, of an image of 16 bits: a selection sort of the first half in a local
//! array.

use crate::prelude::*;

forms! {
    /// One thread a pixel; the border is repeated.
    #[kernel]
    pub fn median5x5(width: i32, height: i32, input: &[u16], mut output: DisjointArray<u16, 2>) {
        let own = thread::index_2d();
        let (x, y) = (own.x() as i32, own.y() as i32);
        if x >= width || y >= height {
            return;
        }
        let mut window = [0u16; 25];
        let mut n = 0;
        for dy in -2..=2 {
            for dx in -2..=2 {
                let sx = (x + dx).clamp(0, width - 1);
                let sy = (y + dy).clamp(0, height - 1);
                put!(window, n, at!(input, sy * width + sx));
                n += 1;
            }
        }
        for i in 0..13 {
            let mut least = i;
            for j in i + 1..25 {
                if at!(window, j) < at!(window, least) {
                    least = j;
                }
            }
            let value = at!(window, least);
            put!(window, least, at!(window, i));
            put!(window, i, value);
        }
        own!(output, own) = at!(window, 12);
    }
}

/// 4096x4096.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(4096, 70), run.size(4096, 45));
    let input: Vec<u16> = run.below(65536, w * h).into_iter().map(|x| x as u16).collect();
    let near = |at: usize, step: usize, len: usize| (at + step).saturating_sub(2).min(len - 1);
    let want = (0..w * h).map(|i| {
        let mut window: [u16; 25] = std::array::from_fn(|k| {
            input[near(i / w, k / 5, h) * w + near(i % w, k % 5, w)]
        });
        *window.select_nth_unstable(12).1
    });
    let output = Output::new(&vec![0; w * h], want.collect())?;
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(
        run,
        [&output],
        median5x5,
        (w.div_ceil(16), h.div_ceil(16)),
        (16, 16),
        (w as i32, h as i32, &input, output.buffer().view_mut([h, w]) => output.address())
    )
}
