//! The device's side of an argument: a parameter from the bytes that the launch passed.
//!
//! [`KernelArg`](super::KernelArg) makes the bytes, its `Unpack` reads them in the kernel's entry.
//! There, what the bytes can't say becomes known to the optimiser: that a slice is only read, that
//! nothing else writes a thread's own elements, that an array is row-major.

use ptyx_device::atomic::AtomicValue;
use ptyx_device::view::by::Division;
use ptyx_device::view::{Diagonal, Pivoted, parameter};
use ptyx_device::{
    Array, ArrayMut, Atomics, DeviceCopy, Disjoint, DisjointArray, Parts, SliceMut, layout_hash,
};

/// How a kernel's parameter of type `D` is read.
///
/// ```
/// use ptyx::device::Disjoint;
/// use ptyx::launch::{Plain, Unpack, View};
/// fn check<D, U: Unpack<D>>() {}
/// check::<u32, Plain>(); // as its bytes
/// check::<&[f32], View>(); // and the memory behind it is only read
/// check::<Disjoint<'static, f32>, View>();
/// ```
pub trait Unpack<D> {
    /// A hash of what the parameter, or the elements that it points to, consist of. Both passes must agree
    /// on it, as on size and alignment.
    const FINGERPRINT: u64 = 0;

    /// The parameter.
    ///
    /// # Safety
    /// `bytes` points to what [`KernelArg::lower`](super::KernelArg::lower) returned for the launch that this
    /// thread belongs to.
    unsafe fn unpack(bytes: *const D) -> D;
}

/// The bytes are the parameter.
///
/// ```
/// use ptyx::launch::{Plain, Unpack};
/// let bytes = 7u32;
/// // SAFETY: the bytes of a `u32`.
/// assert_eq!(unsafe { <Plain as Unpack<u32>>::unpack(&bytes) }, 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl<D> Unpack<D> for Plain {
    #[inline(always)]
    unsafe fn unpack(bytes: *const D) -> D {
        // SAFETY: the caller's promise.
        unsafe { bytes.read() }
    }
}

/// The bytes are the parameter, whose type's layout is known.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct PlainElement;

impl<D: DeviceCopy> Unpack<D> for PlainElement {
    const FINGERPRINT: u64 = D::LAYOUT;

    #[inline(always)]
    unsafe fn unpack(bytes: *const D) -> D {
        // SAFETY: the caller's promise.
        unsafe { bytes.read() }
    }
}

/// The bytes are a view of device memory, as launches pass them: never part of an array.
///
/// ```
/// use ptyx::{DeviceBuffer, launch::{KernelArg, View}};
/// fn is_a_view<D, H: KernelArg<D, Unpack = View>>() {}
/// is_a_view::<&[f32], &DeviceBuffer<f32>>();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct View;

/// Each element of an array is read by the same rules.
///
/// ```
/// use ptyx::{DeviceBuffer, launch::{Elements, KernelArg, View}};
/// fn are_views<D, H: KernelArg<D, Unpack = Elements<View>>>() {}
/// are_views::<[&[f32]; 2], [&DeviceBuffer<f32>; 2]>();
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Elements<U>(core::marker::PhantomData<U>);

/// `[generics] type, name of what was read => the parameter`
macro_rules! views {
    ($([$($generic:tt)*] $view:ty, $name:ident => $value:expr;)*) => {$(
        impl<$($generic)*> Unpack<$view> for View {
            const FINGERPRINT: u64 = T::LAYOUT;

            #[inline(always)]
            #[allow(unused_mut, unused_unsafe)]
            unsafe fn unpack(bytes: *const $view) -> $view {
                // SAFETY: the caller's promise.
                let mut $name = unsafe { bytes.read() };
                // SAFETY: a launch makes views of whole arrays in row-major order. Nothing writes what
                // it passes for reading while it runs, and each thread accesses only its own part of
                // what it passes as disjoint elements. The elements of a view can be read throughout.
                unsafe { $value }
            }
        }
    )*};
}

views! {
    ['a, T: DeviceCopy] &'a [T], view => {
        parameter::read_only(view.as_ptr());
        parameter::slice(view.as_ptr(), view.len());
        view
    };
    ['a, T: DeviceCopy, const N: usize] Array<'a, T, N>, view => {
        parameter::read_only(view.as_ptr());
        Array::from_raw_parts(view.as_ptr(), view.shape())
    };
    ['a, T: DeviceCopy] Disjoint<'a, T>, view => {
        parameter::exclusive(view.as_mut_ptr());
        parameter::slice(view.as_mut_ptr(), view.len());
        view
    };
    ['a, T: DeviceCopy, const N: usize] DisjointArray<'a, T, N>, view => {
        parameter::exclusive(view.as_mut_ptr());
        DisjointArray::from_raw_parts(view.as_mut_ptr(), view.shape())
    };
    ['a, T: DeviceCopy, D: Division<N>, const N: usize] Parts<'a, T, D, N>, view => {
        parameter::exclusive(view.as_mut_ptr());
        Parts::from_raw_parts(view.as_mut_ptr(), view.shape())
    };
    // Each thread writes only its own part, and reads besides what nothing writes.
    ['a, T: DeviceCopy, D: Division<N>, const N: usize] Pivoted<'a, T, D, N>, view => {
        parameter::exclusive(view.as_mut_ptr());
        view.row_major()
    };
    ['a, T: DeviceCopy, D: Division<4>, const SIDE: usize] Diagonal<'a, T, D, SIDE>, view => {
        parameter::exclusive(view.as_mut_ptr());
        view
    };
    ['a, T: DeviceCopy] SliceMut<'a, T>, view => {
        parameter::valid(view.as_mut_ptr());
        parameter::slice(view.as_mut_ptr(), view.len());
        view
    };
    ['a, T: DeviceCopy, const N: usize] ArrayMut<'a, T, N>, view => {
        parameter::valid(view.as_mut_ptr());
        ArrayMut::from_raw_parts(view.as_mut_ptr(), view.shape())
    };
    ['a, T: AtomicValue] Atomics<'a, T>, view => {
        parameter::valid(view.as_mut_ptr());
        parameter::slice(view.as_mut_ptr(), view.len());
        view
    };
}

macro_rules! tuples {
    ($(($($unpack:ident $param:ident $field:tt),+))*) => {$(
        impl<$($param, $unpack: Unpack<$param>),+> Unpack<($($param,)+)> for ($($unpack,)+) {
            const FINGERPRINT: u64 = {
                let hash = 0;
                $(let hash = layout_hash(hash, <$unpack as Unpack<$param>>::FINGERPRINT);)+
                hash
            };

            #[inline(always)]
            unsafe fn unpack(bytes: *const ($($param,)+)) -> ($($param,)+) {
                // SAFETY: each field lies inside the tuple, and is what its own rules gave.
                unsafe { ($($unpack::unpack(&raw const (*bytes).$field),)+) }
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
