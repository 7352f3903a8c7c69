//! CUDA kernels in ordinary Rust: devices, memory, streams, launching.
