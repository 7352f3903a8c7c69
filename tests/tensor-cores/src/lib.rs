//! What the tests of tensor cores share: kernels that multiply matrices, and the same products on the host.

mod number;
mod product;

pub use number::{Number, pack};
pub use product::{Case, Matrix, capability};
pub use ptyx_test_support::{Rng, alone_with, images, rng};
