//! What is wrong about an unrolling.
use ptyx::{kernel, unroll};

#[kernel]
fn attributes(mut x: [u32; 8]) {
    #[unroll(0)]
    for i in 0..8 {
        x[i] += 1;
    }
    #[unroll(always)]
    while x[0] > 1 {
        x[0] /= 2;
    }
    #[unroll]
    if x[0] > 0 {
        x[1] = 0;
    }
}

fn macros(x: &mut [u32]) {
    unroll!(x[0] += 1);
    unroll!(-4, for x in x.iter_mut() {
        *x += 1;
    });
}
