//! Pools of device memory.

mod access;
mod reuse;

use access::location;
pub(super) use access::{granted, set_access};
pub use reuse::PoolReuse;

use super::exhausted::{self, note_pool};
use super::limit::MemoryLimit;
use super::peer_access::Contexts;
use crate::context::{Attached, Context, after_host_function};
use crate::device_api::Device;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use core::fmt;
use core::hash::{Hash, Hasher};
use core::sync::atomic::AtomicBool;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A pool of device memory, from which allocations are made and to which they return in the order of streams (CUDA driver
/// API, [Stream Ordered Memory Allocator](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
///
/// Each device has a [default pool](MemoryPool::of_device), from which all buffers come unless another is made the device's
/// [current](MemoryPool::make_current) one. A pool keeps memory that was freed for the next allocation. A clone is the
/// same pool. Buffers may outlive it: when the last clone and the last buffer of the pool have been dropped, its memory
/// returns to the device.
///
/// The driver's pool is not destroyed then, because the driver crashes if one is while other threads wait for the device
/// (`docs/hardware.md`). It has no memory left, and a later [`MemoryPool::new`] with the same limit takes it. Only pools
/// that other processes may have, and those to which other devices were given [access](MemoryPool::set_access), are not
/// used again: each of
/// these leaves a handle of the driver behind, until the process ends or the device is reset.
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
pub struct MemoryPool(Arc<Handles>);

/// The user's handle of a pool. Without it, the pool is no longer the device's current one.
struct Handles(Arc<Pool>);

/// A pool, for all who need it: the user's handles, the device whose current one it is, each of its buffers until the
/// free is submitted, and each allocation while it is made. The last of them retires it, so no thread allocates from a
/// retired pool.
///
/// Nobody ever destroys one: the driver 580 walks over the device's pools whenever a thread waits, and crashes if
/// another thread destroys one meanwhile, whatever it was used for (`docs/hardware.md`).
pub(super) struct Pool {
    context: &'static Context,
    pub(super) handle: CUmemoryPool,
    /// The device's default pool is not ours to retire.
    is_default: bool,
    /// Once retired, it can be a new pool with the same limit: no other process can have it, and devices have the access
    /// to it that they have to new ones.
    is_reusable: AtomicBool,
    /// The other contexts whose kernels have access; of a default pool, see [`granted`].
    granted: Contexts,
    /// The most bytes that it may have, if it has a limit.
    pub(super) limit: Option<usize>,
    /// For other processes, if it is shareable.
    pub(super) file: Option<OwnedFd>,
}

/// The pool that the buffers of a device come from, if it is not the default one. No pool is dropped under this lock.
static CURRENT: Attached<Mutex<Option<Arc<Pool>>>> = Attached::new();

fn lock_current(context: &Context) -> MutexGuard<'static, Option<Arc<Pool>>> {
    CURRENT.of(context).lock().unwrap_or_else(PoisonError::into_inner)
}

/// The pool that the buffers of a device come from, if it is not the default one.
pub(super) fn current(context: &Context) -> Option<Arc<Pool>> {
    lock_current(context).clone()
}

/// A pool that is no longer in use and keeps no memory.
struct Retired {
    handle: CUmemoryPool,
    limit: Option<usize>,
}

/// The pools of a device that can be used again. A reset destroys them, but then there is another context.
static RETIRED: Attached<Mutex<Vec<Retired>>> = Attached::new();

fn lock_retired(context: &Context) -> MutexGuard<'static, Vec<Retired>> {
    RETIRED.of(context).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes an allocation of `bytes` bytes in a pool, or apart from pools if there is none. If memory is exhausted, this
/// makes it once more after the pools have given back what they keep.
///
/// # Errors
/// [`Error::OutOfMemory`], with what the pool's limit leaves if it has one; the driver's.
pub(super) fn allocate_in<R>(
    context: &'static Context,
    pool: Option<&Pool>,
    bytes: usize,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    let exhausted = || {
        let limit = pool.and_then(|pool| Some((pool.limit?, pool.used().ok()?)));
        let (free, total) = match limit {
            Some((limit, used)) => (limit.saturating_sub(used), limit),
            None => context.memory().unwrap_or((0, 0)),
        };
        Error::OutOfMemory { bytes, free, total }
    };
    exhausted::allocate(context, pool.map(|pool| pool.handle), exhausted, make)
}

/// The same for memory of the device that does not come from a pool.
///
/// # Errors
/// [`Error::OutOfMemory`], with what the device has left; the driver's.
pub(crate) fn allocate_apart<R>(
    context: &'static Context,
    bytes: usize,
    make: impl FnMut() -> Result<R, Failure>,
) -> Result<R> {
    let current = current(context);
    let exhausted = || {
        let (free, total) = context.memory().unwrap_or((0, 0));
        Error::OutOfMemory { bytes, free, total }
    };
    exhausted::allocate(context, current.as_ref().map(|pool| pool.handle), exhausted, make)
}

/// A retired pool with this limit, if there is one. Frees may still be waiting for their turn in a stream, and other
/// libraries may have memory of it: the new pool's statistics must not count either.
fn take_retired(context: &Context, limit: Option<usize>) -> Option<CUmemoryPool> {
    let mut retired = lock_retired(context);
    let is_unused = |pool: &Retired| {
        get(context, pool.handle, CU_MEMPOOL_ATTR_USED_MEM_CURRENT).is_ok_and(|used| used == 0)
    };
    let found = retired.iter().position(|pool| pool.limit == limit && is_unused(pool))?;
    Some(retired.swap_remove(found).handle)
}

fn get(context: &Context, pool: CUmemoryPool, attribute: CUmemPool_attribute) -> Result<u64> {
    let mut value = 0u64;
    let place = (&raw mut value).cast();
    // SAFETY: a pool that is alive, and a place for a number of 64 bits, which these attributes are.
    unsafe { context.driver.cuMemPoolGetAttribute(pool, attribute, place) }?;
    Ok(value)
}

fn set(
    context: &Context,
    pool: CUmemoryPool,
    attribute: CUmemPool_attribute,
    mut value: u64,
) -> Result<()> {
    let place = (&raw mut value).cast();
    // SAFETY: a pool that is alive, and a number of 64 bits, which these attributes are.
    Ok(unsafe { context.driver.cuMemPoolSetAttribute(pool, attribute, place) }?)
}

/// How much memory a pool uses and holds, now and at most, in bytes.
///
/// ```
/// use ptyx::{Device, MemoryLimit, MemoryPool, PoolStatistics};
/// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
/// let PoolStatistics { used, used_peak, reserved, .. } = pool.statistics()?;
/// assert!(used <= used_peak && used <= reserved);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// What buffers use now.
    pub used: u64,
    /// The most that buffers have used at once since [`MemoryPool::reset_peaks`].
    pub used_peak: u64,
    /// What the pool holds of the device's memory now: what is used, and what is kept for later allocations.
    pub reserved: u64,
    /// The most that the pool has held at once since [`MemoryPool::reset_peaks`].
    pub reserved_peak: u64,
}

impl MemoryPool {
    /// A new pool of a device ([`cuMemPoolCreate`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html), or a pool that is no longer in use). It keeps all memory that is freed,
    /// unless [`MemoryPool::trim`] or [`MemoryPool::set_release_threshold`] releases it.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(64 << 20))?;
    /// let buffer = DeviceBuffer::<u8>::zeroed_in(1 << 20, &pool, &ptyx::Stream::new()?)?;
    /// assert!(pool.statistics()?.used >= 1 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] with `CUDA_ERROR_NOT_SUPPORTED` if the device or its driver has no pools.
    pub fn new(device: &Device, limit: MemoryLimit) -> Result<MemoryPool> {
        Ok(MemoryPool::of(Pool::create(device, limit, CU_MEM_HANDLE_TYPE_NONE)?))
    }

    /// A new pool of a device, whose memory other processes can open: see [`MemoryPool::export`] and
    /// [`DeviceBuffer::share_in_pool`](crate::DeviceBuffer::share_in_pool). Graphs can't allocate such memory: in a capture, naming the pool is an
    /// [`Error::Graph`], and if it is the device's current one, its properties don't matter.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::shareable(&Device::current()?, MemoryLimit::None)?;
    /// let file = pool.export()?; // to be sent to another process
    /// assert_eq!(pool.limit(), None);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`MemoryPool::new`], also if the device's pools can't be shared.
    pub fn shareable(device: &Device, limit: MemoryLimit) -> Result<MemoryPool> {
        let mut pool = Pool::create(device, limit, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)?;
        // At once: before, the driver shares no allocation of it.
        pool.file = Some(pool.export()?);
        Ok(MemoryPool::of(pool))
    }

    fn of(pool: Pool) -> MemoryPool {
        MemoryPool(Arc::new(Handles(Arc::new(pool))))
    }

    /// The pool that a device has from the start ([`cuDeviceGetDefaultMemPool`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryPool};
    /// let pool = MemoryPool::of_device(&Device::current()?)?;
    /// let buffer = DeviceBuffer::<u8>::zeroed(1 << 20)?;
    /// assert!(pool.statistics()?.used >= 1 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`MemoryPool::new`].
    pub fn of_device(device: &Device) -> Result<MemoryPool> {
        let context = device.0;
        let code = CUDA_ERROR_NOT_SUPPORTED;
        let handle =
            context.default_pool.ok_or(Failure { call: "cuDeviceGetDefaultMemPool", code })?;
        let mut pool = Pool::of(context, handle, None, false);
        pool.is_default = true;
        Ok(MemoryPool::of(pool))
    }

    /// From now on, buffers of this device are allocated from this pool, on every thread. When the last clone of the pool is
    /// dropped, they come from the default pool again.
    ///
    /// Other libraries that let the driver choose the pool (`cuMemAllocAsync`) get this one, too
    /// ([`cuDeviceSetMemPool`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)). If another library makes a
    /// pool current, Ptyx's buffers don't come from that pool.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// pool.make_current()?;
    /// let buffer = DeviceBuffer::<u32>::zeroed(1000)?;
    /// assert!(pool.is_current()? && pool.statistics()?.used >= 4000);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    #[doc(alias("cudaDeviceSetMemPool", "cuDeviceSetMemPool"))]
    pub fn make_current(&self) -> Result<()> {
        let pool = self.pool();
        pool.context.bind()?;
        let mut current = lock_current(pool.context);
        // SAFETY: a pool of this device, which is alive.
        unsafe { pool.context.driver.cuDeviceSetMemPool(pool.context.device, pool.handle) }?;
        let before = core::mem::replace(&mut *current, (!pool.is_default).then(|| self.shared()));
        drop(current);
        drop(before);
        Ok(())
    }

    /// Whether the device's buffers come from this pool.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// assert!(!pool.is_current()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// None at present.
    pub fn is_current(&self) -> Result<bool> {
        let pool = self.pool();
        Ok(match current(pool.context) {
            Some(current) => current.handle == pool.handle,
            None => pool.is_default,
        })
    }

    /// How much memory the pool uses and holds, now and at most ([`cuMemPoolGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// assert_eq!(pool.statistics()?.used, 0);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn statistics(&self) -> Result<PoolStatistics> {
        Ok(PoolStatistics {
            used: self.pool().get(CU_MEMPOOL_ATTR_USED_MEM_CURRENT)?,
            used_peak: self.pool().get(CU_MEMPOOL_ATTR_USED_MEM_HIGH)?,
            reserved: self.pool().get(CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT)?,
            reserved_peak: self.pool().get(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH)?,
        })
    }

    /// Resets both peaks to the present values.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// pool.reset_peaks()?;
    /// let now = pool.statistics()?;
    /// assert_eq!(now.used_peak, now.used);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn reset_peaks(&self) -> Result<()> {
        self.pool().reset_peaks()
    }

    /// How many bytes the pool keeps when a synchronisation finds them free; the rest goes back to the device.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// assert_eq!(pool.release_threshold()?, u64::MAX);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn release_threshold(&self) -> Result<u64> {
        self.pool().get(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    }

    /// Sets [`MemoryPool::release_threshold`]. Ptyx sets it to `u64::MAX`, so that pools keep everything.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// pool.set_release_threshold(32 << 20)?;
    /// assert_eq!(pool.release_threshold()?, 32 << 20);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    pub fn set_release_threshold(&self, bytes: u64) -> Result<()> {
        self.pool().set(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, bytes)
    }

    /// Returns memory that no buffer uses to the device, but keeps at least `bytes` bytes of it ([`cuMemPoolTrimTo`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    /// Memory that unfinished work may still use stays in the pool.
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
        let Pool { context, handle, .. } = **self.pool();
        context.bind()?;
        // SAFETY: a pool that is alive.
        Ok(unsafe { context.driver.cuMemPoolTrimTo(handle, bytes) }?)
    }

    /// Allows kernels of another device to access the pool's memory, or forbids it ([`cuMemPoolSetAccess`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)). The pool's own device
    /// always has access. Copies between devices need none. With the device's default pool, that is the memory of all
    /// buffers.
    ///
    /// A launch that is given a buffer of another device does this itself. Call it for kernels that follow addresses in memory.
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
        set_access(self.pool().context, Some(self.pool()), device.0, allowed)
    }

    /// Whether kernels of a device can access the pool's memory ([`cuMemPoolGetAccess`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let device = Device::current()?;
    /// let pool = MemoryPool::new(&device, MemoryLimit::None)?;
    /// assert!(pool.access(&device)?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`].
    #[doc(alias("cudaMemPoolGetAccess", "cuMemPoolGetAccess"))]
    pub fn access(&self, device: &Device) -> Result<bool> {
        let (mut flags, mut location) = (0, location(device));
        let Pool { context, handle, .. } = **self.pool();
        context.bind()?;
        // SAFETY: a pool that is alive, and valid places.
        unsafe { context.driver.cuMemPoolGetAccess(&mut flags, handle, &mut location) }?;
        Ok(flags != CU_MEM_ACCESS_FLAGS_PROT_NONE)
    }

    /// The maximum number of bytes that buffers can take from the pool; `None` if the pool has no limit of its own.
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::Bytes(1 << 20))?;
    /// assert_eq!(pool.limit(), Some(1 << 20));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn limit(&self) -> Option<usize> {
        self.pool().limit
    }

    /// The index of the device whose memory it is.
    ///
    /// ```
    /// let device = ptyx::Device::current()?;
    /// assert_eq!(ptyx::MemoryPool::of_device(&device)?.device_index(), device.index());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn device_index(&self) -> u32 {
        self.pool().context.ordinal
    }

    /// The driver's handle (`CUmemoryPool`), for other libraries. It is the pool's as long as a clone or a buffer of it
    /// lives; a later pool may have the same handle.
    ///
    /// ```
    /// let pool = ptyx::MemoryPool::of_device(&ptyx::Device::current()?)?;
    /// assert!(!pool.raw().is_null());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn raw(&self) -> *mut core::ffi::c_void {
        self.pool().handle.0.cast()
    }

    pub(super) fn pool(&self) -> &Arc<Pool> {
        &self.0.0
    }

    /// For an allocation, which keeps it.
    pub(super) fn shared(&self) -> Arc<Pool> {
        self.pool().clone()
    }
}

impl Pool {
    fn create(
        device: &Device,
        limit: MemoryLimit,
        handle_types: CUmemAllocationHandleType,
    ) -> Result<Pool> {
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
        let is_reusable = handle_types == CU_MEM_HANDLE_TYPE_NONE;
        if is_reusable && let Some(handle) = take_retired(context, limit) {
            let pool = Pool::of(context, handle, limit, true);
            pool.set(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, u64::MAX)?;
            pool.reset_peaks()?;
            pool.set_reuse(PoolReuse::default())?;
            return Ok(pool);
        }
        let properties = CUmemPoolProps {
            kind: CU_MEM_ALLOCATION_TYPE_PINNED,
            handle_types,
            location: CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: context.device },
            security: core::ptr::null(),
            // 0 is no limit, and nothing can be allocated from a pool of one byte.
            max_size: limit.map_or(0, |bytes| bytes.max(1)),
            reserved: [0; 56],
        };
        let mut handle = CUmemoryPool::NULL;
        // SAFETY: a valid place, and a structure as the driver wants it.
        unsafe { context.driver.cuMemPoolCreate(&mut handle, (&raw const properties).cast()) }?;
        note_pool(context, handle);
        let pool = Pool::of(context, handle, limit, is_reusable);
        pool.set(CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, u64::MAX)?;
        Ok(pool)
    }

    /// A pool of another process.
    pub(super) fn imported(context: &'static Context, handle: CUmemoryPool) -> Pool {
        Pool::of(context, handle, None, false)
    }

    fn of(
        context: &'static Context,
        handle: CUmemoryPool,
        limit: Option<usize>,
        is_reusable: bool,
    ) -> Pool {
        let is_reusable = AtomicBool::new(is_reusable);
        let granted = Contexts::default();
        Pool { context, handle, is_default: false, is_reusable, granted, limit, file: None }
    }

    /// A file descriptor with which other processes import a shareable pool. Child processes don't inherit it automatically.
    fn export(&self) -> Result<OwnedFd> {
        let (mut file, kind) = (-1i32, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
        let place = (&raw mut file).cast();
        // SAFETY: a pool that is alive, and a place for a file's number.
        unsafe {
            self.context.driver.cuMemPoolExportToShareableHandle(place, self.handle, kind, 0)
        }?;
        // SAFETY: a new file descriptor, which is the caller's.
        duplicate(unsafe { OwnedFd::from_raw_fd(file) }.as_fd(), EXPORT)
    }

    /// Whether other processes can have its memory.
    pub(super) fn is_shareable(&self) -> bool {
        self.file.is_some()
    }

    pub(super) fn context(&self) -> &'static Context {
        self.context
    }

    /// The bytes that buffers have of it.
    pub(super) fn used(&self) -> Result<usize> {
        Ok(self.get(CU_MEMPOOL_ATTR_USED_MEM_CURRENT)? as usize)
    }

    /// Leaves the place of the device's current pool to the default one, here and in the driver.
    fn resign(self: &Arc<Pool>) {
        let Pool { context, handle, .. } = **self;
        let mut current = lock_current(context);
        // Not its last owner: the caller has it, too.
        current.take_if(|current| current.handle == handle);
        let (Ok(()), Some(default)) = (context.bind(), context.default_pool) else { return };
        let (driver, mut known) = (context.driver, CUmemoryPool::NULL);
        // SAFETY: a valid place.
        let asked = unsafe { driver.cuDeviceGetMemPool(&mut known, context.device) };
        if asked.is_ok() && known == handle {
            // SAFETY: the device's own pool. Should it fail, other libraries still get memory of this one.
            let _ = unsafe { driver.cuDeviceSetMemPool(context.device, default) };
        }
    }

    fn reset_peaks(&self) -> Result<()> {
        self.set(CU_MEMPOOL_ATTR_USED_MEM_HIGH, 0)?;
        self.set(CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH, 0)
    }

    fn get(&self, attribute: CUmemPool_attribute) -> Result<u64> {
        get(self.context, self.handle, attribute)
    }

    fn set(&self, attribute: CUmemPool_attribute, value: u64) -> Result<()> {
        set(self.context, self.handle, attribute, value)
    }
}

/// The call that makes files of pools.
pub(super) const EXPORT: &str = "cuMemPoolExportToShareableHandle";

/// A duplicate of the same file, for or instead of a call of the driver. Child processes don't inherit it, and its number is
/// above those of the standard streams.
pub(super) fn duplicate(file: BorrowedFd<'_>, call: &'static str) -> Result<OwnedFd> {
    let code = CUDA_ERROR_OPERATING_SYSTEM;
    Ok(file.try_clone_to_owned().map_err(|_| Failure { call, code })?)
}

impl Drop for Handles {
    fn drop(&mut self) {
        let pool = self.0.clone();
        if !pool.is_default {
            after_host_function(move || pool.resign());
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let Pool { context, handle, is_default, limit, .. } = *self;
        if is_default {
            return;
        }
        let is_reusable = *self.is_reusable.get_mut();
        after_host_function(move || {
            if context.bind().is_err() {
                return;
            }
            // All memory of it was given back, if not yet in the order of the streams: what the trim does not find free,
            // a synchronisation will. Should a call fail, the pool keeps memory until it is used again.
            let _ = set(context, handle, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 0);
            // SAFETY: pools are never destroyed.
            let _ = unsafe { context.driver.cuMemPoolTrimTo(handle, 0) };
            if is_reusable {
                lock_retired(context).push(Retired { handle, limit });
            }
        });
    }
}

impl PartialEq for MemoryPool {
    fn eq(&self, other: &MemoryPool) -> bool {
        self.raw() == other.raw() && core::ptr::eq(self.pool().context, other.pool().context)
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

#[cfg(test)]
mod tests;
