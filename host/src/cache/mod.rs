//! Machine code of kernels on disk, for later processes (`PTYX_CACHE`).
//!
//! The driver assembles PTX once; its linker gives the machine code, which is kept under a key of everything that it
//! depends on: the PTX (with the knobs, which are text in it), the options, the device's architecture, the driver's
//! version and build, and Ptyx's version. What is read is checked by its length and its checksum, then by the driver.
//! Whatever goes wrong, the PTX is assembled.

mod store;

use crate::context::Context;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::module::{self, Linker, ModuleOptions};
use crate::settings;
use core::sync::atomic::{AtomicU64, Ordering};
use std::sync::OnceLock;
use store::{Key, Store};

static LOADED: AtomicU64 = AtomicU64::new(0);

/// How many modules came from the disk.
pub(crate) fn loaded() -> u64 {
    LOADED.load(Ordering::Relaxed)
}

/// Loads PTX that the driver assembles, or that it has assembled before. `keep` is the option that keeps debug
/// information, if there is any. The context must be bound.
pub(crate) fn load(
    context: &'static Context,
    ptx: &str,
    keep: Option<u32>,
    what: &str,
) -> Result<CUmodule> {
    // With `PTYX_DEBUG` the assembler's log is wanted.
    let Some(store) = store().filter(|_| !context.driver.checks()) else {
        return module::load(context, ptx, keep, what);
    };
    let key = key_of(context, ptx, keep);
    if let Some(code) = store.get(key) {
        if let Ok(module) = module::load_machine_code(context, &code, what) {
            LOADED.fetch_add(1, Ordering::Relaxed);
            return Ok(module);
        }
        store.remove(key);
    }
    match assemble(context, ptx, keep, what) {
        Ok(code) => match module::load_machine_code(context, &code, what) {
            Ok(module) => {
                store.put(key, &code);
                Ok(module)
            }
            Err(_) => module::load(context, ptx, keep, what),
        },
        // Errors are those of the assembler alone; a driver may also lack a linker.
        Err(_) => module::load(context, ptx, keep, what),
    }
}

/// Where machine code is kept, if it is.
fn store() -> Option<&'static Store> {
    static STORE: OnceLock<Option<Store>> = OnceLock::new();
    let open = || settings::cache(&settings::environment).ok().flatten().map(Store::new);
    STORE.get_or_init(open).as_ref()
}

/// What machine code depends on.
#[derive(Clone, Debug)]
struct Origin<'a> {
    ptx: &'a str,
    /// The option that keeps debug information.
    keep: Option<u32>,
    /// Compute capability, times ten. Devices of one architecture run the same machine code.
    capability: u32,
    /// The CUDA version that the driver is for.
    driver: u32,
    /// Which build of the driver it is.
    build: &'a str,
    is_emulated: bool,
    /// Ptyx's version.
    ptyx: &'a str,
}

impl Origin<'_> {
    fn key(&self) -> Key {
        let Origin { ptx, keep, capability, driver, build, is_emulated, ptyx } = self;
        let numbers = [*capability, *driver, keep.unwrap_or(u32::MAX), u32::from(*is_emulated)];
        let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        Key::of(&[ptyx.as_bytes(), &numbers, build.as_bytes(), ptx.as_bytes()])
    }
}

fn key_of(context: &Context, ptx: &str, keep: Option<u32>) -> Key {
    let (capability, is_emulated) = (context.capability, context.driver.is_emulated());
    let driver = context.driver.version().unwrap_or(0);
    let (build, ptyx) = (driver_build(), env!("CARGO_PKG_VERSION"));
    Origin { ptx, keep, capability, driver, build, is_emulated, ptyx }.key()
}

/// Tells builds of the driver apart that are for one version of CUDA: the loaded library's file, whose name has the
/// driver's version on most systems, its size, and when it was installed. Empty if it is not known.
fn driver_build() -> &'static str {
    static BUILD: OnceLock<String> = OnceLock::new();
    BUILD.get_or_init(|| {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
        library_in(&maps).map_or_else(String::new, |path| {
            let known = std::fs::metadata(path).ok();
            let time = known.as_ref().and_then(|known| known.modified().ok());
            let time = time.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
            let bytes = known.map_or(0, |known| known.len());
            format!("{path} {bytes} {}", time.map_or(0, |time| time.as_secs()))
        })
    })
}

/// The path of the driver's library in a list of a process's mappings.
fn library_in(maps: &str) -> Option<&str> {
    let paths = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let name =
        |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with("libcuda.so"));
    paths.into_iter().find(|path| name(path))
}

/// The machine code that the driver's linker makes of PTX.
fn assemble(
    context: &'static Context,
    ptx: &str,
    keep: Option<u32>,
    what: &str,
) -> Result<Vec<u8>> {
    let options = ModuleOptions::new()
        .debug_info(keep == Some(CU_JIT_GENERATE_DEBUG_INFO))
        .line_info(keep == Some(CU_JIT_GENERATE_LINE_INFO));
    let mut linker = Linker::on(context, &options)?;
    // The name is for messages.
    let name: String = what.chars().filter(|&c| c != '\0').collect();
    linker.add_ptx(&name, ptx)?;
    let code = linker.finish()?;
    match code.is_empty() {
        true => {
            Err(Error::ModuleImage { what: name, reason: "the linker produced no code".to_owned() })
        }
        false => Ok(code),
    }
}

/// How many entries a folder has, and how many bytes these take.
pub(crate) fn size_of(folder: &settings::CacheFolder) -> (usize, u64) {
    Store::new(folder.clone()).size()
}

/// Whether an entry could be written to the folder.
pub(crate) fn try_to_write(folder: &settings::CacheFolder) -> std::io::Result<()> {
    Store::new(folder.clone()).try_to_write()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another driver, of another version or only of another build, does not get this one's machine code.
    #[test]
    fn whatever_code_depends_on_changes_its_key() {
        let origin = Origin {
            ptx: ".version 6.3",
            keep: None,
            capability: 90,
            driver: 13_000,
            build: "/usr/lib/libcuda.so.580.65 1 2",
            is_emulated: false,
            ptyx: "0.1.0",
        };
        let changed = [
            Origin { ptx: ".version 6.4", ..origin.clone() },
            Origin { keep: Some(CU_JIT_GENERATE_LINE_INFO), ..origin.clone() },
            Origin { capability: 100, ..origin.clone() },
            Origin { driver: 13_010, ..origin.clone() },
            Origin { build: "/usr/lib/libcuda.so.580.159 1 2", ..origin.clone() },
            Origin { is_emulated: true, ..origin.clone() },
            Origin { ptyx: "0.1.1", ..origin.clone() },
        ];
        assert_eq!(origin.key(), origin.clone().key());
        let keys: Vec<Key> = changed.iter().chain([&origin]).map(Origin::key).collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(keys[index + 1..].iter().all(|other| other != key), "{index}");
        }
    }

    #[test]
    fn the_drivers_library_is_found_among_the_mappings() {
        let maps = "7f00-7f01 r--p 00000000 08:01 1   /usr/lib/libc.so.6\n\
                    7f02-7f03 rw-p 00000000 00:00 0\n\
                    7f04-7f05 r-xp 00000000 08:01 2   /usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04\n";
        assert_eq!(library_in(maps), Some("/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04"));
        assert_eq!(library_in("7f00-7f01 r--p 0 08:01 1 /usr/lib/libcudart.so.13\n"), None);
    }
}
