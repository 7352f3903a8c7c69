//! What checks that can panic cost while nothing panics: a few kernels, each with panics, with a
//! bare `trap` in their place, and without checks.
//!
//! `--bench` measures times. Registers and local memory are those that the device's assembler reports;
//! the emulated device only estimates them.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// How a kernel checks.
trait Checks: Copy + Send + 'static {
    const NAME: &'static str;
    /// `slice[i]`
    fn at<T: Copy>(slice: &[T], i: usize) -> T;
    /// `a + b`, which must fit.
    fn add(a: i32, b: i32) -> i32;
    /// `a` and `b` must be equal; the message of a panic shows them and `i`.
    fn equal(a: i32, b: i32, i: usize);
}

#[derive(Clone, Copy)]
struct Panics;

impl Checks for Panics {
    const NAME: &'static str = "panic";
    fn at<T: Copy>(slice: &[T], i: usize) -> T {
        slice[i]
    }
    fn add(a: i32, b: i32) -> i32 {
        a.checked_add(b).expect("the sum fits")
    }
    fn equal(a: i32, b: i32, i: usize) {
        assert_eq!(a, b, "element {i}");
    }
}

#[derive(Clone, Copy)]
struct Traps;

/// Ends the launch without a word, as `assert` of CUDA C++ would if it printed nothing.
fn trap() -> ! {
    #[cfg(ptyx_device)]
    {
        unsafe extern "C" {
            safe fn __ptyx_trap() -> !;
        }
        __ptyx_trap()
    }
    #[cfg(not(ptyx_device))]
    std::process::abort()
}

impl Checks for Traps {
    const NAME: &'static str = "trap";
    fn at<T: Copy>(slice: &[T], i: usize) -> T {
        match slice.get(i) {
            Some(value) => *value,
            None => trap(),
        }
    }
    fn add(a: i32, b: i32) -> i32 {
        a.checked_add(b).unwrap_or_else(|| trap())
    }
    fn equal(a: i32, b: i32, _: usize) {
        if a != b {
            trap()
        }
    }
}

#[derive(Clone, Copy)]
struct Nothing;

impl Checks for Nothing {
    const NAME: &'static str = "none";
    fn at<T: Copy>(slice: &[T], i: usize) -> T {
        // SAFETY: this program passes indices in bounds only.
        unsafe { *slice.get_unchecked(i) }
    }
    fn add(a: i32, b: i32) -> i32 {
        a.wrapping_add(b)
    }
    fn equal(_: i32, _: i32, _: usize) {}
}

/// `y = a x + y`: one check an element.
#[kernel]
fn saxpy<C: Checks>(_: C, a: f32, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y += a * C::at(x, i.get());
    }
}

/// `y[i] = x[index[i]]`: two checks, one of them of what was read.
#[kernel]
fn gather<C: Checks>(_: C, x: &[f32], index: &[u32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = C::at(x, C::at(index, i.get()) as usize);
    }
}

/// `C = A B` with nothing kept in shared memory: two checks a multiplication.
#[kernel]
fn matmul<C: Checks>(_: C, n: usize, a: &[f32], b: &[f32], mut c: DisjointArray<f32, 2>) {
    let index = thread::index_2d();
    let (row, column) = (index.y(), index.x());
    let mut sum = 0.0;
    for k in 0..n {
        sum += C::at(a, row * n + k) * C::at(b, k * n + column);
    }
    if let Some(c) = c.get_mut(index) {
        *c = sum;
    }
}

/// Sums of [`TERMS`] numbers each: a bounds check and an overflow check a number.
#[kernel]
fn sums<C: Checks>(_: C, x: &[i32], mut y: Disjoint<i32>) {
    let i = thread::index_1d();
    let stride = y.len();
    if let Some(y) = y.get_mut(i) {
        let mut sum = 0;
        for k in 0..TERMS {
            sum = C::add(sum, C::at(x, k * stride + i.get()));
        }
        *y = sum;
    }
}

/// Compares [`TERMS`] numbers a thread: an `assert_eq!` with a message for each.
#[kernel]
fn compare<C: Checks>(_: C, x: &[i32], y: &[i32], mut count: Disjoint<u32>) {
    let i = thread::index_1d();
    let stride = count.len();
    if let Some(count) = count.get_mut(i) {
        for k in 0..TERMS {
            let at = k * stride + i.get();
            // SAFETY: the slices have TERMS times the length of `count`.
            let (x, y) = unsafe { (*x.get_unchecked(at), *y.get_unchecked(at)) };
            C::equal(x, y, at);
            *count += (x & 1) as u32;
        }
    }
}

/// Numbers a thread of [`sums`] and [`compare`] reads.
const TERMS: usize = 16;
const THREADS: usize = 256;
/// Side of the blocks of [`matmul`].
const SIDE: usize = 16;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "number of elements (default: 2^16, with --bench 2^26)"),
        Opt::flag("bench", "measure times"),
        SEED,
    ];
    let args = Args::from_env("What checks cost while nothing panics.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 1 << 26 } else { 1 << 16 })?;
    print_device()?;
    println!("seed: {seed}");
    let data = Data::draw(n, &mut Rng::new(seed));
    println!(
        "{:8} {:6} {:>12} {:>9} {:>11} {:>10}",
        "kernel", "checks", "instructions", "registers", "local bytes", "time, ms"
    );
    // Once each for the results; a launch that is timed repeats itself, and `saxpy` adds up.
    let expected = data.run(Nothing, Show::Nothing)?;
    let show = if bench { Show::Nothing } else { Show::Code };
    for results in [data.run(Traps, show)?, data.run(Panics, show)?] {
        if results != expected {
            return Err("the kernels differ in their results".into());
        }
    }
    if bench {
        data.run(Nothing, Show::Times)?;
        data.run(Traps, Show::Times)?;
        data.run(Panics, Show::Times)?;
    }
    println!("the kernels' results are equal to each other");
    Ok(())
}

/// What a run prints: a line for each kernel, unless it is nothing.
#[derive(Clone, Copy, PartialEq)]
enum Show {
    Nothing,
    Code,
    Times,
}

/// Input of all kernels.
struct Data {
    x: Vec<f32>,
    index: Vec<u32>,
    numbers: Vec<i32>,
    /// Rows of the matrices.
    side: usize,
}

/// Output of all kernels.
#[derive(PartialEq)]
struct Results {
    floats: [Vec<f32>; 3],
    sums: Vec<i32>,
    counts: Vec<u32>,
}

impl Data {
    fn draw(n: usize, rng: &mut Rng) -> Data {
        let n = n.next_multiple_of(TERMS);
        Data {
            x: (0..n).map(|_| rng.next_f32()).collect(),
            index: (0..n).map(|_| (rng.next_u64() % n as u64) as u32).collect(),
            numbers: (0..n).map(|_| (rng.next_u64() % 2001) as i32 - 1000).collect(),
            side: n.isqrt().min(2048) / SIDE * SIDE,
        }
    }

    /// Runs every kernel with these checks.
    fn run<C: Checks>(&self, checks: C, show: Show) -> Result<Results, Error> {
        let (bench, quiet) = (show == Show::Times, show == Show::Nothing);
        let n = self.x.len();
        let x = DeviceBuffer::from_slice(&self.x)?;
        let index = DeviceBuffer::from_slice(&self.index)?;
        let numbers = DeviceBuffer::from_slice(&self.numbers)?;
        let blocks = n.div_ceil(THREADS);

        let mut y = DeviceBuffer::filled(n, 1.0f32)?;
        let time = timed(bench, || launch!(saxpy<<<blocks, THREADS>>>(checks, 0.5, &x, &mut y)))?;
        report::<C>("saxpy", quiet, time)?;
        let y = if bench { Vec::new() } else { y.to_vec()? };

        let mut gathered = DeviceBuffer::zeroed(n)?;
        let time = timed(
            bench,
            || launch!(gather<<<blocks, THREADS>>>(checks, &x, &index, &mut gathered)),
        )?;
        report::<C>("gather", quiet, time)?;

        let side = self.side;
        let matrix = |vector: &[f32]| DeviceBuffer::from_slice(&vector[..side * side]);
        let (a, b) = (matrix(&self.x)?, matrix(&self.x)?);
        let mut c = DeviceBuffer::zeroed(side * side)?;
        let grid = (side / SIDE, side / SIDE);
        let time = timed(bench, || {
            launch!(
                matmul<<<grid, (SIDE, SIDE)>>>(checks, side, &a, &b, c.view_mut([side, side]))
            )
        })?;
        report::<C>("matmul", quiet, time)?;

        let threads = n / TERMS;
        let blocks = threads.div_ceil(THREADS);
        let mut sum = DeviceBuffer::zeroed(threads)?;
        let time = timed(bench, || launch!(sums<<<blocks, THREADS>>>(checks, &numbers, &mut sum)))?;
        report::<C>("sums", quiet, time)?;

        let mut count = DeviceBuffer::zeroed(threads)?;
        let time = timed(
            bench,
            || launch!(compare<<<blocks, THREADS>>>(checks, &numbers, &numbers, &mut count)),
        )?;
        report::<C>("compare", quiet, time)?;
        let counts = if bench { Vec::new() } else { count.to_vec()? };

        Ok(Results { floats: [y, gathered.to_vec()?, c.to_vec()?], sums: sum.to_vec()?, counts })
    }
}

/// Launches once, or as often as it takes to measure.
fn timed(bench: bool, mut launch: impl FnMut() -> ptyx::Result<()>) -> Result<Option<f64>, Error> {
    if !bench {
        launch()?;
        return Ok(None);
    }
    Ok(Some(bench::time_launches(launch)?.median_ms))
}

/// Prints what is known of the kernel that was launched.
fn report<C: Checks>(kernel: &str, quiet: bool, time: Option<f64>) -> Result<(), Error> {
    let instance = |name: &str| {
        let path = format!("::{kernel}<");
        name.contains(&path) && name.contains(core::any::type_name::<C>())
    };
    let Some(compiled) =
        ptyx::compiled_kernels()?.into_iter().find(|found| instance(&found.kernel))
    else {
        return Err(format!("`{kernel}` is not among the compiled kernels").into());
    };
    if quiet {
        return Ok(());
    }
    println!(
        "{kernel:8} {:6} {:>12} {:>9} {:>11} {:>10}",
        C::NAME,
        instructions_of_entry(&compiled.ptx),
        compiled.attributes.registers,
        compiled.attributes.local_bytes,
        time.map_or_else(|| "-".to_owned(), |time| format!("{time:.4}"))
    );
    Ok(())
}

/// PTX instructions of the entry, those of its functions left out.
fn instructions_of_entry(ptx: &str) -> usize {
    let Some(start) = ptx.find(".entry") else { return 0 };
    let body = &ptx[start..];
    let end = body.find("\n}").unwrap_or(body.len());
    let lines = body[..end].lines().map(str::trim);
    lines.filter(|line| line.ends_with(';') && !line.starts_with(['.', '/', '{'])).count()
}
