//! Mistakes in `compile!`.
use ptyx::{compile, kernel};

#[kernel]
fn k(x: f32) {}

fn mistakes(x: f32) {
    compile!();
    compile!(k);
    compile!(k<<<1, 2>>>(x));
    compile!(k(x), threads = 5, blocks = 2, shmem = 1);
    compile!(k(x), registers = 5);
    compile!((k, x));
    compile!(k(x), cooperative);
    compile!(k(x), cluster = 2);
    compile!(unsafe k(x), programmatic);
}
