//! Atomics of half precision: single numbers, and pairs that are added half by half.

#[cfg(not(ptyx_device))]
use super::ops::on_the_host;
use super::ops::{float, value};
use super::order::How;
use super::types::sealed::{Number, Value};
use super::types::{AtomicNumber, AtomicValue};
use crate::float16::{Bf16x2, F16x2};
#[cfg(ptyx_device)]
use crate::intrinsics;
use half::{bf16, f16};

float! { f16 as u16, AtomicU16, f16::to_bits, f16::from_bits;
atomic_load_u16 atomic_store_u16 atomic_exchange_u16 atomic_cas_u16;
atomic_add_f16 f16::to_bits, f16::from_bits, from 70 }
float! { bf16 as u16, AtomicU16, bf16::to_bits, bf16::from_bits;
atomic_load_u16 atomic_store_u16 atomic_exchange_u16 atomic_cas_u16;
atomic_add_bf16 bf16::to_bits, bf16::from_bits, from 90 }
float! { F16x2 as u32, AtomicU32, F16x2::to_bits, F16x2::from_bits;
atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32;
atomic_add_f16x2 F16x2::to_bits, F16x2::from_bits, from 70 }
float! { Bf16x2 as u32, AtomicU32, Bf16x2::to_bits, Bf16x2::from_bits;
atomic_load_u32 atomic_store_u32 atomic_exchange_u32 atomic_cas_u32;
atomic_add_bf16x2 Bf16x2::to_bits, Bf16x2::from_bits, from 90 }
