//! `C = A B` with tiles of 16x16 in shared memory, one result per thread.

use crate::{Error, Run, close};
use ptyx::prelude::*;

const TILE: usize = 16;

/// Square matrices of any size; the tile that hangs over is filled with zeros.
#[kernel]
pub fn matmul(n: u32, a: &[f32], b: &[f32], c: SliceMut<f32>) {
    let tile_a = shared!([[f32; TILE]; TILE]);
    let tile_b = shared!([[f32; TILE]; TILE]);
    let (x, y) = (thread::x(), thread::y());
    let row = block::y() * TILE as u32 + y;
    let column = block::x() * TILE as u32 + x;
    let load = |m: &[f32], row: u32, column: u32| {
        if row < n && column < n { m[(row * n + column) as usize] } else { 0.0 }
    };
    let mut sum = 0.0;
    let mut k0 = 0;
    while k0 < n {
        // SAFETY: each thread writes its own elements; barriers stand before and after the reads.
        unsafe {
            tile_a.at(y as usize).at(x as usize).write(load(a, row, k0 + x));
            tile_b.at(y as usize).at(x as usize).write(load(b, k0 + y, column));
            block::sync();
            for k in 0..TILE {
                sum += tile_a.at(y as usize).at(k).read() * tile_b.at(k).at(x as usize).read();
            }
            block::sync();
        }
        k0 += TILE as u32;
    }
    if row < n && column < n {
        // SAFETY: each thread's own element.
        unsafe { c.write((row * n + column) as usize, sum) }
    }
}

/// 4096 x 4096.
pub fn run(run: &mut Run) -> Result<(), Error> {
    let n = run.size(4096, 50);
    let (a, b) = (run.rng.vec_f32(n * n), run.rng.vec_f32(n * n));
    let (da, db) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&b)?);
    let mut c = DeviceBuffer::filled(n * n, f32::NAN)?;
    let blocks = (n.div_ceil(TILE), n.div_ceil(TILE));
    launch!(matmul<<<blocks, (16, 16)>>>(n as u32, &da, &db, &mut c))?;
    let got = c.to_vec()?;
    for _ in 0..2000 {
        let (row, column) = (run.below(n), run.below(n));
        let products = (0..n).map(|k| f64::from(a[row * n + k]) * f64::from(b[k * n + column]));
        let (want, size) = products.fold((0.0, 0.0), |(w, s), p| (w + p, s + p.abs()));
        let got = f64::from(got[row * n + column]);
        if !close(got, want, 1e-6 * size) {
            return Err(format!("row {row}, column {column} is {got}, not {want}").into());
        }
    }
    run.time("matmul", n, 2.0 * (n as f64).powi(3), "GFLOP/s", &mut || {
        launch!(matmul<<<blocks, (16, 16)>>>(n as u32, &da, &db, &mut c))
    })
}
