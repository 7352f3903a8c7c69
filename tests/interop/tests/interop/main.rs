//! Ptyx with other crates, on the emulated device, or on a GPU if there is one.

mod arrays;
mod cells;
mod cudarc_feature;
mod foreign;
mod halves;
mod pods;
mod reinterpreted;
mod tensors;
mod tracing_feature;
