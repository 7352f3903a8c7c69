//! Compiles the kernels of this package, with the libdevice that `PTYX_TEST_LIBDEVICE` names. Without one, the test
//! of its functions says that it is skipped.

use ptyx_compiler::{Build, Libdevice};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(ptyx_libdevice_tests)");
    println!("cargo::rerun-if-env-changed=PTYX_TEST_LIBDEVICE");
    let mut build = Build::new().libdevice(Libdevice::Off);
    if let Some(path) = std::env::var_os("PTYX_TEST_LIBDEVICE").filter(|path| !path.is_empty()) {
        println!("cargo::rustc-cfg=ptyx_libdevice_tests");
        build = build.libdevice(Libdevice::At(path.into()));
    }
    build.run();
}
