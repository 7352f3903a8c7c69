//! Types whose bytes may travel between the host, device memory and threads.

use core::mem::MaybeUninit;

/// A type whose values are plain bytes, the same on host and device.
///
/// Buffers, shared memory and shuffles hold values of such types. Integers, floats, `bool`, `char`,
/// raw pointers, `PhantomData`, and arrays and tuples of them are; structs of them are with
/// `#[derive(DeviceCopy)]`.
///
/// # Safety
/// - A value must not own or borrow anything that only one side has: no references, no handles, no
///   index of a thread.
/// - All-zero bytes must be a valid value.
/// - [`DeviceCopy::make_valid`] must turn any initialised bytes into a valid value. The default
///   does nothing: right for types that every bit pattern is a value of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't stand in device memory",
    label = "not `DeviceCopy`",
    note = "a struct of plain numbers can, with `#[derive(Clone, Copy, DeviceCopy)]` above it",
    note = "what owns or borrows host memory can't, such as `String`, `Vec` and references"
)]
pub unsafe trait DeviceCopy: Copy + 'static {
    /// Makes a valid value of whatever bytes are there, changing only what is not valid.
    ///
    /// It keeps the promise of safe shuffles and shared-memory exchanges: a lane that takes no
    /// part delivers arbitrary bytes, which for a `bool` need not be 0 or 1.
    ///
    /// # Safety
    /// `this` points to `size_of::<Self>()` writable bytes, initialised except for padding.
    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        let _ = this;
    }

    /// All-zero bytes.
    #[inline(always)]
    fn zeroed() -> Self {
        // SAFETY: all-zero bytes are a valid value of every `DeviceCopy` type.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }
}

macro_rules! any_bits {
    ($($type:ty)*) => {$(
        // SAFETY: plain bytes, every bit pattern is a value.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for $type {}
    )*};
}

any_bits! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 }

// SAFETY: a pointer is plain bytes; following it is unsafe.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static> DeviceCopy for *const T {}
// SAFETY: a pointer is plain bytes; following it is unsafe.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static> DeviceCopy for *mut T {}
// SAFETY: no bytes at all.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for () {}
// SAFETY: no bytes at all.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static> DeviceCopy for core::marker::PhantomData<T> {}

// SAFETY: one byte, 0 and 1 are the values.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for bool {
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
    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        // SAFETY: the caller gives four readable and writable bytes.
        unsafe {
            let code = this.cast::<u32>().read();
            this.write(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
    }
}

// SAFETY: as its elements.
#[diagnostic::do_not_recommend]
unsafe impl<T: DeviceCopy, const N: usize> DeviceCopy for [T; N] {
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
            #[inline(always)]
            unsafe fn make_valid(this: *mut Self) {
                // SAFETY: each field lies inside what the caller gives.
                unsafe { $($name::make_valid(&raw mut (*this).$field);)+ }
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_bytes_become_values() {
        let mut value = MaybeUninit::<(bool, [char; 2], u16)>::zeroed();
        let pointer = value.as_mut_ptr();
        // SAFETY: in bounds, and `make_valid` runs before the value is read as its type.
        let value = unsafe {
            (&raw mut (*pointer).0).cast::<u8>().write(7);
            (&raw mut (*pointer).1).cast::<[u32; 2]>().write([0xD800, 'x' as u32]);
            (&raw mut (*pointer).2).write(9);
            DeviceCopy::make_valid(pointer);
            value.assume_init()
        };
        assert_eq!(value, (true, [char::REPLACEMENT_CHARACTER, 'x'], 9));
    }

    #[test]
    fn zeroed_is_zero() {
        assert_eq!(<(u8, [f64; 3], bool)>::zeroed(), (0, [0.0; 3], false));
    }
}
