//! What two devices can do with each other.

use super::Device;
use crate::driver::types::*;
use crate::error::Result;

/// An attribute of the link between two devices, for [`Device::peer_attribute`]
/// ([`CUdevice_P2PAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
///
/// ```
/// use ptyx::{Device, PeerAttribute};
/// let device = Device::current()?;
/// for peer in Device::all()?.into_iter().filter(|peer| *peer != device) {
///     let has_atomics = device.peer_attribute(PeerAttribute::NativeAtomicSupported, &peer)?;
///     println!("atomic operations on {}: {}", peer.name(), has_atomics != 0);
/// }
/// // A device has no link to itself.
/// assert!(device.peer_attribute(PeerAttribute::AccessSupported, &device).is_err());
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PeerAttribute {
    /// The link's relative performance: 0 is the fastest.
    PerformanceRank,
    /// 1 if kernels of the one can use the memory of the other.
    AccessSupported,
    /// 1 if all native atomic operations work over the link.
    NativeAtomicSupported,
    /// 1 if kernels of the one can use CUDA arrays of the other.
    CudaArrayAccessSupported,
}

/// For whom [`Device::flush_rdma_writes`] flushes writes.
///
/// ```
/// use ptyx::{Device, Error, FlushScope};
/// let device = Device::current()?;
/// // Kernels of other devices, too, will read what a network card has written.
/// match device.flush_rdma_writes(FlushScope::AllDevices) {
///     Err(Error::Driver { name, .. }) => assert_eq!(name, "CUDA_ERROR_NOT_SUPPORTED"),
///     flushed => flushed?,
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlushScope {
    /// For the device that has the memory.
    Owner,
    /// For all devices.
    AllDevices,
}

impl Device {
    /// Waits until everything that other devices on the bus (network cards, disks) have written into this device's memory so
    /// far is visible to the devices of `scope`
    /// ([`cuFlushGPUDirectRDMAWrites`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)). A program calls
    /// this after it has learned of the writes, and before it launches a kernel that reads them.
    ///
    /// ```
    /// use ptyx::{Device, Error, FlushScope};
    /// // A network card has written into the device's memory, and has told the host so.
    /// match Device::current()?.flush_rdma_writes(FlushScope::Owner) {
    ///     Ok(()) => {} // kernels that are launched from here on see it
    ///     Err(Error::Driver { name, .. }) => assert_eq!(name, "CUDA_ERROR_NOT_SUPPORTED"),
    ///     Err(error) => return Err(error),
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) with `CUDA_ERROR_NOT_SUPPORTED` on devices without GPUDirect RDMA, such as the
    /// emulated one.
    #[doc(alias("cudaDeviceFlushGPUDirectRDMAWrites", "cuFlushGPUDirectRDMAWrites"))]
    pub fn flush_rdma_writes(&self, scope: FlushScope) -> Result<()> {
        let scope = match scope {
            FlushScope::Owner => CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER,
            FlushScope::AllDevices => CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES,
        };
        self.0.bind()?;
        let target = CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX;
        // SAFETY: no precondition.
        Ok(unsafe { self.0.driver.cuFlushGPUDirectRDMAWrites(target, scope) }?)
    }

    /// An attribute of the link between this device and another one ([`cuDeviceGetP2PAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// use ptyx::{Device, PeerAttribute};
    /// if let [first, second, ..] = Device::all()?[..] {
    ///     println!("rank {}", first.peer_attribute(PeerAttribute::PerformanceRank, &second)?);
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) if both are the same device.
    #[doc(alias = "cudaDeviceGetP2PAttribute")]
    pub fn peer_attribute(&self, attribute: PeerAttribute, peer: &Device) -> Result<i32> {
        let number = match attribute {
            PeerAttribute::PerformanceRank => CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK,
            PeerAttribute::AccessSupported => CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED,
            PeerAttribute::NativeAtomicSupported => CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED,
            PeerAttribute::CudaArrayAccessSupported => {
                CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED
            }
        };
        let (mut value, this, other) = (0, self.0.device, peer.0.device);
        // SAFETY: the place is valid.
        unsafe { self.0.driver.cuDeviceGetP2PAttribute(&mut value, number, this, other) }?;
        Ok(value)
    }

    /// Whether kernels of this device can use the memory of another one, once that is enabled
    /// ([`cuDeviceGetP2PAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)). A device is
    /// not a peer of itself. The first launch that is given a buffer of the other device enables it.
    ///
    /// ```
    /// use ptyx::Device;
    /// let device = Device::current()?;
    /// assert!(!device.can_access_peer(&device)?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias = "cudaDeviceCanAccessPeer")]
    pub fn can_access_peer(&self, peer: &Device) -> Result<bool> {
        Ok(self != peer && self.peer_attribute(PeerAttribute::AccessSupported, peer)? != 0)
    }
}
