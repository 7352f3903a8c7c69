//! `C = A B` for square matrices, tiled twice: a simple kernel for any size, and one whose threads
//! hold 8x8 results each for sizes that are multiples of 128.

use ptyx::device::shared::Phase;
use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// Side of the square tiles of [`matmul`], and of its blocks.
const TILE: usize = 16;

/// `C = A B`, `n` x `n`, one result a thread, blocks of [`TILE`] x [`TILE`] threads.
#[kernel]
fn matmul(n: usize, a: &[f32], b: &[f32], mut c: DisjointArray<f32, 2>, phase: Phase) {
    // Each thread writes the element at its own place in the block.
    let tile_a = phased!([[f32; TILE]; TILE]);
    let tile_b = phased!([[f32; TILE]; TILE]);
    let (x, y) = (thread::x() as usize, thread::y() as usize);
    let index = thread::index_2d();
    let (row, column) = (index.y(), index.x());
    let (mut writing, mut sum) = (phase, 0.0);
    for k0 in (0..n).step_by(TILE) {
        let load = |m: &[f32], row: usize, column: usize| {
            if row < n && column < n { m[row * n + column] } else { 0.0 }
        };
        tile_a.set(&mut writing, [0, 0], load(a, row, k0 + x));
        tile_b.set(&mut writing, [0, 0], load(b, k0 + y, column));
        let reading = writing.sync();
        let (rows, columns) = (tile_a.as_ref(&reading), tile_b.as_ref(&reading));
        for k in 0..TILE {
            sum += rows[y][k] * columns[k][x];
        }
        writing = reading.sync();
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

/// A thread's results: threads in 16 rows of 16, each with a tile of its own.
type Results = by::Shape<16, (by::Tile<by::ThreadY, MINE>, by::Tile<by::ThreadX, MINE>)>;
/// What a thread brings to shared memory: four elements of a row of A, which is a column of the tile, ..
type OwnOfA = by::Shape<2, (by::Tile<by::ThreadInBlockX, 4>, by::ThreadInBlockY)>;
/// .. and four elements of a row of B.
type OwnOfB = by::Shape<32, (by::ThreadInBlockY, by::Tile<by::ThreadInBlockX, 4>)>;

/// `C = A B`, `n` x `n` with `n` a multiple of [`BLOCK`], in a grid of `n / BLOCK` x `n / BLOCK`
/// blocks of [`THREADS`] threads.
#[kernel]
fn matmul_registers(n: usize, a: &[f32], b: &[f32], mut c: Parts<f32, Results, 2>, phase: Phase) {
    let tile_a = phased!([[f32; BLOCK]; DEPTH], OwnOfA);
    let tile_b = phased!([[f32; BLOCK]; DEPTH], OwnOfB);
    let t = thread::x() as usize;
    // All that the indices below rely on, checked once: behind this, no access is checked again.
    let blocks = grid::dim();
    assert!(block::threads() as usize == THREADS && t < THREADS, "blocks of another size");
    assert!(n.is_multiple_of(BLOCK), "a size that is no multiple of 128");
    assert!(
        a.len() == n * n && b.len() == n * n && c.shape() == [n, n],
        "matrices of another size"
    );
    assert!(blocks.x as usize * BLOCK <= n && blocks.y as usize * BLOCK <= n, "too many blocks");
    let (x, y) = (t % 16, t / 16);
    let row0 = block::y() as usize * BLOCK;
    let column0 = block::x() as usize * BLOCK;
    // What this thread brings to shared memory: four elements of A's columns, stored transposed,
    // and four of B's rows.
    let (a_row, a_column) = (t / 2, t % 2 * 4);
    let (b_row, b_column) = (t / 32, t % 32 * 4);

    let (mut writing, mut sums) = (phase, [[0.0f32; MINE]; MINE]);
    let mut k0 = 0;
    while k0 < n {
        let a_start = (row0 + a_row) * n + k0 + a_column;
        let b_start = (k0 + b_row) * n + column0 + b_column;
        for j in 0..4 {
            // SAFETY: rows and columns are below n by the assertions.
            tile_a.set(&mut writing, [j, 0], unsafe { *a.get_unchecked(a_start + j) });
        }
        for j in 0..4 {
            // SAFETY: as above.
            tile_b.set(&mut writing, [0, j], unsafe { *b.get_unchecked(b_start + j) });
        }
        let reading = writing.sync();
        let (tile_a, tile_b) = (tile_a.as_ref(&reading), tile_b.as_ref(&reading));
        for k in 0..DEPTH {
            let mut column = [0.0; MINE];
            let mut row = [0.0; MINE];
            for i in 0..MINE {
                column[i] = tile_a[k][y * MINE + i];
                row[i] = tile_b[k][x * MINE + i];
            }
            for i in 0..MINE {
                for j in 0..MINE {
                    sums[i][j] += column[i] * row[j];
                }
            }
        }
        writing = reading.sync();
        k0 += DEPTH;
    }
    let mut own = c.part();
    for (i, sums) in sums.iter().enumerate() {
        for (j, &sum) in sums.iter().enumerate() {
            own[[i, j]] = sum;
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
            let c = c.view_mut([n, n]);
            launch!(
                matmul_registers<<<(blocks, blocks), THREADS>>>(
                    n, &a_device, &b_device, c, shared::PHASES
                ),
                maxthreads = 256
            )
        } else {
            let blocks = n.div_ceil(TILE);
            let (blocks, threads, c) = ((blocks, blocks), (TILE, TILE), c.view_mut([n, n]));
            launch!(matmul<<<blocks, threads>>>(n, &a_device, &b_device, c, shared::PHASES))
        }
    };
    // The first launch assembles the kernel.
    launch()?;
    let ms = bench::time_once(&mut launch)?;
    let times = if benchmark { Some(bench::time_launches(&mut launch)?) } else { None };
    check(n, &a, &b, &c.to_vec()?, rng)?;

    let flop = 2.0 * (n as f64).powi(3);
    let kernel = if in_registers { "8x8 results a thread" } else { "one result a thread" };
    match times {
        Some(times) => bench::report("matmul_f32", n, times, flop, "GFLOP/s"),
        None => println!(
            "matmul: {n} x {n}, {kernel}, in {ms:.3} ms, {:.1} GFLOP/s; equal to the host's result",
            flop * 1e-6 / ms
        ),
    }
    Ok(())
}

/// Compares `c` with sums in f64: all of it, or, for large matrices, 4096 entries drawn at random.
fn check(n: usize, a: &[f32], b: &[f32], c: &[f32], rng: &mut Rng) -> Result<(), Error> {
    let all = n <= 512;
    let entries = if all { n * n } else { 4096 };
    for entry in 0..entries {
        let entry = if all { entry } else { (rng.next_u64() % (n * n) as u64) as usize };
        let (row, column) = (entry / n, entry % n);
        let (mut want, mut size) = (0.0, 0.0);
        for k in 0..n {
            let product = f64::from(a[row * n + k]) * f64::from(b[k * n + column]);
            want += product;
            size += product.abs();
        }
        let got = f64::from(c[entry]);
        let close = (got - want).abs() <= 1e-6 * size;
        if !close {
            return Err(format!("row {row}, column {column} is {got}, not {want}").into());
        }
    }
    Ok(())
}
