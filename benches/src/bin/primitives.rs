//! Measures the reductions and scans of blocks and warps beside those of CUB, in one process, and prints a table.
//!
//! The twins are those of `cuda/kernels.cu`: `nvcc -O3 -std=c++17 -arch=sm_90 -cubin -o kernels.cubin cuda/kernels.cu`,
//! with `-DCHECKED` for those that check indices as Rust does.

use ptyx::prelude::*;
use ptyx_benches::twins::{Slot, Twins};
use ptyx_benches::{Error, kernels};
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{bench, finish, print_device};
use std::path::Path;
use std::process::ExitCode;

/// Values that each thread combines.
const ROUNDS: u32 = 256;
/// Each side is measured so often, in turns.
const TURNS: usize = 5;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("twins", "FILE", "the CUDA C++ twins as a cubin or PTX"),
        Opt::value("size", "N", "numbers, a multiple of 256 (default: 2^20)"),
        Opt::value("only", "NAME", "one kernel instead of all"),
        SEED,
    ];
    let args = Args::from_env("Times reductions and scans beside CUB's.", &[], &options)?;
    let twins: Option<String> = args.get("twins")?;
    let (seed, n) = (args.seed()?, args.size("size", 1 << 20)?);
    if n == 0 || !n.is_multiple_of(256) {
        return Err("the size must be a multiple of 256".into());
    }
    let only: Option<String> = args.get("only")?;
    print_device()?;
    println!("seed: {seed}");
    let twins = Twins::load(Path::new(&twins.ok_or("--twins FILE is missing")?))?;
    let mut all = Comparison { rng: Rng::new(seed), n, only, twins, ratios: Vec::new() };
    println!("| kernel | Ptyx, ms | CUB, ms | Ptyx / CUB |\n|---|---|---|---|");
    all.run()?;
    if all.ratios.is_empty() {
        return Err("there is no such kernel".into());
    }
    let mean = all.ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / all.ratios.len() as f64;
    println!("geometric mean of {} ratios: {:.3}", all.ratios.len(), mean.exp());
    Ok(())
}

/// What all kernels are run with, and what has come of it.
struct Comparison {
    rng: Rng,
    n: usize,
    only: Option<String>,
    twins: Twins,
    ratios: Vec<f64>,
}

/// The kernels: module, name, type, and for how many numbers each leaves a result.
macro_rules! primitives {
    ($($module:ident::$name:ident $type:ident $per:literal;)*) => {
        impl Comparison {
            /// Runs both sides of each kernel, compares the results, and measures.
            fn run(&mut self) -> Result<(), Error> {
                $(if self.only.as_ref().is_none_or(|only| only == stringify!($name)) {
                    let n = self.n;
                    let x: Vec<$type> = (0..n).map(|_| (self.rng.next_u64() % 256) as $type).collect();
                    let x = DeviceBuffer::from_slice(&x)?;
                    let mut own = DeviceBuffer::<$type>::zeroed(n / $per)?;
                    let theirs = DeviceBuffer::<$type>::zeroed(n / $per)?;
                    let slots = [
                        x.slot(),
                        Some(n as u64),
                        Some(u64::from(ROUNDS)),
                        theirs.slot(),
                        Some((n / $per) as u64),
                    ];
                    let twins = &self.twins;
                    let grid = [(n / 256) as u32, 1, 1];
                    // SAFETY: the twin has these parameters, as `cuda/kernels/` shows, and the buffers are as long as it is told.
                    let twin = || unsafe { twins.launch(stringify!($name), grid, [256, 1, 1], &slots) };
                    let mut rust = || {
                        launch!(kernels::$module::$name<<<n / 256, 256>>>(&x, ROUNDS, &mut own))
                    };
                    rust()?;
                    twin()?;
                    twins.synchronize()?;
                    let (mut ours, mut cub) = (Vec::new(), Vec::new());
                    for _ in 0..TURNS {
                        ours.push(bench::time_launches(&mut rust)?.median_ms);
                        cub.push(twins.time(twin)?);
                    }
                    for (i, (a, b)) in own.to_vec()?.into_iter().zip(theirs.to_vec()?).enumerate() {
                        // Sums of floats depend on their order.
                        let close = (a as f64 - b as f64).abs() <= 1e-5 * (b as f64).abs();
                        if a != b && !(stringify!($type).starts_with('f') && close) {
                            return Err(format!("{}: result {i} is {a}, CUB's {b}", stringify!($name)).into());
                        }
                    }
                    self.ratios.push(row(stringify!($name), ours, cub));
                })*
                Ok(())
            }
        }
    };
}

/// Prints the medians of both sides, and returns their ratio.
fn row(name: &str, mut ours: Vec<f64>, mut cub: Vec<f64>) -> f64 {
    let [ours, cub] = [&mut ours, &mut cub].map(|times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    println!("| `{name}` | {ours:.4} | {cub:.4} | {:.2} |", ours / cub);
    ours / cub
}

primitives! {
    block_reduce::block_reduce_u32 u32 256;
    block_reduce::block_reduce_f32 f32 256;
    block_reduce::block_reduce_f64 f64 256;
    block_extremes::block_min_i32 i32 256;
    block_extremes::block_max_i32 i32 256;
    block_extremes::block_min_u64 u64 256;
    block_extremes::block_max_u64 u64 256;
    block_extremes::block_min_f32 f32 256;
    block_extremes::block_max_f32 f32 256;
    block_scan::block_scan_u32 u32 1;
    block_scan::block_scan_i32 i32 1;
    block_scan::block_scan_u64 u64 1;
    block_scan::block_scan_f32 f32 1;
    block_scan::block_scan_f64 f64 1;
    block_scan::block_exclusive_i32 i32 1;
    block_scan::block_exclusive_u64 u64 1;
    block_scan::block_exclusive_f32 f32 1;
    warp_groups::warp_reduce_i32 i32 32;
    warp_groups::warp_reduce_u64 u64 32;
    warp_groups::warp_reduce_f32 f32 32;
    warp_groups::warp_scan_i32 i32 1;
    warp_groups::warp_scan_u64 u64 1;
    warp_groups::warp_scan_f32 f32 1;
}
