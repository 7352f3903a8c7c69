//! Arrays of several dimensions in device memory, for writing.

use super::array::Array;
use super::layout::Layout;
use super::non_null;
use crate::thread::{Index1, Index2, Index3};
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, IndexMut, Range};
use core::ptr::NonNull;

/// A view of `N` dimensions that every thread may read and write anywhere: bounds are checked, races
/// are not, so access is `unsafe`. The host passes `buffer.view_mut([h, w])` for it.
///
/// Prefer [`DisjointArray`] where each thread writes its own elements.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn mirror(image: ArrayMut<u32, 2>) {
///     let ([y, x], [height, width]) = (thread::index_2d().get(), image.shape());
///     if y < height && x < width / 2 {
///         let (left, right) = ([y, x], [y, width - 1 - x]);
///         // SAFETY: no two threads have the same pair of elements.
///         unsafe {
///             let pixel = image.read(left);
///             image.write(left, image.read(right));
///             image.write(right, pixel);
///         }
///     }
/// }
/// ```
#[repr(C)]
pub struct ArrayMut<'a, T, const N: usize> {
    pointer: NonNull<T>,
    layout: Layout<N>,
    borrow: PhantomData<&'a mut [T]>,
}

impl<T, const N: usize> Clone for ArrayMut<'_, T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for ArrayMut<'_, T, N> {}

impl<'a, T, const N: usize> ArrayMut<'a, T, N> {
    /// A row-major view, as a launch passes it.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for reads and writes of as many elements as `shape`
    /// has for `'a`.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *mut T, shape: [usize; N]) -> Self {
        Self { pointer: non_null(pointer), layout: Layout::row_major(shape), borrow: PhantomData }
    }

    /// A view with strides of its own.
    ///
    /// # Safety
    /// As for `from_raw_parts`, for every element that an index within `shape` reaches.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts_strided(
        pointer: *mut T,
        shape: [usize; N],
        strides: [usize; N],
    ) -> Self {
        Self { pointer: non_null(pointer), layout: Layout { shape, strides }, borrow: PhantomData }
    }

    /// Elements along each axis.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// fn is_square(matrix: ArrayMut<f32, 2>) -> bool {
    ///     let [rows, columns] = matrix.shape();
    ///     rows == columns
    /// }
    /// ```
    #[inline(always)]
    pub const fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// How many elements apart neighbours along each axis lie.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// fn is_contiguous(matrix: ArrayMut<f32, 2>) -> bool {
    ///     matrix.strides() == [matrix.shape()[1], 1]
    /// }
    /// ```
    #[inline(always)]
    pub const fn strides(&self) -> [usize; N] {
        self.layout.strides
    }

    /// The number of elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn clear(matrix: ArrayMut<f32, 2>) {
    ///     let columns = matrix.shape()[1];
    ///     for i in thread::grid_stride(matrix.len()) {
    ///         // SAFETY: each thread has indices of its own.
    ///         unsafe { matrix.write([i.get() / columns, i.get() % columns], 0.0) }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The mean of a matrix, or `None` if it has no elements.
    /// ///
    /// /// # Safety
    /// /// No thread writes the matrix meanwhile.
    /// unsafe fn mean(matrix: ArrayMut<f32, 2>) -> Option<f32> {
    ///     if matrix.is_empty() {
    ///         return None;
    ///     }
    ///     // SAFETY: the caller's promise.
    ///     let sum: f32 = unsafe { matrix.as_array() }.iter().sum();
    ///     Some(sum / matrix.len() as f32)
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first element.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// The matrix is not empty, and no other thread uses its first element.
    /// unsafe fn clear_first(matrix: ArrayMut<f32, 2>) {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { matrix.as_mut_ptr().write(0.0) }
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(&self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// The element at `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// No thread writes the diagonal meanwhile.
    /// unsafe fn trace(matrix: ArrayMut<f32, 2>) -> f32 {
    ///     // SAFETY: the caller's promise.
    ///     (0..matrix.shape()[0]).map(|i| unsafe { matrix.read([i, i]) }).sum()
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds. The message has the index and the length of the first such axis.
    ///
    /// # Safety
    /// No other thread writes the element meanwhile.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn read(&self, index: [usize; N]) -> T
    where
        T: Copy,
    {
        let offset = self.layout.checked(index);
        // SAFETY: in bounds; the caller keeps writers away.
        unsafe { self.pointer.add(offset).read() }
    }

    /// Sets the element at `index`.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn identity(matrix: ArrayMut<f32, 2>) {
    ///     let [rows, columns] = matrix.shape();
    ///     for i in thread::grid_stride(rows * columns) {
    ///         let place = [i.get() / columns, i.get() % columns];
    ///         // SAFETY: each thread has indices of its own.
    ///         unsafe { matrix.write(place, if place[0] == place[1] { 1.0 } else { 0.0 }) }
    ///     }
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds. The message has the index and the length of the first such axis.
    ///
    /// # Safety
    /// No other thread reads or writes the element meanwhile.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn write(&self, index: [usize; N], value: T)
    where
        T: Copy,
    {
        let offset = self.layout.checked(index);
        // SAFETY: in bounds; the caller keeps other accesses away.
        unsafe { self.pointer.add(offset).write(value) }
    }

    /// A reference to the element at `index`, or `None` out of bounds.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn double_diagonal(matrix: ArrayMut<f32, 2>) {
    ///     let i = thread::index_1d().get();
    ///     // SAFETY: each thread has an element of its own.
    ///     if let Some(element) = unsafe { matrix.get_mut([i, i]) } {
    ///         *element *= 2.0;
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// No thread, this one included, accesses the element otherwise while the reference lives.
    #[inline(always)]
    pub unsafe fn get_mut(&self, index: [usize; N]) -> Option<&'a mut T> {
        if self.layout.contains(index) {
            // SAFETY: in bounds; the caller keeps the reference exclusive.
            Some(unsafe { self.get_unchecked_mut(index) })
        } else {
            None
        }
    }

    /// The element at `index`, without a check.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn double_rows(matrix: ArrayMut<f32, 2>) {
    ///     let [rows, columns] = matrix.shape();
    ///     for row in thread::grid_stride(rows) {
    ///         for column in 0..columns {
    ///             // SAFETY: in bounds, and each thread has rows of its own.
    ///             unsafe { *matrix.get_unchecked_mut([row.get(), column]) *= 2.0 }
    ///         }
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// `index` is below the shape in every axis, and as for [`ArrayMut::get_mut`].
    #[inline(always)]
    pub unsafe fn get_unchecked_mut(&self, index: [usize; N]) -> &'a mut T {
        // SAFETY: the caller gives an index in bounds and keeps the reference exclusive.
        unsafe { self.pointer.add(self.layout.offset(index)).as_mut() }
    }

    /// The part within a range of each axis.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The matrix without its border.
    /// fn inner(matrix: ArrayMut<f32, 2>) -> ArrayMut<f32, 2> {
    ///     let [rows, columns] = matrix.shape();
    ///     matrix.part([1..rows - 1, 1..columns - 1])
    /// }
    /// ```
    ///
    /// # Panics
    /// If a range does not lie in the shape.
    #[inline(always)]
    #[track_caller]
    pub fn part(&self, ranges: [Range<usize>; N]) -> Self {
        let (layout, offset) = self.layout.part(ranges);
        // SAFETY: the offset is that of an element, or 0.
        Self { pointer: unsafe { self.pointer.add(offset) }, layout, borrow: PhantomData }
    }

    /// The same elements with the axes in the opposite order.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// No other thread uses the column.
    /// unsafe fn clear_column(matrix: ArrayMut<f32, 2>, column: usize) {
    ///     let columns = matrix.transposed();
    ///     for row in 0..columns.shape()[1] {
    ///         // SAFETY: the caller's promise.
    ///         unsafe { columns.write([column, row], 0.0) }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn transposed(&self) -> Self {
        Self { pointer: self.pointer, layout: self.layout.transposed(), borrow: PhantomData }
    }

    /// The same elements for reading.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// No thread writes the matrix meanwhile.
    /// unsafe fn row_sum(matrix: ArrayMut<f32, 2>, row: usize) -> f32 {
    ///     // SAFETY: the caller's promise.
    ///     unsafe { matrix.as_array() }.at(row).iter().sum()
    /// }
    /// ```
    ///
    /// # Safety
    /// No thread writes any of them while the view is used.
    #[inline(always)]
    pub const unsafe fn as_array(&self) -> Array<'a, T, N> {
        let Layout { shape, strides } = self.layout;
        // SAFETY: valid for `'a`; the caller keeps writers away.
        unsafe { Array::from_raw_parts_strided(self.pointer.as_ptr(), shape, strides) }
    }
}

impl<T, const N: usize> fmt::Debug for ArrayMut<'_, T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "ArrayMut({:p}, {:?})", self.pointer, self.layout.shape)
    }
}

/// An index of `N` dimensions that no other thread of the launch has: [`Index1`], [`Index2`],
/// [`Index3`].
///
/// ```
/// use ptyx::device::{DisjointArray, view::ThreadIndex};
///
/// /// Clears this thread's element of an array of any number of dimensions.
/// fn clear<const N: usize>(mut array: DisjointArray<f32, N>, index: impl ThreadIndex<N>) {
///     if let Some(element) = array.get_mut(index) {
///         *element = 0.0;
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a thread's own index in {N}D",
    label = "expected an index such as `thread::index_{N}d()`",
    note = "each thread may write its own elements only, so that no two threads write the same one: index with \
            `thread::index_{N}d()`, or in 1D with what `thread::grid_stride(..)` gives",
    note = "for other divisions of a buffer use `Parts`, and `Atomics` for elements that several threads share"
)]
pub trait ThreadIndex<const N: usize>: Copy + sealed::Sealed {
    /// As the index of a row-major array: the fastest axis last.
    ///
    /// ```
    /// use ptyx::device::{Array, view::ThreadIndex};
    ///
    /// /// The element at this thread's place, for arrays of any number of dimensions.
    /// fn own<const N: usize>(array: Array<f32, N>, index: impl ThreadIndex<N>) -> f32 {
    ///     array[index.place()]
    /// }
    /// ```
    fn place(self) -> [usize; N];
}

mod sealed {
    /// An implementation elsewhere could give two threads the same index.
    pub trait Sealed {}
}

impl sealed::Sealed for Index1 {}
impl sealed::Sealed for Index2 {}
impl sealed::Sealed for Index3 {}

impl ThreadIndex<1> for Index1 {
    #[inline(always)]
    fn place(self) -> [usize; 1] {
        [self.get()]
    }
}

impl ThreadIndex<2> for Index2 {
    #[inline(always)]
    fn place(self) -> [usize; 2] {
        self.get()
    }
}

impl ThreadIndex<3> for Index3 {
    #[inline(always)]
    fn place(self) -> [usize; 3] {
        self.get()
    }
}

/// An array of which each thread of a launch owns the elements at its own indices. The host passes
/// `buffer.view_mut([h, w])` for it.
///
/// It is to [`ArrayMut`] what [`Disjoint`](crate::Disjoint) is to [`SliceMut`](crate::SliceMut), and
/// sound for the same reasons: an array of `N` dimensions takes only the index type of `N` dimensions,
/// whose values two threads never share; different indices are different elements; and there are no
/// sub-views, in which an index could mean another thread's element.
///
/// `array.get_mut(thread::index_2d())` is the element in row `index.y()` and column `index.x()`.
///
/// ```
/// use ptyx::prelude::*;
///
/// #[kernel]
/// fn gradient(mut image: DisjointArray<f32, 2>) {
///     let [_, width] = image.shape();
///     let place = thread::index_2d();
///     if let Some(pixel) = image.get_mut(place) {
///         *pixel = place.x() as f32 / width as f32;
///     }
/// }
/// ```
#[repr(C)]
pub struct DisjointArray<'a, T, const N: usize> {
    pointer: NonNull<T>,
    layout: Layout<N>,
    borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T, const N: usize> DisjointArray<'a, T, N> {
    /// A row-major view, as a launch passes it.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for reads and writes of as many elements as `shape`
    /// has for `'a`, every thread of the launch must get the same view, and nothing else may access
    /// the elements meanwhile.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *mut T, shape: [usize; N]) -> Self {
        Self { pointer: non_null(pointer), layout: Layout::row_major(shape), borrow: PhantomData }
    }

    /// Elements along each axis.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Paints the border of an image black.
    /// #[kernel]
    /// fn frame(mut image: DisjointArray<f32, 2>) {
    ///     let ([height, width], place) = (image.shape(), thread::index_2d());
    ///     let is_inside = (1..height - 1).contains(&place.y()) && (1..width - 1).contains(&place.x());
    ///     if let Some(pixel) = image.get_mut(place).filter(|_| !is_inside) {
    ///         *pixel = 0.0;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// The number of elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn uniform(mut probabilities: DisjointArray<f64, 3>) {
    ///     let each = 1.0 / probabilities.len() as f64;
    ///     if let Some(probability) = probabilities.get_mut(thread::index_3d()) {
    ///         *probability = each;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The centre of an image, or `None` if it has no pixels.
    /// fn centre(image: &DisjointArray<f32, 2>) -> Option<[usize; 2]> {
    ///     (!image.is_empty()).then(|| image.shape().map(|extent| extent / 2))
    /// }
    /// ```
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first element, for pointer arithmetic; using it is unsafe.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// # Safety
    /// /// No other thread uses the element in row `y` and column `x`, which exists.
    /// unsafe fn clear(mut image: DisjointArray<f32, 2>, [y, x]: [usize; 2]) {
    ///     let width = image.shape()[1];
    ///     // SAFETY: the caller's promise.
    ///     unsafe { image.as_mut_ptr().add(y * width + x).write(0.0) }
    /// }
    /// ```
    #[inline(always)]
    pub const fn as_mut_ptr(&mut self) -> *mut T {
        self.pointer.as_ptr()
    }

    /// This thread's element at `index`, or `None` out of bounds.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// This thread's pixel, or black outside of the image.
    /// fn own(image: &DisjointArray<f32, 2>) -> f32 {
    ///     image.get(thread::index_2d()).copied().unwrap_or(0.0)
    /// }
    /// ```
    #[inline(always)]
    pub fn get(&self, index: impl ThreadIndex<N>) -> Option<&T> {
        let index = index.place();
        if self.layout.contains(index) {
            // SAFETY: in bounds, and this thread's own (see the type).
            Some(unsafe { self.pointer.add(self.layout.offset(index)).as_ref() })
        } else {
            None
        }
    }

    /// This thread's element at `index` for writing, or `None` out of bounds.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn invert(mut image: DisjointArray<u8, 2>) {
    ///     if let Some(pixel) = image.get_mut(thread::index_2d()) {
    ///         *pixel = 255 - *pixel;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn get_mut(&mut self, index: impl ThreadIndex<N>) -> Option<&mut T> {
        let index = index.place();
        if self.layout.contains(index) {
            // SAFETY: in bounds, this thread's own (see the type), and borrowed with the view.
            Some(unsafe { self.pointer.add(self.layout.offset(index)).as_mut() })
        } else {
            None
        }
    }
}

impl<T, I: ThreadIndex<N>, const N: usize> Index<I> for DisjointArray<'_, T, N> {
    type Output = T;

    /// # Panics
    /// If `index` is out of bounds.
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: I) -> &T {
        let offset = self.layout.checked(index.place());
        // SAFETY: in bounds, and this thread's own (see the type).
        unsafe { self.pointer.add(offset).as_ref() }
    }
}

impl<T, I: ThreadIndex<N>, const N: usize> IndexMut<I> for DisjointArray<'_, T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: I) -> &mut T {
        let offset = self.layout.checked(index.place());
        // SAFETY: in bounds, this thread's own (see the type), and borrowed with the view.
        unsafe { self.pointer.add(offset).as_mut() }
    }
}

impl<T, const N: usize> fmt::Debug for DisjointArray<'_, T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "DisjointArray({:p}, {:?})", self.pointer, self.layout.shape)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_writes_in_place() {
        let mut data = [0; 12];
        // SAFETY: one thread, and `data` is not used otherwise meanwhile.
        unsafe {
            let view = ArrayMut::from_raw_parts(data.as_mut_ptr(), [3, 4]);
            view.write([1, 2], 7);
            view.transposed().write([3, 2], 8);
            *view.part([0..1, 1..4]).get_mut([0, 2]).unwrap() = 9;
            assert!(view.get_mut([3, 0]).is_none());
            assert_eq!(view.read([1, 2]), 7);
            assert_eq!(view.as_array().at(2)[[3]], 8);
        }
        assert_eq!(data, [0, 0, 0, 9, 0, 0, 7, 0, 0, 0, 0, 8]);
    }

    #[test]
    #[should_panic = "index out of bounds: the len is 4 but the index is 9"]
    fn checks_bounds() {
        let mut data = [0; 12];
        // SAFETY: one thread.
        unsafe { ArrayMut::from_raw_parts(data.as_mut_ptr(), [3, 4]).write([0, 9], 1) };
    }

    /// What a launch writes is what the kernel reads: no invariant lies in the types' layout.
    #[test]
    fn views_are_pointer_shape_strides() {
        assert_eq!(size_of::<DisjointArray<'_, u8, 2>>(), 40);
        assert_eq!(size_of::<Array<'_, f64, 3>>(), 56);
    }
}
