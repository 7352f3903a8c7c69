//! The block as a group.
//!
//! Warps combine their lanes' values by shuffles, and then each thread the warps' results, which pass
//! through shared memory: 32 slots for each type.
//!
//! Safe code can misuse a collective function, so a slot may be read that nobody has written. Slots are
//! therefore written and read in words, by inline PTX, which any bytes may come from, and the result is
//! made a valid value.

use super::coalesced::Coalesced;
use super::lanes::LaneGroup;
use super::tile::{Tile, tile};
use crate::shared::Shared;
use crate::{DeviceCopy, Dim3, block, intrinsics, intrinsics::Word, thread, warp};
use core::mem::MaybeUninit;

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
        let warp = this_warp();
        let own = if warp.size() == warp::SIZE {
            whole_warp().reduce(value, &combine)
        } else {
            warp.reduce(value, &combine)
        };
        let slots = Slots::<T>::of_block();
        if warp::lane() == 0 {
            slots.put(warp::id(), own);
        }
        block::sync();
        let all = slots.fold(slots.get(0), 1..warps(), combine);
        block::sync();
        all
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
        let (slots, own) = scan_of_warp(value, &combine);
        let own = match warp::id() {
            0 => own,
            warp => combine(slots.fold(slots.get(0), 1..warp, &combine), own),
        };
        block::sync();
        own
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
        let (slots, own) = scan_of_warp(value, &combine);
        let warp = this_warp();
        let before = warp.shuffle_up(own, 1);
        let first = slots.fold(initial, 0..warp::id(), &combine);
        let result = if warp.rank() == 0 { first } else { combine(first, before) };
        block::sync();
        result
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
        let slots = Slots::<T>::of_block();
        if self.rank() == 0 {
            slots.put(0, function());
        }
        block::sync();
        let value = slots.get(0);
        block::sync();
        value
    }
}

/// The warps of the block.
#[inline(always)]
#[track_caller]
fn warps() -> u32 {
    block::threads().div_ceil(warp::SIZE)
}

/// The threads of this warp; the last warp of a block may have fewer than 32.
#[inline(always)]
#[track_caller]
fn this_warp() -> Coalesced {
    let rest = block::threads().wrapping_sub(warp::id().wrapping_mul(warp::SIZE));
    let mask = if rest >= warp::SIZE { warp::FULL } else { (1u32 << rest).wrapping_sub(1) };
    Coalesced::new(mask, warp::id(), warps())
}

/// This warp, which has 32 threads.
#[inline(always)]
#[track_caller]
fn whole_warp() -> Tile<{ warp::SIZE }> {
    Tile::new(warp::id(), warps())
}

/// The inclusive scan within the warp, after all warps have put their sums into the slots.
#[inline(always)]
#[track_caller]
fn scan_of_warp<T: DeviceCopy>(value: T, combine: impl Fn(T, T) -> T) -> (Slots<T>, T) {
    let warp = this_warp();
    let own = if warp.size() == warp::SIZE {
        whole_warp().inclusive_scan(value, combine)
    } else {
        warp.inclusive_scan(value, combine)
    };
    let slots = Slots::of_block();
    if warp.rank() == warp.size().wrapping_sub(1) {
        slots.put(warp::id(), own);
    }
    block::sync();
    (slots, own)
}

/// A value in whole words.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
struct Slot<T: Copy>(MaybeUninit<T>);

// SAFETY: any bytes are a value.
unsafe impl<T: DeviceCopy> DeviceCopy for Slot<T> {}

/// A value of each warp, in shared memory.
#[derive(Clone, Copy)]
struct Slots<T: DeviceCopy>(Shared<[Slot<T>; warp::SIZE as usize]>);

impl<T: DeviceCopy> Slots<T> {
    /// Those of the type: every use ends with a barrier, so that all can use the same.
    #[inline(always)]
    fn of_block() -> Self {
        Self(crate::shared!([Slot<T>; warp::SIZE as usize]))
    }

    /// The first word of a slot, and how many it has.
    #[inline(always)]
    fn words(self, index: u32) -> (*mut u32, usize) {
        let first = self.0.as_mut_ptr().cast::<Slot<T>>();
        (first.wrapping_add((index % warp::SIZE) as usize).cast(), size_of::<Slot<T>>() / 4)
    }

    #[inline(always)]
    fn put(self, index: u32, value: T) {
        let (to, count) = self.words(index);
        let slot = Slot(MaybeUninit::new(value));
        for i in 0..count {
            // SAFETY: a word of the value, some of whose bytes may be padding; a word of the slot, which is
            // only accessed by inline PTX.
            unsafe {
                let word = (&raw const slot).cast::<Word>().add(i).read();
                intrinsics::volatile_store_word(to.add(i), word);
            }
        }
    }

    #[inline(always)]
    fn get(self, index: u32) -> T {
        let (from, count) = self.words(index);
        let mut slot = MaybeUninit::<Slot<T>>::uninit();
        // SAFETY: words of a slot, which is only accessed by inline PTX; then all bytes are numbers, which
        // are made a value.
        unsafe {
            for i in 0..count {
                let word = intrinsics::volatile_load_u32(from.add(i));
                slot.as_mut_ptr().cast::<u32>().add(i).write(word);
            }
            T::make_valid(slot.as_mut_ptr().cast());
            slot.assume_init().0.assume_init()
        }
    }

    /// Combines the values of some warps, in their order, behind `first`.
    #[inline(always)]
    fn fold(self, first: T, warps: core::ops::Range<u32>, combine: impl Fn(T, T) -> T) -> T {
        let mut all = first;
        let mut warp = warps.start;
        while warp < warps.end {
            all = combine(all, self.get(warp));
            warp = warp.wrapping_add(1);
        }
        all
    }
}
