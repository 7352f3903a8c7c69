//! New buffers like others: of the same shape, on the same device.

use super::buffer::DeviceBuffer;
use super::managed::ManagedBuffer;
use super::pinned::PinnedBuffer;
use super::pitched::PitchedBuffer;
use crate::error::Result;
use crate::stream::Stream;
use ptyx_device::DeviceCopy;

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// A new buffer of the same length on the same device, filled with zeros: for results. It is independent of this one, and
    /// work that uses it waits for the zeros. If a type can't be all zeros, this is a compile error: see
    /// [`DeviceBuffer::zeroed`].
    ///
    /// ```
    /// let x = ptyx::DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// let y = x.similar()?;
    /// assert_eq!(y.to_vec()?, [0.0; 3]);
    /// assert_eq!(y.device_index(), x.device_index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    pub fn similar(&self) -> Result<DeviceBuffer<T>> {
        self.similar_of()
    }

    /// The same, allocated and filled in the order of `stream`. The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let x = DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// let mut y = x.similar_on(&stream)?;
    /// y.copy_from_buffer_on(&x, &stream)?; // after the zeros
    /// assert_eq!(y.to_vec()?, [1.0, 2.0, 3.0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory); [`Error::WrongDevice`](crate::Error::WrongDevice) if the stream
    /// is on another device.
    pub fn similar_on(&self, stream: &Stream) -> Result<DeviceBuffer<T>> {
        self.similar_of_on(stream)
    }

    /// Like [`similar`](DeviceBuffer::similar), with elements of another type.
    ///
    /// ```
    /// let x = ptyx::DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// let flags = x.similar_of::<u8>()?;
    /// assert_eq!(flags.to_vec()?, [0u8; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`similar`](DeviceBuffer::similar); [`Error::TooLarge`](crate::Error::TooLarge).
    pub fn similar_of<U: DeviceCopy>(&self) -> Result<DeviceBuffer<U>> {
        self.similar_of_on(self.allocation().context.transfer_stream()?)
    }

    /// Like [`similar_on`](DeviceBuffer::similar_on), with elements of another type.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let x = DeviceBuffer::from_slice(&[1.0f32, 2.0, 3.0])?;
    /// let indices = x.similar_of_on::<u32>(&Stream::new()?)?;
    /// assert_eq!(indices.len(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`similar_on`](DeviceBuffer::similar_on); [`Error::TooLarge`](crate::Error::TooLarge).
    pub fn similar_of_on<U: DeviceCopy>(&self, stream: &Stream) -> Result<DeviceBuffer<U>> {
        stream.expect_on(self.allocation().context)?;
        DeviceBuffer::zeroed_on(self.len(), stream)
    }
}

impl<T: DeviceCopy, const N: usize> PitchedBuffer<T, N> {
    /// A new array of the same shape on the same device, with zeros: see [`DeviceBuffer::similar`].
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::filled([2, 3], 7u8)?;
    /// let mask = image.similar()?;
    /// assert_eq!((mask.shape(), mask.to_vec()?), ([2, 3], vec![0; 6]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory).
    pub fn similar(&self) -> Result<PitchedBuffer<T, N>> {
        self.similar_of()
    }

    /// The same, allocated and filled in the order of `stream`. The host does not wait.
    ///
    /// ```
    /// use ptyx::{PitchedBuffer, Stream};
    /// let image = PitchedBuffer::filled([2, 3], 7u8)?;
    /// assert_eq!(image.similar_on(&Stream::new()?)?.to_vec()?, [0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::similar_on`].
    pub fn similar_on(&self, stream: &Stream) -> Result<PitchedBuffer<T, N>> {
        self.similar_of_on(stream)
    }

    /// Like [`similar`](PitchedBuffer::similar), with elements of another type.
    ///
    /// ```
    /// let image = ptyx::PitchedBuffer::filled([2, 3], 7u8)?;
    /// assert_eq!(image.similar_of::<f32>()?.to_vec()?, [0.0; 6]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::similar_of`].
    pub fn similar_of<U: DeviceCopy>(&self) -> Result<PitchedBuffer<U, N>> {
        self.similar_of_on(self.context().transfer_stream()?)
    }

    /// Like [`similar_on`](PitchedBuffer::similar_on), with elements of another type.
    ///
    /// ```
    /// use ptyx::{PitchedBuffer, Stream};
    /// let image = PitchedBuffer::filled([2, 3], 7u8)?;
    /// assert_eq!(image.similar_of_on::<u32>(&Stream::new()?)?.shape(), [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceBuffer::similar_of_on`].
    pub fn similar_of_on<U: DeviceCopy>(&self, stream: &Stream) -> Result<PitchedBuffer<U, N>> {
        stream.expect_on(self.context())?;
        PitchedBuffer::zeroed_on(self.shape(), stream)
    }
}

impl<T: DeviceCopy> ManagedBuffer<T> {
    /// A new buffer of the same length, filled with zeros by the same device.
    ///
    /// ```
    /// let x = ptyx::ManagedBuffer::filled(3, 5u32)?;
    /// assert_eq!(*x.similar()?, [0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`].
    pub fn similar(&self) -> Result<ManagedBuffer<T>> {
        self.similar_on(self.as_slice().context().transfer_stream()?)
    }

    /// The same, filled in the order of `stream`. The host does not wait.
    ///
    /// ```
    /// use ptyx::{ManagedBuffer, Stream};
    /// let x = ManagedBuffer::filled(3, 5u32)?;
    /// assert_eq!(*x.similar_on(&Stream::new()?)?, [0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`]; [`Error::WrongDevice`](crate::Error::WrongDevice) if the stream is on another device.
    pub fn similar_on(&self, stream: &Stream) -> Result<ManagedBuffer<T>> {
        stream.expect_on(self.as_slice().context())?;
        ManagedBuffer::zeroed_on(self.len(), stream)
    }
}

impl<T: DeviceCopy> PinnedBuffer<T> {
    /// New pinned memory of the same length, filled with zeros, with the same [`options`](PinnedBuffer::options).
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PinnedOptions};
    /// let x = PinnedBuffer::<u32>::zeroed_with(3, &PinnedOptions::new().write_combined(true))?;
    /// let y = x.similar()?;
    /// assert_eq!((y.len(), y.options()?), (3, x.options()?));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::zeroed`].
    pub fn similar(&self) -> Result<PinnedBuffer<T>> {
        PinnedBuffer::zeroed_with(self.len(), &self.options()?)
    }
}

#[cfg(test)]
mod tests {
    use crate::launch::tests::environment::{child_at, is_child};
    use crate::{
        CudaArray, Device, DeviceBuffer, Error, ManagedBuffer, PinnedBuffer, PinnedOptions,
        PitchedBuffer, Stream,
    };

    #[test]
    fn shapes_agree_and_memory_is_apart() -> crate::Result<()> {
        let stream = Stream::new()?;
        for len in [0, 1, 1000] {
            let x = DeviceBuffer::filled(len, 7u32)?;
            let mut y = x.similar()?;
            assert_eq!(y.to_vec()?, vec![0; len]);
            y.fill_on(9, &stream)?;
            assert_eq!(x.similar_on(&stream)?.to_vec()?, vec![0; len]);
            assert_eq!(x.similar_of::<[u16; 3]>()?.to_vec()?, vec![[0; 3]; len]);
            assert_eq!(x.similar_of_on::<f64>(&stream)?.to_vec()?, vec![0.0; len]);
            assert_eq!((x.to_vec()?, y.to_vec()?), (vec![7; len], vec![9; len]));
        }
        let x = PitchedBuffer::filled([3, 5, 7], 7u8)?;
        for y in [x.similar()?, x.similar_on(&stream)?] {
            assert_eq!((y.shape(), y.pitch(), y.to_vec()?), ([3, 5, 7], x.pitch(), vec![0; 105]));
        }
        assert_eq!(x.similar_of::<u64>()?.to_vec()?, [0; 105]);
        let x = PinnedBuffer::<u8>::zeroed_with(5, &PinnedOptions::new().write_combined(true))?;
        assert!(x.similar()?.options()?.is_write_combined());
        let x = CudaArray::<f32>::zeroed_with_levels([4, 6], 3)?;
        assert_eq!(x.similar()?.levels(), 3);
        let x = CudaArray::<f32>::from_slice(&[1.0; 6], [2, 3])?;
        let y = x.similar_on(&stream)?;
        assert_eq!((y.levels(), y.shape(), y.to_vec()?), (1, [2, 3], vec![0.0; 6]));
        Ok(())
    }

    /// The new buffer is on the other's device, whatever the thread's current one is.
    #[test]
    fn devices_agree() {
        if !is_child() {
            let variables = [("PTYX_DEVICE", "emulator"), ("PTYX_EMULATOR_DEVICES", "2")];
            child_at("memory::similar::tests::devices_agree", &variables);
            return;
        }
        let other = Device::get(1).unwrap();
        let here = Stream::new().unwrap();
        let (x, pitched, managed) = other.with(|| {
            let pitched = PitchedBuffer::filled([2, 3], 1u32).unwrap();
            (
                DeviceBuffer::filled(4, 1u32).unwrap(),
                pitched,
                ManagedBuffer::filled(4, 1u32).unwrap(),
            )
        });
        assert_eq!(x.similar().unwrap().device_index(), 1);
        assert_eq!(pitched.similar().unwrap().device_index(), 1);
        assert_eq!(managed.similar().unwrap().device_index(), 1);
        assert!(matches!(x.similar_on(&here), Err(Error::WrongDevice { .. })));
        assert!(matches!(pitched.similar_on(&here), Err(Error::WrongDevice { .. })));
        assert!(matches!(managed.similar_on(&here), Err(Error::WrongDevice { .. })));
    }
}
