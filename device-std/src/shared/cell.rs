//! What cells can hold: values that are loaded and stored by atomic accesses.
//!
//! Up to 8 bytes are a single access. Wider values are several: the vectors of 16 and 32 bytes and integers of 128
//! bits in accesses of 8 bytes, complex numbers part by part. If one thread stores such a value while another loads it, the
//! other may see some parts of the old value and some of the new one. That is never undefined behaviour: each
//! part is an atomic access, and every combination of bits is a value, because the types are [`AnyBits`]. Tuples of such
//! values may have padding, which nothing accesses.
//!
//! Two accesses of 8 bytes side by side are one instruction. In the memory model of PTX it still is two accesses, in either
//! order ([PTX ISA, Vector Data-types](https://docs.nvidia.com/cuda/parallel-thread-execution/#vector-data-types)).

use super::AnyBits;
use crate::DeviceCopy;
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A type whose values are loaded and stored by atomic accesses: integers and floats of 8 to 128 bits, vectors, complex
/// numbers.
///
/// - Integers, floats, the [vectors](crate::vector) of up to 8 bytes, and the types of `float8`: a single access.
///   With the feature `half` also `f16`, `bf16`, and the pairs and fours of `float16`.
/// - `u128`, `i128` and vectors of 16 or 32 bytes, such as [`F32x4`](crate::vector::F32x4): accesses of 8 bytes, two of them
///   in one instruction.
/// - With the feature `num-complex`, `Complex` of any of these: an access for each part.
///
/// A thread that loads a value of several accesses while another thread stores it may see a mixture of the old and the
/// new value. A barrier between the two prevents that.
///
/// ```
/// use ptyx::device::shared::{CellValue, Shared};
/// use ptyx::prelude::*;
///
/// /// The value of the next thread of the block; `place` has an element for each thread.
/// fn next<T: CellValue>(place: Shared<[T]>, value: T) -> T {
///     let (cells, i) = (place.cells(value), thread::rank() as usize);
///     cells.set(i, value);
///     block::sync();
///     cells.get((i + 1) % cells.len())
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be loaded and stored by atomic accesses",
    label = "not a number, and not a vector of numbers",
    note = "cells of an array of arrays are rows: take a row with `at` first, as in `cells.at(y).get(x)`",
    note = "for other types, use `Shared::read` and `Shared::write`, which are `unsafe`"
)]
pub trait CellValue: AnyBits + CellElement<Value = Self> + sealed::Cell {}

/// What one cell holds: a [`CellValue`], or a tuple of two to six of them, which has an access for each field.
///
/// As with other values of several accesses, a thread that loads a tuple while another one stores it may see fields of both.
///
/// ```
/// use ptyx::device::shared::CellContent;
/// use ptyx::prelude::*;
///
/// /// The greatest value of the block and where it is, if all threads call this with values of their own.
/// fn greatest(value: f32) -> (f32, u32) {
///     let cells = shared!([(f32, u32); 1024]).cells((f32::MIN, 0));
///     cells.set(thread::rank() as usize, (value, thread::rank()));
///     block::sync();
///     (0..block::threads() as usize).fold(cells.get(0), |a, i| if cells.get(i).0 > a.0 { cells.get(i) } else { a })
/// }
///
/// fn is_content<T: CellContent>() {}
/// is_content::<u8>();
/// is_content::<(f64, u8)>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be loaded and stored by atomic accesses",
    label = "not a number, a vector of numbers, or a tuple of these",
    note = "cells of an array of arrays are rows: take a row with `at` first, as in `cells.at(y).get(x)`",
    note = "for other types, use `Shared::read` and `Shared::write`, which are `unsafe`"
)]
pub trait CellContent: CellElement<Value = Self> + sealed::Cell {}

impl<T: CellValue> CellContent for T {}

/// An element of an array that can be used as cells: a [`CellContent`], or an array of such elements.
///
/// ```
/// use ptyx::device::shared::{CellElement, Shared, SharedCells};
///
/// /// An array of zeros that the threads of a block share.
/// fn zeros<T: CellElement<Value = f32>>(place: Shared<[T]>) -> SharedCells<T> {
///     place.cells(0.0)
/// }
/// ```
///
/// # Safety
/// Implemented by this library only.
#[diagnostic::on_unimplemented(
    message = "shared memory of `{Self}` can't be used as cells",
    label = "not a number, a vector of numbers, or a tuple of these",
    note = "numbers, vectors and tuples of them can, and arrays of these: `shared!([f32; 256])`, `shared!([[F32x4; 8]; 32])`",
    note = "for other types, use `Shared::read` and `Shared::write`, which are `unsafe`"
)]
pub unsafe trait CellElement: DeviceCopy {
    /// What a cell holds.
    type Value: CellContent;
}

// SAFETY: as the elements.
unsafe impl<T: CellElement, const N: usize> CellElement for [T; N] {
    type Value = T::Value;
}

pub(crate) mod sealed {
    /// Loads and stores of one element.
    #[allow(clippy::missing_safety_doc)]
    pub trait Cell: Sized {
        /// `this` is valid for atomic access.
        unsafe fn load(this: *mut Self) -> Self;
        /// `this` is valid for atomic access.
        unsafe fn store(this: *mut Self, value: Self);
    }
}

/// Cells of types that are [`AnyBits`] and have size and alignment of an integer.
macro_rules! cell_values {
    ($($bits:ty, $atomic:ident: $($type:ty)*;)*) => {$($(
        impl $crate::shared::CellValue for $type {}

        // SAFETY: the value itself.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::shared::CellElement for $type {
            type Value = Self;
        }

        impl $crate::shared::cell::sealed::Cell for $type {
            #[inline(always)]
            unsafe fn load(this: *mut Self) -> Self {
                const { assert!(align_of::<Self>() == align_of::<$bits>()) };
                use core::sync::atomic::{$atomic, Ordering::Relaxed};
                // SAFETY: as the caller's.
                let bits = unsafe { $atomic::from_ptr(this.cast()) }.load(Relaxed);
                // SAFETY: of the same size, and every bit pattern is a value.
                #[allow(unnecessary_transmutes, clippy::useless_transmute)]
                unsafe { core::mem::transmute::<$bits, Self>(bits) }
            }

            #[inline(always)]
            unsafe fn store(this: *mut Self, value: Self) {
                use core::sync::atomic::{$atomic, Ordering::Relaxed};
                // SAFETY: of the same size, without padding.
                #[allow(unnecessary_transmutes, clippy::useless_transmute)]
                let bits = unsafe { core::mem::transmute::<Self, $bits>(value) };
                // SAFETY: as the caller's.
                unsafe { $atomic::from_ptr(this.cast()) }.store(bits, Relaxed);
            }
        }
    )*)*};
}
pub(crate) use cell_values;

cell_values! {
    u8, AtomicU8: u8 i8;
    u16, AtomicU16: u16 i16;
    u32, AtomicU32: u32 i32 f32;
    u64, AtomicU64: u64 i64 f64 usize isize;
}

/// Cells of types of several double words.
macro_rules! wide_cell_values {
    ($($pairs:literal: $($type:ty)*;)*) => {$($(
        impl CellValue for $type {}

        // SAFETY: the value itself.
        #[diagnostic::do_not_recommend]
        unsafe impl CellElement for $type {
            type Value = Self;
        }

        impl sealed::Cell for $type {
            #[inline(always)]
            unsafe fn load(this: *mut Self) -> Self {
                let mut words = [[0u64; 2]; $pairs];
                let mut at = 0;
                while at < $pairs {
                    // SAFETY: within the value, which is aligned to at least 16 bytes.
                    words[at] = unsafe { load_pair(this.cast::<[u64; 2]>().wrapping_add(at)) };
                    at += 1;
                }
                // SAFETY: of the same size, and every bit pattern is a value.
                unsafe { core::mem::transmute::<[[u64; 2]; $pairs], Self>(words) }
            }

            #[inline(always)]
            unsafe fn store(this: *mut Self, value: Self) {
                const { assert!(align_of::<Self>() >= 16) };
                // SAFETY: of the same size, without padding.
                let words = unsafe { core::mem::transmute::<Self, [[u64; 2]; $pairs]>(value) };
                let mut at = 0;
                while at < $pairs {
                    // SAFETY: as in `load`.
                    unsafe { store_pair(this.cast::<[u64; 2]>().wrapping_add(at), words[at]) };
                    at += 1;
                }
            }
        }
    )*)*};
}

wide_cell_values! {
    1: u128 i128;
}

mod vectors {
    use super::{CellElement, CellValue, load_pair, sealed, store_pair};
    use crate::vector::*;

    cell_values! {
        u16, AtomicU16: I8x2 U8x2;
        u32, AtomicU32: I8x4 U8x4 I16x2 U16x2;
        u64, AtomicU64: F32x2 I32x2 U32x2 I16x4 U16x4;
    }

    wide_cell_values! {
        1: F32x4 I32x4 U32x4 F64x2 I64x2 U64x2;
        2: F64x4 I64x4 U64x4;
    }
}

/// Tuples: field by field, so that padding between fields is neither loaded nor stored.
macro_rules! tuples {
    ($(($($name:ident $field:tt),+))*) => {$(
        impl<$($name: CellValue),+> CellContent for ($($name,)+) {}

        // SAFETY: the value itself.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($name: CellValue),+> CellElement for ($($name,)+) {
            type Value = Self;
        }

        impl<$($name: CellValue),+> sealed::Cell for ($($name,)+) {
            #[inline(always)]
            unsafe fn load(this: *mut Self) -> Self {
                // SAFETY: as the caller's, for each field.
                unsafe { ($($name::load(&raw mut (*this).$field),)+) }
            }

            #[inline(always)]
            unsafe fn store(this: *mut Self, value: Self) {
                // SAFETY: as in `load`.
                unsafe { $($name::store(&raw mut (*this).$field, value.$field);)+ }
            }
        }
    )*};
}

tuples! {
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
}

#[cfg(feature = "half")]
cell_values! { u16, AtomicU16: half::f16 half::bf16; }

#[cfg(feature = "num-complex")]
mod complex {
    use super::{CellElement, CellValue, sealed::Cell};
    use num_complex::Complex;

    impl<T: CellValue> CellValue for Complex<T> {}

    // SAFETY: the value itself.
    #[diagnostic::do_not_recommend]
    unsafe impl<T: CellValue> CellElement for Complex<T> {
        type Value = Self;
    }

    impl<T: CellValue> Cell for Complex<T> {
        #[inline(always)]
        unsafe fn load(this: *mut Self) -> Self {
            // SAFETY: as the caller's. It has two parts, without padding.
            let [re, im] = unsafe { [T::load(this.cast()), T::load(this.cast::<T>().add(1))] };
            Self { re, im }
        }

        #[inline(always)]
        unsafe fn store(this: *mut Self, value: Self) {
            // SAFETY: as in `load`.
            unsafe {
                T::store(this.cast(), value.re);
                T::store(this.cast::<T>().add(1), value.im);
            }
        }
    }
}

/// Two atomic loads side by side, in one instruction.
///
/// # Safety
/// The place is in shared memory, aligned to 16 bytes, and valid for atomic access.
#[inline(always)]
unsafe fn load_pair(from: *mut [u64; 2]) -> [u64; 2] {
    crate::__ptx! {
        device {
            let (low, high): (u64, u64);
            // SAFETY: the caller's promise.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_70 ptx=63",
                    "{{ .reg .b64 %from; cvta.to.shared.u64 %from, {from};",
                    "ld.relaxed.cta.shared.v2.b64 {{{low}, {high}}}, [%from]; }}",
                    low = lateout(reg) low,
                    high = lateout(reg) high,
                    from = in(reg) from,
                    options(readonly, nostack, preserves_flags),
                );
            }
            [low, high]
        }
        host {
            // SAFETY: the caller's promise.
            unsafe { [0, 1].map(|at| AtomicU64::from_ptr(from.cast::<u64>().add(at)).load(Relaxed)) }
        }
    }
}

/// Two atomic stores side by side, in one instruction.
///
/// # Safety
/// As for [`load_pair`].
#[inline(always)]
unsafe fn store_pair(to: *mut [u64; 2], [low, high]: [u64; 2]) {
    crate::__ptx! {
        device {
            // SAFETY: the caller's promise.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_70 ptx=63",
                    "{{ .reg .b64 %to; cvta.to.shared.u64 %to, {to};",
                    "st.relaxed.cta.shared.v2.b64 [%to], {{{low}, {high}}}; }}",
                    to = in(reg) to,
                    low = in(reg) low,
                    high = in(reg) high,
                    options(nostack, preserves_flags),
                );
            }
        }
        host {
            // SAFETY: the caller's promise.
            unsafe {
                AtomicU64::from_ptr(to.cast()).store(low, Relaxed);
                AtomicU64::from_ptr(to.cast::<u64>().add(1)).store(high, Relaxed);
            }
        }
    }
}
