//! Barriers (PTX ISA, section 9.7.13).

use crate::exec::block::{Arrival, BARRIERS};
use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Exec, Inst, NONE};
use crate::exec::warp::Wait;
use crate::ptx::form::Form;

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
    let (warp, exited) = (context.warp.index, 32 - context.warp.live.count_ones());
    let votes = votes.count_ones();
    let generation = context.block.barriers[id as usize].generation;
    let arrival = Arrival { warp, lanes, exited, votes, expected };
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
            context.block.synchronise(context.warp.index);
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
}

/// `bar.warp.sync a`
pub(crate) fn warp_sync(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| context.warp_barrier(inst.a, mask))
}
