//! Loads PTX files and prints what the emulated device says about them: `load FILE..`.

use ptyx_emulator::driver::symbol;
use std::ffi::{CString, c_int, c_uint, c_void};

fn function(name: &str) -> *const c_void {
    symbol(name).unwrap_or_else(|| panic!("no driver function `{name}`"))
}

fn main() {
    // SAFETY: the signatures are those of the driver's header; so below.
    let init: extern "C" fn(c_uint) -> c_int = unsafe { std::mem::transmute(function("cuInit")) };
    let retain: extern "C" fn(*mut usize, c_int) -> c_int =
        // SAFETY: as above.
        unsafe { std::mem::transmute(function("cuDevicePrimaryCtxRetain")) };
    let set: extern "C" fn(usize) -> c_int =
        // SAFETY: as above.
        unsafe { std::mem::transmute(function("cuCtxSetCurrent")) };
    type Load =
        extern "C" fn(*mut usize, *const c_void, c_uint, *mut c_int, *mut *mut c_void) -> c_int;
    // SAFETY: as above.
    let load: Load = unsafe { std::mem::transmute(function("cuModuleLoadDataEx")) };
    let mut context = 0;
    assert_eq!((init(0), retain(&mut context, 0), set(context)), (0, 0, 0));
    for path in std::env::args().skip(1) {
        let source = match std::fs::read(&path) {
            Ok(bytes) => CString::new(bytes).expect("PTX holds no zero byte"),
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        let mut log = vec![0u8; 1 << 16];
        let (mut module, mut options) = (0, [5, 6]);
        let mut values = [log.as_mut_ptr().cast::<c_void>(), log.len() as *mut c_void];
        let image = source.as_ptr().cast();
        let code = load(&mut module, image, 2, options.as_mut_ptr(), values.as_mut_ptr());
        log.truncate(values[1] as usize);
        println!("{path}: {code}\n{}", String::from_utf8_lossy(&log));
    }
}
