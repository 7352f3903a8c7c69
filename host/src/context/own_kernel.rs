//! Kernels of this crate's own.

use super::{Attached, Context};
use crate::driver::Failure;
use crate::driver::types::*;
use core::ffi::{CStr, c_void};
use std::sync::{Mutex, PoisonError};

/// A kernel as PTX, which each device assembles at first use. Its modules are never unloaded.
pub(crate) struct OwnKernel {
    ptx: &'static CStr,
    name: &'static CStr,
    assembled: Attached<Mutex<Option<CUfunction>>>,
}

impl OwnKernel {
    pub(crate) const fn new(ptx: &'static CStr, name: &'static CStr) -> OwnKernel {
        OwnKernel { ptx, name, assembled: Attached::new() }
    }

    /// The kernel of a device.
    pub(crate) fn of(&'static self, context: &'static Context) -> Result<CUfunction, Failure> {
        let mut kernel = self.assembled.of(context).lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = *kernel {
            return Ok(kernel);
        }
        context.bind()?;
        let (mut module, mut found) = (CUmodule::NULL, CUfunction::NULL);
        let (none, nothing) = (core::ptr::null_mut(), core::ptr::null_mut());
        let _relaxed = context.driver.relaxed();
        // SAFETY: the places are valid, the texts end with NUL, and there are no options.
        unsafe {
            let (driver, image) = (context.driver, self.ptx.as_ptr().cast::<c_void>());
            driver.cuModuleLoadDataEx(&mut module, image, 0, none, nothing)?;
            if let Err(failure) = driver.cuModuleGetFunction(&mut found, module, self.name.as_ptr())
            {
                let _ = driver.cuModuleUnload(module);
                return Err(failure);
            }
        }
        Ok(*kernel.insert(found))
    }
}
