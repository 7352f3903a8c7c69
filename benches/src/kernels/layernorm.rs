//! Layer normalisation of each row, one warp per row, four elements at a time.

use crate::{Error, Run, close};
use ptyx::prelude::*;

/// Four elements that travel together.
#[derive(Clone, Copy, Debug, DeviceCopy)]
#[repr(C, align(16))]
pub struct Four([f32; 4]);

/// `(x - mean) / deviation * scale + shift` for each row; blocks of 256 threads have 8 rows.
#[kernel]
pub fn layernorm(width: u32, x: &[Four], scale: &[Four], shift: &[Four], y: SliceMut<Four>) {
    let row = (block::x() * 8 + warp::id()) as usize;
    let lane = warp::lane() as usize;
    let fours = width as usize / 4;
    let Some(x) = x.get(row * fours..(row + 1) * fours) else { return };
    let (mut sum, mut squares) = (0.0, 0.0);
    for x in x.iter().skip(lane).step_by(32) {
        for x in x.0 {
            sum += x;
            squares += x * x;
        }
    }
    for flip in [16, 8, 4, 2, 1] {
        sum += warp::shuffle_xor(warp::FULL, sum, flip);
        squares += warp::shuffle_xor(warp::FULL, squares, flip);
    }
    let mean = sum / width as f32;
    let inverse = 1.0 / (squares / width as f32 - mean * mean + 1e-5).sqrt();
    for i in (lane..fours).step_by(32) {
        let (x, scale, shift) = (x[i].0, scale[i].0, shift[i].0);
        let mut result = [0.0; 4];
        for k in 0..4 {
            result[k] = (x[k] - mean) * inverse * scale[k] + shift[k];
        }
        // SAFETY: each thread's own elements.
        unsafe { y.write(row * fours + i, Four(result)) }
    }
}

/// 2^17 rows of 1024.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let (rows, width) = (run.size(1 << 17, 24), 1024);
    let (x, scale, shift) =
        (run.rng.vec_f32(rows * width), run.rng.vec_f32(width), run.rng.vec_f32(width));
    let fours = |x: &[f32]| {
        let fours: Vec<Four> = x.as_chunks().0.iter().map(|&x| Four(x)).collect();
        DeviceBuffer::from_slice(&fours)
    };
    let (dx, dscale, dshift) = (fours(&x)?, fours(&scale)?, fours(&shift)?);
    let mut y = DeviceBuffer::filled(x.len() / 4, Four([f32::NAN; 4]))?;
    launch!(layernorm<<<rows / 8, 256>>>(width as u32, &dx, &dscale, &dshift, &mut y))?;
    let got = y.to_vec()?;
    for _ in 0..200 {
        let row = run.below(rows);
        let x: Vec<f64> = x[row * width..][..width].iter().map(|&x| f64::from(x)).collect();
        let mean = x.iter().sum::<f64>() / width as f64;
        let variance = x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / width as f64;
        for (i, x) in x.iter().enumerate() {
            let want = (x - mean) / (variance + 1e-5).sqrt() * f64::from(scale[i])
                + f64::from(shift[i]);
            let got = f64::from(got[(row * width + i) / 4].0[i % 4]);
            if !close(got, want, 1e-4) {
                return Err(format!("row {row}, column {i} is {got}, not {want}").into());
            }
        }
    }
    run.time("layernorm", x.len(), 8.0 * x.len() as f64, "GB/s", &mut || {
        launch!(layernorm<<<rows / 8, 256>>>(width as u32, &dx, &dscale, &dshift, &mut y))
    })
}
