//! Managed memory (CUDA driver API, section 6.13, "Memory Management", and 6.15, "Unified Addressing").
//!
//! It has the host's own addresses, on every device, and never moves. Where it is and what was advised is noted page by
//! page, for those who ask.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::device::check;
use super::handle::Handle;
use super::state::{Current, Managed, Page, State, current, memory};
use crate::memory::Kind;
use crate::settings::settings;
use ptyx_driver_api::*;
use std::alloc::Layout;
use std::ffi::{c_int, c_uint, c_void};
use std::ops::Range;

/// Bytes of a page, and the alignment.
const PAGE: usize = 4096;

/// A page of which nothing is known.
const FRESH: Page = Page {
    read_mostly: false,
    preferred: CU_DEVICE_INVALID,
    accessed_by: 0,
    last_prefetch: CU_DEVICE_INVALID,
};

pub(super) fn cuMemAllocManaged(pointer: *mut u64, size: usize, flags: c_uint) -> Outcome {
    let mut state = current()?;
    state.refuse_unsafe()?;
    if size == 0 || pointer.is_null() || !matches!(flags, CU_MEM_ATTACH_GLOBAL | CU_MEM_ATTACH_HOST)
    {
        return Err(Code::INVALID_VALUE);
    }
    let bytes = size.checked_next_multiple_of(PAGE).ok_or(Code::OUT_OF_MEMORY)?;
    let layout = Layout::from_size_align(bytes, PAGE).map_err(|_| Code::OUT_OF_MEMORY)?;
    // SAFETY: the size is not zero.
    let data = unsafe { std::alloc::alloc_zeroed(layout) };
    if data.is_null() {
        return Err(Code::OUT_OF_MEMORY);
    }
    // Addresses of the host belong to the first device's table; every device reaches them.
    let address = memory(0).map_managed(data, size as u64);
    let pages = vec![FRESH; bytes / PAGE];
    let device = state.device;
    state.managed.insert(address, Managed { device, layout, size, pages });
    // SAFETY: the caller's pointer, as the driver's function demands; so below.
    unsafe { put(pointer, address) }
}

impl State {
    /// The pages of a range, which must be within managed memory.
    fn pages(&mut self, address: u64, count: usize) -> Result<&mut [Page], Code> {
        let base = memory(0)
            .read()
            .find(address)
            .filter(|allocation| allocation.kind == Kind::Managed)
            .map(|allocation| allocation.base);
        let base = base.ok_or(Code::INVALID_VALUE)?;
        let managed = self.managed.get_mut(&base).ok_or(Code::INVALID_VALUE)?;
        let start = (address - base) as usize;
        let end = start.checked_add(count).filter(|&end| count > 0 && end <= managed.size);
        let range: Range<usize> = start / PAGE..end.ok_or(Code::INVALID_VALUE)?.div_ceil(PAGE);
        Ok(&mut managed.pages[range])
    }
}

/// A device, or the host.
fn check_place(device: c_int) -> Outcome {
    match device {
        CU_DEVICE_CPU => Ok(()),
        _ => check(device).map(|_| ()),
    }
}

pub(super) fn cuMemPrefetchAsync(
    address: u64,
    count: usize,
    device: c_int,
    stream: Handle,
) -> Outcome {
    // Before the state is locked; so below.
    let is_there = check_place(device);
    let mut state = current()?;
    state.queue(stream)?;
    state.refuse_captured(stream)?;
    is_there?;
    let pages = state.pages(address, count)?;
    pages.iter_mut().for_each(|page| page.last_prefetch = device);
    Ok(())
}

/// The bit of a device, or of the host.
fn bit(device: c_int) -> u128 {
    1 << (device + 1)
}

pub(super) fn cuMemAdvise(
    address: u64,
    count: usize,
    advice: CUmem_advise,
    device: c_int,
) -> Outcome {
    let is_there = check_place(device);
    let mut state = current()?;
    let change: fn(&mut Page, c_int) = match advice {
        CU_MEM_ADVISE_SET_READ_MOSTLY => |page, _| page.read_mostly = true,
        CU_MEM_ADVISE_UNSET_READ_MOSTLY => |page, _| page.read_mostly = false,
        CU_MEM_ADVISE_SET_PREFERRED_LOCATION => |page, device| page.preferred = device,
        CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION => |page, _| page.preferred = CU_DEVICE_INVALID,
        CU_MEM_ADVISE_SET_ACCESSED_BY => |page, device| page.accessed_by |= bit(device),
        CU_MEM_ADVISE_UNSET_ACCESSED_BY => |page, device| page.accessed_by &= !bit(device),
        _ => return Err(Code::INVALID_VALUE),
    };
    let names_a_device = matches!(
        advice,
        CU_MEM_ADVISE_SET_PREFERRED_LOCATION
            | CU_MEM_ADVISE_SET_ACCESSED_BY
            | CU_MEM_ADVISE_UNSET_ACCESSED_BY
    );
    if names_a_device {
        is_there?;
    }
    let pages = state.pages(address, count)?;
    pages.iter_mut().for_each(|page| change(page, device));
    Ok(())
}

pub(super) fn cuMemRangeGetAttribute(
    data: *mut c_void,
    size: usize,
    attribute: CUmem_range_attribute,
    address: u64,
    count: usize,
) -> Outcome {
    let mut state = current()?;
    let pages = state.pages(address, count)?;
    // What all pages agree on.
    let common = |of: fn(&Page) -> c_int| {
        let first = pages.first().map_or(CU_DEVICE_INVALID, of);
        if pages.iter().all(|page| of(page) == first) { first } else { CU_DEVICE_INVALID }
    };
    let one = size_of::<c_int>();
    let found = match attribute {
        CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY => {
            c_int::from(pages.iter().all(|page| page.read_mostly))
        }
        CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION => common(|page| page.preferred),
        CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION => common(|page| page.last_prefetch),
        CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY if size > 0 && size.is_multiple_of(one) => {
            let all = pages.iter().fold(u128::MAX, |all, page| all & page.accessed_by);
            let places = CU_DEVICE_CPU..settings().devices as c_int;
            let mut places = places.filter(|&place| all & bit(place) != 0);
            for index in 0..size / one {
                let place = places.next().unwrap_or(CU_DEVICE_INVALID);
                // SAFETY: the caller's `size` bytes.
                unsafe { put(data.cast::<c_int>().wrapping_add(index), place)? };
            }
            return Ok(());
        }
        _ => return Err(Code::INVALID_VALUE),
    };
    if size != one {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    unsafe { put(data.cast::<c_int>(), found) }
}

pub(super) fn cuMemRangeGetAttributes(
    data: *mut *mut c_void,
    sizes: *mut usize,
    attributes: *mut CUmem_range_attribute,
    number: usize,
    address: u64,
    count: usize,
) -> Outcome {
    if number == 0 || data.is_null() || sizes.is_null() || attributes.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    for index in 0..number {
        // SAFETY: the caller's lists have as many entries.
        let (data, size, attribute) = unsafe {
            (data.add(index).read(), sizes.add(index).read(), attributes.add(index).read())
        };
        cuMemRangeGetAttribute(data, size, attribute, address, count)?;
    }
    Ok(())
}

pub(super) fn cuStreamAttachMemAsync(
    stream: Handle,
    address: u64,
    length: usize,
    flags: c_uint,
) -> Outcome {
    let mut state: Current = current()?;
    state.queue(stream)?;
    state.refuse_captured(stream)?;
    let managed = state.managed.get(&address).ok_or(Code::INVALID_VALUE)?;
    let is_whole = length == 0 || length == managed.size;
    let is_known = match flags {
        CU_MEM_ATTACH_GLOBAL | CU_MEM_ATTACH_HOST => true,
        CU_MEM_ATTACH_SINGLE => state.streams.contains_key(&stream),
        _ => false,
    };
    if is_whole && is_known { Ok(()) } else { Err(Code::INVALID_VALUE) }
}
