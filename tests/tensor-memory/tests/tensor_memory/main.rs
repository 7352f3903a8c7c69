//! D14: tiles of tensors, which the hardware copies.

mod clusters;
mod columns;
mod reductions;
mod rules;
mod tiles;
