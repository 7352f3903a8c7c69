//! Access of a device's kernels to the memory of another device, which is enabled when they first use it.
//!
//! Memory of a pool needs the pool's permission for the other device ([`cuMemPoolSetAccess`]), memory of `cuMemAlloc` that of
//! the accessing context for the owning one ([`cuCtxEnablePeerAccess`]). Both are one way, and stay.
//!
//! [`cuMemPoolSetAccess`]: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html
//! [`cuCtxEnablePeerAccess`]: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html

use super::pool::{self, Pool};
use crate::context::{Attached, Context};
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, PeerReason, Result};
use core::sync::atomic::{AtomicU64, Ordering};

/// Contexts, as bits by their ids. A context that comes late, after many resets, has no bit.
#[derive(Default)]
pub(super) struct Contexts(AtomicU64);

fn bit(context: &Context) -> u64 {
    u32::try_from(context.id()).ok().and_then(|id| 1u64.checked_shl(id)).unwrap_or(0)
}

impl Contexts {
    pub(super) fn has(&self, context: &Context) -> bool {
        self.0.load(Ordering::Acquire) & bit(context) != 0
    }

    pub(super) fn set(&self, context: &Context, is_in: bool) {
        match is_in {
            true => self.0.fetch_or(bit(context), Ordering::Release),
            false => self.0.fetch_and(!bit(context), Ordering::Release),
        };
    }
}

/// The error for a kernel on the device of `user` that is given memory of `owner`.
pub(super) fn refused(user: &Context, owner: &Context, reason: PeerReason) -> Error {
    Error::PeerAccess { device: user.ordinal, owner: owner.ordinal, reason }
}

/// An error unless a device can have access to the memory of another one.
fn expect_link(user: &'static Context, owner: &'static Context) -> Result<()> {
    let mut can = 0;
    // SAFETY: the place is valid.
    unsafe { user.driver.cuDeviceCanAccessPeer(&mut can, user.device, owner.device) }?;
    match can {
        0 => Err(refused(user, owner, PeerReason::NoLink)),
        _ => Ok(()),
    }
}

/// Gives kernels of `user` access to what `cuMemAlloc` gives on the device of `owner`, once.
pub(super) fn enable(user: &'static Context, owner: &'static Context) -> Result<()> {
    static ENABLED: Attached<Contexts> = Attached::new();
    let enabled = ENABLED.of(user);
    if enabled.has(owner) {
        return Ok(());
    }
    expect_link(user, owner)?;
    user.bind()?;
    // SAFETY: both contexts are alive, and the first is bound.
    match unsafe { user.driver.cuCtxEnablePeerAccess(owner.raw(), 0) } {
        // Another thread or library was faster.
        Ok(()) | Err(Failure { code: CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, .. }) => {}
        Err(failure) => return Err(failure.into()),
    }
    enabled.set(owner, true);
    Ok(())
}

/// Gives kernels of `user` access to the memory of a pool of `owner`, its default one if none is named, once.
pub(super) fn enable_pool(
    user: &'static Context,
    owner: &'static Context,
    pool: Option<&Pool>,
) -> Result<()> {
    let granted = pool::granted(owner, pool);
    if granted.has(user) {
        return Ok(());
    }
    expect_link(user, owner)?;
    pool::set_access(owner, pool, user, true)
}
