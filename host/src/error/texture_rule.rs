//! What the hardware requires of arrays and textures.

use core::fmt;

/// A rule that an array, texture or surface breaks, with the values that break it.
///
/// Dimensions are numbered from 0 in the order of indices: layers, faces or planes, then rows, then columns.
///
/// ```
/// use ptyx::device::texture::Cube;
/// use ptyx::{CudaArray, Error, TextureRule};
/// match CudaArray::<f32, Cube>::zeroed([6, 16, 8]) {
///     Err(Error::Texture(TextureRule::Square { rows: 16, columns: 8 })) => {}
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TextureRule {
    /// A dimension must have at least one texel, and no more than the device allows.
    Size {
        /// The dimension's number.
        dimension: usize,
        /// Its size, in texels.
        size: usize,
        /// The largest size that the device allows, in texels.
        most: usize,
    },
    /// A cube must have six faces, and a layered cube a multiple of six.
    Faces {
        /// The number of faces.
        faces: usize,
    },
    /// A face must be a square.
    Square {
        /// Its rows.
        rows: usize,
        /// Its columns.
        columns: usize,
    },
    /// A mipmap must have at least one level, and no more than it takes until all sides are 1.
    Levels {
        /// The requested number of levels.
        levels: usize,
        /// The largest number.
        most: usize,
    },
    /// The array must have the level that is requested.
    Level {
        /// The level's number, from 0.
        level: usize,
        /// How many levels it has.
        levels: usize,
    },
    /// [`AddressMode::Wrap`](crate::AddressMode::Wrap) and [`Mirror`](crate::AddressMode::Mirror) need normalised
    /// coordinates.
    Wrap,
    /// Only texels that are read as floats can be filtered linearly.
    Filter,
    /// A mipmap needs normalised coordinates.
    Mipmap,
    /// Only texels of `u8` that are read as floats can be sRGB.
    Srgb,
    /// The maximum anisotropy must be 1 to 16.
    Anisotropy {
        /// The requested maximum.
        most: u32,
    },
    /// The first element must be aligned for textures.
    Address {
        /// The address.
        address: u64,
        /// What it must be a multiple of.
        alignment: u64,
    },
    /// The pitch of a buffer must be at least the size of a row, and aligned for textures.
    Pitch {
        /// The pitch, in bytes.
        bytes: usize,
        /// The size of a row, in bytes.
        row: usize,
        /// What the pitch must be a multiple of.
        alignment: usize,
    },
    /// Only arrays of the kinds `D2`, `D2Layered` and `D3` can get their memory later, on devices that support it;
    /// and each function that maps memory is for one kind of such arrays, sparse or deferred.
    Sparse,
    /// A sparse array whose copies go through the host ([`CudaArray::sparse`](crate::CudaArray::sparse)) was to be copied to or from
    /// another device.
    SparsePeer,
    /// Surfaces can be made of an array that gets its memory later only if it was made for them:
    /// [`ArrayUses::surfaces`](crate::ArrayUses::surfaces).
    NoSurfaces,
    /// The array has no memory yet: see [`CudaArray::map_all_on`](crate::CudaArray::map_all_on).
    NoMemory,
    /// The pool must have enough free tiles, side by side where one part of an array takes several.
    Tiles {
        /// The tiles that are needed.
        needed: usize,
        /// The tiles that are free.
        free: usize,
    },
    /// The rows must be within the buffer.
    Length {
        /// The number of elements up to the last one of the last row.
        needed: usize,
        /// The buffer's length, in elements.
        len: usize,
    },
}

impl fmt::Display for TextureRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            TextureRule::Size { dimension, size, most } => write!(
                f,
                "dimension {dimension} has {size} texels: the device allows 1 to {most} there"
            ),
            TextureRule::Faces { faces } => write!(
                f,
                "it has {faces} faces: a cube has 6, and layers of cubes have a multiple of 6"
            ),
            TextureRule::Square { rows, columns } => {
                write!(f, "a face of {rows} rows and {columns} columns is not a square")
            }
            TextureRule::Levels { levels, most } => {
                write!(f, "{levels} levels: there can be 1 to {most}, until all sides are 1")
            }
            TextureRule::Level { level, levels } => {
                write!(f, "there is no level {level}: there are {levels}, counted from 0")
            }
            TextureRule::Wrap => f.write_str(
                "`AddressMode::Wrap` and `Mirror` need normalised coordinates: set `normalized(true)`",
            ),
            TextureRule::Filter => f.write_str(
                "integers can't be filtered linearly: read them as floats, or set the filter to \
                 `FilterMode::Point`",
            ),
            TextureRule::Mipmap => {
                f.write_str("a mipmap needs normalised coordinates: set `normalized(true)`")
            }
            TextureRule::Srgb => {
                f.write_str("only texels of `u8` that are read as floats can be sRGB")
            }
            TextureRule::Anisotropy { most } => {
                write!(f, "an anisotropy of {most}: it must be 1 to 16")
            }
            TextureRule::Address { address, alignment } => write!(
                f,
                "the address {address:#x} is not a multiple of {alignment}: use the start of a buffer"
            ),
            TextureRule::Pitch { bytes, row, alignment } => write!(
                f,
                "the pitch is {bytes} bytes: it must be at least the row's {row} bytes, and a multiple of \
                 {alignment}"
            ),
            TextureRule::SparsePeer => f.write_str(
                "sparse arrays that have levels, or whose last tiles are not whole, can't be copied from one device to \
                 another; copy to the host first",
            ),
            TextureRule::Sparse => f.write_str(
                "only arrays of the kinds `D2`, `D2Layered` and `D3` can get their memory later, on devices with \
                 `DeviceProperty::SparseCudaArraySupported` or `DeferredMappingCudaArraySupported`; map tiles and \
                 tails only of arrays from `CudaArray::sparse`, and call `map_all_on` only for those from \
                 `CudaArray::deferred`",
            ),
            TextureRule::NoSurfaces => f.write_str(
                "the array is not for surfaces: make it with `CudaArray::sparse_for` or `CudaArray::deferred_for`, and \
                 `ArrayUses::new().surfaces(true)`",
            ),
            TextureRule::NoMemory => {
                f.write_str("the array has no memory yet: call `CudaArray::map_all_on` first")
            }
            TextureRule::Tiles { needed, free } => write!(
                f,
                "{needed} tiles are needed (side by side where one part of an array takes several), and {free} tiles \
                 of the pool are free: unmap some, or make a larger `TilePool`"
            ),
            TextureRule::Length { needed, len } => {
                write!(f, "it needs {needed} elements, but the buffer has {len}")
            }
        }
    }
}
