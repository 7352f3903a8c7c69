//! The block as a group.

use super::number::{ReduceBits, ReduceNumber};
use super::tile::{Tile, tile};
use super::warps::{self, AnyNumber, Exactly};
use crate::{DeviceCopy, Dim3, block, thread};

/// The threads of this block, from [`block()`](block()).
///
/// Except where it says that it does not wait, each function is collective: all threads of the block must
/// call it.
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
    #[doc(alias = "num_threads")]
    #[inline(always)]
    #[track_caller]
    pub fn size(self) -> u32 {
        block::threads()
    }

    /// This thread's number in the block, [`thread::rank`]. Does not wait.
    #[doc(alias = "thread_rank")]
    #[inline(always)]
    #[track_caller]
    pub fn rank(self) -> u32 {
        thread::rank()
    }

    /// Threads in the block along each dimension. Does not wait.
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
        SizedBlock(())
    }

    /// Waits for all threads of the block, as [`block::sync`].
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) {
        block::sync();
    }

    /// The tile of `N` threads that this thread is in, as [`tile`]. Does not wait.
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
    #[inline(always)]
    #[track_caller]
    pub fn all(self, predicate: bool) -> bool {
        block::sync_and(predicate)
    }

    /// Whether `predicate` holds in some thread, as [`block::sync_or`].
    #[inline(always)]
    #[track_caller]
    pub fn any(self, predicate: bool) -> bool {
        block::sync_or(predicate)
    }

    /// In how many threads `predicate` holds, as [`block::sync_count`].
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
    #[inline(always)]
    #[track_caller]
    pub fn reduce_add_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_add_to_one(AnyNumber, value)
    }

    /// The minimum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    #[inline(always)]
    #[track_caller]
    pub fn reduce_min<T: ReduceNumber>(self, value: T) -> T {
        warps::reduce_min(AnyNumber, value)
    }

    /// The maximum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    #[inline(always)]
    #[track_caller]
    pub fn reduce_max<T: ReduceNumber>(self, value: T) -> T {
        warps::reduce_max(AnyNumber, value)
    }

    /// The bitwise AND of the values of all threads, in each of them.
    #[inline(always)]
    #[track_caller]
    pub fn reduce_and<T: ReduceBits>(self, value: T) -> T {
        warps::reduce_and(AnyNumber, value)
    }

    /// The bitwise OR of the values of all threads, in each of them.
    #[inline(always)]
    #[track_caller]
    pub fn reduce_or<T: ReduceBits>(self, value: T) -> T {
        warps::reduce_or(AnyNumber, value)
    }

    /// The bitwise exclusive OR of the values of all threads, in each of them.
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

    /// `initial` and the values of the threads before this one, combined in the order of [`thread::rank`].
    ///
    /// `combine` must be associative. All threads pass the same `initial`. It waits for the block twice, and
    /// takes 32 values of shared memory for each type.
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

    /// Calls `function` in one thread, that of rank 0, which gets the result. Does not wait.
    #[inline(always)]
    #[track_caller]
    pub fn invoke_one<R>(self, function: impl FnOnce() -> R) -> Option<R> {
        (self.rank() == 0).then(function)
    }

    /// Calls `function` in one thread, that of rank 0; all threads get the result.
    ///
    /// It waits for the block twice, and takes 32 values of shared memory for each type.
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

/// A block of `N` threads, from [`Block::sized`].
///
/// Its functions are collective: all threads of the block must call them. [`Block`] has those whose code does not
/// depend on the number of threads.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn running_sums(mut x: Disjoint<u32>) {
///     let (i, block) = (thread::index_1d(), group::block().sized::<128>());
///     x[i] = block.inclusive_scan(x[i], |a, b| a + b);
/// }
/// ```
#[doc(alias = "BlockReduce")]
#[doc(alias = "BlockScan")]
#[derive(Clone, Copy, Debug)]
pub struct SizedBlock<const N: u32>(());

impl<const N: u32> SizedBlock<N> {
    /// As [`Block::reduce_to_one`].
    #[inline(always)]
    #[track_caller]
    pub fn reduce_to_one<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> Option<T> {
        warps::reduce_to_one(Exactly::<N>, value, combine)
    }

    /// As [`Block::reduce_add_to_one`].
    #[inline(always)]
    #[track_caller]
    pub fn reduce_add_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_add_to_one(Exactly::<N>, value)
    }
}

/// Methods that are those of [`Block`].
macro_rules! as_block {
    ($($name:ident $bounds:tt ($($argument:ident: $type:ty),*);)*) => {
        impl<const N: u32> SizedBlock<N> {
            $(as_block! { @one $name $bounds $($argument: $type)* })*
        }
    };
    (@one $name:ident [$($bound:tt)*] $($argument:ident: $type:ty)*) => {
        #[doc = concat!("As [`Block::", stringify!($name), "`].")]
        #[inline(always)]
        #[track_caller]
        pub fn $name<T: $($bound)*>(self $(, $argument: $type)*) -> T {
            warps::$name(Exactly::<N> $(, $argument)*)
        }
    };
}

as_block! {
    reduce [DeviceCopy] (value: T, combine: impl Fn(T, T) -> T);
    reduce_add [ReduceNumber] (value: T);
    reduce_min [ReduceNumber] (value: T);
    reduce_max [ReduceNumber] (value: T);
    reduce_and [ReduceBits] (value: T);
    reduce_or [ReduceBits] (value: T);
    reduce_xor [ReduceBits] (value: T);
    inclusive_scan [DeviceCopy] (value: T, combine: impl Fn(T, T) -> T);
    exclusive_scan [DeviceCopy] (initial: T, value: T, combine: impl Fn(T, T) -> T);
}
