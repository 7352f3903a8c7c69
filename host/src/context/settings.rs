//! What a context prefers: numbers that the driver keeps.

use super::Context;
use crate::driver::types::*;
use crate::error::Result;

impl Context {
    /// The flags of the primary context (`cuDevicePrimaryCtxGetState`).
    pub(crate) fn flags(&self) -> Result<u32> {
        let (mut flags, mut active) = (0, 0);
        // SAFETY: both places are valid.
        unsafe { self.driver.cuDevicePrimaryCtxGetState(self.device, &mut flags, &mut active) }?;
        Ok(flags & CU_CTX_FLAGS_MASK)
    }

    /// Sets the flags of the primary context (`cuDevicePrimaryCtxSetFlags`).
    pub(crate) fn set_flags(&self, flags: u32) -> Result<()> {
        // SAFETY: plain numbers.
        Ok(unsafe { self.driver.cuDevicePrimaryCtxSetFlags(self.device, flags) }?)
    }

    /// What is preferred, cache or shared memory (`cuCtxGetCacheConfig`).
    pub(crate) fn cache_config(&'static self) -> Result<i32> {
        self.bind()?;
        let mut config = 0;
        // SAFETY: the place is valid.
        unsafe { self.driver.cuCtxGetCacheConfig(&mut config) }?;
        Ok(config)
    }

    /// Sets what is preferred (`cuCtxSetCacheConfig`).
    pub(crate) fn set_cache_config(&'static self, config: i32) -> Result<()> {
        self.bind()?;
        // SAFETY: a plain number.
        Ok(unsafe { self.driver.cuCtxSetCacheConfig(config) }?)
    }

    /// The banks of shared memory (`cuCtxGetSharedMemConfig`).
    pub(crate) fn shared_config(&'static self) -> Result<i32> {
        self.bind()?;
        let mut config = 0;
        // SAFETY: the place is valid.
        unsafe { self.driver.cuCtxGetSharedMemConfig(&mut config) }?;
        Ok(config)
    }

    /// Sets the banks of shared memory (`cuCtxSetSharedMemConfig`).
    pub(crate) fn set_shared_config(&'static self, config: i32) -> Result<()> {
        self.bind()?;
        // SAFETY: a plain number.
        Ok(unsafe { self.driver.cuCtxSetSharedMemConfig(config) }?)
    }

    /// The lowest and the highest priority of streams, as numbers (`cuCtxGetStreamPriorityRange`).
    pub(crate) fn stream_priorities(&'static self) -> Result<(i32, i32)> {
        self.bind()?;
        let (mut least, mut greatest) = (0, 0);
        // SAFETY: both places are valid.
        unsafe { self.driver.cuCtxGetStreamPriorityRange(&mut least, &mut greatest) }?;
        Ok((least, greatest))
    }
}
