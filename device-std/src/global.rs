//! Global memory: whether an address is there, and how much of it the L2 cache loads at a time.

use crate::intrinsics;

/// A hint: how many bytes the L2 cache loads when it loads some of them.
///
/// ```
/// use ptyx::device::async_copy::Prefetch;
/// assert_eq!(Prefetch::default(), Prefetch::None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prefetch {
    /// No hint.
    #[default]
    None,
    /// `.L2::64B`
    Bytes64,
    /// `.L2::128B`
    Bytes128,
    /// `.L2::256B`
    Bytes256,
}

/// Whether a pointer leads to global memory.
#[inline(always)]
#[track_caller]
pub(crate) fn is_global<T>(pointer: *const T) -> bool {
    // SAFETY: only looks at the address.
    unsafe { intrinsics::is_global(pointer.cast()) != 0 }
}
