//! Which types of elements the instructions multiply, and the words for it.

use super::instructions::word;
use crate::mma::{E4m3, E5m2, Element, Tf32};

/// An element type of A and B: `f16`, `bf16`, [`Tf32`], [`E4m3`], [`E5m2`], `i8` or `u8`.
///
/// ```
/// use ptyx::device::{mma::E4m3, wgmma::Factor};
///
/// /// The depth of one instruction.
/// const fn depth<T: Factor>() -> u32 {
///     256 / T::BITS
/// }
/// assert_eq!(depth::<E4m3>(), 32);
/// ```
#[diagnostic::on_unimplemented(
    message = "`wgmma` does not multiply elements of type `{Self}`",
    note = "the types are listed in the documentation of `ptyx::device::wgmma`; `half::f16` and `half::bf16` \
            need the feature `half`"
)]
pub trait Factor: Element + sealed::Factor {}

/// An element type of A that can be multiplied by elements of type `B` and added to sums of type `C`.
///
/// ```
/// use ptyx::device::wgmma::Product;
///
/// /// Compiles for types that have an instruction.
/// fn exists<A: Product<B, C>, B, C>() {}
/// exists::<i8, u8, i32>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`wgmma` does not multiply `{Self}` by `{B}` and add the product to `{C}`",
    note = "the combinations are listed in the documentation of `ptyx::device::wgmma`"
)]
pub trait Product<B, C>: Factor + sealed::Product<B, C> {}

pub(super) mod sealed {
    pub trait Factor {}

    pub trait Product<B, C> {
        /// The types in the name of the instruction, packed.
        const TYPES: u128;
        /// The version of PTX, times ten.
        const PTX: u32;
        /// Whether a factor may be negated.
        const SIGNS: bool;
        /// Whether a factor may be transposed in shared memory.
        const MAJORS: bool;
    }
}

macro_rules! factors {
    ($($(#[$attribute:meta])? $type:ty;)*) => {$(
        $(#[$attribute])?
        impl sealed::Factor for $type {}
        $(#[$attribute])?
        impl Factor for $type {}
    )*};
}

factors! {
    #[cfg(feature = "half")]
    half::f16;
    #[cfg(feature = "half")]
    half::bf16;
    Tf32;
    E4m3;
    E5m2;
    i8;
    u8;
}

/// Types of A, B and sums: their names, the version of PTX, whether factors can be negated and transposed.
macro_rules! products {
    ($($(#[$attribute:meta])? $a:ty, $b:ty, $c:ty: $types:literal $ptx:literal $signs:literal $majors:literal;)*) => {$(
        $(#[$attribute])?
        impl sealed::Product<$b, $c> for $a {
            const TYPES: u128 = word($types.as_bytes());
            const PTX: u32 = $ptx;
            const SIGNS: bool = $signs;
            const MAJORS: bool = $majors;
        }
        $(#[$attribute])?
        impl Product<$b, $c> for $a {}
    )*};
}

products! {
    #[cfg(feature = "half")]
    half::f16, half::f16, f32: "f32.f16.f16" 80 true true;
    #[cfg(feature = "half")]
    half::f16, half::f16, half::f16: "f16.f16.f16" 80 true true;
    #[cfg(feature = "half")]
    half::bf16, half::bf16, f32: "f32.bf16.bf16" 80 true true;
    Tf32, Tf32, f32: "f32.tf32.tf32" 80 true false;
    E4m3, E4m3, f32: "f32.e4m3.e4m3" 80 true false;
    E4m3, E5m2, f32: "f32.e4m3.e5m2" 80 true false;
    E5m2, E4m3, f32: "f32.e5m2.e4m3" 80 true false;
    E5m2, E5m2, f32: "f32.e5m2.e5m2" 80 true false;
    #[cfg(feature = "half")]
    E4m3, E4m3, half::f16: "f16.e4m3.e4m3" 80 true false;
    #[cfg(feature = "half")]
    E4m3, E5m2, half::f16: "f16.e4m3.e5m2" 80 true false;
    #[cfg(feature = "half")]
    E5m2, E4m3, half::f16: "f16.e5m2.e4m3" 80 true false;
    #[cfg(feature = "half")]
    E5m2, E5m2, half::f16: "f16.e5m2.e5m2" 80 true false;
    i8, i8, i32: "s32.s8.s8" 80 false false;
    i8, u8, i32: "s32.s8.u8" 84 false false;
    u8, i8, i32: "s32.u8.s8" 84 false false;
    u8, u8, i32: "s32.u8.u8" 80 false false;
}
