//! Attributes of streams (CUDA driver API, `cuStreamSetAttribute`). They are kept and change nothing: there is no L2
//! cache, and the host waits in one way.
#![allow(non_snake_case)]

use super::code::{Code, Outcome, put};
use super::handle::Handle;
use super::state::{Current, current};
use ptyx_driver_api::*;

/// An attribute that was never set.
fn default(attribute: CUlaunchAttributeID) -> Result<CUstreamAttrValue, Code> {
    let mut value = CUstreamAttrValue { words: [0; 16] };
    match attribute {
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {}
        CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY => value.words[0] = CU_SYNC_POLICY_AUTO,
        _ => return Err(Code::INVALID_VALUE),
    }
    Ok(value)
}

/// Whether an attribute can have this value.
fn is_valid(attribute: CUlaunchAttributeID, value: &CUstreamAttrValue) -> bool {
    let [_, _, _, _, ratio, hit, miss, ..] = value.words;
    match attribute {
        // A miss can't persist (CUDA driver API, `CUaccessPolicyWindow`).
        CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW => {
            (0.0..=1.0).contains(&f32::from_bits(ratio))
                && hit <= CU_ACCESS_PROPERTY_PERSISTING
                && miss < CU_ACCESS_PROPERTY_PERSISTING
        }
        _ => (CU_SYNC_POLICY_AUTO..=CU_SYNC_POLICY_BLOCKING_SYNC).contains(&value.words[0]),
    }
}

impl Current {
    /// A stream that was created.
    fn created(&mut self, stream: Handle) -> Result<&mut super::state::Stream, Code> {
        self.own_queue(stream)?;
        self.streams.get_mut(&stream).ok_or(Code::INVALID_HANDLE)
    }
}

pub(super) fn cuStreamGetAttribute(
    stream: Handle,
    attribute: CUlaunchAttributeID,
    value: *mut CUstreamAttrValue,
) -> Outcome {
    let mut state = current()?;
    let default = default(attribute)?;
    let found = state.created(stream)?.attributes.get(&attribute).copied();
    // SAFETY: the caller's pointer, as the driver's function demands.
    unsafe { put(value, found.unwrap_or(default)) }
}

pub(super) fn cuStreamSetAttribute(
    stream: Handle,
    attribute: CUlaunchAttributeID,
    value: *const CUstreamAttrValue,
) -> Outcome {
    let mut state = current()?;
    default(attribute)?;
    if value.is_null() {
        return Err(Code::INVALID_VALUE);
    }
    // SAFETY: as above.
    let value = unsafe { value.read() };
    if !is_valid(attribute, &value) {
        return Err(Code::INVALID_VALUE);
    }
    state.created(stream)?.attributes.insert(attribute, value);
    Ok(())
}

pub(super) fn cuStreamCopyAttributes(to: Handle, from: Handle) -> Outcome {
    let mut state = current()?;
    let attributes = state.created(from)?.attributes.clone();
    state.created(to)?.attributes = attributes;
    Ok(())
}
