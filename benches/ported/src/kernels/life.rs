//! A generation of Conway's game of life on a torus: neighbours are remainders.

use crate::prelude::*;

forms! {
    /// One thread a cell.
    #[kernel]
    pub fn life(width: i32, height: i32, old: &[u8], mut new: Disjoint<u8>) {
        let own = thread::index_1d();
        let i = own.get() as i32;
        if i >= width * height {
            return;
        }
        let (x, y) = (i % width, i / width);
        let mut count = 0;
        for dy in -1..=1 {
            for dx in -1..=1 {
                if dx != 0 || dy != 0 {
                    let nx = (x + dx + width) % width;
                    let ny = (y + dy + height) % height;
                    count += at!(old, ny * width + nx) as i32;
                }
            }
        }
        own!(new, own) = if count == 3 || (count == 2 && at!(old, i) == 1) { 1 } else { 0 };
    }
}

/// 8192x8192.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8192, 60), run.size(8192, 34));
    let old: Vec<u8> = run.below(2, w * h).into_iter().map(|x| x as u8).collect();
    let want = (0..w * h).map(|i| {
        let (x, y) = (i % w + w - 1, i / w + h - 1);
        let around = (0..9).filter(|d| *d != 4);
        let count: u8 = around.map(|d| old[(y + d / 3) % h * w + (x + d % 3) % w]).sum();
        u8::from(count == 3 || (count == 2 && old[i] == 1))
    });
    let new = Output::new(&vec![9; w * h], want.collect())?;
    let old = DeviceBuffer::from_slice(&old)?;
    let blocks = (w * h).div_ceil(256);
    compare!(run, [&new], life, blocks, 256, (w as i32, h as i32, &old, &mut *new.buffer()))
}
