//! Numbers that are spread over several axes.

use super::sealed::Sealed;
use super::{Axis, Division, Numbered, least};
use crate::view::place::{Gap, Place, Run, Steps};
use core::marker::PhantomData;

/// An axis of an [`Unravel`]: a digit of the owner's number. Elsewhere it is [`Whole`](super::Whole).
///
/// ```
/// use ptyx::prelude::*;
///
/// /// A pixel's row and column are the digits of a thread's number; each thread owns all three colours of a pixel.
/// #[kernel]
/// fn to_grey(mut image: Parts<f32, by::Unravel<by::Thread, (by::Digit, by::Digit, by::Whole)>, 3>) {
///     for mut pixel in image.rounds() {
///         let grey = (pixel[[0, 0, 0]] + pixel[[0, 0, 1]] + pixel[[0, 0, 2]]) / 3.0;
///         for colour in 0..3 {
///             pixel[[0, 0, colour]] = grey;
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Digit(());

impl Sealed for Digit {}

impl Axis for Digit {
    const KNOWS: u32 = 0;
    const IS_DIGIT: bool = true;

    #[inline(always)]
    fn steps(_: &Place, within: Run) -> Steps {
        within.steps()
    }
}

/// `D`, except that the axes with a [`Digit`] together number the `K`s: the `K` with number `n` owns the elements whose indices along these
/// axes are the digits of `n`, the last axis counting fastest. The other axes are divided as `D` says.
///
/// In a `Parts<T, Unravel<Thread, (Digit, Whole, Digit)>, 3>` with 5 columns, thread 13 owns the elements `[2, .., 3]`, since 13 = 2 * 5 + 3. This is how kernels compute several indices from one: `row = i / 5`, `column = i % 5`.
///
/// [`Parts::part`](crate::Parts::part) is the part for the `K`'s own number, and [`Parts::rounds`](crate::Parts::rounds) also gives the parts for that number plus once, twice, … the number of `K`s (a grid-stride loop).
///
/// ```no_run
/// use ptyx::prelude::*;
///
/// /// Thread `i` owns the 3x3 rows of its channel, at its place in the output image.
/// type Columns = by::Unravel<by::Thread, (by::Digit, by::Whole, by::Digit)>;
///
/// /// Pixels under each element of a filter of 3x3, for a matrix product: `[channels, 9, places]` of `[channels, rows, columns]`.
/// #[kernel]
/// fn im2col(image: Array<f32, 3>, mut columns: Parts<f32, Columns, 3>) {
///     let width = image.shape()[2] - 2;
///     for own in columns.rounds() {
///         for (channel, filter) in own {
///             for (element, places) in filter {
///                 for (place, x) in places {
///                     let (row, column) = (place / width + element / 3, place % width + element % 3);
///                     *x = image[[channel, row, column]];
///                 }
///             }
///         }
///     }
/// }
///
/// // Two images of 4x5 pixels: 2x3 places.
/// let image = DeviceBuffer::from_slice(&(0..40).map(|i| i as f32).collect::<Vec<_>>())?;
/// let mut columns = DeviceBuffer::<f32>::zeroed(2 * 9 * 6)?;
/// launch!(im2col<<<1, 32>>>(image.view([2, 4, 5]), columns.view_mut([2, 9, 6])))?;
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Why threads never share an element
/// Different numbers differ in a digit, and so have no element in common. So an `Unravel` tells apart what `K` does, and
/// what `D`'s other axes do.
#[derive(Clone, Copy, Debug)]
pub struct Unravel<K, D>(PhantomData<(K, D)>);

impl<K, D> Sealed for Unravel<K, D> {}

impl<K: Numbered, D: Division<N>, const N: usize> Division<N> for Unravel<K, D> {
    // Without digits, numbers make no difference.
    const KNOWS: u32 = if D::DIGITS == 0 { D::KNOWS } else { K::KNOWS | D::KNOWS };
    const MAX: u32 = least(K::MAX, D::MAX);

    #[inline(always)]
    fn steps(place: &Place, shape: [usize; N]) -> [Steps; N] {
        of_number::<D, N>(place, shape, K::numbers(place).0)
    }
}

/// The positions of a `K` if it had this number.
#[inline(always)]
pub(in crate::view) fn of_number<D: Division<N>, const N: usize>(
    place: &Place,
    shape: [usize; N],
    number: usize,
) -> [Steps; N] {
    let (mut steps, mut rest, mut first) = (D::steps(place, shape), number, N);
    for axis in (0..N).rev() {
        if D::DIGITS >> axis & 1 == 1 {
            let extent = shape[axis];
            // An axis without positions has none for any digit.
            let count = if extent > 0 { extent } else { 1 };
            let digit = rest % count;
            rest /= count;
            let end = if digit < extent { digit.wrapping_add(1) } else { 0 };
            steps[axis] = Steps { start: digit, step: 1, end, gap: Gap::NONE };
            first = axis;
        }
    }
    // What is left belongs to no element.
    if rest > 0 && first < N {
        steps[first] = Steps::none();
    }
    steps
}
