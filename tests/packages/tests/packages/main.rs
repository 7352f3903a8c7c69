//! Packages outside the workspace, built as users build theirs and run on the emulated device: what a
//! package's build can choose, how cargo, rustc and the linker treat what Ptyx makes, and what is said
//! about mistakes.

mod build_script;
mod debug_info;
mod diagnostics;
mod equal_names;
mod families;
mod fma;
mod other_names;
mod overflow_checks;
mod package;
mod targets;
mod unchecked;
