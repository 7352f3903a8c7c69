//! Buffers of types that are `bytemuck::Pod`.

use crate::error::Result;
use crate::memory::DeviceBuffer;
use crate::stream::Stream;
use bytemuck::TransparentWrapper;
use ptyx_device::Pod;

impl<T: bytemuck::Pod> DeviceBuffer<Pod<T>> {
    /// A copy of a host slice of any plain type, on the thread's device: [`DeviceBuffer::from_slice`].
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let buffer = DeviceBuffer::from_pods(&[[1u8, 2], [3, 4]])?;
    /// assert_eq!(buffer.to_pods()?, [[1, 2], [3, 4]]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::from_slice`].
    pub fn from_pods(host: &[T]) -> Result<DeviceBuffer<Pod<T>>> {
        DeviceBuffer::from_slice(Pod::wrap_slice(host))
    }

    /// A copy of a host slice of any plain type, in the order of `stream`, on its device: [`DeviceBuffer::from_slice_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let buffer = DeviceBuffer::from_pods_on(&[[1u8, 2], [3, 4]], &Stream::new()?)?;
    /// assert_eq!(buffer.to_pods()?, [[1, 2], [3, 4]]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::from_slice_on`].
    pub fn from_pods_on(host: &[T], stream: &Stream) -> Result<DeviceBuffer<Pod<T>>> {
        DeviceBuffer::from_slice_on(Pod::wrap_slice(host), stream)
    }

    /// Copies a host slice of the same length into the buffer: [`DeviceBuffer::copy_from_slice`].
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let mut buffer = DeviceBuffer::from_pods(&[1u16, 2])?;
    /// buffer.copy_from_pods(&[3, 4])?;
    /// assert_eq!(buffer.to_pods()?, [3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::copy_from_slice`].
    pub fn copy_from_pods(&mut self, host: &[T]) -> Result<()> {
        self.copy_from_slice(Pod::wrap_slice(host))
    }

    /// A copy on the host: [`DeviceBuffer::to_vec`].
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let colors: Vec<[u8; 4]> = DeviceBuffer::from_pods(&[[255, 0, 0, 255]])?.to_pods()?;
    /// assert_eq!(colors, [[255, 0, 0, 255]]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::to_vec`].
    pub fn to_pods(&self) -> Result<Vec<T>> {
        let mut host = vec![T::zeroed(); self.len()];
        self.copy_to_slice(Pod::wrap_slice_mut(&mut host))?;
        Ok(host)
    }
}
