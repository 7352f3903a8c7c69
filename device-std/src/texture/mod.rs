//! Textures and surfaces. A texture is an image that the hardware reads: it finds the texels (elements) near a
//! coordinate and can blend them. A surface is an image that kernels read and write texel by texel (PTX ISA,
//! [texture instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions) and
//! [surface instructions](https://docs.nvidia.com/cuda/parallel-thread-execution/#surface-instructions)).
//!
//! The host makes a `ptyx::Texture` of a `ptyx::CudaArray` or of a buffer and passes it to the kernel by reference. Its
//! options say whether coordinates count texels or go from 0 to 1, whether texels are blended, and what lies outside.
//! Types say the rest: a [`Texture2D<[f32; 4]>`](Texture2D) has two dimensions, and a fetch gives four channels as
//! floats. Every device that Ptyx supports has all of this (`sm_70`).
//!
//! ```
//! use ptyx::device::texture::Texture2D;
//! use ptyx::prelude::*;
//!
//! /// Enlarges a picture. The texture has coordinates from 0 to 1 and blends texels.
//! #[kernel]
//! fn enlarge(picture: Texture2D<f32>, mut out: DisjointArray<f32, 2>) {
//!     let [rows, columns] = out.shape();
//!     let at = thread::index_2d();
//!     if let Some(pixel) = out.get_mut(at) {
//!         let [row, column] = at.get();
//!         let x = (column as f32 + 0.5) / columns as f32;
//!         let y = (row as f32 + 0.5) / rows as f32;
//!         *pixel = picture.fetch(x, y);
//!     }
//! }
//! ```
//!
//! | | dimensions | coordinates | CUDA C++ |
//! |---|---|---|---|
//! | [`Texture1D`] | 1 | `x` | `tex1D` |
//! | [`Texture2D`] | 2 | `x`, `y` | `tex2D`, `tex2Dgather` |
//! | [`Texture3D`] | 3 | `x`, `y`, `z` | `tex3D` |
//! | [`Texture1DLayered`] | layers of 1 | `x`, layer | `tex1DLayered` |
//! | [`Texture2DLayered`] | layers of 2 | `x`, `y`, layer | `tex2DLayered` |
//! | [`TextureCube`] | 6 faces | a direction | `texCubemap` |
//! | [`TextureCubeLayered`] | layers of 6 faces | a direction, layer | `texCubemapLayered` |
//! | [`TextureLinear`] | device memory | an index | `tex1Dfetch` |
//!
//! A coordinate that is NaN or far outside is not an error: the fetch gives some texel, or the border's colour. A layer
//! beyond the last one is the last one. Linear filters compute with weights of 8 fractional bits: `docs/textures.md` of
//! the project says more about precision.
//!
//! # Panics
//! All fetches, reads and writes panic on the host.

mod dimension;
mod instructions;
mod surface;
mod texel;
mod texture_type;

pub use dimension::{Cube, CubeLayered, D1, D1Layered, D2, D2Layered, D3, Dimension, Linear};
#[doc(hidden)]
pub use dimension::{Properties, Sizes, properties};
pub use surface::{
    Surface, Surface1D, Surface1DLayered, Surface2D, Surface2DLayered, Surface3D, SurfaceDimension,
};
pub use texel::{Channel, Fetched, ReadAs, Texel};
#[doc(hidden)]
pub use texel::{Format, format, reading};
pub use texture_type::{
    Texture, Texture1D, Texture1DLayered, Texture2D, Texture2DLayered, Texture3D, TextureCube,
    TextureCubeLayered, TextureLinear,
};
