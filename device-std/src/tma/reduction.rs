//! What a store can do to the elements that are there.

use super::Element;

/// An operation on elements of type `T` in global memory, done atomically for each: [`Add`] and the others.
///
/// ```
/// use ptyx::device::tma::{Add, Max, Reduction};
/// fn exists<T: ptyx::device::tma::Element, R: Reduction<T>>() {}
/// exists::<f32, Add>();
/// exists::<i64, Max>();
/// ```
#[diagnostic::on_unimplemented(
    message = "the reduction `{Self}` has no elements of type `{T}`",
    note = "`Add`: `u32`, `i32`, `u64`, `f32`, `f64`, `f16`, `bf16`; `Min`, `Max`: `u32`, `i32`, `u64`, `i64`, `f16`, `bf16`; `Inc`, `Dec`: `u32`; `And`, `Or`, `Xor`: `u32`, `i32`, `u64`"
)]
pub trait Reduction<T: Element>: sealed::Operation {}

pub(super) mod sealed {
    pub trait Operation {
        /// Its name in PTX, as a word.
        const NAME: u128;
    }
}

macro_rules! operations {
    ($($(#[doc = $doc:literal])* $name:ident $word:literal: $($type:ty)*;)*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug)]
        pub enum $name {}

        impl sealed::Operation for $name {
            const NAME: u128 = super::instructions::word($word);
        }

        $(impl Reduction<$type> for $name {})*
    )*};
}

operations! {
    /// Adds; integers wrap around.
    Add b"add": u32 i32 u64 f32 f64;
    /// Keeps the smaller one.
    Min b"min": u32 i32 u64 i64;
    /// Keeps the larger one.
    Max b"max": u32 i32 u64 i64;
    /// Counts up, to 0 behind the given number.
    Inc b"inc": u32;
    /// Counts down, from 0 to the given number.
    Dec b"dec": u32;
    /// Bits that both have.
    And b"and": u32 i32 u64;
    /// Bits that any has.
    Or b"or": u32 i32 u64;
    /// Bits that one has.
    Xor b"xor": u32 i32 u64;
}

#[cfg(feature = "half")]
macro_rules! halves {
    ($($name:ident)*) => {$(
        impl Reduction<half::f16> for $name {}
        impl Reduction<half::bf16> for $name {}
    )*};
}

#[cfg(feature = "half")]
halves! { Add Min Max }
