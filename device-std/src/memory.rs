//! Functions of C's memory library that compiled code calls by itself.

/// Compares `len` bytes: negative, zero or positive as the first difference is. `memcmp` and `bcmp`,
/// which slices' comparisons call, end up here.
///
/// # Safety
/// Both pointers are valid for reads of `len` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn __ptyx_memcmp(a: *const u8, b: *const u8, len: usize) -> i32 {
    let mut at: usize = 0;
    while at < len {
        // SAFETY: within what the caller gives.
        let (a, b) = unsafe { (*a.wrapping_add(at), *b.wrapping_add(at)) };
        if a != b {
            return if a < b { -1 } else { 1 };
        }
        at = at.wrapping_add(1);
    }
    0
}
