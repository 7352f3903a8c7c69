//! `compile!` as it should be.
use ptyx::{args, compile, kernel};

#[kernel]
fn k(x: f32) {}

fn fine(x: f32, stream: &()) {
    let _ = compile!(k(x));
    let _ = compile!(k(x), maxregs = 32, alias = "a");
    let _ = args!(x, 2.0, stream);
    let _ = args!();
    let _ = args!(unsafe { x },);
    let _ = compile!(stream = stream, k(x));
}
