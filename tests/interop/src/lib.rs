//! Nothing: the kernels are in the tests.
