//! Pools of device memory.

use super::DeviceBuffer;
use super::limit::MemoryLimit;
use crate::DeviceCopy;
use crate::context::Context;
use crate::device_api::Device;
use crate::driver::types::*;
#[cfg(any(doc, test))]
use crate::error::Error;
use crate::error::Result;
use crate::stream::Stream;
use core::fmt;
use core::hash::{Hash, Hasher};
use std::sync::Arc;

/// A pool of device memory, from which allocations are made and to which they return in the order of streams (CUDA driver
/// API, [Stream Ordered Memory Allocator](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
///
/// Each device has a [default pool](MemoryPool::of_device), from which all buffers come unless another is made the device's
/// [current](MemoryPool::make_current) one. A pool keeps memory that was freed for the next allocation. A clone is the
/// same pool. When the last one is dropped, the pool's memory returns to the device as soon as no buffer is in it.
///
/// ```
/// use ptyx::{DeviceBuffer, Device, MemoryLimit, MemoryPool, Stream};
/// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(64 << 20))?;
/// let stream = Stream::new()?;
/// let mut scratch = DeviceBuffer::<f32>::zeroed_in(1000, &pool, &stream)?;
/// scratch.fill_on(1.0, &stream)?;
/// assert_eq!(scratch.to_vec()?, [1.0; 1000]);
/// assert!(pool.statistics()?.used >= 4000);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone)]
pub struct MemoryPool(Arc<Owned>);

struct Owned {
    context: &'static Context,
    pool: CUmemoryPool,
    /// The device's default pool is not ours to destroy.
    is_default: bool,
    /// The most bytes that it may have, if it has a limit.
    limit: Option<usize>,
}

/// What a pool has and had, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// What buffers have at present.
    pub used: u64,
    /// The most that they had at any time since [`MemoryPool::reset_peaks`].
    pub used_peak: u64,
    /// What the pool has of the device at present: what is used, and what is kept for the next allocations.
    pub reserved: u64,
    /// The most that it had at any time since [`MemoryPool::reset_peaks`].
    pub reserved_peak: u64,
}

impl MemoryPool {
    /// A new pool of a device (`cuMemPoolCreate`). It keeps all memory that is freed, until [`MemoryPool::trim`] or
    /// [`MemoryPool::set_release_threshold`] says otherwise.
    ///
    /// # Errors
    /// [`Error::Driver`] with `CUDA_ERROR_NOT_SUPPORTED` if the device or its driver has no pools.
    pub fn new(device: &Device, limit: MemoryLimit) -> Result<MemoryPool> {
        MemoryPool::create(device, limit, CU_MEM_HANDLE_TYPE_NONE)
    }

    /// A new pool of a device, whose memory other processes can open: see [`MemoryPool::export`] and
    /// [`DeviceBuffer::share_in_pool`].
    ///
    /// # Errors
    /// As [`MemoryPool::new`], also if the device's pools can't be shared.
    pub fn shareable(device: &Device, limit: MemoryLimit) -> Result<MemoryPool> {
        MemoryPool::create(device, limit, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    }

    fn create(
        device: &Device,
        limit: MemoryLimit,
        handle_types: CUmemAllocationHandleType,
    ) -> Result<MemoryPool> {
        let context = device.0;
        context.bind()?;
        let limit = match limit {
            MemoryLimit::None => None,
            MemoryLimit::Bytes(bytes) => Some(bytes),
            MemoryLimit::Percent(percent) => {
                let part = device.total_memory()? as u128 * u128::from(percent.min(100)) / 100;
                Some(part as usize)
            }
        };
        let properties = CUmemPoolProps {
            kind: CU_MEM_ALLOCATION_TYPE_PINNED,
            handle_types,
            location: CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: context.device },
            security: core::ptr::null(),
            // 0 is no limit, and nothing can be allocated from a pool of one byte.
            max_size: limit.map_or(0, |bytes| bytes.max(1)),
            reserved: [0; 56],
        };
        let mut pool = CUmemoryPool::NULL;
        // SAFETY: a valid place, and a structure as the driver wants it.
        unsafe { context.driver.cuMemPoolCreate(&mut pool, (&raw const properties).cast()) }?;
        let pool = MemoryPool(Arc::new(Owned { context, pool, is_default: false, limit }));
        pool.set_release_threshold(u64::MAX)?;
        Ok(pool)
    }

    /// The pool that a device has from the start (`cuDeviceGetDefaultMemPool`).
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryPool};
    /// let pool = MemoryPool::of_device(&Device::current()?)?;
    /// let before = pool.statistics()?.used;
    /// let buffer = DeviceBuffer::<u8>::zeroed(1 << 20)?;
    /// assert!(pool.statistics()?.used_peak >= before.min(1 << 20));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`MemoryPool::new`].
    pub fn of_device(device: &Device) -> Result<MemoryPool> {
        let context = device.0;
        let mut pool = CUmemoryPool::NULL;
        // SAFETY: a valid place.
        unsafe { context.driver.cuDeviceGetDefaultMemPool(&mut pool, context.device) }?;
        Ok(MemoryPool(Arc::new(Owned { context, pool, is_default: true, limit: None })))
    }

    /// Takes the buffers of this device from this pool from now on, on every thread (`cuDeviceSetMemPool`). When the pool is
    /// dropped, they come from the default one again.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn make_current(&self) -> Result<()> {
        let Owned { context, pool, .. } = *self.0;
        // SAFETY: a pool of this device, which is alive.
        Ok(unsafe { context.driver.cuDeviceSetMemPool(context.device, pool) }?)
    }

    /// Whether the device's buffers come from this pool (`cuDeviceGetMemPool`).
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn is_current(&self) -> Result<bool> {
        let Owned { context, pool, .. } = *self.0;
        let mut current = CUmemoryPool::NULL;
        // SAFETY: a valid place.
        unsafe { context.driver.cuDeviceGetMemPool(&mut current, context.device) }?;
        Ok(current == pool)
    }

    /// What the pool has and had (`cuMemPoolGetAttribute`).
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn statistics(&self) -> Result<PoolStatistics> {
        Ok(PoolStatistics {
            used: self.get(CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?,
            used_peak: self.get(CU_MEMPOOL_ATTR_USED_MEM_HIGH)?,
            reserved: self.get(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?,
            reserved_peak: self.get(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)?,
        })
    }

    /// Lets both peaks begin again with what there is now.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn reset_peaks(&self) -> Result<()> {
        self.set(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0)?;
        self.set(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0)
    }

    /// How many bytes the pool keeps when a synchronisation finds them free; the rest goes back to the device.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn release_threshold(&self) -> Result<u64> {
        self.get(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    }

    /// Sets [`MemoryPool::release_threshold`]. Ptyx sets it to `u64::MAX`, so that pools keep everything.
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn set_release_threshold(&self, bytes: u64) -> Result<()> {
        self.set(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, bytes)
    }

    /// Gives memory that no buffer has back to the device, but keeps at least `bytes` bytes of it (`cuMemPoolTrimTo`).
    /// What work that is not finished may still use stays.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// let pool = ptyx::MemoryPool::of_device(&device)?;
    /// device.synchronize()?;
    /// pool.trim(0)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn trim(&self, bytes: usize) -> Result<()> {
        self.0.context.bind()?;
        // SAFETY: a pool that is alive.
        Ok(unsafe { self.0.context.driver.cuMemPoolTrimTo(self.0.pool, bytes) }?)
    }

    /// Lets kernels of another device access the pool's memory, or forbids it (`cuMemPoolSetAccess`). The pool's own device
    /// always has access. Copies between devices need none. With the device's default pool, that is the memory of all
    /// buffers.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// for other in Device::all()? {
    ///     if Device::current()?.can_access_peer(&other)? {
    ///         pool.set_access(&other, true)?;
    ///         assert!(pool.access(&other)?);
    ///     }
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] if the devices are not [peers](Device::can_access_peer), or for the pool's own device.
    #[doc(alias("cudaMemPoolSetAccess", "cuMemPoolSetAccess"))]
    pub fn set_access(&self, device: &Device, allowed: bool) -> Result<()> {
        let flags = match allowed {
            true => CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            false => CU_MEM_ACCESS_FLAGS_PROT_NONE,
        };
        let access = CUmemAccessDesc { location: location(device), flags };
        self.0.context.bind()?;
        // SAFETY: a pool that is alive, and one description.
        Ok(unsafe { self.0.context.driver.cuMemPoolSetAccess(self.0.pool, &access, 1) }?)
    }

    /// Whether kernels of a device can access the pool's memory (`cuMemPoolGetAccess`).
    ///
    /// # Errors
    /// [`Error::Driver`].
    #[doc(alias("cudaMemPoolGetAccess", "cuMemPoolGetAccess"))]
    pub fn access(&self, device: &Device) -> Result<bool> {
        let (mut flags, mut location) = (0, location(device));
        self.0.context.bind()?;
        // SAFETY: a pool that is alive, and valid places.
        unsafe {
            self.0.context.driver.cuMemPoolGetAccess(&mut flags, self.0.pool, &mut location)
        }?;
        Ok(flags != CU_MEM_ACCESS_FLAGS_PROT_NONE)
    }

    /// The most bytes that buffers can have of it; `None` without a limit of its own.
    pub fn limit(&self) -> Option<usize> {
        self.0.limit
    }

    /// The index of the device whose memory it is.
    pub fn device_index(&self) -> u32 {
        self.0.context.ordinal
    }

    /// The driver's handle (`CUmemoryPool`), for other libraries.
    pub fn raw(&self) -> *mut core::ffi::c_void {
        self.0.pool.0.cast()
    }

    /// For allocations: the context, the handle and the limit.
    pub(super) fn parts(&self) -> (&'static Context, CUmemoryPool, Option<usize>) {
        (self.0.context, self.0.pool, self.0.limit)
    }

    fn get(&self, attribute: CUmemPool_attribute) -> Result<u64> {
        let mut value = 0u64;
        let place = (&raw mut value).cast();
        // SAFETY: a pool that is alive, and a place for a number of 64 bits, which these attributes are.
        unsafe { self.0.context.driver.cuMemPoolGetAttribute(self.0.pool, attribute, place) }?;
        Ok(value)
    }

    fn set(&self, attribute: CUmemPool_attribute, mut value: u64) -> Result<()> {
        let place = (&raw mut value).cast();
        // SAFETY: a pool that is alive, and a number of 64 bits, which these attributes are.
        Ok(unsafe { self.0.context.driver.cuMemPoolSetAttribute(self.0.pool, attribute, place) }?)
    }
}

/// A device as a place of memory.
fn location(device: &Device) -> CUmemLocation {
    CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: device.0.device }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if !self.is_default && self.context.bind().is_ok() {
            // SAFETY: the last owner's. The driver keeps what buffers still have, until they are freed.
            let _ = unsafe { self.context.driver.cuMemPoolDestroy(self.pool) };
        }
    }
}

impl PartialEq for MemoryPool {
    fn eq(&self, other: &MemoryPool) -> bool {
        self.0.pool == other.0.pool && core::ptr::eq(self.0.context, other.0.context)
    }
}

impl Eq for MemoryPool {}

impl Hash for MemoryPool {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.raw().hash(state);
    }
}

impl fmt::Debug for MemoryPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MemoryPool({:?}, device {})", self.raw(), self.device_index())
    }
}

impl<T: DeviceCopy> DeviceBuffer<T> {
    /// `len` elements whose bytes are all 0, from a pool, made on `stream`, whose device must be the pool's. The host does
    /// not wait (`cuMemAllocFromPoolAsync`).
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], also if the pool's limit is reached; [`Error::TooLarge`], [`Error::WrongDevice`].
    pub fn zeroed_in(len: usize, pool: &MemoryPool, stream: &Stream) -> Result<DeviceBuffer<T>> {
        stream.context().expect("a memory pool", pool.0.context)?;
        DeviceBuffer::allocate_zeroed(len, stream, Some(pool))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: usize = 1 << 20;

    #[test]
    fn limits_are_read() {
        let read = |text: &str| text.parse::<MemoryLimit>();
        assert_eq!(read(" 500 MB ").unwrap(), MemoryLimit::Bytes(500_000_000));
        assert_eq!(read("4096").unwrap(), MemoryLimit::Bytes(4096));
        assert_eq!(read("3KiB").unwrap(), MemoryLimit::Bytes(3072));
        assert_eq!(read("7B").unwrap(), MemoryLimit::Bytes(7));
        assert_eq!(read("100%").unwrap(), MemoryLimit::Percent(100));
        for wrong in ["", "0", "0%", "101%", "-1", "8GiBs", "1.5GiB", "99999999999TiB", "%", "GiB"]
        {
            let error = read(wrong).unwrap_err().to_string();
            assert!(
                error.contains(&format!("is `{wrong}`")) && error.contains("`8GiB`"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_limit_holds_and_freed_memory_counts_again() {
        let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
        let pool = MemoryPool::new(&device, MemoryLimit::Bytes(64 * MIB)).unwrap();
        assert_eq!((pool.limit(), pool.device_index()), (Some(64 * MIB), device.index()));
        let first = DeviceBuffer::<u8>::zeroed_in(40 * MIB, &pool, &stream).unwrap();
        let more = || DeviceBuffer::<u8>::zeroed_in(40 * MIB, &pool, &stream);
        match more() {
            Err(Error::OutOfMemory { bytes, free, total }) => {
                assert_eq!((bytes, free, total), (40 * MIB, 24 * MIB, 64 * MIB));
            }
            other => panic!("{other:?}"),
        }
        assert_eq!(pool.statistics().unwrap().used, 40 << 20);
        drop(first);
        let second = more().unwrap();
        assert!(second.slice(40 * MIB - 3..).to_vec().unwrap() == [0; 3]);
    }

    #[test]
    fn statistics_have_peaks_that_begin_again() {
        let (device, stream) = (Device::current().unwrap(), Stream::new().unwrap());
        let pool = MemoryPool::new(&device, MemoryLimit::None).unwrap();
        let large = DeviceBuffer::<u32>::zeroed_in(MIB, &pool, &stream).unwrap();
        let small = DeviceBuffer::<u32>::zeroed_in(10, &pool, &stream).unwrap();
        drop(large);
        stream.synchronize().unwrap();
        let statistics = pool.statistics().unwrap();
        assert!((40..4 << 20).contains(&statistics.used), "{statistics:?}");
        assert!(statistics.used_peak >= 4 << 20, "{statistics:?}");
        assert!(
            statistics.reserved >= statistics.used
                && statistics.reserved_peak >= statistics.reserved
        );
        pool.reset_peaks().unwrap();
        assert_eq!(pool.statistics().unwrap().used_peak, statistics.used);
        assert_eq!(pool.release_threshold().unwrap(), u64::MAX);
        pool.set_release_threshold(0).unwrap();
        assert_eq!(pool.release_threshold().unwrap(), 0);
        pool.trim(0).unwrap();
        assert_eq!(small.to_vec().unwrap(), [0; 10]);
    }

    /// Buffers outlive their pool, and the device falls back to its default one.
    #[test]
    fn pools_come_and_go() {
        let device = Device::current().unwrap();
        let pool = MemoryPool::new(&device, MemoryLimit::Percent(50)).unwrap();
        assert_eq!(pool.limit(), Some(device.total_memory().unwrap() / 2));
        assert!(!pool.is_current().unwrap());
        pool.make_current().unwrap();
        let copy = pool.clone();
        assert!(copy == pool && copy.is_current().unwrap());
        let buffer = DeviceBuffer::filled(1000, 7u16).unwrap();
        assert!(pool.statistics().unwrap().used >= 2000);
        drop((pool, copy));
        let default = MemoryPool::of_device(&device).unwrap();
        assert!(default.is_current().unwrap());
        assert_eq!(buffer.to_vec().unwrap(), [7; 1000]);
        assert_eq!(default, MemoryPool::of_device(&device).unwrap());
    }
}
