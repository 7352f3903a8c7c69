//! Tiles in shared memory.

use super::shape::innermost_first;
use super::{Element, TileShape};
use crate::float8::{F8E4M3, F8E5M2};
use crate::mma::{E4m3, E5m2, Tf32};
use crate::shared::Shared;
use crate::view::check_bounds;
use crate::wgmma::{B32, B64, B128, Factor, Major, SharedTile, Swizzle, Swizzled, Unswizzled};
use crate::{DeviceCopy, bulk, layout_name, layout_of};
use core::fmt;
use core::marker::PhantomData;

/// How tiles lie in shared memory: a swizzle with their alignment, or an interleaved layout
/// ([`Interleaved16`](super::Interleaved16), [`Interleaved32`](super::Interleaved32)).
///
/// ```
/// use ptyx::device::shared::Shared;
/// use ptyx::device::tma::{Placed, Tile};
///
/// /// The sum of a row, whatever the swizzle.
/// ///
/// /// # Safety
/// /// Nobody writes the tile meanwhile.
/// unsafe fn sum<S: Placed>(tile: Shared<Tile<[[f32; 32]; 8], S>>, row: usize) -> f32 {
///     // SAFETY: as the caller's.
///     (0..32).map(|column| unsafe { tile.at([row, column]).read() }).sum()
/// }
/// ```
pub trait Placed: Swizzled {
    /// A type of that alignment.
    type Alignment: Copy + 'static;

    /// Bytes of a slice of channels in an interleaved layout, or 0.
    #[doc(hidden)]
    const SLICE: usize = 0;
}

/// Shows a layout: its swizzle, and its slices if there are any.
#[doc(hidden)]
pub struct Layout<S>(PhantomData<S>);

impl<S> Layout<S> {
    /// One to be shown.
    #[doc(hidden)]
    pub const SHOWN: Self = Self(PhantomData);
}

impl<S: Placed> fmt::Debug for Layout<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match S::SLICE {
            0 => write!(formatter, "{:?}", S::SWIZZLE),
            slice => write!(formatter, "{:?}, slices of {slice} bytes", S::SWIZZLE),
        }
    }
}

macro_rules! alignments {
    ($($swizzle:ident: $name:ident $bytes:literal;)*) => {$(
        #[doc = concat!("An alignment of ", stringify!($bytes), " bytes.")]
        #[doc(hidden)]
        #[derive(Clone, Copy, Debug)]
        #[repr(align($bytes))]
        pub struct $name;

        impl Placed for $swizzle {
            type Alignment = $name;
        }
    )*};
}

// Patterns repeat after that many bytes; copies ask for 128.
alignments! {
    Unswizzled: By128 128;
    B32: By256 256;
    B64: By512 512;
    B128: By1024 1024;
}

/// A tile of shape `K` in shared memory, arranged by the swizzle `S`, and aligned for copies.
///
/// Without swizzle it lies there as the arrays do. With one, rows are as wide as the swizzle. In an interleaved layout
/// ([`Interleaved16`](super::Interleaved16)), it has one slice of channels, and its pixels follow each other.
///
/// ```
/// use ptyx::device::{tma::Tile, wgmma::B128};
///
/// type Rows = Tile<[[f32; 32]; 8], B128>;
/// assert_eq!((size_of::<Rows>(), align_of::<Rows>(), Rows::BYTES), (1024, 1024, 1024));
/// assert_eq!(Rows::offset([1, 4]), 128 + (1 ^ 1) * 16);
/// ```
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Tile<K: TileShape, S: Placed = Unswizzled>(K, [S::Alignment; 0]);

impl<K: TileShape, S: Placed> fmt::Debug for Tile<K, S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Tile({}, {:?})", core::any::type_name::<K>(), Layout::<S>::SHOWN)
    }
}

// SAFETY: elements, and padding behind them.
#[diagnostic::do_not_recommend]
unsafe impl<K: TileShape, S: Placed> DeviceCopy for Tile<K, S> {
    const LAYOUT: u64 = layout_name(layout_of::<Self>(), "Tile");
    const ZERO_IS_VALID: bool = K::ZERO_IS_VALID;

    #[inline(always)]
    unsafe fn is_valid(this: *const Self) -> bool {
        // SAFETY: as the caller's; the elements are the first field.
        unsafe { K::is_valid(this.cast()) }
    }

    #[inline(always)]
    unsafe fn make_valid(this: *mut Self) {
        // SAFETY: as above.
        unsafe { K::make_valid(this.cast()) }
    }
}

impl<K: TileShape, S: Placed> Tile<K, S> {
    /// Bytes of the tile, as a barrier counts them.
    ///
    /// ```
    /// use ptyx::device::tma::Tile;
    /// assert_eq!(Tile::<[[u16; 64]; 3]>::BYTES, 384);
    /// ```
    pub const BYTES: u32 = {
        let (row, width) = (K::SIDES[0] * size_of::<K::Element>(), S::SWIZZLE.width());
        let mut at = 0;
        while at < K::SIDES.len() {
            assert!(
                K::SIDES[at] >= 1 && K::SIDES[at] <= 256,
                "a tile has 1 to 256 elements along each dimension"
            );
            at += 1;
        }
        if S::SLICE > 0 {
            // Two dimensions are a column of pixels of images (im2col).
            assert!(
                K::DIMENSIONS >= 2,
                "an interleaved tile has 3 to 5 dimensions: images, the channels of a slice, and 1 to 3 of pixels; or 2 for an \
                 `Im2colMap`: pixels, and the channels of a slice"
            );
            assert!(
                K::DIMENSIONS == 2 || row.is_multiple_of(16),
                "the columns of an interleaved tile, counted as elements, must be a multiple of 16 bytes"
            );
            let is_slice = K::SIDES[K::DIMENSIONS - 2] * size_of::<K::Element>() == S::SLICE;
            assert!(
                S::SLICE != 16 || K::DIMENSIONS > 2 || is_slice,
                "an interleaved tile of an `Im2colMap` is pixels with the channels of one slice, which is all that a copy \
                 brings: 16 bytes, such as `[[f16; 8]; 128]`"
            );
            assert!(
                S::SLICE != 32 || K::DIMENSIONS > 2 || is_slice,
                "an interleaved tile of an `Im2colMap` is pixels with the channels of one slice, which is all that a copy \
                 brings: 32 bytes, such as `[[f16; 16]; 128]`"
            );
            assert!(
                S::SLICE != 16 || is_slice,
                "the second dimension of an interleaved tile must be the channels of one slice, which is all that a copy \
                 brings: 16 bytes, such as 8 channels of 16 bits"
            );
            assert!(
                S::SLICE != 32 || is_slice,
                "the second dimension of an interleaved tile must be the channels of one slice, which is all that a copy \
                 brings: 32 bytes, such as 16 channels of 16 bits"
            );
            assert!(
                size_of::<K>().is_multiple_of(width),
                "the bytes of an interleaved tile must be a multiple of its swizzle's width"
            );
        } else {
            assert!(row.is_multiple_of(16), "rows of a tile must be a multiple of 16 bytes");
            assert!(
                matches!(S::SWIZZLE, Swizzle::None) || row == width,
                "rows of a swizzled tile must be as wide as the swizzle: 32, 64 or 128 bytes"
            );
        }
        assert!(size_of::<K>() < 1 << 18, "a tile is larger than shared memory");
        size_of::<K>() as u32
    };

    /// The offset of an element from the start of the tile, in bytes.
    ///
    /// ```
    /// use ptyx::device::{tma::Tile, wgmma::B32};
    /// assert_eq!(Tile::<[[[u64; 8]; 3]; 2]>::offset([1, 2, 3]), ((3 + 2) * 8 + 3) * 8);
    /// assert_eq!(Tile::<[[u64; 4]; 8], B32>::offset([4, 1]), 4 * 32 + 8 + 16);
    /// ```
    ///
    /// # Panics
    /// If the tile has no such element.
    #[inline(always)]
    #[track_caller]
    pub fn offset(index: K::Index) -> usize {
        const { assert!(Self::BYTES > 0) };
        let index = innermost_first(index.as_ref());
        // In an interleaved layout, the channels of a pixel follow each other. (In a column of pixels, they do anyway.)
        let channels = K::DIMENSIONS.wrapping_sub(2);
        let mut stride = if S::SLICE > 0 { K::SIDES[channels] } else { 1 };
        let (mut element, mut at) = (0usize, 0usize);
        while at < K::DIMENSIONS {
            let (place, side) = (index[at], K::SIDES[at]);
            check_bounds(place, side);
            if S::SLICE > 0 && at == channels {
                element = element.wrapping_add(place);
            } else {
                element = element.wrapping_add(place.wrapping_mul(stride));
                stride = stride.wrapping_mul(side);
            }
            at = at.wrapping_add(1);
        }
        S::SWIZZLE.apply(element.wrapping_mul(size_of::<K::Element>()))
    }
}

impl<K: TileShape, S: Placed> Shared<Tile<K, S>> {
    /// The place of an element.
    ///
    /// ```
    /// use ptyx::device::{tma::Tile, wgmma::B64};
    /// use ptyx::prelude::*;
    ///
    /// /// Each thread of a block of 64 clears an element.
    /// fn clear() {
    ///     let tile = shared!(Tile<[[f32; 16]; 4], B64>);
    ///     let i = thread::rank() as usize;
    ///     // SAFETY: each thread writes its own element.
    ///     unsafe { tile.at([i / 16, i % 16]).write(0.0) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If the tile has no such element.
    #[inline(always)]
    #[track_caller]
    pub fn at(self, index: K::Index) -> Shared<K::Element> {
        let offset = Tile::<K, S>::offset(index);
        // SAFETY: in bounds of memory that is valid, and aligned: an offset is a multiple of the size.
        unsafe { Shared::new(self.as_mut_ptr().cast::<u8>().add(offset).cast()) }
    }

    /// The tile's memory as it is: an element is at [`Tile::offset`].
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, tma::Tile, wgmma::B64};
    ///
    /// fn memory(tile: Shared<Tile<[[f32; 16]; 4], B64>>) -> Shared<[u8]> {
    ///     tile.bytes()
    /// }
    /// ```
    #[inline(always)]
    pub const fn bytes(self) -> Shared<[u8]> {
        let (first, len) = (self.as_mut_ptr().cast(), Tile::<K, S>::BYTES as usize);
        // SAFETY: the same memory; bytes have no invalid values.
        unsafe { Shared::new(core::ptr::slice_from_raw_parts_mut(first, len)) }
    }

    /// Makes what this thread has written into the tile visible to stores ([`bulk::fence_shared`]). A barrier must follow
    /// before another thread starts the store.
    ///
    /// ```
    /// use ptyx::device::{shared::Shared, tma::Tile};
    /// use ptyx::prelude::*;
    ///
    /// /// Each thread's own element, ready to be stored.
    /// fn fill(tile: Shared<Tile<[f32; 256]>>, value: f32) {
    ///     // SAFETY: each thread writes its own element.
    ///     unsafe { tile.at([thread::rank() as usize]).write(value) };
    ///     tile.fence();
    ///     block::sync();
    /// }
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn fence(self) {
        bulk::fence_shared(self.bytes());
    }
}

impl<K: TileShape> Shared<Tile<K>> {
    /// An unswizzled tile as a plain array of arrays, for example for bulk copies.
    ///
    /// ```
    /// use ptyx::device::tma::Tile;
    /// use ptyx::device::{bulk, shared::Shared};
    ///
    /// /// Starts to store a row of the tile.
    /// ///
    /// /// # Safety
    /// /// As [`bulk::shared_to_global`].
    /// unsafe fn store(tile: Shared<Tile<[[f32; 64]; 16]>>, row: usize, to: *mut [f32]) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { bulk::shared_to_global(to, tile.array().at(row).as_slice()) };
    /// }
    /// ```
    #[inline(always)]
    pub const fn array(self) -> Shared<K> {
        // SAFETY: the same memory, whose first part is the arrays.
        unsafe { Shared::new(self.as_mut_ptr().cast()) }
    }
}

/// An element type of tensor cores' tiles that can be filled from a tensor of `E`: of the same type, of `f32` for
/// [`Tf32`], and for floats of 8 bits also of `u8`.
///
/// ```
/// use ptyx::device::mma::{E4m3, Tf32};
/// use ptyx::device::tma::FilledFrom;
///
/// fn fits<T: FilledFrom<E>, E: ptyx::device::tma::Element>() {}
/// fits::<Tf32, f32>();
/// fits::<E4m3, u8>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a tile of `{Self}` can't be filled from a tensor of `{E}`",
    label = "the tensor map's elements are `{E}`, the tile's are `{Self}`",
    note = "the element types must be equal; a tile of `Tf32` is filled from `f32`, one of `E4m3` from `F8E4M3` or `u8`, \
            one of `E5m2` from `F8E5M2` or `u8`"
)]
pub trait FilledFrom<E: Element>: Factor {}

macro_rules! filled_from {
    ($($factor:ty: $($element:ty),+;)*) => {$($(
        impl FilledFrom<$element> for $factor {}
    )+)*};
}

filled_from! {
    Tf32: f32;
    E4m3: F8E4M3, u8;
    E5m2: F8E5M2, u8;
    i8: i8;
    u8: u8;
}

#[cfg(feature = "half")]
filled_from! {
    half::f16: half::f16;
    half::bf16: half::bf16;
}

impl<T: Factor, const ROWS: usize, const DEPTH: usize, S: Placed, M: Major>
    Shared<SharedTile<T, ROWS, DEPTH, S, M>>
{
    /// A panel of a tile of tensor cores as what a copy fills: rows as wide as the swizzle, which divide the tile along
    /// K (or, with [`MnMajor`](crate::wgmma::MnMajor), along M or N).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{TensorMap, Tile};
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    ///
    /// /// Starts to load 64 rows of 256 bytes: two panels.
    /// ///
    /// /// # Safety
    /// /// Nobody uses the tile before the barrier's phase is complete.
    /// unsafe fn load(
    ///     map: TensorMap<[[u8; 128]; 64], B128>,
    ///     to: Shared<SharedTile<u8, 64, 256, B128, KMajor>>,
    ///     row: i32,
    ///     arrived: Barrier,
    /// ) {
    ///     for panel in 0..2 {
    ///         // SAFETY: as the caller's.
    ///         unsafe { map.load(to.panel(panel), [row, 128 * panel as i32], arrived) };
    ///     }
    /// }
    /// ```
    ///
    /// A shape whose elements are not the tile's does not compile ([`FilledFrom`]):
    ///
    /// ```compile_fail,E0277
    /// use half::{bf16, f16};
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::Tile;
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    ///
    /// type Rows<T> = Tile<[[T; 64]; 64], B128>;
    ///
    /// fn wrong(tile: Shared<SharedTile<f16, 64, 64, B128, KMajor>>) -> Shared<Rows<bf16>> {
    ///     tile.panel(0)
    /// }
    /// ```
    ///
    /// # Panics
    /// If the tile has fewer panels. (A shape of another size is a compile error.)
    #[inline(always)]
    #[track_caller]
    pub fn panel<K: TileShape>(self, index: usize) -> Shared<Tile<K, S>>
    where
        T: FilledFrom<K::Element>,
    {
        const {
            let () = SharedTile::<T, ROWS, DEPTH, S, M>::CHECK;
            assert!(
                Tile::<K, S>::BYTES as usize == SharedTile::<T, ROWS, DEPTH, S, M>::PANEL,
                "the shape must be that of a panel: all rows of the tile, each as wide as its swizzle"
            );
            assert!(
                K::SIDES[0] * size_of::<K::Element>() == S::SWIZZLE.width(),
                "the rows of a panel are as wide as the swizzle: 16, 32, 64 or 128 bytes"
            );
            assert!(
                (Tile::<K, S>::BYTES as usize).is_multiple_of(align_of::<S::Alignment>()),
                "the panels of this tile are not aligned for copies: give it more rows"
            );
        }
        let panel = SharedTile::<T, ROWS, DEPTH, S, M>::PANEL;
        check_bounds(index, self.bytes().len() / panel);
        // SAFETY: in bounds of memory that is valid, and aligned.
        unsafe { Shared::new(self.as_mut_ptr().cast::<u8>().add(index.wrapping_mul(panel)).cast()) }
    }

    /// Some rows of a panel, from row `first` on, as a tile: for example for one of several copies that fill the panel.
    ///
    /// ```
    /// use half::bf16;
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::TensorMap;
    /// use ptyx::device::wgmma::{B128, KMajor, SharedTile};
    /// use ptyx::prelude::*;
    ///
    /// /// Each of the two blocks of a cluster loads half of the rows for both.
    /// ///
    /// /// # Safety
    /// /// As [`TensorMap::load_to_cluster`].
    /// unsafe fn load(
    ///     map: TensorMap<[[bf16; 64]; 128], B128>,
    ///     to: Shared<SharedTile<bf16, 256, 64, B128, KMajor>>,
    ///     arrived: Barrier,
    /// ) {
    ///     let first = 128 * group::cluster().block_rank() as usize;
    ///     // SAFETY: as the caller's.
    ///     unsafe { map.load_to_cluster(to.panel_rows(0, first), [first as i32, 0], arrived, 0b11) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If the tile has fewer panels or rows, or `first` is not a multiple of the number of rows. (A shape that is not
    /// one of rows of a panel is a compile error.)
    #[inline(always)]
    #[track_caller]
    pub fn panel_rows<K: TileShape>(self, index: usize, first: usize) -> Shared<Tile<K, S>>
    where
        T: FilledFrom<K::Element>,
    {
        const {
            let () = SharedTile::<T, ROWS, DEPTH, S, M>::CHECK;
            assert!(
                K::DIMENSIONS == 2 && K::SIDES[0] * size_of::<K::Element>() == S::SWIZZLE.width(),
                "the shape must be rows of a panel, each as wide as the swizzle: 16, 32, 64 or 128 bytes"
            );
            assert!(
                (Tile::<K, S>::BYTES as usize).is_multiple_of(align_of::<S::Alignment>()),
                "so few rows of a panel are not aligned for copies"
            );
        }
        let panel = SharedTile::<T, ROWS, DEPTH, S, M>::PANEL;
        check_bounds(index, self.bytes().len() / panel);
        let rows = panel / S::SWIZZLE.width();
        assert!(
            first.is_multiple_of(K::SIDES[1]) && first < rows && K::SIDES[1] <= rows - first,
            "the panel has no such rows"
        );
        let offset = index.wrapping_mul(panel).wrapping_add(first.wrapping_mul(S::SWIZZLE.width()));
        // SAFETY: in bounds of memory that is valid, and aligned.
        unsafe { Shared::new(self.as_mut_ptr().cast::<u8>().add(offset).cast()) }
    }
}
