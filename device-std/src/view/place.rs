//! Where a thread is in its launch, and which positions along an axis are its own.

use crate::{Dim3, block, grid, thread, warp};

/// A thread's coordinates: what a division of an array among the threads of a launch is computed from.
///
/// [`by::Shape`](super::by::Shape) and [`by::SwapBlocks`](super::by::SwapBlocks) rename coordinates, so the
/// fields need not be the hardware's. `rank` and `threads` always are.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub(super) block: Dim3,
    pub(super) grid: Dim3,
    pub(super) thread: Dim3,
    pub(super) extent: Dim3,
    /// The thread's number in its block, and how many threads a block has.
    pub(super) rank: u32,
    pub(super) threads: u32,
}

impl Place {
    /// That of the calling thread.
    #[inline(always)]
    #[track_caller]
    pub(crate) fn own() -> Self {
        Self::new(block::idx(), grid::dim(), thread::idx(), block::dim())
    }

    /// That of a thread in block `block` of `grid`, and at `thread` in a block of `extent`.
    #[inline(always)]
    pub(super) fn new(block: Dim3, grid: Dim3, thread: Dim3, extent: Dim3) -> Self {
        let (rank, threads) = (extent.rank(thread), extent.product());
        Self { block, grid, thread, extent, rank, threads }
    }

    /// The thread's lane, and its warp's number in the block.
    #[inline(always)]
    pub(super) const fn lane(&self) -> usize {
        (self.rank % warp::SIZE) as usize
    }

    #[inline(always)]
    pub(super) const fn warp(&self) -> usize {
        (self.rank / warp::SIZE) as usize
    }

    /// The block's number in the grid, below 2^63.
    #[inline(always)]
    pub(super) const fn block_rank(&self) -> usize {
        let row = self.block.z as usize * self.grid.y as usize + self.block.y as usize;
        row * self.grid.x as usize + self.block.x as usize
    }

    /// The number of blocks, below 2^63.
    #[inline(always)]
    pub(super) const fn blocks(&self) -> usize {
        self.grid.x as usize * self.grid.y as usize * self.grid.z as usize
    }
}

/// A run of adjacent positions along an axis, which owners divide: `start..end`, the rest of what would be `len`
/// positions if the axis went on.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Run {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) len: usize,
}

impl Run {
    /// All positions of an axis. There are no more than `isize::MAX`, unless the array has no elements, or its elements no
    /// size: then steps may wrap around, and reach no memory.
    #[inline(always)]
    pub(super) const fn all(extent: usize) -> Self {
        Self { start: 0, end: extent, len: extent }
    }

    /// The positions of the run.
    #[inline(always)]
    pub(super) const fn steps(self) -> Steps {
        Steps { start: self.start, step: 1, end: self.end, gap: Gap::NONE }
    }

    /// Every `step`th position from the `number`th on.
    #[inline(always)]
    pub(super) const fn every(self, step: usize, number: usize) -> Steps {
        Steps { start: self.start.saturating_add(number), step, end: self.end, gap: Gap::NONE }
    }

    /// The `number`th run of `len` positions in this one, cut off at its end.
    #[inline(always)]
    pub(super) const fn run(self, len: usize, number: usize) -> Self {
        let start = self.start.saturating_add(number.saturating_mul(len));
        Self { start, end: least(start.saturating_add(len), self.end), len }
    }

    /// How many positions there are.
    #[inline(always)]
    pub(super) const fn available(self) -> usize {
        self.end.saturating_sub(self.start)
    }
}

/// Positions that are left out of an axis: those behind them are counted as if they followed those before.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Gap {
    pub(super) at: usize,
    pub(super) len: usize,
}

impl Gap {
    pub(super) const NONE: Self = Self { at: 0, len: 0 };

    /// The position in the whole axis of one that is counted without the gap.
    #[inline(always)]
    const fn place(self, position: usize) -> usize {
        // No more than the axis has.
        if position >= self.at { position.wrapping_add(self.len) } else { position }
    }
}

/// Positions along an axis: `start`, `start + step`, .. below `end`; none if `start` is not below it.
///
/// `end` is at most `isize::MAX` (see [`Run::all`]) and `step` below 2^63, so going on from a position never wraps. The
/// positions are counted without those of the gap.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    pub(super) start: usize,
    pub(super) step: usize,
    pub(super) end: usize,
    pub(super) gap: Gap,
}

impl Steps {
    /// None.
    #[inline(always)]
    pub(super) const fn none() -> Self {
        Self { start: 0, step: 1, end: 0, gap: Gap::NONE }
    }

    /// The same positions of an axis with a gap, whose positions they leave out.
    #[inline(always)]
    pub(super) const fn around(self, gap: Gap) -> Self {
        Self { gap, ..self }
    }

    /// The `index`th position.
    #[inline(always)]
    pub(super) const fn position(&self, index: usize) -> Option<usize> {
        let Some(distance) = index.checked_mul(self.step) else { return None };
        let Some(position) = self.start.checked_add(distance) else { return None };
        if position < self.end { Some(self.gap.place(position)) } else { None }
    }

    /// Takes the first position.
    #[inline(always)]
    pub(super) const fn take(&mut self) -> Option<usize> {
        let position = self.start;
        if position < self.end {
            self.start = position.wrapping_add(self.step);
            Some(self.gap.place(position))
        } else {
            None
        }
    }

    /// The first position and how many there are, if they are adjacent.
    #[inline(always)]
    pub(super) const fn adjacent(&self) -> Option<(usize, usize)> {
        let Self { start, step, end, gap } = *self;
        let on_both_sides = gap.len > 0 && start < gap.at && gap.at < end;
        if step != 1 || on_both_sides {
            None
        } else if start >= end {
            Some((0, 0))
        } else {
            Some((gap.place(start), end.wrapping_sub(start)))
        }
    }

    /// Whether there is none.
    #[inline(always)]
    pub(super) const fn is_empty(&self) -> bool {
        self.start >= self.end
    }
}

#[inline(always)]
const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}
