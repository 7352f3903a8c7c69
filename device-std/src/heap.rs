//! The heap of kernels that are marked `#[kernel(heap)]`, below `Box`, `Vec` and `String`.
//!
//! Memory comes from the functions that the driver gives every module, `malloc` and `free` (CUDA
//! Programming Guide, "Dynamic Global Memory Allocation"): one heap for all threads of all kernels,
//! of a size that the host sets. What is not freed outlives the launch.

use core::ptr::null_mut;

unsafe extern "C" {
    /// `size` bytes at a multiple of [`ALIGNMENT`]; null if there is no room.
    fn malloc(size: usize) -> *mut u8;
    /// Frees what [`malloc`] gave; nothing for null.
    fn free(pointer: *mut u8);
}

/// What every address from [`malloc`] is a multiple of.
const ALIGNMENT: usize = 16;
/// Bytes in which an allocation of larger alignment keeps what [`malloc`] gave, below its own start.
const HEADER: usize = size_of::<*mut u8>();

/// Where `__rust_alloc` ends up.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn __ptyx_heap_allocate(size: usize, align: usize) -> *mut u8 {
    if align <= ALIGNMENT {
        // SAFETY: any size may be asked for.
        return unsafe { malloc(size) };
    }
    // Room for the header in front, wherever the next multiple is.
    let Some(room) = size.checked_add(align) else { return null_mut() };
    // SAFETY: as above.
    let given = unsafe { malloc(room) };
    if given.is_null() {
        return given;
    }
    // At least `ALIGNMENT` bytes behind `given`, which holds a header, and at most `align`.
    let offset = align.wrapping_sub(given.addr() & align.wrapping_sub(1));
    let start = given.wrapping_add(offset);
    // SAFETY: the header lies between `given` and `start`, aligned as both are.
    unsafe { start.wrapping_sub(HEADER).cast::<*mut u8>().write(given) };
    start
}

/// Where `__rust_alloc_zeroed` ends up.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn __ptyx_heap_allocate_zeroed(size: usize, align: usize) -> *mut u8 {
    // SAFETY: the caller's layout.
    let start = unsafe { __ptyx_heap_allocate(size, align) };
    if !start.is_null() {
        // SAFETY: as many bytes were allocated.
        unsafe { start.write_bytes(0, size) };
    }
    start
}

/// Where `__rust_dealloc` ends up.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn __ptyx_heap_free(start: *mut u8, _size: usize, align: usize) {
    let given = if align <= ALIGNMENT {
        start
    } else {
        // SAFETY: an allocation of this alignment has a header.
        unsafe { start.wrapping_sub(HEADER).cast::<*mut u8>().read() }
    };
    // SAFETY: the caller frees what was allocated with this layout, once.
    unsafe { free(given) }
}

/// Where `__rust_realloc` ends up.
#[unsafe(no_mangle)]
#[inline(never)]
unsafe extern "C" fn __ptyx_heap_reallocate(
    start: *mut u8,
    size: usize,
    align: usize,
    new_size: usize,
) -> *mut u8 {
    // SAFETY: the caller's layout, of the new size.
    let new = unsafe { __ptyx_heap_allocate(new_size, align) };
    if !new.is_null() {
        let kept = if size < new_size { size } else { new_size };
        // SAFETY: both allocations have so many bytes, and they are different ones.
        unsafe {
            start.copy_to_nonoverlapping(new, kept);
            __ptyx_heap_free(start, size, align);
        }
    }
    new
}

/// What `__rust_alloc_error_handler` leads to: an allocation failed whose caller does not handle failure.
#[unsafe(no_mangle)]
#[cold]
#[inline(never)]
extern "C" fn __ptyx_heap_exhausted(size: usize, _align: usize) -> ! {
    panic!("{}{size} bytes", crate::panic::HEAP_EXHAUSTED)
}
