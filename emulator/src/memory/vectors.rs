//! Reads and writes rows of elements by vectors, in memory that several host threads may access at the same time.
//!
//! An aligned access of 16 bytes by `vmovdqa` is atomic on all processors with AVX (Intel 64 and IA-32 Architectures
//! Software Developer's Manual, volume 3A, section "Guaranteed Atomic Operations"; AMD64 Architecture Programmer's Manual,
//! volume 2, section "Access Atomicity"), and so is the access of each element in it. Rust has no such access, so this is assembly,
//! which stands for relaxed accesses of the elements, see [`super::relaxed`].

use std::arch::asm;
use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm256_inserti128_si256, _mm256_zextsi128_si256, _mm512_inserti64x4,
    _mm512_zextsi256_si512,
};

/// Reads 32 bytes.
///
/// # Safety
/// The host has AVX2. `at` is a multiple of 16, valid for reads, and no thread accesses it non-atomically meanwhile.
#[inline(always)]
unsafe fn read_32(at: *const u8) -> __m256i {
    let (low, high): (__m128i, __m128i);
    // SAFETY: promised by the caller.
    unsafe {
        asm!(
            "vmovdqa {low}, [{at}]",
            "vmovdqa {high}, [{at} + 16]",
            low = out(xmm_reg) low,
            high = out(xmm_reg) high,
            at = in(reg) at,
            options(nostack, preserves_flags, readonly),
        );
        _mm256_inserti128_si256(_mm256_zextsi128_si256(low), high, 1)
    }
}

/// Reads a row of elements into a register of the emulated device. If `CHUNK` is 16, the register is written by vectors of 512
/// bits, else of 256: a processor forwards a store only to loads that are no wider.
///
/// # Safety
/// As [`read_32`], for all bytes of the row, and for AVX-512 if `CHUNK` is 16. `to` is valid for writes.
#[inline(always)]
pub(crate) unsafe fn read_row<T, const CHUNK: usize>(at: *const u8, to: *mut [T; 32]) {
    let to = to.cast::<u8>();
    let is_wide = CHUNK == 16 && size_of::<T>() > 1;
    for offset in (0..size_of::<[T; 32]>()).step_by(if is_wide { 64 } else { 32 }) {
        // SAFETY: promised by the caller; the row is a multiple of both sizes.
        unsafe {
            let (at, to) = (at.wrapping_add(offset), to.wrapping_add(offset));
            let low = read_32(at);
            if is_wide {
                let high = read_32(at.wrapping_add(32));
                let all = _mm512_inserti64x4(_mm512_zextsi256_si512(low), high, 1);
                to.cast::<__m512i>().write_unaligned(all);
            } else {
                to.cast::<__m256i>().write_unaligned(low);
            }
        }
    }
}

/// Writes a row of elements from a register.
///
/// # Safety
/// The host has AVX. `at` is a multiple of 16, valid for writes of the row, and no thread accesses it non-atomically
/// meanwhile; `from` is valid for reads.
#[inline(always)]
pub(crate) unsafe fn write_row<T>(at: *mut u8, from: *const [T; 32]) {
    for offset in (0..size_of::<[T; 32]>()).step_by(32) {
        let (at, from) = (at.wrapping_add(offset), from.cast::<u8>().wrapping_add(offset));
        // SAFETY: promised by the caller; the row is a multiple of 32 bytes.
        unsafe {
            let low = from.cast::<__m128i>().read_unaligned();
            let high = from.wrapping_add(16).cast::<__m128i>().read_unaligned();
            asm!(
                "vmovdqa [{at}], {low}",
                "vmovdqa [{at} + 16], {high}",
                low = in(xmm_reg) low,
                high = in(xmm_reg) high,
                at = in(reg) at,
                options(nostack, preserves_flags),
            );
        }
    }
}
