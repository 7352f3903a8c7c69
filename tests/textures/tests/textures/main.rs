//! D18, H18: CUDA arrays, textures and surfaces.

mod arrays;
mod code;
mod cubes;
mod filters;
mod formats;
mod graphs;
mod levels;
mod memory;
mod sparse;
mod surfaces;
