//! The dimensions of arrays and textures, as types (the geometry of PTX's
//! [`tex`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex), such as `.a2d`; `sm_70`).

use core::fmt;

/// The number and kind of dimensions of an array or a texture: [`D2`], [`D2Layered`] and so on.
///
/// ```
/// use ptyx::device::texture::{D2, D2Layered, Dimension};
/// fn numbers<D: Dimension>() -> usize {
///     D::Shape::default().as_ref().len()
/// }
/// assert_eq!(numbers::<D2>(), 2); // rows, columns
/// assert_eq!(numbers::<D2Layered>(), 3); // layers, rows, columns
/// ```
pub trait Dimension: Copy + Send + Sync + 'static + sealed::Dimension {
    /// The size of each dimension, in the order of array indices: layers or faces first, columns last.
    type Shape: Copy
        + Default
        + PartialEq
        + fmt::Debug
        + Send
        + Sync
        + AsRef<[usize]>
        + AsMut<[usize]>
        + 'static;
}

pub(super) mod sealed {
    pub trait Dimension {
        /// Rows of a layer, a face or a plane.
        const HAS_ROWS: bool;
        /// Planes.
        const HAS_PLANES: bool;
        /// The first number of the shape counts layers.
        const IS_LAYERED: bool;
        /// It counts faces.
        const IS_CUBE: bool;
    }
}

macro_rules! dimensions {
    ($($(#[$doc:meta])* $name:ident $count:literal: $rows:literal $planes:literal $layers:literal $cube:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl Dimension for $name {
            type Shape = [usize; $count];
        }

        impl sealed::Dimension for $name {
            const HAS_ROWS: bool = $rows;
            const HAS_PLANES: bool = $planes;
            const IS_LAYERED: bool = $layers;
            const IS_CUBE: bool = $cube;
        }
    )*};
}

dimensions! {
    /// One dimension.
    ///
    /// ```
    /// use ptyx::{CudaArray, device::texture::D1};
    ///
    /// // A table that kernels interpolate.
    /// let table = CudaArray::<f32, D1>::from_slice(&[0.0, 1.0, 4.0, 9.0], [4])?;
    /// assert_eq!(table.shape(), [4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    D1 1: false false false false;
    /// Two dimensions.
    ///
    /// ```
    /// use ptyx::{CudaArray, device::texture::D2};
    ///
    /// let picture = CudaArray::<[u8; 4], D2>::from_slice(&[[0, 0, 0, 255]; 6], [2, 3])?;
    /// assert_eq!(picture.shape(), [2, 3]); // rows, columns
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    D2 2: true false false false;
    /// Three dimensions.
    ///
    /// ```
    /// use ptyx::{CudaArray, device::texture::D3};
    ///
    /// let volume = CudaArray::<u16, D3>::from_slice(&[0; 24], [2, 3, 4])?;
    /// assert_eq!(volume.shape(), [2, 3, 4]); // planes, rows, columns
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    D3 3: true true false false;
    /// Layers of one dimension: layers first.
    ///
    /// ```
    /// use ptyx::device::texture::{D1Layered, Texture};
    ///
    /// /// A value from one of several tables. Layers are never interpolated.
    /// fn looked_up(tables: Texture<f32, D1Layered>, table: u32, x: f32) -> f32 {
    ///     tables.fetch(x, table)
    /// }
    /// ```
    D1Layered 2: false false true false;
    /// Layers of two dimensions: layers first.
    ///
    /// ```
    /// use ptyx::{CudaArray, device::texture::D2Layered};
    ///
    /// // Two frames of a film.
    /// let film = CudaArray::<u8, D2Layered>::from_slice(&[0; 24], [2, 3, 4])?;
    /// assert_eq!(film.shape(), [2, 3, 4]); // layers, rows, columns
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    D2Layered 3: true false true false;
    /// The six faces of a cube, which are squares: faces first, +x, -x, +y, -y, +z, -z.
    ///
    /// ```
    /// use ptyx::{CudaArray, device::texture::Cube};
    ///
    /// let mut texels = vec![0.0; 6 * 16 * 16];
    /// texels[2 * 16 * 16..3 * 16 * 16].fill(1.0); // light comes from +y
    /// let light = CudaArray::<f32, Cube>::from_slice(&texels, [6, 16, 16])?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    Cube 3: true false false true;
    /// Cubes: the first extent counts the faces of all of them.
    ///
    /// ```
    /// use ptyx::{CudaArray, device::texture::CubeLayered};
    ///
    /// // The light at four places in a room.
    /// let light = CudaArray::<f32, CubeLayered>::from_slice(&[0.5; 24 * 8 * 8], [4 * 6, 8, 8])?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    CubeLayered 3: true false true true;
    /// Device memory, read by index.
    ///
    /// ```
    /// use ptyx::device::texture::{Linear, Texture};
    ///
    /// /// A byte as a number from 0 to 1. The hardware converts it.
    /// fn converted(bytes: Texture<f32, Linear>, index: i32) -> f32 {
    ///     bytes.fetch(index)
    /// }
    /// ```
    Linear 1: false false false false;
}

/// What the host asks about dimensions.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Properties {
    pub has_rows: bool,
    pub has_planes: bool,
    pub is_layered: bool,
    pub is_cube: bool,
}

/// The properties of dimensions.
#[doc(hidden)]
pub const fn properties<D: Dimension>() -> Properties {
    Properties {
        has_rows: D::HAS_ROWS,
        has_planes: D::HAS_PLANES,
        is_layered: D::IS_LAYERED,
        is_cube: D::IS_CUBE,
    }
}

/// How large an image is. The hardware can't be asked for it: drivers take no `txq` and `suq` of an object (an H200's
/// refused modules with them), so the host passes it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sizes {
    /// Texels of a row; rows; planes, layers or faces.
    pub extents: [u32; 3],
    /// The number of mipmap levels: 1 without a mipmap.
    pub levels: u32,
}
