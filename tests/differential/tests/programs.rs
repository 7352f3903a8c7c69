//! Random programs, as `build.rs` wrote them. Environment variables choose them at build time: see
//! `ptyx_program_generator::Batch`.

// rustc looks for it while it parses, and hears only the whole crate.
#![allow(break_with_label_and_loop)]

#[allow(warnings, clippy::all, arithmetic_overflow, overflowing_literals, unconditional_panic)]
#[deny(unsafe_code)]
mod programs {
    use core::sync::atomic::{Ordering::*, *};
    use ptyx::DeviceCopy;
    use ptyx_differential::digest::Digest;
    use ptyx_differential::library::*;
    use ptyx_differential::{Entry, Out, Program, World};

    include!(concat!(env!("OUT_DIR"), "/programs.rs"));
}

#[test]
fn host_and_device_agree() {
    ptyx_differential::check_all(programs::PROGRAMS);
}
