//! Tiles: a power of two of neighbouring lanes.

use super::lanes::LaneGroup;
use super::sealed::Sealed;
use crate::warp::{self, Segment};
use crate::{DeviceCopy, block, thread};

/// `N` neighbouring lanes of a warp, `N` being 1, 2, 4, 8, 16 or 32; from [`tile`].
///
/// Anything else as `N` is a compile error.
///
/// Every device that Ptyx supports has all of it (`sm_70`); sums, minima and bits of 32-bit integers are single
/// instructions from `sm_80` on. PTX ISA, [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync),
/// [`vote.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync),
/// [`match.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-match-sync),
/// [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) and
/// [`bar.warp.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar-warp-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The product of a row of eight numbers, in each of the eight lanes.
/// fn product(row: group::Tile<8>, value: f32) -> f32 {
///     row.reduce(value, |a, b| a * b)
/// }
/// ```
#[doc(alias = "thread_block_tile")]
#[derive(Clone, Copy, Debug)]
pub struct Tile<const N: u32> {
    meta_rank: u32,
    meta_size: u32,
}

/// The block's tile of `N` threads that this thread is in: threads of consecutive [`thread::rank`].
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn warp_sums(x: &[f32], sums: Atomics<f32>) {
///     let warp = group::tile::<32>();
///     let sum = warp.reduce_add(x[thread::index_1d().get()]);
///     warp.invoke_one(|| sums[warp.meta_rank() as usize].fetch_add(sum));
/// }
/// ```
///
/// # Panics
/// If the number of threads of the block is not a multiple of `N`: its last tile would not be whole.
#[doc(alias = "tiled_partition")]
#[inline(always)]
#[track_caller]
pub fn tile<const N: u32>() -> Tile<N> {
    const { check_size(N) };
    assert!(
        block::threads().is_multiple_of(N),
        "the block's number of threads is not a multiple of the tile's"
    );
    Tile { meta_rank: thread::rank() / N, meta_size: block::threads() / N }
}

const fn check_size(size: u32) {
    assert!(
        size.is_power_of_two() && size <= warp::SIZE,
        "a tile has 1, 2, 4, 8, 16 or 32 threads"
    );
}

impl<const N: u32> Tile<N> {
    /// Neighbouring lanes of a warp that has all of them.
    #[inline(always)]
    pub(super) fn new(meta_rank: u32, meta_size: u32) -> Self {
        Self { meta_rank, meta_size }
    }

    /// The part of `M` neighbouring members that this thread is in. `M` must not be above `N`: that is a
    /// compile error.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Which quarter of its warp a thread is in.
    /// fn quarter() -> u32 {
    ///     group::tile::<32>().tiled::<8>().meta_rank()
    /// }
    /// ```
    #[doc(alias = "tiled_partition")]
    #[inline(always)]
    #[track_caller]
    pub fn tiled<const M: u32>(self) -> Tile<M> {
        const {
            check_size(M);
            assert!(M <= N, "a part of a tile has no more threads than the tile");
        }
        Tile { meta_rank: self.rank() / M, meta_size: N / M }
    }

    /// The value of the member whose rank is this one's XOR `flip` (modulo `N`).
    ///
    /// PTX [`shfl.sync.bfly`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the other lane of each pair.
    /// fn partner(value: f32) -> f32 {
    ///     group::tile::<2>().shuffle_xor(value, 1)
    /// }
    /// ```
    #[doc(alias = "shfl_xor")]
    #[inline(always)]
    #[track_caller]
    pub fn shuffle_xor<T: DeviceCopy>(self, value: T, flip: u32) -> T {
        warp::shuffle_xor(self.segment(), value, flip % N)
    }

    /// The lanes of the tile, as shuffles name them.
    #[inline(always)]
    #[track_caller]
    fn segment(self) -> Segment {
        Segment::of_width(N).among(self.mask())
    }
}

impl<const N: u32> Sealed for Tile<N> {}

impl<const N: u32> LaneGroup for Tile<N> {
    #[inline(always)]
    #[track_caller]
    fn mask(self) -> u32 {
        if N == warp::SIZE { warp::FULL } else { ((1 << N) - 1) << (warp::lane() & !(N - 1)) }
    }

    #[inline(always)]
    fn size(self) -> u32 {
        N
    }

    #[inline(always)]
    #[track_caller]
    fn rank(self) -> u32 {
        warp::lane() % N
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
    #[track_caller]
    fn ranks_of(self, lanes: u32) -> u32 {
        (lanes & self.mask()) >> (warp::lane() & !(N - 1))
    }

    #[inline(always)]
    #[track_caller]
    fn shuffle<T: DeviceCopy>(self, value: T, rank: u32) -> T {
        warp::shuffle(self.segment(), value, rank % N)
    }

    #[inline(always)]
    #[track_caller]
    fn shuffle_up<T: DeviceCopy>(self, value: T, delta: u32) -> T {
        // The hardware takes a distance modulo 32.
        warp::shuffle_up(self.segment(), value, if delta < N { delta } else { 0 })
    }

    #[inline(always)]
    #[track_caller]
    fn shuffle_down<T: DeviceCopy>(self, value: T, delta: u32) -> T {
        warp::shuffle_down(self.segment(), value, if delta < N { delta } else { 0 })
    }

    #[inline(always)]
    #[track_caller]
    fn reduce<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let (mut value, mut distance) = (value, 1);
        while distance < N {
            let other = self.shuffle_xor(value, distance);
            // In the order of ranks, so that all members compute the same.
            value = match self.rank() & distance {
                0 => combine(value, other),
                _ => combine(other, value),
            };
            distance *= 2;
        }
        value
    }

    #[inline(always)]
    #[track_caller]
    fn inclusive_scan<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let (mut value, mut distance) = (value, 1);
        while distance < N {
            let (before, is_there) = warp::shuffle_up_marked(self.segment(), value, distance);
            if is_there {
                value = combine(before, value);
            }
            distance *= 2;
        }
        value
    }
}
