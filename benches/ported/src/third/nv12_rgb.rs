//! A frame of a video decoder as red, green and blue bytes: NV12 has a plane of luma, and one of pairs of chroma for
//! each two by two pixels (ITU-R BT.601, in fixed point).

use crate::prelude::*;

forms! {
    /// One thread a pixel. Rows of both planes are `pitch` bytes apart.
    #[kernel]
    pub fn nv12_rgb(
        width: i32,
        height: i32,
        pitch: i32,
        luma: &[u8],
        chroma: &[u8],
        mut rgb: Parts<u8, (by::ThreadY, by::ThreadX, by::Whole), 3>,
    ) {
        let x = (block::x() * block::dim_x() + thread::x()) as i32;
        let y = (block::y() * block::dim_y() + thread::y()) as i32;
        if x >= width || y >= height {
            return;
        }
        let pair = (y / 2) * pitch + (x / 2) * 2;
        let c = at!(luma, y * pitch + x) as i32 - 16;
        let d = at!(chroma, pair) as i32 - 128;
        let e = at!(chroma, pair + 1) as i32 - 128;
        let r = (298 * c + 409 * e + 128) >> 8;
        let g = (298 * c - 100 * d - 208 * e + 128) >> 8;
        let b = (298 * c + 516 * d + 128) >> 8;
        let mut own = rgb.part();
        own!(own, [0, 0, 0]) = r.clamp(0, 255) as u8;
        own!(own, [0, 0, 1]) = g.clamp(0, 255) as u8;
        own!(own, [0, 0, 2]) = b.clamp(0, 255) as u8;
    }
}

/// 15360x8640, rows of 15872 bytes.
pub fn run(run: &mut Run<'_>) -> Result<(), Error> {
    let (w, h) = (run.size(15360, 70), run.size(8640, 46));
    let pitch = (w + 1).next_multiple_of(512);
    let mut bytes = |len| -> Vec<u8> { run.below(256, len).into_iter().map(|x| x as u8).collect() };
    let (luma, chroma) = (bytes(pitch * h), bytes(pitch * h / 2));
    // The coefficients of luma, and of the pair.
    let matrix = [[298, 0, 409], [298, -100, -208], [298, 516, 0]];
    let mut want = Vec::with_capacity(3 * w * h);
    for (y, row) in luma.chunks(pitch).enumerate() {
        let pairs = &chroma[y / 2 * pitch..][..pitch];
        for (x, &luma) in row[..w].iter().enumerate() {
            let pair = &pairs[x & !1..][..2];
            let colour = [i64::from(luma) - 16, i64::from(pair[0]) - 128, i64::from(pair[1]) - 128];
            want.extend(matrix.map(|row| {
                let sum: i64 = row.iter().zip(colour).map(|(a, b)| a * b).sum();
                (sum + 128).div_euclid(256).clamp(0, 255) as u8
            }));
        }
    }
    let rgb = Output::new(&vec![0; want.len()], want)?;
    let (luma, chroma) = (DeviceBuffer::from_slice(&luma)?, DeviceBuffer::from_slice(&chroma)?);
    compare!(
        run,
        [&rgb],
        nv12_rgb,
        (w.div_ceil(32), h.div_ceil(8)),
        (32, 8),
        (
            w as i32,
            h as i32,
            pitch as i32,
            &luma,
            &chroma,
            rgb.buffer().view_mut([h, w, 3]) => rgb.address()
        )
    )
}
