//! Textures as kernels have them.

use super::dimension::{
    Cube, CubeLayered, D1, D1Layered, D2, D2Layered, D3, Dimension, Linear, Sizes, properties,
};
use super::instructions::{Raw, Reads};
use super::texel::{Fetched, sealed};
use core::fmt;
use core::marker::PhantomData;

/// A texture: a kernel's parameter for a `&ptyx::Texture` of the host with the same types.
///
/// `V` is what a fetch gives, `D` the dimensions. There are names for each: [`Texture2D`] and so on.
///
/// PTX [`tex`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex), [`tld4`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tld4) (`sm_70`).
///
/// ```
/// use ptyx::device::texture::Texture;
/// use ptyx::prelude::*;
///
/// /// A picture of half the size. The texture must interpolate (`FilterMode::Linear`).
/// #[kernel]
/// fn halve(picture: Texture<f32>, mut out: DisjointArray<f32, 2>) {
///     let at = thread::index_2d();
///     if let Some(pixel) = out.get_mut(at) {
///         // Midway between four texels: their mean.
///         *pixel = picture.fetch(2.0 * at.x() as f32 + 1.0, 2.0 * at.y() as f32 + 1.0);
///     }
/// }
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Texture<'a, V: Fetched, D: Dimension = D2> {
    object: u64,
    sizes: Sizes,
    of: PhantomData<(&'a V, D)>,
}

/// A texture of one dimension.
///
/// ```
/// use ptyx::device::texture::Texture1D;
/// use ptyx::prelude::*;
///
/// /// Colours for densities, from a table that is interpolated.
/// #[kernel]
/// fn colours(table: Texture1D<[f32; 4]>, densities: &[f32], mut out: Disjoint<[f32; 4]>) {
///     let i = thread::index_1d();
///     if let (Some(&density), Some(out)) = (densities.get(i.get()), out.get_mut(i)) {
///         *out = table.fetch(density);
///     }
/// }
/// ```
pub type Texture1D<'a, V> = Texture<'a, V, D1>;
/// A texture of two dimensions.
///
/// ```
/// use ptyx::device::texture::Texture2D;
/// use ptyx::prelude::*;
///
/// /// A picture, rotated by an angle with this sine and cosine.
/// #[kernel]
/// fn rotate(picture: Texture2D<f32>, sin: f32, cos: f32, mut out: DisjointArray<f32, 2>) {
///     let at = thread::index_2d();
///     if let Some(pixel) = out.get_mut(at) {
///         let (x, y) = (at.x() as f32 + 0.5, at.y() as f32 + 0.5);
///         *pixel = picture.fetch(cos * x - sin * y, sin * x + cos * y);
///     }
/// }
/// ```
pub type Texture2D<'a, V> = Texture<'a, V, D2>;
/// A texture of three dimensions.
///
/// ```
/// use ptyx::device::texture::Texture3D;
///
/// /// The density that a ray meets in a volume, summed over `steps` steps.
/// fn thickness(volume: Texture3D<f32>, from: [f32; 3], step: [f32; 3], steps: u32) -> f32 {
///     let (mut sum, [mut x, mut y, mut z]) = (0.0, from);
///     for _ in 0..steps {
///         sum += volume.fetch(x, y, z);
///         (x, y, z) = (x + step[0], y + step[1], z + step[2]);
///     }
///     sum
/// }
/// ```
pub type Texture3D<'a, V> = Texture<'a, V, D3>;
/// A texture of layers of one dimension.
///
/// ```
/// use ptyx::device::texture::Texture1DLayered;
///
/// /// A colour after each channel's own tone curve.
/// fn corrected(curves: Texture1DLayered<f32>, [red, green, blue]: [f32; 3]) -> [f32; 3] {
///     [curves.fetch(red, 0), curves.fetch(green, 1), curves.fetch(blue, 2)]
/// }
/// ```
pub type Texture1DLayered<'a, V> = Texture<'a, V, D1Layered>;
/// A texture of layers of two dimensions.
///
/// ```
/// use ptyx::device::texture::Texture2DLayered;
///
/// /// How much a place changes from one frame of a film to the next.
/// fn change(film: Texture2DLayered<f32>, x: f32, y: f32, frame: u32) -> f32 {
///     film.fetch(x, y, frame + 1) - film.fetch(x, y, frame)
/// }
/// ```
pub type Texture2DLayered<'a, V> = Texture<'a, V, D2Layered>;
/// A texture of the faces of a cube.
///
/// ```
/// use ptyx::device::texture::TextureCube;
///
/// /// The colour of the surroundings that a mirror with this normal reflects.
/// fn mirrored(around: TextureCube<[f32; 4]>, view: [f32; 3], normal: [f32; 3]) -> [f32; 4] {
///     let dot: f32 = view.iter().zip(normal).map(|(a, b)| a * b).sum();
///     let [x, y, z] = std::array::from_fn(|i| view[i] - 2.0 * dot * normal[i]);
///     around.fetch(x, y, z)
/// }
/// ```
pub type TextureCube<'a, V> = Texture<'a, V, Cube>;
/// A texture of the faces of several cubes.
///
/// ```
/// use ptyx::device::texture::TextureCubeLayered;
///
/// /// The light from a direction, interpolated between two places at which it is known.
/// fn light(probes: TextureCubeLayered<f32>, [x, y, z]: [f32; 3], first: u32, part: f32) -> f32 {
///     let (near, far) = (probes.fetch(x, y, z, first), probes.fetch(x, y, z, first + 1));
///     near + part * (far - near)
/// }
/// ```
pub type TextureCubeLayered<'a, V> = Texture<'a, V, CubeLayered>;
/// A texture of device memory, by index.
///
/// ```
/// use ptyx::device::texture::TextureLinear;
/// use ptyx::prelude::*;
///
/// /// A sparse matrix times `x`, which is read in no particular order, through the texture cache.
/// #[kernel]
/// fn multiply(rows: &[u32], columns: &[i32], values: &[f32], x: TextureLinear<f32>, mut y: Disjoint<f32>) {
///     let row = thread::index_1d();
///     if let Some(y) = y.get_mut(row) {
///         let range = rows[row.get()] as usize..rows[row.get() + 1] as usize;
///         *y = range.map(|i| values[i] * x.fetch(columns[i])).sum();
///     }
/// }
/// ```
pub type TextureLinear<'a, V> = Texture<'a, V, Linear>;

type Number<V> = <V as sealed::Fetched>::Number;
type RawOf<V> = <Number<V> as sealed::Channel>::Raw;

impl<V: Fetched, D: Dimension> Texture<'_, V, D> {
    /// The texture of an object's number.
    ///
    /// # Safety
    /// The object is a texture of these dimensions that gives such values, as long as the kernel runs.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_object(object: u64, sizes: Sizes) -> Self {
        Self { object, sizes, of: PhantomData }
    }

    /// The width: texels in a row.
    ///
    /// ```
    /// use ptyx::device::texture::Texture2D;
    ///
    /// /// The difference from the right neighbour, with coordinates from 0 to 1.
    /// fn slope(picture: Texture2D<f32>, x: f32, y: f32) -> f32 {
    ///     picture.fetch(x + 1.0 / picture.width() as f32, y) - picture.fetch(x, y)
    /// }
    /// ```
    #[inline(always)]
    pub const fn width(&self) -> u32 {
        self.sizes.extents[0]
    }

    /// The number of mipmap levels: 1 without a mipmap.
    ///
    /// ```
    /// use ptyx::device::texture::Texture2D;
    ///
    /// /// The mean of a whole picture: the only texel of the last level of its mipmap.
    /// fn mean(picture: Texture2D<f32>) -> f32 {
    ///     picture.fetch_lod(0.5, 0.5, (picture.levels() - 1) as f32)
    /// }
    /// ```
    #[inline(always)]
    pub const fn levels(&self) -> u32 {
        self.sizes.levels
    }
}

impl<V: Fetched, D: Dimension> fmt::Debug for Texture<'_, V, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, dimensions) = (core::any::type_name::<V>(), properties::<D>());
        write!(formatter, "Texture({:#x}, {value}, {dimensions:?})", self.object)
    }
}

/// `dimensions (coordinates) [all three, layer] { queries }, distances`
macro_rules! fetches {
    ($(
        $d:ident ($($name:ident: $type:ty),*) [$x:expr, $y:expr, $z:expr; $layer:expr]
        $word:literal $steps:literal |$step:ident| $wide:expr;
    )*) => {$(
        impl<V: Fetched> Texture<'_, V, $d> {
            /// The texture's value at these coordinates, filtered as its options say. A mipmap is read in its first level.
            ///
            #[doc = concat!("PTX [`tex.", $word, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex).")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::{", stringify!($d), ", Texture};")]
            ///
            /// /// The colour at a place, without its transparency.
            #[doc = concat!("fn colour(texture: Texture<[f32; 4], ", stringify!($d), ">", $(", ", stringify!($name), ": ", stringify!($type),)* ") -> [f32; 3] {")]
            #[doc = concat!("    let [red, green, blue, _alpha] = texture.fetch(", stringify!($($name),*), ");")]
            ///     [red, green, blue]
            /// }
            /// ```
            ///
            /// # Panics
            /// On the host.
            #[inline(always)]
            #[track_caller]
            pub fn fetch(&self, $($name: $type),*) -> V {
                let at = [$x, $y, $z];
                // SAFETY: a texture of these types, by `from_object`; so below.
                V::of(unsafe { <RawOf<V> as Reads<$d>>::fetch(self.object, at, $layer) })
            }

            /// The value of the texture's mipmap at these coordinates, in the level that is nearest to `lod` or
            /// blended of two levels, as its options say.
            ///
            #[doc = concat!("PTX [`tex.level.", $word, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex).")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::{", stringify!($d), ", Texture};")]
            ///
            /// /// What is seen from a distance. Twice as far away, it is the next level.
            #[doc = concat!("fn seen(texture: Texture<f32, ", stringify!($d), ">", $(", ", stringify!($name), ": ", stringify!($type),)* ", distance: f32) -> f32 {")]
            #[doc = concat!("    texture.fetch_lod(", stringify!($($name),*), ", distance.log2())")]
            /// }
            /// ```
            ///
            /// # Panics
            /// On the host.
            #[doc(alias = "tex2DLod")]
            #[inline(always)]
            #[track_caller]
            pub fn fetch_lod(&self, $($name: $type,)* lod: f32) -> V {
                let at = [$x, $y, $z];
                // SAFETY: as above.
                V::of(unsafe { <RawOf<V> as Reads<$d>>::level(self.object, at, $layer, lod) })
            }

            /// The value of the texture's mipmap at these coordinates, in the level of detail that follows from the
            /// gradients `along` and `across`: how much the coordinates change from this pixel to the next one in a
            /// row, and to the one in the next row (`dPdx` and `dPdy` of CUDA C++).
            ///
            #[doc = concat!("PTX [`tex.grad.", $word, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex).")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::{", stringify!($d), ", Texture};")]
            ///
            /// /// A pixel of a picture of 1024 pixels along each dimension, in which the texture is repeated `times` times.
            #[doc = concat!("fn pixel(texture: Texture<f32, ", stringify!($d), ">", $(", ", stringify!($name), ": ", stringify!($type),)* ", times: f32) -> f32 {")]
            #[doc = concat!("    let (mut along, mut across) = ([0.0; ", $steps, "], [0.0; ", $steps, "]);")]
            ///     along[0] = times / 1024.0;
            #[doc = concat!("    across[", $steps, " - 1] = times / 1024.0;")]
            #[doc = concat!("    texture.fetch_grad(", stringify!($($name),*), ", along, across)")]
            /// }
            /// ```
            ///
            /// # Panics
            /// On the host.
            #[doc(alias = "tex2DGrad")]
            #[inline(always)]
            #[track_caller]
            pub fn fetch_grad(
                &self,
                $($name: $type,)*
                along: [f32; $steps],
                across: [f32; $steps],
            ) -> V {
                let at = [$x, $y, $z];
                let wide = |$step: [f32; $steps]| $wide;
                let (along, across) = (wide(along), wide(across));
                // SAFETY: as above.
                V::of(unsafe {
                    <RawOf<V> as Reads<$d>>::gradient(self.object, at, $layer, along, across)
                })
            }
        }
    )*};
}

fetches! {
    D1 (x: f32) [x, 0.0, 0.0; 0] "1d" 1 |step| [step[0], 0.0, 0.0];
    D2 (x: f32, y: f32) [x, y, 0.0; 0] "2d" 2 |step| [step[0], step[1], 0.0];
    D3 (x: f32, y: f32, z: f32) [x, y, z; 0] "3d" 3 |step| step;
    D1Layered (x: f32, layer: u32) [x, 0.0, 0.0; layer] "a1d" 1 |step| [step[0], 0.0, 0.0];
    D2Layered (x: f32, y: f32, layer: u32) [x, y, 0.0; layer] "a2d" 2 |step| [step[0], step[1], 0.0];
    Cube (x: f32, y: f32, z: f32) [x, y, z; 0] "cube" 3 |step| step;
    CubeLayered (x: f32, y: f32, z: f32, layer: u32) [x, y, z; layer] "acube" 3 |step| step;
}

/// `dimensions <offsets> [all three] (coordinates) [all three, layer] word, call in the example`
macro_rules! near {
    ($(
        $d:ident <$($offset:ident)*> [$dx:expr, $dy:expr, $dz:expr] ($($name:ident: $type:ty),*) [$x:expr, $y:expr, $z:expr; $layer:expr]
        $method:ident $word:literal $texture:literal $arguments:literal $call:literal;
    )*) => {$(
        impl<V: Fetched> Texture<'_, V, $d> {
            /// As [`fetch`](Self::fetch), but this many texels further along each axis, from -8 to 7. The offsets are
            /// added to the coordinates before the address mode applies.
            ///
            #[doc = concat!("PTX [`tex.", $word, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex) with offsets (`sm_70`).")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::", $texture, ";")]
            ///
            /// /// How much a picture changes along `x`.
            #[doc = concat!("fn slope(picture: ", $texture, "<f32>, ", $arguments, ") -> f32 {")]
            #[doc = concat!("    ", $call)]
            /// }
            /// ```
            ///
            /// # Panics
            /// On the host.
            #[inline(always)]
            #[track_caller]
            pub fn fetch_offset<$(const $offset: i32),*>(&self, $($name: $type),*) -> V {
                let at = [$x, $y, $z];
                // SAFETY: as above.
                V::of(unsafe {
                    RawOf::<V>::$method::<{ $dx }, { $dy }, { $dz }>(self.object, at, $layer)
                })
            }
        }
    )*};
}

near! {
    D1 <X> [X, 0, 0] (x: f32) [x, 0.0, 0.0; 0] near_1d "1d" "Texture1D" "x: f32"
        "picture.fetch_offset::<1>(x) - picture.fetch_offset::<-1>(x)";
    D2 <X Y> [X, Y, 0] (x: f32, y: f32) [x, y, 0.0; 0] near_2d "2d" "Texture2D" "x: f32, y: f32"
        "picture.fetch_offset::<1, 0>(x, y) - picture.fetch_offset::<-1, 0>(x, y)";
    D3 <X Y Z> [X, Y, Z] (x: f32, y: f32, z: f32) [x, y, z; 0] near_3d "3d" "Texture3D" "[x, y, z]: [f32; 3]"
        "picture.fetch_offset::<1, 0, 0>(x, y, z) - picture.fetch_offset::<-1, 0, 0>(x, y, z)";
    D1Layered <X> [X, 0, 0] (x: f32, layer: u32) [x, 0.0, 0.0; layer] near_layers_1d "a1d" "Texture1DLayered" "x: f32, layer: u32"
        "picture.fetch_offset::<1>(x, layer) - picture.fetch_offset::<-1>(x, layer)";
    D2Layered <X Y> [X, Y, 0] (x: f32, y: f32, layer: u32) [x, y, 0.0; layer] near_layers_2d "a2d" "Texture2DLayered" "[x, y]: [f32; 2], layer: u32"
        "picture.fetch_offset::<1, 0>(x, y, layer) - picture.fetch_offset::<-1, 0>(x, y, layer)";
}

impl<V: Fetched> Texture<'_, V, D2> {
    /// One channel of the four texels that a linear filter would blend at these coordinates, without blending them: the
    /// lower left, lower right, upper right and upper left one, where row 0 is at the top.
    ///
    /// The array must have at most as many rows and columns as the device can gather from (32768 on current devices).
    ///
    /// PTX [`tld4.2d`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tld4).
    ///
    /// ```
    /// use ptyx::device::texture::Texture2D;
    ///
    /// /// The largest of the four reds around a place.
    /// fn largest(picture: Texture2D<[f32; 4]>, x: f32, y: f32) -> f32 {
    ///     picture.gather::<0>(x, y).into_iter().fold(0.0, f32::max)
    /// }
    /// ```
    ///
    /// # Panics
    /// On the host.
    #[doc(alias = "tex2Dgather")]
    #[inline(always)]
    #[track_caller]
    pub fn gather<const CHANNEL: usize>(&self, x: f32, y: f32) -> [V::Channel; 4]
    where
        V: Fetched<Channel = Number<V>>,
    {
        // SAFETY: as above.
        let four = unsafe { RawOf::<V>::gather::<CHANNEL>(self.object, [x, y, 0.0], 0) };
        four.map(<Number<V> as sealed::Channel>::of)
    }

    /// As [`gather`](Self::gather), but `X` columns and `Y` rows further on, each from -8 to 7.
    ///
    /// PTX [`tld4.2d`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tld4) with offsets (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::texture::Texture2D;
    ///
    /// /// The sum of the texels of four columns and two rows around a place.
    /// fn sum(picture: Texture2D<f32>, x: f32, y: f32) -> f32 {
    ///     let left = picture.gather_offset::<0, -1, 0>(x, y);
    ///     let right = picture.gather_offset::<0, 1, 0>(x, y);
    ///     left.into_iter().chain(right).sum()
    /// }
    /// ```
    ///
    /// # Panics
    /// On the host.
    #[inline(always)]
    #[track_caller]
    pub fn gather_offset<const CHANNEL: usize, const X: i32, const Y: i32>(
        &self,
        x: f32,
        y: f32,
    ) -> [V::Channel; 4]
    where
        V: Fetched<Channel = Number<V>>,
    {
        // SAFETY: as above.
        let four = unsafe { RawOf::<V>::gather_near::<CHANNEL, X, Y>(self.object, x, y) };
        four.map(<Number<V> as sealed::Channel>::of)
    }
}

/// `dimensions: parameters, place, layer, method, word, alias of the type, parameters and arguments of the example`
macro_rules! gathers {
    ($($d:ident ($($name:ident: $type:ty),*) $place:expr, $layer:expr, $method:ident $word:literal $alias:literal $parameters:literal $arguments:literal $doc:literal;)*) => {$(
        impl<V: Fetched> Texture<'_, V, $d> {
            #[doc = $doc]
            ///
            /// CUDA C++ has this for two dimensions only ([`Texture2D`](super::Texture2D)).
            ///
            #[doc = concat!("PTX [`tld4.", $word, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tld4) (`sm_70`).")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::", $alias, ";")]
            ///
            /// /// The largest of the four reds around a place.
            #[doc = concat!("fn largest(picture: ", $alias, "<[f32; 4]>, ", $parameters, ") -> f32 {")]
            #[doc = concat!("    picture.gather::<0>(", $arguments, ").into_iter().fold(0.0, f32::max)")]
            /// }
            /// ```
            ///
            /// # Panics
            /// On the host.
            #[inline(always)]
            #[track_caller]
            pub fn gather<const CHANNEL: usize>(&self, $($name: $type),*) -> [V::Channel; 4]
            where
                V: Fetched<Channel = Number<V>>,
            {
                // SAFETY: as above.
                let four = unsafe { RawOf::<V>::$method::<CHANNEL>(self.object, $place, $layer) };
                four.map(<Number<V> as sealed::Channel>::of)
            }
        }
    )*};
}

gathers! {
    D2Layered (x: f32, y: f32, layer: u32) [x, y, 0.0], layer, gather_layers "a2d" "Texture2DLayered"
        "x: f32, y: f32, layer: u32" "x, y, layer"
        "One channel of the four texels of a layer that a linear filter would blend at these coordinates, in the order of two dimensions: lower left, lower right, upper right, upper left, where row 0 is at the top.";
    Cube (x: f32, y: f32, z: f32) [x, y, z], 0, gather_cube "cube" "TextureCube"
        "[x, y, z]: [f32; 3]" "x, y, z"
        "One channel of the four texels of a face that a linear filter would blend in this direction, in the order of two dimensions: lower left, lower right, upper right, upper left, where row 0 of the face is at the top. Which texels these are where an edge of the face is closer than half a texel is up to the hardware.";
    CubeLayered (x: f32, y: f32, z: f32, layer: u32) [x, y, z], layer, gather_cubes "acube" "TextureCubeLayered"
        "[x, y, z]: [f32; 3], layer: u32" "x, y, z, layer"
        "One channel of the four texels of a face of a cube that a linear filter would blend in this direction, in the order of two dimensions: lower left, lower right, upper right, upper left, where row 0 of the face is at the top. Which texels these are where an edge of the face is closer than half a texel is up to the hardware.";
}

impl<V: Fetched> Texture<'_, V, Linear> {
    /// The element with this index; zeros outside.
    ///
    /// PTX [`tex.1d`](https://docs.nvidia.com/cuda/parallel-thread-execution/#texture-instructions-tex) with `.s32`
    /// coordinates.
    ///
    /// ```
    /// use ptyx::device::texture::TextureLinear;
    ///
    /// fn looked_up(table: TextureLinear<f32>, index: i32) -> f32 {
    ///     table.fetch(index)
    /// }
    /// ```
    ///
    /// # Panics
    /// On the host.
    #[doc(alias = "tex1Dfetch")]
    #[inline(always)]
    #[track_caller]
    pub fn fetch(&self, index: i32) -> V {
        // SAFETY: as above.
        V::of(unsafe { RawOf::<V>::element(self.object, index) })
    }
}

macro_rules! sizes {
    ($($name:ident $axis:literal / $unit:literal $doc:literal: $($d:ident)*;)*) => {
        $($(sizes!(@ $d $name $axis $unit $doc);)*)*
    };
    (@ $d:ident $name:ident $axis:literal $unit:literal $doc:literal) => {
        impl<V: Fetched> Texture<'_, V, $d> {
            #[doc = $doc]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::{", stringify!($d), ", Texture};")]
            ///
            /// /// Whether an index is inside. (A fetch outside is not an error.)
            #[doc = concat!("fn is_inside(texture: Texture<f32, ", stringify!($d), ">, index: u32) -> bool {")]
            #[doc = concat!("    index < texture.", stringify!($name), "()")]
            /// }
            /// ```
            #[inline(always)]
            pub const fn $name(&self) -> u32 {
                self.sizes.extents[$axis] / $unit
            }
        }
    };
}

sizes! {
    height 1 / 1 "The height: rows.": D2 D3 D2Layered Cube CubeLayered;
    depth 2 / 1 "The depth: planes.": D3;
    layers 2 / 1 "The number of layers.": D1Layered D2Layered;
    layers 2 / 6 "The number of cubes.": CubeLayered;
}
