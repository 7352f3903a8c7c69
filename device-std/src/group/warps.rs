//! Reductions and scans of a block, whose number of threads may be known to the compiler.
//!
//! Warps combine their lanes' values by shuffles, and then each thread the warps' results, which pass
//! through shared memory: 32 slots for each type.
//!
//! Safe code can misuse a collective function, so a slot may be read that nobody has written. Slots are
//! therefore written and read in words, by inline PTX, which any bytes may come from, and the result is
//! made a valid value.

use super::coalesced::Coalesced;
use super::lanes::LaneGroup;
use super::number::{ReduceBits, ReduceNumber};
use super::tile::Tile;
use crate::shared::Shared;
use crate::{DeviceCopy, block, intrinsics, intrinsics::Word, thread, warp};
use core::mem::MaybeUninit;

/// How many threads a block has.
pub(super) trait Threads: Copy {
    /// The number.
    fn threads(self) -> u32;

    /// The number of this warp. If the number of warps is known, the compiler knows that this one is below it.
    fn this_warp(self) -> u32;

    /// How many warps there are, if the compiler knows it and all of them are whole.
    fn whole_warps(self) -> Option<u32>;

    /// The end of a loop over warps that needs to go to `end` only: `end`, or, if the compiler knows how many warps
    /// there are, that number, so that the loop is unrolled.
    fn loop_end(self, end: u32) -> u32;
}

/// A number that the launch sets.
#[derive(Clone, Copy)]
pub(super) struct AnyNumber;

impl Threads for AnyNumber {
    #[inline(always)]
    #[track_caller]
    fn threads(self) -> u32 {
        block::threads()
    }

    #[inline(always)]
    #[track_caller]
    fn this_warp(self) -> u32 {
        warp::id()
    }

    #[inline(always)]
    fn whole_warps(self) -> Option<u32> {
        None
    }

    #[inline(always)]
    fn loop_end(self, end: u32) -> u32 {
        end
    }
}

/// The number `N`.
#[derive(Clone, Copy)]
pub(super) struct Exactly<const N: u32>;

impl<const N: u32> Threads for Exactly<N> {
    #[inline(always)]
    fn threads(self) -> u32 {
        N
    }

    #[inline(always)]
    #[track_caller]
    fn this_warp(self) -> u32 {
        let number = warp::id();
        // SAFETY: the block has `N` threads: `Block::sized` has checked it.
        unsafe { core::hint::assert_unchecked(number < N.div_ceil(warp::SIZE)) };
        number
    }

    #[inline(always)]
    fn whole_warps(self) -> Option<u32> {
        N.is_multiple_of(warp::SIZE).then_some(N / warp::SIZE)
    }

    #[inline(always)]
    fn loop_end(self, _: u32) -> u32 {
        N.div_ceil(warp::SIZE)
    }
}

/// The warps of the block.
#[inline(always)]
#[track_caller]
fn warps(block: impl Threads) -> u32 {
    block.threads().div_ceil(warp::SIZE)
}

/// The threads of this warp; the last warp of a block may have fewer than 32.
#[inline(always)]
#[track_caller]
fn this_warp(block: impl Threads) -> Coalesced {
    let mask = if block.threads().is_multiple_of(warp::SIZE) {
        warp::FULL
    } else {
        let rest = block.threads().wrapping_sub(warp::id().wrapping_mul(warp::SIZE));
        if rest >= warp::SIZE { warp::FULL } else { (1u32 << rest).wrapping_sub(1) }
    };
    Coalesced::new(mask, warp::id(), warps(block))
}

/// This warp, which has 32 threads.
#[inline(always)]
#[track_caller]
fn whole_warp(block: impl Threads) -> Tile<{ warp::SIZE }> {
    Tile::new(warp::id(), warps(block))
}

/// Calls `work` with this warp as the group that costs least: `work!(group)` is written out for both types.
macro_rules! with_warp {
    ($block:expr, |$group:ident| $work:expr) => {{
        let warp = this_warp($block);
        if warp.size() == warp::SIZE {
            let $group = whole_warp($block);
            $work
        } else {
            let $group = warp;
            $work
        }
    }};
}

/// The values of all threads, combined; in each thread.
#[inline(always)]
#[track_caller]
pub(super) fn reduce<T: DeviceCopy>(
    block: impl Threads,
    value: T,
    combine: impl Fn(T, T) -> T,
) -> T {
    let own = with_warp!(block, |warp| warp.reduce(value, &combine));
    across_warps(block, own, combine)
}

/// What a reduction by name needs: the hardware's, if there is one, within warps.
macro_rules! by_name {
    ($($name:ident $within:ident $across:ident $bound:ident;)*) => {$(
        #[inline(always)]
        #[track_caller]
        pub(super) fn $name<T: $bound>(block: impl Threads, value: T) -> T {
            let own = with_warp!(block, |warp| T::$within(warp, value));
            across_warps(block, own, T::$across)
        }
    )*};
}

by_name! {
    reduce_add sum_of add_two ReduceNumber;
    reduce_min min_of min_two ReduceNumber;
    reduce_max max_of max_two ReduceNumber;
    reduce_and and_of and_two ReduceBits;
    reduce_or or_of or_two ReduceBits;
    reduce_xor xor_of xor_two ReduceBits;
}

/// The values of all warps, combined; in each thread.
#[inline(always)]
#[track_caller]
fn across_warps<T: DeviceCopy>(block: impl Threads, own: T, combine: impl Fn(T, T) -> T) -> T {
    let slots = Slots::<T>::of_block();
    if warp::lane() == 0 {
        slots.put(warp::id(), own);
    }
    block::sync();
    let all = match block.whole_warps() {
        // By shuffles, which is less work from here on.
        Some(16) => Some(slots.reduce::<16>(combine)),
        Some(32) => Some(slots.reduce::<32>(combine)),
        _ => {
            let end = warps(block);
            slots.fold(None, end, block.loop_end(end), combine)
        }
    };
    block::sync();
    // There is a warp.
    all.unwrap_or(own)
}

/// The values of all threads, combined; in the first thread.
#[inline(always)]
#[track_caller]
pub(super) fn reduce_to_one<T: DeviceCopy>(
    block: impl Threads,
    value: T,
    combine: impl Fn(T, T) -> T,
) -> Option<T> {
    let own = with_warp!(block, |warp| warp.reduce(value, &combine));
    across_warps_to_one(block, own, combine)
}

/// Those of [`by_name`] whose result only the first thread gets.
macro_rules! by_name_to_one {
    ($($name:ident $within:ident $across:ident;)*) => {$(
        #[inline(always)]
        #[track_caller]
        pub(super) fn $name<T: ReduceNumber>(block: impl Threads, value: T) -> Option<T> {
            let own = with_warp!(block, |warp| T::$within(warp, value));
            across_warps_to_one(block, own, T::$across)
        }
    )*};
}

by_name_to_one! {
    reduce_add_to_one sum_of add_two;
    reduce_min_to_one min_of min_two;
    reduce_max_to_one max_of max_two;
}

/// The values of all warps, combined; in the first thread.
#[inline(always)]
#[track_caller]
fn across_warps_to_one<T: DeviceCopy>(
    block: impl Threads,
    own: T,
    combine: impl Fn(T, T) -> T,
) -> Option<T> {
    let slots = Slots::<T>::of_block();
    if warp::lane() == 0 {
        slots.put(warp::id(), own);
    }
    block::sync();
    let all = (thread::rank() == 0).then(|| {
        let end = warps(block);
        // There is a warp.
        slots.fold(None, end, block.loop_end(end), combine).unwrap_or(own)
    });
    block::sync();
    all
}

/// The values of the threads up to this one, combined.
#[inline(always)]
#[track_caller]
pub(super) fn inclusive_scan<T: DeviceCopy>(
    block: impl Threads,
    value: T,
    combine: impl Fn(T, T) -> T,
) -> T {
    let (slots, own) = scan_of_warp(block, value, &combine);
    let end = block.this_warp();
    let before = slots.fold_before(block, None, end, &combine);
    block::sync();
    match before {
        None => own,
        Some(before) => combine(before, own),
    }
}

/// `initial` and the values of the threads before this one, combined.
#[inline(always)]
#[track_caller]
pub(super) fn exclusive_scan<T: DeviceCopy>(
    block: impl Threads,
    initial: T,
    value: T,
    combine: impl Fn(T, T) -> T,
) -> T {
    let (slots, own) = scan_of_warp(block, value, &combine);
    let before = with_warp!(block, |warp| warp.shuffle_up(own, 1));
    let end = block.this_warp();
    let first = slots.fold_before(block, Some(initial), end, &combine).unwrap_or(initial);
    block::sync();
    if warp::lane() == 0 { first } else { combine(first, before) }
}

/// The inclusive scan within the warp, after all warps have put their sums into the slots.
#[inline(always)]
#[track_caller]
fn scan_of_warp<T: DeviceCopy>(
    block: impl Threads,
    value: T,
    combine: impl Fn(T, T) -> T,
) -> (Slots<T>, T) {
    let own = with_warp!(block, |warp| warp.inclusive_scan(value, &combine));
    let slots = Slots::of_block();
    if warp::lane() == this_warp(block).size().wrapping_sub(1) {
        slots.put(block.this_warp(), own);
    }
    block::sync();
    (slots, own)
}

/// The value that one thread has, in all of them: that for which `function` is not `None`.
#[inline(always)]
#[track_caller]
pub(super) fn broadcast<T: DeviceCopy>(value: Option<T>) -> T {
    let slots = Slots::<T>::of_block();
    if let Some(value) = value {
        slots.put(0, value);
    }
    block::sync();
    let [value] = slots.get(0);
    block::sync();
    value
}

/// What each block of a cluster has, combined for the first `end` of them, behind `first`. All threads of the cluster
/// call it, and all of a block with the same values. It waits for the cluster twice.
#[inline(always)]
#[track_caller]
pub(super) fn fold_cluster<T: DeviceCopy>(
    own: T,
    first: Option<T>,
    end: u32,
    combine: impl Fn(T, T) -> T,
    (sync, map): (impl Fn(), impl Fn(*mut u8, u32) -> *mut u8),
) -> Option<T> {
    let slots = Slots::<T>::of_block();
    if thread::rank() == 0 {
        slots.put(0, own);
    }
    sync();
    let mut all = first;
    for rank in 0..end {
        // The same slot in another block.
        let value = Slots::<T>::get_word_by_word(map(slots.words(0).cast(), rank).cast());
        all = Some(match all {
            Some(all) => combine(all, value),
            None => value,
        });
    }
    sync();
    all
}

/// How many words a value takes in a slot.
pub(super) const fn words_of<T: DeviceCopy>() -> usize {
    Slots::<T>::WORDS
}

/// Calls `store` with each word of a value and its number.
#[inline(always)]
pub(super) fn each_word<T: DeviceCopy>(value: T, store: impl Fn(usize, u32)) {
    let slots = Slots::<T>::of_block();
    slots.put(0, value);
    for i in 0..Slots::<T>::WORDS {
        // SAFETY: a word of a slot, which is only accessed by inline PTX.
        store(i, unsafe { intrinsics::volatile_load_u32(slots.words(0).wrapping_add(i)) });
    }
}

/// The value that consists of these words.
#[inline(always)]
pub(super) fn of_words<T: DeviceCopy>(load: impl Fn(usize) -> u32) -> T {
    let mut slot = MaybeUninit::<Slot<T>>::uninit();
    let words = slot.as_mut_ptr().cast::<u32>();
    // SAFETY: writes all words of the slot. Then all bytes are numbers, which are made a value.
    unsafe {
        for i in 0..Slots::<T>::WORDS {
            words.add(i).write(load(i));
        }
        T::make_valid(slot.as_mut_ptr().cast());
        slot.assume_init().0.assume_init()
    }
}

/// A value in whole words.
#[derive(Clone, Copy)]
#[repr(C, align(4))]
struct Slot<T: Copy>(MaybeUninit<T>);

/// A slot for each warp.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct EachWarp<T: Copy>([Slot<T>; warp::SIZE as usize]);

// SAFETY: any bytes are a value.
unsafe impl<T: DeviceCopy> DeviceCopy for EachWarp<T> {}

/// A value of each warp, in shared memory.
#[derive(Clone, Copy)]
struct Slots<T: DeviceCopy>(Shared<EachWarp<T>>);

impl<T: DeviceCopy> Slots<T> {
    /// The words of a slot.
    const WORDS: usize = size_of::<Slot<T>>() / 4;

    /// Those of the type: every use ends with a barrier, so that all can use the same.
    #[inline(always)]
    fn of_block() -> Self {
        Self(crate::shared!(EachWarp<T>))
    }

    /// The first word of a slot.
    #[inline(always)]
    fn words(self, index: u32) -> *mut u32 {
        let first = self.0.as_mut_ptr().cast::<Slot<T>>();
        first.wrapping_add((index % warp::SIZE) as usize).cast()
    }

    /// The address of a slot within shared memory.
    #[inline(always)]
    fn address(self, index: u32) -> u32 {
        // SAFETY: it only computes.
        let first = unsafe { intrinsics::address_in_shared(self.words(0)) } as u32;
        first.wrapping_add(index % warp::SIZE * size_of::<Slot<T>>() as u32)
    }

    #[inline(always)]
    fn put(self, index: u32, value: T) {
        let to = self.address(index);
        let slot = Slot(MaybeUninit::new(value));
        for i in 0..Self::WORDS {
            // SAFETY: a word of the value, some of whose bytes may be padding; a word of the slot, which is
            // only accessed by inline PTX.
            unsafe {
                let word = (&raw const slot).cast::<Word>().add(i).read();
                intrinsics::volatile_store_shared_word(to.wrapping_add(4 * i as u32), word);
            }
        }
    }

    /// The values of `COUNT` slots; `index` is a multiple of `COUNT`, which divides 32.
    #[inline(always)]
    fn get<const COUNT: usize>(self, index: u32) -> [T; COUNT] {
        let from = self.address(index);
        let mut slots = MaybeUninit::<[Slot<T>; COUNT]>::uninit();
        let words = slots.as_mut_ptr().cast::<u32>();
        // SAFETY: words of slots, which are only accessed by inline PTX; where there are fours of them, they lie at
        // multiples of 16 bytes, as all slots do. Then all bytes are numbers, which are made values.
        unsafe {
            if (Self::WORDS * COUNT).is_multiple_of(4) {
                for i in 0..Self::WORDS * COUNT / 4 {
                    let four = load_four(from.wrapping_add(16 * i as u32));
                    words.cast::<[u32; 4]>().add(i).write(four);
                }
            } else {
                for i in 0..Self::WORDS * COUNT {
                    let word = from.wrapping_add(4 * i as u32);
                    words.add(i).write(intrinsics::volatile_load_shared_u32(word));
                }
            }
            let mut slots = slots.assume_init();
            core::array::from_fn(|i| {
                T::make_valid(slots[i].0.as_mut_ptr().cast());
                slots[i].0.assume_init()
            })
        }
    }

    /// The value of a slot of any block of the cluster, by its first word.
    #[inline(always)]
    fn get_word_by_word(from: *const u32) -> T {
        // SAFETY: a word of a slot, which is only accessed by inline PTX.
        of_words(|i| unsafe { intrinsics::volatile_load_u32(from.wrapping_add(i)) })
    }

    /// Combines the values of `WARPS` warps, in their order, in a warp that has all its lanes.
    #[inline(always)]
    #[track_caller]
    fn reduce<const WARPS: u32>(self, combine: impl Fn(T, T) -> T) -> T {
        let [value] = self.get(warp::lane() % WARPS);
        Tile::<WARPS>::new(0, 1).reduce(value, combine)
    }

    /// Combines `first` with the values of the first `end` warps, those before this warp, in order.
    #[inline(always)]
    fn fold_before(
        self,
        block: impl Threads,
        first: Option<T>,
        end: u32,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        match block.whole_warps() {
            // Larger ones would take too many registers.
            Some(4) if Self::WORDS <= 2 => self.fold_few::<4>(first, end, combine),
            Some(8) if Self::WORDS <= 2 => self.fold_few::<8>(first, end, combine),
            _ => self.fold(first, end, block.loop_end(end), combine),
        }
    }

    /// The same for a block of `WARPS` warps, four or eight: computes the running results of all warps but the last,
    /// and selects the one for `end` by its bits. The last warp needs all of them anyway. Comparing `end` with each
    /// number would take more predicate registers than there are.
    #[inline(always)]
    fn fold_few<const WARPS: usize>(
        self,
        first: Option<T>,
        end: u32,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        let halves: [[T; 4]; 2] = [self.get(0), self.get(if WARPS > 4 { 4 } else { 0 })];
        let value = |warp: usize| halves[warp / 4 % 2][warp % 4];
        // By the number of warps.
        let mut sums = [first.unwrap_or(value(0)); WARPS];
        for warp in 0..WARPS - 1 {
            sums[warp + 1] = match (warp, first) {
                (0, None) => value(0),
                _ => combine(sums[warp], value(warp)),
            };
        }
        let (mut bit, mut left) = (0, WARPS / 2);
        while left > 0 {
            for pair in 0..left {
                let second = end >> bit & 1 == 1;
                sums[pair] = if second { sums[2 * pair + 1] } else { sums[2 * pair] };
            }
            (bit, left) = (bit + 1, left / 2);
        }
        // Before the first warp, there is none.
        if end == 0 { first } else { Some(sums[0]) }
    }

    /// Combines the values of the first `end` warps, in their order, behind `first`. The loop goes on to `loop_end`,
    /// which is not below `end`.
    #[inline(always)]
    fn fold(
        self,
        first: Option<T>,
        end: u32,
        loop_end: u32,
        combine: impl Fn(T, T) -> T,
    ) -> Option<T> {
        let (mut all, mut warp) = (first, 0u32);
        let mut add = |value, number| {
            if number < end {
                all = Some(match all {
                    Some(all) => combine(all, value),
                    None => value,
                });
            }
        };
        while warp < loop_end {
            // Larger ones would take too many registers.
            if Self::WORDS <= 4 {
                let values: [T; 4] = self.get(warp);
                for (number, value) in (warp..).zip(values) {
                    add(value, number);
                }
                warp = warp.wrapping_add(4);
            } else {
                let [value] = self.get(warp);
                add(value, warp);
                warp = warp.wrapping_add(1);
            }
        }
        all
    }
}

/// Four words at an address within shared memory, a multiple of 16.
///
/// # Safety
/// They are only accessed by inline PTX.
#[inline(always)]
#[track_caller]
unsafe fn load_four(from: u32) -> [u32; 4] {
    crate::__ptx! {
        device {
            let mut words = [0u32; 4];
            // SAFETY: the caller's promise.
            unsafe {
                core::arch::asm!(
                    "//__ptyx_ptx arch=sm_70 ptx=63",
                    "ld.volatile.shared.v4.b32 {{{}, {}, {}, {}}}, [{from}];",
                    lateout(reg) words[0],
                    lateout(reg) words[1],
                    lateout(reg) words[2],
                    lateout(reg) words[3],
                    from = in(reg) from,
                    options(readonly, nostack, preserves_flags),
                );
            }
            words
        }
        host {
            let _ = from;
            crate::intrinsics::on_the_host()
        }
    }
}
