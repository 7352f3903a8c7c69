//! Managed memory: one address for the host and all devices.

mod options;

pub use options::{ManagedAttributes, ManagedOptions, ManagedUse, MemoryAdvice, MemoryLocation};

use super::allocation::Allocation;
use super::buffer::{DeviceBuffer, bytes_of};
use super::slice::{DeviceSlice, DeviceSliceMut};
use super::tracker::Access;
use super::view::{DeviceView, DeviceViewMut, IntoShape};
use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Stream;
use core::ffi::c_void;
use core::fmt;
use core::ops::{Deref, DerefMut, RangeBounds};
use core::slice;
use ptyx_device::{DeviceCopy, must_be_zeroable};

/// An array of `T` in managed memory, at one address for the host and all devices
/// ([`cuMemAllocManaged`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). Its pages migrate to the
/// processor that accesses them.
///
/// It dereferences to a slice. Reading it waits for kernels and copies that write it; changing or dropping it waits for all
/// kernels and copies that use it. Each dereference checks this, so take the slice once before a loop:
/// `let numbers = &mut *managed;`. While the host holds the slice, no work that conflicts with it can be started. If a
/// kernel fails in the meantime, the next synchronisation returns the error.
///
/// As a kernel argument it can be whatever a [`DeviceBuffer`] can be, on any device. Pass [`ManagedBuffer::as_slice`] and
/// [`ManagedBuffer::as_slice_mut`] to copies and fills. It can't be used in graphs, which could run while the host
/// holds the slice: wrap it in a [`GuardedBuffer`](crate::GuardedBuffer) for them.
///
/// ```
/// use ptyx::{DeviceBuffer, ManagedBuffer};
/// let mut numbers = ManagedBuffer::from_slice(&[1, 2, 3])?;
/// numbers[1] = 5;
/// let mut copy = DeviceBuffer::<i32>::zeroed(3)?;
/// copy.copy_from_buffer(&numbers)?;
/// numbers.as_slice_mut().fill(0)?;
/// assert_eq!(*numbers, [0; 3]); // waits for the fill
/// assert_eq!(copy.to_vec()?, [1, 5, 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[doc(alias("cudaMallocManaged", "cuMemAllocManaged"))]
pub struct ManagedBuffer<T> {
    /// Its allocation is managed: no other mutable reference to it exists.
    buffer: DeviceBuffer<T>,
}

/// An error unless the host and a device can use managed memory at the same time.
fn expect_managed(context: &Context) -> Result<()> {
    match context.attribute(CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS) {
        Ok(0) => Err(Error::NoManagedMemory { device: context.ordinal }),
        Ok(_) => Ok(()),
        Err(failure) => Err(failure.into()),
    }
}

impl<T: DeviceCopy> ManagedBuffer<T> {
    /// `len` uninitialised elements.
    fn allocate(
        len: usize,
        context: &'static Context,
        options: &ManagedOptions,
    ) -> Result<ManagedBuffer<T>> {
        let bytes = bytes_of::<T>(len)?;
        expect_managed(context)?;
        let allocation = Allocation::managed(context, bytes, options.is_host_only())?;
        Ok(ManagedBuffer { buffer: DeviceBuffer::of_allocation(allocation, len) })
    }

    /// `len` elements whose bytes are all 0. This is a compile error for types that can't be all zeros, such as `NonZero`:
    /// use [`ManagedBuffer::filled`] for them. The thread's current device writes the zeros.
    ///
    /// ```
    /// let numbers = ptyx::ManagedBuffer::<f32>::zeroed(3)?;
    /// assert_eq!(*numbers, [0.0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoManagedMemory`], [`Error::OutOfMemory`], [`Error::TooLarge`]; no usable device.
    pub fn zeroed(len: usize) -> Result<ManagedBuffer<T>> {
        ManagedBuffer::zeroed_on(len, current()?.transfer_stream()?)
    }

    /// `len` elements whose bytes are all 0, written on `stream` by its device. The host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let numbers = ptyx::ManagedBuffer::<u32>::zeroed_on(3, &stream)?;
    /// assert_eq!(*numbers, [0; 3]); // waits for the stream
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`].
    pub fn zeroed_on(len: usize, stream: &Stream) -> Result<ManagedBuffer<T>> {
        let mut managed = ManagedBuffer::allocate(len, stream.context(), &ManagedOptions::new())?;
        managed.as_slice_mut().zero_on(stream)?;
        Ok(managed)
    }

    /// `len` elements equal to `value`, written by the thread's current device.
    ///
    /// ```
    /// let numbers = ptyx::ManagedBuffer::filled(3, 2.5f32)?;
    /// assert_eq!(*numbers, [2.5; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`].
    pub fn filled(len: usize, value: T) -> Result<ManagedBuffer<T>> {
        ManagedBuffer::filled_on(len, value, current()?.transfer_stream()?)
    }

    /// `len` elements equal to `value`, written on `stream` by its device. [`DeviceSliceMut::fill_on`] says for which
    /// types the host does not wait.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let numbers = ptyx::ManagedBuffer::filled_on(3, 7u32, &stream)?;
    /// assert_eq!(*numbers, [7; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`].
    pub fn filled_on(len: usize, value: T, stream: &Stream) -> Result<ManagedBuffer<T>> {
        let mut managed = ManagedBuffer::allocate(len, stream.context(), &ManagedOptions::new())?;
        managed.as_slice_mut().fill_on(value, stream)?;
        Ok(managed)
    }

    /// A copy of a slice, written by the host.
    ///
    /// ```
    /// let mut numbers = ptyx::ManagedBuffer::from_slice(&[1, 2, 3])?;
    /// numbers[0] += 4;
    /// assert_eq!(*numbers, [5, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`].
    pub fn from_slice(from: &[T]) -> Result<ManagedBuffer<T>> {
        ManagedBuffer::of_slice(from, current()?, &ManagedOptions::new())
    }

    /// A copy of a slice on the device of `stream`. The host writes it at once: earlier work of the stream can't use
    /// new memory.
    ///
    /// ```
    /// let stream = ptyx::Stream::new()?;
    /// let numbers = ptyx::ManagedBuffer::from_slice_on(&[1, 2, 3], &stream)?;
    /// assert_eq!((numbers.device_index(), numbers[2]), (stream.device_index(), 3));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`]; [`Error::Capture`] if the stream is captured.
    pub fn from_slice_on(from: &[T], stream: &Stream) -> Result<ManagedBuffer<T>> {
        stream.0.refuse_capture("ManagedBuffer::from_slice_on")?;
        ManagedBuffer::of_slice(from, stream.context(), &ManagedOptions::new())
    }

    /// `len` elements whose bytes are all 0, written by the host, with options. This is a compile error for types that can't be
    /// all zeros.
    ///
    /// ```
    /// use ptyx::{Error, ManagedBuffer, ManagedOptions, ManagedUse, Stream};
    /// let (stream, options) = (Stream::new()?, ManagedOptions::new().host_only(true));
    /// let mut table = ManagedBuffer::<u32>::zeroed_with(100, &options)?;
    /// table[0] = 7; // whatever devices do meanwhile
    /// let refused = table.as_slice_mut().fill_on(1, &stream);
    /// assert!(matches!(refused, Err(Error::Attached { .. })));
    /// table.attach(ManagedUse::OneStream, &stream)?;
    /// table.as_slice_mut().slice_mut(1..).fill_on(1, &stream)?;
    /// assert_eq!(table[..3], [7, 1, 1]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`].
    #[doc(alias("cudaMemAttachHost", "CU_MEM_ATTACH_HOST"))]
    pub fn zeroed_with(len: usize, options: &ManagedOptions) -> Result<ManagedBuffer<T>> {
        const { must_be_zeroable::<T>() };
        let managed = ManagedBuffer::<T>::allocate(len, current()?, options)?;
        // SAFETY: the memory is new and holds as many elements, of which zeros are values.
        unsafe { managed.pointer().write_bytes(0, len) };
        Ok(managed)
    }

    /// A copy of a slice, written by the host, with options.
    ///
    /// ```
    /// use ptyx::{ManagedBuffer, ManagedOptions};
    /// let options = ManagedOptions::new().host_only(true);
    /// let numbers = ManagedBuffer::from_slice_with(&[1, 2, 3], &options)?;
    /// assert_eq!(*numbers, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::zeroed`].
    pub fn from_slice_with(from: &[T], options: &ManagedOptions) -> Result<ManagedBuffer<T>> {
        ManagedBuffer::of_slice(from, current()?, options)
    }

    fn of_slice(
        from: &[T],
        context: &'static Context,
        options: &ManagedOptions,
    ) -> Result<ManagedBuffer<T>> {
        let managed = ManagedBuffer::<T>::allocate(from.len(), context, options)?;
        // SAFETY: the memory is new and as long as the slice; every element is written.
        unsafe { managed.pointer().copy_from_nonoverlapping(from.as_ptr(), from.len()) };
        Ok(managed)
    }

    /// All elements, for copies, kernels and the host's [`to_vec`](DeviceSlice::to_vec).
    ///
    /// ```
    /// let numbers = ptyx::ManagedBuffer::from_slice(&[1, 2, 3])?;
    /// assert_eq!(numbers.as_slice().slice(1..).to_vec()?, [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_slice(&self) -> DeviceSlice<'_, T> {
        self.buffer.as_slice()
    }

    /// All elements, for fills, copies and kernels that write them.
    ///
    /// ```
    /// let mut numbers = ptyx::ManagedBuffer::from_slice(&[1, 2, 3])?;
    /// numbers.as_slice_mut().fill(7)?;
    /// assert_eq!(*numbers, [7; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn as_slice_mut(&mut self) -> DeviceSliceMut<'_, T> {
        self.buffer.as_slice_mut()
    }

    /// A view of `shape`: [`DeviceSlice::view`].
    ///
    /// ```
    /// let numbers = ptyx::ManagedBuffer::from_slice(&[1, 2, 3, 4, 5, 6])?;
    /// assert_eq!(numbers.view([2, 3]).shape(), [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view<const N: usize>(&self, shape: impl IntoShape<N>) -> DeviceView<'_, T, N> {
        self.buffer.as_slice().view(shape)
    }

    /// A view of `shape` for writing: [`DeviceSliceMut::view_mut`].
    ///
    /// ```
    /// let mut numbers = ptyx::ManagedBuffer::<f32>::zeroed(6)?;
    /// assert_eq!(numbers.view_mut([2, 3]).shape(), [2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn view_mut<const N: usize>(
        &mut self,
        shape: impl IntoShape<N>,
    ) -> DeviceViewMut<'_, T, N> {
        self.buffer.as_slice_mut().view_mut(shape)
    }

    /// Prefetches elements on the default stream of the buffer's device: see [`ManagedBuffer::prefetch_on`].
    ///
    /// ```
    /// use ptyx::{ManagedBuffer, MemoryLocation};
    /// let numbers = ManagedBuffer::from_slice(&[1u32; 1000])?;
    /// numbers.prefetch(.., MemoryLocation::Host)?;
    /// assert_eq!(numbers.attributes(..)?.last_prefetch, Some(MemoryLocation::Host));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ManagedBuffer::prefetch_on`].
    ///
    /// # Panics
    /// As [`ManagedBuffer::prefetch_on`].
    #[track_caller]
    pub fn prefetch(&self, range: impl RangeBounds<usize>, to: MemoryLocation) -> Result<()> {
        self.prefetch_on(range, to, self.buffer.allocation().context.default_stream()?)
    }

    /// Moves elements to the host or to a device before they are used there, on `stream`
    /// ([`cuMemPrefetchAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html)). The host does not
    /// wait; writing to the buffer waits for the prefetch.
    ///
    /// ```
    /// use ptyx::{Device, ManagedBuffer, MemoryLocation, Stream};
    /// let stream = Stream::new()?;
    /// let numbers = ManagedBuffer::from_slice(&[1u32; 1000])?;
    /// let device = MemoryLocation::Device(Device::current()?);
    /// numbers.prefetch_on(.., device, &stream)?;
    /// assert_eq!(numbers.attributes(..)?.last_prefetch, Some(device));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    ///
    /// # Panics
    /// If the range is out of bounds, as with slices of the host.
    #[doc(alias("cudaMemPrefetchAsync", "cuMemPrefetchAsync"))]
    #[track_caller]
    pub fn prefetch_on(
        &self,
        range: impl RangeBounds<usize>,
        to: MemoryLocation,
        stream: &Stream,
    ) -> Result<()> {
        let part = self.as_slice().slice(range);
        if part.bytes().is_empty() {
            return Ok(());
        }
        let entry = stream.enter();
        stream.0.refuse_capture("a prefetch of managed memory")?;
        part.order(&entry, Access::Read)?;
        let (address, bytes) = (part.address(), part.bytes().len());
        let context = stream.context();
        context.bind()?;
        // SAFETY: managed memory that lives until the prefetch is done: its tracker knows of it.
        unsafe { context.driver.cuMemPrefetchAsync(address, bytes, to.number(), stream.handle()) }?;
        Ok(())
    }

    /// Tells the driver how elements will be used
    /// ([`cuMemAdvise`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html)). Advice affects where the
    /// memory is, never its contents.
    ///
    /// ```
    /// use ptyx::{ManagedBuffer, MemoryAdvice};
    /// let table = ManagedBuffer::from_slice(&[1u32; 1000])?;
    /// table.advise(.., MemoryAdvice::ReadMostly)?;
    /// assert!(table.attributes(..)?.read_mostly);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    ///
    /// # Panics
    /// As [`ManagedBuffer::prefetch_on`].
    #[doc(alias("cudaMemAdvise", "cuMemAdvise"))]
    #[track_caller]
    pub fn advise(&self, range: impl RangeBounds<usize>, advice: MemoryAdvice) -> Result<()> {
        let part = self.as_slice().slice(range);
        let (bytes, (advice, place)) = (part.bytes().len(), advice.parts());
        if bytes == 0 {
            return Ok(());
        }
        let driver = part.driver()?;
        // SAFETY: managed memory that is alive.
        Ok(unsafe { driver.cuMemAdvise(part.address(), bytes, advice, place) }?)
    }

    /// The advice given for elements, and where they were last prefetched to, as far as these are the same for all of them
    /// ([`cuMemRangeGetAttributes`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html)). The driver
    /// records them for whole pages only.
    ///
    /// ```
    /// let numbers = ptyx::ManagedBuffer::from_slice(&[1u32; 1000])?;
    /// let attributes = numbers.attributes(..)?;
    /// assert!(!attributes.read_mostly && attributes.preferred_location.is_none());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    ///
    /// # Panics
    /// As [`ManagedBuffer::prefetch_on`].
    #[doc(alias("cudaMemRangeGetAttributes", "cuMemRangeGetAttributes"))]
    #[track_caller]
    pub fn attributes(&self, range: impl RangeBounds<usize>) -> Result<ManagedAttributes> {
        let part = self.as_slice().slice(range);
        let bytes = part.bytes().len();
        if bytes == 0 {
            return Ok(ManagedAttributes::NONE);
        }
        let (mut read_mostly, mut preferred, mut last) = (0i32, 0i32, 0i32);
        let places = crate::runtime::runtime()?.device_count() as usize + 1;
        let mut accessed_by = vec![CU_DEVICE_INVALID; places];
        let mut data: [*mut c_void; 4] = [
            (&raw mut read_mostly).cast(),
            (&raw mut preferred).cast(),
            accessed_by.as_mut_ptr().cast(),
            (&raw mut last).cast(),
        ];
        let mut sizes = [4, 4, 4 * places, 4];
        let mut attributes = [
            CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
            CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION,
            CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
            CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
        ];
        let driver = part.driver()?;
        // SAFETY: four places of these sizes, and managed memory that is alive.
        unsafe {
            driver.cuMemRangeGetAttributes(
                data.as_mut_ptr(),
                sizes.as_mut_ptr(),
                attributes.as_mut_ptr(),
                4,
                part.address(),
                bytes,
            )
        }?;
        let accessed_by = accessed_by.into_iter().filter_map(MemoryLocation::of_number);
        Ok(ManagedAttributes {
            read_mostly: read_mostly != 0,
            preferred_location: MemoryLocation::of_number(preferred),
            accessed_by: accessed_by.collect(),
            last_prefetch: MemoryLocation::of_number(last),
        })
    }

    /// Restricts who may use the buffer from now on. [`ManagedUse::OneStream`] means `stream`, on which the change is
    /// ordered ([`cuStreamAttachMemAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)). Uses on
    /// other streams return [`Error::Attached`]. A new buffer may be used by all ([`ManagedUse::All`]).
    ///
    /// ```
    /// use ptyx::{ManagedBuffer, ManagedUse, Stream};
    /// let (own, other) = (Stream::new()?, Stream::new()?);
    /// let mut scratch = ManagedBuffer::<u32>::zeroed(100)?;
    /// scratch.attach(ManagedUse::OneStream, &own)?;
    /// scratch.as_slice_mut().fill_on(1, &own)?;
    /// assert!(scratch.as_slice_mut().fill_on(2, &other).is_err());
    /// assert_eq!(scratch[..], [1; 100]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`]; [`Error::Capture`] while `stream` is captured.
    #[doc(alias("cudaStreamAttachMemAsync", "cuStreamAttachMemAsync"))]
    pub fn attach(&mut self, to: ManagedUse, stream: &Stream) -> Result<()> {
        let whole = self.as_slice();
        if whole.bytes().is_empty() {
            return Ok(());
        }
        let allocation = self.buffer.allocation();
        let entry = stream.enter();
        // After everything that uses it so far.
        allocation.order_attach(&entry)?;
        let context = stream.context();
        context.bind()?;
        // SAFETY: managed memory that is alive.
        unsafe {
            context.driver.cuStreamAttachMemAsync(stream.handle(), whole.address(), 0, to.flag())
        }?;
        allocation.attach(to, stream);
        Ok(())
    }
}

impl<T> ManagedBuffer<T> {
    /// The number of elements. Does not wait.
    ///
    /// ```
    /// assert_eq!(ptyx::ManagedBuffer::<u32>::zeroed(3)?.len(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.buffer.elements()
    }

    /// Whether there are no elements. Does not wait.
    ///
    /// ```
    /// assert!(ptyx::ManagedBuffer::<u32>::zeroed(0)?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The index of the device that allocated it. Operations for which no stream is given run on its default stream.
    ///
    /// ```
    /// let numbers = ptyx::ManagedBuffer::<u32>::zeroed(3)?;
    /// assert_eq!(numbers.device_index(), ptyx::Device::current()?.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.buffer.allocation().context.ordinal
    }

    pub(super) fn allocation(&self) -> &Allocation {
        self.buffer.allocation()
    }

    /// The first element, for the host.
    pub(super) fn pointer(&self) -> *mut T {
        let allocation = self.buffer.allocation();
        match allocation.bytes {
            0 => core::ptr::dangling_mut(),
            _ => core::ptr::with_exposed_provenance_mut(allocation.address(0) as usize),
        }
    }
}

impl<T> Deref for ManagedBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.buffer.allocation().finish_on_host(Access::Read);
        // SAFETY: the memory holds as many values, and no device writes it: new work that does needs a mutable borrow.
        unsafe { slice::from_raw_parts(self.pointer(), self.len()) }
    }
}

impl<T> DerefMut for ManagedBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.buffer.allocation().finish_on_host(Access::Write);
        // SAFETY: as above, and no device reads it: new work needs a borrow.
        unsafe { slice::from_raw_parts_mut(self.pointer(), self.len()) }
    }
}

impl<'a, T: DeviceCopy> From<&'a ManagedBuffer<T>> for DeviceSlice<'a, T> {
    fn from(managed: &'a ManagedBuffer<T>) -> Self {
        managed.as_slice()
    }
}

impl<'a, T: DeviceCopy> From<&'a mut ManagedBuffer<T>> for DeviceSliceMut<'a, T> {
    fn from(managed: &'a mut ManagedBuffer<T>) -> Self {
        managed.as_slice_mut()
    }
}

impl<T: fmt::Debug> fmt::Debug for ManagedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
