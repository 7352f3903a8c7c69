//! The barrier of a cluster, and addresses of its blocks (PTX ISA, "Data Movement and Conversion Instructions:
//! mapa", "getctarank", "Parallel Synchronization and Communication Instructions: barrier.cluster").

use crate::exec::cluster::{in_block, rank_of};
use crate::exec::context::{Context, Flow, Lane};
use crate::exec::fault::FaultKind;
use crate::exec::program::{Exec, Inst};
use crate::exec::warp::Wait;
use crate::memory::{SHARED_WINDOW, WINDOW_SIZE};
use crate::ptx::form::Form;

/// `mapa d, a, b`
pub(crate) fn mapa(form: &Form<'_>) -> Option<Exec> {
    fn mapa<T: Lane + Into<u64>>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        window: u64,
        narrow: fn(u64) -> T,
    ) -> Flow {
        let (at, ranks): ([T; 32], [u32; 32]) = (context.load(inst.a), context.load(inst.b));
        let blocks = context.launch.cluster.iter().product();
        context.each_lane(mask, |context, lane| {
            let (address, rank) = (at[lane as usize].into(), ranks[lane as usize]);
            if rank >= blocks {
                return Err(FaultKind::ClusterRank { rank, blocks });
            }
            if address.wrapping_sub(window) >= WINDOW_SIZE {
                return Err(FaultKind::NotShared { address });
            }
            context.set(inst.d, lane, narrow(in_block(address, rank)));
            Ok(())
        })
    }
    Some(match (form.ty().size(), form.has("shared::cluster")) {
        (4, _) => |context, inst, mask| mapa(context, inst, mask, 0, |address| address as u32),
        (_, true) => |context, inst, mask| mapa(context, inst, mask, 0, |address| address),
        _ => |context, inst, mask| mapa(context, inst, mask, SHARED_WINDOW, |address| address),
    })
}

/// `getctarank d, a`
pub(crate) fn rank(form: &Form<'_>) -> Option<Exec> {
    fn rank<T: Lane + Into<u64>>(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        window: u64,
    ) -> Flow {
        let at: [T; 32] = context.load(inst.a);
        context.each_lane(mask, |context, lane| {
            let address = at[lane as usize].into().wrapping_add(window);
            let own = context.block.rank;
            context.set(inst.d, lane, rank_of(address).unwrap_or(own));
            Ok(())
        })
    }
    Some(match (form.ty().size(), form.has("shared::cluster")) {
        (4, _) => |context, inst, mask| rank::<u32>(context, inst, mask, SHARED_WINDOW),
        (_, true) => |context, inst, mask| rank::<u64>(context, inst, mask, SHARED_WINDOW),
        _ => |context, inst, mask| rank::<u64>(context, inst, mask, 0),
    })
}

/// `barrier.cluster.arrive`
pub(crate) fn arrive(_: &Form<'_>) -> Option<Exec> {
    Some(|context, _, mask| {
        let warp = context.warp.index;
        match context.block.arrive_in_cluster(warp, mask) {
            Ok(()) => Flow::Next,
            Err(kind) => context.fault(kind, mask.trailing_zeros()),
        }
    })
}

/// `barrier.cluster.wait`
pub(crate) fn wait(_: &Form<'_>) -> Option<Exec> {
    Some(|context, _, mask| {
        let warp = context.warp.index;
        match context.block.wait_in_cluster(warp, mask) {
            Ok(true) => {
                context.block.synchronise(warp);
                Flow::Next
            }
            Ok(false) => {
                let split = context.suspend();
                context.warp.parked.push((split, Wait::Cluster));
                context.next_split()
            }
            Err(kind) => context.fault(kind, mask.trailing_zeros()),
        }
    })
}
