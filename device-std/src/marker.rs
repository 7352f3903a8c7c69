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
///
/// # Safety
/// No check of the kernel fails: of an index, an overflow, a division.
#[doc(hidden)]
#[inline(always)]
pub unsafe fn unchecked() {
    #[cfg(ptyx_device)]
    // SAFETY: the compiler lowers the mark to nothing.
    unsafe {
        crate::intrinsics::__ptyx_unchecked_marker()
    }
}

/// [`MAX_CLUSTER`] as a literal, which messages need.
macro_rules! max_cluster {
    () => {
        16
    };
}

/// The blocks of the largest cluster that any device has.
#[doc(hidden)]
pub const MAX_CLUSTER: u32 = max_cluster!();

/// Marks the kernel it is called in with a knob: 0 is `threads`, 1 `maxthreads`, 2 `blocks_per_sm`, 3 `maxregs`, 4 `wide`,
/// 5 `cluster`. `#[kernel(threads = ..)]` and its like write the call.
#[doc(hidden)]
#[inline(always)]
pub fn knob<const KIND: u32, const X: u32, const Y: u32, const Z: u32>() {
    const {
        assert!(X >= 1 && Y >= 1 && Z >= 1, "a knob of a kernel must be at least 1");
        let product = (X as u64).saturating_mul(Y as u64).saturating_mul(Z as u64);
        assert!(KIND > 1 || product <= 1024, "a block has at most 1024 threads");
        assert!(KIND != 0 || Z <= 64, "a block has at most 64 threads in z");
        let fits = KIND != 5 || product <= MAX_CLUSTER as u64;
        assert!(fits, concat!("a cluster has at most ", max_cluster!(), " blocks"));
    };
    #[cfg(ptyx_device)]
    // SAFETY: the compiler lowers the mark to nothing.
    unsafe {
        crate::intrinsics::__ptyx_kernel_knob(KIND, X, Y, Z)
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
