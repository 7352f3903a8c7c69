//! Memory and semaphores of graphics libraries (CUDA driver API,
//! [External Resource Interoperability](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)).

use crate::DeviceCopy;
use crate::context::{Context, after_host_function};
use crate::device::texture::{Dimension, Texel};
use crate::device_api::Device;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::DeviceBuffer;
use crate::memory::ipc::{Close, Opened};
use crate::memory::tracker::{Access, Tracker};
use crate::stream::Stream;
use crate::texture::CudaArray;
use core::ffi::c_void;
use core::fmt;
use std::os::fd::{AsRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;

/// Memory that another library has allocated and exported as a file descriptor: `VkDeviceMemory`, or memory of an OpenGL
/// object. Buffers and arrays in it keep it alive. A clone is the same memory.
///
/// ```
/// use ptyx::{Device, ExternalMemory, Result, Stream};
/// use std::os::fd::OwnedFd;
///
/// /// Clears vertices in memory of Vulkan.
/// ///
/// /// # Safety
/// /// `vkGetMemoryFdKHR` gave the descriptor, of memory of 1 MiB. Vulkan uses the vertices only before the stream's work, and after
/// /// it: it signals and waits for semaphores.
/// unsafe fn clear(exported: OwnedFd, stream: &Stream) -> Result<()> {
///     // SAFETY: the caller's promise.
///     let memory = unsafe { ExternalMemory::import(exported, 1 << 20, false, &Device::current()?)? };
///     // SAFETY: as above.
///     let mut vertices = unsafe { memory.buffer_on::<[f32; 3]>(0, 1000, stream)? };
///     vertices.fill_on([0.0; 3], stream)
/// }
/// ```
#[derive(Clone)]
#[doc(alias("cudaExternalMemory_t", "CUexternalMemory"))]
pub struct ExternalMemory(Arc<Memory>);

struct Memory {
    context: &'static Context,
    handle: CUexternalMemory,
    bytes: u64,
}

impl Drop for Memory {
    fn drop(&mut self) {
        let (context, handle) = (self.context, self.handle);
        after_host_function(move || {
            if context.bind().is_ok() {
                // SAFETY: the last owner's: every buffer and array has been given back.
                let _ = unsafe { context.driver.cuDestroyExternalMemory(handle) };
            }
        });
    }
}

impl ExternalMemory {
    /// Imports `bytes` bytes of memory for a device
    /// ([`cuImportExternalMemory`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)). If that
    /// succeeds, the file descriptor belongs to the driver. `is_dedicated` says that the memory is that of one image or
    /// buffer only, as Vulkan has it.
    ///
    /// The emulated device takes any file that can be mapped, such as one of `memfd_create`.
    ///
    /// ```
    /// use ptyx::{Device, ExternalMemory};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let device = Device::current()?;
    /// // SAFETY: Vulkan has exported 1 MiB of memory, which is dedicated to one buffer.
    /// let memory = unsafe { ExternalMemory::import(exported(1 << 20), 1 << 20, true, &device)? };
    /// assert_eq!((memory.bytes(), memory.device_index()), (1 << 20, device.index()));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// The file descriptor is an opaque handle to memory of this device with at least that many bytes.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver does not recognise the memory.
    #[doc(alias("cudaImportExternalMemory", "cuImportExternalMemory"))]
    pub unsafe fn import(
        file: OwnedFd,
        bytes: u64,
        is_dedicated: bool,
        device: &Device,
    ) -> Result<ExternalMemory> {
        let kind = CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD;
        let flags = if is_dedicated { CUDA_EXTERNAL_MEMORY_DEDICATED } else { 0 };
        let handle = CUexternalHandle::of_file(file.as_raw_fd());
        // SAFETY: the caller's promise.
        let memory = unsafe { ExternalMemory::of_handle(kind, handle, bytes, flags, device) }?;
        // The driver closes it.
        let _ = file.into_raw_fd();
        Ok(memory)
    }

    /// Imports an `NvSciBufObj` for a device: memory of NvSci, which only Tegra and Drive have
    /// ([`cuImportExternalMemory`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)).
    ///
    /// ```
    /// use ptyx::{Device, Error, ExternalMemory};
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let object = core::ptr::null_mut(); // what `NvSciBufObjAlloc` gave
    /// // SAFETY: the emulated device has no NvSci, and does not look at it.
    /// let memory = unsafe { ExternalMemory::import_nvsci(object, 4096, &Device::current()?) };
    /// assert!(matches!(memory, Err(Error::Driver { name, .. }) if name == "CUDA_ERROR_NOT_SUPPORTED"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// `object` is an `NvSciBufObj` of at least `bytes` bytes, which lives as long as the result and the buffers and arrays in it.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver does not recognise the memory; on systems without NvSci, it is `CUDA_ERROR_NOT_SUPPORTED`.
    #[doc(alias = "cudaExternalMemoryHandleTypeNvSciBuf")]
    pub unsafe fn import_nvsci(
        object: *mut c_void,
        bytes: u64,
        device: &Device,
    ) -> Result<ExternalMemory> {
        let kind = CU_EXTERNAL_MEMORY_HANDLE_TYPE_NVSCIBUF;
        // SAFETY: the caller's promise.
        unsafe {
            ExternalMemory::of_handle(kind, CUexternalHandle::of_object(object), bytes, 0, device)
        }
    }

    /// # Safety
    /// The handle is of this kind, with so many bytes.
    unsafe fn of_handle(
        kind: CUexternalMemoryHandleType,
        handle: CUexternalHandle,
        bytes: u64,
        flags: CUexternalMemory_flags,
        device: &Device,
    ) -> Result<ExternalMemory> {
        let context = device.0;
        context.bind()?;
        let (padding, reserved) = (0, [0; 16]);
        let descriptor =
            CUexternalMemoryHandleDesc { kind, padding, handle, size: bytes, flags, reserved };
        let mut handle = CUexternalMemory::NULL;
        // SAFETY: a valid place and descriptor; the caller's promise.
        unsafe { context.driver.cuImportExternalMemory(&mut handle, &descriptor) }?;
        Ok(ExternalMemory(Arc::new(Memory { context, handle, bytes })))
    }

    /// The size of the memory, in bytes.
    ///
    /// ```
    /// use ptyx::{Device, ExternalMemory};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// // SAFETY: another library has exported this many bytes.
    /// let memory =
    ///     unsafe { ExternalMemory::import(exported(8192), 8192, false, &Device::current()?)? };
    /// assert_eq!(memory.bytes(), 8192);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.0.bytes
    }

    /// The index of the device that it was imported for.
    ///
    /// ```
    /// use ptyx::{Device, ExternalMemory};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let device = Device::current()?;
    /// // SAFETY: another library has exported this many bytes.
    /// let memory = unsafe { ExternalMemory::import(exported(8192), 8192, false, &device)? };
    /// assert_eq!(memory.device_index(), device.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.0.context.ordinal
    }

    /// The values from a byte on, as a buffer
    /// ([`cuExternalMemoryGetMappedBuffer`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)).
    /// They are ready in the order of `stream`; when the buffer is dropped, the host waits for all work that uses it.
    ///
    /// ```
    /// use ptyx::{Device, Error, ExternalMemory, Stream};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let stream = Stream::new()?;
    /// // SAFETY: another library has exported this many bytes.
    /// let memory =
    ///     unsafe { ExternalMemory::import(exported(8192), 8192, false, &Device::current()?)? };
    /// // SAFETY: any bytes are integers, and the other library no longer uses them.
    /// let mut ends = unsafe {
    ///     [memory.buffer_on::<u32>(0, 100, &stream)?, memory.buffer_on::<u32>(4096, 1024, &stream)?]
    /// };
    /// ends[1].fill_on(7, &stream)?;
    /// assert_eq!(ends[1].to_vec()?, [7; 1024]);
    /// // SAFETY: there are fewer bytes, so this is an error.
    /// let beyond = unsafe { memory.buffer_on::<u32>(4096, 1025, &stream) };
    /// assert!(matches!(beyond, Err(Error::Foreign { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// Once the work submitted to the stream so far is done, the memory holds `len` valid values of `T`, and nothing else
    /// uses them until the buffer's work is done: the other library signals and waits for semaphores.
    ///
    /// # Errors
    /// [`Error::Foreign`] if the memory has fewer bytes, or the place is not aligned for `T`;
    /// [`Error::WrongDevice`]; [`Error::Driver`].
    #[doc(alias("cudaExternalMemoryGetMappedBuffer", "cuExternalMemoryGetMappedBuffer"))]
    pub unsafe fn buffer_on<T: DeviceCopy>(
        &self,
        offset: u64,
        len: usize,
        stream: &Stream,
    ) -> Result<DeviceBuffer<T>> {
        let Memory { context, handle, bytes } = *self.0;
        stream.context().expect("external memory", context)?;
        stream.0.refuse_capture("ExternalMemory::buffer_on")?;
        let size = (len as u64).checked_mul(size_of::<T>() as u64);
        let end = size.and_then(|size| offset.checked_add(size));
        let size = size.filter(|_| end.is_some_and(|end| end <= bytes)).ok_or_else(|| {
            let reason = format!(
                "{len} elements of {} bytes from byte {offset} on are not within {bytes} bytes of external memory",
                size_of::<T>()
            );
            Error::Foreign { reason }
        })?;
        context.bind()?;
        let (flags, reserved) = (0, [0; 16]);
        let descriptor = CUexternalMemoryBufferDesc { offset, size, flags, reserved };
        let mut address = 0;
        // SAFETY: a valid place and descriptor, and memory that is alive.
        unsafe {
            context.driver.cuExternalMemoryGetMappedBuffer(&mut address, handle, &descriptor)
        }?;
        let (stream_too, close) = (stream.clone(), Close::Free(Box::new(self.clone())));
        let owner = Opened { address, stream: stream_too, close };
        // SAFETY: the caller's promise; the memory is there until the owner is dropped.
        unsafe { DeviceBuffer::from_raw_on(address, len, stream, owner) }
    }

    /// An image in the memory, as a CUDA array with levels
    /// ([`cuExternalMemoryGetMappedMipmappedArray`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)).
    /// Texel, shape and number of levels must be those with which the other library made it.
    ///
    /// ```
    /// use ptyx::device::texture::D2;
    /// use ptyx::{CudaArray, Device, ExternalMemory};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// // SAFETY: Vulkan has exported the memory of an image.
    /// let memory =
    ///     unsafe { ExternalMemory::import(exported(8192), 8192, true, &Device::current()?)? };
    /// // SAFETY: Vulkan made it with 16 rows of 32 texels, one level and one float per texel, and no longer uses it.
    /// let mut image: CudaArray<f32, D2> = unsafe { memory.array(0, [16, 32], 1)? };
    /// image.copy_from_slice(&[0.5; 16 * 32])?;
    /// assert_eq!((image.shape(), image.to_vec()?[511]), ([16, 32], 0.5));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// An image with this texel, shape and number of levels begins at this byte, and no work that uses it is submitted before
    /// the other library has written it; nothing else uses it until the array's work is done.
    ///
    /// # Errors
    /// [`Error::Texture`] for a shape that the device does not allow; [`Error::Driver`]. The emulated device takes texel
    /// after texel, level after level, from a whole page on.
    #[doc(alias(
        "cudaExternalMemoryGetMappedMipmappedArray",
        "cuExternalMemoryGetMappedMipmappedArray"
    ))]
    pub unsafe fn array<T: Texel, D: Dimension>(
        &self,
        offset: u64,
        shape: D::Shape,
        levels: usize,
    ) -> Result<CudaArray<T, D>> {
        let Memory { context, handle, .. } = *self.0;
        let keep = Box::new(self.clone());
        CudaArray::of_others(context, shape, levels, keep, |array, levels| {
            let reserved = [0; 16];
            let descriptor = CUexternalMemoryMipmappedArrayDesc { offset, array, levels, reserved };
            let mut mapped = CUmipmappedArray::NULL;
            // SAFETY: a valid place and descriptor, and memory that is alive.
            unsafe {
                context.driver.cuExternalMemoryGetMappedMipmappedArray(
                    &mut mapped,
                    handle,
                    &descriptor,
                )
            }?;
            Ok(mapped)
        })
    }
}

impl fmt::Debug for ExternalMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExternalMemory({} bytes on device {})", self.bytes(), self.device_index())
    }
}

/// The kind of semaphore behind a file descriptor.
///
/// ```
/// use ptyx::{Device, ExternalSemaphore, SemaphoreKind};
/// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
/// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
/// #     let mut options = std::fs::File::options();
/// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
/// #     std::fs::remove_file(path).unwrap();
/// #     file.set_len(bytes).unwrap();
/// #     file.into()
/// # }
/// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
/// let device = Device::current()?;
/// // SAFETY: Vulkan has exported a semaphore that was made without `VkSemaphoreTypeCreateInfo`: a binary one.
/// let semaphore =
///     unsafe { ExternalSemaphore::import(exported(8), SemaphoreKind::Binary, &device)? };
/// assert_eq!(semaphore.kind(), SemaphoreKind::Binary);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SemaphoreKind {
    /// Either signalled or not; a wait resets it. Values are ignored.
    Binary,
    /// A number that only grows: a signal sets it, and a wait ends once it is at least the given value.
    Timeline,
    /// A synchronisation object of NvSci, from [`ExternalSemaphore::import_nvsci`].
    NvSciSync,
}

/// A semaphore of another library, exported as a file descriptor, such as a `VkSemaphore`. It orders the other library's
/// work with that of streams.
///
/// ```
/// use ptyx::{Device, ExternalSemaphore, Result, SemaphoreKind, Stream};
/// use std::os::fd::OwnedFd;
///
/// /// Works on a frame of Vulkan.
/// ///
/// /// # Safety
/// /// `vkGetSemaphoreFdKHR` gave the descriptor, of a timeline.
/// unsafe fn work(exported: OwnedFd, stream: &Stream) -> Result<()> {
///     let (device, timeline) = (Device::current()?, SemaphoreKind::Timeline);
///     // SAFETY: the caller's promise.
///     let frames = unsafe { ExternalSemaphore::import(exported, timeline, &device)? };
///     stream.wait_semaphore(&frames, 1)?; // until Vulkan signals it
///     // ... work on memory of Vulkan ...
///     stream.signal_semaphore(&frames, 2) // for Vulkan
/// }
/// ```
#[doc(alias("cudaExternalSemaphore_t", "CUexternalSemaphore"))]
pub struct ExternalSemaphore {
    context: &'static Context,
    handle: CUexternalSemaphore,
    kind: SemaphoreKind,
    /// The streams that use it.
    uses: Tracker,
}

impl ExternalSemaphore {
    /// Imports a semaphore for a device
    /// ([`cuImportExternalSemaphore`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)). If
    /// that succeeds, the file descriptor belongs to the driver.
    ///
    /// The emulated device takes a file of eight bytes, such as one of `memfd_create`: a number, the lower byte first. A
    /// binary semaphore is signalled if the number is 1; a timeline's value is the number.
    ///
    /// ```
    /// use ptyx::{Device, Error, ExternalSemaphore, SemaphoreKind};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let device = Device::current()?;
    /// // SAFETY: a file of eight bytes, which is a semaphore for the emulated device.
    /// let frames =
    ///     unsafe { ExternalSemaphore::import(exported(8), SemaphoreKind::Timeline, &device)? };
    /// // SAFETY: a shorter file is not a semaphore, so this is an error.
    /// let wrong = unsafe { ExternalSemaphore::import(exported(3), SemaphoreKind::Timeline, &device) };
    /// assert!(matches!(wrong, Err(Error::Driver { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// The file descriptor is an opaque handle to such a semaphore of this device.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver does not recognise the semaphore; [`Error::Foreign`] for
    /// [`SemaphoreKind::NvSciSync`], which is no file. The file is then closed.
    #[doc(alias("cudaImportExternalSemaphore", "cuImportExternalSemaphore"))]
    pub unsafe fn import(
        file: OwnedFd,
        kind: SemaphoreKind,
        device: &Device,
    ) -> Result<ExternalSemaphore> {
        if kind == SemaphoreKind::NvSciSync {
            let reason = "a synchronisation object of NvSci is not a file: use `ExternalSemaphore::import_nvsci`";
            return Err(Error::Foreign { reason: reason.to_owned() });
        }
        let handle = CUexternalHandle::of_file(file.as_raw_fd());
        // SAFETY: the caller's promise.
        let semaphore = unsafe { ExternalSemaphore::of_handle(kind, handle, device) }?;
        // The driver closes it.
        let _ = file.into_raw_fd();
        Ok(semaphore)
    }

    /// Imports an `NvSciSyncObj` for a device: a synchronisation object of NvSci, which only Tegra and Drive have
    /// ([`cuImportExternalSemaphore`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)). Streams
    /// can't signal it or wait for it yet: that takes a fence of NvSci.
    ///
    /// ```
    /// use ptyx::{Device, Error, ExternalSemaphore};
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let object = core::ptr::null_mut(); // what `NvSciSyncObjAlloc` gave
    /// // SAFETY: the emulated device has no NvSci, and does not look at it.
    /// let semaphore = unsafe { ExternalSemaphore::import_nvsci(object, &Device::current()?) };
    /// assert!(matches!(semaphore, Err(Error::Driver { name, .. }) if name == "CUDA_ERROR_NOT_SUPPORTED"));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Safety
    /// `object` is an `NvSciSyncObj`, which lives as long as the result.
    ///
    /// # Errors
    /// [`Error::Driver`] if the driver does not recognise the object; on systems without NvSci, it is
    /// `CUDA_ERROR_NOT_SUPPORTED`.
    #[doc(alias = "cudaExternalSemaphoreHandleTypeNvSciSync")]
    pub unsafe fn import_nvsci(object: *mut c_void, device: &Device) -> Result<ExternalSemaphore> {
        let handle = CUexternalHandle::of_object(object);
        // SAFETY: the caller's promise.
        unsafe { ExternalSemaphore::of_handle(SemaphoreKind::NvSciSync, handle, device) }
    }

    /// # Safety
    /// The handle is of this kind.
    unsafe fn of_handle(
        kind: SemaphoreKind,
        handle: CUexternalHandle,
        device: &Device,
    ) -> Result<ExternalSemaphore> {
        let context = device.0;
        context.bind()?;
        let number = match kind {
            SemaphoreKind::Binary => CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD,
            SemaphoreKind::Timeline => CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD,
            SemaphoreKind::NvSciSync => CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_NVSCISYNC,
        };
        let (padding, flags, reserved) = (0, 0, [0; 16]);
        let descriptor =
            CUexternalSemaphoreHandleDesc { kind: number, padding, handle, flags, reserved };
        let mut handle = CUexternalSemaphore::NULL;
        // SAFETY: a valid place and descriptor; the caller's promise.
        unsafe { context.driver.cuImportExternalSemaphore(&mut handle, &descriptor) }?;
        Ok(ExternalSemaphore { context, handle, kind, uses: Tracker::default() })
    }

    /// What kind of semaphore it is.
    ///
    /// ```
    /// use ptyx::{Device, ExternalSemaphore, SemaphoreKind};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let device = Device::current()?;
    /// // SAFETY: another library has exported a timeline semaphore.
    /// let frames =
    ///     unsafe { ExternalSemaphore::import(exported(8), SemaphoreKind::Timeline, &device)? };
    /// assert_eq!(frames.kind(), SemaphoreKind::Timeline);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn kind(&self) -> SemaphoreKind {
        self.kind
    }
}

/// Signals or waits.
type Submit = fn(&Stream, &CUexternalSemaphore, &CUexternalSemaphoreParams) -> Result<()>;

impl Stream {
    /// Signals a semaphore once all work submitted to the stream so far is done; a timeline is set to `value`
    /// ([`cuSignalExternalSemaphoresAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)).
    ///
    /// ```
    /// use ptyx::{Device, ExternalSemaphore, SemaphoreKind, Stream};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let (device, producer, consumer) = (Device::current()?, Stream::new()?, Stream::new()?);
    /// // SAFETY: another library has exported a timeline semaphore, whose value is 0.
    /// let frames =
    ///     unsafe { ExternalSemaphore::import(exported(8), SemaphoreKind::Timeline, &device)? };
    /// // ... work that makes the first frame ...
    /// producer.signal_semaphore(&frames, 1)?;
    /// consumer.wait_semaphore(&frames, 1)?; // here, or in the other library
    /// consumer.synchronize()?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`], [`Error::Driver`]; [`Error::Foreign`] for a [`SemaphoreKind::NvSciSync`]; [`Error::Capture`] if
    /// the stream is captured.
    #[doc(alias("cudaSignalExternalSemaphoresAsync", "cuSignalExternalSemaphoresAsync"))]
    pub fn signal_semaphore(&self, semaphore: &ExternalSemaphore, value: u64) -> Result<()> {
        self.use_semaphore(semaphore, value, |stream, semaphore, parameters| {
            let driver = stream.context().driver;
            // SAFETY: one semaphore with its parameters; both it and the stream are alive.
            Ok(unsafe {
                driver.cuSignalExternalSemaphoresAsync(semaphore, parameters, 1, stream.handle())
            }?)
        })
    }

    /// Makes later work of the stream wait until a semaphore is signalled; for a timeline, until it has at least `value`
    /// ([`cuWaitExternalSemaphoresAsync`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__EXTRES__INTEROP.html)).
    /// The host does not wait. If the semaphore is never signalled, work that follows in the stream never runs.
    ///
    /// ```
    /// use ptyx::{Device, ExternalSemaphore, SemaphoreKind, Stream};
    /// # fn exported(bytes: u64) -> std::os::fd::OwnedFd {
    /// #     let path = std::env::temp_dir().join(format!("ptyx-exported-{}", std::process::id()));
    /// #     let mut options = std::fs::File::options();
    /// #     let file = options.read(true).write(true).create_new(true).open(&path).unwrap();
    /// #     std::fs::remove_file(path).unwrap();
    /// #     file.set_len(bytes).unwrap();
    /// #     file.into()
    /// # }
    /// # if !ptyx::Device::current()?.is_emulated() { return Ok(()) }
    /// let (device, stream, other) = (Device::current()?, Stream::new()?, Stream::new()?);
    /// // SAFETY: another library has exported a timeline semaphore, whose value is 0.
    /// let frames =
    ///     unsafe { ExternalSemaphore::import(exported(8), SemaphoreKind::Timeline, &device)? };
    /// stream.wait_semaphore(&frames, 3)?; // the host does not wait
    /// assert!(!stream.is_idle()?);
    /// other.signal_semaphore(&frames, 3)?; // the other library does this
    /// stream.synchronize()?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`], [`Error::Driver`]; [`Error::Foreign`] for a [`SemaphoreKind::NvSciSync`]; [`Error::Capture`] if
    /// the stream is captured.
    #[doc(alias("cudaWaitExternalSemaphoresAsync", "cuWaitExternalSemaphoresAsync"))]
    pub fn wait_semaphore(&self, semaphore: &ExternalSemaphore, value: u64) -> Result<()> {
        self.use_semaphore(semaphore, value, |stream, semaphore, parameters| {
            let driver = stream.context().driver;
            // SAFETY: as above.
            Ok(unsafe {
                driver.cuWaitExternalSemaphoresAsync(semaphore, parameters, 1, stream.handle())
            }?)
        })
    }

    fn use_semaphore(
        &self,
        semaphore: &ExternalSemaphore,
        value: u64,
        submit: Submit,
    ) -> Result<()> {
        self.context().expect("a semaphore", semaphore.context)?;
        if semaphore.kind == SemaphoreKind::NvSciSync {
            let reason = "streams can't signal a synchronisation object of NvSci or wait for it: that takes a fence of NvSci, not a value";
            return Err(Error::Foreign { reason: reason.to_owned() });
        }
        self.0.refuse_capture("the use of a semaphore of another library")?;
        let entry = self.enter();
        // So that it is destroyed after that; nobody else waits.
        semaphore.uses.order(&entry, 0..1, Access::Read)?;
        semaphore.context.bind()?;
        let value = if semaphore.kind == SemaphoreKind::Timeline { value } else { 0 };
        let (others, flags, reserved) = ([0; 8], 0, [0; 16]);
        submit(
            self,
            &semaphore.handle,
            &CUexternalSemaphoreParams { value, others, flags, reserved },
        )
    }
}

impl Drop for ExternalSemaphore {
    fn drop(&mut self) {
        let (context, handle) = (self.context, self.handle);
        let uses = core::mem::take(&mut self.uses);
        after_host_function(move || {
            if uses.settle() && context.bind().is_ok() {
                let _relaxed = context.driver.relaxed();
                // SAFETY: no stream uses it, and this is its only owner.
                let _ = unsafe { context.driver.cuDestroyExternalSemaphore(handle) };
            }
        });
    }
}

impl fmt::Debug for ExternalSemaphore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExternalSemaphore({:?}, device {})", self.kind, self.context.ordinal)
    }
}
