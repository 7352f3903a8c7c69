//! Matrices of tiles, of which a launch writes one diagonal.

use super::by::{self, Apart, Division};
use super::layout::Layout;
use super::part::Part;
use super::place::Place;
use super::{check_bounds, non_null};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Index;
use core::ptr::NonNull;

/// Matrices of tiles of `SIDE` rows and columns, of which the launch writes a *diagonal*: the tiles whose row and column,
/// counted in tiles, add up to the same number. Everything else can be read by all threads. The host passes
/// `buffer.view_mut([matrices, rows, columns]).diagonal(border, number)`: tiles begin behind `border` rows and columns,
/// and what does not fill a tile at the end belongs to none.
///
/// It is for wavefronts over tables in which each element depends on those to the left and above: alignments of
/// sequences (Needleman-Wunsch, Smith-Waterman), edit distances, dynamic time warping. One launch for each diagonal, in
/// which each tile reads the borders of its neighbours, which earlier launches have written.
///
/// [`split`](Self::split) gives what is to be read, and the thread's part of the diagonal as an array of four axes:
/// matrices, tiles of the diagonal (from the topmost one down), rows of a tile and columns of a tile.
///
/// ```no_run
/// use ptyx::device::view::Diagonal;
/// use ptyx::prelude::*;
///
/// /// Each element of a tile becomes the sum of those before the tile in its row and in its column.
/// #[kernel]
/// fn sums(mut table: Diagonal<u32, (by::Whole, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX), 2>) {
///     let (known, mut own) = table.split();
///     if let Some([matrix, tile, y, x]) = own.place([0, 0, 0, 0]) {
///         let [row, column] = known.first(tile);
///         own[[0, 0, 0, 0]] =
///             known[[matrix, row + y, column - 1]] + known[[matrix, row - 1, column + x]];
///     }
/// }
///
/// let mut table = DeviceBuffer::from_slice(&[1u32; 5 * 5])?;
/// for number in 0..3 {
///     launch!(sums<<<2, (2, 2)>>>(table.view_mut([1, 5, 5]).diagonal(1, number)))?;
/// }
/// assert_eq!(table.to_vec()?[24], 4 + 4);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Why it is sound
/// - *What is read, and the diagonal.* Which tiles are the diagonal is part of the view. It is the same for all threads,
///   since only a launch can make it. [`Known`] refuses elements of these tiles, and parts contain no others.
/// - *Between threads.* Different places of the array of four axes are different elements, as tiles do not overlap.
///   Who owns which place, and what other arguments may refer to, is as for [`Parts`](super::Parts).
/// - *Within a thread.* `split` borrows the view mutably.
#[repr(C)]
pub struct Diagonal<'a, T, D, const SIDE: usize> {
    pointer: NonNull<T>,
    place: Tiles<SIDE>,
    division: PhantomData<fn() -> D>,
    borrow: PhantomData<&'a mut [T]>,
}

/// Which tiles of which array are the diagonal.
#[doc(hidden)]
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiles<const SIDE: usize> {
    /// Matrices, rows, columns.
    shape: [usize; 3],
    /// Rows and columns before the first tile.
    border: usize,
    /// The row and the column of the topmost tile, counted in tiles, and how many tiles there are.
    first: [usize; 2],
    count: usize,
}

impl<const SIDE: usize> Tiles<SIDE> {
    /// The diagonal with a number: row and column of its tiles, counted in tiles, add up to it.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(shape: [usize; 3], border: usize, number: usize) -> Self {
        const { assert!(SIDE > 0, "tiles of no elements") };
        let [matrices, rows, columns] = shape;
        let down = rows.saturating_sub(border) / SIDE;
        let across = columns.saturating_sub(border) / SIDE;
        let none = Self { shape, border, first: [0; 2], count: 0 };
        if matrices == 0
            || down == 0
            || across == 0
            || number > (down - 1).saturating_add(across - 1)
        {
            return none;
        }
        let top = number.saturating_sub(across - 1);
        let bottom = if number < down - 1 { number } else { down - 1 };
        Self { first: [top, number - top], count: bottom - top + 1, ..none }
    }

    /// The diagonal as an array of four axes, and how far its first element is from the first one of all. (A tile is to the
    /// left of the one above it and below: distances are never negative.)
    #[inline(always)]
    const fn layout(&self) -> (Layout<4>, usize) {
        let [matrices, rows, columns] = self.shape;
        let shape = [matrices, self.count, SIDE, SIDE];
        if self.count == 0 {
            return (Layout { shape, strides: [0; 4] }, 0);
        }
        // Below the number of elements, as the tiles lie within the array.
        let next = SIDE.wrapping_mul(columns).wrapping_sub(SIDE);
        let strides = [rows.wrapping_mul(columns), next, columns, 1];
        let [row, column] = self.at(0);
        (Layout { shape, strides }, row.wrapping_mul(columns).wrapping_add(column))
    }

    /// Where a tile of the diagonal begins: row and column.
    #[inline(always)]
    const fn at(&self, tile: usize) -> [usize; 2] {
        let row = self.first[0].wrapping_add(tile).wrapping_mul(SIDE);
        let column = self.first[1].wrapping_sub(tile).wrapping_mul(SIDE);
        [self.border.wrapping_add(row), self.border.wrapping_add(column)]
    }

    /// Whether an element that exists belongs to a tile of the diagonal.
    #[inline(always)]
    const fn contains(&self, row: usize, column: usize) -> bool {
        if row < self.border || column < self.border {
            return false;
        }
        let down = (row.wrapping_sub(self.border) / SIDE).wrapping_sub(self.first[0]);
        let left = self.first[1].wrapping_sub(column.wrapping_sub(self.border) / SIDE);
        // On the diagonal, both count the tiles from the topmost one.
        down == left && down < self.count
    }
}

impl<'a, T, D: Division<4>, const SIDE: usize> Diagonal<'a, T, D, SIDE> {
    /// A row-major view, as a launch passes it.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for `'a` for reads and writes of as many elements as the shape of `place`
    /// has, every thread of the launch must get the same view, and nothing else may access the elements meanwhile.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *mut T, place: Tiles<SIDE>) -> Self {
        Self { pointer: non_null(pointer), place, division: PhantomData, borrow: PhantomData }
    }

    /// The number of matrices, of their rows and of their columns.
    ///
    /// ```
    /// use ptyx::device::view::Diagonal;
    /// use ptyx::prelude::*;
    ///
    /// type OneEach = (by::BlockY, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX);
    ///
    /// fn columns(table: &Diagonal<i32, OneEach, 16>) -> usize {
    ///     table.shape()[2]
    /// }
    /// ```
    #[inline(always)]
    pub const fn shape(&self) -> [usize; 3] {
        self.place.shape
    }

    /// How many tiles the diagonal has in each matrix.
    ///
    /// ```
    /// use ptyx::device::view::Diagonal;
    /// use ptyx::prelude::*;
    ///
    /// type OneEach = (by::BlockY, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX);
    ///
    /// /// Whether the block has a tile.
    /// fn has_tile(table: &Diagonal<i32, OneEach, 16>) -> bool {
    ///     (block::x() as usize) < table.tiles()
    /// }
    /// ```
    #[inline(always)]
    pub const fn tiles(&self) -> usize {
        self.place.count
    }

    /// The first element of all, for pointer arithmetic; using it is unsafe.
    ///
    /// ```
    /// use ptyx::device::view::Diagonal;
    /// use ptyx::prelude::*;
    ///
    /// type OneEach = (by::BlockY, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX);
    ///
    /// /// The address of the first element, for `ptx!`.
    /// fn address(table: &mut Diagonal<i32, OneEach, 16>) -> *const i32 {
    ///     table.as_mut_ptr()
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// What no thread writes, and this thread's part of the diagonal: matrices, tiles, rows and columns of a tile.
    ///
    /// ```
    /// use ptyx::device::view::Diagonal;
    /// use ptyx::prelude::*;
    ///
    /// /// Copies the row above each tile into its rows.
    /// #[kernel]
    /// fn fill(mut table: Diagonal<f32, (by::BlockY, by::BlockX, by::ThreadInBlockY, by::ThreadInBlockX), 32>) {
    ///     let (known, own) = table.split();
    ///     for (matrix, tiles) in own {
    ///         for (tile, rows) in tiles {
    ///             let [row, column] = known.first(tile);
    ///             for (_, columns) in rows {
    ///                 for (x, element) in columns {
    ///                     *element = known[[matrix, row - 1, column + x]];
    ///                 }
    ///             }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// A division that does not tell all threads apart is a compile error here.
    #[inline(always)]
    #[track_caller]
    pub fn split(&mut self) -> (Known<'_, T, SIDE>, Part<'_, T, 4>) {
        by::require_dimensions(const { Apart::<D, 4>::checked() });
        let (layout, first) = self.place.layout();
        let steps = D::steps(&Place::own(), layout.shape);
        let known = Known { pointer: self.pointer, place: self.place, borrow: PhantomData };
        // SAFETY: the first element of the diagonal, or of all if there is no diagonal. Steps are below the shape; no other
        // thread has them, and `known` does not read them (see the type). Both borrow the view mutably.
        unsafe { (known, Part::new(self.pointer.add(first), layout.strides, steps)) }
    }
}

impl<T, D, const SIDE: usize> fmt::Debug for Diagonal<'_, T, D, SIDE> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Diagonal({:p}, {:?})", self.pointer, self.place)
    }
}

/// What no thread writes of the matrices of a [`Diagonal`].
///
/// ```
/// use ptyx::device::view::Known;
///
/// /// The element to the upper left of a tile.
/// fn corner(known: &Known<i32, 16>, matrix: usize, tile: usize) -> i32 {
///     let [row, column] = known.first(tile);
///     known[[matrix, row - 1, column - 1]]
/// }
/// ```
pub struct Known<'a, T, const SIDE: usize> {
    pointer: NonNull<T>,
    place: Tiles<SIDE>,
    borrow: PhantomData<&'a [T]>,
}

impl<'a, T, const SIDE: usize> Known<'a, T, SIDE> {
    /// Row and column of the first element of a tile of the diagonal.
    ///
    /// ```
    /// use ptyx::device::view::Known;
    /// use ptyx::prelude::*;
    ///
    /// /// Where this block's tile is.
    /// fn own(known: &Known<i32, 16>) -> [usize; 2] {
    ///     known.first(block::x() as usize)
    /// }
    /// ```
    ///
    /// # Panics
    /// If the diagonal has no such tile.
    #[inline(always)]
    #[track_caller]
    pub fn first(&self, tile: usize) -> [usize; 2] {
        check_bounds(tile, self.place.count);
        self.place.at(tile)
    }

    /// The element of a matrix, in a row and a column; `None` if there is no such element, or it belongs to a tile of the
    /// diagonal.
    ///
    /// ```
    /// use ptyx::device::view::Known;
    ///
    /// /// The element above another; 0 in the first row.
    /// fn above(known: &Known<i32, 16>, [matrix, row, column]: [usize; 3]) -> i32 {
    ///     known.get([matrix, row.wrapping_sub(1), column]).copied().unwrap_or(0)
    /// }
    /// ```
    #[inline(always)]
    pub fn get(&self, [matrix, row, column]: [usize; 3]) -> Option<&'a T> {
        let layout = Layout::row_major(self.place.shape);
        let index = [matrix, row, column];
        if !layout.contains(index) || self.place.contains(row, column) {
            return None;
        }
        // SAFETY: in bounds, and no thread writes it as long as the view is borrowed.
        Some(unsafe { self.pointer.add(layout.offset(index)).as_ref() })
    }
}

/// Matrix, row, column.
///
/// # Panics
/// If there is no such element, or it belongs to a tile of the diagonal.
impl<T, const SIDE: usize> Index<[usize; 3]> for Known<'_, T, SIDE> {
    type Output = T;

    #[inline(always)]
    #[track_caller]
    fn index(&self, [matrix, row, column]: [usize; 3]) -> &T {
        let at = Layout::row_major(self.place.shape).checked([matrix, row, column]);
        assert!(
            !self.place.contains(row, column),
            "the launch writes the tile of row {row}, column {column}"
        );
        // SAFETY: in bounds, and no thread writes it as long as the view is borrowed.
        unsafe { self.pointer.add(at).as_ref() }
    }
}

impl<T, const SIDE: usize> fmt::Debug for Known<'_, T, SIDE> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Known({:p}, {:?})", self.pointer, self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Against the definition: the elements of whole tiles whose row and column add up to the number.
    #[test]
    fn the_diagonal_is_what_is_written() {
        for [rows, columns] in [[0, 5], [1, 1], [7, 7], [10, 4], [5, 13], [13, 13], [9, 2]] {
            for (border, number) in (0..3).flat_map(|border| (0..9).map(move |n| (border, n))) {
                let place = Tiles::<3>::new([2, rows, columns], border, number);
                let (layout, first) = place.layout();
                let mut found = BTreeSet::new();
                let mut next = (layout.len() > 0).then_some([0; 4]);
                while let Some(index) = next {
                    // SAFETY: in bounds.
                    let at = first + unsafe { layout.offset(index) };
                    assert!(found.insert(at), "{place:?}: twice {index:?}");
                    next = layout.after(index);
                }
                for at in 0..2 * rows * columns {
                    let (row, column) = (at / columns % rows, at % columns);
                    let tile = |at: usize, size: usize| {
                        let tile = at.checked_sub(border)? / 3;
                        (border + 3 * (tile + 1) <= size).then_some(tile)
                    };
                    let sum = tile(row, rows).zip(tile(column, columns)).map(|(a, b)| a + b);
                    assert_eq!(
                        found.contains(&at),
                        sum == Some(number),
                        "{place:?}: {row} {column}"
                    );
                    assert_eq!(place.contains(row, column), sum == Some(number), "{place:?}");
                }
                for tile in 0..place.count {
                    let [row, column] = place.at(tile);
                    assert!(found.contains(&(row * columns + column)), "{place:?}: {tile}");
                }
            }
        }
    }
}
