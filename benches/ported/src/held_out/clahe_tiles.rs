//! Tables of brightness for each tile of an image, the first step of adaptive equalisation with limited contrast
//! (Zuiderveld 1994): a histogram, its tops cut off and spread, and its running sums, all in shared memory.

use crate::prelude::*;

forms! {
    /// 256 threads a block, one for each brightness. The image consists of whole tiles.
    #[kernel]
    pub fn clahe_tiles(
        width: i32,
        tile_width: i32,
        tile_height: i32,
        limit: i32,
        image: &[u8],
        mut table: Parts<u8, (by::BlockY, by::BlockX, by::ThreadInBlock), 3>,
    ) {
        let counts = shared!([i32; 256]).atomics(0);
        let excess = shared!([i32; 1]).atomics(0);
        let sums = cells!([i32; 256], 0);
        let t = thread::x() as i32;
        let x0 = block::x() as i32 * tile_width;
        let y0 = block::y() as i32 * tile_height;
        let pixels = tile_width * tile_height;
        let mut i = t;
        while i < pixels {
            let (x, y) = (x0 + i % tile_width, y0 + i / tile_width);
            bump!(counts, at!(image, y * width + x), 1);
            i += block::dim_x() as i32;
        }
        block::sync();
        let mut count = value!(counts, t);
        if count > limit {
            bump!(excess, 0, count - limit);
            count = limit;
        }
        block::sync();
        let spread = value!(excess, 0);
        count += spread / 256;
        if t < spread % 256 {
            count += 1;
        }
        set!(sums, t, count);
        block::sync();
        let mut distance = 1;
        while distance < 256 {
            let before = if t >= distance { get!(sums, t - distance) } else { 0 };
            block::sync();
            set!(sums, t, get!(sums, t) + before);
            block::sync();
            distance *= 2;
        }
        let mut own = table.part();
        own!(own, [0, 0, 0]) = (get!(sums, t) * 255 / pixels).clamp(0, 255) as u8;
    }
}

/// 8192x8192, tiles of 128x64.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (tw, th) = (run.size(128, 29), run.size(64, 17));
    let (columns, rows) = (run.size(64, 3), run.size(128, 2));
    let w = columns * tw;
    let pixels = tw * th;
    let limit = (pixels / 64) as i32;
    // Dark, so that the tops are cut off.
    let dark = run.below(256, w * rows * th);
    let image: Vec<u8> = dark.into_iter().map(|x| (x * x / 256) as u8).collect();
    let mut want = Vec::with_capacity(256 * columns * rows);
    for tile in 0..columns * rows {
        let mut histogram = vec![0i32; 256];
        for y in tile / columns * th..(tile / columns + 1) * th {
            for pixel in &image[y * w + tile % columns * tw..][..tw] {
                histogram[usize::from(*pixel)] += 1;
            }
        }
        let excess: i32 = histogram.iter().map(|count| (count - limit).max(0)).sum();
        let mut sum = 0;
        for (brightness, count) in histogram.into_iter().enumerate() {
            sum += count.min(limit) + (excess + 255 - brightness as i32) / 256;
            want.push((sum * 255 / pixels as i32) as u8);
        }
    }
    let table = Output::new(&vec![0; want.len()], want)?;
    let image = DeviceBuffer::from_slice(&image)?;
    compare!(
        run,
        [&table],
        clahe_tiles,
        (columns, rows),
        256,
        (
            w as i32,
            tw as i32,
            th as i32,
            limit,
            &image,
            table.buffer().view_mut([rows, columns, 256]) => table.address()
        )
    )
}
