//! Graphs (CUDA driver API, "Graph Management", and the captures of "Stream Management").
//!
//! A launch of a graph gives each node to the stream, after the nodes that it comes after; with
//! `PTYX_EMULATOR_ASYNC=1`, nodes that don't depend on each other run in any order.

mod build;
mod capture;
mod exec;
mod nodes;

pub(super) use build::*;
pub(super) use capture::*;
pub(super) use exec::*;
pub(super) use nodes::*;
