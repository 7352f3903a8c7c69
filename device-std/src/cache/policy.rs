//! Policies of the L2 cache.

use crate::global::is_global;
use crate::{arch_at_least, intrinsics};

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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "createpolicy")]
pub struct Policy(u64);

/// What the L2 cache does with lines of addresses that a [`Policy`] names.
///
/// ```
/// use ptyx::device::cache::{OtherPriority, Policy, Priority};
///
/// fn keep_a_quarter() -> Policy {
///     Policy::fractional(0.25, Priority::EvictLast, OtherPriority::EvictFirst)
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// It evicts them before everything else.
    EvictFirst,
    /// It evicts them after everything else.
    EvictLast,
    /// It evicts them in the usual order.
    EvictNormal,
    /// It does not change their priority.
    EvictUnchanged,
}

/// What the L2 cache does with lines of the other addresses ([`Policy::fractional`], [`Policy::range`]).
///
/// ```
/// use ptyx::device::cache::OtherPriority;
/// assert_eq!(OtherPriority::default(), OtherPriority::EvictUnchanged);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OtherPriority {
    /// It evicts them before everything else.
    EvictFirst,
    /// It does not change their priority.
    #[default]
    EvictUnchanged,
}

/// The intrinsic for two priorities.
macro_rules! by_priorities {
    ($first:ident, $second:ident, $arguments:tt: $($priority:ident $unchanged:ident $else_first:ident;)*) => {
        // SAFETY: only computes.
        unsafe {
            match ($first, $second) {$(
                (Priority::$priority, OtherPriority::EvictUnchanged) => intrinsics::$unchanged $arguments,
                (Priority::$priority, OtherPriority::EvictFirst) => intrinsics::$else_first $arguments,
            )*}
        }
    };
}

impl Policy {
    /// One priority for a fraction of the addresses, which the hardware picks, and another one for the rest.
    ///
    /// PTX [`createpolicy.fractional`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-createpolicy) (`sm_80`).
    ///
    /// ```
    /// use ptyx::device::cache::{self, OtherPriority, Policy, Priority};
    ///
    /// /// A sum over a table that is twice as large as what the cache should keep of it.
    /// fn sum(table: &[f32]) -> f32 {
    ///     let policy = Policy::fractional(0.5, Priority::EvictLast, OtherPriority::EvictFirst);
    ///     table.iter().map(|x| cache::load_with_policy(x, policy)).sum()
    /// }
    /// ```
    ///
    /// # Panics
    /// If the fraction is not more than 0 and at most 1.
    #[inline(always)]
    #[track_caller]
    pub fn fractional(fraction: f32, priority: Priority, others: OtherPriority) -> Policy {
        check_fraction(fraction);
        if !arch_at_least!(80) {
            return Policy(0);
        }
        Policy(by_priorities! { priority, others, (fraction):
            EvictFirst createpolicy_evict_first createpolicy_evict_first_else_first;
            EvictLast createpolicy_evict_last createpolicy_evict_last_else_first;
            EvictNormal createpolicy_evict_normal createpolicy_evict_normal_else_first;
            EvictUnchanged createpolicy_evict_unchanged createpolicy_evict_unchanged_else_first;
        })
    }

    /// One priority for the first `count` elements of a slice in global memory, and another one for the elements behind
    /// them (and for as many bytes before the slice as follow the first `count` elements). It does not apply to other
    /// addresses.
    ///
    /// PTX [`createpolicy.range`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-createpolicy) (`sm_80`), `cuda::access_property` with sizes of CUDA C++.
    ///
    /// ```
    /// use ptyx::device::cache::{self, OtherPriority, Policy, Priority};
    ///
    /// /// A sum over a table; the cache should keep its first 4096 elements.
    /// fn sum(table: &[f32]) -> f32 {
    ///     let policy = Policy::range(table, 4096, Priority::EvictLast, OtherPriority::EvictFirst);
    ///     table.iter().map(|x| cache::load_with_policy(x, policy)).sum()
    /// }
    /// ```
    ///
    /// # Panics
    /// If the slice has fewer than `count` elements, or takes 4 GiB or more.
    #[doc(alias = "access_property")]
    #[inline(always)]
    #[track_caller]
    pub fn range<T>(
        slice: &[T],
        count: usize,
        priority: Priority,
        others: OtherPriority,
    ) -> Policy {
        assert!(count <= slice.len(), "the slice has fewer elements than the policy is for");
        let Ok(total) = u32::try_from(size_of_val(slice)) else {
            panic!("a policy is for less than 4 GiB");
        };
        if !arch_at_least!(80) {
            return Policy(0);
        }
        let first: *const u8 = slice.as_ptr().cast();
        if !is_global(first) {
            return Policy::evict_unchanged();
        }
        let primary = (count as u32).wrapping_mul(size_of::<T>() as u32);
        Policy(by_priorities! { priority, others, (first, primary, total):
            EvictFirst createpolicy_range_evict_first_else_unchanged createpolicy_range_evict_first_else_first;
            EvictLast createpolicy_range_evict_last_else_unchanged createpolicy_range_evict_last_else_first;
            EvictNormal createpolicy_range_evict_normal_else_unchanged createpolicy_range_evict_normal_else_first;
            EvictUnchanged createpolicy_range_evict_unchanged_else_unchanged createpolicy_range_evict_unchanged_else_first;
        })
    }
}

#[inline(always)]
#[track_caller]
fn check_fraction(fraction: f32) {
    assert!(fraction > 0.0 && fraction <= 1.0, "a fraction is more than 0 and at most 1");
}

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
            /// The others are accessed without a change of their priority; [`fractional`](Policy::fractional) can give
            /// them one, too.
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
                check_fraction(fraction);
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
    /// The policy of an access property of CUDA C++ (`cuda::access_property`, whose 64 bits a kernel can take as a
    /// number).
    ///
    /// PTX [`createpolicy.cvt.L2`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-createpolicy) (`sm_80`).
    ///
    /// ```
    /// use ptyx::device::cache::{self, Policy};
    ///
    /// fn load(x: &f32, property: u64) -> f32 {
    ///     cache::load_with_policy(x, Policy::from_access_property(property))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn from_access_property(property: u64) -> Policy {
        if !arch_at_least!(80) {
            return Policy(0);
        }
        // SAFETY: only computes.
        Policy(unsafe { intrinsics::createpolicy_cvt(property) })
    }

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
