//! What the tests of proved checks share.

pub use ptyx_test_support::{Rng, alone, images, rng};
