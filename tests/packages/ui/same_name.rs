// Closures of one function that reach the same launch can't be told apart at run time.
use ptyx::prelude::*;

#[kernel]
fn map<F: Fn(f32) -> f32>(f: F, mut y: Disjoint<f32>) {
    for i in thread::grid_stride(y.len()) {
        y[i] = f(y[i]);
    }
}

fn run<F: Fn(f32) -> f32 + Copy + Send + 'static>(f: F) -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(map<<<1, 8>>>(f, &mut y))
}

fn main() -> ptyx::Result<()> {
    run(|x| x + 1.0)?;
    run(|x| x * 2.0)
}
