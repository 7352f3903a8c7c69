//! Where the elements of a box lie, and how the driver copies one.

use crate::error::{Error, Result};
use core::ops::Range;

/// Where the elements of a box of an array lie in its memory. Elements of a row are side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<const N: usize> {
    /// The first element, in bytes.
    pub(crate) start: usize,
    /// Elements along each axis.
    pub(crate) shape: [usize; N],
    /// Bytes from an element to its neighbour along each axis; each is a multiple of the next one.
    pub(crate) strides: [usize; N],
}

impl<const N: usize> Rows<N> {
    /// An array whose rows begin at multiples of `step` bytes, with elements of `size` bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub(super) fn apart(shape: [usize; N], size: usize, step: usize) -> Result<Rows<N>> {
        const { assert!(N > 0, "an array has at least one dimension") };
        // Bytes with which an extent of 0 hides none of the others.
        let mut strides = [size; N];
        let mut bytes = Some(size);
        for axis in (0..N).rev() {
            strides[axis] = bytes.unwrap_or(0);
            bytes = bytes.and_then(|bytes| bytes.checked_mul(shape[axis].max(1)));
            if axis + 1 == N && N > 1 {
                bytes = bytes.and_then(|row| row.checked_next_multiple_of(step.max(1)));
            }
        }
        match bytes.filter(|&bytes| isize::try_from(bytes).is_ok()) {
            Some(_) => Ok(Rows { start: 0, shape, strides }),
            None => {
                let len = shape.iter().fold(1usize, |len, &extent| len.saturating_mul(extent));
                Err(Error::TooLarge { len, size })
            }
        }
    }

    /// An array whose rows are side by side.
    ///
    /// # Errors
    /// As [`Rows::apart`].
    pub(super) fn packed(shape: [usize; N], size: usize) -> Result<Rows<N>> {
        Rows::apart(shape, size, 1)
    }

    /// An array in a slice of `len` elements, whose rows are side by side.
    ///
    /// # Errors
    /// [`Error::Shape`] if it has another number of elements.
    pub(super) fn of_slice(shape: [usize; N], len: usize, size: usize) -> Result<Rows<N>> {
        match Rows::packed(shape, size) {
            Ok(rows) if rows.len() == len => Ok(rows),
            _ => Err(Error::Shape { shape: shape.to_vec(), len, argument: None }),
        }
    }

    /// Bytes of the whole array, with what lies between its rows.
    pub(super) fn bytes(&self) -> usize {
        if self.len() == 0 { 0 } else { self.shape[0] * self.strides[0] }
    }

    /// The number of elements.
    pub(super) fn len(&self) -> usize {
        // An array that exists has no more bytes than fit.
        self.shape.iter().product()
    }

    /// The bytes from the first element to the last one.
    pub(super) fn range(&self) -> Range<usize> {
        if self.len() == 0 {
            return self.start..self.start;
        }
        let axes = self.shape.iter().zip(self.strides);
        let last: usize = axes.map(|(&extent, stride)| (extent - 1) * stride).sum();
        self.start..self.start + last + self.strides[N - 1]
    }

    /// A part of the box.
    ///
    /// # Errors
    /// [`Error::OutOfBounds`] if it is not within the box.
    pub(super) fn part(&self, ranges: &[Range<usize>; N]) -> Result<Rows<N>> {
        let mut part = *self;
        for (axis, range) in ranges.iter().enumerate() {
            if range.start > range.end || range.end > self.shape[axis] {
                return Err(Error::OutOfBounds {
                    part: ranges.to_vec(),
                    shape: self.shape.to_vec(),
                    argument: None,
                });
            }
            part.start += range.start * self.strides[axis];
            part.shape[axis] = range.len();
        }
        Ok(part)
    }

    /// Where each row begins, in bytes, in the order of indices.
    pub(super) fn starts(&self) -> impl Iterator<Item = usize> + use<N> {
        let Rows { start, shape, strides } = *self;
        let count = if self.len() == 0 { 0 } else { shape[..N - 1].iter().product() };
        (0..count).map(move |number: usize| {
            let (mut at, mut number) = (start, number);
            for axis in (0..N - 1).rev() {
                at += number % shape[axis] * strides[axis];
                number /= shape[axis];
            }
            at
        })
    }

    /// The distances in elements of `size` bytes.
    pub(super) fn strides_of(&self, size: usize) -> [usize; N] {
        self.strides.map(|stride| stride.checked_div(size).unwrap_or(0))
    }
}

/// A copy of at most three dimensions, as the driver takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cuboid {
    /// Bytes of a row, rows of a plane, planes.
    pub(super) extent: [usize; 3],
    pub(super) to: Side,
    pub(super) from: Side,
}

/// Where one side of it lies, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Side {
    pub(super) start: usize,
    /// From a row to the next one.
    pub(super) pitch: usize,
    /// From a plane to the next one: a multiple of the pitch.
    pub(super) plane: usize,
}

/// Calls `each` with the copies of at most three dimensions that copy one box to another one of the same shape.
pub(super) fn each_cuboid<const N: usize>(
    to: &Rows<N>,
    from: &Rows<N>,
    mut each: impl FnMut(&Cuboid) -> Result<()>,
) -> Result<()> {
    debug_assert_eq!(to.shape, from.shape);
    let width = to.shape[N - 1] * to.strides[N - 1];
    if width == 0 || to.len() == 0 {
        return Ok(());
    }
    // The axes but the last, innermost first; those that lie in both arrays as if they were one are one.
    let mut axes: Vec<[usize; 3]> = Vec::with_capacity(N);
    for axis in (0..N - 1).rev() {
        let (extent, strides) = (to.shape[axis], [to.strides[axis], from.strides[axis]]);
        match axes.last_mut() {
            _ if extent == 1 => {}
            Some([count, ours, theirs]) if [*count * *ours, *count * *theirs] == strides => {
                *count *= extent;
            }
            _ => axes.push([extent, strides[0], strides[1]]),
        }
    }
    let rows = axes.first().copied().unwrap_or([1, width, width]);
    let planes = axes.get(1).copied().unwrap_or([1, rows[0] * rows[1], rows[0] * rows[2]]);
    let outer = axes.get(2..).unwrap_or(&[]);
    let count = outer.iter().map(|axis| axis[0]).product();
    for number in 0..count {
        let (mut rest, mut to_start, mut from_start) = (number, to.start, from.start);
        for [extent, to_stride, from_stride] in outer {
            to_start += rest % extent * to_stride;
            from_start += rest % extent * from_stride;
            rest /= extent;
        }
        each(&Cuboid {
            extent: [width, rows[0], planes[0]],
            to: Side { start: to_start, pitch: rows[1], plane: planes[1] },
            from: Side { start: from_start, pitch: rows[2], plane: planes[2] },
        })?;
    }
    Ok(())
}

/// The overlap of an array with a box that begins at `first`: its ranges in the array, and in the box.
pub(in crate::memory) fn overlap<const N: usize>(
    extents: [usize; N],
    first: [isize; N],
    shape: [usize; N],
) -> Option<[[Range<usize>; N]; 2]> {
    let mut here = [const { 0..0 }; N];
    let mut there = [const { 0..0 }; N];
    for axis in 0..N {
        let before = first[axis].min(0).unsigned_abs();
        let start = first[axis].max(0).unsigned_abs();
        let count = shape[axis].saturating_sub(before);
        let count = count.min(extents[axis].saturating_sub(start));
        if count == 0 {
            return None;
        }
        (here[axis], there[axis]) = (start..start + count, before..before + count);
    }
    Some([here, there])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number below `limit`.
    fn below(state: &mut u64, limit: usize) -> usize {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (*state >> 33) as usize % limit
    }

    /// The offset of each element of a box, in the order of indices.
    fn offsets<const N: usize>(rows: &Rows<N>) -> Vec<usize> {
        let mut all = vec![rows.start];
        for axis in 0..N {
            let steps = (0..rows.shape[axis]).map(|i| i * rows.strides[axis]);
            let steps: Vec<usize> = steps.collect();
            all = all.iter().flat_map(|at| steps.iter().map(move |step| at + step)).collect();
        }
        all
    }

    /// Each byte of the cuboids is a byte of both boxes, and there are as many.
    fn check<const N: usize>(state: &mut u64) {
        let size = 1 + below(state, 4);
        let shape: [usize; N] = core::array::from_fn(|_| 1 + below(state, 4));
        let mut boxes = [(); 2].map(|()| {
            let mut ranges = [const { 0..0 }; N];
            let whole: [usize; N] = core::array::from_fn(|axis| {
                let (before, behind) = (below(state, 3), below(state, 2));
                ranges[axis] = before..before + shape[axis];
                before + shape[axis] + behind
            });
            let array = Rows::apart(whole, size, size * (1 + below(state, 9))).unwrap();
            array.part(&ranges).unwrap()
        });
        boxes[1].start += 7 * size;
        let [to, from] = boxes;
        let mut pairs = Vec::new();
        each_cuboid(&to, &from, |&Cuboid { extent: [width, height, depth], to, from }| {
            for side in [to, from] {
                assert!(side.pitch >= width && side.plane % side.pitch == 0);
                assert!(side.plane >= height * side.pitch);
            }
            for (z, y) in (0..depth).flat_map(|z| (0..height).map(move |y| (z, y))) {
                let at = |side: Side| side.start + z * side.plane + y * side.pitch;
                pairs.extend((0..width).map(|x| (at(to) + x, at(from) + x)));
            }
            Ok(())
        })
        .unwrap();
        let both = offsets(&to).into_iter().zip(offsets(&from));
        let mut expected: Vec<_> =
            both.flat_map(|(to, from)| (0..size).map(move |x| (to + x, from + x))).collect();
        pairs.sort_unstable();
        expected.sort_unstable();
        assert_eq!(pairs, expected, "{to:?} {from:?}");
        let range = to.range();
        assert_eq!(range.start, offsets(&to)[0]);
        assert_eq!(range.end, offsets(&to).last().unwrap() + size);
    }

    #[test]
    fn cuboids_cover_boxes() {
        for seed in 0..200u64 {
            let mut state = seed;
            check::<1>(&mut state);
            check::<2>(&mut state);
            check::<3>(&mut state);
            check::<4>(&mut state);
            check::<5>(&mut state);
        }
    }

    #[test]
    fn what_is_side_by_side_is_one_copy() {
        let whole = Rows::packed([2, 3, 4, 5, 6], 4).unwrap();
        let mut copies = Vec::new();
        each_cuboid(&whole, &whole, |cuboid| {
            copies.push(cuboid.extent);
            Ok(())
        })
        .unwrap();
        assert_eq!(copies, [[24, 120, 1]]);
    }

    #[test]
    fn too_large_and_empty() {
        let too_large = |shape| matches!(Rows::packed(shape, 8), Err(Error::TooLarge { .. }));
        assert!(too_large([usize::MAX, 2]) && too_large([1 << 32, 1 << 30]));
        assert!(too_large([0, usize::MAX]), "strides must fit, too");
        let empty = Rows::apart([3, 0], 4, 512).unwrap();
        assert_eq!((empty.len(), empty.bytes(), empty.range()), (0, 0, 0..0));
        each_cuboid(&empty, &empty, |_| panic!("nothing to copy")).unwrap();
    }
}
