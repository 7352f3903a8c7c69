//! Arrays that the threads of a launch divide among themselves.

use super::by::{self, Apart, Division};
use super::layout::Layout;
use super::non_null;
use super::part::Part;
use super::place::{Place, Steps};
use core::fmt;
use core::marker::PhantomData;
use core::ptr::NonNull;

/// An array of `N` axes of which each thread of a launch owns the part that `D` gives it. The host passes
/// `&mut buffer` for it, or `buffer.view_mut(shape)`.
///
/// `D` has an owner from [`by`] for each axis: in a `Parts<f32, by::BlockLeader>`, each block owns one element;
/// in a `Parts<f32, (by::Warp, by::Lane), 2>`, each warp owns rows, whose columns its lanes divide. A division
/// that would give two threads the same element does not compile. A launch with more dimensions than the division
/// allows is refused.
///
/// ```
/// use ptyx::prelude::*;
///
/// /// Makes the elements of each row sum to 1. One warp for each row, any number of columns.
/// #[kernel]
/// fn normalise(x: Array<f32, 2>, mut y: Parts<f32, (by::Warp, by::Lane), 2>) {
///     for (row, own) in y.part() {
///         let x = x.at(row);
///         let mut sum = 0.0;
///         for column in (warp::lane() as usize..x.len()).step_by(32) {
///             sum += x[[column]];
///         }
///         let sum = warp::reduce(sum, |a, b| a + b);
///         for (column, y) in own {
///             *y = x[[column]] / sum;
///         }
///     }
/// }
/// ```
///
/// # Why it is sound
/// - *Between threads.* The division is part of the type, and all threads of a launch have the same view: it
///   can only be made by a launch, is neither `Copy` nor `Clone`, and has no sub-views. [`by`] explains why
///   divisions are disjoint.
/// - *Within a thread.* [`part`](Self::part) and [`own`](Self::own) borrow the view mutably, and a [`Part`]
///   gives out a second reference to an element only when the first is gone.
/// - *With other arguments.* As for [`Disjoint`](crate::Disjoint).
///
/// ```compile_fail,E0080
/// use ptyx_device::view::{Parts, by};
/// // The threads of a block would share the block's element.
/// pub fn shared(mut sums: Parts<u32, by::Block>) {
///     *sums.own().unwrap() = 1;
/// }
/// let sums = unsafe { Parts::from_raw_parts(core::ptr::null_mut(), [0]) };
/// shared(sums);
/// ```
///
/// For a kernel that is not generic, that is an error even if it is never launched:
/// ```compile_fail,E0080
/// use ptyx::prelude::*;
/// #[kernel]
/// fn shared(mut sums: Parts<u32, by::Block>) {
///     *sums.own().unwrap() = 1;
/// }
/// ```
#[repr(C)]
pub struct Parts<'a, T, D, const N: usize = 1> {
    pointer: NonNull<T>,
    layout: Layout<N>,
    division: PhantomData<fn() -> D>,
    borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T, D: Division<N>, const N: usize> Parts<'a, T, D, N> {
    /// A row-major view, as a launch passes it.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for `'a` for reads and writes of as many elements as `shape` has,
    /// every thread of the launch must get the same view, and nothing else may access the elements meanwhile.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *mut T, shape: [usize; N]) -> Self {
        Self {
            pointer: non_null(pointer),
            layout: Layout::row_major(shape),
            division: PhantomData,
            borrow: PhantomData,
        }
    }

    /// The parts of an array with strides of its own.
    ///
    /// # Safety
    /// As for `from_raw_parts`, for every element that an index within `shape` reaches; no two indices reach the same one.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts_strided(
        pointer: *mut T,
        shape: [usize; N],
        strides: [usize; N],
    ) -> Self {
        Self {
            pointer: non_null(pointer),
            layout: Layout { shape, strides },
            division: PhantomData,
            borrow: PhantomData,
        }
    }

    /// The number of elements of the whole array along each axis.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Adds the row's number, counted from the last row.
    /// #[kernel]
    /// fn ramp(mut matrix: Parts<usize, (by::Warp, by::Lane), 2>) {
    ///     let [rows, _] = matrix.shape();
    ///     for (row, own) in matrix.part() {
    ///         for (_, x) in own {
    ///             *x += rows - 1 - row;
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// The number of elements of the whole array.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Numbers from 0 to 1 at equal distances.
    /// #[kernel]
    /// fn linspace(mut x: Parts<f32, by::Thread>) {
    ///     let len = x.len();
    ///     for (i, x) in x.part() {
    ///         *x = i as f32 / (len - 1) as f32;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether the whole array has no elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// What to multiply each weight by, so that they all sum to 1.
    /// fn scale(weights: &Parts<f32, by::Thread>, sum: f32) -> f32 {
    ///     if weights.is_empty() || sum == 0.0 { 1.0 } else { 1.0 / sum }
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first element of the whole array, for pointer arithmetic; using it is unsafe.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The address of this thread's first element, if the elements are divided into fours, for `ptx!`.
    /// fn own_address(x: &mut Parts<f32, by::Tile<by::Thread, 4>>) -> *mut f32 {
    ///     x.as_mut_ptr().wrapping_add(4 * thread::index_1d().get())
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// This thread's part.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Reverses each group of four elements; an incomplete last group stays as it is.
    /// #[kernel]
    /// fn reverse_fours(mut x: Parts<u32, by::Tile<by::Thread, 4>>) {
    ///     if let Some(own) = x.part().as_mut_slice()
    ///         && own.len() == 4
    ///     {
    ///         own.reverse();
    ///     }
    /// }
    /// ```
    ///
    /// A division that does not tell all threads apart is a compile error here.
    #[inline(always)]
    #[track_caller]
    pub fn part(&mut self) -> Part<'_, T, N> {
        self.part_of(const { Apart::checked() })
    }

    #[inline(always)]
    #[track_caller]
    fn part_of(&mut self, apart: Apart<D, N>) -> Part<'_, T, N> {
        by::require_dimensions(apart);
        let steps = D::steps(&Place::own(), self.layout.shape);
        // SAFETY: the steps are below the shape, and no other thread has them (see the type).
        unsafe { Part::new(self.pointer, self.layout.strides, steps) }
    }

    /// The first element of this thread's part, or `None` if it has none: for divisions that give a thread
    /// at most one element.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn block_sums(x: &[f32], mut sums: Parts<f32, by::BlockLeader>) {
    ///     let x = x.get(thread::index_1d().get()).copied().unwrap_or(0.0);
    ///     let sum = group::block().reduce(x, |a, b| a + b);
    ///     if let Some(own) = sums.own() {
    ///         *own = sum; // the first thread of each block
    ///     }
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn own(&mut self) -> Option<&mut T> {
        self.part_of(const { Apart::checked() }).into_first()
    }
}

/// The array of a [`Parts`], borrowed as a whole.
pub(super) struct Whole<'a, T, const N: usize> {
    pointer: NonNull<T>,
    layout: Layout<N>,
    borrow: PhantomData<&'a mut [T]>,
}

impl<T, D, const N: usize> Parts<'_, T, D, N> {
    /// The whole array, for several parts.
    #[inline(always)]
    pub(super) fn whole(&mut self) -> Whole<'_, T, N> {
        Whole { pointer: self.pointer, layout: self.layout, borrow: PhantomData }
    }
}

impl<'a, T, const N: usize> Whole<'a, T, N> {
    #[inline(always)]
    pub(super) const fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// A part of it.
    ///
    /// # Safety
    /// The steps are below the shape, and no other thread and no other part of this one has an element that they reach.
    #[inline(always)]
    pub(super) unsafe fn part(&self, steps: [Steps; N]) -> Part<'a, T, N> {
        // SAFETY: as the caller's.
        unsafe { Part::new(self.pointer, self.layout.strides, steps) }
    }
}

impl<T, D, const N: usize> fmt::Debug for Parts<'_, T, D, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Parts({:p}, {:?})", self.pointer, self.layout.shape)
    }
}

#[cfg(test)]
mod tests;
