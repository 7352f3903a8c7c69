//! Surfaces: arrays that kernels read and write, texel by texel.

use super::dimension::{D1, D1Layered, D2, D2Layered, D3, Dimension, Sizes, properties};
use super::texel::Texel;
use core::fmt;
use core::marker::PhantomData;
use core::mem::transmute_copy;

/// A surface: a kernel's parameter for a `&mut ptyx::Surface` of the host with the same types.
///
/// `T` is the texel, `D` the dimensions. There are names for each: [`Surface2D`] and so on. Coordinates count texels
/// in every dimension (in CUDA C++, `x` counts bytes).
///
/// PTX [`suld`](https://docs.nvidia.com/cuda/parallel-thread-execution/#surface-instructions-suld), [`sust`](https://docs.nvidia.com/cuda/parallel-thread-execution/#surface-instructions-sust) (`sm_70`).
///
/// Outside of the surface, reads give zeros and writes do nothing (PTX `.zero`). This check costs nothing, and a
/// mistake can't end all work of the process on the device, as it does by default in CUDA C++ (`.trap`).
///
/// Reading and writing is safe, also by several threads at the same time: texels are copied, and nothing can point at
/// them. A thread that reads a texel while another one writes it gets old or new channels, perhaps some of both.
///
/// ```
/// use ptyx::device::texture::Surface2D;
/// use ptyx::prelude::*;
///
/// /// The negative of a picture; a block for each row.
/// #[kernel]
/// fn invert(picture: Surface2D<[u8; 4]>) {
///     let (x, y) = (thread::x(), block::x());
///     let [red, green, blue, alpha] = picture.read(x, y);
///     picture.write(x, y, [255 - red, 255 - green, 255 - blue, alpha]);
/// }
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Surface<'a, T: Texel, D: SurfaceDimension = D2> {
    object: u64,
    sizes: Sizes,
    of: PhantomData<(&'a T, D)>,
}

/// A surface of one dimension.
///
/// ```
/// use ptyx::device::texture::Surface1D;
/// use ptyx::prelude::*;
///
/// /// Fills a table with squares.
/// #[kernel]
/// fn squares(table: Surface1D<f32>) {
///     let i = thread::index_1d().get() as u32;
///     table.write(i, (i * i) as f32); // does nothing beyond the end
/// }
/// ```
pub type Surface1D<'a, T> = Surface<'a, T, D1>;
/// A surface of two dimensions.
///
/// ```
/// use ptyx::device::texture::Surface2D;
/// use ptyx::prelude::*;
///
/// /// Paints the lower half of a picture black.
/// #[kernel]
/// fn blacken(picture: Surface2D<[u8; 4]>) {
///     let [row, column] = thread::index_2d().get();
///     if row as u32 >= picture.height() / 2 {
///         picture.write(column as u32, row as u32, [0, 0, 0, 255]);
///     }
/// }
/// ```
pub type Surface2D<'a, T> = Surface<'a, T, D2>;
/// A surface of three dimensions.
///
/// ```
/// use ptyx::device::texture::Surface3D;
/// use ptyx::prelude::*;
///
/// /// Thins out smoke.
/// #[kernel]
/// fn fade(smoke: Surface3D<f32>) {
///     let [z, y, x] = thread::index_3d().get().map(|i| i as u32);
///     smoke.write(x, y, z, 0.9 * smoke.read(x, y, z));
/// }
/// ```
pub type Surface3D<'a, T> = Surface<'a, T, D3>;
/// A surface of layers of one dimension.
///
/// ```
/// use ptyx::device::texture::Surface1DLayered;
/// use ptyx::prelude::*;
///
/// /// Fills each layer with its number, with one block for each layer.
/// #[kernel]
/// fn number(tables: Surface1DLayered<u32>) {
///     tables.write(thread::x(), block::x(), block::x());
/// }
/// ```
pub type Surface1DLayered<'a, T> = Surface<'a, T, D1Layered>;
/// A surface of layers of two dimensions.
///
/// ```
/// use ptyx::device::texture::Surface2DLayered;
/// use ptyx::prelude::*;
///
/// /// Copies a frame of a film over the next one.
/// #[kernel]
/// fn hold(film: Surface2DLayered<[u8; 4]>, frame: u32) {
///     let [y, x] = thread::index_2d().get().map(|i| i as u32);
///     film.write(x, y, frame + 1, film.read(x, y, frame));
/// }
/// ```
pub type Surface2DLayered<'a, T> = Surface<'a, T, D2Layered>;

/// Dimensions of surfaces.
///
/// ```
/// use ptyx::device::texture::{Surface, SurfaceDimension, Texel};
///
/// /// The size of a row in bytes, whatever the dimensions.
/// fn row_bytes<T: Texel, D: SurfaceDimension>(surface: &Surface<T, D>) -> u32 {
///     surface.width() * size_of::<T>() as u32
/// }
/// ```
pub trait SurfaceDimension: Dimension + sealed::Accesses {}

mod sealed {
    /// The instructions for surfaces of these dimensions. The first coordinate counts bytes.
    pub trait Accesses {
        /// `suld.b`: the bits of a texel of 1, 2, 4, 8 or 16 bytes.
        ///
        /// # Safety
        /// The object is a surface of these dimensions with such texels.
        unsafe fn load<const BYTES: usize>(object: u64, at: [u32; 3]) -> [u32; 4];

        /// `sust.b`
        ///
        /// # Safety
        /// As [`Self::load`].
        unsafe fn store<const BYTES: usize>(object: u64, at: [u32; 3], bits: [u32; 4]);
    }
}

/// One access, whose place is what the dimensions make of `$at`.
macro_rules! access {
    ($text:expr; $d:ident $object:ident $at:ident; $($operand:tt)*) => {
        crate::__ptx! {
            device {
                access!(@ $d, $text, $object, $at, $($operand)*)
            }
            host {
                crate::intrinsics::on_the_host()
            }
        }
    };
    (@ D1, $text:expr, $object:ident, $at:ident, $($operand:tt)*) => {
        access!(@asm $text, o = in(reg) $object, x = in(reg) $at[0], $($operand)*)
    };
    (@ D2, $text:expr, $object:ident, $at:ident, $($operand:tt)*) => {
        access!(@asm $text, o = in(reg) $object, x = in(reg) $at[0], y = in(reg) $at[1], $($operand)*)
    };
    (@ D1Layered, $text:expr, $object:ident, $at:ident, $($operand:tt)*) => {
        access!(@asm $text, o = in(reg) $object, x = in(reg) $at[0], z = in(reg) $at[2], $($operand)*)
    };
    (@ $three:ident, $text:expr, $object:ident, $at:ident, $($operand:tt)*) => {
        access!(@asm $text, o = in(reg) $object, x = in(reg) $at[0], y = in(reg) $at[1], z = in(reg) $at[2], $($operand)*)
    };
    (@asm $text:expr, $($operand:tt)*) => {
        // SAFETY: the caller's promise.
        unsafe {
            core::arch::asm!("//__ptyx_ptx", $text, $($operand)* options(nostack, preserves_flags))
        }
    };
}

macro_rules! accesses {
    ($($d:ident $word:literal $place:literal;)*) => {$(
        impl SurfaceDimension for $d {}
        impl sealed::Accesses for $d {
            #[inline(always)]
            #[track_caller]
            #[allow(unused_variables, unused_mut, unreachable_code)]
            unsafe fn load<const BYTES: usize>(object: u64, at: [u32; 3]) -> [u32; 4] {
                let mut bits = [0u32; 4];
                let mut short = 0u16;
                match BYTES {
                    1 | 2 => {
                        if BYTES == 1 {
                            access!(accesses!(@load $word, $place, ".b8", "{{{r}}}"); $d object at; r = lateout(reg) short,);
                        } else {
                            access!(accesses!(@load $word, $place, ".b16", "{{{r}}}"); $d object at; r = lateout(reg) short,);
                        }
                        bits[0] = short as u32;
                    }
                    4 => access!(accesses!(@load $word, $place, ".b32", "{{{r}}}"); $d object at; r = lateout(reg) bits[0],),
                    8 => access!(accesses!(@load $word, $place, ".v2.b32", "{{{r}, {g}}}"); $d object at;
                        r = lateout(reg) bits[0], g = lateout(reg) bits[1],),
                    _ => access!(accesses!(@load $word, $place, ".v4.b32", "{{{r}, {g}, {b}, {a}}}"); $d object at;
                        r = lateout(reg) bits[0], g = lateout(reg) bits[1], b = lateout(reg) bits[2], a = lateout(reg) bits[3],),
                }
                bits
            }

            #[inline(always)]
            #[track_caller]
            #[allow(unused_variables)]
            unsafe fn store<const BYTES: usize>(object: u64, at: [u32; 3], bits: [u32; 4]) {
                let short = bits[0] as u16;
                match BYTES {
                    1 => access!(accesses!(@store $word, $place, ".b8", "{{{r}}}"); $d object at; r = in(reg) short,),
                    2 => access!(accesses!(@store $word, $place, ".b16", "{{{r}}}"); $d object at; r = in(reg) short,),
                    4 => access!(accesses!(@store $word, $place, ".b32", "{{{r}}}"); $d object at; r = in(reg) bits[0],),
                    8 => access!(accesses!(@store $word, $place, ".v2.b32", "{{{r}, {g}}}"); $d object at;
                        r = in(reg) bits[0], g = in(reg) bits[1],),
                    _ => access!(accesses!(@store $word, $place, ".v4.b32", "{{{r}, {g}, {b}, {a}}}"); $d object at;
                        r = in(reg) bits[0], g = in(reg) bits[1], b = in(reg) bits[2], a = in(reg) bits[3],),
                }
            }
        }
    )*};
    (@load $word:literal, $place:literal, $type:literal, $registers:literal) => {
        concat!("suld.b.", $word, $type, ".zero ", $registers, ", [{o}, {{", $place, "}}];")
    };
    (@store $word:literal, $place:literal, $type:literal, $registers:literal) => {
        concat!("sust.b.", $word, $type, ".zero [{o}, {{", $place, "}}], ", $registers, ";")
    };
}

accesses! {
    D1 "1d" "{x}";
    D2 "2d" "{x}, {y}";
    D3 "3d" "{x}, {y}, {z}, {z}";
    D1Layered "a1d" "{z}, {x}";
    D2Layered "a2d" "{z}, {x}, {y}, {y}";
}

/// The offset of texel `x` in bytes. If it does not fit into 31 bits, the largest one that does, which is outside.
#[inline(always)]
fn byte_of<T>(x: u32) -> u32 {
    let size = const { size_of::<T>() as u32 };
    let last = const { i32::MAX as u32 / size_of::<T>() as u32 };
    let x = if x < last { x } else { last };
    x.wrapping_mul(size)
}

impl<T: Texel, D: SurfaceDimension> Surface<'_, T, D> {
    /// The surface of an object's number.
    ///
    /// # Safety
    /// The object is a surface of these dimensions with such texels, as long as the kernel runs.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_object(object: u64, sizes: Sizes) -> Self {
        Self { object, sizes, of: PhantomData }
    }

    /// The width: texels in a row.
    ///
    /// ```
    /// use ptyx::device::texture::Surface2D;
    ///
    /// /// Where texel `x` goes when a row is mirrored.
    /// fn mirrored(picture: &Surface2D<u8>, x: u32) -> u32 {
    ///     picture.width() - 1 - x
    /// }
    /// ```
    #[inline(always)]
    pub const fn width(&self) -> u32 {
        self.sizes.extents[0]
    }

    #[inline(always)]
    #[track_caller]
    fn get(&self, at: [u32; 3]) -> T {
        // Each size of a texel has one arm: sizes are constants.
        // SAFETY: a surface, by `from_object`. A texel is numbers of these bytes in all, all of whose bits are values.
        unsafe {
            match const { size_of::<T>() } {
                1 => transmute_copy(&(D::load::<1>(self.object, at)[0] as u8)),
                2 => transmute_copy(&(D::load::<2>(self.object, at)[0] as u16)),
                4 => transmute_copy(&D::load::<4>(self.object, at)[0]),
                8 => transmute_copy(&D::load::<8>(self.object, at)),
                _ => transmute_copy(&D::load::<16>(self.object, at)),
            }
        }
    }

    #[inline(always)]
    #[track_caller]
    fn set(&self, at: [u32; 3], texel: T) {
        // SAFETY: as above.
        unsafe {
            match const { size_of::<T>() } {
                1 => {
                    let bits = transmute_copy::<T, u8>(&texel);
                    D::store::<1>(self.object, at, [bits as u32, 0, 0, 0]);
                }
                2 => {
                    let bits = transmute_copy::<T, u16>(&texel);
                    D::store::<2>(self.object, at, [bits as u32, 0, 0, 0]);
                }
                4 => {
                    let bits = transmute_copy::<T, u32>(&texel);
                    D::store::<4>(self.object, at, [bits, 0, 0, 0]);
                }
                8 => {
                    let [low, high] = transmute_copy::<T, [u32; 2]>(&texel);
                    D::store::<8>(self.object, at, [low, high, 0, 0]);
                }
                _ => D::store::<16>(self.object, at, transmute_copy::<T, [u32; 4]>(&texel)),
            }
        }
    }
}

impl<T: Texel, D: SurfaceDimension> fmt::Debug for Surface<'_, T, D> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (texel, dimensions) = (core::any::type_name::<T>(), properties::<D>());
        write!(formatter, "Surface({:#x}, {texel}, {dimensions:?})", self.object)
    }
}

macro_rules! methods {
    ($($d:ident ($($name:ident),*) [$y:expr, $z:expr] $word:literal $($size:ident $axis:literal $what:literal),*;)*) => {$(
        impl<T: Texel> Surface<'_, T, $d> {
            /// The texel at these coordinates; zeros outside.
            ///
            #[doc = concat!("PTX [`suld.b.", $word, ".zero`](https://docs.nvidia.com/cuda/parallel-thread-execution/#surface-instructions-suld).")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::{", stringify!($d), ", Surface};")]
            ///
            /// /// A texel as a shade of grey.
            #[doc = concat!("fn grey(picture: &Surface<[u8; 4], ", stringify!($d), ">, x: u32", $(", ", stringify!($name), ": u32",)* ") -> u32 {")]
            #[doc = concat!("    let [red, green, blue, _alpha] = picture.read(x", $(", ", stringify!($name),)* ").map(u32::from);")]
            ///     (red + green + blue) / 3
            /// }
            /// ```
            ///
            /// # Panics
            /// On the host.
            #[inline(always)]
            #[track_caller]
            pub fn read(&self, x: u32, $($name: u32),*) -> T {
                self.get([byte_of::<T>(x), $y, $z])
            }

            /// Writes the texel at these coordinates; does nothing outside.
            ///
            #[doc = concat!("PTX [`sust.b.", $word, ".zero`](https://docs.nvidia.com/cuda/parallel-thread-execution/#surface-instructions-sust).")]
            ///
            /// ```
            #[doc = concat!("use ptyx::device::texture::{", stringify!($d), ", Surface};")]
            ///
            /// /// Marks a place in red.
            #[doc = concat!("fn mark(picture: &Surface<[u8; 4], ", stringify!($d), ">, x: u32", $(", ", stringify!($name), ": u32",)* ") {")]
            #[doc = concat!("    picture.write(x", $(", ", stringify!($name),)* ", [255, 0, 0, 255]);")]
            /// }
            /// ```
            ///
            /// # Panics
            /// On the host.
            #[inline(always)]
            #[track_caller]
            pub fn write(&self, x: u32, $($name: u32,)* texel: T) {
                self.set([byte_of::<T>(x), $y, $z], texel);
            }

            $(
                #[doc = $what]
                ///
                /// ```
                #[doc = concat!("use ptyx::device::texture::{", stringify!($d), ", Surface};")]
                ///
                /// /// Whether an index is inside. (Outside, reads return zeros.)
                #[doc = concat!("fn is_inside(surface: &Surface<f32, ", stringify!($d), ">, index: u32) -> bool {")]
                #[doc = concat!("    index < surface.", stringify!($size), "()")]
                /// }
                /// ```
                #[inline(always)]
                pub const fn $size(&self) -> u32 {
                    self.sizes.extents[$axis]
                }
            )*
        }
    )*};
}

methods! {
    D1 () [0, 0] "1d";
    D2 (y) [y, 0] "2d" height 1 "The height: rows.";
    D3 (y, z) [y, z] "3d" height 1 "The height: rows.",
        depth 2 "The depth: planes.";
    D1Layered (layer) [0, layer] "a1d" layers 2 "The number of layers.";
    D2Layered (y, layer) [y, layer] "a2d" height 1 "The height: rows.",
        layers 2 "The number of layers.";
}
