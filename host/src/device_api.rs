//! Devices.

mod find;
mod limits;
mod nvsci;
mod peers;
mod properties;
mod reset;
mod settings;

pub use find::{driver_version, profiler_start, profiler_stop};
pub use limits::Limit;
pub use nvsci::NvSciSync;
pub use peers::{FlushScope, PeerAttribute};
pub use properties::DeviceProperty;
pub use settings::{CachePreference, DeviceFlags, HostWait, SharedBanks};

use crate::context::Context;
use crate::driver::types::*;
use crate::error::Result;
use crate::runtime::{DEFAULT_DEVICE, current, runtime, set_current};
use crate::stream::all_streams;
use core::fmt;
use core::hash::{Hash, Hasher};

/// A device: a GPU, or the emulated one.
///
/// Nothing is initialised until the first use of any device. Each thread has a current device,
/// [`Device::default`] unless it chooses another with [`Device::with`] or [`Device::make_current`]. Buffers,
/// streams and events are created on it.
///
/// ```
/// use ptyx::{Device, DeviceBuffer};
/// for device in Device::all()? {
///     let buffer = device.with(|| DeviceBuffer::from_slice(&[1, 2, 3]))?;
///     assert_eq!(buffer.to_vec()?, [1, 2, 3], "on {}", device.name());
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Device(pub(crate) &'static Context);

/// Properties of a device ([`cuDeviceGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)). Each field is what the driver reports.
///
/// ```
/// let device = ptyx::Device::current()?;
/// let attributes = device.attributes()?;
/// assert_eq!(attributes.warp_size, 32);
/// println!(
///     "{} multiprocessors, {} bytes of shared memory each",
///     attributes.multiprocessors, attributes.shared_memory_per_multiprocessor
/// );
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeviceAttributes {
    /// Threads in a warp.
    pub warp_size: u32,
    /// Streaming multiprocessors.
    pub multiprocessors: u32,
    /// The largest block, in threads.
    pub max_threads_per_block: u32,
    /// The largest block in x, y and z, in threads.
    pub max_block: [u32; 3],
    /// The largest grid in x, y and z, in blocks.
    pub max_grid: [u32; 3],
    /// The maximum shared memory of a block without opting in, in bytes.
    pub shared_memory_per_block: u32,
    /// The maximum shared memory that a block can opt in to, in bytes.
    pub shared_memory_per_block_optin: u32,
    /// Shared memory of a multiprocessor, in bytes.
    pub shared_memory_per_multiprocessor: u32,
    /// The maximum number of 32-bit registers that a block can use.
    pub registers_per_block: u32,
    /// The number of 32-bit registers of a multiprocessor.
    pub registers_per_multiprocessor: u32,
    /// The maximum number of threads that are resident on a multiprocessor.
    pub max_threads_per_multiprocessor: u32,
    /// Constant memory, in bytes.
    pub constant_memory: u32,
    /// The L2 cache, in bytes.
    pub l2_cache: u32,
    /// The clock of the multiprocessors, in kHz.
    pub clock_khz: u32,
    /// The width of the memory bus, in bits.
    pub memory_bus_bits: u32,
    /// Whether memory can be allocated and freed in stream order.
    pub memory_pools: bool,
    /// Whether all blocks of a grid can wait for each other (cooperative launches).
    pub cooperative_launch: bool,
    /// Whether launches can have clusters.
    pub cluster_launch: bool,
}

impl Device {
    /// The thread's current device, on which everything is created for which neither a device nor a stream is named. It
    /// is [`Device::default`] unless the thread has chosen another.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// assert_eq!(device, ptyx::Device::default()?); // a new thread's
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device.
    #[doc(alias = "cudaGetDevice")]
    pub fn current() -> Result<Device> {
        current().map(Device)
    }

    /// The device that new threads start with: device 0.
    ///
    /// ```
    /// use ptyx::Device;
    /// let device = Device::default()?;
    /// assert_eq!(device.index(), 0);
    /// // Another thread's choice changes nothing here.
    /// std::thread::spawn(|| Device::get(0)?.make_current()).join().unwrap()?;
    /// assert_eq!(Device::current()?, device);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device.
    #[allow(clippy::should_implement_trait)] // it can fail
    pub fn default() -> Result<Device> {
        Device::get(DEFAULT_DEVICE)
    }

    /// The device with this index, from 0.
    ///
    /// ```
    /// use ptyx::{Device, Error};
    /// assert_eq!(Device::get(0)?.index(), 0);
    /// assert!(matches!(Device::get(1000), Err(Error::NoSuchDevice { index: 1000, .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::NoSuchDevice`]; no usable device.
    pub fn get(index: u32) -> Result<Device> {
        runtime()?.context(index).map(Device)
    }

    /// How many devices there are.
    ///
    /// ```
    /// assert!(ptyx::Device::count()? >= 1);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device.
    pub fn count() -> Result<u32> {
        Ok(runtime()?.device_count())
    }

    /// Every device.
    ///
    /// ```
    /// use ptyx::Device;
    /// let emulated = Device::all()?.iter().all(Device::is_emulated);
    /// println!("{}", if emulated { "no GPU" } else { "a GPU" });
    /// assert!(Device::all()?.contains(&Device::current()?));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device.
    pub fn all() -> Result<Vec<Device>> {
        (0..Device::count()?).map(Device::get).collect()
    }

    /// Runs `work` with this as the thread's current device, then restores the previous one, even if `work`
    /// panics.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer};
    /// let last = *Device::all()?.last().unwrap();
    /// let buffer = last.with(|| DeviceBuffer::<f32>::zeroed(16))?;
    /// assert_eq!(buffer.device_index(), last.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn with<R>(&self, work: impl FnOnce() -> R) -> R {
        struct Back(Option<&'static Context>);
        impl Drop for Back {
            fn drop(&mut self) {
                set_current(self.0);
            }
        }
        let _back = Back(set_current(Some(self.0)));
        work()
    }

    /// Makes this the thread's current device, for the driver too ([`cuCtxSetCurrent`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)):
    /// call it again after other code has changed the thread's driver context.
    ///
    /// ```
    /// use ptyx::{Device, Stream};
    /// let device = Device::get(0)?;
    /// device.make_current()?;
    /// assert_eq!(Device::current()?, device);
    /// assert_eq!(Stream::new()?.device_index(), device.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn make_current(&self) -> Result<()> {
        self.0.bind_again()?;
        set_current(Some(self.0));
        Ok(())
    }

    /// The device's index, from 0.
    ///
    /// ```
    /// assert_eq!(ptyx::Device::get(0)?.index(), 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn index(&self) -> u32 {
        self.0.ordinal
    }

    /// The device's name ([`cuDeviceGetName`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// println!("running on {}", ptyx::Device::current()?.name());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Major and minor compute capability: `(9, 0)` for an H200.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// assert!(device.compute_capability() >= (7, 0));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn compute_capability(&self) -> (u32, u32) {
        (self.0.capability / 10, self.0.capability % 10)
    }

    /// Whether this is the emulated device.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// let elements = if device.is_emulated() { 1_000 } else { 100_000_000 };
    /// println!("{elements} elements on {}", device.name());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn is_emulated(&self) -> bool {
        self.0.driver.is_emulated()
    }

    /// The device's memory, in bytes ([`cuDeviceTotalMem`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// assert!(device.total_memory()? >= device.free_memory()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn total_memory(&self) -> Result<usize> {
        let mut bytes = 0;
        // SAFETY: `bytes` is a valid place.
        unsafe { self.0.driver.cuDeviceTotalMem(&mut bytes, self.0.device) }?;
        Ok(bytes)
    }

    /// The device's free memory, in bytes ([`cuMemGetInfo`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// let elements = device.free_memory()? / 2 / size_of::<f32>();
    /// println!("room for {elements} numbers, and as much again");
    /// assert!(device.free_memory()? <= device.total_memory()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn free_memory(&self) -> Result<usize> {
        Ok(self.0.memory()?.0)
    }

    /// The device's UUID ([`cuDeviceGetUuid`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)), if the driver knows it.
    ///
    /// ```
    /// use ptyx::Device;
    /// let device = Device::current()?;
    /// if let Some(uuid) = device.uuid() {
    ///     println!("{:032x}", u128::from_be_bytes(uuid));
    ///     assert_eq!(Device::by_uuid(uuid)?, Some(device));
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn uuid(&self) -> Option<[u8; 16]> {
        let mut uuid = [0; 16];
        // SAFETY: `uuid` is a valid place.
        unsafe { self.0.driver.cuDeviceGetUuid(&mut uuid, self.0.device) }.ok()?;
        Some(uuid)
    }

    /// The locally unique identifier (LUID) by which Windows knows the device, and its node mask
    /// ([`cuDeviceGetLuid`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// use ptyx::{Device, Error};
    /// let known = Device::current()?.luid();
    /// // Only Windows has LUIDs.
    /// assert!(matches!(known, Err(Error::Driver { call: "cuDeviceGetLuid", .. })), "{known:?}");
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_NOT_SUPPORTED` on systems other than Windows.
    #[doc(alias = "cuDeviceGetLuid")]
    pub fn luid(&self) -> crate::Result<([u8; 8], u32)> {
        let (mut luid, mut mask) = ([0; 8], 0);
        // SAFETY: both are valid places.
        unsafe { self.0.driver.cuDeviceGetLuid(&mut luid, &mut mask, self.0.device) }?;
        Ok((luid, mask))
    }

    /// The device's PCI bus address, such as `0000:65:00.0` ([`cuDeviceGetPCIBusId`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)), if the
    /// driver knows it.
    ///
    /// ```
    /// use ptyx::Device;
    /// let device = Device::current()?;
    /// if let Some(address) = device.pci_bus_id() {
    ///     println!("the device is at {address}");
    ///     assert_eq!(Device::by_pci_bus_id(&address)?, device);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn pci_bus_id(&self) -> Option<String> {
        let mut text = [0; 32];
        let (pointer, len) = (text.as_mut_ptr(), text.len() as i32);
        // SAFETY: the buffer has the length given.
        unsafe { self.0.driver.cuDeviceGetPCIBusId(pointer, len, self.0.device) }.ok()?;
        Some(crate::driver::text_of(&text))
    }

    /// An attribute by its number in `cuda.h` ([`CUdevice_attribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)).
    ///
    /// ```
    /// const CU_DEVICE_ATTRIBUTE_WARP_SIZE: i32 = 10;
    /// let device = ptyx::Device::current()?;
    /// assert_eq!(device.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE)?, 32);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`] if the driver does not know it.
    pub fn attribute(&self, number: i32) -> Result<i32> {
        Ok(self.0.attribute(number)?)
    }

    /// The device's properties.
    ///
    /// ```
    /// let attributes = ptyx::Device::current()?.attributes()?;
    /// let threads = attributes.multiprocessors * attributes.max_threads_per_multiprocessor;
    /// println!("{threads} threads run at once");
    /// assert!(threads >= attributes.max_threads_per_block);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn attributes(&self) -> Result<DeviceAttributes> {
        let get = |number| -> Result<u32> { Ok(self.0.attribute(number)?.unsigned_abs()) };
        Ok(DeviceAttributes {
            warp_size: get(CU_DEVICE_ATTRIBUTE_WARP_SIZE)?,
            multiprocessors: get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            max_threads_per_block: get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)?,
            max_block: [
                get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)?,
            ],
            max_grid: [
                get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y)?,
                get(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)?,
            ],
            shared_memory_per_block: get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)?,
            shared_memory_per_block_optin: get(
                CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
            )?,
            shared_memory_per_multiprocessor: get(
                CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR,
            )?,
            registers_per_block: get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK)?,
            registers_per_multiprocessor: get(
                CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR,
            )?,
            max_threads_per_multiprocessor: get(
                CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
            )?,
            constant_memory: get(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY)?,
            l2_cache: get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)?,
            clock_khz: get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE)?,
            memory_bus_bits: get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?,
            memory_pools: get(CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED)? != 0,
            cooperative_launch: get(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)? != 0,
            cluster_launch: get(CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH)? != 0,
        })
    }

    /// `threads` rounded up to whole warps.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// assert_eq!(device.nearest_warpsize(1)?, 32);
    /// assert_eq!(device.nearest_warpsize(33)?, 64);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn nearest_warpsize(&self, threads: u32) -> Result<u32> {
        let warp = self.0.attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE)?.unsigned_abs().max(1);
        Ok(threads.div_ceil(warp).saturating_mul(warp))
    }

    /// Waits until the device has finished all work submitted to it
    /// ([`cuCtxSynchronize`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, Stream};
    /// let stream = Stream::new()?;
    /// let mut buffer = DeviceBuffer::<u32>::zeroed(100)?;
    /// buffer.fill_on(1, &stream)?;
    /// Device::current()?.synchronize()?; // all streams of the device
    /// assert!(stream.is_idle()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::KernelPanic`] and [`crate::Error::Fault`] of kernels that ran.
    pub fn synchronize(&self) -> Result<()> {
        let streams = all_streams(self.0);
        let launches = streams.launches();
        self.0.synchronize()?;
        launches.iter().for_each(|(stream, count)| stream.0.recent.are_done(*count));
        match streams.alive().iter().find_map(|stream| stream.0.take_untold()) {
            Some(failure) => Err(failure.into()),
            None => Ok(()),
        }
    }
}

/// Stack and heap of kernels.
impl Device {
    /// Bytes of stack that each thread of a kernel has ([`CU_LIMIT_STACK_SIZE`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
    ///
    /// ```
    /// let bytes = ptyx::Device::current()?.stack_limit()?;
    /// assert!(bytes >= 1024);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn stack_limit(&self) -> Result<usize> {
        self.0.limit(CU_LIMIT_STACK_SIZE)
    }

    /// Sets the stack size of each thread of a kernel, in bytes ([`cuCtxSetLimit`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
    ///
    /// The driver starts with 1 KiB, and raises the size by itself for kernels whose need is known when
    /// they are compiled. Before a kernel that recurses or calls through pointers (trait objects,
    /// function pointers, `core::fmt`), Ptyx raises it to 16 KiB plus what the kernel is known to
    /// need, but not after a call of this function. Deep recursion needs more: a stack
    /// overflow is an illegal access on a GPU; the emulated device reports it as an overflow.
    ///
    /// The driver allocates the memory for as many threads as the device can hold at once, and keeps it: 16 KiB per thread
    /// are 4.1 GiB on an H200, and 0.7 GiB on a GPU with 28 multiprocessors. The call
    /// waits for the device's pending work. The driver may round the size up.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// device.set_stack_limit(32 * 1024)?;
    /// assert!(device.stack_limit()? >= 32 * 1024);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`] if the device can't provide that much.
    pub fn set_stack_limit(&self, bytes: usize) -> Result<()> {
        self.0.set_stack(bytes)
    }

    /// The size in bytes of the heap from which `Box`, `Vec` and `String` in kernels allocate
    /// ([`CU_LIMIT_MALLOC_HEAP_SIZE`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
    ///
    /// ```
    /// let bytes = ptyx::Device::current()?.heap_limit()?;
    /// assert!(bytes >= 8 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`].
    pub fn heap_limit(&self) -> Result<usize> {
        self.0.limit(CU_LIMIT_MALLOC_HEAP_SIZE)
    }

    /// Sets the size of the kernels' heap, in bytes ([`cuCtxSetLimit`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)):
    /// 8 MiB unless this is called.
    ///
    /// All threads of all kernels share it, and what a kernel does not free stays allocated. It is
    /// device memory, so less is left for buffers. Call this before the first launch of a
    /// kernel that uses the heap; afterwards, a GPU's driver returns an error.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// device.set_heap_limit(64 << 20)?;
    /// assert!(device.heap_limit()? >= 64 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Driver`] if the device can't provide that much, or if it is too late.
    pub fn set_heap_limit(&self, bytes: usize) -> Result<()> {
        self.0.set_limit(CU_LIMIT_MALLOC_HEAP_SIZE, bytes)
    }

    /// The size in bytes of the buffer that holds what kernels print until the host reads it.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// println!("{} bytes for printing", device.print_buffer()?);
    /// device.set_print_buffer(4 << 20); // for later launches
    /// assert_eq!(device.print_buffer()?, 4 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::BadSetting`] if `PTYX_PRINT_BUFFER` is not a number of bytes.
    pub fn print_buffer(&self) -> Result<usize> {
        self.0.prints.bytes()
    }

    /// Sets the size in bytes of the buffer that holds what the kernels of later launches print
    /// ([`crate::gpu_println!`]) until the host reads it. Unless this is called, it is `PTYX_PRINT_BUFFER`, or
    /// 1 MiB. The minimum is about 1 KiB.
    ///
    /// The host reads the buffer while it waits. Lines that do not fit are lost, and their number is
    /// reported on standard error. Each new size allocates host memory that is never freed.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// device.set_print_buffer(16 << 20);
    /// assert_eq!(device.print_buffer()?, 16 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn set_print_buffer(&self, bytes: usize) {
        self.0.prints.set_bytes(bytes);
    }
}

impl PartialEq for Device {
    fn eq(&self, other: &Device) -> bool {
        core::ptr::eq(self.0, other.0)
    }
}

impl Eq for Device {}

impl Hash for Device {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.ordinal.hash(state);
    }
}

impl fmt::Debug for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({}: {})", self.0.ordinal, self.0.name)
    }
}

/// Waits until the thread's device has finished all work submitted to it.
///
/// ```
/// let mut buffer = ptyx::DeviceBuffer::<u32>::zeroed(100)?;
/// buffer.fill(1)?;
/// ptyx::synchronize()?; // the fill is done
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// [`crate::Error::KernelPanic`] and [`crate::Error::Fault`] of kernels that ran.
pub fn synchronize() -> Result<()> {
    Device::current()?.synchronize()
}
