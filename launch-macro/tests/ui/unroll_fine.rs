//! Loops that `#[unroll]` and `unroll!` find the body of.
use ptyx::{kernel, unroll};

struct Pair {
    a: u32,
    b: u32,
}

#[kernel]
fn loops(n: u32, mut x: [u32; 8], pairs: [Pair; 2]) {
    #[unroll]
    for i in 0..8 {
        #[unroll(2)]
        for k in 0..i {
            x[i] += x[k];
        }
    }
    #[unroll(never)]
    for Pair { a, b } in pairs {
        x[0] += a * b;
    }
    let mut next = Some(Pair { a: 1, b: n });
    #[unroll(4)]
    while let Some(Pair { a, b }) = next {
        next = if a < b { Some(Pair { a: a + 1, b }) } else { None };
    }
    #[unroll(1)]
    for i in match n {
        0 => 0..4,
        _ => 1..5,
    } {
        x[i] += 1;
    }
    #[unroll(8)]
    for i in { 0..8 } {
        x[i] += 1;
    }
    let mut rounds = n;
    'outer: loop {
        #[unroll(4)]
        'inner: while unsafe { core::ptr::read(&rounds) } > 0 {
            rounds -= 1;
            if rounds == 3 {
                break 'outer;
            }
            continue 'inner;
        }
        #[unroll]
        loop {
            break 'outer;
        }
    }
    {
        x[7] = 0;
    }
    let _ = x;
}

fn elsewhere(x: &mut [f32; 4]) -> f32 {
    unroll!(for x in x.iter_mut() {
        *x *= 2.0;
    });
    let mut sum = 0.0;
    unroll!(never, for x in x.iter() {
        sum += *x;
    });
    unroll!(2, while sum > 100.0 {
        sum -= 100.0;
    });
    sum
}

fn main() {
    loops(1, [0; 8], [Pair { a: 1, b: 2 }, Pair { a: 3, b: 4 }]);
    elsewhere(&mut [0.0; 4]);
}
