//! Kernels for comparing Ptyx with CUDA C++: the same algorithms in Rust in `src/kernels/` and in CUDA
//! C++ in `cuda/kernels/`, one file each.
//!
//! `scripts/code-quality` compares what NVIDIA's assembler makes of both; the program `kernels` runs
//! the Rust side, `cuda/kernels.cu` the other, on random input, compares the results with the host's,
//! and measures.

pub mod quality;
pub mod twins;

use ptyx_examples::bench;
use ptyx_examples::random::Rng;

/// What a run may fail with.
pub type Error = ptyx_examples::Error;

macro_rules! kernels {
    ($($module:ident $($name:ident)*;)*) => {
        /// The kernels, one module for those that run together: the kernels and how to run them.
        #[allow(missing_docs)]
        pub mod kernels {
            $(pub mod $module;)*
        }

        /// The modules, their kernels, and what runs them.
        pub const KERNELS: &[(&str, &[&str], fn(&mut Run) -> Result<(), Error>)] =
            &[$((stringify!($module), &[$(stringify!($name)),*], kernels::$module::run)),*];
    };
}

kernels! {
    saxpy saxpy;
    reduce reduce;
    scan scan;
    transpose transpose;
    matmul matmul;
    stencil stencil;
    nbody nbody;
    histogram histogram;
    bitonic bitonic;
    mandelbrot mandelbrot;
    softmax softmax;
    layernorm layernorm;
    spmv spmv;
    black_scholes black_scholes;
    sha256 sha256;
    compact compact;
    block_reduce block_reduce_u32 block_reduce_f32 block_reduce_f64;
    block_extremes block_min_i32 block_max_i32 block_min_u64 block_max_u64 block_min_f32 block_max_f32;
    block_scan block_scan_u32 block_scan_i32 block_scan_u64 block_scan_f32 block_scan_f64
        block_exclusive_i32 block_exclusive_u64 block_exclusive_f32;
    warp_groups warp_reduce_i32 warp_reduce_u64 warp_reduce_f32 warp_scan_i32 warp_scan_u64 warp_scan_f32;
}

/// How a kernel is to be run.
#[derive(Debug)]
pub struct Run {
    /// Random input.
    pub rng: Rng,
    measure: bool,
}

impl Run {
    /// A run with input from `seed`: small and checked, or large, checked and measured.
    pub fn new(seed: u64, measure: bool) -> Run {
        Run { rng: Rng::new(seed), measure }
    }

    /// The size for a measurement, or for a check alone.
    fn size(&self, measured: usize, checked: usize) -> usize {
        if self.measure { measured } else { checked }
    }

    /// A random number below `bound`, which is not 0.
    fn below(&mut self, bound: usize) -> usize {
        (self.rng.next_u64() % bound as u64) as usize
    }

    /// This number of blocks for each multiprocessor.
    fn blocks(&self, each: usize) -> Result<usize, Error> {
        Ok(ptyx::Device::current()?.attributes()?.multiprocessors as usize * each)
    }

    /// Measures and reports `launch`, which works on `n` elements, if this is a measurement;
    /// `amount` is the work in `unit` times 10^-9.
    fn time(
        &self,
        name: &str,
        n: usize,
        amount: f64,
        unit: &str,
        launch: &mut dyn FnMut() -> ptyx::Result<()>,
    ) -> Result<(), Error> {
        match self.measure {
            true => bench::report(name, n, bench::time_launches(launch)?, amount, unit),
            false => println!("{name}: {n} elements; equal to the host's result"),
        }
        Ok(())
    }
}

/// Whether `got` is within `tolerance` of `want`; NaN is not.
fn close(got: f64, want: f64, tolerance: f64) -> bool {
    (got - want).abs() <= tolerance
}

/// Fails at the first element that differs from `want` by more than `tolerance`, relative to the
/// larger of `want` and 1.
fn expect_close(
    got: &[f32],
    want: impl ExactSizeIterator<Item = f64>,
    tolerance: f64,
) -> Result<(), Error> {
    if got.len() != want.len() {
        return Err(format!("{} elements, not {}", got.len(), want.len()).into());
    }
    for (i, (&got, want)) in got.iter().zip(want).enumerate() {
        if !close(got.into(), want, tolerance * want.abs().max(1.0)) {
            return Err(format!("element {i} is {got}, not {want}").into());
        }
    }
    Ok(())
}
