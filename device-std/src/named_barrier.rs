//! Named barriers: some warps of a block wait for each other while the others continue (PTX ISA,
//! [`barrier.sync`, `barrier.arrive`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar), `sm_70`).

use crate::intrinsics;

/// The first barrier that is free: 0 is [`block::sync`](crate::block::sync)'s, and safe views of shared memory
/// rely on 1 and 2 ([`crate::shared`]).
const FIRST: u32 = 4;

/// One past the last barrier of a block.
const END: u32 = 16;

/// The size of the largest block.
const MAX_THREADS: u32 = 1024;

/// One of the barriers 4 to 15 of the block, for a number of its threads.
///
/// When that number of threads has arrived, by [`sync`](Self::sync) or [`arrive`](Self::arrive), the waiting
/// threads continue, and the barrier starts again. It counts whole warps: a warp that arrives counts as 32
/// threads, and all of its threads that have not returned must arrive together. All threads that use the same
/// barrier at the same time must give it the same count. A mistake makes threads wait forever (the emulated device
/// reports it, a GPU hangs or fails the launch). It can't break memory safety, because no safe view relies on
/// these barriers.
///
/// What threads wrote before they arrived is visible to the threads that waited.
///
/// PTX [`barrier.cta`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar), on every device that
/// Ptyx supports (`sm_70`).
///
/// ```
/// use ptyx::device::block::NamedBarrier;
/// use ptyx::prelude::*;
///
/// /// Launched with 64 threads: the first warp produces values, the second consumes them.
/// #[kernel]
/// fn produce_and_consume(x: &[u32], mut y: Disjoint<u32>) {
///     let tile = shared!([u32; 32]).cells(0);
///     let (full, lane) = (NamedBarrier::new(4, 64), warp::lane() as usize);
///     if thread::x() < 32 {
///         tile.set(lane, x[lane] * 2);
///         full.arrive(); // and continues
///     } else {
///         full.sync();
///         y[thread::index_1d()] = tile.get(lane);
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedBarrier {
    number: u32,
    threads: u32,
}

impl NamedBarrier {
    /// Barrier `number` of the block, for `threads` threads.
    ///
    /// If both are constants, the checks and their panics are optimised away. If the number is not a constant, the
    /// kernel reserves all 16 barriers, and fewer blocks may run at a time.
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    /// const HALVES: [NamedBarrier; 2] = [NamedBarrier::new(4, 128), NamedBarrier::new(5, 128)];
    /// assert_eq!(HALVES[1].threads(), 128);
    /// ```
    ///
    /// # Panics
    /// If the number is not 4 to 15: barrier 0 is that of [`block::sync`](crate::block::sync), and 1 to 3 are
    /// for safe views of shared memory and for rings. If `threads` is 0, not a multiple of 32, or more than 1024.
    #[inline(always)]
    #[track_caller]
    pub const fn new(number: u32, threads: u32) -> Self {
        assert!(number >= FIRST && number < END, "a named barrier has a number from 4 to 15");
        assert!(
            threads > 0 && threads <= MAX_THREADS && threads.is_multiple_of(32),
            "a named barrier is for whole warps: 32 to 1024 threads, in steps of 32"
        );
        Self { number, threads }
    }

    /// The barrier's number.
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    ///
    /// /// The barrier with the next number, for the same number of threads.
    /// const fn next(barrier: NamedBarrier) -> NamedBarrier {
    ///     NamedBarrier::new(barrier.number() + 1, barrier.threads())
    /// }
    /// assert_eq!(next(NamedBarrier::new(4, 64)).number(), 5);
    /// ```
    #[inline(always)]
    pub const fn number(self) -> u32 {
        self.number
    }

    /// The number of threads that the barrier waits for.
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    ///
    /// /// Whether more than half of the barrier's threads agree.
    /// fn majority(barrier: NamedBarrier, agrees: bool) -> bool {
    ///     2 * barrier.sync_count(agrees) > barrier.threads()
    /// }
    /// ```
    #[inline(always)]
    pub const fn threads(self) -> u32 {
        self.threads
    }

    /// Waits until all of the barrier's threads have arrived.
    ///
    /// PTX [`barrier.cta.sync.aligned a, b`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the opposite thread in one half of a block of 128 threads. The halves don't wait for each
    /// /// other.
    /// fn opposite(value: u32) -> u32 {
    ///     let tile = shared!([u32; 128]).cells(0);
    ///     let t = thread::x() as usize;
    ///     tile.set(t, value);
    ///     NamedBarrier::new(4 + thread::x() / 64, 64).sync();
    ///     tile.get(t ^ 63)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn sync(self) {
        // SAFETY: has no effect on memory but ordering.
        unsafe { intrinsics::named_sync(self.number, self.threads) }
    }

    /// Arrives at the barrier without waiting.
    ///
    /// A thread that has arrived must not use this barrier again until all of the barrier's threads have arrived.
    ///
    /// PTX [`barrier.cta.arrive.aligned a, b`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    ///
    /// /// Tells the warps that wait at the barrier that the tile is ready, without waiting for them.
    /// fn hand_over(full: NamedBarrier) {
    ///     full.arrive();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn arrive(self) {
        // SAFETY: has no effect on memory but ordering.
        unsafe { intrinsics::named_arrive(self.number, self.threads) }
    }

    /// Like [`sync`](Self::sync), and counts the threads whose `predicate` is true.
    ///
    /// All of the barrier's threads must call this method, not `sync` or `arrive`.
    ///
    /// PTX [`barrier.cta.red.popc.aligned.u32 d, a, b, p`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    ///
    /// /// How many of the 64 threads that call it have a negative value.
    /// fn negative(value: f32) -> u32 {
    ///     NamedBarrier::new(4, 64).sync_count(value < 0.0)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn sync_count(self, predicate: bool) -> u32 {
        // SAFETY: as `sync`.
        unsafe { intrinsics::named_sync_count(self.number, self.threads, predicate as u32) }
    }

    /// Like [`sync`](Self::sync), and returns whether the `predicate` of every thread is true.
    ///
    /// All of the barrier's threads must call this method, not `sync` or `arrive`.
    ///
    /// PTX [`barrier.cta.red.and.aligned.pred p, a, b, q`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    ///
    /// /// Whether all of the 64 threads that call it are done.
    /// fn all_done(done: bool) -> bool {
    ///     NamedBarrier::new(4, 64).sync_and(done)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn sync_and(self, predicate: bool) -> bool {
        // SAFETY: as `sync`.
        unsafe { intrinsics::named_sync_and(self.number, self.threads, predicate as u32) != 0 }
    }

    /// Like [`sync`](Self::sync), and returns whether the `predicate` of any thread is true.
    ///
    /// All of the barrier's threads must call this method, not `sync` or `arrive`.
    ///
    /// PTX [`barrier.cta.red.or.aligned.pred p, a, b, q`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar).
    ///
    /// ```
    /// use ptyx::device::block::NamedBarrier;
    ///
    /// /// Whether any of the 64 threads that call it has work left.
    /// fn any_left(left: u32) -> bool {
    ///     NamedBarrier::new(4, 64).sync_or(left > 0)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn sync_or(self, predicate: bool) -> bool {
        // SAFETY: as `sync`.
        unsafe { intrinsics::named_sync_or(self.number, self.threads, predicate as u32) != 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::NamedBarrier;

    #[test]
    fn numbers_and_counts_are_checked() {
        let is_refused = |number, threads| {
            std::panic::catch_unwind(|| NamedBarrier::new(number, threads)).is_err()
        };
        for (number, threads) in
            [(0, 64), (1, 64), (2, 64), (3, 64), (16, 64), (4, 0), (4, 33), (4, 1056)]
        {
            assert!(is_refused(number, threads), "{number}, {threads}");
        }
        assert!(!is_refused(4, 32) && !is_refused(15, 1024));
    }
}
