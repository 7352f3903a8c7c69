//! The marks that `#[kernel]` puts into a function.

/// Marks the function it is called in as a kernel. `#[kernel]` writes the call.
///
/// # Panics
/// On the host: a kernel is launched, not called.
#[doc(hidden)]
#[inline(always)]
pub fn kernel() {
    #[cfg(not(ptyx_device))]
    panic!("a kernel can't be called on the host: kernels run through launch!");
    #[cfg(ptyx_device)]
    // SAFETY: the compiler lowers the mark to nothing.
    unsafe {
        crate::intrinsics::__ptyx_kernel_marker()
    }
}

/// Marks the kernel it is called in as one whose checks are left out. `#[kernel(unsafe(unchecked))]` writes the call.
#[doc(hidden)]
#[inline(always)]
pub fn unchecked() {
    #[cfg(ptyx_device)]
    // SAFETY: the compiler lowers the mark to nothing.
    unsafe {
        crate::intrinsics::__ptyx_unchecked_marker()
    }
}

/// Marks the kernel it is called in as one that uses the heap. `#[kernel(heap)]` writes the call.
#[doc(hidden)]
#[inline(always)]
pub fn heap() {
    #[cfg(ptyx_device)]
    // SAFETY: the compiler lowers the mark to nothing.
    unsafe {
        crate::intrinsics::__ptyx_heap_marker()
    }
}
