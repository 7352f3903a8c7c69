//! Memory that the host and kernels access in place, as arguments.

use super::args::{ArgContext, HostArg, KernelArg, ViewArg};
use super::function::FunctionArg;
use super::pitched_arg::Strided;
use super::unpack::View;
use crate::driver::types::CUdeviceptr;
use crate::error::Result;
use crate::memory::tracker::Access;
use crate::memory::{PinnedBuffer, PinnedSlice, PinnedView, PinnedViewMut};
use core::mem::MaybeUninit;
use ptyx_device::atomic::AtomicValue;
use ptyx_device::view::by::Division;
use ptyx_device::{Array, ArrayMut, Atomics, DeviceCopy, Disjoint, Parts, SliceMut};

/// Memory that can be ordered with a launch.
trait InPlace<T> {
    /// Notes that a launch uses all of it; its address for the launch's device, and its length.
    fn order(&self, access: Access, cx: &mut ArgContext<'_>) -> Result<(CUdeviceptr, usize)>;
}

impl<T: DeviceCopy> InPlace<T> for PinnedBuffer<T> {
    fn order(&self, access: Access, cx: &mut ArgContext<'_>) -> Result<(CUdeviceptr, usize)> {
        let address = self.mapped(cx.entry.stream().context())?;
        PinnedBuffer::order(self, &cx.entry, access)?;
        Ok((address, self.len()))
    }
}

impl<T: DeviceCopy> InPlace<T> for PinnedSlice<'_, T> {
    fn order(&self, access: Access, cx: &mut ArgContext<'_>) -> Result<(CUdeviceptr, usize)> {
        InPlace::order(self.as_buffer(), access, cx)
    }
}

macro_rules! readable {
    ($([$($generic:tt)*] $host:ty;)*) => {$(
        // SAFETY: `order` orders the memory.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy> KernelArg<&'a [T]> for $host {
            type Unpack = View;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<&'a [T]>> {
                let (address, len) = InPlace::<T>::order(self, Access::Read, cx)?;
                let slice = core::ptr::slice_from_raw_parts(address as *const T, len);
                let mut view = MaybeUninit::<&'a [T]>::uninit();
                // SAFETY: a reference to a slice has the layout of a pointer to one. It is never used here, only its
                // bytes are passed on.
                unsafe { view.as_mut_ptr().cast::<*const [T]>().write(slice) };
                Ok(view)
            }
        }

        // SAFETY: `order` orders the memory.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy> FunctionArg for $host {
            type Parameter = u64;

            fn parameter(self, cx: &mut ArgContext<'_>) -> Result<u64> {
                Ok(InPlace::<T>::order(self, Access::Read, cx)?.0)
            }
        }
    )*};
}
readable! {
    ['a] &'a PinnedBuffer<T>;
    ['a, 'b] &'a PinnedSlice<'b, T>;
}

macro_rules! writable {
    ($([$($generic:tt)*] $host:ty;)*) => {$(
        writable! { $host => [$($generic)*] Disjoint, SliceMut of DeviceCopy; Atomics of AtomicValue; }

        // SAFETY: `order` orders the memory, which the host borrows mutably during the launch.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy, D: Division<1>> KernelArg<Parts<'a, T, D>> for $host {
            type Unpack = View;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Parts<'a, T, D>>> {
                let (address, len) = InPlace::<T>::order(self, Access::Write, cx)?;
                // SAFETY: all elements, for this launch.
                Ok(MaybeUninit::new(unsafe { Parts::from_raw_parts(address as *mut T, [len]) }))
            }
        }

        // SAFETY: as above.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy> FunctionArg for $host {
            type Parameter = u64;

            fn parameter(self, cx: &mut ArgContext<'_>) -> Result<u64> {
                Ok(InPlace::<T>::order(self, Access::Write, cx)?.0)
            }
        }
    )*};
    ($host:ty => $generic:tt $($($view:ident),* of $bound:ident;)*) => {$($(
        writable! { @ $host, $view, $bound, $generic }
    )*)*};
    (@ $host:ty, $view:ident, $bound:ident, [$($generic:tt)*]) => {
        // SAFETY: `order` orders the memory, which the host borrows mutably during the launch.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generic)*, T: DeviceCopy + $bound> KernelArg<$view<'a, T>> for $host {
            type Unpack = View;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<$view<'a, T>>> {
                let (address, len) = InPlace::<T>::order(self, Access::Write, cx)?;
                // SAFETY: all elements, for this launch.
                Ok(MaybeUninit::new(unsafe { $view::from_raw_parts(address as *mut T, len) }))
            }
        }
    };
}
writable! {
    ['a] &'a mut PinnedBuffer<T>;
    ['a, 'b] &'a mut PinnedSlice<'b, T>;
}

impl<T, const N: usize> HostArg for PinnedView<'_, T, N> {}
impl<T, const N: usize> ViewArg for PinnedView<'_, T, N> {}
impl<T, const N: usize> HostArg for PinnedViewMut<'_, T, N> {}
impl<T, const N: usize> ViewArg for PinnedViewMut<'_, T, N> {}

// SAFETY: `order` orders the memory.
#[diagnostic::do_not_recommend]
unsafe impl<'a, T: DeviceCopy, const N: usize> KernelArg<Array<'a, T, N>> for PinnedView<'a, T, N> {
    type Unpack = Strided;

    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Array<'a, T, N>>> {
        let address = self.buffer.mapped(cx.entry.stream().context())?;
        self.order(&cx.entry, Access::Read)?;
        let (first, strides) = (self.first(address) as *const T, self.strides());
        // SAFETY: the elements of the box, for this launch.
        let view = unsafe { Array::from_raw_parts_strided(first, self.shape(), strides) };
        Ok(MaybeUninit::new(view))
    }
}

// SAFETY: `order` orders the memory, which the host borrows mutably during the launch.
#[diagnostic::do_not_recommend]
unsafe impl<'a, T: DeviceCopy, const N: usize> KernelArg<ArrayMut<'a, T, N>>
    for PinnedViewMut<'a, T, N>
{
    type Unpack = Strided;

    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<ArrayMut<'a, T, N>>> {
        let address = self.buffer.mapped(cx.entry.stream().context())?;
        self.order(&cx.entry, Access::Write)?;
        let (first, strides) = (self.first(address) as *mut T, self.strides());
        // SAFETY: the elements of the box, for this launch.
        let view = unsafe { ArrayMut::from_raw_parts_strided(first, self.shape(), strides) };
        Ok(MaybeUninit::new(view))
    }
}
