//! Mistakes in `launch!`.
use ptyx::{kernel, launch};

#[kernel]
fn k(x: f32) {}

fn mistakes(x: f32) {
    launch!();
    launch!(k);
    launch!(k(x));
    launch!((k, x));
    launch!(<<<1, 2>>>(x));
    launch!(k<<<1, 2>>>);
    launch!(k<<<1, 2, 0, &(), 5>>>(x));
    launch!(k<<<1, 2>>>(x), registers = 32);
    launch!(k<<<1, 2>>>(x), maxregs = 32, maxregs = 33);
    launch!(k<<<1, 2>>>(x), threads = 3);
    launch!(k<<<1, 2>>>(x), maxregs);
    launch!(k<<<1, 2>>>(x), maxregs =);
    launch!(self.k<<<1, 2>>>(x), alias = "a", unknown = 1, alias = "b");
    launch!(|x| x<<<1, 2>>>(x));
    launch!(k<<<1, 2>>>(x,, x));
    launch!(k<<<1, 2>>>(x), cluster);
    launch!(k<<<1, 2>>>(x), cooperative, programmatic);
}
