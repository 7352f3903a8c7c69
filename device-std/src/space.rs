//! Which state space a generic address is in (PTX ISA,
//! [`isspacep`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-isspacep), `sm_70` unless said otherwise).
//!
//! A Rust pointer is a generic address: it can be in any of these spaces. The functions look at the address alone, so
//! it need not be valid.
//!
//! # Panics
//! On the host, like all functions that only a device has.

use crate::intrinsics;

macro_rules! spaces {
    ($($(#[$doc:meta])* $name:ident: $text:literal;)*) => {$(
        #[doc = $text]
        ///
        $(#[$doc])*
        ///
        /// ```
        /// use ptyx::device::space;
        ///
        #[doc = concat!("fn is_there(x: &f32) -> bool {\n    space::", stringify!($name), "(x)\n}")]
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $name<T: ?Sized>(pointer: *const T) -> bool {
            // SAFETY: only looks at the address.
            unsafe { intrinsics::$name(pointer.cast()) != 0 }
        }
    )*};
}

spaces! {
    /// PTX `isspacep.global`, `__isGlobal()` of CUDA C.
    #[doc(alias = "__isGlobal")]
    is_global: "Whether an address is in global memory.";
    /// PTX `isspacep.shared::cta`, `__isShared()` of CUDA C.
    #[doc(alias = "__isShared")]
    is_shared: "Whether an address is in the shared memory of the thread's own block.";
    /// PTX `isspacep.shared::cluster` (`sm_90`, PTX 7.8), `__isClusterShared()` of CUDA C.
    #[doc(alias = "__isClusterShared")]
    is_cluster_shared: "Whether an address is in the shared memory of a block of the cluster, the thread's own included.";
    /// PTX `isspacep.local`, `__isLocal()` of CUDA C.
    #[doc(alias = "__isLocal")]
    is_local: "Whether an address is in local memory: a thread's own variables, as far as they are in memory.";
    /// PTX `isspacep.const`, `__isConstant()` of CUDA C.
    #[doc(alias = "__isConstant")]
    is_constant: "Whether an address is in constant memory.";
    /// PTX `isspacep.param` (PTX 7.7), `__isGridConstant()` of CUDA C.
    #[doc(alias = "__isGridConstant")]
    is_parameter: "Whether an address is in the kernel's parameters.";
}
