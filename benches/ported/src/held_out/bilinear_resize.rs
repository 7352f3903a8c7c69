//! An image of red, green and blue bytes in another size, with bilinear interpolation.

use crate::prelude::*;

forms! {
    /// One thread a pixel of the result.
    #[kernel]
    pub fn bilinear_resize(
        in_width: i32,
        in_height: i32,
        out_width: i32,
        out_height: i32,
        input: &[u8],
        mut output: Parts<u8, (by::ThreadY, by::ThreadX, by::Whole), 3>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        if x >= out_width || y >= out_height {
            return;
        }
        let fx = (x as f32 + 0.5) * (in_width as f32 / out_width as f32) - 0.5;
        let fy = (y as f32 + 0.5) * (in_height as f32 / out_height as f32) - 0.5;
        let (left, top) = (fx.floor(), fy.floor());
        let (wx, wy) = (fx - left, fy - top);
        let x0 = (left as i32).clamp(0, in_width - 1);
        let x1 = (left as i32 + 1).clamp(0, in_width - 1);
        let y0 = (top as i32).clamp(0, in_height - 1);
        let y1 = (top as i32 + 1).clamp(0, in_height - 1);
        let mut own = output.part();
        for c in 0..3 {
            let a = at!(input, (y0 * in_width + x0) * 3 + c) as f32;
            let b = at!(input, (y0 * in_width + x1) * 3 + c) as f32;
            let d = at!(input, (y1 * in_width + x0) * 3 + c) as f32;
            let e = at!(input, (y1 * in_width + x1) * 3 + c) as f32;
            let above = a + wx * (b - a);
            let below = d + wx * (e - d);
            own!(own, [0, 0, c as usize]) = (above + wy * (below - above) + 0.5) as u8;
        }
    }
}

/// 6144x4608 to 8192x6144: the ratio is 3 to 4, so that all weights are eighths, and every form calculates exactly.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (kx, ky) = (run.size(2048, 19), run.size(1536, 13));
    let ([iw, ih], [ow, oh]) = ([3 * kx, 3 * ky], [4 * kx, 4 * ky]);
    let input: Vec<u8> = run.below(256, 3 * iw * ih).into_iter().map(|x| x as u8).collect();
    let mut want = Vec::with_capacity(3 * ow * oh);
    // Two places of the input, and the weight of the second in eighths.
    let places = |out: usize, len: usize| {
        let eighths = 6 * out as i32 - 1;
        let place = |at: i32| at.max(0).min(len as i32 - 1) as usize;
        (
            [place(eighths.div_euclid(8)), place(eighths.div_euclid(8) + 1)],
            eighths.rem_euclid(8) as u32,
        )
    };
    for y in 0..oh {
        let (rows, wy) = places(y, ih);
        for x in 0..ow {
            let (columns, wx) = places(x, iw);
            for c in 0..3 {
                let mut sum = 0;
                for (row, wy) in rows.into_iter().zip([8 - wy, wy]) {
                    for (column, wx) in columns.into_iter().zip([8 - wx, wx]) {
                        sum += wy * wx * u32::from(input[(row * iw + column) * 3 + c]);
                    }
                }
                want.push(((sum + 32) / 64) as u8);
            }
        }
    }
    let output = Output::new(&vec![0; want.len()], want)?;
    let input = DeviceBuffer::from_slice(&input)?;
    compare!(
        run,
        [&output],
        bilinear_resize,
        (ow.div_ceil(32), oh.div_ceil(8)),
        (32, 8),
        (
            iw as i32,
            ih as i32,
            ow as i32,
            oh as i32,
            &input,
            output.buffer().view_mut([oh, ow, 3]) => output.address()
        )
    )
}
