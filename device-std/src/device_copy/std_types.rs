//! Small types of core that hold numbers.

use super::derived::first_bytes;
use super::{DeviceCopy, layout_name, layout_of};
use core::cmp::{Ordering, Reverse};
use core::mem::{ManuallyDrop, MaybeUninit};
use core::num::{NonZero, Saturating, Wrapping};
use core::time::Duration;

macro_rules! non_zero {
    ($($type:ident)*) => {$(
        // SAFETY: the number's bytes; 0 is no value.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for NonZero<$type> {
            const LAYOUT: u64 = layout_name(<$type>::LAYOUT, "NonZero");
            const ZERO_IS_VALID: bool = false;
            const ZERO_IS_NONE: bool = true;
            const ONE_SCALAR: bool = size_of::<$type>() <= 8;

            #[inline(always)]
            unsafe fn is_valid(this: *const Self) -> bool {
                // SAFETY: as the caller's.
                unsafe { this.cast::<$type>().read_unaligned() != 0 }
            }

            #[inline(always)]
            unsafe fn make_valid(this: *mut Self) {
                // SAFETY: as the caller's.
                unsafe {
                    if this.cast::<$type>().read_unaligned() == 0 {
                        this.cast::<$type>().write_unaligned(1);
                    }
                }
            }
        }
    )*};
}

non_zero! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize }

/// Types that are laid out as what they hold.
macro_rules! transparent {
    ($($type:ident $name:literal)*) => {$(
        // SAFETY: `repr(transparent)`, as its value.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: DeviceCopy> DeviceCopy for $type<T> {
            const LAYOUT: u64 = layout_name(T::LAYOUT, $name);
            const ZERO_IS_VALID: bool = T::ZERO_IS_VALID;
            const ZERO_IS_NONE: bool = T::ZERO_IS_NONE;
            const ONE_SCALAR: bool = T::ONE_SCALAR;

            #[inline(always)]
            unsafe fn is_valid(this: *const Self) -> bool {
                // SAFETY: as the caller's.
                unsafe { T::is_valid(this.cast()) }
            }

            #[inline(always)]
            unsafe fn make_valid(this: *mut Self) {
                // SAFETY: as the caller's.
                unsafe { T::make_valid(this.cast()) }
            }
        }
    )*};
}

transparent! { Wrapping "Wrapping" Saturating "Saturating" Reverse "Reverse" ManuallyDrop "ManuallyDrop" }

// SAFETY: any bytes.
#[diagnostic::do_not_recommend]
unsafe impl<T: DeviceCopy> DeviceCopy for MaybeUninit<T> {
    const LAYOUT: u64 = layout_name(T::LAYOUT, "MaybeUninit");
}

// SAFETY: `repr(i8)`, of -1, 0 and 1.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for Ordering {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "Ordering");
    const ONE_SCALAR: bool = true;

    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: as the caller's.
        matches!(unsafe { this.cast::<i8>().read() }, -1..=1)
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        // SAFETY: as the caller's.
        unsafe { this.write(this.cast::<i8>().read().cmp(&0)) }
    }
}

/// The offset of the nanoseconds in a [`Duration`], after the seconds. Constants verify it.
const NANOSECONDS: usize = {
    assert!(first_bytes(&Duration::new(0x0102_0304_0506_0708, 0), 8) == 0x0102_0304_0506_0708);
    let nanoseconds = [Duration::new(0, 0x0102_0304)];
    // SAFETY: inside the value; were it padding, the evaluation would report it.
    assert!(unsafe { nanoseconds.as_ptr().cast::<u32>().add(2).read() } == 0x0102_0304);
    8
};

// SAFETY: plain numbers, the nanoseconds below 10^9.
#[diagnostic::do_not_recommend]
unsafe impl DeviceCopy for Duration {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "Duration");

    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: as the caller's.
        unsafe { this.byte_add(NANOSECONDS).cast::<u32>().read_unaligned() < 1_000_000_000 }
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        let nanoseconds = this.wrapping_byte_add(NANOSECONDS).cast::<u32>();
        // SAFETY: as the caller's.
        unsafe { nanoseconds.write_unaligned(nanoseconds.read_unaligned() % 1_000_000_000) }
    }
}
