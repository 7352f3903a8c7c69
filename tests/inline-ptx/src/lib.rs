//! What these tests share with those of `tests/`: a separate package, because the kernels there take minutes to
//! compile.

pub use ptyx_test_support::{Rng, images, rng};
