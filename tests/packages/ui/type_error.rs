// A type error in a kernel shows once, as rustc prints it.
// once: error[E0308]: mismatched types
use ptyx::prelude::*;

#[kernel]
fn double(x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    let factor: f32 = "two";
    y[i] = factor * x[i.get()];
}

fn main() -> ptyx::Result<()> {
    let x = DeviceBuffer::from_slice(&[1.0f32; 8])?;
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(double<<<1, 8>>>(&x, &mut y))
}
