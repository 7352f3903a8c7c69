//! Two or four numbers that travel together: one load or store instruction for all of them.
//!
//! PTX has vector accesses ([`ld.global.v4.f32`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld), `sm_70`) for addresses that are multiples of the vector's
//! size. A `[f32; 4]` is aligned for one number only, so it is accessed number by number; these types
//! are aligned for all of them, as CUDA C's `float4` is. [`F32x4::of_slice`] and its like look at a
//! slice of numbers as vectors, where it is aligned, and `buffer.reinterpret_mut::<F32x4>()` passes a whole buffer of numbers
//! as vectors that the kernel writes. Vectors of 16-bit floats are in `float16` (with the feature `half`).

use crate::{DeviceCopy, layout_name, layout_of};
use core::ops::{Deref, DerefMut};

mod operators;

/// How many numbers come before the first address that is aligned for a vector, how many of those the slice has, and how
/// many whole vectors come after them.
#[inline(always)]
fn places<T, V>(slice: *const [T]) -> (usize, usize, usize) {
    // By hand and not with `align_to`, whose empty slices come from nowhere: loads would no longer be
    // known to be of this slice.
    let (size, align) = (const { size_of::<T>() }, const { align_of::<V>() });
    let misaligned = slice.cast::<T>().addr() % align;
    let skipped = (align - misaligned) % align / size;
    let before = if skipped < slice.len() { skipped } else { slice.len() };
    (skipped, before, (slice.len() - before) / const { size_of::<V>() / size_of::<T>() })
}

/// A slice of numbers as vectors of them, between what is before the first aligned address and what is
/// after the last whole vector.
///
/// # Safety
/// `V` must be laid out as an array of `T`, and valid whenever the numbers are.
#[inline(always)]
pub(crate) unsafe fn split<T, V>(slice: &[T]) -> (&[T], &[V], &[T]) {
    let (skipped, before, whole) = places::<T, V>(slice);
    let first = slice.as_ptr().wrapping_add(skipped);
    // SAFETY: `first` is aligned, and the `whole` vectors from there lie inside the slice, or are none; the
    // caller vouches for their contents.
    let vectors = unsafe { core::slice::from_raw_parts(first.cast(), whole) };
    let count = const { size_of::<V>() / size_of::<T>() };
    (&slice[..before], vectors, &slice[before + whole * count..])
}

/// [`split`] of a mutable slice.
///
/// # Safety
/// As for [`split`], and the numbers must be valid whenever a vector is.
#[inline(always)]
pub(crate) unsafe fn split_mut<T, V>(slice: &mut [T]) -> (&mut [T], &mut [V], &mut [T]) {
    let (skipped, before, whole) = places::<T, V>(slice);
    let (len, numbers) = (slice.len(), slice.as_mut_ptr());
    let end = before + whole * const { size_of::<V>() / size_of::<T>() };
    // SAFETY: three parts of the slice that don't overlap; the vectors are as in `split`.
    unsafe {
        use core::slice::from_raw_parts_mut as part;
        let vectors = part(numbers.wrapping_add(skipped).cast(), whole);
        (part(numbers, before), vectors, part(numbers.wrapping_add(end), len - end))
    }
}

macro_rules! vectors {
    ($($name:ident = $element:ty, $count:literal [$($field:ident $field_mut:ident $at:literal)*], $align:literal, $cuda:literal $make:literal;)*) => {$(
        #[doc = concat!(stringify!($count), " `", stringify!($element), "` in ", stringify!($align), " bytes, with that alignment.")]
        ///
        /// It is an array, with its methods and its indices. Operators work element by element, with another vector or
        /// with one number for all elements; those of integers panic where the elements' do.
        ///
        /// ```
        #[doc = concat!("use ptyx::device::vector::", stringify!($name), ";")]
        #[doc = concat!("let mut vector = ", stringify!($name), "::splat(3 as ", stringify!($element), ") * (2 as ", stringify!($element), ") + ", stringify!($name), "::splat(1 as ", stringify!($element), ");")]
        #[doc = concat!("vector[0] -= 7 as ", stringify!($element), ";")]
        #[doc = concat!("assert_eq!(vector[0], 0 as ", stringify!($element), ");")]
        #[doc = concat!("assert_eq!(vector[1..], [7 as ", stringify!($element), "; ", stringify!($count), " - 1]);")]
        /// assert_eq!(align_of_val(&vector), size_of_val(&vector));
        /// ```
        #[doc(alias = $cuda)]
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
            #[doc(alias = $make)]
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

            $(
                #[doc = concat!("Element ", stringify!($at), ", `", stringify!($field), "` in CUDA C++.")]
                ///
                /// ```
                #[doc = concat!("use ptyx::device::vector::", stringify!($name), ";")]
                #[doc = concat!("assert_eq!(", stringify!($name), "::splat(7 as ", stringify!($element), ").", stringify!($field), "(), 7 as ", stringify!($element), ");")]
                /// ```
                #[inline(always)]
                pub const fn $field(self) -> $element {
                    self.0[$at]
                }

                #[doc = concat!("Element ", stringify!($at), " for writing.")]
                ///
                /// ```
                #[doc = concat!("use ptyx::device::vector::", stringify!($name), ";")]
                #[doc = concat!("let mut vector = ", stringify!($name), "::splat(7 as ", stringify!($element), ");")]
                #[doc = concat!("*vector.", stringify!($field_mut), "() += 1 as ", stringify!($element), ";")]
                #[doc = concat!("assert_eq!(vector[", stringify!($at), "], 8 as ", stringify!($element), ");")]
                /// ```
                #[inline(always)]
                pub const fn $field_mut(&mut self) -> &mut $element {
                    &mut self.0[$at]
                }
            )*

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

            /// [`of_slice`](Self::of_slice) of a mutable slice, such as a thread's own part of an array.
            ///
            /// ```
            #[doc = concat!("use ptyx::{device::vector::", stringify!($name), ", prelude::*};")]
            ///
            /// /// Doubles 16 numbers, which one thread owns.
            #[doc = concat!("fn double(own: &mut [", stringify!($element), "; 16]) {")]
            #[doc = concat!("    let (before, vectors, after) = ", stringify!($name), "::of_slice_mut(own);")]
            ///     for vector in vectors {
            ///         *vector = *vector + *vector; // one load, one store
            ///     }
            ///     for number in before.iter_mut().chain(after) {
            ///         *number = *number + *number;
            ///     }
            /// }
            #[doc = concat!("let mut numbers = [3 as ", stringify!($element), "; 16];")]
            /// double(&mut numbers);
            #[doc = concat!("assert_eq!(numbers, [6 as ", stringify!($element), "; 16]);")]
            /// ```
            #[inline(always)]
            pub fn of_slice_mut(
                slice: &mut [$element],
            ) -> (&mut [$element], &mut [Self], &mut [$element]) {
                // SAFETY: as in `of_slice`.
                unsafe { split_mut(slice) }
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
    )*};
}

vectors! {
    F32x2 = f32, 2 [x x_mut 0 y y_mut 1], 8, "float2" "make_float2";
    F32x4 = f32, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 16, "float4" "make_float4";
    F64x2 = f64, 2 [x x_mut 0 y y_mut 1], 16, "double2" "make_double2";
    F64x4 = f64, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 32, "double4" "make_double4";
    I8x2 = i8, 2 [x x_mut 0 y y_mut 1], 2, "char2" "make_char2";
    I8x4 = i8, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 4, "char4" "make_char4";
    U8x2 = u8, 2 [x x_mut 0 y y_mut 1], 2, "uchar2" "make_uchar2";
    U8x4 = u8, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 4, "uchar4" "make_uchar4";
    I16x2 = i16, 2 [x x_mut 0 y y_mut 1], 4, "short2" "make_short2";
    I16x4 = i16, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 8, "short4" "make_short4";
    U16x2 = u16, 2 [x x_mut 0 y y_mut 1], 4, "ushort2" "make_ushort2";
    U16x4 = u16, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 8, "ushort4" "make_ushort4";
    I32x2 = i32, 2 [x x_mut 0 y y_mut 1], 8, "int2" "make_int2";
    I32x4 = i32, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 16, "int4" "make_int4";
    U32x2 = u32, 2 [x x_mut 0 y y_mut 1], 8, "uint2" "make_uint2";
    U32x4 = u32, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 16, "uint4" "make_uint4";
    U64x2 = u64, 2 [x x_mut 0 y y_mut 1], 16, "ulonglong2" "make_ulonglong2";
    I64x2 = i64, 2 [x x_mut 0 y y_mut 1], 16, "longlong2" "make_longlong2";
    I64x4 = i64, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 32, "longlong4" "make_longlong4";
    U64x4 = u64, 4 [x x_mut 0 y y_mut 1 z z_mut 2 w w_mut 3], 32, "ulonglong4" "make_ulonglong4";
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
    fn elements_have_names() {
        let mut vector = F64x4::new([1.0, 2.0, 3.0, 4.0]);
        *vector.z_mut() += vector.w();
        vector[3] = vector.x();
        assert_eq!((vector.to_array(), vector.y()), ([1.0, 2.0, 7.0, 1.0], 2.0));
        let mut pair = U8x2::new([5, 6]);
        *pair.y_mut() = pair.x() + 3;
        assert_eq!(pair.to_array(), [5, 8]);
    }

    #[test]
    fn operators_work_element_by_element() {
        let (a, b) = (F32x4::new([1.0, -2.0, 3.5, 8.0]), F32x4::new([2.0, 4.0, -0.5, 3.0]));
        assert_eq!((a / b).to_array(), [0.5, -0.5, -7.0, 8.0 / 3.0]);
        assert_eq!((a % b).to_array(), [1.0, -2.0, 0.0, 2.0]);
        assert_eq!((-a).to_array(), [-1.0, 2.0, -3.5, -8.0]);
        let mut c = a;
        c += b;
        c -= 1.0;
        c *= b;
        c /= 2.0;
        assert_eq!(c.to_array(), [2.0, 2.0, -0.5, 15.0]);
        let (x, y) = (I32x2::new([-7, 12]), I32x2::new([3, 5]));
        assert_eq!(
            ((x & y).to_array(), (x | y).to_array(), (x ^ y).to_array()),
            ([1, 4], [-5, 13], [-6, 9])
        );
        assert_eq!(((x << 2).to_array(), (x >> y).to_array()), ([-28, 48], [-1, 0]));
        assert_eq!(
            ((-x).to_array(), (!x).to_array(), (x % 4).to_array()),
            ([7, -12], [6, -13], [-3, 0])
        );
        let mut bits = U8x4::new([1, 2, 3, 4]);
        bits |= 8;
        bits <<= U8x4::new([1, 2, 3, 4]);
        bits ^= 0xff;
        bits &= U8x4::splat(0xfe);
        bits >>= 1;
        assert_eq!(bits.to_array(), [0x76, 0x6b, 0x53, 0x1f]);
    }

    #[test]
    #[should_panic(expected = "divide by zero")]
    fn integers_are_not_divided_by_zero() {
        let _ = U16x2::new([1, 2]) / U16x2::new([1, 0]);
    }

    #[test]
    fn slices_as_vectors() {
        let aligned = [U32x4::new([0, 1, 2, 3]), U32x4::new([4, 5, 6, 7])];
        let numbers = aligned.as_flattened_numbers();
        let (before, vectors, behind) = U32x4::of_slice(&numbers[1..]);
        assert_eq!((before, vectors, behind), (&[1, 2, 3][..], &aligned[1..], &[][..]));
    }

    /// Of every length, from every place in a vector on: the parts are the slice, and writes reach it.
    #[test]
    fn mutable_slices_as_vectors() {
        let mut all = [F32x4::default(); 5];
        // SAFETY: twenty numbers without padding.
        let numbers: &mut [f32; 20] = unsafe { &mut *(&raw mut all).cast() };
        for first in 0..5 {
            for len in 0..=20 - first {
                *numbers = core::array::from_fn(|i| i as f32);
                let (before, vectors, after) = F32x4::of_slice_mut(&mut numbers[first..][..len]);
                assert!(before.len() < 4 && after.len() < 4);
                let parts = (before.len(), vectors.len(), after.len());
                vectors.iter_mut().for_each(|vector| *vector *= -1.0);
                before.iter_mut().chain(after).for_each(|number| *number += 100.0);
                let vector_places = first + parts.0..first + parts.0 + 4 * parts.1;
                assert_eq!(parts.0 + 4 * parts.1 + parts.2, len);
                for (i, &number) in numbers.iter().enumerate() {
                    let want = match i {
                        _ if vector_places.contains(&i) => -(i as f32),
                        _ if (first..first + len).contains(&i) => i as f32 + 100.0,
                        _ => i as f32,
                    };
                    assert_eq!(number, want, "{len} numbers from {first} on, number {i}");
                }
            }
        }
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
