//! Types of elements that DLPack has names for.

use super::DataType;
use ptyx_device::DeviceCopy;

/// An element of a tensor: numbers and `bool`; with their features, `half::f16`, `half::bf16` and complex numbers.
///
/// ```
/// use ptyx::dlpack::{DataType, Element};
/// fn bits<T: Element>(_: &[T]) -> u8 {
///     T::TYPE.bits
/// }
/// assert_eq!(bits(&[1i64, 2]), 64);
/// ```
///
/// # Safety
/// [`Element::TYPE`] describes values of this type. Another library may write any bit pattern that is a value of the
/// described type, which must be a value of this one.
#[diagnostic::on_unimplemented(
    message = "DLPack has no name for `{Self}`",
    label = "not an element of a tensor",
    note = "numbers and `bool` are: `buffer.reinterpret` uses other types as numbers"
)]
pub unsafe trait Element: DeviceCopy {
    /// The type's description.
    const TYPE: DataType;
}

macro_rules! elements {
    ($($(#[$cfg:meta])* $type:ty: $code:ident;)*) => {$(
        $(#[$cfg])*
        // SAFETY: a number of this kind, or a truth value, which is 0 or 1.
        unsafe impl Element for $type {
            const TYPE: DataType =
                DataType { code: DataType::$code, bits: 8 * size_of::<$type>() as u8, lanes: 1 };
        }
    )*};
}

elements! {
    i8: INT;
    i16: INT;
    i32: INT;
    i64: INT;
    u8: UINT;
    u16: UINT;
    u32: UINT;
    u64: UINT;
    f32: FLOAT;
    f64: FLOAT;
    bool: BOOL;
    #[cfg(feature = "half")]
    half::f16: FLOAT;
    #[cfg(feature = "half")]
    half::bf16: BFLOAT;
    #[cfg(feature = "num-complex")]
    num_complex::Complex<f32>: COMPLEX;
    #[cfg(feature = "num-complex")]
    num_complex::Complex<f64>: COMPLEX;
}
