//! `C = A B` for square matrices, tiled twice: a simple kernel for any size, and one whose threads
//! hold 8x8 results each for sizes that are multiples of 128.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::product::{self, Timed};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, finish, print_device};
use std::process::ExitCode;

/// Side of the square tiles of [`matmul`], and of its blocks.
const TILE: usize = 16;

/// `C = A B`, `n` x `n`, one result a thread, blocks of [`TILE`] x [`TILE`] threads.
#[kernel]
fn matmul(n: usize, a: &[f32], b: &[f32], mut c: DisjointArray<f32, 2>) {
    let tile_a = shared!([[f32; TILE]; TILE]);
    let tile_b = shared!([[f32; TILE]; TILE]);
    let (x, y) = (thread::x() as usize, thread::y() as usize);
    let index = thread::index_2d();
    let (row, column) = (index.y(), index.x());
    let mut sum = 0.0;
    for k0 in (0..n).step_by(TILE) {
        let load = |m: &[f32], row: usize, column: usize| {
            if row < n && column < n { m[row * n + column] } else { 0.0 }
        };
        // SAFETY: each thread writes its own elements; barriers stand before and after the reads.
        unsafe {
            tile_a.at(y).at(x).write(load(a, row, k0 + x));
            tile_b.at(y).at(x).write(load(b, k0 + y, column));
            block::sync();
            for k in 0..TILE {
                sum += tile_a.at(y).at(k).read() * tile_b.at(k).at(x).read();
            }
            block::sync();
        }
    }
    if let Some(c) = c.get_mut(index) {
        *c = sum;
    }
}

/// Rows and columns of C that a block of [`matmul_registers`] computes.
const BLOCK: usize = 128;
/// Columns of A and rows of B that it has in shared memory at a time.
const DEPTH: usize = 8;
/// Rows and columns of C that a thread computes.
const MINE: usize = 8;
/// Threads in its blocks.
const THREADS: usize = (BLOCK / MINE) * (BLOCK / MINE);

/// `C = A B`, `n` x `n` with `n` a multiple of [`BLOCK`], in a grid of `n / BLOCK` x `n / BLOCK`
/// blocks of [`THREADS`] threads.
#[kernel]
fn matmul_registers(n: usize, a: &[f32], b: &[f32], c: SliceMut<f32>) {
    let tile_a = shared!([f32; DEPTH * BLOCK]);
    let tile_b = shared!([f32; DEPTH * BLOCK]);
    let t = thread::x() as usize;
    // All that the indices below rely on, checked once: behind this, no access is checked again.
    let blocks = grid::dim();
    assert!(t < THREADS, "blocks of more than 256 threads");
    assert!(n.is_multiple_of(BLOCK), "a size that is no multiple of 128");
    assert!(a.len() == n * n && b.len() == n * n && c.len() == n * n, "matrices of another size");
    assert!(blocks.x as usize * BLOCK <= n && blocks.y as usize * BLOCK <= n, "too many blocks");
    let (x, y) = (t % 16, t / 16);
    let row0 = block::y() as usize * BLOCK;
    let column0 = block::x() as usize * BLOCK;
    // What this thread brings to shared memory: four elements of A's columns, stored transposed,
    // and four of B's rows.
    let (a_row, a_column) = (t / 2, t % 2 * 4);
    let (b_row, b_column) = (t / 32, t % 32 * 4);

    let mut sums = [[0.0f32; MINE]; MINE];
    let mut k0 = 0;
    while k0 < n {
        let a_start = (row0 + a_row) * n + k0 + a_column;
        let b_start = (k0 + b_row) * n + column0 + b_column;
        for j in 0..4 {
            // SAFETY: rows and columns are below n by the assertions; each thread writes its own
            // elements of the tile, and the last reads of it are behind a barrier.
            unsafe {
                tile_a.at((a_column + j) * BLOCK + a_row).write(*a.get_unchecked(a_start + j));
            }
        }
        for j in 0..4 {
            // SAFETY: as above.
            unsafe {
                tile_b.at(b_row * BLOCK + b_column + j).write(*b.get_unchecked(b_start + j));
            }
        }
        block::sync();
        for k in 0..DEPTH {
            let mut column = [0.0; MINE];
            let mut row = [0.0; MINE];
            for i in 0..MINE {
                // SAFETY: written before the barrier.
                unsafe {
                    column[i] = tile_a.at(k * BLOCK + y * MINE + i).read();
                    row[i] = tile_b.at(k * BLOCK + x * MINE + i).read();
                }
            }
            for i in 0..MINE {
                for j in 0..MINE {
                    sums[i][j] += column[i] * row[j];
                }
            }
        }
        block::sync();
        k0 += DEPTH;
    }
    for (i, sums) in sums.iter().enumerate() {
        for (j, &sum) in sums.iter().enumerate() {
            let index = (row0 + y * MINE + i) * n + column0 + x * MINE + j;
            // SAFETY: these 8x8 elements are this thread's alone, and in bounds by the assertions.
            unsafe { *c.get_unchecked_mut(index) = sum }
        }
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "rows and columns (default: both 200 and 512)"),
        Opt::flag("bench", "measure, N = 4096 unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("C = A B, square f32 matrices, on the device.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    // 0 stands for both usual sizes.
    let size = args.size("size", if bench { 4096 } else { 0 })?;
    print_device()?;
    println!("seed: {seed}");
    let mut rng = Rng::new(seed);
    let sizes = if size == 0 { &[200, 512][..] } else { &[size] };
    sizes.iter().try_for_each(|&n| multiply(n, bench, &mut rng))
}

/// Multiplies two random matrices of `n` x `n` with the kernel that fits the size.
fn multiply(n: usize, benchmark: bool, rng: &mut Rng) -> Result<(), Error> {
    let (a, b) = (rng.vec_f32(n * n), rng.vec_f32(n * n));
    let a_device = DeviceBuffer::from_slice(&a)?;
    let b_device = DeviceBuffer::from_slice(&b)?;
    let mut c = DeviceBuffer::filled(n * n, f32::NAN)?;

    let in_registers = n.is_multiple_of(BLOCK);
    let mut launch = || {
        if in_registers {
            let blocks = n / BLOCK;
            launch!(
                matmul_registers<<<(blocks, blocks), THREADS>>>(n, &a_device, &b_device, &mut c),
                maxthreads = 256
            )
        } else {
            let blocks = n.div_ceil(TILE);
            let (blocks, threads, c) = ((blocks, blocks), (TILE, TILE), c.view_mut([n, n]));
            launch!(matmul<<<blocks, threads>>>(n, &a_device, &b_device, c))
        }
    };
    let timed = Timed::run(benchmark, &mut launch)?;
    let c = c.to_vec()?;
    let (left, right) = (
        |row: usize, k: usize| a[row * n + k].into(),
        |k: usize, column: usize| b[k * n + column].into(),
    );
    let got = |row: usize, column: usize| c[row * n + column].into();
    product::check(n, left, right, got, |_, size| 1e-6 * size, rng)?;
    let how = if in_registers { ", 8x8 results a thread," } else { ", one result a thread," };
    timed.report("matmul", "f32", n, how);
    Ok(())
}
