//! Initialises the elements of safe views: every element is written before a thread reads any.
//!
//! Shared memory starts with arbitrary contents, and a view can be read as soon as it exists. So a thread
//! may leave [`fill`] only when *every* element of *its own* place has been written. This must hold
//! whatever safe code did before:
//! - threads may have returned or panicked, so the remaining threads must write all elements;
//! - only some threads may call, or some create a view of one place while others create one of another;
//! - the lanes of one warp may pass different places (`rows.at(lane)`);
//! - other threads of the block may wait at a `block::sync` elsewhere: a barrier completes when all
//!   threads are at *some* barrier of that number, so it says nothing about what they did before.
//!
//! There are three sound ways.
//! 1. *The active lanes of a warp write all elements*, and wait for each other at a warp barrier with
//!    the mask that `activemask` returned. All of them executed that one instruction, so all of them
//!    write their part before any passes the barrier. Lanes outside the mask don't matter. The lanes
//!    compare their places first. If the places differ, each lane writes all of its own place.
//! 2. *Each thread of the block writes a part*, and the threads verify that all did. Each stores the name
//!    of the place that it wrote in a word that all views share, and is counted at a barrier that has no
//!    other use. Then each thread checks the word and the count. At a second such barrier it tells the
//!    others whether all threads of the block were counted and the word named its own place. If all
//!    agree, all wrote the same place. Between the two barriers no thread can change the word, because
//!    all threads are here. If they don't agree, all of them continue with way 1.
//!
//! 3. *Each thread of the block writes a part*, and waits for the block, where the compiler knows that all of them
//!    come here: no thread can have returned or panicked before, and all of them come to the same barriers of the
//!    block before this one, in the same order (`compiler/src/optimise/answer_fills.rs`).
//!
//! Both barriers of way 2 count (`barrier.red.popc`, which "performs a reduction across threads" and
//! is enforced per thread from `sm_70` on: CUDA C++ Programming Guide, "Synchronization Functions").
//!
//! Way 1 needs no barrier besides the one that makes the elements visible to all threads, but up to 32
//! times the stores. Way 2 needs a second barrier, one store and one load. Way 1 is used for few elements.
//! Way 3 has the stores of way 2 and the barrier of way 1.
//!
//! Memory that was written stays initialised. Several views of the same bytes, also of different types,
//! can show each other's values: for example, creating a second view sets elements again while other
//! threads use the first. But they never show uninitialised bytes, and every bit pattern is a valid value
//! of the types that such elements can have.

use super::Shared;
use crate::{block, intrinsics, thread, warp};
use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The barrier of [`all_did`].
const BARRIER: u32 = 1;

/// Up to this many elements, a warp writes all of them: eight stores per lane.
const FEW: usize = 8 * warp::SIZE as usize;

/// Calls `write` for every element of the place, and returns when all have been written by this
/// thread, its warp, or the whole block; then waits for the block.
#[inline(always)]
pub(super) fn fill<T>(place: Shared<[T]>, write: impl Fn(*mut T)) {
    if all_come_here(place) {
        each(place, thread::rank(), block::threads(), &write);
        block::sync();
    } else if place.len() <= FEW {
        by_warps(place, &write);
        block::sync();
    } else {
        each(place, thread::rank(), block::threads(), &write);
        if !all_did(name_of(place)) {
            by_warps(place, &write);
            block::sync();
        }
    }
}

/// Whether way 3 is possible.
#[inline(always)]
fn all_come_here<T>(place: Shared<[T]>) -> bool {
    let first = place.as_mut_ptr().cast::<T>();
    // SAFETY: a question to the compiler.
    unsafe { intrinsics::__ptyx_all_come_here(first.cast(), place.len() * size_of::<T>()) }
}

/// Way 1.
#[inline(always)]
fn by_warps<T>(place: Shared<[T]>, write: &impl Fn(*mut T)) {
    let lanes = warp::active_mask();
    let (first, step) = if warp::match_all(lanes, name_of(place)) {
        ((lanes & warp::mask_lt()).count_ones(), lanes.count_ones())
    } else {
        (0, 1)
    };
    each(place, first, step, write);
    warp::sync(lanes);
}

/// The barriers of way 2: whether all threads of the block came here, and with the same place.
#[inline(always)]
fn all_did(name: u64) -> bool {
    let agreed = crate::shared!(u64).as_mut_ptr();
    // SAFETY: aligned memory of the block, accessed here only, and only in one step.
    let agreed = unsafe { AtomicU64::from_ptr(agreed) };
    agreed.store(name, Relaxed);
    let agrees = counted(true) == block::threads() && agreed.load(Relaxed) == name;
    counted(agrees) == block::threads()
}

/// The threads for which `holds` at the barrier.
#[inline(always)]
fn counted(holds: bool) -> u32 {
    // SAFETY: has no effect on memory but ordering.
    unsafe { intrinsics::barrier_count(BARRIER, holds.into()) }
}

/// Identifies a place: its address, whose lower half is enough in shared memory, and its number of bytes.
#[inline(always)]
fn name_of<T>(place: Shared<[T]>) -> u64 {
    let address = place.as_mut_ptr().cast::<T>().addr() as u32;
    u64::from(address) << 32 | (place.len() * size_of::<T>()) as u64
}

/// Every `step`th element from `first`.
#[inline(always)]
fn each<T>(place: Shared<[T]>, first: u32, step: u32, write: &impl Fn(*mut T)) {
    let elements = place.as_mut_ptr().cast::<T>();
    // 32 bits are enough for the indices of shared memory, and cheaper than 64.
    let mut i = first;
    while i < place.len() as u32 {
        write(elements.wrapping_add(i as usize));
        i = i.wrapping_add(step);
    }
}
