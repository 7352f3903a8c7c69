//! Which host values can be passed for which kernel parameters, and how.

use super::unpack::{Elements, Plain, PlainElement, Unpack, View};
use crate::error::Result;
use crate::memory::tracker::Access;
use crate::memory::{
    DeviceArray, DeviceBuffer, DeviceDiagonal, DevicePivoted, DeviceSlice, DeviceSliceMut,
    DeviceView, DeviceViewMut, GrowableBuffer, GuardedBuffer, ManagedBuffer,
};
#[cfg(not(ptyx_device))]
use crate::stream::Binding;
use crate::stream::Entry;
use core::mem::MaybeUninit;
use ptyx_device::atomic::AtomicValue;
use ptyx_device::shared::{Phase, PhasesArg};
use ptyx_device::tma::ring::StageParts;
use ptyx_device::tma::{Ring, RingArg};
use ptyx_device::view::by::Division;
use ptyx_device::view::{Diagonal, Pivoted};
use ptyx_device::{Array, ArrayMut, Atomics, DeviceCopy, Disjoint, DisjointArray, Parts, SliceMut};

/// A launch that is being prepared. Through it, arguments order the launch with other uses of their
/// memory.
///
/// ```
/// use core::mem::MaybeUninit;
/// use ptyx::launch::{ArgContext, KernelArg};
///
/// /// A length in kilometres on the host, which the kernel gets in metres.
/// struct Kilometres(f32);
///
/// // SAFETY: plain bytes.
/// unsafe impl KernelArg<f32> for Kilometres {
///     type Unpack = ptyx::launch::Plain;
///
///     fn lower(self, _: &mut ArgContext<'_>) -> ptyx::Result<MaybeUninit<f32>> {
///         Ok(MaybeUninit::new(self.0 * 1000.0))
///     }
/// }
/// ```
pub struct ArgContext<'a> {
    pub(super) entry: Entry<'a>,
    /// Whether an argument is the phases of shared memory, which a kernel has one of.
    phases: bool,
    /// Whether an argument is the ring, which a kernel has one of.
    ring: bool,
}

impl<'a> ArgContext<'a> {
    #[inline]
    pub(super) fn new(entry: Entry<'a>) -> Self {
        ArgContext { entry: entry.for_kernel(), phases: false, ring: false }
    }

    /// For many launches.
    #[cfg(not(ptyx_device))]
    pub(super) fn of_binding(entry: Entry<'a>, binding: &'a Binding) -> Self {
        ArgContext::new(entry.for_binding(binding))
    }
}

// Errors don't list the implementations: the notes are shorter.
/// A host value that can be passed for a kernel's parameter of type `D`.
///
/// | on the host | the kernel's parameter |
/// |---|---|
/// | numbers, `bool`, `char` | the same type |
/// | `&DeviceBuffer<T>`, `&DeviceSlice<T>` | `&[T]` |
/// | `&mut DeviceBuffer<T>`, `&mut DeviceSliceMut<T>` | `Disjoint<T>`, `Parts<T, D>`, `SliceMut<T>`, `Atomics<T>` |
/// | `buffer.view([h, w])` | `Array<T, 2>` |
/// | `buffer.view_mut([h, w])` | `DisjointArray<T, 2>`, `ArrayMut<T, 2>`, `Parts<T, D, 2>` |
/// | `buffer.view_mut([h, w]).pivot([rows, columns])` | [`Pivoted<T, D, 2>`](ptyx_device::view::Pivoted) |
/// | `buffer.view_mut([n, h, w]).diagonal(border, number)` | [`Diagonal<T, D, SIDE>`](ptyx_device::view::Diagonal) |
/// | `&pinned`, `&managed`, `&guarded`; `&mut pinned`, `&mut managed`, `&mut guarded` | `&[T]`; `Disjoint<T>`, `Parts<T, D>`, `SliceMut<T>`, `Atomics<T>` |
/// | `&pitched`, `pitched.part(..)?`, `buffer.view([h, w]).part(..)?` | `Array<T, 2>` |
/// | `&mut pitched`, `pitched.part_mut(..)?` | `DisjointArray<T, 2>`, `ArrayMut<T, 2>` |
/// | `shared::PHASES` | `shared::Phase` |
/// | `tma::RING` | `tma::Ring<P, STAGES>` |
/// | `&TensorMap`, `&Im2colMap`; `&mut TensorMapMut`, `&mut Im2colMapMut` | the same of [`tma`](ptyx_device::tma) |
/// | `&Texture`; `&mut Surface` | the same of [`texture`](ptyx_device::texture) |
/// | tuples of these, structs with `derive(KernelArg)` | tuples of those, the struct that the derive names |
/// | arrays of up to 16 buffers, slices, views or such structs | arrays of those |
/// | `*const T`, `*mut T`, `NonNull<T>` | the same type |
/// | closures, structs and arrays that are `Copy + Send + 'static` | the same type |
///
/// A value is passed as its bytes, and each thread of the launch gets a copy. So the value must be
/// `Send`: a `&'static Cell<T>` or a struct that holds a raw pointer is refused. If it is safe for
/// threads to share what the pointer points to, write `unsafe impl Send` for the struct. A launch marked
/// `unsafe` takes any `Copy + 'static` value.
///
/// A `&'static` reference in the value (in a field or captured by a closure) points to host memory, which
/// the device can't access. A kernel that dereferences it fails: with an illegal address on a GPU, with an
/// error that explains it on the emulated device. It never reads other data, because no address is valid
/// for both. Constants and statics that a kernel itself refers to work: the device has its own copy. Pass
/// other data in a buffer.
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn gather(scale: f32, map: impl Fn(f32) -> f32, x: &[f32], mut y: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let Some(y) = y.get_mut(i) {
///         *y = map(scale * x[i.get()]);
///     }
/// }
///
/// let x = DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
/// let mut y = DeviceBuffer::<f32>::zeroed(3)?;
/// let offset = 0.5;
/// launch!(gather<<<1, 32>>>(2.0, move |x| x + offset, &x, &mut y))?;
/// assert_eq!(y.to_vec()?, [2.5, 4.5, 6.5]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Safety
/// [`KernelArg::lower`] must give a value that the kernel may use as a `D` from the time the launch
/// starts until it ends: memory that it points to must be ordered through the context.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be passed for a kernel parameter of type `{D}`",
    label = "the kernel's parameter is `{D}`",
    note = "`&[T]` takes `&buffer`; `Disjoint<T>`, `Parts<T, D>`, `SliceMut<T>` and `Atomics<T>` take `&mut buffer`; `Array` takes `buffer.view(shape)`; `ArrayMut`, `DisjointArray` and `Parts<T, D, N>` take `buffer.view_mut(shape)`",
    note = "for host memory such as a `Vec` or a slice, make a buffer with `DeviceBuffer::from_slice`"
)]
pub unsafe trait KernelArg<D> {
    /// How the device reads the parameter: [`Plain`] unless it is a view of device memory.
    type Unpack: Unpack<D>;

    /// The parameter's bytes, after earlier uses of its memory were ordered before the launch.
    ///
    /// # Errors
    /// The memory is on another device, to which there is no access, or a view's shape does not fit.
    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<D>>;
}

/// Marks the types with their own [`KernelArg`] rules. All others are passed by value.
///
/// ```
/// fn has_rules_of_its_own<T: ptyx::launch::HostArg>() {}
/// has_rules_of_its_own::<f32>();
/// has_rules_of_its_own::<&ptyx::DeviceBuffer<f32>>();
/// ```
pub trait HostArg {}

/// A value that is passed as its bytes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ByValue<T>(pub(super) T);

/// A value that is passed as its bytes, and whose layout is compared between both passes.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct OfLayout<T>(pub(super) T);

/// A value that can't be passed: not `Copy`.
#[doc(hidden)]
#[derive(Debug)]
pub struct Unsupported<T>(#[allow(dead_code)] pub(super) T);

/// Makes the compiler's message name a value that can't be passed. No type implements it.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a value of type `{Self}` can't be passed to a kernel",
    label = "not `Copy`, and not device memory",
    note = "a device buffer is passed as `&buffer` or `&mut buffer`",
    note = "for host memory such as a `Vec` or a slice, make a buffer with `DeviceBuffer::from_slice`",
    note = "structs and closures are passed by value: they must be `Copy`, and also `Send` unless the launch is marked `unsafe`"
)]
pub trait Passable: sealed::Sealed {}

mod sealed {
    /// Keeps [`Passable`](super::Passable) without types.
    pub trait Sealed {}
}

// SAFETY: there is no such value: making one requires a trait that its type does not implement.
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

// SAFETY: the value owns and borrows nothing, so its bytes mean the same on the device.
#[diagnostic::do_not_recommend]
unsafe impl<T: DeviceCopy> KernelArg<T> for OfLayout<T> {
    type Unpack = PlainElement;

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

/// Addresses: bytes like any other, since only unsafe code follows them.
macro_rules! addresses {
    ($($ty:ty),*) => {$(
        impl<T: ?Sized> HostArg for $ty {}

        // SAFETY: what a kernel does with an address is its own responsibility.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: ?Sized> KernelArg<$ty> for $ty {
            type Unpack = Plain;

            #[inline]
            fn lower(self, _: &mut ArgContext<'_>) -> Result<MaybeUninit<$ty>> {
                Ok(MaybeUninit::new(self))
            }
        }
    )*};
}
addresses!(*const T, *mut T, core::ptr::NonNull<T>);

/// The view of elements for reading.
#[inline]
fn read<'a, T: DeviceCopy>(
    part: DeviceSlice<'a, T>,
    cx: &mut ArgContext<'_>,
) -> Result<MaybeUninit<&'a [T]>> {
    part.order(&cx.entry, Access::Read)?;
    let slice = core::ptr::slice_from_raw_parts(part.address() as *const T, part.len());
    let mut view = MaybeUninit::<&'a [T]>::uninit();
    // SAFETY: a reference to a slice has the layout of a pointer to one. It is never used here,
    // only its bytes are passed on.
    unsafe { view.as_mut_ptr().cast::<*const [T]>().write(slice) };
    Ok(view)
}

/// Notes that a launch writes a part; returns its address and length.
#[inline]
fn write<T: DeviceCopy>(
    part: DeviceSlice<'_, T>,
    cx: &mut ArgContext<'_>,
) -> Result<(*mut T, usize)> {
    part.order(&cx.entry, Access::Write)?;
    Ok((part.address() as *mut T, part.len()))
}

/// Marks arguments that become views of device memory, or structs of such: an array of them is
/// lowered element by element, where an array of numbers is passed as a whole.
///
/// ```
/// fn is_lowered_one_by_one<T: ptyx::launch::ViewArg>() {}
/// is_lowered_one_by_one::<&ptyx::DeviceBuffer<f32>>();
/// is_lowered_one_by_one::<[&ptyx::DeviceBuffer<f32>; 3]>();
/// ```
pub trait ViewArg: HostArg {}

impl<T: ?Sized> ViewArg for &T {}
impl<T: ?Sized> ViewArg for &mut T {}
impl<T> ViewArg for DeviceSlice<'_, T> {}
impl<T> ViewArg for DeviceSliceMut<'_, T> {}
impl<T, const N: usize> ViewArg for DeviceView<'_, T, N> {}
impl<T, const N: usize> ViewArg for DeviceViewMut<'_, T, N> {}
impl<H: ViewArg, const N: usize> HostArg for [H; N] {}
impl<H: ViewArg, const N: usize> ViewArg for [H; N] {}

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
    ('a) &'a ManagedBuffer<T> => |managed| managed.as_slice();
    ('a) &'a GuardedBuffer<T> => |guarded| guarded.as_slice();
    ('a) &'a GrowableBuffer<T> => |buffer| buffer.as_slice();
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
            ('a) &'a mut ManagedBuffer<T> => |managed| managed.as_slice_mut();
            ('a) &'a mut GuardedBuffer<T> => |guarded| guarded.as_slice_mut();
            ('a) &'a mut GrowableBuffer<T> => |buffer| buffer.as_slice_mut();
            ('a) DeviceSliceMut<'a, T> => |slice| slice;
            ('a 'b) &'a mut DeviceSliceMut<'b, T> => |slice| slice.reborrow();
        }
    )*};
}
writable!(Disjoint of DeviceCopy, SliceMut of DeviceCopy, Atomics of AtomicValue);

/// Buffers and parts of them as one axis that the threads divide.
macro_rules! divided {
    ($(($($life:lifetime)+) $host:ty => $part:expr;)*) => {$(
        // SAFETY: `write` orders the memory, which the host borrows mutably during the launch.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($life,)+ T: DeviceCopy, D: Division<1>> KernelArg<Parts<'a, T, D>> for $host {
            type Unpack = View;

            #[inline]
            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Parts<'a, T, D>>> {
                let part: fn($host) -> DeviceSliceMut<'a, T> = $part;
                let (pointer, len) = write(part(self).part(), cx)?;
                // SAFETY: the part's elements, for this launch.
                Ok(MaybeUninit::new(unsafe { Parts::from_raw_parts(pointer, [len]) }))
            }
        }
    )*};
}
divided! {
    ('a) &'a mut DeviceBuffer<T> => |buffer| buffer.as_slice_mut();
    ('a) &'a mut ManagedBuffer<T> => |managed| managed.as_slice_mut();
    ('a) &'a mut GuardedBuffer<T> => |guarded| guarded.as_slice_mut();
    ('a) &'a mut GrowableBuffer<T> => |buffer| buffer.as_slice_mut();
    ('a) DeviceSliceMut<'a, T> => |slice| slice;
    ('a 'b) &'a mut DeviceSliceMut<'b, T> => |slice| slice.reborrow();
}

/// Views of several dimensions.
macro_rules! arrays {
    ($(($($life:lifetime)+ $(, $division:ident)?) $host:ty as $view:ident, $access:ident;)*) => {$(
        // SAFETY: `order` orders the memory; views for writing borrow it mutably.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($life,)+ T: DeviceCopy, $($division: Division<N>,)? const N: usize>
            KernelArg<$view<'a, T, $($division,)? N>> for $host
        {
            type Unpack = View;

            fn lower(
                self,
                cx: &mut ArgContext<'_>,
            ) -> Result<MaybeUninit<$view<'a, T, $($division,)? N>>> {
                let (part, shape) = self.parts()?;
                part.order(&cx.entry, Access::$access)?;
                let pointer = part.address() as *mut T;
                // SAFETY: the shape's product is the part's length.
                Ok(MaybeUninit::new(unsafe { $view::from_raw_parts(pointer, shape) }))
            }
        }
    )*};
}
arrays! {
    ('a) DeviceView<'a, T, N> as Array, Read;
    ('a 'b) &'b DeviceView<'a, T, N> as Array, Read;
    ('a) &'a DeviceArray<T, N> as Array, Read;
    ('a) &'a mut DeviceArray<T, N> as ArrayMut, Write;
    ('a) &'a mut DeviceArray<T, N> as DisjointArray, Write;
    ('a, D) &'a mut DeviceArray<T, N> as Parts, Write;
    ('a) DeviceViewMut<'a, T, N> as ArrayMut, Write;
    ('a 'b) &'a mut DeviceViewMut<'b, T, N> as ArrayMut, Write;
    ('a) DeviceViewMut<'a, T, N> as DisjointArray, Write;
    ('a 'b) &'a mut DeviceViewMut<'b, T, N> as DisjointArray, Write;
    ('a, D) DeviceViewMut<'a, T, N> as Parts, Write;
    ('a 'b, D) &'a mut DeviceViewMut<'b, T, N> as Parts, Write;
}

impl<T, const N: usize> HostArg for DevicePivoted<'_, T, N> {}

// SAFETY: `order` orders the memory, which the view borrows mutably.
#[diagnostic::do_not_recommend]
unsafe impl<'a, T: DeviceCopy, D: Division<N>, const N: usize> KernelArg<Pivoted<'a, T, D, N>>
    for DevicePivoted<'a, T, N>
{
    type Unpack = View;

    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Pivoted<'a, T, D, N>>> {
        let (part, shape, pivots) = self.parts()?;
        part.order(&cx.entry, Access::Write)?;
        let pointer = part.address() as *mut T;
        // SAFETY: the shape's product is the part's length, and the pivots lie within it.
        Ok(MaybeUninit::new(unsafe { Pivoted::from_raw_parts(pointer, shape, pivots) }))
    }
}

impl<T> HostArg for DeviceDiagonal<'_, T> {}

// SAFETY: `order` orders the memory, which the view borrows mutably.
#[diagnostic::do_not_recommend]
unsafe impl<'a, T: DeviceCopy, D: Division<4>, const SIDE: usize>
    KernelArg<Diagonal<'a, T, D, SIDE>> for DeviceDiagonal<'a, T>
{
    type Unpack = View;

    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Diagonal<'a, T, D, SIDE>>> {
        let (part, tiles) = self.parts()?;
        part.order(&cx.entry, Access::Write)?;
        let pointer = part.address() as *mut T;
        // SAFETY: the shape's product is the part's length.
        Ok(MaybeUninit::new(unsafe { Diagonal::from_raw_parts(pointer, tiles) }))
    }
}

impl HostArg for PhasesArg {}

// SAFETY: no bytes at all, and each thread of the launch gets one such parameter only.
#[diagnostic::do_not_recommend]
unsafe impl KernelArg<Phase> for PhasesArg {
    type Unpack = Plain;

    #[inline]
    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Phase>> {
        if core::mem::replace(&mut cx.phases, true) {
            return Err(crate::Error::PhasesTwice);
        }
        Ok(MaybeUninit::uninit())
    }
}

impl HostArg for RingArg {}

// SAFETY: no bytes at all, and each thread of the launch gets one such parameter only.
#[diagnostic::do_not_recommend]
unsafe impl<P: StageParts, const STAGES: usize> KernelArg<Ring<P, STAGES>> for RingArg {
    type Unpack = Plain;

    #[inline]
    fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<Ring<P, STAGES>>> {
        if core::mem::replace(&mut cx.ring, true) {
            return Err(crate::Error::RingTwice);
        }
        Ok(MaybeUninit::uninit())
    }
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

/// Arrays by their lengths, as the entry needs one read for each element: `length: indices`.
macro_rules! view_arrays {
    ($($n:literal: $($index:literal)+;)*) => {$(
        // SAFETY: each element is lowered by its own rules, to its place in the parameter.
        #[diagnostic::do_not_recommend]
        unsafe impl<D, H: ViewArg + KernelArg<D>> KernelArg<[D; $n]> for [H; $n] {
            type Unpack = Elements<H::Unpack>;

            fn lower(self, cx: &mut ArgContext<'_>) -> Result<MaybeUninit<[D; $n]>> {
                let mut array = [const { MaybeUninit::<D>::uninit() }; $n];
                for (to, from) in array.iter_mut().zip(self) {
                    *to = from.lower(cx)?;
                }
                let mut whole = MaybeUninit::<[D; $n]>::uninit();
                // SAFETY: both are that many `D`.
                unsafe { whole.as_mut_ptr().cast::<[MaybeUninit<D>; $n]>().write(array) };
                Ok(whole)
            }
        }

        impl<D, U: Unpack<D>> Unpack<[D; $n]> for Elements<U> {
            const FINGERPRINT: u64 = U::FINGERPRINT;

            #[inline(always)]
            unsafe fn unpack(bytes: *const [D; $n]) -> [D; $n] {
                // SAFETY: each element lies inside the array, and is what its own rules gave.
                unsafe { [$(U::unpack(&raw const (*bytes)[$index])),+] }
            }
        }
    )*};
}
view_arrays! {
    1: 0;
    2: 0 1;
    3: 0 1 2;
    4: 0 1 2 3;
    5: 0 1 2 3 4;
    6: 0 1 2 3 4 5;
    7: 0 1 2 3 4 5 6;
    8: 0 1 2 3 4 5 6 7;
    9: 0 1 2 3 4 5 6 7 8;
    10: 0 1 2 3 4 5 6 7 8 9;
    11: 0 1 2 3 4 5 6 7 8 9 10;
    12: 0 1 2 3 4 5 6 7 8 9 10 11;
    13: 0 1 2 3 4 5 6 7 8 9 10 11 12;
    14: 0 1 2 3 4 5 6 7 8 9 10 11 12 13;
    15: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14;
    16: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15;
}
