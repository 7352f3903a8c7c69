//! Arrays with pivots: all threads read some rows and columns, which no thread writes, and own the rest.

use ptyx::device::view::Pivoted;
use ptyx::device::view::by::{self, Division};
use ptyx::prelude::*;
use ptyx::{Error, PreparedKernel};
use ptyx_ownership_tests::{Rng, alone, rng};
use std::ops::Range;

type Pixels = (by::ThreadY, by::ThreadX);

/// A range within `0..extent`; every third time it is empty.
fn range(rng: &mut Rng, extent: usize) -> Range<usize> {
    let end = rng.below(extent + 1);
    let start = if rng.below(3) == 0 { end } else { rng.below(end + 1) };
    start..end
}

/// Each thread's stamp in its own elements, at the places that the part names.
#[kernel]
fn stamp<D: Division<2>>(mut x: Pivoted<u32, D, 2>, mut places: Pivoted<[u32; 2], D, 2>) {
    let stamp = block::rank() as u32 * block::threads() + thread::rank() + 1;
    for ((y, row), (_, places)) in x.part().into_iter().zip(places.part()) {
        for ((x, own), (_, place)) in row.into_iter().zip(places) {
            *own += stamp;
            *place = [y as u32, x as u32];
        }
    }
}

/// Checks one division: `|launch, row, column, both counted without pivots| owner`, in a grid of `grid` blocks of
/// `extent` threads.
macro_rules! stamped {
    ($rng:ident: $($division:ty, |$grid:ident, $extent:ident, $y:ident, $x:ident| $owner:expr;)*) => {$(
        for _ in 0..8 {
            let $grid = [1 + $rng.below(3), 1 + $rng.below(3)];
            let $extent = [1 + $rng.below(9), 1 + $rng.below(9)];
            let [height, width] = [1 + $rng.below(40), 1 + $rng.below(40)];
            let pivots = [range($rng, height), range($rng, width)];
            let before = $rng.vec(height * width, |rng| rng.next_u32() >> 8);
            let mut x = DeviceBuffer::from_slice(&before).unwrap();
            let mut places = DeviceBuffer::filled(before.len(), [u32::MAX; 2]).unwrap();
            let view = x.view_mut([height, width]).pivot(pivots.clone());
            let all = places.view_mut([height, width]).pivot(pivots.clone());
            launch!(stamp::<$division><<<($grid[0], $grid[1]), ($extent[0], $extent[1])>>>(view, all))
                .unwrap();
            let (got, places) = (x.to_vec().unwrap(), places.to_vec().unwrap());
            for i in 0..before.len() {
                let [y, x] = [i / width, i % width];
                let [rows, columns] = &pivots;
                let (mut want, mut place) = (0, [u32::MAX; 2]);
                if !rows.contains(&y) && !columns.contains(&x) {
                    let $y = if y < rows.start { y } else { y - rows.len() };
                    let $x = if x < columns.start { x } else { x - columns.len() };
                    want = 1 + $owner as u32;
                    place = [y as u32, x as u32];
                }
                let name = stringify!($division);
                assert_eq!(got[i] - before[i], want, "{name}: [{y}, {x}] around {pivots:?}");
                assert_eq!(places[i], place, "{name}: [{y}, {x}] around {pivots:?}");
            }
        }
    )*};
}

/// Pivots stay as they are, and the rest is divided as an array of its own.
#[test]
fn the_rest_is_divided() {
    let rng = &mut rng();
    stamped! { rng:
        Pixels, |grid, extent, y, x| {
            let (x, y) = (x % (grid[0] * extent[0]), y % (grid[1] * extent[1]));
            let block = y / extent[1] * grid[0] + x / extent[0];
            block * extent[0] * extent[1] + y % extent[1] * extent[0] + x % extent[0]
        };
        (by::Block, by::ThreadInBlock), |grid, extent, y, x| {
            let threads = extent[0] * extent[1];
            y % (grid[0] * grid[1]) * threads + x % threads
        };
    }
}

/// All pivots are read, by every thread, while the rest is written.
#[kernel]
fn add_pivots(mut matrix: Pivoted<i32, Pixels, 2>) {
    let ([rows, columns], mut own) = matrix.split();
    if let Some([y, x]) = own.place([0, 0]) {
        let above = (0..rows.shape()[0]).map(|row| rows[[row, x]]);
        let left = (0..columns.shape()[1]).map(|column| columns[[y, column]]);
        own[[0, 0]] += 3 * above.sum::<i32>() - left.sum::<i32>();
    }
}

fn with_pivots(before: &[i32], width: usize, [rows, columns]: &[Range<usize>; 2]) -> Vec<i32> {
    let at = |y: usize, x: usize| before[y * width + x];
    let element = |i: usize| {
        let [y, x] = [i / width, i % width];
        if rows.contains(&y) || columns.contains(&x) {
            return before[i];
        }
        let above: i32 = rows.clone().map(|row| at(row, x)).sum();
        let left: i32 = columns.clone().map(|column| at(y, column)).sum();
        before[i] + 3 * above - left
    };
    (0..before.len()).map(element).collect()
}

#[test]
fn pivots_are_read_in_place() {
    let mut rng = rng();
    for _ in 0..12 {
        let [height, width] = [1 + rng.below(50), 1 + rng.below(50)];
        let pivots = [range(&mut rng, height), range(&mut rng, width)];
        let before = rng.vec(height * width, |rng| rng.below(1000) as i32 - 500);
        let mut matrix = DeviceBuffer::from_slice(&before).unwrap();
        let view = matrix.view_mut([height, width]).pivot(pivots.clone());
        launch!(add_pivots<<<(7, 4), (8, 16)>>>(view)).unwrap();
        let want = with_pivots(&before, width, &pivots);
        assert_eq!(matrix.to_vec().unwrap(), want, "{height}x{width}, {pivots:?}");
    }
}

/// A kernel in a struct, for several steps.
struct Step {
    kernel: PreparedKernel<(Pivoted<'static, i32, Pixels, 2>,)>,
}

#[test]
fn prepared_kernels_take_pivots() -> Result<(), Error> {
    let mut rng = rng();
    let mut want = rng.vec(20 * 30, |rng| rng.below(10) as i32);
    let mut matrix = DeviceBuffer::from_slice(&want)?;
    let view = matrix.view_mut([20, 30]).pivot([0..0, 0..0]);
    let step = Step { kernel: compile!(add_pivots(view))? };
    for k in [3, 7] {
        let pivots = [k..k + 1, 2 * k..2 * k + 2];
        let view = matrix.view_mut([20, 30]).pivot(pivots.clone());
        let config = LaunchConfig::new().blocks((2, 2)).threads((16, 16));
        step.kernel.launch(config, args!(view))?;
        want = with_pivots(&want, 30, &pivots);
    }
    assert_eq!(matrix.to_vec()?, want);
    Ok(())
}

/// Whole solutions: a step after another, as on the host.
#[kernel]
fn eliminate(mut matrix: Pivoted<f64, Pixels, 2>) {
    let ([rows, columns], mut own) = matrix.split();
    let pivot = rows.shape()[0] - 1;
    if let Some([y, x]) = own.place([0, 0]) {
        own[[0, 0]] -= columns[[y, pivot]] / rows[[pivot, pivot]] * rows[[pivot, x]];
    }
}

#[test]
fn elimination_is_that_of_the_host() {
    let mut rng = rng();
    let (n, width) = (33, 34);
    let mut want = rng.vec(n * width, |rng| rng.next_f64());
    (0..n).for_each(|i| want[i * width + i] += 40.0);
    let mut matrix = DeviceBuffer::from_slice(&want).unwrap();
    for k in 0..n - 1 {
        let view = matrix.view_mut([n, width]).pivot([0..k + 1, 0..k + 1]);
        launch!(eliminate<<<(3, 3), (16, 16)>>>(view)).unwrap();
        for y in k + 1..n {
            let factor = want[y * width + k] / want[k * width + k];
            for x in k + 1..width {
                want[y * width + x] -= factor * want[k * width + x];
            }
        }
    }
    for (i, (got, want)) in matrix.to_vec().unwrap().into_iter().zip(want).enumerate() {
        assert!((got - want).abs() < 1e-9, "element {i} is {got}, not {want}");
    }
}

/// Four adjacent elements, as a slice where no pivots lie between them.
#[kernel]
fn negate_fours(mut x: Pivoted<i32, by::Tile<by::Thread, 4>>, mut slices: Disjoint<u32>) {
    let i = thread::index_1d();
    match x.part().as_mut_slice() {
        Some(own) => {
            slices[i] = own.len() as u32;
            own.iter_mut().for_each(|x| *x = -*x);
        }
        None => x.part().into_iter().for_each(|(_, x)| *x = -*x),
    }
}

#[test]
fn slices_do_not_span_pivots() {
    let mut rng = rng();
    for _ in 0..8 {
        let len = 1 + rng.below(300);
        let pivots = range(&mut rng, len);
        let before = rng.vec(len, |rng| 1 + rng.below(1000) as i32);
        let mut x = DeviceBuffer::from_slice(&before).unwrap();
        let mut slices = DeviceBuffer::filled(96, u32::MAX).unwrap();
        let view = x.view_mut(len).pivot(pivots.clone());
        launch!(negate_fours<<<3, 32>>>(view, &mut slices)).unwrap();
        let want = |(i, &x): (usize, &i32)| if pivots.contains(&i) { x } else { -x };
        let want: Vec<i32> = before.iter().enumerate().map(want).collect();
        assert_eq!(x.to_vec().unwrap(), want, "{len} elements around {pivots:?}");
        let rest = len - pivots.len();
        for (thread, slice) in slices.to_vec().unwrap().into_iter().enumerate() {
            let own = (4 * thread).min(rest)..(4 * thread + 4).min(rest);
            let split = !pivots.is_empty() && own.start < pivots.start && pivots.start < own.end;
            let want = if split { u32::MAX } else { own.len() as u32 };
            assert_eq!(slice, want, "thread {thread}, {len} elements around {pivots:?}");
        }
    }
}

/// Three axes: the layer, row and column that are pivots meet in one element.
#[kernel]
fn add_corner(mut volume: Pivoted<u32, (by::ThreadZ, by::ThreadY, by::ThreadX), 3>) {
    let ([layers, rows, columns], mut own) = volume.split();
    if let Some([z, y, x]) = own.place([0, 0, 0]) {
        own[[0, 0, 0]] += layers[[0, y, x]] + 10 * rows[[z, 0, x]] + 100 * columns[[z, y, 0]];
    }
}

#[test]
fn volumes_have_pivots() {
    let mut rng = rng();
    let shape = [0; 3].map(|_| 2 + rng.below(6));
    let [depth, height, width] = shape;
    let [k, j, i] = shape.map(|extent| rng.below(extent));
    let before = rng.vec(depth * height * width, |rng| rng.below(10) as u32);
    let mut volume = DeviceBuffer::from_slice(&before).unwrap();
    let view = volume.view_mut(shape).pivot([k..k + 1, j..j + 1, i..i + 1]);
    launch!(add_corner<<<1, (8, 8, 8)>>>(view)).unwrap();
    let at = |z: usize, y: usize, x: usize| before[(z * height + y) * width + x];
    for (place, got) in volume.to_vec().unwrap().into_iter().enumerate() {
        let (z, y, x) = (place / (height * width), place / width % height, place % width);
        let mut want = at(z, y, x);
        if z != k && y != j && x != i {
            want += at(k, y, x) + 10 * at(z, j, x) + 100 * at(z, y, i);
        }
        assert_eq!(got, want, "[{z}, {y}, {x}] of {shape:?}, pivots at {:?}", [k, j, i]);
    }
}

/// Ranges outside of the array, and arrays without elements.
#[test]
fn ranges_must_lie_in_the_array() {
    let mut matrix = DeviceBuffer::filled(6 * 7, 1i32).unwrap();
    let (three, five) = (3, 5);
    for pivots in [[0..7, 0..0], [0..0, 7..8], [0..0, five..three], [usize::MAX..usize::MAX, 0..1]]
    {
        let view = matrix.view_mut([6, 7]).pivot(pivots.clone());
        let error = launch!(add_pivots<<<1, (8, 8)>>>(view)).unwrap_err();
        assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
        assert!(error.to_string().contains("is not within an array of shape [6, 7]"), "{error}");
    }
    // The shape must be the buffer's, as for other views.
    let error = launch!(add_pivots<<<1, (8, 8)>>>(matrix.view_mut([6, 6]).pivot([0..1, 0..1])));
    assert!(matches!(error, Err(Error::Shape { .. })), "{error:?}");
    // An empty range at the end, and all rows.
    for pivots in [[6..6, 7..7], [0..6, 0..0]] {
        launch!(add_pivots<<<1, (8, 8)>>>(matrix.view_mut([6, 7]).pivot(pivots))).unwrap();
    }
    assert_eq!(matrix.to_vec().unwrap(), [1; 42]);
    let mut empty = DeviceBuffer::<i32>::zeroed(0).unwrap();
    launch!(add_pivots<<<1, (8, 8)>>>(empty.view_mut([0, 7]).pivot([0..0, 2..5]))).unwrap();
}

/// A launch of more dimensions than the division tells apart.
#[test]
fn launches_of_too_many_dimensions_are_refused() {
    let mut matrix = DeviceBuffer::filled(16, 1i32).unwrap();
    let view = matrix.view_mut([4, 4]).pivot([0..1, 0..1]);
    let error = launch!(add_pivots<<<1, (4, 4, 2)>>>(view)).unwrap_err().to_string();
    assert!(error.contains("2-D"), "{error}");
    assert_eq!(matrix.to_vec().unwrap(), [1; 16]);
}

/// Reads `row` among the pivots.
#[kernel]
fn read_row(mut matrix: Pivoted<i32, Pixels, 2>, row: usize) {
    let ([rows, _], mut own) = matrix.split();
    if let Some([_, x]) = own.place([0, 0]) {
        own[[0, 0]] = rows[[row, x]];
    }
}

/// What is not a pivot can't be read through the pivots: the row behind the last one is another thread's.
#[test]
fn other_elements_are_not_reached() {
    alone("pivots::other_elements_are_not_reached", || {
        let mut matrix = DeviceBuffer::filled(16, 1i32).unwrap();
        let view = matrix.view_mut([4, 4]).pivot([1..2, 0..0]);
        let launched = launch!(read_row<<<1, (4, 4)>>>(view, 1));
        let error = launched.and_then(|()| matrix.to_vec()).unwrap_err().to_string();
        assert!(error.contains("the len is 1 but the index is 1"), "{error}");
    });
}

/// An element that the part does not have.
#[kernel]
fn beyond_the_part(mut matrix: Pivoted<i32, Pixels, 2>) {
    matrix.part()[[0, 1]] = 5;
}

#[test]
fn parts_end() {
    alone("pivots::parts_end", || {
        let mut matrix = DeviceBuffer::filled(16, 1i32).unwrap();
        let view = matrix.view_mut([4, 4]).pivot([0..1, 0..1]);
        let launched = launch!(beyond_the_part<<<1, (3, 3)>>>(view));
        let error = launched.and_then(|()| matrix.to_vec()).unwrap_err().to_string();
        assert!(error.contains("this thread's part does not have this element"), "{error}");
    });
}
