//! Constants that graphs set.
//!
//! Each module has a copy of a constant, and more modules may be loaded at any time. So a captured `set` becomes a copy node
//! for each module that is loaded by then. If a kernel that is captured later is in a module that was loaded since, a copy
//! node comes before the kernel. Modules of which the graph has no kernel get the last value when the graph is launched, before
//! it: only kernels outside of the graph use them, which come before or after all of it. Modules that are loaded still later
//! get it from the host, as after any `set`.
//!
//! What the host notes must be what the nodes do. So these graphs stay whole: their copy nodes can't be exchanged or
//! switched off, and they are not added to other graphs, whose bodies perhaps never run.

use super::{Bytes, DeviceStatic, Hold};
use crate::driver::Failure;
use crate::driver::types::*;
use crate::error::{Error, Result};
use crate::memory::DeviceBuffer;
use crate::stream::{Capture, Entry, Guard, Part, Stream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A constant that a graph sets.
struct SetInGraph {
    constant: &'static DeviceStatic,
    last: Mutex<Last>,
}

/// What the constant is when the graph is done.
struct Last {
    value: Bytes,
    /// The same on the device.
    source: Arc<DeviceBuffer<u8>>,
    /// The copies that the graph sets itself.
    set: Vec<CUdeviceptr>,
}

impl SetInGraph {
    fn lock(&self) -> MutexGuard<'_, Last> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Last {
    /// Copies the value to these, on a stream of the device, whose context is bound.
    fn copy_to(
        &self,
        copies: &[CUdeviceptr],
        constant: &DeviceStatic,
        stream: &Stream,
    ) -> Result<(), Failure> {
        let (from, bytes) = (self.source.as_slice().address(), self.value.len());
        for &copy in copies.iter().filter(|_| bytes > 0) {
            // SAFETY: both have the constant's size. The graph keeps the source, and modules stay loaded.
            unsafe { constant.driver().cuMemcpyDtoDAsync(copy, from, bytes, stream.handle()) }?;
        }
        Ok(())
    }

    /// The copies that the graph does not set.
    fn others(&self, copies: &[CUdeviceptr]) -> Vec<CUdeviceptr> {
        copies.iter().copied().filter(|copy| !self.set.contains(copy)).collect()
    }
}

impl Part for SetInGraph {
    fn submit<'a>(&self, entry: &Entry<'a>) -> Result<Option<Box<dyn Guard + 'a>>> {
        let (constant, stream) = (self.constant, entry.stream());
        let hold = Hold::alone(constant.context);
        constant.order.exclusive(stream)?;
        // What it waits for may be on other threads' contexts.
        constant.context.bind()?;
        let last = self.lock();
        let mut state = constant.lock();
        last.copy_to(&last.others(&state.copies), constant, stream)?;
        state.value = Some(last.value.clone());
        Ok(Some(Box::new(hold)))
    }

    fn is_exclusive(&self) -> bool {
        true
    }

    fn constant(&self) -> Option<usize> {
        Some(self.constant.key())
    }
}

/// What a capture sets the constant to, if it does.
fn found(constant: &'static DeviceStatic, capture: &Capture) -> Option<Arc<SetInGraph>> {
    capture.kept(|set: &Arc<SetInGraph>| core::ptr::eq(set.constant, constant))
}

/// Sets a constant in a graph, in all modules that have it by now.
pub(super) fn set(
    constant: &'static DeviceStatic,
    capture: &Capture,
    value: &Bytes,
    stream: &Stream,
) -> Result<()> {
    if capture.graph.is_some() {
        return Err(Error::Graph {
            reason: "setting a `Constant` is a copy for each kernel that uses it, not one node: set it in the closure of \
                     `Stream::capture`, or use a `Global`",
        });
    }
    let source = Arc::new(constant.for_graph(value)?);
    // Earlier nodes copy from what they were made with.
    capture.keep(source.clone());
    let known = found(constant, capture);
    let own = known.unwrap_or_else(|| {
        let (value, source) = (value.clone(), source.clone());
        let last = Mutex::new(Last { value, source, set: Vec::new() });
        let own = Arc::new(SetInGraph { constant, last });
        capture.keep(own.clone());
        own
    });
    capture.use_memory(stream, constant.key(), 0..1, true, || own.clone())?;
    constant.context.bind()?;
    let copies = constant.lock().copies.clone();
    let mut last = own.lock();
    (last.value, last.source) = (value.clone(), source);
    last.copy_to(&copies, constant, stream)?;
    last.set = copies;
    Ok(())
}

/// Before a kernel of a capture that uses the constant: sets the copies of modules that were loaded since the capture set it.
pub(super) fn set_new_copies(
    constant: &'static DeviceStatic,
    capture: &Capture,
    stream: &Stream,
) -> Result<(), Failure> {
    let Some(own) = found(constant, capture) else { return Ok(()) };
    let copies = constant.lock().copies.clone();
    let mut last = own.lock();
    let new = last.others(&copies);
    if new.is_empty() {
        return Ok(());
    }
    // Kernels of other streams may use the same module.
    capture.use_memory(stream, constant.key(), 0..1, true, || own.clone())?;
    constant.context.bind()?;
    last.copy_to(&new, constant, stream)?;
    last.set.extend(new);
    Ok(())
}
