//! Which host values can be passed to kernels of modules.

use super::super::args::{ArgContext, ByValue, OfLayout};
use super::super::arity::for_each_arity;
use super::super::config::LaunchConfig;
use super::Function;
use crate::driver::types::CUtensorMap;
use crate::error::Result;
use crate::memory::tracker::Access;
use crate::memory::{
    DeviceBuffer, DeviceSlice, DeviceSliceMut, DeviceView, DeviceViewMut, GrowableBuffer,
    GuardedBuffer, ManagedBuffer,
};
use crate::tensor_map::{Im2colMap, Im2colMapMut, TensorMap, TensorMapMut};
use crate::texture::{Surface, Texture};
use core::panic::Location;
use ptyx_device::DeviceCopy;
use ptyx_device::texture::{Dimension, Fetched, SurfaceDimension, Texel};
use ptyx_device::tma::{Placed, TileShape};

/// A host value that can be passed to a kernel of a module, which receives it as CUDA C++ kernels do.
///
/// | on the host | the kernel's parameter |
/// |---|---|
/// | numbers, `bool`, `char`, `*const T`, `*mut T`, `NonNull<T>` | the same |
/// | `&DeviceBuffer<T>`, `&DeviceSlice<T>`, `&DeviceView<T, N>` and the values of the last two | `const T*`: the address of the first element, no length |
/// | `&mut DeviceBuffer<T>`, `DeviceSliceMut<T>`, `DeviceViewMut<T, N>` and `&mut` of these | `T*` |
/// | `&PinnedBuffer<T>`, `&ManagedBuffer<T>`, `&GuardedBuffer<T>`, `&GrowableBuffer<T>`; `&mut` of these | `const T*`; `T*` |
/// | `&Texture`, `&mut Surface` | `cudaTextureObject_t`, `cudaSurfaceObject_t` |
/// | `&TensorMap`, `&Im2colMap`; `&mut` of the mutable ones | `CUtensorMap`, by value |
/// | structs and arrays that are `Copy`, through `args!` | the same; structs should be `repr(C)` |
///
/// ```
/// fn check<A: ptyx::launch::FunctionArg>() {}
/// check::<f32>();
/// check::<&ptyx::DeviceBuffer<f32>>();
/// check::<&mut ptyx::DeviceBuffer<f32>>();
/// ```
///
/// # Safety
/// [`FunctionArg::parameter`] must give what the kernel may use until it has ended: memory that it points to must
/// be ordered through the context.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be passed to a kernel of a module",
    note = "a device buffer is passed as `&buffer` or `&mut buffer`; structs and arrays are passed through `args!(..)`"
)]
pub unsafe trait FunctionArg {
    /// The parameter: its bytes are what the kernel gets.
    type Parameter;

    /// The parameter, after earlier uses of its memory were ordered before the launch.
    ///
    /// # Errors
    /// The memory is on another device.
    fn parameter(self, cx: &mut ArgContext<'_>) -> Result<Self::Parameter>;
}

/// `[generics] host value => parameter: how;`
macro_rules! arguments {
    ($([$($generics:tt)*] $host:ty => $param:ty: |$value:ident, $cx:ident| $how:expr;)*) => {$(
        // SAFETY: bytes without memory behind them, an address that only unsafe code follows, or memory that
        // `order` orders.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($generics)*> FunctionArg for $host {
            type Parameter = $param;

            #[inline]
            fn parameter(self, $cx: &mut ArgContext<'_>) -> Result<$param> {
                let $value = self;
                $how
            }
        }
    )*};
}

macro_rules! numbers {
    ($($ty:ty)*) => { arguments! { $([] $ty => $ty: |value, _cx| Ok(value);)* } };
}
numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char);

arguments! {
    [T: ?Sized] *const T => *const T: |value, _cx| Ok(value);
    [T: ?Sized] *mut T => *mut T: |value, _cx| Ok(value);
    [T] core::ptr::NonNull<T> => core::ptr::NonNull<T>: |value, _cx| Ok(value);
    [T: Copy] ByValue<T> => T: |value, _cx| Ok(value.0);
    [T: DeviceCopy] OfLayout<T> => T: |value, _cx| Ok(value.0);

    [T: DeviceCopy] &DeviceBuffer<T> => u64: |buffer, cx| buffer.as_slice().parameter(cx);
    [T: DeviceCopy] &ManagedBuffer<T> => u64: |managed, cx| managed.as_slice().parameter(cx);
    [T: DeviceCopy] &GuardedBuffer<T> => u64: |guarded, cx| guarded.as_slice().parameter(cx);
    [T: DeviceCopy] &mut ManagedBuffer<T> => u64: |managed, cx| managed.as_slice_mut().parameter(cx);
    [T: DeviceCopy] &mut GuardedBuffer<T> => u64: |guarded, cx| guarded.as_slice_mut().parameter(cx);
    [T: DeviceCopy] &GrowableBuffer<T> => u64: |buffer, cx| buffer.as_slice().parameter(cx);
    [T: DeviceCopy] &mut GrowableBuffer<T> => u64: |buffer, cx| buffer.as_slice_mut().parameter(cx);
    [T: DeviceCopy] DeviceSlice<'_, T> => u64: |part, cx| address(part, Access::Read, cx);
    [T: DeviceCopy] &DeviceSlice<'_, T> => u64: |part, cx| address(*part, Access::Read, cx);
    [T: DeviceCopy] &DeviceSliceMut<'_, T> => u64: |part, cx| part.as_slice().parameter(cx);
    [T: DeviceCopy] &mut DeviceBuffer<T> => u64: |buffer, cx| buffer.as_slice_mut().parameter(cx);
    [T: DeviceCopy] DeviceSliceMut<'_, T> => u64: |part, cx| address(part.part(), Access::Write, cx);
    [T: DeviceCopy] &mut DeviceSliceMut<'_, T> => u64: |part, cx| part.reborrow().parameter(cx);

    [T: DeviceCopy, const N: usize] DeviceView<'_, T, N> => u64: |view, cx| (&view).parameter(cx);
    [T: DeviceCopy, const N: usize] &DeviceView<'_, T, N> => u64: |view, cx| {
        address(view.parts()?.0, Access::Read, cx)
    };
    [T: DeviceCopy, const N: usize] DeviceViewMut<'_, T, N> => u64: |view, cx| {
        address(view.parts()?.0, Access::Write, cx)
    };
    [T: DeviceCopy, const N: usize] &mut DeviceViewMut<'_, T, N> => u64: |view, cx| {
        address(view.parts()?.0, Access::Write, cx)
    };

    [V: Fetched, D: Dimension] &Texture<'_, V, D> => u64: |texture, cx| texture.order(&cx.entry);
    [T: Texel, D: SurfaceDimension] &mut Surface<'_, T, D> => u64: |surface, cx| surface.order(&cx.entry);

    [K: TileShape, S: Placed] &TensorMap<'_, K, S> => CUtensorMap: |map, cx| {
        map.tensor.order(&cx.entry, Access::Read)?;
        Ok(map.map)
    };
    [K: TileShape, S: Placed] &mut TensorMapMut<'_, K, S> => CUtensorMap: |map, cx| {
        map.tensor.as_slice().order(&cx.entry, Access::Write)?;
        Ok(map.map)
    };
    [K: TileShape, S: Placed, const D: usize] &Im2colMap<'_, K, D, S> => CUtensorMap: |map, cx| {
        map.tensor.order(&cx.entry, Access::Read)?;
        Ok(map.map)
    };
    [K: TileShape, S: Placed, const D: usize] &mut Im2colMapMut<'_, K, D, S> => CUtensorMap: |map, cx| {
        map.tensor.as_slice().order(&cx.entry, Access::Write)?;
        Ok(map.map)
    };
}

/// The address of a part that a launch uses.
fn address<T: DeviceCopy>(
    part: DeviceSlice<'_, T>,
    access: Access,
    cx: &mut ArgContext<'_>,
) -> Result<u64> {
    part.order(&cx.entry, access)?;
    Ok(part.address())
}

/// A tuple of arguments for a [`Function`]: up to 35 [`FunctionArg`]s.
///
/// ```
/// fn check<A: ptyx::launch::FunctionArgs>() {}
/// check::<()>();
/// check::<(f32, &ptyx::DeviceBuffer<f32>, &mut ptyx::DeviceBuffer<f32>)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of arguments for a kernel of a module",
    note = "pass a tuple of up to 35 numbers, pointers and buffers, or use `args!(..)`"
)]
pub trait FunctionArgs: Sized {
    /// Launches the kernel with them.
    ///
    /// # Safety
    /// As for [`Function::launch`].
    #[doc(hidden)]
    unsafe fn launch(
        self,
        function: &Function,
        config: &LaunchConfig<'_>,
        site: &'static Location<'static>,
    ) -> Result<()>;
}

macro_rules! tuples {
    ($((
        $call:ident $prepare:ident $root:ident $unpack:ident;
        $($param:ident $host:ident $arg:ident),*
    ))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($host: FunctionArg),*> FunctionArgs for ($($host,)*) {
            unsafe fn launch(
                self,
                function: &Function,
                config: &LaunchConfig<'_>,
                site: &'static Location<'static>,
            ) -> Result<()> {
                let ($($arg,)*) = self;
                #[cfg(ptyx_device)]
                {
                    let _ = (function, config, site, $($arg),*);
                    core::hint::black_box(Err(crate::Error::DevicePass))
                }
                #[cfg(not(ptyx_device))]
                {
                    let stream = super::host::prepare(
                        function, config, site, &[$(size_of::<$host::Parameter>()),*])?;
                    #[allow(unused_mut)] // without arguments
                    let mut cx = ArgContext::new(stream.enter());
                    $(let $arg = $arg.parameter(&mut cx)?;)*
                    let mut pointers = [$((&raw const $arg).cast_mut().cast()),*];
                    // SAFETY: a pointer to each argument, whose sizes were compared if they are known, and whose
                    // memory is ordered; the rest is the caller's promise.
                    unsafe { super::host::launch(function, config, site, &cx, &mut pointers) }
                }
            }
        }
    )*};
}
for_each_arity!(tuples);
