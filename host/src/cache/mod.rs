//! Machine code of kernels on disk, for later processes (`PTYX_CACHE`).
//!
//! The driver assembles PTX once; its linker gives the machine code, which is kept under a key of everything that it
//! depends on: the PTX (with the knobs, which are text in it), the options, the device's architecture, the driver's
//! version, and Ptyx's. What is read is checked by its length and its checksum, then by the driver. Whatever goes wrong,
//! the PTX is assembled.

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

fn key_of(context: &Context, ptx: &str, keep: Option<u32>) -> Key {
    let driver = context.driver.version().unwrap_or(0);
    let numbers = [context.capability, driver, keep.unwrap_or(u32::MAX)];
    let numbers: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let emulated = [u8::from(context.driver.is_emulated())];
    // Devices of one architecture run the same machine code.
    Key::of(&[env!("CARGO_PKG_VERSION").as_bytes(), &numbers, &emulated, ptx.as_bytes()])
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
