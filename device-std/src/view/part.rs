//! Elements that one thread owns.

use super::place::Steps;
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::{Index, IndexMut};
use core::ptr::NonNull;

/// The elements of an array that the calling thread owns, at equal distances along each axis. It comes from
/// [`Parts::part`](super::Parts::part), or from a tile in shared memory.
///
/// Its indices count from 0 along each axis. [`place`](Self::place) and the iterators give the index of an element
/// in the whole array. An iterator over a part of one axis gives elements; over a part of more axes, it gives parts
/// with one axis less. It leaves out parts without elements: a thread that owns no columns gets no rows, either.
///
/// ```
/// use ptyx::device::view::Part;
/// use ptyx::prelude::*;
///
/// /// Multiplies elements by their places in the array.
/// fn scale(own: Part<'_, f32, 1>) {
///     for (place, x) in own {
///         *x *= place as f32;
///     }
/// }
///
/// #[kernel]
/// fn ramp(mut x: Parts<f32, by::Thread>) {
///     scale(x.part()); // elements at the distance of the launch's threads
/// }
/// ```
pub struct Part<'a, T, const N: usize> {
    pointer: NonNull<T>,
    strides: [usize; N],
    steps: [Steps; N],
    borrow: PhantomData<&'a mut [T]>,
}

impl<'a, T, const N: usize> Part<'a, T, N> {
    /// # Safety
    /// Elements at the positions of `steps`, `strides` apart from `pointer` on, are valid for reads and writes
    /// for `'a`, nothing else accesses them meanwhile, and no two indices mean the same one. Unless `steps` has
    /// none along some axis.
    #[inline(always)]
    pub(crate) unsafe fn new(pointer: NonNull<T>, strides: [usize; N], steps: [Steps; N]) -> Self {
        Self { pointer, strides, steps, borrow: PhantomData }
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use ptyx::device::view::Part;
    /// use ptyx::prelude::*;
    ///
    /// /// The mean of the elements that this thread owns, if it owns any.
    /// fn mean(own: Part<'_, f32, 1>) -> Option<f32> {
    ///     if own.is_empty() {
    ///         return None;
    ///     }
    ///     let (sum, count) = own.into_iter().fold((0.0, 0), |(sum, count), (_, x)| (sum + *x, count + 1));
    ///     Some(sum / count as f32)
    /// }
    /// ```
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.steps.iter().any(Steps::is_empty)
    }

    /// The index of element `index` in the whole array, or `None` if the part does not have it.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn gradient(mut image: Parts<usize, (by::ThreadY, by::Tile<by::ThreadX, 2>), 2>) {
    ///     let mut own = image.part();
    ///     for pixel in [[0, 0], [0, 1]] {
    ///         if let Some([y, x]) = own.place(pixel) {
    ///             own[pixel] = y + x;
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn place(&self, index: [usize; N]) -> Option<[usize; N]> {
        let mut place = [0; N];
        for axis in 0..N {
            place[axis] = self.steps[axis].position(index[axis])?;
        }
        Some(place)
    }

    /// How far element `index` is from the array's first, if the part has it.
    #[inline(always)]
    fn offset(&self, index: [usize; N]) -> Option<usize> {
        let place = self.place(index)?;
        let mut offset = 0usize;
        for (place, stride) in place.into_iter().zip(self.strides) {
            // SAFETY: no more than the offset of the array's last element.
            offset = unsafe { offset.unchecked_add(place.unchecked_mul(stride)) };
        }
        Some(offset)
    }

    /// Sets element `index`, if the part has it. LLVM does not know that shared memory is not at address 0: where a
    /// reference would be an option, it would be tested.
    #[inline(always)]
    pub(crate) fn write(&mut self, index: [usize; N], value: T) {
        if let Some(offset) = self.offset(index) {
            // SAFETY: this thread's own.
            unsafe { self.pointer.add(offset).write(value) }
        }
    }

    /// Element `index`, or `None` if the part does not have it.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Adds the second element of each pair to the first.
    /// #[kernel]
    /// fn add_pairs(mut x: Parts<f32, by::Tile<by::Thread, 2>>) {
    ///     let mut own = x.part();
    ///     if let Some(&second) = own.get([1]) {
    ///         own[[0]] += second;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn get(&self, index: [usize; N]) -> Option<&T> {
        // SAFETY: this thread's own, borrowed with the part.
        self.offset(index).map(|offset| unsafe { self.pointer.add(offset).as_ref() })
    }

    /// Element `index` for writing, or `None` if the part does not have it.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Four sums a thread, side by side.
    /// #[kernel]
    /// fn write_sums(sums: [f32; 4], mut y: Parts<f32, by::Tile<by::Thread, 4>>) {
    ///     let mut own = y.part();
    ///     for (i, sum) in sums.into_iter().enumerate() {
    ///         if let Some(y) = own.get_mut([i]) {
    ///             *y = sum;
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn get_mut(&mut self, index: [usize; N]) -> Option<&mut T> {
        // SAFETY: this thread's own, borrowed with the part.
        self.offset(index).map(|offset| unsafe { self.pointer.add(offset).as_mut() })
    }

    /// The first element, if there is one.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// Where the block's first thread writes the block's result; `None` in the other threads.
    /// fn result<'a>(results: &'a mut Parts<'_, f32, by::BlockLeader>) -> Option<&'a mut f32> {
    ///     results.part().into_first()
    /// }
    /// ```
    #[inline(always)]
    pub fn into_first(self) -> Option<&'a mut T> {
        // SAFETY: this thread's own; the part, which is gone now, was all that led to it for `'a`.
        self.offset([0; N]).map(|offset| unsafe { self.pointer.add(offset).as_mut() })
    }

    /// The same part, for a shorter time: for functions and loops that take a part.
    ///
    /// ```
    /// use ptyx::device::view::Part;
    ///
    /// /// Divides the elements by their sum: the first loop borrows the part, the second consumes it.
    /// fn normalise(mut own: Part<'_, f32, 1>) {
    ///     let sum: f32 = own.reborrow().into_iter().map(|(_, x)| *x).sum();
    ///     for (_, x) in own {
    ///         *x /= sum;
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn reborrow(&mut self) -> Part<'_, T, N> {
        Part {
            pointer: self.pointer,
            strides: self.strides,
            steps: self.steps,
            borrow: PhantomData,
        }
    }
}

impl<'a, T, const N: usize> Part<'a, MaybeUninit<T>, N> {
    /// # Safety
    /// The elements are values.
    #[inline(always)]
    pub(crate) unsafe fn assume_values(self) -> Part<'a, T, N> {
        let Part { pointer, strides, steps, .. } = self;
        Part { pointer: pointer.cast(), strides, steps, borrow: PhantomData }
    }
}

impl<'a, T> Part<'a, T, 1> {
    /// The elements as a slice, if they are adjacent in the array: `None` for owners whose elements alternate with
    /// those of others.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// #[kernel]
    /// fn sort_rows(mut rows: Parts<u32, (by::Thread, by::Whole), 2>) {
    ///     for (_, mut row) in rows.part() {
    ///         if let Some(row) = row.as_mut_slice() {
    ///             row.sort_unstable();
    ///         }
    ///     }
    /// }
    /// ```
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]> {
        self.reborrow().into_mut_slice()
    }

    /// As [`as_mut_slice`](Self::as_mut_slice), but the slice lives as long as the part would have.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// This thread's eight adjacent elements, or fewer at the end of the array.
    /// fn own<'a>(x: &'a mut Parts<'_, u32, by::Tile<by::Thread, 8>>) -> &'a mut [u32] {
    ///     x.part().into_mut_slice().unwrap_or_default()
    /// }
    /// ```
    #[inline(always)]
    pub fn into_mut_slice(self) -> Option<&'a mut [T]> {
        if self.strides != [1] {
            return None;
        }
        let (start, len) = self.steps[0].adjacent()?;
        // SAFETY: that many elements of this thread's own from there on, one after another; the part,
        // which is gone now, was all that led to them.
        Some(unsafe { NonNull::slice_from_raw_parts(self.pointer.add(start), len).as_mut() })
    }
}

impl<T, const N: usize> Index<[usize; N]> for Part<'_, T, N> {
    type Output = T;

    /// # Panics
    /// If the part has no such element.
    #[inline(always)]
    #[track_caller]
    fn index(&self, index: [usize; N]) -> &T {
        let offset = self.offset(index).expect("this thread's part does not have this element");
        // SAFETY: this thread's own, borrowed with the part.
        unsafe { self.pointer.add(offset).as_ref() }
    }
}

impl<T, const N: usize> IndexMut<[usize; N]> for Part<'_, T, N> {
    #[inline(always)]
    #[track_caller]
    fn index_mut(&mut self, index: [usize; N]) -> &mut T {
        let offset = self.offset(index).expect("this thread's part does not have this element");
        // SAFETY: this thread's own, borrowed with the part.
        unsafe { self.pointer.add(offset).as_mut() }
    }
}

impl<'a, T, const N: usize> IntoIterator for Part<'a, T, N>
where
    PartIter<'a, T, N>: Iterator,
{
    type Item = <PartIter<'a, T, N> as Iterator>::Item;
    type IntoIter = PartIter<'a, T, N>;

    #[inline(always)]
    fn into_iter(self) -> PartIter<'a, T, N> {
        PartIter(self)
    }
}

/// The elements of a [`Part`] of one axis, or the parts with one axis less, with their indices in the whole array.
///
/// ```
/// use ptyx::device::view::PartIter;
/// use ptyx::prelude::*;
///
/// /// Adds the other rows that this thread owns to the first of them.
/// #[kernel]
/// fn add_rows(mut x: Parts<f32, (by::Share<by::Thread>, by::Whole), 2>) {
///     let mut rows: PartIter<'_, f32, 2> = x.part().into_iter();
///     let Some((_, mut sums)) = rows.next() else { return };
///     for (_, row) in rows {
///         for ((_, sum), (_, x)) in sums.reborrow().into_iter().zip(row) {
///             *sum += *x;
///         }
///     }
/// }
/// ```
pub struct PartIter<'a, T, const N: usize>(Part<'a, T, N>);

impl<'a, T> Iterator for PartIter<'a, T, 1> {
    type Item = (usize, &'a mut T);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, &'a mut T)> {
        let Part { pointer, strides: [stride], steps: [steps], .. } = &mut self.0;
        let place = steps.take()?;
        // SAFETY: this thread's own, and given out once: the steps are past it.
        Some((place, unsafe { pointer.add(place.unchecked_mul(*stride)).as_mut() }))
    }
}

/// Iterators over parts of several axes: `axes, one less: the other axes`.
macro_rules! iterators {
    ($($more:literal $less:literal: $($axis:literal)+;)*) => {$(
        impl<'a, T> Iterator for PartIter<'a, T, $more> {
            type Item = (usize, Part<'a, T, $less>);

            #[inline(always)]
            fn next(&mut self) -> Option<(usize, Part<'a, T, $less>)> {
                let Part { pointer, strides, steps, .. } = &mut self.0;
                // Where another axis has no positions, elements are not at their places.
                if $(steps[$axis].is_empty())||+ {
                    return None;
                }
                let place = steps[0].take()?;
                let (strides, others) = ([$(strides[$axis]),+], [$(steps[$axis]),+]);
                // SAFETY: with the other axes' first positions, that of an element.
                let pointer = unsafe { pointer.add(place.unchecked_mul(self.0.strides[0])) };
                // SAFETY: elements of the part that are given out once: the steps are past them.
                Some((place, unsafe { Part::new(pointer, strides, others) }))
            }
        }
    )*};
}

iterators! {
    2 1: 1;
    3 2: 1 2;
    4 3: 1 2 3;
}

impl<T, const N: usize> fmt::Debug for Part<'_, T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Part({:p}, {:?})", self.pointer, self.steps)
    }
}

impl<T, const N: usize> fmt::Debug for PartIter<'_, T, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
