//! Access of a device's kernels to the memory of another device, which is enabled when they first use it.
//!
//! Memory of a pool needs the pool's permission for the other device ([`cuMemPoolSetAccess`]), memory of `cuMemAlloc` that of
//! the accessing context for the owning one ([`cuCtxEnablePeerAccess`]). Both are one way, and stay until a device is told
//! to give them up.
//!
//! [`cuMemPoolSetAccess`]: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html
//! [`cuCtxEnablePeerAccess`]: https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html

use super::pool::{self, Pool};
use crate::context::{Attached, Context};
use crate::device_api::Device;
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, PeerReason, Result};
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locked while access changes, so that what is noted of it is what the driver has done last.
static CHANGES: Mutex<()> = Mutex::new(());

/// Waits until no other thread changes access.
pub(super) fn change() -> MutexGuard<'static, ()> {
    CHANGES.lock().unwrap_or_else(PoisonError::into_inner)
}

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

/// The contexts to whose `cuMemAlloc` memory kernels of `user` have access.
fn enabled(user: &'static Context) -> &'static Contexts {
    static ENABLED: Attached<Contexts> = Attached::new();
    ENABLED.of(user)
}

/// Gives kernels of `user` access to what `cuMemAlloc` gives on the device of `owner`, once.
pub(super) fn enable(user: &'static Context, owner: &'static Context) -> Result<()> {
    let enabled = enabled(user);
    if enabled.has(owner) {
        return Ok(());
    }
    expect_link(user, owner)?;
    user.bind()?;
    let _change = change();
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

/// Revokes the access of `user` to the memory of `owner`: that of `cuMemAlloc`, that of the default pool, and that of the
/// pool that buffers come from. If there is no access, nothing is done.
fn disable(user: &'static Context, owner: &'static Context) -> Result<()> {
    if core::ptr::eq(user, owner) {
        return Err(refused(user, owner, PeerReason::NoLink));
    }
    user.bind()?;
    // Kernels that were launched may be using it.
    user.finish()?;
    let changing = change();
    enabled(user).set(owner, false);
    // SAFETY: both contexts are alive, and the first is bound.
    match unsafe { user.driver.cuCtxDisablePeerAccess(owner.raw()) } {
        Ok(()) | Err(Failure { code: CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, .. }) => {}
        Err(failure) => return Err(failure.into()),
    }
    drop(changing);
    let current = pool::current(owner);
    for pool in [None, current.as_deref()] {
        if pool::granted(owner, pool).has(user) {
            pool::set_access(owner, pool, user, false)?;
        }
    }
    Ok(())
}

impl Device {
    /// Lets kernels of this device access the memory of another one: that of its buffers, except for
    /// [growable](crate::GrowableBuffer) ones and those of [pools](crate::MemoryPool::set_access) other than the current one
    /// ([`cuCtxEnablePeerAccess`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html),
    /// [`cuMemPoolSetAccess`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__MALLOC__ASYNC.html)). Access
    /// is one way. If there is access already, nothing is done.
    ///
    /// A launch that is given a buffer of the other device does this itself. Call it for kernels that follow addresses in
    /// memory, or so that the first of these launches does not take longer than others.
    ///
    /// ```
    /// use ptyx::{Device, DeviceBuffer};
    /// if let [first, second, ..] = Device::all()?[..]
    ///     && first.can_access_peer(&second)?
    /// {
    ///     first.enable_peer_access(&second)?;
    ///     let there = second.with(|| DeviceBuffer::filled(100, 1.5f32))?;
    ///     let pointer = there.device_address() as *const f32; // for kernels of the first device, too
    ///     assert!(!pointer.is_null());
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::PeerAccess`] if the devices are not [peers](Device::can_access_peer). A device is not its own peer.
    #[doc(alias("cudaDeviceEnablePeerAccess", "cuCtxEnablePeerAccess"))]
    pub fn enable_peer_access(&self, peer: &Device) -> Result<()> {
        let (user, owner) = (self.0, peer.0);
        enable(user, owner)?;
        if owner.default_pool.is_some() {
            enable_pool(user, owner, None)?;
            enable_pool(user, owner, pool::current(owner).as_deref())?;
        }
        Ok(())
    }

    /// Revokes this device's access to the memory of another one, which [`Device::enable_peer_access`] or a launch has
    /// enabled ([`cuCtxDisablePeerAccess`](https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__PEER__ACCESS.html)).
    /// The host first waits for the work of this device. If there is no access, nothing is done. The next launch
    /// that is given a buffer of the other device enables the access again.
    ///
    /// Later allocations on the other device are then mapped for fewer devices, which takes less time.
    ///
    /// ```
    /// use ptyx::Device;
    /// if let [first, second, ..] = Device::all()?[..]
    ///     && first.can_access_peer(&second)?
    /// {
    ///     first.enable_peer_access(&second)?;
    ///     first.disable_peer_access(&second)?;
    ///     first.disable_peer_access(&second)?; // nothing to do
    /// }
    /// # Ok::<(), ptyx::Error>(())
    /// ```
    ///
    /// # Other threads
    /// A kernel that another thread launches meanwhile may lose its access while it runs, which is an
    /// [`Error::Fault`]: call this where no thread gives the device such work.
    ///
    /// # Errors
    /// [`Error::PeerAccess`] if both are the same device; errors of kernels that ran.
    #[doc(alias("cudaDeviceDisablePeerAccess", "cuCtxDisablePeerAccess"))]
    pub fn disable_peer_access(&self, peer: &Device) -> Result<()> {
        disable(self.0, peer.0)
    }
}
