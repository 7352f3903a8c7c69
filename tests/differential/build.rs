//! Writes the random programs, then compiles them as kernels (not if `Batch::HOST_ONLY` is set).
//!
//! Fused multiply-add is off: the host rounds products, so the device has to.

use std::path::Path;

use ptyx_program_generator::Batch;

/// Programs in an ordinary `cargo test`: most of its time goes into compiling them.
const COUNT: usize = 12;

fn main() {
    for variable in Batch::VARIABLES.iter().chain([&Batch::HOST_ONLY]) {
        println!("cargo::rerun-if-env-changed={variable}");
    }
    println!("cargo::rerun-if-changed=build.rs");
    match Batch::from_environment(|name| std::env::var(name).ok(), COUNT) {
        Ok(batch) => {
            let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
            std::fs::write(Path::new(&out).join("programs.rs"), batch.source())
                .expect("OUT_DIR can be written");
        }
        Err(error) => println!("cargo::error={error}"),
    }
    if std::env::var_os(Batch::HOST_ONLY).is_none() {
        ptyx_compiler::Build::new().fma(false).run();
    }
}
