// A launch takes the kernel's name: a pointer to it does not say which kernel it is.
use ptyx::prelude::*;

#[kernel]
fn count(n: u32) {
    assert!(n > 0);
}

fn main() -> ptyx::Result<()> {
    let kernel: fn(u32) = count;
    launch!(kernel<<<1, 8>>>(1))
}
