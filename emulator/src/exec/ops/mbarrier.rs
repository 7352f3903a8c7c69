//! Barriers in shared memory (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier").
//!
//! `mbarrier.try_wait` makes its lanes wait until the phase is complete, if nothing else can happen in the
//! block, until its time limit. `mbarrier.test_wait` of a phase that is not complete ends the warp's turn.

use super::memory::Addresses;
use crate::exec::context::{Context, Flow};
use crate::exec::fault::FaultKind;
use crate::exec::mbarrier::{Mbarrier, Misuse};
use crate::exec::program::{Exec, Inst, NONE};
use crate::exec::warp::{Split, Wait};
use crate::ptx::form::Form;

/// As how many instructions a test counts that finds a phase incomplete.
const TEST: i64 = 1024;

impl Context<'_> {
    /// Only this block's mbarriers can be initialised, invalidated and waited for (PTX ISA: `.shared::cta`).
    fn own_mbarrier(&self, address: u64) -> Result<(), FaultKind> {
        if self.block.owns(address) { Ok(()) } else { Err(Misuse::Foreign.at(address)) }
    }
}

/// `mbarrier.init [a], b`
pub(crate) fn init(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let (at, count): (Addresses, [u32; 32]) = (context.load(inst.a), context.load(inst.b));
        context.each_lane(mask, |context, lane| {
            let (address, count) = (at[lane as usize], count[lane as usize]);
            let object = Mbarrier::new(count).map_err(|misuse| misuse.at(address))?;
            context.own_mbarrier(address)?;
            context.block.observe(address, context.warp.index);
            context.block.set_mbarrier(address, object.word())
        })
    })
}

/// `mbarrier.inval [a]`
pub(crate) fn inval(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let at: Addresses = context.load(inst.a);
        context.each_lane(mask, |context, lane| {
            let address = at[lane as usize];
            context.own_mbarrier(address)?;
            context.block.mbarrier(address)?;
            context.block.observe(address, context.warp.index);
            context.block.set_mbarrier(address, crate::memory::UNWRITTEN)
        })
    })
}

/// `mbarrier.expect_tx [a], b`, `mbarrier.complete_tx [a], b`
pub(crate) fn transact(form: &Form<'_>) -> Option<Exec> {
    fn transact(context: &mut Context<'_>, inst: &Inst, mask: u32, complete: bool) -> Flow {
        let (at, count): (Addresses, [u32; 32]) = (context.load(inst.a), context.load(inst.b));
        context.each_lane(mask, |context, lane| {
            let count = count[lane as usize];
            context
                .block
                .change_mbarrier(at[lane as usize], |object| match complete {
                    true => object.complete(count),
                    false => object.expect(count),
                })
                .map(|_| ())
        })
    }
    Some(match form.has("complete_tx") {
        true => |context, inst, mask| transact(context, inst, mask, true),
        false => |context, inst, mask| transact(context, inst, mask, false),
    })
}

/// How a thread arrives.
#[derive(Clone, Copy, PartialEq)]
enum Arrival {
    /// With a count, or once.
    Plain,
    /// Without completing the phase.
    NoComplete,
    /// Once, after it has said how many transactions it expects.
    ExpectTx,
}

/// `mbarrier.arrive d, [a]{, b}`, and with `_drop`, `.expect_tx` or `.noComplete`.
pub(crate) fn arrive(form: &Form<'_>) -> Option<Exec> {
    use Arrival::{ExpectTx, NoComplete, Plain};
    Some(match (form.has("arrive_drop"), form.has("expect_tx"), form.has("noComplete")) {
        (false, true, _) => |context, inst, mask| arrive_on(context, inst, mask, ExpectTx, false),
        (false, _, true) => |context, inst, mask| arrive_on(context, inst, mask, NoComplete, false),
        (false, _, _) => |context, inst, mask| arrive_on(context, inst, mask, Plain, false),
        (true, true, _) => |context, inst, mask| arrive_on(context, inst, mask, ExpectTx, true),
        (true, _, true) => |context, inst, mask| arrive_on(context, inst, mask, NoComplete, true),
        (true, _, _) => |context, inst, mask| arrive_on(context, inst, mask, Plain, true),
    })
}

fn arrive_on(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    arrival: Arrival,
    drop: bool,
) -> Flow {
    let at: Addresses = context.load(inst.a);
    let number: [u32; 32] = if inst.b == NONE { [1; 32] } else { context.load(inst.b) };
    context.each_lane(mask, |context, lane| {
        let number = number[lane as usize];
        let before = context.block.change_mbarrier(at[lane as usize], |object| {
            let count = if arrival == Arrival::ExpectTx { 1 } else { number };
            if arrival == Arrival::ExpectTx {
                object.expect(number)?;
            }
            let parity = object.parity;
            if drop {
                object.arrive_and_drop(count)?
            } else {
                object.arrive(count)?
            }
            let completes = object.parity != parity;
            if completes && arrival == Arrival::NoComplete {
                Err(Misuse::Completes)
            } else {
                Ok(())
            }
        })?;
        context.set(inst.d, lane, before.word());
        Ok(())
    })
}

/// `mbarrier.pending_count d, a`
pub(crate) fn pending_count(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let states: [u64; 32] = context.load(inst.a);
        context.each_lane(mask, |context, lane| {
            let state = states[lane as usize];
            let object = Mbarrier::of(state).ok_or_else(|| Misuse::State(state).at(0))?;
            context.set(inst.d, lane, object.pending);
            Ok(())
        })
    })
}

/// `mbarrier.test_wait{.parity} d, [a], b`, `mbarrier.try_wait{.parity} d, [a], b{, time}`
pub(crate) fn wait(form: &Form<'_>) -> Option<Exec> {
    Some(match (form.has("try_wait"), form.has("parity")) {
        (true, true) => |context, inst, mask| wait_for(context, inst, mask, true, true),
        (true, false) => |context, inst, mask| wait_for(context, inst, mask, true, false),
        (false, true) => |context, inst, mask| wait_for(context, inst, mask, false, true),
        (false, false) => |context, inst, mask| wait_for(context, inst, mask, false, false),
    })
}

fn wait_for(
    context: &mut Context<'_>,
    inst: &Inst,
    mask: u32,
    park: bool,
    by_parity: bool,
) -> Flow {
    let at: Addresses = context.load(inst.a);
    // The first phase that is not complete, for lanes that wait.
    let (mut complete, mut open, mut last) = (0, None, None);
    let flow = context.each_lane(mask, |context, lane| {
        let address = at[lane as usize];
        let parity = if by_parity {
            context.get::<u32>(inst.b, lane) & 1
        } else {
            let state = context.get::<u64>(inst.b, lane);
            Mbarrier::of(state).ok_or_else(|| Misuse::State(state).at(address))?.parity
        };
        context.own_mbarrier(address)?;
        if context.block.mbarrier(address)?.parity == parity {
            open = open.or(Some((address, parity)));
        } else {
            complete |= 1 << lane;
            if last != Some(address) {
                context.block.observe(address, context.warp.index);
                context.block.synchronise(context.warp.index);
                last = Some(address);
            }
        }
        Ok(())
    });
    if flow == Flow::Stop {
        return flow;
    }
    match open {
        Some((address, parity)) if complete == 0 && park => {
            let here = context.suspend();
            let split = Split { pc: here.pc - 1, ..here };
            // Lanes that the guard excludes wait, too.
            let (result, lanes, over) = (inst.d, mask, false);
            context.warp.parked.push((split, Wait::Phase { address, parity, result, lanes, over }));
            context.next_split()
        }
        Some(_) if complete == 0 => {
            context.set_predicate(inst.d, mask, 0);
            context.give_way(TEST)
        }
        _ => {
            context.set_predicate(inst.d, mask, complete);
            Flow::Next
        }
    }
}
