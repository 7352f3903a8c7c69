//! Tensor maps: how the hardware finds the tiles of a tensor.

mod encode;
mod im2col;
mod options;

pub use im2col::{BoundingBox, Im2colMap, Im2colMapMut};
pub use options::{Conversion, Fill, Promotion, TensorOptions};

use crate::driver::types::CUtensorMap;
use crate::error::Result;
use crate::memory::{DeviceSlice, DeviceSliceMut};
use core::fmt;
use core::marker::PhantomData;
use ptyx_device::tma::{Layout, Placed, TileShape};
use ptyx_device::wgmma::Unswizzled;

/// A tensor in device memory from which kernels load tiles. Pass `&map` for a kernel's parameter
/// [`TensorMap`](ptyx_device::tma::TensorMap) with the same types.
///
/// `K` is the shape of the tiles, `S` their layout (swizzle) in shared memory. The tensor's size has a number for each
/// dimension, rows first. Tensor maps need compute capability 9.0.
///
/// If `S` is [`Interleaved16`](ptyx_device::tma::Interleaved16) or
/// [`Interleaved32`](ptyx_device::tma::Interleaved32), the tensor consists of images whose channels lie in slices
/// (such as `NC/8HWC8`), and its size is `[n, slices, h, w]`:
///
/// ```
/// use ptyx::device::tma::Interleaved16;
/// use ptyx::{DeviceBuffer, TensorMap};
///
/// // Ten images of 24 channels and 32 x 32 pixels: three slices of 8 channels.
/// let images = DeviceBuffer::<u16>::zeroed(10 * 24 * 32 * 32)?;
/// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
/// // Tiles of a slice, 8 channels, of 4 x 16 pixels.
/// type Pixels = [[[[u16; 16]; 4]; 8]; 1];
/// let map = TensorMap::<Pixels, Interleaved16>::new(&images, [10, 3, 32, 32])?;
/// # }
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// A kernel that loads tiles:
///
/// ```no_run
/// use ptyx::device::barrier::{Barrier, Phase, State};
/// use ptyx::device::tma::{TensorMap, Tile};
/// use ptyx::prelude::*;
///
/// type Rows = [[f32; 32]; 8];
///
/// /// Each block's tile, transposed; outside of the matrix are zeros.
/// #[kernel]
/// fn transpose_tiles(x: TensorMap<Rows>, mut y: SliceMut<f32>) {
///     let tile = shared!(Tile<Rows>);
///     let arrived = Barrier::new(shared!(State), 1);
///     if thread::rank() == 0 {
///         arrived.arrive_expect_tx(Tile::<Rows>::BYTES).forget();
///         // SAFETY: nothing uses the tile before the phase is complete.
///         unsafe { x.load(tile, [8 * block::y() as i32, 32 * block::x() as i32], arrived) };
///     }
///     arrived.wait_phase(Phase::FIRST);
///     let (row, column) = (thread::x() as usize / 32, thread::x() as usize % 32);
///     let place = 256 * block::rank() as usize + 8 * column + row;
///     // SAFETY: the tile is there; each thread writes its own element.
///     unsafe { *y.get_unchecked_mut(place) = tile.at([row, column]).read() };
/// }
///
/// let x = DeviceBuffer::filled(100 * 200, 1.5f32)?;
/// let mut y = DeviceBuffer::<f32>::zeroed(13 * 7 * 256)?;
/// let map = ptyx::TensorMap::<Rows>::new(&x, [100, 200])?;
/// launch!(transpose_tiles<<<(7, 13), 256>>>(&map, &mut y))?;
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct TensorMap<'a, K: TileShape, S: Placed = Unswizzled> {
    pub(crate) map: CUtensorMap,
    pub(crate) tensor: DeviceSlice<'a, K::Element>,
    swizzle: PhantomData<fn() -> S>,
}

/// A tensor in device memory into which kernels store tiles. Pass `&mut map` for a kernel's parameter
/// [`TensorMapMut`](ptyx_device::tma::TensorMapMut) with the same types.
///
/// Everything else is as for [`TensorMap`].
///
/// ```
/// use ptyx::{DeviceBuffer, TensorMapMut};
/// let mut y = DeviceBuffer::<f32>::zeroed(100 * 200)?;
/// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
/// let map = TensorMapMut::<[[f32; 32]; 8]>::new(&mut y, [100, 200])?;
/// # }
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct TensorMapMut<'a, K: TileShape, S: Placed = Unswizzled> {
    pub(crate) map: CUtensorMap,
    pub(crate) tensor: DeviceSliceMut<'a, K::Element>,
    swizzle: PhantomData<fn() -> S>,
}

impl<'a, K: TileShape, S: Placed> TensorMap<'a, K, S> {
    /// A tensor of this size, row after row, at the start of a buffer.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, TensorMap};
    /// let x = DeviceBuffer::<u8>::zeroed(3 * 100 * 64)?;
    /// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
    /// let images = TensorMap::<[[[u8; 32]; 32]; 1]>::new(&x, [3, 100, 64])?;
    /// # }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The tensor breaks a [`TensorRule`](crate::TensorRule), or the driver has no tensor maps.
    pub fn new(tensor: impl Into<DeviceSlice<'a, K::Element>>, size: K::Index) -> Result<Self> {
        Self::with(tensor, size, &TensorOptions::new())
    }

    /// A tensor of this size in a buffer, with options.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Fill, TensorMap, TensorOptions};
    /// let x = DeviceBuffer::<f32>::zeroed(100 * 64)?;
    /// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
    /// // The first 50 columns.
    /// let options = TensorOptions::new().strides([64, 1]).fill(Fill::Nan);
    /// let left = TensorMap::<[[f32; 8]; 32]>::with(&x, [100, 50], &options)?;
    /// # }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with(
        tensor: impl Into<DeviceSlice<'a, K::Element>>,
        size: K::Index,
        options: &TensorOptions<K>,
    ) -> Result<Self> {
        let tensor = tensor.into();
        let map = encode::tiled::<K, S>(&tensor, size, options)?;
        Ok(TensorMap { map, tensor, swizzle: PhantomData })
    }
}

impl<'a, K: TileShape, S: Placed> TensorMapMut<'a, K, S> {
    /// A tensor of this size, row after row, at the start of a buffer.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Error, TensorMapMut, TensorRule};
    /// type Tile = [[f32; 32]; 8];
    /// let mut y = DeviceBuffer::<f32>::zeroed(100 * 200)?;
    /// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
    /// let map = TensorMapMut::<Tile>::new(&mut y, [100, 200])?;
    /// # drop(map);
    /// # }
    /// // Rows of 792 bytes: a store writes 16 bytes at a time, and would go beyond their ends.
    /// let wrong = TensorMapMut::<Tile>::new(&mut y, [100, 198]);
    /// assert!(matches!(wrong, Err(Error::TensorMap(TensorRule::Row { bytes: 792 }))));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`TensorMap::new`].
    pub fn new(tensor: impl Into<DeviceSliceMut<'a, K::Element>>, size: K::Index) -> Result<Self> {
        Self::with(tensor, size, &TensorOptions::new())
    }

    /// A tensor of this size in a buffer, with options.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Error, TensorMapMut, TensorOptions, TensorRule};
    /// type Tile = [[f32; 8]; 32];
    /// let mut y = DeviceBuffer::<f32>::zeroed(100 * 64)?;
    /// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
    /// // Every other row.
    /// let options = TensorOptions::new().strides([128, 1]);
    /// let map = TensorMapMut::<Tile>::with(&mut y, [50, 64], &options)?;
    /// # drop(map);
    /// # }
    /// // Columns can't be skipped.
    /// let options = TensorOptions::new().strides([64, 2]);
    /// let wrong = TensorMapMut::<Tile>::with(&mut y, [100, 32], &options);
    /// assert!(matches!(wrong, Err(Error::TensorMap(TensorRule::InnerStride { stride: 2 }))));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`TensorMap::new`].
    pub fn with(
        tensor: impl Into<DeviceSliceMut<'a, K::Element>>,
        size: K::Index,
        options: &TensorOptions<K>,
    ) -> Result<Self> {
        let tensor = tensor.into();
        encode::check_stores::<K, S>(size.as_ref(), options.conversion)?;
        let map = encode::tiled::<K, S>(&tensor.as_slice(), size, options)?;
        Ok(TensorMapMut { map, tensor, swizzle: PhantomData })
    }
}

macro_rules! shown {
    ($($name:ident)*) => {$(
        impl<K: TileShape, S: Placed> fmt::Debug for $name<'_, K, S> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let shape = core::any::type_name::<K>();
                write!(f, concat!(stringify!($name), "({}, {:?})"), shape, Layout::<S>::SHOWN)
            }
        }
    )*};
}
shown!(TensorMap TensorMapMut);
