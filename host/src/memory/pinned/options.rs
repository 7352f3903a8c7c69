//! How host memory is pinned.

use crate::driver::types::*;
use core::ffi::c_uint;

/// How host memory is pinned, for [`PinnedBuffer::zeroed_with`](crate::PinnedBuffer::zeroed_with) and
/// [`PinnedBuffer::from_vec_with`](crate::PinnedBuffer::from_vec_with)
/// ([`cuMemHostAlloc`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MEM.html)).
///
/// ```
/// use ptyx::PinnedOptions;
/// let options = PinnedOptions::new();
/// assert!(options.is_mapped() && options.is_portable() && !options.is_write_combined());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PinnedOptions {
    mapped: bool,
    portable: bool,
    write_combined: bool,
}

impl Default for PinnedOptions {
    fn default() -> Self {
        PinnedOptions::new()
    }
}

impl PinnedOptions {
    /// Mapped and portable, not write-combined.
    ///
    /// ```
    /// let buffer = ptyx::PinnedBuffer::<u32>::zeroed_with(3, &ptyx::PinnedOptions::new())?;
    /// assert_eq!(*buffer, [0; 3]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn new() -> PinnedOptions {
        PinnedOptions { mapped: true, portable: true, write_combined: false }
    }

    /// Whether kernels can use the memory in place. The default is `true`.
    ///
    /// ```
    /// assert!(!ptyx::PinnedOptions::new().mapped(false).is_mapped());
    /// ```
    pub const fn mapped(self, mapped: bool) -> PinnedOptions {
        PinnedOptions { mapped, ..self }
    }

    /// Whether it is pinned for all devices, not only for the thread's current one. The default is `true`.
    ///
    /// ```
    /// assert!(!ptyx::PinnedOptions::new().portable(false).is_portable());
    /// ```
    pub const fn portable(self, portable: bool) -> PinnedOptions {
        PinnedOptions { portable, ..self }
    }

    /// Whether it is write-combined, that is, not cached by the host. The device may then read it faster; the host writes
    /// it fast only in order, and reads it very slowly. The default is `false`.
    ///
    /// ```
    /// // For data that the host writes once, and a device reads.
    /// assert!(ptyx::PinnedOptions::new().write_combined(true).is_write_combined());
    /// ```
    pub const fn write_combined(self, write_combined: bool) -> PinnedOptions {
        PinnedOptions { write_combined, ..self }
    }

    /// Whether kernels can use the memory in place.
    ///
    /// ```
    /// assert!(ptyx::PinnedOptions::new().is_mapped());
    /// ```
    pub const fn is_mapped(&self) -> bool {
        self.mapped
    }

    /// Whether it is pinned for all devices.
    ///
    /// ```
    /// assert!(ptyx::PinnedOptions::new().is_portable());
    /// ```
    pub const fn is_portable(&self) -> bool {
        self.portable
    }

    /// Whether it is write-combined.
    ///
    /// ```
    /// assert!(!ptyx::PinnedOptions::new().is_write_combined());
    /// ```
    pub const fn is_write_combined(&self) -> bool {
        self.write_combined
    }

    /// The flags of `cuMemHostRegister`, which has none for write-combined memory.
    pub(super) fn register_flags(self) -> CUmemhostregister_flags {
        [(self.mapped, CU_MEMHOSTREGISTER_DEVICEMAP), (self.portable, CU_MEMHOSTREGISTER_PORTABLE)]
            .into_iter()
            .filter(|(is_set, _)| *is_set)
            .fold(0, |flags, (_, flag)| flags | flag)
    }

    pub(super) fn flags(self) -> c_uint {
        [
            (self.mapped, CU_MEMHOSTALLOC_DEVICEMAP),
            (self.portable, CU_MEMHOSTALLOC_PORTABLE),
            (self.write_combined, CU_MEMHOSTALLOC_WRITECOMBINED),
        ]
        .into_iter()
        .fold(0, |flags, (is_set, flag)| flags | if is_set { flag } else { 0 })
    }

    pub(super) fn of_flags(flags: c_uint) -> PinnedOptions {
        let has = |flag| flags & flag != 0;
        PinnedOptions {
            mapped: has(CU_MEMHOSTALLOC_DEVICEMAP),
            portable: has(CU_MEMHOSTALLOC_PORTABLE),
            write_combined: has(CU_MEMHOSTALLOC_WRITECOMBINED),
        }
    }
}
