//! What a program sees of the machine that it runs on.

use crate::library::Trace;
use core::sync::atomic::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64,
};
use ptyx::DeviceCopy;

/// Threads in a block.
pub const THREADS: u32 = 64;

/// What a thread computes.
pub type Out = [u64; 8];

/// Atomics of a type.
pub const CELLS: usize = 6;

/// Atomics that threads share: [`CELLS`] of each type, one for each family of operations that gives
/// the same in any order.
#[derive(Debug, Default)]
#[repr(C)]
#[expect(missing_docs, reason = "named by their types")]
pub struct Cells {
    pub u64: [AtomicU64; CELLS],
    pub i64: [AtomicI64; CELLS],
    pub u32: [AtomicU32; CELLS],
    pub i32: [AtomicI32; CELLS],
    pub u16: [AtomicU16; CELLS],
    pub i16: [AtomicI16; CELLS],
    pub u8: [AtomicU8; CELLS],
    pub i8: [AtomicI8; CELLS],
    // What would be padding.
    rest: [AtomicU32; 1],
}

impl Cells {
    /// The words that they take.
    pub const WORDS: usize = size_of::<Cells>() / 8;
    /// What stands in each of these words before a launch.
    pub const START: u64 = 0x7f5a_3c81_00ff_a5e7;

    /// Atomics that stand in some memory.
    ///
    /// # Safety
    /// `words` are [`Cells::WORDS`] of them, which are accessed atomically only for as long as `'a`.
    pub unsafe fn at<'a>(words: *mut u64) -> &'a Cells {
        const { assert!(size_of::<Cells>().is_multiple_of(8) && align_of::<Cells>() == 8) };
        // SAFETY: the caller's; any bits are values of these types.
        unsafe { &*words.cast() }
    }
}

/// A generated program.
pub trait Program: 'static {
    /// What it was made from.
    const SEED: u64;
    /// Whether its threads meet.
    const COLLECTIVE: bool;
    /// Whether it may panic.
    const PANICS: bool;
    /// An argument that the launch passes by value.
    type Arg: Copy + Send + 'static;
    /// The value of that argument.
    fn arg() -> Self::Arg;
    /// What every thread runs.
    fn run<W: World>(w: &W, arg: Self::Arg, input: &[u64], trace: &Trace, out: &mut Out);
}

/// The operations of [`ptyx::device::warp`] that fold a number over the lanes of a mask.
macro_rules! reductions {
    ($macro:ident) => {
        $macro! {
            reduce_add: |a: u32, b: u32| a.wrapping_add(b);
            reduce_and: |a: u32, b: u32| a & b;
            reduce_or: |a: u32, b: u32| a | b;
            reduce_xor: |a: u32, b: u32| a ^ b;
            reduce_min: |a: u32, b: u32| a.min(b);
            reduce_max: |a: u32, b: u32| a.max(b);
        }
    };
}
pub(crate) use reductions;

macro_rules! declare_reductions {
    ($($name:ident: $fold:expr;)*) => {
        $(
            /// The value of every lane in `mask`, folded.
            fn $name(&self, mask: u32, value: u32) -> u32;
        )*
    };
}

/// Where a thread is, and how it meets others.
pub trait World {
    /// The thread's number in its block.
    fn thread(&self) -> u32;
    /// The block's number.
    fn block(&self) -> u32;
    /// The thread's number in its warp.
    fn lane(&self) -> u32 {
        self.thread() % 32
    }

    /// Waits for all threads of the block.
    fn sync(&self);
    /// In how many threads of the block `predicate` holds.
    fn sync_count(&self, predicate: bool) -> u32;
    /// Whether `predicate` holds in all threads of the block.
    fn sync_and(&self, predicate: bool) -> bool;
    /// Whether `predicate` holds in a thread of the block.
    fn sync_or(&self, predicate: bool) -> bool;

    /// Puts a value into a place of the block's memory; each type has its own.
    fn put<T: DeviceCopy>(&self, index: u32, value: T);
    /// The value in such a place. It has been put there, with a barrier between.
    fn get<T: DeviceCopy>(&self, index: u32) -> T;

    /// As the function of the warp library with this name.
    fn shuffle<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, lane: u32) -> T;
    /// As the function of the warp library with this name.
    fn shuffle_up<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T;
    /// As the function of the warp library with this name.
    fn shuffle_down<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T;
    /// As the function of the warp library with this name.
    fn shuffle_xor<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, flip: u32) -> T;
    /// The lanes of `mask` in which `predicate` holds.
    fn ballot(&self, mask: u32, predicate: bool) -> u32;
    /// Whether `predicate` holds in all lanes of `mask`.
    fn all(&self, mask: u32, predicate: bool) -> bool;
    /// Whether `predicate` holds in a lane of `mask`.
    fn any(&self, mask: u32, predicate: bool) -> bool;
    /// Whether `predicate` is the same in all lanes of `mask`.
    fn uniform(&self, mask: u32, predicate: bool) -> bool;
    /// The lanes of `mask` with this value.
    fn match_any(&self, mask: u32, value: u32) -> u32;
    /// The lanes of `mask` with this value.
    fn match_any_64(&self, mask: u32, value: u64) -> u32;
    reductions!(declare_reductions);

    /// Atomics of the block.
    fn block_cells(&self) -> &Cells;
    /// Atomics of the whole launch, which all blocks change.
    fn grid_cells(&self) -> &Cells;
}
