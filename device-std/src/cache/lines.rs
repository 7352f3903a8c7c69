//! Hints about lines of the caches.

use crate::global::is_global;
use crate::{arch_at_least, intrinsics};

/// Functions that say something about an address.
macro_rules! hints {
    ($($name:ident from $least:literal $(($note:literal))?: $text:literal $ptx:literal;)*) => {$(
        #[doc = $text]
        ///
        #[doc = concat!("PTX [`", $ptx, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prefetch-prefetchu)", $(" ", $note,)? ".")]
        ///
        /// ```
        /// use ptyx::device::cache;
        ///
        /// fn announce(next: &[f32; 32]) {
        #[doc = concat!("    cache::", stringify!($name), "(next);")]
        /// }
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $name<T>(place: &T) {
            if is_global(place) && arch_at_least!($least) {
                // SAFETY: a hint, about memory that exists.
                unsafe { intrinsics::$name(core::ptr::from_ref(place).cast()) }
            }
        }
    )*};
}

hints! {
    prefetch_l1 from 70:
        "Lets L1 load the line with the first byte of a place." "prefetch.global.L1";
    prefetch_l2 from 70:
        "Lets L2 load the line with the first byte of a place." "prefetch.global.L2";
    prefetch_l2_evict_last from 80 ("(`sm_80`; nothing on older devices)"):
        "Lets L2 load the line with the first byte of a place, and evict it last." "prefetch.global.L2::evict_last";
    prefetch_l2_evict_normal from 80 ("(`sm_80`; nothing on older devices)"):
        "Lets L2 load the line with the first byte of a place with the usual priority, whatever priority it had before." "prefetch.global.L2::evict_normal";
}

/// 128 bytes of memory, aligned to 128 bytes: what [`discard_l2`] and [`demote_l2`] are about.
///
/// ```
/// use ptyx::device::cache::Line;
/// assert_eq!((size_of::<Line>(), align_of::<Line>()), (128, 128));
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub struct Line(pub [u32; 32]);

/// Gives a line of global memory the usual priority in L2, if it had been loaded to be evicted last.
///
/// PTX [`applypriority.global.L2::evict_normal`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-applypriority) (`sm_80`; nothing on older devices).
///
/// ```
/// use ptyx::device::cache::{self, Line};
///
/// fn done(line: &Line) {
///     cache::demote_l2(line);
/// }
/// ```
#[doc(alias = "applypriority")]
#[inline(always)]
#[track_caller]
pub fn demote_l2(line: &Line) {
    if is_global(line) && arch_at_least!(80) {
        // SAFETY: a hint, about memory that exists and is aligned.
        unsafe { intrinsics::applypriority_l2(core::ptr::from_ref(line).cast()) }
    }
}

/// Throws a line away that is in L2, without writing it to memory.
///
/// PTX [`discard.global.L2`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-discard) (`sm_80`; nothing on older devices).
///
/// ```
/// use ptyx::device::cache::{self, Line};
///
/// fn done(scratch: *mut Line) {
///     // SAFETY: a buffer for intermediate results, which are no longer needed.
///     unsafe { cache::discard_l2(scratch) };
/// }
/// ```
///
/// # Safety
/// The line is in global memory. Its bytes are undefined afterwards: no thread reads them before they are written
/// again.
#[doc(alias = "discard")]
#[inline(always)]
#[track_caller]
pub unsafe fn discard_l2(line: *mut Line) {
    if arch_at_least!(80) {
        // SAFETY: as the caller's.
        unsafe { intrinsics::discard_l2(line.cast()) }
    }
}
