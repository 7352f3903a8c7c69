//! Atomic read-modify-writes (PTX ISA, sections 9.7.13.3 and 9.7.13.4). All are done with the strongest
//! ordering, whatever the modifiers ask for; lanes take their turns in order.

use super::memory::Target;
use super::rounding::{Round, add_odd, bf16_to_f64, canonical, f16_to_f64, to_bf16, to_f16};
use crate::exec::context::{Context, Flow, Lane, for_lanes};
use crate::exec::program::{Exec, Inst, NONE};
use crate::ptx::types::Type::{self, *};
use std::sync::atomic::{AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A type for which the host has atomics.
trait Word: Lane + PartialEq {
    /// Replaces the value at `at` by `f` of it; returns the old value.
    ///
    /// # Safety
    /// `at` is valid and aligned, and only used atomically or by this thread meanwhile.
    unsafe fn update(at: *mut u8, f: impl FnMut(Self) -> Self) -> Self;
}

macro_rules! word {
    ($($ty:ty => $atomic:ty),*) => { $(impl Word for $ty {
        #[inline(always)]
        unsafe fn update(at: *mut u8, mut f: impl FnMut(Self) -> Self) -> Self {
            // SAFETY: promised by the caller.
            let cell = unsafe { <$atomic>::from_ptr(at.cast()) };
            let mut old = cell.load(Ordering::Relaxed);
            loop {
                match cell.compare_exchange_weak(old, f(old), Ordering::SeqCst, Ordering::Relaxed) {
                    Ok(old) => return old,
                    Err(now) => old = now,
                }
            }
        }
    })* };
}
word!(u16 => AtomicU16, u32 => AtomicU32, u64 => AtomicU64);

/// The new value from the old one, `b` and `c`.
fn atomic<T: Word>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    f: impl Fn(T, T, T) -> T,
) -> Flow {
    context.access(inst, mask, true, |context, target, at, mask, _| {
        let b = context.load::<T>(inst.b);
        let c = if inst.x == NONE { [T::default(); 32] } else { context.load::<T>(inst.x) };
        let mut old = [T::default(); 32];
        match target {
            Target::Span(span) | Target::Adjacent(span) => {
                let base = span.data.wrapping_sub(span.base as usize);
                for_lanes(mask, |lane| {
                    let place = base.wrapping_add(at[lane] as usize);
                    old[lane] = if span.private {
                        // SAFETY: `access` checked the address; shared memory belongs to the thread that
                        // runs the block.
                        unsafe {
                            let value = place.cast::<T>().read();
                            place.cast::<T>().write(f(value, b[lane], c[lane]));
                            value
                        }
                    } else {
                        // SAFETY: `access` checked the address.
                        unsafe { T::update(place, |value| f(value, b[lane], c[lane])) }
                    };
                });
            }
            // `access` refuses it.
            Target::Local => {}
        }
        if inst.d != NONE {
            context.store(inst.d, mask, &old);
        }
    })
}

macro_rules! op {
    ($t:ty, |$a:ident, $b:ident, $c:ident| $body:expr) => {
        Some((|context, inst, mask| atomic::<$t>(context, inst, mask, |$a, $b, $c| $body)) as Exec)
    };
}

/// The same for both halves of a word.
fn halves(a: u32, b: u32, f: fn(u16, u16) -> u16) -> u32 {
    u32::from(f(a as u16, b as u16)) | u32::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

fn add_f16(a: u16, b: u16) -> u16 {
    to_f16(add_odd(f16_to_f64(a), f16_to_f64(b), Round::Nearest), Round::Nearest)
}

fn add_bf16(a: u16, b: u16) -> u16 {
    to_bf16(add_odd(bf16_to_f64(a), bf16_to_f64(b), Round::Nearest), Round::Nearest)
}

fn add_f32(a: u32, b: u32) -> u32 {
    canonical(f32::from_bits(a) + f32::from_bits(b)).to_bits()
}

fn add_f64(a: u64, b: u64) -> u64 {
    (f64::from_bits(a) + f64::from_bits(b)).to_bits()
}

/// The semantic function of `atom` and `red`.
pub(crate) fn atom(op: &str, ty: Type) -> Option<Exec> {
    match (op, ty.size(), ty) {
        ("add", _, F16) => op!(u16, |a, b, _c| add_f16(a, b)),
        ("add", _, Bf16) => op!(u16, |a, b, _c| add_bf16(a, b)),
        ("add", _, F16x2) => op!(u32, |a, b, _c| halves(a, b, add_f16)),
        ("add", _, Bf16x2) => op!(u32, |a, b, _c| halves(a, b, add_bf16)),
        ("add", _, F32) => op!(u32, |a, b, _c| add_f32(a, b)),
        ("add", _, F64) => op!(u64, |a, b, _c| add_f64(a, b)),
        ("add", 4, U32 | S32) => op!(u32, |a, b, _c| a.wrapping_add(b)),
        ("add", 8, U64 | S64) => op!(u64, |a, b, _c| a.wrapping_add(b)),
        ("min", 4, U32) => op!(u32, |a, b, _c| a.min(b)),
        ("min", 4, S32) => op!(u32, |a, b, _c| (a as i32).min(b as i32) as u32),
        ("min", 8, U64) => op!(u64, |a, b, _c| a.min(b)),
        ("min", 8, S64) => op!(u64, |a, b, _c| (a as i64).min(b as i64) as u64),
        ("max", 4, U32) => op!(u32, |a, b, _c| a.max(b)),
        ("max", 4, S32) => op!(u32, |a, b, _c| (a as i32).max(b as i32) as u32),
        ("max", 8, U64) => op!(u64, |a, b, _c| a.max(b)),
        ("max", 8, S64) => op!(u64, |a, b, _c| (a as i64).max(b as i64) as u64),
        ("and", 4, B32) => op!(u32, |a, b, _c| a & b),
        ("and", 8, B64) => op!(u64, |a, b, _c| a & b),
        ("or", 4, B32) => op!(u32, |a, b, _c| a | b),
        ("or", 8, B64) => op!(u64, |a, b, _c| a | b),
        ("xor", 4, B32) => op!(u32, |a, b, _c| a ^ b),
        ("xor", 8, B64) => op!(u64, |a, b, _c| a ^ b),
        ("exch", 4, B32) => op!(u32, |_a, b, _c| b),
        ("exch", 8, B64) => op!(u64, |_a, b, _c| b),
        ("cas", 2, B16) => op!(u16, |a, b, c| if a == b { c } else { a }),
        ("cas", 4, B32) => op!(u32, |a, b, c| if a == b { c } else { a }),
        ("cas", 8, B64) => op!(u64, |a, b, c| if a == b { c } else { a }),
        ("inc", 4, U32) => op!(u32, |a, b, _c| if a >= b { 0 } else { a + 1 }),
        ("dec", 4, U32) => op!(u32, |a, b, _c| if a == 0 || a > b { b } else { a - 1 }),
        _ => None,
    }
}
