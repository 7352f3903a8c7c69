//! The driver: a table of functions, filled from `libcuda.so.1` or by the emulated device.
//!
//! Nothing outside this folder touches the driver's symbols. The table, the checked methods and their trace
//! lines are generated from the list in `ptyx_driver_api`; a new function is a row there.

pub(crate) mod captures;
#[cfg(test)]
pub(crate) mod fake;
pub(crate) mod host_function;
mod relaxed;
#[cfg(not(ptyx_device))]
pub(crate) mod trace;
pub(crate) mod types;
#[cfg(not(ptyx_device))]
pub(crate) mod watch;

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use ptyx_driver_api::for_each_driver_function;
use std::sync::OnceLock;
use types::*;

/// Looks up a driver function by its exported name; null if it is missing.
#[cfg(not(ptyx_device))]
pub(crate) type Lookup<'a> = &'a dyn Fn(&str) -> *const c_void;

/// A driver call that did not return `CUDA_SUCCESS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    /// The function's name.
    pub(crate) call: &'static str,
    /// What it returned.
    pub(crate) code: CUresult,
}

macro_rules! define_driver {
    (
        required { $($rname:ident: $rsymbol:ident($($rarg:ident: $rty:ty),*);)* }
        optional { $($oname:ident: $osymbol:ident($($oarg:ident: $oty:ty),*);)* }
        only_cuda { $($cname:ident: $csymbol:ident($($carg:ident: $cty:ty),*);)* }
        only_emulated { $($emulated:tt)* }
    ) => {
        define_driver! {
            required { $($rname: $rsymbol($($rarg: $rty),*);)* }
            optional {
                $($oname: $osymbol($($oarg: $oty),*);)*
                $($cname: $csymbol($($carg: $cty),*);)*
            }
        }
    };
    (
        required { $($rname:ident: $rsymbol:ident($($rarg:ident: $rty:ty),*);)* }
        optional { $($oname:ident: $osymbol:ident($($oarg:ident: $oty:ty),*);)* }
    ) => {
        /// The driver's functions.
        #[cfg(not(ptyx_device))]
        #[allow(non_snake_case)]
        struct Table {
            $($rname: unsafe extern "C" fn($($rty),*) -> CUresult,)*
            $($oname: unsafe extern "C" fn($($oty),*) -> CUresult,)*
        }

        #[cfg(not(ptyx_device))]
        impl Table {
            /// Fills the table, or names the first required function that is missing.
            ///
            /// # Safety
            /// What `lookup` finds under a name must be the driver function of that name, and stay
            /// loaded for the rest of the process.
            unsafe fn fill(lookup: Lookup<'_>) -> Result<Table, &'static str> {
                Ok(Table {
                    $($rname: {
                        let symbol = lookup(stringify!($rsymbol));
                        if symbol.is_null() {
                            return Err(stringify!($rsymbol));
                        }
                        // SAFETY: the symbol is the function of this name (caller), and the list
                        // has its C signature.
                        unsafe { core::mem::transmute::<
                            *const c_void,
                            unsafe extern "C" fn($($rty),*) -> CUresult,
                        >(symbol) }
                    },)*
                    $($oname: {
                        #[allow(unused_variables, clippy::too_many_arguments)]
                        unsafe extern "C" fn absent($($oarg: $oty),*) -> CUresult {
                            CUDA_ERROR_NOT_SUPPORTED
                        }
                        let symbol = lookup(stringify!($osymbol));
                        if symbol.is_null() {
                            absent
                        } else {
                            // SAFETY: as above.
                            unsafe { core::mem::transmute::<
                                *const c_void,
                                unsafe extern "C" fn($($oty),*) -> CUresult,
                            >(symbol) }
                        }
                    },)*
                })
            }
        }

        /// One method per driver function: it calls, traces, and turns the result code into a
        /// [`Failure`]. Each is as safe as the driver function of the same name.
        #[allow(non_snake_case, clippy::too_many_arguments, dead_code)]
        impl Driver {
            $(define_driver!(@method $rname ($($rarg: $rty),*));)*
            $(define_driver!(@method $oname ($($oarg: $oty),*));)*
        }
    };
    (@method $name:ident ($($arg:ident : $ty:ty),*)) => {
        #[inline]
        pub(crate) unsafe fn $name(&self, $($arg: $ty),*) -> Result<(), Failure> {
            let state = host_function::State::now();
            // A driver that is called from there may wait forever.
            if state.is_inside() {
                return Err(Failure { call: stringify!($name), code: CUDA_ERROR_NOT_PERMITTED });
            }
            // Apart, so that the arguments need no place in memory otherwise.
            #[cfg(not(ptyx_device))]
            #[cold]
            #[inline(never)]
            unsafe fn watched(driver: &Driver, $($arg: $ty),*) -> CUresult {
                let args: &[watch::Arg<'_>] = &[$((stringify!($arg), &$arg)),*];
                let call = &mut || {
                    let _alone = captures::alone(stringify!($name));
                    // SAFETY: the caller's promise for the driver function of this name.
                    unsafe { (driver.table.$name)($($arg),*) }
                };
                driver.watched(stringify!($name), args, call)
            }
            #[cfg(not(ptyx_device))]
            let code = if state.is_special() || watch::is_on() {
                // SAFETY: the caller's promise for the driver function of this name.
                unsafe { watched(self, $($arg),*) }
            } else {
                // SAFETY: the caller's promise for the driver function of this name.
                unsafe { (self.table.$name)($($arg),*) }
            };
            #[cfg(ptyx_device)]
            let code = { let _ = ($($arg,)*); refused() };
            if code == CUDA_SUCCESS {
                Ok(())
            } else {
                Err(Failure { call: stringify!($name), code })
            }
        }
    };
}

/// Stands for a driver call in the device pass: it calls a function that does not exist, so that a kernel that reaches it is
/// refused.
#[cfg(ptyx_device)]
fn refused() -> CUresult {
    unsafe extern "C" {
        fn __ptyx_host_only() -> CUresult;
    }
    // SAFETY: never runs.
    unsafe { __ptyx_host_only() }
}

/// The driver: its functions, and whether the emulated device serves them.
pub(crate) struct Driver {
    #[cfg(not(ptyx_device))]
    table: Table,
    emulated: bool,
}

for_each_driver_function!(define_driver);

/// The driver that this process uses.
static INSTALLED: OnceLock<Driver> = OnceLock::new();

/// Makes `driver` the one that this process uses, unless there is one.
pub(crate) fn install(driver: Driver) -> &'static Driver {
    INSTALLED.get_or_init(|| driver)
}

/// The driver that this process uses, once it is chosen. Errors take their texts from it.
pub(crate) fn installed() -> Option<&'static Driver> {
    INSTALLED.get()
}

/// Whether this process is a child, by `fork`, of one that has used the driver.
pub(crate) fn is_forked() -> bool {
    #[cfg(not(ptyx_device))]
    return watch::is_forbidden();
    #[cfg(ptyx_device)]
    false
}

impl Driver {
    /// Fills the table through `lookup`, or names the required function that is missing. `watch` is for the process.
    ///
    /// # Safety
    /// What `lookup` finds under a name must be the driver function of that name, and stay loaded
    /// for the rest of the process.
    #[cfg(not(ptyx_device))]
    pub(crate) unsafe fn new(
        lookup: Lookup<'_>,
        emulated: bool,
        watch: watch::Watch,
    ) -> Result<Driver, &'static str> {
        // SAFETY: the caller's promise.
        let table = unsafe { Table::fill(lookup) }?;
        watch::start(watch);
        Ok(Driver { table, emulated })
    }

    /// Whether `PTYX_DEBUG` asks for more checks.
    pub(crate) fn checks(&self) -> bool {
        #[cfg(not(ptyx_device))]
        return watch::checks();
        #[cfg(ptyx_device)]
        false
    }

    /// Whether the emulated device serves the functions.
    pub(crate) fn is_emulated(&self) -> bool {
        self.emulated
    }

    /// The name of a result code, such as `CUDA_ERROR_OUT_OF_MEMORY`.
    pub(crate) fn error_name(&self, code: CUresult) -> String {
        self.error_text_of(code, false).unwrap_or_else(|| format!("error {code}"))
    }

    /// The driver's description of a result code.
    pub(crate) fn error_string(&self, code: CUresult) -> String {
        self.error_text_of(code, true).unwrap_or_else(|| "unrecognized error code".to_owned())
    }

    fn error_text_of(&self, code: CUresult, description: bool) -> Option<String> {
        let mut text: *const c_char = core::ptr::null();
        #[cfg(not(ptyx_device))]
        {
            let call =
                if description { self.table.cuGetErrorString } else { self.table.cuGetErrorName };
            // SAFETY: `text` is a valid place for a pointer. Not traced: tracing calls this.
            if unsafe { call(code, &mut text) } != CUDA_SUCCESS {
                return None;
            }
        }
        #[cfg(ptyx_device)]
        let _ = (code, description, &mut text);
        if text.is_null() {
            return None;
        }
        // SAFETY: the driver gave a NUL-terminated string of static life.
        Some(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
    }

    /// The emulated device's report on the last fault, if it has one.
    pub(crate) fn take_fault(&self) -> Option<String> {
        #[cfg(not(ptyx_device))]
        if self.emulated {
            return ptyx_emulator::driver::take_fault();
        }
        None
    }

    /// The driver's version: 1000 * major + 10 * minor.
    pub(crate) fn version(&self) -> Result<u32, Failure> {
        let mut version = 0;
        // SAFETY: `version` is a valid place.
        unsafe { self.cuDriverGetVersion(&mut version) }?;
        Ok(version.unsigned_abs())
    }

    /// The name of a function's entry, which drivers know from 12.3 on.
    ///
    /// # Safety
    /// The function's module is loaded.
    pub(crate) unsafe fn entry_name(&self, function: CUfunction) -> Result<String, Failure> {
        let mut name: *const c_char = core::ptr::null();
        // SAFETY: the place is valid, the function the caller's.
        unsafe { self.cuFuncGetName(&mut name, function) }?;
        if name.is_null() {
            return Ok(String::new());
        }
        // SAFETY: the driver's name ends with NUL, and lives as long as the module is loaded.
        Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    /// How many devices there are.
    pub(crate) fn device_count(&self) -> Result<u32, Failure> {
        let mut count = 0;
        // SAFETY: `count` is a valid place.
        unsafe { self.cuDeviceGetCount(&mut count) }?;
        Ok(count.unsigned_abs())
    }
}

/// `13.0` for 13000.
pub(crate) fn version_text(version: u32) -> String {
    format!("{}.{}", version / 1000, version % 1000 / 10)
}

/// The text at the start of a buffer that the driver filled.
pub(crate) fn text_of(buffer: &[c_char]) -> String {
    let bytes: Vec<u8> = buffer.iter().map(|c| c.cast_unsigned()).take_while(|&c| c != 0).collect();
    String::from_utf8_lossy(&bytes).trim_end().to_owned()
}
