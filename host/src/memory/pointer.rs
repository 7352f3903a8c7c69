//! What the driver knows about addresses.

use crate::driver::types::*;
use crate::error::Result;
use crate::runtime::current;
use core::ffi::c_void;

/// The kind of memory that an address is in.
///
/// ```
/// use ptyx::{MemoryKind, PinnedBuffer, PointerAttributes};
/// fn kind(address: *const u32) -> ptyx::Result<MemoryKind> {
///     Ok(PointerAttributes::of(address.addr() as u64)?.kind)
/// }
/// let pinned = PinnedBuffer::<u32>::zeroed(10)?;
/// assert_eq!(kind(pinned.as_ptr())?, MemoryKind::Pinned);
/// assert_eq!(kind([0; 10].as_ptr())?, MemoryKind::Unregistered);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MemoryKind {
    /// Host memory that the driver does not know, or no memory.
    Unregistered,
    /// Pinned host memory.
    Pinned,
    /// Device memory.
    Device,
    /// Managed memory.
    Managed,
}

/// What the driver knows about an address
/// ([`cuPointerGetAttributes`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html)).
///
/// ```
/// use ptyx::{DeviceBuffer, MemoryKind, PointerAttributes};
/// let buffer = DeviceBuffer::<u32>::zeroed(100)?;
/// let found = PointerAttributes::of(buffer.device_address() + 40)?;
/// assert_eq!(found.kind, MemoryKind::Device);
/// assert_eq!(found.device, Some(buffer.device_index()));
/// assert!(found.host_address.is_none());
///
/// let local = [0u32; 4];
/// let found = PointerAttributes::of(local.as_ptr().addr() as u64)?;
/// assert_eq!(found.kind, MemoryKind::Unregistered);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PointerAttributes {
    /// The kind of memory.
    pub kind: MemoryKind,
    /// The index of the device on which the memory is, or for which it was pinned or allocated.
    pub device: Option<u32>,
    /// The address for kernels.
    pub device_address: Option<u64>,
    /// The address for the host.
    pub host_address: Option<usize>,
}

impl PointerAttributes {
    /// What the driver knows about an address, on the host or on a device.
    ///
    /// ```
    /// use ptyx::{MemoryKind, PinnedBuffer, PointerAttributes};
    /// let host = PinnedBuffer::<u32>::zeroed(10)?;
    /// let found = PointerAttributes::of(host[4..].as_ptr().addr() as u64)?;
    /// assert_eq!(found.kind, MemoryKind::Pinned);
    /// assert_eq!(found.device_address, Some(host.device_address()? + 16));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver); no usable device.
    #[doc(alias("cudaPointerGetAttributes", "cuPointerGetAttributes"))]
    pub fn of(address: u64) -> Result<PointerAttributes> {
        let context = current()?;
        context.bind()?;
        let mut attributes = [
            CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
            CU_POINTER_ATTRIBUTE_IS_MANAGED,
            CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
            CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
            CU_POINTER_ATTRIBUTE_HOST_POINTER,
        ];
        // Each value has at most eight bytes, of which the first are written.
        let mut values = [0u64; 5];
        let mut places = values.each_mut().map(|value| core::ptr::from_mut(value).cast::<c_void>());
        // SAFETY: as many places as attributes.
        unsafe {
            context.driver.cuPointerGetAttributes(
                attributes.len() as u32,
                attributes.as_mut_ptr(),
                places.as_mut_ptr(),
                address,
            )
        }?;
        let [memory_type, is_managed, device, device_address, host_address] = values;
        let kind = match (memory_type as CUmemorytype, is_managed & 0xff) {
            (0, _) => MemoryKind::Unregistered,
            (_, 1..) => MemoryKind::Managed,
            (CU_MEMORYTYPE_HOST, _) => MemoryKind::Pinned,
            _ => MemoryKind::Device,
        };
        let is_known = kind != MemoryKind::Unregistered;
        let has_host = matches!(kind, MemoryKind::Pinned | MemoryKind::Managed);
        Ok(PointerAttributes {
            kind,
            device: is_known.then_some(device as u32),
            device_address: Some(device_address).filter(|&address| is_known && address != 0),
            host_address: Some(host_address as usize).filter(|&address| has_host && address != 0),
        })
    }
}
