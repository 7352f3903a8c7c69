//! Compiles the kernels of this package.

fn main() {
    ptyx_compiler::build()
}
