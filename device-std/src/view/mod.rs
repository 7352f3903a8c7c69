//! Views: how a kernel sees device memory.
//!
//! | a kernel's parameter | reads | writes |
//! |---|---|---|
//! | `&[T]` | any element | none |
//! | [`Disjoint<T>`] | its own elements | its own elements, safely |
//! | [`SliceMut<T>`] | any, `unsafe` | any, `unsafe` |

mod disjoint;
mod slice_mut;

pub use disjoint::Disjoint;
pub use slice_mut::SliceMut;

/// Panics as the indexing of a slice does, with the index, the length and the caller's place.
#[inline(always)]
#[track_caller]
pub(crate) fn check_bounds(index: usize, len: usize) {
    if index >= len {
        out_of_bounds(index, len)
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn out_of_bounds(index: usize, len: usize) -> ! {
    crate::panic::bounds(index, len, core::panic::Location::caller())
}
