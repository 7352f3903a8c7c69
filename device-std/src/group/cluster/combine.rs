//! Reductions, scans and votes of all threads of a cluster.

use super::Cluster;
use crate::group::number::ReduceNumber;
use crate::group::warps::{self, AnyNumber};
use crate::{DeviceCopy, block};

/// Methods that combine what the blocks of the cluster have.
impl Cluster {
    /// The values of the first `end` blocks, combined behind `first`.
    #[inline(always)]
    #[track_caller]
    fn fold<T: DeviceCopy>(
        self,
        own: T,
        first: Option<T>,
        end: u32,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        let map = |address, rank| self.map(address, rank);
        warps::fold_cluster(own, first, end, combine, (|| self.sync(), map))
    }

    /// The values of all blocks, combined; `own` is the same in all threads of a block.
    #[inline(always)]
    #[track_caller]
    fn across_blocks<T: DeviceCopy>(self, own: T, combine: impl Fn(T, T) -> T) -> T {
        // There is a block.
        self.fold(own, None, self.blocks(), combine).unwrap_or(own)
    }

    /// Combines the values of all threads; each thread gets the result. Collective: all threads of the cluster must call
    /// it.
    ///
    /// `combine` must be associative. Values are combined in the order of [`rank`](Self::rank), first within blocks; the
    /// blocks' results pass through shared memory of all blocks
    /// ([`mapa`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-mapa),
    /// `sm_90`). It synchronises the cluster twice, and uses shared memory for 32 values of each type `T`. If all
    /// threads of a block have exited, the launch is aborted.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The mean and the mean square of a row, whose parts the blocks of a cluster have.
    /// fn moments(x: f32) -> (f32, f32) {
    ///     let cluster = group::cluster();
    ///     let (sum, squares) = cluster.reduce((x, x * x), |a, b| (a.0 + b.0, a.1 + b.1));
    ///     (sum / cluster.size() as f32, squares / cluster.size() as f32)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn reduce<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        self.across_blocks(warps::reduce(AnyNumber, value, &combine), combine)
    }

    /// The values of the threads up to this one, combined in the order of [`rank`](Self::rank). Collective, and otherwise
    /// as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Running sums over the rows of a matrix, each of which a cluster works on.
    /// #[kernel]
    /// fn running_sums(mut rows: Disjoint<f32>) {
    ///     let i = thread::index_1d();
    ///     rows[i] = group::cluster().inclusive_scan(rows[i], |a, b| a + b);
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn inclusive_scan<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let total = warps::reduce(AnyNumber, value, &combine);
        let before = self.fold(total, None, self.block_rank(), &combine);
        let own = warps::inclusive_scan(AnyNumber, value, &combine);
        match before {
            Some(before) => combine(before, own),
            None => own,
        }
    }

    /// `initial` and the values of the threads before this one, combined in the order of [`rank`](Self::rank). All threads
    /// pass the same `initial`. Collective, and otherwise as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Where each thread of the cluster writes its `len` elements.
    /// fn place(len: u32) -> u32 {
    ///     group::cluster().exclusive_scan(0, len, |a, b| a + b)
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
        let total = warps::reduce(AnyNumber, value, &combine);
        // Block 0 has none before it.
        let first = self.fold(total, Some(initial), self.block_rank(), &combine);
        warps::exclusive_scan(AnyNumber, first.unwrap_or(initial), value, combine)
    }

    /// Whether `predicate` holds in every thread of the cluster. Collective, as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Whether the residuals of all of the cluster's cells are small.
    /// fn has_converged(residual: f32) -> bool {
    ///     group::cluster().all(residual.abs() < 1e-6)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn all(self, predicate: bool) -> bool {
        self.across_blocks(block::sync_and(predicate), |a, b| a & b)
    }

    /// Whether `predicate` holds in some thread of the cluster. Collective, as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Whether some thread of the cluster has found the key.
    /// fn is_found(key: u32, own: u32) -> bool {
    ///     group::cluster().any(own == key)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn any(self, predicate: bool) -> bool {
        self.across_blocks(block::sync_or(predicate), |a, b| a | b)
    }

    /// In how many threads of the cluster `predicate` holds. Collective, as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// How many of a cluster's values are negative.
    /// fn negative(value: f32) -> u32 {
    ///     group::cluster().count(value < 0.0)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn count(self, predicate: bool) -> u32 {
        self.across_blocks(block::sync_count(predicate), u32::wrapping_add)
    }
}

/// Reductions by name.
macro_rules! by_name {
    ($($(#[$about:meta])* $name:ident $two:ident $bound:ident;)*) => {
        impl Cluster {$(
            $(#[$about])*
            #[inline(always)]
            #[track_caller]
            pub fn $name<T: $bound>(self, value: T) -> T {
                self.across_blocks(warps::$name(AnyNumber, value), T::$two)
            }
        )*}
    };
}

by_name! {
    /// The sum of the values of all threads, in each of them; sums of integers wrap around. Collective, as
    /// [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Scales a row that a cluster works on to length 1.
    /// fn normalised(x: f32) -> f32 {
    ///     x / group::cluster().reduce_add(x * x).sqrt()
    /// }
    /// ```
    reduce_add add_two ReduceNumber;
    /// The minimum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    /// Collective, as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The longest step that is stable for all of the cluster's cells.
    /// fn time_step(width: f32, speed: f32) -> f32 {
    ///     group::cluster().reduce_min(0.5 * width / speed)
    /// }
    /// ```
    reduce_min min_two ReduceNumber;
    /// The maximum of the values of all threads, in each of them. With floats, it is NaN only if all values are NaN.
    /// Collective, as [`reduce`](Self::reduce).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The softmax over a row of which each thread of the cluster has an element.
    /// fn softmax(x: f32) -> f32 {
    ///     let cluster = group::cluster();
    ///     let power = (x - cluster.reduce_max(x)).exp();
    ///     power / cluster.reduce_add(power)
    /// }
    /// ```
    reduce_max max_two ReduceNumber;
}
