//! Attributes of streams.

use super::Stream;
use crate::driver::types::*;
use crate::error::Result;

/// How the host waits for a stream.
///
/// ```
/// use ptyx::{Stream, SyncPolicy};
/// let stream = Stream::new()?;
/// stream.set_sync_policy(SyncPolicy::Blocking)?;
/// assert_eq!(stream.sync_policy()?, SyncPolicy::Blocking);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SyncPolicy {
    /// The device's policy: see [`Device::set_flags`](crate::Device::set_flags).
    #[default]
    Auto,
    /// The thread spins: it notices the end soonest, at the cost of a core.
    Spin,
    /// The thread spins, and yields to other threads.
    Yield,
    /// The thread sleeps.
    Blocking,
}

impl Stream {
    /// How the host waits for the stream
    /// ([`cuStreamGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// use ptyx::{Stream, SyncPolicy};
    /// assert_eq!(Stream::new()?.sync_policy()?, SyncPolicy::Auto);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn sync_policy(&self) -> Result<SyncPolicy> {
        let [first, ..] = self.attribute(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY)?;
        Ok(match first {
            CU_SYNC_POLICY_SPIN => SyncPolicy::Spin,
            CU_SYNC_POLICY_YIELD => SyncPolicy::Yield,
            CU_SYNC_POLICY_BLOCKING_SYNC => SyncPolicy::Blocking,
            _ => SyncPolicy::Auto,
        })
    }

    /// Sets how the host waits for the stream
    /// ([`cuStreamSetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// If kernels print, Ptyx polls instead, to show what they print.
    ///
    /// ```
    /// use ptyx::{Stream, SyncPolicy};
    /// let stream = Stream::new()?;
    /// stream.set_sync_policy(SyncPolicy::Spin)?; // its work takes microseconds
    /// assert_eq!(stream.sync_policy()?, SyncPolicy::Spin);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    pub fn set_sync_policy(&self, policy: SyncPolicy) -> Result<()> {
        let number = match policy {
            SyncPolicy::Auto => CU_SYNC_POLICY_AUTO,
            SyncPolicy::Spin => CU_SYNC_POLICY_SPIN,
            SyncPolicy::Yield => CU_SYNC_POLICY_YIELD,
            SyncPolicy::Blocking => CU_SYNC_POLICY_BLOCKING_SYNC,
        };
        self.set_attribute(CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &[number])
    }

    /// Copies the attributes of another stream of the same device: the synchronisation policy and the access policy
    /// ([`cuStreamCopyAttributes`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
    ///
    /// ```
    /// use ptyx::{Stream, SyncPolicy};
    /// let (first, second) = (Stream::new()?, Stream::new()?);
    /// first.set_sync_policy(SyncPolicy::Yield)?;
    /// second.copy_attributes(&first)?;
    /// assert_eq!(second.sync_policy()?, SyncPolicy::Yield);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongDevice`](crate::Error::WrongDevice); [`Error::Driver`](crate::Error::Driver).
    pub fn copy_attributes(&self, from: &Stream) -> Result<()> {
        from.expect_on(self.0.context)?;
        self.0.context.bind()?;
        // SAFETY: both streams are alive and of the context.
        unsafe { self.0.context.driver.cuStreamCopyAttributes(self.0.handle, from.0.handle) }?;
        Ok(())
    }

    /// The words of an attribute.
    pub(crate) fn attribute(&self, id: CUlaunchAttributeID) -> Result<[u32; 16]> {
        self.0.context.bind()?;
        let mut value = CUstreamAttrValue { words: [0; 16] };
        // SAFETY: the place is valid, the stream alive.
        unsafe { self.0.context.driver.cuStreamGetAttribute(self.0.handle, id, &mut value) }?;
        Ok(value.words)
    }

    /// Sets an attribute by the first words of its value.
    pub(crate) fn set_attribute(&self, id: CUlaunchAttributeID, first: &[u32]) -> Result<()> {
        self.0.context.bind()?;
        let mut value = CUstreamAttrValue { words: [0; 16] };
        value.words[..first.len()].copy_from_slice(first);
        // SAFETY: the value is valid, the stream alive.
        unsafe { self.0.context.driver.cuStreamSetAttribute(self.0.handle, id, &value) }?;
        Ok(())
    }
}
