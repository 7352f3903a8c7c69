//! The cluster as a group: blocks that run at the same time and can access each other's shared memory.

mod combine;

use super::grid::Grid;
use crate::shared::{AtomicElement, ClusterShared, Shared, SharedAtomics};
use crate::{Dim3, block, intrinsics, thread};

/// All threads of a cluster, from [`cluster()`](cluster()).
///
/// The launch sets the size of the clusters: `launch!(.., cluster = 4)`. Without it, each block is its own cluster.
/// Clusters need `sm_90` (PTX ISA,
/// [cluster](https://docs.nvidia.com/cuda/parallel-thread-execution/#cluster-of-cooperative-thread-arrays)).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The sum over each cluster; block 0 of the cluster collects it.
/// #[kernel]
/// fn sums(x: &[u32], sums: Atomics<u32>) {
///     let cluster: group::Cluster = group::cluster();
///     let own = shared!([u32; 1]).atomics(0);
///     cluster.with_peers(own, |peers| {
///         peers.of(0)[0].fetch_add(x[thread::index_1d().get()]);
///     });
///     if cluster.rank() == 0 {
///         sums[group::grid().cluster_index().x as usize].store(own[0].load());
///     }
/// }
///
/// # fn run() -> ptyx::Result<()> {
/// let x = DeviceBuffer::filled(1024, 1u32)?;
/// let mut y = DeviceBuffer::zeroed(2)?;
/// launch!(sums<<<8, 128>>>(&x, &mut y), cluster = 4)?; // 512 and 512
/// # Ok(()) }
/// ```
#[doc(alias = "cluster_group")]
#[derive(Clone, Copy, Debug)]
pub struct Cluster(());

/// The cluster that this block belongs to.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Whether this is the cluster's first block.
/// fn leads() -> bool {
///     group::cluster().block_rank() == 0
/// }
/// ```
#[doc(alias = "this_cluster")]
#[inline(always)]
pub fn cluster() -> Cluster {
    Cluster(())
}

/// Reads three special registers.
macro_rules! dim3 {
    ($x:ident $y:ident $z:ident) => {
        // SAFETY: reads special registers.
        unsafe { Dim3 { x: intrinsics::$x(), y: intrinsics::$y(), z: intrinsics::$z() } }
    };
}

impl Cluster {
    /// Whether the launch or the kernel says how large clusters are. Otherwise each block is a cluster of its own.
    ///
    /// PTX [`%is_explicit_cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-is-explicit-cluster) (`sm_90`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many blocks share a row: those of the cluster, if the launch asked for clusters, else the whole grid.
    /// fn blocks_per_row() -> u32 {
    ///     let cluster = group::cluster();
    ///     if cluster.is_explicit() { cluster.blocks() } else { grid::dim().x }
    /// }
    /// ```
    #[doc(alias = "__clusterDimIsSpecified")]
    #[inline(always)]
    #[track_caller]
    pub fn is_explicit(self) -> bool {
        // SAFETY: reads a special register.
        unsafe { intrinsics::is_explicit_cluster() != 0 }
    }

    /// The number of threads in the cluster. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many elements of a row each thread of the cluster works on.
    /// fn share(row: &[f32]) -> usize {
    ///     row.len().div_ceil(group::cluster().size() as usize)
    /// }
    /// ```
    #[doc(alias = "num_threads")]
    #[inline(always)]
    #[track_caller]
    pub fn size(self) -> u32 {
        self.blocks().wrapping_mul(block::threads())
    }

    /// This thread's number in the cluster: by block, and within a block by [`thread::rank`]. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// This thread's part of the sum of a row, which the threads of the cluster divide among themselves.
    /// fn partial_sum(row: &[f32]) -> f32 {
    ///     let cluster = group::cluster();
    ///     row.iter().skip(cluster.rank() as usize).step_by(cluster.size() as usize).sum()
    /// }
    /// ```
    #[doc(alias = "thread_rank")]
    #[inline(always)]
    #[track_caller]
    pub fn rank(self) -> u32 {
        self.block_rank().wrapping_mul(block::threads()).wrapping_add(thread::rank())
    }

    /// The number of blocks in the cluster
    /// ([`%cluster_nctarank`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-cluster-nctarank)).
    /// Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many of 4096 bins of a histogram each block of the cluster has in its shared memory.
    /// fn bins() -> u32 {
    ///     4096 / group::cluster().blocks()
    /// }
    /// ```
    #[doc(alias = "num_blocks")]
    #[doc(alias = "__clusterSizeInBlocks")]
    #[inline(always)]
    #[track_caller]
    pub fn blocks(self) -> u32 {
        // SAFETY: reads a special register.
        unsafe { intrinsics::cluster_nctarank() }
    }

    /// This block's number in the cluster
    /// ([`%cluster_ctarank`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-cluster-ctarank)).
    /// Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The block after this one in the cluster; block 0 after the last one.
    /// fn next() -> u32 {
    ///     let cluster = group::cluster();
    ///     (cluster.block_rank() + 1) % cluster.blocks()
    /// }
    /// ```
    #[doc(alias = "__clusterRelativeBlockRank")]
    #[inline(always)]
    #[track_caller]
    pub fn block_rank(self) -> u32 {
        // SAFETY: reads a special register.
        unsafe { intrinsics::cluster_ctarank() }
    }

    /// This block's index in the cluster
    /// ([`%cluster_ctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-cluster-ctaid)).
    /// Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Whether the left neighbour of this block's tile is in the same cluster, so that its edge can be read from shared memory.
    /// fn has_left() -> bool {
    ///     group::cluster().block_index().x > 0
    /// }
    /// ```
    #[doc(alias = "__clusterRelativeBlockIdx")]
    #[inline(always)]
    #[track_caller]
    pub fn block_index(self) -> Dim3 {
        dim3!(cluster_ctaid_x cluster_ctaid_y cluster_ctaid_z)
    }

    /// The number of blocks in the cluster along each dimension
    /// ([`%cluster_nctaid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-cluster-nctaid)).
    /// Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Whether the lower neighbour of this block's tile is in the same cluster.
    /// fn has_lower() -> bool {
    ///     let cluster = group::cluster();
    ///     cluster.block_index().y + 1 < cluster.dim_blocks().y
    /// }
    /// ```
    #[doc(alias = "__clusterDim")]
    #[inline(always)]
    #[track_caller]
    pub fn dim_blocks(self) -> Dim3 {
        dim3!(cluster_nctaid_x cluster_nctaid_y cluster_nctaid_z)
    }

    /// Calls `function` in one thread of the cluster, that of rank 0, which gets the result; the others get `None`.
    /// Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn count_clusters(clusters: Atomics<u32>) {
    ///     group::cluster().invoke_one(|| clusters[0].fetch_add(1));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn invoke_one<R>(self, function: impl FnOnce() -> R) -> Option<R> {
        (self.rank() == 0).then(function)
    }

    /// Waits for all threads of the cluster that have not exited. What each thread wrote before is then visible to
    /// all of them.
    ///
    /// PTX [`barrier.cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-barrier-cluster) (`sm_90`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Keeps a block alive until no other block needs its shared memory.
    /// fn finish() {
    ///     group::cluster().sync();
    /// }
    /// ```
    #[doc(alias = "__cluster_barrier_wait")]
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) {
        self.arrive().wait();
    }

    /// Arrives at the cluster's barrier without waiting for the other threads: [`Arrival::wait`] does that later.
    /// Each thread must wait before it arrives again.
    ///
    /// PTX [`barrier.cluster.arrive`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-barrier-cluster) (`sm_90`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Does work that needs no other block between arriving and waiting.
    /// fn overlap(work: impl FnOnce()) {
    ///     let arrival = group::cluster().arrive();
    ///     work();
    ///     arrival.wait();
    /// }
    /// ```
    #[doc(alias = "barrier_arrive")]
    #[doc(alias = "__cluster_barrier_arrive")]
    #[inline(always)]
    #[track_caller]
    pub fn arrive(self) -> Arrival {
        // SAFETY: only waits and orders; nothing safe relies on it, see `Peers`.
        unsafe { intrinsics::cluster_arrive(core::ptr::null_mut()) };
        Arrival(())
    }

    /// [`arrive`](Cluster::arrive) that orders no memory accesses: what this thread wrote before is not made visible.
    /// For phases that pass nothing on, such as waiting until all blocks run.
    ///
    /// PTX [`barrier.cluster.arrive.relaxed`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-barrier-cluster) (`sm_90`, PTX 8.0).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Waits until all blocks of the cluster have started, so that their shared memory exists.
    /// fn all_run() {
    ///     group::cluster().arrive_relaxed().wait();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn arrive_relaxed(self) -> Arrival {
        // SAFETY: as in `arrive`.
        unsafe { intrinsics::cluster_arrive_relaxed(core::ptr::null_mut()) };
        Arrival(())
    }

    /// The rank of the block whose shared memory a place is in: the one that [`map_shared_rank`](Cluster::map_shared_rank)
    /// was called with.
    ///
    /// PTX [`getctarank`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-getctarank) (`sm_90`), `query_shared_rank()` of CUDA C++.
    ///
    /// ```
    /// use ptyx::device::shared::ClusterShared;
    /// use ptyx::prelude::*;
    ///
    /// fn is_own(place: ClusterShared<f32>) -> bool {
    ///     let cluster = group::cluster();
    ///     cluster.query_shared_rank(place) == cluster.block_rank()
    /// }
    /// ```
    #[doc(alias = "__cluster_query_shared_rank")]
    #[doc(alias = "getctarank")]
    #[inline(always)]
    #[track_caller]
    pub fn query_shared_rank<T: ?Sized>(self, place: ClusterShared<T>) -> u32 {
        // SAFETY: only looks at the address.
        unsafe { intrinsics::getctarank(place.as_mut_ptr().cast()) }
    }

    /// The same location in the shared memory of block `rank`. Does not wait.
    ///
    /// PTX [`mapa`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-mapa) (`sm_90`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the thread with the same number in the next block of the cluster.
    /// fn from_next(value: f32) -> f32 {
    ///     let (cluster, own) = (group::cluster(), shared!([f32; 256]));
    ///     let i = thread::rank() as usize;
    ///     let next = (cluster.block_rank() + 1) % cluster.blocks();
    ///     // SAFETY: each thread writes its own element before all wait, and reads another's after that. No block
    ///     // exits or writes again before all have read.
    ///     unsafe {
    ///         own.at(i).write(value);
    ///         cluster.sync();
    ///         let found = cluster.map_shared_rank(own, next).at(i).read();
    ///         cluster.sync();
    ///         found
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank.
    #[doc(alias = "__cluster_map_shared_rank")]
    #[inline(always)]
    #[track_caller]
    pub fn map_shared_rank<T>(self, place: Shared<T>, rank: u32) -> ClusterShared<T> {
        let first = self.map(place.as_mut_ptr().cast(), rank).cast();
        // SAFETY: memory of the same size and alignment.
        unsafe { ClusterShared::new(first) }
    }

    /// [`map_shared_rank`](Cluster::map_shared_rank) for a slice.
    ///
    /// PTX [`mapa`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-mapa) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::shared::Shared;
    /// use ptyx::prelude::*;
    ///
    /// /// The last number in the dynamic shared memory of block 0, which that block has written.
    /// fn last(own: Shared<[f32]>) -> f32 {
    ///     let cluster = group::cluster();
    ///     cluster.sync();
    ///     let numbers = cluster.map_shared_slice(own, 0);
    ///     // SAFETY: block 0 wrote its numbers before the first `sync`, and does not exit before the second.
    ///     let last = unsafe { numbers.at(numbers.len() - 1).read() };
    ///     cluster.sync();
    ///     last
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank.
    #[inline(always)]
    #[track_caller]
    pub fn map_shared_slice<T>(self, place: Shared<[T]>, rank: u32) -> ClusterShared<[T]> {
        let first = self.map(place.as_mut_ptr().cast(), rank).cast();
        // SAFETY: as above; all blocks have as much shared memory.
        unsafe { ClusterShared::new(core::ptr::slice_from_raw_parts_mut(first, place.len())) }
    }

    #[inline(always)]
    #[track_caller]
    fn map(self, address: *mut u8, rank: u32) -> *mut u8 {
        assert!(rank < self.blocks(), "the cluster has no block of that rank");
        // SAFETY: an address of shared memory, and a rank that exists.
        unsafe { intrinsics::mapa(address, rank) }
    }

    /// Lets `work` use the atomics of all blocks of the cluster: `own` is this block's part.
    ///
    /// It waits for the cluster before `work`, so that all parts are initialised, and afterwards, so that no block
    /// exits or changes its part too early. All threads of the cluster must call it, with the same location in
    /// shared memory.
    ///
    /// If all threads of a block panic in `work`, an access to the block's part aborts the launch with an error.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Counts values in 1024 bins: each of the cluster's four blocks has 256 of them.
    /// fn count(values: &[u32]) {
    ///     let own = shared!([u32; 256]).atomics(0);
    ///     group::cluster().with_peers(own, |peers| {
    ///         for &value in values {
    ///             let bin = value % 1024;
    ///             peers.of(bin / 256)[bin as usize % 256].fetch_add(1);
    ///         }
    ///     });
    ///     // `own` now has the counts of this block's bins.
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn with_peers<T: AtomicElement, R>(
        self,
        own: SharedAtomics<T>,
        work: impl FnOnce(&Peers<T>) -> R,
    ) -> R {
        self.sync();
        let result = work(&Peers { own, cluster: self });
        self.sync();
        result
    }
}

/// A token: this thread has arrived at the cluster's barrier. From [`Cluster::arrive`].
///
/// ```
/// use ptyx::device::group::Arrival;
///
/// /// A sum that was read from another block's shared memory. That block may exit when all threads have arrived.
/// struct Sum {
///     value: f32,
///     read: Arrival,
/// }
///
/// impl Sum {
///     fn finish(self) -> f32 {
///         self.read.wait();
///         self.value
///     }
/// }
/// ```
#[derive(Debug)]
#[must_use = "a thread must wait before it arrives again"]
pub struct Arrival(());

impl Arrival {
    /// Waits until all threads of the cluster that have not exited have arrived. What each of them wrote before is
    /// then visible to this thread.
    ///
    /// PTX [`barrier.cluster.wait`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-barrier-cluster) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::group::Arrival;
    ///
    /// fn wait(arrival: Arrival) {
    ///     arrival.wait();
    /// }
    /// ```
    #[doc(alias = "barrier_wait")]
    #[doc(alias = "__cluster_barrier_wait")]
    #[inline(always)]
    #[track_caller]
    pub fn wait(self) {
        // SAFETY: only waits and orders.
        unsafe { intrinsics::cluster_wait(core::ptr::null_mut()) }
    }
}

/// The atomics of all blocks of a cluster, from [`Cluster::with_peers`].
///
/// ```
/// use ptyx::device::group::Peers;
/// use ptyx::prelude::*;
///
/// /// The sum of the first number of each block.
/// fn total(peers: &Peers<u32>) -> u32 {
///     (0..peers.blocks()).map(|rank| peers.of(rank)[0].load()).sum()
/// }
/// ```
#[derive(Debug)]
pub struct Peers<T> {
    own: SharedAtomics<T>,
    cluster: Cluster,
}

impl<T: AtomicElement> Peers<T> {
    /// The number of blocks in the cluster.
    ///
    /// ```
    /// use ptyx::device::group::Peers;
    ///
    /// /// The block that holds the counter of `key`, and the counter's place there.
    /// fn home(counters: &Peers<u32>, key: u32) -> (u32, usize) {
    ///     (key % counters.blocks(), (key / counters.blocks()) as usize)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn blocks(&self) -> u32 {
        self.cluster.blocks()
    }

    /// The part of block `rank`.
    ///
    /// ```
    /// use ptyx::device::group::Peers;
    ///
    /// /// Adds this block's table to that of block 0, element by element.
    /// fn collect(tables: &Peers<f32>, own: &[f32]) {
    ///     for (sum, value) in tables.of(0).iter().zip(own) {
    ///         sum.fetch_add(*value);
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If the cluster has no block of that rank.
    #[inline(always)]
    #[track_caller]
    pub fn of(&self, rank: u32) -> &[T::Atomic] {
        let own: &[T::Atomic] = &self.own;
        let first = self.cluster.map(own.as_ptr().cast_mut().cast(), rank).cast_const().cast();
        // SAFETY: numbers in that block's shared memory, which are accessed atomically only. While the borrow lives, this
        // thread is inside `with_peers`, so that the other block waits; if it has ended all the same, hardware refuses the
        // access.
        unsafe { core::slice::from_raw_parts(first, own.len()) }
    }
}

impl Grid {
    /// The index of this block's cluster in the grid, counted in clusters
    /// ([`%clusterid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-clusterid)). Does not
    /// wait. Needs `sm_90`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The first of the rows that this cluster works on.
    /// fn first_row(rows: u32) -> u32 {
    ///     group::grid().cluster_index().x * rows
    /// }
    /// ```
    #[doc(alias = "__clusterIdx")]
    #[inline(always)]
    #[track_caller]
    pub fn cluster_index(self) -> Dim3 {
        dim3!(clusterid_x clusterid_y clusterid_z)
    }

    /// The number of clusters in the grid along each dimension
    /// ([`%nclusterid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-nclusterid)). Does not
    /// wait. Needs `sm_90`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The number of rows for each cluster.
    /// fn share(rows: u32) -> u32 {
    ///     rows.div_ceil(group::grid().dim_clusters().x)
    /// }
    /// ```
    #[doc(alias = "__clusterGridDimInClusters")]
    #[inline(always)]
    #[track_caller]
    pub fn dim_clusters(self) -> Dim3 {
        dim3!(nclusterid_x nclusterid_y nclusterid_z)
    }
}
