//! Reading and writing bytes that several host threads may access at the same time.
//!
//! Blocks run on several host threads, and the host copies while kernels run. So two threads can access the
//! same bytes of device memory at the same time, whatever the kernels do. In Rust that is a data race, which
//! is undefined behaviour, unless both accesses are atomic. So all bytes outside a block's own shared
//! memory are accessed through this module (or through read-modify-writes, `exec/ops/atomic.rs`),
//! whose accesses are atomic and relaxed:
//!
//! - A kernel's access is one atomic access per element, of the element's width, as PTX promises for aligned
//!   elements of up to 64 bits (PTX ISA, "Memory Consistency Model": vector accesses are several scalar
//!   ones in no order). A kernel with a race reads a value that some thread wrote, never a torn one. `fence`,
//!   `atom` and barriers create order.
//! - The host's copies and fills are atomic, too, 8 bytes at a time where the address allows it. The
//!   host memory of a copy must not be used by others meanwhile, as the driver API requires.
//! - Accesses of 128 bits are `super::wide`'s. Rows of elements are read and written by vectors where the host guarantees
//!   that such accesses are atomic (`super::vectors`).
//! - There are no references to these bytes, and they are never uninitialised: allocations start zeroed,
//!   and [`copy_in`] turns the padding in host memory into initialised bytes.
//!
//! One gap is left: Rust does not define races between atomic accesses of *different* widths
//! (`std::sync::atomic`, "Memory model for atomic accesses"). They occur only if a kernel accesses the same
//! bytes with different widths from different threads without synchronisation, or if the host copies bytes
//! that a running kernel writes. PTX does not define the value of such an access either (its "Memory
//! Consistency Model" only covers overlapping accesses of equal size). In practice, rustc compiles relaxed
//! accesses to plain moves, which do give a value, and ThreadSanitizer reports nothing
//! (`scripts/emulator-tsan`, without vectors, whose accesses it does not see).

use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::Relaxed};

/// A type whose atomic accesses are single instructions on the host.
pub(crate) trait Element: Copy {
    /// Reads the value at `at`.
    ///
    /// # Safety
    /// `at` is valid for reads and aligned, and no thread accesses it non-atomically meanwhile.
    unsafe fn read(at: *const u8) -> Self;

    /// Writes the value at `at`.
    ///
    /// # Safety
    /// `at` is valid for writes and aligned, and no thread accesses it non-atomically meanwhile.
    unsafe fn write(self, at: *mut u8);
}

macro_rules! elements {
    ($($ty:ty => $atomic:ty),*) => { $(impl Element for $ty {
        #[inline(always)]
        unsafe fn read(at: *const u8) -> Self {
            // SAFETY: promised by the caller; a load writes nothing.
            unsafe { <$atomic>::from_ptr(at.cast_mut().cast()) }.load(Relaxed)
        }

        #[inline(always)]
        unsafe fn write(self, at: *mut u8) {
            // SAFETY: promised by the caller.
            unsafe { <$atomic>::from_ptr(at.cast()) }.store(self, Relaxed);
        }
    })* };
}
elements!(u8 => AtomicU8, u16 => AtomicU16, u32 => AtomicU32, u64 => AtomicU64);

/// Bytes that a copy takes at a time.
const CHUNK: usize = 4096;

/// Where the bytes of a copy are kept between the host and the device: words, with room to give them
/// the same misalignment as the device's address.
struct Bounce([MaybeUninit<u64>; CHUNK / 8 + 1]);

impl Bounce {
    const NEW: Bounce = Bounce([MaybeUninit::uninit(); CHUNK / 8 + 1]);

    /// The place in it with the same alignment as a place on the device.
    fn beside(&mut self, device: *const u8) -> *mut u8 {
        self.0.as_mut_ptr().cast::<u8>().wrapping_add(device.addr() % 8)
    }
}

/// Divides `size` bytes from `at` on into bytes before the first word, words, and bytes after the last.
fn cut(at: *const u8, size: usize) -> [usize; 3] {
    let before = at.align_offset(8).min(size);
    let words = (size - before) / 8;
    [before, words, size - before - 8 * words]
}

/// Copies from the host's own memory into the device's.
///
/// # Safety
/// `from` is valid for reads of `size` bytes and nobody writes them meanwhile; `to` is valid for writes of
/// as many, is no part of them, and no thread accesses it non-atomically meanwhile.
pub(crate) unsafe fn copy_in(to: *mut u8, from: *const u8, size: usize) {
    let mut bounce = Bounce::NEW;
    let mut done = 0;
    while done < size {
        let count = CHUNK.min(size - done);
        let to = to.wrapping_add(done);
        let mut rest = bounce.beside(to);
        // SAFETY: promised by the caller; the bounce buffer has room for `CHUNK` bytes from there.
        unsafe { rest.copy_from_nonoverlapping(from.wrapping_add(done), count) };
        // Padding in the host's bytes is uninitialised, and can't be stored atomically. To the
        // compiler, this may write some bytes there.
        #[cfg(not(miri))]
        // SAFETY: it does nothing, which is one of the things that the compiler must expect of it.
        unsafe {
            std::arch::asm!("/* {0} */", in(reg) rest, options(nostack, preserves_flags));
        }
        let [before, words, after] = cut(to, count);
        let mut to = to;
        // SAFETY: the pieces add up to `count` bytes, and words are aligned on both sides.
        unsafe {
            for _ in 0..before {
                rest.read().write(to);
                (to, rest) = (to.wrapping_add(1), rest.wrapping_add(1));
            }
            for _ in 0..words {
                rest.cast::<u64>().read().write(to);
                (to, rest) = (to.wrapping_add(8), rest.wrapping_add(8));
            }
            for _ in 0..after {
                rest.read().write(to);
                (to, rest) = (to.wrapping_add(1), rest.wrapping_add(1));
            }
        }
        done += count;
    }
}

/// Copies from the device's memory into the host's own.
///
/// # Safety
/// `to` is valid for writes of `size` bytes and nobody accesses them meanwhile; `from` is valid for reads of
/// as many, is no part of them, and no thread accesses it non-atomically meanwhile.
pub(crate) unsafe fn copy_out(to: *mut u8, from: *const u8, size: usize) {
    let mut bounce = Bounce::NEW;
    let mut done = 0;
    while done < size {
        let count = CHUNK.min(size - done);
        let mut from = from.wrapping_add(done);
        let rest = bounce.beside(from);
        let [before, words, after] = cut(from, count);
        let mut at = rest;
        // SAFETY: as in `copy_in`.
        unsafe {
            for _ in 0..before {
                at.write(u8::read(from));
                (at, from) = (at.wrapping_add(1), from.wrapping_add(1));
            }
            for _ in 0..words {
                at.cast::<u64>().write(u64::read(from));
                (at, from) = (at.wrapping_add(8), from.wrapping_add(8));
            }
            for _ in 0..after {
                at.write(u8::read(from));
                (at, from) = (at.wrapping_add(1), from.wrapping_add(1));
            }
            to.wrapping_add(done).copy_from_nonoverlapping(rest, count);
        }
        done += count;
    }
}

/// Copies within the device's memory. Both ends may overlap.
///
/// # Safety
/// `from` is valid for reads of `size` bytes, `to` for writes of as many, and no thread accesses either
/// non-atomically meanwhile.
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, size: usize) {
    let word = if to.addr() % 8 == from.addr() % 8 { 8 } else { 1 };
    let [before, words, after] = if word == 8 { cut(to, size) } else { [size, 0, 0] };
    let step = |offset: usize, word: usize| {
        let (to, from) = (to.wrapping_add(offset), from.wrapping_add(offset));
        // SAFETY: promised by the caller; words are aligned on both sides.
        unsafe { if word == 8 { u64::read(from).write(to) } else { u8::read(from).write(to) } }
    };
    let end = before + 8 * words;
    if to.addr() <= from.addr() {
        (0..before).for_each(|offset| step(offset, 1));
        (0..words).for_each(|index| step(before + 8 * index, 8));
        (end..end + after).for_each(|offset| step(offset, 1));
    } else {
        (end..end + after).rev().for_each(|offset| step(offset, 1));
        (0..words).rev().for_each(|index| step(before + 8 * index, 8));
        (0..before).rev().for_each(|offset| step(offset, 1));
    }
}

/// Writes `count` times the same element of at most 8 bytes.
///
/// # Safety
/// `to` is valid for writes of `count` elements, aligned for them, and no thread accesses them
/// non-atomically meanwhile.
pub(crate) unsafe fn fill<T: Element>(to: *mut u8, value: T, count: usize) {
    let size = size_of::<T>();
    let mut word = [0u64];
    for index in 0..8 / size {
        // SAFETY: the word has room for as many elements.
        unsafe { word.as_mut_ptr().cast::<T>().add(index).write(value) };
    }
    let [before, words, after] = cut(to, count * size);
    let mut at = to;
    // SAFETY: promised by the caller; elements and words take turns as `cut` says, and the address is a
    // multiple of the element's size, so both ends hold whole elements.
    unsafe {
        for _ in 0..before / size {
            value.write(at);
            at = at.wrapping_add(size);
        }
        for _ in 0..words {
            word[0].write(at);
            at = at.wrapping_add(8);
        }
        for _ in 0..after / size {
            value.write(at);
            at = at.wrapping_add(size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words, so that every test knows the alignment.
    fn bytes(words: &mut [u64]) -> *mut u8 {
        words.as_mut_ptr().cast()
    }

    fn pattern(size: usize) -> Vec<u8> {
        (0..size).map(|index| (index * 7 + index / 256) as u8).collect()
    }

    #[test]
    fn copies_move_every_byte_and_no_other() {
        for (offset, size) in
            (0..9).flat_map(|o| [0, 1, 7, 8, 9, 17, 4095, 4096, 9001].map(|s| (o, s)))
        {
            let mut device = vec![u64::from_ne_bytes([0xEE; 8]); 1200];
            let at = bytes(&mut device).wrapping_add(offset);
            let from = pattern(size + 1);
            let mut back = vec![0xCC; size + 1];
            // SAFETY: the vectors are large enough, and no other thread knows them.
            let around = unsafe {
                copy_in(at, from.as_ptr().wrapping_add(1), size);
                copy_out(back.as_mut_ptr(), at, size);
                [at.wrapping_add(size).read(), at.wrapping_sub(usize::from(offset > 0)).read()]
            };
            assert_eq!(back[..size], from[1..], "offset {offset}, size {size}");
            assert_eq!(back[size], 0xCC, "offset {offset}, size {size}");
            assert_eq!(around[0], 0xEE, "offset {offset}, size {size}");
            assert!(offset == 0 || around[1] == 0xEE, "offset {offset}, size {size}");
        }
    }

    #[test]
    fn copies_within_the_device_may_overlap() {
        for (to, from) in [(0, 8), (8, 0), (3, 19), (19, 3), (5, 6), (6, 5), (0, 0), (40, 1)] {
            for size in [0, 1, 8, 23, 100] {
                let mut device = vec![0u64; 32];
                let mut wanted = pattern(256);
                let base = bytes(&mut device);
                // SAFETY: as above.
                unsafe {
                    copy_in(base, wanted.as_ptr(), 256);
                    copy(base.wrapping_add(to), base.wrapping_add(from), size);
                }
                wanted.copy_within(from..from + size, to);
                let found: Vec<u8> = device.iter().flat_map(|word| word.to_ne_bytes()).collect();
                assert_eq!(found, wanted, "to {to}, from {from}, size {size}");
            }
        }
    }

    #[test]
    fn fills_write_whole_elements() {
        fn check<T: Element>(value: T, bytes_of: &[u8]) {
            for (first, count) in (0..9).flat_map(|f| [0, 1, 2, 3, 8, 50].map(|c| (f, c))) {
                let mut device = vec![0u64; 64];
                let (from, size) = (first * size_of::<T>(), count * size_of::<T>());
                // SAFETY: as above.
                unsafe { fill(bytes(&mut device).wrapping_add(from), value, count) };
                let found: Vec<u8> = device.iter().flat_map(|word| word.to_ne_bytes()).collect();
                let mut wanted = vec![0; 512];
                wanted[from..from + size].copy_from_slice(&bytes_of.repeat(count));
                assert_eq!(found, wanted, "from {from}, {count} elements");
            }
        }
        check(0xA5u8, &[0xA5]);
        check(0x1234u16, &0x1234u16.to_ne_bytes());
        check(0x1234_5678u32, &0x1234_5678u32.to_ne_bytes());
    }
}
