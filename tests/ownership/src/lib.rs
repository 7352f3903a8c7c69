//! What the tests of ownership share.

pub use ptyx_test_support::{Rng, alone, images, rng};
