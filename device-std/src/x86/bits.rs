//! General registers: bit fields, checksums, products without carries; memory.

use core::sync::atomic::{Ordering, fence as core_fence};

/// The low `count` bits, or all of them if `count` exceeds the width.
#[inline(always)]
pub(super) fn low_bits(a: u64, count: u32) -> u64 {
    if count < 64 { a & ((1 << count) - 1) } else { a }
}

/// A bit field: its start in the low byte of `by`, its length in the next.
#[inline(always)]
pub(super) fn extract(a: u64, by: u32) -> u64 {
    let (start, len) = (by & 0xff, by >> 8 & 0xff);
    low_bits(a.checked_shr(start).unwrap_or(0), len)
}

/// The low bits of `a` spread to where `mask` has ones.
#[inline(always)]
pub(super) fn deposit(mut a: u64, mut mask: u64) -> u64 {
    let mut result = 0;
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        if a & 1 != 0 {
            result |= lowest;
        }
        a >>= 1;
        mask ^= lowest;
    }
    result
}

/// The bits of `a` where `mask` has ones, side by side.
#[inline(always)]
pub(super) fn gather(a: u64, mut mask: u64) -> u64 {
    let (mut result, mut to) = (0, 1u64);
    while mask != 0 {
        let lowest = mask & mask.wrapping_neg();
        if a & lowest != 0 {
            result |= to;
        }
        to = to.wrapping_shl(1);
        mask ^= lowest;
    }
    result
}

/// CRC-32C of the low `bits` bits of `x` (the Castagnoli polynomial, reflected).
#[inline(always)]
pub(super) fn crc32c(crc: u32, x: u64, bits: u32) -> u32 {
    const POLYNOMIAL: u64 = 0x82f6_3b78;
    let mut rest = u64::from(crc) ^ x;
    for _ in 0..bits {
        rest = rest >> 1 ^ if rest & 1 != 0 { POLYNOMIAL } else { 0 };
    }
    rest as u32
}

/// The product of two polynomials over the field of two elements, low half first.
#[inline(always)]
pub(super) fn carryless(a: u64, b: u64) -> [i64; 2] {
    let product =
        (0..64).fold(0u128, |sum, i| sum ^ if b >> i & 1 != 0 { u128::from(a) << i } else { 0 });
    [product as i64, (product >> 64) as i64]
}

/// Bytes from any address.
#[inline(always)]
pub(super) fn load<const N: usize>(from: *const u8) -> [u8; N] {
    // SAFETY: the caller of the intrinsic vouches for the address.
    unsafe { from.cast::<[u8; N]>().read_unaligned() }
}

/// Stores the bytes of `a` where `mask` has its top bit set.
#[inline(always)]
pub(super) fn store_masked(a: [u8; 16], mask: [u8; 16], to: *mut u8) {
    for i in 0..16 {
        if mask[i] & 0x80 != 0 {
            // SAFETY: the caller of the intrinsic vouches for the addresses.
            unsafe { to.add(i).write(a[i]) }
        }
    }
}

/// What the processor's fences order, and more.
#[inline(always)]
pub(super) fn fence() {
    core_fence(Ordering::SeqCst)
}

/// A word and what is left of the sum or difference that it came from, as LLVM pairs them.
#[repr(C)]
pub(super) struct Carried<T> {
    carry: u8,
    word: T,
}

/// Words that make up larger numbers.
pub(super) trait Word: Copy {
    fn add(self, other: Self, carry: bool) -> (Self, bool);
    fn subtract(self, other: Self, borrow: bool) -> (Self, bool);
}

macro_rules! words {
    ($($type:ty)*) => {$(
        impl Word for $type {
            #[inline(always)]
            fn add(self, other: Self, carry: bool) -> (Self, bool) {
                self.carrying_add(other, carry)
            }

            #[inline(always)]
            fn subtract(self, other: Self, borrow: bool) -> (Self, bool) {
                self.borrowing_sub(other, borrow)
            }
        }
    )*};
}

words! { u32 u64 }

/// `a + b`, and one more if there is a carry.
#[inline(always)]
pub(super) fn add_with_carry<T: Word>(carry: u8, a: T, b: T) -> Carried<T> {
    let (word, carry) = a.add(b, carry != 0);
    Carried { carry: carry.into(), word }
}

/// `a - b`, and one less if there is a borrow.
#[inline(always)]
pub(super) fn subtract_with_borrow<T: Word>(borrow: u8, a: T, b: T) -> Carried<T> {
    let (word, carry) = a.subtract(b, borrow != 0);
    Carried { carry: carry.into(), word }
}
