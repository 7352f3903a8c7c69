//! Kernels are in `tests/`, each program a folder. What they share is a package of its own.

pub use ptyx_test_support::*;
