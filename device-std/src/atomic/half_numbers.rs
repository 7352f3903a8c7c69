//! Atomics of half precision: single numbers, and pairs that are added half by half.

#[cfg(not(ptyx_device))]
use super::ops::on_the_host;
use super::ops::{float, value, vectors};
use super::order::How;
use super::types::sealed::{Number, Value};
use super::types::{AtomicNumber, AtomicValue};
use crate::float16::{Bf16x2, F16x2};
#[cfg(ptyx_device)]
use crate::intrinsics;
use half::{bf16, f16};

float! { f16 as u16, AtomicU16, f16::to_bits, f16::from_bits;
atomic_load_u16 atomic_store_u16 atomic_exchange_u16 atomic_cas_u16;
atomic_add_f16 f16::to_bits, f16::from_bits, from 70;
vectors! { u16: 2 ".noftz.v2.f16" [0 1]; 4 ".noftz.v4.f16" [0 1 2 3]; 8 ".noftz.v8.f16" [0 1 2 3 4 5 6 7]; } }
float! { bf16 as u16, AtomicU16, bf16::to_bits, bf16::from_bits;
atomic_load_u16 atomic_store_u16 atomic_exchange_u16 atomic_cas_u16;
atomic_add_bf16 bf16::to_bits, bf16::from_bits, from 90;
vectors! { u16: 2 ".noftz.v2.bf16" [0 1]; 4 ".noftz.v4.bf16" [0 1 2 3]; 8 ".noftz.v8.bf16" [0 1 2 3 4 5 6 7]; } }
float! { F16x2 as u32, AtomicU32, F16x2::to_bits, F16x2::from_bits;
atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32;
atomic_add_f16x2 F16x2::to_bits, F16x2::from_bits, from 70;
vectors! { u32: 2 ".noftz.v2.f16x2" [0 1]; 4 ".noftz.v4.f16x2" [0 1 2 3]; } }
float! { Bf16x2 as u32, AtomicU32, Bf16x2::to_bits, Bf16x2::from_bits;
atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32;
atomic_add_bf16x2 Bf16x2::to_bits, Bf16x2::from_bits, from 90;
vectors! { u32: 2 ".noftz.v2.bf16x2" [0 1]; 4 ".noftz.v4.bf16x2" [0 1 2 3]; } }
