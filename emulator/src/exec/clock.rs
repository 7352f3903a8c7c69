//! When the warps of a block last learned of what others had done: at a barrier, a fence, an mbarrier whose phase is complete, or
//! an access with an order. Whether the others took part in that is not checked.

/// The most warps of a block.
const WARPS: usize = 32;

/// A warp that has waited for something, and when.
#[derive(Clone, Copy)]
pub(crate) struct Waiter {
    pub(crate) warp: u32,
    pub(crate) time: u32,
}

/// A block's logical clock, and when each of its warps last synchronised.
#[derive(Clone, Copy, Default)]
pub(crate) struct Clock {
    /// How often any warp has synchronised with others.
    time: u32,
    /// When each last did.
    warps: [u32; WARPS],
}

impl Clock {
    /// The time of what happens now: before whatever a warp synchronises with from now on.
    #[inline]
    pub(crate) fn now(&self) -> u32 {
        self.time
    }

    /// Advances the clock, because warps may learn of everything earlier by what happens now.
    #[inline]
    pub(crate) fn tick(&mut self) -> u32 {
        self.time = self.time.saturating_add(1);
        self.time
    }

    /// A warp learns of what others did before now.
    #[inline]
    pub(crate) fn synchronise(&mut self, warp: u32) {
        self.warps[warp as usize] = self.tick();
    }

    /// A warp learns of what others did before a time.
    pub(crate) fn learn(&mut self, warp: u32, time: u32) {
        let knows = &mut self.warps[warp as usize];
        *knows = time.max(*knows);
    }

    /// Whether a warp may know of what happened at a time: it has synchronised since.
    #[inline]
    pub(crate) fn knows(&self, warp: u32, time: u32) -> bool {
        self.warps[warp as usize] > time
    }

    /// Whether a warp is the one that has waited, or may know of it.
    pub(crate) fn knows_of(&self, warp: u32, waiter: Waiter) -> bool {
        waiter.warp == warp || self.knows(warp, waiter.time)
    }

    /// The time of which all warps up to a number may know.
    pub(crate) fn known_by_all(&self, warps: usize) -> u32 {
        self.warps[..warps.min(WARPS)].iter().copied().min().unwrap_or(0)
    }
}
