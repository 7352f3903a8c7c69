//! Compiles the kernels with libdevice: the one that `PTYX_TEST_LIBDEVICE` names, else one that is
//! found. Without one the tests say that they are skipped.

use ptyx_compiler::{Build, Libdevice};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(ptyx_libdevice_tests)");
    println!("cargo::rustc-cfg=ptyx_libdevice_tests");
    println!("cargo::rerun-if-env-changed=PTYX_TEST_LIBDEVICE");
    let libdevice = match std::env::var_os("PTYX_TEST_LIBDEVICE") {
        Some(path) if !path.is_empty() => Libdevice::At(path.into()),
        _ => Libdevice::Auto,
    };
    Build::new().libdevice(libdevice).run();
}
