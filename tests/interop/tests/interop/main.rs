//! Ptyx with other crates, on the emulated device, or on a GPU if there is one.

mod arrays;
mod cudarc_feature;
mod foreign;
mod pods;
mod tensors;
mod tracing_feature;
