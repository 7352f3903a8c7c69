//! Memory from Rust's allocator, pinned for as long as a device uses it.

use super::{PinnedBuffer, PinnedOptions};
use crate::context::Context;
use crate::driver::types::*;
use crate::error::Result;
use crate::memory::exhausted::allocate_pinned;
use crate::memory::tracker::Access;
use crate::runtime::current;
use core::alloc::Layout;
use core::ffi::c_void;
use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};
use core::ptr::NonNull;
use ptyx_device::DeviceCopy;

/// Who owns pinned memory and gets it back.
#[derive(Clone, Copy)]
pub(super) enum Owner {
    Driver,
    /// A vector's memory, which is registered.
    Vector(Layout),
    /// Somebody else's memory, which is registered.
    Borrowed,
}

impl Owner {
    /// Gives the memory back.
    ///
    /// # Safety
    /// Nothing uses the memory now or later.
    pub(super) unsafe fn release(self, context: &'static Context, host: *mut c_void) {
        let _relaxed = context.driver.relaxed();
        // SAFETY: the caller's promise; the layout is that of the vector.
        unsafe {
            match self {
                Owner::Driver => {
                    // The driver refuses when a kernel has faulted or the process ends.
                    let _ = context.bind().and_then(|()| context.driver.cuMemFreeHost(host));
                }
                Owner::Borrowed => {
                    let _ = unregister(context, host);
                }
                // Memory that stays pinned is not given to anybody else.
                Owner::Vector(layout) if unregister(context, host) => {
                    std::alloc::dealloc(host.cast(), layout);
                }
                Owner::Vector(_) => {}
            }
        }
    }
}

/// Unpins memory. Returns whether that worked.
///
/// # Safety
/// Nothing uses the memory now.
unsafe fn unregister(context: &'static Context, host: *mut c_void) -> bool {
    if context.bind().is_err() {
        return false;
    }
    // SAFETY: the caller's promise. The call can report the error of earlier work instead of doing its own.
    (0..2).any(|_| unsafe { context.driver.cuMemHostUnregister(host) }.is_ok())
}

/// Pins memory from Rust's allocator.
///
/// # Safety
/// The memory lives until it is unregistered.
unsafe fn register<T>(
    context: &'static Context,
    host: *mut T,
    len: usize,
    flags: CUmemhostregister_flags,
) -> Result<()> {
    let bytes = len * size_of::<T>();
    if bytes > 0 {
        context.bind()?;
        // SAFETY: the caller's promise.
        allocate_pinned(context, bytes, || unsafe {
            context.driver.cuMemHostRegister(host.cast(), bytes, flags)
        })?;
    }
    Ok(())
}

impl<T: DeviceCopy> PinnedBuffer<T> {
    /// Pins a vector's memory where it is
    /// ([`cuMemHostRegister`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). That takes about as
    /// long as a copy, so it pays off if the memory is used more than once, or is too large to be copied.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer};
    /// let host = PinnedBuffer::from_vec(vec![1u32, 2, 3])?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(3)?;
    /// buffer.copy_from_pinned(&host)?;
    /// let numbers: Vec<u32> = host.into_vec(); // waits for the copy
    /// assert_eq!((numbers, buffer.to_vec()?), (vec![1, 2, 3], vec![1, 2, 3]));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED` if some of its pages are
    /// already pinned, such as a page that it shares with another pinned vector;
    /// [`Error::OutOfHostMemory`](crate::Error::OutOfHostMemory); no usable device.
    #[doc(alias("cudaHostRegister", "cuMemHostRegister"))]
    pub fn from_vec(vector: Vec<T>) -> Result<PinnedBuffer<T>> {
        PinnedBuffer::from_vec_with(vector, &PinnedOptions::new())
    }

    /// As [`PinnedBuffer::from_vec`], with options. Existing memory can't become write-combined: that option has no effect.
    ///
    /// ```
    /// use ptyx::{PinnedBuffer, PinnedOptions};
    /// let options = PinnedOptions::new().mapped(false).portable(false);
    /// let host = PinnedBuffer::from_vec_with(vec![1u32, 2, 3], &options)?;
    /// assert!(!host.options()?.is_portable());
    /// assert_eq!(*host, [1, 2, 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::from_vec`].
    #[doc(alias("cudaHostRegister", "cuMemHostRegister"))]
    pub fn from_vec_with(vector: Vec<T>, options: &PinnedOptions) -> Result<PinnedBuffer<T>> {
        let (context, options) = (current()?, options.write_combined(false));
        let mut vector = ManuallyDrop::new(vector);
        let (host, len, capacity) = (vector.as_mut_ptr(), vector.len(), vector.capacity());
        // SAFETY: the memory is this buffer's from here on; if it can't be, the vector's again.
        if let Err(error) = unsafe { register(context, host, len, options.register_flags()) } {
            drop(ManuallyDrop::into_inner(vector));
            return Err(error);
        }
        if len * size_of::<T>() == 0 {
            // Nothing to give back: the vector's memory, if it has any, goes now.
            drop(ManuallyDrop::into_inner(vector));
            let owner = Owner::Borrowed;
            return Ok(PinnedBuffer::of(NonNull::dangling(), len, context, owner, options));
        }
        let layout = Layout::array::<T>(capacity);
        let layout = layout.map_err(|_| crate::Error::TooLarge { len, size: size_of::<T>() })?;
        let pointer = NonNull::new(host).unwrap_or(NonNull::dangling());
        Ok(PinnedBuffer::of(pointer, len, context, Owner::Vector(layout), options))
    }

    /// The elements as a vector, after waiting for everything that uses them. It is the vector that was passed to
    /// [`PinnedBuffer::from_vec`], or else a copy.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer};
    /// let buffer = DeviceBuffer::filled(3, 7u32)?;
    /// let mut host = PinnedBuffer::from_vec(vec![0; 3])?;
    /// let address = host.as_ptr();
    /// buffer.copy_to_pinned(&mut host)?;
    /// let numbers: Vec<u32> = host.into_vec();
    /// assert_eq!((numbers.as_ptr(), numbers), (address, vec![7; 3])); // the same memory
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn into_vec(self) -> Vec<T> {
        let is_done = self.finish(Access::Write);
        let Owner::Vector(layout) = self.owner else { return self.to_vec() };
        if !is_done {
            // A stream may still use it.
            return self.to_vec();
        }
        let buffer = ManuallyDrop::new(self);
        let host = buffer.pointer.as_ptr();
        // SAFETY: nothing uses the memory any more.
        if !unsafe { unregister(buffer.context, host.cast()) } {
            // Memory that stays pinned is not given to anybody else.
            return buffer.to_vec();
        }
        // SAFETY: what the vector consisted of. The buffer's other fields hold nothing once nothing is pending, but for
        // what their lists have allocated.
        unsafe {
            drop(core::ptr::read(&raw const buffer.tracker));
            drop(core::ptr::read(&raw const buffer.exposed));
            Vec::from_raw_parts(host, buffer.len, layout.size() / size_of::<T>())
        }
    }

    /// Pins a slice while `body` runs
    /// ([`cuMemHostRegister`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)), and returns when
    /// nothing uses the slice.
    ///
    /// This takes a closure instead of returning a guard, because a guard can be leaked (`mem::forget`): the slice could
    /// then be freed while a copy writes to it.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let buffer = DeviceBuffer::filled(3, 7u32)?;
    /// let mut numbers = [0u32; 5];
    /// PinnedBuffer::scope(&mut numbers[1..4], |pinned| {
    ///     buffer.copy_to_pinned_on(pinned, &stream) // the host does not wait here, but at the end
    /// })??;
    /// assert_eq!(numbers, [0, 7, 7, 7, 0]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// The slice can't leave the closure, nor be swapped with that of another one:
    ///
    /// ```compile_fail
    /// use ptyx::PinnedBuffer;
    /// let (mut a, mut b) = ([1u32; 4], [2u32; 4]);
    /// let _ = PinnedBuffer::scope(&mut a, |a| PinnedBuffer::scope(&mut b, |b| core::mem::swap(a, b)));
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::from_vec`].
    pub fn scope<R>(
        slice: &mut [T],
        body: impl for<'scope> FnOnce(&mut PinnedSlice<'scope, T>) -> R,
    ) -> Result<R> {
        PinnedBuffer::scope_with(slice, &PinnedOptions::new(), body)
    }

    /// As [`PinnedBuffer::scope`], with options. Existing memory can't become write-combined: that option has no effect.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, PinnedOptions};
    /// let buffer = DeviceBuffer::filled(3, 7u32)?;
    /// let mut numbers = [0u32; 3];
    /// // For copies only, and for this device only.
    /// let options = PinnedOptions::new().mapped(false).portable(false);
    /// PinnedBuffer::scope_with(&mut numbers, &options, |pinned| buffer.copy_to_pinned(pinned))??;
    /// assert_eq!(numbers, [7; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::from_vec`].
    #[doc(alias("cudaHostRegister", "cuMemHostRegister"))]
    pub fn scope_with<R>(
        slice: &mut [T],
        options: &PinnedOptions,
        body: impl for<'scope> FnOnce(&mut PinnedSlice<'scope, T>) -> R,
    ) -> Result<R> {
        PinnedBuffer::scope_of(slice, *options, 0, body)
    }

    /// Pins a slice that is only read for the time of a call: as [`PinnedBuffer::scope`], also for memory that nobody may
    /// write, such as a mapped file or a constant, on devices that can do that (`CU_MEMHOSTREGISTER_READ_ONLY`).
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, PinnedBuffer, Stream};
    /// let (stream, mut buffer) = (Stream::new()?, DeviceBuffer::<u32>::zeroed(3)?);
    /// let numbers = [1u32, 2, 3];
    /// PinnedBuffer::scope_read_only(&numbers, |pinned| {
    ///     buffer.copy_from_pinned_on(pinned, &stream) // the host does not wait here, but at the end
    /// })??;
    /// assert_eq!(buffer.to_vec()?, numbers);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PinnedBuffer::from_vec`]. If the device has no such flag, it can refuse memory that can't be written.
    pub fn scope_read_only<R>(
        slice: &[T],
        body: impl for<'scope> FnOnce(&PinnedSlice<'scope, T>) -> R,
    ) -> Result<R> {
        let context = current()?;
        let (host, len) = (slice.as_ptr().cast_mut(), slice.len());
        let has_flag = context.attribute(CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED);
        let flags = match has_flag {
            Ok(1..) => CU_MEMHOSTREGISTER_READ_ONLY,
            _ => 0,
        };
        let flags = flags | PinnedOptions::new().register_flags();
        // SAFETY: as above.
        unsafe { register(context, host, len, flags) }?;
        let pointer = NonNull::new(host).unwrap_or(NonNull::dangling());
        let buffer = PinnedBuffer::of(pointer, len, context, Owner::Borrowed, PinnedOptions::new());
        // Only a shared reference to it leaves this function, so nothing writes the slice.
        let pinned = PinnedSlice { buffer, scope: PhantomData };
        Ok(body(&pinned))
    }
}

impl<T: DeviceCopy> PinnedBuffer<T> {
    /// Registers memory-mapped I/O of another PCIe device, such as the registers or the memory of a network card,
    /// for the duration of a call: like [`PinnedBuffer::scope`], but with `CU_MEMHOSTREGISTER_IOMEMORY`. The driver
    /// may refuse it to unprivileged processes.
    ///
    /// ```
    /// use ptyx::{DeviceBuffer, Error, PinnedBuffer, Stream};
    /// /// Sends results to another device's memory, which was mapped by `mmap` of its file in `/sys/bus/pci/devices`.
    /// fn send(results: &DeviceBuffer<u32>, window: &mut [u32], stream: &Stream) -> ptyx::Result<()> {
    ///     // SAFETY: it is such memory, without gaps.
    ///     unsafe {
    ///         PinnedBuffer::scope_io(window, |window| results.copy_to_pinned_on(window, stream))?
    ///     }
    /// }
    /// ```
    ///
    /// # Safety
    /// The slice must be I/O memory of another device and physically contiguous. The driver relies on that:
    /// otherwise, the GPU would access memory outside the slice.
    ///
    /// # Errors
    /// As [`PinnedBuffer::from_vec`]; [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_NOT_SUPPORTED`,
    /// `CUDA_ERROR_NOT_PERMITTED` or `CUDA_ERROR_INVALID_VALUE` if the system does not allow it.
    #[doc(alias("cudaHostRegisterIoMemory", "CU_MEMHOSTREGISTER_IOMEMORY"))]
    pub unsafe fn scope_io<R>(
        slice: &mut [T],
        body: impl for<'scope> FnOnce(&mut PinnedSlice<'scope, T>) -> R,
    ) -> Result<R> {
        PinnedBuffer::scope_of(slice, PinnedOptions::new(), CU_MEMHOSTREGISTER_IOMEMORY, body)
    }

    fn scope_of<R>(
        slice: &mut [T],
        options: PinnedOptions,
        more_flags: CUmemhostregister_flags,
        body: impl for<'scope> FnOnce(&mut PinnedSlice<'scope, T>) -> R,
    ) -> Result<R> {
        let (context, options) = (current()?, options.write_combined(false));
        let (host, len) = (slice.as_mut_ptr(), slice.len());
        let flags = options.register_flags() | more_flags;
        // SAFETY: the slice is borrowed for longer than the buffer below lives, which unregisters it.
        unsafe { register(context, host, len, flags) }?;
        let pointer = NonNull::new(host).unwrap_or(NonNull::dangling());
        let buffer = PinnedBuffer::of(pointer, len, context, Owner::Borrowed, options);
        let mut pinned = PinnedSlice { buffer, scope: PhantomData };
        Ok(body(&mut pinned))
    }
}

/// A host slice that is pinned while a closure runs: see [`PinnedBuffer::scope`]. It dereferences to a slice, and waits
/// as a [`PinnedBuffer`] does.
///
/// ```
/// use ptyx::{DeviceBuffer, PinnedBuffer, PinnedSlice};
/// let buffer = DeviceBuffer::from_slice(&[3u32, 1, 2])?;
/// let mut numbers = [0; 3];
/// PinnedBuffer::scope(&mut numbers, |pinned: &mut PinnedSlice<'_, u32>| {
///     buffer.copy_to_pinned(&mut *pinned)?;
///     pinned.sort(); // waits for the copy
///     Ok::<(), ptyx::Error>(())
/// })??;
/// assert_eq!(numbers, [1, 2, 3]);
/// # Ok::<(), ptyx::Error>(())
/// ```
pub struct PinnedSlice<'scope, T> {
    pub(in crate::memory) buffer: PinnedBuffer<T>,
    /// Exactly this scope, so that it can't be exchanged for that of another one.
    scope: PhantomData<fn(&'scope ()) -> &'scope ()>,
}

impl<T> PinnedSlice<'_, T> {
    /// The memory as a buffer, which can't be taken away.
    pub(crate) fn as_buffer(&self) -> &PinnedBuffer<T> {
        &self.buffer
    }
}

impl<T> Deref for PinnedSlice<'_, T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.buffer
    }
}

impl<T> DerefMut for PinnedSlice<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.buffer
    }
}

impl<T> fmt::Debug for PinnedSlice<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PinnedSlice({} elements)", self.buffer.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Device;
    use crate::error::Error;

    #[test]
    fn memory_is_registered_with_flags() {
        let all = [(true, true), (true, false), (false, true), (false, false)];
        for (mapped, portable) in all {
            let options = PinnedOptions::new().mapped(mapped).portable(portable);
            let expected = (mapped, portable, false);
            let seen = |pinned: &PinnedBuffer<u32>| {
                let options = pinned.options().unwrap();
                // Unified addresses map all of it.
                let mapped = options.is_mapped() && (mapped || !pinned.options.is_mapped());
                (
                    mapped && pinned.options.is_mapped(),
                    options.is_portable(),
                    options.is_write_combined(),
                )
            };
            let with = options.write_combined(true);
            let pinned = PinnedBuffer::from_vec_with(vec![1u32, 2, 3], &with).unwrap();
            assert_eq!(seen(&pinned), expected);
            assert_eq!(pinned.into_vec(), [1, 2, 3]);
            let mut numbers = [4u32, 5];
            PinnedBuffer::scope_with(&mut numbers, &with, |pinned| {
                assert_eq!(seen(pinned.as_buffer()), expected);
                pinned[0] = 7;
            })
            .unwrap();
            assert_eq!(numbers, [7, 5]);
        }
    }

    /// The emulated device has no other device on a bus, and says so; then the memory is not registered.
    #[test]
    fn memory_of_other_devices_is_asked_for() {
        let mut numbers = [1u32, 2, 3];
        if Device::current().unwrap().is_emulated() {
            // SAFETY: refused.
            let refused = unsafe { PinnedBuffer::scope_io(&mut numbers, |_| ()) }.unwrap_err();
            let Error::Driver { call, code, .. } = &refused else { panic!("{refused}") };
            assert_eq!((*call, *code), ("cuMemHostRegister", CUDA_ERROR_NOT_SUPPORTED));
        }
        let sum = PinnedBuffer::scope(&mut numbers, |pinned| pinned.iter().sum::<u32>());
        assert_eq!(sum.unwrap(), 6);
    }
}
