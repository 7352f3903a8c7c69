//! Columns of images: what convolutions multiply.

use super::instructions;
use super::map::Parameter;
use super::shape::innermost_first;
use super::{Placed, Tile, TileShape};
use crate::barrier::Barrier;
use crate::shared::Shared;
use crate::wgmma::Unswizzled;
use core::fmt;
use core::marker::PhantomData;

/// What a map is of.
type Images<'a, K, S> = (&'a [<K as TileShape>::Element], fn() -> S);

/// Images that a kernel loads columns of pixels of: a kernel's parameter for a `&ptyx::Im2colMap` of the host.
///
/// The images are a tensor of `DIMENSIONS` dimensions: their number, one to three dimensions of pixels, and channels. A tile of
/// shape `K`, `[[f16; 64]; 128]` for 64 channels of 128 pixels, has pixels of a *bounding box* one after the other,
/// row by row and then from the next image: those that an element of a filter meets.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Im2colMap<'a, K: TileShape, const DIMENSIONS: usize, S: Placed = Unswizzled> {
    parameter: Parameter,
    of: PhantomData<Images<'a, K, S>>,
}

impl<K: TileShape, const DIMENSIONS: usize, S: Placed> Im2colMap<'_, K, DIMENSIONS, S> {
    /// The map that is a kernel's parameter.
    ///
    /// # Safety
    /// There is the parameter, a map of images with these tiles.
    #[doc(hidden)]
    #[inline(always)]
    pub const unsafe fn in_place(parameter: *const Self) -> Self {
        Self { parameter: Parameter::at(parameter.cast()), of: PhantomData }
    }

    /// Starts to load the pixels from some coordinates on: the image, the pixel's place in the bounding box, and the
    /// channel. Each is read `offsets` further on, which is the place of the filter's element: pixels that are then
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
        const {
            assert!(DIMENSIONS >= 3 && DIMENSIONS <= 5, "images are 3 to 5 dimensions");
            assert!(OFFSETS + 2 == DIMENSIONS, "there is an offset for each dimension of pixels");
            assert!(
                K::DIMENSIONS == 2,
                "a tile of images is pixels with channels: `[[f16; 64]; 128]`"
            );
        }
        let (at, offsets) = (innermost_first(&at), innermost_first(&offsets));
        let (map, to, barrier) = (self.parameter.place, to.as_mut_ptr(), barrier.as_mut_ptr());
        // SAFETY: as the caller's; the map is of such tiles.
        unsafe {
            match DIMENSIONS {
                3 => instructions::load_columns::<3>(map, at, offsets, to.cast(), barrier),
                4 => instructions::load_columns::<4>(map, at, offsets, to.cast(), barrier),
                _ => instructions::load_columns::<5>(map, at, offsets, to.cast(), barrier),
            }
        }
        Tile::<K, S>::BYTES
    }
}

impl<K: TileShape, const DIMENSIONS: usize, S: Placed> fmt::Debug
    for Im2colMap<'_, K, DIMENSIONS, S>
{
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = core::any::type_name::<K>();
        write!(formatter, "Im2colMap({shape} of {DIMENSIONS} dimensions, {:?})", S::SWIZZLE)
    }
}
