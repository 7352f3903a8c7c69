//! `C = A Bᵀ` in `bf16` at the speed of Hopper's tensor cores: the Tensor Memory Accelerator fills a ring of tiles
//! in shared memory, two warpgroups multiply them (`wgmma`), and pairs of blocks share what they load. Needs
//! compute capability 9.0.

use half::bf16;
use ptyx::device::float16::Bf16x2;

use ptyx::device::bulk;
use ptyx::device::shared::Shared;
use ptyx::device::tma::{self, Tile};
use ptyx::device::wgmma::{Accumulator, B128, KMajor, SharedTile};
use ptyx::prelude::*;
use ptyx::{TensorMap, TensorMapMut};
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::product::{self, Timed};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, finish, print_device};
use std::process::ExitCode;

/// Rows and columns of C that a block computes at a time.
const ROWS: usize = 128;
const COLUMNS: usize = 256;
/// Columns of A and B in a tile: 128 bytes.
const DEPTH: usize = 64;
/// Stages: tiles of A and B that are in shared memory at a time.
const STAGES: usize = 4;
/// Warpgroups that multiply, each 64 rows. One more loads.
const CONSUMERS: usize = ROWS / 64;
const THREADS: usize = 128 * (CONSUMERS + 1);
/// Blocks of a cluster: they compute adjacent rows of C, and each loads a part of B for all.
const CLUSTER: usize = 2;
/// Rows of B that a block loads.
const PART: usize = COLUMNS / CLUSTER;
/// Clusters along the rows of C that share columns of B in the L2 cache.
const GROUP: usize = 8;
/// Columns of C that are stored together: 128 bytes.
const PANEL: usize = 64;
/// Panels of C that a warpgroup has room for in shared memory.
const PANELS: usize = 2;

type TileA = SharedTile<bf16, ROWS, DEPTH, B128, KMajor>;
type TileB = SharedTile<bf16, COLUMNS, DEPTH, B128, KMajor>;
type BoxA = [[bf16; DEPTH]; ROWS];
type BoxB = [[bf16; DEPTH]; PART];
type BoxC = [[bf16; PANEL]; 64];

/// The tiles of C that a cluster computes, one after the other: the first row and the first column of this block's
/// tile.
fn tiles(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let (down, across) = (rows / ROWS / CLUSTER, columns / COLUMNS);
    let rank = group::cluster().block_rank() as usize;
    let (first, step) = (block::x() as usize / CLUSTER, grid::dim_x() as usize / CLUSTER);
    (first..down * across).step_by(step).map(move |tile| {
        // `GROUP` rows of tiles, column after column.
        let group = tile / (GROUP * across);
        let height = GROUP.min(down - group * GROUP);
        let within = tile % (GROUP * across);
        let (row, column) = (group * GROUP + within % height, within / height);
        ((row * CLUSTER + rank) * ROWS, column * COLUMNS)
    })
}

/// `C = A Bᵀ`: A has `rows` rows, B has `columns`, both have `depth` columns.
#[kernel]
fn gemm(
    rows: usize,
    columns: usize,
    depth: usize,
    a: tma::TensorMap<BoxA, B128>,
    b: tma::TensorMap<BoxB, B128>,
    c: tma::TensorMapMut<BoxC, B128>,
    ring: tma::Ring<(TileA, TileB), STAGES>,
) {
    let staging = shared!([[Tile<BoxC, B128>; PANELS]; CONSUMERS]);
    let steps = depth / DEPTH;
    let part = group::cluster().block_rank() as usize * PART;
    // SAFETY: all blocks of the cluster run the ring, over the same columns of C, of which each loads its part.
    unsafe {
        ring.run_in_cluster(
            |producer| {
                for (row, column) in tiles(rows, columns) {
                    for step in 0..steps {
                        let k = (step * DEPTH) as i32;
                        producer.fill(|stage| {
                            stage.part::<0>().load_panel(&a, 0, [row as i32, k]);
                            let at = [(column + part) as i32, k];
                            stage.part::<1>().load_rows_to_cluster(&b, 0, part, at);
                        });
                    }
                }
            },
            |consumer| {
                let warpgroup = consumer.warpgroup() % CONSUMERS;
                let together = block::NamedBarrier::new(4 + warpgroup as u32, 128);
                for (row, column) in tiles(rows, columns) {
                    let mut sums = Accumulator::<f32, COLUMNS>::filled(0.0);
                    consumer.accumulate(&mut sums, steps, |products, stage| {
                        products.add(stage.part::<0>().band(warpgroup), stage.part::<1>());
                    });
                    store(&sums, staging.at(warpgroup), c, row + 64 * warpgroup, column, together);
                }
                bulk::wait::<0>();
            },
        );
    }
}

/// Stores a warpgroup's sums.
#[inline(always)]
fn store(
    sums: &Accumulator<f32, COLUMNS>,
    staging: Shared<[Tile<BoxC, B128>; PANELS]>,
    c: tma::TensorMapMut<BoxC, B128>,
    row: usize,
    column: usize,
    together: block::NamedBarrier,
) {
    let leader = (thread::x() as usize).is_multiple_of(128);
    for first in (0..COLUMNS).step_by(PANEL * PANELS) {
        if leader {
            bulk::wait_read::<0>();
        }
        together.sync();
        for panel in 0..PANELS {
            let (to, first) = (staging.at(panel), first + panel * PANEL);
            // SAFETY: the warpgroup's own, whose copies have been read.
            unsafe {
                sums.write_tile(to, first, |[left, right]| {
                    Bf16x2::from_f32(left, right).to_array()
                });
            }
            to.fence();
        }
        together.sync();
        if leader {
            for panel in 0..PANELS {
                let column = column + first + panel * PANEL;
                // SAFETY: written before the barrier; each tile of C belongs to one warpgroup.
                unsafe { c.store(staging.at(panel), [row as i32, column as i32]) };
            }
            bulk::commit();
        }
    }
}

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "rows and columns, a multiple of 256 (default: 256)"),
        Opt::flag("bench", "measure, N = 8192 unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env(
        "C = A B^T of square bf16 matrices, on Hopper's tensor cores.",
        &[],
        &options,
    )?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 8192 } else { 256 })?;
    if n == 0 || !n.is_multiple_of(256) {
        return Err(format!("the size {n} is not a multiple of 256").into());
    }
    print_device()?;
    println!("seed: {seed}");
    if Device::current()?.compute_capability() != (9, 0) {
        println!(
            "skipped: only devices of compute capability 9.0 have the instructions of this kernel"
        );
        return Ok(());
    }
    multiply(n, bench, &mut Rng::new(seed))
}

/// Multiplies two random matrices of `n` x `n`.
fn multiply(n: usize, benchmark: bool, rng: &mut Rng) -> Result<(), Error> {
    let mut random = || rng.vec_f32(n * n).into_iter().map(bf16::from_f32).collect::<Vec<_>>();
    let (a, b) = (random(), random());
    let (a_device, b_device) = (DeviceBuffer::from_slice(&a)?, DeviceBuffer::from_slice(&b)?);
    let mut c = DeviceBuffer::filled(n * n, bf16::NAN)?;
    let a_map = TensorMap::<BoxA, B128>::new(&a_device, [n, n])?;
    let b_map = TensorMap::<BoxB, B128>::new(&b_device, [n, n])?;
    let mut c_map = TensorMapMut::<BoxC, B128>::new(&mut c, [n, n])?;

    let clusters = Device::current()?.attributes()?.multiprocessors as usize / CLUSTER;
    let blocks = clusters.min(n / ROWS / CLUSTER * (n / COLUMNS)) * CLUSTER;
    let mut launch = || {
        launch!(
            gemm<<<blocks, THREADS>>>(n, n, n, &a_map, &b_map, &mut c_map, tma::RING),
            cluster = CLUSTER, maxthreads = THREADS, blocks_per_sm = 1
        )
    };
    let timed = Timed::run(benchmark, &mut launch)?;
    let c = c.to_vec()?;
    // Each of the n / 16 instructions cuts off less than two places of the sum so far; then it is rounded to 8 bits.
    let tolerance =
        |want: f64, size: f64| n as f64 / 8.0 * size * f64::from(f32::EPSILON) + want.abs() / 256.0;
    let (left, right) = (
        |row: usize, k: usize| a[row * n + k].to_f64(),
        |k: usize, column: usize| b[column * n + k].to_f64(),
    );
    product::check(
        n,
        left,
        right,
        |row: usize, column: usize| c[row * n + column].to_f64(),
        tolerance,
        rng,
    )?;
    timed.report("gemm", "bf16", n, "");
    Ok(())
}
