//! Types of which every bit pattern is a value.

use crate::DeviceCopy;

/// A type of which every bit pattern is a value: numbers, vectors, complex numbers, and arrays of such types.
///
/// Bytes that may hold anything can be seen as such a type: shared memory at a kernel's start, and buffers of another type
/// (`DeviceBuffer::reinterpret`).
///
/// - integers and floats, the [vectors](crate::vector), and the types of `float8`;
/// - with the feature `half`, its types, and the pairs and fours of `float16`;
/// - with the feature `num-complex`, `Complex` of such types;
/// - with the feature `glam`, its vectors, matrices and quaternions of numbers, but those with padding (`Vec3A`, ..);
/// - with the feature `nalgebra`, matrices and vectors of such types whose size is known at compile time, points,
///   quaternions and translations;
/// - with the feature `bytemuck`, `Pod<T>` of any `T: bytemuck::Pod`.
///
/// ```
/// use ptyx::prelude::*;
/// use ptyx::device::shared::{AnyBits, Odd, Phase, Phased};
///
/// /// The numbers that this thread's warp has written.
/// fn of_warp<'a, T: AnyBits>(
///     tile: Phased<[[T; 32]; 8], (by::WarpInBlock, by::Lane), shared::Even, 2>,
///     reading: &'a Phase<Odd>,
/// ) -> &'a [T; 32] {
///     &tile.as_ref(reading)[warp::id() as usize]
/// }
/// ```
///
/// # Safety
/// Every bit pattern is a value of the type, and it has no padding.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to be valid for every bit pattern",
    label = "not a number, and not an array or vector of numbers",
    note = "shared memory starts with arbitrary bits, and a buffer of another type can have any, too",
    note = "read and write single elements of a tile in shared memory: `tile.get(&phase, [i])`, `tile.set(&mut phase, [i], value)`",
    note = "in buffers, wrap plain structs in `Pod` (feature `bytemuck`)"
)]
pub unsafe trait AnyBits: DeviceCopy {}

/// Types that consist of so many elements of another type, each of whose bit patterns is a value.
macro_rules! any_bits {
    ($($count:literal of $element:ty: $($type:ty)*;)*) => {$($(
        // SAFETY: numbers; the size shows that there is no padding.
        #[diagnostic::do_not_recommend]
        unsafe impl $crate::shared::AnyBits for $type {}

        const _: () = assert!(size_of::<$type>() == $count * size_of::<$element>());
    )*)*};
}
pub(crate) use any_bits;

any_bits! {
    1 of u8: u8 i8;
    1 of u16: u16 i16;
    1 of u32: u32 i32 f32;
    1 of u64: u64 i64 f64 usize isize;
    1 of u128: u128 i128;
}

// SAFETY: as the elements, without gaps.
unsafe impl<T: AnyBits, const X: usize> AnyBits for [T; X] {}

mod vectors {
    use crate::vector::*;

    any_bits! {
        2 of u8: I8x2 U8x2;
        4 of u8: I8x4 U8x4;
        2 of u16: I16x2 U16x2;
        4 of u16: I16x4 U16x4;
        2 of u32: F32x2 I32x2 U32x2;
        4 of u32: F32x4 I32x4 U32x4;
        2 of u64: F64x2 I64x2 U64x2;
        4 of u64: F64x4 I64x4 U64x4;
    }
}

#[cfg(feature = "half")]
any_bits! { 1 of u16: half::f16 half::bf16; }

// SAFETY: so it is for `Pod` types.
#[cfg(feature = "bytemuck")]
#[diagnostic::do_not_recommend]
unsafe impl<T: bytemuck::Pod> AnyBits for crate::Pod<T> {}

// SAFETY: two parts, one after the other (`repr(C)`).
#[cfg(feature = "num-complex")]
#[diagnostic::do_not_recommend]
unsafe impl<T: AnyBits> AnyBits for num_complex::Complex<T> {}

// Those that are aligned to more than their numbers need, and may have padding for it, are missing.
#[cfg(feature = "glam")]
mod of_glam {
    use glam::*;

    any_bits! {
        2 of f32: Vec2;
        3 of f32: Vec3;
        4 of f32: Vec4 Quat Mat2;
        9 of f32: Mat3;
        16 of f32: Mat4;
        2 of f64: DVec2;
        3 of f64: DVec3;
        4 of f64: DVec4 DQuat DMat2;
        9 of f64: DMat3;
        16 of f64: DMat4;
        2 of u8: I8Vec2 U8Vec2;
        3 of u8: I8Vec3 U8Vec3;
        4 of u8: I8Vec4 U8Vec4;
        2 of u16: I16Vec2 U16Vec2;
        3 of u16: I16Vec3 U16Vec3;
        4 of u16: I16Vec4 U16Vec4;
        2 of u32: IVec2 UVec2;
        3 of u32: IVec3 UVec3;
        4 of u32: IVec4 UVec4;
        2 of u64: I64Vec2 U64Vec2 ISizeVec2 USizeVec2;
        3 of u64: I64Vec3 U64Vec3 ISizeVec3 USizeVec3;
        4 of u64: I64Vec4 U64Vec4 ISizeVec4 USizeVec4;
    }
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use super::AnyBits;
    use nalgebra::{ArrayStorage, Const, Matrix, OPoint, Quaternion, Scalar, Translation};

    // SAFETY: columns of elements, one after another (`repr(transparent)` around an array).
    #[diagnostic::do_not_recommend]
    unsafe impl<T: AnyBits, const R: usize, const C: usize> AnyBits
        for Matrix<T, Const<R>, Const<C>, ArrayStorage<T, R, C>>
    {
    }
    // SAFETY: a vector of its coordinates.
    #[diagnostic::do_not_recommend]
    unsafe impl<T: AnyBits + Scalar, const D: usize> AnyBits for OPoint<T, Const<D>> {}
    // SAFETY: a vector of its coordinates.
    #[diagnostic::do_not_recommend]
    unsafe impl<T: AnyBits + Scalar, const D: usize> AnyBits for Translation<T, D> {}
    // SAFETY: a vector of four coordinates.
    #[diagnostic::do_not_recommend]
    unsafe impl<T: AnyBits + Scalar> AnyBits for Quaternion<T> {}
}
