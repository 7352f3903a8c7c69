//! Operations that combine a stored tile with the elements in memory.

use super::Element;
use crate::bulk::{Add, And, Dec, Inc, Max, Min, Operation, Or, Xor};

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
pub trait Reduction<T: Element>: Operation {}

macro_rules! operations {
    ($($name:ident: $($type:ty)*;)*) => {
        $($(impl Reduction<$type> for $name {})*)*
    };
}

// Those that an H200 has: the map says the type, and with others the instruction is an illegal one.
operations! {
    Add: u32 i32 u64 f32 f64;
    Min: u32 i32 u64 i64;
    Max: u32 i32 u64 i64;
    Inc: u32;
    Dec: u32;
    And: u32 i32 u64;
    Or: u32 i32 u64;
    Xor: u32 i32 u64;
}

#[cfg(feature = "half")]
operations! {
    Add: half::f16 half::bf16;
    Min: half::f16 half::bf16;
    Max: half::f16 half::bf16;
}
