//! Arrays of which all threads read some rows and columns and divide the rest among themselves.

use super::array::Array;
use super::by::{self, Apart, Division};
use super::layout::Layout;
use super::non_null;
use super::part::Part;
use super::place::{Gap, Place, Steps};
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

/// An array of `N` axes with *pivots*: adjacent rows and adjacent columns that no thread writes during the launch, so that
/// all threads can read them. The rest is numbered as if the pivots were not there. Of it, each thread owns the part
/// that `D` gives it, as in a [`Parts`](super::Parts). The host passes `buffer.view_mut(shape).pivot(ranges)` for it,
/// with a range of pivots for each axis.
///
/// It is for steps of algorithms that work in place: Gaussian elimination and LU decomposition, which subtract
/// multiples of the pivots from the rest of the matrix, or shortest paths through a node. Pivots need not be read:
/// `view_mut([h, w]).pivot([0..1, 0..1])` divides a matrix without its first row and first column.
///
/// ```no_run
/// use ptyx::device::view::Pivoted;
/// use ptyx::prelude::*;
///
/// /// A step of Gaussian elimination: the rows behind the pivot lose a multiple of it. One thread for each
/// /// element that is right of the pivot's column and below its row.
/// #[kernel]
/// fn eliminate(mut matrix: Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) {
///     let ([rows, columns], mut own) = matrix.split();
///     if let Some([y, x]) = own.place([0, 0]) {
///         let pivot = rows.shape()[0] - 1; // the last row of those that are left as they are
///         let factor = columns[[y, pivot]] / rows[[pivot, pivot]];
///         own[[0, 0]] -= factor * rows[[pivot, x]];
///     }
/// }
///
/// let mut matrix = DeviceBuffer::from_slice(&[2.0f32, 4.0, 1.0, 5.0])?;
/// launch!(eliminate<<<1, (16, 16)>>>(matrix.view_mut([2, 2]).pivot([0..1, 0..1])))?;
/// assert_eq!(matrix.to_vec()?, [2.0, 4.0, 1.0, 3.0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Why it is sound
/// - *Pivots and the rest.* Which elements are pivots is part of the view. It is the same for all threads, since only
///   a launch can make it. [`split`](Self::split) gives pivots only for reading, and no part contains any of them.
/// - *Between threads, and with other arguments.* As for [`Parts`](super::Parts).
/// - *Within a thread.* `split` and [`part`](Self::part) borrow the view mutably.
#[repr(C)]
pub struct Pivoted<'a, T, D, const N: usize = 1> {
    pointer: NonNull<T>,
    layout: Layout<N>,
    /// The number of elements along each axis without the pivots, and where the pivots are.
    rest: [usize; N],
    pivots: [Gap; N],
    division: PhantomData<fn() -> D>,
    borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T, D: Division<N>, const N: usize> Pivoted<'a, T, D, N> {
    /// A row-major view, as a launch passes it: along each axis, the pivots are the positions from a first one up to
    /// an end, which is not a pivot.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for `'a` for reads and writes of as many elements as `shape` has,
    /// every thread of the launch must get the same view, and nothing else may access the elements meanwhile.
    /// Pivots must lie within the shape, and no first be above its end. For an array without elements, and along an
    /// axis without pivots, both must be 0.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(
        pointer: *mut T,
        shape: [usize; N],
        pivots: [[usize; 2]; N],
    ) -> Self {
        let (mut rest, mut gaps) = (shape, [Gap::NONE; N]);
        let mut axis = 0;
        while axis < N {
            let [start, end] = pivots[axis];
            gaps[axis] = Gap { at: start, len: end.wrapping_sub(start) };
            rest[axis] = shape[axis].wrapping_sub(gaps[axis].len);
            axis += 1;
        }
        Self {
            pointer: non_null(pointer),
            layout: Layout::row_major(shape),
            rest,
            pivots: gaps,
            division: PhantomData,
            borrow: PhantomData,
        }
    }

    /// The same view, with rows that are known to lie side by side.
    ///
    /// # Safety
    /// A launch made the view.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn row_major(self) -> Self {
        // Number by number, so that each is a parameter of the kernel's entry: arrays that are copied are passed as bytes.
        let (mut rest, mut pivots) = ([0; N], [Gap::NONE; N]);
        let mut axis = 0;
        while axis < N {
            let Gap { at, len } = self.pivots[axis];
            rest[axis] = self.rest[axis];
            pivots[axis] = Gap { at, len };
            axis += 1;
        }
        let (pointer, layout) = (self.pointer, Layout::row_major(self.layout.shape));
        Self { pointer, layout, rest, pivots, division: PhantomData, borrow: PhantomData }
    }

    /// The number of elements of the whole array along each axis, with the pivots.
    ///
    /// ```
    /// use ptyx::device::view::Pivoted;
    /// use ptyx::prelude::*;
    ///
    /// /// Whether the pivots of a square matrix are its last.
    /// fn is_last(matrix: &Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) -> bool {
    ///     let ([size, _], [rows, _]) = (matrix.shape(), matrix.pivots());
    ///     rows.end == size
    /// }
    /// ```
    #[inline(always)]
    pub const fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// Which positions along each axis are pivots: of a matrix, which rows and which columns.
    ///
    /// ```
    /// use ptyx::device::view::Pivoted;
    /// use ptyx::prelude::*;
    ///
    /// /// The number of rows behind the pivots.
    /// fn left(matrix: &Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) -> usize {
    ///     let [rows, _] = matrix.pivots();
    ///     matrix.shape()[0] - rows.end
    /// }
    /// ```
    #[inline(always)]
    pub fn pivots(&self) -> [Range<usize>; N] {
        self.pivots.map(|Gap { at, len }| at..at.wrapping_add(len))
    }

    /// The first element of the whole array, for pointer arithmetic; using it is unsafe.
    ///
    /// ```
    /// use ptyx::device::view::Pivoted;
    /// use ptyx::prelude::*;
    ///
    /// /// The address of the first pivot, for `ptx!`.
    /// fn first_pivot(x: &mut Pivoted<f32, by::Thread>) -> *const f32 {
    ///     let [pivots] = x.pivots();
    ///     x.as_mut_ptr().wrapping_add(pivots.start)
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// The pivots along each axis, and this thread's part of the rest. Of a matrix, the first array has the pivot rows,
    /// with all columns; the second has the pivot columns, with all rows. The part's
    /// [places](Part::place) are those in the whole array.
    ///
    /// ```
    /// use ptyx::device::view::Pivoted;
    /// use ptyx::prelude::*;
    ///
    /// /// The lengths of the shortest paths, with those through one more node, the pivot. One thread for each pair of
    /// /// the other nodes.
    /// #[kernel]
    /// fn shorten(mut length: Pivoted<u32, (by::ThreadY, by::ThreadX), 2>) {
    ///     let ([from, to], mut own) = length.split();
    ///     if let Some([y, x]) = own.place([0, 0]) {
    ///         own[[0, 0]] = own[[0, 0]].min(to[[y, 0]] + from[[0, x]]);
    ///     }
    /// }
    /// ```
    ///
    /// A division that does not tell all threads apart is a compile error here.
    #[inline(always)]
    #[track_caller]
    pub fn split(&mut self) -> ([Array<'_, T, N>; N], Part<'_, T, N>) {
        let apart = const { Apart::checked() };
        let Layout { shape, strides } = self.layout;
        let mut pivots = [const { None }; N];
        for axis in 0..N {
            let Gap { at, len } = self.pivots[axis];
            let mut shape = shape;
            shape[axis] = len;
            // SAFETY: the offset of the first pivot, or 0; the elements are the array's.
            pivots[axis] = Some(unsafe {
                let first = self.pointer.add(at.unchecked_mul(strides[axis]));
                Array::from_raw_parts_strided(first.as_ptr(), shape, strides)
            });
        }
        // SAFETY: the loop has set all.
        let pivots = pivots.map(|pivots| unsafe { pivots.unwrap_unchecked() });
        (pivots, self.own(apart))
    }

    /// This thread's part of what is not a pivot.
    ///
    /// ```
    /// use ptyx::device::view::Pivoted;
    /// use ptyx::prelude::*;
    ///
    /// /// Clears a matrix except for some rows and columns.
    /// #[kernel]
    /// fn clear(mut matrix: Pivoted<f32, (by::ThreadY, by::ThreadX), 2>) {
    ///     for (_, row) in matrix.part() {
    ///         for (_, x) in row {
    ///             *x = 0.0;
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn part(&mut self) -> Part<'_, T, N> {
        self.own(const { Apart::checked() })
    }

    #[inline(always)]
    #[track_caller]
    fn own<'b>(&self, apart: Apart<D, N>) -> Part<'b, T, N> {
        by::require_dimensions(apart);
        let steps = steps::<D, N>(&Place::own(), self.rest, self.pivots);
        // SAFETY: the steps are below the shape and not among the pivots, and no other thread has them (see the
        // type). Both callers borrow the view mutably for as long as the part.
        unsafe { Part::new(self.pointer, self.layout.strides, steps) }
    }
}

/// A thread's positions along each axis, around gaps.
#[inline(always)]
pub(super) fn steps<D: Division<N>, const N: usize>(
    place: &Place,
    rest: [usize; N],
    gaps: [Gap; N],
) -> [Steps; N] {
    let mut steps = D::steps(place, rest);
    for axis in 0..N {
        steps[axis] = steps[axis].around(gaps[axis]);
    }
    steps
}

impl<T, D, const N: usize> fmt::Debug for Pivoted<'_, T, D, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pivoted({:p}, {:?}, {:?})", self.pointer, self.layout.shape, self.pivots)
    }
}
