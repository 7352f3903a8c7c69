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
    ($($(#[doc = $doc:literal])* $name:ident $count:literal: $rows:literal $planes:literal $layers:literal $cube:literal;)*) => {$(
        $(#[doc = $doc])*
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
    D1 1: false false false false;
    /// Two dimensions.
    D2 2: true false false false;
    /// Three dimensions.
    D3 3: true true false false;
    /// Layers of one dimension: layers first.
    D1Layered 2: false false true false;
    /// Layers of two dimensions: layers first.
    D2Layered 3: true false true false;
    /// The six faces of a cube, which are squares: faces first, +x, -x, +y, -y, +z, -z.
    Cube 3: true false false true;
    /// Cubes: the faces of all of them first.
    CubeLayered 3: true false true true;
    /// Device memory, read by index.
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
    /// How many sizes a mipmap has, else 1.
    pub levels: u32,
}
