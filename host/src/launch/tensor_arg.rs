//! Tensor maps as arguments.
#![doc(hidden)]

use super::args::{ArgContext, KernelArg};
use super::unpack::Unpack;
use crate::driver::types::CUtensorMap;
use crate::error::Result;
use crate::memory::tracker::Access;
use crate::tensor_map::{Im2colMap, Im2colMapMut, TensorMap, TensorMapMut};
use core::mem::MaybeUninit;
use ptyx_device::tma::{self, Placed, TileShape, sides};
use ptyx_device::{DeviceCopy, layout_hash};

/// The bytes stay where the launch put them, and the parameter knows where that is.
#[derive(Clone, Copy, Debug)]
pub struct InPlace;

/// A parameter that is a driver's map.
fn parameter<D>(map: CUtensorMap) -> MaybeUninit<D> {
    const { assert!(size_of::<D>() == size_of::<CUtensorMap>()) };
    let mut parameter = MaybeUninit::<D>::uninit();
    // SAFETY: of the same size; the place may be less aligned, and only its bytes are written.
    unsafe { parameter.as_mut_ptr().cast::<CUtensorMap>().write_unaligned(map) };
    parameter
}

macro_rules! maps {
    ($(
        [$($constant:tt)*] $name:ident<$($argument:ident),*>: ($($reference:tt)*) $access:ident
        |$map:ident| $tensor:expr;
    )*) => {$(
        // SAFETY: `order` orders the tensor's memory, which the map borrows.
        #[diagnostic::do_not_recommend]
        unsafe impl<'a, 'b, K: TileShape, S: Placed $($constant)*>
            KernelArg<tma::$name<'a, $($argument),*>>
            for $($reference)* $name<'b, $($argument),*>
        {
            type Unpack = InPlace;

            fn lower(
                self,
                cx: &mut ArgContext<'_>,
            ) -> Result<MaybeUninit<tma::$name<'a, $($argument),*>>> {
                let $map = self;
                $tensor.order(&cx.entry, Access::$access)?;
                Ok(parameter($map.map))
            }
        }

        impl<'a, K: TileShape, S: Placed $($constant)*> Unpack<tma::$name<'a, $($argument),*>>
            for InPlace
        {
            const FINGERPRINT: u64 = {
                let mut hash = layout_hash(K::Element::LAYOUT, S::SWIZZLE.width() as u64);
                hash = layout_hash(hash, S::SLICE as u64);
                let (sides, mut at) = (sides::<K>(), 0);
                while at < sides.len() {
                    hash = layout_hash(hash, sides[at] as u64);
                    at += 1;
                }
                hash
            };

            #[inline(always)]
            unsafe fn unpack(
                bytes: *const tma::$name<'a, $($argument),*>,
            ) -> tma::$name<'a, $($argument),*> {
                // SAFETY: the caller's promise.
                unsafe { tma::$name::in_place(bytes) }
            }
        }
    )*};
}

maps! {
    [] TensorMap<K, S>: (&'a) Read |map| map.tensor;
    [] TensorMapMut<K, S>: (&'a mut) Write |map| map.tensor.as_slice();
    [, const D: usize] Im2colMap<K, D, S>: (&'a) Read |map| map.tensor;
    [, const D: usize] Im2colMapMut<K, D, S>: (&'a mut) Write |map| map.tensor.as_slice();
}
