//! What the caches should do with global memory: cache operators, eviction priorities, prefetches and policies (PTX ISA,
//! [Cache Operators](https://docs.nvidia.com/cuda/parallel-thread-execution/#cache-operators), [Cache Eviction Priority Hints](https://docs.nvidia.com/cuda/parallel-thread-execution/#cache-eviction-priority-hints)).
//!
//! All of it is about speed alone: a load gives the same value, and a store stores the same value, as without. Memory
//! that is not global (a thread's own variables, shared memory) is accessed as usual. Values have 1, 2, 4, 8
//! or 16 bytes; those of 16 bytes have an alignment of 16 ([`vector`](crate::vector)). [`Load`] and [`Store`] combine several
//! hints in one access. All of it exists from `sm_70` on, unless said otherwise.
//!
//! # Panics
//! On the host, like all functions that only a device has.

#[cfg(feature = "half")]
use crate::float16::{Bf16x2, Bf16x4, F16x2, F16x4};
use crate::global::is_global;
use crate::vector::{
    F32x2, F32x4, F64x2, I8x2, I8x4, I16x2, I16x4, I32x2, I32x4, I64x2, U8x2, U8x4, U16x2, U16x4,
    U32x2, U32x4, U64x2,
};
use crate::{DeviceCopy, arch_at_least, intrinsics};
#[cfg(ptyx_device)]
use instructions::{load, store};

mod hinted;
mod instructions;
mod lines;
mod policy;

pub use crate::global::Prefetch;
pub use hinted::{Load, Store};
pub use lines::{
    Line, demote_l2, discard_l2, prefetch_l1, prefetch_l2, prefetch_l2_evict_last,
    prefetch_l2_evict_normal,
};
pub use policy::{OtherPriority, Policy, Priority};

/// A type that one instruction loads or stores: numbers of 8 to 64 bits, [vectors](crate::vector) of at most 16 bytes and,
/// with the feature `half`, `f16`, `bf16`, and pairs and fours of them.
///
/// ```
/// use ptyx::device::cache::{self, Cached};
///
/// /// A value that no thread needs again.
/// fn last<T: Cached>(values: &[T], index: usize) -> T {
///     cache::load_cs(&values[index])
/// }
/// ```
///
/// # Safety
/// Implemented here only: every bit pattern is a value, there is no padding, and the size is 1, 2, 4, 8 or 16 bytes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be loaded or stored by one instruction",
    label = "not a number, and not a vector of numbers",
    note = "numbers of 8 to 64 bits can, and the types of `ptyx::device::vector` of at most 16 bytes"
)]
pub unsafe trait Cached: DeviceCopy {}

macro_rules! cached {
    ($($type:ty)*) => {$(
        // SAFETY: a number, or several side by side.
        unsafe impl Cached for $type {}
    )*};
}
cached! { u8 i8 u16 i16 u32 i32 u64 i64 usize isize f32 f64 }
cached! { F32x2 F32x4 F64x2 I32x2 I32x4 U32x2 U32x4 U64x2 I64x2 }
cached! { I8x2 I8x4 U8x2 U8x4 I16x2 I16x4 U16x2 U16x4 }
#[cfg(feature = "half")]
cached! { half::f16 half::bf16 F16x2 F16x4 Bf16x2 Bf16x4 }

/// Functions that load with a modifier: name, modifier, what the PTX needs, CUDA C's name, documentation.
macro_rules! loads {
    ($($name:ident $form:literal $head:literal $(alias $alias:literal)? : $($text:literal)+;)*) => {$(
        $(#[doc = $text])+
        ///
        #[doc = concat!("PTX [`ld.global", $form, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld).")]
        ///
        /// ```
        /// use ptyx::{device::cache, prelude::*};
        ///
        /// #[kernel]
        /// fn copy(x: &[f32], mut y: Disjoint<f32>) {
        ///     if let Some(y) = y.get_mut(thread::index_1d()) {
        #[doc = concat!("        *y = cache::", stringify!($name), "(&x[thread::index_1d().get()]);")]
        ///     }
        /// }
        /// ```
        $(#[doc(alias = $alias)])?
        #[inline(always)]
        #[track_caller]
        pub fn $name<T: Cached>(from: &T) -> T {
            if !is_global(from) {
                return *from;
            }
            #[cfg(ptyx_device)]
            return load!(T, from, $head, $form);
            #[cfg(not(ptyx_device))]
            intrinsics::on_the_host()
        }
    )*};
}

loads! {
    load_ca ".ca" "//__ptyx_ptx" alias "__ldca":
        "Loads through all caches, which is also what a plain load does."
        ""
        "`__ldca()` of CUDA C.";
    load_cg ".cg" "//__ptyx_ptx" alias "__ldcg":
        "Loads through the L2 cache, past L1: what other blocks have written is found there."
        ""
        "`__ldcg()` of CUDA C.";
    load_cs ".cs" "//__ptyx_ptx" alias "__ldcs":
        "Loads what is likely to be used once: the caches evict it first."
        ""
        "`__ldcs()` of CUDA C.";
    load_lu ".lu" "//__ptyx_ptx" alias "__ldlu":
        "Loads what is used for the last time."
        ""
        "`__ldlu()` of CUDA C.";
    load_cv ".cv" "//__ptyx_ptx" alias "__ldcv":
        "Loads past the caches: a cached copy counts as stale."
        ""
        "`__ldcv()` of CUDA C.";
    load_evict_first ".L1::evict_first" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Loads what L1 evicts first.";
    load_evict_last ".L1::evict_last" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Loads what L1 evicts last.";
    load_evict_unchanged ".L1::evict_unchanged" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Loads without a change of the eviction order of L1.";
    load_no_allocate ".L1::no_allocate" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Loads without a place in L1.";
}

/// Functions that store with a modifier.
macro_rules! stores {
    ($($name:ident $form:literal $head:literal $(alias $alias:literal)? : $($text:literal)+;)*) => {$(
        $(#[doc = $text])+
        ///
        #[doc = concat!("PTX [`st.global", $form, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-st).")]
        ///
        /// ```
        /// use ptyx::{device::cache, prelude::*};
        ///
        /// #[kernel]
        /// fn fill(mut y: Disjoint<f32>, value: f32) {
        ///     if let Some(y) = y.get_mut(thread::index_1d()) {
        #[doc = concat!("        cache::", stringify!($name), "(y, value);")]
        ///     }
        /// }
        /// ```
        $(#[doc(alias = $alias)])?
        #[inline(always)]
        #[track_caller]
        pub fn $name<T: Cached>(to: &mut T, value: T) {
            if !is_global(to) {
                *to = value;
                return;
            }
            #[cfg(ptyx_device)]
            store!(T, to, value, $head, $form);
            #[cfg(not(ptyx_device))]
            intrinsics::on_the_host()
        }
    )*};
}

stores! {
    store_wb ".wb" "//__ptyx_ptx" alias "__stwb":
        "Stores through all caches, which is also what a plain store does."
        ""
        "`__stwb()` of CUDA C.";
    store_cg ".cg" "//__ptyx_ptx" alias "__stcg":
        "Stores to the L2 cache, past L1."
        ""
        "`__stcg()` of CUDA C.";
    store_cs ".cs" "//__ptyx_ptx" alias "__stcs":
        "Stores what is not likely to be used soon: the caches evict it first."
        ""
        "`__stcs()` of CUDA C.";
    store_wt ".wt" "//__ptyx_ptx" alias "__stwt":
        "Stores through the L2 cache to memory."
        ""
        "`__stwt()` of CUDA C.";
    store_evict_first ".L1::evict_first" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Stores what L1 evicts first.";
    store_evict_last ".L1::evict_last" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Stores what L1 evicts last.";
    store_evict_unchanged ".L1::evict_unchanged" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Stores without a change of the eviction order of L1.";
    store_no_allocate ".L1::no_allocate" "//__ptyx_ptx arch=sm_70 ptx=74":
        "Stores without a place in L1.";
}

/// Loads a value, and hints how much the L2 cache should load around it.
///
/// PTX [`ld.global.L2::128B`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld) and its like (`sm_80`; a plain load on older devices).
///
/// ```
/// use ptyx::device::cache::{self, Prefetch};
///
/// /// The first number of a row of 64, all of which are needed soon.
/// fn first(row: &[f32; 64]) -> f32 {
///     cache::load_with_prefetch(&row[0], Prefetch::Bytes256)
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn load_with_prefetch<T: Cached>(from: &T, prefetch: Prefetch) -> T {
    if prefetch == Prefetch::None || !is_global(from) || !arch_at_least!(80) {
        return *from;
    }
    #[cfg(ptyx_device)]
    return match prefetch {
        Prefetch::Bytes64 => load!(T, from, "//__ptyx_ptx arch=sm_80 ptx=74", ".L2::64B"),
        Prefetch::Bytes128 => load!(T, from, "//__ptyx_ptx arch=sm_80 ptx=74", ".L2::128B"),
        _ => load!(T, from, "//__ptyx_ptx arch=sm_80 ptx=74", ".L2::256B"),
    };
    #[cfg(not(ptyx_device))]
    intrinsics::on_the_host()
}

/// Loads a value with a policy of the L2 cache.
///
/// PTX [`ld.global.L2::cache_hint`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld) (`sm_80`; a plain load on older devices).
///
/// ```
/// use ptyx::device::cache::{self, Policy};
///
/// /// A weight that all blocks need again and again.
/// fn weight(weights: &[f32], index: usize) -> f32 {
///     cache::load_with_policy(&weights[index], Policy::evict_last())
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn load_with_policy<T: Cached>(from: &T, policy: Policy) -> T {
    if !is_global(from) || !arch_at_least!(80) {
        return *from;
    }
    #[cfg(ptyx_device)]
    return load!(T, from, "//__ptyx_ptx arch=sm_80 ptx=74", ".L2::cache_hint", policy.bits());
    #[cfg(not(ptyx_device))]
    {
        let _ = policy;
        intrinsics::on_the_host()
    }
}

/// Stores a value with a policy of the L2 cache.
///
/// PTX [`st.global.L2::cache_hint`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-st) (`sm_80`; a plain store on older devices).
///
/// ```
/// use ptyx::device::cache::{self, Policy};
///
/// fn stream(place: &mut f32, value: f32) {
///     cache::store_with_policy(place, value, Policy::evict_first());
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn store_with_policy<T: Cached>(to: &mut T, value: T, policy: Policy) {
    if !is_global(to) || !arch_at_least!(80) {
        *to = value;
        return;
    }
    #[cfg(ptyx_device)]
    store!(T, to, value, "//__ptyx_ptx arch=sm_80 ptx=74", ".L2::cache_hint", policy.bits());
    #[cfg(not(ptyx_device))]
    {
        let _ = policy;
        intrinsics::on_the_host()
    }
}
