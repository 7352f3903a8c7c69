//! Textures: arrays and buffers that kernels read with filters.

use super::array::CudaArray;
use super::options::{AddressMode, FilterMode, TextureOptions};
use super::owned::{Handle, Object, Owned};
use super::shape::{check_size, sizes};
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result, TextureRule};
use crate::memory::DeviceSlice;
use crate::memory::tracker::Access;
use crate::stream::Entry;
use core::fmt;
use core::marker::PhantomData;
use ptyx_device::texture::{
    D2, Dimension, Fetched, Format, Linear, ReadAs, Sizes, Texel, format, properties, reading,
};
use std::sync::Arc;

/// An image that kernels read, with or without filtering
/// ([`cuTexObjectCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TEXOBJECT.html)). Pass `&texture` for
/// a kernel's parameter [`Texture`](ptyx_device::texture::Texture) with the same types.
///
/// `V` is what a fetch returns: the array's texels as they are, or floats (unsigned integers of 8 and 16 bits become 0
/// to 1, signed ones -1 to 1). `D` is the dimensionality.
///
/// Dropping it blocks the host until the launches that use it are done, so keep a texture that you need often.
///
/// ```no_run
/// use ptyx::device::texture::Texture2D;
/// use ptyx::prelude::*;
/// use ptyx::{CudaArray, FilterMode, Texture, TextureOptions};
///
/// #[kernel]
/// fn sample(picture: Texture2D<f32>, places: &[[f32; 2]], mut out: Disjoint<f32>) {
///     let i = thread::index_1d();
///     if let Some(out) = out.get_mut(i) {
///         let [x, y] = places[i.get()];
///         *out = picture.fetch(x, y);
///     }
/// }
///
/// let picture = CudaArray::<u8>::from_slice(&[0, 51, 102, 255], [2, 2])?;
/// let options = TextureOptions::new().filter(FilterMode::Linear);
/// let texture = Texture::<f32>::with(&picture, &options)?;
/// let places = DeviceBuffer::from_slice(&[[0.5, 0.5], [1.0, 0.5], [1.5, 1.5]])?;
/// let mut out = DeviceBuffer::zeroed(3)?;
/// launch!(sample<<<1, 32>>>(&texture, &places, &mut out))?;
/// assert_eq!(out.to_vec()?, [0.0, 0.1, 1.0]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct Texture<'a, V: Fetched, D: Dimension = D2> {
    number: CUtexObject,
    object: Arc<Owned>,
    pub(crate) sizes: Sizes,
    source: Box<dyn Source + 'a>,
    of: PhantomData<fn() -> (V, D)>,
}

/// What a texture reads.
trait Source: Send + Sync {
    /// Orders a launch after what writes it.
    fn order(&self, entry: &Entry<'_>) -> Result<()>;
}

impl<T: Texel, D: Dimension> Source for &CudaArray<T, D> {
    fn order(&self, entry: &Entry<'_>) -> Result<()> {
        CudaArray::order(self, entry, Access::Read)
    }
}

impl<T: Texel> Source for DeviceSlice<'_, T> {
    fn order(&self, entry: &Entry<'_>) -> Result<()> {
        DeviceSlice::order(self, entry, Access::Read)
    }
}

/// The texture descriptor that is passed to the driver, once all rules are checked.
fn sampling<T: ReadAs<V>, V: Fetched, D: Dimension>(
    options: &TextureOptions,
    levels: Option<usize>,
) -> Result<CUtextureDescriptor> {
    let has_levels = levels.is_some();
    let (stays, gives_floats) = reading::<T, V>();
    let is_normalized = options.is_normalized || properties::<D>().is_cube;
    let rule = |broken: bool, rule| if broken { Err(Error::Texture(rule)) } else { Ok(()) };
    let repeats = |mode: &AddressMode| matches!(mode, AddressMode::Wrap | AddressMode::Mirror);
    rule(!is_normalized && options.address.iter().any(repeats), TextureRule::Wrap)?;
    let is_linear = |filter| filter == FilterMode::Linear;
    let blends = is_linear(options.filter) || is_linear(options.mip_filter);
    rule(!gives_floats && blends, TextureRule::Filter)?;
    rule(has_levels && !is_normalized, TextureRule::Mipmap)?;
    rule(options.is_srgb && !(gives_floats && format::<T>().is_u8), TextureRule::Srgb)?;
    let most = options.max_anisotropy;
    rule(!(1..=16).contains(&most), TextureRule::Anisotropy { most })?;
    let flag = |set: bool, flag| if set { flag } else { 0 };
    let mode = |filter| match filter {
        FilterMode::Point => CU_TR_FILTER_MODE_POINT,
        FilterMode::Linear => CU_TR_FILTER_MODE_LINEAR,
    };
    // The hardware reads one-dimensional textures as a single row, and would blend it with a border above it.
    let mut address = options.address;
    let has_axis = [true, properties::<D>().has_rows, properties::<D>().has_planes];
    for (mode, has_axis) in address.iter_mut().zip(has_axis) {
        if !has_axis {
            *mode = AddressMode::Clamp;
        }
    }
    Ok(CUtextureDescriptor {
        address: address.map(|mode| match mode {
            AddressMode::Wrap => CU_TR_ADDRESS_MODE_WRAP,
            AddressMode::Clamp => CU_TR_ADDRESS_MODE_CLAMP,
            AddressMode::Mirror => CU_TR_ADDRESS_MODE_MIRROR,
            AddressMode::Border => CU_TR_ADDRESS_MODE_BORDER,
        }),
        filter: mode(options.filter),
        flags: flag(stays, CU_TRSF_READ_AS_INTEGER)
            | flag(is_normalized, CU_TRSF_NORMALIZED_COORDINATES)
            | flag(options.is_srgb, CU_TRSF_SRGB)
            // Otherwise the hardware may read one level where it finds that close enough.
            | flag(is_linear(options.mip_filter), CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION),
        max_anisotropy: most,
        mip_filter: mode(options.mip_filter),
        mip_bias: options.mip_bias,
        mip_min: options.mip_clamp[0],
        // Larger numbers than the hardware has would wrap around.
        mip_max: options.mip_clamp[1].min(levels.unwrap_or(1) as f32 - 1.0),
        border: options.border,
        reserved: [0; 12],
    })
}

/// The driver's texture.
fn make(
    context: &'static Context,
    kind: CUresourcetype,
    words: [u64; 5],
    sampling: &CUtextureDescriptor,
) -> Result<(CUtexObject, Arc<Owned>)> {
    let resource = CUresourceDescriptor::new(kind, words);
    context.bind()?;
    let (mut number, view) = (0, core::ptr::null());
    // SAFETY: the place and the descriptors are valid, the context is bound, and what the texture reads is alive.
    unsafe { context.driver.cuTexObjectCreate(&mut number, &resource, sampling, view) }?;
    Ok((number, Owned::new(context, Object::Texture(number), None)))
}

impl<'a, V: Fetched, D: Dimension> Texture<'a, V, D> {
    /// A texture of an array: coordinates count texels and are clamped to the edge; the nearest texel is read.
    /// The coordinates of cubes and of mipmaps are normalised.
    ///
    /// ```
    /// use ptyx::{CudaArray, Texture};
    /// let picture = CudaArray::<u8>::from_slice(&[0, 51, 102, 255], [2, 2])?;
    /// let bytes = Texture::<u8>::new(&picture)?; // a fetch returns 0, 51, 102 or 255
    /// let fractions = Texture::<f32>::new(&picture)?; // 0.0, 0.2, 0.4 or 1.0
    /// # assert!(format!("{bytes:?} {fractions:?}").contains("f32"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the driver, such as out of memory.
    pub fn new<T: ReadAs<V>>(array: &'a CudaArray<T, D>) -> Result<Self> {
        let is_mipmap = matches!(array.handle, Handle::Mipmapped(_));
        // An error if it has no memory yet.
        array.level(0)?;
        Self::with(array, &TextureOptions::new().normalized(is_mipmap))
    }

    /// A texture of an array, with options.
    ///
    /// ```
    /// use ptyx::{AddressMode, CudaArray, Error, Texture, TextureOptions, TextureRule};
    /// let tile = CudaArray::<f32>::zeroed([32, 32])?;
    /// let repeated = TextureOptions::new().address(AddressMode::Wrap);
    /// let error = Texture::<f32>::with(&tile, &repeated).unwrap_err();
    /// assert!(matches!(error, Error::Texture(TextureRule::Wrap))); // wrapping needs coordinates from 0 to 1
    /// let texture = Texture::<f32>::with(&tile, &repeated.normalized(true))?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`Error::Texture`] for options that the array does not allow.
    pub fn with<T: ReadAs<V>>(
        array: &'a CudaArray<T, D>,
        options: &TextureOptions,
    ) -> Result<Self> {
        let (kind, handle) = match array.handle {
            Handle::Array(array) => (CU_RESOURCE_TYPE_ARRAY, array.0),
            Handle::Mipmapped(array) => (CU_RESOURCE_TYPE_MIPMAPPED_ARRAY, array.0),
        };
        let is_mipmap = kind == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
        let sampling = sampling::<T, V, D>(options, is_mipmap.then_some(array.levels()))?;
        let (number, object) =
            make(array.context, kind, [handle.addr() as u64, 0, 0, 0, 0], &sampling)?;
        let sizes = sizes::<D>(&array.shape(), array.levels());
        Ok(Texture { number, object, sizes, source: Box::new(array), of: PhantomData })
    }

    /// Orders a launch after what writes the texels; returns the object's number.
    pub(crate) fn order(&self, entry: &Entry<'_>) -> Result<u64> {
        entry.stream().context().expect("a texture", self.object.context)?;
        self.source.order(entry)?;
        self.object.order(entry, Access::Read)?;
        Ok(self.number)
    }
}

/// The words of a resource for a format.
fn format_word<T: Texel>() -> u64 {
    let Format { number, channels, .. } = format::<T>();
    u64::from(number) | u64::from(channels) << 32
}

/// The address of texels in a buffer.
fn address_of<T: Texel>(texels: &DeviceSlice<'_, T>, context: &Context) -> Result<u64> {
    let address = texels.address();
    let alignment = context.attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT)?.max(1) as u64;
    match address.is_multiple_of(alignment) {
        true => Ok(address),
        false => Err(Error::Texture(TextureRule::Address { address, alignment })),
    }
}

impl<'a, V: Fetched> Texture<'a, V, Linear> {
    /// A texture of a buffer, read by index (`tex1Dfetch`). Outside of it, a fetch returns zeros.
    ///
    /// ```
    /// use ptyx::device::texture::Linear;
    /// use ptyx::{DeviceBuffer, Texture};
    /// let table = DeviceBuffer::from_slice(&[0u8, 51, 255])?;
    /// let fractions = Texture::<f32, Linear>::linear(&table)?; // 0, 0.2, 1
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`] if the buffer is empty or too large, or is a slice whose start is not aligned for textures
    /// (512 bytes on current devices).
    pub fn linear<T: ReadAs<V>>(texels: impl Into<DeviceSlice<'a, T>>) -> Result<Self> {
        let texels = texels.into();
        let (context, len) = (texels.context(), texels.len());
        check_size(context, 0, len, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH)?;
        let address = address_of(&texels, context)?;
        let sampling = sampling::<T, V, Linear>(&TextureOptions::new(), None)?;
        let bytes = len * size_of::<T>();
        let words = [address, format_word::<T>(), bytes as u64, 0, 0];
        let (number, object) = make(context, CU_RESOURCE_TYPE_LINEAR, words, &sampling)?;
        let sizes = Sizes { extents: [len as u32, 1, 1], levels: 1 };
        Ok(Texture { number, object, sizes, source: Box::new(texels), of: PhantomData })
    }
}

impl<'a, V: Fetched> Texture<'a, V, D2> {
    /// A texture of rows in a buffer: `shape` is rows and columns, `stride` is the distance between the starts of
    /// two rows, in elements. In bytes, the stride must be a multiple of the device's pitch alignment (32 on current devices).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, FilterMode, Texture, TextureOptions};
    /// let picture = DeviceBuffer::<f32>::zeroed(480 * 640)?;
    /// let options = TextureOptions::new().filter(FilterMode::Linear);
    /// let texture = Texture::<f32>::of_rows(&picture, [480, 640], 640, &options)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`] if the rows are not within the buffer, are too large or not aligned, or don't allow the
    /// options.
    pub fn of_rows<T: ReadAs<V>>(
        texels: impl Into<DeviceSlice<'a, T>>,
        shape: [usize; 2],
        stride: usize,
        options: &TextureOptions,
    ) -> Result<Self> {
        let texels = texels.into();
        let (context, len) = (texels.context(), texels.len());
        let [rows, columns] = shape;
        check_size(context, 0, rows, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)?;
        check_size(context, 1, columns, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)?;
        let pitch = context.attribute(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT)?;
        let most = context.attribute(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH)?;
        let (alignment, row) = (pitch.max(1) as usize, columns * size_of::<T>());
        let bytes = stride.saturating_mul(size_of::<T>());
        if bytes < row || bytes > most.max(0) as usize || !bytes.is_multiple_of(alignment) {
            return Err(Error::Texture(TextureRule::Pitch { bytes, row, alignment }));
        }
        // The last row may end before its stride does.
        let needed = (rows - 1) * stride + columns;
        if needed > len {
            return Err(Error::Texture(TextureRule::Length { needed, len }));
        }
        let address = address_of(&texels, context)?;
        let sampling = sampling::<T, V, D2>(options, None)?;
        let words = [address, format_word::<T>(), columns as u64, rows as u64, bytes as u64];
        let (number, object) = make(context, CU_RESOURCE_TYPE_PITCH2D, words, &sampling)?;
        let sizes = sizes::<D2>(&shape, 1);
        Ok(Texture { number, object, sizes, source: Box::new(texels), of: PhantomData })
    }
}

impl<V: Fetched, D: Dimension> fmt::Debug for Texture<'_, V, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, dimensions) = (core::any::type_name::<V>(), properties::<D>());
        write!(f, "Texture({value}, {dimensions:?})")
    }
}
