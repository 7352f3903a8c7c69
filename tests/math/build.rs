//! Compiles the kernels with the mathematical functions in Rust.

use ptyx_compiler::{Build, Libdevice};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(ptyx_libdevice_tests)");
    Build::new().libdevice(Libdevice::Off).run();
}
