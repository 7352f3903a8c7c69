//! Policies of the L2 cache.

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
