//! Owners of runs: all positions, as many for each, an equal share, the middle.

use super::sealed::Sealed;
use super::{Axis, Numbered, knows, least};
use crate::view::place::{Place, Run, Steps};
use core::marker::PhantomData;

/// All positions: the owners of the other axes must tell the threads apart.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Scales vectors to length 1. Each thread owns whole rows: the coordinates of a vector.
/// #[kernel]
/// fn normalise(mut points: Parts<f32, (by::Thread, by::Whole), 2>) {
///     for (_, mut point) in points.part() {
///         let squares: f32 = point.reborrow().into_iter().map(|(_, x)| *x * *x).sum();
///         for (_, x) in point {
///             *x /= squares.sqrt();
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Whole(());

impl Sealed for Whole {}

impl Axis for Whole {
    const KNOWS: u32 = 0;

    #[inline(always)]
    fn steps(_: &Place, within: Run) -> Steps {
        within.steps()
    }
}

/// A run of `N` positions for each `K`, which `I` divides further. The last run may be shorter.
///
/// `Tile<Thread, 4>` gives four adjacent elements to each thread. `Tile<Block, 1024, ThreadInBlock>` gives 1024
/// adjacent elements to each block, whose threads take them in turn.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Each thread smooths four adjacent elements.
/// #[kernel]
/// fn smooth(mut x: Parts<f32, by::Tile<by::Thread, 4>>) {
///     if let Some(own) = x.part().as_mut_slice() {
///         for i in 1..own.len() {
///             own[i] = 0.5 * (own[i - 1] + own[i]);
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Tile<K, const N: usize, I = Whole>(PhantomData<(K, I)>);

impl<K, const N: usize, I> Sealed for Tile<K, N, I> {}

impl<K: Numbered, const N: usize, I: Axis> Axis for Tile<K, N, I> {
    const KNOWS: u32 = K::KNOWS | I::KNOWS;
    const MAX: u32 = least(K::MAX, I::MAX);

    #[inline(always)]
    fn steps(place: &Place, within: Run) -> Steps {
        const { assert!(N > 0, "a tile of no elements") };
        I::steps(place, within.run(N, K::numbers(place).0))
    }
}

/// A run of positions for each `K`, which `I` divides further: the axis is cut into as many equal runs as there are
/// `K`, except that the last ones may be shorter or empty. Their length depends on the launch.
///
/// `Share<Thread>` of 1000 elements in a launch of 64 threads gives 16 adjacent elements to each of the first 62
/// threads, 8 to the next, and none to the last.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Running sums of each thread's share.
/// #[kernel]
/// fn running_sums(mut x: Parts<u32, by::Share<by::Thread>>) {
///     let mut sum = 0;
///     for (_, x) in x.part() {
///         sum += *x;
///         *x = sum;
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Share<K, I = Whole>(PhantomData<(K, I)>);

impl<K, I> Sealed for Share<K, I> {}

impl<K: Numbered, I: Axis> Axis for Share<K, I> {
    const KNOWS: u32 = K::KNOWS | I::KNOWS;
    const MAX: u32 = least(K::MAX, I::MAX);

    #[inline(always)]
    fn steps(place: &Place, within: Run) -> Steps {
        let (number, count) = K::numbers(place);
        I::steps(place, within.run(within.available().div_ceil(count), number))
    }
}

/// As `K`, but if there are more `K` than positions, each of the middle ones has one position, and those before and
/// after them have none. It is for blocks that overlap in what they read, and write only their inner elements.
///
/// In a `Tile<BlockX, 254, Middle<ThreadInBlockX>>`, launched with blocks of 256 threads, thread `t` owns position
/// `254 * block + t - 1`, and the first and the last thread own none. If the number of those without a position
/// is odd, there is one more of them after the middle than before it.
///
/// ```
/// use ptyx::device::shared::Phase;
/// use ptyx::prelude::*;
///
/// /// The mean of each element and its neighbours. Blocks of 256 threads overlap by two elements, and write 254.
/// #[kernel]
/// fn smooth(
///     x: &[f32],
///     mut y: Parts<f32, by::Tile<by::BlockX, 254, by::Middle<by::ThreadInBlockX>>>,
///     mut writing: Phase,
/// ) {
///     let (tile, t) = (phased!([f32; 256]), thread::x() as usize);
///     let place = (254 * block::x() as usize + t).saturating_sub(1);
///     tile.set(&mut writing, [0], x[place.min(x.len() - 1)]);
///     let reading = writing.sync();
///     let tile = tile.as_ref(&reading);
///     if let Some(y) = y.own() {
///         *y = (tile[t - 1] + tile[t] + tile[t + 1]) / 3.0;
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Middle<K>(PhantomData<K>);

impl<K> Sealed for Middle<K> {}

impl<K: Numbered> Axis for Middle<K> {
    const KNOWS: u32 = K::KNOWS;
    const MAX: u32 = K::MAX;

    #[inline(always)]
    fn steps(place: &Place, within: Run) -> Steps {
        let (number, count) = K::numbers(place);
        // What is cut off from the run does not move the middle.
        let (number, before) = if const { K::KNOWS & knows::BLOCKS == 0 } {
            // Threads in a block, and rows of `Shape`, are counted in 32 bits.
            let len = if within.len < u32::MAX as usize { within.len as u32 } else { u32::MAX };
            let halo = (count as u32).saturating_sub(len) / 2;
            let (number, before) = (number as u32).overflowing_sub(halo);
            (number as usize, before)
        } else {
            number.overflowing_sub(count.saturating_sub(within.len) / 2)
        };
        let steps = within.every(count, number);
        Steps { start: if before { usize::MAX } else { steps.start }, ..steps }
    }
}
