//! From a function of one lane's values to one of all lanes.

use crate::exec::context::{Context, FULL, Flow, Lane, for_lanes};
use crate::exec::program::{Exec, Inst};

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

/// Where all lanes of a result go: to the destination, or if not all of them run, to a place aside.
#[inline(always)]
fn target<T: Lane>(d: *mut [T; 32], mask: u32, aside: &mut [T; 32]) -> *mut [T; 32] {
    if mask == FULL { d } else { aside }
}

/// Copies the lanes of `mask` from the place aside. One copy for each type: this is the path that is taken
/// less often, and there are hundreds of instructions.
#[inline(never)]
fn blend<T: Lane>(d: *mut [T; 32], mask: u32, aside: &[T; 32]) {
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
        let mut aside = [D::default(); 32];
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
            blend(d, mask, &aside);
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
        let mut aside = [D::default(); 32];
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
            blend(d, mask, &aside);
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
        let mut aside = [D::default(); 32];
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
            blend(d, mask, &aside);
        }
        Flow::Next
    }
    exec::<A, B, C, D, F>
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
