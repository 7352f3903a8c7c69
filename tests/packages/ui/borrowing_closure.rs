// A closure that borrows host memory can't be passed.
use ptyx::prelude::*;

#[kernel]
fn map<F: Fn(f32) -> f32>(f: F, mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = f(*y);
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(8)?;
    let factor = 3.0;
    launch!(map<<<1, 8>>>(|y| y * factor, &mut y))
}
