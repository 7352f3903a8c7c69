// rustc's errors of one target do not hide the kernels of another, nor these rustc's.
// once: mismatched types
// once: can't use `std::env::var`
use ptyx::prelude::*;

#[kernel]
fn reads(n: u32) {
    assert!(std::env::var("N").is_ok() || n > 1);
}

fn main() -> ptyx::Result<()> {
    launch!(reads<<<1, 8>>>(1))
}
//@ file: src/bin/other.rs
use ptyx::prelude::*;

#[kernel]
fn adds(n: u32) {
    let m: u32 = "one";
    assert!(n + m > 1);
}

fn main() -> ptyx::Result<()> {
    launch!(adds<<<1, 8>>>(1))
}
