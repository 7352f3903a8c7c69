//! Turns a function on one lane's values into one on all lanes.

use super::width::{Code, signs, widest};
use crate::exec::context::{Context, FULL, Flow, Lane, for_lanes};
use crate::exec::program::{Exec, Inst};
use std::marker::PhantomData;

/// The value of a closure type that captures nothing.
#[inline(always)]
fn conjure<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0, "a semantic function must not capture anything") };
    // SAFETY: a value of size zero has no bytes to be wrong; `F` is a closure type that a caller of this
    // module had a value of, so it is inhabited.
    unsafe { std::ptr::NonNull::<F>::dangling().as_ptr().read() }
}

/// Some lanes of a register.
#[inline(always)]
pub(super) fn chunk<T: Lane, const CHUNK: usize>(
    slab: *mut [T; 32],
    index: usize,
) -> *mut [T; CHUNK] {
    slab.cast::<T>().wrapping_add(index * CHUNK).cast()
}

/// Runs an instruction, whose result is `D`, for some of the lanes: computes all of them into a spare register, and copies the
/// lanes of `mask` from there.
#[inline(never)]
pub(super) fn partly<D: Lane>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let aside = context.aside();
    (inst.exec)(context, &Inst { d: aside, ..*inst }, FULL);
    let d = context.target::<D>(inst.d);
    // SAFETY: both are registers of this type, see `Context::slab`.
    let (mut out, new) = unsafe { (d.read(), context.target::<D>(aside).read()) };
    for lane in 0..32 {
        out[lane] = if mask & 1 << lane != 0 { new[lane] } else { out[lane] };
    }
    // SAFETY: as above.
    unsafe { d.write(out) };
    Flow::Next
}

/// `d = f(a)`. All lanes are computed, even those that do not run: `f` is defined for all values.
pub(crate) fn unary<A: Lane, D: Lane, F: Fn(A) -> D + Copy>(_: F) -> Exec {
    struct Unary<A, D, F>(PhantomData<(A, D, F)>);
    impl<A: Lane, D: Lane, F: Fn(A) -> D + Copy> Code for Unary<A, D, F> {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            if mask != FULL {
                return partly::<D>(context, inst, mask);
            }
            let f = conjure::<F>();
            let (d, a) = (context.target::<D>(inst.d), context.slab::<A>(inst.a));
            for index in 0..32 / CHUNK {
                // SAFETY: operands were lowered with the sizes of these types; see `Context::slab`.
                let x = unsafe { chunk::<A, CHUNK>(a, index).read() };
                let mut z = [D::default(); CHUNK];
                for lane in 0..CHUNK {
                    z[lane] = f(x[lane]);
                }
                // SAFETY: as above.
                unsafe { chunk(d, index).write(z) };
            }
            Flow::Next
        }
    }
    widest::<Unary<A, D, F>>()
}

/// `d = f(a, b)`, as [`unary`].
pub(crate) fn binary<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy>(_: F) -> Exec {
    struct Binary<A, B, D, F>(PhantomData<(A, B, D, F)>);
    impl<A: Lane, B: Lane, D: Lane, F: Fn(A, B) -> D + Copy> Code for Binary<A, B, D, F> {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            if mask != FULL {
                return partly::<D>(context, inst, mask);
            }
            let f = conjure::<F>();
            let (d, a) = (context.target::<D>(inst.d), context.slab::<A>(inst.a));
            let b = context.slab::<B>(inst.b);
            for index in 0..32 / CHUNK {
                // SAFETY: as in `unary`.
                let x = unsafe { chunk::<A, CHUNK>(a, index).read() };
                // SAFETY: as in `unary`.
                let y = unsafe { chunk::<B, CHUNK>(b, index).read() };
                let mut z = [D::default(); CHUNK];
                for lane in 0..CHUNK {
                    z[lane] = f(x[lane], y[lane]);
                }
                // SAFETY: as in `unary`.
                unsafe { chunk(d, index).write(z) };
            }
            Flow::Next
        }
    }
    widest::<Binary<A, B, D, F>>()
}

/// `d = f(a, b, c)`, as [`unary`].
pub(crate) fn ternary<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy>(
    _: F,
) -> Exec {
    struct Ternary<A, B, C, D, F>(PhantomData<(A, B, C, D, F)>);
    impl<A: Lane, B: Lane, C: Lane, D: Lane, F: Fn(A, B, C) -> D + Copy> Code
        for Ternary<A, B, C, D, F>
    {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            if mask != FULL {
                return partly::<D>(context, inst, mask);
            }
            let f = conjure::<F>();
            let (d, a) = (context.target::<D>(inst.d), context.slab::<A>(inst.a));
            let (b, c) = (context.slab::<B>(inst.b), context.slab::<C>(inst.c));
            for index in 0..32 / CHUNK {
                // SAFETY: as in `unary`.
                let x = unsafe { chunk::<A, CHUNK>(a, index).read() };
                // SAFETY: as in `unary`.
                let y = unsafe { chunk::<B, CHUNK>(b, index).read() };
                // SAFETY: as in `unary`.
                let w = unsafe { chunk::<C, CHUNK>(c, index).read() };
                let mut z = [D::default(); CHUNK];
                for lane in 0..CHUNK {
                    z[lane] = f(x[lane], y[lane], w[lane]);
                }
                // SAFETY: as in `unary`.
                unsafe { chunk(d, index).write(z) };
            }
            Flow::Next
        }
    }
    widest::<Ternary<A, B, C, D, F>>()
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
pub(crate) fn compare_mask<T: Lane, F: Fn(T, T) -> bool + Copy, const CHUNK: usize>(
    context: &Context<'_>,
    inst: &Inst,
    f: F,
) -> u32 {
    let (a, b) = (context.slab::<T>(inst.a), context.slab::<T>(inst.b));
    let mut out = 0;
    for index in 0..32 / CHUNK {
        // SAFETY: as in `unary`.
        let x = unsafe { chunk::<T, CHUNK>(a, index).read() };
        // SAFETY: as in `unary`.
        let y = unsafe { chunk::<T, CHUNK>(b, index).read() };
        let mut holds = [0; CHUNK];
        for lane in 0..CHUNK {
            holds[lane] = -i32::from(f(x[lane], y[lane]));
        }
        out |= signs(&holds) << (index * CHUNK);
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
    struct Compare<T, F>(PhantomData<(T, F)>);
    impl<T: Lane, F: Fn(T, T) -> bool + Copy> Code for Compare<T, F> {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            let result = compare_mask::<T, F, CHUNK>(context, inst, conjure::<F>());
            context.set_predicate(inst.d, mask, result);
            Flow::Next
        }
    }
    widest::<Compare<T, F>>()
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
