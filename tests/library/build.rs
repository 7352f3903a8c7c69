//! Compiles the kernels that this library launches itself.

fn main() {
    ptyx_compiler::build()
}
