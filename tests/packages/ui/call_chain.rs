// What the device can't do is refused, with the way from the kernel to it.
use ptyx::prelude::*;

fn table_size(path: &str) -> usize {
    std::fs::read(path).map_or(0, |bytes| bytes.len())
}

#[kernel]
fn reads_a_file(mut y: Disjoint<u64>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = table_size("load_table.bin") as u64;
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(reads_a_file<<<1, 8>>>(&mut y))
}
