//! Types whose bytes can be copied between the host, device memory and threads.

use crate::{layout_field, layout_hash, layout_name, layout_of};
use core::mem::{MaybeUninit, offset_of};

pub mod derived;
mod foreign;
mod option;
mod std_types;

#[cfg(feature = "bytemuck")]
pub use foreign::Pod;

/// A type whose values are plain bytes, with the same layout on host and device.
///
/// Buffers and shared memory hold values of these types, and shuffles exchange them:
/// - integers, floats, `bool`, `char`, raw pointers, `PhantomData`;
/// - arrays, tuples of up to twelve elements, `Option`, `Result` and `MaybeUninit` of such types;
/// - `NonZero`, `Wrapping`, `Saturating`, `Reverse`, `Ordering`, `Duration`;
/// - structs and enums whose fields have such types, with `#[derive(DeviceCopy)]`;
/// - types of `half`, `num-complex`, `glam` and `nalgebra`, each with the feature of that name, and the
///   wrapper `Pod` with the feature `bytemuck`.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[derive(Clone, Copy, Debug, PartialEq, DeviceCopy)]
/// struct Particle {
///     position: [f32; 3],
///     alive: bool,
/// }
///
/// let particle = Particle { position: [0.0, 1.0, 2.0], alive: true };
/// let buffer = DeviceBuffer::filled(10, particle)?;
/// assert_eq!(buffer.to_vec()?, [particle; 10]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Safety
/// - A value must not own or borrow anything that exists only on the host or only on the device: no
///   references, no handles, no thread index.
/// - [`DeviceCopy::is_valid`] and [`DeviceCopy::make_valid`] must do what they document. Their defaults
///   accept every bit pattern; a type with invalid bit patterns must define both.
/// - Unless [`DeviceCopy::ZERO_IS_VALID`] is `false`, all-zero bytes must be a valid value.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be stored in device memory",
    label = "not `DeviceCopy`",
    note = "a struct or an enum of plain numbers can: write `#[derive(Clone, Copy, DeviceCopy)]` above it",
    note = "types that own or borrow host memory can't, such as `String`, `Vec` and references"
)]
pub unsafe trait DeviceCopy: Copy + 'static {
    /// A hash of what is known of the layout: size and alignment. For primitives, arrays, tuples and
    /// derived types also the kinds, names and offsets of the parts.
    #[doc(hidden)]
    const LAYOUT: u64 = layout_of::<Self>();

    /// Whether all-zero bytes are a valid value.
    ///
    /// ```
    /// use core::num::NonZeroU32;
    /// use ptyx::device::DeviceCopy;
    /// assert!(u32::ZERO_IS_VALID && !NonZeroU32::ZERO_IS_VALID);
    /// ```
    const ZERO_IS_VALID: bool = true;

    /// Whether `None` of an `Option` of it is all zeros, although the `Option` is no larger.
    #[doc(hidden)]
    const ZERO_IS_NONE: bool = false;

    /// Whether no byte is padding, not even in the `None` of an `Option` of it.
    #[doc(hidden)]
    const ONE_SCALAR: bool = false;

    /// Whether these bytes are a valid value.
    ///
    /// ```
    /// use ptyx::device::DeviceCopy;
    /// let (good, bad) = (1u8, 2u8);
    /// // SAFETY: one initialised byte each.
    /// unsafe {
    ///     assert!(bool::is_valid((&raw const good).cast()));
    ///     assert!(!bool::is_valid((&raw const bad).cast()));
    /// }
    /// ```
    ///
    /// # Safety
    /// `this` must point to `size_of::<Self>()` readable bytes, all of them initialised, including padding.
    /// It may be misaligned.
    #[must_use]
    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        let _ = this;
        true
    }

    /// Turns arbitrary bytes into a valid value, changing only bytes that are not valid.
    ///
    /// Safe shuffles and exchanges through shared memory need it: a lane that does not take part
    /// delivers arbitrary bytes, which need not be 0 or 1 for a `bool`.
    ///
    /// ```
    /// use ptyx::device::DeviceCopy;
    /// let mut byte = 2u8;
    /// // SAFETY: one initialised byte.
    /// unsafe { bool::make_valid((&raw mut byte).cast()) };
    /// assert_eq!(byte, 1);
    /// ```
    ///
    /// # Safety
    /// `this` must point to `size_of::<Self>()` writable bytes, all of them initialised, including padding.
    /// It may be misaligned.
    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        let _ = this;
    }

    /// A value of all-zero bytes. This is a compile error for types that can't be all zeros.
    ///
    /// ```
    /// use ptyx::device::DeviceCopy;
    /// assert_eq!(<(u32, [f32; 2], bool)>::zeroed(), (0, [0.0; 2], false));
    /// ```
    #[must_use]
    #[inline(always)]
    fn zeroed() -> Self {
        const { must_be_zeroable::<Self>() };
        // SAFETY: all-zero bytes are a value.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }
}

/// Fails to compile for types that can't be all zeros.
#[doc(hidden)]
pub const fn must_be_zeroable<T: DeviceCopy>() {
    assert!(
        T::ZERO_IS_VALID,
        "all-zero bytes are not a valid value of this type: use `filled` with a value, or `from_slice`. \
         For an enum with data, `#[repr(u8)]` makes them valid if a variant with number 0 exists"
    );
}

macro_rules! any_bits {
    ($($type:ty)*) => {$(
        // SAFETY: plain bytes, every bit pattern is a value.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for $type {
            const LAYOUT: u64 = layout_name(layout_of::<Self>(), stringify!($type));
            const ONE_SCALAR: bool = true;
        }
    )*};
}

any_bits! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 }

// SAFETY: a pointer is plain bytes; following it is unsafe.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static> DeviceCopy for *const T {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "*const");
}
// SAFETY: a pointer is plain bytes; following it is unsafe.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static> DeviceCopy for *mut T {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "*mut");
}
// SAFETY: no bytes at all.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for () {}
// SAFETY: no bytes at all.
#[diagnostic::do_not_recommend]
unsafe impl<T: ?Sized + 'static> DeviceCopy for core::marker::PhantomData<T> {}

// SAFETY: one byte, 0 and 1 are the values.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for bool {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "bool");
    const ONE_SCALAR: bool = true;

    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: the caller gives a readable byte.
        unsafe { this.cast::<u8>().read() < 2 }
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        let byte = this.cast::<u8>();
        // SAFETY: the caller gives a readable and writable byte.
        unsafe { byte.write((byte.read() != 0) as u8) }
    }
}

// SAFETY: four bytes; those that are no character become U+FFFD.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for char {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "char");
    const ONE_SCALAR: bool = true;

    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: the caller gives four readable bytes.
        char::from_u32(unsafe { this.cast::<u32>().read_unaligned() }).is_some()
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        // SAFETY: the caller gives four readable and writable bytes.
        unsafe {
            let code = this.cast::<u32>().read_unaligned();
            this.write_unaligned(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
    }
}

// SAFETY: as its elements.
#[diagnostic::do_not_recommend]
unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {
    const LAYOUT: u64 = layout_hash(layout_hash(layout_of::<Self>(), N as u64), T::LAYOUT);
    const ZERO_IS_VALID: bool = T::ZERO_IS_VALID || N == 0;

    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: element `i` lies inside what the caller gives.
        (0..N).all(|i| unsafe { T::is_valid(this.cast::<T>().add(i)) })
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        for i in 0..N {
            // SAFETY: element `i` lies inside what the caller gives.
            unsafe { T::make_valid(this.cast::<T>().add(i)) }
        }
    }
}

macro_rules! tuples {
    ($(($($name:ident $field:tt),+))*) => {$(
        // SAFETY: as its fields.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($name: DeviceCopy),+> DeviceCopy for ($($name,)+) {
            const LAYOUT: u64 = {
                let hash = layout_of::<Self>();
                $(let hash = layout_field(
                    hash, stringify!($field), offset_of!(Self, $field), $name::LAYOUT,
                );)+
                hash
            };

            const ZERO_IS_VALID: bool = $($name::ZERO_IS_VALID)&&+;

            #[inline(always)]
            unsafe fn is_valid(this: *const Self) -> bool {
                // SAFETY: each field lies inside what the caller gives.
                unsafe { $($name::is_valid(this.byte_add(offset_of!(Self, $field)).cast()))&&+ }
            }

            #[inline(always)]
            unsafe fn make_valid(this: *mut Self) {
                // SAFETY: each field lies inside what the caller gives.
                unsafe { $($name::make_valid(this.byte_add(offset_of!(Self, $field)).cast());)+ }
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}

#[cfg(test)]
mod tests;
