//! Every division, simulated: all threads of random launches of every dimension, arrays of random shapes.

use crate::Dim3;
use crate::view::by::{self, *};
use crate::view::part::Part;
use crate::view::parts::Parts;
use crate::view::pivoted;
use crate::view::place::{Gap, Place};
use core::ptr::NonNull;
use std::vec::Vec;

/// A generator of random numbers (xorshift64*).
struct Rng(u64);

impl Rng {
    fn new() -> Self {
        Self(ptyx_test_support::seed() | 1)
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        ((self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % u64::from(bound)) as u32
    }

    /// Extents of a grid or a block of at most `dimensions`.
    fn extents(&mut self, dimensions: u32, most: u32) -> Dim3 {
        let mut extent = |axis| if axis < dimensions { 1 + self.below(most) } else { 1 };
        Dim3 { x: extent(0), y: extent(1), z: extent(2) }
    }
}

fn each(extent: Dim3) -> impl Iterator<Item = Dim3> {
    (0..extent.z).flat_map(move |z| {
        (0..extent.y).flat_map(move |y| (0..extent.x).map(move |x| Dim3 { x, y, z }))
    })
}

/// Marks, of an array of `shape`, the elements of each thread in turn, by every way to reach them. Returns how
/// often each was marked.
fn marks<D: Division<N>, const N: usize>(grid: Dim3, extent: Dim3, shape: [usize; N]) -> Vec<u32>
where
    for<'a> Part<'a, u32, N>: IntoIterator,
    for<'a> Marker: Mark<<Part<'a, u32, N> as IntoIterator>::Item>,
{
    marks_around::<D, N>(grid, extent, shape, [[0; 2]; N])
}

/// As [`marks`], of an array with pivots.
fn marks_around<D: Division<N>, const N: usize>(
    grid: Dim3,
    extent: Dim3,
    shape: [usize; N],
    pivots: [[usize; 2]; N],
) -> Vec<u32>
where
    for<'a> Part<'a, u32, N>: IntoIterator,
    for<'a> Marker: Mark<<Part<'a, u32, N> as IntoIterator>::Item>,
{
    let mut data = std::vec![0u32; shape.iter().product()];
    let mut strides = [1; N];
    for axis in (0..N - 1).rev() {
        strides[axis] = strides[axis + 1] * shape[axis + 1];
    }
    for block in each(grid) {
        for thread in each(extent) {
            let place = Place::new(block, grid, thread, extent);
            let gaps = pivots.map(|[start, end]| Gap { at: start, len: end - start });
            let mut rest = shape;
            rest.iter_mut().zip(gaps).for_each(|(extent, gap)| *extent -= gap.len);
            let steps = pivoted::steps::<D, N>(&place, rest, gaps);
            let pointer = NonNull::new(data.as_mut_ptr()).unwrap();
            // SAFETY: one thread of the host, and no other reference.
            let mut part = unsafe { Part::new(pointer, strides, steps) };
            // By index and by iterator it is the same elements.
            let (mut indexed, mut at) = (0, [0; N]);
            'all: loop {
                if let Some(place) = part.place(at) {
                    indexed += 1;
                    *part.get_mut(at).unwrap() += 1;
                    assert!(place.iter().zip(shape).all(|(&place, extent)| place < extent));
                }
                for axis in (0..N).rev() {
                    at[axis] += 1;
                    if at[axis] <= shape[axis] {
                        continue 'all;
                    }
                    at[axis] = 0;
                }
                break;
            }
            let iterated: usize = part.into_iter().map(|item| Marker.mark(item)).sum();
            assert_eq!(indexed, iterated);
        }
    }
    data
}

/// Counts what an iterator gives, and marks it again.
struct Marker;

trait Mark<I> {
    fn mark(&self, item: I) -> usize;
}

impl Mark<(usize, &mut u32)> for Marker {
    fn mark(&self, (_, element): (usize, &mut u32)) -> usize {
        *element += 1 << 16;
        1
    }
}

impl Mark<(usize, Part<'_, u32, 1>)> for Marker {
    fn mark(&self, (_, part): (usize, Part<'_, u32, 1>)) -> usize {
        part.into_iter().map(|item| self.mark(item)).sum()
    }
}

impl Mark<(usize, Part<'_, u32, 2>)> for Marker {
    fn mark(&self, (_, part): (usize, Part<'_, u32, 2>)) -> usize {
        part.into_iter().map(|item| self.mark(item)).sum()
    }
}

/// No element has two owners, in launches of up to the allowed dimensions; where the division repeats itself
/// to the end of the array (`covers`), each has one.
fn check<D: Division<N>, const N: usize>(rng: &mut Rng, covers: bool)
where
    for<'a> Part<'a, u32, N>: IntoIterator,
    for<'a> Marker: Mark<<Part<'a, u32, N> as IntoIterator>::Item>,
{
    let name = core::any::type_name::<D>();
    let dimensions = by::dimensions::<D, N>();
    assert!(dimensions[0] > 0, "{name}");
    for round in 0..24 {
        let [of_grid, of_block] = dimensions.map(|dimensions| 1 + round % dimensions);
        let grid = rng.extents(of_grid, 4);
        let extent = rng.extents(of_block, if of_block == 1 { 100 } else { 7 });
        let most = if N == 1 { 600 } else { 40 / N as u32 };
        let shape = [(); N].map(|()| rng.below(most) as usize);
        // In half of the rounds there are pivots, which no thread has.
        let pivots = shape.map(|extent| match round / 4 % 2 {
            0 => [0, 0],
            _ => {
                let end = rng.below(1 + extent as u32);
                [rng.below(1 + end) as usize, end as usize]
            }
        });
        let wanted = 1 | 1 << 16;
        let marks = marks_around::<D, N>(grid, extent, shape, pivots);
        for (at, marks) in marks.into_iter().enumerate() {
            let (mut rest, mut pivot) = (at, false);
            for axis in (0..N).rev() {
                let [start, end] = pivots[axis];
                pivot |= (start..end).contains(&(rest % shape[axis]));
                rest /= shape[axis];
            }
            let fine = if pivot { marks == 0 } else { marks == wanted || (marks == 0 && !covers) };
            let launch = (grid, extent);
            assert!(fine, "{name}: {at} of {shape:?} around {pivots:?}, {launch:?}: {marks:#x}");
        }
    }
}

macro_rules! check {
    ($rng:ident: $($division:ty, $n:literal, $covers:literal;)*) => {
        $(check::<$division, $n>($rng, $covers);)*
    };
}

#[test]
fn no_element_has_two_owners() {
    let rng = &mut Rng::new();
    check! { rng:
        Thread, 1, true;
        ThreadInGrid, 1, true;
        Tile<ThreadInGrid, 3>, 1, false;
        ThreadInRows, 1, true;
        Tile<ThreadInRows, 3>, 1, false;
        FirstX<ThreadY>, 1, true;
        FirstY<ThreadX>, 1, true;
        FirstX<Tile<ThreadY, 3>>, 1, false;
        Middle<Thread>, 1, true;
        Tile<Block, 30, Middle<ThreadInBlock>>, 1, false;
        Tile<BlockX, 3, Middle<ThreadInBlockX>>, 1, false;
        Share<Block, Middle<ThreadInBlock>>, 1, true;
        BlockLeader, 1, true;
        WarpLeader, 1, true;
        Tile<Thread, 4>, 1, false;
        Tile<Warp, 40, Lane>, 1, false;
        Share<Thread>, 1, true;
        Share<Block, ThreadInBlock>, 1, true;
        Share<Block, Share<ThreadInBlock>>, 1, true;
        Share<Block, Tile<ThreadInBlock, 3>>, 1, false;
        Tile<Block, 37, ThreadInBlock>, 1, false;
        Tile<Block, 64, Tile<Warp, 32, Lane>>, 1, false;
        Tile<Block, 90, Tile<ThreadInBlock, 3>>, 1, false;
        Shape<5, (ThreadY, ThreadX)>, 2, false;
        (Thread, Whole), 2, true;
        (Whole, ThreadInGrid), 2, true;
        (Block, Middle<ThreadInBlock>), 2, true;
        (Tile<BlockY, 4, Middle<ThreadInBlockY>>, Tile<BlockX, 3, Middle<ThreadInBlockX>>), 2, false;
        SwapBlocks<(Tile<BlockY, 4, Middle<ThreadInBlockY>>, FirstX<ThreadX>)>, 2, false;
        Shape<4, (Tile<BlockY, 2, Middle<ThreadInBlockY>>, Tile<BlockX, 2, Middle<ThreadInBlockX>>)>, 2, false;
        SwapBlocks<(FirstX<ThreadY>, Whole)>, 2, false;
        (Block, FirstX<ThreadInBlockY>), 2, false;
        (Whole, Thread), 2, true;
        (ThreadY, ThreadX), 2, true;
        (Warp, Lane), 2, false;
        (Lane, Warp), 2, false;
        (Block, Tile<WarpInBlock, 40, Lane>), 2, false;
        (Block, FirstLane<WarpInBlock>), 2, true;
        (Block, ThreadInBlock), 2, true;
        (BlockY, Leader<BlockX>), 2, true;
        (BlockY, BlockX, ThreadInBlockX), 3, true;
        (BlockX, ThreadInBlockY, ThreadInBlockX), 3, true;
        (Whole, BlockLeader), 2, true;
        (Tile<ThreadY, 3>, Tile<ThreadX, 2>), 2, false;
        (Tile<BlockY, 9, ThreadInBlockY>, Tile<BlockX, 10, ThreadInBlockX>), 2, false;
        SwapBlocks<(Tile<BlockY, 9, ThreadInBlockY>, Tile<BlockX, 10, ThreadInBlockX>)>, 2, false;
        SwapBlocks<(BlockY, Leader<BlockX>)>, 2, true;
        Shape<16, (Tile<ThreadY, 2>, Tile<ThreadX, 2>)>, 2, false;
        Shape<2, (Tile<ThreadX, 4>, ThreadY)>, 2, false;
        Shape<32, SwapBlocks<(ThreadY, Tile<BlockX, 40, ThreadInBlockX>)>>, 2, false;
        (ThreadZ, ThreadY, ThreadX), 3, true;
        (Block, ThreadInBlock, Whole), 3, true;
        (Tile<Warp, 16, Quad>, LaneInQuad, Whole), 3, false;
        (Warp, Quad, LaneInQuad), 3, false;
        (BlockZ, Tile<BlockY, 4, ThreadInBlockY>, Tile<BlockX, 4, ThreadInBlockX>), 3, false;
        Unravel<Thread, Digit>, 1, false;
        Unravel<Thread, (Digit, Digit)>, 2, false;
        Unravel<ThreadInRows, (Digit, Whole, Digit)>, 3, false;
        Unravel<ThreadX, (Digit, ThreadY, Digit)>, 3, false;
        Unravel<Block, (Digit, ThreadInBlock, Digit)>, 3, false;
        Unravel<Warp, (Digit, Digit, Lane)>, 3, false;
        Unravel<BlockX, (ThreadInBlockY, Digit, Tile<BlockY, 4, ThreadInBlockX>)>, 3, false;
        SwapBlocks<Unravel<BlockX, (Digit, Tile<BlockY, 4, ThreadInBlock>)>>, 2, false;
        Shape<4, Unravel<Block, (Digit, Tile<ThreadInBlockX, 2>, ThreadInBlockY)>>, 3, false;
    }
}

/// Marks, of an array of `shape`, the elements of each thread in all rounds.
fn marks_of_rounds<K: Numbered, D: Division<N>, const N: usize>(
    grid: Dim3,
    extent: Dim3,
    shape: [usize; N],
) -> Vec<u32>
where
    for<'a> Part<'a, u32, N>: IntoIterator,
    for<'a> Marker: Mark<<Part<'a, u32, N> as IntoIterator>::Item>,
{
    let mut data = std::vec![0u32; shape.iter().product()];
    for block in each(grid) {
        for thread in each(extent) {
            let place = Place::new(block, grid, thread, extent);
            // SAFETY: one thread of the host, and no other reference.
            let mut parts =
                unsafe { Parts::<u32, Unravel<K, D>, N>::from_raw_parts(data.as_mut_ptr(), shape) };
            // All at once: parts of different rounds live side by side.
            let all: Vec<_> = parts.rounds_of(place).collect();
            for part in all {
                part.into_iter().for_each(|item| {
                    Marker.mark(item);
                });
            }
        }
    }
    data
}

/// In all rounds together, each element has one owner, in launches of any size.
#[test]
fn rounds_cover_arrays() {
    fn check<K: Numbered, D: Division<N>, const N: usize>(rng: &mut Rng)
    where
        for<'a> Part<'a, u32, N>: IntoIterator,
        for<'a> Marker: Mark<<Part<'a, u32, N> as IntoIterator>::Item>,
    {
        let dimensions = by::dimensions::<Unravel<K, D>, N>();
        assert!(dimensions[0] > 0);
        for round in 0..24 {
            let [of_grid, of_block] = dimensions.map(|dimensions| 1 + round % dimensions);
            let grid = rng.extents(of_grid, 4);
            let extent = rng.extents(of_block, if of_block == 1 { 100 } else { 7 });
            let shape = [(); N].map(|()| rng.below(60 / N as u32) as usize);
            let marks = marks_of_rounds::<K, D, N>(grid, extent, shape);
            assert!(
                marks.iter().all(|&marks| marks == 1 << 16),
                "{}: {shape:?}, {grid:?}, {extent:?}: {marks:x?}",
                core::any::type_name::<Unravel<K, D>>()
            );
        }
    }
    let rng = &mut Rng::new();
    check::<Thread, Digit, 1>(rng);
    check::<Thread, (Digit, Digit), 2>(rng);
    check::<ThreadInGrid, (Digit, Digit), 2>(rng);
    check::<ThreadInRows, (Digit, Whole, Digit), 3>(rng);
    check::<ThreadX, (Digit, ThreadY, Digit), 3>(rng);
    check::<Block, (Digit, ThreadInBlock, Digit), 3>(rng);
}

/// Digits as they are written: the last axis counts fastest.
#[test]
fn digits_are_those_of_a_number() {
    let at = |x| Dim3 { x, y: 0, z: 0 };
    let (grid, extent) = (Dim3 { x: 3, y: 1, z: 1 }, Dim3 { x: 8, y: 1, z: 1 });
    for number in 0..24 {
        let place = Place::new(at(number / 8), grid, at(number % 8), extent);
        let steps =
            <Unravel<Thread, (Digit, Whole, Digit)> as Division<3>>::steps(&place, [4, 2, 5]);
        let first = steps.map(|steps| steps.position(0));
        let number = number as usize;
        let want = match number < 20 {
            true => [Some(number / 5), Some(0), Some(number % 5)],
            false => [None, Some(0), Some(number % 5)],
        };
        assert_eq!(first, want, "{number}");
        assert_eq!(steps.map(|steps| steps.position(1).is_some()), [false, true, false]);
    }
}

/// What a division leaves out makes it one for fewer dimensions, or none at all.
#[test]
fn shared_elements_are_known() {
    assert_eq!(by::dimensions::<Thread, 1>(), [1, 1]);
    assert_eq!(by::dimensions::<BlockLeader, 1>(), [3, 3]);
    assert_eq!(by::dimensions::<WarpLeader, 1>(), [2, 2]);
    assert_eq!(by::dimensions::<(ThreadY, ThreadX), 2>(), [2, 2]);
    assert_eq!(by::dimensions::<ThreadInGrid, 1>(), [3, 3]);
    assert_eq!(by::dimensions::<FirstX<ThreadY>, 1>(), [2, 2]);
    assert_eq!(by::dimensions::<FirstY<ThreadX>, 1>(), [2, 2]);
    assert_eq!(by::dimensions::<Tile<BlockX, 254, Middle<ThreadInBlockX>>, 1>(), [1, 1]);
    assert_eq!(by::dimensions::<(BlockY, Leader<BlockX>), 2>(), [2, 3]);
    assert_eq!(by::dimensions::<(ThreadZ, ThreadY, ThreadX), 3>(), [3, 3]);
    assert_eq!(by::dimensions::<(BlockY, BlockX, ThreadInBlockX), 3>(), [2, 1]);
    assert_eq!(by::dimensions::<(BlockX, ThreadInBlockY, ThreadInBlockX), 3>(), [1, 2]);
    macro_rules! shared {
        ($($division:ty, $n:literal;)*) => {
            $(assert_eq!(by::dimensions::<$division, $n>(), [0, 0], "{}", stringify!($division));)*
        };
    }
    shared! {
        Block, 1;
        Warp, 1;
        FirstLane<WarpInBlock>, 1;
        Lane, 1;
        Middle<ThreadInBlock>, 1;
        FirstY<ThreadY>, 1;
        Tile<Warp, 32, Quad>, 1;
        (Warp, LaneInQuad), 2;
        (Quad, LaneInQuad), 2;
        Whole, 1;
        ThreadInBlock, 1;
        ThreadY, 1;
        Tile<Block, 16>, 1;
        Tile<Block, 16, Lane>, 1;
        Tile<ThreadInBlock, 16>, 1;
        Leader<Whole>, 1;
        Share<Block>, 1;
        FirstLane<Block>, 1;
        Leader<BlockY>, 1;
        (Block, Lane), 2;
        (Block, Whole), 2;
        (Lane, ThreadInBlock), 2;
        (BlockY, ThreadInBlockX), 2;
        (ThreadZ, ThreadY), 2;
        SwapBlocks<Thread>, 1;
        Shape<4, Thread>, 1;
        Shape<4, (Block, ThreadInBlockX)>, 2;
        // No digits, or of numbers that leave out threads; digits that no number counts.
        Unravel<Thread, (Whole, Whole)>, 2;
        Unravel<Thread, Shape<4, (Digit, Digit)>>, 2;
        Unravel<Block, (Digit, Digit)>, 2;
        Unravel<ThreadY, (Digit, Whole)>, 2;
        (Digit, Digit), 2;
        Shape<4, Unravel<Thread, (Digit, Digit)>>, 2;
    }
    // The threads of one block, which is what shared memory needs.
    assert_eq!(by::dimensions_in_block::<ThreadInBlock, 1>(), 3);
    assert_eq!(by::dimensions_in_block::<(ThreadInBlockY, ThreadInBlockX), 2>(), 2);
    assert_eq!(by::dimensions_in_block::<FirstLane<WarpInBlock>, 1>(), 3);
    assert_eq!(by::dimensions_in_block::<Lane, 1>(), 0);
    assert_eq!(by::dimensions_in_block::<(Tile<WarpInBlock, 16, Quad>, LaneInQuad, Whole), 3>(), 3);
    assert_eq!(by::dimensions_in_block::<Thread, 1>(), 0, "it depends on the block");
}

/// The renamed divisions that look like a shared one are in fact shared: the simulation finds it.
#[test]
fn the_simulation_finds_shared_elements() {
    let grid = Dim3 { x: 2, y: 1, z: 1 };
    let extent = Dim3 { x: 40, y: 1, z: 1 };
    let shared = |marks: Vec<u32>| marks.into_iter().any(|marks| marks & 0xffff > 1);
    assert!(shared(marks::<Lane, 1>(grid, extent, [100])));
    assert!(shared(marks::<Block, 1>(grid, extent, [100])));
    assert!(shared(marks::<Tile<Warp, 32, Quad>, 1>(grid, extent, [100])));
    assert!(shared(marks::<(Warp, LaneInQuad), 2>(grid, extent, [10, 10])));
    assert!(shared(marks::<(Block, Lane), 2>(grid, extent, [10, 10])));
    assert!(shared(marks::<Shape<4, Thread>, 1>(grid, extent, [100])));
    assert!(shared(marks::<Unravel<Thread, (Whole, Whole)>, 2>(grid, extent, [10, 10])));
    assert!(shared(marks::<Unravel<Thread, Shape<4, (Digit, Digit)>>, 2>(grid, extent, [10, 10])));
    assert!(shared(marks::<Unravel<Block, (Digit, Digit)>, 2>(grid, extent, [10, 10])));
}

#[test]
fn runs_at_the_end_of_the_numbers() {
    use crate::view::place::Run;
    let all = Run::all(isize::MAX as usize);
    assert!(all.run(usize::MAX, 2).steps().is_empty());
    assert!(all.run(1 << 62, 2).steps().is_empty());
    let last = all.run(1 << 62, 1);
    assert_eq!((last.start, last.end), (1 << 62, isize::MAX as usize));
    assert!(last.run(1 << 62, 1).steps().is_empty());
    assert!(all.every(7, usize::MAX).is_empty());
    let turn = all.every(1 << 62, 3);
    assert_eq!((turn.position(0), turn.position(1)), (Some(3), Some(3 + (1 << 62))));
    assert_eq!((turn.position(2), turn.position(4), turn.position(usize::MAX)), (None, None, None));
    let mut turn = all.every((1 << 63) - 1, 5);
    assert_eq!((turn.take(), turn.take(), turn.take()), (Some(5), None, None));
}

#[test]
fn slices_are_of_neighbours() {
    let grid = Dim3 { x: 3, y: 1, z: 1 };
    let extent = Dim3 { x: 2, y: 1, z: 1 };
    let mut data: Vec<u32> = (0..21).collect();
    let mut of = |block: u32, thread: u32, turns: bool| -> Option<Vec<u32>> {
        let at = |x| Dim3 { x, y: 0, z: 0 };
        let place = Place::new(at(block), grid, at(thread), extent);
        let steps = match turns {
            true => <Thread as Division<1>>::steps(&place, [21]),
            false => <Tile<Thread, 4> as Division<1>>::steps(&place, [21]),
        };
        let pointer = NonNull::new(data.as_mut_ptr()).unwrap();
        // SAFETY: one thread, and the data lives.
        let mut part = unsafe { Part::new(pointer, [1], steps) };
        part.as_mut_slice().map(|own| own.to_vec())
    };
    assert_eq!(of(1, 0, false), Some([8, 9, 10, 11].into()));
    assert_eq!(of(2, 1, false), Some([20].into()));
    assert_eq!(of(0, 1, true), None);
}
