//! Views: how a kernel accesses device memory.
//!
//! | a kernel's parameter | in several dimensions | reads | writes |
//! |---|---|---|---|
//! | `&[T]` | [`Array<T, N>`] | any element | none |
//! | [`Disjoint<T>`] | [`DisjointArray<T, N>`] | its own elements | its own elements |
//! | [`Parts<T, D>`](Parts) | [`Parts<T, D, N>`](Parts) | the part that `D` gives it | the same part |
//! | [`Pivoted<T, D>`](Pivoted) | [`Pivoted<T, D, N>`](Pivoted) | that part, and the pivots, which no thread writes | that part |
//! | | [`Diagonal<T, D, SIDE>`](Diagonal) | that part of some tiles, and everything outside of these tiles | that part |
//! | [`SliceMut<T>`] | [`ArrayMut<T, N>`] | any, `unsafe` | any, `unsafe` |
//! | [`Atomics<T>`](crate::Atomics) | | any, atomically | any, atomically |

mod array;
mod array_mut;
pub mod by;
pub mod checked;
mod diagonal;
mod disjoint;
mod layout;
pub mod parameter;
mod part;
mod parts;
mod pivoted;
mod place;
mod rounds;
mod slice_mut;

pub use array::{Array, Elements};
pub use array_mut::{ArrayMut, DisjointArray, ThreadIndex};
#[doc(hidden)]
pub use diagonal::Tiles;
pub use diagonal::{Diagonal, Known};
pub use disjoint::Disjoint;
pub use part::{Part, PartIter};
pub use parts::Parts;
pub use pivoted::Pivoted;
#[doc(hidden)]
pub use place::Place;
pub use rounds::Rounds;
pub use slice_mut::SliceMut;

use core::ptr::NonNull;

/// Where the elements of a view begin: never null (an empty buffer may be), so that rustc knows that
/// references to elements are not null, either, and an `Option` of one needs no test.
#[inline(always)]
pub(crate) const fn non_null<T>(pointer: *const T) -> NonNull<T> {
    match NonNull::new(pointer.cast_mut()) {
        Some(pointer) => pointer,
        None => NonNull::dangling(),
    }
}

/// Panics as the indexing of a slice does, with the index, the length and the caller's place.
#[inline(always)]
#[track_caller]
pub(crate) fn check_bounds(index: usize, len: usize) {
    if index >= len {
        crate::panic::bounds(index, len, core::panic::Location::caller())
    }
}
