//! The variables of a build script's environment that the rustc and cargo which it starts must not see.

use std::process::Command;

/// Removes the variables from a command's environment that are [`is_scrubbed`].
pub(crate) fn scrub(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        if name.to_str().is_some_and(is_scrubbed) {
            command.env_remove(name);
        }
    }
}

/// Whether a variable must not reach the nested cargo.
///
/// Cargo sets most of these for the build script; the rest would change the nested pass: other
/// compilers and wrappers (`RUSTC_WORKSPACE_WRAPPER` is how clippy comes in), flags, and the outer
/// target directory, whose lock the outer cargo holds. `CARGO_MAKEFLAGS` stays: through it the nested
/// cargo takes its share of the outer one's jobs. `RUSTUP_TOOLCHAIN` stays: where `RUSTC` is rustup's
/// proxy, it says which toolchain this is.
pub(crate) fn is_scrubbed(name: &str) -> bool {
    const EXACT: &[&str] = &[
        "CARGO_BIN_NAME",
        "CARGO_CRATE_NAME",
        "CARGO_ENCODED_RUSTDOCFLAGS",
        "CARGO_ENCODED_RUSTFLAGS",
        "CARGO_INCREMENTAL",
        "CARGO_LOG",
        "CARGO_PRIMARY_PACKAGE",
        "CLIPPY_ARGS",
        "CLIPPY_CONF_DIR",
        "DEBUG",
        "HOST",
        "NUM_JOBS",
        "OPT_LEVEL",
        "OUT_DIR",
        "PROFILE",
        "RUSTC",
        "RUSTC_LINKER",
        "RUSTC_LOG",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "RUSTDOC",
        "RUSTDOCFLAGS",
        "RUSTFLAGS",
        "TARGET",
    ];
    const PREFIXES: &[&str] = &[
        "CARGO_BUILD_",
        "CARGO_CFG_",
        "CARGO_FEATURE_",
        "CARGO_MANIFEST_",
        "CARGO_PKG_",
        "CARGO_TARGET_",
        "DEP_",
    ];
    EXACT.contains(&name) || PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scrubbed_and_kept_variables() {
        for name in [
            "RUSTC_WORKSPACE_WRAPPER",
            "CARGO_TARGET_DIR",
            "CARGO_BUILD_BUILD_DIR",
            "CARGO_CFG_PTYX_DEVICE",
            "CARGO_FEATURE_X",
            "CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS",
            "DEP_Z_INCLUDE",
        ] {
            assert!(is_scrubbed(name), "{name}");
        }
        for name in [
            "CARGO_HOME",
            "CARGO_MAKEFLAGS",
            "CARGO_NET_OFFLINE",
            "CARGO_PROFILE_RELEASE_DEBUG_ASSERTIONS",
            "HOME",
            "PATH",
            "RUSTUP_HOME",
            "RUSTUP_TOOLCHAIN",
        ] {
            assert!(!is_scrubbed(name), "{name}");
        }
    }
}
