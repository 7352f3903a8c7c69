// The number and the types of the arguments are checked at compile time.
use ptyx::prelude::*;

#[kernel]
fn saxpy(a: f32, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = a * x[i.get()] + *y;
    }
}

fn main() -> ptyx::Result<()> {
    let x = DeviceBuffer::from_slice(&[1.0f32; 8])?;
    let mut y = DeviceBuffer::<f32>::zeroed(8)?;
    let doubles = DeviceBuffer::<f64>::zeroed(8)?;
    launch!(saxpy<<<1, 8>>>(2.0, &x))?;
    launch!(saxpy<<<1, 8>>>(2.0, &doubles, &mut y))?;
    launch!(saxpy<<<1, 8>>>(2.0, &x, &y))
}
