//! What a process has once: the driver, and a context for each device, made at first use; and which context
//! is a thread's current one.

#[cfg(not(ptyx_device))]
mod fork;
#[cfg(not(ptyx_device))]
mod select;

use crate::context::Context;
#[cfg(not(ptyx_device))]
use crate::driver::install;
use crate::driver::{Driver, is_forked};
use crate::error::{Error, Result};
use core::cell::Cell;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The driver and the contexts.
pub(crate) struct Runtime {
    pub(crate) driver: &'static Driver,
    /// Why the emulated device is used, if the user did not ask for it.
    pub(crate) reason: Option<String>,
    contexts: Vec<Mutex<Option<&'static Context>>>,
}

thread_local! {
    /// The thread's device, if it has chosen or used one.
    static CURRENT: Cell<Option<&'static Context>> = const { Cell::new(None) };
}

/// The index of the device that new threads start with.
pub(crate) const DEFAULT_DEVICE: u32 = 0;

/// The context of the thread's device: the default device unless it has chosen another.
#[inline]
pub(crate) fn current() -> Result<&'static Context> {
    // `try_with` is inlined where `get` is not.
    match CURRENT.try_with(Cell::get) {
        Ok(Some(context)) if !context.is_destroyed() => Ok(context),
        known => find_current(known.ok().flatten()),
    }
}

#[cold]
fn find_current(destroyed: Option<&'static Context>) -> Result<&'static Context> {
    let index = destroyed.map_or(DEFAULT_DEVICE, |context| context.ordinal);
    let context = runtime()?.context(index)?;
    CURRENT.set(Some(context));
    Ok(context)
}

/// Makes `context` the thread's; returns the previous one.
pub(crate) fn set_current(context: Option<&'static Context>) -> Option<&'static Context> {
    CURRENT.replace(context)
}

/// The thread has chosen no device.
#[cfg(not(ptyx_device))]
fn forget_current() {
    CURRENT.set(None);
}

static RUNTIME: OnceLock<Result<Runtime>> = OnceLock::new();

/// The runtime; the first call selects the driver.
pub(crate) fn runtime() -> Result<&'static Runtime> {
    // First: another thread of the parent may have been busy with it.
    if is_forked() {
        return Err(Error::Forked);
    }
    RUNTIME.get_or_init(start).as_ref().map_err(Clone::clone)
}

#[cfg(not(ptyx_device))]
fn start() -> Result<Runtime> {
    fork::notice();
    let setting = std::env::var_os("PTYX_DEVICE").map(|v| v.to_string_lossy().into_owned());
    let selected = select::select(setting.as_deref())?;
    if let Some(reason) = &selected.reason {
        eprintln!("ptyx: using the emulated device: {reason}");
    }
    let contexts = (0..selected.devices).map(|_| Mutex::new(None)).collect();
    Ok(Runtime { driver: install(selected.driver), reason: selected.reason, contexts })
}

#[cfg(ptyx_device)]
fn start() -> Result<Runtime> {
    Err(Error::DevicePass)
}

impl Runtime {
    /// How many devices there are.
    pub(crate) fn device_count(&self) -> u32 {
        self.contexts.len() as u32
    }

    /// The context of a device, made at first use.
    pub(crate) fn context(&'static self, index: u32) -> Result<&'static Context> {
        let slot = self
            .contexts
            .get(index as usize)
            .ok_or(Error::NoSuchDevice { index, count: self.device_count() })?;
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(context) = slot.filter(|context| !context.is_destroyed()) {
            return Ok(context);
        }
        // A context lives as long as the process: handles to it are plain references.
        let context: &'static Context = Box::leak(Box::new(Context::new(self.driver, index)?));
        *slot = Some(context);
        Ok(context)
    }
}
