//! What CUDA kernels written in Rust call: indices, shared memory, shuffles, atomics, printing.
