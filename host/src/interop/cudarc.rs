//! Streams and memory of the crate [`cudarc`](https://docs.rs/cudarc), without copies.
//!
//! Both libraries use the device's primary context, so that a stream of one is a stream of the other.

use crate::DeviceCopy;
use crate::device_api::Device;
use crate::error::{Error, Result};
use crate::memory::{DeviceBuffer, DeviceSlice, DeviceSliceMut};
use crate::stream::Stream;
use core::mem::ManuallyDrop;
use cudarc::driver::{CudaContext, CudaSlice, CudaStream, CudaView, CudaViewMut, DevicePtrMut};
use std::sync::Arc;

/// The device of a context of cudarc, whose context must be the primary one.
fn device_of(context: &CudaContext) -> Result<Device> {
    let device = Device::get(u32::try_from(context.ordinal()).unwrap_or(u32::MAX))?;
    let foreign = |reason: &str| Err(Error::Foreign { reason: reason.to_owned() });
    if device.is_emulated() {
        return foreign("cudarc uses a GPU, but Ptyx the emulated device");
    }
    if device.0.raw().0 != context.cu_ctx().cast() {
        return foreign(
            "cudarc uses another context than the device's primary one, or it was reset",
        );
    }
    Ok(device)
}

/// A slice of cudarc at memory that is not its own.
struct Lent<T>(ManuallyDrop<CudaSlice<T>>);

impl<T> Lent<T> {
    /// # Safety
    /// There are `len` values of `T` at the address, in memory of the stream's device, until this is dropped and the stream
    /// has done its work.
    unsafe fn new(stream: &Arc<CudaStream>, address: u64, len: usize) -> Lent<T> {
        // SAFETY: the caller's promise; cudarc does not free it, as it is not dropped.
        Lent(ManuallyDrop::new(unsafe { stream.upgrade_device_ptr(address, len) }))
    }
}

impl<T> Drop for Lent<T> {
    fn drop(&mut self) {
        // SAFETY: nothing uses the slice afterwards.
        let slice = unsafe { ManuallyDrop::take(&mut self.0) };
        // Lets its stream wait for what other streams of cudarc do with it.
        let _ = slice.leak();
    }
}

impl Stream {
    /// A stream of cudarc, for launches and copies of Ptyx. Work that both libraries submit to it runs in the order of
    /// submission.
    ///
    /// ```no_run
    /// use cudarc::driver::CudaContext;
    /// use ptyx::{DeviceBuffer, Stream};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let theirs = CudaContext::new(0)?.new_stream()?;
    /// let stream = Stream::from_cudarc(&theirs)?;
    /// let mut buffer = DeviceBuffer::<f32>::zeroed_on(1000, &stream)?;
    /// buffer.fill_on(0.5, &stream)?;
    /// theirs.synchronize()?; // also waits for the fill
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::Foreign`] if the stream does not belong to a device's primary context, or Ptyx uses the emulated device.
    pub fn from_cudarc(stream: &Arc<CudaStream>) -> Result<Stream> {
        let device = device_of(stream.context())?;
        let raw = stream.cu_stream().cast();
        // SAFETY: a stream of the device's primary context, which its owner keeps alive. (To capture a stream, cudarc needs
        // unsafe code.)
        device.with(|| unsafe { Stream::from_raw(raw, stream.clone()) })
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// Memory of cudarc as a buffer, and its stream. Nothing is copied. When the buffer is dropped, cudarc frees the memory, in
    /// the order of its stream.
    ///
    /// ```no_run
    /// use cudarc::driver::CudaContext;
    /// use ptyx::{DeviceBuffer, Stream};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let theirs = CudaContext::new(0)?.new_stream()?;
    /// let (mut buffer, stream) = DeviceBuffer::from_cudarc(theirs.clone_htod(&[1.0f32, 2.0, 3.0])?)?;
    /// buffer.fill_on(0.5, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [0.5; 3]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Stream::from_cudarc`].
    pub fn from_cudarc(mut slice: CudaSlice<T>) -> Result<(DeviceBuffer<T>, Stream)>
    where
        T: Send,
    {
        let (theirs, len) = (slice.stream().clone(), slice.len());
        let stream = Stream::from_cudarc(&theirs)?;
        // The stream waits for what others of cudarc do with it.
        let (address, guard) = slice.device_ptr_mut(&theirs);
        drop(guard);
        // SAFETY: as many values, ready in the stream's order, and nobody else has the slice.
        let buffer = unsafe { DeviceBuffer::from_raw_on(address, len, &stream, slice) }?;
        Ok((buffer, stream))
    }
}

impl<T: DeviceCopy> DeviceSlice<'_, T> {
    /// Lets cudarc read the elements: `work` submits work to `stream`, or to other streams of cudarc, before it returns. The
    /// host does not wait.
    ///
    /// ```no_run
    /// use cudarc::driver::CudaContext;
    /// use ptyx::DeviceBuffer;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let theirs = CudaContext::new(0)?.new_stream()?;
    /// let buffer = DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// let copy: Vec<f32> =
    ///     buffer.as_slice().lend_to_cudarc(&theirs, |view| theirs.clone_dtoh(&view))??;
    /// assert_eq!(copy, [1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Stream::from_cudarc`] and [`DeviceSlice::lend_on`].
    pub fn lend_to_cudarc<R>(
        &self,
        stream: &Arc<CudaStream>,
        work: impl FnOnce(CudaView<'_, T>) -> R,
    ) -> Result<R> {
        let own = Stream::from_cudarc(stream)?;
        let len = self.len();
        self.lend_on(&own, |address| {
            // SAFETY: the elements, which stay until the stream's work is done.
            let lent = unsafe { Lent::new(stream, address, len) };
            work(lent.0.as_view())
        })
    }
}

impl<T: DeviceCopy> DeviceSliceMut<'_, T> {
    /// As [`DeviceSlice::lend_to_cudarc`], for work that writes the elements.
    ///
    /// ```no_run
    /// use cudarc::driver::CudaContext;
    /// use ptyx::DeviceBuffer;
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let theirs = CudaContext::new(0)?.new_stream()?;
    /// let mut buffer = DeviceBuffer::<f32>::filled(4, 0.5)?;
    /// let mut slice = buffer.as_slice_mut();
    /// slice.lend_mut_to_cudarc(&theirs, |mut view| theirs.memset_zeros(&mut view))??;
    /// assert_eq!(buffer.to_vec()?, [0.0; 4]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As there.
    pub fn lend_mut_to_cudarc<R>(
        &mut self,
        stream: &Arc<CudaStream>,
        work: impl FnOnce(CudaViewMut<'_, T>) -> R,
    ) -> Result<R> {
        let own = Stream::from_cudarc(stream)?;
        let len = self.len();
        self.lend_mut_on(&own, |address| {
            // SAFETY: as above; nothing else uses them meanwhile.
            let mut lent = unsafe { Lent::new(stream, address, len) };
            work(lent.0.as_view_mut())
        })
    }
}
