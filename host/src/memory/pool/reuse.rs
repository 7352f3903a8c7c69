//! Which freed memory a pool may give to other streams.

use super::{MemoryPool, Pool};
use crate::driver::types::*;
use crate::error::Result;

/// Which freed memory a pool may give to an allocation of another stream (`CU_MEMPOOL_ATTR_REUSE_*` of
/// [`CUmemPool_attribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html)). A stream can
/// always reuse what it has freed itself. By default everything is allowed.
///
/// ```
/// use ptyx::{Device, MemoryLimit, MemoryPool, PoolReuse};
/// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
/// // For times that do not depend on what other streams happen to have done.
/// pool.set_reuse(PoolReuse { opportunistic: false, ..PoolReuse::default() })?;
/// assert!(!pool.reuse()?.opportunistic);
/// # Ok::<(), ptyx::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolReuse {
    /// Memory that is freed before the allocation because the allocation's stream waits for an event after the free.
    pub follow_events: bool,
    /// Memory that happens to be freed already.
    pub opportunistic: bool,
    /// Memory that is not freed yet: the driver makes the allocation's stream wait for the free.
    pub internal_dependencies: bool,
}

impl Default for PoolReuse {
    fn default() -> PoolReuse {
        PoolReuse { follow_events: true, opportunistic: true, internal_dependencies: true }
    }
}

impl MemoryPool {
    /// Which freed memory the pool gives to other streams
    /// ([`cuMemPoolGetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool, PoolReuse};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// assert_eq!(pool.reuse()?, PoolReuse::default());
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaMemPoolGetAttribute", "cuMemPoolGetAttribute"))]
    pub fn reuse(&self) -> Result<PoolReuse> {
        let is_set = |attribute| -> Result<bool> { Ok(self.pool().get(attribute)? != 0) };
        Ok(PoolReuse {
            follow_events: is_set(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES)?,
            opportunistic: is_set(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC)?,
            internal_dependencies: is_set(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES)?,
        })
    }

    /// Sets which freed memory the pool gives to other streams
    /// ([`cuMemPoolSetAttribute`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)).
    ///
    /// ```
    /// use ptyx::{Device, MemoryLimit, MemoryPool, PoolReuse};
    /// let pool = MemoryPool::new(&Device::current()?, MemoryLimit::None)?;
    /// let only_own = PoolReuse {
    ///     follow_events: false,
    ///     opportunistic: false,
    ///     internal_dependencies: false,
    /// };
    /// pool.set_reuse(only_own)?; // each stream reuses what it has freed itself
    /// assert_eq!(pool.reuse()?, only_own);
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Driver`](crate::Error::Driver).
    #[doc(alias("cudaMemPoolSetAttribute", "cuMemPoolSetAttribute"))]
    pub fn set_reuse(&self, reuse: PoolReuse) -> Result<()> {
        self.pool().set_reuse(reuse)
    }
}

impl Pool {
    pub(super) fn set_reuse(&self, reuse: PoolReuse) -> Result<()> {
        let PoolReuse { follow_events, opportunistic, internal_dependencies } = reuse;
        // The driver reads a number of 32 bits, which are the lower half.
        let set = |attribute, on| self.set(attribute, u64::from(on));
        set(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES, follow_events)?;
        set(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, opportunistic)?;
        set(CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES, internal_dependencies)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, DeviceBuffer, MemoryLimit, Stream};

    #[test]
    fn flags_are_kept_apart_and_start_on() {
        let device = Device::current().unwrap();
        // A limit that no other test has: then the pool may be taken again, with its flags reset.
        let limit = MemoryLimit::Bytes(77 << 20);
        for _ in 0..2 {
            let pool = MemoryPool::new(&device, limit).unwrap();
            assert_eq!(pool.reuse().unwrap(), PoolReuse::default());
            for bits in 0..8u8 {
                let [follow_events, opportunistic, internal_dependencies] =
                    [1, 2, 4].map(|bit| bits & bit != 0);
                let reuse = PoolReuse { follow_events, opportunistic, internal_dependencies };
                pool.set_reuse(reuse).unwrap();
                assert_eq!(pool.reuse().unwrap(), reuse);
            }
            pool.set_reuse(PoolReuse {
                follow_events: false,
                opportunistic: false,
                internal_dependencies: false,
            })
            .unwrap();
            // Allocations work all the same.
            let (first, second) = (Stream::new().unwrap(), Stream::new().unwrap());
            for round in 0..4u32 {
                let stream = [&first, &second][round as usize % 2];
                let mut buffer = DeviceBuffer::<u32>::zeroed_in(1000, &pool, stream).unwrap();
                buffer.fill_on(round, stream).unwrap();
                assert_eq!(buffer.to_vec().unwrap(), [round; 1000]);
            }
        }
    }
}
