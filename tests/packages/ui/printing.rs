// std's printing is refused, with what to write instead.
use ptyx::prelude::*;

#[kernel]
fn talks(n: u32) {
    if n > 3 {
        println!("{n} is more than three");
    } else {
        println!("{n} is at most three");
    }
    eprintln!("an error");
    let m = dbg!(n + 1);
    print!("{m}");
}

fn main() -> ptyx::Result<()> {
    launch!(talks<<<1, 1>>>(5))
}
