// An array that is larger than a thread's memory on a device.
use ptyx::prelude::*;

#[kernel]
fn sieve(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    let Some(y) = y.get_mut(i) else { return };
    let mut cells = [*y; 200_000];
    for at in 0..cells.len() {
        cells[at * 7919 % 200_000] += at as u64;
    }
    *y = cells[*y as usize % cells.len()];
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(sieve<<<1, 8>>>(&mut y))
}
