// Closures of one name and layout, told apart by who calls the function that launches.
use ptyx::prelude::*;

#[kernel]
fn map<F: Fn(f32) -> f32>(f: F, mut y: Disjoint<f32>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(y[i]);
    }
}

#[track_caller]
fn run<F: Fn(f32) -> f32 + Copy + Send + 'static>(f: F) -> ptyx::Result<f32> {
    let mut y = DeviceBuffer::from_slice(&[10.0])?;
    launch!(map<<<1, 8>>>(f, &mut y))?;
    Ok(y.to_vec()?[0])
}

#[track_caller]
fn run_twice<F: Fn(f32) -> f32 + Copy + Send + 'static>(f: F) -> ptyx::Result<f32> {
    Ok(run(f)? + run(f)?)
}

fn main() -> ptyx::Result<()> {
    println!("{} {}", run(|x| x + 1.0)?, run(|x| x * 2.0)?);
    println!("{}", run_twice(|x| x - 1.0)?);
    for factor in [1.0f32, 2.0] {
        println!("{}", run(move |x| x / factor)?);
    }
    Ok(())
}
