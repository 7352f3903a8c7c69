//! The options of rustc that make the device pass what it is. Those that come from the user's own flags
//! are in `device_pass/flags.rs`.

/// Bitcode as rustc hands it to LLVM, before any of its passes: passes that know nothing of convergence
/// duplicate barriers. No lints: those of the host pass are the user's, and those of inline PTX, which is
/// assembly for another machine here, would be 115 MB of warnings from the device library alone.
pub(crate) const DEVICE: [&str; 6] = [
    "-Clinker-plugin-lto",
    "-Cno-prepopulate-passes",
    "-Ccodegen-units=1",
    "-Cstrip=none",
    "--emit=llvm-bc",
    "--cap-lints=allow",
];

/// Lines without variables: messages need them always.
pub(crate) const LINES: &str = "-Cdebuginfo=line-directives-only";
/// What debuggers need.
pub(crate) const FULL_DEBUG_INFO: &str = "-Cdebuginfo=full";

/// Full MIR optimisation, except jump threading, which duplicates calls as LLVM's does. Tests abort as
/// programs do where the profile says so.
pub(crate) const OPTIMISED: [&str; 3] =
    ["-Copt-level=3", "-Zmir-enable-passes=-JumpThreading", "-Zpanic-abort-tests"];

/// Lets a stable rustc take the options of [`OPTIMISED`] that are not stable.
pub(crate) const BOOTSTRAP: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");
