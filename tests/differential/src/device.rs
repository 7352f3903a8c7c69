//! The world of a kernel.

use crate::library::Trace;
use crate::world::{Out, Program, THREADS, World, counter_operations, reductions};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use ptyx::device::shared::Shared;
use ptyx::device::warp::Segment;
use ptyx::prelude::*;

/// A thread of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Device;

/// The kernel of every program: one word array for each thread, in the order of threads.
#[kernel]
pub fn run<P: Program>(arg: P::Arg, input: &[u64], out: SliceMut<Out>) {
    let trace = Trace::new();
    let mut mine = Out::default();
    P::run(&Device, arg, input, &trace, &mut mine);
    mine[7] ^= trace.get();
    let index = block::x() * THREADS + thread::x();
    // SAFETY: each thread has an index of its own.
    unsafe { out.write(index as usize, mine) }
}

/// Shared memory for values of type `T`, one for each thread.
fn places<T: DeviceCopy>() -> Shared<[T; THREADS as usize]> {
    shared!([T; THREADS as usize])
}

fn counters() -> Shared<[u32; 4]> {
    shared!([u32; 4])
}

fn counter<'a>(index: u32) -> &'a AtomicU32 {
    // SAFETY: memory of the block, which is accessed atomically only.
    unsafe { AtomicU32::from_ptr(counters().at(index as usize).as_mut_ptr()) }
}

macro_rules! define_reductions {
    ($($name:ident: $fold:expr;)*) => {
        $(
            fn $name(&self, mask: u32, value: u32) -> u32 {
                warp::$name(mask, value)
            }
        )*
    };
}

macro_rules! define_counters {
    ($($name:ident $method:ident: $change:expr;)*) => {
        $(
            fn $name(&self, index: u32, value: u32) {
                counter(index).$method(value, Relaxed);
            }
        )*
    };
}

impl World for Device {
    fn thread(&self) -> u32 {
        thread::x()
    }

    fn block(&self) -> u32 {
        block::x()
    }

    fn lane(&self) -> u32 {
        warp::lane()
    }

    fn sync(&self) {
        block::sync();
    }

    fn sync_count(&self, predicate: bool) -> u32 {
        block::sync_count(predicate)
    }

    fn sync_and(&self, predicate: bool) -> bool {
        block::sync_and(predicate)
    }

    fn sync_or(&self, predicate: bool) -> bool {
        block::sync_or(predicate)
    }

    fn put<T: DeviceCopy>(&self, index: u32, value: T) {
        // SAFETY: programs put barriers between what different threads do with a place.
        unsafe { places::<T>().at(index as usize).write(value) }
    }

    fn get<T: DeviceCopy>(&self, index: u32) -> T {
        // SAFETY: as above; programs put a value there first.
        unsafe { places::<T>().at(index as usize).read() }
    }

    fn shuffle<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, lane: u32) -> T {
        warp::shuffle(Segment::of(width, mask), value, lane)
    }

    fn shuffle_up<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T {
        warp::shuffle_up(Segment::of(width, mask), value, delta)
    }

    fn shuffle_down<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T {
        warp::shuffle_down(Segment::of(width, mask), value, delta)
    }

    fn shuffle_xor<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, flip: u32) -> T {
        warp::shuffle_xor(Segment::of(width, mask), value, flip)
    }

    fn ballot(&self, mask: u32, predicate: bool) -> u32 {
        warp::ballot(mask, predicate)
    }

    fn all(&self, mask: u32, predicate: bool) -> bool {
        warp::all(mask, predicate)
    }

    fn any(&self, mask: u32, predicate: bool) -> bool {
        warp::any(mask, predicate)
    }

    fn uniform(&self, mask: u32, predicate: bool) -> bool {
        warp::uniform(mask, predicate)
    }

    fn match_any(&self, mask: u32, value: u32) -> u32 {
        warp::match_any(mask, value)
    }

    fn match_any_64(&self, mask: u32, value: u64) -> u32 {
        warp::match_any(mask, value)
    }

    reductions!(define_reductions);

    fn counters_start(&self, value: u32) {
        if thread::x() < 4 {
            counter(thread::x()).store(value, Relaxed);
        }
        block::sync();
    }

    fn counter(&self, index: u32) -> u32 {
        counter(index).load(Relaxed)
    }

    counter_operations!(define_counters);

    fn counter_count_cas(&self, index: u32, value: u32) {
        let counter = counter(index);
        let mut old = counter.load(Relaxed);
        while let Err(now) =
            counter.compare_exchange_weak(old, old.wrapping_add(value), Relaxed, Relaxed)
        {
            old = now;
        }
    }
}
