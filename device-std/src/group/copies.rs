//! Groups whose threads share a copy.

use super::block::Block;
use super::coalesced::Coalesced;
use super::lanes::LaneGroup;
use super::sealed::Sealed;
use super::sized::SizedBlock;
use super::tile::Tile;
use crate::{block, thread};

/// A group of threads of one block: [`Block`], [`SizedBlock`], [`Tile`] or [`Coalesced`]. Its threads can share
/// asynchronous copies ([`Pipeline::of_group`](crate::async_copy::Pipeline::of_group),
/// [`group_memcpy_async`](crate::async_copy::group_memcpy_async)).
///
/// ```
/// use ptyx::device::async_copy::Pipeline;
/// use ptyx::device::group::CopyGroup;
///
/// /// The first number of a row, by way of shared memory.
/// fn first<'s, G: CopyGroup>(rows: &mut Pipeline<'s, f32, 64, 2, G>, row: &'s [f32; 64]) -> f32 {
///     let mut stage = rows.producer_acquire();
///     stage.memcpy_async(0, row);
///     stage.commit();
///     let row = rows.consumer_wait();
///     let first = row.get(0);
///     row.release();
///     first
/// }
/// ```
#[doc(alias = "thread_group")]
pub trait CopyGroup: Copy + Sealed {
    /// How many threads there are.
    #[doc(hidden)]
    fn members(self) -> u32;

    /// This thread's number.
    #[doc(hidden)]
    fn member(self) -> u32;

    /// Waits for all threads of the group.
    #[doc(hidden)]
    fn meet(self);
}

impl Sealed for Block {}

impl CopyGroup for Block {
    #[inline(always)]
    fn members(self) -> u32 {
        block::threads()
    }

    #[inline(always)]
    fn member(self) -> u32 {
        thread::rank()
    }

    #[inline(always)]
    #[track_caller]
    fn meet(self) {
        block::sync();
    }
}

impl<const N: u32> Sealed for SizedBlock<N> {}

impl<const N: u32> CopyGroup for SizedBlock<N> {
    #[inline(always)]
    fn members(self) -> u32 {
        N
    }

    #[inline(always)]
    fn member(self) -> u32 {
        thread::rank()
    }

    #[inline(always)]
    #[track_caller]
    fn meet(self) {
        block::sync();
    }
}

/// Groups of lanes.
macro_rules! of_lanes {
    ($($group:ty $(, $size:ident)?;)*) => {$(
        impl $(<const $size: u32>)? CopyGroup for $group {
            #[inline(always)]
            fn members(self) -> u32 {
                LaneGroup::size(self)
            }

            #[inline(always)]
            fn member(self) -> u32 {
                LaneGroup::rank(self)
            }

            #[inline(always)]
            #[track_caller]
            fn meet(self) {
                LaneGroup::sync(self);
            }
        }
    )*};
}

of_lanes! {
    Tile<N>, N;
    Coalesced;
}
