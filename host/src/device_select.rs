//! Selecting devices, and those that are idle.

use crate::device_api::Device;
use crate::error::Result;
use crate::stream::{Stream, all_streams};
use core::time::Duration;

/// The longest pause between two looks at whether a device is idle.
const MAX_PAUSE: Duration = Duration::from_millis(1);

impl Device {
    /// The devices for which `is_wanted` returns `true`, in the order of their indices.
    ///
    /// ```
    /// use ptyx::Device;
    /// // At most two idle devices of compute capability 9.0 or later.
    /// let wanted = |device: &Device| device.compute_capability() >= (9, 0);
    /// let mut devices = Device::select(|device| wanted(device) && device.is_idle().unwrap_or(false))?;
    /// devices.truncate(2);
    /// println!("{devices:?}");
    /// assert!(devices.iter().all(wanted));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// No usable device.
    pub fn select(mut is_wanted: impl FnMut(&Device) -> bool) -> Result<Vec<Device>> {
        let mut devices = Device::all()?;
        devices.retain(|device| is_wanted(device));
        Ok(devices)
    }

    /// Whether all streams that Ptyx has made on the device in this process have done their work. What other libraries
    /// and other processes do there is not known.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer};
    /// let buffer = DeviceBuffer::filled(100, 1u8)?;
    /// let device = Device::current()?;
    /// device.synchronize()?;
    /// assert!(device.is_idle()?);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Fault`](crate::Error::Fault) of a kernel that ran.
    pub fn is_idle(&self) -> Result<bool> {
        for stream in all_streams(self.0).alive() {
            if !Stream::is_idle(&stream)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Waits until one of these devices is idle, and returns it: the first one of several. `None` for no devices.
    ///
    /// A pool of threads or tasks that feeds whichever device is free calls it before each piece of work. A device
    /// that is found idle is not reserved: if several threads ask, keep a note of who has which one.
    ///
    /// ```
    /// use ptyx::Device;
    /// let devices = Device::all()?;
    /// if let Some(device) = Device::wait_until_idle(&devices)? {
    ///     let buffer = device.with(|| ptyx::DeviceBuffer::<f32>::zeroed(1000))?;
    ///     assert_eq!(buffer.device_index(), device.index());
    /// }
    /// assert_eq!(Device::wait_until_idle(&[])?, None);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Device::is_idle`].
    pub fn wait_until_idle(devices: &[Device]) -> Result<Option<Device>> {
        let mut pause = Duration::from_micros(10);
        while !devices.is_empty() {
            for device in devices {
                if device.is_idle()? {
                    return Ok(Some(*device));
                }
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(MAX_PAUSE);
        }
        Ok(None)
    }
}
