//! Tensor maps of images, from which kernels load columns of pixels (im2col).

use super::{Conversion, encode};
use crate::driver::types::CUtensorMap;
use crate::error::{Error, Result, TensorRule};
use crate::memory::{DeviceSlice, DeviceSliceMut};
use core::fmt;
use core::marker::PhantomData;
use ptyx_device::tma::{Layout, Placed, TileShape};
use ptyx_device::wgmma::Unswizzled;

/// The box of pixels of an image that loads traverse: the positions of the first element of a filter. It has
/// coordinates for the dimensions of pixels, rows before columns.
///
/// ```
/// use ptyx::BoundingBox;
/// // A filter of 3x3, and a padding of 1 on each side: as many results as pixels.
/// let same = BoundingBox::of_filter([3, 3], [1, 1]);
/// assert_eq!(same, BoundingBox::new([-1, -1], [-1, -1]));
/// // Only where the filter fits, and only every second of these.
/// let inner = BoundingBox::of_filter([3, 3], [0, 0]).steps([2, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoundingBox<const N: usize> {
    pub(super) lower: [i32; N],
    pub(super) upper: [i32; N],
    pub(super) steps: [usize; N],
}

impl<const N: usize> BoundingBox<N> {
    /// The box from pixel `lower` to the last pixel plus `upper`, both included.
    ///
    /// ```
    /// use ptyx::BoundingBox;
    /// // All pixels except the last row and the last two columns: where a filter of 2x3 fits.
    /// let fits = BoundingBox::new([0, 0], [-1, -2]);
    /// assert_eq!(fits, BoundingBox::of_filter([2, 3], [0, 0]));
    /// ```
    #[must_use]
    pub fn new(lower: [i32; N], upper: [i32; N]) -> Self {
        BoundingBox { lower, upper, steps: [1; N] }
    }

    /// The box for a filter of this size, and an image that is padded by `padding` on each side.
    ///
    /// ```
    /// use ptyx::BoundingBox;
    /// // A filter of 3 rows and 5 columns begins up to one row and two columns before the image.
    /// let same = BoundingBox::of_filter([3, 5], [1, 2]);
    /// assert_eq!(same, BoundingBox::new([-1, -2], [-1, -2]));
    /// // Without padding, its first element is never in the last two rows or the last four columns.
    /// assert_eq!(BoundingBox::of_filter([3, 5], [0, 0]), BoundingBox::new([0, 0], [-2, -4]));
    /// ```
    #[must_use]
    pub fn of_filter(filter: [usize; N], padding: [usize; N]) -> Self {
        let number = |n: usize| i32::try_from(n).unwrap_or(i32::MAX);
        let lower = padding.map(|padding| -number(padding));
        let upper = core::array::from_fn(|at| {
            number(padding[at]).saturating_sub(number(filter[at].saturating_sub(1)))
        });
        BoundingBox::new(lower, upper)
    }

    /// Sets the stride along each dimension, 1 to 8: every second, third, .. pixel of the box is traversed.
    ///
    /// ```
    /// use ptyx::{BoundingBox, DeviceBuffer, Error, Im2colMap, TensorRule};
    /// let images = DeviceBuffer::<f32>::zeroed(10 * 32 * 32 * 8)?;
    /// let (size, every_ninth) = ([10, 32, 32, 8], BoundingBox::of_filter([3, 3], [1, 1]).steps([1, 9]));
    /// let map = Im2colMap::<[[f32; 8]; 64], 4>::new(&images, size, &every_ninth);
    /// assert!(matches!(map, Err(Error::TensorMap(TensorRule::Step { step: 9, .. }))));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub fn steps(self, steps: [usize; N]) -> Self {
        BoundingBox { steps, ..self }
    }
}

/// Images in device memory from which kernels load columns of pixels. Pass `&map` for a kernel's parameter
/// [`Im2colMap`](ptyx_device::tma::Im2colMap) with the same types.
///
/// The size is the number of images, the number of pixels along one to three dimensions, and the number of channels. `K`
/// is the shape of a tile, pixels of channels: `[[f16; 64]; 128]` has 64 channels of 128 pixels.
///
/// If `S` is [`Interleaved16`](ptyx_device::tma::Interleaved16) or [`Interleaved32`](ptyx_device::tma::Interleaved32), the size is
/// the number of images, of slices of channels, and of pixels along one to three dimensions (`[n, slices, h, w]`), and a tile is
/// pixels with the channels of one slice: `[[f16; 8]; 128]` in slices of 16 bytes.
///
/// ```
/// use ptyx::{BoundingBox, DeviceBuffer, Im2colMap};
/// let images = DeviceBuffer::<f32>::zeroed(10 * 32 * 32 * 8)?;
/// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
/// let filter = BoundingBox::of_filter([3, 3], [1, 1]);
/// let map = Im2colMap::<[[f32; 8]; 64], 4>::new(&images, [10, 32, 32, 8], &filter)?;
/// # }
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Im2colMap<'a, K: TileShape, const DIMENSIONS: usize, S: Placed = Unswizzled> {
    pub(crate) map: CUtensorMap,
    pub(crate) tensor: DeviceSlice<'a, K::Element>,
    swizzle: PhantomData<fn() -> S>,
}

/// Images in device memory into which kernels store columns of pixels. Pass `&mut map` for a kernel's parameter
/// [`Im2colMapMut`](ptyx_device::tma::Im2colMapMut) with the same types.
///
/// Everything else is as for [`Im2colMap`].
///
/// ```
/// use ptyx::{BoundingBox, DeviceBuffer, Im2colMapMut};
/// let mut images = DeviceBuffer::<f32>::zeroed(10 * 32 * 32 * 8)?;
/// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
/// // All pixels.
/// let all = BoundingBox::new([0, 0], [0, 0]);
/// let map = Im2colMapMut::<[[f32; 8]; 64], 4>::new(&mut images, [10, 32, 32, 8], &all)?;
/// # }
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Im2colMapMut<'a, K: TileShape, const DIMENSIONS: usize, S: Placed = Unswizzled> {
    pub(crate) map: CUtensorMap,
    pub(crate) tensor: DeviceSliceMut<'a, K::Element>,
    swizzle: PhantomData<fn() -> S>,
}

/// Checks the types of a map.
const fn check<K: TileShape>(dimensions: usize, of_box: usize) {
    assert!(dimensions >= 3 && dimensions <= 5, "images are 3 to 5 dimensions");
    assert!(of_box + 2 == dimensions, "the box has numbers for each dimension of pixels");
    assert!(K::DIMENSIONS == 2, "a tile of images is pixels with channels: `[[f16; 64]; 128]`");
}

impl<'a, K: TileShape, const DIMENSIONS: usize, S: Placed> Im2colMap<'a, K, DIMENSIONS, S> {
    /// Images without gaps at the start of a buffer. Pixels outside of them are zero.
    ///
    /// ```
    /// use ptyx::{BoundingBox, DeviceBuffer, Error, Im2colMap, TensorRule};
    /// type Tile = [[f32; 8]; 64];
    /// let images = DeviceBuffer::<f32>::zeroed(10 * 32 * 32 * 8)?;
    /// let filter = BoundingBox::of_filter([3, 3], [1, 1]);
    /// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
    /// let map = Im2colMap::<Tile, 4>::new(&images, [10, 32, 32, 8], &filter)?;
    /// # }
    /// // There are only ten images.
    /// let wrong = Im2colMap::<Tile, 4>::new(&images, [11, 32, 32, 8], &filter);
    /// assert!(matches!(wrong, Err(Error::TensorMap(TensorRule::Length { .. }))));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// The images break a [`TensorRule`](crate::TensorRule), or the driver has no tensor maps.
    pub fn new<const N: usize>(
        images: impl Into<DeviceSlice<'a, K::Element>>,
        size: [usize; DIMENSIONS],
        pixels: &BoundingBox<N>,
    ) -> Result<Self> {
        Self::converted(images, size, pixels, Conversion::None)
    }

    /// Images of `f32` elements, which loads convert.
    ///
    /// ```
    /// use ptyx::{BoundingBox, Conversion, DeviceBuffer, Im2colMap};
    /// let images = DeviceBuffer::<f32>::zeroed(10 * 32 * 8)?;
    /// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
    /// let filter = BoundingBox::of_filter([3], [1]);
    /// let size = [10, 32, 8];
    /// let map = Im2colMap::<[[f32; 8]; 64], 3>::converted(&images, size, &filter, Conversion::Tf32)?;
    /// # }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn converted<const N: usize>(
        images: impl Into<DeviceSlice<'a, K::Element>>,
        size: [usize; DIMENSIONS],
        pixels: &BoundingBox<N>,
        conversion: Conversion,
    ) -> Result<Self> {
        const { check::<K>(DIMENSIONS, N) };
        let tensor = images.into();
        let map = encode::im2col::<K, S, N>(&tensor, &size, pixels, conversion)?;
        Ok(Im2colMap { map, tensor, swizzle: PhantomData })
    }
}

impl<'a, K: TileShape, const DIMENSIONS: usize, S: Placed> Im2colMapMut<'a, K, DIMENSIONS, S> {
    /// Images without gaps at the start of a buffer. Stores skip pixels outside of them.
    ///
    /// ```
    /// use ptyx::{BoundingBox, DeviceBuffer, Error, Im2colMapMut, TensorRule};
    /// type Tile = [[f32; 8]; 64];
    /// let (mut images, size) = (DeviceBuffer::<f32>::zeroed(10 * 32 * 32 * 8)?, [10, 32, 32, 8]);
    /// # if ptyx::Device::current()?.compute_capability() >= (9, 0) {
    /// let all = BoundingBox::new([0, 0], [0, 0]);
    /// let map = Im2colMapMut::<Tile, 4>::new(&mut images, size, &all)?;
    /// # drop(map);
    /// # }
    /// // Nothing can be stored outside of the images.
    /// let padded = BoundingBox::of_filter([3, 3], [1, 1]);
    /// let wrong = Im2colMapMut::<Tile, 4>::new(&mut images, size, &padded);
    /// assert!(matches!(wrong, Err(Error::TensorMap(TensorRule::StoredPadding { .. }))));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Im2colMap::new`]; a pixel's channels must be a multiple of 16 bytes, and the bounding box must begin inside
    /// of the image.
    pub fn new<const N: usize>(
        images: impl Into<DeviceSliceMut<'a, K::Element>>,
        size: [usize; DIMENSIONS],
        pixels: &BoundingBox<N>,
    ) -> Result<Self> {
        const { check::<K>(DIMENSIONS, N) };
        let tensor = images.into();
        encode::check_stores::<K, S>(&size, Conversion::None)?;
        if let Some(at) = pixels.lower.iter().position(|corner| *corner < 0) {
            let dimension = at + encode::first_of_pixels::<S>();
            let corner = pixels.lower[at];
            return Err(Error::TensorMap(TensorRule::StoredPadding { dimension, corner }));
        }
        let map = encode::im2col::<K, S, N>(&tensor.as_slice(), &size, pixels, Conversion::None)?;
        Ok(Im2colMapMut { map, tensor, swizzle: PhantomData })
    }
}

macro_rules! shown {
    ($($name:ident)*) => {$(
        impl<K: TileShape, const DIMENSIONS: usize, S: Placed> fmt::Debug
            for $name<'_, K, DIMENSIONS, S>
        {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (name, shape) = (stringify!($name), core::any::type_name::<K>());
                write!(f, "{name}({shape} of {DIMENSIONS} dimensions, {:?})", Layout::<S>::SHOWN)
            }
        }
    )*};
}
shown!(Im2colMap Im2colMapMut);
