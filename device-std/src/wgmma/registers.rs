//! The number of registers of a warpgroup's threads.

macro_rules! set_registers {
    ($($(#[$doc:meta])* $name:ident: $direction:literal;)*) => {$(
        $(#[$doc])*
        #[doc(alias = "setmaxnreg")]
        #[inline(always)]
        #[track_caller]
        pub unsafe fn $name<const COUNT: u32>() {
            const {
                assert!(
                    COUNT >= 24 && COUNT <= 256 && COUNT.is_multiple_of(8),
                    "the number of registers must be a multiple of 8 from 24 to 256"
                )
            };
            crate::__ptx! {
                device {
                    // SAFETY: the caller's promise.
                    unsafe {
                        core::arch::asm!(
                            "//__ptyx_ptx arch=sm_90a ptx=8.0",
                            concat!("setmaxnreg.", $direction, ".sync.aligned.u32 {count};"),
                            count = const COUNT,
                            options(nostack, preserves_flags),
                        );
                    }
                }
                host {
                    crate::intrinsics::on_the_host()
                }
            }
        }
    )*};
}

set_registers! {
    /// Raises the number of registers of each thread of this warpgroup to `COUNT`. Waits until other warpgroups
    /// have released enough (PTX
    /// [`setmaxnreg.inc`](https://docs.nvidia.com/cuda/parallel-thread-execution/#miscellaneous-instructions-setmaxnreg),
    /// `sm_90a`).
    ///
    /// The assembler ignores it in kernels whose number of registers is not fixed: launch them with `maxregs = ..`.
    ///
    /// ```
    /// use ptyx::device::wgmma;
    /// use ptyx::prelude::*;
    ///
    /// /// Of two warpgroups, the first copies and the second computes. For launches with `maxregs = 128`.
    /// fn divide() {
    ///     // SAFETY: all threads of each warpgroup are here, and 128 is between the two numbers.
    ///     unsafe {
    ///         if thread::rank() < 128 {
    ///             wgmma::decrease_registers::<40>();
    ///         } else {
    ///             wgmma::increase_registers::<216>();
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// All threads of the warpgroup execute it, and have at most `COUNT` registers. The block has enough registers.
    increase_registers: "inc";
    /// Lowers the number of registers of each thread of this warpgroup to `COUNT` (PTX
    /// [`setmaxnreg.dec`](https://docs.nvidia.com/cuda/parallel-thread-execution/#miscellaneous-instructions-setmaxnreg),
    /// `sm_90a`). [`increase_registers`] has an example.
    ///
    /// ```
    /// /// # Safety
    /// /// As [`ptyx::device::wgmma::decrease_registers`].
    /// unsafe fn only_copies() {
    ///     // SAFETY: as the caller's.
    ///     unsafe { ptyx::device::wgmma::decrease_registers::<24>() };
    /// }
    /// ```
    ///
    /// # Safety
    /// All threads of the warpgroup execute it, and have at least `COUNT` registers.
    decrease_registers: "dec";
}
