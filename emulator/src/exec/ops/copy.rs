//! Asynchronous copies (PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy"):
//! [`crate::exec::copies`] does what these start.

use super::memory::Addresses;
use crate::exec::cluster::{in_block, rank_of, without_rank};
use crate::exec::context::{Context, Flow};
use crate::exec::copies::{Copy, Family, Issue, Until};
use crate::exec::fault::FaultKind;
use crate::exec::mbarrier::Misuse;
use crate::exec::overlap::Way;
use crate::exec::program::{Exec, Inst, NONE};
use crate::memory::SHARED_WINDOW;
use crate::ptx::form::Form;
use crate::ptx::types::Space;

/// Alignment of bulk copies, and what their size is a multiple of.
pub(super) const BULK: u32 = 16;

impl Context<'_> {
    /// The lane's index within the block.
    fn thread(&self, lane: u32) -> u32 {
        self.warp.index * 32 + lane
    }

    pub(super) fn issue(&self, lane: u32) -> Issue {
        let function = self.warp.current.function;
        Issue { thread: self.thread(lane), function, pc: self.pc - 1 }
    }

    /// Calls `f` with each lane; its fault ends the run.
    pub(super) fn each_lane(
        &mut self,
        mask: u32,
        mut f: impl FnMut(&mut Self, u32) -> Result<(), FaultKind>,
    ) -> Flow {
        for lane in (0..32).filter(|lane| mask >> lane & 1 == 1) {
            if let Err(kind) = f(self, lane) {
                return self.fault(kind, lane);
            }
        }
        Flow::Next
    }

    /// The family of a bulk copy to an address that completes transactions of an mbarrier.
    pub(super) fn completing(&mut self, to: u64, barrier: u64) -> Result<Family, FaultKind> {
        self.block.mbarrier(barrier)?;
        let own = self.block.rank;
        if rank_of(to).unwrap_or(own) != rank_of(barrier).unwrap_or(own) {
            return Err(Misuse::Elsewhere.at(barrier));
        }
        let at_home = self.block.home(barrier).map(|(_, at_home)| at_home);
        Ok(Family::Mbarrier(at_home.unwrap_or(barrier)))
    }

    /// Whether a bulk copy can see what it reads of this block's shared memory.
    fn check_fenced(&self, copy: &Copy) -> Result<(), FaultKind> {
        let (address, size) = (copy.from_address, copy.filled);
        let is_generic = copy.family == Family::Small || !self.block.owns(address);
        if is_generic {
            return Ok(());
        }
        let found = self.block.unfenced_write(without_rank(address), size.into());
        found.map_or(Ok(()), |issue| Err(FaultKind::Unfenced { address, size, issue }))
    }

    /// A copy after its checks.
    pub(super) fn checked(&mut self, copy: Request) -> Result<Copy, FaultKind> {
        let Request { to, from, bytes, filled, align, family } = copy;
        for (address, write) in [(from, false), (to, true)] {
            let (size, space) = (align, space_of(address));
            if !address.is_multiple_of(align.into()) {
                return Err(FaultKind::Misaligned { address, size, space, write });
            }
        }
        if self.launch.overlap.is_watched() {
            self.follows(to, bytes.into(), Way { write: true, strong: false })?;
            if filled > 0 {
                self.follows(from, filled.into(), Way { write: false, strong: false })?;
            }
        }
        let mut find = |address, size: u32, write| {
            let space = space_of(address);
            let span = self.block.find(self.launch, address, size.into(), write);
            span.ok_or(FaultKind::Access { address, size, space, write })
        };
        let to_span = find(to, bytes, true)?;
        // What is not read need not be there.
        let from_span = if filled == 0 { to_span } else { find(from, filled, false)? };
        let from = if filled == 0 { to } else { from };
        Ok(Copy {
            from: from_span,
            from_address: from,
            to: to_span,
            to_address: to,
            bytes,
            filled,
            family,
            tile: None,
            held: None,
        })
    }
}

/// A copy as an instruction asks for it, by generic addresses.
pub(super) struct Request {
    pub(super) to: u64,
    pub(super) from: u64,
    pub(super) bytes: u32,
    pub(super) filled: u32,
    pub(super) align: u32,
    pub(super) family: Family,
}

pub(super) fn space_of(address: u64) -> Space {
    if address.wrapping_sub(SHARED_WINDOW) < crate::memory::WINDOW_SIZE {
        Space::Shared
    } else {
        Space::Global
    }
}

/// `cp.async`: addresses in `a` and `b`, bytes to read in `c`, bytes to write in `x`.
pub(crate) fn copy_async(context: &mut Context<'_>, inst: &Inst, mask: u32) -> Flow {
    let (to, from): (Addresses, Addresses) = (context.load(inst.a), context.load(inst.b));
    let filled = context.load::<u32>(inst.c);
    let mut copies = Vec::with_capacity(32);
    let flow = context.each_lane(mask, |context, lane| {
        let at = lane as usize;
        let (bytes, family) = (inst.x, Family::Small);
        let filled = filled[at].min(bytes);
        let (to, from) = (to[at], from[at]);
        let request = Request { to, from, bytes, filled, align: bytes, family };
        copies.push((lane, context.checked(request)?));
        Ok(())
    });
    if flow == Flow::Stop {
        return flow;
    }
    start(context, copies, mask)
}

/// Starts what the lanes of one instruction copy, once all of it has been checked. A copy belongs to the block whose
/// shared memory it writes.
pub(super) fn start(context: &mut Context<'_>, copies: Vec<(u32, Copy)>, mask: u32) -> Flow {
    for (lane, copy) in &copies {
        if let Err(kind) = context.check_fenced(copy) {
            return context.fault(kind, *lane);
        }
    }
    for (lane, mut copy) in copies {
        let (issue, to) = (context.issue(lane), copy.to_address);
        let is_own = context.block.owns(to);
        if space_of(to) == Space::Shared
            && let Some((block, own)) = context.block.home(to)
        {
            copy.to_address = own;
            copy.to.base -= to - own;
            block.note_copy(own, copy.bytes.into());
            block.copies.start(issue, copy, is_own);
        } else {
            context.block.copies.start(issue, copy, true);
        }
    }
    perhaps_advance(context, mask)
}

/// Another instruction has passed.
fn perhaps_advance(context: &mut Context<'_>, mask: u32) -> Flow {
    match context.block.perhaps_advance_copies() {
        Ok(()) => Flow::Next,
        Err(kind) => context.fault(kind, mask.trailing_zeros()),
    }
}

fn family(form: &Form<'_>) -> Family {
    if form.has("bulk") { Family::Bulk } else { Family::Small }
}

/// `cp.async.commit_group`, `cp.async.bulk.commit_group`
pub(crate) fn commit(form: &Form<'_>) -> Option<Exec> {
    fn commit(context: &mut Context<'_>, mask: u32, family: Family) -> Flow {
        let flow = context.each_lane(mask, |context, lane| {
            let thread = context.thread(lane);
            context.block.copies.commit(thread, family);
            Ok(())
        });
        if flow == Flow::Stop { flow } else { perhaps_advance(context, mask) }
    }
    Some(match family(form) {
        Family::Bulk => |context, _, mask| commit(context, mask, Family::Bulk),
        _ => |context, _, mask| commit(context, mask, Family::Small),
    })
}

/// `cp.async.wait_group n`, `cp.async.wait_all`, `cp.async.bulk.wait_group{.read} n`
pub(crate) fn wait(form: &Form<'_>) -> Option<Exec> {
    fn wait(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        family: Family,
        until: Until,
    ) -> Flow {
        let lane = mask.trailing_zeros();
        let rest = (inst.a != NONE).then(|| context.get::<u32>(inst.a, lane));
        let warp = context.warp.index;
        match context.block.await_groups(warp, mask, family, rest, until) {
            Ok(()) => Flow::Next,
            Err(kind) => context.fault(kind, lane),
        }
    }
    Some(match (family(form), form.has("read")) {
        (Family::Bulk, true) => {
            |context, inst, mask| wait(context, inst, mask, Family::Bulk, Until::Read)
        }
        (Family::Bulk, false) => {
            |context, inst, mask| wait(context, inst, mask, Family::Bulk, Until::Done)
        }
        _ => |context, inst, mask| wait(context, inst, mask, Family::Small, Until::Done),
    })
}

/// `cp.async.mbarrier.arrive{.noinc} [a]`
pub(crate) fn arrive(form: &Form<'_>) -> Option<Exec> {
    fn arrive(context: &mut Context<'_>, inst: &Inst, mask: u32, counted: bool) -> Flow {
        let at: Addresses = context.load(inst.a);
        let flow = context.each_lane(mask, |context, lane| {
            let address = at[lane as usize];
            if counted {
                context.block.mbarrier(address)?;
            } else {
                context.block.change_mbarrier(address, |object| object.await_one_more())?;
            }
            let issue = context.issue(lane);
            context.block.copies.arrive_after(issue, address);
            Ok(())
        });
        if flow == Flow::Stop { flow } else { perhaps_advance(context, mask) }
    }
    Some(match form.has("noinc") {
        true => |context, inst, mask| arrive(context, inst, mask, true),
        false => |context, inst, mask| arrive(context, inst, mask, false),
    })
}

/// `cp.async.bulk`: addresses in `a` and `b`, bytes in `c`, the mbarrier or none in `imm`, and, to several blocks of
/// the cluster, the mask of their ranks in `x`.
pub(crate) fn bulk(form: &Form<'_>) -> Option<Exec> {
    fn bulk(context: &mut Context<'_>, inst: &Inst, mask: u32, grouped: bool) -> Flow {
        bulk_to(context, inst, mask, grouped, None)
    }
    fn bulk_to(
        context: &mut Context<'_>,
        inst: &Inst,
        mask: u32,
        grouped: bool,
        ranks: Option<[u16; 32]>,
    ) -> Flow {
        let (to, from): (Addresses, Addresses) = (context.load(inst.a), context.load(inst.b));
        let size = context.load::<u32>(inst.c);
        let barrier: Addresses = if grouped { [0; 32] } else { context.load(inst.imm as u32) };
        let mut copies = Vec::new();
        let flow = context.each_lane(mask, |context, lane| {
            let at = lane as usize;
            let bytes = size[at];
            if !bytes.is_multiple_of(BULK) {
                return Err(FaultKind::CopySize(bytes));
            }
            let mut copy = |context: &mut Context<'_>, to: u64, barrier: u64| {
                let family = match grouped {
                    true => Family::Bulk,
                    false => context.completing(to, barrier)?,
                };
                let request =
                    Request { to, from: from[at], bytes, filled: bytes, align: BULK, family };
                copies.push((lane, context.checked(request)?));
                Ok(())
            };
            match ranks {
                None => copy(context, to[at], barrier[at]),
                Some(ranks) => {
                    (0..16).filter(|rank| ranks[at] >> rank & 1 == 1).try_for_each(|rank| {
                        copy(context, in_block(to[at], rank), in_block(barrier[at], rank))
                    })
                }
            }
        });
        if flow == Flow::Stop {
            return flow;
        }
        start(context, copies, mask)
    }
    // On an H200 it is an illegal instruction in a launch without clusters.
    if form.has("shared::cluster") && form.has("shared::cta") {
        return Some(|context, inst, mask| match context.launch.clustered {
            true => bulk(context, inst, mask, false),
            false => context.fault(FaultKind::NoClusters, mask.trailing_zeros()),
        });
    }
    Some(match (form.has("bulk_group"), form.has("multicast::cluster")) {
        (true, _) => |context, inst, mask| bulk(context, inst, mask, true),
        (_, true) => |context, inst, mask| {
            let ranks = context.load::<u16>(inst.x);
            bulk_to(context, inst, mask, false, Some(ranks))
        },
        (_, false) => |context, inst, mask| bulk(context, inst, mask, false),
    })
}

/// `cp.async.bulk.prefetch.L2 [a], b`: there are no caches, but the address is checked.
pub(crate) fn prefetch(_: &Form<'_>) -> Option<Exec> {
    Some(|context, inst, mask| {
        let (from, size): (Addresses, [u32; 32]) = (context.load(inst.a), context.load(inst.b));
        context.each_lane(mask, |_, lane| {
            let (address, bytes) = (from[lane as usize], size[lane as usize]);
            if !bytes.is_multiple_of(BULK) {
                return Err(FaultKind::CopySize(bytes));
            }
            if !address.is_multiple_of(BULK.into()) {
                let (size, space, write) = (BULK, Space::Global, false);
                return Err(FaultKind::Misaligned { address, size, space, write });
            }
            Ok(())
        })
    })
}
