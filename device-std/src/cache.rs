//! What the caches should do with global memory: cache operators, eviction priorities, prefetches and policies (PTX ISA,
//! [Cache Operators](https://docs.nvidia.com/cuda/parallel-thread-execution/#cache-operators), [Cache Eviction Priority Hints](https://docs.nvidia.com/cuda/parallel-thread-execution/#cache-eviction-priority-hints)).
//!
//! All of it is about speed alone: a load gives the same value, and a store stores the same value, as without. Memory
//! that is not global (a thread's own variables, shared memory) is accessed as usual. Values have 1, 2, 4, 8
//! or 16 bytes; those of 16 bytes are aligned to as many ([`vector`](crate::vector)).
//!
//! # Panics
//! On the host, like all functions that only a device has.

use crate::global::is_global;
use crate::vector::{F32x2, F32x4, F64x2, I32x2, I32x4, I64x2, U32x2, U32x4, U64x2};
use crate::{DeviceCopy, arch_at_least, intrinsics};
#[cfg(ptyx_device)]
use core::mem::MaybeUninit;

pub use crate::global::Prefetch;

/// A type that one instruction loads or stores: numbers of 8 to 64 bits, and [vectors](crate::vector).
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
    note = "numbers of 8 to 64 bits can, and the types of `ptyx::device::vector`"
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

/// The instructions of a load or store, by the size of the type. `$head` says what they need.
#[cfg(ptyx_device)]
macro_rules! load {
    ($type:ty, $from:expr, $head:literal, $form:literal $(, $policy:expr)?) => {{
        let from: *const $type = $from;
        let mut value = MaybeUninit::<$type>::uninit();
        // SAFETY: the address is that of a value in global memory; as many bytes as it has are read and written.
        unsafe {
            match size_of::<$type>() {
                1 => value.as_mut_ptr().cast::<u8>().write(load!(@one u16, ".b8", from, $head, $form $(, $policy)?) as u8),
                2 => value.as_mut_ptr().cast::<u16>().write(load!(@one u16, ".b16", from, $head, $form $(, $policy)?)),
                4 => value.as_mut_ptr().cast::<u32>().write(load!(@one u32, ".b32", from, $head, $form $(, $policy)?)),
                8 => value.as_mut_ptr().cast::<u64>().write(load!(@one u64, ".b64", from, $head, $form $(, $policy)?)),
                _ => {
                    let (low, high): (u64, u64);
                    core::arch::asm!(
                        $head,
                        concat!("ld.global", $form, ".v2.b64 {{{}, {}}}, [{}]", load!(@policy $($policy)?), ";"),
                        lateout(reg) low, lateout(reg) high, in(reg) from $(, in(reg) $policy)?,
                        options(readonly, nostack, preserves_flags)
                    );
                    value.as_mut_ptr().cast::<[u64; 2]>().write([low, high]);
                }
            }
            value.assume_init()
        }
    }};
    (@one $word:ty, $type:literal, $from:expr, $head:literal, $form:literal $(, $policy:expr)?) => {{
        let value: $word;
        core::arch::asm!(
            $head,
            concat!("ld.global", $form, $type, " {}, [{}]", load!(@policy $($policy)?), ";"),
            lateout(reg) value, in(reg) $from $(, in(reg) $policy)?,
            options(readonly, nostack, preserves_flags)
        );
        value
    }};
    (@policy) => { "" };
    (@policy $policy:expr) => { ", {}" };
}

#[cfg(ptyx_device)]
macro_rules! store {
    ($type:ty, $to:expr, $value:expr, $head:literal, $form:literal $(, $policy:expr)?) => {{
        let (to, value): (*mut $type, $type) = ($to, $value);
        let from: *const $type = &raw const value;
        // SAFETY: as for loads.
        unsafe {
            match size_of::<$type>() {
                1 => store!(@one u16::from(from.cast::<u8>().read()), ".b8", to, $head, $form $(, $policy)?),
                2 => store!(@one from.cast::<u16>().read(), ".b16", to, $head, $form $(, $policy)?),
                4 => store!(@one from.cast::<u32>().read(), ".b32", to, $head, $form $(, $policy)?),
                8 => store!(@one from.cast::<u64>().read(), ".b64", to, $head, $form $(, $policy)?),
                _ => {
                    let [low, high] = from.cast::<[u64; 2]>().read();
                    core::arch::asm!(
                        $head,
                        concat!("st.global", $form, ".v2.b64 [{}], {{{}, {}}}", store!(@policy $($policy)?), ";"),
                        in(reg) to, in(reg) low, in(reg) high $(, in(reg) $policy)?,
                        options(nostack, preserves_flags)
                    );
                }
            }
        }
    }};
    (@one $value:expr, $type:literal, $to:expr, $head:literal, $form:literal $(, $policy:expr)?) => {
        core::arch::asm!(
            $head,
            concat!("st.global", $form, $type, " [{}], {}", store!(@policy $($policy)?), ";"),
            in(reg) $to, in(reg) $value $(, in(reg) $policy)?,
            options(nostack, preserves_flags)
        )
    };
    (@policy) => { "" };
    (@policy $policy:expr) => { ", {}" };
}

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
    return load!(T, from, "//__ptyx_ptx arch=sm_80 ptx=74", ".L2::cache_hint", policy.0);
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
    store!(T, to, value, "//__ptyx_ptx arch=sm_80 ptx=74", ".L2::cache_hint", policy.0);
    #[cfg(not(ptyx_device))]
    {
        let _ = policy;
        intrinsics::on_the_host()
    }
}

/// Which accesses the L2 cache keeps longer than others ([`createpolicy`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-createpolicy), `sm_80`).
///
/// ```
/// use ptyx::device::cache::{self, Policy};
///
/// /// A sum over a table of which the cache should keep a half.
/// fn sum(table: &[f32]) -> f32 {
///     let policy = Policy::evict_last_fraction(0.5);
///     table.iter().map(|x| cache::load_with_policy(x, policy)).sum()
/// }
/// ```
#[derive(Clone, Copy, Debug)]
#[doc(alias = "createpolicy")]
pub struct Policy(u64);

macro_rules! policies {
    ($($whole:ident $fraction:ident $intrinsic:ident: $text:literal;)*) => {
        impl Policy {$(
            #[doc = $text]
            ///
            /// ```
            /// use ptyx::device::cache::{self, Policy};
            ///
            /// fn load(x: &f32) -> f32 {
            #[doc = concat!("    cache::load_with_policy(x, Policy::", stringify!($whole), "())")]
            /// }
            /// ```
            #[inline(always)]
            #[track_caller]
            pub fn $whole() -> Policy {
                Policy::$fraction(1.0)
            }

            #[doc = concat!("[`", stringify!($whole), "`](Policy::", stringify!($whole), ") for a fraction of the addresses, which the hardware picks.")]
            /// The others are accessed without a change of their priority.
            ///
            /// ```
            /// use ptyx::device::cache::{self, Policy};
            ///
            /// fn load(x: &f32) -> f32 {
            #[doc = concat!("    cache::load_with_policy(x, Policy::", stringify!($fraction), "(0.25))")]
            /// }
            /// ```
            ///
            /// # Panics
            /// If the fraction is not more than 0 and at most 1.
            #[inline(always)]
            #[track_caller]
            pub fn $fraction(fraction: f32) -> Policy {
                assert!(fraction > 0.0 && fraction <= 1.0, "a fraction is more than 0 and at most 1");
                if !arch_at_least!(80) {
                    return Policy(0);
                }
                // SAFETY: only computes.
                Policy(unsafe { intrinsics::$intrinsic(fraction) })
            }
        )*}
    };
}

policies! {
    evict_first evict_first_fraction createpolicy_evict_first:
        "L2 evicts it before everything else.";
    evict_last evict_last_fraction createpolicy_evict_last:
        "L2 evicts it after everything else.";
    evict_normal evict_normal_fraction createpolicy_evict_normal:
        "L2 evicts it in the usual order.";
    evict_unchanged evict_unchanged_fraction createpolicy_evict_unchanged:
        "L2 does not change its priority.";
}

impl Policy {
    /// The policy as the operand of an instruction, for `ptx!`.
    ///
    /// ```
    /// use ptyx::device::cache::Policy;
    ///
    /// fn operand() -> u64 {
    ///     Policy::evict_first().bits()
    /// }
    /// ```
    #[inline(always)]
    pub const fn bits(self) -> u64 {
        self.0
    }
}

/// Functions that say something about an address.
macro_rules! hints {
    ($($name:ident $intrinsic:ident $link:literal: $text:literal $ptx:literal;)*) => {$(
        #[doc = $text]
        ///
        #[doc = concat!("PTX [`", $ptx, "`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-", $link, ").")]
        ///
        /// ```
        /// use ptyx::device::cache;
        ///
        /// fn announce(next: &[f32; 32]) {
        #[doc = concat!("    cache::", stringify!($name), "(next);")]
        /// }
        /// ```
        #[inline(always)]
        #[track_caller]
        pub fn $name<T>(place: &T) {
            if is_global(place) {
                // SAFETY: a hint, about memory that exists.
                unsafe { intrinsics::$intrinsic(core::ptr::from_ref(place).cast()) }
            }
        }
    )*};
}

hints! {
    prefetch_l1 prefetch_l1 "prefetch-prefetchu":
        "Lets L1 load the line with the first byte of a place." "prefetch.global.L1";
    prefetch_l2 prefetch_l2 "prefetch-prefetchu":
        "Lets L2 load the line with the first byte of a place." "prefetch.global.L2";
}

/// Lets L2 load the line with the first byte of a place, and evict it last.
///
/// PTX [`prefetch.global.L2::evict_last`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-prefetch-prefetchu) (`sm_80`; nothing on older devices).
///
/// ```
/// use ptyx::device::cache;
///
/// fn announce(next: &[f32; 32]) {
///     cache::prefetch_l2_evict_last(next);
/// }
/// ```
#[inline(always)]
#[track_caller]
pub fn prefetch_l2_evict_last<T>(place: &T) {
    if is_global(place) && arch_at_least!(80) {
        // SAFETY: a hint, about memory that exists.
        unsafe { intrinsics::prefetch_l2_evict_last(core::ptr::from_ref(place).cast()) }
    }
}

/// 128 bytes of memory, aligned to as many: what [`discard_l2`] and [`demote_l2`] are about.
///
/// ```
/// use ptyx::device::cache::Line;
/// assert_eq!((size_of::<Line>(), align_of::<Line>()), (128, 128));
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub struct Line(pub [u32; 32]);

/// Gives a line of global memory the usual priority in L2, if it had been loaded to be evicted last.
///
/// PTX [`applypriority.global.L2::evict_normal`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-applypriority) (`sm_80`; nothing on older devices).
///
/// ```
/// use ptyx::device::cache::{self, Line};
///
/// fn done(line: &Line) {
///     cache::demote_l2(line);
/// }
/// ```
#[doc(alias = "applypriority")]
#[inline(always)]
#[track_caller]
pub fn demote_l2(line: &Line) {
    if is_global(line) && arch_at_least!(80) {
        // SAFETY: a hint, about memory that exists and is aligned.
        unsafe { intrinsics::applypriority_l2(core::ptr::from_ref(line).cast()) }
    }
}

/// Throws a line away that is in L2, without writing it to memory.
///
/// PTX [`discard.global.L2`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-discard) (`sm_80`; nothing on older devices).
///
/// ```
/// use ptyx::device::cache::{self, Line};
///
/// fn done(scratch: *mut Line) {
///     // SAFETY: a buffer for intermediate results, which are not needed any more.
///     unsafe { cache::discard_l2(scratch) };
/// }
/// ```
///
/// # Safety
/// The line is in global memory. Its bytes are undefined afterwards: no thread reads them before they are written
/// again.
#[doc(alias = "discard")]
#[inline(always)]
#[track_caller]
pub unsafe fn discard_l2(line: *mut Line) {
    if arch_at_least!(80) {
        // SAFETY: as the caller's.
        unsafe { intrinsics::discard_l2(line.cast()) }
    }
}
