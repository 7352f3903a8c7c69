//! Access to other devices' memory (CUDA driver API, section 6.24), and copies between devices.
//!
//! Kernels reach what `cuMemAlloc` gave, and variables of modules, once their context has access to the other one;
//! memory of pools, once its pools give their device access. Copies need neither.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::device::check;
use super::handle::{Handle, device_of};
use super::memory::{End, copy_now, copy_on};
use super::state::{current, initialized, retained_device};
use crate::settings::settings;
use ptyx_driver_api::*;
use std::ffi::{c_int, c_uint};

pub(super) fn cuDeviceCanAccessPeer(can: *mut c_int, device: c_int, peer: c_int) -> Outcome {
    let can_access = check(device)? != check(peer)? && settings().peer_access;
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(can, can_access.into()) }
}

/// The device of another context than the current one.
fn other(current: usize, context: Handle) -> Result<usize, Code> {
    device_of(context).filter(|&peer| peer != current).ok_or(Code::INVALID_CONTEXT)
}

pub(super) fn cuCtxEnablePeerAccess(context: Handle, flags: c_uint) -> Outcome {
    let mut state = current()?;
    let peer = other(state.device, context)?;
    retained_device(&state, context)?;
    if flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    if !settings().peer_access {
        return Err(Code::PEER_ACCESS_UNSUPPORTED);
    }
    let own = state.context();
    if own.peers >> peer & 1 == 1 {
        return Err(Code::PEER_ACCESS_ALREADY_ENABLED);
    }
    own.peers |= 1 << peer;
    Ok(())
}

pub(super) fn cuCtxDisablePeerAccess(context: Handle) -> Outcome {
    let mut state = current()?;
    let peer = other(state.device, context)?;
    let own = state.context();
    if own.peers >> peer & 1 == 0 {
        return Err(Code::PEER_ACCESS_NOT_ENABLED);
    }
    own.peers &= !(1 << peer);
    Ok(())
}

pub(super) fn cuMemPoolSetAccess(
    pool: Handle,
    accesses: *const CUmemAccessDesc,
    count: usize,
) -> Outcome {
    let mut state = initialized()?;
    let pool = state.pools.get(pool)?;
    let owner = pool.device;
    if count > 0 && accesses.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    for index in 0..count {
        // SAFETY: the caller gives `count` descriptions.
        let access = unsafe { accesses.add(index).read() };
        let device = check_location(access.location)?;
        if access.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE {
            check_access(owner, device)?;
        }
        match access.flags {
            CU_MEM_ACCESS_FLAGS_PROT_READWRITE => pool.access.set(device, true),
            CU_MEM_ACCESS_FLAGS_PROT_NONE if device != owner => pool.access.set(device, false),
            _ => return Err(Code::INVALID_VALUE),
        }
    }
    Ok(())
}

pub(super) fn cuMemPoolGetAccess(
    flags: *mut CUmemAccess_flags,
    pool: Handle,
    location: *mut CUmemLocation,
) -> Outcome {
    let mut state = initialized()?;
    let pool = state.pools.get(pool)?;
    if location.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    let device = check_location(unsafe { location.read() })?;
    let found = match device == pool.device || pool.access.allows(device) {
        true => CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        false => CU_MEM_ACCESS_FLAGS_PROT_NONE,
    };
    // SAFETY: as above.
    unsafe { put(flags, found) }
}

/// Whether a device can be given access to memory of another.
pub(super) fn check_access(owner: usize, device: usize) -> Outcome {
    if owner == device || settings().peer_access { Ok(()) } else { Err(Code::INVALID_DEVICE) }
}

/// The device of a location.
pub(super) fn check_location(location: CUmemLocation) -> Result<usize, Code> {
    match location.kind {
        CU_MEM_LOCATION_TYPE_DEVICE => device_number(location.id),
        _ => Err(Code::INVALID_VALUE),
    }
}

fn device_number(id: c_int) -> Result<usize, Code> {
    let devices = settings().devices;
    usize::try_from(id).ok().filter(|&device| device < devices).ok_or(Code::INVALID_DEVICE)
}

/// Checks that contexts exist.
fn contexts(contexts: [Handle; 2]) -> Outcome {
    let state = current()?;
    contexts.into_iter().try_for_each(|context| retained_device(&state, context).map(|_| ()))
}

pub(super) fn cuMemcpyPeer(
    to: u64,
    to_context: Handle,
    from: u64,
    from_context: Handle,
    size: usize,
) -> Outcome {
    contexts([to_context, from_context])?;
    copy_now(End::Device(to), End::Device(from), size)
}

pub(super) fn cuMemcpyPeerAsync(
    to: u64,
    to_context: Handle,
    from: u64,
    from_context: Handle,
    size: usize,
    stream: Handle,
) -> Outcome {
    contexts([to_context, from_context])?;
    // As on an H200.
    current()?.refuse_captured(stream)?;
    copy_on(stream, End::Device(to), End::Device(from), size)
}
