//! The world of a kernel.

use crate::library::Trace;
use crate::world::{Cells, Out, Program, THREADS, World, reductions};
use ptyx::device::shared::Shared;
use ptyx::device::warp::Segment;
use ptyx::prelude::*;

/// A thread of a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Device<'a> {
    grid: &'a Cells,
}

/// The kernel of every program: one word array for each thread, in the order of threads. `cells`
/// are the [`Cells`] of the launch.
#[kernel]
pub fn run<P: Program>(arg: P::Arg, input: &[u64], cells: SliceMut<u64>, out: SliceMut<Out>) {
    // SAFETY: so many words, as the host made them; nothing else is done with them.
    let world = Device { grid: unsafe { Cells::at(cells.as_mut_ptr()) } };
    let trace = Trace::new();
    let mut mine = Out::default();
    P::run(&world, arg, input, &trace, &mut mine);
    mine[7] ^= trace.get();
    let index = block::x() * THREADS + thread::x();
    // SAFETY: each thread has an index of its own.
    unsafe { out.write(index as usize, mine) }
}

/// Shared memory for values of type `T`, one for each thread.
fn places<T: DeviceCopy>() -> Shared<[T; THREADS as usize]> {
    shared!([T; THREADS as usize])
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

impl World for Device<'_> {
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
        warp::shuffle(Segment::of_width(width).among(mask), value, lane)
    }

    fn shuffle_up<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T {
        warp::shuffle_up(Segment::of_width(width).among(mask), value, delta)
    }

    fn shuffle_down<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, delta: u32) -> T {
        warp::shuffle_down(Segment::of_width(width).among(mask), value, delta)
    }

    fn shuffle_xor<T: DeviceCopy>(&self, mask: u32, width: u32, value: T, flip: u32) -> T {
        warp::shuffle_xor(Segment::of_width(width).among(mask), value, flip)
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

    fn block_cells(&self) -> &Cells {
        // SAFETY: memory of the block, which is used for nothing else.
        unsafe { Cells::at(shared!([u64; Cells::WORDS]).as_mut_ptr().cast()) }
    }

    fn grid_cells(&self) -> &Cells {
        self.grid
    }
}
