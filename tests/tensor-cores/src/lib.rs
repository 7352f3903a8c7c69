//! What the tests of tensor cores share: kernels that multiply matrices, and the same products on the host.

mod number;
mod product;

#[path = "../../support/src/lib.rs"]
#[allow(dead_code, unreachable_pub, unused_imports)]
mod support;

pub use number::{Number, pack};
pub use product::{Case, Matrix, capability};
pub use support::{Rng, images, rng};
