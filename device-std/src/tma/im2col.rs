//! Columns of pixels of images (im2col), which convolutions multiply.

use super::load::{check_ranks, check_start};
use super::map::Parameter;
use super::shape::innermost_first;
use super::{Layout, Placed, Reduction, Tile, TileShape, instructions};
use crate::barrier::Barrier;
use crate::cache::Policy;
use crate::shared::Shared;
use crate::wgmma::Unswizzled;
use core::fmt;
use core::marker::PhantomData;

/// What a map is of.
type Images<'a, K, S> = (&'a [<K as TileShape>::Element], fn() -> S);

/// What a map is of that kernels change.
type ImagesMut<'a, K, S> = (&'a mut [<K as TileShape>::Element], fn() -> S);

/// Images from which a kernel loads columns of pixels: a kernel's parameter, for which the host passes a
/// `&ptyx::Im2colMap`.
///
/// The images are a tensor of `DIMENSIONS` dimensions: their number, one to three dimensions of pixels, and channels. A tile of
/// shape `K`, `[[f16; 64]; 128]` for 64 channels of 128 pixels, holds consecutive pixels of a *bounding box*, row by row
/// and then from the next image: those that one element of a filter meets.
///
/// In an interleaved layout ([`Interleaved16`](super::Interleaved16)), the dimensions are the images, the slices of channels, and
/// those of pixels. Coordinates are `[n, slice, h, w]`, and a tile is pixels with the channels of one slice: `[[f16; 8]; 128]`.
///
/// ```
/// use ptyx::device::barrier::{Barrier, Phase, State};
/// use ptyx::device::tma::{Im2colMap, Tile};
/// use ptyx::prelude::*;
///
/// type Pixels = [[f32; 16]; 64];
///
/// /// Sums each of 16 channels over the pixels that each element of a 3x3 filter meets, in images of 8x8 pixels, padded by 1:
/// /// a block of 16 threads for each image.
/// #[kernel]
/// fn sums(images: Im2colMap<Pixels, 4>, sums: Atomics<f32>) {
///     let (tile, arrived) = (shared!(Tile<Pixels>), Barrier::new(shared!(State), 1));
///     let mut phase = Phase::FIRST;
///     for element in 0..9 {
///         if thread::rank() == 0 {
///             arrived.arrive_expect_tx(Tile::<Pixels>::BYTES).forget();
///             let at = [block::x() as i32, -1, -1, 0];
///             // SAFETY: all threads have synchronised since they used the tile.
///             unsafe { images.load(tile, at, [element / 3, element % 3], arrived) };
///         }
///         phase = arrived.wait_phase(phase);
///         let channel = thread::x() as usize;
///         for pixel in 0..64 {
///             // SAFETY: the tile has arrived, and nothing writes it before the barrier.
///             sums[channel].fetch_add(unsafe { tile.at([pixel, channel]).read() });
///         }
///         block::sync();
///     }
/// }
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Im2colMap<'a, K: TileShape, const DIMENSIONS: usize, S: Placed = Unswizzled> {
    parameter: Parameter,
    of: PhantomData<Images<'a, K, S>>,
}

/// Images into which a kernel stores columns of pixels: a kernel's parameter, for which the host passes a
/// `&mut ptyx::Im2colMapMut`.
///
/// The types are those of [`Im2colMap`].
///
/// ```
/// use ptyx::device::bulk;
/// use ptyx::device::tma::{Im2colMapMut, Tile};
/// use ptyx::prelude::*;
///
/// /// Writes the same 16 channels to the first 64 pixels of an image, with one block of 1024 threads for each image.
/// #[kernel]
/// fn paint(channels: &[f32], images: Im2colMapMut<[[f32; 16]; 64], 4>) {
///     let tile = shared!(Tile<[[f32; 16]; 64]>);
///     let i = thread::rank() as usize;
///     // SAFETY: each thread writes its own element.
///     unsafe { tile.at([i / 16, i % 16]).write(channels[i % 16]) };
///     tile.fence();
///     block::sync();
///     if i == 0 {
///         // SAFETY: each block has its own image, and the tile stays until the store has read it.
///         unsafe { images.store(tile, [block::x() as i32, 0, 0, 0]) };
///         bulk::commit();
///         bulk::wait_read::<0>();
///     }
/// }
/// ```
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Im2colMapMut<'a, K: TileShape, const DIMENSIONS: usize, S: Placed = Unswizzled> {
    parameter: Parameter,
    of: PhantomData<ImagesMut<'a, K, S>>,
}

/// Checks the types of a map.
const fn check<K: TileShape>(dimensions: usize) {
    assert!(dimensions >= 3 && dimensions <= 5, "images are 3 to 5 dimensions");
    assert!(K::DIMENSIONS == 2, "a tile of images is pixels with channels: `[[f16; 64]; 128]`");
}

/// Calls an instruction's function with the number of dimensions as a constant.
macro_rules! columns_by_rank {
    ($function:ident $(<$generic:ty>)?, $($argument:expr),*) => {
        match DIMENSIONS {
            3 => instructions::$function::<3 $(, $generic)?>($($argument),*),
            4 => instructions::$function::<4 $(, $generic)?>($($argument),*),
            _ => instructions::$function::<5 $(, $generic)?>($($argument),*),
        }
    };
}

impl<K: TileShape, const DIMENSIONS: usize, S: Placed> Im2colMap<'_, K, DIMENSIONS, S> {
    /// The operands of a load, the innermost dimension first.
    #[inline(always)]
    #[track_caller]
    fn operands<const OFFSETS: usize>(
        at: [i32; DIMENSIONS],
        offsets: [u16; OFFSETS],
    ) -> ([i32; 5], [u16; 5]) {
        const {
            check::<K>(DIMENSIONS);
            assert!(OFFSETS + 2 == DIMENSIONS, "there is an offset for each dimension of pixels");
        }
        (innermost_first(&at), innermost_first(&offsets))
    }

    /// Starts to load the pixels from some coordinates on: the image, the pixel's place in the bounding box, and the
    /// channel (in an interleaved layout the image, the slice, and the pixel's place). Each is read `offsets` further on, which is the place of the filter's element: pixels that are then
    /// outside of the image are zero. Bytes complete transactions of the barrier as those of
    /// [`TensorMap::load`](super::TensorMap::load) do.
    ///
    /// PTX [`cp.async.bulk.tensor.im2col.mbarrier::complete_tx::bytes`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Im2colMap, Tile};
    ///
    /// type Pixels = [[f32; 16]; 64];
    ///
    /// /// Starts to load what row `row`, column `column` of a filter meets, for 64 pixels from the first one on.
    /// ///
    /// /// # Safety
    /// /// Nobody uses the tile before the barrier's phase is complete.
    /// unsafe fn load(
    ///     images: Im2colMap<Pixels, 4>,
    ///     tile: Shared<Tile<Pixels>>,
    ///     [row, column]: [u16; 2],
    ///     arrived: Barrier,
    /// ) {
    ///     // A padding of 1: the bounding box begins at -1.
    ///     // SAFETY: as the caller's.
    ///     unsafe { images.load(tile, [0, -1, -1, 0], [row, column], arrived) };
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`TensorMap::load`](super::TensorMap::load).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load<const OFFSETS: usize>(
        &self,
        to: Shared<Tile<K, S>>,
        at: [i32; DIMENSIONS],
        offsets: [u16; OFFSETS],
        barrier: Barrier,
    ) -> u32 {
        let (at, offsets) = Self::operands(at, offsets);
        let (map, to, barrier) = (self.place(), to.as_mut_ptr().cast(), barrier.as_mut_ptr());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { columns_by_rank!(load_columns, map, at, offsets, to, barrier) };
        Tile::<K, S>::BYTES
    }

    /// [`load`](Self::load) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Im2colMap, Tile};
    ///
    /// /// Starts to load pixels that the filter's other elements meet, too.
    /// ///
    /// /// # Safety
    /// /// As [`Im2colMap::load`].
    /// unsafe fn keep(x: Im2colMap<[[f32; 16]; 64], 3>, to: Shared<Tile<[[f32; 16]; 64]>>, arrived: Barrier) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { x.load_with(to, [0, 0, 0], [0], arrived, Policy::evict_last()) };
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`load`](Self::load).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_with<const OFFSETS: usize>(
        &self,
        to: Shared<Tile<K, S>>,
        at: [i32; DIMENSIONS],
        offsets: [u16; OFFSETS],
        barrier: Barrier,
        policy: Policy,
    ) -> u32 {
        let (at, offsets) = Self::operands(at, offsets);
        let (map, to, barrier) = (self.place(), to.as_mut_ptr().cast(), barrier.as_mut_ptr());
        let policy = policy.bits();
        // SAFETY: as in `load`.
        unsafe { columns_by_rank!(load_columns_hint, map, at, offsets, to, barrier, policy) };
        Tile::<K, S>::BYTES
    }

    /// Starts to load pixels to the same location in the shared memory of several blocks of the cluster: those whose bits
    /// are set in `ranks`. The bytes complete transactions of the barrier of each of these blocks.
    ///
    /// PTX [`cp.async.bulk.tensor.im2col.mbarrier::complete_tx::bytes.multicast::cluster`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor) (`sm_90`; by the PTX ISA optimised for
    /// architecture-specific targets such as `sm_90a`, and perhaps much slower on others).
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Im2colMap, Tile};
    ///
    /// /// Starts to load pixels for blocks 0 and 1, which multiply them by different weights.
    /// ///
    /// /// # Safety
    /// /// As [`Im2colMap::load_to_cluster`].
    /// unsafe fn share(x: Im2colMap<[[f32; 16]; 64], 3>, to: Shared<Tile<[[f32; 16]; 64]>>, arrived: Barrier) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { x.load_to_cluster(to, [0, 0, 0], [0], arrived, 0b11) };
    /// }
    /// ```
    ///
    /// # Panics
    /// If `ranks` names a block that the cluster does not have.
    ///
    /// # Safety
    /// As [`TensorMap::load_to_cluster`](super::TensorMap::load_to_cluster).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_to_cluster<const OFFSETS: usize>(
        &self,
        to: Shared<Tile<K, S>>,
        at: [i32; DIMENSIONS],
        offsets: [u16; OFFSETS],
        barrier: Barrier,
        ranks: u16,
    ) -> u32 {
        check_ranks(ranks);
        let (at, offsets) = Self::operands(at, offsets);
        let (map, to, barrier) = (self.place(), to.as_mut_ptr().cast(), barrier.as_mut_ptr());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { columns_by_rank!(load_columns_cluster, map, at, offsets, to, barrier, ranks) };
        Tile::<K, S>::BYTES
    }

    /// [`load_to_cluster`](Self::load_to_cluster) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::barrier::Barrier;
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Im2colMap, Tile};
    ///
    /// /// Starts to load pixels for both blocks of a cluster. No other cluster needs them afterwards.
    /// ///
    /// /// # Safety
    /// /// As [`Im2colMap::load_to_cluster`].
    /// unsafe fn share(x: Im2colMap<[[f32; 16]; 64], 3>, to: Shared<Tile<[[f32; 16]; 64]>>, arrived: Barrier) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { x.load_to_cluster_with(to, [0, 0, 0], [0], arrived, 0b11, Policy::evict_first()) };
    /// }
    /// ```
    ///
    /// # Panics
    /// As [`load_to_cluster`](Self::load_to_cluster).
    ///
    /// # Safety
    /// As [`load_to_cluster`](Self::load_to_cluster).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn load_to_cluster_with<const OFFSETS: usize>(
        &self,
        to: Shared<Tile<K, S>>,
        at: [i32; DIMENSIONS],
        offsets: [u16; OFFSETS],
        barrier: Barrier,
        ranks: u16,
        policy: Policy,
    ) -> u32 {
        check_ranks(ranks);
        let (at, offsets) = Self::operands(at, offsets);
        let (map, to, at_barrier) = (self.place(), to.as_mut_ptr().cast(), barrier.as_mut_ptr());
        let policy = policy.bits();
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe {
            columns_by_rank!(
                load_columns_cluster_hint,
                map,
                at,
                offsets,
                to,
                at_barrier,
                ranks,
                policy
            );
        }
        Tile::<K, S>::BYTES
    }

    /// Prefetches pixels into the L2 cache. This is a hint.
    ///
    /// PTX [`cp.async.bulk.prefetch.tensor.im2col`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-prefetch-tensor) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::tma::Im2colMap;
    ///
    /// /// Asks for the next channels.
    /// fn announce(x: Im2colMap<[[f32; 16]; 64], 3>) {
    ///     x.prefetch_l2([0, 0, 16], [0]);
    /// }
    /// ```
    ///
    /// # Panics
    /// If the first channel, in bytes, is not a multiple of 16 (in an interleaved layout, any slice is allowed): a GPU would report an illegal instruction, after which the
    /// process can no longer use the device.
    #[inline(always)]
    #[track_caller]
    pub fn prefetch_l2<const OFFSETS: usize>(
        &self,
        at: [i32; DIMENSIONS],
        offsets: [u16; OFFSETS],
    ) {
        check_start::<K, S>(&at);
        let (at, offsets) = Self::operands(at, offsets);
        // SAFETY: a hint, about pixels of the map.
        unsafe { columns_by_rank!(prefetch_columns, self.place(), at, offsets) };
    }
}

impl<K: TileShape, const DIMENSIONS: usize, S: Placed> Im2colMapMut<'_, K, DIMENSIONS, S> {
    /// The coordinates, the innermost dimension first.
    #[inline(always)]
    fn coordinates(at: [i32; DIMENSIONS]) -> [i32; 5] {
        const {
            check::<K>(DIMENSIONS);
            assert!(Tile::<K, S>::BYTES > 0);
        }
        innermost_first(&at)
    }

    /// Starts to store pixels of the bounding box, from the coordinates `at` on: the image, the pixel and the channel (in an
    /// interleaved layout the image, the slice and the pixel).
    /// Pixels and channels outside of the image are skipped. Completion is waited for in groups, as for
    /// [`TensorMapMut::store`](super::TensorMapMut::store).
    ///
    /// PTX [`cp.async.bulk.tensor.im2col_no_offs.bulk_group`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-async-bulk-tensor) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::bulk;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Im2colMapMut, Tile};
    ///
    /// /// Stores 64 results of a convolution, from the image's first one on.
    /// ///
    /// /// # Safety
    /// /// As [`Im2colMapMut::store`].
    /// unsafe fn store(y: Im2colMapMut<[[f32; 16]; 64], 4>, from: Shared<Tile<[[f32; 16]; 64]>>, image: i32) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { y.store(from, [image, 0, 0, 0]) };
    ///     bulk::commit();
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`TensorMapMut::store`](super::TensorMapMut::store).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store(&self, from: Shared<Tile<K, S>>, at: [i32; DIMENSIONS]) {
        let (at, from) = (Self::coordinates(at), from.as_mut_ptr().cast());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { columns_by_rank!(store_columns, self.place(), at, from) };
    }

    /// [`store`](Self::store) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::bulk;
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Im2colMapMut, Tile};
    ///
    /// /// Stores results that the next layer reads soon.
    /// ///
    /// /// # Safety
    /// /// As [`Im2colMapMut::store`].
    /// unsafe fn store(y: Im2colMapMut<[[f32; 16]; 64], 3>, from: Shared<Tile<[[f32; 16]; 64]>>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { y.store_with(from, [0, 0, 0], Policy::evict_last()) };
    ///     bulk::commit();
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`store`](Self::store).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn store_with(
        &self,
        from: Shared<Tile<K, S>>,
        at: [i32; DIMENSIONS],
        policy: Policy,
    ) {
        let (at, from) = (Self::coordinates(at), from.as_mut_ptr().cast());
        // SAFETY: as in `store`.
        unsafe { columns_by_rank!(store_columns_hint, self.place(), at, from, policy.bits()) };
    }

    /// Starts to combine pixels of the bounding box with those of a tile, as
    /// [`TensorMapMut::reduce`](super::TensorMapMut::reduce) does.
    ///
    /// PTX [`cp.reduce.async.bulk.tensor.im2col_no_offs`](https://docs.nvidia.com/cuda/parallel-thread-execution/#data-movement-and-conversion-instructions-cp-reduce-async-bulk-tensor) (`sm_90`).
    ///
    /// ```
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Add, Im2colMapMut, Tile};
    ///
    /// /// Adds a block's part of the results.
    /// ///
    /// /// # Safety
    /// /// As [`Im2colMapMut::reduce`].
    /// unsafe fn add(y: Im2colMapMut<[[f32; 16]; 64], 3>, part: Shared<Tile<[[f32; 16]; 64]>>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { y.reduce::<Add>(part, [0, 0, 0]) };
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`TensorMapMut::reduce`](super::TensorMapMut::reduce).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn reduce<R: Reduction<K::Element>>(
        &self,
        from: Shared<Tile<K, S>>,
        at: [i32; DIMENSIONS],
    ) {
        let (at, from) = (Self::coordinates(at), from.as_mut_ptr().cast());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { columns_by_rank!(reduce_columns<R>, self.place(), at, from) };
    }

    /// [`reduce`](Self::reduce) with a policy for the L2 cache.
    ///
    /// ```
    /// use ptyx::device::cache::Policy;
    /// use ptyx::device::shared::Shared;
    /// use ptyx::device::tma::{Add, Im2colMapMut, Tile};
    ///
    /// /// Adds a block's part to results to which other blocks add, too.
    /// ///
    /// /// # Safety
    /// /// As [`Im2colMapMut::reduce`].
    /// unsafe fn add(y: Im2colMapMut<[[f32; 16]; 64], 3>, part: Shared<Tile<[[f32; 16]; 64]>>) {
    ///     // SAFETY: as the caller's.
    ///     unsafe { y.reduce_with::<Add>(part, [0, 0, 0], Policy::evict_last()) };
    /// }
    /// ```
    ///
    /// # Safety
    /// As [`reduce`](Self::reduce).
    #[inline(always)]
    #[track_caller]
    pub unsafe fn reduce_with<R: Reduction<K::Element>>(
        &self,
        from: Shared<Tile<K, S>>,
        at: [i32; DIMENSIONS],
        policy: Policy,
    ) {
        let (at, from) = (Self::coordinates(at), from.as_mut_ptr().cast());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe { columns_by_rank!(reduce_columns_hint<R>, self.place(), at, from, policy.bits()) };
    }
}

macro_rules! maps {
    ($($name:ident)*) => {$(
        impl<K: TileShape, const DIMENSIONS: usize, S: Placed> $name<'_, K, DIMENSIONS, S> {
            /// The map that is a kernel's parameter.
            ///
            /// # Safety
            /// There is the parameter, a map of images with these tiles.
            #[doc(hidden)]
            #[inline(always)]
            pub const unsafe fn in_place(parameter: *const Self) -> Self {
                Self { parameter: Parameter::at(parameter.cast()), of: PhantomData }
            }

            /// Where it is.
            #[inline(always)]
            const fn place(&self) -> *const u8 {
                self.parameter.place
            }

            /// Lets the hardware load the map itself into a cache, as
            /// [`TensorMap::prefetch`](super::TensorMap::prefetch) does.
            ///
            /// ```
            #[doc = concat!("use ptyx::device::tma::", stringify!($name), ";")]
            /// use ptyx::prelude::*;
            ///
            /// /// The start of a kernel: the map is fetched while the block prepares its shared memory.
            #[doc = concat!("fn begin(images: ", stringify!($name), "<[[f32; 16]; 64], 4>) {")]
            ///     if thread::rank() == 0 {
            ///         images.prefetch();
            ///     }
            /// }
            /// ```
            #[inline(always)]
            #[track_caller]
            pub fn prefetch(&self) {
                instructions::prefetch_map(self.place());
            }
        }

        impl<K: TileShape, const DIMENSIONS: usize, S: Placed> fmt::Debug
            for $name<'_, K, DIMENSIONS, S>
        {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (name, shape) = (stringify!($name), core::any::type_name::<K>());
                write!(formatter, "{name}({shape} of {DIMENSIONS} dimensions, {:?})", Layout::<S>::SHOWN)
            }
        }
    )*};
}

maps! { Im2colMap Im2colMapMut }
