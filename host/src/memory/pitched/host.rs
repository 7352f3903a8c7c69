//! Host slices as arrays of several dimensions, and boxes of them.

use super::rows::Rows;
use crate::error::{Error, Result};
use crate::memory::view::IntoShape;
use core::ffi::c_void;
use core::fmt;
use core::ops::Range;

/// A host slice, or a box of it, as an array of `N` dimensions: the source of copies to a device.
///
/// The last index varies fastest. For asynchronous copies use pinned memory, with a [`PinnedView`](crate::PinnedView).
///
/// ```
/// use ptyx::{HostView, PitchedBuffer};
/// let host: Vec<u32> = (0..12).collect();
/// let middle = HostView::new(&host, [3, 4])?.part([1..3, 1..3])?;
/// let mut buffer = PitchedBuffer::<u32>::zeroed([2, 2])?;
/// buffer.view_mut().copy_from_host(middle)?;
/// assert_eq!(buffer.to_vec()?, [5, 6, 9, 10]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct HostView<'a, T, const N: usize> {
    slice: &'a [T],
    rows: Rows<N>,
}

/// A mutable host slice, or a box of it, as an array of `N` dimensions: the destination of copies from a device.
///
/// ```
/// use ptyx::{HostViewMut, PitchedBuffer};
/// let buffer = PitchedBuffer::filled([2, 2], 7u32)?;
/// let mut host = [0; 12];
/// let corner = HostViewMut::new(&mut host, [3, 4])?.part([0..2, 2..4])?;
/// buffer.view().copy_to_host(corner)?;
/// assert_eq!(host, [0, 0, 7, 7, 0, 0, 7, 7, 0, 0, 0, 0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct HostViewMut<'a, T, const N: usize> {
    slice: &'a mut [T],
    rows: Rows<N>,
}

impl<T, const N: usize> Clone for HostView<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for HostView<'_, T, N> {}

macro_rules! views {
    ($($view:ident of $slice:ty, $host:literal;)*) => {$(
        impl<'a, T, const N: usize> $view<'a, T, N> {
            /// All of a slice.
            ///
            /// ```
            #[doc = concat!("use ptyx::{Error, ", stringify!($view), "};")]
            #[doc = concat!("let ", $host, " = [0u32; 12];")]
            #[doc = concat!("assert_eq!(", stringify!($view), "::new(&", $host, ", [3, 4])?.shape(), [3, 4]);")]
            #[doc = concat!("let wrong = ", stringify!($view), "::new(&", $host, ", [3, 5]);")]
            /// assert!(matches!(wrong, Err(Error::Shape { .. })));
            /// # Ok::<(), ptyx::Error>(())
            /// ```
            ///
            /// # Errors
            /// [`Error::Shape`](crate::Error::Shape) if the shape does not have as many elements as the slice.
            pub fn new(slice: $slice, shape: impl IntoShape<N>) -> Result<Self> {
                let rows = Rows::of_slice(shape.into_shape(), slice.len(), size_of::<T>())?;
                Ok($view { slice, rows })
            }

            /// A box: a range along each axis.
            ///
            /// ```
            #[doc = concat!("use ptyx::{Error, ", stringify!($view), "};")]
            #[doc = concat!("let ", $host, " = [0u32; 12];")]
            #[doc = concat!("let middle = ", stringify!($view), "::new(&", $host, ", [3, 4])?.part([1..2, 1..3])?;")]
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
            #[doc = concat!("let ", $host, " = [0u32; 12];")]
            #[doc = concat!("let row = ptyx::", stringify!($view), "::new(&", $host, ", [3, 4])?.part([2..3, 0..4])?;")]
            /// assert_eq!(row.shape(), [1, 4]);
            /// # Ok::<(), ptyx::Error>(())
            /// ```
            pub fn shape(&self) -> [usize; N] {
                self.rows.shape
            }

            /// Where its elements lie in the slice.
            pub(super) fn rows(&self) -> Rows<N> {
                self.rows
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
    HostView of &'a [T], "host";
    HostViewMut of &'a mut [T], "mut host";
}

/// The host's elements for an array, all with one value.
pub(in crate::memory) fn filled<T: Clone, const N: usize>(
    shape: [usize; N],
    value: T,
) -> Result<Vec<T>> {
    let len = Rows::packed(shape, size_of::<T>())?.len();
    let mut host = Vec::new();
    if host.try_reserve_exact(len).is_err() {
        return Err(Error::TooLarge { len, size: size_of::<T>() });
    }
    host.resize(len, value);
    Ok(host)
}

impl<T, const N: usize> HostView<'_, T, N> {
    /// The first element, and how many bytes apart neighbours along each axis lie.
    pub(crate) fn end(&self) -> (*const c_void, [usize; N]) {
        (self.pointer().wrapping_byte_add(self.rows.start), self.rows.strides)
    }

    pub(super) fn pointer(&self) -> *const c_void {
        self.slice.as_ptr().cast()
    }
}

impl<'a, T: Copy, const N: usize> HostView<'a, T, N> {
    /// The elements of the box, row after row. They are not of size 0.
    pub(in crate::memory) fn elements(&self) -> impl Iterator<Item = T> + use<'a, T, N> {
        let (slice, columns) = (self.slice, self.rows.shape[N - 1]);
        let row = move |start: usize| slice[start / size_of::<T>().max(1)..][..columns].iter();
        self.rows.starts().flat_map(row).copied()
    }
}

impl<T: Copy, const N: usize> HostViewMut<'_, T, N> {
    /// The first element, and how many bytes apart neighbours along each axis lie.
    pub(crate) fn end(&mut self) -> (*mut c_void, [usize; N]) {
        (self.pointer().wrapping_byte_add(self.rows.start), self.rows.strides)
    }

    pub(super) fn pointer(&mut self) -> *mut c_void {
        self.slice.as_mut_ptr().cast()
    }

    /// Sets every element of the box.
    pub(in crate::memory) fn fill(&mut self, value: T) {
        let (size, columns) = (size_of::<T>(), self.rows.shape[N - 1]);
        if size == 0 {
            return;
        }
        for start in self.rows.starts() {
            self.slice[start / size..][..columns].fill(value);
        }
    }

    /// Replaces the elements of the box, row after row.
    pub(in crate::memory) fn write(&mut self, values: impl IntoIterator<Item = T>) {
        let (size, columns) = (size_of::<T>(), self.rows.shape[N - 1]);
        let mut values = values.into_iter();
        if size == 0 {
            return;
        }
        for start in self.rows.starts() {
            let row = &mut self.slice[start / size..][..columns];
            row.iter_mut().zip(&mut values).for_each(|(element, value)| *element = value);
        }
    }
}
