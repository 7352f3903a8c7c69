//! What the L2 cache does with a stream's accesses to a part of memory.

use crate::driver::types::*;
use crate::error::Result;
use crate::memory::DeviceSlice;
use crate::stream::Stream;
use ptyx_device::DeviceCopy;

/// How the L2 cache treats accesses.
///
/// ```
/// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer};
/// let samples = DeviceBuffer::<f32>::zeroed(1000)?;
/// // Each sample is read once: evict it before data that is read again.
/// let policy = AccessPolicy::of(&samples, AccessKind::Streaming);
/// assert_eq!(policy.kinds(), (AccessKind::Streaming, AccessKind::Normal));
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// The cache's normal policy.
    #[default]
    Normal,
    /// The data is evicted first.
    Streaming,
    /// The data is evicted last from the part of the cache that
    /// [`Limit::PersistingL2Cache`](crate::Limit::PersistingL2Cache) sets aside.
    Persisting,
}

/// How the L2 cache treats the accesses of a stream's kernels to a part of memory: a hint, for
/// [`Stream::set_access_policy`] ([`CUaccessPolicyWindow`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)).
///
/// ```
/// use ptyx::{AccessKind, AccessPolicy, Device, DeviceBuffer, Limit, Stream};
/// let (stream, table) = (Stream::new()?, DeviceBuffer::<f32>::zeroed(1000)?);
/// // Part of the L2 cache is set aside for the table, which all kernels of the stream read.
/// Device::current()?.set_limit(Limit::PersistingL2Cache, 4000)?;
/// stream.set_access_policy(Some(&AccessPolicy::of(&table, AccessKind::Persisting)))?;
/// let policy = stream.access_policy()?.expect("it was set");
/// assert_eq!(policy.device_address(), table.device_address());
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccessPolicy {
    address: u64,
    bytes: usize,
    hit_ratio: f32,
    hit: AccessKind,
    miss: AccessKind,
}

impl AccessPolicy {
    /// All accesses to these elements are of the kind `kind`.
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer, Stream};
    /// let weights = DeviceBuffer::<f32>::zeroed(1000)?;
    /// let stream = Stream::new()?;
    /// let policy = AccessPolicy::of(&weights, AccessKind::Persisting);
    /// stream.set_access_policy(Some(&policy.hit_ratio(0.5, AccessKind::Streaming)))?;
    /// stream.set_access_policy(None)?; // as before
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub fn of<'a, T: DeviceCopy>(
        elements: impl Into<DeviceSlice<'a, T>>,
        kind: AccessKind,
    ) -> AccessPolicy {
        let elements = elements.into();
        let (address, bytes) = (elements.address(), elements.len() * size_of::<T>());
        AccessPolicy { address, bytes, hit_ratio: 1.0, hit: kind, miss: AccessKind::Normal }
    }

    /// Only this share of the accesses, from 0 to 1, is of that kind (the *hit ratio*). The others are of the kind
    /// `miss`, which can't be [`AccessKind::Persisting`].
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer};
    /// let weights = DeviceBuffer::<f32>::zeroed(1 << 20)?;
    /// // A quarter of the weights fits in the part of the cache that is set aside.
    /// let policy = AccessPolicy::of(&weights, AccessKind::Persisting)
    ///     .hit_ratio(0.25, AccessKind::Streaming);
    /// assert_eq!(policy.ratio(), 0.25);
    /// assert_eq!(policy.kinds(), (AccessKind::Persisting, AccessKind::Streaming));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    #[must_use]
    pub const fn hit_ratio(mut self, ratio: f32, miss: AccessKind) -> AccessPolicy {
        self.hit_ratio = ratio;
        self.miss = miss;
        self
    }

    /// The address of the first byte that it covers, on the device.
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer};
    /// let weights = DeviceBuffer::<f32>::zeroed(1000)?;
    /// let policy = AccessPolicy::of(&weights, AccessKind::Persisting);
    /// assert_eq!((policy.device_address(), policy.bytes()), (weights.device_address(), 4000));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn device_address(&self) -> u64 {
        self.address
    }

    /// The number of bytes that it covers.
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer};
    /// let weights = DeviceBuffer::<f32>::zeroed(1000)?;
    /// let policy = AccessPolicy::of(weights.slice(..100), AccessKind::Persisting);
    /// assert_eq!(policy.bytes(), 400);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The kind of the accesses whose share is [`ratio`](AccessPolicy::ratio), and the kind of the others.
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer};
    /// let policy = AccessPolicy::of(&DeviceBuffer::<f32>::zeroed(1000)?, AccessKind::Persisting);
    /// assert_eq!(policy.kinds(), (AccessKind::Persisting, AccessKind::Normal));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn kinds(&self) -> (AccessKind, AccessKind) {
        (self.hit, self.miss)
    }

    /// The hit ratio, from 0 to 1.
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer};
    /// let all = AccessPolicy::of(&DeviceBuffer::<f32>::zeroed(1000)?, AccessKind::Persisting);
    /// assert_eq!(all.ratio(), 1.0);
    /// assert_eq!(all.hit_ratio(0.5, AccessKind::Normal).ratio(), 0.5);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    pub const fn ratio(&self) -> f32 {
        self.hit_ratio
    }

    /// The policy that these words of an attribute describe; none if it covers nothing.
    fn of_words(words: [u32; 7]) -> Option<AccessPolicy> {
        let kind = |number| match number {
            CU_ACCESS_PROPERTY_STREAMING => AccessKind::Streaming,
            CU_ACCESS_PROPERTY_PERSISTING => AccessKind::Persisting,
            _ => AccessKind::Normal,
        };
        let [low, high, bytes_low, bytes_high, ratio, hit, miss] = words;
        let number = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        let (address, bytes) = (number(low, high), number(bytes_low, bytes_high) as usize);
        let (hit_ratio, hit, miss) = (f32::from_bits(ratio), kind(hit), kind(miss));
        (bytes > 0).then_some(AccessPolicy { address, bytes, hit_ratio, hit, miss })
    }

    fn words(&self) -> [u32; 7] {
        let number = |kind| match kind {
            AccessKind::Normal => CU_ACCESS_PROPERTY_NORMAL,
            AccessKind::Streaming => CU_ACCESS_PROPERTY_STREAMING,
            AccessKind::Persisting => CU_ACCESS_PROPERTY_PERSISTING,
        };
        let (address, bytes) = (self.address, self.bytes as u64);
        let (low, high) = (|word: u64| word as u32, |word: u64| (word >> 32) as u32);
        let (hit, miss) = (number(self.hit), number(self.miss));
        [low(address), high(address), low(bytes), high(bytes), self.hit_ratio.to_bits(), hit, miss]
    }
}

impl Stream {
    /// Sets what the L2 cache does with accesses of the stream's later kernels to a part of memory. `None` removes the policy
    /// ([`cuStreamSetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)). It never changes what kernels compute; the memory may be freed meanwhile.
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer, Error, Stream};
    /// let (stream, samples) = (Stream::new()?, DeviceBuffer::<f32>::zeroed(1000)?);
    /// let policy = AccessPolicy::of(&samples, AccessKind::Streaming);
    /// stream.set_access_policy(Some(&policy))?;
    /// // ... launch kernels that read each sample once ...
    /// stream.set_access_policy(None)?;
    /// assert_eq!(stream.access_policy()?, None);
    /// let wrong = policy.hit_ratio(1.5, AccessKind::Normal);
    /// assert!(matches!(stream.set_access_policy(Some(&wrong)), Err(Error::Driver { .. })));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver) for a ratio that is not from 0 to 1, misses that persist, or more bytes
    /// than the device allows.
    pub fn set_access_policy(&self, policy: Option<&AccessPolicy>) -> Result<()> {
        let words = policy.map_or([0; 7], AccessPolicy::words);
        self.set_attribute(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &words)
    }

    /// The stream's access policy, if it has one
    /// ([`cuStreamGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__STREAM.html)). The driver may have
    /// changed what it was given, such as a window that is larger than the device's largest.
    ///
    /// ```
    /// use ptyx::{AccessKind, AccessPolicy, DeviceBuffer, Stream};
    /// let weights = DeviceBuffer::<f32>::zeroed(1000)?;
    /// let stream = Stream::new()?;
    /// assert_eq!(stream.access_policy()?, None);
    /// let policy = AccessPolicy::of(&weights, AccessKind::Streaming);
    /// stream.set_access_policy(Some(&policy))?;
    /// assert_eq!(stream.access_policy()?, Some(policy));
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaStreamGetAttribute", "cuStreamGetAttribute"))]
    pub fn access_policy(&self) -> Result<Option<AccessPolicy>> {
        let words = self.attribute(CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW)?;
        let [low, high, bytes_low, bytes_high, ratio, hit, miss, ..] = words;
        Ok(AccessPolicy::of_words([low, high, bytes_low, bytes_high, ratio, hit, miss]))
    }
}
