//! CUDA arrays: texels in an opaque layout.

use super::owned::{Handle, Object, Owned};
use super::shape::{descriptor, extents, level_shape, most_levels};
use super::tiles::Sparse;
use super::uses::ArrayUses;
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result, TextureRule};
use crate::memory::DeviceBuffer;
use crate::memory::allocate_apart;
use crate::memory::tracker::Access;
use crate::runtime::current;
use crate::stream::{Entry, Stream};
use core::any::Any;
use core::fmt;
use core::marker::PhantomData;
use ptyx_device::texture::{D2, Dimension, Texel};
use std::sync::Arc;

/// An array of texels in the memory of a device, in an opaque layout
/// ([`cuArray3DCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html), `cudaArray_t`).
///
/// Kernels access it only through a [`Texture`](crate::Texture) or a [`Surface`](crate::Surface). `T` is the texel,
/// one, two or four numbers; `D` is the dimensionality. In shapes, rows come before columns, and planes, layers or faces
/// before rows: `[rows, columns]`, `[layers, rows, columns]`. Slices hold the texels in that order.
///
/// As with buffers, Ptyx tracks the streams that use an array. Dropping it waits for their work.
///
/// ```
/// use ptyx::CudaArray;
/// let mut picture = CudaArray::<f32>::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3])?;
/// assert_eq!(picture.shape(), [2, 3]);
/// picture.copy_from_slice(&[0.5; 6])?;
/// assert_eq!(picture.to_vec()?, [0.5; 6]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct CudaArray<T: Texel, D: Dimension = D2> {
    pub(super) context: &'static Context,
    pub(super) handle: Handle,
    pub(super) owned: Arc<Owned>,
    /// The array of each level.
    pub(super) levels: Vec<CUarray>,
    shape: D::Shape,
    /// If it gets its memory later.
    pub(super) sparse: Option<Sparse>,
    texels: PhantomData<fn() -> T>,
}

/// The end of a copy that is an array.
pub(super) fn end(array: CUarray) -> CUmemcpyEnd3D {
    CUmemcpyEnd3D { kind: CU_MEMORYTYPE_ARRAY, array, ..EMPTY }
}

pub(super) const EMPTY: CUmemcpyEnd3D = CUmemcpyEnd3D {
    x: 0,
    y: 0,
    z: 0,
    level: 0,
    kind: CU_MEMORYTYPE_HOST,
    host: core::ptr::null_mut(),
    device: 0,
    array: CUarray::NULL,
    reserved: core::ptr::null_mut(),
    pitch: 0,
    height: 0,
};

impl<T: Texel, D: Dimension> CudaArray<T, D> {
    /// An array of unknown content.
    fn allocate(shape: D::Shape, levels: Option<usize>, context: &'static Context) -> Result<Self> {
        Self::allocate_for(shape, levels, context, 0, ArrayUses::ALL)
    }

    /// The same with more flags, for these uses.
    pub(super) fn allocate_for(
        shape: D::Shape,
        levels: Option<usize>,
        context: &'static Context,
        flags: CUarray3D_flags,
        uses: ArrayUses,
    ) -> Result<Self> {
        let mut descriptor = descriptor::<T, D>(context, &shape, uses)?;
        descriptor.flags |= flags;
        let most = most_levels::<D>(&shape);
        let count = levels.unwrap_or(1);
        if !(1..=most).contains(&count) {
            return Err(Error::Texture(TextureRule::Levels { levels: count, most }));
        }
        let texels = |level| {
            let extents = extents::<D>(&level_shape::<D>(&shape, level));
            extents.iter().fold(1usize, |a, &b| a.saturating_mul(b))
        };
        let texels = (0..count).map(texels).fold(0usize, usize::saturating_add);
        let bytes = texels.saturating_mul(size_of::<T>());
        context.bind()?;
        let driver = context.driver;
        let handle = match levels {
            None => {
                let mut array = CUarray::NULL;
                // SAFETY: the place and the descriptor are valid, the context is bound; so below.
                allocate_apart(context, bytes, || unsafe {
                    driver.cuArray3DCreate(&mut array, &descriptor)
                })?;
                Handle::Array(array)
            }
            Some(count) => {
                let mut array = CUmipmappedArray::NULL;
                // SAFETY: as above.
                allocate_apart(context, bytes, || unsafe {
                    driver.cuMipmappedArrayCreate(&mut array, &descriptor, count as u32)
                })?;
                Handle::Mipmapped(array)
            }
        };
        CudaArray::of_handle(context, handle, shape, count, None)
    }

    /// An array in the memory of others, which `keep` keeps. `make` gets the descriptor and the number of levels.
    pub(crate) fn of_others(
        context: &'static Context,
        shape: D::Shape,
        levels: usize,
        keep: Box<dyn Any + Send + Sync>,
        make: impl FnOnce(CUarray3DDescriptor, u32) -> Result<CUmipmappedArray>,
    ) -> Result<Self> {
        let descriptor = descriptor::<T, D>(context, &shape, ArrayUses::ALL)?;
        let most = most_levels::<D>(&shape);
        if !(1..=most).contains(&levels) {
            return Err(Error::Texture(TextureRule::Levels { levels, most }));
        }
        context.bind()?;
        let handle = Handle::Mipmapped(make(descriptor, levels as u32)?);
        CudaArray::of_handle(context, handle, shape, levels, Some(keep))
    }

    fn of_handle(
        context: &'static Context,
        handle: Handle,
        shape: D::Shape,
        count: usize,
        keep: Option<Box<dyn Any + Send + Sync>>,
    ) -> Result<Self> {
        let (owned, sparse) = (Owned::new(context, Object::Array(handle), keep), None);
        let mut levels = Vec::new();
        for level in 0..count {
            levels.push(match handle {
                Handle::Array(array) => array,
                Handle::Mipmapped(all) => {
                    let mut array = CUarray::NULL;
                    // SAFETY: as above.
                    unsafe {
                        context.driver.cuMipmappedArrayGetLevel(&mut array, all, level as u32)
                    }?;
                    array
                }
            });
        }
        Ok(CudaArray { context, handle, owned, levels, shape, sparse, texels: PhantomData })
    }

    /// An array of zeros, on the thread's device.
    ///
    /// ```
    /// use ptyx::CudaArray;
    /// use ptyx::device::texture::D3;
    /// let volume = CudaArray::<[u8; 4], D3>::zeroed([8, 16, 32])?; // planes, rows, columns
    /// assert_eq!(volume.to_vec()?.len(), 8 * 16 * 32);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`] for a shape that the device does not allow, [`Error::OutOfMemory`].
    pub fn zeroed(shape: D::Shape) -> Result<Self> {
        Self::zeroed_on(shape, current()?.transfer_stream()?)
    }

    /// An array of zeros on the device of `stream`, filled in the stream's order. The host does not wait.
    ///
    /// ```
    /// use ptyx::{CudaArray, Stream};
    /// let stream = Stream::new()?;
    /// let picture = CudaArray::<f32>::zeroed_on([2, 3], &stream)?;
    /// assert_eq!(picture.to_vec()?, [0.0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed), and [`Error::Capture`] if the stream is captured.
    pub fn zeroed_on(shape: D::Shape, stream: &Stream) -> Result<Self> {
        Self::allocate(shape, None, stream.context())?.with_zeros(stream)
    }

    /// An array of zeros with `levels` levels, each of which has half the size of the one before: a mipmap
    /// ([`cuMipmappedArrayCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// use ptyx::CudaArray;
    /// let mut picture = CudaArray::<f32>::zeroed_with_levels([4, 6], 3)?;
    /// assert_eq!(picture.level_shape(1)?, [2, 3]);
    /// picture.copy_level_from_slice(2, &[7.0])?;
    /// assert_eq!(picture.level_to_vec(2)?, [7.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed), and [`Error::Texture`] if `levels` is 0, or more than it takes until all sides are 1.
    pub fn zeroed_with_levels(shape: D::Shape, levels: usize) -> Result<Self> {
        Self::zeroed_with_levels_on(shape, levels, current()?.transfer_stream()?)
    }

    /// A mipmap of zeros on the device of `stream`, filled in the stream's order. The host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let picture = ptyx::CudaArray::<f32>::zeroed_with_levels_on([4, 6], 2, &stream)?;
    /// assert_eq!(picture.level_to_vec(1)?, [0.0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeroed_with_levels`](Self::zeroed_with_levels).
    pub fn zeroed_with_levels_on(shape: D::Shape, levels: usize, stream: &Stream) -> Result<Self> {
        Self::allocate(shape, Some(levels), stream.context())?.with_zeros(stream)
    }

    /// A new array of the same shape and levels on the same device, with zeros.
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<f32>::from_slice(&[1.0; 6], [2, 3])?;
    /// assert_eq!(picture.similar()?.to_vec()?, [0.0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed).
    pub fn similar(&self) -> Result<Self> {
        self.similar_on(self.context.transfer_stream()?)
    }

    /// The same, filled in the order of `stream`. The host does not wait.
    ///
    /// ```
    /// use ptyx::{CudaArray, Stream};
    /// let picture = CudaArray::<f32>::from_slice(&[1.0; 6], [2, 3])?;
    /// assert_eq!(picture.similar_on(&Stream::new()?)?.shape(), [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed); [`Error::WrongDevice`] if the stream is on another device; [`Error::Capture`] if it is
    /// captured.
    pub fn similar_on(&self, stream: &Stream) -> Result<Self> {
        stream.expect_on(self.context)?;
        let levels = (self.levels() > 1).then(|| self.levels());
        Self::allocate(self.shape, levels, self.context)?.with_zeros(stream)
    }

    fn with_zeros(mut self, stream: &Stream) -> Result<Self> {
        // The array exists at once, and would have any content until the graph is launched.
        stream.0.refuse_capture("a new CUDA array of zeros")?;
        let zeros = DeviceBuffer::<T>::zeroed_on(self.len_of(0), stream)?;
        for level in 0..self.levels.len() {
            let part = zeros.slice(..self.len_of(level));
            self.copy_level_from_buffer_on(level, part, stream)?;
        }
        Ok(self)
    }

    /// An array with the texels of a slice, on the thread's device.
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<u8>::from_slice(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// assert_eq!(picture.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`zeroed`](Self::zeroed), and [`Error::Length`] if the slice's length is not the shape's number of texels.
    pub fn from_slice(texels: &[T], shape: D::Shape) -> Result<Self> {
        Self::from_slice_on(texels, shape, current()?.transfer_stream()?)
    }

    /// An array with the texels of a slice, on the device of `stream`. The host waits until the slice has been read, which
    /// is after the earlier work of the stream.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let picture = ptyx::CudaArray::<u8>::from_slice_on(&[1, 2, 3, 4, 5, 6], [2, 3], &stream)?;
    /// assert_eq!(picture.device_index(), stream.device_index());
    /// assert_eq!(picture.to_vec()?, [1, 2, 3, 4, 5, 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](Self::from_slice); [`Error::Capture`] if the stream is captured; errors of kernels that ran.
    pub fn from_slice_on(texels: &[T], shape: D::Shape, stream: &Stream) -> Result<Self> {
        stream.0.refuse_capture("CudaArray::from_slice_on")?;
        let mut array = Self::allocate(shape, None, stream.context())?;
        // The copy waits for the stream, as for one that has used the array.
        array.owned.written_by(stream);
        array.copy_from_slice(texels)?;
        Ok(array)
    }

    /// The shape, in the order of indices: layers, faces or planes, then rows, then columns.
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<f32>::zeroed([2, 3])?;
    /// assert_eq!(picture.shape(), [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn shape(&self) -> D::Shape {
        self.shape
    }

    /// The number of mipmap levels; 1 if the array is not a mipmap.
    ///
    /// ```
    /// assert_eq!(ptyx::CudaArray::<f32>::zeroed([4, 6])?.levels(), 1);
    /// assert_eq!(ptyx::CudaArray::<f32>::zeroed_with_levels([4, 6], 3)?.levels(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// The shape of a mipmap level; level 0 is the array itself.
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<f32>::zeroed_with_levels([4, 6], 3)?;
    /// assert_eq!(picture.level_shape(2)?, [1, 1]);
    /// assert!(picture.level_shape(3).is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Texture`] if there is no such level.
    pub fn level_shape(&self, level: usize) -> Result<D::Shape> {
        self.level(level)?;
        Ok(level_shape::<D>(&self.shape, level))
    }

    /// The index of the array's device.
    ///
    /// ```
    /// let picture = ptyx::CudaArray::<f32>::zeroed([2, 3])?;
    /// assert_eq!(picture.device_index(), ptyx::Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.context.ordinal
    }

    /// The array of a level.
    pub(super) fn level(&self, level: usize) -> Result<CUarray> {
        let levels = self.levels.len();
        if self.sparse.as_ref().is_some_and(Sparse::has_no_memory) {
            return Err(Error::Texture(TextureRule::NoMemory));
        }
        let found = self.levels.get(level).copied();
        found.ok_or(Error::Texture(TextureRule::Level { level, levels }))
    }

    /// Texels of a level that there is.
    pub(super) fn len_of(&self, level: usize) -> usize {
        extents::<D>(&level_shape::<D>(&self.shape, level)).iter().product()
    }

    /// Gives a copy to a stream that has been entered, with both ends ordered.
    pub(super) fn submit(&self, copy: &CUmemcpy3D, stream: &Stream) -> Result<()> {
        self.context.bind()?;
        if self.copies_by_host() && ![copy.from.kind, copy.to.kind].contains(&CU_MEMORYTYPE_HOST) {
            return self.submit_by_host(copy, stream);
        }
        // SAFETY: both ends have been checked, and outlive the copy: their trackers know of it.
        unsafe { self.context.driver.cuMemcpy3DAsync(copy, stream.handle()) }?;
        Ok(())
    }

    /// Makes `entry`'s stream wait for what an access conflicts with, and notes it.
    pub(super) fn order(&self, entry: &Entry<'_>, access: Access) -> Result<()> {
        if self.sparse.is_some() {
            // A graph would not keep its tiles.
            entry.stream().0.refuse_capture("the use of an array that gets its memory later")?;
        }
        self.owned.order(entry, access)
    }
}

impl<T: Texel, D: Dimension> Drop for CudaArray<T, D> {
    fn drop(&mut self) {
        if let Some(sparse) = self.sparse.take() {
            self.owned.keep(sparse);
        }
    }
}

impl<T: Texel, D: Dimension> fmt::Debug for CudaArray<T, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (texel, levels) = (core::any::type_name::<T>(), self.levels.len());
        write!(f, "CudaArray({texel}, {:?}, levels: {levels})", self.shape)
    }
}
