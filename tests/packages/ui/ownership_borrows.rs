// Ways to have two references to one element, or one in another phase.
use ptyx::device::shared::{Odd, Phase, Phased};
use ptyx::device::view::{Part, Pivoted};
use ptyx::prelude::*;

type Fours = by::Tile<by::Thread, 4>;
type Tile = Phased<[u32; 64], by::ThreadInBlock>;

/// Two references to one element.
fn two_at_once(x: &mut Parts<u32, Fours>) {
    let (a, b) = (x.own(), x.own());
    drop((a, b));
}

/// Two parts.
fn two_parts(x: &mut Parts<u32, Fours>) {
    let (mut a, mut b) = (x.part(), x.part());
    std::mem::swap(&mut a[[0]], &mut b[[0]]);
}

/// One part, two references.
fn twice_of_a_part(mut x: Part<'_, u32, 1>) {
    let (a, b) = (x.get_mut([0]), x.get_mut([0]));
    drop((a, b));
}

/// A slice of a part that is used meanwhile.
fn slice_and_element(mut x: Part<'_, u32, 1>) {
    let slice = x.as_mut_slice();
    x[[0]] = 1;
    drop(slice);
}

/// A part that is gone.
fn used_after_iterating(x: Part<'_, u32, 1>) {
    for (_, x) in x {
        *x = 1;
    }
    drop(x);
}

/// References that outlive the view.
fn kept(mut x: Parts<'_, u32, Fours>) -> &mut [u32] {
    x.part().into_mut_slice().unwrap()
}

/// Parts of the rest of a matrix: one beside the pivots, and another.
fn split_twice(matrix: &mut Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) {
    let (pivots, own) = matrix.split();
    let other = matrix.part();
    drop((pivots, own, other));
}

/// Reading behind the phase.
fn read_too_late(tile: Tile, phase: Phase<Odd>) -> u32 {
    let all = tile.as_ref(&phase);
    let _ = phase.sync();
    all[0]
}

/// An own part in the phase of reading.
fn part_too_late(tile: Tile, mut phase: Phase) {
    let part = tile.part(&mut phase);
    let _ = phase.sync();
    drop(part);
}

/// Two parts of one tile.
fn two_parts_of_a_tile(tile: Tile, phase: &mut Phase) {
    let parts = (tile.part(phase), tile.part(phase));
    drop(parts);
}

/// A phase that is over.
fn phases(phase: Phase) -> (Phase<Odd>, Phase<Odd>) {
    (phase.sync(), phase.sync())
}

/// Writing while other threads read.
fn write_while_reading(tile: Tile, phase: &mut Phase) {
    phase.read(|_| tile.set_own(phase, 1));
}

/// What was read, behind the phase of reading.
fn kept_from_reading(tile: Tile, phase: &mut Phase) -> &[u32; 64] {
    phase.read(|reading| tile.as_ref(reading))
}

/// The parts of all rounds twice.
fn rounds_twice(x: &mut Parts<u32, by::Unravel<by::Thread, by::Digit>>) -> usize {
    let first = x.rounds();
    let second = x.rounds();
    first.zip(second).count()
}

fn main() {
    let _ = (two_at_once, two_parts, twice_of_a_part, slice_and_element, used_after_iterating,);
    let _ = (kept, split_twice, read_too_late, part_too_late, two_parts_of_a_tile, phases,);
}
