//! D14: tiles of tensors, which the hardware copies.

mod bulk;
mod clusters;
mod columns;
mod conversions;
mod drafts;
mod interleave;
mod reductions;
mod rings;
mod rules;
mod tiles;
