// A struct that borrows host memory can't be passed.
use ptyx::prelude::*;

#[derive(Clone, Copy)]
struct Table<'a>(&'a [f32]);

#[kernel]
fn looks_up(table: Table<'_>, mut y: Disjoint<f32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = table.0[i.get()];
    }
}

fn main() -> ptyx::Result<()> {
    let host = vec![1.0; 8];
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(looks_up<<<1, 8>>>(Table(&host), &mut y))
}
