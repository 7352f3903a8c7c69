//! `y = a x + y`: one generic kernel over several element types, a closure as an argument, and the
//! knobs of a launch.

use ptyx::prelude::*;
use ptyx_examples::args::{Args, Opt, SEED};
use ptyx_examples::random::Rng;
use ptyx_examples::{Error, bench, finish, print_device};
use std::process::ExitCode;

/// `y = a x + y`, one element a thread.
#[kernel]
fn saxpy<T: Num>(a: T, x: &[T], mut y: Disjoint<T>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = a * x[i.get()] + *y;
    }
}

/// `y = f(y)` for any function or closure, with a grid of any size.
#[kernel]
fn map<T: DeviceCopy, F: Fn(T) -> T>(f: F, mut y: Disjoint<T>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(y[i]);
    }
}

const THREADS: usize = 256;

fn main() -> ExitCode {
    finish(run)
}

fn run() -> Result<(), Error> {
    let options = [
        Opt::value("size", "N", "number of elements (default: 1000000)"),
        Opt::flag("bench", "measure f32, 2^28 elements unless --size says otherwise"),
        SEED,
    ];
    let args = Args::from_env("y = a x + y on the device.", &[], &options)?;
    let seed = args.seed()?;
    let bench = args.flag("bench");
    let n = args.size("size", if bench { 1 << 28 } else { 1_000_000 })?;
    print_device()?;
    println!("seed: {seed}");
    let mut rng = Rng::new(seed);
    if bench {
        return measure(n, &mut rng);
    }
    check("f32", n, 0.5f32, 1e-6, || rng.next_f32())?;
    check("f64", n, -1.25f64, 1e-15, || rng.next_f64())?;
    check("i32", n, 7i32, 0.0, || (rng.next_u64() % 2001) as i32 - 1000)?;
    check("u64", n, 3u64, 0.0, || rng.next_u64() % (1 << 40))?;
    check_map(n, &mut rng)
}

/// Runs [`saxpy`] on `n` elements made by `make`; each result may be off by `tolerance` times the
/// size of its terms.
fn check<T: Num>(
    name: &str,
    n: usize,
    a: T,
    tolerance: f64,
    mut make: impl FnMut() -> T,
) -> Result<(), Error> {
    let x: Vec<T> = (0..n).map(|_| make()).collect();
    let y: Vec<T> = (0..n).map(|_| make()).collect();

    let x_device = DeviceBuffer::from_slice(&x)?;
    let mut y_device = DeviceBuffer::from_slice(&y)?;
    let blocks = n.div_ceil(THREADS);
    let launch = |y: &mut DeviceBuffer<T>| launch!(saxpy::<T><<<blocks, THREADS>>>(a, &x_device, y), maxthreads = 256);
    // The first launch assembles the kernel.
    launch(&mut DeviceBuffer::zeroed(n)?)?;
    let ms = bench::time_once(|| launch(&mut y_device))?;
    let got = y_device.to_vec()?;

    for (i, (&got, (&x, &y))) in got.iter().zip(x.iter().zip(&y)).enumerate() {
        let (product, y) = (a.to_f64() * x.to_f64(), y.to_f64());
        let error = (got.to_f64() - (product + y)).abs();
        // Written so that NaN fails.
        let close = error <= tolerance * (product.abs() + y.abs());
        if !close {
            return Err(format!("saxpy {name}: element {i} is {got}, not {}", product + y).into());
        }
    }
    let gigabytes = 3.0 * (n * size_of::<T>()) as f64 * 1e-9;
    println!(
        "saxpy {name}: {n} elements in {ms:.3} ms, {:.1} GB/s; equal to the host's result",
        gigabytes / (ms * 1e-3)
    );
    Ok(())
}

/// Runs [`map`] with a closure that captures two numbers by value.
fn check_map(n: usize, rng: &mut Rng) -> Result<(), Error> {
    let y = rng.vec_f32(n);
    let (scale, shift) = (rng.next_f32(), rng.next_f32());
    let mut y_device = DeviceBuffer::from_slice(&y)?;
    let f = move |y: f32| (y * scale).sin().mul_add(2.0, shift);
    launch!(map<<<64, THREADS>>>(f, &mut y_device), maxregs = 32)?;
    for (i, (&got, &y)) in y_device.to_vec()?.iter().zip(&y).enumerate() {
        let want = f(y);
        let close = (got - want).abs() <= 1e-6;
        if !close {
            return Err(format!("map: element {i} is {got}, not {want}").into());
        }
    }
    println!("map with a closure: {n} elements; equal to the host's result");
    Ok(())
}

/// The line that `benches/cuda/saxpy.cu` prints, too.
fn measure(n: usize, rng: &mut Rng) -> Result<(), Error> {
    let a = 0.5f32;
    let (x, y) = (rng.vec_f32(n), rng.vec_f32(n));
    let x_device = DeviceBuffer::from_slice(&x)?;
    let mut y_device = DeviceBuffer::from_slice(&y)?;
    let times = bench::time_launches(
        || launch!(saxpy::<f32><<<n.div_ceil(THREADS), THREADS>>>(a, &x_device, &mut y_device)),
    )?;

    // Every launch added a x once.
    let launches = (bench::WARM_UP + bench::RUNS) as f64;
    for (got, (x, y)) in y_device.to_vec()?.iter().zip(x.iter().zip(&y)) {
        let want = f64::from(*y) + launches * f64::from(a) * f64::from(*x);
        let close = (f64::from(*got) - want).abs() <= 1e-4;
        if !close {
            return Err(format!("saxpy: {got} where the host has {want}").into());
        }
    }
    bench::report("saxpy_f32", n, times, 3.0 * 4.0 * n as f64, "GB/s");
    Ok(())
}
