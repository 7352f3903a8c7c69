//! Where the elements of an array of several dimensions lie.

use core::ops::Range;

/// Shape and strides, both in elements; the last axis is the fastest in a row-major layout.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout<const N: usize> {
    pub(super) shape: [usize; N],
    pub(super) strides: [usize; N],
}

impl<const N: usize> Layout<N> {
    #[inline(always)]
    pub(super) const fn row_major(shape: [usize; N]) -> Self {
        let mut strides = [1; N];
        let mut axis = N;
        let mut stride = 1usize;
        while axis > 0 {
            axis -= 1;
            strides[axis] = stride;
            // As large as the whole array at most.
            stride = stride.wrapping_mul(shape[axis]);
        }
        Self { shape, strides }
    }

    /// The number of elements.
    #[inline(always)]
    pub(super) const fn len(&self) -> usize {
        let mut product = 1usize;
        let mut axis = 0;
        while axis < N {
            product = product.wrapping_mul(self.shape[axis]);
            axis += 1;
        }
        product
    }

    /// How far from the first element, without a check.
    ///
    /// # Safety
    /// `index` is below the shape in every axis: the elements of an array lie within `isize::MAX`
    /// bytes, so that nothing overflows. The optimiser relies on it.
    #[inline(always)]
    pub(super) const unsafe fn offset(&self, index: [usize; N]) -> usize {
        let mut offset = 0usize;
        let mut axis = 0;
        while axis < N {
            // SAFETY: neither is more than the offset of the last element.
            unsafe {
                let distance = index[axis].unchecked_mul(self.strides[axis]);
                offset = offset.unchecked_add(distance);
            }
            axis += 1;
        }
        offset
    }

    #[inline(always)]
    pub(super) const fn contains(&self, index: [usize; N]) -> bool {
        let mut inside = true;
        let mut axis = 0;
        while axis < N {
            inside &= index[axis] < self.shape[axis];
            axis += 1;
        }
        inside
    }

    /// The offset, or a panic with the first axis that is out of bounds.
    #[inline(always)]
    #[track_caller]
    pub(super) fn checked(&self, index: [usize; N]) -> usize {
        for (&index, &len) in index.iter().zip(&self.shape) {
            super::check_bounds(index, len);
        }
        // SAFETY: in bounds.
        unsafe { self.offset(index) }
    }

    /// Whether the elements lie one after another in row-major order.
    #[inline(always)]
    pub(super) const fn is_contiguous(&self) -> bool {
        let mut axis = N;
        let mut stride = 1usize;
        while axis > 0 {
            axis -= 1;
            // The stride of an axis with one element or none does not matter.
            if self.shape[axis] > 1 && self.strides[axis] != stride {
                return self.len() == 0;
            }
            stride = stride.wrapping_mul(self.shape[axis]);
        }
        true
    }

    /// The layout of a part, and how far its first element is from this one's.
    #[inline(always)]
    #[track_caller]
    pub(super) fn part(&self, ranges: [Range<usize>; N]) -> (Self, usize) {
        let mut part = *self;
        let mut offset = 0usize;
        for (axis, range) in ranges.into_iter().enumerate() {
            assert!(
                range.start <= range.end && range.end <= self.shape[axis],
                "a part of an array is out of bounds"
            );
            part.shape[axis] = range.end - range.start;
            // An empty part may begin at the end, which is past the last element.
            let start = if range.start < self.shape[axis] { range.start } else { 0 };
            offset += start * self.strides[axis];
        }
        (part, offset)
    }

    /// The axes in the opposite order.
    #[inline(always)]
    pub(super) const fn transposed(&self) -> Self {
        let mut other = *self;
        let mut axis = 0;
        while axis < N {
            other.shape[axis] = self.shape[N - 1 - axis];
            other.strides[axis] = self.strides[N - 1 - axis];
            axis += 1;
        }
        other
    }

    /// The index after `index` in row-major order, or `None` after the last one.
    #[inline(always)]
    pub(super) const fn after(&self, mut index: [usize; N]) -> Option<[usize; N]> {
        let mut axis = N;
        while axis > 0 {
            axis -= 1;
            index[axis] += 1;
            if index[axis] < self.shape[axis] {
                return Some(index);
            }
            index[axis] = 0;
        }
        None
    }
}

/// The layouts of one dimension less: the first axis fixed.
macro_rules! without_first_axis {
    ($($more:literal $less:literal: $($axis:literal)*;)*) => {$(
        impl Layout<$more> {
            #[inline(always)]
            pub(super) const fn without_first_axis(&self) -> Layout<$less> {
                Layout { shape: [$(self.shape[$axis]),*], strides: [$(self.strides[$axis]),*] }
            }
        }
    )*};
}

without_first_axis! {
    2 1: 1;
    3 2: 1 2;
    4 3: 1 2 3;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    #[test]
    fn row_major_offsets_count_up() {
        let layout = Layout::row_major([2, 3, 4]);
        assert_eq!((layout.strides, layout.len()), ([12, 4, 1], 24));
        let mut offsets = Vec::new();
        let mut next = Some([0; 3]);
        while let Some(index) = next {
            assert!(layout.contains(index));
            // SAFETY: in bounds.
            offsets.push(unsafe { layout.offset(index) });
            next = layout.after(index);
        }
        assert_eq!(offsets, (0..24).collect::<Vec<_>>());
        assert!(!layout.contains([0, 3, 0]));
    }

    #[test]
    fn contiguity() {
        let layout = Layout::row_major([3, 4]);
        assert!(layout.is_contiguous() && layout.part([1..3, 0..4]).0.is_contiguous());
        assert!(!layout.part([0..3, 0..3]).0.is_contiguous());
        assert!(layout.part([1..2, 1..3]).0.is_contiguous(), "one row");
        assert!(!layout.transposed().is_contiguous());
        assert!(layout.part([2..2, 1..3]).0.is_contiguous(), "nothing");
    }

    #[test]
    fn parts() {
        let layout = Layout::row_major([3, 4]);
        assert_eq!(layout.part([1..3, 2..4]), (Layout { shape: [2, 2], strides: [4, 1] }, 6));
        assert_eq!(layout.part([3..3, 0..4]).1, 0, "an empty part points nowhere new");
    }

    #[test]
    #[should_panic = "a part of an array is out of bounds"]
    fn parts_lie_inside() {
        let _ = Layout::row_major([3, 4]).part([0..3, 2..5]);
    }
}
