//! Coalesced groups: any lanes of a warp.

use super::bits::{gather, nth_set};
use super::lanes::LaneGroup;
use super::sealed::Sealed;
use crate::{DeviceCopy, warp};

/// Some lanes of a warp, from [`coalesced`] or from a partition of another group.
///
/// Its members' ranks follow their lanes' order.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Reserves a place for each thread that comes here, with one atomic addition for each group.
/// fn reserve(next: &Atomic<u32>) -> u32 {
///     let group: group::Coalesced = group::coalesced();
///     let first = group.invoke_one_broadcast(|| next.fetch_add(group.size()));
///     first + group.rank()
/// }
/// ```
#[doc(alias = "coalesced_group")]
#[derive(Clone, Copy, Debug)]
pub struct Coalesced {
    mask: u32,
    meta_rank: u32,
    meta_size: u32,
}

/// The threads that execute this call together
/// ([`activemask`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-activemask)).
///
/// It is a snapshot: which threads of a branch arrive together is up to the hardware. Groups that don't depend
/// on this come from [`LaneGroup::partition_if`], before the branch.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn compact(x: &[i32], next: Atomics<u32>, positive: Atomics<i32>) {
///     let value = x[thread::index_1d().get()];
///     if value > 0 {
///         let group = group::coalesced();
///         let first = group.invoke_one_broadcast(|| next[0].fetch_add(group.size()));
///         positive[(first + group.rank()) as usize].store(value);
///     }
/// }
/// ```
#[doc(alias = "coalesced_threads")]
#[inline(always)]
#[track_caller]
pub fn coalesced() -> Coalesced {
    Coalesced::new(warp::active_mask(), 0, 1)
}

impl Coalesced {
    /// `mask` names this lane.
    #[inline(always)]
    pub(super) fn new(mask: u32, meta_rank: u32, meta_size: u32) -> Self {
        Self { mask, meta_rank, meta_size }
    }

    /// The part of `size` members of consecutive ranks that this thread is in. The last part may be smaller.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum over each four of the threads that come here together.
    /// fn sum_of_four(value: f32) -> f32 {
    ///     group::coalesced().tiled(4).reduce_add(value)
    /// }
    /// ```
    ///
    /// # Panics
    /// If `size` is 0.
    #[doc(alias = "tiled_partition")]
    #[inline(always)]
    #[must_use]
    #[track_caller]
    pub fn tiled(self, size: u32) -> Self {
        assert!(size > 0, "a part of a group has at least one thread");
        let meta_rank = self.rank() / size;
        // No overflow: no product is above the rank or, where parts follow, above 32.
        let first = meta_rank.wrapping_mul(size);
        let from_first = self.mask & (u32::MAX << nth_set(self.mask, first));
        let behind = match self.size().wrapping_sub(first) {
            rest if rest > size => u32::MAX << nth_set(from_first, size),
            _ => 0,
        };
        Self::new(from_first & !behind, meta_rank, self.size().div_ceil(size))
    }

    /// The lane of the member of a rank below the size.
    #[inline(always)]
    fn lane_of(self, rank: u32) -> u32 {
        if self.mask == warp::FULL { rank } else { nth_set(self.mask, rank) }
    }
}

impl Sealed for Coalesced {}

impl LaneGroup for Coalesced {
    #[inline(always)]
    fn mask(self) -> u32 {
        self.mask
    }

    #[inline(always)]
    fn size(self) -> u32 {
        self.mask.count_ones()
    }

    #[inline(always)]
    #[track_caller]
    fn rank(self) -> u32 {
        (self.mask & warp::mask_lt()).count_ones()
    }

    #[inline(always)]
    fn meta_rank(self) -> u32 {
        self.meta_rank
    }

    #[inline(always)]
    fn meta_size(self) -> u32 {
        self.meta_size
    }

    #[inline(always)]
    fn ranks_of(self, lanes: u32) -> u32 {
        if self.mask == warp::FULL { lanes } else { gather(lanes, self.mask) }
    }

    #[inline(always)]
    #[track_caller]
    fn shuffle<T: DeviceCopy>(self, value: T, rank: u32) -> T {
        let rank = if rank < self.size() { rank } else { rank % self.size() };
        warp::shuffle(self.mask, value, self.lane_of(rank))
    }

    #[inline(always)]
    #[track_caller]
    fn shuffle_up<T: DeviceCopy>(self, value: T, delta: u32) -> T {
        let rank = self.rank();
        let from = if delta <= rank { rank.wrapping_sub(delta) } else { rank };
        warp::shuffle(self.mask, value, self.lane_of(from))
    }

    #[inline(always)]
    #[track_caller]
    fn shuffle_down<T: DeviceCopy>(self, value: T, delta: u32) -> T {
        let rank = self.rank();
        let from =
            if delta < self.size().wrapping_sub(rank) { rank.wrapping_add(delta) } else { rank };
        warp::shuffle(self.mask, value, self.lane_of(from))
    }

    #[inline(always)]
    #[track_caller]
    fn reduce<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let (mut value, mut distance) = (value, 1u32);
        // Each member has what it and the `distance - 1` members behind it hold.
        while distance < self.size() {
            let behind = self.shuffle_down(value, distance);
            if distance < self.size().wrapping_sub(self.rank()) {
                value = combine(value, behind);
            }
            distance = distance.wrapping_mul(2);
        }
        self.shuffle(value, 0)
    }
}
