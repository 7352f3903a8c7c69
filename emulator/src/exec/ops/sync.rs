//! Barriers, and lanes that exchange values (PTX ISA, section 9.7.13).

use crate::exec::block::{Arrival, BARRIERS};
use crate::exec::context::{Context, Flow, for_lanes};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Exec, Inst, NONE};
use crate::exec::warp::{Split, Wait};
use crate::isa::Form;
use crate::ptx::types::Type::*;

/// What a barrier computes from the threads' predicates.
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
enum Reduction {
    None,
    Count,
    All,
    Any,
}

/// `bar.sync a{, b}` and `barrier.sync`.
pub(crate) fn bar_sync(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| barrier(context, inst, mask, inst.b, NONE, Reduction::None))
}

/// `bar.arrive a, b`
pub(crate) fn bar_arrive(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| match arrive(context, inst, mask, inst.b, mask, mask) {
        Ok(_) => Flow::Next,
        Err(kind) => context.fault(kind, mask.trailing_zeros()),
    })
}

/// `bar.red.popc.u32 d, a{, b}, p`: without `b`, lowering puts nothing in its place.
pub(crate) fn bar_red(form: &Form<'_>) -> Option<Exec> {
    Some(match (form.has("popc"), form.has("and")) {
        (true, _) => {
            |context, inst, mask| barrier(context, inst, mask, inst.b, inst.c, Reduction::Count)
        }
        (_, true) => {
            |context, inst, mask| barrier(context, inst, mask, inst.b, inst.c, Reduction::All)
        }
        _ => |context, inst, mask| barrier(context, inst, mask, inst.b, inst.c, Reduction::Any),
    })
}

fn arrive(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    count: u32,
    lanes: u32,
    votes: u32,
) -> Result<Option<(usize, u64)>, FaultKind> {
    let lane = mask.trailing_zeros();
    let id = context.get::<u32>(inst.a, lane);
    if id as usize >= BARRIERS {
        return Err(FaultKind::BarrierOperand { what: "number", value: id });
    }
    let expected = (count != NONE).then(|| context.get::<u32>(count, lane));
    if let Some(expected) = expected
        && (expected == 0 || expected % 32 != 0)
    {
        return Err(FaultKind::BarrierOperand { what: "thread count", value: expected });
    }
    let live = context.warp.live;
    let lowest = live & live.wrapping_neg();
    let missing = if mask & lowest != 0 { 32 - live.count_ones() } else { 0 };
    let threads = lanes.count_ones();
    let votes = votes.count_ones();
    let generation = context.block.barriers[id as usize].generation;
    let arrival = Arrival { threads, missing, votes, expected };
    let complete = context.block.arrive(id as usize, arrival)?;
    Ok((!complete).then_some((id as usize, generation)))
}

fn barrier(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    count: u32,
    predicate: u32,
    reduction: Reduction,
) -> Flow {
    let votes = if predicate == NONE { 0 } else { mask & context.predicate(predicate) };
    match arrive(context, inst, mask, count, mask, votes) {
        Err(kind) => context.fault(kind, mask.trailing_zeros()),
        Ok(Some((id, generation))) => {
            let split = context.suspend();
            let (id, result, kind) = (id as u32, inst.d, reduction as u8);
            context.warp.parked.push((split, Wait::Barrier { id, generation, result, kind }));
            context.next_split()
        }
        Ok(None) => {
            let lane = mask.trailing_zeros();
            let id = context.get::<u32>(inst.a, lane) as usize;
            let results = context.block.barriers[id].results;
            context.barrier_result(mask, inst.d, reduction as u8, results);
            if context.warp.parked.is_empty() {
                return Flow::Next;
            }
            // Others of this warp may have waited for these lanes: they go on together.
            let mine = context.suspend();
            context.warp.ready.push(mine);
            context.wake();
            context.next_split()
        }
    }
}

impl Context<'_> {
    /// Gives a barrier's result to lanes that waited for it.
    pub(crate) fn barrier_result(&mut self, mask: u32, result: u32, kind: u8, results: [u32; 3]) {
        if kind == Reduction::Count as u8 {
            self.store(result, mask, &[results[0]; 32]);
        } else if kind == Reduction::All as u8 {
            self.set_predicate(result, mask, results[1].wrapping_neg());
        } else if kind == Reduction::Any as u8 {
            self.set_predicate(result, mask, results[2].wrapping_neg());
        }
    }

    /// Waits until all `members` have come to an instruction that needs them. `None`: they are here.
    #[inline(always)]
    fn rendezvous(&mut self, members: u32, mask: u32, barrier: bool) -> Option<Flow> {
        if members & self.warp.live & !mask == 0 {
            return None;
        }
        Some(self.park(members, mask, barrier))
    }

    #[cold]
    #[inline(never)]
    fn park(&mut self, members: u32, mask: u32, barrier: bool) -> Flow {
        let split = Split { pc: self.pc - 1, ..self.suspend() };
        self.warp.parked.push((split, Wait::Lanes { members, ready: mask, barrier }));
        let flow = self.next_split();
        self.release_lanes(flow)
    }

    /// Lets lanes go on that waited for others which have arrived or exited since. `flow` is what the
    /// caller would do next; the result is what it shall do now.
    pub(crate) fn release_lanes(&mut self, flow: Flow) -> Flow {
        let mut index = 0;
        while index < self.warp.parked.len() {
            let Wait::Lanes { members, barrier, .. } = self.warp.parked[index].1 else {
                index += 1;
                continue;
            };
            let (mut ready, mut group) = (0, Vec::new());
            for (position, (_, wait)) in self.warp.parked.iter().enumerate() {
                if let Wait::Lanes { members: other, ready: lanes, .. } = wait
                    && *other == members
                {
                    ready |= lanes;
                    group.push(position);
                }
            }
            if members & self.warp.live & !ready != 0 {
                index += 1;
                continue;
            }
            let splits: Vec<Split> =
                group.iter().rev().map(|&position| self.warp.parked.remove(position).0).collect();
            index = 0;
            let after = (flow == Flow::Next).then(|| self.suspend());
            let first = splits[0];
            if !barrier {
                let together =
                    |split: &Split| split.pc == first.pc && split.scope.frame == first.scope.frame;
                if !splits.iter().all(together) {
                    self.resume(first);
                    self.pc += 1;
                    return self.fault(FaultKind::LanesApart, first.mask.trailing_zeros());
                }
                self.resume(Split { mask: ready, ..first });
                let inst = self.function().code[first.pc];
                self.pc += 1;
                let outcome = (inst.exec)(self, &inst, ready);
                if outcome == Flow::Stop {
                    return outcome;
                }
            }
            let mut waiting: Vec<Split> =
                splits.into_iter().map(|split| Split { pc: split.pc + 1, ..split }).collect();
            self.merge(&mut waiting);
            self.warp.ready.append(&mut waiting);
            if let Some(split) = after {
                self.resume(split);
            }
        }
        if flow == Flow::Stop && !self.warp.ready.is_empty() { self.next_split() } else { flow }
    }
}

/// `bar.warp.sync a`
pub(crate) fn warp_sync(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let members = context.get::<u32>(inst.a, mask.trailing_zeros());
        context.rendezvous(members, mask, true).unwrap_or(Flow::Next)
    })
}

/// `shfl.sync.mode.b32 d{|p}, a, b, c, membermask`
pub(crate) fn shfl(form: &Form<'_>) -> Option<Exec> {
    Some(match form.words().get(1).copied() {
        Some("up") => shuffle::<0>,
        Some("down") => shuffle::<1>,
        Some("bfly") => shuffle::<2>,
        Some("idx") => shuffle::<3>,
        _ => return None,
    })
}

fn shuffle<const MODE: u32>(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let lane = mask.trailing_zeros();
    let members = context.get::<u32>(inst.imm as u32, lane);
    if let Some(flow) = context.rendezvous(members, mask, false) {
        return flow;
    }
    let values = context.load::<u32>(inst.a);
    let (offsets, clamps) = (context.load::<u32>(inst.b), context.load::<u32>(inst.c));
    let mut out = values;
    let mut valid = 0u32;
    for lane in 0..32i32 {
        let offset = (offsets[lane as usize] & 31) as i32;
        let clamp = clamps[lane as usize];
        let (clamp, segment) = ((clamp & 31) as i32, (clamp >> 8 & 31) as i32);
        let limit = (lane & segment) | (clamp & !segment);
        let first = lane & segment;
        let (from, inside) = match MODE {
            0 => (lane - offset, lane - offset >= limit),
            1 => (lane + offset, lane + offset <= limit),
            2 => (lane ^ offset, lane ^ offset <= limit),
            _ => (first | (offset & !segment), (first | (offset & !segment)) <= limit),
        };
        if inside {
            valid |= 1 << lane;
            out[lane as usize] = values[(from & 31) as usize];
        }
    }
    if inst.d != NONE {
        context.store(inst.d, mask, &out);
    }
    if inst.x != NONE {
        context.set_predicate(inst.x, mask, valid);
    }
    Flow::Next
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
    by_members(context, inst.b, mask, |context, mask, members| {
        let voters = mask & members;
        let yes = context.predicate(inst.a) & voters;
        let result = match MODE {
            0 => yes == voters,
            1 => yes != 0,
            2 => yes == voters || yes == 0,
            _ => {
                context.store(inst.d, mask, &[yes; 32]);
                return;
            }
        };
        context.set_predicate(inst.d, mask, u32::from(result).wrapping_neg());
    })
}

/// Waits for the members that the first lane names, then runs `operation` with each set of lanes
/// that name the same members, and those: the tiles of a warp come to one instruction together,
/// each with a mask of its own.
#[inline(always)]
fn by_members(
    context: &mut Context<'_>,
    operand: u32,
    mask: u32,
    mut operation: impl FnMut(&mut Context<'_>, u32, u32),
) -> Flow {
    let first = context.get::<u32>(operand, mask.trailing_zeros());
    if let Some(flow) = context.rendezvous(first, mask, false) {
        return flow;
    }
    if mask & !first == 0 {
        operation(context, mask, first);
        return Flow::Next;
    }
    let members = context.load::<u32>(operand);
    let mut left = mask;
    while left != 0 {
        let named = members[left.trailing_zeros() as usize];
        let mut lanes = 0;
        for_lanes(left, |lane| lanes |= u32::from(members[lane] == named) << lane);
        operation(context, lanes, named);
        left &= !lanes;
    }
    Flow::Next
}

/// `match.any.sync.type d, a, membermask` and `match.all.sync.type d{|p}, a, membermask`
pub(crate) fn matching(form: &Form<'_>) -> Option<Exec> {
    fn exec<const ALL: bool, const WIDE: bool>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
    ) -> Flow {
        by_members(context, inst.b, mask, |context, mask, members| {
            let values: [u64; 32] = if WIDE {
                context.load(inst.a)
            } else {
                context.load::<u32>(inst.a).map(u64::from)
            };
            let lanes = mask & members;
            let equal = |value: u64| {
                let mut out = 0;
                for_lanes(lanes, |lane| out |= u32::from(values[lane] == value) << lane);
                out
            };
            let mut out = [0; 32];
            let mut all = 0;
            for_lanes(mask, |lane| {
                let same = equal(values[lane]);
                out[lane] = if !ALL || same == lanes { same } else { 0 };
                all |= u32::from(same == lanes) << lane;
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
        by_members(context, inst.b, mask, |context, mask, members| {
            let values = context.load::<u32>(inst.a);
            let mut result = None;
            for_lanes(mask & members, |lane| {
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
        by_members(context, inst.a, mask, |context, mask, members| {
            let leader = (mask & members).trailing_zeros() & 31;
            if inst.d != NONE {
                context.store(inst.d, mask, &[leader; 32]);
            }
            if inst.x != NONE {
                context.set_predicate(inst.x, mask, 1 << leader);
            }
        })
    })
}
