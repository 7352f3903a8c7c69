//! Reserved addresses and the memory that is mapped there (CUDA driver API, section 6.14, "Virtual Memory Management").
//!
//! The addresses belong to no device. What is mapped there can be accessed by the devices that `cuMemSetAccess` names;
//! for the host's copies and fills it only has to be mapped and accessible to some device. Memory that lies side by side
//! and is accessible to the same devices is one piece for them, others are not: a copy must not cross such a border.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::handle::Handle;
use super::ipc::duplicate;
use super::peer::{check_access, check_location};
use super::ranges::{Mapping, Physical, Reserved, VirtualMemory};
use super::state::{Current, State, initialized, memories, memory};
use crate::memory::pages::{Pages, Region};
use crate::memory::{Access, Memory, TOTAL};
use ptyx_driver_api::*;
use std::collections::{BTreeMap, HashMap};
use std::ffi::{c_int, c_void};
use std::os::fd::IntoRawFd;
use std::sync::Arc;

/// Sizes and places are multiples of this many bytes, as on hardware.
const GRANULARITY: u64 = 2 << 20;
/// Reserved addresses at most, of all ranges together: what a device can address.
const MAX_RESERVED: u64 = 1 << 47;

/// The table that has the addresses: the first device's, as for managed memory.
fn addresses() -> &'static Memory {
    memory(0)
}

/// Gives memory back to its device if nobody has it any more.
pub(super) fn give_back_unused(known: &mut VirtualMemory, handle: Handle) {
    if let Some(gone) = known.take_unused(handle) {
        memory(gone.device).give_back(gone.size);
    }
}

/// Whether kernels may still use what was unmapped.
fn is_any_held() -> bool {
    memories().iter().any(Memory::is_held)
}

/// The device of memory with these properties, whether other processes can have it, and whether it is for sparse arrays.
///
/// # Safety
/// The pointer is null, or leads to such a structure.
unsafe fn check_properties(
    properties: *const CUmemAllocationProp,
) -> Result<(usize, bool, bool), Code> {
    if properties.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    let wanted = unsafe { properties.read() };
    if wanted.kind != CU_MEM_ALLOCATION_TYPE_PINNED {
        return Err(Code::INVALID_VALUE);
    }
    let is_shareable = match wanted.handle_types {
        CU_MEM_HANDLE_TYPE_NONE => false,
        CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR => true,
        _ => return Err(Code::NOT_SUPPORTED),
    };
    let usage = u16::from_le_bytes([wanted.flags[2], wanted.flags[3]]);
    let is_for_tiles = match usage {
        0 => false,
        usage if CUmemCreateUsage::from(usage) == CU_MEM_CREATE_USAGE_TILE_POOL => true,
        _ => return Err(Code::INVALID_VALUE),
    };
    Ok((check_location(wanted.location)?, is_shareable, is_for_tiles))
}

fn is_granular(size: usize) -> Result<u64, Code> {
    let size = size as u64;
    if size > 0 && size.is_multiple_of(GRANULARITY) { Ok(size) } else { Err(Code::INVALID_VALUE) }
}

pub(super) fn cuMemGetAllocationGranularity(
    granularity: *mut usize,
    properties: *const CUmemAllocationProp,
    option: CUmemAllocationGranularity_flags,
) -> Outcome {
    initialized()?;
    // SAFETY: the caller's pointers, as the driver's function demands; so below.
    unsafe { check_properties(properties)? };
    match option {
        CU_MEM_ALLOC_GRANULARITY_MINIMUM | CU_MEM_ALLOC_GRANULARITY_RECOMMENDED => {
            // SAFETY: as above.
            unsafe { put(granularity, GRANULARITY as usize) }
        }
        _ => Err(Code::INVALID_VALUE),
    }
}

pub(super) fn cuMemAddressReserve(
    address: *mut u64,
    size: usize,
    alignment: usize,
    _wish: u64,
    flags: u64,
) -> Outcome {
    let mut state = initialized()?;
    let size = is_granular(size)?;
    if flags != 0 || address.is_null() || alignment != 0 && !alignment.is_power_of_two() {
        return Err(Code::INVALID_VALUE);
    }
    let known = &mut state.virtual_memory;
    let reserved = known.reserved.checked_add(size).filter(|&all| all <= MAX_RESERVED);
    let reserved = reserved.ok_or(Code::OUT_OF_MEMORY)?;
    let region = Region::reserve(size).ok_or(Code::OUT_OF_MEMORY)?;
    known.reserved = reserved;
    let base = addresses().reserve(size, (alignment as u64).clamp(GRANULARITY, TOTAL));
    known.ranges.insert(base, Reserved { size, region, mappings: BTreeMap::new() });
    // SAFETY: as above.
    unsafe { put(address, base) }
}

pub(super) fn cuMemAddressFree(address: u64, size: usize) -> Outcome {
    let mut state = initialized()?;
    let known = &mut state.virtual_memory;
    let range = known.ranges.get(&address).ok_or(Code::INVALID_VALUE)?;
    if range.size != size as u64 || !range.mappings.is_empty() {
        return Err(Code::INVALID_VALUE);
    }
    known.reserved -= range.size;
    addresses().release(address);
    if let Some(gone) = known.ranges.remove(&address)
        && is_any_held()
    {
        known.old_regions.push(gone.region);
    }
    Ok(())
}

pub(super) fn cuMemCreate(
    handle: *mut u64,
    size: usize,
    properties: *const CUmemAllocationProp,
    flags: u64,
) -> Outcome {
    let mut state = initialized()?;
    // SAFETY: as above.
    let (device, is_shareable, is_for_tiles) = unsafe { check_properties(properties)? };
    let tiles = is_for_tiles.then(HashMap::new);
    let size = is_granular(size)?;
    if flags != 0 || handle.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    if !memory(device).take(size) {
        return Err(Code::OUT_OF_MEMORY);
    }
    let pages = if is_shareable { Pages::apart(size) } else { Pages::new(size) };
    let Some(pages) = pages else {
        memory(device).give_back(size);
        return Err(Code::OUT_OF_MEMORY);
    };
    let new = state.handle();
    let physical = Physical { device, pages, size, owners: 1, is_shareable, mappings: 0, tiles };
    state.virtual_memory.memories.insert(new, physical);
    // SAFETY: as above.
    unsafe { put(handle, new as u64) }
}

pub(super) fn cuMemRelease(handle: u64) -> Outcome {
    let mut state = initialized()?;
    let known = &mut state.virtual_memory;
    let found = known.memories.get_mut(&(handle as Handle)).filter(|memory| memory.owners > 0);
    found.ok_or(Code::INVALID_VALUE)?.owners -= 1;
    give_back_unused(known, handle as Handle);
    Ok(())
}

pub(super) fn cuMemRetainAllocationHandle(handle: *mut u64, address: *mut c_void) -> Outcome {
    let mut state = initialized()?;
    let known = &mut state.virtual_memory;
    let (_, range, bytes) = known.find(address.addr() as u64, 1)?;
    let mapping = range.mappings.range(..=bytes.start).next_back();
    let mapping = mapping.filter(|(offset, mapping)| bytes.start < *offset + mapping.size);
    let found = mapping.ok_or(Code::INVALID_VALUE)?.1.memory;
    // SAFETY: as above.
    unsafe { put(handle, found as u64)? };
    known.memories.get_mut(&found).ok_or(Code::INVALID_VALUE)?.owners += 1;
    Ok(())
}

pub(super) fn cuMemExportToShareableHandle(
    handle: *mut c_void,
    memory: u64,
    kind: CUmemAllocationHandleType,
    flags: u64,
) -> Outcome {
    let state = initialized()?;
    let memories = &state.virtual_memory.memories;
    let found = memories.get(&(memory as Handle)).filter(|memory| memory.owners > 0);
    let found = found.filter(|memory| memory.is_shareable).ok_or(Code::INVALID_VALUE)?;
    if handle.is_null() || kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || flags != 0 {
        return Err(Code::INVALID_VALUE);
    }
    let file = found.pages.file().try_clone().map_err(|_| Code::OUT_OF_MEMORY)?;
    // SAFETY: a place for a file's number, which is the caller's from now on.
    unsafe { put(handle.cast::<c_int>(), file.into_raw_fd()) }
}

/// Memory of another process. Here it counts as the first device's, too.
pub(super) fn cuMemImportFromShareableHandle(
    memory: *mut u64,
    handle: *mut c_void,
    kind: CUmemAllocationHandleType,
) -> Outcome {
    let mut state = initialized()?;
    if memory.is_null() || kind != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR {
        return Err(Code::INVALID_VALUE);
    }
    let number = c_int::try_from(handle.addr()).map_err(|_| Code::INVALID_VALUE)?;
    let file = Arc::new(duplicate(number)?);
    let size = file.metadata().map_err(|_| Code::INVALID_VALUE)?.len();
    let size = is_granular(usize::try_from(size).map_err(|_| Code::INVALID_VALUE)?)?;
    let pages = Pages::of(file, 0, size).ok_or(Code::INVALID_VALUE)?;
    if !super::state::memory(0).take(size) {
        return Err(Code::OUT_OF_MEMORY);
    }
    let new = state.handle();
    let physical = Physical {
        device: 0,
        pages,
        size,
        owners: 1,
        is_shareable: true,
        mappings: 0,
        tiles: None,
    };
    state.virtual_memory.memories.insert(new, physical);
    // SAFETY: as above.
    unsafe { put(memory, new as u64) }
}

pub(super) fn cuMemMap(
    address: u64,
    size: usize,
    offset: usize,
    handle: u64,
    flags: u64,
) -> Outcome {
    let mut state = initialized()?;
    let size = is_granular(size)?;
    let handle = handle as Handle;
    // The driver, too, maps memory from its beginning only.
    if offset != 0 || flags != 0 || !address.is_multiple_of(GRANULARITY) {
        return Err(Code::INVALID_VALUE);
    }
    let State { virtual_memory, .. } = &mut *state;
    let VirtualMemory { ranges, memories, .. } = virtual_memory;
    let physical = memories.get_mut(&handle).filter(|memory| memory.owners > 0);
    let physical = physical.filter(|memory| size <= memory.size && memory.tiles.is_none());
    let physical = physical.ok_or(Code::INVALID_VALUE)?;
    let (&base, range) = ranges.range_mut(..=address).next_back().ok_or(Code::INVALID_VALUE)?;
    let start = address - base;
    let end =
        start.checked_add(size).filter(|&end| end <= range.size).ok_or(Code::INVALID_VALUE)?;
    let before = range.mappings.range(..end).next_back();
    if before.is_some_and(|(offset, mapping)| offset + mapping.size > start) {
        return Err(Code::INVALID_VALUE);
    }
    if !range.region.map(start, &physical.pages, size) {
        return Err(Code::OUT_OF_MEMORY);
    }
    physical.mappings += 1;
    let mapping = Mapping { size, memory: handle, access: Access::default() };
    range.mappings.insert(start, mapping);
    Ok(())
}

pub(super) fn cuMemUnmap(address: u64, size: usize) -> Outcome {
    drop(initialized()?);
    let mut state = Current::of(0).drain();
    let known = &mut state.virtual_memory;
    let (base, range, bytes) = known.find(address, size as u64)?;
    let mut unused = Vec::new();
    for offset in range.exactly(bytes)? {
        if let Some(gone) = range.mappings.remove(&offset) {
            // Else they stay until something else is mapped there.
            if !is_any_held() {
                range.region.unmap(offset, gone.size);
            }
            unused.push(gone.memory);
        }
    }
    range.publish(base, addresses());
    for handle in unused {
        if let Some(physical) = known.memories.get_mut(&handle) {
            physical.mappings -= 1;
        }
        give_back_unused(known, handle);
    }
    Ok(())
}

pub(super) fn cuMemSetAccess(
    address: u64,
    size: usize,
    accesses: *const CUmemAccessDesc,
    count: usize,
) -> Outcome {
    let mut state = initialized()?;
    if count == 0 || accesses.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    let memories = &state.virtual_memory.memories;
    let owners: HashMap<Handle, usize> =
        memories.iter().map(|(&handle, memory)| (handle, memory.device)).collect();
    let (base, range, bytes) = state.virtual_memory.find(address, size as u64)?;
    let offsets = range.exactly(bytes)?;
    for index in 0..count {
        // SAFETY: the caller gives `count` descriptions.
        let wanted = unsafe { accesses.add(index).read() };
        let device = check_location(wanted.location)?;
        let bit = 1u64 << device;
        for offset in &offsets {
            let Some(mapping) = range.mappings.get_mut(offset) else { continue };
            if wanted.flags != CU_MEM_ACCESS_FLAGS_PROT_NONE
                && let Some(&owner) = owners.get(&mapping.memory)
            {
                check_access(owner, device)?;
            }
            let Access { reads, writes } = mapping.access;
            mapping.access = match wanted.flags {
                CU_MEM_ACCESS_FLAGS_PROT_NONE => {
                    Access { reads: reads & !bit, writes: writes & !bit }
                }
                CU_MEM_ACCESS_FLAGS_PROT_READ => {
                    Access { reads: reads | bit, writes: writes & !bit }
                }
                CU_MEM_ACCESS_FLAGS_PROT_READWRITE => {
                    Access { reads: reads | bit, writes: writes | bit }
                }
                _ => return Err(Code::INVALID_VALUE),
            };
        }
    }
    range.publish(base, addresses());
    Ok(())
}

pub(super) fn cuMemGetAccess(
    flags: *mut u64,
    location: *const CUmemLocation,
    address: u64,
) -> Outcome {
    let mut state = initialized()?;
    if location.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    let device = check_location(unsafe { location.read() })?;
    let (_, range, bytes) = state.virtual_memory.find(address, 1)?;
    let mapping = range.mappings.range(..=bytes.start).next_back();
    let mapping = mapping.filter(|(offset, mapping)| bytes.start < *offset + mapping.size);
    let access = mapping.ok_or(Code::INVALID_VALUE)?.1.access;
    let found = match (access.may_read(device), access.may_write(device)) {
        (_, true) => CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
        (true, false) => CU_MEM_ACCESS_FLAGS_PROT_READ,
        (false, false) => CU_MEM_ACCESS_FLAGS_PROT_NONE,
    };
    // SAFETY: as above.
    unsafe { put(flags, found.into()) }
}
