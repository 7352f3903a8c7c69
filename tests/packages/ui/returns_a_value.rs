// A kernel returns nothing.
use ptyx::prelude::*;

#[kernel]
fn length(x: &[f32]) -> usize {
    x.len()
}

fn main() {}
