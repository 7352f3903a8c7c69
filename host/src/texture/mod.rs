//! CUDA arrays, textures and surfaces.

mod array;
mod boxes;
mod convert;
mod levels;
mod options;
mod owned;
mod properties;
mod shape;
mod sparse;
mod surface;
mod texture_type;
mod tiles;
mod uses;

pub use array::CudaArray;
pub use boxes::{TexelBox, TexelPlace};
pub use options::{AddressMode, FilterMode, TextureOptions};
pub use properties::{ArrayInfo, ArrayRequirements, SparseProperties};
pub use surface::Surface;
pub use texture_type::Texture;
pub use tiles::TilePool;
pub use uses::ArrayUses;
