//! Atomic accesses of 128 bits, by the host's `cmpxchg16b`: `std` has no type for them yet.

use std::arch::asm;

use super::relaxed::Element;

/// Whether this host has the instruction; all but the first 64-bit processors do.
pub(crate) fn is_supported() -> bool {
    is_x86_feature_detected!("cmpxchg16b")
}

/// Stores `new` at `at` if `old` is there; returns what was there.
///
/// `std::arch` has a function for it, which LLVM inlines into functions that are compiled without the feature, where
/// it becomes a call of a library that need not be there.
///
/// # Safety
/// As [`update`].
unsafe fn exchange(at: *mut u128, old: u128, new: u128) -> u128 {
    let (mut low, mut high) = (old as u64, (old >> 64) as u64);
    // SAFETY: promised by the caller. LLVM keeps `rbx` for itself, so it is exchanged for the time.
    unsafe {
        asm!(
            "xchg {new_low}, rbx",
            "lock cmpxchg16b [{at}]",
            "mov rbx, {new_low}",
            at = in(reg) at,
            new_low = inout(reg) new as u64 => _,
            in("rcx") (new >> 64) as u64,
            inout("rax") low,
            inout("rdx") high,
            options(nostack),
        );
    }
    u128::from(high) << 64 | u128::from(low)
}

/// Replaces the value at `at` by `f` of it; returns the old value.
///
/// # Safety
/// [`is_supported`]; `at` is valid for writes, a multiple of 16, and only used atomically meanwhile.
pub(crate) unsafe fn update(at: *mut u8, mut f: impl FnMut(u128) -> u128) -> u128 {
    let mut old = 0;
    loop {
        // SAFETY: promised by the caller.
        let now = unsafe { exchange(at.cast(), old, f(old)) };
        if now == old {
            return old;
        }
        old = now;
    }
}

impl Element for u128 {
    // The host's memory is writable even where the device's is not.
    unsafe fn read(at: *const u8) -> Self {
        // SAFETY: promised by the caller; lowering checked `is_supported`.
        unsafe { update(at.cast_mut(), |value| value) }
    }

    unsafe fn write(self, at: *mut u8) {
        // SAFETY: as above.
        unsafe { update(at, |_| self) };
    }
}
