//! The methods of all groups of lanes.

use super::coalesced::Coalesced;
use super::number::{ReduceBits, ReduceNumber};
use super::sealed::Sealed;
use crate::DeviceCopy;
use crate::warp::{self, Match};

/// A group of lanes of one warp: a [`Tile`](super::Tile) or a [`Coalesced`] group.
///
/// Members have ranks from 0, in the order of their lanes. Except where it says that it does not wait, each
/// function is collective: all members must call it.
///
/// ```
/// use ptyx::device::group::LaneGroup;
/// use ptyx::prelude::*;
///
/// /// The members' mean, in each of them.
/// fn mean(group: impl LaneGroup, value: f32) -> f32 {
///     group.reduce_add(value) / group.size() as f32
/// }
///
/// /// Of four lanes, or of all that come here together.
/// fn means(value: f32) -> [f32; 2] {
///     [mean(group::tile::<4>(), value), mean(group::coalesced(), value)]
/// }
/// ```
pub trait LaneGroup: Copy + Sealed {
    /// The members' lanes: bit `i` for lane `i` of the warp. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum over the group, by a function that takes a mask.
    /// fn sum(group: impl LaneGroup, value: u32) -> u32 {
    ///     warp::reduce_add(group.mask(), value)
    /// }
    /// ```
    fn mask(self) -> u32;

    /// The number of members. Does not wait.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// Each member's share of `len` elements.
    /// fn share(group: impl LaneGroup, len: u32) -> u32 {
    ///     len.div_ceil(group.size())
    /// }
    /// ```
    #[doc(alias = "num_threads")]
    fn size(self) -> u32;

    /// How many members have lower lanes than this one. Does not wait.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// This member's part of the sum of a row, which the members divide among themselves.
    /// fn partial_sum(group: impl LaneGroup, row: &[f32]) -> f32 {
    ///     row.iter().skip(group.rank() as usize).step_by(group.size() as usize).sum()
    /// }
    /// ```
    #[doc(alias = "thread_rank")]
    fn rank(self) -> u32;

    /// This group's number among the parts of the group from which it was made. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The row that this group of four lanes works on.
    /// fn row(rows: &[[f32; 16]]) -> &[f32; 16] {
    ///     &rows[group::tile::<4>().meta_rank() as usize]
    /// }
    /// ```
    #[doc(alias = "meta_group_rank")]
    fn meta_rank(self) -> u32;

    /// The number of parts into which that group was divided. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Works on every row once, by the block's groups of eight lanes.
    /// fn for_each_row(rows: usize, work: impl Fn(group::Tile<8>, usize)) {
    ///     let tile = group::tile::<8>();
    ///     for row in (tile.meta_rank() as usize..rows).step_by(tile.meta_size() as usize) {
    ///         work(tile, row);
    ///     }
    /// }
    /// ```
    #[doc(alias = "meta_group_size")]
    fn meta_size(self) -> u32;

    /// Of a set of lanes of the warp, the set of ranks: bit `i` for the member of rank `i`.
    #[doc(hidden)]
    fn ranks_of(self, lanes: u32) -> u32;

    /// The value of the member of a rank (modulo the size).
    ///
    /// PTX [`shfl.sync.idx`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The value of the next member; the last one gets that of the first.
    /// fn next(group: impl LaneGroup, value: f32) -> f32 {
    ///     group.shuffle(value, group.rank() + 1)
    /// }
    /// ```
    #[doc(alias = "shfl")]
    fn shuffle<T: DeviceCopy>(self, value: T, rank: u32) -> T;

    /// The value of the member whose rank is lower by `delta`. Members of lower ranks than `delta` keep their
    /// own value.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// Whether the members' keys ascend.
    /// fn ascend(group: impl LaneGroup, key: u32) -> bool {
    ///     group.all(group.shuffle_up(key, 1) <= key)
    /// }
    /// ```
    #[doc(alias = "shfl_up")]
    fn shuffle_up<T: DeviceCopy>(self, value: T, delta: u32) -> T;

    /// The value of the member whose rank is higher by `delta`. The `delta` members of the highest ranks keep
    /// their own value.
    ///
    /// PTX [`shfl.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-shfl-sync).
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// Differences of neighbours; 0 in the last member.
    /// fn difference(group: impl LaneGroup, value: f32) -> f32 {
    ///     group.shuffle_down(value, 1) - value
    /// }
    /// ```
    #[doc(alias = "shfl_down")]
    fn shuffle_down<T: DeviceCopy>(self, value: T, delta: u32) -> T;

    /// Combines the members' values; each member gets the result.
    ///
    /// `combine` must be associative. Values are combined in pairs, then in fours, and so on, in the order
    /// of ranks: it takes as many shuffles as the size has binary digits, for each 32 bits of a value.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The greatest score and the rank of the first member that has it.
    /// fn best(group: impl LaneGroup, score: f32) -> (f32, u32) {
    ///     group.reduce((score, group.rank()), |a, b| if b.0 > a.0 { b } else { a })
    /// }
    /// ```
    fn reduce<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T;

    /// Waits for the members. What each wrote before is then visible to all of them.
    ///
    /// PTX [`bar.warp.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-bar-warp-sync).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The value of the other lane of each pair, by shared memory.
    /// fn partner(value: f32) -> f32 {
    ///     let (pair, own) = (group::tile::<2>(), thread::rank() as usize);
    ///     let values = shared!([f32; 1024]).cells(0.0);
    ///     values.set(own, value);
    ///     pair.sync();
    ///     values.get(own ^ 1)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn sync(self) {
        warp::sync(self.mask());
    }

    /// Whether `predicate` holds in every member.
    ///
    /// PTX [`vote.sync.all`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync).
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// Repeats a step until it has converged for all members.
    /// fn iterate(group: impl LaneGroup, mut step: impl FnMut() -> f32) {
    ///     while !group.all(step() < 1e-6) {}
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn all(self, predicate: bool) -> bool {
        warp::all(self.mask(), predicate)
    }

    /// Whether `predicate` holds in some member.
    ///
    /// PTX [`vote.sync.any`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync).
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// Whether a list contains a number: each step compares as many elements as there are members.
    /// fn contains(group: impl LaneGroup, list: &[u32], number: u32) -> bool {
    ///     list.chunks(group.size() as usize)
    ///         .any(|chunk| group.any(chunk.get(group.rank() as usize) == Some(&number)))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn any(self, predicate: bool) -> bool {
        warp::any(self.mask(), predicate)
    }

    /// The members in which `predicate` holds: bit `i` for the one of rank `i`.
    ///
    /// PTX [`vote.sync.ballot`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-vote-sync).
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// How many members below this one have a positive value.
    /// fn positive_before(group: impl LaneGroup, value: f32) -> u32 {
    ///     let positive = group.ballot(value > 0.0);
    ///     (positive & ((1 << group.rank()) - 1)).count_ones()
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn ballot(self, predicate: bool) -> u32 {
        self.ranks_of(warp::ballot(self.mask(), predicate))
    }

    /// The members whose value has the same bits as this one's: bit `i` for the one of rank `i`.
    ///
    /// PTX [`match.any.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-match-sync).
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// Whether this member is the first with its key.
    /// fn is_first(group: impl LaneGroup, key: u32) -> bool {
    ///     group.match_any(key).trailing_zeros() == group.rank()
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn match_any<T: Match>(self, value: T) -> u32 {
        self.ranks_of(warp::match_any(self.mask(), value))
    }

    /// Whether the value has the same bits in every member.
    ///
    /// PTX [`match.all.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-match-sync).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Adds values to sums by key, with one addition for the whole group if all keys are equal.
    /// fn add(group: impl LaneGroup, sums: &Atomics<f32>, key: u32, value: f32) {
    ///     if group.match_all(key) {
    ///         let sum = group.reduce_add(value);
    ///         group.invoke_one(|| sums[key as usize].fetch_add(sum));
    ///     } else {
    ///         sums[key as usize].fetch_add(value);
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn match_all<T: Match>(self, value: T) -> bool {
        warp::match_all(self.mask(), value)
    }

    /// The sum of the members' values, in each of them. Sums of integers wrap around.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn sum(values: &[u32], total: Atomics<u32>) {
    ///     let warp = group::tile::<32>();
    ///     let sum = warp.reduce_add(values[thread::index_1d().get()]);
    ///     warp.invoke_one(|| total[0].fetch_add(sum));
    /// }
    /// ```
    #[inline(always)]
    fn reduce_add<T: ReduceNumber>(self, value: T) -> T {
        T::sum_of(self, value)
    }

    /// The least of the members' values, in each of them. With floats, it is NaN only if all values are NaN.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The distance to the nearest of the members' points.
    /// fn nearest(group: impl LaneGroup, point: [f32; 2], to: [f32; 2]) -> f32 {
    ///     group.reduce_min((point[0] - to[0]).hypot(point[1] - to[1]))
    /// }
    /// ```
    #[inline(always)]
    fn reduce_min<T: ReduceNumber>(self, value: T) -> T {
        T::min_of(self, value)
    }

    /// The greatest of the members' values, in each of them. With floats, it is NaN only if all values are NaN.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The members' softmax: the greatest value is subtracted, so that no exponential overflows.
    /// fn softmax(group: impl LaneGroup, x: f32) -> f32 {
    ///     let power = (x - group.reduce_max(x)).exp();
    ///     power / group.reduce_add(power)
    /// }
    /// ```
    #[inline(always)]
    fn reduce_max<T: ReduceNumber>(self, value: T) -> T {
        T::max_of(self, value)
    }

    /// The bitwise AND of the members' values, in each of them.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The flags that every member has set.
    /// fn common(group: impl LaneGroup, flags: u32) -> u32 {
    ///     group.reduce_and(flags)
    /// }
    /// ```
    #[inline(always)]
    fn reduce_and<T: ReduceBits>(self, value: T) -> T {
        T::and_of(self, value)
    }

    /// The bitwise OR of the members' values, in each of them.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The set of the members' numbers below 64, as bits.
    /// fn occurring(group: impl LaneGroup, number: u32) -> u64 {
    ///     group.reduce_or(1 << number)
    /// }
    /// ```
    #[inline(always)]
    fn reduce_or<T: ReduceBits>(self, value: T) -> T {
        T::or_of(self, value)
    }

    /// The bitwise exclusive OR of the members' values, in each of them.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The parity word of the members' words.
    /// fn parity(group: impl LaneGroup, word: u32) -> u32 {
    ///     group.reduce_xor(word)
    /// }
    /// ```
    #[inline(always)]
    fn reduce_xor<T: ReduceBits>(self, value: T) -> T {
        T::xor_of(self, value)
    }

    /// The values of the members up to this one, combined in the order of ranks.
    ///
    /// `combine` must be associative.
    ///
    /// ```
    /// use ptyx::device::group::LaneGroup;
    ///
    /// /// The running maximum.
    /// fn highest_so_far(group: impl LaneGroup, value: i32) -> i32 {
    ///     group.inclusive_scan(value, |a, b| a.max(b))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn inclusive_scan<T: DeviceCopy>(self, value: T, combine: impl Fn(T, T) -> T) -> T {
        let (mut value, mut distance) = (value, 1u32);
        while distance < self.size() {
            let before = self.shuffle_up(value, distance);
            if self.rank() >= distance {
                value = combine(before, value);
            }
            distance = distance.wrapping_mul(2);
        }
        value
    }

    /// `initial` and the values of the members before this one, combined in the order of ranks. `initial` comes first, as in
    /// [`Iterator::fold`].
    ///
    /// `combine` must be associative. All members pass the same `initial`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Where each thread that comes here writes its `len` elements.
    /// fn reserve(next: &Atomic<u32>, len: u32) -> u32 {
    ///     let group = group::coalesced();
    ///     let sum = group.reduce_add(len);
    ///     let first = group.invoke_one_broadcast(|| next.fetch_add(sum));
    ///     group.exclusive_scan(first, len, |a, b| a + b)
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn exclusive_scan<T: DeviceCopy>(self, initial: T, value: T, combine: impl Fn(T, T) -> T) -> T {
        let before = self.shuffle_up(self.inclusive_scan(value, &combine), 1);
        if self.rank() == 0 { initial } else { combine(initial, before) }
    }

    /// Calls `function` in one member, that of rank 0, which gets the result; the others get `None`. Does not wait.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Counts the groups that come here.
    /// fn count(groups: &Atomic<u32>) {
    ///     group::coalesced().invoke_one(|| groups.fetch_add(1));
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn invoke_one<R>(self, function: impl FnOnce() -> R) -> Option<R> {
        (self.rank() == 0).then(function)
    }

    /// Calls `function` in one member, that of rank 0; each member gets the result.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The group's ticket.
    /// fn ticket(next: &Atomic<u32>) -> u32 {
    ///     group::tile::<32>().invoke_one_broadcast(|| next.fetch_add(1))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    fn invoke_one_broadcast<T: DeviceCopy>(self, function: impl FnOnce() -> T) -> T {
        let mut value = core::mem::MaybeUninit::zeroed();
        if self.rank() == 0 {
            value.write(function());
        }
        let value = self.shuffle(value, 0);
        // SAFETY: bytes of the member that has written it, or, if that has ended, any bytes, made valid.
        // None is uninitialised, because a shuffle's results are numbers.
        unsafe {
            let mut value = value;
            T::make_valid(value.as_mut_ptr());
            value.assume_init()
        }
    }

    /// The group of those members whose label has the same bits as this one's.
    ///
    /// Parts are numbered in the order of their first members. PTX
    /// [`match.any.sync`](https://docs.nvidia.com/cuda/parallel-thread-execution/#parallel-synchronization-and-communication-instructions-match-sync).
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn sums_by_key(keys: &[u32], values: &[f32], sums: Atomics<f32>) {
    ///     let i = thread::index_1d().get();
    ///     let same = group::tile::<32>().partition_by(keys[i]);
    ///     let sum = same.reduce_add(values[i]);
    ///     same.invoke_one(|| sums[keys[i] as usize].fetch_add(sum)); // once for each key of the warp
    /// }
    /// ```
    #[doc(alias = "labeled_partition")]
    #[inline(always)]
    #[track_caller]
    fn partition_by<T: Match>(self, label: T) -> Coalesced {
        let same = warp::match_any(self.mask(), label);
        let firsts = warp::ballot(self.mask(), same & warp::mask_lt() == 0);
        let before = (1u32 << same.trailing_zeros()).wrapping_sub(1);
        Coalesced::new(same, (firsts & before).count_ones(), firsts.count_ones())
    }

    /// The group of those members for which the predicate is the same as for this one: part 1 where it
    /// holds, part 0 where not.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn sum_positive(x: &[f32], sum: Atomics<f32>) {
    ///     let value = x[thread::index_1d().get()];
    ///     let part = group::tile::<32>().partition_if(value > 0.0);
    ///     if value > 0.0 {
    ///         let all = part.reduce_add(value);
    ///         part.invoke_one(|| sum[0].fetch_add(all));
    ///     }
    /// }
    /// ```
    #[doc(alias = "binary_partition")]
    #[inline(always)]
    #[track_caller]
    fn partition_if(self, predicate: bool) -> Coalesced {
        let holds = warp::ballot(self.mask(), predicate);
        let mask = if predicate { holds } else { self.mask() & !holds };
        Coalesced::new(mask, predicate.into(), 2)
    }
}
