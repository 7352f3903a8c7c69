//! Compiles the kernels of this package.

#[path = "../parts.rs"]
mod parts;

fn main() {
    parts::choose();
    ptyx_compiler::build();
}
