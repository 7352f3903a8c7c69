//! Tensors whose channels lie in slices of 16 or 32 bytes.
//!
//! No manual says what their sizes and coordinates count. Each test here has a process and a time limit of its own: if
//! hardware differs, it says what came, and the others still run.

mod column_probes;
mod columns;
mod copies;
mod probes;
mod rules;

use ptyx::device::barrier::{Barrier, Phase, State};
use ptyx::device::shared::Shared;
use ptyx::device::tma::{Placed, Reduction, TensorMap, TensorMapMut, Tile, TileShape};
use ptyx::device::{bulk, clock};
use ptyx::prelude::*;

/// What shared memory holds before a load.
const UNTOUCHED: u8 = 0x5a;
/// Tiles for which there is room: hardware may write more than expected.
const ROOM: usize = 3;

/// Whether the first phase is complete, within a second or two.
fn arrives(barrier: Barrier) -> bool {
    let start = clock::nanoseconds();
    loop {
        if barrier.try_wait_phase(Phase::FIRST) {
            return true;
        }
        if clock::nanoseconds().wrapping_sub(start) > 2_000_000_000 {
            return false;
        }
    }
}

/// Writes [`UNTOUCHED`] into the first `count` bytes of the room.
#[inline(always)]
fn clear<K: TileShape, S: Placed>(room: Shared<[Tile<K, S>; ROOM]>, count: usize) {
    let bytes = room.as_mut_ptr().cast::<u8>();
    for at in (thread::rank() as usize..count).step_by(block::threads() as usize) {
        // SAFETY: in the room; each thread writes its own bytes.
        unsafe { bytes.add(at).write(UNTOUCHED) };
    }
    (0..ROOM).for_each(|at| room.at(at).fence());
    block::sync();
}

/// Waits for a load, and writes the bytes of the room for its tile. The last element of `out` says whether the load has
/// completed its barrier's phase.
#[inline(always)]
fn tell<K: TileShape, S: Placed>(
    room: Shared<[Tile<K, S>; ROOM]>,
    arrived: Barrier,
    out: SliceMut<u8>,
) {
    let (bytes, count) = (room.as_mut_ptr().cast::<u8>(), out.len() - 1);
    let t = thread::rank() as usize;
    let is_complete = arrives(arrived);
    for at in (t..count).step_by(block::threads() as usize) {
        // SAFETY: the phase is complete, or the test fails; each thread writes its own bytes.
        unsafe { out.as_mut_ptr().add(at).write(bytes.add(at).read()) };
    }
    if t == 0 {
        // SAFETY: as above.
        unsafe { out.as_mut_ptr().add(count).write(u8::from(is_complete)) };
    }
}

/// Loads a tile, and writes all the bytes of the room for it, and whether it has arrived.
#[kernel]
fn peek<K: TileShape, S: Placed>(x: TensorMap<K, S>, from: K::Coordinates, out: SliceMut<u8>) {
    let room = shared!([Tile<K, S>; ROOM]);
    let arrived = Barrier::new(shared!(State), 1);
    clear(room, out.len() - 1);
    if thread::rank() == 0 {
        arrived.arrive_expect_tx(Tile::<K, S>::BYTES).forget();
        // SAFETY: nobody uses the tile before the phase is complete.
        unsafe { x.load(room.at(0), from, arrived) };
    }
    tell(room, arrived, out);
}

/// Fills a tile with bytes as they are.
#[inline(always)]
fn fill<K: TileShape, S: Placed>(tile: Shared<Tile<K, S>>, bytes: &[u8]) {
    for at in (thread::rank() as usize..bytes.len()).step_by(block::threads() as usize) {
        // SAFETY: each thread writes its own bytes; all bits are elements.
        unsafe { tile.bytes().at(at).write(bytes[at]) };
    }
    tile.fence();
    block::sync();
}

/// Stores a tile of these bytes.
#[kernel]
fn push<K: TileShape, S: Placed>(y: TensorMapMut<K, S>, to: K::Coordinates, bytes: &[u8]) {
    let tile = shared!(Tile<K, S>);
    fill(tile, bytes);
    if thread::rank() == 0 {
        // SAFETY: nobody writes the tile, or uses the tensor.
        unsafe { y.store(tile, to) };
        bulk::commit();
        bulk::wait::<0>();
    }
}

/// Combines the tensor with a tile of these bytes, in each block.
#[kernel]
fn combine<K: TileShape, S: Placed, R: Reduction<K::Element>>(
    y: TensorMapMut<K, S>,
    to: K::Coordinates,
    bytes: &[u8],
    _by: [R; 0],
) {
    let tile = shared!(Tile<K, S>);
    fill(tile, bytes);
    if thread::rank() == 0 {
        // SAFETY: nobody writes the tile; all blocks combine.
        unsafe { y.reduce::<R>(tile, to) };
        bulk::commit();
        bulk::wait::<0>();
    }
}

/// The sides of a tile, images first.
fn sides<K: TileShape>() -> Vec<usize> {
    let mut sides = ptyx::device::tma::sides::<K>()[..K::DIMENSIONS].to_vec();
    sides.reverse();
    sides
}

/// What [`peek`] found in the room for a tile, and whether its barrier's phase was complete.
fn peeked<K: TileShape, S: Placed>(
    map: &ptyx::TensorMap<'_, K, S>,
    from: K::Coordinates,
) -> ptyx::Result<(Vec<u8>, bool)> {
    let mut out = DeviceBuffer::filled(ROOM * size_of::<Tile<K, S>>() + 1, 0xeeu8)?;
    launch!(peek::<K, S><<<1, 64>>>(map, from, &mut out))?;
    let mut found = out.to_vec()?;
    let is_complete = found.pop() == Some(1);
    Ok((found, is_complete))
}
