//! The contract with rustc and std: what this crate knows about them, in one place.
//!
//! | file | holds |
//! |---|---|
//! | `toolchain.rs` | the rustc that compiles the package, and the LLVM inside it |
//! | `environment.rs` | what a rustc or a cargo that we start must not see of the outer one's |
//! | `variables.rs` | the variables that cargo sets for build scripts |
//! | `flags.rs` | the options of rustc that the device pass needs |
//! | `names.rs` | symbols to paths |
//! | `paths.rs` | functions of the standard library and of rustc's runtime that are known by name |
//! | `location.rs` | the layout of `core::panic::Location` |
//! | `fmt_template.rs`, `formatters.rs` | what `format_args!` makes, and who formats |

mod environment;
pub(crate) mod flags;
pub(crate) mod fmt_template;
pub(crate) mod formatters;
mod location;
mod names;
pub(crate) mod paths;
mod toolchain;
pub(crate) mod variables;

pub(crate) use environment::{is_scrubbed, scrub};
pub(crate) use location::read_location;
pub(crate) use names::{instantiating_crate, is_closed_std, is_launch, path_of, public_name};
pub(crate) use toolchain::Toolchain;
pub(crate) use variables::is_clippy;
