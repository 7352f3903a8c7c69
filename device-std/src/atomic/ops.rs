//! The operations of atomics: an instruction on the device, a loop of compare-and-exchange on the
//! host, whose closure says what the instruction does.

use super::types::sealed::{Integer, Number};
use super::types::{AtomicInteger, AtomicNumber};
#[cfg(ptyx_device)]
use crate::intrinsics;
use core::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

/// Replaces a word by what `change` makes of it and returns the one before.
#[cfg(not(ptyx_device))]
macro_rules! on_the_host {
    ($atomic:ident, $this:expr, $change:expr) => {{
        use core::sync::atomic::{Ordering::Relaxed, $atomic};
        // SAFETY: the caller of the operation gives a pointer valid for atomic access.
        let word = unsafe { $atomic::from_ptr($this.cast()) };
        let mut before = word.load(Relaxed);
        while let Err(other) = word.compare_exchange_weak(before, $change(before), Relaxed, Relaxed)
        {
            before = other;
        }
        before
    }};
}

/// Implements [`Number`] by words of the same size.
///
/// `$from` and `$to` turn a value into its word and back; `add`, `sub`: the intrinsics, with the
/// type they work on.
macro_rules! number {
    ($type:ty as $word:ty, $atomic:ident, $to:expr, $from:expr;
     $swap:ident $cas:ident;
     $add:ident = $add_values:expr; $sub:expr, $sub_values:expr) => {
        // SAFETY: the operations are atomic.
        unsafe impl AtomicNumber for $type {}

        impl Number for $type {
            // Loads and stores of core are of system scope, which costs nothing more.
            #[inline(always)]
            unsafe fn load(this: *mut Self) -> Self {
                // SAFETY: as the caller's.
                $from(unsafe { $atomic::from_ptr(this.cast()) }.load(Relaxed))
            }

            #[inline(always)]
            unsafe fn store(this: *mut Self, value: Self) {
                // SAFETY: as the caller's.
                unsafe { $atomic::from_ptr(this.cast()) }.store($to(value), Relaxed);
            }

            #[inline(always)]
            unsafe fn swap(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                let word = unsafe { intrinsics::$swap(this.cast(), $to(value)) };
                #[cfg(not(ptyx_device))]
                let word = on_the_host!($atomic, this, |_| $to(value));
                $from(word)
            }

            #[inline(always)]
            unsafe fn compare_exchange(this: *mut Self, current: Self, new: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                let word = unsafe { intrinsics::$cas(this.cast(), $to(current), $to(new)) };
                #[cfg(not(ptyx_device))]
                let word = on_the_host!($atomic, this, |before| {
                    if before == $to(current) { $to(new) } else { before }
                });
                $from(word)
            }

            #[inline(always)]
            unsafe fn add(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                return unsafe { intrinsics::$add(this.cast(), value as _) as Self };
                #[cfg(not(ptyx_device))]
                $from(on_the_host!($atomic, this, |before: $word| {
                    $to($add_values($from(before), value))
                }))
            }

            #[inline(always)]
            unsafe fn sub(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                return unsafe { $sub(this.cast(), value as _) as Self };
                #[cfg(not(ptyx_device))]
                $from(on_the_host!($atomic, this, |before: $word| {
                    $to($sub_values($from(before), value))
                }))
            }

            #[inline(always)]
            fn same_bits(self, other: Self) -> bool {
                $to(self) == $to(other)
            }
        }
    };
}

/// Implements [`Integer`]: for each operation its intrinsic and what it does.
macro_rules! integer {
    ($type:ty as $word:ty, $atomic:ident: $($method:ident $intrinsic:ident $values:expr;)*) => {
        // SAFETY: the operations are atomic.
        unsafe impl AtomicInteger for $type {}

        impl Integer for $type {$(
            #[inline(always)]
            unsafe fn $method(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                return unsafe { intrinsics::$intrinsic(this.cast(), value as _) as Self };
                #[cfg(not(ptyx_device))]
                {
                    on_the_host!($atomic, this, |before: $word| $values(before as $type, value) as $word)
                        as Self
                }
            }
        )*}
    };
}

macro_rules! integer_of_32_bits {
    ($type:ident, $min:ident, $max:ident) => {
        number! { $type as u32, AtomicU32, (|value: $type| value as u32), (|word: u32| word as $type);
        atomic_exchange_u32 atomic_cas_u32;
        atomic_add_u32 = $type::wrapping_add;
        intrinsics::atomic_sub_u32, $type::wrapping_sub }
        integer! { $type as u32, AtomicU32:
            and atomic_and_u32 (|a: $type, b: $type| a & b);
            or atomic_or_u32 (|a: $type, b: $type| a | b);
            xor atomic_xor_u32 (|a: $type, b: $type| a ^ b);
            min $min Ord::min;
            max $max Ord::max;
        }
    };
}

macro_rules! integer_of_64_bits {
    ($type:ident, $min:ident, $max:ident) => {
        number! { $type as u64, AtomicU64, (|value: $type| value as u64), (|word: u64| word as $type);
        atomic_exchange_u64 atomic_cas_u64;
        atomic_add_u64 = $type::wrapping_add;
        intrinsics::atomic_sub_u64, $type::wrapping_sub }
        integer! { $type as u64, AtomicU64:
            and atomic_and_u64 (|a: $type, b: $type| a & b);
            or atomic_or_u64 (|a: $type, b: $type| a | b);
            xor atomic_xor_u64 (|a: $type, b: $type| a ^ b);
            min $min Ord::min;
            max $max Ord::max;
        }
    };
}

integer_of_32_bits! { u32, atomic_min_u32, atomic_max_u32 }
integer_of_32_bits! { i32, atomic_min_i32, atomic_max_i32 }
integer_of_64_bits! { u64, atomic_min_u64, atomic_max_u64 }
integer_of_64_bits! { i64, atomic_min_i64, atomic_max_i64 }
integer_of_64_bits! { usize, atomic_min_u64, atomic_max_u64 }

number! { f32 as u32, AtomicU32, f32::to_bits, f32::from_bits;
            atomic_exchange_u32 atomic_cas_u32;
atomic_add_f32 = (|a: f32, b: f32| a + b);
(|this, value: f32| intrinsics::atomic_add_f32(this, -value)), (|a: f32, b: f32| a - b) }
number! { f64 as u64, AtomicU64, f64::to_bits, f64::from_bits;
            atomic_exchange_u64 atomic_cas_u64;
atomic_add_f64 = (|a: f64, b: f64| a + b);
(|this, value: f64| intrinsics::atomic_add_f64(this, -value)), (|a: f64, b: f64| a - b) }

/// # Safety
/// The pointer is valid for atomic access.
#[inline(always)]
pub(super) unsafe fn inc(this: *mut u32, limit: u32) -> u32 {
    #[cfg(ptyx_device)]
    // SAFETY: as the caller's.
    return unsafe { intrinsics::atomic_inc_u32(this, limit) };
    #[cfg(not(ptyx_device))]
    on_the_host!(AtomicU32, this, |before| if before >= limit { 0 } else { before + 1 })
}

/// # Safety
/// The pointer is valid for atomic access.
#[inline(always)]
pub(super) unsafe fn dec(this: *mut u32, limit: u32) -> u32 {
    #[cfg(ptyx_device)]
    // SAFETY: as the caller's.
    return unsafe { intrinsics::atomic_dec_u32(this, limit) };
    #[cfg(not(ptyx_device))]
    on_the_host!(AtomicU32, this, |before| {
        if before == 0 || before > limit { limit } else { before - 1 }
    })
}
