// A struct is passed by value with what it holds: here a reference that only the host can follow.
use ptyx::prelude::*;

#[derive(Clone, Copy)]
struct Table(&'static [u32]);

static NUMBERS: [u32; 3] = [1, 2, 3];

#[kernel]
fn looks_up(table: Table, mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = table.0[i.get() % 3];
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(8)?;
    launch!(looks_up<<<1, 8>>>(Table(&NUMBERS), &mut y))?;
    let error = y.to_vec().unwrap_err().to_string();
    // Addresses differ between runs, lines of PTX between versions.
    for line in error.lines().filter(|line| !line.contains("PTX line")) {
        let (before, address) = line.split_once("address ").unwrap_or((line, ""));
        let (_, after) = address.split_once(": ").unwrap_or_default();
        println!("{before}{after}");
    }
    Ok(())
}
