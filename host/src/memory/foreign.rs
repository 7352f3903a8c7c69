//! Device memory that other libraries own.

use super::allocation::Allocation;
use super::buffer::{DeviceBuffer, bytes_of};
use super::slice::{DeviceSlice, DeviceSliceMut};
use super::tracker::{Access, settled};
use crate::driver::Failure;
use crate::error::{Error, Result};
use crate::stream::Stream;
use core::any::Any;
use core::panic::{RefUnwindSafe, UnwindSafe};
use ptyx_device::DeviceCopy;

/// The owner of memory that is not Ptyx's.
pub(super) struct Foreign {
    /// The stream in whose order it is ready, and is given back.
    pub(super) stream: Stream,
    /// Gives it back when it is dropped.
    _owner: Owner,
}

/// Anything, used by one thread at a time: it is only dropped.
struct Owner(#[allow(dead_code)] Box<dyn Any + Send>);

// SAFETY: nothing is done with a shared reference.
unsafe impl Sync for Owner {}
// As above: nobody sees what a panic has left there.
impl UnwindSafe for Owner {}
impl RefUnwindSafe for Owner {}

impl Foreign {
    /// Makes the stream wait for all streams that use the memory. After an error the driver can't say whether they are done:
    /// the owner must not be dropped.
    pub(super) fn wait_for(&self, users: &[Stream]) -> Result<(), Failure> {
        let entry = self.stream.enter();
        let is_captured = self.stream.0.capture().is_some();
        for user in users.iter().filter(|user| is_captured || !user.is(&self.stream)) {
            // What a capture would take must wait on the host.
            if is_captured || user.precede_handle(self.stream.handle()).is_err() {
                settled(core::slice::from_ref(user))?;
            }
        }
        drop(entry);
        Ok(())
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// A buffer of `len` elements at an address, in memory that another library has allocated on the stream's device.
    /// Nothing is copied.
    ///
    /// Both sides are ordered by `stream`. The elements must be ready when the work submitted to it so far is done.
    /// When the buffer is dropped, the stream waits for all work that uses the buffer. Then `owner` is dropped, which
    /// must free the memory in stream order, because the host does not wait. [`Stream::from_raw`] wraps a stream of
    /// another library.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let numbers = DeviceBuffer::from_slice_on(&[1u32, 2, 3, 4], &stream)?;
    /// let address = numbers.device_address() + 4;
    /// // SAFETY: the memory belongs to `numbers`, which is the owner, so nothing else uses it.
    /// let part = unsafe { DeviceBuffer::<u32>::from_raw_on(address, 3, &stream, numbers)? };
    /// assert_eq!(part.to_vec()?, [2, 3, 4]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// Until `owner` is dropped, there must be `len` valid values of `T` at the address, in memory that kernels on the
    /// stream's device can access and that nothing else uses. Earlier uses must be ordered before the stream's next work,
    /// and later uses, freeing included, after the stream's work. `owner` may be dropped on any thread.
    ///
    /// # Errors
    /// [`Error::Foreign`] if the address is not aligned for `T`; [`Error::TooLarge`].
    pub unsafe fn from_raw_on(
        address: u64,
        len: usize,
        stream: &Stream,
        owner: impl Send + 'static,
    ) -> Result<DeviceBuffer<T>> {
        let bytes = bytes_of::<T>(len)?;
        if !address.is_multiple_of(align_of::<T>() as u64) || address == 0 && bytes > 0 {
            let (element, align) = (core::any::type_name::<T>(), align_of::<T>());
            let reason = format!(
                "address {address:#x} is no place for `{element}`, which is aligned to {align}"
            );
            return Err(Error::Foreign { reason });
        }
        stream.0.refuse_capture("DeviceBuffer::from_raw_on")?;
        let foreign = Foreign { stream: stream.clone(), _owner: Owner(Box::new(owner)) };
        Ok(DeviceBuffer::of(Allocation::of_others(address, bytes, foreign), len))
    }
}

impl<T: DeviceCopy> DeviceSlice<'_, T> {
    /// Lets another library read the elements on `stream`: `work` gets their address, and must submit all work that reads
    /// them before it returns. That work is ordered after earlier work that writes them, and before later work that writes
    /// them. Work on other streams must be ordered with `stream` by the other library. The host does not wait.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// # fn their_sum(_numbers: *const f32, _count: usize, _stream: *mut core::ffi::c_void) {}
    /// let stream = Stream::new()?;
    /// let numbers = DeviceBuffer::filled(100, 0.5f32)?;
    /// numbers.lend_on(&stream, |address| their_sum(address as *const f32, 100, stream.raw()))?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`]; an error of the driver. Then `work` is not called.
    pub fn lend_on<R>(&self, stream: &Stream, work: impl FnOnce(u64) -> R) -> Result<R> {
        let entry = stream.enter();
        self.order(&entry, Access::Read)?;
        self.context().bind()?;
        let result = work(self.address());
        drop(entry);
        self.context().bind_again()?;
        Ok(result)
    }
}

impl<T: DeviceCopy> DeviceSliceMut<'_, T> {
    /// As [`DeviceSlice::lend_on`], for work that writes the elements. It must leave valid values of `T`.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// # fn their_sort(_numbers: *mut u32, _count: usize, _stream: *mut core::ffi::c_void) {}
    /// let stream = Stream::new()?;
    /// let mut numbers = DeviceBuffer::from_slice(&[3u32, 1, 2])?;
    /// let mut part = numbers.slice_mut(1..);
    /// part.lend_mut_on(&stream, |address| their_sort(address as *mut u32, 2, stream.raw()))?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::lend_on`].
    pub fn lend_mut_on<R>(&mut self, stream: &Stream, work: impl FnOnce(u64) -> R) -> Result<R> {
        let part = self.part();
        let entry = stream.enter();
        part.order(&entry, Access::Write)?;
        part.context().bind()?;
        let result = work(part.address());
        drop(entry);
        part.context().bind_again()?;
        Ok(result)
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// Lets another library read the buffer: [`DeviceSlice::lend_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// let (stream, numbers) = (Stream::new()?, DeviceBuffer::filled(100, 0.5f32)?);
    /// let address = numbers.lend_on(&stream, |address| address)?;
    /// assert_eq!(address, numbers.device_address());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::lend_on`].
    pub fn lend_on<R>(&self, stream: &Stream, work: impl FnOnce(u64) -> R) -> Result<R> {
        self.as_slice().lend_on(stream, work)
    }

    /// Lets another library write the buffer: [`DeviceSliceMut::lend_mut_on`].
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Stream};
    /// # fn their_sort(_numbers: *mut u32, _count: usize, _stream: *mut core::ffi::c_void) {}
    /// let (stream, mut numbers) = (Stream::new()?, DeviceBuffer::from_slice(&[3u32, 1, 2])?);
    /// numbers.lend_mut_on(&stream, |address| their_sort(address as *mut u32, 3, stream.raw()))?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::lend_on`].
    pub fn lend_mut_on<R>(&mut self, stream: &Stream, work: impl FnOnce(u64) -> R) -> Result<R> {
        self.as_slice_mut().lend_mut_on(stream, work)
    }
}
