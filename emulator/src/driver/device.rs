//! Device management (CUDA driver API, section 6.5).
#![allow(non_snake_case)]

use super::architecture::capability;
use super::code::{Code, Outcome, put};
use super::properties::*;
use super::state::{initialized, lock, tell};
use crate::exec::ops::special::MULTIPROCESSORS;
use crate::memory::TOTAL;
use crate::settings::{check_settings, settings};
use ptyx_driver_api::*;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

const NAME: &str = "Ptyx emulated device";
/// The number of a device, if it exists.
pub(super) fn check(device: c_int) -> Result<usize, Code> {
    initialized()?;
    let number = usize::try_from(device).ok();
    number.filter(|&device| device < settings().devices).ok_or(Code::INVALID_DEVICE)
}

pub(super) fn cuInit(flags: c_uint) -> Outcome {
    if flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    if let Err(bad) = check_settings() {
        tell(bad.to_string());
        return Err(Code::INVALID_VALUE);
    }
    lock().initialized = true;
    Ok(())
}

pub(super) fn cuDriverGetVersion(version: *mut c_int) -> Outcome {
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(version, DRIVER_VERSION as c_int) }
}

pub(super) fn cuDeviceGetCount(count: *mut c_int) -> Outcome {
    initialized()?;
    // SAFETY: as above.
    unsafe { put(count, settings().devices as c_int) }
}

pub(super) fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> Outcome {
    check(ordinal)?;
    // SAFETY: as above.
    unsafe { put(device, ordinal) }
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

pub(super) fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) -> Outcome {
    check(device)?;
    put_text(name, length, NAME)
}

pub(super) fn cuDeviceGetPCIBusId(id: *mut c_char, length: c_int, device: c_int) -> Outcome {
    let device = check(device)?;
    put_text(id, length, &format!("0000:{device:02x}:00.0"))
}

pub(super) fn cuDeviceGetByPCIBusId(device: *mut c_int, id: *const c_char) -> Outcome {
    initialized()?;
    if id.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's text ends with a zero byte.
    let text = unsafe { CStr::from_ptr(id) }.to_str().map_err(|_| Code::INVALID_VALUE)?;
    let [0, bus, 0, 0] = pci_address(text).ok_or(Code::INVALID_VALUE)? else {
        return Err(Code::INVALID_DEVICE);
    };
    let found = usize::try_from(bus).ok().filter(|&bus| bus < settings().devices);
    let found = found.ok_or(Code::INVALID_DEVICE)?;
    // SAFETY: as above.
    unsafe { put(device, found as c_int) }
}

/// Domain, bus, device and function of `[domain]:[bus]:[device].[function]`, of which the domain and the function may
/// be left out.
fn pci_address(text: &str) -> Option<[u32; 4]> {
    let hex = |text: &str| u32::from_str_radix(text, 16).ok();
    let (front, function) = match text.split_once('.') {
        Some((front, function)) => (front, hex(function)?),
        None => (text, 0),
    };
    match front.split(':').collect::<Vec<_>>()[..] {
        [domain, bus, device] => Some([hex(domain)?, hex(bus)?, hex(device)?, function]),
        [bus, device] => Some([0, hex(bus)?, hex(device)?, function]),
        _ => None,
    }
}

pub(super) fn cuDeviceGetP2PAttribute(
    value: *mut c_int,
    attribute: CUdevice_P2PAttribute,
    device: c_int,
    peer: c_int,
) -> Outcome {
    check(device)?;
    check(peer)?;
    if device == peer {
        return Err(Code::INVALID_DEVICE);
    }
    let found = match attribute {
        CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK
        | CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED
        | CU_DEVICE_P2P_ATTRIBUTE_CUDA_ARRAY_ACCESS_SUPPORTED => 0,
        // As `cuDeviceCanAccessPeer` says.
        CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED => settings().peer_access.into(),
        _ => return Err(Code::INVALID_VALUE),
    };
    // SAFETY: as above.
    unsafe { put(value, found) }
}

/// Only Tegra and Drive have NvSci.
pub(super) fn cuDeviceGetNvSciSyncAttributes(
    _attributes: *mut c_void,
    device: c_int,
    _flags: c_int,
) -> Outcome {
    check(device)?;
    Err(Code::NOT_SUPPORTED)
}

/// Only Windows has these identifiers.
pub(super) fn cuDeviceGetLuid(_luid: *mut [u8; 8], _mask: *mut c_uint, device: c_int) -> Outcome {
    check(device)?;
    Err(Code::NOT_SUPPORTED)
}

pub(super) fn cuDeviceTotalMem_v2(bytes: *mut usize, device: c_int) -> Outcome {
    check(device)?;
    // SAFETY: as above.
    unsafe { put(bytes, TOTAL as usize) }
}

pub(super) fn cuDeviceGetUuid(uuid: *mut [u8; 16], device: c_int) -> Outcome {
    let device = check(device)?;
    let mut own = *b"ptyx-emulated-00";
    own[14..].copy_from_slice(format!("{device:02}").as_bytes());
    // SAFETY: as above.
    unsafe { put(uuid, own) }
}

pub(super) fn cuDeviceGetUuid_v2(uuid: *mut [u8; 16], device: c_int) -> Outcome {
    cuDeviceGetUuid(uuid, device)
}

pub(super) fn cuDeviceComputeCapability(
    major: *mut c_int,
    minor: *mut c_int,
    device: c_int,
) -> Outcome {
    check(device)?;
    // SAFETY: as above.
    unsafe {
        put(major, (capability() / 10) as c_int)?;
        put(minor, (capability() % 10) as c_int)
    }
}

/// Values of `CUdevice_attribute`; what is not listed is 0: the device does not have it.
fn attribute(attribute: CUdevice_attribute) -> Option<u32> {
    Some(match attribute {
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK => MAX_THREADS,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X => MAX_BLOCK[0],
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y => MAX_BLOCK[1],
        CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z => MAX_BLOCK[2],
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X => MAX_GRID[0],
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y => MAX_GRID[1],
        CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z => MAX_GRID[2],
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK => SHARED_DEFAULT,
        CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY => 64 << 10,
        CU_DEVICE_ATTRIBUTE_WARP_SIZE => 32,
        CU_DEVICE_ATTRIBUTE_MAX_PITCH => u32::MAX >> 1,
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK => REGISTERS,
        CU_DEVICE_ATTRIBUTE_CLOCK_RATE => 1_000_000, // what `%clock` counts
        CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT => TEXTURE_ALIGNMENT,
        CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT => PITCH_ALIGNMENT,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH => TEXTURES.one,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH => TEXTURES.two[0],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT => TEXTURES.two[1],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH => TEXTURES.three[0],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT => TEXTURES.three[1],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH => TEXTURES.three[2],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH => TEXTURES.layers1[0],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS => TEXTURES.layers1[1],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH => TEXTURES.layers2[0],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT => TEXTURES.layers2[1],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS => TEXTURES.layers2[2],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH => TEXTURES.gather[0],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT => TEXTURES.gather[1],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH => TEXTURES.cube,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH => TEXTURES.cubes[0],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS => TEXTURES.cubes[1],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH => TEXTURES.buffer,
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH => TEXTURES.rows[0],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT => TEXTURES.rows[1],
        CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH => TEXTURES.rows[2],
        CU_DEVICE_ATTRIBUTE_GPU_OVERLAP => 0,
        CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT => MULTIPROCESSORS,
        CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT => 0,
        CU_DEVICE_ATTRIBUTE_INTEGRATED => 1, // the memory is the host's
        CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY => 1,
        CU_DEVICE_ATTRIBUTE_COMPUTE_MODE => CU_COMPUTEMODE_DEFAULT,
        CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS => 0,
        CU_DEVICE_ATTRIBUTE_ECC_ENABLED => 0,
        CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE => 1_000_000,
        CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH => 64,
        CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE => 0,
        CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR => THREADS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT => 0,
        CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING => 0, // device pointers are made up
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR => capability() / 10,
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR => capability() % 10,
        CU_DEVICE_ATTRIBUTE_STREAM_PRIORITIES_SUPPORTED => 1,
        CU_DEVICE_ATTRIBUTE_GLOBAL_L1_CACHE_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_LOCAL_L1_CACHE_SUPPORTED => 1,
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR => SHARED_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR => REGISTERS,
        CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY | CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS => 1,
        CU_DEVICE_ATTRIBUTE_MULTI_GPU_BOARD => 0,
        CU_DEVICE_ATTRIBUTE_SPARSE_CUDA_ARRAY_SUPPORTED
        | CU_DEVICE_ATTRIBUTE_DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED => 1,
        CU_DEVICE_ATTRIBUTE_HOST_NATIVE_ATOMIC_SUPPORTED => 0,
        CU_DEVICE_ATTRIBUTE_SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO => 1,
        CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH => 1,
        CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH => (capability() >= 90).into(),
        CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN => SHARED_OPTIN,
        CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR => BLOCKS_PER_MULTIPROCESSOR,
        CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK => SHARED_RESERVED,
        CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED => 1,
        CU_DEVICE_ATTRIBUTE_READ_ONLY_HOST_REGISTER_SUPPORTED => 1,
        CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED => 1,
        CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES => {
            CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR.cast_unsigned()
        }
        CU_DEVICE_ATTRIBUTE_IPC_EVENT_SUPPORTED => 1,
        _ if (1..CU_DEVICE_ATTRIBUTE_MAX).contains(&attribute) => 0,
        _ => return None,
    })
}

pub(super) fn cuDeviceGetAttribute(
    value: *mut c_int,
    which: CUdevice_attribute,
    device: c_int,
) -> Outcome {
    check(device)?;
    let found = attribute(which).ok_or(Code::INVALID_VALUE)?;
    // SAFETY: as above.
    unsafe { put(value, found as c_int) }
}
