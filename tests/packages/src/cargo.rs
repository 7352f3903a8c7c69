//! Cargo for packages outside the workspace.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The variables that would change every build.
const CLEARED: [&str; 13] = [
    "RUSTC_BOOTSTRAP",
    "PTYX_DUMP",
    "PTYX_FMA",
    "PTYX_PASSES",
    "PTYX_DEBUG_INFO",
    "PTYX_TARGETS",
    "PTYX_LIBDEVICE",
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTC_WRAPPER",
    // Cargo gives them to build scripts, and the last to tests of a package that has one.
    "RUSTC",
    "RUSTC_WORKSPACE_WRAPPER",
    "PTYX_BUILD",
];

/// Cargo in `folder`, building into `target`: programs run on the emulated device, nothing of the build that
/// this process belongs to gets there, and all calls agree on what decides whether dependencies are built
/// again.
pub fn cargo(folder: &Path, target: &Path) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut cargo = Command::new(program);
    for variable in CLEARED {
        cargo.env_remove(variable);
    }
    cargo
        .current_dir(folder)
        .env("CARGO_TARGET_DIR", target)
        // Faster for builds that are hardly repeated, and no warnings of some file systems.
        .env("CARGO_INCREMENTAL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        // Said for build scripts, too, it is the same with `--target` and without: then the compiler is built
        // once for both.
        .env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_DEBUG", "false")
        .env("CARGO_NET_OFFLINE", "true")
        .env("CARGO_TERM_COLOR", "never")
        .env("PTYX_DEVICE", "emulator");
    cargo
}

/// The root of the workspace.
pub fn workspace() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).expect("a package two folders below the root").to_owned()
}

/// The manifest of a package that uses Ptyx from the workspace: `dependencies` are added to Ptyx, `more`
/// ends it.
pub fn manifest(name: &str, version: &str, dependencies: &str, more: &str) -> String {
    let (host, compiler) = (workspace().join("host"), workspace().join("compiler"));
    format!(
        "[package]\nname = \"{name}\"\nversion = \"{version}\"\nedition = \"2024\"\n\n\
         [dependencies]\nptyx = {{ path = {host:?} }}\n{dependencies}\n\
         [build-dependencies]\nptyx-compiler = {{ path = {compiler:?} }}\n\n{more}"
    )
}
