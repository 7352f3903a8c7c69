//! The variables that cargo sets for build scripts, those that Ptyx reads.

use std::ffi::OsStr;
use std::path::Path;

pub(crate) const CARGO: &str = "CARGO";
pub(crate) const RUSTC: &str = "RUSTC";
pub(crate) const PACKAGE: &str = "CARGO_PKG_NAME";
pub(crate) const VERSION: &str = "CARGO_PKG_VERSION";
pub(crate) const MANIFEST_DIR: &str = "CARGO_MANIFEST_DIR";
pub(crate) const OUT_DIR: &str = "OUT_DIR";
pub(crate) const TARGET: &str = "TARGET";
/// The package's features, by their exact names.
pub(crate) const FEATURES: &str = "CARGO_CFG_FEATURE";
pub(crate) const PROFILE: &str = "PROFILE";
pub(crate) const DEBUG: &str = "DEBUG";
pub(crate) const RUSTFLAGS: &str = "CARGO_ENCODED_RUSTFLAGS";

/// All of these.
pub(crate) const READ: [&str; 11] = [
    CARGO,
    RUSTC,
    PACKAGE,
    VERSION,
    MANIFEST_DIR,
    OUT_DIR,
    TARGET,
    FEATURES,
    PROFILE,
    DEBUG,
    RUSTFLAGS,
];

/// What runs rustc for the crates of the workspace.
const WORKSPACE_WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// Whether this is a build script of `cargo clippy`, which links and runs nothing, so that kernels would be
/// compiled for nothing. Cargo keeps what these build scripts make apart from that of other builds.
pub(crate) fn is_clippy() -> bool {
    println!("cargo::rerun-if-env-changed={WORKSPACE_WRAPPER}");
    is_driver_of_clippy(std::env::var_os(WORKSPACE_WRAPPER).as_deref())
}

fn is_driver_of_clippy(wrapper: Option<&OsStr>) -> bool {
    wrapper.and_then(|path| Path::new(path).file_stem()).is_some_and(|stem| stem == "clippy-driver")
}

/// Cargo's word for `--cfg=ptyx_device`: this is a build script of the device pass.
pub(crate) const PTYX_DEVICE: &str = "CARGO_CFG_PTYX_DEVICE";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clippy_is_known_by_its_wrapper() {
        let is_clippy = |wrapper: &str| is_driver_of_clippy(Some(OsStr::new(wrapper)));
        assert!(is_clippy("/opt/toolchain/bin/clippy-driver") && is_clippy("clippy-driver.exe"));
        assert!(!is_clippy("") && !is_clippy("/usr/bin/sccache") && !is_driver_of_clippy(None));
    }
}
