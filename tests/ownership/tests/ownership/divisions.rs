//! Each thread reaches the elements that its division gives it, and no others: every element is stamped by its
//! owner, which the host finds out from the element's place alone.

use ptyx::Error;
use ptyx::device::view::by::{self, Division, *};
use ptyx::prelude::*;
use ptyx_ownership_tests::{Rng, rng};

/// Number of the thread in the grid.
fn id() -> u32 {
    block::rank() as u32 * block::threads() + thread::rank()
}

/// Adds the thread's stamp to each element of its own.
#[kernel]
fn stamp<D: Division<1>>(mut x: Parts<u32, D>) {
    for (_, x) in x.part() {
        *x += 1 + id();
    }
}

#[kernel]
fn stamp_rows<D: Division<2>>(mut x: Parts<u32, D, 2>) {
    for (_, row) in x.part() {
        for (_, x) in row {
            *x += 1 + id();
        }
    }
}

/// By index, and by slice: a thread's four neighbours get their places, in reverse.
#[kernel]
fn reverse_fours(mut x: Parts<u32, by::Tile<by::Thread, 4>>) {
    let mut own = x.part();
    let places = [0, 1, 2, 3].map(|i| own.place([i]).map_or(u32::MAX, |[place]| place as u32));
    if let Some(slice) = own.as_mut_slice() {
        for (x, place) in slice.iter_mut().zip(places) {
            *x = place;
        }
        slice.reverse();
    }
    if let Some(x) = own.get_mut([3]) {
        *x += 1000;
    }
}

/// A launch.
#[derive(Clone, Copy, Debug)]
struct Shape {
    grid: [usize; 3],
    extent: [usize; 3],
    /// Elements of the array.
    len: usize,
}

impl Shape {
    /// Of one dimension, two, .. at most `most`, from round to round.
    fn random(rng: &mut Rng, round: usize, most: usize) -> Shape {
        let dimensions = 1 + round % most;
        let mut extents = |most: [usize; 3]| {
            let [x, y, z] = most.map(|most| 1 + rng.below(most));
            [x, if dimensions > 1 { y } else { 1 }, if dimensions > 2 { z } else { 1 }]
        };
        let most = if dimensions == 1 { [150, 1, 1] } else { [24, 6, 3] };
        Shape { grid: extents([4, 3, 2]), extent: extents(most), len: rng.below(1500) }
    }

    fn blocks(self) -> usize {
        self.grid.iter().product()
    }

    fn threads(self) -> usize {
        self.extent.iter().product()
    }

    fn warps(self) -> usize {
        self.threads().div_ceil(32)
    }

    /// The thread at `rank` of block `block`, if there is one.
    fn thread(self, block: usize, rank: usize) -> Option<u32> {
        (block < self.blocks() && rank < self.threads())
            .then(|| (block * self.threads() + rank) as u32)
    }

    /// The thread at `x`, `y` of the block at `bx`, `by`, if there is one, in launches of two dimensions.
    fn thread_at(self, [bx, by]: [usize; 2], [x, y]: [usize; 2]) -> Option<u32> {
        let inside =
            bx < self.grid[0] && by < self.grid[1] && x < self.extent[0] && y < self.extent[1];
        inside.then(|| self.thread(by * self.grid[0] + bx, y * self.extent[0] + x)).flatten()
    }
}

type SwappedTiles = SwapBlocks<(Tile<BlockY, 9, ThreadInBlockY>, Tile<BlockX, 10, ThreadInBlockX>)>;

/// Checks arrays of one axis: `dimensions, division, |launch, place| owner`.
macro_rules! lines {
    ($rng:ident: $($dimensions:literal, $division:ty, |$s:ident, $i:ident| $owner:expr;)*) => {$({
        let owner = |$s: Shape, $i: usize| -> Option<u32> { $owner };
        let name = stringify!($division);
        for round in 0..6 {
            let shape = Shape::random($rng, round, $dimensions);
            let before: Vec<u32> = $rng.vec(shape.len, |rng| rng.next_u32() >> 8);
            let mut x = DeviceBuffer::from_slice(&before).unwrap();
            launch!(stamp::<$division><<<shape.grid, shape.extent>>>(&mut x)).unwrap();
            for (i, (got, before)) in x.to_vec().unwrap().into_iter().zip(before).enumerate() {
                let want = owner(shape, i).map_or(0, |id| id + 1);
                assert_eq!(got - before, want, "{name}: element {i}, {shape:?}");
            }
        }
    })*};
}

/// Checks arrays of two axes: `dimensions, division, |launch, row, column| owner`.
macro_rules! tables {
    ($rng:ident: $($dimensions:literal, $division:ty, |$s:ident, $y:ident, $x:ident| $owner:expr;)*) => {$({
        let owner = |$s: Shape, $y: usize, $x: usize| -> Option<u32> { $owner };
        let name = stringify!($division);
        for round in 0..6 {
            let shape = Shape::random($rng, round, $dimensions);
            let [height, width] = [1 + $rng.below(50), 1 + $rng.below(50)];
            let before: Vec<u32> = $rng.vec(height * width, |rng| rng.next_u32() >> 8);
            let mut x = DeviceBuffer::from_slice(&before).unwrap();
            let view = x.view_mut([height, width]);
            launch!(stamp_rows::<$division><<<shape.grid, shape.extent>>>(view)).unwrap();
            for (i, (got, before)) in x.to_vec().unwrap().into_iter().zip(before).enumerate() {
                let want = owner(shape, i / width, i % width).map_or(0, |id| id + 1);
                assert_eq!(got - before, want, "{name}: element {i}, width {width}, {shape:?}");
            }
        }
    })*};
}

#[test]
fn lines_are_divided() {
    let rng = &mut rng();
    lines! { rng:
        1, by::Thread, |s, i| {
            let all = s.blocks() * s.threads();
            s.thread(i % all / s.threads(), i % s.threads())
        };
        3, ThreadInGrid, |s, i| {
            let all = s.blocks() * s.threads();
            s.thread(i % all / s.threads(), i % s.threads())
        };
        2, FirstX<ThreadY>, |s, i| {
            let (height, y) = (s.extent[1], i % (s.grid[1] * s.extent[1]));
            s.thread_at([0, y / height], [0, y % height])
        };
        2, FirstY<ThreadX>, |s, i| {
            let (width, x) = (s.extent[0], i % (s.grid[0] * s.extent[0]));
            s.thread_at([x / width, 0], [x % width, 0])
        };
        1, Tile<BlockX, 30, Middle<ThreadInBlockX>>, |s, i| {
            let threads = s.threads();
            let before = threads.saturating_sub(30) / 2;
            s.thread(i / 30, before + i % 30 % threads)
        };
        3, BlockLeader, |s, i| s.thread(i % s.blocks(), 0);
        2, WarpLeader, |s, i| {
            let warp = i % (s.blocks() * s.warps());
            s.thread(warp / s.warps(), warp % s.warps() * 32)
        };
        1, Tile<by::Thread, 4>, |s, i| s.thread(i / 4 / s.threads(), i / 4 % s.threads());
        1, Share<by::Thread>, |s, i| {
            let share = s.len.div_ceil(s.blocks() * s.threads());
            s.thread(i / share / s.threads(), i / share % s.threads())
        };
        3, Tile<Block, 100, ThreadInBlock>, |s, i| s.thread(i / 100, i % 100 % s.threads());
        2, Tile<Warp, 40, Lane>, |s, i| {
            let warp = i / 40;
            s.thread(warp / s.warps(), warp % s.warps() * 32 + i % 40 % 32)
        };
    }
}

#[test]
fn tables_are_divided() {
    let rng = &mut rng();
    tables! { rng:
        1, (by::Thread, Whole), |s, y, _x| {
            let all = s.blocks() * s.threads();
            s.thread(y % all / s.threads(), y % s.threads())
        };
        1, (Whole, by::Thread), |s, _y, x| {
            let all = s.blocks() * s.threads();
            s.thread(x % all / s.threads(), x % s.threads())
        };
        2, (Warp, Lane), |s, y, x| {
            let warp = y % (s.blocks() * s.warps());
            s.thread(warp / s.warps(), warp % s.warps() * 32 + x % 32)
        };
        3, (Block, ThreadInBlock), |s, y, x| s.thread(y % s.blocks(), x % s.threads());
        2, (BlockY, Leader<BlockX>), |s, y, x| {
            s.thread_at([x % s.grid[0], y % s.grid[1]], [0, 0])
        };
        2, (Tile<ThreadY, 3>, Tile<ThreadX, 2>), |s, y, x| {
            let ([x, y], [w, h]) = ([x / 2, y / 3], [s.extent[0], s.extent[1]]);
            s.thread_at([x / w, y / h], [x % w, y % h])
        };
        2, (Tile<BlockY, 4, Middle<ThreadInBlockY>>, Tile<BlockX, 9, Middle<ThreadInBlockX>>), |s, y, x| {
            let [w, h] = [s.extent[0], s.extent[1]];
            let before = [w.saturating_sub(9) / 2, h.saturating_sub(4) / 2];
            s.thread_at([x / 9, y / 4], [before[0] + x % 9 % w, before[1] + y % 4 % h])
        };
        2, SwappedTiles, |s, y, x| {
            s.thread_at([y / 9, x / 10], [x % 10 % s.extent[0], y % 9 % s.extent[1]])
        };
        2, by::Shape<16, (Tile<ThreadY, 2>, Tile<ThreadX, 3>)>, |s, y, x| {
            let (rows, [x, y]) = (s.threads().div_ceil(16), [x / 3, y / 2]);
            let block = (x / 16 < s.grid[0] && y / rows < s.grid[1])
                .then(|| y / rows * s.grid[0] + x / 16);
            block.and_then(|block| s.thread(block, y % rows * 16 + x % 16))
        };
    }
}

#[test]
fn neighbours_are_a_slice() {
    let mut rng = rng();
    let len = 200 + rng.below(200);
    let mut x = DeviceBuffer::filled(len, 7u32).unwrap();
    launch!(reverse_fours<<<4, 32>>>(&mut x)).unwrap();
    for (four, got) in x.to_vec().unwrap().chunks(4).enumerate() {
        let mut want: Vec<u32> = (0..got.len()).rev().map(|i| (4 * four + i) as u32).collect();
        if let Some(last) = want.get_mut(3) {
            *last += 1000;
        }
        assert_eq!(got, want, "{len} elements");
    }
}

/// Blocks that overlap: how many threads of a block own an element is known at run time, from the array's shape.
#[kernel]
fn smooth(
    x: &[f32],
    mut y: Parts<f32, (by::BlockX, by::Middle<by::ThreadInBlockX>), 2>,
    mut writing: ptyx::device::shared::Phase,
) {
    let (tile, t) = (phased!([f32; 128]), thread::x() as usize);
    let [_, width] = y.shape();
    let before = (block::dim_x() as usize - width) / 2;
    let place = (block::x() as usize * width + t).wrapping_sub(before);
    tile.set(&mut writing, [0], x.get(place).copied().unwrap_or(0.0));
    let reading = writing.sync();
    let tile = tile.as_ref(&reading);
    if let Some(y) = y.own() {
        *y = tile[t - before..=t + before].iter().sum();
    }
}

#[test]
fn blocks_that_overlap() {
    let mut rng = rng();
    let (threads, before) = (32 + rng.below(97), 1 + rng.below(8));
    let (width, blocks) = (threads - 2 * before, 5);
    // Integers, so that sums are exact; the last row is incomplete in `x`.
    let len = width * blocks - rng.below(width);
    let x = rng.vec(len, |rng| rng.below(1000) as f32);
    let dx = DeviceBuffer::from_slice(&x).unwrap();
    let mut y = DeviceBuffer::filled(width * blocks, f32::NAN).unwrap();
    let rows = y.view_mut([blocks, width]);
    launch!(smooth<<<blocks, threads>>>(&dx, rows, shared::PHASES)).unwrap();
    for (i, got) in y.to_vec().unwrap().into_iter().enumerate() {
        let (from, to) = (i.saturating_sub(before), (i + before + 1).min(x.len()));
        let want: f32 = x.get(from..to).map_or(0.0, |x| x.iter().sum());
        assert_eq!(got, want, "element {i}, {threads} threads, {before} on each side");
    }
}

/// Each thread's number, in a grid of two dimensions.
#[kernel]
fn count(mut x: Disjoint<u32>) {
    let own = thread::rank_in_grid();
    if let Some(x) = x.get_mut(own) {
        *x += 1 + id() + own.get() as u32;
    }
}

/// The number is an index of one dimension, too, but `index_1d` is none in other launches.
#[kernel]
fn count_twice(mut x: Disjoint<u32>) {
    for own in [thread::rank_in_grid(), thread::index_1d()] {
        x[own] += own.get() as u32;
    }
}

#[test]
fn grids_are_numbered() {
    let rng = &mut rng();
    for round in 0..6 {
        let shape = Shape::random(rng, round, 2);
        let before: Vec<u32> = rng.vec(shape.len, |rng| rng.next_u32() >> 8);
        let mut x = DeviceBuffer::from_slice(&before).unwrap();
        launch!(count<<<shape.grid, shape.extent>>>(&mut x)).unwrap();
        for (i, (got, before)) in x.to_vec().unwrap().into_iter().zip(before).enumerate() {
            let inside = i < shape.blocks() * shape.threads();
            let want = if inside { 1 + 2 * i as u32 } else { 0 };
            assert_eq!(got - before, want, "element {i}, {shape:?}");
        }
    }
    let mut x = DeviceBuffer::filled(256, 0u32).unwrap();
    launch!(count_twice<<<4, 64>>>(&mut x)).unwrap();
    assert_eq!(x.to_vec().unwrap(), (0..256).map(|i| 2 * i).collect::<Vec<_>>());
    let error = launch!(count<<<(2, 2, 2), 8>>>(&mut x)).unwrap_err().to_string();
    assert!(error.contains("2-D"), "{error}");
    let error = launch!(count_twice<<<(2, 2), 64>>>(&mut x)).unwrap_err().to_string();
    assert!(error.contains("1-D"), "{error}");
}

/// A division that does not tell threads of more dimensions apart refuses launches of more dimensions.
#[test]
fn launches_of_too_many_dimensions_are_refused() {
    let mut x = DeviceBuffer::filled(100, 0u32).unwrap();
    let error = launch!(stamp::<by::Thread><<<1, (4, 2)>>>(&mut x)).unwrap_err().to_string();
    assert!(error.contains("1-D"), "{error}");
    let error = launch!(stamp::<WarpLeader><<<(1, 1, 2), 64>>>(&mut x)).unwrap_err().to_string();
    assert!(error.contains("2-D"), "{error}");
    // The first threads along x, of several layers; blocks of two dimensions, whose rows would be one.
    let launched = launch!(stamp::<FirstX<ThreadY>><<<1, (2, 2, 2)>>>(&mut x));
    let error = launched.unwrap_err().to_string();
    assert!(error.contains("2-D"), "{error}");
    let launched = launch!(stamp::<Tile<BlockX, 2, Middle<ThreadInBlockX>>><<<1, (4, 4)>>>(&mut x));
    let error = launched.unwrap_err().to_string();
    assert!(error.contains("1-D"), "{error}");
    assert_eq!(x.to_vec().unwrap(), [0; 100]);
}

/// One matrix for each row of blocks: grid and blocks have limits of their own.
#[kernel]
fn rows_of_blocks(mut x: Parts<u32, (by::BlockY, BlockX, ThreadInBlockX), 3>) {
    for (z, matrix) in x.part() {
        for (y, row) in matrix {
            for (column, x) in row {
                *x += (100 * z + 10 * y + column) as u32 + 1000;
            }
        }
    }
}

#[test]
fn grids_of_two_dimensions_of_blocks_of_one() {
    let mut x = DeviceBuffer::filled(3 * 4 * 9, 0u32).unwrap();
    launch!(rows_of_blocks<<<(3, 2), 5>>>(x.view_mut([3, 4, 9]))).unwrap();
    let want = |i: usize| (100 * (i / 36) + 10 * (i / 9 % 4) + i % 9) as u32 + 1000;
    assert_eq!(x.to_vec().unwrap(), (0..108).map(want).collect::<Vec<_>>());
    // A third dimension of the grid, and a second one of the blocks.
    let layers = launch!(rows_of_blocks<<<(3, 2, 2), 5>>>(x.view_mut([3, 4, 9])));
    let rows = launch!(rows_of_blocks<<<(3, 2), (5, 2)>>>(x.view_mut([3, 4, 9])));
    for error in [layers, rows] {
        let error = error.unwrap_err().to_string();
        assert!(error.contains("a 2-D grid of 1-D blocks"), "{error}");
        assert!(!error.contains("index_"), "{error}");
    }
}

/// The number of a round is that of its element.
#[kernel]
fn numbers(mut x: Parts<usize, by::Unravel<by::Thread, (by::Digit, by::Digit)>, 2>) {
    for (number, mut own) in x.rounds().numbered() {
        own[[0, 0]] = number;
    }
}

#[test]
fn rounds_have_numbers() {
    let mut x = DeviceBuffer::filled(5 * 13, usize::MAX).unwrap();
    launch!(numbers<<<2, 7>>>(x.view_mut([5, 13]))).unwrap();
    assert_eq!(x.to_vec().unwrap(), (0..65).collect::<Vec<_>>());
}

/// Thread `i` owns the rows of its channel at its place (im2col), in a grid-stride loop.
#[kernel]
fn columns(
    image: Array<u32, 3>,
    mut columns: Parts<u32, by::Unravel<by::Thread, (by::Digit, by::Whole, by::Digit)>, 3>,
) {
    let width = image.shape()[2] - 2;
    for own in columns.rounds() {
        for (channel, filter) in own {
            for (element, places) in filter {
                for (place, x) in places {
                    let (row, column) = (place / width + element / 3, place % width + element % 3);
                    *x = image[[channel, row, column]];
                }
            }
        }
    }
}

#[test]
fn a_number_counts_several_axes() {
    let mut rng = rng();
    for _ in 0..6 {
        let [channels, rows, width] = [1 + rng.below(4), 1 + rng.below(6), 1 + rng.below(9)];
        let image = rng.vec(channels * (rows + 2) * (width + 2), |rng| rng.next_u32());
        let device = DeviceBuffer::from_slice(&image).unwrap();
        let places = rows * width;
        let mut out = DeviceBuffer::filled(channels * 9 * places, 0u32).unwrap();
        // Fewer threads than places, and more.
        let (blocks, threads) = (1 + rng.below(3), 1 + rng.below(100));
        let image_view = device.view([channels, rows + 2, width + 2]);
        launch!(columns<<<blocks, threads>>>(image_view, out.view_mut([channels, 9, places])))
            .unwrap();
        let mut want = Vec::new();
        for channel in 0..channels {
            for (y, x) in (0..9).map(|element| (element / 3, element % 3)) {
                for row in 0..rows {
                    let first = (channel * (rows + 2) + row + y) * (width + 2) + x;
                    want.extend(&image[first..first + width]);
                }
            }
        }
        assert_eq!(
            out.to_vec().unwrap(),
            want,
            "<<<{blocks}, {threads}>>>, {channels} {rows} {width}"
        );
    }
}

/// The thread's number along rows, three times: by its owner, by its indices, and by the launch's extents.
#[kernel]
fn number_rows(mut x: Parts<[usize; 4], by::ThreadInRows>) {
    for (i, x) in x.part() {
        let [width, height] = [grid::dim_x() * block::dim_x(), grid::dim_y() * block::dim_y()];
        let (column, row, layer) = (thread::x_in_grid(), thread::y_in_grid(), thread::z_in_grid());
        *x = [
            i + 1,
            (layer * height as usize + row) * width as usize + column + 1,
            (block::y() * block::dim_y() + thread::y()) as usize,
            x[3] + 1,
        ];
    }
}

#[test]
fn rows_of_the_grid_are_numbered() {
    let mut rng = rng();
    for round in 0..6 {
        let shape = Shape::random(&mut rng, round, 3);
        let threads: usize = shape.grid.iter().chain(&shape.extent).product();
        let mut x = DeviceBuffer::filled(threads, [0usize; 4]).unwrap();
        launch!(number_rows<<<shape.grid, shape.extent>>>(&mut x)).unwrap();
        let columns = shape.grid[0] * shape.extent[0];
        let rows = shape.grid[1] * shape.extent[1];
        for (i, got) in x.to_vec().unwrap().into_iter().enumerate() {
            assert_eq!(
                got,
                [i + 1, i + 1, i / columns % rows, 1],
                "{:?}, {:?}",
                shape.grid,
                shape.extent
            );
        }
    }
}

#[kernel]
fn add_rows(a: Array<f32, 2>, mut sums: Parts<f32, (by::ThreadY, by::ThreadX), 2>) {
    for (row, own) in sums.part() {
        for (column, sum) in own {
            *sum += a[[row, column]];
        }
    }
}

/// A shape that does not fit names the kernel, the argument and the numbers.
#[test]
fn wrong_shapes_are_told() {
    let a = DeviceBuffer::<f32>::zeroed(6).unwrap();
    let mut sums = DeviceBuffer::<f32>::zeroed(6).unwrap();
    let error =
        launch!(add_rows<<<1, (8, 8)>>>(a.view([2, 3]), sums.view_mut([3, 3]))).unwrap_err();
    let text = error.to_string();
    let line = line!() - 2;
    for part in
        ["argument 2 of ", "add_rows", &format!("divisions.rs:{line}:"), "[3, 3] has 9", "has 6"]
    {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
    let Error::Shape { argument: Some(argument), .. } = error else { panic!("{text}") };
    assert_eq!(argument.number, 2);

    let prepared = compile!(add_rows(a.view([2, 3]), sums.view_mut([2, 3]))).unwrap();
    let config = ptyx::LaunchConfig::new().threads((8, 8));
    let wrong = prepared.launch(config, args!(a.view([3, 3]), sums.view_mut([2, 3])));
    let text = wrong.unwrap_err().to_string();
    assert!(text.contains("argument 1 of ") && text.contains("add_rows"), "{text}");
}
