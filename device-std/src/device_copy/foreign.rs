//! Types of other crates, each with the feature of the crate's name.

/// Types for which every bit pattern is valid.
#[cfg(any(feature = "glam", feature = "half"))]
macro_rules! any_bits {
    ($($module:ident: $($type:ident)*;)*) => {$($(
        // SAFETY: numbers, every bit pattern of which is a value.
        #[diagnostic::do_not_recommend]
        unsafe impl crate::DeviceCopy for $module::$type {
            const LAYOUT: u64 = crate::layout_name(crate::layout_of::<Self>(), stringify!($type));
        }
    )*)*};
}

/// Types with the layout of other types.
#[cfg(any(feature = "glam", feature = "nalgebra", feature = "num-complex"))]
macro_rules! laid_out_as {
    ($(($($parameters:tt)*) $type:ty = $other:ty where ($($bounds:tt)*);)*) => {$(
        // SAFETY: laid out as the other, by `repr(C)` or `repr(transparent)`.
        #[diagnostic::do_not_recommend]
        unsafe impl<$($parameters)*> crate::DeviceCopy for $type
        where
            $($bounds)*
        {
            const LAYOUT: u64 = {
                assert!(size_of::<Self>() == size_of::<$other>());
                crate::layout_name(<$other as crate::DeviceCopy>::LAYOUT, stringify!($type))
            };
            const ZERO_IS_VALID: bool = <$other as crate::DeviceCopy>::ZERO_IS_VALID;

            #[inline(always)]
            unsafe fn is_valid(this: *const Self) -> bool {
                const { assert!(size_of::<Self>() == size_of::<$other>()) };
                // SAFETY: as the caller's.
                unsafe { <$other as crate::DeviceCopy>::is_valid(this.cast()) }
            }

            #[inline(always)]
            unsafe fn make_valid(this: *mut Self) {
                const { assert!(size_of::<Self>() == size_of::<$other>()) };
                // SAFETY: as the caller's.
                unsafe { <$other as crate::DeviceCopy>::make_valid(this.cast()) }
            }
        }
    )*};
}

#[cfg(feature = "half")]
any_bits! { half: f16 bf16; }

#[cfg(feature = "glam")]
any_bits! { glam:
    Vec2 Vec3 Vec3A Vec4 Quat Mat2 Mat3 Mat3A Mat4 Affine2 Affine3A
    DVec2 DVec3 DVec4 DQuat DMat2 DMat3 DMat4 DAffine2 DAffine3
    I8Vec2 I8Vec3 I8Vec4 U8Vec2 U8Vec3 U8Vec4 I16Vec2 I16Vec3 I16Vec4 U16Vec2 U16Vec3 U16Vec4
    IVec2 IVec3 IVec4 UVec2 UVec3 UVec4 I64Vec2 I64Vec3 I64Vec4 U64Vec2 U64Vec3 U64Vec4
    ISizeVec2 ISizeVec3 ISizeVec4 USizeVec2 USizeVec3 USizeVec4;
}

#[cfg(feature = "glam")]
laid_out_as! {
    () glam::BVec2 = [bool; 2] where ();
    () glam::BVec3 = [bool; 3] where ();
    () glam::BVec4 = [bool; 4] where ();
    () glam::BVec3A = [Lane; 4] where ();
    () glam::BVec4A = [Lane; 4] where ();
}

/// An element of those masks of `glam` that fill a vector register: all of its bits are set, or none.
#[cfg(feature = "glam")]
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Lane(u32);

// SAFETY: a number with two values, which both functions know. Zero is one of them.
#[cfg(feature = "glam")]
#[diagnostic::do_not_recommend]
unsafe impl crate::DeviceCopy for Lane {
    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: as the caller's; it need not be aligned.
        let bits = unsafe { this.cast::<u32>().read_unaligned() };
        bits == 0 || bits == u32::MAX
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        let this = this.cast::<i32>();
        // SAFETY: as above. In a valid element all bits equal the sign bit.
        unsafe { this.write_unaligned(this.read_unaligned() >> 31) }
    }
}

#[cfg(feature = "num-complex")]
laid_out_as! {
    (T: crate::DeviceCopy) num_complex::Complex<T> = [T; 2] where ();
}

#[cfg(feature = "nalgebra")]
mod of_nalgebra {
    use crate::DeviceCopy;
    use nalgebra::{
        ArrayStorage, Const, DualQuaternion, Isometry, Matrix, OPoint, Orthographic3, Perspective3,
        Quaternion, RealField, Rotation, SMatrix, Scalar, Scale, Similarity, TCategory, Transform,
        Translation, Unit,
    };

    laid_out_as! {
        (T: DeviceCopy, const R: usize, const C: usize)
            Matrix<T, Const<R>, Const<C>, ArrayStorage<T, R, C>> = [[T; R]; C] where ();
        (T: DeviceCopy + Scalar, const D: usize) OPoint<T, Const<D>> = [T; D] where ();
        (T: DeviceCopy + Scalar, const D: usize) Translation<T, D> = [T; D] where ();
        (T: DeviceCopy + Scalar, const D: usize) Rotation<T, D> = SMatrix<T, D, D> where ();
        (T: DeviceCopy + Scalar) Quaternion<T> = [T; 4] where ();
        (T: DeviceCopy) Unit<T> = T where ();
        (T: DeviceCopy + Scalar, const D: usize) Scale<T, D> = [T; D] where ();
        (T: DeviceCopy + Scalar) DualQuaternion<T> = [Quaternion<T>; 2] where ();
        (T: DeviceCopy + Scalar) Perspective3<T> = SMatrix<T, 4, 4> where ();
        (T: DeviceCopy + Scalar) Orthographic3<T> = SMatrix<T, 4, 4> where ();
        // `Affine2`, `Projective2` and `Transform2`; `Affine3`, `Projective3` and `Transform3`.
        (T: DeviceCopy + RealField, C: TCategory) Transform<T, C, 2> = SMatrix<T, 3, 3> where ();
        (T: DeviceCopy + RealField, C: TCategory) Transform<T, C, 3> = SMatrix<T, 4, 4> where ();
    }

    /// The offset of a similarity's scale, which is behind the isometry by `repr(C)`.
    const fn scale_of_similarity<T, R, const D: usize>() -> usize {
        size_of::<Isometry<T, R, D>>().next_multiple_of(align_of::<T>())
    }

    // SAFETY: an isometry and a number, one after the other (`repr(C)`).
    #[diagnostic::do_not_recommend]
    unsafe impl<T: DeviceCopy + Scalar, R: DeviceCopy, const D: usize> DeviceCopy
        for Similarity<T, R, D>
    {
        const LAYOUT: u64 = {
            let layout = crate::layout_name(crate::layout_of::<Self>(), "Similarity");
            let at = core::mem::offset_of!(Self, isometry);
            let layout = crate::layout_field(layout, "isometry", at, Isometry::<T, R, D>::LAYOUT);
            crate::layout_field(layout, "scaling", scale_of_similarity::<T, R, D>(), T::LAYOUT)
        };
        const ZERO_IS_VALID: bool = Isometry::<T, R, D>::ZERO_IS_VALID && T::ZERO_IS_VALID;

        #[inline(always)]
        unsafe fn is_valid(this: *const Self) -> bool {
            const { assert!(core::mem::offset_of!(Self, isometry) == 0) };
            // SAFETY: the fields lie inside what the caller gives.
            unsafe {
                Isometry::<T, R, D>::is_valid(this.cast())
                    && T::is_valid(this.byte_add(scale_of_similarity::<T, R, D>()).cast())
            }
        }

        #[inline(always)]
        unsafe fn make_valid(this: *mut Self) {
            const { assert!(core::mem::offset_of!(Self, isometry) == 0) };
            // SAFETY: the fields lie inside what the caller gives.
            unsafe {
                Isometry::<T, R, D>::make_valid(this.cast());
                T::make_valid(this.byte_add(scale_of_similarity::<T, R, D>()).cast());
            }
        }
    }

    // SAFETY: a rotation and a translation, side by side.
    #[diagnostic::do_not_recommend]
    unsafe impl<T: DeviceCopy + Scalar, R: DeviceCopy, const D: usize> DeviceCopy
        for Isometry<T, R, D>
    {
        const LAYOUT: u64 = {
            use core::mem::offset_of;
            let layout = crate::layout_name(crate::layout_of::<Self>(), "Isometry");
            let layout =
                crate::layout_field(layout, "rotation", offset_of!(Self, rotation), R::LAYOUT);
            let at = offset_of!(Self, translation);
            crate::layout_field(layout, "translation", at, Translation::<T, D>::LAYOUT)
        };
        const ZERO_IS_VALID: bool = R::ZERO_IS_VALID && T::ZERO_IS_VALID;

        #[inline(always)]
        unsafe fn is_valid(this: *const Self) -> bool {
            // SAFETY: the fields lie inside what the caller gives.
            unsafe {
                R::is_valid(this.byte_add(core::mem::offset_of!(Self, rotation)).cast())
                    && Translation::<T, D>::is_valid(
                        this.byte_add(core::mem::offset_of!(Self, translation)).cast(),
                    )
            }
        }

        #[inline(always)]
        unsafe fn make_valid(this: *mut Self) {
            // SAFETY: the fields lie inside what the caller gives.
            unsafe {
                R::make_valid(this.byte_add(core::mem::offset_of!(Self, rotation)).cast());
                Translation::<T, D>::make_valid(
                    this.byte_add(core::mem::offset_of!(Self, translation)).cast(),
                );
            }
        }
    }
}

/// A value of a type that is `bytemuck::Pod`, in device memory.
///
/// Rust's coherence rules don't allow one implementation of [`DeviceCopy`](crate::DeviceCopy) for all
/// `Pod` types beside the other implementations. This wrapper is `DeviceCopy` for every `Pod` type.
///
/// Slices are wrapped without a copy, by the trait `bytemuck::TransparentWrapper`: `Pod::wrap_slice`,
/// `Pod::peel_slice`. Every bit pattern is a value, so bytes can be reinterpreted as `Pod`s.
///
/// ```
/// use ptyx::{DeviceBuffer, device::Pod};
///
/// /// Copies any plain data to the device.
/// fn upload<T: bytemuck::Pod>(data: &[T]) -> ptyx::Result<DeviceBuffer<Pod<T>>> {
///     use bytemuck::TransparentWrapper;
///     DeviceBuffer::from_slice(Pod::wrap_slice(data))
/// }
/// assert_eq!(upload(&[1.5f32, 2.5])?.to_vec()?, [Pod(1.5), Pod(2.5)]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[cfg(feature = "bytemuck")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Pod<T>(pub T);

#[cfg(feature = "bytemuck")]
mod pod {
    use super::Pod;
    use crate::DeviceCopy;
    use bytemuck::{TransparentWrapper, Zeroable};

    // SAFETY: `Pod` types are plain bytes without padding, and every bit pattern is a value.
    #[diagnostic::do_not_recommend]
    unsafe impl<T: bytemuck::Pod> DeviceCopy for Pod<T> {}
    // SAFETY: it is transparent.
    unsafe impl<T> TransparentWrapper<T> for Pod<T> {}
    // SAFETY: as the value in it.
    unsafe impl<T: Zeroable> Zeroable for Pod<T> {}
    // SAFETY: as the value in it.
    unsafe impl<T: bytemuck::Pod> bytemuck::Pod for Pod<T> {}
}
