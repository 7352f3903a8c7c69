// std's printing is refused, with what to write instead.
use ptyx::prelude::*;

#[kernel]
fn talks(n: u32) {
    if n > 3 {
        println!("{n} is more than three");
    }
}

fn main() -> ptyx::Result<()> {
    launch!(talks<<<1, 1>>>(5))
}
