//! What a kernel prefers: hints to the driver, for kernels in Rust and for those of the user's own modules.

use crate::context::Context;
use crate::device_api::{CachePreference, SharedBanks};
use crate::driver::types::*;
use crate::error::Result;

/// Sets the share of shared memory in the memory that it shares with the L1 cache, in percent of the most; `None` leaves
/// it to the driver.
pub(crate) fn set_shared_carveout(
    context: &'static Context,
    function: CUfunction,
    percent: Option<u32>,
) -> Result<()> {
    let percent = percent.map_or(-1, |percent| i32::try_from(percent).unwrap_or(i32::MAX));
    let attribute = CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT;
    context.bind()?;
    // SAFETY: the function's module is loaded; so below.
    unsafe { context.driver.cuFuncSetAttribute(function, attribute, percent) }?;
    Ok(())
}

/// Sets whether a kernel prefers L1 cache or shared memory.
pub(crate) fn set_cache_preference(
    context: &'static Context,
    function: CUfunction,
    preference: CachePreference,
) -> Result<()> {
    context.bind()?;
    // SAFETY: as above.
    unsafe { context.driver.cuFuncSetCacheConfig(function, preference.config()) }?;
    Ok(())
}

/// Sets how wide the banks of shared memory are for a kernel.
pub(crate) fn set_shared_banks(
    context: &'static Context,
    function: CUfunction,
    banks: SharedBanks,
) -> Result<()> {
    context.bind()?;
    // SAFETY: as above.
    unsafe { context.driver.cuFuncSetSharedMemConfig(function, banks.config()) }?;
    Ok(())
}
