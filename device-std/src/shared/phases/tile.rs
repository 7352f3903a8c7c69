//! Tiles that are written in some phases and read in the others.

use super::{Even, Parity, Phase};
use crate::shared::{AnyBits, Shared};
use crate::view::by::{self, Division};
use crate::view::{Part, Place, check_bounds};
use crate::{DeviceCopy, intrinsics};
use core::fmt;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr::NonNull;

/// An array in shared memory whose elements are divided among the threads of a block by `D`. In phases of parity
/// `P`, each thread writes its own elements; in the other phases, all threads read all elements. See
/// [`phases`](crate::shared::phases).
///
/// [`phased!`](crate::phased!) makes one. It behaves like a pointer: copies refer to the same memory.
///
/// ```
/// use ptyx::prelude::*;
/// use ptyx::device::shared::Phase;
///
/// /// Transposes tiles of 32x32, by blocks of 32x8 threads, four elements each.
/// #[kernel]
/// fn transpose(
///     input: Array<f32, 2>,
///     mut output: Parts<f32, Tiles, 2>,
///     mut writing: Phase,
/// ) {
///     // One more column, so that a column's elements lie in different banks.
///     let tile = phased!([[f32; 33]; 32]);
///     let (x, y) = (thread::x() as usize, thread::y() as usize);
///     let (x0, y0) = (32 * block::x() as usize, 32 * block::y() as usize);
///     for k in 0..4 {
///         tile.set(&mut writing, [k, 0], input[[y0 + y + 8 * k, x0 + x]]);
///     }
///     let reading = writing.sync();
///     let (tile, mut own) = (tile.as_ref(&reading), output.part());
///     for k in 0..4 {
///         own[[k, 0]] = tile[x][y + 8 * k];
///     }
/// }
///
/// type Tiles = by::SwapBlocks<(
///     by::Tile<by::BlockY, 32, by::ThreadInBlockY>,
///     by::Tile<by::BlockX, 32, by::ThreadInBlockX>,
/// )>;
/// ```
pub struct Phased<A, D, P = Even, const N: usize = 1> {
    place: Shared<A>,
    rules: PhantomData<fn() -> (D, P)>,
}

impl<A, D, P, const N: usize> Clone for Phased<A, D, P, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<A, D, P, const N: usize> Copy for Phased<A, D, P, N> {}

/// An array seen as `N` axes: `[[T; X]; Y]` as one or two.
///
/// ```
/// use ptyx::device::shared::TileArray;
///
/// /// How many bytes of shared memory a tile of two axes takes.
/// fn bytes<A: TileArray<2>>() -> usize {
///     let [rows, columns] = A::SHAPE;
///     rows * columns * size_of::<A::Element>()
/// }
/// assert_eq!(bytes::<[[f32; 32]; 8]>(), 1024);
/// ```
///
/// # Safety
/// Implemented here only.
pub unsafe trait TileArray<const N: usize>: DeviceCopy {
    /// The type of its elements.
    type Element: DeviceCopy;

    /// Elements along each axis.
    const SHAPE: [usize; N];

    /// The stride along each axis, in elements.
    #[doc(hidden)]
    const STRIDES: [usize; N];
}

// SAFETY: `X` elements.
unsafe impl<T: DeviceCopy, const X: usize> TileArray<1> for [T; X] {
    type Element = T;
    const SHAPE: [usize; 1] = [X];
    const STRIDES: [usize; 1] = [1];
}

// SAFETY: `Y` rows of `X` elements.
unsafe impl<T: DeviceCopy, const X: usize, const Y: usize> TileArray<2> for [[T; X]; Y] {
    type Element = T;
    const SHAPE: [usize; 2] = [Y, X];
    const STRIDES: [usize; 2] = [X, 1];
}

// SAFETY: `Z` layers of `Y` rows of `X` elements.
unsafe impl<T: DeviceCopy, const X: usize, const Y: usize, const Z: usize> TileArray<3>
    for [[[T; X]; Y]; Z]
{
    type Element = T;
    const SHAPE: [usize; 3] = [Z, Y, X];
    const STRIDES: [usize; 3] = [X * Y, X, 1];
}

impl<A: TileArray<N>, D: Division<N>, P: Parity, const N: usize> Phased<A, D, P, N> {
    /// The memory of [`phased!`](crate::phased!): `identity` is a closure whose type names the place in the
    /// source.
    #[doc(hidden)]
    #[inline(always)]
    pub fn alloc<F: FnOnce()>(identity: F) -> Self {
        const {
            assert!(
                by::dimensions_in_block::<D, N>() > 0,
                "this division gives the same element of a block's memory to several of its threads, or depends \
                 on the block's index in the grid: `by` says which coordinates each owner tells apart"
            );
        }
        let _ = identity;
        // The name has the division, the parity and the number of axes, so that no two rules ever hold
        // for the same memory.
        let place = crate::shared::alloc_named::<A, (F, D, P, [(); N])>();
        Self { place, rules: PhantomData }
    }

    /// What this thread has of it.
    #[inline(always)]
    #[track_caller]
    fn mine(self) -> Part<'static, MaybeUninit<A::Element>, N> {
        // SAFETY: lowered to nothing; the compiler notes it and the launch checks.
        unsafe { intrinsics::__ptyx_require_dims(3, const { by::dimensions_in_block::<D, N>() }) };
        let steps = D::steps(&Place::own(), A::SHAPE);
        // SAFETY: memory of the block, and no other thread of it has these elements. They are used in phases
        // in which all threads have only their own.
        unsafe {
            Part::new(NonNull::new_unchecked(self.place.as_mut_ptr()).cast(), A::STRIDES, steps)
        }
    }

    /// Sets element `index` of this thread's part, in a phase of writing. If the part does not have the element,
    /// nothing happens.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::Phase;
    ///
    /// /// The value of the next thread, in blocks of up to 1024 threads.
    /// fn next(mut phase: Phase, value: (f32, bool)) -> ((f32, bool), Phase) {
    ///     let tile = phased!([(f32, bool); 1024]);
    ///     tile.set(&mut phase, [0], value);
    ///     let reading = phase.sync();
    ///     let next = (thread::rank() + 1) % block::threads();
    ///     (tile.get(&reading, [next as usize]), reading.sync())
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set(self, phase: &mut Phase<P>, index: [usize; N], value: A::Element) {
        let _ = phase;
        self.mine().write(index, MaybeUninit::new(value));
    }

    /// Sets the first element of this thread's part, in a phase of writing: in a tile with one element for each thread, the
    /// thread's own. If the part has no element, nothing happens.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum of the values of the thread and of those before and after it in a block of 256; the first and the last
    /// /// thread count their own value twice.
    /// fn sum_of_three(phase: &mut Phase, value: f32) -> f32 {
    ///     let (tile, t) = (phased!([f32; 256]), thread::rank() as usize);
    ///     tile.set_own(phase, value);
    ///     phase.read(|reading| {
    ///         let tile = tile.as_ref(reading);
    ///         tile[t.saturating_sub(1)] + value + tile[(t + 1).min(255)]
    ///     })
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set_own(self, phase: &mut Phase<P>, value: A::Element) {
        self.set(phase, [0; N], value);
    }

    /// The first element of this thread's part, in a phase of writing, or `None` if the part has none: for what a thread adds
    /// up in shared memory. An element that the thread has not written yet has an arbitrary value.
    ///
    /// ```
    /// use ptyx::prelude::*;
    ///
    /// /// The sum of a block of 256 threads, in place.
    /// fn sum(phase: &mut Phase, value: u32) -> u32 {
    ///     let (tile, t) = (phased!([u32; 256]), thread::rank() as usize);
    ///     tile.set_own(phase, value);
    ///     for half in [128, 64, 32, 16, 8, 4, 2, 1] {
    ///         let other = phase.read(|reading| tile.get(reading, [t % half + half]));
    ///         if let (Some(own), true) = (tile.own(phase), t < half) {
    ///             *own += other;
    ///         }
    ///     }
    ///     phase.read(|reading| tile.get(reading, [0]))
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn own(self, phase: &mut Phase<P>) -> Option<&mut A::Element>
    where
        A::Element: AnyBits,
    {
        self.part(phase).into_first()
    }

    /// This thread's part, in a phase of writing. Elements that it has not written yet have arbitrary values.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::Phase;
    ///
    /// /// Copies 1024 elements to shared memory, and sums them in each thread.
    /// fn sum(mut phase: Phase, x: &[u32]) -> (u32, Phase) {
    ///     let tile = phased!([u32; 1024]);
    ///     for (place, own) in tile.part(&mut phase) {
    ///         *own = x[place];
    ///     }
    ///     let reading = phase.sync();
    ///     (tile.as_ref(&reading).iter().sum(), reading.sync())
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn part(self, phase: &mut Phase<P>) -> Part<'_, A::Element, N>
    where
        A::Element: AnyBits,
    {
        let _ = phase;
        // SAFETY: any bits are a value, and the memory has some.
        unsafe { self.mine().assume_values() }
    }

    /// A copy of the element at `index` of the whole tile, in a phase of reading.
    ///
    /// An element that no thread has written has an arbitrary value of its type.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::Phase;
    ///
    /// /// The direction of the opposite thread in a block of 64. Its type need not be a number.
    /// fn opposite(mut phase: Phase, direction: Option<u8>) -> (Option<u8>, Phase) {
    ///     let directions = phased!([Option<u8>; 64]);
    ///     directions.set(&mut phase, [0], direction);
    ///     let reading = phase.sync();
    ///     (directions.get(&reading, [63 - thread::rank() as usize]), reading.sync())
    /// }
    /// ```
    ///
    /// # Panics
    /// If `index` is out of bounds.
    #[inline(always)]
    #[track_caller]
    pub fn get(self, phase: &Phase<P::Other>, index: [usize; N]) -> A::Element {
        for (index, extent) in index.into_iter().zip(A::SHAPE) {
            check_bounds(index, extent);
        }
        // SAFETY: checked.
        unsafe { self.get_unchecked(phase, index) }
    }

    /// A copy of the element at `index` of the whole tile, in a phase of reading, without a check.
    ///
    /// As in [`get`](Self::get), an element that no thread has written has an arbitrary value of its type.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::Phase;
    ///
    /// /// The value of the neighbour in a pair of threads, in blocks of up to 1024 threads.
    /// fn of_neighbour(phase: &mut Phase, value: Option<f32>) -> Option<f32> {
    ///     let tile = phased!([Option<f32>; 1024]);
    ///     tile.set_own(phase, value);
    ///     // SAFETY: a thread's number is below 1024, and so is its neighbour's.
    ///     phase.read(|reading| unsafe { tile.get_unchecked(reading, [thread::rank() as usize ^ 1]) })
    /// }
    /// ```
    ///
    /// # Safety
    /// `index` is below the tile's shape in every axis.
    #[inline(always)]
    pub unsafe fn get_unchecked(self, phase: &Phase<P::Other>, index: [usize; N]) -> A::Element {
        let _ = phase;
        let mut offset = 0;
        for (index, stride) in index.into_iter().zip(A::STRIDES) {
            // SAFETY: all offsets of the tile fit `usize`.
            offset = unsafe { index.unchecked_mul(stride).unchecked_add(offset) };
        }
        let first: *const MaybeUninit<A::Element> = self.place.as_mut_ptr().cast();
        // SAFETY: in bounds of the block's memory, as the caller promises, which no thread writes in this phase; the bits are
        // made a value.
        unsafe {
            let mut element = first.add(offset).read();
            A::Element::make_valid(element.as_mut_ptr());
            element.assume_init()
        }
    }

    /// The elements of the whole tile, which no thread writes while the phase is borrowed.
    #[inline(always)]
    pub(crate) fn elements(self, phase: &Phase<P::Other>) -> Shared<[A::Element]> {
        let _ = phase;
        let first = self.place.as_mut_ptr().cast::<A::Element>();
        let len = const { size_of::<A>() / size_of::<A::Element>() };
        // SAFETY: arrays of elements without gaps, seen as one.
        unsafe { Shared::new(core::ptr::slice_from_raw_parts_mut(first, len)) }
    }

    /// The whole tile, in a phase of reading.
    ///
    /// Elements that no thread has written have arbitrary values.
    ///
    /// ```
    /// use ptyx::prelude::*;
    /// use ptyx::device::shared::Phase;
    ///
    /// /// The dot product of two rows of 128 numbers, one of which the block keeps in shared memory.
    /// fn dot(mut phase: Phase, own: f32, row: &[f32; 128]) -> (f32, Phase) {
    ///     let tile = phased!([f32; 128]);
    ///     tile.set(&mut phase, [0], own);
    ///     let reading = phase.sync();
    ///     let product = tile.as_ref(&reading).iter().zip(row).map(|(a, b)| a * b).sum();
    ///     (product, reading.sync())
    /// }
    /// ```
    #[inline(always)]
    pub fn as_ref(self, phase: &Phase<P::Other>) -> &A
    where
        A: AnyBits,
    {
        let _ = phase;
        // SAFETY: no thread writes it in this phase, and any bits are a value.
        unsafe { &*self.place.as_mut_ptr() }
    }
}

impl<A, D, P, const N: usize> fmt::Debug for Phased<A, D, P, N> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Phased({:p})", self.place.as_mut_ptr())
    }
}

/// Static shared memory that is written and read in phases: `phased!([f32; 256])` is a
/// [`Phased`](crate::shared::Phased) tile.
///
/// Its elements are divided among the threads of a block by [`thread::rank`](crate::thread::rank), or, in an
/// array of arrays, by [`thread::y`](crate::thread::y) and [`thread::x`](crate::thread::x). If there are more
/// elements than threads, a thread's elements are as far apart as there are threads. `phased!(type, D)` divides the
/// elements by `D`, made of owners in [`by`](crate::by). `phased!(type, D, Odd)` is written in odd phases and read
/// in even ones: for the second of two tiles that alternate.
///
/// Each use of the macro in the source (and, in generic functions, each instance) has its own memory, the same for
/// all threads of a block and for every execution of that use.
///
/// ```no_run
/// use ptyx::prelude::*;
/// use ptyx::device::shared::{Odd, Phase};
///
/// /// Running sums of a block of 256: each step adds the element to the left at twice the distance.
/// #[kernel]
/// fn running_sums(mut x: Disjoint<u32>, phase: Phase) {
///     let ping = phased!([u32; 256]);
///     let pong = phased!([u32; 256], by::ThreadInBlock, Odd);
///     let (i, t) = (thread::index_1d(), thread::x() as usize);
///     let (mut even, mut sum) = (phase, x[i]);
///     for distance in [1, 4, 16, 64] {
///         ping.set(&mut even, [0], sum);
///         let mut odd = even.sync();
///         if t >= distance {
///             sum += ping.as_ref(&odd)[t - distance];
///         }
///         pong.set(&mut odd, [0], sum);
///         even = odd.sync();
///         if t >= 2 * distance {
///             sum += pong.as_ref(&even)[t - 2 * distance];
///         }
///     }
///     x[i] = sum;
/// }
///
/// let mut x = DeviceBuffer::filled(512, 1u32)?;
/// launch!(running_sums<<<2, 256>>>(&mut x, shared::PHASES))?;
/// assert_eq!(x.to_vec()?[253..259], [254, 255, 256, 1, 2, 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[macro_export]
macro_rules! phased {
    ([[$element:ty; $x:expr]; $y:expr] $(,)?) => {
        $crate::phased!(
            [[$element; $x]; $y],
            ($crate::by::ThreadInBlockY, $crate::by::ThreadInBlockX)
        )
    };
    ([$element:ty; $x:expr] $(,)?) => {
        $crate::phased!([$element; $x], $crate::by::ThreadInBlock)
    };
    ($type:ty, $division:ty $(,)?) => {
        $crate::phased!($type, $division, $crate::shared::Even)
    };
    ($type:ty, $division:ty, $parity:ty $(,)?) => {
        $crate::shared::Phased::<$type, $division, $parity, _>::alloc(|| ())
    };
}
