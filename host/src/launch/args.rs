//! Which host values may stand for which kernel parameters, and how they get there.

use super::unpack::{Plain, Unpack, View};
use crate::error::Result;
use crate::memory::tracker::Access;
use crate::memory::{DeviceBuffer, DeviceSlice, DeviceSliceMut, DeviceView, DeviceViewMut};
use crate::stream::Entry;
use core::mem::MaybeUninit;
use ptyx_device::atomic::AtomicNumber;
use ptyx_device::{Array, ArrayMut, Atomics, DeviceCopy, Disjoint, DisjointArray, SliceMut};

/// A launch on its way to its stream: where arguments order the memory that they use.
pub struct ArgContext<'a> {
    pub(super) entry: Entry<'a>,
}

/// A host value that can stand for a kernel's parameter of type `D`.
///
/// | on the host | the kernel's parameter |
/// |---|---|
/// | numbers, `bool`, `char` | the same type |
/// | `&DeviceBuffer<T>`, `&DeviceSlice<T>` | `&[T]` |
/// | `&mut DeviceBuffer<T>`, `&mut DeviceSliceMut<T>` | `Disjoint<T>`, `SliceMut<T>`, `Atomics<T>` |
/// | `buffer.view([h, w])` | `Array<T, 2>` |
/// | `buffer.view_mut([h, w])` | `DisjointArray<T, 2>`, `ArrayMut<T, 2>` |
/// | tuples of these | tuples of those |
/// | closures, structs and arrays that are `Copy + 'static` | the same type |
///
/// What is passed by value goes byte by byte. A `&'static` reference, a raw pointer or a function
/// pointer inside (a field, a closure's capture) is passed as well, but it leads to the host's
/// memory, which no device sees: a kernel that follows it ends with an error (on a GPU an illegal
/// address, on the emulated device one that says so). Constants and statics that a kernel names
/// itself are there: the device has its own copy. Other data goes into a buffer.
///
/// # Safety
/// [`KernelArg::lower`] must give a value that the kernel may use as a `D` from the time the launch
/// starts until it ends: memory that it points to must be ordered through the context.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be passed for a kernel parameter of type `{D}`",
    label = "the kernel's parameter is `{D}`",
    note = "`&[T]` takes `&buffer`; `Disjoint<T>`, `SliceMut<T>` and `Atomics<T>` take `&mut buffer`; `Array` takes `buffer.view(shape)`; `ArrayMut` and `DisjointArray` take `buffer.view_mut(shape)`",
    note = "for host memory such as a `Vec` or a slice, make a buffer with `DeviceBuffer::from_slice`"
)]
// The implementations are not listed in errors: the notes say it shorter.
pub unsafe trait KernelArg<D> {
    /// How the device reads the parameter: [`Plain`] unless it is a view of device memory.
    type Unpack: Unpack<D>;

    /// The parameter's bytes, once the memory behind it is ordered before the launch.
    ///
    /// # Errors
    /// The memory is on another device, or a view's shape does not fit.
    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<D>>;
}

/// Marks the types with their own [`KernelArg`] rules. Everything else is passed by value.
pub trait HostArg {}

/// A value that is passed byte by byte.
#[derive(Clone, Copy, Debug)]
pub struct ByValue<T>(pub(super) T);

/// A value that can't be passed: not `Copy`.
#[derive(Debug)]
pub struct Unsupported<T>(#[allow(dead_code)] pub(super) T);

/// Names a value that can't be passed in the compiler's message. No type has it.
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` can't be passed to a kernel",
    label = "not `Copy`, and no device memory",
    note = "a device buffer is passed as `&buffer` or `&mut buffer`",
    note = "for host memory such as a `Vec` or a slice, make a buffer with `DeviceBuffer::from_slice`",
    note = "structs and closures are passed by value if they are `Copy`"
)]
pub trait Passable: sealed::Sealed {}

mod sealed {
    /// Keeps [`Passable`](super::Passable) without types.
    pub trait Sealed {}
}

// SAFETY: there is no such value: who makes one asks for `Passable`.
#[diagnostic::do_not_recommend]
unsafe impl<T, D> KernelArg<D> for Unsupported<T> {
    type Unpack = Plain;

    fn lower(self, _: &mut ArgContext<'_>) -> Result<MaybeUninit<D>> {
        Err(crate::Error::DevicePass)
    }
}

// SAFETY: the value owns and borrows nothing, so its bytes mean the same on the device.
#[diagnostic::do_not_recommend]
unsafe impl<T: Copy + 'static> KernelArg<T> for ByValue<T> {
    type Unpack = Plain;

    #[inline]
    fn lower(self, _: &mut ArgContext<'_>) -> Result<MaybeUninit<T>> {
        Ok(MaybeUninit::new(self.0))
    }
}

macro_rules! by_value {
    ($($ty:ty),*) => {$(
        impl HostArg for $ty {}

        // SAFETY: plain bytes.
        #[diagnostic::do_not_recommend]
        unsafe impl KernelArg<$ty> for $ty {
            type Unpack = Plain;

            #[inline]
            fn lower(self, _: &mut ArgContext<'_>) -> Result<MaybeUninit<$ty>> {
                Ok(MaybeUninit::new(self))
            }
        }
    )*};
}
by_value!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, bool, char, ());

/// The view of elements for reading.
fn read<'a, T: DeviceCopy>(
    part: DeviceSlice<'a, T>,
    cx: &mut ArgContext<'_>,
) -> Result<MaybeUninit<&'a [T]>> {
    part.order(&cx.entry, Access::Read)?;
    let slice = core::ptr::slice_from_raw_parts(part.device_address() as *const T, part.len());
    let mut view = MaybeUninit::<&'a [T]>::uninit();
    // SAFETY: a reference to a slice has the layout of a pointer to one. It is never used here,
    // only its bytes are passed on.
    unsafe { view.as_mut_ptr().cast::<*const [T]>().write(slice) };
    Ok(view)
}

/// Notes that a launch writes a part; its address and length.
fn write<T: DeviceCopy>(
    part: DeviceSlice<'_, T>,
    cx: &mut ArgContext<'_>,
) -> Result<(*mut T, usize)> {
    part.order(&cx.entry, Access::Write)?;
    Ok((part.device_address() as *mut T, part.len()))
}

impl<T: ?Sized> HostArg for &T {}
impl<T: ?Sized> HostArg for &mut T {}
impl<T> HostArg for DeviceSlice<'_, T> {}
impl<T> HostArg for DeviceSliceMut<'_, T> {}
impl<T, const N: usize> HostArg for DeviceView<'_, T, N> {}
impl<T, const N: usize> HostArg for DeviceViewMut<'_, T, N> {}

/// Buffers and parts of them as `&[T]`: `(lifetimes) type => how to get the part`.
macro_rules! readable {
    ($(($($life:lifetime)+) $host:ty => $part:expr;)*) => {$(
        // SAFETY: `read` orders the memory.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($life,)+ T: DeviceCopy> KernelArg<&'a [T]> for $host {
            type Unpack = View;

            #[inline]
            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<&'a [T]>> {
                let part: fn($host) -> DeviceSlice<'a, T> = $part;
                read(part(self), cx)
            }
        }
    )*};
}
readable! {
    ('a) &'a DeviceBuffer<T> => |buffer| buffer.as_slice();
    ('a) DeviceSlice<'a, T> => |slice| slice;
    ('a 'b) &'b DeviceSlice<'a, T> => |slice| *slice;
    ('a 'b) &'a DeviceSliceMut<'b, T> => |slice| slice.as_slice();
}

/// Buffers and parts of them as views for writing.
macro_rules! writable {
    ($view:ident of $bound:ident from $(($($life:lifetime)+) $host:ty => $part:expr;)*) => {$(
        // SAFETY: `write` orders the memory, which the host borrows mutably during the launch.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($life,)+ T: DeviceCopy + $bound> KernelArg<$view<'a, T>> for $host {
            type Unpack = View;

            #[inline]
            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<$view<'a, T>>> {
                let part: fn($host) -> DeviceSliceMut<'a, T> = $part;
                let (pointer, len) = write(part(self).part(), cx)?;
                // SAFETY: the part's elements, for this launch.
                Ok(MaybeUninit::new(unsafe { $view::from_raw_parts(pointer, len) }))
            }
        }
    )*};
    ($($view:ident of $bound:ident),*) => {$(
        writable! { $view of $bound from
            ('a) &'a mut DeviceBuffer<T> => |buffer| buffer.as_slice_mut();
            ('a) DeviceSliceMut<'a, T> => |slice| slice;
            ('a 'b) &'a mut DeviceSliceMut<'b, T> => |slice| slice.reborrow();
        }
    )*};
}
writable!(Disjoint of DeviceCopy, SliceMut of DeviceCopy, Atomics of AtomicNumber);

/// Views of several dimensions.
macro_rules! arrays {
    ($(($($life:lifetime)+) $host:ty as $view:ident, $access:ident;)*) => {$(
        // SAFETY: `order` orders the memory; views for writing borrow it mutably.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($life,)+ T: DeviceCopy, const N: usize> KernelArg<$view<'a, T, N>> for $host {
            type Unpack = View;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<$view<'a, T, N>>> {
                let (part, shape) = self.parts()?;
                part.order(&cx.entry, Access::$access)?;
                let pointer = part.device_address() as *mut T;
                // SAFETY: the shape's product is the part's length.
                Ok(MaybeUninit::new(unsafe { $view::from_raw_parts(pointer, shape) }))
            }
        }
    )*};
}
arrays! {
    ('a) DeviceView<'a, T, N> as Array, Read;
    ('a 'b) &'b DeviceView<'a, T, N> as Array, Read;
    ('a) DeviceViewMut<'a, T, N> as ArrayMut, Write;
    ('a 'b) &'a mut DeviceViewMut<'b, T, N> as ArrayMut, Write;
    ('a) DeviceViewMut<'a, T, N> as DisjointArray, Write;
    ('a 'b) &'a mut DeviceViewMut<'b, T, N> as DisjointArray, Write;
}

macro_rules! tuples {
    ($(($($host:ident $param:ident $field:tt),+))*) => {$(
        impl<$($host: HostArg),+> HostArg for ($($host,)+) {}

        // SAFETY: each field is lowered by its own rules, to its place in the parameter.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($param, $host: KernelArg<$param>),+> KernelArg<($($param,)+)>
            for ($($host,)+)
        {
            type Unpack = ($($host::Unpack,)+);

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<($($param,)+)>> {
                let mut tuple = MaybeUninit::<($($param,)+)>::uninit();
                let pointer = tuple.as_mut_ptr();
                $(
                    let field = self.$field.lower(cx)?;
                    // SAFETY: the field lies inside the tuple; only its bytes are written.
                    unsafe {
                        (&raw mut (*pointer).$field).cast::<MaybeUninit<$param>>().write(field);
                    }
                )+
                Ok(tuple)
            }
        }
    )*};
}
tuples! {
    (A DA 0)
    (A DA 0, B DB 1)
    (A DA 0, B DB 1, C DC 2)
    (A DA 0, B DB 1, C DC 2, E DE 3)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4, G DG 5)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4, G DG 5, H DH 6)
    (A DA 0, B DB 1, C DC 2, E DE 3, F DF 4, G DG 5, H DH 6, I DI 7)
}
