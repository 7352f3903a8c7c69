//! What a device prefers.

use super::Device;
use crate::driver::types::*;
use crate::error::Result;
use core::ops::RangeInclusive;

/// How the host waits for a device.
///
/// ```
/// use ptyx::{DeviceFlags, HostWait};
/// let flags = DeviceFlags::new().host_wait(HostWait::Spin);
/// assert_eq!(flags.wait(), HostWait::Spin);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HostWait {
    /// The driver chooses, by the number of devices and cores.
    #[default]
    Auto,
    /// The thread spins: it notices the end soonest, at the cost of a core.
    Spin,
    /// The thread spins, and yields to other threads.
    Yield,
    /// The thread sleeps.
    Blocking,
}

/// Flags of a device, for [`Device::set_flags`] ([`cuDevicePrimaryCtxSetFlags`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html)).
///
/// ```
/// use ptyx::{Device, DeviceFlags, HostWait};
/// let device = Device::current()?;
/// device.set_flags(&DeviceFlags::new().host_wait(HostWait::Blocking))?;
/// assert_eq!(device.flags()?.wait(), HostWait::Blocking);
/// # device.set_flags(&DeviceFlags::new())?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceFlags {
    wait: HostWait,
    map_host: bool,
    keep_local_memory: bool,
}

impl DeviceFlags {
    /// The driver's defaults.
    ///
    /// ```
    /// use ptyx::DeviceFlags;
    /// assert_eq!(DeviceFlags::new(), DeviceFlags::default());
    /// ```
    pub const fn new() -> DeviceFlags {
        DeviceFlags { wait: HostWait::Auto, map_host: false, keep_local_memory: false }
    }

    /// How the host waits for the device.
    ///
    /// ```
    /// use ptyx::{DeviceFlags, HostWait};
    /// let flags = DeviceFlags::new().host_wait(HostWait::Yield);
    /// assert_eq!(flags.wait(), HostWait::Yield);
    /// ```
    #[doc(alias = "cudaDeviceScheduleBlockingSync")]
    pub const fn host_wait(mut self, wait: HostWait) -> DeviceFlags {
        self.wait = wait;
        self
    }

    /// Whether host memory can be mapped. Every driver that Ptyx supports can map it, whatever the flag says.
    ///
    /// ```
    /// assert!(ptyx::DeviceFlags::new().map_host(true).maps_host());
    /// ```
    #[doc(alias = "cudaDeviceMapHost")]
    pub const fn map_host(mut self, map: bool) -> DeviceFlags {
        self.map_host = map;
        self
    }

    /// Whether the local memory for stacks keeps the largest size that a kernel has needed, so that it need not be
    /// allocated again.
    ///
    /// ```
    /// assert!(ptyx::DeviceFlags::new().keep_local_memory(true).keeps_local_memory());
    /// ```
    #[doc(alias = "cudaDeviceLmemResizeToMax")]
    pub const fn keep_local_memory(mut self, keep: bool) -> DeviceFlags {
        self.keep_local_memory = keep;
        self
    }

    /// How the host waits.
    ///
    /// ```
    /// use ptyx::{DeviceFlags, HostWait};
    /// assert_eq!(DeviceFlags::new().wait(), HostWait::Auto);
    /// ```
    pub const fn wait(&self) -> HostWait {
        self.wait
    }

    /// Whether the flag for mapped host memory is set.
    ///
    /// ```
    /// assert!(!ptyx::DeviceFlags::new().maps_host());
    /// ```
    pub const fn maps_host(&self) -> bool {
        self.map_host
    }

    /// Whether the memory for stacks is kept.
    ///
    /// ```
    /// assert!(!ptyx::DeviceFlags::new().keeps_local_memory());
    /// ```
    pub const fn keeps_local_memory(&self) -> bool {
        self.keep_local_memory
    }

    /// The driver's bits.
    fn bits(self) -> CUctx_flags {
        let wait = match self.wait {
            HostWait::Auto => CU_CTX_SCHED_AUTO,
            HostWait::Spin => CU_CTX_SCHED_SPIN,
            HostWait::Yield => CU_CTX_SCHED_YIELD,
            HostWait::Blocking => CU_CTX_SCHED_BLOCKING_SYNC,
        };
        let map = if self.map_host { CU_CTX_MAP_HOST } else { 0 };
        let keep = if self.keep_local_memory { CU_CTX_LMEM_RESIZE_TO_MAX } else { 0 };
        wait | map | keep
    }

    fn of(bits: CUctx_flags) -> DeviceFlags {
        let wait = match bits & CU_CTX_SCHED_MASK {
            CU_CTX_SCHED_SPIN => HostWait::Spin,
            CU_CTX_SCHED_YIELD => HostWait::Yield,
            CU_CTX_SCHED_BLOCKING_SYNC => HostWait::Blocking,
            _ => HostWait::Auto,
        };
        let (map_host, keep) = (bits & CU_CTX_MAP_HOST, bits & CU_CTX_LMEM_RESIZE_TO_MAX);
        DeviceFlags { wait, map_host: map_host != 0, keep_local_memory: keep != 0 }
    }
}

/// The preferred use of the memory that a multiprocessor divides into L1 cache and shared memory, for a device or for
/// one kernel ([`CUfunc_cache`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)).
///
/// ```
/// use ptyx::{CachePreference, Device};
/// let device = Device::current()?;
/// device.set_cache_preference(CachePreference::Shared)?; // tiles are in shared memory
/// # assert!(!device.is_emulated() || device.cache_preference()? == CachePreference::Shared);
/// # device.set_cache_preference(CachePreference::None)?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CachePreference {
    /// No preference.
    #[default]
    None,
    /// More shared memory.
    Shared,
    /// More L1 cache.
    L1,
    /// The same amount of each.
    Equal,
}

impl CachePreference {
    /// The driver's number.
    pub(crate) fn config(self) -> CUfunc_cache {
        match self {
            CachePreference::None => CU_FUNC_CACHE_PREFER_NONE,
            CachePreference::Shared => CU_FUNC_CACHE_PREFER_SHARED,
            CachePreference::L1 => CU_FUNC_CACHE_PREFER_L1,
            CachePreference::Equal => CU_FUNC_CACHE_PREFER_EQUAL,
        }
    }
}

/// How wide the banks of shared memory are.
///
/// ```
/// use ptyx::{Device, SharedBanks};
/// let device = Device::current()?;
/// assert!(device.compute_capability() >= (5, 0));
/// assert_eq!(device.shared_banks()?, SharedBanks::FourBytes);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SharedBanks {
    /// The device's default.
    #[default]
    Default,
    /// 4 bytes, as on all devices since compute capability 5.0.
    FourBytes,
    /// 8 bytes.
    EightBytes,
}

impl SharedBanks {
    /// The driver's number.
    pub(crate) fn config(self) -> CUsharedconfig {
        match self {
            SharedBanks::Default => CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE,
            SharedBanks::FourBytes => CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE,
            SharedBanks::EightBytes => CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE,
        }
    }
}

impl Device {
    /// The device's flags ([`cuDevicePrimaryCtxGetState`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html)).
    ///
    /// ```
    /// use ptyx::{Device, DeviceFlags, HostWait};
    /// let device = Device::current()?;
    /// device.set_flags(&DeviceFlags::new().host_wait(HostWait::Spin))?;
    /// assert_eq!(device.flags()?.wait(), HostWait::Spin);
    /// # device.set_flags(&DeviceFlags::new())?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaGetDeviceFlags")]
    pub fn flags(&self) -> Result<DeviceFlags> {
        Ok(DeviceFlags::of(self.0.flags()?))
    }

    /// Sets the device's flags ([`cuDevicePrimaryCtxSetFlags`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PRIMARY__CTX.html)).
    ///
    /// ```
    /// use ptyx::{Device, DeviceFlags, HostWait};
    /// let device = Device::current()?;
    /// let before = device.flags()?;
    /// device.set_flags(&DeviceFlags::new().host_wait(HostWait::Yield))?;
    /// assert_eq!(device.flags()?.wait(), HostWait::Yield);
    /// device.set_flags(&before)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), also from drivers before CUDA 11, which take flags only before the
    /// device is first used.
    #[doc(alias = "cudaSetDeviceFlags")]
    pub fn set_flags(&self, flags: &DeviceFlags) -> Result<()> {
        self.0.set_flags(flags.bits())
    }

    /// Whether the L1 cache or shared memory is preferred ([`cuCtxGetCacheConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
    ///
    /// ```
    /// use ptyx::{CachePreference, Device};
    /// assert_eq!(Device::current()?.cache_preference()?, CachePreference::None);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaDeviceGetCacheConfig")]
    pub fn cache_preference(&self) -> Result<CachePreference> {
        Ok(match self.0.cache_config()? {
            CU_FUNC_CACHE_PREFER_SHARED => CachePreference::Shared,
            CU_FUNC_CACHE_PREFER_L1 => CachePreference::L1,
            CU_FUNC_CACHE_PREFER_EQUAL => CachePreference::Equal,
            _ => CachePreference::None,
        })
    }

    /// Sets whether the L1 cache or shared memory is preferred, for kernels without a preference of their own
    /// ([`cuCtxSetCacheConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)). A hint: a device whose sizes are fixed ignores it.
    ///
    /// ```
    /// use ptyx::{CachePreference, Device};
    /// let device = Device::current()?;
    /// device.set_cache_preference(CachePreference::L1)?;
    /// # device.set_cache_preference(CachePreference::None)?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaDeviceSetCacheConfig")]
    pub fn set_cache_preference(&self, preference: CachePreference) -> Result<()> {
        self.0.set_cache_config(preference.config())
    }

    /// How wide the banks of shared memory are ([`cuCtxGetSharedMemConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html), deprecated since CUDA 12.4).
    ///
    /// ```
    /// // As on all devices since compute capability 5.0.
    /// assert_eq!(ptyx::Device::current()?.shared_banks()?, ptyx::SharedBanks::FourBytes);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaDeviceGetSharedMemConfig")]
    pub fn shared_banks(&self) -> Result<SharedBanks> {
        Ok(match self.0.shared_config()? {
            CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE => SharedBanks::FourBytes,
            CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE => SharedBanks::EightBytes,
            _ => SharedBanks::Default,
        })
    }

    /// Sets how wide the banks of shared memory are ([`cuCtxSetSharedMemConfig`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html), deprecated since CUDA 12.4).
    /// Devices since compute capability 5.0 ignore it.
    ///
    /// ```
    /// use ptyx::{Device, SharedBanks};
    /// let device = Device::current()?;
    /// device.set_shared_banks(SharedBanks::EightBytes)?;
    /// assert_eq!(device.shared_banks()?, SharedBanks::FourBytes); // ignored
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaDeviceSetSharedMemConfig")]
    pub fn set_shared_banks(&self, banks: SharedBanks) -> Result<()> {
        self.0.set_shared_config(banks.config())
    }

    /// Resets all persisting lines of the L2 cache to normal ([`cuCtxResetPersistingL2Cache`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)).
    ///
    /// ```
    /// ptyx::Device::current()?.reset_persisting_l2()?;
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaCtxResetPersistingL2Cache")]
    pub fn reset_persisting_l2(&self) -> Result<()> {
        self.0.bind()?;
        // SAFETY: no precondition.
        Ok(unsafe { self.0.driver.cuCtxResetPersistingL2Cache() }?)
    }

    /// The priorities that streams can have ([`cuCtxGetStreamPriorityRange`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__CTX.html)): the start is the most urgent
    /// one, the end the least. Both are 0 if streams have no priorities.
    ///
    /// ```
    /// let priorities = ptyx::Device::current()?.stream_priorities()?;
    /// assert!(priorities.contains(&0));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaDeviceGetStreamPriorityRange")]
    pub fn stream_priorities(&self) -> Result<RangeInclusive<i32>> {
        let (least, greatest) = self.0.stream_priorities()?;
        Ok(greatest..=least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::driver::types::CUDA_ERROR_INVALID_VALUE;
    use crate::{DeviceBuffer, Error, LaunchConfig, Module, Stream};

    /// Stores its argument through shared memory.
    const PTX: &str = ".version 6.3\n.target sm_70\n.address_size 64
        .visible .entry through(.param .u64 to, .param .u32 value)
        { .shared .align 8 .b8 memory[64]; .reg .b32 %r<3>; .reg .b64 %rd;
          ld.param.u64 %rd, [to]; ld.param.u32 %r0, [value]; st.shared.u32 [memory], %r0;
          ld.shared.u32 %r1, [memory]; st.global.u32 [%rd], %r1; ret; }";

    /// Devices since compute capability 5.0 have banks of 4 bytes, whatever is asked for; kernels compute the same.
    #[test]
    fn banks_can_be_asked_for() {
        let device = Device::current().unwrap();
        let through = Module::from_ptx(PTX).unwrap().function("through").unwrap();
        let mut number = DeviceBuffer::<u32>::zeroed(1).unwrap();
        for (value, banks) in
            [SharedBanks::FourBytes, SharedBanks::EightBytes, SharedBanks::Default]
                .into_iter()
                .enumerate()
        {
            device.set_shared_banks(banks).unwrap();
            through.set_shared_banks(banks).unwrap();
            assert_eq!(device.shared_banks().unwrap(), SharedBanks::FourBytes);
            let value = value as u32 + 70;
            // SAFETY: one thread stores one number.
            unsafe { through.launch(LaunchConfig::new(), (&mut number, value)) }.unwrap();
            assert_eq!(number.to_vec().unwrap(), [value]);
        }
        let refused = device.0.set_shared_config(99);
        let code = CUDA_ERROR_INVALID_VALUE;
        assert!(matches!(refused, Err(Error::Driver { code: found, .. }) if found == code));
    }

    /// The memory that a function's blocks can have, in agreement with how many of them run.
    #[test]
    fn available_memory_and_active_blocks_agree() {
        let through = Module::from_ptx(PTX).unwrap().function("through").unwrap();
        let attributes = Device::current().unwrap().attributes().unwrap();
        for threads in [32, 256, 1024] {
            let most = through.active_blocks(threads, 0).unwrap();
            let mut last = usize::MAX;
            for blocks in 1..=most.min(6) {
                let bytes = through.available_shared(blocks, threads).unwrap();
                assert!(
                    bytes <= last && bytes <= attributes.shared_memory_per_multiprocessor as usize
                );
                // A GPU's driver does not count what each block reserves: an H200's left room for one block less.
                let room = through.active_blocks(threads, bytes).unwrap();
                let is_emulated = Device::current().unwrap().is_emulated();
                assert!(room >= blocks || !is_emulated, "{threads} {blocks} {room}");
                last = bytes;
            }
            let fraction = through.occupancy_fraction(threads, 0).unwrap();
            let all = f64::from(attributes.max_threads_per_multiprocessor / 32);
            assert_eq!(fraction, f64::from(most * threads.div_ceil(32)) / all);
        }
    }

    #[test]
    fn persisting_lines_are_reset() {
        let device = Device::current().unwrap();
        let stream = Stream::new().unwrap();
        let mut buffer = DeviceBuffer::<u32>::zeroed(100).unwrap();
        let policy = crate::AccessPolicy::of(&buffer, crate::AccessKind::Persisting);
        stream.set_access_policy(Some(&policy)).unwrap();
        buffer.fill_on(5, &stream).unwrap();
        device.reset_persisting_l2().unwrap();
        assert_eq!(buffer.to_vec().unwrap(), [5; 100]);
    }
}
