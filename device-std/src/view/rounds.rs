//! The parts of a thread whose owner counts several axes, one after another.

use super::by::{self, Apart, Division, Numbered, Unravel, of_number};
use super::part::Part;
use super::parts::{Parts, Whole as Array};
use super::place::Place;
use core::fmt;
use core::marker::PhantomData;

impl<T, K: Numbered, D: Division<N>, const N: usize> Parts<'_, T, Unravel<K, D>, N> {
    /// This thread's parts, one after another: for its owner's number, then for that number plus once, twice, … the number of
    /// owners, as long as there are elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Transposes matrices of any size, with any number of threads. Thread `i` writes element `[i / columns, i % columns]`.
    /// #[kernel]
    /// fn transpose(
    ///     from: Array<f32, 2>,
    ///     mut to: Parts<f32, by::Unravel<by::Thread, (by::Digit, by::Digit)>, 2>,
    /// ) {
    ///     for mut own in to.rounds() {
    ///         if let Some([row, column]) = own.place([0, 0]) {
    ///             own[[0, 0]] = from[[column, row]];
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn rounds(&mut self) -> Rounds<'_, T, K, D, N> {
        const { assert!(D::DIGITS != 0, "an `Unravel` needs axes with `by::Digit`") };
        by::require_dimensions(const { Apart::<Unravel<K, D>, N>::checked() });
        self.rounds_of(Place::own())
    }

    /// Those of a thread.
    #[inline(always)]
    pub(super) fn rounds_of(&mut self, place: Place) -> Rounds<'_, T, K, D, N> {
        let shape = self.shape();
        let mut numbers = 1usize;
        for (axis, extent) in shape.into_iter().enumerate() {
            numbers = match D::DIGITS >> axis & 1 {
                // No more than the array's elements, unless there are none.
                1 => numbers.saturating_mul(extent),
                _ if extent == 0 => 0,
                _ => numbers,
            };
        }
        let (number, count) = K::numbers(&place);
        Rounds { parts: self.whole(), place, number, count, numbers, owner: PhantomData }
    }
}

impl<'a, T, K: Numbered, D: Division<N>, const N: usize> Rounds<'a, T, K, D, N> {
    /// The parts with their numbers: of the axes with [`Digit`](by::Digit), which number it is, counted row by row.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Fills a matrix from an array in which its elements lie row by row.
    /// #[kernel]
    /// fn reshape(from: &[f32], mut to: Parts<f32, by::Unravel<by::Thread, (by::Digit, by::Digit)>, 2>) {
    ///     for (number, mut own) in to.rounds().numbered() {
    ///         own[[0, 0]] = from[number];
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn numbered(self) -> impl Iterator<Item = (usize, Part<'a, T, N>)> {
        let mut rounds = self;
        core::iter::from_fn(move || {
            let number = rounds.number;
            Some((number, rounds.next()?))
        })
    }
}

/// The parts of [`Parts::rounds`].
///
/// ```
/// use ptyx::device::view::Rounds;
/// use ptyx::device::view::by::{Digit, Thread};
///
/// /// How many pixels this thread owns.
/// fn count(rounds: Rounds<'_, u8, Thread, (Digit, Digit), 2>) -> usize {
///     rounds.count()
/// }
/// ```
pub struct Rounds<'a, T, K, D, const N: usize> {
    parts: Array<'a, T, N>,
    place: Place,
    number: usize,
    /// How many owners there are, and how many numbers have elements.
    count: usize,
    numbers: usize,
    owner: PhantomData<fn() -> (K, D)>,
}

impl<'a, T, K: Numbered, D: Division<N>, const N: usize> Iterator for Rounds<'a, T, K, D, N> {
    type Item = Part<'a, T, N>;

    #[inline(always)]
    fn next(&mut self) -> Option<Part<'a, T, N>> {
        if self.number >= self.numbers {
            return None;
        }
        let steps = of_number::<D, N>(&self.place, self.parts.shape(), self.number);
        self.number = self.number.saturating_add(self.count);
        // SAFETY: the steps are below the shape. No other thread has this number, since those of its owner are a multiple of
        // `count` further on, and no other round; or the threads differ in positions of another axis (see `Unravel`).
        Some(unsafe { self.parts.part(steps) })
    }
}

impl<T, K, D, const N: usize> fmt::Debug for Rounds<'_, T, K, D, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Rounds({} + {}.., {})", self.number, self.count, self.numbers)
    }
}
