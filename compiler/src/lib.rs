//! Compiles the CUDA kernels of a crate, from its build script, with the LLVM that rustc ships.
