//! `Option` and `Result`.
//!
//! Rust does not specify how an `Option` stores whether it holds a value. We rely on this:
//! - If the `Option` is as large as its value, `Some` is stored as the value itself, and `None` as bytes
//!   that are not a valid value. So bytes that are valid for the value are a `Some`.
//! - If it is larger, it begins with a number, 0 for `None` and 1 for `Some`, and ends with the value. The
//!   number is as large as the value's alignment, or one byte if no integer has that alignment. Constants
//!   verify this for each type: they read the number of a `None` and, if all-zero bytes are a valid value,
//!   of a `Some`. If one of its bytes were padding, that would be a compile error.

use super::derived::{first_bytes, read_bits};
use super::{DeviceCopy, layout_field, layout_name, layout_of};
use core::mem::MaybeUninit;

/// What is known of `Option<T>`.
struct Known<T>(T);

impl<T: DeviceCopy> Known<T> {
    /// Whether `None` is a bit pattern that `T` does not have.
    const NICHE: bool = size_of::<Option<T>>() == size_of::<T>();

    /// The size of the number at the start of an `Option` without a niche.
    const TAG: usize = {
        let tag = match align_of::<T>() {
            align @ (1 | 2 | 4 | 8) => align,
            // A number of 16 bytes: the upper half is read separately.
            16 => 16,
            _ => 1,
        };
        assert!(Self::NICHE || tag <= Self::VALUE);
        tag
    };

    /// Where the value begins.
    const VALUE: usize = size_of::<Option<T>>() - size_of::<T>();

    /// The number as its lower and upper half, verified to be where it is assumed.
    const fn verify() {
        if !Self::NICHE {
            let none = None::<T>;
            assert!(first_bytes(&none, Self::low()) == 0, "`None` is not 0");
            if T::ZERO_IS_VALID {
                // SAFETY: all-zero bytes are a value of `T`.
                let some = Some(unsafe { MaybeUninit::<T>::zeroed().assume_init() });
                assert!(first_bytes(&some, Self::low()) == 1, "`Some` is not 1");
                if let Some(value) = &some {
                    // SAFETY: both point into `some`.
                    let offset = unsafe {
                        (&raw const *value).cast::<u8>().offset_from((&raw const some).cast::<u8>())
                    };
                    assert!(offset == Self::VALUE as isize, "the value is not at the end");
                }
            }
        }
    }

    const fn low() -> usize {
        if Self::TAG > 8 { 8 } else { Self::TAG }
    }

    /// The number: 0, 1, or anything else.
    ///
    /// # Safety
    /// As [`DeviceCopy::is_valid`], without a niche.
    #[inline(always)]
    unsafe fn tag(this: *const Option<T>) -> u64 {
        const { Self::verify() };
        // SAFETY: the number lies inside, and all bytes are initialised.
        unsafe {
            let low = read_bits(this, Self::low());
            if Self::TAG > 8 {
                // As if one bit of the upper half were one of the lower.
                let high = read_bits(this.byte_add(8), 8);
                if high == 0 { low } else { u64::MAX }
            } else {
                low
            }
        }
    }
}

// SAFETY: as its value; see above.
#[diagnostic::do_not_recommend]
unsafe impl<T: DeviceCopy> DeviceCopy for Option<T> {
    const LAYOUT: u64 = layout_field(
        layout_name(layout_of::<Self>(), "Option"),
        "Some",
        Known::<T>::VALUE,
        T::LAYOUT,
    );
    const ZERO_IS_VALID: bool = if Known::<T>::NICHE {
        T::ZERO_IS_VALID || T::ZERO_IS_NONE
    } else {
        // SAFETY: verified by the evaluation of this constant, which reports bytes that are no value.
        unsafe { MaybeUninit::<Self>::zeroed().assume_init() }.is_none()
    };
    const ONE_SCALAR: bool = T::ONE_SCALAR && Known::<T>::NICHE;

    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: the value lies inside what the caller gives, and all bytes are initialised.
        unsafe {
            let value = this.byte_add(Known::<T>::VALUE).cast::<T>();
            if Known::<T>::NICHE {
                const {
                    assert!(
                        !Known::<T>::NICHE || T::ONE_SCALAR,
                        "a shuffle can't tell which bytes are values of an `Option` in an `Option`, \
                         unless the inner one is of a number, `bool`, `char` or `NonZero`"
                    );
                }
                T::is_valid(value)
                    || read_bits(this, size_of::<T>())
                        == const {
                            if Self::ONE_SCALAR {
                                first_bytes(&None::<T>, size_of::<T>())
                            } else {
                                0
                            }
                        }
            } else {
                match Known::<T>::tag(this) {
                    0 => true,
                    1 => T::is_valid(value),
                    _ => false,
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        // SAFETY: the value lies inside what the caller gives, and all bytes are initialised.
        unsafe {
            let value = this.byte_add(Known::<T>::VALUE).cast::<T>();
            if Known::<T>::NICHE {
                if !T::is_valid(value) {
                    this.write_unaligned(None);
                }
            } else {
                match Known::<T>::tag(this) {
                    0 => {}
                    1 => T::make_valid(value),
                    _ => this.write_unaligned(None),
                }
            }
        }
    }
}

// SAFETY: as its values. Which bytes are a value is not known, so shuffles refuse it.
#[diagnostic::do_not_recommend]
unsafe impl<T: DeviceCopy, E: DeviceCopy> DeviceCopy for Result<T, E> {
    const LAYOUT: u64 = layout_field(
        layout_field(layout_name(layout_of::<Self>(), "Result"), "Ok", 0, T::LAYOUT),
        "Err",
        0,
        E::LAYOUT,
    );
    const ZERO_IS_VALID: bool = false;

    unsafe fn is_valid(_: *const Self) -> bool {
        super::derived::cannot_validate::<Self>();
        false
    }

    unsafe fn make_valid(_: *mut Self) {
        super::derived::cannot_validate::<Self>();
    }
}
