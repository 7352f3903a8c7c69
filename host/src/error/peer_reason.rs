//! Why a device can't use another one's memory.

/// Why a device can't use another one's memory.
///
/// ```
/// use ptyx::{Error, PeerReason};
/// /// Whether it helps to copy the memory to the kernel's device.
/// fn copying_helps(error: &Error) -> bool {
///     matches!(error, Error::PeerAccess { reason: PeerReason::NoLink | PeerReason::Foreign, .. })
/// }
/// let error = Error::PeerAccess { device: 0, owner: 1, reason: PeerReason::NoLink };
/// assert!(copying_helps(&error));
/// assert!(error.to_string().contains("copy_from_buffer_on"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PeerReason {
    /// The devices are no [peers](crate::Device::can_access_peer).
    NoLink,
    /// A [`GrowableBuffer`](crate::GrowableBuffer) that was not made for the device.
    Growable,
    /// Memory of another library or process, which grants its own access.
    Foreign,
    /// Memory that a graph of the other device allocates.
    Graph,
}

impl core::fmt::Display for PeerReason {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            PeerReason::NoLink => {
                "the devices have no access to each other's memory (`Device::can_access_peer`). Copy it with \
                 `copy_from_buffer_on`, which needs no access, or use a `ManagedBuffer`"
            }
            PeerReason::Growable => {
                "it is a `GrowableBuffer` that was not made for that device: name the device in \
                 `GrowableBuffer::with_capacity_for`"
            }
            PeerReason::Foreign => {
                "it belongs to another library or process, so that Ptyx can't enable the access: copy it with \
                 `copy_from_buffer_on`"
            }
            PeerReason::Graph => "a graph of its device allocates it, and only that device's nodes can use it",
        })
    }
}
