//! Device management (CUDA driver API, section 6.5).
#![allow(non_snake_case)]

use super::architecture::capability;
use super::code::{Code, answer, put};
use super::state::{initialized, lock, tell};
use crate::exec::ops::special::MULTIPROCESSORS;
use crate::memory::TOTAL;
use crate::settings::{check_settings, settings};
use std::ffi::{c_char, c_int, c_uint};

super::functions!(
    cuInit,
    cuDriverGetVersion,
    cuDeviceGetCount,
    cuDeviceGet,
    cuDeviceGetName,
    cuDeviceGetAttribute,
    cuDeviceTotalMem_v2,
    cuDeviceGetUuid,
    cuDeviceGetUuid_v2,
    cuDeviceGetPCIBusId,
    cuDeviceCanAccessPeer,
    cuDeviceComputeCapability,
);

const NAME: &str = "Ptyx emulated device";
/// Shared memory a block may use without asking for more.
pub(super) const SHARED_DEFAULT: u32 = 48 << 10;
/// Shared memory a block may ask for.
pub(super) const SHARED_OPTIN: u32 = 227 << 10;
pub(super) const MAX_THREADS: u32 = 1024;
pub(super) const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
pub(super) const MAX_GRID: [u32; 3] = [0x7fff_ffff, 65535, 65535];
pub(super) const REGISTERS: u32 = 65536;
pub(super) const THREADS_PER_MULTIPROCESSOR: u32 = 2048;
pub(super) const BLOCKS_PER_MULTIPROCESSOR: u32 = 32;
pub(super) const SHARED_PER_MULTIPROCESSOR: u32 = 228 << 10;
/// Shared memory that each block costs besides its own.
pub(super) const SHARED_RESERVED: u32 = 1024;

/// The number of a device, if it exists.
pub(super) fn check(device: c_int) -> Result<usize, Code> {
    initialized()?;
    let number = usize::try_from(device).ok();
    number.filter(|&device| device < settings().devices).ok_or(Code::INVALID_DEVICE)
}

extern "C" fn cuInit(flags: c_uint) -> Code {
    answer(|| {
        if flags != 0 {
            return Err(Code::INVALID_VALUE);
        }
        if let Err(bad) = check_settings() {
            tell(bad.to_string());
            return Err(Code::INVALID_VALUE);
        }
        lock().initialized = true;
        Ok(())
    })
}

extern "C" fn cuDriverGetVersion(version: *mut c_int) -> Code {
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    answer(|| unsafe { put(version, 13000) })
}

extern "C" fn cuDeviceGetCount(count: *mut c_int) -> Code {
    answer(|| {
        initialized()?;
        // SAFETY: as above.
        unsafe { put(count, settings().devices as c_int) }
    })
}

extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> Code {
    answer(|| {
        check(ordinal)?;
        // SAFETY: as above.
        unsafe { put(device, ordinal) }
    })
}

/// Writes text with a zero byte into the caller's buffer, cut if it does not fit.
fn put_text(to: *mut c_char, length: c_int, text: &str) -> Result<(), Code> {
    let room = usize::try_from(length).map_err(|_| Code::INVALID_VALUE)?;
    if to.is_null() || room == 0 {
        return Err(Code::INVALID_VALUE);
    }
    let count = text.len().min(room - 1);
    // SAFETY: the caller's buffer has `length` bytes.
    unsafe {
        to.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), count);
        to.add(count).write(0);
    }
    Ok(())
}

extern "C" fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) -> Code {
    answer(|| {
        check(device)?;
        put_text(name, length, NAME)
    })
}

extern "C" fn cuDeviceGetPCIBusId(id: *mut c_char, length: c_int, device: c_int) -> Code {
    answer(|| {
        let device = check(device)?;
        put_text(id, length, &format!("0000:{device:02x}:00.0"))
    })
}

extern "C" fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) -> Code {
    answer(|| {
        check(device)?;
        // SAFETY: as above.
        unsafe { put(bytes, TOTAL as usize) }
    })
}

extern "C" fn cuDeviceGetUuid(uuid: *mut [u8; 16], device: c_int) -> Code {
    answer(|| {
        let device = check(device)?;
        let mut own = *b"ptyx-emulated-00";
        own[14..].copy_from_slice(format!("{device:02}").as_bytes());
        // SAFETY: as above.
        unsafe { put(uuid, own) }
    })
}

extern "C" fn cuDeviceGetUuid_v2(uuid: *mut [u8; 16], device: c_int) -> Code {
    cuDeviceGetUuid(uuid, device)
}

extern "C" fn cuDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) -> Code {
    answer(|| {
        check(device)?;
        check(peer)?;
        // SAFETY: as above.
        unsafe { put(can, 0) }
    })
}

extern "C" fn cuDeviceComputeCapability(
    major: *mut c_int,
    minor: *mut c_int,
    device: c_int,
) -> Code {
    answer(|| {
        check(device)?;
        // SAFETY: as above.
        unsafe {
            put(major, (capability() / 10) as c_int)?;
            put(minor, (capability() % 10) as c_int)
        }
    })
}

/// Values of `CUdevice_attribute`; what is not listed is 0: the device does not have it.
fn attribute(attribute: c_int) -> Option<u32> {
    Some(match attribute {
        1 => MAX_THREADS,
        2..=4 => MAX_BLOCK[attribute as usize - 2],
        5..=7 => MAX_GRID[attribute as usize - 5],
        8 => SHARED_DEFAULT,
        9 => 64 << 10,       // constant memory
        10 => 32,            // warp size
        11 => u32::MAX >> 1, // largest pitch
        12 => REGISTERS,     // registers per block
        13 => 1_000_000,     // clock rate, kHz: what `%clock` counts
        14 => 512,           // texture alignment
        15 => 0,             // copies beside kernels
        16 => MULTIPROCESSORS,
        17 => 0,         // run time limit on kernels
        18 => 1,         // integrated: the memory is the host's
        19 => 1,         // can map host memory
        20 => 0,         // compute mode: default
        31 => 0,         // kernels beside each other
        32 => 0,         // ECC
        36 => 1_000_000, // memory clock, kHz
        37 => 64,        // bus width
        38 => 0,         // L2 cache
        39 => THREADS_PER_MULTIPROCESSOR,
        40 => 0, // asynchronous engines
        41 => 0, // unified addressing: device pointers are made up
        75 => capability() / 10,
        76 => capability() % 10,
        78 => 1,      // stream priorities
        79 | 80 => 1, // L1 for globals, locals
        81 => SHARED_PER_MULTIPROCESSOR,
        82 => REGISTERS, // registers per multiprocessor
        83 => 0,         // managed memory
        84 => 0,         // multi-GPU board
        86 => 0,         // native atomics on host memory over a link
        87 => 1,         // ratio of single to double precision
        95 => 0,         // cooperative launch
        97 => SHARED_OPTIN,
        106 => BLOCKS_PER_MULTIPROCESSOR,
        111 => SHARED_RESERVED,
        115 => 1, // stream-ordered allocation
        0 => return None,
        _ if (1..=160).contains(&attribute) => 0,
        _ => return None,
    })
}

extern "C" fn cuDeviceGetAttribute(value: *mut c_int, which: c_int, device: c_int) -> Code {
    answer(|| {
        check(device)?;
        let found = attribute(which).ok_or(Code::INVALID_VALUE)?;
        // SAFETY: as above.
        unsafe { put(value, found as c_int) }
    })
}
