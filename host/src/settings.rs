//! The environment variables that Ptyx reads while a program runs.
//!
//! An invalid value is [`Error::BadSetting`] when the program first needs a device; an empty value counts as
//! unset. The emulated device checks its own variables.

mod cache;

pub(crate) use cache::{CacheFolder, cache};

use crate::error::{Error, Result};
use std::ffi::OsString;
use std::path::PathBuf;

/// Looks up environment variables.
pub(crate) type Lookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// The process's environment.
pub(crate) fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The error of a variable.
pub(crate) fn bad(variable: &'static str, value: OsString, choices: &'static str) -> Error {
    Error::BadSetting { variable, value: value.to_string_lossy().into_owned(), choices }
}

fn get(lookup: Lookup<'_>, variable: &str) -> Option<OsString> {
    lookup(variable).filter(|value| !value.is_empty())
}

/// Whether each driver call is written to standard error: `PTYX_TRACE`.
pub(crate) fn trace(lookup: Lookup<'_>) -> Result<bool> {
    switch(lookup, "PTYX_TRACE", "`1` (a line for each driver call, on stderr) or `0`")
}

/// Whether more is checked: `PTYX_DEBUG`.
pub(crate) fn debug(lookup: Lookup<'_>) -> Result<bool> {
    switch(lookup, "PTYX_DEBUG", "`1` (each call waits for its work) or `0`")
}

/// A variable that is `1` or `0`; unset, it is off.
fn switch(lookup: Lookup<'_>, variable: &'static str, choices: &'static str) -> Result<bool> {
    let Some(value) = get(lookup, variable) else { return Ok(false) };
    match value.to_str() {
        Some("1") => Ok(true),
        Some("0") => Ok(false),
        _ => Err(bad(variable, value, choices)),
    }
}

/// The folder for dumps of kernels, created if it does not exist: `PTYX_DUMP`.
fn dump(lookup: Lookup<'_>) -> Result<()> {
    const DUMP: &str = "PTYX_DUMP";
    let Some(value) = get(lookup, DUMP) else { return Ok(()) };
    std::fs::create_dir_all(PathBuf::from(&value))
        .map_err(|_| bad(DUMP, value, "a folder, or a path where one can be created"))
}

/// Bytes for what kernels print until the host reads it: `PTYX_PRINT_BUFFER`.
pub(crate) fn print_buffer(lookup: Lookup<'_>) -> Result<usize> {
    const PRINT_BUFFER: &str = "PTYX_PRINT_BUFFER";
    const DEFAULT: usize = 1 << 20;
    let Some(value) = get(lookup, PRINT_BUFFER) else { return Ok(DEFAULT) };
    match value.to_str().and_then(|value| value.parse().ok()) {
        Some(bytes) if bytes > 0 => Ok(bytes),
        _ => Err(bad(PRINT_BUFFER, value, "a number of bytes, such as `1048576`")),
    }
}

/// How much memory buffers may have, as text: `PTYX_MEMORY_LIMIT`.
pub(crate) fn memory_limit(lookup: Lookup<'_>) -> Option<OsString> {
    get(lookup, MEMORY_LIMIT)
}

pub(crate) const MEMORY_LIMIT: &str = "PTYX_MEMORY_LIMIT";

/// Checks the variables that are not checked where they are used.
pub(crate) fn check(lookup: Lookup<'_>) -> Result<()> {
    trace(lookup)?;
    debug(lookup)?;
    print_buffer(lookup)?;
    cache(lookup)?;
    dump(lookup)
}

/// Checks the variables of the emulated device.
pub(crate) fn check_emulator() -> Result<()> {
    ptyx_emulator::driver::check_settings().map_err(|bad| Error::BadSetting {
        variable: bad.variable,
        value: bad.value,
        choices: bad.choices,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with<'a>(variable: &'a str, value: &'a str) -> impl Fn(&str) -> Option<OsString> + use<'a> {
        move |name: &str| (name == variable).then(|| value.into())
    }

    #[test]
    fn switches_are_on_or_off() {
        type Switch = fn(Lookup<'_>) -> Result<bool>;
        for (name, switch) in [("PTYX_TRACE", trace as Switch), ("PTYX_DEBUG", debug)] {
            for (value, on) in [("", false), ("0", false), ("1", true)] {
                assert_eq!(switch(&with(name, value)).unwrap(), on);
            }
            for value in ["2", "yes", "true", " 1", "-1"] {
                let text = check(&with(name, value)).unwrap_err().to_string();
                assert!(
                    text.starts_with(&format!("{name} is `{value}`: it must be `1`")),
                    "{text}"
                );
            }
        }
    }

    #[test]
    fn a_folder_for_dumps_can_be_made() {
        let root = std::env::temp_dir().join(format!("ptyx-settings-{}", std::process::id()));
        let folder = root.join("a/b");
        check(&with("PTYX_DUMP", folder.to_str().unwrap())).unwrap();
        assert!(folder.is_dir());
        let file = root.join("file");
        std::fs::write(&file, b"").unwrap();
        for wrong in [file.clone(), file.join("below")] {
            let wrong = wrong.to_str().unwrap();
            let text = check(&with("PTYX_DUMP", wrong)).unwrap_err().to_string();
            assert!(
                text.starts_with(&format!("PTYX_DUMP is `{wrong}`: it must be a folder")),
                "{text}"
            );
        }
        std::fs::remove_dir_all(&root).unwrap();
    }
}
