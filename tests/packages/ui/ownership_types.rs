// Ways to get another thread's element, or another phase.
use ptyx::device::shared::{Odd, Phase, Phased};
use ptyx::device::view::{Part, Pivoted};
use ptyx::device::view::by::Axis;
use ptyx::prelude::*;

type Fours = by::Tile<by::Thread, 4>;
type Tile = Phased<[u32; 64], by::ThreadInBlock>;

/// Copies of the view.
fn copied(x: Parts<'static, u32, Fours>) -> [Parts<'static, u32, Fours>; 2] {
    [x, x.clone()]
}

/// Another thread's index.
fn by_index(x: &mut Parts<u32, Fours>) {
    x[thread::index_1d()] = 1;
}

/// Pivots, which all threads read.
fn write_pivots(matrix: &mut Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) {
    let ([mut rows, _], _) = matrix.split();
    rows[[0, 0]] = 1.0;
}

/// Other pivots for each thread.
fn other_pivots(mut matrix: Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) {
    matrix.pivots = [thread::x() as usize; 2].map(|at| at..at + 1);
}

/// Views that every thread could make.
fn made() -> Parts<'static, u32, Fours> {
    Parts { pointer: std::ptr::NonNull::dangling() }
}

/// A division of one's own.
struct Mine;

impl Axis for Mine {
    const KNOWS: u32 = 255;
}

/// Owners of another number of axes.
fn axes(mut x: Parts<u32, (by::Warp, by::Lane)>) {
    drop(x.part());
}

fn needs_send<T: Send>(_: T) {}

/// A view where other threads find it.
fn sent(x: Parts<'static, u32, by::Thread>, phase: Phase) {
    needs_send(x);
    needs_send(phase);
}

/// A part of one thread for another, by a shuffle.
fn shuffled(x: Part<'static, u32, 1>) -> Part<'static, u32, 1> {
    warp::shuffle(warp::FULL, x, 0)
}

/// Reading in the phase of writing.
fn read_too_early(tile: Tile, phase: &Phase) -> u32 {
    tile.as_ref(phase)[0]
}

/// Writing in the phase of reading.
fn write_too_late(tile: Tile, phase: &mut Phase<Odd>) {
    tile.set(phase, [0], 1);
}

/// A tile with other rules for the same memory.
fn other_rules(tile: Tile) -> Phased<[u32; 64], by::ThreadInBlock, Odd> {
    tile
}

/// Bits that are no value.
fn any_bits(tile: Phased<[bool; 64], by::ThreadInBlock>, phase: &mut Phase) {
    tile.part(phase)[[0]] = true;
}

/// The host's side of a phase is not a phase.
fn from_the_host() -> Phase {
    shared::PHASES
}

/// A phase of one's own, and a copy.
fn phases(phase: &Phase) -> (Phase, Phase) {
    (Phase { of_this_thread: std::marker::PhantomData }, phase.clone())
}

fn main() {
    let _ = (copied, by_index, write_pivots, other_pivots, made, axes, sent,);
    let _ = (shuffled, read_too_early, write_too_late, other_rules, any_bits,);
    let _ = (from_the_host, phases,);
}
