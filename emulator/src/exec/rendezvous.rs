//! Lanes of a warp that wait for each other.
//!
//! An instruction with a member mask waits "until all non-exited threads corresponding to membermask have
//! executed" it "with the same membermask value" (PTX ISA, `shfl.sync`, `vote.sync`, `match.sync`,
//! `redux.sync`, `elect.sync`, `bar.warp.sync`). Lanes that arrive together can name different masks:
//! each set of lanes with the same mask waits and continues separately.
//!
//! Threads progress independently (CUDA Programming Guide, "Independent Thread Scheduling"):
//! reconvergence after a branch only matters for speed. So when all other lanes wait, lanes that have
//! reached their reconvergence point continue alone. If they exit, no lane waits for them any more.

use super::context::{Context, Flow, for_lanes};
use super::fault::FaultKind;
use super::program::IN_POOL;
use super::warp::{Split, Wait};

/// What an instruction with a member mask does once its lanes have arrived; it gets those lanes and the
/// mask.
pub(crate) trait Together: FnMut(&mut Context<'_>, u32, u32) {}
impl<F: FnMut(&mut Context<'_>, u32, u32)> Together for F {}

impl Context<'_> {
    /// Runs `operation` for each set of lanes of `mask` that name the same members in `operand`, once all
    /// members that have not exited are here. Other lanes wait for their members.
    #[inline(always)]
    pub(crate) fn together(
        &mut self,
        operand: u32,
        mask: u32,
        mut operation: impl Together,
    ) -> Flow {
        if self.are_together(operand, mask) {
            let members = self.get::<u32>(operand, mask.trailing_zeros());
            operation(self, mask, members);
            return Flow::Next;
        }
        self.apart(operand, mask, false, &mut operation)
    }

    /// The same for an instruction that does nothing but wait.
    #[inline(always)]
    pub(crate) fn warp_barrier(&mut self, operand: u32, mask: u32) -> Flow {
        // Lanes that still have to wait have learned no less when they go on.
        self.block.synchronise(self.warp.index);
        if self.are_together(operand, mask) {
            return Flow::Next;
        }
        self.apart(operand, mask, true, &mut |_, _, _| {})
    }

    /// Whether the lanes of `mask` name themselves and no others that have not exited.
    #[inline(always)]
    pub(crate) fn are_together(&self, operand: u32, mask: u32) -> bool {
        let members = self.get::<u32>(operand, mask.trailing_zeros());
        let all_here = members & self.warp.live & !mask == 0;
        all_here && mask & !members == 0 && self.same(operand, mask, members)
    }

    /// Whether all lanes of `mask` name the same members.
    #[inline(always)]
    fn same(&self, operand: u32, mask: u32, members: u32) -> bool {
        if operand & IN_POOL != 0 {
            return true;
        }
        let named = self.load::<u32>(operand);
        let mut differ = 0;
        for_lanes(mask, |lane| differ |= named[lane] ^ members);
        differ == 0
    }

    /// Each set of lanes separately: runs `operation` for those that are complete; the others wait.
    #[cold]
    #[inline(never)]
    fn apart(
        &mut self,
        operand: u32,
        mask: u32,
        barrier: bool,
        operation: &mut dyn Together,
    ) -> Flow {
        let named = self.load::<u32>(operand);
        let foreign = |lane: &u32| mask >> lane & 1 == 1 && named[*lane as usize] >> lane & 1 == 0;
        if let Some(lane) = (0..32).find(foreign) {
            let members = named[lane as usize];
            return self.fault(FaultKind::NotAMember { members, lane }, lane);
        }
        let mut waiting = Vec::new();
        let mut left = mask;
        while left != 0 {
            let members = named[left.trailing_zeros() as usize];
            let mut lanes = 0;
            for_lanes(left, |lane| lanes |= u32::from(named[lane] == members) << lane);
            left &= !lanes;
            if members & self.warp.live & !lanes == 0 {
                operation(self, lanes, members);
            } else {
                waiting.push((lanes, members));
            }
        }
        if waiting.is_empty() {
            return Flow::Next;
        }
        self.park(&waiting, barrier)
    }

    /// Makes sets of lanes wait at the current instruction; the others of the split go on.
    fn park(&mut self, waiting: &[(u32, u32)], barrier: bool) -> Flow {
        let here = self.suspend();
        let onward = waiting.iter().fold(here.mask, |rest, (lanes, _)| rest & !lanes);
        let parts = waiting.len() + usize::from(onward != 0);
        self.warp.parted(here.scope, parts as u32);
        if onward != 0 {
            self.warp.ready.push(Split { mask: onward, ..here });
        }
        for &(mask, members) in waiting {
            let split = Split { pc: here.pc - 1, mask, ..here };
            self.warp.parked.push((split, Wait::Lanes { members, barrier }));
        }
        let flow = self.next_split();
        self.release_lanes(flow)
    }

    /// Lets lanes go on that waited for others which have arrived or exited since. `flow` is what the
    /// caller would do next; the result is what it must do.
    pub(crate) fn release_lanes(&mut self, flow: Flow) -> Flow {
        let mut index = 0;
        while index < self.warp.parked.len() {
            let Wait::Lanes { members, .. } = self.warp.parked[index].1 else {
                index += 1;
                continue;
            };
            let (group, ready) = self.waiting_with(members);
            if members & self.warp.live & !ready != 0 {
                index += 1;
                continue;
            }
            let waits: Vec<(Split, Wait)> =
                group.iter().rev().map(|&position| self.warp.parked.remove(position)).collect();
            index = 0;
            let after = (flow == Flow::Next).then(|| self.suspend());
            let (first, _) = waits[0];
            let barriers =
                waits.iter().filter(|(_, wait)| matches!(wait, Wait::Lanes { barrier: true, .. }));
            let barriers = barriers.count();
            if barriers > 0 {
                self.block.synchronise(self.warp.index);
            }
            if barriers < waits.len() {
                let one_place = waits
                    .iter()
                    .all(|(s, _)| s.pc == first.pc && s.scope.frame == first.scope.frame);
                if barriers > 0 || !one_place {
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
            let mut done: Vec<Split> =
                waits.into_iter().map(|(split, _)| Split { pc: split.pc + 1, ..split }).collect();
            self.merge(&mut done);
            self.warp.ready.append(&mut done);
            if let Some(split) = after {
                self.resume(split);
            }
        }
        if flow == Flow::Stop && !self.warp.ready.is_empty() { self.next_split() } else { flow }
    }

    /// The index in `parked` of the lanes that wait for `members`, and which lanes they are.
    fn waiting_with(&self, members: u32) -> (Vec<usize>, u32) {
        let (mut group, mut ready) = (Vec::new(), 0);
        for (position, (split, wait)) in self.warp.parked.iter().enumerate() {
            if let Wait::Lanes { members: other, .. } = wait
                && *other == members
            {
                ready |= split.mask;
                group.push(position);
            }
        }
        (group, ready)
    }

    /// Lets lanes go on that others of the warp wait for, if they are held where they would reconverge
    /// with those.
    pub(crate) fn release_wanted(&mut self) -> bool {
        let mut wanted = 0;
        for (_, wait) in &self.warp.parked {
            if let Wait::Lanes { members, .. } = *wait {
                wanted |= members & !self.waiting_with(members).1;
            }
        }
        self.warp.release_held(wanted & self.warp.live)
    }
}
