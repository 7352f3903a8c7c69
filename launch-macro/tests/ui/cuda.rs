//! Mistakes in `cuda!`.
use ptyx::{cuda, kernel};

#[kernel]
fn k(x: f32) {}

fn mistakes(x: f32) {
    cuda!();
    cuda!(threads = 5);
    cuda!(threads = 5, (k, x));
    cuda!(threads = 5, k);
    cuda!(threads = 5, thread = 6, k(x), threads = 7);
    cuda!(k(x), k(x));
    cuda!(threads =, k(x));
    cuda!(x.method(x));
}
