//! The rows of an image by one level of JPEG 2000's reversible wavelet transform (LeGall 5/3), by lifting in shared
//! memory: high frequencies to the right, low ones to the left.

use crate::prelude::*;

/// A block owns 256 columns of both halves of its row.
type Halves = (by::BlockY, by::Whole, by::ThreadX);

forms! {
    /// Blocks of 256 threads, each for two pixels of a row; widths are even. The image is mirrored at its borders.
    #[kernel]
    pub fn dwt53(width: i32, image: &[i32], mut bands: Parts<i32, Halves, 3>) {
        let pixels = cells!([i32; 516], 0);
        let highs = cells!([i32; 257], 0);
        let t = thread::x() as i32;
        let row = block::y() as i32 * width;
        let first = block::x() as i32 * 512 - 2;
        for k in (t..516).step_by(256) {
            let mut x = first + k;
            if x < 0 {
                x = -x;
            }
            if x >= width {
                x = 2 * (width - 1) - x;
            }
            if x >= 0 {
                set!(pixels, k, at!(image, row + x));
            }
        }
        block::sync();
        // High frequency `k` lies between pixels 2 k and 2 k + 2 of the tile.
        for k in (t..257).step_by(256) {
            let sum = get!(pixels, 2 * k) + get!(pixels, 2 * k + 2);
            set!(highs, k, get!(pixels, 2 * k + 1) - (sum >> 1));
        }
        block::sync();
        let i = block::x() as i32 * 256 + t;
        if i >= width / 2 {
            return;
        }
        let high = get!(highs, t + 1);
        let low = get!(pixels, 2 * t + 2) + ((get!(highs, t) + high + 2) >> 2);
        let mut own = bands.part();
        own!(own, [0, 0, 0]) = low;
        own!(own, [0, 1, 0]) = high;
    }
}

/// 8192x8192.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(8192, 1100), run.size(8192, 5));
    let image: Vec<i32> = run.below(4096, w * h).into_iter().map(|x| x - 2048).collect();
    let mut want = Vec::with_capacity(w * h);
    for row in image.chunks(w) {
        let mut row = row.to_vec();
        // In place: odd ones first, then even ones.
        for x in (1..w).step_by(2) {
            let right = if x + 1 < w { row[x + 1] } else { row[x - 1] };
            row[x] -= (row[x - 1] + right).div_euclid(2);
        }
        for x in (0..w).step_by(2) {
            let left = if x == 0 { row[1] } else { row[x - 1] };
            row[x] += (left + row[x + 1] + 2).div_euclid(4);
        }
        want.extend(row.iter().step_by(2));
        want.extend(row.iter().skip(1).step_by(2));
    }
    let bands = Output::new(&vec![0; w * h], want)?;
    let image = DeviceBuffer::from_slice(&image)?;
    compare!(
        run,
        [&bands],
        dwt53,
        ((w / 2).div_ceil(256), h),
        256,
        (w as i32, &image, bands.buffer().view_mut([h, 2, w / 2]) => bands.address())
    )
}
