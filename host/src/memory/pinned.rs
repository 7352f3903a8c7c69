//! Pinned host memory.

mod exposed;
mod options;
mod registered;
mod staged;

pub use options::PinnedOptions;
pub use registered::PinnedSlice;
pub(in crate::memory) use staged::{Held, Staged};

use super::exhausted::allocate_pinned;
use super::tracker::{Access, Tracker};
use crate::context::{Context, after_host_function};
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::runtime::current;
use crate::stream::Entry;
use core::ffi::c_void;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use core::sync::atomic::{AtomicBool, Ordering};
use core::{fmt, slice};
use exposed::Exposed;
use ptyx_device::DeviceCopy;
use registered::Owner;
use std::sync::{Arc, OnceLock};

/// An array of `T` in pinned host memory ([`cuMemHostAlloc`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)): copies between it and a device
/// are fast, and run while the host continues.
///
/// It dereferences to a slice. Reading it waits for pending copies into it; changing or dropping it waits
/// for every pending copy. If a kernel fails in the meantime, the next synchronisation returns the error.
///
/// Kernels can use it in place: `&pinned` is a `&[T]` for them, `&mut pinned` a `Disjoint<T>`, a `Parts<T, D>`, a
/// `SliceMut<T>` or an `Atomics<T>`, as with a [`DeviceBuffer`](crate::DeviceBuffer). Each access goes over the bus. Kernels
/// are ordered with each other and with the host as copies are: the host waits before it reads what a kernel may write,
/// and before it changes what a kernel may use, so their accesses never conflict.
///
/// ```
/// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
/// let stream = Stream::new()?;
/// let mut host = PinnedBuffer::from_slice(&[1.0f32, 2.0])?;
/// let mut device = DeviceBuffer::<f32>::zeroed(2)?;
/// device.copy_from_pinned_on(&host, &stream)?;
/// host[0] = 5.0; // waits for the copy
/// device.copy_to_pinned_on(&mut host, &stream)?;
/// assert_eq!(*host, [1.0, 2.0]); // waits for the copy
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct PinnedBuffer<T> {
    pointer: NonNull<T>,
    len: usize,
    context: &'static Context,
    tracker: Tracker,
    /// A device may be writing to it.
    written: AtomicBool,
    /// Who gave the memory.
    owner: Owner,
    options: PinnedOptions,
    /// The address for kernels of `context`, once it is known.
    mapped: OnceLock<CUdeviceptr>,
    exposed: Arc<Exposed>,
}

// SAFETY: the buffer owns its elements, as `Vec` does.
unsafe impl<T: Send> Send for PinnedBuffer<T> {}
// SAFETY: as `Vec`; the tracker is `Sync`.
unsafe impl<T: Sync> Sync for PinnedBuffer<T> {}

impl<T: DeviceCopy> PinnedBuffer<T> {
    /// `len` elements whose bytes are all 0. This is a compile error for types that can't be all zeros,
    /// such as `NonZero`: use [`PinnedBuffer::from_slice`] for them.
    ///
    /// ```
    /// let host = ptyx::PinnedBuffer::<f32>::zeroed(3)?;
    /// assert_eq!(*host, [0.0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::OutOfHostMemory`]; no usable device.
    pub fn zeroed(len: usize) -> Result<PinnedBuffer<T>> {
        const { ptyx_device::must_be_zeroable::<T>() };
        // SAFETY: all-zero bytes are a value.
        unsafe { PinnedBuffer::of_zeros(len, &PinnedOptions::new()) }
    }

    /// Like [`PinnedBuffer::zeroed`], with options.
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PinnedOptions};
    /// let options = PinnedOptions::new().write_combined(true);
    /// let mut host = PinnedBuffer::<f32>::zeroed_with(3, &options)?;
    /// host.fill(1.0); // only the device reads it
    /// let mut buffer = ptyx::DeviceBuffer::<f32>::zeroed(3)?;
    /// buffer.copy_from_pinned(&host)?;
    /// assert_eq!(buffer.to_vec()?, [1.0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::zeroed`].
    #[doc(alias("cudaHostAlloc", "cuMemHostAlloc"))]
    pub fn zeroed_with(len: usize, options: &PinnedOptions) -> Result<PinnedBuffer<T>> {
        const { ptyx_device::must_be_zeroable::<T>() };
        // SAFETY: all-zero bytes are a value.
        unsafe { PinnedBuffer::of_zeros(len, options) }
    }

    /// `len` elements whose bytes are all 0.
    ///
    /// # Safety
    /// All-zero bytes must be a valid value, or every element must be written before it is read.
    unsafe fn of_zeros(len: usize, options: &PinnedOptions) -> Result<PinnedBuffer<T>> {
        const { assert!(align_of::<T>() <= 4096, "pinned memory is aligned to a page") };
        let context = current()?;
        let bytes = len
            .checked_mul(size_of::<T>())
            .filter(|&bytes| isize::try_from(bytes).is_ok())
            .ok_or(Error::TooLarge { len, size: size_of::<T>() })?;
        let mut host = core::ptr::null_mut::<c_void>();
        if bytes > 0 {
            context.bind()?;
            // SAFETY: `host` is a valid place.
            allocate_pinned(context, bytes, || unsafe {
                context.driver.cuMemHostAlloc(&mut host, bytes, options.flags())
            })?;
            // SAFETY: the memory has this many bytes.
            unsafe { host.cast::<u8>().write_bytes(0, bytes) };
        }
        let pointer = NonNull::new(host.cast()).unwrap_or(NonNull::dangling());
        Ok(PinnedBuffer::of(pointer, len, context, Owner::Driver, *options))
    }

    /// Pinned memory that nothing uses yet.
    fn of(
        pointer: NonNull<T>,
        len: usize,
        context: &'static Context,
        owner: Owner,
        options: PinnedOptions,
    ) -> PinnedBuffer<T> {
        PinnedBuffer {
            pointer,
            len,
            context,
            tracker: Tracker::default(),
            written: AtomicBool::new(false),
            owner,
            options,
            mapped: OnceLock::new(),
            exposed: Arc::default(),
        }
    }

    /// A copy of a slice.
    ///
    /// ```
    /// let mut host = ptyx::PinnedBuffer::from_slice(&[3, 1, 2])?;
    /// host.sort();
    /// assert_eq!(*host, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::zeroed`].
    pub fn from_slice(from: &[T]) -> Result<PinnedBuffer<T>> {
        PinnedBuffer::from_slice_with(from, &PinnedOptions::new())
    }

    /// Like [`PinnedBuffer::from_slice`], with options.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, PinnedOptions};
    /// // The host only writes it.
    /// let options = PinnedOptions::new().write_combined(true);
    /// let host = PinnedBuffer::from_slice_with(&[1u32, 2, 3], &options)?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(3)?;
    /// buffer.copy_from_pinned(&host)?;
    /// assert_eq!(buffer.to_vec()?, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::zeroed`].
    pub fn from_slice_with(from: &[T], options: &PinnedOptions) -> Result<PinnedBuffer<T>> {
        // SAFETY: every element is written here; the memory is as long as the slice, and new.
        unsafe {
            let buffer = PinnedBuffer::<T>::of_zeros(from.len(), options)?;
            buffer.pointer.as_ptr().copy_from_nonoverlapping(from.as_ptr(), from.len());
            Ok(buffer)
        }
    }

    /// Notes a use on `entry`'s stream, after what it conflicts with.
    pub(crate) fn order(&self, entry: &Entry<'_>, access: Access) -> Result<()> {
        self.tracker.order(entry, 0..self.bytes(), access)?;
        if access == Access::Write {
            self.written.store(true, Ordering::Release);
        }
        if let Some(binding) = entry.binding() {
            Exposed::bind(&self.exposed, binding);
        }
        self.exposed.order(entry.stream())
    }

    /// The address for kernels of a device, whose launches are ordered by [`PinnedBuffer::order`]
    /// ([`cuMemHostGetDevicePointer`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// # Errors
    /// [`Error::NotMapped`].
    pub(crate) fn mapped(&self, context: &'static Context) -> Result<CUdeviceptr> {
        if !self.options.is_mapped() {
            return Err(Error::NotMapped);
        }
        if self.bytes() == 0 {
            return Ok(align_of::<T>() as CUdeviceptr);
        }
        let is_own = core::ptr::eq(context, self.context);
        if let Some(&known) = self.mapped.get().filter(|_| is_own) {
            return Ok(known);
        }
        context.bind()?;
        let (mut address, host) = (0, self.pointer.as_ptr().cast());
        // SAFETY: a valid place, and pinned memory that is alive.
        unsafe { context.driver.cuMemHostGetDevicePointer(&mut address, host, 0) }?;
        if is_own {
            let _ = self.mapped.set(address);
        }
        Ok(address)
    }

    /// The address of the first element for kernels of the thread's device, for use as a raw pointer
    /// ([`cuMemHostGetDevicePointer`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// From this call on, the host's accesses and copies are ordered with kernels of that device that dereference raw
    /// pointers, as [`DeviceSlice::device_address`](crate::DeviceSlice::device_address) says.
    ///
    /// ```
    /// let host = ptyx::PinnedBuffer::<u32>::zeroed(4)?;
    /// let pointer = host.device_address()? as *const u32; // an argument of an `unsafe` kernel
    /// assert!(pointer.is_aligned() && !pointer.is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotMapped`] if it was allocated without mapping; no usable device.
    #[doc(alias("cudaHostGetDevicePointer", "cuMemHostGetDevicePointer"))]
    pub fn device_address(&self) -> Result<u64> {
        let context = current()?;
        let address = self.mapped(context)?;
        self.exposed.expose(context, &self.tracker);
        Ok(address)
    }

    /// How the memory was pinned, according to the driver
    /// ([`cuMemHostGetFlags`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). Options may be set that
    /// were not requested.
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PinnedOptions};
    /// let host = PinnedBuffer::<u32>::zeroed_with(4, &PinnedOptions::new().write_combined(true))?;
    /// assert!(host.options()?.is_write_combined());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    #[doc(alias("cudaHostGetFlags", "cuMemHostGetFlags"))]
    pub fn options(&self) -> Result<PinnedOptions> {
        if self.bytes() == 0 {
            return Ok(self.options);
        }
        let mut flags = 0;
        self.context.bind()?;
        let host = self.pointer.as_ptr().cast();
        // SAFETY: a valid place, and pinned memory that is alive.
        unsafe { self.context.driver.cuMemHostGetFlags(&mut flags, host) }?;
        Ok(PinnedOptions::of_flags(flags))
    }

    pub(crate) fn as_device_copy_source(&self) -> *const c_void {
        self.pointer.as_ptr().cast()
    }

    pub(crate) fn as_device_copy_target(&self) -> *mut c_void {
        self.pointer.as_ptr().cast()
    }
}

impl<T> PinnedBuffer<T> {
    /// The number of elements. Does not wait.
    ///
    /// ```
    /// assert_eq!(ptyx::PinnedBuffer::from_slice(&[3, 1, 2])?.len(), 3);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no elements. Does not wait.
    ///
    /// ```
    /// assert!(ptyx::PinnedBuffer::<u8>::zeroed(0)?.is_empty());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }

    /// Where the elements are, and how many. Does not wait.
    pub(super) fn elements(&self) -> (*mut T, usize) {
        (self.pointer.as_ptr(), self.len)
    }

    /// Waits for the copies that conflict with `access`. After a fault nothing is pending: the device has stopped.
    /// False if the driver can't say whether they are done: then the memory must stay.
    ///
    /// # Panics
    /// As [`Tracker::finish`].
    fn finish(&self, access: Access) -> bool {
        let followed = self.exposed.finish();
        if access == Access::Read && !self.written.load(Ordering::Acquire) {
            return followed;
        }
        let done = self.tracker.finish(0..self.bytes(), access);
        if done {
            self.written.store(false, Ordering::Release);
        }
        done && followed
    }
}

impl<T> Deref for PinnedBuffer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.finish(Access::Read);
        // SAFETY: the memory holds `len` values, and no device writes it: a new copy into it needs
        // a mutable borrow.
        unsafe { slice::from_raw_parts(self.pointer.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for PinnedBuffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.finish(Access::Write);
        // SAFETY: as above, and no device reads it: a new copy needs a borrow.
        unsafe { slice::from_raw_parts_mut(self.pointer.as_ptr(), self.len) }
    }
}

impl<T> Drop for PinnedBuffer<T> {
    fn drop(&mut self) {
        if self.bytes() == 0 {
            return;
        }
        let context = self.context;
        let (tracker, exposed) =
            (core::mem::take(&mut self.tracker), core::mem::take(&mut self.exposed));
        let (address, owner) = (self.pointer.as_ptr().expose_provenance(), self.owner);
        after_host_function(move || {
            if !exposed.settle() || !tracker.settle() {
                // A stream may still use it.
                return;
            }
            let host = core::ptr::with_exposed_provenance_mut(address);
            // SAFETY: nothing uses the memory any more, and this is its only owner.
            unsafe { owner.release(context, host) };
        });
    }
}

impl<T: fmt::Debug> fmt::Debug for PinnedBuffer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
