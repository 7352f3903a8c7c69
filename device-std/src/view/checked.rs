//! How `#[kernel]` checks the divisions of a kernel's parameters where the kernel is written, not where it is launched.
#![doc(hidden)]

use super::by::{self, Division};
use super::{Diagonal, Parts, Pivoted};
use core::marker::PhantomData;

/// A parameter's type. Types with a division have a constant that says whether it tells all threads apart. That constant takes
/// precedence over the one of [`Other`].
pub struct Parameter<T: ?Sized>(PhantomData<T>);

/// All other types.
pub trait Other {
    /// There is nothing to tell apart.
    const IS_APART: bool = true;
}

impl<T: ?Sized> Other for Parameter<T> {}

impl<T, D: Division<N>, const N: usize> Parameter<Parts<'_, T, D, N>> {
    /// Whether the division tells all threads apart, at least in launches of one dimension.
    pub const IS_APART: bool = by::is_apart::<D, N>();
}

impl<T, D: Division<N>, const N: usize> Parameter<Pivoted<'_, T, D, N>> {
    /// Whether the division tells all threads apart, at least in launches of one dimension.
    pub const IS_APART: bool = by::is_apart::<D, N>();
}

impl<T, D: Division<4>, const SIDE: usize> Parameter<Diagonal<'_, T, D, SIDE>> {
    /// Whether the division tells all threads apart, at least in launches of one dimension.
    pub const IS_APART: bool = by::is_apart::<D, 4>();
}

/// A compile error, at the place of the call, unless a division tells all threads apart.
#[track_caller]
pub const fn require_apart(is_apart: bool) {
    by::assert_apart(is_apart);
}
