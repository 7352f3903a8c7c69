//! What these tests share with `ptyx-tests`, a separate package because its kernels take minutes to
//! compile.

#[path = "../../src/lib.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
mod support;

pub use support::{Rng, images, rng};
