//! `C = A B` on tensor cores: `f16` times `f16`, added up in `f32`. Needs compute capability 8.0.

use half::f16;
use ptyx::device::mma::{A, Accumulator, B, Fragment, Layout, mma};
use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::product::{self, Timed};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, finish, print_device};
use std::process::ExitCode;

/// Rows and columns of C that a block computes.
const BLOCK: usize = 64;
/// Rows and columns that a warp computes, one of four.
const WARP: usize = 32;
/// Columns of A and rows of B that are in shared memory at a time.
const DEPTH: usize = 32;
/// Threads of a block.
const THREADS: usize = 128;
/// Elements between rows in shared memory. The eight that nobody uses put rows into different banks.
const STRIDE_A: usize = DEPTH + 8;
const STRIDE_B: usize = BLOCK + 8;
/// Bytes of shared memory: tiles of A and of B.
const BYTES_A: usize = BLOCK * STRIDE_A * 2;
const BYTES_B: usize = DEPTH * STRIDE_B * 2;

/// Eight elements that are copied together.
#[derive(Clone, Copy, DeviceCopy)]
#[repr(C, align(16))]
struct Eight([f16; 8]);

/// `C = A B`, `n` x `n` with `n` a multiple of [`BLOCK`], row after row.
#[kernel]
fn tensor_matmul(n: usize, a: &[Eight], b: &[Eight], c: SliceMut<f32>) {
    // The same memory twice: to be written by eights, to be read by tiles.
    let to_a = shared::dynamic::<Eight>(0, BYTES_A / 16);
    let to_b = shared::dynamic::<Eight>(BYTES_A, BYTES_B / 16);
    let tile_a = shared::dynamic::<f16>(0, BYTES_A / 2);
    let tile_b = shared::dynamic::<f16>(BYTES_A, BYTES_B / 2);
    let (t, warp) = (thread::x() as usize, warp::id() as usize);
    let (row0, column0) = (block::y() as usize * BLOCK, block::x() as usize * BLOCK);
    let (warp_row, warp_column) = (warp / 2 * WARP, warp % 2 * WARP);

    let mut sums = [[Fragment::<Accumulator, f32, 16, 8>::filled(0.0); WARP / 8]; WARP / 16];
    for k0 in (0..n).step_by(DEPTH) {
        // SAFETY: each thread writes elements of its own; barriers stand before and after the reads.
        unsafe {
            for i in [t, t + THREADS] {
                let (row, k) = (i / (DEPTH / 8), i % (DEPTH / 8) * 8);
                to_a.at((row * STRIDE_A + k) / 8).write(a[((row0 + row) * n + k0 + k) / 8]);
                let (k, column) = (i / (BLOCK / 8), i % (BLOCK / 8) * 8);
                to_b.at((k * STRIDE_B + column) / 8)
                    .write(b[((k0 + k) * n + column0 + column) / 8]);
            }
        }
        block::sync();
        for k in [0, 16] {
            // SAFETY: written before the barrier.
            let rows: [Fragment<A, f16, 16, 16>; WARP / 16] = core::array::from_fn(|i| unsafe {
                let layout = Layout::row_major(STRIDE_A).at(warp_row + 16 * i, k);
                Fragment::load_tiles(tile_a, layout)
            });
            // SAFETY: as above.
            let columns: [Fragment<B, f16, 16, 8>; WARP / 8] = core::array::from_fn(|j| unsafe {
                let layout = Layout::row_major(STRIDE_B).at(k, warp_column + 8 * j);
                Fragment::load_tiles(tile_b, layout)
            });
            for (sums, &row) in sums.iter_mut().zip(&rows) {
                for (sum, &column) in sums.iter_mut().zip(&columns) {
                    *sum = mma(row, column, *sum);
                }
            }
        }
        block::sync();
    }
    for (i, sums) in sums.into_iter().enumerate() {
        for (j, sum) in sums.into_iter().enumerate() {
            let (row, column) = (row0 + warp_row + 16 * i, column0 + warp_column + 8 * j);
            // SAFETY: each warp has tiles of its own.
            unsafe { sum.store(c, Layout::row_major(n).at(row, column)) };
        }
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "rows and columns, a multiple of 64 (default: 256)"),
        Opt::flag("bench", "measure, N = 4096 unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("C = A B, square f16 matrices, on tensor cores.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 4096 } else { 256 })?;
    if !n.is_multiple_of(BLOCK) {
        return Err(format!("the size {n} is not a multiple of {BLOCK}").into());
    }
    print_device()?;
    println!("seed: {seed}");
    if Device::current()?.compute_capability() < (8, 0) {
        println!("the device has no tensor cores that this kernel can use");
        return Ok(());
    }
    multiply(n, bench, &mut Rng::new(seed))
}

/// Multiplies two random matrices of `n` x `n`.
fn multiply(n: usize, benchmark: bool, rng: &mut Rng) -> Result<(), Error> {
    let mut random = || rng.vec_f32(n * n).into_iter().map(f16::from_f32).collect::<Vec<_>>();
    let (a, b) = (random(), random());
    let eights = |matrix: &[f16]| {
        let (eights, _) = matrix.as_chunks();
        DeviceBuffer::from_slice(&eights.iter().copied().map(Eight).collect::<Vec<_>>())
    };
    let (a_device, b_device) = (eights(&a)?, eights(&b)?);
    let mut c = DeviceBuffer::filled(n * n, f32::NAN)?;

    let blocks = n / BLOCK;
    let mut launch = || {
        launch!(
            tensor_matmul<<<(blocks, blocks), THREADS, BYTES_A + BYTES_B>>>(n, &a_device, &b_device, &mut c),
            maxthreads = 128
        )
    };
    let timed = Timed::run(benchmark, &mut launch)?;
    let c = c.to_vec()?;
    // Each of the n / 16 instructions cuts off less than two places of the sum so far.
    let tolerance = |_, size: f64| n as f64 / 8.0 * size * f64::from(f32::EPSILON);
    let (left, right) = (
        |row: usize, k: usize| a[row * n + k].to_f64(),
        |k: usize, column: usize| b[k * n + column].to_f64(),
    );
    product::check(
        n,
        left,
        right,
        |row: usize, column: usize| c[row * n + column].into(),
        tolerance,
        rng,
    )?;
    timed.report("tensor_matmul", "f16", n, "");
    Ok(())
}
