//! Fills of device memory.

use super::allocation::Allocation;
use super::tracker::Access;
use crate::error::Result;
use crate::stream::Stream;
use core::any::TypeId;
use core::ops::Range;
use ptyx_device::DeviceCopy;

/// A value that one call of the driver repeats.
#[derive(Clone, Copy)]
pub(super) enum Element {
    D8(u8),
    D16(u16),
    D32(u32),
}

/// A value that a fill repeats without the host's help.
pub(super) enum Pattern {
    One(Element),
    /// The 32-bit words of a larger number, not all of them equal.
    Words(Words),
}

/// The words of a number of 64 or 128 bits, lowest address first.
pub(super) struct Words {
    words: [u32; 4],
    count: usize,
}

/// How many numbers of more than one word are set word by word; copies of them fill the rest. Setting a word here and there
/// is slow, and a copy of little costs as much as one of none.
const FIRST: usize = 1 << 12;

impl Pattern {
    /// The pattern of a value, if its type is one of those that have no padding.
    pub(super) fn of<T: DeviceCopy>(value: T) -> Option<Self> {
        // SAFETY: the pointer points to a value of this type.
        unsafe { Self::of_type(TypeId::of::<T>(), (&raw const value).cast()) }
    }

    /// The same for the type with this id: a program that is not optimised has this code once, not once for each type.
    ///
    /// # Safety
    /// `pointer` points to a value of the type with this id.
    #[inline]
    unsafe fn of_type(ty: TypeId, pointer: *const u8) -> Option<Self> {
        macro_rules! any_of {
            ($($ty:ty),*) => { $(ty == TypeId::of::<$ty>())||* };
        }
        #[cfg(feature = "half")]
        let is_half = any_of!(half::f16, half::bf16);
        #[cfg(not(feature = "half"))]
        let is_half = false;
        // SAFETY: the type is one of those named, which have this size and only initialised bytes.
        unsafe {
            if any_of!(u8, i8, bool) {
                Some(Self::One(Element::D8(pointer.read())))
            } else if is_half || any_of!(u16, i16) {
                Some(Self::One(Element::D16(pointer.cast::<u16>().read())))
            } else if any_of!(u32, i32, f32, char) {
                Some(Self::One(Element::D32(pointer.cast::<u32>().read())))
            } else if any_of!(u64, i64, f64, usize, isize) {
                let [low, high] = pointer.cast::<[u32; 2]>().read();
                Some(Self::of_words([low, high, 0, 0], 2))
            } else if any_of!(u128, i128) {
                Some(Self::of_words(pointer.cast::<[u32; 4]>().read(), 4))
            } else {
                None
            }
        }
    }

    fn of_words(words: [u32; 4], count: usize) -> Self {
        match words[1..count].iter().all(|word| *word == words[0]) {
            true => Self::One(Element::D32(words[0])),
            false => Self::Words(Words { words, count }),
        }
    }
}

/// Repeats `pattern` in a range whose length is a multiple of the pattern's, on `stream`.
pub(super) fn fill(
    to: &Allocation,
    range: Range<usize>,
    pattern: &Pattern,
    stream: &Stream,
) -> Result<()> {
    let entry = stream.enter();
    to.order(&entry, range.clone(), Access::Write)?;
    if range.is_empty() {
        return Ok(());
    }
    stream.context().bind()?;
    let (driver, address, bytes) = (to.context.driver, to.address(range.start), range.len());
    let stream_handle = stream.handle();
    // SAFETY: the range is inside the allocation and aligned for the pattern's type, and the
    // tracker knows of the use.
    unsafe {
        match *pattern {
            Pattern::One(Element::D8(value)) => {
                driver.cuMemsetD8Async(address, value, bytes, stream_handle)
            }
            Pattern::One(Element::D16(value)) => {
                driver.cuMemsetD16Async(address, value, bytes / 2, stream_handle)
            }
            Pattern::One(Element::D32(value)) => {
                driver.cuMemsetD32Async(address, value, bytes / 4, stream_handle)
            }
            Pattern::Words(Words { words, count }) => {
                let size = size_of::<u32>() * count;
                let first = bytes.min(FIRST * size);
                for (place, word) in words[..count].iter().enumerate() {
                    let address = address + (place * size_of::<u32>()) as u64;
                    driver.cuMemsetD2D32Async(
                        address,
                        size,
                        *word,
                        1,
                        first / size,
                        stream_handle,
                    )?;
                }
                return double(to, range, first, stream);
            }
        }
    }?;
    Ok(())
}

/// Fills the rest of a range whose first `filled` bytes hold the value, on `stream`.
pub(super) fn repeat(
    to: &Allocation,
    range: Range<usize>,
    filled: usize,
    stream: &Stream,
) -> Result<()> {
    let entry = stream.enter();
    to.order(&entry, range.clone(), Access::Write)?;
    stream.context().bind()?;
    // SAFETY: the tracker knows of the use.
    unsafe { double(to, range, filled, stream) }
}

/// Fills the rest of a range whose first `filled` bytes hold the value, by doubling.
///
/// # Safety
/// The range is inside the allocation, whose tracker knows of the use.
unsafe fn double(
    to: &Allocation,
    range: Range<usize>,
    mut filled: usize,
    stream: &Stream,
) -> Result<()> {
    while filled < range.len() {
        let count = filled.min(range.len() - filled);
        let (to_address, from) = (to.address(range.start + filled), to.address(range.start));
        // SAFETY: both parts are inside the range and do not overlap; the tracker knows of it (caller).
        unsafe { to.context.driver.cuMemcpyDtoDAsync(to_address, from, count, stream.handle()) }?;
        filled += count;
    }
    Ok(())
}
