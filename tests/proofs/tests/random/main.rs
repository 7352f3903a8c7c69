//! Kernels in the styles in which people calculate indices, launched with arguments near the edges.
//!
//! The body of each kernel is a function that the host can run, too, with all its checks: so the test knows of each launch which
//! threads must panic, with which message and where, and what the launch writes if none does. A check that is left out wrongly
//! is a fault of the emulated device, or a launch that does not panic. Most of the kernels must have a copy without checks, which
//! some of the launches run.

mod groups;
mod harness;
mod images;
mod layouts;
mod loops;
mod parts;
mod searches;
mod steps;
