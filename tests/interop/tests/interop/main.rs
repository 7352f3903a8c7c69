//! Ptyx with other crates, on the emulated device, or on a GPU if there is one.

// In the parts that `.ci/run` takes turns with (`tests/parts.rs`).
#[cfg(part = "0")]
mod halves;
#[cfg(part = "0")]
mod pods;

#[cfg(part = "1")]
mod cells;
#[cfg(part = "1")]
mod tensors;
#[cfg(part = "1")]
mod tracing_feature;

#[cfg(part = "2")]
mod arrays;
#[cfg(part = "2")]
mod cudarc_feature;
#[cfg(part = "2")]
mod foreign;
#[cfg(part = "2")]
mod reinterpreted;
