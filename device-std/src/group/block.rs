//! The block as a group: the functions of [`crate::block`] and [`crate::thread`] under other names, and reductions and
//! scans that are built from those of warps, shared memory and the block's barrier.

use super::number::{ReduceBits, ReduceNumber};
use super::sized::SizedBlock;
use super::tile::{Tile, tile};
use super::warps::{self, AnyNumber};
use crate::{DeviceCopy, Dim3, block, thread};

/// The threads of this block, from [`block()`](block()).
///
/// Except where it says that it does not wait, each function is collective: all threads of the block must
/// call it.
///
/// All of it works on every device that Ptyx supports (from `sm_70` on). From `sm_80` on, one instruction reduces integers
/// of up to 32 bits in a warp. PTX ISA,
/// [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar),
/// [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync),
/// [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync).
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn block_sums(x: &[f32], sums: Atomics<f32>) {
///     let block: group::Block = group::block();
///     let sum = block.reduce(x[thread::index_1d().get()], |a, b| a + b);
///     block.invoke_one(|| sums[block::x() as usize].store(sum));
/// }
/// ```
#[doc(alias = "thread_block")]
#[derive(Clone, Copy, Debug)]
pub struct Block(());

/// The threads of this block.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// The block's tiles of eight lanes.
/// fn rows() -> group::Tile<8> {
///     group::block().tiled::<8>()
/// }
/// ```
#[doc(alias = "this_thread_block")]
#[inline(always)]
pub fn block() -> Block {
    Block(())
}

impl Block {
    /// How many threads the block has. Does not wait.
    ///
    /// PTX [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The mean of the block's values.
    /// fn mean(value: f32) -> f32 {
    ///     let block = group::block();
    ///     block.reduce_add(value) / block.size() as f32
    /// }
    /// ```
    #[doc(alias = "num_threads")]
    #[inline(always)]
    #[track_caller]
    pub fn size(self) -> u32 {
        block::threads()
    }

    /// This thread's number in the block, [`thread::rank`]. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the thread at the opposite end of the block.
    /// fn mirrored(value: u32) -> u32 {
    ///     let (block, values) = (group::block(), shared!([u32; 1024]).cells(0));
    ///     values.set(block.rank() as usize, value);
    ///     block.sync();
    ///     values.get((block.size() - 1 - block.rank()) as usize)
    /// }
    /// ```
    #[doc(alias = "thread_rank")]
    #[inline(always)]
    #[track_caller]
    pub fn rank(self) -> u32 {
        thread::rank()
    }

    /// Threads in the block along each dimension. Does not wait.
    ///
    /// PTX [`%ntid`](https://docs.nvidia.com/cuda/parallel-thread-execution/#special-registers-ntid) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Whether the block is square, so that it can transpose tiles of its own shape.
    /// fn is_square() -> bool {
    ///     let Dim3 { x, y, .. } = group::block().dim();
    ///     x == y
    /// }
    /// ```
    #[doc(alias = "dim_threads")]
    #[inline(always)]
    #[track_caller]
    pub fn dim(self) -> Dim3 {
        block::dim()
    }

    /// This block as one of `N` threads, a constant: the code of its reductions and scans is shorter. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum over a block of 256 threads.
    /// fn sum(x: f32) -> f32 {
    ///     group::block().sized::<256>().reduce_add(x)
    /// }
    /// ```
    ///
    /// # Panics
    /// If the block has another number of threads than `N`.
    #[inline(always)]
    #[track_caller]
    pub fn sized<const N: u32>(self) -> SizedBlock<N> {
        const { assert!(N > 0 && N <= 1024, "a block has 1 to 1024 threads") };
        assert!(
            block::threads() == N,
            "the block has another number of threads than the code says"
        );
        SizedBlock::new()
    }

    /// Waits for all threads of the block, as [`block::sync`].
    ///
    /// PTX [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The greatest of the block's values, by an atomic in shared memory.
    /// fn greatest(value: u32) -> u32 {
    ///     let greatest = shared!([u32; 1]).atomics(0);
    ///     greatest[0].fetch_max(value);
    ///     group::block().sync(); // every thread has compared its value
    ///     greatest[0].load()
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) {
        block::sync();
    }

    /// Arrives at the block's barrier; [`BlockArrival::wait`] waits for the other threads later. Each thread must wait
    /// before it arrives or waits at the block's barrier again.
    ///
    /// The block's own barrier counts a thread when it waits, so the others don't go on before this thread does: as in
    /// CUDA C++, this is for code that is generic over groups. On a [`Barrier`](crate::barrier::Barrier), arriving and
    /// waiting are really separate.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The neighbour's value plus the result of work that does not need it.
    /// fn with_neighbour(value: f32, work: impl FnOnce() -> f32) -> f32 {
    ///     let cells = shared!([f32; 1024]).cells(0.0);
    ///     let i = thread::rank() as usize;
    ///     cells.set(i, value);
    ///     let arrival = group::block().arrive();
    ///     let own = work();
    ///     arrival.wait();
    ///     own + cells.get(i ^ 1)
    /// }
    /// ```
    #[doc(alias = "barrier_arrive")]
    #[inline(always)]
    pub fn arrive(self) -> BlockArrival {
        BlockArrival(())
    }

    /// The tile of `N` threads that this thread is in, as [`tile`]. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Sixteen threads add up each row of a matrix of 16 columns.
    /// #[kernel]
    /// fn row_sums(matrix: &[f32], sums: Atomics<f32>) {
    ///     let (i, row) = (thread::index_1d().get(), group::block().tiled::<16>());
    ///     let sum = row.reduce_add(matrix[i]);
    ///     row.invoke_one(|| sums[i / 16].store(sum));
    /// }
    /// ```
    ///
    /// # Panics
    /// If the number of threads of the block is not a multiple of `N`.
    #[doc(alias = "tiled_partition")]
    #[inline(always)]
    #[track_caller]
    pub fn tiled<const N: u32>(self) -> Tile<N> {
        tile()
    }

    /// Whether `predicate` holds in every thread, as [`block::sync_and`].
    ///
    /// PTX [`barrier.red.and`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Whether each block's part of `keys` is sorted.
    /// #[kernel]
    /// fn are_sorted(keys: &[u32], sorted: Atomics<u32>) {
    ///     let (i, block) = (thread::index_1d().get(), group::block());
    ///     let all = block.all(block.rank() == 0 || keys[i - 1] <= keys[i]);
    ///     block.invoke_one(|| sorted[block::x() as usize].store(all.into()));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn all(self, predicate: bool) -> bool {
        block::sync_and(predicate)
    }

    /// Whether `predicate` holds in some thread, as [`block::sync_or`].
    ///
    /// PTX [`barrier.red.or`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Newton's iteration for square roots, until none of the block's threads needs another step.
    /// fn root(value: f32) -> f32 {
    ///     let mut root = value;
    ///     while group::block().any((root * root - value).abs() > 1e-4 * value) {
    ///         root = 0.5 * (root + value / root);
    ///     }
    ///     root
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn any(self, predicate: bool) -> bool {
        block::sync_or(predicate)
    }

    /// In how many threads `predicate` holds, as [`block::sync_count`].
    ///
    /// PTX [`barrier.red.popc`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn count_zeros(x: &[u32], zeros: Atomics<u32>) {
    ///     let block = group::block();
    ///     let count = block.count(x[thread::index_1d().get()] == 0);
    ///     block.invoke_one(|| zeros[0].fetch_add(count)); // once for each block
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn count(self, predicate: bool) -> u32 {
        block::sync_count(predicate)
    }

    /// Combines the values of all threads; each thread gets the result.
    ///
    /// `combine` must be associative. Values are combined in the order of [`thread::rank`], first within
    /// warps. It waits for the block twice, and takes 32 values of shared memory for each type.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum and the sum of squares over the block.
    /// fn moments(x: f64) -> (f64, f64) {
    ///     group::block().reduce((x, x * x), |a, b| (a.0 + b.0, a.1 + b.1))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        warps::reduce(AnyNumber, value, combine)
    }

    /// The sum of the values of all threads, in each of them; sums of integers wrap around. Within warps, integers of
    /// up to 32 bits are added by the hardware's reduction instruction ([`ReduceNumber`]).
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn block_sums(x: &[u32], sums: Atomics<u32>) {
    ///     let sum = group::block().reduce_add(x[thread::index_1d().get()]);
    ///     group::block().invoke_one(|| sums[block::x() as usize].store(sum));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_add<T: ReduceNumber>(self, value: T) -> T {
        warps::reduce_add(AnyNumber, value)
    }

    /// As [`reduce`](Self::reduce), but only the block's first thread gets the result, the others `None`. That is less
    /// work (CUB: `cub::BlockReduce`).
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn block_products(x: &[f64], products: Atomics<f64>) {
    ///     let product = group::block().reduce_to_one(x[thread::index_1d().get()], |a, b| a * b);
    ///     if let Some(product) = product {
    ///         products[block::x() as usize].store(product);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_to_one<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> Option<T> {
        warps::reduce_to_one(AnyNumber, value, combine)
    }

    /// As [`reduce_add`](Self::reduce_add), but only the block's first thread gets the result, the others `None`.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn total(x: &[f32], total: Atomics<f32>) {
    ///     let mut own = 0.0;
    ///     for i in thread::grid_stride(x.len()) {
    ///         own += x[i.get()];
    ///     }
    ///     if let Some(sum) = group::block().reduce_add_to_one(own) {
    ///         total[0].fetch_add(sum);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_add_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_add_to_one(AnyNumber, value)
    }

    /// The minimum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The longest step that is stable for all of the block's cells.
    /// fn time_step(width: f32, speed: f32) -> f32 {
    ///     group::block().reduce_min(0.5 * width / speed)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_min<T: ReduceNumber>(self, value: T) -> T {
        warps::reduce_min(AnyNumber, value)
    }

    /// The maximum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The block's softmax: the greatest value is subtracted, so that no exponential overflows.
    /// fn softmax(x: f32) -> f32 {
    ///     let block = group::block();
    ///     let power = (x - block.reduce_max(x)).exp();
    ///     power / block.reduce_add(power)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_max<T: ReduceNumber>(self, value: T) -> T {
        warps::reduce_max(AnyNumber, value)
    }

    /// As [`reduce_min`](Self::reduce_min), but only the block's first thread gets the result, the others `None`.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn least(x: &[i32], least: Atomics<i32>) {
    ///     if let Some(own) = group::block().reduce_min_to_one(x[thread::index_1d().get()]) {
    ///         least[0].fetch_min(own);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_min_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_min_to_one(AnyNumber, value)
    }

    /// As [`reduce_max`](Self::reduce_max), but only the block's first thread gets the result, the others `None`.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn greatest(x: &[u64], greatest: Atomics<u64>) {
    ///     if let Some(own) = group::block().reduce_max_to_one(x[thread::index_1d().get()]) {
    ///         greatest[0].fetch_max(own);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_max_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_max_to_one(AnyNumber, value)
    }

    /// The bitwise AND of the values of all threads, in each of them.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The bits that all of the block's keys have in common: a radix sort can skip them.
    /// fn common(key: u32) -> u32 {
    ///     let block = group::block();
    ///     block.reduce_and(key) | block.reduce_and(!key)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_and<T: ReduceBits>(self, value: T) -> T {
        warps::reduce_and(AnyNumber, value)
    }

    /// The bitwise OR of the values of all threads, in each of them.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The set of the block's numbers, all below 64, as bits.
    /// fn occurring(number: u32) -> u64 {
    ///     group::block().reduce_or(1u64 << number)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_or<T: ReduceBits>(self, value: T) -> T {
        warps::reduce_or(AnyNumber, value)
    }

    /// The bitwise exclusive OR of the values of all threads, in each of them.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`); [`redux.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-redux-sync) for integers of up to 32 bits (`sm_80`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// A checksum of each block's words.
    /// #[kernel]
    /// fn checksums(words: &[u32], sums: Atomics<u32>) {
    ///     let sum = group::block().reduce_xor(words[thread::index_1d().get()]);
    ///     group::block().invoke_one(|| sums[block::x() as usize].store(sum));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_xor<T: ReduceBits>(self, value: T) -> T {
        warps::reduce_xor(AnyNumber, value)
    }

    /// The values of the threads up to this one, combined in the order of [`thread::rank`].
    ///
    /// `combine` must be associative. It waits for the block twice, and takes 32 values of shared memory for
    /// each type.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn running_sums(mut x: Disjoint<f32>) {
    ///     let i = thread::index_1d();
    ///     x[i] = group::block().inclusive_scan(x[i], |a, b| a + b);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn inclusive_scan<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        warps::inclusive_scan(AnyNumber, value, combine)
    }

    /// `initial` and the values of the threads before this one, combined in the order of [`thread::rank`]. `initial` comes
    /// first, as in [`Iterator::fold`].
    ///
    /// `combine` must be associative. All threads pass the same `initial`. It waits for the block twice, and
    /// takes 32 values of shared memory for each type.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync) and [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Where each thread of the block writes its `len` elements.
    /// fn place(len: u32) -> u32 {
    ///     group::block().exclusive_scan(0, len, |a, b| a + b)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn exclusive_scan<T: DeviceCopy>(
        self,
        initial: T,
        value: T,
        combine: impl Fn(T, T) -> T,
    ) -> T {
        warps::exclusive_scan(AnyNumber, initial, value, combine)
    }

    /// Calls `function` in one thread, that of rank 0, which gets the result; the others get `None`. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn count_blocks(blocks: Atomics<u32>) {
    ///     group::block().invoke_one(|| blocks[0].fetch_add(1));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn invoke_one<R>(self, function: impl FnOnce() -> R) -> Option<R> {
        (self.rank() == 0).then(function)
    }

    /// Calls `function` in one thread, that of rank 0; all threads get the result.
    ///
    /// It waits for the block twice, and takes 32 values of shared memory for each type.
    ///
    /// PTX [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn drain(tasks: &[u32], next: Atomics<u32>, done: Atomics<u32>) {
    ///     // Each block takes task after task.
    ///     loop {
    ///         let task = group::block().invoke_one_broadcast(|| next[0].fetch_add(1)) as usize;
    ///         let Some(&count) = tasks.get(task) else { return };
    ///         if thread::rank() < count {
    ///             done[task].fetch_add(1);
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn invoke_one_broadcast<T: DeviceCopy>(self, function: impl FnOnce() -> T) -> T {
        warps::broadcast(self.invoke_one(function))
    }
}

/// An arrival at the barrier of the block, from [`Block::arrive`].
///
/// ```
/// use ptyx::device::group::BlockArrival;
///
/// /// A value that other threads may read once all have arrived.
/// struct Written {
///     value: f32,
///     arrival: BlockArrival,
/// }
/// ```
#[derive(Debug)]
#[must_use = "the other threads of the block wait until this one does"]
pub struct BlockArrival(());

impl BlockArrival {
    /// Waits until all threads of the block have arrived. What each of them wrote before is then visible to all of them.
    ///
    /// PTX [`barrier.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar) (`sm_70`).
    ///
    /// ```
    /// use ptyx::device::group::BlockArrival;
    ///
    /// fn wait(arrival: BlockArrival) {
    ///     arrival.wait();
    /// }
    /// ```
    #[doc(alias = "barrier_wait")]
    #[inline(always)]
    #[track_caller]
    pub fn wait(self) {
        block::sync();
    }
}
