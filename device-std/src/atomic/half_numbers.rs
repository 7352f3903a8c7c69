//! Atomics of half precision: single numbers, and pairs that are changed half by half.

#[cfg(not(ptyx_device))]
use super::ops::on_the_host;
#[cfg(ptyx_device)]
use super::ops::retry;
use super::ops::{float, value, vectors};
use super::order::How;
#[cfg(ptyx_device)]
use super::types::sealed::Operation;
use super::types::sealed::{Number, Value};
use super::types::{AtomicNumber, AtomicValue};
use crate::float16::{Bf16x2, F16x2, Half};
#[cfg(ptyx_device)]
use crate::intrinsics;
use half::{bf16, f16};

/// The bits of a half but its sign.
#[cfg(ptyx_device)]
const MAGNITUDE: u16 = 0x7fff;

/// [`Number::is_special`] of two halves, by their bits.
#[cfg(ptyx_device)]
#[inline(always)]
const fn are_special(a: u16, b: u16, infinity: u16) -> bool {
    let are_zeros = (a | b) & MAGNITUDE == 0;
    a & MAGNITUDE > infinity || b & MAGNITUDE > infinity || (are_zeros && a != b)
}

/// Minimum and maximum of single numbers, by compare-exchanges.
macro_rules! retried {
    ($type:ident as $word:ident, $atomic:ident, $infinity:literal: $($method:ident $pick:ident),*) => {
        $(
            #[inline(always)]
            unsafe fn $method<H: How>(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's.
                return unsafe { retry::<Self, H>(this, |before| before.$pick(value)) };
                #[cfg(not(ptyx_device))]
                Self::from_bits(on_the_host!($atomic, this, |before: $word| {
                    Self::from_bits(before).$pick(value).to_bits()
                }))
            }
        )*

        #[cfg(ptyx_device)]
        #[inline(always)]
        fn is_special(self, other: Self) -> bool {
            are_special(self.to_bits(), other.to_bits(), $infinity)
        }
    };
}

/// Minimum and maximum of pairs: an instruction in global memory from `sm_90` on, unless the numbers are special.
macro_rules! halved {
    ($type:ident, $infinity:literal: $($method:ident $intrinsic:ident $pick:ident),*) => {
        $(
            #[inline(always)]
            unsafe fn $method<H: How>(this: *mut Self, value: Self) -> Self {
                #[cfg(ptyx_device)]
                // SAFETY: as the caller's; in global memory where the instruction needs that.
                unsafe {
                    if crate::arch_at_least!(90)
                        && crate::global::is_global(this)
                        && !value.is_special(value)
                    {
                        let bits = intrinsics::$intrinsic(this.cast(), value.to_bits(), H::HOW);
                        let before = Self::from_bits(bits);
                        if before.is_special(value) {
                            // What the instruction may not have done.
                            retry::<Self, H>(this, |before| before.$pick(value));
                        }
                        return before;
                    }
                    retry::<Self, H>(this, |before| before.$pick(value))
                }
                #[cfg(not(ptyx_device))]
                Self::from_bits(on_the_host!(AtomicU32, this, |before: u32| {
                    Self::from_bits(before).$pick(value).to_bits()
                }))
            }
        )*

        #[cfg(ptyx_device)]
        #[inline(always)]
        fn is_special(self, other: Self) -> bool {
            let ([a, b], [c, d]) = (self.to_array(), other.to_array());
            are_special(a.to_bits(), c.to_bits(), $infinity)
                || are_special(b.to_bits(), d.to_bits(), $infinity)
        }
    };
}

float! { f16 as u16, AtomicU16, f16::to_bits, f16::from_bits;
atomic_load_u16 atomic_store_u16 atomic_exchange_u16 atomic_cas_u16;
atomic_add_f16 f16::to_bits, f16::from_bits, from 70;
retried! { f16 as u16, AtomicU16, 0x7c00: min fmin, max fmax }
vectors! { u16, [Add "add.noftz", Min "min.noftz", Max "max.noftz"]:
    2 ".v2.f16" [0 1]; 4 ".v4.f16" [0 1 2 3]; 8 ".v8.f16" [0 1 2 3 4 5 6 7]; } }
float! { bf16 as u16, AtomicU16, bf16::to_bits, bf16::from_bits;
atomic_load_u16 atomic_store_u16 atomic_exchange_u16 atomic_cas_u16;
atomic_add_bf16 bf16::to_bits, bf16::from_bits, from 90;
retried! { bf16 as u16, AtomicU16, 0x7f80: min fmin, max fmax }
vectors! { u16, [Add "add.noftz", Min "min.noftz", Max "max.noftz"]:
    2 ".v2.bf16" [0 1]; 4 ".v4.bf16" [0 1 2 3]; 8 ".v8.bf16" [0 1 2 3 4 5 6 7]; } }
float! { F16x2 as u32, AtomicU32, F16x2::to_bits, F16x2::from_bits;
atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32;
atomic_add_f16x2 F16x2::to_bits, F16x2::from_bits, from 70;
halved! { F16x2, 0x7c00: min atomic_min_f16x2 fmin, max atomic_max_f16x2 fmax }
vectors! { u32, [Add "add.noftz", Min "min.noftz", Max "max.noftz"]:
    2 ".v2.f16x2" [0 1]; 4 ".v4.f16x2" [0 1 2 3]; } }
float! { Bf16x2 as u32, AtomicU32, Bf16x2::to_bits, Bf16x2::from_bits;
atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32;
atomic_add_bf16x2 Bf16x2::to_bits, Bf16x2::from_bits, from 90;
halved! { Bf16x2, 0x7f80: min atomic_min_bf16x2 fmin, max atomic_max_bf16x2 fmax }
vectors! { u32, [Add "add.noftz", Min "min.noftz", Max "max.noftz"]:
    2 ".v2.bf16x2" [0 1]; 4 ".v4.bf16x2" [0 1 2 3]; } }
