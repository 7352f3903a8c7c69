//! What a package's build can choose. Each test has a package of its own outside the workspace, builds
//! it in several ways, and runs it on the emulated device. `tests/diagnostics` has built the
//! dependencies before.

mod configurations;
mod debug_info;
mod equal_names;
mod fma;
mod other_names;
mod overflow_checks;
mod package;
mod targets;
