// What is never run is not refused: unoptimised code is full of it.
use ptyx::prelude::*;

const VERBOSE: bool = false;

trait Source {
    const FROM_FILE: bool;
    fn get(&self) -> u32;
}

struct Constant(u32);

impl Source for Constant {
    const FROM_FILE: bool = false;
    fn get(&self) -> u32 {
        if Self::FROM_FILE { std::fs::read("number").unwrap().len() as u32 } else { self.0 }
    }
}

#[kernel]
fn doubles(mut y: Disjoint<u32>) {
    let i = thread::index_1d();
    if let Some(y) = y.get_mut(i) {
        *y = 2 * Constant(21).get();
        if VERBOSE {
            println!("{y}");
        }
        if *y % 2 == 1 {
            std::process::exit(1);
        }
        let numbers = Vec::<u32>::new();
        *y += numbers.iter().sum::<u32>();
    }
}

fn main() -> ptyx::Result<()> {
    let mut y = DeviceBuffer::zeroed(4)?;
    launch!(doubles<<<1, 4>>>(&mut y))?;
    println!("{:?}", y.to_vec()?);
    Ok(())
}
