//! Arrays of several dimensions in device memory, for reading.

use super::layout::Layout;
use super::non_null;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Index, Range};
use core::ptr::NonNull;

/// A view of `N` dimensions that reads: `image[[y, x]]`. The host passes `buffer.view([h, w])` for it.
///
/// Shapes and strides count elements; the last axis is the fastest of a fresh view. Parts,
/// transposition and fixing an axis make other views of the same elements.
///
/// ```
/// use ptyx_device::Array;
/// let data = [1, 2, 3, 4, 5, 6];
/// let array = Array::from_slice(&data, [2, 3]).unwrap();
/// assert_eq!(array[[1, 0]], 4);
/// assert_eq!(array.at(1).as_slice(), Some(&[4, 5, 6][..]));
/// assert!(array.transposed().iter().eq(&[1, 4, 2, 5, 3, 6]));
/// assert!(array.part([0..2, 1..2]).iter().eq(&[2, 5]));
/// ```
#[repr(C)]
pub struct Array<'a, T, const N: usize> {
    pointer: NonNull<T>,
    layout: Layout<N>,
    borrow: PhantomData<&'a [T]>,
}

impl<T, const N: usize> Clone for Array<'_, T, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for Array<'_, T, N> {}

impl<'a, T, const N: usize> Array<'a, T, N> {
    /// A row-major view, as a launch passes it.
    ///
    /// # Safety
    /// On the device, `pointer` must be valid for reads of as many elements as `shape` has for `'a`,
    /// and nothing may write them meanwhile.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts(pointer: *const T, shape: [usize; N]) -> Self {
        Self { pointer: non_null(pointer), layout: Layout::row_major(shape), borrow: PhantomData }
    }

    /// A view with strides of its own.
    ///
    /// # Safety
    /// As for `from_raw_parts`, for every element that an index within `shape` reaches.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn from_raw_parts_strided(
        pointer: *const T,
        shape: [usize; N],
        strides: [usize; N],
    ) -> Self {
        Self { pointer: non_null(pointer), layout: Layout { shape, strides }, borrow: PhantomData }
    }

    /// A row-major view of a slice; `None` unless it has as many elements as `shape`.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert_eq!(array[[1, 2]], 6);
    /// assert!(Array::from_slice(&data, [2, 2]).is_none());
    /// ```
    #[inline(always)]
    pub fn from_slice(slice: &'a [T], shape: [usize; N]) -> Option<Self> {
        let len = shape.iter().try_fold(1usize, |len, &extent| len.checked_mul(extent))?;
        // SAFETY: a slice of that many elements.
        (len == slice.len()).then(|| unsafe { Self::from_raw_parts(slice.as_ptr(), shape) })
    }

    /// Elements along each axis.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// assert_eq!(Array::from_slice(&data, [2, 3]).unwrap().shape(), [2, 3]);
    /// ```
    #[inline(always)]
    pub const fn shape(&self) -> [usize; N] {
        self.layout.shape
    }

    /// How many elements apart neighbours along each axis lie.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert_eq!(array.strides(), [3, 1]);
    /// assert_eq!(array.transposed().strides(), [1, 3]);
    /// ```
    #[inline(always)]
    pub const fn strides(&self) -> [usize; N] {
        self.layout.strides
    }

    /// The number of elements.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert_eq!(array.len(), 6);
    /// assert_eq!(array.part([0..1, 0..3]).len(), 3);
    /// ```
    #[inline(always)]
    pub const fn len(&self) -> usize {
        self.layout.len()
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert!(!array.is_empty());
    /// assert!(array.part([1..1, 0..3]).is_empty());
    /// ```
    #[inline(always)]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first element.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert_eq!(array.as_ptr(), data.as_ptr());
    /// assert_eq!(array.at(1).as_ptr(), &raw const data[3]);
    /// ```
    #[inline(always)]
    pub const fn as_ptr(&self) -> *const T {
        self.pointer.as_ptr()
    }

    /// The element at `index`, or `None` out of bounds.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn blur(image: Array<f32, 2>, mut output: DisjointArray<f32, 2>) {
    ///     let place = thread::index_2d();
    ///     if let Some(output) = output.get_mut(place) {
    ///         let [y, x] = place.get();
    ///         let right = image.get([y, x + 1]); // `None` past the last column
    ///         *output = 0.5 * (image[[y, x]] + right.copied().unwrap_or(0.0));
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub const fn get(&self, index: [usize; N]) -> Option<&'a T> {
        if self.layout.contains(index) {
            // SAFETY: in bounds.
            Some(unsafe { self.get_unchecked(index) })
        } else {
            None
        }
    }

    /// The element at `index`, without a check.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// // SAFETY: there are two rows and three columns.
    /// assert_eq!(unsafe { array.get_unchecked([1, 1]) }, &5);
    /// ```
    ///
    /// # Safety
    /// `index` is below the shape in every axis.
    #[inline(always)]
    pub const unsafe fn get_unchecked(&self, index: [usize; N]) -> &'a T {
        // SAFETY: the caller gives an index in bounds, all of which are valid for `'a`.
        unsafe { self.pointer.add(self.layout.offset(index)).as_ref() }
    }

    /// The part within a range of each axis.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// let corner = array.part([0..2, 1..3]);
    /// assert_eq!(corner.shape(), [2, 2]);
    /// assert!(corner.iter().eq(&[2, 3, 5, 6]));
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
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert_eq!(array.transposed().shape(), [3, 2]);
    /// assert_eq!(array.transposed()[[2, 1]], array[[1, 2]]);
    /// ```
    #[inline(always)]
    pub const fn transposed(&self) -> Self {
        Self { pointer: self.pointer, layout: self.layout.transposed(), borrow: PhantomData }
    }

    /// The elements as a slice, if they lie one after another in row-major order.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert_eq!(array.at(0).as_slice(), Some(&[1, 2, 3][..]));
    /// assert_eq!(array.transposed().as_slice(), None);
    /// ```
    #[inline(always)]
    pub const fn as_slice(&self) -> Option<&'a [T]> {
        if self.layout.is_contiguous() {
            // SAFETY: that many elements from the first one, without gaps.
            Some(unsafe { core::slice::from_raw_parts(self.pointer.as_ptr(), self.len()) })
        } else {
            None
        }
    }

    /// The elements in row-major order.
    ///
    /// ```
    /// use ptyx::device::Array;
    /// let data = [1, 2, 3, 4, 5, 6];
    /// let array = Array::from_slice(&data, [2, 3]).unwrap();
    /// assert_eq!(array.part([0..2, 0..1]).iter().sum::<i32>(), 1 + 4);
    /// ```
    #[inline(always)]
    pub const fn iter(&self) -> Elements<'a, T, N> {
        let next = if self.is_empty() { None } else { Some([0; N]) };
        Elements { array: *self, next }
    }
}

macro_rules! at {
    ($($more:literal $less:literal;)*) => {$(
        impl<'a, T> Array<'a, T, $more> {
            /// The elements whose first index is `index`: a view of one dimension less.
            ///
            /// ```
            /// use ptyx::device::Array;
            /// let data: Vec<u32> = (0..24).collect();
            /// let array = Array::from_slice(&data, [1, 2, 3, 4]).unwrap();
            /// assert_eq!(array.at(0).at(1).shape(), [3, 4]);
            /// assert_eq!(array.at(0).at(1).at(2)[[3]], 23);
            /// ```
            ///
            /// # Panics
            /// If `index` is out of bounds.
            #[inline(always)]
            #[track_caller]
            pub fn at(&self, index: usize) -> Array<'a, T, $less> {
                super::check_bounds(index, self.layout.shape[0]);
                let offset = if self.is_empty() { 0 } else { index * self.layout.strides[0] };
                Array {
                    // SAFETY: the offset is that of an element, or 0.
                    pointer: unsafe { self.pointer.add(offset) },
                    layout: self.layout.without_first_axis(),
                    borrow: PhantomData,
                }
            }
        }
    )*};
}

at! {
    2 1;
    3 2;
    4 3;
}

impl<T, const N: usize> Index<[usize; N]> for Array<'_, T, N> {
    type Output = T;

    /// # Panics
    /// If `index` is out of bounds. The message has the index and the length of the first such axis.
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: [usize; N]) -> &T {
        let offset = self.layout.checked(index);
        // SAFETY: in bounds.
        unsafe { self.pointer.add(offset).as_ref() }
    }
}

impl<'a, T, const N: usize> IntoIterator for Array<'a, T, N> {
    type Item = &'a T;
    type IntoIter = Elements<'a, T, N>;

    #[inline(always)]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T, const N: usize> fmt::Debug for Array<'_, T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Array({:p}, {:?})", self.pointer, self.layout.shape)
    }
}

/// The elements of an [`Array`] in row-major order.
///
/// ```
/// use ptyx::device::{Array, view::Elements};
/// let array = Array::from_slice(&[1, 2, 3, 4], [2, 2]).unwrap();
/// let mut elements: Elements<'_, i32, 2> = array.transposed().iter();
/// assert_eq!(elements.next(), Some(&1));
/// assert_eq!(elements.next(), Some(&3));
/// ```
#[derive(Debug)]
pub struct Elements<'a, T, const N: usize> {
    array: Array<'a, T, N>,
    next: Option<[usize; N]>,
}

impl<'a, T, const N: usize> Iterator for Elements<'a, T, N> {
    type Item = &'a T;

    #[inline(always)]
    fn next(&mut self) -> Option<&'a T> {
        let index = self.next?;
        self.next = self.array.layout.after(index);
        // SAFETY: `after` goes through the indices within the shape.
        Some(unsafe { self.array.get_unchecked(index) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn every_way_to_read_agrees() {
        let data: Vec<usize> = (0..24).collect();
        let array = Array::from_slice(&data, [2, 3, 4]).unwrap();
        for z in 0..2 {
            for y in 0..3 {
                for x in 0..4 {
                    let value = z * 12 + y * 4 + x;
                    assert_eq!(array[[z, y, x]], value);
                    assert_eq!(array.get([z, y, x]), Some(&value));
                    assert_eq!(array.transposed()[[x, y, z]], value);
                    assert_eq!(array.at(z)[[y, x]], value);
                    assert_eq!(array.at(z).at(y)[[x]], value);
                    assert_eq!(array.part([z..2, 0..3, 0..4])[[0, y, x]], value);
                }
            }
        }
        assert!(array.iter().eq(&data));
        assert_eq!(array.get([0, 3, 0]), None);
        assert_eq!(array.as_slice(), Some(&data[..]));
        assert_eq!(array.part([0..2, 0..3, 1..3]).as_slice(), None);
        assert_eq!(array.part([0..0, 0..3, 1..3]).iter().count(), 0);
    }

    #[test]
    fn shapes_must_fit() {
        assert!(Array::from_slice(&[1, 2, 3], [2, 2]).is_none());
        assert!(Array::from_slice(&[0u8; 0], [usize::MAX, 2]).is_none());
        assert!(Array::from_slice(&[0u8; 0], [5, 0]).is_some_and(|array| array.is_empty()));
    }

    #[test]
    #[should_panic = "index out of bounds: the len is 3 but the index is 3"]
    fn an_axis_out_of_bounds() {
        let _ = Array::from_slice(&[0; 6], [2, 3]).unwrap()[[1, 3]];
    }
}
