// Closures of one function through one launch, told apart by what they capture.
use ptyx::prelude::*;

#[kernel]
fn map<F: Fn(f32) -> f32>(f: F, mut y: Disjoint<f32>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(y[i]);
    }
}

fn run<F: Fn(f32) -> f32 + Copy + Send + 'static>(f: F) -> ptyx::Result<f32> {
    let mut y = DeviceBuffer::from_slice(&[1.0])?;
    launch!(map<<<1, 8>>>(f, &mut y))?;
    Ok(y.to_vec()?[0])
}

fn main() -> ptyx::Result<()> {
    let (a, b) = (2.0f32, 5.0f32);
    println!("{} {} {}", run(|x| x + 1.5)?, run(move |x| a * x)?, run(move |x| a * x + b)?);
    Ok(())
}
