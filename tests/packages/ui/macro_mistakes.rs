// The macros say what to write.
use ptyx::prelude::*;

#[kernel]
fn count(n: u32) {
    assert!(n > 0);
}

#[kernel]
mod kernels {}

#[kernel]
struct Kernel {
    n: u32,
}

fn main() -> ptyx::Result<()> {
    cuda!(thread = 8, count(1))?;
    cuda!(threads = 8, threads = 9, count(1))?;
    cuda!(threads = 8)?;
    launch!(count<<<1, 8>>>)?;
    launch!((count, 1))?;
    launch!(count<<<1, 8>>>(1) maxregs = 32)?;
    launch!(count<<<1, 8>>>(1), maxreg = 3)
}
