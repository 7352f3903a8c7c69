//! Two or four numbers that travel together: one load or store instruction for all of them.
//!
//! PTX has vector accesses ([`ld.global.v4.f32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld)) for addresses that are multiples of the vector's
//! size. A `[f32; 4]` is aligned for one number only, so it is accessed number by number; these types
//! are aligned for all of them, as CUDA C's `float4` is. [`F32x4::of_slice`] and its like look at a
//! slice of numbers as vectors, where it is aligned. Vectors of 16-bit floats are in `float16` (with the feature `half`).

use crate::{DeviceCopy, layout_name, layout_of};
use core::ops::{Add, Deref, DerefMut, Mul, Sub};

/// A slice of numbers as vectors of them, between what is before the first aligned address and what is
/// after the last whole vector.
///
/// # Safety
/// `V` must be laid out as an array of `T`, and valid whenever the numbers are.
#[inline(always)]
pub(crate) unsafe fn split<T, V>(slice: &[T]) -> (&[T], &[V], &[T]) {
    // By hand and not with `align_to`, whose empty slices come from nowhere: loads would no longer be
    // known to be of this slice.
    let (size, align) = (const { size_of::<T>() }, const { align_of::<V>() });
    let count = const { size_of::<V>() / size_of::<T>() };
    let misaligned = slice.as_ptr().addr() % align;
    let skipped = (align - misaligned) % align / size;
    let before = if skipped < slice.len() { skipped } else { slice.len() };
    let whole = (slice.len() - before) / count;
    let first = slice.as_ptr().wrapping_add(skipped);
    // SAFETY: `first` is aligned, and the `whole` vectors from there lie inside the slice, or are none; the
    // caller vouches for their contents.
    let vectors = unsafe { core::slice::from_raw_parts(first.cast(), whole) };
    (&slice[..before], vectors, &slice[before + whole * count..])
}

macro_rules! vectors {
    ($($name:ident = $element:ty, $count:literal, $align:literal;)*) => {$(
        #[doc = concat!(stringify!($count), " `", stringify!($element), "` in ", stringify!($align), " bytes, with that alignment.")]
        ///
        /// It is an array, with its methods and its indices; arithmetic is element by element.
        ///
        /// ```
        #[doc = concat!("use ptyx::device::vector::", stringify!($name), ";")]
        #[doc = concat!("let mut vector = ", stringify!($name), "::splat(3 as ", stringify!($element), ") * (2 as ", stringify!($element), ") + ", stringify!($name), "::splat(1 as ", stringify!($element), ");")]
        #[doc = concat!("vector[0] -= 7 as ", stringify!($element), ";")]
        #[doc = concat!("assert_eq!(vector[0], 0 as ", stringify!($element), ");")]
        #[doc = concat!("assert_eq!(vector[1..], [7 as ", stringify!($element), "; ", stringify!($count), " - 1]);")]
        /// assert_eq!(align_of_val(&vector), size_of_val(&vector));
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[repr(C, align($align))]
        pub struct $name([$element; $count]);

        // SAFETY: plain bytes without padding, every bit pattern is a value.
        #[diagnostic::do_not_recommend]
        unsafe impl DeviceCopy for $name {
            const LAYOUT: u64 = layout_name(layout_of::<Self>(), stringify!($name));
        }

        impl $name {
            /// The vector of these elements.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::vector::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::new([7 as ", stringify!($element), "; ", stringify!($count), "]), ", stringify!($name), "::splat(7 as ", stringify!($element), "));")]
            /// ```
            #[inline(always)]
            pub const fn new(elements: [$element; $count]) -> Self {
                Self(elements)
            }

            /// The vector with this value in every element.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::vector::", stringify!($name), ";")]
            #[doc = concat!("assert!(", stringify!($name), "::splat(7 as ", stringify!($element), ").iter().all(|&element| element == 7 as ", stringify!($element), "));")]
            /// ```
            #[inline(always)]
            pub const fn splat(value: $element) -> Self {
                Self([value; $count])
            }

            /// The elements.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::vector::", stringify!($name), ";")]
            #[doc = concat!("assert_eq!(", stringify!($name), "::splat(7 as ", stringify!($element), ").to_array(), [7 as ", stringify!($element), "; ", stringify!($count), "]);")]
            /// ```
            #[inline(always)]
            pub const fn to_array(self) -> [$element; $count] {
                self.0
            }

            /// A slice of numbers as vectors, together with the numbers before the first aligned address and
            /// those after the last whole vector. For a whole buffer, the first part is empty.
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::vector::", stringify!($name), ", prelude::*};")]
            ///
            /// #[kernel]
            #[doc = concat!("fn sum(x: &[", stringify!($element), "], mut sums: Disjoint<", stringify!($element), ">) {")]
            #[doc = concat!("    let (_, vectors, _) = ", stringify!($name), "::of_slice(x);")]
            ///     let i = thread::index_1d();
            #[doc = concat!("    if let (Some(vector), Some(sum)) = (vectors.get(i.get()), sums.get_mut(i)) {")]
            #[doc = concat!("        *sum = vector.iter().sum(); // one load for ", stringify!($count), " elements")]
            ///     }
            /// }
            /// ```
            #[inline(always)]
            pub fn of_slice(slice: &[$element]) -> (&[$element], &[Self], &[$element]) {
                // SAFETY: a vector is its elements without padding, each of whose bit patterns is a value.
                unsafe { split(slice) }
            }
        }

        impl From<[$element; $count]> for $name {
            #[inline(always)]
            fn from(elements: [$element; $count]) -> Self {
                Self(elements)
            }
        }

        impl From<$name> for [$element; $count] {
            #[inline(always)]
            fn from(vector: $name) -> Self {
                vector.0
            }
        }

        impl Deref for $name {
            type Target = [$element; $count];

            #[inline(always)]
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        impl DerefMut for $name {
            #[inline(always)]
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.0
            }
        }

        vectors! { @operators $name $element, $count: Add add, Sub sub, Mul mul }
    )*};
    (@operators $name:ident $element:ty, $count:literal: $($trait:ident $method:ident),*) => {$(
        impl $trait for $name {
            type Output = Self;

            #[inline(always)]
            #[track_caller]
            fn $method(self, other: Self) -> Self {
                let mut result = self.0;
                let mut i = 0;
                while i < $count {
                    result[i] = $trait::$method(result[i], other.0[i]);
                    i += 1;
                }
                Self(result)
            }
        }

        impl $trait<$element> for $name {
            type Output = Self;

            #[inline(always)]
            #[track_caller]
            fn $method(self, other: $element) -> Self {
                $trait::$method(self, Self::splat(other))
            }
        }
    )*};
}

vectors! {
    F32x2 = f32, 2, 8;
    F32x4 = f32, 4, 16;
    F64x2 = f64, 2, 16;
    F64x4 = f64, 4, 32;
    I8x2 = i8, 2, 2;
    I8x4 = i8, 4, 4;
    U8x2 = u8, 2, 2;
    U8x4 = u8, 4, 4;
    I16x2 = i16, 2, 4;
    I16x4 = i16, 4, 8;
    U16x2 = u16, 2, 4;
    U16x4 = u16, 4, 8;
    I32x2 = i32, 2, 8;
    I32x4 = i32, 4, 16;
    U32x2 = u32, 2, 8;
    U32x4 = u32, 4, 16;
    U64x2 = u64, 2, 16;
    I64x2 = i64, 2, 16;
    I64x4 = i64, 4, 32;
    U64x4 = u64, 4, 32;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_are_aligned_arrays() {
        assert_eq!((size_of::<F32x4>(), align_of::<F32x4>()), (16, 16));
        assert_eq!((size_of::<U32x2>(), align_of::<U32x2>()), (8, 8));
        let sum = F32x4::new([1.0, 2.0, 3.0, 4.0]) * 2.0 + F32x4::splat(1.0);
        assert_eq!(sum.to_array(), [3.0, 5.0, 7.0, 9.0]);
        assert_eq!(sum.iter().sum::<f32>(), 24.0);
    }

    #[test]
    fn slices_as_vectors() {
        let aligned = [U32x4::new([0, 1, 2, 3]), U32x4::new([4, 5, 6, 7])];
        let numbers = aligned.as_flattened_numbers();
        let (before, vectors, behind) = U32x4::of_slice(&numbers[1..]);
        assert_eq!((before, vectors, behind), (&[1, 2, 3][..], &aligned[1..], &[][..]));
    }

    trait Flatten {
        fn as_flattened_numbers(&self) -> &[u32];
    }

    impl Flatten for [U32x4; 2] {
        fn as_flattened_numbers(&self) -> &[u32] {
            // SAFETY: eight numbers without padding.
            unsafe { core::slice::from_raw_parts(self.as_ptr().cast(), 8) }
        }
    }
}
