//! Compiles the kernels of this package. Without fused multiply-add, so that float arithmetic gives
//! the host's results bit by bit.

fn main() {
    ptyx_compiler::Build::new().fma(false).run();
}
