//! Tiles from global to shared memory.

use super::shape::innermost_first;
use super::{Placed, TensorMap, Tile, TileShape, instructions};
use crate::barrier::Barrier;
use crate::cache::Policy;
use crate::intrinsics;
use crate::shared::Shared;

/// Calls an instruction's function with the number of dimensions as a constant.
macro_rules! by_rank {
    ($shape:ty, $function:ident $(<$generic:ty>)?, $($argument:expr),*) => {
        match <$shape>::DIMENSIONS {
            1 => instructions::$function::<1 $(, $generic)?>($($argument),*),
            2 => instructions::$function::<2 $(, $generic)?>($($argument),*),
            3 => instructions::$function::<3 $(, $generic)?>($($argument),*),
            4 => instructions::$function::<4 $(, $generic)?>($($argument),*),
            _ => instructions::$function::<5 $(, $generic)?>($($argument),*),
        }
    };
}
pub(super) use by_rank;

impl<K: TileShape, S: Placed> TensorMap<'_, K, S> {
    /// Starts to load the tile that begins at some coordinates. Its bytes complete transactions of the barrier, which
    /// must [expect](Barrier::arrive_expect_tx) them. Returns the number of bytes: [`Tile::BYTES`], however much
    /// of the tile is outside of the tensor.
    ///
    /// In an interleaved layout ([`Interleaved16`](super::Interleaved16)), the second coordinate counts slices.
    ///
    /// One thread calls it for the block. PTX [`cp.async.bulk.tensor.tile.mbarrier::complete_tx::bytes`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor) (`sm_90`),
    /// `cde::cp_async_bulk_tensor_2d_global_to_shared()` of CUDA C++.
    ///
    /// ```
    /// use ptyx::device::barrier::{Barrier, Phase};
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMap, Tile};
    /// use ptyx::prelude::*;
    ///
    /// /// Loads a tile in the barrier's first phase; all threads of the block call it.
    /// ///
    /// /// # Safety
    /// /// Nothing else uses the tile.
    /// unsafe fn load(map: TensorMap<[[u16; 64]; 64]>, to: Shared<Tile<[[u16; 64]; 64]>>, arrived: Barrier) {
    ///     if thread::rank() == 0 {
    ///         // SAFETY: as the caller's; all threads wait for the phase.
    ///         let bytes = unsafe { map.load(to, [-1, 64 * block::x() as i32], arrived) };
    ///         arrived.arrive_expect_tx(bytes).forget();
    ///     }
    ///     arrived.wait_phase(Phase::FIRST);
    /// }
    /// ```
    ///
    /// # Safety
    /// - No thread accesses `to` until it has waited for the barrier's phase.
    /// - The barrier is not invalidated before.
    #[doc(alias = "cp_async_bulk_tensor_2d_global_to_shared")]
    #[doc(alias = "cp_async_bulk_tensor")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load(&self, to: Shared<Tile<K, S>>, at: K::Coordinates, barrier: Barrier) -> u32 {
        let (at, to, barrier) =
            (innermost_first(at.as_ref()), to.as_mut_ptr(), barrier.as_mut_ptr());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { by_rank!(K, load, self.place(), at, to.cast(), barrier) };
        Tile::<K, S>::BYTES
    }

    /// [`load`](Self::load) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMap, Tile};
    ///
    /// /// Starts to load what is read only once.
    /// ///
    /// /// # Safety
    /// /// As [`TensorMap::load`].
    /// unsafe fn stream(map: TensorMap<[f32; 256]>, to: Shared<Tile<[f32; 256]>>, arrived: Barrier) -> u32 {
    ///     // SAFETY: as the caller's.
    ///     unsafe { map.load_with(to, [0], arrived, Policy::evict_first()) }
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_with(
        &self,
        to: Shared<Tile<K, S>>,
        at: K::Coordinates,
        barrier: Barrier,
        policy: Policy,
    ) -> u32 {
        let (at, to, barrier) =
            (innermost_first(at.as_ref()), to.as_mut_ptr(), barrier.as_mut_ptr());
        // SAFETY: as in `load`.
        unsafe { by_rank!(K, load_hint, self.place(), at, to.cast(), barrier, policy.bits()) };
        Tile::<K, S>::BYTES
    }

    /// Starts to load a tile to the same location in the shared memory of several blocks of the cluster: those whose bits
    /// are set in `ranks`. Global memory is read once. The bytes complete transactions of the barrier of each of these
    /// blocks.
    ///
    /// PTX [`cp.async.bulk.tensor.tile.mbarrier::complete_tx::bytes.multicast::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor) (`sm_90`; by the PTX ISA optimised for
    /// architecture-specific targets such as `sm_90a`, and perhaps much slower on others).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMap, Tile};
    /// use ptyx::prelude::*;
    ///
    /// /// The cluster's first block loads a tile for blocks 0 and 1.
    /// ///
    /// /// # Safety
    /// /// As [`TensorMap::load_to_cluster`].
    /// unsafe fn share(map: TensorMap<[f32; 256]>, to: Shared<Tile<[f32; 256]>>, arrived: Barrier) {
    ///     if group::cluster().rank() == 0 {
    ///         // SAFETY: as the caller's.
    ///         unsafe { map.load_to_cluster(to, [0], arrived, 0b11) };
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of some rank.
    ///
    /// # Safety
    /// Those blocks have initialised their barriers and do not end before; none of their threads accesses `to` until it
    /// has waited for the phase.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_to_cluster(
        &self,
        to: Shared<Tile<K, S>>,
        at: K::Coordinates,
        barrier: Barrier,
        ranks: u16,
    ) -> u32 {
        check_ranks(ranks);
        let (at, to, barrier) =
            (innermost_first(at.as_ref()), to.as_mut_ptr(), barrier.as_mut_ptr());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { by_rank!(K, load_cluster, self.place(), at, to.cast(), barrier, ranks) };
        Tile::<K, S>::BYTES
    }

    /// [`load_to_cluster`](Self::load_to_cluster) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMap, Tile};
    ///
    /// /// Starts to load what other clusters read soon.
    /// ///
    /// /// # Safety
    /// /// As [`TensorMap::load_to_cluster`].
    /// unsafe fn share(map: TensorMap<[f32; 256]>, to: Shared<Tile<[f32; 256]>>, arrived: Barrier) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { map.load_to_cluster_with(to, [0], arrived, 0b11, Policy::evict_last()) };
    /// }
    /// ```
    ///
    /// # Panics
    /// As [`load_to_cluster`](Self::load_to_cluster).
    ///
    /// # Safety
    /// As [`load_to_cluster`](Self::load_to_cluster).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_to_cluster_with(
        &self,
        to: Shared<Tile<K, S>>,
        at: K::Coordinates,
        barrier: Barrier,
        ranks: u16,
        policy: Policy,
    ) -> u32 {
        check_ranks(ranks);
        let (at, to, barrier) =
            (innermost_first(at.as_ref()), to.as_mut_ptr(), barrier.as_mut_ptr());
        let (map, policy) = (self.place(), policy.bits());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { by_rank!(K, load_cluster_hint, map, at, to.cast(), barrier, ranks, policy) };
        Tile::<K, S>::BYTES
    }

    /// Prefetches a tile into the L2 cache. This is a hint.
    ///
    /// PTX [`cp.async.bulk.prefetch.tensor`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-prefetch-tensor) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::tma::TensorMap;
    /// use ptyx::prelude::*;
    ///
    /// /// One thread asks for the tile after the next.
    /// fn announce(map: TensorMap<[[f32; 64]; 64]>, row: i32) {
    ///     if thread::rank() == 0 {
    ///         map.prefetch_l2([row + 128, 0]);
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the innermost coordinate, in bytes, is not a multiple of 16: a GPU would report an illegal instruction, after which the
    /// process can no longer use the device. (In an interleaved layout, any coordinates are allowed.)
    #[inline(always)]
    #[track_caller]
    pub fn prefetch_l2(&self, at: K::Coordinates) {
        check_start::<K, S>(at.as_ref());
        let at = innermost_first(at.as_ref());
        // SAFETY: a hint, about a tile of the map.
        unsafe { by_rank!(K, prefetch, self.place(), at) };
    }
}

/// Panics for a coordinate that would end all work of the process on the device.
#[inline(always)]
#[track_caller]
pub(super) fn check_innermost<K: TileShape>(at: &[i32]) {
    let innermost = at[at.len() - 1];
    assert!(
        innermost.wrapping_mul(size_of::<K::Element>() as i32) % 16 == 0,
        "the innermost coordinate of a tile must be a multiple of 16 bytes"
    );
}

/// The same for a tile with any layout. An interleaved one may begin anywhere.
#[inline(always)]
#[track_caller]
pub(super) fn check_start<K: TileShape, S: Placed>(at: &[i32]) {
    const { assert!(Tile::<K, S>::BYTES > 0) };
    if S::SLICE == 0 {
        check_innermost::<K>(at);
    }
}

#[inline(always)]
#[track_caller]
pub(super) fn check_ranks(ranks: u16) {
    // SAFETY: reads a special register.
    let blocks = unsafe { intrinsics::cluster_nctarank() };
    assert!(u32::from(ranks) >> blocks == 0, "the cluster has no block of that rank");
}
