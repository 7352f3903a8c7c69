//! Shuffles: each lane takes a value that another lane offers.
//!
//! PTX ISA: [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) (`sm_70`), once for each 32-bit word of the value. Values of every
//! [`DeviceCopy`] type travel whole: `bool`, `u8`, 128-bit integers, arrays, structs with padding.
//!
//! Every lane of the mask must make the same call in the source, unless its thread has ended. A lane gets
//! a valid but meaningless value of the type if it takes from a lane outside the mask, from one whose
//! thread has ended, or from one without a thread (in the last warp of a block whose size is not a multiple
//! of 32). On the emulated device, the words of that value are `0xfffa_fffa`, which is a NaN as a float.
//! [`reduce`](super::reduce) only uses the values of lanes whose threads take part.

use crate::DeviceCopy;
use crate::intrinsics::{self, Word};
use core::mem::{MaybeUninit, size_of};

/// The lanes that exchange: a mask, and the width of the segments that the warp is divided into.
///
/// A mask alone, such as [`FULL`](super::FULL), means that the whole warp is one segment. With a width, the
/// shuffles work within segments: [`shuffle`], [`shuffle_up`] and [`shuffle_down`] take only from the
/// lane's own segment, [`shuffle_xor`] from its own segment and earlier ones.
///
/// ```
/// use ptyx_device::warp::{FULL, Segment};
/// assert_eq!(Segment::default(), Segment::of_width(32));
/// assert_eq!(Segment::from(0xff), Segment::WARP.among(0xff));
/// // Two segments of eight lanes; the other lanes don't take part.
/// let halves = Segment::of_width(8).among(0xffff);
/// assert_ne!(halves, Segment::of_width(8));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    mask: u32,
    width: u32,
}

impl Segment {
    /// The whole warp.
    ///
    /// ```
    /// use ptyx::device::warp::{FULL, Segment};
    /// assert_eq!(Segment::WARP, Segment::from(FULL));
    /// ```
    pub const WARP: Self = Self::of_width(32);

    /// Segments of `width` lanes, with all lanes in the mask.
    ///
    /// ```
    /// use ptyx::device::warp::{self, Segment};
    ///
    /// /// The sum over each eight neighbouring lanes, in all of them.
    /// fn sum_of_eight(mut value: f32) -> f32 {
    ///     for flip in [4, 2, 1] {
    ///         value += warp::shuffle_xor(Segment::of_width(8), value, flip);
    ///     }
    ///     value
    /// }
    /// ```
    ///
    /// # Panics
    /// If `width` is not 1, 2, 4, 8, 16 or 32.
    #[inline(always)]
    #[track_caller]
    pub const fn of_width(width: u32) -> Self {
        assert!(
            width.is_power_of_two() && width <= 32,
            "a shuffle's width is 1, 2, 4, 8, 16 or 32"
        );
        Self { mask: super::FULL, width }
    }

    /// The same segments, with only the lanes of `mask`. Each lane that makes the call must be in the mask.
    ///
    /// ```
    /// use ptyx::device::warp::{self, Segment};
    ///
    /// /// The first value of each eight lanes, where only the lower 16 lanes take part.
    /// fn first_of_eight(value: f32) -> f32 {
    ///     warp::shuffle(Segment::of_width(8).among(0xffff), value, 0)
    /// }
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn among(self, mask: u32) -> Self {
        Self { mask, width: self.width }
    }

    /// PTX's operand `c`: the segment mask in bits 8 to 12, the clamp in bits 0 to 4.
    #[inline(always)]
    const fn operand(self, clamp: u32) -> u32 {
        ((32 - self.width) << 8) | clamp
    }
}

impl Default for Segment {
    #[inline(always)]
    fn default() -> Self {
        Self::WARP
    }
}

/// The mask, with the whole warp as one segment.
impl From<u32> for Segment {
    #[inline(always)]
    fn from(mask: u32) -> Self {
        Self::WARP.among(mask)
    }
}

/// The value that lane `lane` (modulo the width) of this lane's segment offers.
///
/// PTX [`shfl.sync.idx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Lane 0 reserves places for the whole warp; each lane gets its own.
/// fn reserve(next: &Atomic<u32>) -> u32 {
///     let first = if warp::lane() == 0 { next.fetch_add(warp::SIZE) } else { 0 };
///     warp::shuffle(warp::FULL, first, 0) + warp::lane()
/// }
/// ```
#[doc(alias = "__shfl_sync")]
#[inline(always)]
pub fn shuffle<T: DeviceCopy>(lanes: impl Into<Segment>, value: T, lane: u32) -> T {
    let lanes = lanes.into();
    // SAFETY: exchanges values between lanes.
    each_word(value, |word| unsafe {
        intrinsics::shuffle_index(lanes.mask, word, lane, lanes.operand(31))
    })
}

/// The value of the lane whose number is lower by `delta` (modulo 32). The lowest `delta` lanes of the
/// segment keep their own value.
///
/// PTX [`shfl.sync.up`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The sum of this lane's value and those of all lanes below.
/// fn running_sum(mut sum: u32) -> u32 {
///     for delta in [1, 2, 4, 8, 16] {
///         let below = warp::shuffle_up(warp::FULL, sum, delta);
///         sum += if warp::lane() >= delta { below } else { 0 };
///     }
///     sum
/// }
/// ```
#[doc(alias = "__shfl_up_sync")]
#[inline(always)]
pub fn shuffle_up<T: DeviceCopy>(lanes: impl Into<Segment>, value: T, delta: u32) -> T {
    let lanes = lanes.into();
    // SAFETY: exchanges values between lanes.
    each_word(value, |word| unsafe {
        intrinsics::shuffle_up(lanes.mask, word, delta, lanes.operand(0))
    })
}

/// [`shuffle_up`], and whether the value is that of another lane, which saves a comparison of lanes.
#[inline(always)]
#[track_caller]
pub(crate) fn shuffle_up_marked<T: DeviceCopy>(
    lanes: impl Into<Segment>,
    value: T,
    delta: u32,
) -> (T, bool) {
    let lanes = lanes.into();
    let mark = core::cell::Cell::new(None);
    let result = each_word(value, |word| {
        if mark.get().is_some() {
            // SAFETY: exchanges values between lanes.
            return unsafe { intrinsics::shuffle_up(lanes.mask, word, delta, lanes.operand(0)) };
        }
        let (word, is_marked) = marked_word(lanes, word, delta);
        mark.set(Some(is_marked));
        word
    });
    // Nothing is another lane's where there is nothing.
    (result, mark.get().unwrap_or(false))
}

/// A word from a lower lane. The assembler makes a predicate of the mark, which `shfl` sets.
#[inline(always)]
#[track_caller]
fn marked_word(lanes: Segment, word: Word, delta: u32) -> (Word, bool) {
    crate::__ptx! {
        device {
            let (found, mark): (u32, u32);
            // SAFETY: exchanges values between lanes.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_70 ptx=63 pure nomem convergent",
                    "{{ .reg .pred %is; shfl.sync.up.b32 {0}|%is, {2}, {3}, {4}, {5}; selp.b32 {1}, 1, 0, %is; }}",
                    lateout(reg) found,
                    lateout(reg) mark,
                    in(reg) word,
                    in(reg) delta,
                    in(reg) lanes.operand(0),
                    in(reg) lanes.mask,
                    options(pure, nomem, nostack, preserves_flags),
                );
            }
            (Word::new(found), mark != 0)
        }
        host {
            let _ = (lanes, word, delta);
            crate::intrinsics::on_the_host()
        }
    }
}

/// The value of the lane whose number is higher by `delta` (modulo 32). The highest `delta` lanes of the
/// segment keep their own value.
///
/// PTX [`shfl.sync.down`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The sum over a full warp, in lane 0.
/// fn sum(mut value: f32) -> f32 {
///     for delta in [16, 8, 4, 2, 1] {
///         value += warp::shuffle_down(warp::FULL, value, delta);
///     }
///     value
/// }
/// ```
#[doc(alias = "__shfl_down_sync")]
#[inline(always)]
pub fn shuffle_down<T: DeviceCopy>(lanes: impl Into<Segment>, value: T, delta: u32) -> T {
    let lanes = lanes.into();
    // SAFETY: exchanges values between lanes.
    each_word(value, |word| unsafe {
        intrinsics::shuffle_down(lanes.mask, word, delta, lanes.operand(31))
    })
}

/// The value of the lane whose number in the warp is this lane's number XOR `flip` (modulo 32). If that lane
/// is in a later segment, this lane keeps its own value; lanes of earlier segments can be reached. If `flip`
/// is less than the width, values stay within their segments.
///
/// PTX [`shfl.sync.bfly`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The greatest value in a full warp, in every lane.
/// fn greatest(mut value: f32) -> f32 {
///     for flip in [16, 8, 4, 2, 1] {
///         value = value.max(warp::shuffle_xor(warp::FULL, value, flip));
///     }
///     value
/// }
/// ```
#[doc(alias = "__shfl_xor_sync")]
#[inline(always)]
pub fn shuffle_xor<T: DeviceCopy>(lanes: impl Into<Segment>, value: T, flip: u32) -> T {
    let lanes = lanes.into();
    // SAFETY: exchanges values between lanes.
    each_word(value, |word| unsafe {
        intrinsics::shuffle_xor(lanes.mask, word, flip, lanes.operand(31))
    })
}

/// Takes a value apart into 32-bit words, the last one filled up, and together again.
#[inline(always)]
fn each_word<T: DeviceCopy>(value: T, exchange: impl Fn(Word) -> Word) -> T {
    let mut storage = MaybeUninit::<Padded<T>>::zeroed();
    let words = storage.as_mut_ptr().cast::<Word>();
    // SAFETY: `Padded` is at least as large as the words, aligned for both, and zeroed; the value
    // comes first in it. Words are `MaybeUninit`, since the value's padding is copied along.
    unsafe {
        words.cast::<T>().write(value);
        for i in 0..size_of::<T>().div_ceil(4) {
            words.add(i).write(exchange(words.add(i).read()));
        }
        let result = words.cast::<T>();
        T::make_valid(result);
        result.read()
    }
}

/// A value with room for its last word.
#[repr(C)]
struct Padded<T> {
    value: T,
    word: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(C)]
    struct Uneven {
        a: u8,
        b: u64,
        c: [u8; 3],
        d: bool,
    }

    // SAFETY: plain bytes; the tests only exchange a value with itself.
    unsafe impl DeviceCopy for Uneven {}

    /// Every word must come by once, and the value must survive.
    fn words_of<T: DeviceCopy>(value: T) -> (T, u32) {
        let count = core::cell::Cell::new(0);
        let value = each_word(value, |word| {
            count.set(count.get() + 1);
            word
        });
        (value, count.get())
    }

    #[test]
    fn every_size_travels_whole() {
        assert_eq!(words_of(true), (true, 1));
        assert_eq!(words_of(0xABu8), (0xAB, 1));
        assert_eq!(words_of(-3i16), (-3, 1));
        assert_eq!(words_of(1.5f32), (1.5, 1));
        assert_eq!(words_of(1.5f64), (1.5, 2));
        assert_eq!(words_of(u128::MAX - 5), (u128::MAX - 5, 4));
        assert_eq!(words_of([1u8, 2, 3, 4, 5]), ([1, 2, 3, 4, 5], 2));
        assert_eq!(words_of(()), ((), 0));
        let value = Uneven { a: 1, b: u64::MAX - 2, c: [3, 4, 5], d: true };
        assert_eq!(words_of(value), (value, 6));
    }

    #[test]
    fn invalid_bytes_become_valid() {
        assert!(each_word(false, |_| MaybeUninit::new(0xFFFF_FF42)));
    }

    #[test]
    fn operands() {
        // As CUDA C's headers encode them: ((32 - width) << 8) | clamp.
        assert_eq!(Segment::WARP.operand(31), 0x1F);
        assert_eq!(Segment::of_width(16).operand(31), 0x101F);
        assert_eq!(Segment::of_width(8).operand(0), 0x1800);
    }

    #[test]
    #[should_panic = "a shuffle's width is 1, 2, 4, 8, 16 or 32"]
    fn odd_width() {
        Segment::of_width(12);
    }
}
