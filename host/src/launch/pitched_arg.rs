//! Arrays whose rows lie apart as arguments: their strides come with them.

use super::args::{ArgContext, HostArg, KernelArg, ViewArg};
use super::unpack::Unpack;
use crate::error::Result;
use crate::memory::tracker::Access;
use crate::memory::{PitchedBuffer, PitchedView, PitchedViewMut};
use core::mem::MaybeUninit;
use ptyx_device::view::by::Division;
use ptyx_device::view::parameter;
use ptyx_device::{Array, ArrayMut, DeviceCopy, DisjointArray, Parts, layout_hash};

/// The bytes are a view of device memory with strides of its own.
///
/// ```
/// use ptyx::device::Array;
/// use ptyx::{PitchedView, launch::{KernelArg, Strided}};
/// fn has_strides<D, H: KernelArg<D, Unpack = Strided>>() {}
/// has_strides::<Array<f32, 2>, PitchedView<f32, 2>>();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Strided;

/// So that the same kernel with the same elements is another instance than with rows side by side.
const APART: u64 = 0x5354_5249_4445_4421;

macro_rules! host_args {
    ($([$($generic:tt)*] $host:ty;)*) => {$(
        impl<$($generic)*, T, const N: usize> HostArg for $host {}
        impl<$($generic)*, T, const N: usize> ViewArg for $host {}
    )*};
}
host_args! {
    ['a] PitchedView<'a, T, N>;
    ['a] PitchedViewMut<'a, T, N>;
}

/// What the device reads, as the host writes it.
fn lowered<T: DeviceCopy, const N: usize>(
    view: PitchedView<'_, T, N>,
    access: Access,
    cx: &mut ArgContext<'_>,
) -> Result<(*mut T, [usize; N], [usize; N])> {
    view.order(&cx.entry, access)?;
    Ok((view.address() as *mut T, view.shape(), view.strides()))
}

macro_rules! readable {
    ($([$($generic:tt)*] $host:ty => $part:expr;)*) => {$(
        // SAFETY: `lowered` orders the memory.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy, const N: usize> KernelArg<Array<'a, T, N>> for $host {
            type Unpack = Strided;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Array<'a, T, N>>> {
                let part: fn($host) -> PitchedView<'a, T, N> = $part;
                let (pointer, shape, strides) = lowered(part(self), Access::Read, cx)?;
                // SAFETY: the elements of the box, for this launch.
                let view = unsafe { Array::from_raw_parts_strided(pointer, shape, strides) };
                Ok(MaybeUninit::new(view))
            }
        }
    )*};
}
readable! {
    ['a] PitchedView<'a, T, N> => |view| view;
    ['a, 'b] &'b PitchedView<'a, T, N> => |view| *view;
    ['a, 'b] &'a PitchedViewMut<'b, T, N> => |view| view.as_view();
    ['a] &'a PitchedBuffer<T, N> => |buffer| buffer.view();
}

macro_rules! writable {
    ($([$($generic:tt)*] $host:ty => $part:expr;)*) => {$(
        // SAFETY: `lowered` orders the memory, which the host borrows mutably during the launch.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy, const N: usize> KernelArg<ArrayMut<'a, T, N>>
            for $host
        {
            type Unpack = Strided;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<ArrayMut<'a, T, N>>> {
                let part: fn($host) -> PitchedViewMut<'a, T, N> = $part;
                let (pointer, shape, strides) = lowered(part(self).part(), Access::Write, cx)?;
                // SAFETY: the elements of the box, for this launch.
                let view = unsafe { ArrayMut::from_raw_parts_strided(pointer, shape, strides) };
                Ok(MaybeUninit::new(view))
            }
        }

        // SAFETY: as above.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy, D: Division<N>, const N: usize>
            KernelArg<Parts<'a, T, D, N>> for $host
        {
            type Unpack = Strided;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Parts<'a, T, D, N>>> {
                let part: fn($host) -> PitchedViewMut<'a, T, N> = $part;
                let (pointer, shape, strides) = lowered(part(self).part(), Access::Write, cx)?;
                // SAFETY: as above; rows don't overlap.
                let view = unsafe { Parts::from_raw_parts_strided(pointer, shape, strides) };
                Ok(MaybeUninit::new(view))
            }
        }

        // SAFETY: as above.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy, const N: usize> KernelArg<DisjointArray<'a, T, N>>
            for $host
        {
            type Unpack = Strided;

            fn lower(
                self,
                cx: &mut ArgContext<'_>,
            ) -> Result<MaybeUninit<DisjointArray<'a, T, N>>> {
                const {
                    // Both are a pointer and a layout, in this order.
                    assert!(size_of::<ArrayMut<'static, T, N>>() == size_of::<DisjointArray<'static, T, N>>());
                    assert!(align_of::<ArrayMut<'static, T, N>>() == align_of::<DisjointArray<'static, T, N>>());
                }
                let view: MaybeUninit<ArrayMut<'a, T, N>> = self.lower(cx)?;
                let mut disjoint = MaybeUninit::<DisjointArray<'a, T, N>>::uninit();
                // SAFETY: both types have the same fields in C's order, so these are the bytes of either.
                unsafe { disjoint.as_mut_ptr().cast::<MaybeUninit<ArrayMut<'a, T, N>>>().write(view) };
                Ok(disjoint)
            }
        }
    )*};
}
writable! {
    ['a] PitchedViewMut<'a, T, N> => |view| view;
    ['a, 'b] &'a mut PitchedViewMut<'b, T, N> => |view| view.reborrow();
    ['a] &'a mut PitchedBuffer<T, N> => |buffer| buffer.view_mut();
}

macro_rules! unpack {
    ($([$($generic:tt)*] $view:ty, $name:ident => $promise:expr;)*) => {$(
        impl<'a, T: DeviceCopy, $($generic)* const N: usize> Unpack<$view> for Strided {
            const FINGERPRINT: u64 = layout_hash(T::LAYOUT, APART);

            #[inline(always)]
            #[allow(unused_mut)]
            unsafe fn unpack(bytes: *const $view) -> $view {
                // SAFETY: the caller's promise.
                let mut $name = unsafe { bytes.read() };
                // SAFETY: nothing writes what a launch passes for reading while it runs, and each thread accesses only
                // its own part of what it passes as disjoint elements.
                unsafe { $promise };
                $name
            }
        }
    )*};
}
unpack! {
    [] Array<'a, T, N>, view => parameter::read_only(view.as_ptr());
    [] DisjointArray<'a, T, N>, view => parameter::exclusive(view.as_mut_ptr());
    [D: Division<N>,] Parts<'a, T, D, N>, view => parameter::exclusive(view.as_mut_ptr());
    [] ArrayMut<'a, T, N>, view => parameter::valid(view.as_mut_ptr());
}
