//! A typed place in the shared memory of another block of the cluster.

use crate::DeviceCopy;
use core::fmt;

/// A value of type `T` in the shared memory of a block of the cluster (*distributed shared memory*), from
/// [`Cluster::map_shared_rank`](crate::group::Cluster::map_shared_rank).
///
/// It behaves like a pointer, as [`Shared`](super::Shared) does.
///
/// ```
/// use ptyx::device::shared::{ClusterShared, Shared};
/// use ptyx::prelude::*;
///
/// fn of_first_block(table: Shared<[f32; 64]>) -> ClusterShared<[f32; 64]> {
///     group::cluster().map_shared_rank(table, 0)
/// }
/// ```
pub struct ClusterShared<T: ?Sized> {
    pointer: *mut T,
}

impl<T: ?Sized> Clone for ClusterShared<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for ClusterShared<T> {}

impl<T: ?Sized> ClusterShared<T> {
    /// # Safety
    /// `pointer` points to shared memory of a block of the cluster, for as long as that block runs.
    #[inline(always)]
    pub(crate) const unsafe fn new(pointer: *mut T) -> Self {
        Self { pointer }
    }

    /// The place as a pointer.
    ///
    /// ```
    /// use ptyx::device::shared::ClusterShared;
    ///
    /// /// The generic address of the place, for `ptx!`.
    /// fn address(place: ClusterShared<u64>) -> u64 {
    ///     place.as_mut_ptr().addr() as u64
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(self) -> *mut T {
        self.pointer
    }
}

impl<T: DeviceCopy> ClusterShared<T> {
    /// The value (PTX [`ld.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-ld)).
    ///
    /// ```
    /// use ptyx::device::shared::Shared;
    /// use ptyx::prelude::*;
    ///
    /// /// The sum of one number of each block; all threads call it.
    /// fn total(own: Shared<f32>) -> f32 {
    ///     let cluster = group::cluster();
    ///     cluster.sync();
    ///     // SAFETY: each block wrote its number before this, and none exits before the next `sync`.
    ///     let total = (0..cluster.blocks())
    ///         .map(|rank| unsafe { cluster.map_shared_rank(own, rank).read() })
    ///         .sum();
    ///     cluster.sync();
    ///     total
    /// }
    /// ```
    ///
    /// # Safety
    /// - The value has been written, and no other thread writes it meanwhile: separate the accesses with
    ///   [`Cluster::sync`](crate::group::Cluster::sync).
    /// - The block is running, and does not exit before the access is done.
    #[inline(always)]
    pub const unsafe fn read(self) -> T {
        // SAFETY: as the caller's.
        unsafe { self.pointer.read() }
    }

    /// Sets the value (PTX [`st.shared::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-st)).
    ///
    /// ```
    /// use ptyx::device::shared::Shared;
    /// use ptyx::prelude::*;
    ///
    /// /// Each block writes its number into the inbox of block 0, which has room for 16.
    /// fn send(inbox: Shared<[u32; 16]>, number: u32) {
    ///     let cluster = group::cluster();
    ///     cluster.sync(); // block 0 runs
    ///     if thread::rank() == 0 {
    ///         let slot = cluster.map_shared_rank(inbox, 0).at(cluster.block_rank() as usize);
    ///         // SAFETY: each block writes its own slot, and block 0 reads after the barrier.
    ///         unsafe { slot.write(number) };
    ///     }
    ///     cluster.sync();
    /// }
    /// ```
    ///
    /// # Safety
    /// - No other thread reads or writes it meanwhile: separate the accesses with
    ///   [`Cluster::sync`](crate::group::Cluster::sync).
    /// - The block is running, and does not exit before the access is done.
    #[inline(always)]
    pub const unsafe fn write(self, value: T) {
        // SAFETY: as the caller's.
        unsafe { self.pointer.write(value) }
    }
}

impl<T, const N: usize> ClusterShared<[T; N]> {
    /// Element `index`.
    ///
    /// ```
    /// use ptyx::device::shared::ClusterShared;
    /// use ptyx::prelude::*;
    ///
    /// /// This thread's element of a row of another block.
    /// ///
    /// /// # Safety
    /// /// The other block has written the row and does not exit meanwhile.
    /// unsafe fn own(row: ClusterShared<[f32; 128]>) -> f32 {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { row.at(thread::x() as usize).read() }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below `N`.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> ClusterShared<T> {
        self.as_slice().at(index)
    }

    /// The same array, with its length known at run time.
    ///
    /// ```
    /// use ptyx::device::shared::{ClusterShared, Shared};
    /// use ptyx::prelude::*;
    ///
    /// /// Block `rank`'s table, for functions that take tables of any length.
    /// fn table(own: Shared<[u32; 512]>, rank: u32) -> ClusterShared<[u32]> {
    ///     group::cluster().map_shared_rank(own, rank).as_slice()
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_slice(self) -> ClusterShared<[T]> {
        ClusterShared { pointer: self.pointer }
    }
}

impl<T> ClusterShared<[T]> {
    /// Element `index`.
    ///
    /// ```
    /// use ptyx::device::shared::ClusterShared;
    ///
    /// /// Clears a part of another block's memory.
    /// ///
    /// /// # Safety
    /// /// No other thread uses the part, and that block does not exit meanwhile.
    /// unsafe fn clear(place: ClusterShared<[f32]>, part: core::ops::Range<usize>) {
    ///     for i in part {
    ///         // SAFETY: the caller's promise.
    ///         unsafe { place.at(i).write(0.0) };
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is not below the length.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: usize) -> ClusterShared<T> {
        crate::view::check_bounds(index, self.len());
        // SAFETY: in bounds of that block's memory.
        unsafe { ClusterShared::new(self.pointer.cast::<T>().wrapping_add(index)) }
    }

    /// The number of elements.
    ///
    /// ```
    /// use ptyx::device::shared::ClusterShared;
    ///
    /// /// The sum of another block's numbers.
    /// ///
    /// /// # Safety
    /// /// No thread writes them meanwhile, and that block does not exit.
    /// unsafe fn sum(numbers: ClusterShared<[f32]>) -> f32 {
    ///     // SAFETY: the caller's promise.
    ///     (0..numbers.len()).map(|i| unsafe { numbers.at(i).read() }).sum()
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(self) -> usize {
        self.pointer.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::device::shared::ClusterShared;
    ///
    /// /// The first of another block's numbers, if it has any.
    /// ///
    /// /// # Safety
    /// /// No thread writes it meanwhile, and that block does not exit.
    /// unsafe fn first(numbers: ClusterShared<[f32]>) -> Option<f32> {
    ///     // SAFETY: the caller's promise.
    ///     (!numbers.is_empty()).then(|| unsafe { numbers.at(0).read() })
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

impl<T: ?Sized> fmt::Debug for ClusterShared<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ClusterShared({:p})", self.pointer)
    }
}
