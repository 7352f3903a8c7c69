//! The memories of several devices, and frees while kernels run.

use super::{DEVICE_WINDOW, Memory};

/// Distance of the devices' address windows (log2): far more than all addresses that are ever handed
/// out.
const DEVICE_STRIDE: u32 = 48;

/// Keeps the bytes of what is freed until it is dropped: a running kernel may still access them through
/// [`Span`](super::Span)s that it found earlier.
pub(crate) struct Hold<'a>(&'a Memory);

impl Drop for Hold<'_> {
    fn drop(&mut self) {
        let mut table = self.0.write();
        table.holds -= 1;
        if table.holds == 0 {
            table.doomed.clear();
        }
    }
}

impl Memory {
    /// The memory of device number `device`; each has addresses of its own.
    pub(crate) fn of_device(device: usize) -> Memory {
        let memory = Memory::new();
        memory.write().next = DEVICE_WINDOW + ((device as u64) << DEVICE_STRIDE);
        memory
    }

    /// The number of the device whose memory would be at an address.
    pub(crate) fn device_of(address: u64) -> usize {
        (address >> DEVICE_STRIDE) as usize
    }

    /// What is freed from now on keeps its bytes until the hold is dropped.
    pub(crate) fn hold(&self) -> Hold<'_> {
        self.write().holds += 1;
        Hold(self)
    }

    /// Whether a kernel may still access what is freed.
    pub(crate) fn is_held(&self) -> bool {
        self.read().holds > 0
    }
}

#[cfg(test)]
mod tests {
    use crate::memory::{Kind, Memory};

    #[test]
    fn devices_have_addresses_of_their_own() {
        for device in [0, 1, 63] {
            let memory = Memory::of_device(device);
            let address = memory.allocate(100, Kind::Device).unwrap();
            assert_eq!(Memory::device_of(address), device);
            assert!(memory.span(address, 100).is_some());
        }
    }

    #[test]
    fn bytes_outlive_a_free_while_they_are_held() {
        let memory = Memory::of_device(0);
        let address = memory.allocate(8, Kind::Device).unwrap();
        let span = memory.span(address, 8).unwrap();
        let (first, second) = (memory.hold(), memory.hold());
        assert!(memory.free(address));
        drop(first);
        assert!(memory.is_held() && memory.span(address, 1).is_none());
        // SAFETY: the second hold keeps the eight bytes.
        assert_eq!(unsafe { span.data.cast::<u64>().read() }, 0);
        assert_eq!(memory.read().doomed.len(), 1);
        drop(second);
        assert!(!memory.is_held() && memory.read().doomed.is_empty());
    }
}
