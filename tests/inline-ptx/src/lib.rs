//! What the tests share with those of `ptyx-tests`, whose kernels take minutes to compile.

#[path = "../../src/images.rs"]
pub mod images;
#[path = "../../src/rng.rs"]
mod rng;

pub use rng::{Rng, rng};
