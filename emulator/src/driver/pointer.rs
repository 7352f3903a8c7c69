//! What an address leads to (CUDA driver API, section 6.15, "Unified Addressing").
#![allow(non_snake_case)]

use super::code::{Code, Outcome};
use super::handle::context_of;
use super::memory::{mapped, span_at};
use super::state::{Current, current, memory_of};
use crate::memory::{Kind, Memory};
use ptyx_driver_api::*;
use std::ffi::{c_uint, c_void};

/// The value of an attribute, and how many bytes it has.
fn value(
    state: &Current,
    attribute: CUpointer_attribute,
    address: u64,
) -> Result<(u64, usize), Code> {
    let span = span_at(address);
    let host = mapped(state, address as usize);
    if span.is_none() && host.is_none() {
        return Err(Code::INVALID_VALUE);
    }
    let kind =
        memory_of(address).and_then(|memory| Some(memory.read().find(address)?.kind.clone()));
    let is_managed = kind == Some(Kind::Managed);
    let on_host = host.is_some() || kind == Some(Kind::Host);
    let device = if host.is_some() { state.device } else { Memory::device_of(address) };
    Ok(match attribute {
        CU_POINTER_ATTRIBUTE_CONTEXT => (context_of(device) as u64, 8),
        CU_POINTER_ATTRIBUTE_MEMORY_TYPE => {
            (u64::from(if on_host { CU_MEMORYTYPE_HOST } else { CU_MEMORYTYPE_DEVICE }), 4)
        }
        CU_POINTER_ATTRIBUTE_DEVICE_POINTER => (host.unwrap_or(address), 8),
        CU_POINTER_ATTRIBUTE_HOST_POINTER => match (host, span) {
            (Some(_), _) => (address, 8),
            (None, Some(span)) if on_host || is_managed => {
                (span.data as u64 + (address - span.base), 8)
            }
            _ => return Err(Code::INVALID_VALUE),
        },
        CU_POINTER_ATTRIBUTE_IS_MANAGED => (is_managed.into(), 4),
        CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL => (device as u64, 4),
        CU_POINTER_ATTRIBUTE_RANGE_START_ADDR => (span.map_or(address, |span| span.base), 8),
        CU_POINTER_ATTRIBUTE_RANGE_SIZE => (span.map_or(0, |span| span.size), 8),
        CU_POINTER_ATTRIBUTE_MAPPED => (1, 4),
        _ => return Err(Code::NOT_SUPPORTED),
    })
}

/// Writes a value.
///
/// # Safety
/// The pointer is null, or suits the value.
unsafe fn put_value(data: *mut c_void, (value, bytes): (u64, usize)) -> Outcome {
    if data.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: the caller's promise; the number's low bytes come first.
    unsafe { data.cast::<u8>().copy_from((&raw const value).cast(), bytes) };
    Ok(())
}

pub(super) fn cuPointerGetAttribute(
    data: *mut c_void,
    attribute: CUpointer_attribute,
    address: u64,
) -> Outcome {
    let state = current()?;
    // SAFETY: the caller's pointer suits the attribute, as the driver's function demands.
    unsafe { put_value(data, value(&state, attribute, address)?) }
}

pub(super) fn cuPointerGetAttributes(
    count: c_uint,
    attributes: *mut CUpointer_attribute,
    data: *mut *mut c_void,
    address: u64,
) -> Outcome {
    let state = current()?;
    if count == 0 || attributes.is_null() || data.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    for index in 0..count as usize {
        // SAFETY: the caller's lists have as many entries.
        let (attribute, data) = unsafe { (attributes.add(index).read(), data.add(index).read()) };
        let found = match value(&state, attribute, address) {
            Ok(found) => found,
            // An address that is nobody's has no values but itself, which is no error here.
            Err(Code::INVALID_VALUE) if attribute == CU_POINTER_ATTRIBUTE_HOST_POINTER => {
                let nobodys =
                    span_at(address).is_none() && mapped(&state, address as usize).is_none();
                (if nobodys { address } else { 0 }, 8)
            }
            Err(Code::INVALID_VALUE) => (0, if is_wide(attribute) { 8 } else { 4 }),
            Err(code) => return Err(code),
        };
        // SAFETY: as above.
        unsafe { put_value(data, found)? };
    }
    Ok(())
}

fn is_wide(attribute: CUpointer_attribute) -> bool {
    matches!(
        attribute,
        CU_POINTER_ATTRIBUTE_CONTEXT
            | CU_POINTER_ATTRIBUTE_DEVICE_POINTER
            | CU_POINTER_ATTRIBUTE_HOST_POINTER
            | CU_POINTER_ATTRIBUTE_RANGE_START_ADDR
            | CU_POINTER_ATTRIBUTE_RANGE_SIZE
    )
}
