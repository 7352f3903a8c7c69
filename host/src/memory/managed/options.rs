//! What the driver is told of managed memory, and tells.

use crate::device_api::Device;
use crate::driver::types::*;
use core::ffi::{c_int, c_uint};

/// Where managed memory is, or is used.
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

/// How managed memory is going to be used: [`ManagedBuffer::advise`](crate::ManagedBuffer::advise).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryAdvice {
    /// Mostly read: each place can have a copy of its own, until somebody writes.
    ReadMostly,
    /// No longer so.
    NotReadMostly,
    /// It should stay there; others use it over the bus where they can.
    PreferredLocation(MemoryLocation),
    /// It may be anywhere.
    NoPreferredLocation,
    /// This place uses it, and should have it mapped wherever it is.
    AccessedBy(MemoryLocation),
    /// No longer so.
    NotAccessedBy(MemoryLocation),
}

impl MemoryAdvice {
    /// The driver's numbers. A place must be one that there is, also where it does not matter.
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

/// Who uses managed memory: [`ManagedBuffer::attach`](crate::ManagedBuffer::attach).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ManagedUse {
    /// The host, and any stream of any device.
    #[default]
    All,
    /// The host only.
    Host,
    /// The host, and the stream that is named in the call.
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

/// What the driver knows of managed memory: [`ManagedBuffer::attributes`](crate::ManagedBuffer::attributes).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ManagedAttributes {
    /// Whether all of it is mostly read.
    pub read_mostly: bool,
    /// Where all of it should stay.
    pub preferred_location: Option<MemoryLocation>,
    /// Who was said to use all of it.
    pub accessed_by: Vec<MemoryLocation>,
    /// Where all of it was prefetched to last. It may have moved since.
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
