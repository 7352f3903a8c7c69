//! Pinned memory as arrays of several dimensions, and boxes of it.

use super::rows::Rows;
use crate::driver::types::CUdeviceptr;
use crate::error::Result;
use crate::memory::pinned::{PinnedBuffer, PinnedSlice, Staged};
use crate::memory::tracker::Access;
use crate::memory::view::IntoShape;
use crate::stream::Entry;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use ptyx_device::DeviceCopy;
use std::sync::Arc;

/// Pinned memory, or a box of it, as an array of `N` dimensions: the source of asynchronous copies.
///
/// ```
/// use ptyx::{PinnedBuffer, PitchedBuffer, Stream};
/// let stream = Stream::new()?;
/// let host = PinnedBuffer::from_slice(&[1u32, 2, 3, 4, 5, 6])?;
/// let mut buffer = PitchedBuffer::<u32>::zeroed([2, 2])?;
/// let right = host.view([2, 3])?.part([0..2, 1..3])?;
/// buffer.view_mut().copy_from_pinned_on(right, &stream)?;
/// assert_eq!(buffer.to_vec()?, [2, 3, 5, 6]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct PinnedView<'a, T, const N: usize> {
    pub(crate) buffer: &'a PinnedBuffer<T>,
    /// Who shares the memory with graphs.
    staged: Option<&'a Arc<Staged<T>>>,
    rows: Rows<N>,
}

/// Pinned memory, or a box of it, as an array of `N` dimensions: the destination of asynchronous copies.
///
/// ```
/// use ptyx::{PinnedBuffer, PitchedBuffer, Stream};
/// let stream = Stream::new()?;
/// let mut host = PinnedBuffer::<u32>::zeroed(6)?;
/// let buffer = PitchedBuffer::filled([2, 2], 9u32)?;
/// let left = host.view_mut([2, 3])?.part([0..2, 0..2])?;
/// buffer.view().copy_to_pinned_on(left, &stream)?;
/// assert_eq!(*host, [9, 9, 0, 9, 9, 0]); // waits for the copy
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct PinnedViewMut<'a, T, const N: usize> {
    /// Borrowed mutably by the view.
    pub(crate) buffer: &'a PinnedBuffer<T>,
    /// Who shares the memory with graphs.
    staged: Option<&'a Arc<Staged<T>>>,
    rows: Rows<N>,
    elements: PhantomData<&'a mut [T]>,
}

impl<T, const N: usize> Clone for PinnedView<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for PinnedView<'_, T, N> {}

macro_rules! views {
    ($($view:ident by $host:literal;)*) => {$(
        impl<'a, T, const N: usize> $view<'a, T, N> {
            /// A box: a range along each axis.
            ///
            /// ```
            /// use ptyx::{Error, PinnedBuffer};
            /// let mut host = PinnedBuffer::<u32>::zeroed(12)?;
            #[doc = concat!("let middle = ", $host, "([3, 4])?.part([1..2, 1..3])?;")]
            /// assert_eq!(middle.shape(), [1, 2]);
            /// assert!(matches!(middle.part([0..1, 0..3]), Err(Error::OutOfBounds { .. })));
            /// # Ok::<(), ptyx::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::OutOfBounds`](crate::Error::OutOfBounds) if it is not within this one.
            pub fn part(self, ranges: [Range<usize>; N]) -> Result<Self> {
                let rows = self.rows.part(&ranges)?;
                Ok($view { rows, ..self })
            }

            /// The number of elements along each axis, slowest first.
            ///
            /// ```
            /// let mut host = ptyx::PinnedBuffer::<u32>::zeroed(12)?;
            #[doc = concat!("assert_eq!(", $host, "([3, 4])?.part([2..3, 0..4])?.shape(), [1, 4]);")]
            /// # Ok::<(), ptyx::Error>(())
            /// ```
            pub fn shape(&self) -> [usize; N] {
                self.rows.shape
            }

            /// The address of the first element, if that of the buffer is `base`.
            pub(crate) fn first(&self, base: CUdeviceptr) -> CUdeviceptr {
                base + self.rows.start as CUdeviceptr
            }

            /// The stride along each axis, in elements.
            ///
            /// ```
            /// let mut host = ptyx::PinnedBuffer::<u32>::zeroed(12)?;
            #[doc = concat!("assert_eq!(", $host, "([3, 4])?.part([0..3, 1..2])?.strides(), [4, 1]);")]
            /// # Ok::<(), ptyx::Error>(())
            /// ```
            pub fn strides(&self) -> [usize; N] {
                self.rows.strides_of(size_of::<T>())
            }

            /// Where its first element is in the buffer, and the stride along each axis, in bytes.
            pub(crate) fn place(&self) -> (usize, [usize; N]) {
                (self.rows.start, self.rows.strides)
            }

            /// Where its elements lie in the buffer.
            pub(in crate::memory) fn rows(&self) -> Rows<N> {
                self.rows
            }
        }

        impl<T: DeviceCopy, const N: usize> $view<'_, T, N> {
            /// Notes a use on `entry`'s stream, after what it conflicts with.
            pub(crate) fn order(&self, entry: &Entry<'_>, access: Access) -> Result<()> {
                match self.staged {
                    None => self.buffer.order(entry, access),
                    Some(staged) => staged.order(entry, self.rows.range(), access),
                }
            }
        }

        impl<T, const N: usize> fmt::Debug for $view<'_, T, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:?} elements)", stringify!($view), self.rows.shape)
            }
        }
    )*};
}
views! {
    PinnedView by "host.view";
    PinnedViewMut by "host.view_mut";
}

impl<T: DeviceCopy> PinnedBuffer<T> {
    /// All elements as an array of `shape`, for copies of several dimensions. Does not wait.
    ///
    /// ```
    /// use ptyx::{Error, PinnedBuffer};
    /// let host = PinnedBuffer::<u32>::zeroed(6)?;
    /// assert_eq!(host.view([2, 3])?.shape(), [2, 3]);
    /// assert!(matches!(host.view([2, 2]), Err(Error::Shape { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`](crate::Error::Shape) if the shape does not have as many elements.
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> Result<PinnedView<'_, T, N>> {
        let rows = Rows::of_slice(shape.into_shape(), self.len(), size_of::<T>())?;
        Ok(PinnedView { buffer: self, staged: None, rows })
    }

    /// All elements as an array of `shape` that copies can write. Does not wait.
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PitchedBuffer};
    /// let buffer = PitchedBuffer::filled([1, 3], 7u32)?;
    /// let mut host = PinnedBuffer::<u32>::zeroed(6)?;
    /// buffer.view().copy_to_pinned(host.view_mut([2, 3])?.part([1..2, 0..3])?)?;
    /// assert_eq!(*host, [0, 0, 0, 7, 7, 7]); // waits for the copy
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::view`].
    pub fn view_mut<const N: usize>(
        &mut self,
        shape: impl IntoShape<N>,
    ) -> Result<PinnedViewMut<'_, T, N>> {
        let rows = Rows::of_slice(shape.into_shape(), self.len(), size_of::<T>())?;
        Ok(PinnedViewMut { buffer: self, staged: None, rows, elements: PhantomData })
    }
}

impl<T: DeviceCopy> PinnedSlice<'_, T> {
    /// All elements as an array of `shape`: [`PinnedBuffer::view`].
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PitchedBuffer};
    /// let mut buffer = PitchedBuffer::<u32>::zeroed([2, 2])?;
    /// PinnedBuffer::scope_read_only(&[1, 2, 3, 4, 5, 6], |pinned| {
    ///     buffer.view_mut().copy_from_pinned(pinned.view([2, 3])?.part([0..2, 1..3])?)
    /// })??;
    /// assert_eq!(buffer.to_vec()?, [2, 3, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::view`].
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> Result<PinnedView<'_, T, N>> {
        self.buffer.view(shape)
    }

    /// All elements as an array of `shape` that copies can write: [`PinnedBuffer::view_mut`].
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PitchedBuffer};
    /// let (buffer, mut host) = (PitchedBuffer::filled([2, 2], 9u32)?, [0; 6]);
    /// PinnedBuffer::scope(&mut host, |pinned| {
    ///     buffer.view().copy_to_pinned(pinned.view_mut([2, 3])?.part([0..2, 0..2])?)
    /// })??;
    /// assert_eq!(host, [9, 9, 0, 9, 9, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::view_mut`].
    pub fn view_mut<const N: usize>(
        &mut self,
        shape: impl IntoShape<N>,
    ) -> Result<PinnedViewMut<'_, T, N>> {
        self.buffer.view_mut(shape)
    }
}

/// All of the elements as one row.
fn line<T>(buffer: &PinnedBuffer<T>) -> Rows<1> {
    Rows { start: 0, shape: [buffer.len()], strides: [size_of::<T>()] }
}

impl<'a, T> From<&'a PinnedBuffer<T>> for PinnedView<'a, T, 1> {
    fn from(buffer: &'a PinnedBuffer<T>) -> Self {
        PinnedView { buffer, staged: None, rows: line(buffer) }
    }
}

impl<'a, T> From<&'a mut PinnedBuffer<T>> for PinnedViewMut<'a, T, 1> {
    fn from(buffer: &'a mut PinnedBuffer<T>) -> Self {
        PinnedViewMut { buffer, staged: None, rows: line(buffer), elements: PhantomData }
    }
}

impl<'a, T: DeviceCopy, const N: usize> PinnedView<'a, T, N> {
    /// Memory that is shared with graphs.
    pub(in crate::memory) fn of_staged(
        staged: &'a Arc<Staged<T>>,
        shape: impl IntoShape<N>,
    ) -> Result<Self> {
        Ok(PinnedView { staged: Some(staged), ..staged.buffer.view(shape)? })
    }
}

impl<'a, T: DeviceCopy, const N: usize> PinnedViewMut<'a, T, N> {
    /// Memory that is shared with graphs, and whose owner is borrowed mutably.
    pub(in crate::memory) fn of_staged(
        staged: &'a Arc<Staged<T>>,
        shape: impl IntoShape<N>,
    ) -> Result<Self> {
        let PinnedView { buffer, rows, .. } = staged.buffer.view(shape)?;
        Ok(PinnedViewMut { buffer, staged: Some(staged), rows, elements: PhantomData })
    }
}

impl<'a, T> PinnedView<'a, T, 1> {
    /// All of memory that is shared with graphs, as one row.
    pub(in crate::memory) fn line_of_staged(staged: &'a Arc<Staged<T>>) -> Self {
        PinnedView { buffer: &staged.buffer, staged: Some(staged), rows: line(&staged.buffer) }
    }
}

impl<'a, T> PinnedViewMut<'a, T, 1> {
    /// The same for an owner that is borrowed mutably.
    pub(in crate::memory) fn line_of_staged(staged: &'a Arc<Staged<T>>) -> Self {
        let (buffer, rows) = (&staged.buffer, line(&staged.buffer));
        PinnedViewMut { buffer, staged: Some(staged), rows, elements: PhantomData }
    }
}

impl<'a, T> From<&'a PinnedSlice<'_, T>> for PinnedView<'a, T, 1> {
    fn from(slice: &'a PinnedSlice<'_, T>) -> Self {
        PinnedView::from(&slice.buffer)
    }
}

impl<'a, T> From<&'a mut PinnedSlice<'_, T>> for PinnedView<'a, T, 1> {
    fn from(slice: &'a mut PinnedSlice<'_, T>) -> Self {
        PinnedView::from(&slice.buffer)
    }
}

impl<'a, T> From<&'a mut PinnedSlice<'_, T>> for PinnedViewMut<'a, T, 1> {
    fn from(slice: &'a mut PinnedSlice<'_, T>) -> Self {
        PinnedViewMut::from(&mut slice.buffer)
    }
}
