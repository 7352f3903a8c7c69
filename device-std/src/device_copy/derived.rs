//! What the expansion of `derive(DeviceCopy)` and the implementations here have in common.
#![doc(hidden)]

/// The bytes of a value of at most eight, as a number. A compile error, in a constant, if one of them
/// is padding.
pub const fn bits_of<T: Copy>(value: T) -> u64 {
    assert!(size_of::<T>() <= 8);
    first_bytes(&value, size_of::<T>())
}

/// The first bytes of a value, as a number: for constants, where padding among them is an error.
pub(super) const fn first_bytes<T: Copy>(value: &T, count: usize) -> u64 {
    assert!(count <= size_of::<T>() && count <= 8);
    let (mut bits, mut at) = (0, 0);
    while at < count {
        // SAFETY: the byte lies inside the value. Reading padding would be undefined, which the
        // evaluation of constants, where this is called, reports.
        let byte = unsafe { (&raw const *value).cast::<u8>().add(at).read() };
        bits |= (byte as u64) << (8 * at);
        at += 1;
    }
    bits
}

/// The first `count` of a place's bytes, as a number.
///
/// # Safety
/// That many bytes must be readable and initialised.
#[inline(always)]
pub unsafe fn read_bits<T>(this: *const T, count: usize) -> u64 {
    // SAFETY: the caller's promise.
    unsafe {
        match count {
            0 => 0,
            1 => this.cast::<u8>().read().into(),
            2 => this.cast::<u16>().read_unaligned().into(),
            4 => this.cast::<u32>().read_unaligned().into(),
            _ => this.cast::<u64>().read_unaligned(),
        }
    }
}

/// Whether a number is among others.
#[inline(always)]
pub const fn contains(all: &[u64], one: u64) -> bool {
    let (mut at, mut found) = (0, false);
    while at < all.len() {
        found |= all[at] == one;
        at += 1;
    }
    found
}

/// Where field `index` of a `repr(C)` struct begins, whose fields have these sizes and alignments and
/// follow `start` bytes.
pub const fn offset(start: usize, fields: &[(usize, usize)], index: usize) -> usize {
    let (mut end, mut at) = (start, 0);
    loop {
        let (size, align) = fields[at];
        end = end.next_multiple_of(align);
        if at == index {
            return end;
        }
        end += size;
        at += 1;
    }
}

/// The greatest of some alignments.
pub const fn greatest(aligns: &[usize]) -> usize {
    let (mut at, mut greatest) = (0, 1);
    while at < aligns.len() {
        if aligns[at] > greatest {
            greatest = aligns[at];
        }
        at += 1;
    }
    greatest
}

/// A compile error where it is used, for an enum that keeps its variant where only rustc knows.
#[inline(always)]
pub fn cannot_validate<T>() {
    const {
        // The message names the type by the place of this constant.
        assert!(
            size_of::<T>() == usize::MAX,
            "a shuffle can't tell which bytes are values of an enum with data, since Rust does not \
             say where it keeps the variant: write `#[repr(u8)]` above the enum"
        );
    }
}
