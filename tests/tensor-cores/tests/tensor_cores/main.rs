//! Tensor cores on the device, against products computed on the host.

mod byte_tiles;
mod code;
mod combinations;
mod narrow;
mod owned;
mod pipelined;
mod products;
mod quads;
mod rounding;
mod sparse;
mod special_values;
mod tiles;
mod warpgroup;
mod warpgroup_loop;
mod warpgroup_rounding;
mod warpgroup_widths;
