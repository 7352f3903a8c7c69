//! Runs the code generator in a process of its own.
//!
//! LLVM reports what its backend can't do by ending the process. In another process that costs the user
//! nothing but a message: the build script itself goes on and says what happened. Then all is done once
//! more, each kernel in a process of its own, so that the other kernels get their messages, too
//! ([`compile`]).
//!
//! A worker is the build script's own program, started again. Its `main` is the user's, so code before
//! `ptyx_compiler::build()` runs again, too; then [`serve`], the first thing that `build` does, finds its
//! [`jobs::Job`] and never returns. (A fork would avoid both, but the child of a process with threads
//! must not allocate before it runs another program, and the user's `main` may have started some.)

mod contract;
mod jobs;
mod libdevice;
mod process;
mod program;
mod serve;

pub(crate) use contract::{check_toolchain, contract};
pub(crate) use libdevice::choose as choose_libdevice;
pub(crate) use program::compile;
pub(crate) use serve::serve;
