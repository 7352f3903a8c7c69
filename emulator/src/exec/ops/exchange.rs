//! Lanes that exchange values: shuffles, votes, matches, reductions (PTX ISA, sections 9.7.9 and 9.7.13).

use super::width::{Code, signs, widest};
use crate::exec::context::{Context, FULL, Flow, for_lanes};
use crate::exec::program::{Exec, Inst, NONE};
use crate::memory::UNWRITTEN;
use crate::ptx::form::Form;
use crate::ptx::types::Type::*;

/// `shfl.sync.mode.b32 d{|p}, a, b, c, membermask`
pub(crate) fn shfl(form: &Form<'_>) -> Option<Exec> {
    Some(match form.words().get(1).copied() {
        Some("up") => shuffle::<0>(),
        Some("down") => shuffle::<1>(),
        Some("bfly") => shuffle::<2>(),
        Some("idx") => shuffle::<3>(),
        _ => return None,
    })
}

/// What a lane gets from one that does not take part: its thread has exited or never existed, or the mask
/// does not name it. PTX leaves the value undefined. Here it is one that stands out in whatever is
/// computed from it: NaN for floats of 16, 32 and 64 bits, a large number for others.
pub(crate) const ABSENT: u32 = UNWRITTEN as u32;

fn shuffle<const MODE: u32>() -> Exec {
    struct Shuffle<const MODE: u32>;
    impl<const MODE: u32> Code for Shuffle<MODE> {
        #[inline(always)]
        fn run<const CHUNK: usize>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
            if context.are_together(inst.imm as u32, mask) {
                shuffle_now::<MODE, CHUNK>(context, inst, mask);
                return Flow::Next;
            }
            shuffle_apart::<MODE>(context, inst, mask)
        }
    }
    widest::<Shuffle<MODE>>()
}

#[inline(never)]
fn shuffle_apart<const MODE: u32>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.together(inst.imm as u32, mask, |context, mask, _| {
        shuffle_now::<MODE, 4>(context, inst, mask);
    })
}

/// Shuffles the values of the lanes of `mask`.
#[inline(always)]
fn shuffle_now<const MODE: u32, const CHUNK: usize>(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
) {
    let (offsets, clamps) = (context.load::<u32>(inst.b), context.load::<u32>(inst.c));
    let (mut sources, mut inside) = ([0; 32], [0; 32]);
    for lane in 0..32 {
        let at = lane as i32;
        let offset = (offsets[lane] & 31) as i32;
        let (clamp, segment) = ((clamps[lane] & 31) as i32, (clamps[lane] >> 8 & 31) as i32);
        let limit = (at & segment) | (clamp & !segment);
        let (from, is_inside) = match MODE {
            0 => (at - offset, at - offset >= limit),
            1 => (at + offset, at + offset <= limit),
            2 => (at ^ offset, at ^ offset <= limit),
            _ => {
                let from = (at & segment) | (offset & !segment);
                (from, from <= limit)
            }
        };
        sources[lane] = if is_inside { from & 31 } else { at };
        inside[lane] = -i32::from(is_inside);
    }
    let mut valid = 0;
    for (index, lanes) in inside.as_chunks::<CHUNK>().0.iter().enumerate() {
        valid |= signs(lanes) << (index * CHUNK);
    }
    if inst.d != NONE {
        let values = context.load::<u32>(inst.a);
        let mut out = values;
        for lane in 0..32 {
            out[lane] = values[sources[lane] as usize & 31];
        }
        for_lanes(if mask == FULL { 0 } else { valid & mask }, |lane| {
            if mask >> sources[lane] & 1 == 0 {
                out[lane] = ABSENT;
            }
        });
        context.store(inst.d, mask, &out);
    }
    if inst.x != NONE {
        context.set_predicate(inst.x, mask, valid);
    }
}

/// `vote.sync.mode d, {!}a, membermask`
pub(crate) fn vote(form: &Form<'_>) -> Option<Exec> {
    Some(match form.words().get(1).copied() {
        Some("all") => poll::<0>,
        Some("any") => poll::<1>,
        Some("uni") => poll::<2>,
        Some("ballot") => poll::<3>,
        _ => return None,
    })
}

fn poll<const MODE: u32>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    context.together(inst.b, mask, |context, mask, _| {
        let yes = context.predicate(inst.a) & mask;
        let result = match MODE {
            0 => yes == mask,
            1 => yes != 0,
            2 => yes == mask || yes == 0,
            _ => {
                context.store(inst.d, mask, &[yes; 32]);
                return;
            }
        };
        context.set_predicate(inst.d, mask, u32::from(result).wrapping_neg());
    })
}

/// `match.any.sync.type d, a, membermask` and `match.all.sync.type d{|p}, a, membermask`
pub(crate) fn matching(form: &Form<'_>) -> Option<Exec> {
    fn exec<const ALL: bool, const WIDE: bool>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        context.together(inst.b, mask, |context, mask, _| {
            let values: [u64; 32] = if WIDE {
                context.load(inst.a)
            } else {
                context.load::<u32>(inst.a).map(u64::from)
            };
            let equal = |value: u64| {
                let mut out = 0;
                for_lanes(mask, |lane| out |= u32::from(values[lane] == value) << lane);
                out
            };
            let mut out = [0; 32];
            let mut all = 0;
            for_lanes(mask, |lane| {
                let same = equal(values[lane]);
                out[lane] = if !ALL || same == mask { same } else { 0 };
                all |= u32::from(same == mask) << lane;
            });
            if inst.d != NONE {
                context.store(inst.d, mask, &out);
            }
            if ALL && inst.x != NONE {
                context.set_predicate(inst.x, mask, all);
            }
        })
    }
    Some(match (form.has("all"), form.ty()) {
        (false, B32) => exec::<false, false>,
        (false, B64) => exec::<false, true>,
        (true, B32) => exec::<true, false>,
        (true, B64) => exec::<true, true>,
        _ => return None,
    })
}

/// `redux.sync.op.type d, a, membermask`
pub(crate) fn redux(form: &Form<'_>) -> Option<Exec> {
    fn exec(context: &mut Context<'_>, inst: &Inst, mask: u32, f: fn(u32, u32) -> u32) -> Flow {
        context.together(inst.b, mask, |context, mask, _| {
            let values = context.load::<u32>(inst.a);
            let mut result = None;
            for_lanes(mask, |lane| {
                result = Some(result.map_or(values[lane], |so_far| f(so_far, values[lane])));
            });
            context.store(inst.d, mask, &[result.unwrap_or(0); 32]);
        })
    }
    Some(match (form.words().get(1).copied()?, form.ty()) {
        ("add", _) => |context, inst, mask| exec(context, inst, mask, u32::wrapping_add),
        ("min", U32) => |context, inst, mask| exec(context, inst, mask, u32::min),
        ("max", U32) => |context, inst, mask| exec(context, inst, mask, u32::max),
        ("min", S32) => {
            |context, inst, mask| exec(context, inst, mask, |a, b| (a as i32).min(b as i32) as u32)
        }
        ("max", S32) => {
            |context, inst, mask| exec(context, inst, mask, |a, b| (a as i32).max(b as i32) as u32)
        }
        ("and", _) => |context, inst, mask| exec(context, inst, mask, |a, b| a & b),
        ("or", _) => |context, inst, mask| exec(context, inst, mask, |a, b| a | b),
        ("xor", _) => |context, inst, mask| exec(context, inst, mask, |a, b| a ^ b),
        _ => return None,
    })
}

/// `activemask.b32 d`
pub(crate) fn activemask(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        context.store(inst.d, mask, &[mask; 32]);
        Flow::Next
    })
}

/// `elect.sync d|p, membermask`: the lowest member.
pub(crate) fn elect(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        context.together(inst.a, mask, |context, mask, _| {
            let leader = mask.trailing_zeros();
            if inst.d != NONE {
                context.store(inst.d, mask, &[leader; 32]);
            }
            if inst.x != NONE {
                context.set_predicate(inst.x, mask, 1 << leader);
            }
        })
    })
}
