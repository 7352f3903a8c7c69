//! Selects the driver, by `PTYX_DEVICE` and what the machine has, and says why.

use crate::driver::types::CUDA_ERROR_NO_DEVICE;
use crate::driver::watch::Watch;
use crate::driver::{Driver, version_text};
use crate::error::{Error, Result};
use crate::settings;
use core::ffi::c_void;
use std::ffi::CString;

/// The environment variable that selects the device.
pub(crate) const VARIABLE: &str = "PTYX_DEVICE";

/// The driver library's name.
const LIBRARY: &str = "libcuda.so.1";

/// A driver that is initialised and has a device, and how it was found.
pub(crate) struct Selected {
    pub(crate) driver: Driver,
    pub(crate) devices: u32,
    /// Why no GPU is used, if that was not the user's choice.
    pub(crate) reason: Option<String>,
}

/// What `PTYX_DEVICE` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Auto,
    Cuda,
    Emulator,
}

/// Selects the driver as `setting` (the value of `PTYX_DEVICE`) says.
pub(crate) fn select(setting: Option<&str>) -> Result<Selected> {
    let choice = parse(setting)?;
    settings::check(&settings::environment)?;
    let watch = Watch {
        trace: settings::trace(&settings::environment)?,
        debug: settings::debug(&settings::environment)?,
    };
    match choice {
        Choice::Cuda => {
            let (driver, devices) = open_cuda(watch).map_err(|reason| Error::NoGpu { reason })?;
            Ok(Selected { driver, devices, reason: None })
        }
        Choice::Emulator => {
            let (driver, devices) = open_emulator(watch)?;
            Ok(Selected { driver, devices, reason: None })
        }
        Choice::Auto => match open_cuda(watch) {
            Ok((driver, devices)) => Ok(Selected { driver, devices, reason: None }),
            Err(reason) => {
                let (driver, devices) = open_emulator(watch)?;
                Ok(Selected { driver, devices, reason: Some(reason) })
            }
        },
    }
}

fn parse(setting: Option<&str>) -> Result<Choice> {
    match setting.unwrap_or("auto") {
        "auto" | "" => Ok(Choice::Auto),
        "cuda" => Ok(Choice::Cuda),
        "emulator" => Ok(Choice::Emulator),
        other => Err(Error::BadSetting {
            variable: VARIABLE,
            value: other.to_owned(),
            choices: "`auto` (a GPU, else the emulated device), `cuda` or `emulator`",
        }),
    }
}

/// Opens the GPU driver, or says why there is none to use.
fn open_cuda(watch: Watch) -> core::result::Result<(Driver, u32), String> {
    // SAFETY: the driver library's initialisers may run in any process.
    let library = unsafe { libloading::Library::new(LIBRARY) }
        .map_err(|error| format!("the NVIDIA driver is not installed ({error})"))?;
    // The functions are used until the process ends, so the library is never unloaded.
    let library: &'static libloading::Library = Box::leak(Box::new(library));
    let lookup = |name: &str| -> *const c_void {
        let Ok(name) = CString::new(name) else { return core::ptr::null() };
        // SAFETY: the symbol is only taken as an address here.
        unsafe { library.get::<*const c_void>(name.as_bytes_with_nul()) }
            .map_or(core::ptr::null(), |symbol| *symbol)
    };
    // SAFETY: `libcuda.so.1` exports the driver's functions under their names, and stays loaded.
    let driver = unsafe { Driver::new(&lookup, false, watch) }.map_err(|symbol| {
        format!(
            "the NVIDIA driver ({}) is too old: it has no function {symbol}; update the driver",
            driver_version(&lookup)
        )
    })?;
    let devices = initialise(&driver)?;
    Ok((driver, devices))
}

/// The version of a driver whose table could not be filled.
fn driver_version(lookup: &dyn Fn(&str) -> *const c_void) -> String {
    let symbol = lookup("cuDriverGetVersion");
    if symbol.is_null() {
        return "of unknown version".to_owned();
    }
    // SAFETY: the driver's function of this name has this signature.
    let call = unsafe {
        core::mem::transmute::<*const c_void, unsafe extern "C" fn(*mut i32) -> u32>(symbol)
    };
    let mut version = 0;
    // SAFETY: `version` is a valid place.
    match unsafe { call(&mut version) } {
        0 => format!("for CUDA {}", version_text(version.unsigned_abs())),
        _ => "of unknown version".to_owned(),
    }
}

fn open_emulator(watch: Watch) -> Result<(Driver, u32)> {
    settings::check_emulator()?;
    let lookup = |name: &str| ptyx_emulator::driver::symbol(name).unwrap_or_else(core::ptr::null);
    // SAFETY: the emulator has the driver's functions under their names, linked into the process.
    let driver = unsafe { Driver::new(&lookup, true, watch) }
        .map_err(|symbol| Error::NoEmulator { reason: format!("it has no function {symbol}") })?;
    let devices = initialise(&driver).map_err(|reason| Error::NoEmulator { reason })?;
    Ok((driver, devices))
}

/// Initialises a driver; returns how many devices it has, or why there are none.
fn initialise(driver: &Driver) -> core::result::Result<u32, String> {
    let explain = |code| {
        let (name, text): (String, String) = (driver.error_name(code), driver.error_string(code));
        if code == CUDA_ERROR_NO_DEVICE {
            format!("the driver finds no GPU ({name}: {text})")
        } else {
            format!("the driver can't be initialised ({name}: {text})")
        }
    };
    // SAFETY: no precondition.
    unsafe { driver.cuInit(0) }.map_err(|failure| explain(failure.code))?;
    match driver.device_count().map_err(|failure| explain(failure.code))? {
        0 => Err("the driver finds no GPU".to_owned()),
        count => Ok(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings() {
        assert_eq!(parse(None).unwrap(), Choice::Auto);
        assert_eq!(parse(Some("")).unwrap(), Choice::Auto);
        assert_eq!(parse(Some("auto")).unwrap(), Choice::Auto);
        assert_eq!(parse(Some("cuda")).unwrap(), Choice::Cuda);
        assert_eq!(parse(Some("emulator")).unwrap(), Choice::Emulator);
        let text = parse(Some("gpu")).unwrap_err().to_string();
        for part in ["PTYX_DEVICE", "`gpu`", "`auto`", "`cuda`", "`emulator`"] {
            assert!(text.contains(part), "{text}");
        }
    }

    #[test]
    fn the_emulated_device_has_every_required_function() {
        let (driver, devices) = open_emulator(Watch::default()).unwrap();
        assert!(driver.is_emulated());
        assert!(devices >= 1);
        assert!(driver.version().unwrap() >= 11_000);
        assert_eq!(driver.error_name(2), "CUDA_ERROR_OUT_OF_MEMORY");
        // As the runtime API says it.
        assert_eq!(driver.error_name(12345), "error 12345");
        assert_eq!(driver.error_string(12345), "unrecognized error code");
        let status = Error::of_status("cuStreamAddCallback", 12345).to_string();
        assert!(status.ends_with("error 12345 (unrecognized error code)"), "{status}");
    }
}
