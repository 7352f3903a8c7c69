//! Tiles from shared to global memory.

use super::load::by_rank;
use super::shape::innermost_first;
use super::{Placed, Reduction, TensorMapMut, Tile, TileShape, instructions};
use crate::cache::Policy;
use crate::shared::Shared;

impl<K: TileShape, S: Placed> TensorMapMut<'_, K, S> {
    /// Starts to store a tile at some coordinates. Elements outside of the tensor are skipped.
    /// [`bulk::commit`](crate::bulk::commit) puts the store into a group; [`bulk::wait_read`](crate::bulk::wait_read) and
    /// [`bulk::wait`](crate::bulk::wait) wait for the group.
    ///
    /// In an interleaved layout ([`Interleaved16`](super::Interleaved16)), the second coordinate counts slices.
    ///
    /// One thread calls it for the block. PTX [`cp.async.bulk.tensor.tile.bulk_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor) (`sm_90`),
    /// `cde::cp_async_bulk_tensor_2d_shared_to_global()` of CUDA C++.
    ///
    /// ```
    /// use ptyx::device::bulk;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMapMut, Tile};
    /// use ptyx::prelude::*;
    ///
    /// /// Stores the block's tile, which its threads have filled.
    /// ///
    /// /// # Safety
    /// /// No other block stores this tile.
    /// unsafe fn store(map: TensorMapMut<[[u16; 64]; 64]>, tile: Shared<Tile<[[u16; 64]; 64]>>) {
    ///     tile.fence(); // what this thread wrote
    ///     block::sync();
    ///     if thread::rank() == 0 {
    ///         // SAFETY: nothing writes the tile before the wait is over.
    ///         unsafe { map.store(tile, [0, 64 * block::x() as i32]) };
    ///         bulk::commit();
    ///         bulk::wait_read::<0>();
    ///     }
    ///     block::sync();
    /// }
    /// ```
    ///
    /// # Safety
    /// - No thread accesses these elements of the tensor until [`bulk::wait`](crate::bulk::wait) is over.
    /// - No thread writes `from`, and the block does not end, until [`bulk::wait_read`](crate::bulk::wait_read) is over.
    #[doc(alias = "cp_async_bulk_tensor_2d_shared_to_global")]
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store(&self, from: Shared<Tile<K, S>>, at: K::Coordinates) {
        const { assert!(Tile::<K, S>::BYTES > 0) };
        let (at, from) = (innermost_first(at.as_ref()), from.as_mut_ptr());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { by_rank!(K, store, self.place(), at, from.cast()) };
    }

    /// [`store`](Self::store) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMapMut, Tile};
    ///
    /// /// Starts to store what the next kernel reads soon.
    /// ///
    /// /// # Safety
    /// /// As [`TensorMapMut::store`].
    /// unsafe fn keep(map: TensorMapMut<[f32; 256]>, from: Shared<Tile<[f32; 256]>>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { map.store_with(from, [0], Policy::evict_last()) };
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`store`](Self::store).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store_with(&self, from: Shared<Tile<K, S>>, at: K::Coordinates, policy: Policy) {
        const { assert!(Tile::<K, S>::BYTES > 0) };
        let (at, from) = (innermost_first(at.as_ref()), from.as_mut_ptr());
        // SAFETY: as in `store`.
        unsafe { by_rank!(K, store_hint, self.place(), at, from.cast(), policy.bits()) };
    }

    /// Starts to combine the elements of the tensor with those of a tile that begins at some coordinates. Each
    /// element changes atomically, in no particular order, so several blocks may do it with the same elements.
    ///
    /// Groups are those of [`store`](Self::store). PTX [`cp.reduce.async.bulk.tensor`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-reduce-async-bulk-tensor) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Add, TensorMapMut, Tile};
    ///
    /// /// Adds a block's part of a sum.
    /// ///
    /// /// # Safety
    /// /// As [`TensorMapMut::reduce`].
    /// unsafe fn add(sums: TensorMapMut<[[f32; 32]; 32]>, part: Shared<Tile<[[f32; 32]; 32]>>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { sums.reduce::<Add>(part, [0, 0]) };
    /// }
    /// ```
    ///
    /// # Safety
    /// - No thread accesses these elements of the tensor, other than by atomic operations and reductions, until
    ///   [`bulk::wait`](crate::bulk::wait) is over.
    /// - No thread writes `from`, and the block does not end, until [`bulk::wait_read`](crate::bulk::wait_read) is over.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn reduce<R: Reduction<K::Element>>(
        &self,
        from: Shared<Tile<K, S>>,
        at: K::Coordinates,
    ) {
        const { assert!(Tile::<K, S>::BYTES > 0) };
        let (at, from) = (innermost_first(at.as_ref()), from.as_mut_ptr());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { by_rank!(K, reduce<R>, self.place(), at, from.cast()) };
    }

    /// [`reduce`](Self::reduce) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Add, TensorMapMut, Tile};
    ///
    /// /// Adds to sums that other blocks add to soon.
    /// ///
    /// /// # Safety
    /// /// As [`TensorMapMut::reduce`].
    /// unsafe fn add(sums: TensorMapMut<[[f32; 32]; 32]>, part: Shared<Tile<[[f32; 32]; 32]>>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { sums.reduce_with::<Add>(part, [0, 0], Policy::evict_last()) };
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`reduce`](Self::reduce).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn reduce_with<R: Reduction<K::Element>>(
        &self,
        from: Shared<Tile<K, S>>,
        at: K::Coordinates,
        policy: Policy,
    ) {
        const { assert!(Tile::<K, S>::BYTES > 0) };
        let (at, from) = (innermost_first(at.as_ref()), from.as_mut_ptr());
        // SAFETY: as in `reduce`.
        unsafe { by_rank!(K, reduce_hint<R>, self.place(), at, from.cast(), policy.bits()) };
    }
}
