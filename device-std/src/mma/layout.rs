//! The layout of a matrix in a slice.

/// The layout of a matrix in a slice, in elements.
///
/// ```
/// use ptyx::device::mma::Layout;
///
/// // Rows of 100 elements one after another. The matrix begins at row 16, column 32.
/// let tile = Layout::row_major(100).at(16, 32);
/// assert_eq!(tile, Layout::row_major(100).from(1632));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    start: usize,
    stride: usize,
    /// Whether rows lie one after another, not columns.
    rows: bool,
}

impl Layout {
    /// Row-major: rows begin `stride` elements apart.
    ///
    /// ```
    /// use ptyx::device::mma::Layout;
    /// // A row begins 32 elements after the last one.
    /// assert_eq!(Layout::row_major(32).at(1, 0), Layout::row_major(32).from(32));
    /// ```
    #[inline(always)]
    pub const fn row_major(stride: usize) -> Self {
        Self { start: 0, stride, rows: true }
    }

    /// Column-major: columns begin `stride` elements apart.
    ///
    /// ```
    /// use ptyx::device::mma::Layout;
    /// // A column begins 32 elements after the last one.
    /// assert_eq!(Layout::column_major(32).at(0, 1), Layout::column_major(32).from(32));
    /// ```
    #[inline(always)]
    pub const fn column_major(stride: usize) -> Self {
        Self { start: 0, stride, rows: false }
    }

    /// The same layout, `elements` further on.
    ///
    /// ```
    /// use ptyx::device::mma::Layout;
    /// // The second of many matrices of 16x8 elements.
    /// assert_eq!(Layout::row_major(8).from(128), Layout::row_major(8).at(16, 0));
    /// ```
    #[inline(always)]
    pub const fn from(self, elements: usize) -> Self {
        Self { start: self.start.wrapping_add(elements), ..self }
    }

    /// The part of the matrix that begins at this row and column.
    ///
    /// ```
    /// use ptyx::device::mma::Layout;
    /// let rows = Layout::row_major(100);
    /// assert_eq!(rows.at(16, 0).at(0, 32), rows.at(16, 32));
    /// ```
    #[inline(always)]
    pub const fn at(self, row: usize, column: usize) -> Self {
        let (major, minor) = if self.rows { (row, column) } else { (column, row) };
        self.from(major.wrapping_mul(self.stride).wrapping_add(minor))
    }

    /// The place of the first element.
    #[inline(always)]
    pub(super) const fn start(self) -> usize {
        self.start
    }

    /// How far rows are apart, or columns.
    #[inline(always)]
    pub(super) const fn stride(self) -> usize {
        self.stride
    }

    /// Whether neighbours of a row lie side by side.
    #[inline(always)]
    pub(super) const fn has_rows(self) -> bool {
        self.rows
    }

    /// The place of an element, which [`Layout::fits`] has shown to exist.
    #[inline(always)]
    pub(crate) const fn index(self, row: usize, column: usize) -> usize {
        let place = self.at(row, column);
        place.start
    }

    /// Whether a matrix of this size lies within `len` elements.
    #[inline(always)]
    pub(crate) const fn fits(self, rows: usize, columns: usize, len: usize) -> bool {
        let (major, minor) = if self.rows { (rows, columns) } else { (columns, rows) };
        let Some(last) = (major - 1).checked_mul(self.stride) else { return false };
        let Some(end) = last.checked_add(minor) else { return false };
        self.start <= len && end <= len - self.start
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places() {
        let rows = Layout::row_major(10).at(2, 3);
        assert_eq!((rows.index(0, 0), rows.index(1, 4)), (23, 37));
        let columns = Layout::column_major(10).at(2, 3);
        assert_eq!((columns.index(0, 0), columns.index(1, 4)), (32, 73));
    }

    #[test]
    fn bounds() {
        let layout = Layout::row_major(10).from(5);
        assert!(layout.fits(3, 8, 33) && !layout.fits(3, 8, 32));
        assert!(!Layout::row_major(usize::MAX).fits(3, 8, 100));
        assert!(!Layout::row_major(usize::MAX / 2).fits(3, 8, usize::MAX));
        assert!(!Layout::row_major(8).from(usize::MAX).fits(1, 8, 100));
        assert!(
            Layout::column_major(16).fits(16, 8, 128) && !Layout::column_major(17).fits(16, 8, 128)
        );
        assert!(Layout::row_major(0).fits(16, 8, 8), "all rows are one");
    }
}
