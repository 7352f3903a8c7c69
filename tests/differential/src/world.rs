//! What a program sees of the machine that it runs on.

use crate::library::Trace;
use ptyx::DeviceCopy;

/// Threads in a block.
pub const THREADS: u32 = 64;

/// What a thread computes.
pub type Out = [u64; 8];

/// A generated program.
pub trait Program: 'static {
    /// What it was made from.
    const SEED: u64;
    /// Whether its threads meet.
    const COLLECTIVE: bool;
    /// Whether it may panic.
    const PANICS: bool;
    /// An argument that the launch passes by value.
    type Arg: Copy + 'static;
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

/// The atomic operations on [`World::counter`]s: what becomes of the old value `a` and `b`.
macro_rules! counter_operations {
    ($macro:ident) => {
        $macro! {
            counter_add fetch_add: |a: u32, b: u32| a.wrapping_add(b);
            counter_and fetch_and: |a: u32, b: u32| a & b;
            counter_or fetch_or: |a: u32, b: u32| a | b;
            counter_xor fetch_xor: |a: u32, b: u32| a ^ b;
            counter_min fetch_min: |a: u32, b: u32| a.min(b);
            counter_max fetch_max: |a: u32, b: u32| a.max(b);
        }
    };
}
pub(crate) use counter_operations;

macro_rules! declare_reductions {
    ($($name:ident: $fold:expr;)*) => {
        $(
            /// The value of every lane in `mask`, folded.
            fn $name(&self, mask: u32, value: u32) -> u32;
        )*
    };
}

macro_rules! declare_counters {
    ($($name:ident $method:ident: $change:expr;)*) => {
        $(
            /// Changes a counter in one step.
            fn $name(&self, index: u32, value: u32);
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

    /// Sets the block's four counters, and waits for all of its threads.
    fn counters_start(&self, value: u32);
    /// A counter's value.
    fn counter(&self, index: u32) -> u32;
    counter_operations!(declare_counters);
    /// Adds by a loop of compare-and-exchange.
    fn counter_count_cas(&self, index: u32, value: u32);
}
