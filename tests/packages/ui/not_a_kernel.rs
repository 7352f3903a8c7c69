// A function without `#[kernel]` can't be launched.
use ptyx::prelude::*;

fn plain(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = 1;
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(plain<<<1, 8>>>(&mut y))
}
