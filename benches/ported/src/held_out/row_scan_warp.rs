//! Running sums along the rows of an image, the first half of an integral image: a warp a row, 32 pixels at a time by
//! shuffles.

use crate::prelude::*;

forms! {
    /// 256 threads a block, eight rows.
    #[kernel]
    pub fn row_scan_warp(
        width: i32,
        height: i32,
        image: &[u8],
        mut sums: Parts<u32, (by::Tile<by::Warp, 1>, by::Lane), 2>,
    ) {
        let lane = thread::x() as i32 % 32;
        let row = (block::x() * block::dim_x() + thread::x()) as i32 / 32;
        if row >= height {
            return;
        }
        let mut own = sums.part();
        let mut carry = 0u32;
        let mut base = 0;
        while base < width {
            let x = base + lane;
            let mut sum = if x < width { at!(image, row * width + x) as u32 } else { 0 };
            for distance in [1, 2, 4, 8, 16] {
                let before = warp::shuffle_up(warp::FULL, sum, distance);
                if lane >= distance as i32 {
                    sum += before;
                }
            }
            sum += carry;
            if x < width {
                own!(own, [0, (base / 32) as Ix as usize]) = sum;
            }
            carry = warp::shuffle(warp::FULL, sum, 31);
            base += 32;
        }
    }
}

/// 8000x8192.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8000, 150), run.size(8192, 37));
    let image: Vec<u8> = run.below(256, w * h).into_iter().map(|x| x as u8).collect();
    let mut want = Vec::with_capacity(w * h);
    for row in image.chunks(w) {
        want.extend(row.iter().scan(0u32, |sum, pixel| {
            *sum += u32::from(*pixel);
            Some(*sum)
        }));
    }
    let sums = Output::new(&vec![0; w * h], want)?;
    let image = DeviceBuffer::from_slice(&image)?;
    compare!(
        run,
        [&sums],
        row_scan_warp,
        h.div_ceil(8),
        256,
        (w as i32, h as i32, &image, sums.buffer().view_mut([h, w]) => sums.address())
    )
}
