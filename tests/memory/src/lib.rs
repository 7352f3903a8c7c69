//! What the tests of memory share.

#[path = "../../support/src/lib.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
mod support;

pub use support::{Rng, alone_with, rng};
