//! Textures and surfaces as arguments.
#![doc(hidden)]

use super::args::{ArgContext, KernelArg};
use super::unpack::Unpack;
use crate::error::Result;
use crate::texture::{Surface, Texture};
use core::mem::MaybeUninit;
use ptyx_device::texture::{self, Dimension, Fetched, SurfaceDimension, Texel, properties};
use ptyx_device::{DeviceCopy, layout_hash};

/// The number of a texture or a surface.
#[derive(Clone, Copy, Debug)]
pub struct TextureObject;

/// A hash of dimensions.
const fn dimensions<D: Dimension>() -> u64 {
    let known = properties::<D>();
    known.has_rows as u64
        | (known.has_planes as u64) << 1
        | (known.is_layered as u64) << 2
        | (known.is_cube as u64) << 3
}

// SAFETY: `order` orders what the texture reads, which it borrows, and notes the use of the object.
#[diagnostic::do_not_recommend]
unsafe impl<'a, 'b, V: Fetched, D: Dimension> KernelArg<texture::Texture<'a, V, D>>
    for &'a Texture<'b, V, D>
{
    type Unpack = TextureObject;

    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<texture::Texture<'a, V, D>>> {
        let number = self.order(&cx.entry)?;
        // SAFETY: a texture of these types, for this launch.
        Ok(MaybeUninit::new(unsafe { texture::Texture::from_object(number, self.sizes) }))
    }
}

// SAFETY: as above; the array is borrowed mutably during the launch.
#[diagnostic::do_not_recommend]
unsafe impl<'a, 'b, T: Texel, D: SurfaceDimension> KernelArg<texture::Surface<'a, T, D>>
    for &'a mut Surface<'b, T, D>
{
    type Unpack = TextureObject;

    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<texture::Surface<'a, T, D>>> {
        let number = self.order(&cx.entry)?;
        // SAFETY: a surface of these types, for this launch.
        Ok(MaybeUninit::new(unsafe { texture::Surface::from_object(number, self.sizes) }))
    }
}

macro_rules! unpack {
    ($($name:ident<$value:ident: $bound:ident, $dimension:ident>;)*) => {$(
        impl<'a, $value: $bound, D: $dimension> Unpack<texture::$name<'a, $value, D>>
            for TextureObject
        {
            const FINGERPRINT: u64 = layout_hash(<$value as DeviceCopy>::LAYOUT, dimensions::<D>());

            #[inline(always)]
            unsafe fn unpack(
                bytes: *const texture::$name<'a, $value, D>,
            ) -> texture::$name<'a, $value, D> {
                // SAFETY: the caller's promise.
                unsafe { bytes.read() }
            }
        }
    )*};
}

unpack! {
    Texture<V: Fetched, Dimension>;
    Surface<T: Texel, SurfaceDimension>;
}
