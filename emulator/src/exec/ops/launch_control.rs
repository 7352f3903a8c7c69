//! `clusterlaunchcontrol`: blocks that run take the places of blocks that have not started (PTX ISA, "Parallel Synchronization
//! and Communication Instructions: clusterlaunchcontrol").
//!
//! The PTX ISA does not say what an answer looks like. Here it is as the code that NVIDIA's assembler makes reads it: x is
//! the first word, y and z the halves of the second, and the lowest bit of the third says whether a launch was cancelled.

use super::copy::{BULK, Request, start};
use super::memory::Addresses;
use crate::exec::cluster::in_block;
use crate::exec::context::{Context, Flow};
use crate::exec::program::{Exec, Inst};
use crate::ptx::form::Form;

/// `.try_cancel.async [a], [b]`: the answer goes to `a`, like an asynchronous copy that the mbarrier `b` counts.
pub(crate) fn try_cancel(form: &Form<'_>) -> Option<Exec> {
    Some(match form.has("multicast::cluster::all") {
        false => |context, inst, mask| ask(context, inst, mask, false),
        true => |context, inst, mask| ask(context, inst, mask, true),
    })
}

fn ask(context: &mut Context<'_>, inst: &Inst, mask: u32, all: bool) -> Flow {
    let (to, barrier): (Addresses, Addresses) = (context.load(inst.a), context.load(inst.b));
    let mut copies = Vec::new();
    let flow = context.each_lane(mask, |context, lane| {
        let (to, barrier) = (to[lane as usize], barrier[lane as usize]);
        let answer = match context.launch.take().map(|number| context.launch.first_block(number)) {
            Some([x, y, z]) => [u64::from(z << 16 | y) << 32 | u64::from(x), 1],
            None => [0; 2],
        };
        let mut send = |context: &mut Context<'_>, to: u64, barrier: u64| {
            let family = context.completing(to, barrier)?;
            let request = Request { to, from: to, bytes: BULK, filled: 0, align: BULK, family };
            let mut copy = context.checked(request)?;
            copy.held = Some(answer.to_vec());
            copies.push((lane, copy));
            Ok(())
        };
        if !all {
            return send(context, to, barrier);
        }
        let blocks: u32 = context.launch.cluster.iter().product();
        (0..blocks).try_for_each(|rank| send(context, in_block(to, rank), in_block(barrier, rank)))
    });
    if flow == Flow::Stop { flow } else { start(context, copies, mask) }
}

/// `.query_cancel.is_canceled p, a`
pub(crate) fn is_canceled(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let answers: [u128; 32] = context.load(inst.a);
        let set = answers.iter().rev().fold(0, |set, answer| set << 1 | (answer >> 64) as u32 & 1);
        context.set_predicate(inst.d, mask, set);
        Flow::Next
    })
}

/// `.query_cancel.get_first_ctaid d, a`
pub(crate) fn first_block(form: &Form<'_>) -> Option<Exec> {
    fn read(context: &mut Context<'_>, inst: &Inst, mask: u32, part: fn(u128) -> u32) -> Flow {
        let answers: [u128; 32] = context.load(inst.a);
        context.store::<u32>(inst.d, mask, &answers.map(part));
        Flow::Next
    }
    Some(match (form.has("get_first_ctaid::x"), form.has("get_first_ctaid::y")) {
        (true, _) => |context, inst, mask| read(context, inst, mask, |answer| answer as u32),
        (_, true) => {
            |context, inst, mask| read(context, inst, mask, |answer| (answer >> 32) as u32 & 0xffff)
        }
        _ => {
            |context, inst, mask| read(context, inst, mask, |answer| (answer >> 48) as u32 & 0xffff)
        }
    })
}
