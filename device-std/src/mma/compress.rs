//! Compression of sparse matrices: the elements of a row that are kept, and where they stood.

use super::{E2m1, E2m3, E3m2, E4m3, E5m2, Element, PaddedE2m1, S4, Tf32, U4};
use core::fmt;

/// A type of elements that a sparse factor may have.
///
/// A row is divided into groups, at least half of whose elements are zeros: two of four; for [`Tf32`], one of two; for
/// [`S4`], [`U4`] and [`E2m1`], two of four pairs, where a pair is two numbers in one byte.
///
/// ```
/// use ptyx::device::mma::{Compressible, S4, Tf32};
/// assert_eq!((Tf32::GROUP, i8::GROUP, S4::GROUP), (2, 4, 8));
/// ```
#[diagnostic::on_unimplemented(
    message = "no tensor core takes sparse matrices of `{Self}`",
    note = "it takes `half::f16`, `half::bf16`, `Tf32`, `E4m3`, `E5m2`, `E3m2`, `E2m3`, `PaddedE2m1`, `E2m1`, `i8`, \
        `u8`, `S4`, `U4`"
)]
pub trait Compressible: Element {
    /// The number of elements in a group.
    const GROUP: usize;

    /// Whether what a slice holds is zero, of either sign.
    #[doc(hidden)]
    fn is_zero(unit: Self::Unit) -> bool;

    /// Whether a register of metadata belongs to one row, not to two.
    #[doc(hidden)]
    const BY_ROWS: bool;
}

macro_rules! compressible {
    ($($type:ty: $group:literal $by_rows:literal $is_zero:expr;)*) => {$(
        impl Compressible for $type {
            const GROUP: usize = $group;
            const BY_ROWS: bool = $by_rows;

            #[inline(always)]
            fn is_zero(unit: Self::Unit) -> bool {
                $is_zero(unit)
            }
        }
    )*};
}

compressible! {
    Tf32: 2 false (|x: f32| x == 0.0);
    E4m3: 4 true (|x: u8| x & 0x7f == 0);
    E5m2: 4 true (|x: u8| x & 0x7f == 0);
    E3m2: 4 true (|x: u8| x & 0x1f == 0);
    E2m3: 4 true (|x: u8| x & 0x1f == 0);
    // The number is in bits 2 to 5, the sign in the highest of these.
    PaddedE2m1: 4 true (|x: u8| x & 0x1c == 0);
    E2m1: 8 true (|x: u8| x & 0x77 == 0);
    i8: 4 true (|x| x == 0);
    u8: 4 true (|x| x == 0);
    S4: 8 true (|x: u8| x == 0);
    U4: 8 true (|x: u8| x == 0);
}

#[cfg(feature = "half")]
compressible! {
    half::f16: 4 false (|x: half::f16| x.to_bits() & 0x7fff == 0);
    half::bf16: 4 false (|x: half::bf16| x.to_bits() & 0x7fff == 0);
}

/// Why a row can't be compressed.
///
/// ```
/// use ptyx::device::mma::{CompressError, compress};
///
/// /// Where a row of weights must be pruned further, if anywhere.
/// fn dense_group(row: &[i8], values: &mut [i8], metadata: &mut [u16]) -> Option<usize> {
///     match compress::<i8>(row, values, metadata) {
///         Err(CompressError::Dense { element }) => Some(element),
///         Err(error) => panic!("{error}"),
///         Ok(()) => None,
///     }
/// }
/// let row = [0, 7, 0, 5, 3, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0];
/// assert_eq!(dense_group(&row, &mut [0; 8], &mut [0]), Some(4));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CompressError {
    /// More than half of a group's elements are not zero.
    Dense {
        /// The index of the group's first element.
        element: usize,
    },
    /// The lengths of the slices don't match.
    Length {
        /// Elements of the row: a multiple of four groups.
        row: usize,
        /// Elements that are kept: half of them.
        values: usize,
        /// Words of metadata: one for four groups.
        metadata: usize,
    },
}

impl fmt::Display for CompressError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompressError::Dense { element } => write!(
                f,
                "the group that begins at element {element} is not sparse: more than half of its elements are not zero"
            ),
            CompressError::Length { row, values, metadata } => write!(
                f,
                "a row of {row} elements can't become {values} values and {metadata} words of metadata: there must be \
                 half as many values, one word for every four groups, and a multiple of four groups"
            ),
        }
    }
}

impl core::error::Error for CompressError {}

/// Compresses a row of a matrix for [`Sparse`](super::Sparse): writes the half of the elements that are kept to
/// `values`, and where in the row they stood to `metadata`: four bits for each group, so one word for every four
/// groups.
///
/// It runs on host and device. If a group has fewer elements that are not zero than are kept, zeros are kept, too.
///
/// ```
/// use ptyx::device::mma::{CompressError, compress};
/// let row = [0, 7, 0, 5, 3, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 4i8];
/// let (mut values, mut metadata) = ([0; 8], [0u16; 1]);
/// compress::<i8>(&row, &mut values, &mut metadata)?;
/// assert_eq!(values, [7, 5, 3, 0, 2, 1, 0, 4]);
/// // Each group's positions, the first group in the lowest bits: 1 and 3, 0 and 3, 2 and 3, 2 and 3.
/// assert_eq!(metadata, [0b1110_1110_1100_1101]);
///
/// let dense = compress::<i8>(&[1; 16], &mut values, &mut metadata);
/// assert_eq!(dense, Err(CompressError::Dense { element: 0 }));
/// # Ok::<(), CompressError>(())
/// ```
///
/// # Errors
/// [`CompressError`] if the row is not sparse, or the lengths of the slices don't match.
pub fn compress<T: Compressible>(
    row: &[T::Unit],
    values: &mut [T::Unit],
    metadata: &mut [u16],
) -> Result<(), CompressError> {
    let per_unit = const { size_of::<T::Unit>() * 8 / T::BITS as usize };
    // One of two units, or two of four.
    let (group, kept) = const {
        let group = T::GROUP * T::BITS as usize / 8 / size_of::<T::Unit>();
        assert!(group == 2 || group == 4);
        (group, group / 2)
    };
    let groups = row.len() / group;
    if !row.len().is_multiple_of(4 * group)
        || values.len() != row.len() / 2
        || metadata.len() != groups / 4
    {
        let (row, values) = (row.len() * per_unit, values.len() * per_unit);
        return Err(CompressError::Length { row, values, metadata: metadata.len() });
    }
    let parts = row.chunks_exact(group).zip(values.chunks_exact_mut(kept));
    for (index, (units, values)) in parts.enumerate() {
        let place = |from: usize| (from..group).find(|&at| !T::is_zero(units[at]));
        let (first, second) = if group == 2 {
            let first = place(0).unwrap_or(0);
            values[0] = units[first];
            if place(first + 1).is_some() {
                return Err(CompressError::Dense { element: index * T::GROUP });
            }
            // The two halves of a word, as places of 16-bit elements.
            (2 * first, 2 * first + 1)
        } else {
            let first = place(0).unwrap_or(0).min(2);
            let second = place(first + 1).unwrap_or(3);
            values[0] = units[first];
            values[1] = units[second];
            if place(second + 1).is_some() {
                return Err(CompressError::Dense { element: index * T::GROUP });
            }
            (first, second)
        };
        let shift = 4 * (index % 4);
        let nibble = (first | second << 2) as u16;
        let word = &mut metadata[index / 4];
        *word = *word & !(15 << shift) | nibble << shift;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString as _;
    use std::vec;

    #[test]
    fn groups_of_two() {
        let (mut values, mut metadata) = ([9.0; 4], [0xffff; 1]);
        compress::<Tf32>(&[1.0, 0.0, 0.0, 2.0, 0.0, 0.0, -0.0, 3.0], &mut values, &mut metadata)
            .unwrap();
        assert_eq!((values, metadata), ([1.0, 2.0, 0.0, 3.0], [0b1110_0100_1110_0100]));
        let dense =
            compress::<Tf32>(&[0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0], &mut values, &mut metadata);
        assert_eq!(dense, Err(CompressError::Dense { element: 2 }));
    }

    #[test]
    fn pairs_of_nibbles_are_kept_together() {
        let mut row = [0u8; 16];
        (row[1], row[2]) = (0x10, 0x02);
        row[7] = 0x34;
        let (mut values, mut metadata) = ([0; 8], [0; 1]);
        compress::<S4>(&row, &mut values, &mut metadata).unwrap();
        assert_eq!(values, [0x10, 0x02, 0, 0x34, 0, 0, 0, 0]);
        assert_eq!(metadata, [0b1100_1100_1110_1001]);
        row[8..12].fill(1);
        let dense = compress::<S4>(&row, &mut values, &mut metadata);
        assert_eq!(dense, Err(CompressError::Dense { element: 16 }));
    }

    #[test]
    fn lengths_are_checked() {
        let wrong = |row: usize, values: usize, words: usize| {
            let (row, mut values, mut words) = (vec![0i8; row], vec![0; values], vec![0; words]);
            compress::<i8>(&row, &mut values, &mut words).is_err()
        };
        assert!(!wrong(32, 16, 2) && !wrong(0, 0, 0));
        assert!(wrong(24, 12, 1) && wrong(32, 15, 2) && wrong(32, 16, 1));
        assert!(
            compress::<i8>(&[0], &mut [], &mut []).unwrap_err().to_string().contains("1 elements")
        );
    }
}
