//! Atomic read-modify-writes (PTX ISA, sections 9.7.13.3 and 9.7.13.4). All are done with the strongest
//! ordering, whatever the modifiers ask for; lanes take their turns in order.

use super::memory::{Mode, Target};
use super::rounding::{Round, add_odd, bf16_to_f64, canonical, f16_to_f64, flush, to_bf16, to_f16};
use crate::exec::context::{Context, Flow, Lane, for_lanes};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Exec, Inst, NONE};
use crate::memory::{SHARED_WINDOW, Span, WINDOW_SIZE, WORD, wide};
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

impl Word for u128 {
    unsafe fn update(at: *mut u8, f: impl FnMut(Self) -> Self) -> Self {
        // SAFETY: promised by the caller; `atom` looked whether the host has the instruction.
        unsafe { wide::update(at, f) }
    }
}

/// Replaces the value at an address of a span by `f` of it; returns the old value.
///
/// # Safety
/// The value lies in the span, which is writable, at a multiple of its size.
#[inline(always)]
unsafe fn replace<T: Word>(span: &Span, address: u64, f: impl Fn(T) -> T) -> T {
    let place = span.data.wrapping_sub(span.base as usize).wrapping_add(address as usize);
    // SAFETY: promised by the caller; memory that is private belongs to the thread that runs the block.
    unsafe {
        if !span.private {
            return T::update(place, f);
        }
        let value = place.cast::<T>().read();
        place.cast::<T>().write(f(value));
        value
    }
}

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
                for_lanes(mask, |lane| {
                    // SAFETY: `access` checked the address.
                    old[lane] =
                        unsafe { replace(&span, at[lane], |value| f(value, b[lane], c[lane])) };
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

/// `atom.cas.b32`. On hardware a word whose first byte is inside an allocation is there as a whole, and code for
/// bytes relies on that. So a word may reach over the end here, too, if the instruction changes no byte there.
fn compare_exchange_word(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let choose = |a, b, c| if a == b { c } else { a };
    let mut cut = context.cut_words(inst, mask);
    let (at, [b, c]) = (
        context.addresses(inst, Mode::unpack(inst.c)),
        [inst.b, inst.x].map(|operand| context.load::<u32>(operand)),
    );
    if cut != 0 {
        for_lanes(cut, |lane| {
            let inside = context.bytes_left(at[lane]).min(WORD - 1) * 8;
            if (b[lane] ^ c[lane]) >> inside != 0 {
                cut &= !(1 << lane);
            }
        });
    }
    if cut != mask {
        let flow = atomic::<u32>(context, inst, mask & !cut, choose);
        if flow != Flow::Next {
            return flow;
        }
    }
    let mut old = [0; 32];
    for_lanes(cut, |lane| {
        if let Some(span) = context.block.find_word(context.launch, at[lane]) {
            // SAFETY: the span has the whole word, whose address `cut_words` found to be aligned.
            old[lane] = unsafe { replace(&span, at[lane], |a| choose(a, b[lane], c[lane])) };
        }
    });
    if inst.d != NONE {
        context.store(inst.d, cut, &old);
    }
    Flow::Next
}

/// `add` of `.f32`.
fn add_floats(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.access(inst, mask, true, |context, target, at, mask, _| {
        let (Target::Span(span) | Target::Adjacent(span)) = target else { return };
        let add = if span.private { add_f32 } else { add_f32_flushing };
        let values = context.load::<u32>(inst.b);
        let mut old = [0; 32];
        for_lanes(mask, |lane| {
            // SAFETY: `access` checked the address.
            old[lane] = unsafe { replace(&span, at[lane], |value| add(value, values[lane])) };
        });
        if inst.d != NONE {
            context.store(inst.d, mask, &old);
        }
    })
}

/// `atom` and `red` of vectors: each element on its own. List `x` has the destinations, then the sources.
fn change_vectors<T: Word>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    f: impl Fn(T, T) -> T,
) -> Flow {
    let mode = Mode::unpack(inst.c);
    let at = context.addresses(inst, mode);
    let is_shared = |lane: &u32| {
        mask >> lane & 1 == 1 && at[*lane as usize].wrapping_sub(SHARED_WINDOW) < WINDOW_SIZE
    };
    if let Some(lane) = (0..32).find(is_shared) {
        return context.fault(FaultKind::VectorInShared { address: at[lane as usize] }, lane);
    }
    context.access(inst, mask, true, |context, target, at, mask, mode| {
        let (Target::Span(span) | Target::Adjacent(span)) = target else { return };
        let list = &context.function().lists[inst.x as usize];
        let (to, from) = list.split_at(mode.count as usize);
        let from: Vec<[T; 32]> = from.iter().map(|&register| context.load(register)).collect();
        let to = to.to_vec();
        for (index, (to, values)) in to.into_iter().zip(from).enumerate() {
            let mut old = [T::default(); 32];
            for_lanes(mask, |lane| {
                let address = at[lane] + (index * size_of::<T>()) as u64;
                // SAFETY: `access` checked the addresses of the whole vector.
                old[lane] = unsafe { replace(&span, address, |value| f(value, values[lane])) };
            });
            if to != NONE {
                context.store(to, mask, &old);
            }
        }
    })
}

/// The semantic function of `atom` and `red` of vectors.
pub(crate) fn vector(op: &str, ty: Type) -> Option<Exec> {
    macro_rules! change {
        ($t:ty, $f:expr) => {
            Some((|context, inst, mask| change_vectors::<$t>(context, inst, mask, $f)) as Exec)
        };
    }
    match (op, ty) {
        ("add", F32) => change!(u32, add_f32_flushing),
        ("add", F16) => change!(u16, add_f16),
        ("add", Bf16) => change!(u16, add_bf16),
        ("add", F16x2) => change!(u32, |a, b| halves(a, b, add_f16)),
        ("add", Bf16x2) => change!(u32, |a, b| halves(a, b, add_bf16)),
        ("min", F16) => change!(u16, min_f16),
        ("min", Bf16) => change!(u16, min_bf16),
        ("min", F16x2) => change!(u32, |a, b| halves(a, b, min_f16)),
        ("min", Bf16x2) => change!(u32, |a, b| halves(a, b, min_bf16)),
        ("max", F16) => change!(u16, max_f16),
        ("max", Bf16) => change!(u16, max_bf16),
        ("max", F16x2) => change!(u32, |a, b| halves(a, b, max_f16)),
        ("max", Bf16x2) => change!(u32, |a, b| halves(a, b, max_bf16)),
        _ => None,
    }
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

/// The smaller or the larger one; a NaN only if both are. Of zeros, the first: which one the hardware takes is not
/// known.
fn extreme(a: u16, b: u16, value: fn(u16) -> f64, is_max: bool) -> u16 {
    let (x, y) = (value(a), value(b));
    match x.is_nan() || (!y.is_nan() && if is_max { y > x } else { y < x }) {
        true => b,
        false => a,
    }
}

fn min_f16(a: u16, b: u16) -> u16 {
    extreme(a, b, f16_to_f64, false)
}

fn max_f16(a: u16, b: u16) -> u16 {
    extreme(a, b, f16_to_f64, true)
}

fn min_bf16(a: u16, b: u16) -> u16 {
    extreme(a, b, bf16_to_f64, false)
}

fn max_bf16(a: u16, b: u16) -> u16 {
    extreme(a, b, bf16_to_f64, true)
}

fn add_f32(a: u32, b: u32) -> u32 {
    canonical(f32::from_bits(a) + f32::from_bits(b)).to_bits()
}

/// In global memory, where the caches add: subnormal numbers count as zeros (PTX ISA, `atom`).
fn add_f32_flushing(a: u32, b: u32) -> u32 {
    let [a, b] = [a, b].map(|bits| flush(f32::from_bits(bits)));
    flush(canonical(a + b)).to_bits()
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
        ("add", _, F32) => Some(add_floats),
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
        ("exch", 16, B128) if wide::is_supported() => op!(u128, |_a, b, _c| b),
        ("cas", 2, B16) => op!(u16, |a, b, c| if a == b { c } else { a }),
        ("cas", 4, B32) => Some(compare_exchange_word),
        ("cas", 8, B64) => op!(u64, |a, b, c| if a == b { c } else { a }),
        ("cas", 16, B128) if wide::is_supported() => {
            op!(u128, |a, b, c| if a == b { c } else { a })
        }
        ("inc", 4, U32) => op!(u32, |a, b, _c| if a >= b { 0 } else { a + 1 }),
        ("dec", 4, U32) => op!(u32, |a, b, _c| if a == 0 || a > b { b } else { a - 1 }),
        _ => None,
    }
}

/// Combines the value in global memory, at the first address, with the one at the second.
pub(crate) type Update = unsafe fn(*mut u8, *const u8);

macro_rules! update {
    ($t:ty, |$a:ident, $b:ident| $body:expr) => {
        // SAFETY: the caller has a value at each address, aligned; the first one is only used atomically.
        Some((|place, from| unsafe {
            let $b = from.cast::<$t>().read();
            <$t as Word>::update(place, |$a| $body);
        }) as Update)
    };
}

/// What a reduction of tiles does to each element (PTX ISA, `cp.reduce.async.bulk.tensor`). Bits may be of either
/// sign.
pub(crate) fn update(op: &str, ty: Type) -> Option<Update> {
    match (op, ty) {
        ("add", F16) => update!(u16, |a, b| add_f16(a, b)),
        ("add", Bf16) => update!(u16, |a, b| add_bf16(a, b)),
        ("add", F32) => update!(u32, |a, b| add_f32_flushing(a, b)),
        ("add", F64) => update!(u64, |a, b| add_f64(a, b)),
        ("add", U32 | S32) => update!(u32, |a, b| a.wrapping_add(b)),
        ("add", U64 | S64) => update!(u64, |a, b| a.wrapping_add(b)),
        ("min", F16) => update!(u16, |a, b| min_f16(a, b)),
        ("max", F16) => update!(u16, |a, b| max_f16(a, b)),
        ("min", Bf16) => update!(u16, |a, b| min_bf16(a, b)),
        ("max", Bf16) => update!(u16, |a, b| max_bf16(a, b)),
        ("min", U32) => update!(u32, |a, b| a.min(b)),
        ("max", U32) => update!(u32, |a, b| a.max(b)),
        ("min", S32) => update!(u32, |a, b| (a as i32).min(b as i32) as u32),
        ("max", S32) => update!(u32, |a, b| (a as i32).max(b as i32) as u32),
        ("min", U64) => update!(u64, |a, b| a.min(b)),
        ("max", U64) => update!(u64, |a, b| a.max(b)),
        ("min", S64) => update!(u64, |a, b| (a as i64).min(b as i64) as u64),
        ("max", S64) => update!(u64, |a, b| (a as i64).max(b as i64) as u64),
        ("inc", U32) => update!(u32, |a, b| if a >= b { 0 } else { a + 1 }),
        ("dec", U32) => update!(u32, |a, b| if a == 0 || a > b { b } else { a - 1 }),
        ("and", U32 | S32) => update!(u32, |a, b| a & b),
        ("or", U32 | S32) => update!(u32, |a, b| a | b),
        ("xor", U32 | S32) => update!(u32, |a, b| a ^ b),
        ("and", U64 | S64) => update!(u64, |a, b| a & b),
        ("or", U64 | S64) => update!(u64, |a, b| a | b),
        ("xor", U64 | S64) => update!(u64, |a, b| a ^ b),
        _ => None,
    }
}
