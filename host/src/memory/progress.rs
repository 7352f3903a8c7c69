//! Copies for which a person waits.

use super::slice::{DeviceSlice, DeviceSliceMut, same_length};
use crate::error::Result;
use ptyx_device::DeviceCopy;

/// The number of bytes after which a progress bar moves: they take about a millisecond.
const STEP: usize = 16 << 20;

/// How many elements are copied before the next call.
fn step_of<T>() -> usize {
    (STEP / size_of::<T>().max(1)).max(1)
}

impl<T: DeviceCopy> DeviceSliceMut<'_, T> {
    /// As [`DeviceSliceMut::copy_from_slice`], and calls `progress` again and again, with the number of elements that have
    /// been copied so far: after each 16 MiB, and at the end. For a progress bar.
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let host = vec![1.0f32; 10 << 20];
    /// let mut buffer = DeviceBuffer::<f32>::zeroed(host.len())?;
    /// let mut percent = 0;
    /// buffer.as_slice_mut().copy_from_slice_with_progress(&host, |done| {
    ///     percent = 100 * done / host.len();
    ///     eprint!("\r{percent} %");
    /// })?;
    /// assert_eq!(percent, 100);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSliceMut::copy_from_slice`]. Then some elements may have been copied.
    pub fn copy_from_slice_with_progress(
        &mut self,
        host: &[T],
        mut progress: impl FnMut(usize),
    ) -> Result<()> {
        same_length("copying a host slice to a device buffer", self.len(), host.len())?;
        let mut done = 0;
        for part in host.chunks(step_of::<T>()) {
            self.reborrow().slice_mut(done..done + part.len()).copy_from_slice(part)?;
            done += part.len();
            progress(done);
        }
        Ok(())
    }
}

impl<T: DeviceCopy> DeviceSlice<'_, T> {
    /// As [`DeviceSlice::copy_to_slice`], and calls `progress` again and again, with the number of elements that have been
    /// copied so far: after each 16 MiB, and at the end.
    ///
    /// ```
    /// use ptyx::DeviceBuffer;
    /// let buffer = DeviceBuffer::filled(10 << 20, 2.5f32)?;
    /// let (mut host, mut calls) = (vec![0.0; buffer.len()], Vec::new());
    /// buffer.as_slice().copy_to_slice_with_progress(&mut host, |done| calls.push(done))?;
    /// assert_eq!((host[0], host[host.len() - 1]), (2.5, 2.5));
    /// assert_eq!(calls, [4 << 20, 8 << 20, 10 << 20]);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`DeviceSlice::copy_to_slice`]. Then some elements may have been copied.
    pub fn copy_to_slice_with_progress(
        &self,
        host: &mut [T],
        mut progress: impl FnMut(usize),
    ) -> Result<()> {
        same_length("copying a device buffer to a host slice", self.len(), host.len())?;
        let mut done = 0;
        for part in host.chunks_mut(step_of::<T>()) {
            self.slice(done..done + part.len()).copy_to_slice(part)?;
            done += part.len();
            progress(done);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::DeviceBuffer;

    #[test]
    fn every_element_is_copied_once_and_told() {
        let numbers: Vec<u64> = (0..(5 << 20) + 3).map(|i| i * 0x9e37_79b9).collect();
        let mut buffer = DeviceBuffer::<u64>::zeroed(numbers.len()).unwrap();
        let mut told = Vec::new();
        let mut target = buffer.as_slice_mut();
        target.copy_from_slice_with_progress(&numbers, |done| told.push(done)).unwrap();
        assert_eq!(told, [2 << 20, 4 << 20, (5 << 20) + 3]);
        let mut copy = vec![0; numbers.len()];
        let source = buffer.as_slice();
        source.copy_to_slice_with_progress(&mut copy, |_| ()).unwrap();
        assert!(copy == numbers);
        let wrong = source.copy_to_slice_with_progress(&mut copy[1..], |_| panic!("it is called"));
        assert!(wrong.is_err());
        // Nothing to tell of nothing.
        let mut empty = DeviceBuffer::<u64>::zeroed(0).unwrap();
        let mut nothing = empty.as_slice_mut();
        nothing.copy_from_slice_with_progress(&[], |_| panic!("it is called")).unwrap();
    }
}
