//! Finding a device.

use super::Device;
use crate::error::{Error, Result};
use crate::runtime::runtime;
use std::ffi::CString;

impl Device {
    /// The device at a PCI bus address, such as `0000:65:00.0`; domain and function may be left out
    /// ([`cuDeviceGetByPCIBusId`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__DEVICE.html)).
    ///
    /// ```
    /// use ptyx::Device;
    /// let device = Device::current()?;
    /// if let Some(address) = device.pci_bus_id() {
    ///     assert_eq!(Device::by_pci_bus_id(&address)?, device);
    /// }
    /// assert!(Device::by_pci_bus_id("nowhere").is_err());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`] if the text is no address or there is no device; no usable device.
    #[doc(alias = "cudaDeviceGetByPCIBusId")]
    pub fn by_pci_bus_id(address: &str) -> Result<Device> {
        let runtime = runtime()?;
        let text =
            CString::new(address).map_err(|_| Error::BadName { name: address.to_owned() })?;
        let mut device = 0;
        // SAFETY: the place is valid, and the text ends with NUL.
        unsafe { runtime.driver.cuDeviceGetByPCIBusId(&mut device, text.as_ptr()) }?;
        // The driver's name of a device is its index.
        Device::get(device.cast_unsigned())
    }

    /// The device with this UUID, if there is one.
    ///
    /// ```
    /// use ptyx::Device;
    /// let device = Device::current()?;
    /// if let Some(uuid) = device.uuid() {
    ///     assert_eq!(Device::by_uuid(uuid)?, Some(device));
    /// }
    /// assert_eq!(Device::by_uuid([0; 16])?, None);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device.
    pub fn by_uuid(uuid: [u8; 16]) -> Result<Option<Device>> {
        Ok(Device::all()?.into_iter().find(|device| device.uuid() == Some(uuid)))
    }

    /// The device that `rank` ranks highest, the first one of several; `None` if it gives no device a rank.
    ///
    /// ```
    /// use ptyx::Device;
    /// // Of those with clusters, the one with the most multiprocessors.
    /// let best = Device::choose(|device| {
    ///     let attributes = device.attributes().ok()?;
    ///     attributes.cluster_launch.then_some(attributes.multiprocessors)
    /// })?;
    /// assert!(best.is_none_or(|best| best.compute_capability() >= (9, 0)));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device.
    #[doc(alias = "cudaChooseDevice")]
    pub fn choose<K: Ord>(mut rank: impl FnMut(&Device) -> Option<K>) -> Result<Option<Device>> {
        let mut best: Option<(K, Device)> = None;
        for device in Device::all()? {
            if let Some(key) = rank(&device)
                && best.as_ref().is_none_or(|(known, _)| key > *known)
            {
                best = Some((key, device));
            }
        }
        Ok(best.map(|(_, device)| device))
    }
}

/// The version of the CUDA driver, major and minor: the newest CUDA that it supports
/// ([`cuDriverGetVersion`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__VERSION.html)).
///
/// ```
/// let (major, minor) = ptyx::driver_version()?;
/// println!("the driver supports CUDA {major}.{minor}");
/// assert!(major >= 11);
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// No usable device.
#[doc(alias = "cudaDriverGetVersion")]
pub fn driver_version() -> Result<(u32, u32)> {
    let version = runtime()?.driver.version()?;
    Ok((version / 1000, version % 1000 / 10))
}

/// Tells a profiler to record from here on ([`cuProfilerStart`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER.html)). Without a profiler, and if it records
/// already, nothing happens.
///
/// ```
/// ptyx::profiler_start()?;
/// // ... what is to be profiled: `nsys profile --capture-range=cudaProfilerApi` ...
/// ptyx::profiler_stop()?;
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// No usable device; [`Error::Driver`].
#[doc(alias = "cudaProfilerStart")]
pub fn profiler_start() -> Result<()> {
    let Device(context) = Device::current()?;
    context.bind()?;
    // SAFETY: no precondition.
    Ok(unsafe { context.driver.cuProfilerStart() }?)
}

/// Tells a profiler to stop recording ([`cuProfilerStop`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PROFILER.html)): see [`profiler_start`].
///
/// ```
/// use ptyx::{DeviceBuffer, profiler_start, profiler_stop};
/// profiler_stop()?; // whatever an earlier call has started
/// let mut numbers = DeviceBuffer::<u32>::zeroed(1000)?; // not recorded
/// profiler_start()?;
/// numbers.fill(7)?; // recorded
/// profiler_stop()?;
/// assert_eq!(numbers.to_vec()?, [7; 1000]); // not recorded
/// # Ok::<(), ptyx::Error>(())
/// ```
///
/// # Errors
/// No usable device; [`Error::Driver`].
#[doc(alias = "cudaProfilerStop")]
pub fn profiler_stop() -> Result<()> {
    let Device(context) = Device::current()?;
    context.bind()?;
    // SAFETY: no precondition.
    Ok(unsafe { context.driver.cuProfilerStop() }?)
}
