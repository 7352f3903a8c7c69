//! Which devices' kernels have access to the memory of a pool.

use super::Pool;
use crate::context::{Attached, Context};
use crate::device_api::Device;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::Result;
use crate::memory::peer_access::{self, Contexts};
use core::sync::atomic::Ordering;

/// A device as a place of memory.
pub(super) fn location(device: &Device) -> CUmemLocation {
    CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: device.0.device }
}

/// The contexts that have access to the memory of a pool, to that of the default one if none is named.
pub(in crate::memory) fn granted<'a>(
    owner: &'static Context,
    pool: Option<&'a Pool>,
) -> &'a Contexts {
    static OF_DEFAULT: Attached<Contexts> = Attached::new();
    match pool.filter(|pool| !pool.is_default) {
        Some(pool) => &pool.granted,
        None => OF_DEFAULT.of(owner),
    }
}

/// Gives a device's kernels access to the memory of a pool, or takes it away; of the default one, if none is named.
pub(in crate::memory) fn set_access(
    owner: &'static Context,
    pool: Option<&Pool>,
    user: &Context,
    allowed: bool,
) -> Result<()> {
    let flags = match allowed {
        true => CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        false => CU_MEM_ACCESS_FLAGS_PROT_NONE,
    };
    let location = CUmemLocation { kind: CU_MEM_LOCATION_TYPE_DEVICE, id: user.device };
    let access = CUmemAccessDesc { location, flags };
    let (call, code) = ("cuMemPoolSetAccess", CUDA_ERROR_NOT_SUPPORTED);
    let handle =
        pool.map(|pool| pool.handle).or(owner.default_pool).ok_or(Failure { call, code })?;
    owner.bind()?;
    let _change = peer_access::change();
    // Before the call, which may change something even if it fails.
    if let Some(pool) = pool {
        pool.is_reusable.store(false, Ordering::Relaxed);
    }
    granted(owner, pool).set(user, false);
    // SAFETY: a pool that is alive, and one description.
    unsafe { owner.driver.cuMemPoolSetAccess(handle, &access, 1) }?;
    granted(owner, pool).set(user, allowed);
    Ok(())
}
