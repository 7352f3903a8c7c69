// A function that calls a kernel is not one itself: the kernel's marks, and what its author promises, are not its own.
use ptyx::prelude::*;

#[kernel(unsafe(unchecked))]
fn scaled(x: &[u32], mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    y[i] = 2 * x[i.get()];
}

fn plain(x: &[u32], y: Disjoint<u32>) {
    let first = x[x[0] as usize];
    if first > 1 {
        scaled(x, y);
    }
}

fn main() -> ptyx::Result<()> {
    let x = DeviceBuffer::from_slice(&[1, 2])?;
    let mut y = DeviceBuffer::zeroed(2)?;
    launch!(plain<<<1, 2>>>(&x, &mut y))
}
