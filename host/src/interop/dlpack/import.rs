//! Tensors of other libraries as buffers.

use super::{Device, Element, ManagedTensor, Tensor};
use crate::error::{Error, Result};
use crate::memory::DeviceBuffer;
use crate::stream::Stream;

/// The error of a tensor that can't be used.
fn unusable(reason: String) -> Error {
    Error::Foreign { reason }
}

/// The shape, if its elements are in order, without gaps.
fn shape_of(tensor: &ManagedTensor) -> Result<Vec<usize>> {
    let (shape, strides) = (tensor.shape(), tensor.strides());
    let dimensions = tensor.tensor().dimensions;
    if usize::try_from(dimensions) != Ok(shape.len()) {
        return Err(unusable(format!("a tensor of {dimensions} dimensions has no shape")));
    }
    let extent = |&extent: &i64| usize::try_from(extent).ok();
    let extents: Option<Vec<usize>> = shape.iter().map(extent).collect();
    let Some(extents) = extents else {
        return Err(unusable(format!("a tensor has the shape {shape:?}")));
    };
    let mut next = 1i64;
    for (axis, &extent) in shape.iter().enumerate().rev() {
        // A stride that is never taken can be anything.
        let taken = extent > 1 && !shape.contains(&0);
        if taken && strides.is_some_and(|strides| strides[axis] != next) {
            return Err(unusable(format!(
                "a tensor of shape {shape:?} has the strides {strides:?}: copy it to one whose last dimension is \
                 fastest, without gaps"
            )));
        }
        next = next.saturating_mul(extent.max(1));
    }
    Ok(extents)
}

impl<T: Element> DeviceBuffer<T> {
    /// A tensor of another library as a buffer, and its shape, whose last dimension is fastest. Nothing is copied. Dropping
    /// the buffer deletes the tensor.
    ///
    /// The elements are ready when the work is done that `stream` has been given so far. When the buffer is dropped, `stream`
    /// waits for all work that uses it, and the tensor is deleted; the host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream, dlpack::ManagedTensor};
    /// /// The sum of a tensor that Python gives us.
    /// fn sum(tensor: ManagedTensor, stream: &Stream) -> ptyx::Result<f32> {
    ///     // SAFETY: Python was asked for a tensor that is ready in this stream's order.
    ///     let (buffer, _) = unsafe { DeviceBuffer::<f32>::from_dlpack_on(tensor, stream)? };
    ///     Ok(buffer.to_vec()?.iter().sum())
    /// }
    /// # let stream = Stream::new()?;
    /// # let tensor = DeviceBuffer::filled(4, 0.5f32)?.into_dlpack_on(&[2, 2], &stream)?;
    /// # assert_eq!(sum(tensor, &stream)?, 2.0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// The tensor's memory holds initialised elements, and nothing else uses it until the tensor is deleted. What was done to it
    /// before is ordered before the stream's next work; what is done afterwards comes after the stream's work.
    ///
    /// # Errors
    /// [`Error::Foreign`] if the tensor is on another device, has elements of another type, has gaps, or is read-only. It is then
    /// deleted.
    pub unsafe fn from_dlpack_on(
        tensor: ManagedTensor,
        stream: &Stream,
    ) -> Result<(DeviceBuffer<T>, Vec<usize>)> {
        let Tensor { data, device, data_type, byte_offset, .. } = *tensor.tensor();
        let own = Device::of(stream.context());
        let is_managed = own.kind == Device::CUDA && device.kind == Device::CUDA_MANAGED;
        if device != own && !is_managed {
            return Err(unusable(format!("a tensor is on {device:?}, but the stream on {own:?}")));
        }
        if data_type != T::TYPE {
            let (element, own) = (core::any::type_name::<T>(), T::TYPE);
            let reason =
                format!("a tensor's elements are {data_type:?}, not `{element}`, which is {own:?}");
            return Err(unusable(reason));
        }
        if tensor.is_read_only() {
            return Err(unusable("a tensor is read-only, but a buffer can be written".to_owned()));
        }
        let shape = shape_of(&tensor)?;
        let len = shape.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent));
        let len = len.ok_or(Error::TooLarge { len: usize::MAX, size: size_of::<T>() })?;
        let address = (data.addr() as u64).wrapping_add(byte_offset);
        // SAFETY: the caller's promise; the memory is there until the tensor is dropped.
        let buffer = unsafe { DeviceBuffer::from_raw_on(address, len, stream, tensor) }?;
        Ok((buffer, shape))
    }
}
