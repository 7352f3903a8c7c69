//! NvSci, on Tegra and Drive.

use super::Device;
use crate::driver::types::*;
use crate::error::Result;
use core::ffi::c_void;

/// What a synchronisation object of NvSci is for, for [`Device::nvsci_sync_attributes`].
///
/// ```
/// use core::ffi::c_void;
/// use ptyx::{Device, NvSciSync, Result};
///
/// /// Describes synchronisation that the device both signals and waits for.
/// ///
/// /// # Safety
/// /// `list` was made by `NvSciSyncAttrListCreate`.
/// unsafe fn describe(list: *mut c_void) -> Result<()> {
///     // SAFETY: the caller's promise.
///     unsafe { Device::current()?.nvsci_sync_attributes(list, NvSciSync::SignalAndWait) }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NvSciSync {
    /// The device signals it.
    Signal,
    /// The device waits for it.
    Wait,
    /// Both.
    SignalAndWait,
}

impl NvSciSync {
    fn flags(self) -> CUnvSciSync_attr {
        match self {
            NvSciSync::Signal => CUDA_NVSCISYNC_ATTR_SIGNAL,
            NvSciSync::Wait => CUDA_NVSCISYNC_ATTR_WAIT,
            NvSciSync::SignalAndWait => CUDA_NVSCISYNC_ATTR_SIGNAL | CUDA_NVSCISYNC_ATTR_WAIT,
        }
    }
}

impl Device {
    /// Fills a list of attributes (`NvSciSyncAttrList`) with what a synchronisation object for this device must have
    /// ([`cuDeviceGetNvSciSyncAttributes`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// use ptyx::{Device, Error, NvSciSync};
    /// // SAFETY: the driver does not use a list that is null.
    /// let told = unsafe {
    ///     Device::current()?.nvsci_sync_attributes(core::ptr::null_mut(), NvSciSync::Wait)
    /// };
    /// assert!(matches!(told, Err(Error::Driver { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver), with `CUDA_ERROR_NOT_SUPPORTED` everywhere but on Tegra and Drive.
    ///
    /// # Safety
    /// `list` is null, or a list of attributes of NvSci.
    #[doc(alias("cudaDeviceGetNvSciSyncAttributes", "cuDeviceGetNvSciSyncAttributes"))]
    pub unsafe fn nvsci_sync_attributes(&self, list: *mut c_void, use_as: NvSciSync) -> Result<()> {
        let (driver, device, flags) = (self.0.driver, self.0.device, use_as.flags());
        // SAFETY: the caller's promise.
        Ok(unsafe { driver.cuDeviceGetNvSciSyncAttributes(list, device, flags) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    /// The driver's own error reaches the caller. A GPU's may find the null list first, and has codes of its own for that.
    #[test]
    fn it_is_not_supported_here() {
        let device = Device::current().unwrap();
        for use_as in [NvSciSync::Signal, NvSciSync::Wait, NvSciSync::SignalAndWait] {
            // SAFETY: no list.
            match unsafe { device.nvsci_sync_attributes(core::ptr::null_mut(), use_as) } {
                Err(Error::Driver { call, code, .. }) => {
                    assert_eq!(call, "cuDeviceGetNvSciSyncAttributes");
                    let is_expected = !device.is_emulated() || code == CUDA_ERROR_NOT_SUPPORTED;
                    assert!(is_expected, "{code}");
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn its_objects_are_not_supported_here() {
        let device = Device::current().unwrap();
        if !device.is_emulated() {
            return;
        }
        let none = core::ptr::null_mut();
        // SAFETY: the emulated device does not look at the object.
        let memory = unsafe { crate::ExternalMemory::import_nvsci(none, 4096, &device) };
        // SAFETY: as above.
        let semaphore = unsafe { crate::ExternalSemaphore::import_nvsci(none, &device) };
        let errors = [memory.map(drop), semaphore.map(drop), device.luid().map(drop)];
        for (result, expected) in errors.into_iter().zip([
            "cuImportExternalMemory",
            "cuImportExternalSemaphore",
            "cuDeviceGetLuid",
        ]) {
            let Err(Error::Driver { call, code, .. }) = result else { panic!("{result:?}") };
            assert_eq!((call, code), (expected, CUDA_ERROR_NOT_SUPPORTED));
        }
    }
}
