//! Turns a function on one lane's values into one on all lanes.

use crate::exec::context::{Context, FULL, Flow, Lane, for_lanes};
use crate::exec::program::{Exec, Inst};
use std::mem::MaybeUninit;

/// Lanes computed at a time: small enough for the values to stay in vector registers.
const CHUNK: usize = 8;

/// The value of a closure type that captures nothing.
#[inline(always)]
fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "a semantic function must not capture anything") };
    // SAFETY: a value of size zero has no bytes to be wrong; `F` is a closure type that a caller of this
    // module had a value of, so it is inhabited.
    unsafe { std::ptr::NonNull::<F>::dangling().as_ptr().read() }
}

/// Eight lanes of a register.
#[inline(always)]
fn chunk<T: Lane>(slab: *mut [T; 32], index: usize) -> *mut [T; CHUNK] {
    slab.cast::<T>().wrapping_add(index * CHUNK).cast()
}

/// Where all lanes of a result go: to the destination, or to a temporary if not all of them run.
#[inline(always)]
fn target<T: Lane>(d: *mut [T; 32], mask: u32, aside: &mut MaybeUninit<[T; 32]>) -> *mut [T; 32] {
    if mask == FULL { d } else { aside.as_mut_ptr() }
}

/// Copies the lanes of `mask` from the temporary. It is compiled once per type, not per instruction: this
/// path is rare, and there are hundreds of instructions.
///
/// # Safety
/// All lanes of the temporary have been written.
#[inline(never)]
unsafe fn blend<T: Lane>(d: *mut [T; 32], mask: u32, aside: &MaybeUninit<[T; 32]>) {
    // SAFETY: promised by the caller.
    let aside = unsafe { aside.assume_init_ref() };
    // SAFETY: as in `unary`.
    for_lanes(mask, |lane| unsafe { d.cast::<T>().add(lane).write(aside[lane]) });
}

/// `d = f(a)`. All lanes are computed, even those that do not run: `f` is defined for all values.
pub(crate) fn unary<A: Lane, D: Lane, F: Fn(A) -> D + Copy>(_: F) -> Exec {
    fn exec<A: Lane, D: Lane, F: Fn(A) -> D + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let f = conjure::<F>();
        let (d, a) = (context.slab::<D>(inst.d), context.slab::<A>(inst.a));
        let mut aside = MaybeUninit::uninit();
        let to = target(d, mask, &mut aside);
        for index in 0..32 / CHUNK {
            // SAFETY: operands were lowered with the sizes of these types; see `Context::slab`.
            let x = unsafe { chunk(a, index).read() };
            let mut z = [D::default(); CHUNK];
            for lane in 0..CHUNK {
                z[lane] = f(x[lane]);
            }
            // SAFETY: as above.
            unsafe { chunk(to, index).write(z) };
        }
        if mask != FULL {
            // SAFETY: all lanes were written.
            unsafe { blend(d, mask, &aside) };
        }
        Flow::Next
    }
    exec::<A, D, F>
}

/// `d = f(a, b)`, as [`unary`].
pub(crate) fn binary<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(_: F) -> Exec {
    fn exec<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let f = conjure::<F>();
        let (d, a) = (context.slab::<D>(inst.d), context.slab::<A>(inst.a));
        let b = context.slab::<B>(inst.b);
        let mut aside = MaybeUninit::uninit();
        let to = target(d, mask, &mut aside);
        for index in 0..32 / CHUNK {
            // SAFETY: as in `unary`.
            let (x, y) = unsafe { (chunk(a, index).read(), chunk(b, index).read()) };
            let mut z = [D::default(); CHUNK];
            for lane in 0..CHUNK {
                z[lane] = f(x[lane], y[lane]);
            }
            // SAFETY: as in `unary`.
            unsafe { chunk(to, index).write(z) };
        }
        if mask != FULL {
            // SAFETY: all lanes were written.
            unsafe { blend(d, mask, &aside) };
        }
        Flow::Next
    }
    exec::<A, B, D, F>
}

/// `d = f(a, b, c)`, as [`unary`].
pub(crate) fn ternary<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
    _: F,
) -> Exec {
    fn exec<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let f = conjure::<F>();
        let (d, a) = (context.slab::<D>(inst.d), context.slab::<A>(inst.a));
        let (b, c) = (context.slab::<B>(inst.b), context.slab::<C>(inst.c));
        let mut aside = MaybeUninit::uninit();
        let to = target(d, mask, &mut aside);
        for index in 0..32 / CHUNK {
            // SAFETY: as in `unary`.
            let (x, y, w) =
                unsafe { (chunk(a, index).read(), chunk(b, index).read(), chunk(c, index).read()) };
            let mut z = [D::default(); CHUNK];
            for lane in 0..CHUNK {
                z[lane] = f(x[lane], y[lane], w[lane]);
            }
            // SAFETY: as in `unary`.
            unsafe { chunk(to, index).write(z) };
        }
        if mask != FULL {
            // SAFETY: all lanes were written.
            unsafe { blend(d, mask, &aside) };
        }
        Flow::Next
    }
    exec::<A, B, C, D, F>
}

/// Whether the host has the instructions of [`binary_wide`] and [`ternary_wide`].
#[cfg(target_arch = "x86_64")]
pub(in crate::exec::ops) fn is_wide() -> bool {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
}

/// As [`binary`], for the most common functions of floats: with AVX2 where the host has it.
pub(crate) fn binary_wide<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(f: F) -> Exec {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn all<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(
            to: *mut [D; 32],
            a: *mut [A; 32],
            b: *mut [B; 32],
        ) {
            let f = conjure::<F>();
            for index in 0..32 / CHUNK {
                // SAFETY: as in `unary`.
                let (x, y) = unsafe { (chunk(a, index).read(), chunk(b, index).read()) };
                let mut z = [D::default(); CHUNK];
                for lane in 0..CHUNK {
                    z[lane] = f(x[lane], y[lane]);
                }
                // SAFETY: as in `unary`.
                unsafe { chunk(to, index).write(z) };
            }
        }
        fn exec<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(
            context: &mut Context<'_>,
            inst: &Inst,
            mask: u32,
        ) -> Flow {
            let d = context.slab::<D>(inst.d);
            let mut aside = MaybeUninit::uninit();
            let to = target(d, mask, &mut aside);
            // SAFETY: the host has the features, or this function is not used.
            unsafe { all::<A, B, D, F>(to, context.slab(inst.a), context.slab(inst.b)) };
            if mask != FULL {
                // SAFETY: all lanes were written.
                unsafe { blend(d, mask, &aside) };
            }
            Flow::Next
        }
        if is_wide() {
            return exec::<A, B, D, F>;
        }
    }
    binary(f)
}

/// As [`ternary`], with the host's AVX2 and fused multiply-add where it has both.
pub(crate) fn ternary_wide<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
    f: F,
) -> Exec {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,fma")]
        fn all<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
            to: *mut [D; 32],
            a: *mut [A; 32],
            b: *mut [B; 32],
            c: *mut [C; 32],
        ) {
            let f = conjure::<F>();
            for index in 0..32 / CHUNK {
                // SAFETY: as in `unary`.
                let (x, y, w) = unsafe {
                    (chunk(a, index).read(), chunk(b, index).read(), chunk(c, index).read())
                };
                let mut z = [D::default(); CHUNK];
                for lane in 0..CHUNK {
                    z[lane] = f(x[lane], y[lane], w[lane]);
                }
                // SAFETY: as in `unary`.
                unsafe { chunk(to, index).write(z) };
            }
        }
        fn exec<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
            context: &mut Context<'_>,
            inst: &Inst,
            mask: u32,
        ) -> Flow {
            let d = context.slab::<D>(inst.d);
            let (a, b, c) = (context.slab(inst.a), context.slab(inst.b), context.slab(inst.c));
            let mut aside = MaybeUninit::uninit();
            let to = target(d, mask, &mut aside);
            // SAFETY: as in `binary_wide`.
            unsafe { all::<A, B, C, D, F>(to, a, b, c) };
            if mask != FULL {
                // SAFETY: all lanes were written.
                unsafe { blend(d, mask, &aside) };
            }
            Flow::Next
        }
        if is_wide() {
            return exec::<A, B, C, D, F>;
        }
    }
    ternary_each(f)
}

/// As [`unary`], for functions that are too long to gain from several lanes at a time.
pub(crate) fn unary_each<A: Lane, D: Lane, F: Fn(A) -> D + Copy>(_: F) -> Exec {
    fn exec<A: Lane, D: Lane, F: Fn(A) -> D + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let f = conjure::<F>();
        for_lanes(mask, |lane| {
            let value = f(context.get(inst.a, lane as u32));
            context.set(inst.d, lane as u32, value);
        });
        Flow::Next
    }
    exec::<A, D, F>
}

/// As [`binary`], for functions that are too long to gain from several lanes at a time.
pub(crate) fn binary_each<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(_: F) -> Exec {
    fn exec<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let f = conjure::<F>();
        for_lanes(mask, |lane| {
            let lane = lane as u32;
            let value = f(context.get(inst.a, lane), context.get(inst.b, lane));
            context.set(inst.d, lane, value);
        });
        Flow::Next
    }
    exec::<A, B, D, F>
}

/// As [`ternary`], for functions that are too long to gain from several lanes at a time.
pub(crate) fn ternary_each<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
    _: F,
) -> Exec {
    fn exec<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let f = conjure::<F>();
        for_lanes(mask, |lane| {
            let lane = lane as u32;
            let (a, b) = (context.get(inst.a, lane), context.get(inst.b, lane));
            let value = f(a, b, context.get(inst.c, lane));
            context.set(inst.d, lane, value);
        });
        Flow::Next
    }
    exec::<A, B, C, D, F>
}

/// The lanes for which `f(a, b)` holds.
#[inline(always)]
pub(crate) fn compare_mask<T: Lane, F: Fn(T, T) -> bool + Copy>(
    context: &Context<'_>,
    inst: &Inst,
    f: F,
) -> u32 {
    let (a, b) = (context.slab::<T>(inst.a), context.slab::<T>(inst.b));
    let mut out = 0;
    for index in 0..32 / CHUNK {
        // SAFETY: as in `unary`.
        let (x, y) = unsafe { (chunk(a, index).read(), chunk(b, index).read()) };
        let mut bits = [0u32; CHUNK];
        for lane in 0..CHUNK {
            bits[lane] = if f(x[lane], y[lane]) { 1 << lane } else { 0 };
        }
        out |= bits.iter().fold(0, |all, bit| all | bit) << (index * CHUNK);
    }
    out
}

/// The lanes for which `f(a)` holds.
pub(crate) fn test_mask<T: Lane>(
    context: &Context<'_>,
    operand: u32,
    f: impl Fn(T) -> bool,
) -> u32 {
    let values = context.load::<T>(operand);
    (0..32).fold(0, |all, lane| all | u32::from(f(values[lane])) << lane)
}

/// `p = f(a, b)`, a predicate.
pub(crate) fn compare<T: Lane, F: Fn(T, T) -> bool + Copy>(_: F) -> Exec {
    fn exec<T: Lane, F: Fn(T, T) -> bool + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let result = compare_mask::<T, F>(context, inst, conjure::<F>());
        context.set_predicate(inst.d, mask, result);
        Flow::Next
    }
    exec::<T, F>
}

/// As [`compare`], for functions that are too long to gain from several lanes at a time.
pub(crate) fn compare_each<T: Lane, F: Fn(T, T) -> bool + Copy>(_: F) -> Exec {
    fn exec<T: Lane, F: Fn(T, T) -> bool + Copy>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        let f = conjure::<F>();
        let mut result = 0;
        for_lanes(mask, |lane| {
            let at = lane as u32;
            result |= u32::from(f(context.get(inst.a, at), context.get(inst.b, at))) << lane;
        });
        context.set_predicate(inst.d, mask, result);
        Flow::Next
    }
    exec::<T, F>
}
