//! D13, D14: clusters of blocks, their shared memory, and programmatic dependent launches.

mod launching;
mod memory;
mod order;
