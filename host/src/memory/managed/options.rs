//! Advice on managed memory, and its attributes.

use crate::device_api::Device;
use crate::driver::types::*;
use core::ffi::{c_int, c_uint};

/// Where managed memory is, or where it is used.
///
/// ```
/// use ptyx::{Device, ManagedBuffer, MemoryLocation};
/// let numbers = ManagedBuffer::from_slice(&[1u32; 1000])?;
/// // Kernels of this device use them next, then the host.
/// for place in [MemoryLocation::Device(Device::current()?), MemoryLocation::Host] {
///     numbers.prefetch(.., place)?;
///     assert_eq!(numbers.attributes(..)?.last_prefetch, Some(place));
/// }
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryLocation {
    /// The host.
    Host,
    /// A device.
    Device(Device),
}

impl MemoryLocation {
    pub(super) fn number(self) -> CUdevice {
        match self {
            MemoryLocation::Host => CU_DEVICE_CPU,
            MemoryLocation::Device(device) => device.0.device,
        }
    }

    pub(super) fn of_number(number: c_int) -> Option<MemoryLocation> {
        match number {
            CU_DEVICE_CPU => Some(MemoryLocation::Host),
            _ => Device::get(u32::try_from(number).ok()?).ok().map(MemoryLocation::Device),
        }
    }
}

/// How managed memory will be used, for [`ManagedBuffer::advise`](crate::ManagedBuffer::advise).
///
/// ```
/// use ptyx::{Device, ManagedBuffer, MemoryAdvice, MemoryLocation};
/// let device = MemoryLocation::Device(Device::current()?);
/// let numbers = ManagedBuffer::from_slice(&[1u32; 1000])?;
/// // The device keeps them; the host reads one now and then, over the bus.
/// numbers.advise(.., MemoryAdvice::PreferredLocation(device))?;
/// numbers.advise(.., MemoryAdvice::AccessedBy(MemoryLocation::Host))?;
/// assert_eq!(numbers.attributes(..)?.preferred_location, Some(device));
/// numbers.advise(.., MemoryAdvice::NoPreferredLocation)?;
/// assert_eq!(numbers.attributes(..)?.preferred_location, None);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryAdvice {
    /// It is mostly read: the host and each device may keep a copy of their own until a write.
    ReadMostly,
    /// Takes back [`MemoryAdvice::ReadMostly`].
    NotReadMostly,
    /// It should stay there. The others access it over the bus where they can.
    PreferredLocation(MemoryLocation),
    /// Takes back [`MemoryAdvice::PreferredLocation`].
    NoPreferredLocation,
    /// The host or the device accesses it, and should have it mapped wherever it is.
    AccessedBy(MemoryLocation),
    /// Takes back [`MemoryAdvice::AccessedBy`].
    NotAccessedBy(MemoryLocation),
}

impl MemoryAdvice {
    /// The driver's numbers. The location must exist even where the driver ignores it.
    pub(super) fn parts(self) -> (CUmem_advise, CUdevice) {
        match self {
            MemoryAdvice::ReadMostly => (CU_MEM_ADVISE_SET_READ_MOSTLY, CU_DEVICE_CPU),
            MemoryAdvice::NotReadMostly => (CU_MEM_ADVISE_UNSET_READ_MOSTLY, CU_DEVICE_CPU),
            MemoryAdvice::PreferredLocation(place) => {
                (CU_MEM_ADVISE_SET_PREFERRED_LOCATION, place.number())
            }
            MemoryAdvice::NoPreferredLocation => {
                (CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, CU_DEVICE_CPU)
            }
            MemoryAdvice::AccessedBy(place) => (CU_MEM_ADVISE_SET_ACCESSED_BY, place.number()),
            MemoryAdvice::NotAccessedBy(place) => (CU_MEM_ADVISE_UNSET_ACCESSED_BY, place.number()),
        }
    }
}

/// How managed memory is allocated, for [`ManagedBuffer::zeroed_with`](crate::ManagedBuffer::zeroed_with) and
/// [`ManagedBuffer::from_slice_with`](crate::ManagedBuffer::from_slice_with)
/// ([`cuMemAllocManaged`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__UNIFIED.html)).
///
/// ```
/// assert!(!ptyx::ManagedOptions::new().is_host_only());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ManagedOptions {
    host_only: bool,
}

impl ManagedOptions {
    /// Memory for the host and all streams.
    ///
    /// ```
    /// let numbers = ptyx::ManagedBuffer::<u32>::zeroed_with(3, &ptyx::ManagedOptions::new())?;
    /// assert_eq!(numbers.as_slice().to_vec()?, [0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn new() -> ManagedOptions {
        ManagedOptions { host_only: false }
    }

    /// Whether only the host may use it until [`ManagedBuffer::attach`](crate::ManagedBuffer::attach) gives it to a stream, or
    /// to all (`cudaMemAttachHost`). The default is `false`.
    ///
    /// ```
    /// assert!(ptyx::ManagedOptions::new().host_only(true).is_host_only());
    /// ```
    pub const fn host_only(self, host_only: bool) -> ManagedOptions {
        ManagedOptions { host_only }
    }

    /// Whether at first only the host may use it.
    ///
    /// ```
    /// assert!(!ptyx::ManagedOptions::new().is_host_only());
    /// ```
    pub const fn is_host_only(&self) -> bool {
        self.host_only
    }
}

/// Who may use managed memory, for [`ManagedBuffer::attach`](crate::ManagedBuffer::attach).
///
/// ```
/// use ptyx::{Error, ManagedBuffer, ManagedUse, Stream};
/// let stream = Stream::new()?;
/// let mut table = ManagedBuffer::<u32>::zeroed(100)?;
/// table.attach(ManagedUse::Host, &stream)?;
/// let refused = table.as_slice_mut().fill_on(1, &stream);
/// assert!(matches!(refused, Err(Error::Attached { .. })));
/// table.attach(ManagedUse::All, &stream)?;
/// table.as_slice_mut().fill_on(1, &stream)?;
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ManagedUse {
    /// The host, and any stream of any device.
    #[default]
    All,
    /// The host only.
    Host,
    /// The host, and the stream that is passed to the call.
    OneStream,
}

impl ManagedUse {
    pub(super) fn flag(self) -> c_uint {
        match self {
            ManagedUse::All => CU_MEM_ATTACH_GLOBAL,
            ManagedUse::Host => CU_MEM_ATTACH_HOST,
            ManagedUse::OneStream => CU_MEM_ATTACH_SINGLE,
        }
    }
}

/// Attributes of managed memory, from [`ManagedBuffer::attributes`](crate::ManagedBuffer::attributes).
///
/// ```
/// use ptyx::{ManagedBuffer, MemoryAdvice, MemoryLocation};
/// let numbers = ManagedBuffer::from_slice(&[1u32; 1000])?;
/// numbers.advise(.., MemoryAdvice::PreferredLocation(MemoryLocation::Host))?;
/// let attributes = numbers.attributes(..)?;
/// assert_eq!(attributes.preferred_location, Some(MemoryLocation::Host));
/// assert_eq!((attributes.read_mostly, attributes.last_prefetch), (false, None));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManagedAttributes {
    /// Whether [`MemoryAdvice::ReadMostly`] is set for all of it.
    pub read_mostly: bool,
    /// The preferred location, if all of it has the same one.
    pub preferred_location: Option<MemoryLocation>,
    /// The locations for which [`MemoryAdvice::AccessedBy`] is set for all of it.
    pub accessed_by: Vec<MemoryLocation>,
    /// Where it was last prefetched to, if that is the same for all of it. It may have moved since.
    pub last_prefetch: Option<MemoryLocation>,
}

impl ManagedAttributes {
    /// Those of no elements.
    pub(super) const NONE: ManagedAttributes = ManagedAttributes {
        read_mostly: false,
        preferred_location: None,
        accessed_by: Vec::new(),
        last_prefetch: None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Error, ManagedBuffer, Stream};

    #[test]
    fn memory_of_the_host_alone_is_lent_later() {
        if !Device::current().unwrap().is_emulated() {
            return;
        }
        let (own, other) = (Stream::new().unwrap(), Stream::new().unwrap());
        let options = ManagedOptions::new().host_only(true);
        let mut numbers = ManagedBuffer::<u32>::zeroed_with(100, &options).unwrap();
        assert_eq!(*numbers, [0; 100]);
        numbers[3] = 5;
        let refused = numbers.as_slice_mut().fill_on(1, &own);
        assert!(matches!(refused, Err(Error::Attached { to: "the host" })), "{refused:?}");
        numbers.attach(ManagedUse::OneStream, &own).unwrap();
        numbers.as_slice_mut().slice_mut(..2).fill_on(1, &own).unwrap();
        assert!(numbers.as_slice_mut().fill_on(1, &other).is_err());
        assert_eq!(numbers[..4], [1, 1, 0, 5]);
        numbers.attach(ManagedUse::All, &own).unwrap();
        numbers.as_slice_mut().fill_on(2, &other).unwrap();
        assert_eq!(*numbers, [2; 100]);
        let plain = ManagedBuffer::from_slice_with(&[1u32, 2], &ManagedOptions::new()).unwrap();
        assert_eq!(plain.as_slice().to_vec().unwrap(), [1, 2]);
        assert!(ManagedBuffer::<u32>::zeroed_with(0, &options).unwrap().is_empty());
    }
}
