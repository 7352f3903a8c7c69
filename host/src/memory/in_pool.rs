//! Buffers from a pool that is not the device's current one.

use super::buffer::DeviceBuffer;
use super::pool::MemoryPool;
use crate::error::Result;
use crate::stream::Stream;
use ptyx_device::DeviceCopy;

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// `len` elements whose bytes are all 0, from a pool, made on `stream`, whose device must be the pool's. The host does
    /// not wait ([`cuMemAllocFromPoolAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, Error, MemoryLimit, MemoryPool, Stream};
    /// let stream = Stream::new()?;
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(64 << 20))?;
    /// let scratch = DeviceBuffer::<f32>::zeroed_in(1000, &pool, &stream)?;
    /// assert_eq!(scratch.to_vec()?, [0.0; 1000]);
    /// let too_much = DeviceBuffer::<f32>::zeroed_in(32 << 20, &pool, &stream);
    /// assert!(matches!(too_much, Err(Error::OutOfMemory { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), also if the pool's limit is reached;
    /// [`Error::TooLarge`](crate::Error::TooLarge), [`Error::WrongDevice`](crate::Error::WrongDevice);
    /// [`Error::Graph`](crate::Error::Graph) in a capture if the pool is [shareable](MemoryPool::shareable).
    pub fn zeroed_in(len: usize, pool: &MemoryPool, stream: &Stream) -> Result<DeviceBuffer<T>> {
        expect_on(pool, stream)?;
        DeviceBuffer::allocate_zeroed(len, stream, Some(pool))
    }

    /// `len` elements that are `value`, from a pool, made on `stream`, whose device must be the pool's.
    /// [`DeviceSliceMut::fill_on`](crate::DeviceSliceMut::fill_on) says for which types the host does not wait for work in
    /// that stream.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryLimit, MemoryPool, Stream};
    /// let stream = Stream::new()?;
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(64 << 20))?;
    /// let distances = DeviceBuffer::filled_in(100, f64::INFINITY, &pool, &stream)?;
    /// assert_eq!(distances.to_vec()?, [f64::INFINITY; 100]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed_in`].
    pub fn filled_in(
        len: usize,
        value: T,
        pool: &MemoryPool,
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        // SAFETY: the fill writes all elements.
        let mut buffer = unsafe { DeviceBuffer::uninitialized_in(len, pool, stream) }?;
        buffer.fill_on(value, stream)?;
        Ok(buffer)
    }

    /// A copy of a host slice, from a pool, made on `stream`, whose device must be the pool's. The host waits.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryLimit, MemoryPool, Stream};
    /// let stream = Stream::new()?;
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(64 << 20))?;
    /// let buffer = DeviceBuffer::from_slice_in(&[1, 2, 3], &pool, &stream)?;
    /// assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed_in`]; [`Error::KernelPanic`](crate::Error::KernelPanic) and
    /// [`Error::Fault`](crate::Error::Fault) of kernels that ran.
    pub fn from_slice_in(
        host: &[T],
        pool: &MemoryPool,
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        stream.0.refuse_capture("DeviceBuffer::from_slice_in")?;
        // SAFETY: the copy writes all elements.
        let mut buffer = unsafe { DeviceBuffer::uninitialized_in(host.len(), pool, stream) }?;
        buffer.as_slice_mut().copy_from_slice(host)?;
        Ok(buffer)
    }

    /// `len` elements of unknown content, from a pool, made on `stream`, whose device must be the pool's.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryLimit, MemoryPool, Stream};
    /// let stream = Stream::new()?;
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(64 << 20))?;
    /// let source = DeviceBuffer::from_slice(&[1, 2, 3])?;
    /// // SAFETY: the copy writes every element before anything reads one.
    /// let mut copy = unsafe { DeviceBuffer::<i32>::uninitialized_in(3, &pool, &stream)? };
    /// copy.copy_from_buffer_on(&source, &stream)?;
    /// assert_eq!(copy.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// Every element must be written, by a copy or a kernel, before anything reads it.
    ///
    /// # Errors
    /// As [`DeviceBuffer::zeroed_in`].
    pub unsafe fn uninitialized_in(
        len: usize,
        pool: &MemoryPool,
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        expect_on(pool, stream)?;
        DeviceBuffer::allocate_from(len, stream, Some(pool))
    }
}

/// An error if the pool is another device's.
fn expect_on(pool: &MemoryPool, stream: &Stream) -> Result<()> {
    stream.context().expect("a memory pool", pool.pool().context())
}
