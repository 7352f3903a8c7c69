// The host's side of Ptyx, called by a kernel.
use ptyx::prelude::*;

#[kernel]
fn inner(n: u32) {
    assert!(n > 0);
}

#[kernel]
fn outer(mut y: Disjoint<u32>) {
    let buffer = DeviceBuffer::<u32>::zeroed(8).unwrap();
    launch!(inner<<<1, 8>>>(1)).unwrap();
    ptyx::synchronize().unwrap();
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = buffer.to_vec().unwrap()[0];
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::<u32>::zeroed(8)?;
    launch!(outer<<<1, 8>>>(&mut y))
}
