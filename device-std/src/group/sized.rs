//! A block whose number of threads the compiler knows.

use super::number::{ReduceBits, ReduceNumber};
use super::warps::{self, Exactly};
use crate::DeviceCopy;

/// A block of `N` threads, from [`Block::sized`](super::Block::sized).
///
/// Its functions are collective: all threads of the block must call them. [`Block`](super::Block) has those whose code
/// does not depend on the number of threads.
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
    /// This block, which has `N` threads: [`Block::sized`](super::Block::sized) has checked it.
    pub(super) fn new() -> Self {
        SizedBlock(())
    }

    /// As [`Block::reduce_to_one`](super::Block::reduce_to_one).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The greatest score of 256 threads and the thread that has it, in the first thread.
    /// fn best(score: f32) -> Option<(f32, u32)> {
    ///     let block = group::block().sized::<256>();
    ///     block.reduce_to_one((score, thread::rank()), |a, b| if b.0 > a.0 { b } else { a })
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_to_one<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> Option<T> {
        warps::reduce_to_one(Exactly::<N>, value, combine)
    }

    /// As [`Block::reduce_add_to_one`](super::Block::reduce_add_to_one).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn dot(a: &[f32], b: &[f32], product: Atomics<f32>) {
    ///     let i = thread::index_1d().get();
    ///     if let Some(sum) = group::block().sized::<512>().reduce_add_to_one(a[i] * b[i]) {
    ///         product[0].fetch_add(sum);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_add_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_add_to_one(Exactly::<N>, value)
    }

    /// As [`Block::reduce_min_to_one`](super::Block::reduce_min_to_one).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The least of 256 values, in the first thread.
    /// fn least(x: f32) -> Option<f32> {
    ///     group::block().sized::<256>().reduce_min_to_one(x)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_min_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_min_to_one(Exactly::<N>, value)
    }

    /// As [`Block::reduce_max_to_one`](super::Block::reduce_max_to_one).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The greatest of 128 values, in the first thread.
    /// fn greatest(x: u64) -> Option<u64> {
    ///     group::block().sized::<128>().reduce_max_to_one(x)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce_max_to_one<T: ReduceNumber>(self, value: T) -> Option<T> {
        warps::reduce_max_to_one(Exactly::<N>, value)
    }
}

/// Methods that are those of [`Block`].
macro_rules! as_block {
    ($($(#[$about:meta])* $name:ident $bounds:tt ($($argument:ident: $type:ty),*);)*) => {
        impl<const N: u32> SizedBlock<N> {
            $(as_block! { @one $(#[$about])* $name $bounds $($argument: $type)* })*
        }
    };
    (@one $(#[$about:meta])* $name:ident [$($bound:tt)*] $($argument:ident: $type:ty)*) => {
        #[doc = concat!("As [`Block::", stringify!($name), "`](super::Block::", stringify!($name), ").")]
        ///
        $(#[$about])*
        #[inline(always)]
        #[track_caller]
        pub fn $name<T: $($bound)*>(self $(, $argument: $type)*) -> T {
            warps::$name(Exactly::<N> $(, $argument)*)
        }
    };
}

as_block! {
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The product of a block's 128 values.
    /// fn product(value: f64) -> f64 {
    ///     group::block().sized::<128>().reduce(value, |a, b| a * b)
    /// }
    /// ```
    reduce [DeviceCopy] (value: T, combine: impl Fn(T, T) -> T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Scales a row of 256 values to length 1.
    /// #[kernel]
    /// fn normalise(mut rows: Disjoint<f32>) {
    ///     let i = thread::index_1d();
    ///     let squares = group::block().sized::<256>().reduce_add(rows[i] * rows[i]);
    ///     rows[i] /= squares.sqrt();
    /// }
    /// ```
    reduce_add [ReduceNumber] (value: T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The distance to the nearest of 64 points.
    /// fn nearest(point: [f32; 2], to: [f32; 2]) -> f32 {
    ///     let distance = (point[0] - to[0]).hypot(point[1] - to[1]);
    ///     group::block().sized::<64>().reduce_min(distance)
    /// }
    /// ```
    reduce_min [ReduceNumber] (value: T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The scale at which 128 numbers fit into 8 bits.
    /// fn scale(x: f32) -> f32 {
    ///     group::block().sized::<128>().reduce_max(x.abs()) / 127.0
    /// }
    /// ```
    reduce_max [ReduceNumber] (value: T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Whether 1024 values are all even.
    /// fn are_even(value: u32) -> bool {
    ///     group::block().sized::<1024>().reduce_and(!value) & 1 == 1
    /// }
    /// ```
    reduce_and [ReduceBits] (value: T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many bits the greatest of 256 keys has.
    /// fn key_bits(key: u32) -> u32 {
    ///     u32::BITS - group::block().sized::<256>().reduce_or(key).leading_zeros()
    /// }
    /// ```
    reduce_or [ReduceBits] (value: T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The parity word of 64 words.
    /// fn parity(word: u64) -> u64 {
    ///     group::block().sized::<64>().reduce_xor(word)
    /// }
    /// ```
    reduce_xor [ReduceBits] (value: T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The greatest of the values up to this thread's, in a block of 256.
    /// fn running_maximum(value: i32) -> i32 {
    ///     group::block().sized::<256>().inclusive_scan(value, i32::max)
    /// }
    /// ```
    inclusive_scan [DeviceCopy] (value: T, combine: impl Fn(T, T) -> T);
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The place of this thread's value among those that are kept, in a block of 256.
    /// fn place(is_kept: bool) -> u32 {
    ///     group::block().sized::<256>().exclusive_scan(0, is_kept.into(), |a, b| a + b)
    /// }
    /// ```
    exclusive_scan [DeviceCopy] (initial: T, value: T, combine: impl Fn(T, T) -> T);
}
