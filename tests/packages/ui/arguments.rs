// What can't be passed, and how to pass it.
use ptyx::prelude::*;

#[kernel]
fn scale(a: f32, x: &[f32], mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = a * x[i.get()];
    }
}

fn main() -> ptyx::Result<()> {
    let host = vec![1.0f32; 8];
    let x = DeviceBuffer::from_slice(&host)?;
    let mut y = DeviceBuffer::<f32>::zeroed(8)?;
    launch!(scale<<<1, 8>>>(2, &x, &mut y))?;
    launch!(scale<<<1, 8>>>(&x, 2.0, &mut y))?;
    launch!(scale<<<1, 8>>>(2.0, &host, &mut y))?;
    launch!(scale<<<1, 8>>>(2.0, host, &mut y))?;
    launch!(scale<<<1, 8>>>(2.0, x, &mut y))?;
    launch!(scale<<<1, 8>>>(2.0, &x, String::new()))
}
