//! The variables that cargo sets for build scripts, those that Ptyx reads.

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

/// Cargo's word for `--cfg=ptyx_device`: this is a build script of the device pass.
pub(crate) const PTYX_DEVICE: &str = "CARGO_CFG_PTYX_DEVICE";
