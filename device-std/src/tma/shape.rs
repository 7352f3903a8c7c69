//! Element types and shapes of tiles.

use crate::DeviceCopy;
use crate::float8::{F8E4M3, F8E5M2};

/// The most dimensions of a tensor.
pub(super) const DIMENSIONS: usize = 5;

/// A type of elements of tensors.
///
/// ```
/// fn of_a_tensor<T: ptyx::device::tma::Element>() {}
/// of_a_tensor::<f32>();
/// of_a_tensor::<u8>();
/// ```
#[diagnostic::on_unimplemented(
    message = "tensors have no elements of type `{Self}`",
    note = "elements are integers and floats of 8 to 64 bits, `half::f16` and `half::bf16` with the feature `half`"
)]
pub trait Element: DeviceCopy + sealed::Element {}

pub(super) mod sealed {
    pub trait Element {
        /// The driver's number of the type (`CUtensorMapDataType`).
        const TYPE: u32;
        /// Whether there is a NaN.
        const IS_FLOAT: bool;
    }

    pub trait Shape {
        /// How many elements along each dimension, the innermost first; 1 for missing dimensions.
        const SIDES: [usize; 5];
    }
}

macro_rules! elements {
    ($($type:ty: $number:literal $is_float:literal;)*) => {$(
        impl Element for $type {}
        impl sealed::Element for $type {
            const TYPE: u32 = $number;
            const IS_FLOAT: bool = $is_float;
        }
    )*};
}

elements! {
    u8: 0 false; i8: 0 false; F8E4M3: 0 false; F8E5M2: 0 false;
    u16: 1 false; i16: 1 false;
    u32: 2 false; i32: 3 false; u64: 4 false; i64: 5 false;
    f32: 7 true; f64: 8 true;
}

#[cfg(feature = "half")]
elements! { half::f16: 6 true; half::bf16: 9 true; }

/// The shape of a tile, as an array type of elements: `[[f32; 64]; 16]` is 16 rows of 64.
///
/// There are one to five dimensions, each with 1 to 256 elements, and rows of a multiple of 16 bytes.
///
/// ```
/// use ptyx::device::tma::TileShape;
/// assert_eq!(<[[[u8; 32]; 4]; 2] as TileShape>::DIMENSIONS, 3);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the shape of a tile",
    note = "a tile of 16 rows of 64 elements is `[[f32; 64]; 16]`; there may be one to five dimensions"
)]
pub trait TileShape: DeviceCopy + sealed::Shape {
    /// The type of the elements.
    type Element: Element;
    /// A number for each dimension, rows first: where a tile begins. They may be outside of the tensor.
    type Coordinates: Copy + Send + AsRef<[i32]> + 'static;
    /// A number for each dimension, rows first: an index into a tile, or a tensor's size.
    type Index: Copy + Send + AsRef<[usize]> + 'static;
    /// The number of dimensions.
    const DIMENSIONS: usize;
}

macro_rules! shapes {
    ($($count:literal: $shape:ty, $($side:ident)*, [$($first:tt)*] [$($rest:literal)*];)*) => {$(
        impl<T: Element, $(const $side: usize),*> TileShape for $shape {
            type Element = T;
            type Coordinates = [i32; $count];
            type Index = [usize; $count];
            const DIMENSIONS: usize = $count;
        }

        impl<T: Element, $(const $side: usize),*> sealed::Shape for $shape {
            const SIDES: [usize; DIMENSIONS] = [$($first)* $($rest),*];
        }
    )*};
}

shapes! {
    1: [T; A], A, [A,] [1 1 1 1];
    2: [[T; A]; B], A B, [A, B,] [1 1 1];
    3: [[[T; A]; B]; C], A B C, [A, B, C,] [1 1];
    4: [[[[T; A]; B]; C]; D], A B C D, [A, B, C, D,] [1];
    5: [[[[[T; A]; B]; C]; D]; E], A B C D E, [A, B, C, D, E] [];
}

/// The driver's number of a tile's elements.
#[doc(hidden)]
pub const fn element_type<K: TileShape>() -> u32 {
    <K::Element as sealed::Element>::TYPE
}

/// Whether a tile's elements are floats.
#[doc(hidden)]
pub const fn is_float<K: TileShape>() -> bool {
    <K::Element as sealed::Element>::IS_FLOAT
}

/// How many elements a tile has along each dimension, the innermost first.
#[doc(hidden)]
pub const fn sides<K: TileShape>() -> [usize; DIMENSIONS] {
    K::SIDES
}

/// The numbers of some dimensions, the innermost first.
#[inline(always)]
pub(super) fn innermost_first<N: Copy + Default>(numbers: &[N]) -> [N; DIMENSIONS] {
    let mut all = [N::default(); DIMENSIONS];
    let count = numbers.len();
    let mut at = 0;
    while at < count && at < DIMENSIONS {
        all[at] = numbers[count.wrapping_sub(at).wrapping_sub(1)];
        at = at.wrapping_add(1);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_innermost_first() {
        assert_eq!(<[[[u8; 2]; 3]; 4] as sealed::Shape>::SIDES, [2, 3, 4, 1, 1]);
        assert_eq!(innermost_first(&[5, 6, 7]), [7, 6, 5, 0, 0]);
    }
}
